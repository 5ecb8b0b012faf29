//! What a position keeps beside its pieces.

use super::pieces::Changes;
use crate::rules::{EnPassant, Piece, Side, encode};
use crate::sets::{Bits, Cell};
use crate::tables::{Tabled, Tables};

/// A byte for each cell, the key and the clocks, updated with every change of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State<G: Tabled> {
    /// For each cell 0, or a piece encoded by [`encode`].
    pub cells: <G::Word as Bits>::Bytes,
    pub key: u64,
    pub halfmove: u16,
    pub fullmove: u16,
}

impl<G: Tabled> Changes<G> for State<G> {
    #[inline(always)]
    fn remove(&mut self, tables: &Tables<G>, piece: Piece, cell: Cell) {
        self.cells.as_mut()[usize::from(cell)] = 0;
        self.key ^= tables.zobrist.piece(piece.kind, piece.side, cell);
    }
    #[inline(always)]
    fn put(&mut self, tables: &Tables<G>, piece: Piece, cell: Cell) {
        self.cells.as_mut()[usize::from(cell)] = encode(piece);
        self.key ^= tables.zobrist.piece(piece.kind, piece.side, cell);
    }
    #[inline(always)]
    fn right(&mut self, tables: &Tables<G>, cell: Cell) {
        self.key ^= tables.zobrist.right(cell);
    }
    #[inline(always)]
    fn moved(&mut self, tables: &Tables<G>, cell: Cell) {
        self.key ^= tables.zobrist.moved(cell);
    }
    #[inline(always)]
    fn en_passant(&mut self, tables: &Tables<G>, ep: EnPassant) {
        self.key ^= tables.zobrist.en_passant(ep.crossed, ep.stands);
    }
    #[inline(always)]
    fn turn(&mut self, tables: &Tables<G>, us: Side, progress: bool) {
        self.halfmove = if progress {
            0
        } else {
            self.halfmove.saturating_add(1)
        };
        self.fullmove = self.fullmove.saturating_add(us as u16);
        self.key ^= tables.zobrist.black_to_move;
    }
}
