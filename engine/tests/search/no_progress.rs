//! Near the limit of the rule of no progress, with endgame tables: a win that can be forced in time is not
//! thrown away, nor a draw that the rule gives.

use std::collections::HashMap;
use std::path::Path;

use hexmate_engine::{Limits, Table, is_mate};
use hexmate_movegen::{
    Bits, BuiltIn, GameId, Glinski, Hexachess, Mccooey, Move, Outcome as End, PAWN, Position,
    Record, Setup, Unchecked, with_built_in,
};
use hexmate_tablebases::{Category, Random, Tablebases};

use crate::tables::{Tables, search, successors};

/// How many positions are looked at to decide whether another is one to try.
const LOOKS: u64 = 200_000;

/// Whether a side can force an end in time, by looking at all moves until the count begins anew: only then the
/// tables say what comes of it, and before that only what is no win at all, or is over in time by the shortest way.
struct Solver<'t> {
    tables: &'t Tablebases,
    /// What the end must be worth.
    least: Category,
    /// By key: within how many plies it can be forced, and within how many it cannot.
    known: HashMap<u64, [u16; 2]>,
}

impl<'t> Solver<'t> {
    fn new(tables: &'t Tablebases, least: Category) -> Self {
        let known = HashMap::new();
        Solver {
            tables,
            least,
            known,
        }
    }

    /// `attacks`: whether it is the side to move that wants the end.
    fn forces<G: BuiltIn>(&mut self, position: &Position<G>, attacks: bool) -> bool {
        self.decides(position, attacks, u64::MAX).unwrap()
    }

    /// `None`: not known after a look at so many positions.
    fn decides<G: BuiltIn>(
        &mut self,
        position: &Position<G>,
        attacks: bool,
        mut looks: u64,
    ) -> Option<bool> {
        let left = G::SPEC.no_progress_plies - position.halfmove_clock();
        for plies in 0..left {
            if self.within(position, attacks, plies, &mut looks)? {
                return Some(true);
            }
        }
        self.within(position, attacks, left, &mut looks)
    }

    /// Whether the end can be forced, or the count begun anew on the way to it, within so many plies.
    fn within<G: BuiltIn>(
        &mut self,
        position: &Position<G>,
        attacks: bool,
        plies: u16,
        looks: &mut u64,
    ) -> Option<bool> {
        let end = match position.outcome() {
            None => None,
            Some(End::Checkmate { .. }) => Some(Category::Loss),
            Some(End::Stalemate { .. }) if G::SPEC.stalemate_quarters < 2 => {
                Some(Category::Stalemated)
            }
            Some(_) => Some(Category::Draw),
        };
        let seen = |outcome: Category| {
            if attacks { outcome } else { outcome.reversed() }
        };
        if let Some(outcome) = end {
            return Some(seen(outcome) >= self.least);
        }
        *looks = looks.checked_sub(1)?;
        let key = position.key();
        let [forced, not_forced] = *self.known.get(&key).unwrap_or(&[u16::MAX, 0]);
        let is_known = plies >= forced || (1..=not_forced).contains(&plies);
        if is_known && position.halfmove_clock() > 0 {
            return Some(plies >= forced);
        }
        let value = self.tables.probe(position).unwrap();
        if seen(value.category) < self.least {
            return Some(false);
        }
        if value.plies <= plies {
            return Some(true);
        }
        if position.halfmove_clock() == 0 {
            assert!(value.plies <= G::SPEC.no_progress_plies, "{position}");
            return Some(true);
        }
        if plies == 0 {
            return Some(false);
        }
        // Moves that begin the count anew first, and on the last ply no others: a mate was seen above.
        let mut moves: Vec<Position<G>> = successors(position).collect();
        moves.sort_by_key(Position::halfmove_clock);
        let mut forces = !attacks;
        for next in moves {
            if attacks && plies == 1 && next.halfmove_clock() > 0 {
                break;
            }
            forces = self.within(&next, !attacks, plies - 1, looks)?;
            if forces == attacks {
                break;
            }
        }
        let known = self.known.entry(key).or_insert([u16::MAX, 0]);
        if forces {
            known[0] = known[0].min(plies);
        } else {
            known[1] = known[1].max(plies);
        }
        Some(forces)
    }
}

fn with_clock<G: BuiltIn>(position: &Position<G>, clock: u16) -> Position<G> {
    let mut setup = Setup::from(position);
    setup.halfmove = clock;
    setup.build().unwrap()
}

/// The defence that lasts longest and leaves the count alone.
fn defence<G: BuiltIn>(tables: &Tablebases, position: &Position<G>) -> Move {
    let moves = tables.moves(position).unwrap();
    let quiet = moves.iter().find(|(mv, _)| {
        let mut next = *position;
        next.play_unchecked(*mv);
        next.halfmove_clock() > 0
    });
    quiet.unwrap_or(&moves[0]).0
}

/// Plays a position out whose win can be forced in time, but is not certain by the plies that are left.
fn win<G: BuiltIn>(tables: &Tables, solver: &mut Solver<'_>, start: &Position<G>) {
    let mut engine = tables.engine::<G>();
    let memory = Table::new(1).unwrap();
    let mut game = Record::new(*start);
    let attacker = start.side_to_move();
    while game.outcome().is_none() {
        let position = *game.position();
        if position.side_to_move() == attacker {
            let mv = search(&mut engine, &memory, &game).best_move().unwrap();
            game.play(mv).unwrap();
            assert!(
                solver.forces(game.position(), false),
                "{} in {position}, from {start}",
                mv.text(G::GAME)
            );
        } else {
            game.play(defence(&tables.all, &position)).unwrap();
        }
    }
    let won = match game.outcome() {
        Some(End::Checkmate { winner }) => winner == attacker,
        Some(End::Stalemate { stalemated }) => {
            solver.least == Category::GivesStalemate && stalemated != attacker
        }
        _ => false,
    };
    assert!(won, "{start}: {:?}", game.outcome());
}

/// Holds a position that is lost but for the rule, against an attacker that follows the tables.
fn hold<G: BuiltIn>(tables: &Tables, solver: &mut Solver<'_>, start: &Position<G>) {
    let mut engine = tables.engine::<G>();
    let memory = Table::new(1).unwrap();
    let mut game = Record::new(*start);
    let defender = start.side_to_move();
    while game.outcome().is_none() {
        let position = *game.position();
        if position.side_to_move() == defender {
            let mv = search(&mut engine, &memory, &game).best_move().unwrap();
            game.play(mv).unwrap();
            assert!(
                !solver.forces(game.position(), true),
                "{} in {position}, from {start}",
                mv.text(G::GAME)
            );
        } else {
            game.play(tables.all.moves(&position).unwrap()[0].0)
                .unwrap();
        }
    }
}

/// Random positions of so many men, pawns among them, with a clock from `first` on: so many that are won in time,
/// and a fifth as many that are held in time. What takes longer to decide is left out. With four men nothing is to
/// be held: that would take a search through all plies that are left.
fn near_the_limit<G: BuiltIn>(tables: &mut Tables, men: usize, first: u16, count: usize) {
    let to_hold = if men < 4 { count / 5 } else { 0 };
    let limit = G::SPEC.no_progress_plies;
    let all = tables.all.clone();
    let [mut mates, mut ends] =
        [Category::Win, Category::GivesStalemate].map(|least| Solver::new(&all, least));
    let mut random = Random::new(14);
    let (mut won, mut held, mut stalemates) = (0, 0, 0);
    while won < count || held < to_hold {
        let (position, value) = tables.random::<G>(men, &mut random);
        let clock = first + random.below(usize::from(limit - first)) as u16;
        let position = with_clock(&position, clock);
        let pawns = position.kind(PAWN).any();
        if !pawns || value.category == Category::Draw || clock + value.plies <= limit {
            continue;
        }
        if value.category < Category::Draw {
            if held < to_hold && ends.decides(&position, false, LOOKS) == Some(false) {
                held += 1;
                hold(tables, &mut ends, &position);
            }
            continue;
        }
        if won == count {
            continue;
        }
        let stalemate = value.category == Category::GivesStalemate;
        let solver = if stalemate { &mut ends } else { &mut mates };
        if solver.decides(&position, true, LOOKS) == Some(true) {
            won += 1;
            stalemates += usize::from(stalemate);
            win(tables, solver, &position);
        }
    }
    println!(
        "{}: {won} won in time, {stalemates} of them by stalemate, and {held} held",
        G::SPEC.name
    );
}

/// `HEXMATE_WINS=1000` tries so many positions of each game that has tables with pawns.
#[test]
fn wins_near_the_limit_are_not_thrown_away() {
    let count = std::env::var("HEXMATE_WINS").ok();
    let count = count.map(|n| n.parse().expect("HEXMATE_WINS is a number"));
    fn try_out<G: BuiltIn>(count: usize) {
        let place = tempfile::TempDir::new().unwrap();
        near_the_limit::<G>(
            &mut Tables::built::<G>(place.path(), &["KPK"]),
            3,
            90,
            count,
        );
    }
    try_out::<Glinski>(count.unwrap_or(20));
    if let Some(count) = count {
        try_out::<Hexachess>(count);
        try_out::<Mccooey>(count);
    }
}

/// `hexmate tb build GAME KRPK --tb DIR` makes the tables of a folder `HEXMATE_TB`; all of four men that are there
/// are tried, `HEXMATE_WINS` positions of each game.
#[test]
#[ignore = "needs HEXMATE_TB"]
fn wins_of_four_men_near_the_limit_are_not_thrown_away() {
    let place = std::env::var("HEXMATE_TB").expect("HEXMATE_TB names a folder of tables");
    let place = Path::new(&place);
    let count = std::env::var("HEXMATE_WINS").map_or(100, |n| n.parse().expect("a number"));
    for &game in GameId::ALL {
        if place.join(game.to_string()).join("KRPK.hxtb").is_file() {
            with_built_in!(game, G => near_the_limit::<G>(&mut Tables::of::<G>(place), 4, 90, count));
        }
    }
}

#[test]
fn the_push_that_wins_is_found_on_the_last_plies() {
    let place = tempfile::TempDir::new().unwrap();
    let tables = Tables::built::<Glinski>(place.path(), &["KPK"]);
    let text = "1/1k1/5/7/9/11/11/6K4/11/2P8/11 w - - 98 80";
    let game = Record::new(text.parse::<Position<Glinski>>().unwrap());
    for multipv in [1, 2] {
        let limits = Limits {
            depth: Some(12),
            multipv,
            ..Limits::default()
        };
        let memory = Table::new(1).unwrap();
        let mut engine = tables.engine::<Glinski>();
        let report = engine.analyse(&memory, &game, limits, |_| {});
        let best = report.best_move().unwrap().text(Glinski);
        assert_eq!(best, "c2c4");
        assert!(is_mate(report.score()));
    }
}
