//! Won endings are won: played out by the engine, with few nodes a move, against the best defence.

use crate::oracle::{after, to_nodes};
use crate::solver::Solver;
use crate::three_men::{Goal, ThreeMen, turned};
use hexmate_engine::{Engine, Table};
use hexmate_movegen::{BuiltIn, Glinski, Hexachess, Mccooey, Outcome, Position, Record, Side};

/// What the engine may look at for a move.
const NODES: u64 = 20_000;

/// As White has it, who has the piece in the table.
fn white<G: BuiltIn>(position: &Position<G>, winner: Side) -> Position<G> {
    match winner {
        Side::White => *position,
        Side::Black => turned(position),
    }
}

/// The engine mates from here, and keeps the win with every move.
fn play_out<G: BuiltIn>(solved: &ThreeMen<G>, start: &Position<G>) {
    let winner = start.side_to_move();
    let plies = |p: &Position<G>| solved.plies(&white(p, winner), Goal::Mate);
    let table = Table::new(4).unwrap();
    let mut engine = Engine::<G>::default();
    let mut game = Record::new(*start);
    while game.outcome().is_none() {
        let now = *game.position();
        let mv = if now.side_to_move() == winner {
            let report = engine.analyse(&table, &game, to_nodes(NODES), |_| {});
            let mv = report.best_move().unwrap();
            let (text, left) = (mv.text(G::GAME), plies(&after(&now, mv)));
            assert!(
                left.is_some(),
                "{text} throws the win away: {now}, {report:?}"
            );
            mv
        } else {
            let longest = now
                .legal_moves()
                .into_iter()
                .max_by_key(|&mv| plies(&after(&now, mv)));
            longest.expect("not mated yet")
        };
        game.play(mv).unwrap();
    }
    let (end, length) = (game.outcome(), game.moves().len());
    let ideal = plies(start).unwrap();
    println!(
        "{} {start}: {length} plies, {ideal} at best, {end:?}",
        G::ID
    );
    assert_eq!(
        end,
        Some(Outcome::Checkmate { winner }),
        "{start}, after {length} plies"
    );
}

/// From wins of so many plies against best defence, for both sides; the longest win is what it should be.
fn play_some<G: BuiltIn>(letter: u8, longest: u8, from: &[u8]) {
    let solved = ThreeMen::<G>::pawn().promoted_to(letter);
    assert_eq!(solved.longest(Goal::Mate), longest, "{}", G::ID);
    for &plies in from {
        let starts = solved.won(Goal::Mate, plies);
        assert!(!starts.is_empty(), "no win in {plies} plies");
        play_out(solved, &starts[starts.len() / 3]);
        play_out(solved, &turned(&starts[starts.len() * 2 / 3]));
    }
}

/// The queen mates in 9 moves at most, the figure of the literature.
#[test]
fn a_queen_mates() {
    play_some::<Glinski>(b'Q', 17, &[17, 9]);
}

/// The rook mates in 20 moves at most, the figure of the literature.
#[test]
fn a_rook_mates() {
    play_some::<Glinski>(b'R', 39, &[39, 25]);
}

/// The solver agrees with trying everything where that is quick, promotions and captures included.
fn agrees<G: BuiltIn>() {
    let solved = ThreeMen::<G>::pawn();
    let mut solver = Solver::default();
    for plies in [1, 3, 5] {
        let won = solved.won(Goal::Mate, plies);
        assert!(won.len() > 20, "{} of {plies} plies", won.len());
        for position in won.iter().step_by(1 + won.len() / 20) {
            for moves in 1..=2 {
                let mates = solver.mates(position, moves);
                let expected = plies < 2 * moves as u8;
                assert_eq!(mates, expected, "{moves} moves, {plies} plies: {position}");
            }
        }
    }
}

#[test]
fn solved_backwards_and_forwards_alike() {
    agrees::<Mccooey>();
    agrees::<Hexachess>();
}
