//! What the search asks of an evaluation.

use hexmate_movegen::{Game, Kind, Move, Position};

use crate::score::Score;

/// An evaluation of one game.
///
/// The value itself is read-only while a search runs and shared by its threads. What one thread remembers is
/// its [`State`](Evaluation::State): a cache of what it has met, or accumulators beside the stack of the
/// search. The search tells it of every move made and taken back on the way to a position that it may ask
/// about, so that an evaluation can update what it knows as late as it likes, or never.
pub(crate) trait Evaluation<G: Game>: Send + Sync {
    /// What one thread remembers.
    type State: Send;

    /// The state of a thread that has met nothing yet.
    fn new_state(&self) -> Self::State;

    /// A search begins at `root`: no move has been made. What was pushed before is void.
    #[inline(always)]
    fn reset(&self, _state: &mut Self::State, _root: &Position<G>) {}

    /// A move is made in the position `before`; `None` for a null move.
    #[inline(always)]
    fn push(&self, _state: &mut Self::State, _before: &Position<G>, _mv: Option<Move>) {}

    /// The last move pushed is taken back.
    #[inline(always)]
    fn pop(&self, _state: &mut Self::State) {}

    /// The position in centipawns from the side to move, where the expected score is
    /// 1 / (1 + 10^(-cp/400)). Never a mate. It is the position to which all moves pushed lead.
    fn static_eval(&self, state: &mut Self::State, position: &Position<G>) -> Score;

    /// The worth of a kind in centipawns, for exchanges and for ordering moves; the king has none.
    fn value(&self, kind: Kind) -> Score;

    /// Where the pieces of the side to move stand well: what orders quiet moves that no search has met. `None` if the
    /// evaluation cannot tell without a look at the board.
    #[inline]
    fn standing(&self, _position: &Position<G>) -> Option<Standing<'_>> {
        None
    }
}

/// Where the pieces of one side stand well, in one phase of the game.
#[derive(Clone, Copy)]
pub(crate) struct Standing<'a> {
    /// For each kind and cell, row by row, by how many centipawns the kind stands better there than on average. Rows have
    /// the size of the board's word.
    pub places: &'a [i16],
}

impl Standing<'_> {
    /// No place is better or worse by more.
    pub const MOST: i16 = 300;
}
