//! What the generator is given: pieces, and queries in one backend.

use crate::attacks::{Backend, Movers};
use crate::position::{Pieces, Position};
use crate::rules::{Piece, decode};
use crate::sets::Bits;
use crate::sets::Cell;
use crate::tables::{Tabled, Tables};

/// The position to generate moves for.
pub(crate) struct Context<'p, G: Tabled> {
    pub pieces: &'p Pieces<G>,
    /// For each cell its piece; only the cells of the side to move need be right. So perft can use the
    /// bytes from before the last move.
    pub cells: &'p <G::Word as Bits>::Bytes,
}

/// A position made ready for queries in one backend.
pub(crate) struct Queries<'p, G: Tabled, F: Backend<G::Word>> {
    pub backend: F,
    pub tables: &'static Tables<G>,
    pub occupied: F::Set,
    /// The enemy's sliders.
    pub sliders: F::Sliders<'p, G>,
}

impl<'p, G: Tabled> From<&'p Position<G>> for Context<'p, G> {
    #[inline(always)]
    fn from(position: &'p Position<G>) -> Self {
        Context {
            pieces: &position.pieces,
            cells: &position.state.cells,
        }
    }
}

impl<G: Tabled> Context<'_, G> {
    /// The piece on a cell of the side to move.
    pub fn own_on(&self, cell: Cell) -> Option<Piece> {
        decode(self.cells.as_ref()[usize::from(cell)])
    }

    #[inline(always)]
    pub fn movers(&self, on: G::Word) -> Movers<'_, G> {
        Movers {
            cells: self.cells.as_ref(),
            kinds: self.pieces.kinds.as_ref(),
            on,
        }
    }
}
