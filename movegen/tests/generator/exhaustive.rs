//! `is_legal` for every triple (from, to, promotion), cells of the board or not: true for the moves of the list and
//! for nothing else.

use crate::common::{Rng, known_positions};
use hexmate_movegen::{BuiltIn, Kind, Move, Position, test_each_game};

const POSITIONS: usize = 120;

fn check<G: BuiltIn>(position: &Position<G>) {
    let kinds = G::SPEC.pieces.len() as Kind;
    // Kind 0 means no promotion; no game has a kind 255.
    for kind in (0..kinds).chain([Kind::MAX]) {
        let mut listed = vec![false; 1 << 16];
        for mv in position.legal_moves() {
            if mv.promotion().unwrap_or(0) == kind {
                listed[usize::from(mv.from) << 8 | usize::from(mv.to)] = true;
            }
        }
        for (index, &expected) in listed.iter().enumerate() {
            let mv = Move::promoting((index >> 8) as u8, index as u8, kind);
            assert_eq!(position.is_legal(mv), expected, "{mv:?} in {position}");
        }
    }
}

fn every_triple<G: BuiltIn>() {
    let mut rng = Rng(99);
    let mut positions = known_positions::<G>();
    let known = positions.len();
    while positions.len() < POSITIONS {
        let mut position = positions[rng.below(known)];
        for _ in 0..1 + rng.below(40) {
            match position.legal_moves().as_slice() {
                [] => break,
                moves => position.play(rng.pick(moves)).unwrap(),
            }
        }
        positions.push(position);
    }
    positions.iter().for_each(check);
}

test_each_game!(every_triple);
