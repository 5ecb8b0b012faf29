//! Ends of games that the engine plays against itself.

use std::time::Instant;

use hexmate_engine::{Engine, Limits, Shown, Table};
use hexmate_movegen::{Bits, BuiltIn, KING, Position, Record, Setup};

use crate::Args;
use crate::problem::{Problem, Random};

/// The nodes of a move.
const NODES: u64 = 2_000;
/// The plies by chance before the engine plays.
const OPENING: usize = 14;
/// The plies after which a game is given up.
const LENGTH: usize = 300;

/// Plays a game until somebody mates in the number of moves wanted by one key only, and takes away what
/// the problem does not need.
pub fn compose<G: BuiltIn>(args: &Args, random: &mut Random, end: Instant) -> Option<Problem<G>> {
    let mut game = Record::new(Position::<G>::start());
    let (table, mut engine) = (Table::new(4).ok()?, Engine::<G>::default());
    while game.outcome().is_none() && game.moves().len() < LENGTH && Instant::now() < end {
        let moves = game.position().legal_moves();
        let mv = if game.moves().len() < OPENING {
            random.any(&moves)
        } else {
            let limits = Limits {
                nodes: Some(NODES + random.below(NODES as usize) as u64),
                ..Limits::default()
            };
            let report = engine.analyse(&table, &game, limits, |_| {});
            if Shown::from(report.score()) == Shown::Mate(args.moves as i32) {
                let mut setup = Setup::from(game.position());
                (setup.halfmove, setup.fullmove) = (0, 1);
                let position = setup.build().ok()?;
                let problem = Problem::new(position, args.moves);
                let wanted = |p: &Problem<G>| args.theme.is_none_or(|theme| p.shows(theme));
                if let Some(problem) = problem.filter(wanted) {
                    return Some(without_idlers(problem));
                }
            }
            report.best_move()?
        };
        game.play(mv).ok()?;
    }
    None
}

/// Takes pieces away as long as key and length stay.
fn without_idlers<G: BuiltIn>(mut problem: Problem<G>) -> Problem<G> {
    let kings = problem.position.kind(KING);
    for cell in (problem.position.occupied() & !kings).cells() {
        let mut setup = Setup::from(&problem.position);
        setup.set(cell, None);
        let less = setup
            .build()
            .ok()
            .and_then(|p| Problem::new(p, problem.moves));
        if let Some(less) = less.filter(|l| l.key == problem.key && l.merit() > problem.merit()) {
            problem = less;
        }
    }
    problem
}
