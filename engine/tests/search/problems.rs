//! The set of mate problems: each has one key and no shorter way, by proof.

use std::collections::HashSet;
use std::time::Instant;

use crate::oracle::position;
use crate::solver::Solver;
use hexmate_movegen::{BuiltIn, GameId, Position, Side, with_built_in};

/// Composed by `engine/examples/compose`.
const SET: &str = include_str!("../data/mates.epd");

/// A line of the set: position, game, length and key, with `;` between them.
pub struct Problem {
    pub game: GameId,
    pub fen: &'static str,
    pub moves: u32,
    pub key: &'static str,
}

/// All of them.
pub fn problems() -> Vec<Problem> {
    let lines = SET.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    let problem = |line: &'static str| {
        let fields: Vec<_> = line.split(';').map(str::trim).collect();
        let &[fen, game, moves, key] = fields.as_slice() else {
            panic!("not four fields: {line}");
        };
        Problem {
            game: game.parse().unwrap(),
            fen,
            moves: moves.strip_prefix("mate ").unwrap().parse().unwrap(),
            key: key.strip_prefix("key ").unwrap(),
        }
    };
    lines.map(problem).collect()
}

/// Mates in as many moves as it says and by no other key, and not in fewer.
fn prove<G: BuiltIn>(problem: &Problem) {
    let position: Position<G> = position(problem.fen);
    let mut solver = Solver::default();
    assert!(
        !solver.mates(&position, problem.moves - 1),
        "{}: a shorter mate",
        problem.fen
    );
    let keys = solver.keys(&position, problem.moves);
    let keys: Vec<_> = keys.iter().map(|mv| mv.text(G::GAME)).collect();
    assert_eq!(keys, [problem.key], "{}", problem.fen);
}

fn prove_all(game: GameId) {
    let begin = Instant::now();
    let all: Vec<_> = problems().into_iter().filter(|p| p.game == game).collect();
    for problem in &all {
        with_built_in!(game, G => prove::<G>(problem));
    }
    println!("{game}: {} proven in {:?}", all.len(), begin.elapsed());
}

#[test]
fn glinski_problems_have_one_key() {
    prove_all(GameId::Glinski);
}

#[test]
fn mccooey_problems_have_one_key() {
    prove_all(GameId::Mccooey);
}

#[test]
fn problems_of_the_other_games_have_one_key() {
    prove_all(GameId::Hexachess);
    prove_all(GameId::Chromatic3);
    prove_all(GameId::Chromatic4);
}

/// The set is what it is meant to be: enough, varied in length and side to move, nothing twice.
#[test]
fn the_set_is_varied() {
    let all = problems();
    let count = |game, moves| {
        let of = all.iter().filter(|p| p.game == game && p.moves == moves);
        of.count()
    };
    for game in [GameId::Glinski, GameId::Mccooey] {
        assert!(count(game, 2) >= 6 && count(game, 3) >= 4, "{game}");
    }
    let fens: HashSet<_> = all.iter().map(|p| p.fen).collect();
    assert_eq!(fens.len(), all.len(), "a problem stands twice");
    for side in Side::BOTH {
        let letter = format!(" {} ", side.letter());
        let to_move = all.iter().filter(|p| p.fen.contains(&letter)).count();
        assert!(to_move >= all.len() / 4, "{side:?} mates in {to_move} only");
    }
}
