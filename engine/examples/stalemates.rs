//! Looks for positions of king and one piece against king in which it matters what a stalemate is worth,
//! for the test set `engine/tests/data/stalemates.epd`. Everything is solved backwards, to the end.
//!
//! ```text
//! cargo run --profile tune -p hexmate-engine --features measure --example stalemates -- 20 7
//! ```
//! prints 20 positions of each sort; another seed than 7 finds others.

#[path = "../tests/search/three_men.rs"]
#[allow(dead_code)] // the tests ask more of it
mod three_men;

use hexmate_movegen::{
    BuiltIn, Game, Glinski, Hexachess, KING, Mccooey, Move, Outcome, PAWN, Piece, Position, Setup,
    Side, Unchecked,
};
use three_men::{Goal, ThreeMen};

/// The longest way to what a position is worth, in plies.
const NEAR: u8 = 6;

fn after<G: BuiltIn>(position: &Position<G>, mv: Move) -> Position<G> {
    let mut next = *position;
    next.play_unchecked(mv);
    next
}

fn stalemates<G: BuiltIn>(position: &Position<G>, mv: Move) -> bool {
    matches!(
        after(position, mv).outcome(),
        Some(Outcome::Stalemate { .. })
    )
}

/// What a position is an example of, by the value of its moves for White in quarters.
fn sort<G: BuiltIn>(solved: &ThreeMen<G>, position: &Position<G>) -> Option<&'static str> {
    let moves = position.legal_moves();
    let values: Vec<u8> = moves
        .iter()
        .map(|&mv| solved.quarters(&after(position, mv)))
        .collect();
    let near = |goal| {
        solved
            .plies(position, goal)
            .is_some_and(|p| p <= NEAR && p > 1)
    };
    let at_once = moves.iter().any(|&mv| stalemates(position, mv));
    let white = position.side_to_move() == Side::White;
    let worse = |than: u8| {
        values
            .iter()
            .filter(|&&v| if white { v < than } else { v > than })
            .count()
    };
    match solved.quarters(position) {
        4 if white && near(Goal::Mate) && at_once => Some("win"),
        3 if white && (near(Goal::Stalemate) || at_once) && 2 * worse(3) >= values.len() => {
            Some("give")
        }
        3 if !white && near(Goal::Stalemate) && worse(3) > 0 => Some("save"),
        2 if !white && values.len() > 1 && worse(2) > 0 => Some("draw"),
        2 if white && worse(2) > 0 => Some("draw"),
        1 if !white && near(Goal::StalemateByBlack) && worse(1) > 0 => Some("give"),
        _ => None,
    }
}

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|a| a.parse::<u64>().expect("a number"));
    let (wanted, mut seed) = (
        numbers.next().unwrap_or(10),
        numbers.next().unwrap_or(1).max(1),
    );
    let mut below = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 20) as usize % n
    };
    let glinski = ThreeMen::<Glinski>::pawn();
    let hexachess = ThreeMen::<Hexachess>::pawn();
    let mccooey = ThreeMen::<Mccooey>::pawn();
    let cells = Glinski.tables().board.cells();
    let mut found = std::collections::HashMap::<(&str, u8, Side), u64>::new();
    for _ in 0..50_000_000 {
        let mut setup = Setup::<Glinski>::default();
        setup.side = Side::BOTH[below(2)];
        let kind = Glinski::SPEC
            .kind_of_letter(b"QRBNPPPP"[below(8)])
            .unwrap_or(PAWN);
        for (kind, side) in [
            (KING, Side::White),
            (KING, Side::Black),
            (kind, Side::White),
        ] {
            setup.set(cells[below(cells.len())], Some(Piece { kind, side }));
        }
        let Ok(position) = setup.build() else {
            continue;
        };
        if position.outcome().is_some() {
            continue;
        }
        let Some(sort) = sort(glinski, &position) else {
            continue;
        };
        let count = found.entry((sort, kind, setup.side)).or_default();
        if *count >= wanted {
            continue;
        }
        *count += 1;
        // A pawn may give check in one game and not in the other.
        let fen = position.to_string();
        let (Ok(in_hexachess), Ok(in_mccooey)) = (fen.parse(), fen.parse()) else {
            continue;
        };
        let here = glinski.quarters(&position);
        let (there, other) = (
            hexachess.quarters(&in_hexachess),
            mccooey.quarters(&in_mccooey),
        );
        println!("{fen} ; {sort} ; glinski {here} ; hexachess {there} ; mccooey {other}");
    }
}
