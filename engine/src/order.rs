//! Sorting. It is much code, so it is compiled once and not for each game.

use hexmate_movegen::Move;

use crate::score::Score;

/// Sorts moves by a key, the least first; moves with equal keys as moves compare.
pub(crate) fn sort_moves(moves: &mut [Move], key: &mut dyn FnMut(Move) -> Score) {
    // Keys may be evaluations, of which samples are taken: they come in an order that all backends have.
    moves.sort_unstable();
    moves.sort_by_cached_key(|&mv| key(mv));
}

/// The numbers below `count` by their keys, the least first; those with equal keys in their order.
pub(crate) fn in_order(count: usize, key: &mut dyn FnMut(usize) -> (bool, Score)) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    numbers.sort_by_cached_key(|&number| key(number));
    numbers
}
