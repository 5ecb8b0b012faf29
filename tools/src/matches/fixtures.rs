//! The games of a tournament as they become known: those of round robins and gauntlets at once, those of Swiss
//! tournaments and knockouts stage by stage, when all games of the stage before are counted. So they depend on
//! results alone, never on which game ended first.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::knockout::{Knockout, Tie};
use super::options::Tournament;
use super::schedule::{Planned, Schedule};
use super::swiss::{Row, Swiss};

/// How often a waiting worker looks whether the match is being ended.
const LOOK_UP: Duration = Duration::from_millis(100);

/// The games of a tournament.
pub struct Fixtures<'s> {
    schedule: &'s Schedule,
    state: Mutex<State>,
    published: Condvar,
}

struct State {
    draw: Draw,
    /// The games of all stages so far; empty if the schedule knows them.
    games: Vec<Planned>,
    /// Openings used so far.
    openings: usize,
    stages: usize,
    /// Games of this stage that are not counted.
    open: usize,
    /// What the encounters of this stage gave, by their players, the smaller number first.
    results: BTreeMap<[usize; 2], Score>,
    /// The number of the game to be played next.
    next: usize,
    over: bool,
}

/// What an encounter gave so far, in quarters of its players.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    /// How many games of it are counted.
    games: usize,
    quarters: [u64; 2],
    /// Those that the standing has, too: of whole pairs, where games come in pairs.
    settled: Option<[u64; 2]>,
}

/// How games are drawn.
#[derive(Clone)]
enum Draw {
    /// The schedule knows them all.
    None,
    Swiss(Swiss),
    Knockout(Knockout),
}

/// The table of a tournament with rules of its own.
pub enum Table {
    /// After so many rounds.
    Swiss(Vec<Row>),
    /// The rounds so far, and who won it.
    Knockout(Vec<Vec<Tie>>, Option<usize>),
}

impl<'s> Fixtures<'s> {
    /// The first games of a tournament.
    pub fn new(engines: usize, schedule: &'s Schedule) -> Self {
        let games = schedule.games();
        let draw = match schedule.tournament() {
            Tournament::Swiss => Draw::Swiss(Swiss::new(engines, schedule.rounds(), games)),
            Tournament::Knockout => Draw::Knockout(Knockout::new(engines, games)),
            Tournament::RoundRobin | Tournament::Gauntlet(_) => Draw::None,
        };
        let mut state = State {
            over: matches!(draw, Draw::None),
            draw,
            games: Vec::new(),
            openings: 0,
            stages: 0,
            open: 0,
            results: BTreeMap::new(),
            next: 0,
        };
        state.draw_if_due(schedule);
        Fixtures {
            schedule,
            state: Mutex::new(state),
            published: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game with a number, from 0; `None` if there is none, or it is not known yet.
    pub fn game(&self, number: usize) -> Option<Planned> {
        let state = self.state();
        match state.draw {
            Draw::None => (number < self.schedule.len()).then(|| self.schedule.game(number)),
            _ => state.games.get(number).copied(),
        }
    }

    /// How many games there are at least.
    pub fn least(&self) -> usize {
        self.schedule.len().max(self.state().games.len())
    }

    /// Whether there may be a game with this number.
    pub fn may_have(&self, number: usize) -> bool {
        matches!(self.schedule.tournament(), Tournament::Knockout) || number < self.schedule.len()
    }

    /// The next game to be played: waits until it is known. `None` if there are no more, or the match is being
    /// ended.
    pub fn take(&self, stop: &AtomicBool) -> Option<Planned> {
        let mut state = self.state();
        while !stop.load(Ordering::Relaxed) {
            let known = match state.draw {
                Draw::None => self.schedule.len(),
                _ => state.games.len(),
            };
            if state.next < known {
                let number = state.next;
                state.next += 1;
                drop(state);
                return self.game(number);
            }
            if state.over {
                break;
            }
            let waited = self.published.wait_timeout(state, LOOK_UP);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }

    /// Notes the quarters of a counted game of White and Black. The last game of a stage makes the next one known.
    pub fn count(&self, planned: &Planned, quarters: [u64; 2]) {
        let mut state = self.state();
        if matches!(state.draw, Draw::None) {
            return;
        }
        let [white, black] = planned.players;
        let both = state.results.entry([white.min(black), white.max(black)]);
        let score = both.or_default();
        let first = usize::from(white > black);
        score.quarters[first] += quarters[0];
        score.quarters[1 - first] += quarters[1];
        score.games += 1;
        if !self.schedule.paired() || score.games.is_multiple_of(2) {
            score.settled = Some(score.quarters);
        }
        state.open -= 1;
        state.draw_if_due(self.schedule);
        drop(state);
        self.published.notify_all();
    }

    /// The table, if points and Elo alone do not say who is where. It has what the stage being played gave so far.
    pub fn table(&self) -> Option<Table> {
        match &self.state().draw_so_far() {
            Draw::None => None,
            Draw::Swiss(swiss) => Some(Table::Swiss(swiss.table())),
            Draw::Knockout(knockout) => Some(Table::Knockout(
                knockout.rounds().to_vec(),
                knockout.winner(),
            )),
        }
    }

    /// The order of the engines in such a table.
    pub fn ranking(&self, engines: usize) -> Option<Vec<usize>> {
        match &self.state().draw_so_far() {
            Draw::None => None,
            Draw::Swiss(swiss) => Some(swiss.table().iter().map(|row| row.engine).collect()),
            Draw::Knockout(knockout) => Some(knockout.ranking(engines)),
        }
    }
}

impl Draw {
    /// Adds the quarters that two engines scored against each other.
    fn add(&mut self, players: [usize; 2], quarters: [u64; 2]) {
        match self {
            Draw::None => {}
            Draw::Swiss(swiss) => swiss.add(players, quarters),
            Draw::Knockout(knockout) => knockout.add(players, quarters),
        }
    }
}

impl State {
    /// The draw with the results of the stage that is being played.
    fn draw_so_far(&self) -> Draw {
        let mut draw = self.draw.clone();
        for (players, score) in &self.results {
            if let Some(quarters) = score.settled {
                draw.add(*players, quarters);
            }
        }
        draw
    }

    /// Draws the next stage, once all games of the last one are counted.
    fn draw_if_due(&mut self, schedule: &Schedule) {
        if self.over || self.open > 0 {
            return;
        }
        for (players, score) in std::mem::take(&mut self.results) {
            self.draw.add(players, score.quarters);
        }
        let encounters: Vec<([usize; 2], usize)> = match &mut self.draw {
            Draw::None => return,
            Draw::Swiss(swiss) => {
                let pairs = swiss.next_round().into_iter();
                pairs.map(|pair| (pair, schedule.games())).collect()
            }
            Draw::Knockout(knockout) => knockout.next_stage(),
        };
        if encounters.is_empty() {
            self.over = true;
            return;
        }
        for &(players, games) in &encounters {
            for game in 0..games {
                self.games.push(Planned {
                    number: self.games.len(),
                    round: self.stages,
                    pairing: schedule.pairing_of(players),
                    players: schedule.colours(players, game),
                    opening: self.openings + game / 2,
                });
            }
            self.open += games;
        }
        let most = encounters.iter().map(|(_, games)| games.div_ceil(2)).max();
        self.openings += most.unwrap_or(0);
        self.stages += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::tests::schedule;
    use super::*;

    /// Plays everything: the engine that comes first in the list wins, except where `drawn` says otherwise.
    fn played(engines: usize, words: &str, drawn: usize) -> (Vec<Planned>, Option<Vec<usize>>) {
        let schedule = schedule(engines, words);
        let fixtures = Fixtures::new(engines, &schedule);
        let stop = AtomicBool::new(false);
        let mut all = Vec::new();
        while let Some(game) = fixtures.take(&stop) {
            assert_eq!(game.number, all.len());
            let [white, black] = game.players;
            fixtures.count(
                &game,
                match (game.number < drawn, white < black) {
                    (true, _) => [2, 2],
                    (false, true) => [4, 0],
                    (false, false) => [0, 4],
                },
            );
            all.push(game);
        }
        (all, fixtures.ranking(engines))
    }

    #[test]
    fn stages_follow_results() {
        let (games, ranking) = played(4, "-tournament swiss", 0);
        assert_eq!(games.len(), 2 * 2 * 2);
        assert_eq!(ranking.unwrap()[0], 0);
        // The winners meet in the second round, with another opening.
        assert!(
            games[4..]
                .iter()
                .any(|g| g.players == [0, 1] || g.players == [1, 0])
        );
        assert_eq!((games[0].opening, games[7].opening), (0, 1));
        // The first tie of the knockout is level twice and is broken by the third pair.
        let (games, ranking) = played(2, "-tournament knockout", 4);
        assert_eq!(games.len(), 6);
        let openings: Vec<usize> = games.iter().map(|g| g.opening).collect();
        assert_eq!(openings, [0, 0, 1, 1, 2, 2]);
        assert_eq!(ranking.unwrap(), [0, 1]);
        let (games, ranking) = played(3, "-rounds 2", 0);
        assert_eq!((games.len(), ranking), (12, None));
    }

    /// While a stage is being played the table has its whole pairs, as the standing has.
    #[test]
    fn tables_have_the_running_stage() {
        let schedule = schedule(5, "-tournament swiss");
        let fixtures = Fixtures::new(5, &schedule);
        let rows = |fixtures: &Fixtures<'_>| match fixtures.table() {
            Some(Table::Swiss(rows)) => rows,
            _ => panic!("a Swiss tournament has a Swiss table"),
        };
        // The first pair goes to the player with the larger number.
        let first = fixtures.game(0).unwrap();
        let winner = first.players[0].max(first.players[1]);
        let quarters = |game: &Planned| game.players.map(|p| 4 * u64::from(p == winner));
        fixtures.count(&first, quarters(&first));
        assert!(rows(&fixtures).iter().all(|row| row.quarters == 0));
        let second = fixtures.game(1).unwrap();
        fixtures.count(&second, quarters(&second));
        let midway = rows(&fixtures);
        assert_eq!((midway[0].engine, midway[0].quarters), (winner, 8));
        assert_eq!(fixtures.ranking(5).unwrap()[0], winner);
        assert!(midway[1..].iter().all(|row| row.quarters == 0));
        // Nobody has a bye or an opponent's points before there is a result.
        assert!(midway.iter().all(|row| row.byes == 0));
        assert_eq!(midway.iter().map(|row| row.buchholz).sum::<u64>(), 8);
        for number in 2..4 {
            let game = fixtures.game(number).unwrap();
            fixtures.count(&game, [2, 2]);
        }
        let over = rows(&fixtures);
        assert_eq!(over.iter().map(|row| row.byes).sum::<u32>(), 1);
        assert_eq!(over.iter().map(|row| row.quarters).sum::<u64>(), 8 + 8 + 8);
    }

    #[test]
    fn ties_have_their_running_score() {
        let schedule = schedule(2, "-tournament knockout -games 4");
        let fixtures = Fixtures::new(2, &schedule);
        let score = |fixtures: &Fixtures<'_>| match fixtures.table() {
            Some(Table::Knockout(rounds, None)) => rounds[0][0].quarters,
            _ => panic!("nobody has won the knockout"),
        };
        for (number, expected) in [(0, [0, 0]), (1, [4, 4]), (2, [4, 4])] {
            fixtures.count(&fixtures.game(number).unwrap(), [4, 0]);
            assert_eq!(score(&fixtures), expected, "after game {number}");
        }
    }

    #[test]
    fn a_worker_that_waits_is_let_go() {
        let schedule = schedule(2, "-tournament knockout");
        let fixtures = Fixtures::new(2, &schedule);
        let stop = AtomicBool::new(false);
        assert!(fixtures.take(&stop).is_some() && fixtures.take(&stop).is_some());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| fixtures.take(&stop));
            stop.store(true, Ordering::Relaxed);
            assert_eq!(waiting.join().unwrap(), None);
        });
    }
}
