//! Perft: the number of move sequences of a given length.

use super::context::Context;
use super::count::Count;
use super::legal::{List, Wanted};
use crate::attacks::{Backend, Kernel, Simd, dispatch};
use crate::position::Position;
use crate::tables::Tabled;

/// Perft of one game and backend.
pub(crate) fn count<G: Tabled>(position: &Position<G>, simd: Simd, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => dispatch(simd, Perft(position, depth)),
    }
}

/// Perft of a depth of at least 1.
struct Perft<'p, G: Tabled>(&'p Position<G>, u32);

impl<G: Tabled> Kernel<G::Word> for Perft<'_, G> {
    type Output = u64;
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> u64 {
        let Perft(position, depth) = self;
        let all = Wanted::all(position.tables());
        // Dispatched again, so that the code is compiled for the backend, and compiled once.
        if depth <= 1 {
            return backend.dispatch(Count::wanted(position, all));
        }
        let mut moves = Vec::with_capacity(128);
        backend.dispatch(List(Context::from(position), all, &mut moves));
        if const { !<F as Backend<G::Word>>::LEAN } && depth == 2 {
            return backend.dispatch(Count::replies(position, &moves));
        }
        let mut nodes = 0;
        for mv in moves {
            let mut next = *position;
            next.play_here(mv);
            nodes += backend.dispatch(Perft(&next, depth - 1));
        }
        nodes
    }
}

/// Perft of a depth of at least 1, as on the oldest processors.
pub(crate) fn count_anywhere<G: Tabled>(position: &Position<G>, depth: u32) -> u64 {
    crate::attacks::dispatch_anywhere(Perft(position, depth))
}
