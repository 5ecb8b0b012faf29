//! Perft, as other crates call it.

use super::Compiled;
use crate::attacks::Simd;
use crate::moves::count_anywhere;
use crate::position::Position;
use crate::rules::Move;

/// The number of legal move sequences of `depth` plies; at the last ply moves are counted, not made.
pub fn perft<G: Compiled>(position: &Position<G>, depth: u32) -> u64 {
    perft_in(Simd::chosen(), position, depth)
}

/// The same, computed by a given backend.
pub fn perft_in<G: Compiled>(simd: Simd, position: &Position<G>, depth: u32) -> u64 {
    G::perft(position, simd, depth)
}

/// The same of a depth of at least 1, computed as on processors that have none of the instructions that the backends ask
/// for, whatever this one has: to test what the feature `old-processors` adds.
#[doc(hidden)]
pub fn perft_anywhere<G: Compiled>(position: &Position<G>, depth: u32) -> u64 {
    count_anywhere(position, depth)
}

/// Perft for each first move, in no particular order.
pub fn divide<G: Compiled>(position: &Position<G>, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let children = position.children();
    children
        .map(|(mv, next)| (mv, perft(&next, depth - 1)))
        .collect()
}
