//! Counting replies by what a move changed gives the same as counting each position afresh: in known positions and
//! in random arrangements, where checks, pins, captures of sliders, en passant and castling
//! are common.

use crate::common::{Rng, known_positions, thrown_position};
use hexmate_movegen::{BuiltIn, Position, Simd, for_each_game, perft_in};

const THROWN: usize = 1_000;

fn check<G: BuiltIn>(position: &Position<G>) {
    let moves = position.legal_moves();
    let replies = moves.iter().map(|&mv| {
        let mut next = *position;
        next.play(mv).unwrap();
        next.count_legal()
    });
    let expected: u64 = replies.sum();
    for simd in Simd::available() {
        assert_eq!(perft_in(simd, position, 2), expected, "{simd}: {position}");
    }
}

#[test]
fn replies_are_as_many_as_when_counted_one_by_one() {
    for_each_game!(G => {
        known_positions::<G>().iter().for_each(check);
        let mut rng = Rng(7);
        (0..THROWN).for_each(|_| check(&thrown_position::<G>(&mut rng)));
    });
}
