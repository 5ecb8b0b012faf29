//! A position of a game, always valid, and how a move changes it.

use crate::bits::{Bits, Cell};
use crate::form::Simd;
use crate::games::Game;
use crate::men::{Men, Notes};
use crate::moves::Move;
use crate::piece::{EnPassant, KING, Kind, Piece, Side};
use crate::spec::GameSpec;
use crate::tables::Tables;

/// A valid position: it can be had from a [`Setup`](crate::Setup), from text, or by legal moves.
///
/// It is a plain value: making a move on a copy and dropping the copy is how moves are taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position<G: Game> {
    pub(crate) men: Men<G>,
    pub(crate) log: Log<G>,
}

/// What a position knows beyond its men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Log<G: Game> {
    /// For each cell 0, or a piece as [`encode`] has it.
    pub cells: <G::Bits as Bits>::Bytes,
    pub key: u64,
    pub halfmove: u16,
    pub fullmove: u16,
}

impl<G: Game> Notes<G> for Log<G> {
    #[inline(always)]
    fn lift(&mut self, tables: &Tables<G>, piece: Piece, cell: Cell) {
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

/// A piece as the byte of its cell; 0 is an empty cell.
#[inline(always)]
pub(crate) const fn encode(piece: Piece) -> u8 {
    (piece.kind + 1) << 1 | piece.side as u8
}

#[inline(always)]
pub(crate) const fn decode(byte: u8) -> Option<Piece> {
    if byte == 0 {
        return None;
    }
    let side = if byte & 1 == 0 {
        Side::White
    } else {
        Side::Black
    };
    Some(Piece {
        kind: (byte >> 1) - 1,
        side,
    })
}

/// The kind of a piece that a byte encodes.
#[inline(always)]
pub(crate) const fn kind_of(byte: u8) -> Kind {
    (byte >> 1).wrapping_sub(1)
}

impl<G: Game> Position<G> {
    /// The first position of the game.
    pub fn start() -> Self {
        G::SPEC.start.parse().expect("the start position is valid")
    }

    /// The rules.
    pub fn spec(&self) -> &'static GameSpec {
        G::SPEC
    }

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Side {
        self.men.side
    }

    /// The piece on a cell.
    #[inline(always)]
    pub fn piece_on(&self, cell: Cell) -> Option<Piece> {
        decode(self.log.cells.as_ref()[usize::from(cell)])
    }

    /// The cells of a kind, both sides together.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> G::Bits {
        self.men.kinds.as_ref()[usize::from(kind)]
    }

    /// The cells of a side.
    #[inline(always)]
    pub fn side(&self, side: Side) -> G::Bits {
        self.men.sides[side as usize]
    }

    /// The cells of one kind of one side.
    #[inline(always)]
    pub fn pieces(&self, kind: Kind, side: Side) -> G::Bits {
        self.kind(kind) & self.side(side)
    }

    /// All occupied cells.
    #[inline(always)]
    pub fn occupied(&self) -> G::Bits {
        self.men.sides[0] | self.men.sides[1]
    }

    /// The cell of a side's king.
    #[inline(always)]
    pub fn king(&self, side: Side) -> Cell {
        self.pieces(KING, side).first()
    }

    /// The double step just made, if a capture en passant is legal: where none is, the position is the same
    /// as one without that double step.
    pub fn en_passant(&self) -> Option<EnPassant> {
        self.men.en_passant
    }

    /// The pieces that may still castle with their king.
    pub fn castling_rights(&self) -> G::Bits {
        self.men.castling
    }

    /// The pawns that stand on a double-step cell of their side but have moved already.
    pub fn moved_pawns(&self) -> G::Bits {
        self.men.moved
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.log.halfmove
    }

    /// The number of the full move, from 1.
    pub fn fullmove_number(&self) -> u16 {
        self.log.fullmove
    }

    /// The 64-bit Zobrist key: of the pieces, the side to move, the rights and the en passant cells.
    /// Equal positions in the sense of the repetition rule have equal keys.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.log.key
    }

    /// The same key from nothing, to check the incremental one by.
    pub fn fresh_key(&self) -> u64 {
        let z = &G::tables().zobrist;
        let mut key = 0;
        for cell in self.occupied().cells() {
            if let Some(piece) = self.piece_on(cell) {
                key ^= z.piece(piece.kind, piece.side, cell);
            }
        }
        key ^= self.men.castling.cells().fold(0, |k, c| k ^ z.right(c));
        key ^= self.men.moved.cells().fold(0, |k, c| k ^ z.moved(c));
        if let Some(ep) = self.men.en_passant {
            key ^= z.en_passant(ep.crossed, ep.stands);
        }
        if self.men.side == Side::Black {
            key ^= z.black_to_move;
        }
        key
    }

    /// The pieces of `side` that attack `cell`.
    #[inline]
    pub fn attackers(&self, cell: Cell, side: Side) -> G::Bits {
        self.attackers_through(cell, side, self.occupied())
    }

    /// The pieces of `side` that would attack `cell` if the occupied cells were these; pieces of cells
    /// that are no longer occupied count as well, so mask them out.
    #[inline]
    pub fn attackers_through(&self, cell: Cell, side: Side, occupied: G::Bits) -> G::Bits {
        self.attackers_in(Simd::chosen(), cell, side, occupied)
    }

    /// The same, computed in a certain form.
    #[inline]
    pub fn attackers_in(&self, simd: Simd, cell: Cell, side: Side, occupied: G::Bits) -> G::Bits {
        G::attackers(self, simd, cell, side, occupied)
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> G::Bits {
        self.attackers(self.king(self.men.side), self.men.side.other())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.in_check_in(Simd::chosen())
    }

    /// The same, computed in a certain form.
    #[inline]
    pub fn in_check_in(&self, simd: Simd) -> bool {
        G::in_check(self, simd)
    }

    /// The key after a legal move, for a look at a table before the move is made: right unless the move
    /// castles, captures en passant or makes it possible, or changes a right.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let z = &G::tables().zobrist;
        let mut key = self.key() ^ z.black_to_move;
        if let Some(ep) = self.men.en_passant {
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

    /// Makes a legal move.
    ///
    /// # Errors
    /// Gives the move back, and leaves the position as it was, if the move is not legal.
    pub fn play(&mut self, mv: Move) -> Result<(), Move> {
        if !self.is_legal(mv) {
            return Err(mv);
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Makes a move that is known to be legal; any other leaves a position that is not valid.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        G::play(self, mv);
    }

    /// The same, for what is compiled once.
    #[inline(always)]
    pub(crate) fn play_here(&mut self, mv: Move) {
        let (mover, captured) = (self.piece_on(mv.from), self.piece_on(mv.to));
        self.men.play(&mut self.log, mv, mover, captured);
    }

    /// Passes the turn: the null move of search. Must not be made in check.
    pub fn play_null(&mut self) {
        self.men.pass(&mut self.log);
    }
}
