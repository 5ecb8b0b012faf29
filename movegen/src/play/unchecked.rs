//! Moves made without a look at them, for searches.

use super::Compiled;
use super::compiled::Trusted;
use crate::position::Position;
use crate::rules::Move;

/// What trusts its caller, for code that makes millions of moves that it knows to be legal. With the feature
/// `unchecked` only: without it, no function leaves a position that is not valid.
///
/// Most callers need none of this: [`Position::children`] gives every legal move with the position after it, and
/// [`Position::play`] looks before it moves.
///
/// ```
/// use hexmate_movegen::{Glinski, Position, Unchecked};
///
/// let start = Position::<Glinski>::start();
/// let moves = start.legal_moves();
/// let mut next = start;
/// next.play_unchecked(moves[0]);
/// assert_eq!(next.fresh_key(), next.key());
/// ```
pub trait Unchecked {
    /// Makes a move that is known to be legal. Any other leaves a position that is not valid, or panics.
    fn play_unchecked(&mut self, mv: Move);

    /// Makes the null move: passes the turn of a side that is known not to be in check. In check it leaves a position
    /// that is not valid.
    fn play_null_unchecked(&mut self);
}

impl<G: Compiled> Unchecked for Position<G> {
    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        G::play(self, mv, Trusted::BY_FEATURE);
    }

    #[inline]
    fn play_null_unchecked(&mut self) {
        self.pass();
    }
}
