//! Who plays whom, when, with which opening, where that does not depend on results. No input or output.

use super::options::{Options, Tournament};

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Its number, from 0.
    pub number: usize,
    /// Its round, from 0.
    pub round: usize,
    /// Its pairing, as a place in [`Schedule::pairings`].
    pub pairing: usize,
    /// White and Black, as places in the list of engines.
    pub players: [usize; 2],
    /// The number of its opening, from 0.
    pub opening: usize,
}

/// All games of a match, by number: round after round, all pairings in each, with their games. Games `2n` and
/// `2n + 1` of a pairing share an opening with colours reversed.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    /// Whether the second engine of a pairing has White first if games are not paired.
    second_begins: Vec<bool>,
    engines: usize,
    tournament: Tournament,
    rounds: usize,
    games: usize,
    noswap: bool,
    reverse: bool,
}

impl Schedule {
    /// The schedule of a match.
    pub fn new(options: &Options) -> Self {
        let engines = options.engines.len();
        let firsts = match options.tournament {
            Tournament::Gauntlet(seeds) => seeds,
            _ => engines,
        };
        // In a gauntlet the first ones do not meet each other.
        let begin = |first: usize| match options.tournament {
            Tournament::Gauntlet(seeds) => seeds,
            _ => first + 1,
        };
        let pairings = (0..firsts).flat_map(|a| (begin(a)..engines).map(move |b| [a, b]));
        let pairings: Vec<[usize; 2]> = pairings.collect();
        let second_begins = |&[a, b]: &[usize; 2]| match options.tournament {
            Tournament::Gauntlet(seeds) => (a + b - seeds) % 2 == 1,
            _ => second_is_white(a, b, engines),
        };
        Schedule {
            second_begins: pairings.iter().map(second_begins).collect(),
            pairings,
            engines,
            tournament: options.tournament,
            rounds: options.rounds,
            games: options.games,
            noswap: options.noswap,
            reverse: options.reverse,
        }
    }

    /// Any two of so many engines meet, with so many games each time: enough to count games that were played.
    #[cfg(feature = "board")]
    pub fn of_any(engines: usize, games: usize) -> Self {
        let pairings = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
        let pairings: Vec<[usize; 2]> = pairings.collect();
        Schedule {
            second_begins: vec![false; pairings.len()],
            pairings,
            engines,
            tournament: Tournament::RoundRobin,
            rounds: 1,
            games,
            noswap: false,
            reverse: false,
        }
    }

    /// The pairings that there may be: places in the list of engines.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The number of games; of a knockout, without tie-breaks.
    pub fn len(&self) -> usize {
        let games = self.checked_len();
        games.expect("the options of a match bound its games")
    }

    /// The same; `None` if it is beyond all bounds.
    pub fn checked_len(&self) -> Option<usize> {
        let encounters = match self.tournament {
            Tournament::Swiss => self.rounds.checked_mul(self.engines / 2),
            Tournament::Knockout => Some(self.engines - 1),
            _ => self.rounds.checked_mul(self.pairings.len()),
        };
        encounters?.checked_mul(self.games)
    }

    /// Which kind of tournament it is.
    pub fn tournament(&self) -> Tournament {
        self.tournament
    }

    /// The games of an encounter.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The number of openings used.
    pub fn openings(&self) -> usize {
        self.rounds * self.games.div_ceil(2)
    }

    /// Whether games come in pairs.
    pub fn paired(&self) -> bool {
        self.games.is_multiple_of(2)
    }

    /// The pairing of two engines.
    pub fn pairing_of(&self, players: [usize; 2]) -> usize {
        let [a, b] = players;
        let wanted = [a.min(b), a.max(b)];
        let found = self.pairings.iter().position(|&p| p == wanted);
        found.expect("all pairs are pairings")
    }

    /// White and Black of the n-th game, from 0, of two engines of which the first begins with White.
    pub fn colours(&self, mut players: [usize; 2], game: usize) -> [usize; 2] {
        let swapped = !self.noswap && game % 2 == 1;
        if swapped != self.reverse {
            players.swap(0, 1);
        }
        players
    }

    /// The game with a number, if that does not depend on results.
    pub fn game(&self, number: usize) -> Planned {
        let in_round = self.pairings.len() * self.games;
        let (round, rest) = (number / in_round, number % in_round);
        let (pairing, game) = (rest / self.games, rest % self.games);
        // If games are not paired, colours alternate from round to round.
        let turn = match self.paired() {
            true => game,
            false => game + round + usize::from(self.second_begins[pairing]),
        };
        let players = self.colours(self.pairings[pairing], turn);
        Planned {
            number,
            round,
            pairing,
            players,
            opening: round * self.games.div_ceil(2) + game / 2,
        }
    }
}

/// Whether `b`, which is after `a` in the list, has White against it: as in the Berger tables, so that the
/// colours of each engine differ by at most one game.
fn second_is_white(a: usize, b: usize, engines: usize) -> bool {
    if engines.is_multiple_of(2) && b == engines - 1 {
        // The last of an even number has White against the second half.
        return a >= engines / 2;
    }
    (a + b).is_multiple_of(2)
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashSet;

    use super::super::dialect;
    use super::super::game_record::GameResult;
    use super::super::standing::{Standing, games, points};
    use super::*;

    /// The options of a match with so many engines and these words.
    pub fn options(engines: usize, words: &str) -> Options {
        let mut words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        for i in 0..engines {
            let name = format!("name=e{i}");
            words.extend(["-engine", "cmd=internal", "nodes=1", &name].map(str::to_owned));
        }
        dialect::options(&dialect::groups(&words).unwrap()).unwrap()
    }

    /// Their schedule.
    pub fn schedule(engines: usize, words: &str) -> Schedule {
        Schedule::new(&options(engines, words))
    }

    /// Everyone meets everyone, with every opening and both colours.
    #[test]
    fn round_robin() {
        let schedule = schedule(4, "-rounds 3");
        assert_eq!((schedule.len(), schedule.openings()), (36, 3));
        let all: Vec<Planned> = (0..36).map(|n| schedule.game(n)).collect();
        let met: HashSet<_> = all.iter().map(|g| (g.players, g.opening)).collect();
        assert_eq!(met.len(), 36);
        assert!(all.iter().all(|g| g.players[0] != g.players[1]));
        assert!(all.iter().all(|g| g.opening == g.round));
    }

    #[test]
    fn gauntlet_and_games_of_a_round() {
        let gauntlet = schedule(4, "-tournament gauntlet -seeds 2 -rounds 1 -games 4");
        assert_eq!(gauntlet.pairings(), [[0, 2], [0, 3], [1, 2], [1, 3]]);
        let openings: Vec<usize> = (0..4).map(|n| gauntlet.game(n).opening).collect();
        assert_eq!(openings, [0, 0, 1, 1]);
        // Single games alternate colours from round to round.
        let single = schedule(2, "-rounds 3 -games 1");
        let players: Vec<_> = (0..3).map(|n| single.game(n).players).collect();
        assert_eq!(players, [[0, 1], [1, 0], [0, 1]]);
        assert!(!single.paired());
    }

    /// Who has played fewer games is not behind for that.
    #[test]
    fn ranks_are_by_the_share_of_the_points() {
        let schedule = schedule(3, "-tournament gauntlet -rounds 1 -games 1");
        let mut standing = Standing::new(3, &schedule);
        // The first engine wins one of two games, the last its only one.
        for (number, winner) in [0, 2].into_iter().enumerate() {
            let planned = schedule.game(number);
            let white = 4 * u8::from(planned.players[0] == winner);
            standing.add(&schedule, &planned, GameResult::of_white(white), false);
        }
        assert_eq!(standing.ranking(), [2, 0, 1]);
    }

    /// The sums of pairs are those of their games, whichever of the two is counted first.
    #[test]
    fn pairs_add_up() {
        let schedule = schedule(2, "-rounds 2");
        let mut standing = Standing::new(2, &schedule);
        // The first engine gets 4 + 1 quarters in one pair, 3 + 3 in the other.
        let results = [(0, 4), (3, 1), (1, 3), (2, 3)];
        let complete: Vec<bool> = results
            .into_iter()
            .map(|(game, white)| {
                let result = GameResult::of_white(white);
                standing.add(&schedule, &schedule.game(game), result, false)
            })
            .collect();
        assert_eq!(complete, [false, false, true, true]);
        assert_eq!(standing.pairing(0).counts(), [0, 0, 0, 0, 0, 1, 1, 0, 0]);
        assert_eq!(standing.engine(1).counts(), [0, 0, 1, 1, 0, 0, 0, 0, 0]);
        assert_eq!(standing.against(0, 1), [0, 1, 0, 2, 1]);
        assert_eq!(points(standing.total(0)), 2.75);
        assert_eq!(points(standing.total(1)), 1.25);
        assert_eq!((games(standing.total(1)), standing.games()), (4, 4));
        assert_eq!(standing.ranking(), [0, 1]);
    }

    /// A pair with a repeated game does not count as a pair, but its games score points.
    #[test]
    fn repetitions_are_no_samples() {
        let paired = schedule(2, "-rounds 3");
        let mut standing = Standing::new(2, &paired);
        let repeated = [false, false, false, true, true, true];
        for (number, repeated) in repeated.into_iter().enumerate() {
            let result = GameResult::of_white(4);
            standing.add(&paired, &paired.game(number), result, repeated);
        }
        assert_eq!((standing.samples(), standing.left_out()), (1, 4));
        assert_eq!((standing.games(), points(standing.total(0))), (6, 3.0));
        let single = schedule(2, "-rounds 3 -games 1");
        let mut standing = Standing::new(2, &single);
        for (number, repeated) in [false, true, false].into_iter().enumerate() {
            let result = GameResult::of_white(2);
            assert_eq!(
                standing.add(&single, &single.game(number), result, repeated),
                !repeated
            );
        }
        assert_eq!((standing.samples(), standing.left_out()), (2, 1));
    }

    /// A game counts when its pair is whole, in every figure.
    #[test]
    fn half_a_pair_does_not_count() {
        let schedule = schedule(2, "-rounds 2");
        let mut standing = Standing::new(2, &schedule);
        let white_wins = GameResult::of_white(4);
        for (number, whole) in [(0, 0), (2, 0), (3, 2), (1, 4)] {
            standing.add(&schedule, &schedule.game(number), white_wins, false);
            assert_eq!(standing.games(), whole);
            assert_eq!(games(standing.total(0)), whole);
            assert_eq!(2 * standing.samples(), whole);
        }
        assert_eq!(standing.waiting(), 0);
        assert_eq!(standing.with_white(0, 1), [0, 0, 0, 0, 2]);
    }

    #[test]
    fn colours_that_are_not_swapped_or_all_reversed() {
        let whites = |words: &str| -> Vec<usize> {
            let schedule = schedule(2, &format!("-rounds 2 {words}"));
            (0..4).map(|n| schedule.game(n).players[0]).collect()
        };
        assert_eq!(whites(""), [0, 1, 0, 1]);
        assert_eq!(whites("-noswap"), [0, 0, 0, 0]);
        assert_eq!(whites("-reverse"), [1, 0, 1, 0]);
        assert_eq!(whites("-noswap -reverse"), [1, 1, 1, 1]);
    }

    /// Single games get both colours in turn, and the next round reverses them.
    #[test]
    fn colours_of_single_games() {
        let whites = |schedule: &Schedule, engines: usize, games: usize| {
            let mut balance = vec![0i32; engines];
            for number in 0..games {
                let [white, black] = schedule.game(number).players;
                balance[white] += 1;
                balance[black] -= 1;
            }
            balance
        };
        for engines in 2..=9 {
            let words = ["-games 1", "-games 3"];
            let robins = words.map(|w| schedule(engines, &format!("-rounds 2 {w}")));
            for schedule in &robins {
                let half = schedule.len() / 2;
                let once = whites(schedule, engines, half);
                assert!(once.iter().all(|n| n.abs() <= 1), "{engines}: {once:?}");
                let twice = whites(schedule, engines, schedule.len());
                assert!(twice.iter().all(|&n| n == 0), "{engines}: {twice:?}");
            }
            for seeds in 1..engines {
                let words = format!("-games 1 -rounds 1 -tournament gauntlet -seeds {seeds}");
                let gauntlet = schedule(engines, &words);
                let once = whites(&gauntlet, engines, gauntlet.len());
                assert!(
                    once.iter().all(|n| n.abs() <= 1),
                    "{engines}, {seeds}: {once:?}"
                );
            }
        }
    }
}
