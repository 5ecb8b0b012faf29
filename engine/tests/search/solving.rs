//! The engine solves the mate problems: it says how long it takes, plays the key, and mates in time
//! whatever the reply.

use std::time::Instant;

use crate::oracle::{after, position};
use crate::problems::{Problem, problems};
use crate::solver::{Solver, is_checkmate};
use hexmate_engine::{Engine, Limits, Shown, Table};
use hexmate_movegen::{BuiltIn, GameId, Record, with_built_in};

/// What the engine may look at for a problem.
const NODES: u64 = 3_000_000;

/// What went wrong, if anything did.
fn find<G: BuiltIn>(problem: &Problem) -> Result<(), String> {
    let (begin, mut nodes) = (Instant::now(), 0);
    let table = Table::new(16).unwrap();
    let mut engine = Engine::<G>::default();
    let mut solver = Solver::default();
    let mut game = Record::new(position::<G>(problem.fen));
    for left in (1..=problem.moves).rev() {
        let limits = Limits {
            nodes: Some(NODES),
            mate: Some(left),
            ..Limits::default()
        };
        let report = engine.analyse(&table, &game, limits, |_| {});
        let (shown, expected) = (Shown::from(report.score()), Shown::Mate(left as i32));
        let best = report.best_move().unwrap();
        let text = best.text(G::GAME);
        let right = left < problem.moves || text == problem.key;
        if shown != expected || !right {
            let (depth, nodes) = (report.depth, report.nodes);
            let (id, now) = (G::ID, game.position());
            return Err(format!(
                "{id} {now}, {expected:?}: {shown:?} by {text} at depth {depth}, {nodes} nodes"
            ));
        }
        if left == problem.moves {
            nodes = report.nodes;
        }
        game.play(best).unwrap();
        // The reply that holds out longest.
        let now = *game.position();
        let replies = now.legal_moves().into_iter();
        let longest = replies.max_by_key(|&mv| {
            let next = after(&now, mv);
            (1..left).find(|&n| solver.mates(&next, n))
        });
        if let Some(reply) = longest {
            game.play(reply).unwrap();
        }
    }
    assert!(is_checkmate(game.position()), "{}: {game:?}", problem.fen);
    let (moves, time) = (problem.moves, begin.elapsed());
    println!(
        "{} mate in {moves}: {nodes} nodes, {time:?}: {}",
        G::ID,
        problem.fen
    );
    Ok(())
}

fn find_all(games: &[GameId]) {
    let all = problems();
    let of_games = all.iter().filter(|p| games.contains(&p.game));
    let failed: Vec<String> = of_games
        .filter_map(|p| with_built_in!(p.game, G => find::<G>(p)).err())
        .collect();
    assert!(
        failed.is_empty(),
        "{} not solved:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

#[test]
fn glinski_problems_are_solved() {
    find_all(&[GameId::Glinski]);
}

#[test]
fn mccooey_problems_are_solved() {
    find_all(&[GameId::Mccooey]);
}

#[test]
fn problems_of_the_other_games_are_solved() {
    find_all(&[GameId::Hexachess, GameId::Chromatic3, GameId::Chromatic4]);
}
