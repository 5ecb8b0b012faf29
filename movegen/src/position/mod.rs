//! A position of a game, always valid, and how a move changes it.

use std::hash::{Hash, Hasher};

use crate::rules::spec::GameSpec;
use crate::rules::{EnPassant, KING, Kind, Move, Piece, Side, decode};
use crate::sets::{Bits, Cell};
use crate::tables::{Tabled, Tables};

mod attacked;
mod pieces;
mod placement;
mod setup;
mod state;

pub(crate) use attacked::{attacked_by, attackers, in_check};
pub(crate) use pieces::Pieces;
pub use placement::Placement;
pub use setup::{PositionError, Setup};
pub(crate) use state::State;

/// A valid position: it comes from a [`Setup`](crate::Setup), from text, or from legal moves.
///
/// It is a plain value: making a move on a copy and dropping the copy is how moves are taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position<G: Tabled> {
    pub(crate) pieces: Pieces<G>,
    pub(crate) state: State<G>,
}

/// By the key alone: positions that differ only in their clocks have the same hash.
impl<G: Tabled> Hash for Position<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.state.key);
    }
}

impl<G: Tabled> Position<G> {
    /// The game.
    #[inline(always)]
    pub fn game(&self) -> G {
        self.pieces.game
    }

    /// Everything precomputed from the rules.
    #[inline(always)]
    pub fn tables(&self) -> &'static Tables<G> {
        self.pieces.game.lookup()
    }

    /// The rules.
    #[inline(always)]
    pub fn spec(&self) -> &'static GameSpec {
        self.pieces.game.plan().rules
    }

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Side {
        self.pieces.side
    }

    /// The piece on a cell.
    ///
    /// # Panics
    /// If the number of the cell is beyond the bits of the board's word.
    #[inline(always)]
    pub fn piece_on(&self, cell: Cell) -> Option<Piece> {
        decode(self.state.cells.as_ref()[usize::from(cell)])
    }

    /// The cells of a kind, both sides together.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> G::Word {
        self.pieces.kinds.as_ref()[usize::from(kind)]
    }

    /// The cells of a side.
    #[inline(always)]
    pub fn side(&self, side: Side) -> G::Word {
        self.pieces.sides[side as usize]
    }

    /// The cells of one kind of one side.
    #[inline(always)]
    pub fn pieces(&self, kind: Kind, side: Side) -> G::Word {
        self.kind(kind) & self.side(side)
    }

    /// All occupied cells.
    #[inline(always)]
    pub fn occupied(&self) -> G::Word {
        self.pieces.sides[0] | self.pieces.sides[1]
    }

    /// The cell of a side's king.
    #[inline(always)]
    pub fn king(&self, side: Side) -> Cell {
        self.pieces(KING, side).first()
    }

    /// The pawn's first move of two or three steps that was just made, if a capture en passant is legal: where none is,
    /// the position is the same as one without that move.
    pub fn en_passant(&self) -> Option<EnPassant> {
        self.pieces.en_passant
    }

    /// The pieces that may still castle with their king.
    pub fn castling_rights(&self) -> G::Word {
        self.pieces.castling
    }

    /// The pawns that stand on a double-step cell of their side but have moved already.
    pub fn moved_pawns(&self) -> G::Word {
        self.pieces.moved
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.state.halfmove
    }

    /// The number of the full move, from 1.
    pub fn fullmove_number(&self) -> u16 {
        self.state.fullmove
    }

    /// The 64-bit Zobrist key: of the pieces, the side to move, the rights and the en passant cells.
    /// Equal positions in the sense of the repetition rule have equal keys.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state.key
    }

    /// The same key computed from scratch, to check the incremental one against.
    pub fn fresh_key(&self) -> u64 {
        let z = &self.tables().zobrist;
        let mut key = 0;
        for cell in self.occupied().cells() {
            if let Some(piece) = self.piece_on(cell) {
                key ^= z.piece(piece.kind, piece.side, cell);
            }
        }
        key ^= self.pieces.castling.cells().fold(0, |k, c| k ^ z.right(c));
        key ^= self.pieces.moved.cells().fold(0, |k, c| k ^ z.moved(c));
        if let Some(ep) = self.pieces.en_passant {
            key ^= z.en_passant(ep.crossed, ep.stands);
        }
        if self.pieces.side == Side::Black {
            key ^= z.black_to_move;
        }
        key
    }

    /// The part that a piece on a cell has in the key, which is the exclusive or of its parts.
    #[inline(always)]
    pub fn key_of(&self, piece: Piece, cell: Cell) -> u64 {
        (self.tables().zobrist).piece(piece.kind, piece.side, cell)
    }

    /// The key after a legal move, to prefetch a table entry before the move is made: right unless the move
    /// castles, captures en passant or makes it possible, or changes a right.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let z = &self.tables().zobrist;
        let mut key = self.key() ^ z.black_to_move;
        if let Some(ep) = self.pieces.en_passant {
            key ^= z.en_passant(ep.crossed, ep.stands);
        }
        if let Some(piece) = self.piece_on(mv.from) {
            let arrives = mv.promotion().unwrap_or(piece.kind);
            key ^= z.piece(piece.kind, piece.side, mv.from) ^ z.piece(arrives, piece.side, mv.to);
        }
        if let Some(victim) = self.piece_on(mv.to) {
            key ^= z.piece(victim.kind, victim.side, mv.to);
        }
        key
    }

    /// Makes a move that is known to be legal.
    #[inline(never)] // it is large
    pub(crate) fn play_here(&mut self, mv: Move) {
        let (mover, captured) = (self.piece_on(mv.from), self.piece_on(mv.to));
        self.pieces.play(&mut self.state, mv, mover, captured);
    }

    /// Passes the turn: the null move of search. Must not be made in check.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.pieces.pass(&mut self.state);
    }
}
