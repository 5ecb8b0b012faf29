//! Perft: the number of move sequences of a given length.

use super::context::Context;
use super::legal::{Count, List, Wanted};
use super::replies::Seen;
use crate::attacks::{Backend, Kernel, Simd, dispatch};
use crate::position::Position;
use crate::rules::Move;
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
            return u64::from(backend.dispatch(Count(&Context::from(position), all)));
        }
        let mut moves = Vec::with_capacity(128);
        backend.dispatch(List(Context::from(position), all, &mut moves));
        if const { !<F as Backend<G::Word>>::LEAN } && depth == 2 {
            return count_replies(backend, position, &moves);
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

/// The number of all replies to these moves. Not dispatched for each: in this loop the leaves are counted a tenth
/// faster.
#[inline(always)]
fn count_replies<G: Tabled, F: Backend<G::Word>>(
    backend: F,
    before: &Position<G>,
    moves: &[Move],
) -> u64 {
    let cells = &before.state.cells;
    let seen = Seen::new(backend, &Context::from(before));
    let mut replies = 0;
    for &mv in moves {
        // Made in place: copying what was just written byte by byte would stall on the stores.
        let mut pieces = before.pieces;
        let on = |cell| before.piece_on(cell);
        pieces.play(&mut (), mv, on(mv.from), on(mv.to));
        let (pieces, slides) = (&pieces, seen.after(&before.pieces, &pieces));
        replies += u64::from(Context { pieces, cells }.count(backend, slides));
    }
    replies
}

/// Perft of a depth of at least 1, as on the oldest processors.
#[cfg(test)]
pub(crate) fn count_anywhere<G: Tabled>(position: &Position<G>, depth: u32) -> u64 {
    crate::attacks::dispatch_anywhere(Perft(position, depth))
}
