//! A position of a game, always valid, and how a move changes it.

use crate::bits::{Bits, Cell};
use crate::games::Game;
use crate::moves::Move;
use crate::piece::{EnPassant, KING, Kind, PAWN, Piece, Side};
use crate::spec::GameSpec;
use crate::tables::Tables;

/// A valid position: it can be had from a [`Setup`](crate::Setup), from text, or by legal moves.
///
/// It is a plain value: making a move on a copy and dropping the copy is how moves are taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position<G: Game> {
    pub(crate) kinds: G::PerKind,
    pub(crate) sides: [G::Bits; 2],
    /// For each cell 0, or a piece as [`encode`] has it.
    pub(crate) cells: <G::Bits as Bits>::Bytes,
    /// Pieces that may still castle with their king.
    pub(crate) castling: G::Bits,
    /// Pawns that stand on a double-step cell of their side but have moved.
    pub(crate) moved: G::Bits,
    pub(crate) key: u64,
    pub(crate) halfmove: u16,
    pub(crate) fullmove: u16,
    pub(crate) en_passant: Option<EnPassant>,
    pub(crate) side: Side,
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
        self.side
    }

    /// The piece on a cell.
    #[inline(always)]
    pub fn piece_on(&self, cell: Cell) -> Option<Piece> {
        decode(self.cells.as_ref()[usize::from(cell)])
    }

    /// The cells of a kind, both sides together.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> G::Bits {
        self.kinds.as_ref()[usize::from(kind)]
    }

    /// The cells of a side.
    #[inline(always)]
    pub fn side(&self, side: Side) -> G::Bits {
        self.sides[side as usize]
    }

    /// The cells of one kind of one side.
    #[inline(always)]
    pub fn pieces(&self, kind: Kind, side: Side) -> G::Bits {
        self.kind(kind) & self.side(side)
    }

    /// All occupied cells.
    #[inline(always)]
    pub fn occupied(&self) -> G::Bits {
        self.sides[0] | self.sides[1]
    }

    /// The cell of a side's king.
    #[inline(always)]
    pub fn king(&self, side: Side) -> Cell {
        self.pieces(KING, side).first()
    }

    /// The double step just made, if an enemy pawn attacks the crossed cell.
    pub fn en_passant(&self) -> Option<EnPassant> {
        self.en_passant
    }

    /// The pieces that may still castle with their king.
    pub fn castling_rights(&self) -> G::Bits {
        self.castling
    }

    /// The pawns that stand on a double-step cell of their side but have moved already.
    pub fn moved_pawns(&self) -> G::Bits {
        self.moved
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove
    }

    /// The number of the full move, from 1.
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove
    }

    /// The 64-bit Zobrist key: of the pieces, the side to move, the rights and the en passant cells.
    /// Equal positions in the sense of the repetition rule have equal keys.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
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
        key ^= self.castling.cells().fold(0, |k, c| k ^ z.right(c));
        key ^= self.moved.cells().fold(0, |k, c| k ^ z.moved(c));
        if let Some(ep) = self.en_passant {
            key ^= z.en_passant(ep.crossed, ep.stands);
        }
        if self.side == Side::Black {
            key ^= z.black_to_move;
        }
        key
    }

    /// The kind of the piece on a cell that is not empty.
    #[inline(always)]
    pub(crate) fn kind_on(&self, cell: Cell) -> Kind {
        (self.cells.as_ref()[usize::from(cell)] >> 1).wrapping_sub(1)
    }

    /// The pieces of `side` that attack `cell`.
    #[inline]
    pub fn attackers(&self, cell: Cell, side: Side) -> G::Bits {
        let by = self.side(side);
        G::tables().attackers(self.kinds.as_ref(), cell, self.occupied(), side, by)
    }

    /// The pieces of `side` that would attack `cell` if the occupied cells were these; pieces of cells
    /// that are no longer occupied count as well, so mask them out.
    #[inline]
    pub fn attackers_through(&self, cell: Cell, side: Side, occupied: G::Bits) -> G::Bits {
        let by = self.side(side);
        G::tables().attackers(self.kinds.as_ref(), cell, occupied, side, by)
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> G::Bits {
        self.attackers(self.king(self.side), self.side.other())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    #[inline(always)]
    fn lift<const KEY: bool>(&mut self, tables: &Tables<G>, piece: Piece, cell: Cell) {
        let bit = G::Bits::of(cell);
        self.kinds.as_mut()[usize::from(piece.kind)] ^= bit;
        self.sides[piece.side as usize] ^= bit;
        self.cells.as_mut()[usize::from(cell)] = 0;
        if KEY {
            self.key ^= tables.zobrist.piece(piece.kind, piece.side, cell);
        }
    }

    /// Moves a piece onto an empty cell.
    #[inline(always)]
    fn shift<const KEY: bool>(&mut self, tables: &Tables<G>, piece: Piece, from: Cell, to: Cell) {
        let bits = G::Bits::of(from) | G::Bits::of(to);
        self.kinds.as_mut()[usize::from(piece.kind)] ^= bits;
        self.sides[piece.side as usize] ^= bits;
        let cells = self.cells.as_mut();
        cells[usize::from(from)] = 0;
        cells[usize::from(to)] = encode(piece);
        if KEY {
            self.key ^= tables.zobrist.piece(piece.kind, piece.side, from)
                ^ tables.zobrist.piece(piece.kind, piece.side, to);
        }
    }

    #[inline(always)]
    pub(crate) fn put<const KEY: bool>(&mut self, tables: &Tables<G>, piece: Piece, cell: Cell) {
        let bit = G::Bits::of(cell);
        self.kinds.as_mut()[usize::from(piece.kind)] |= bit;
        self.sides[piece.side as usize] |= bit;
        self.cells.as_mut()[usize::from(cell)] = encode(piece);
        if KEY {
            self.key ^= tables.zobrist.piece(piece.kind, piece.side, cell);
        }
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
        let (mover, captured) = (self.piece_on(mv.from), self.piece_on(mv.to));
        self.play_as::<true>(mv, mover, captured);
    }

    /// The same without the key, for counting only, on a copy of `before`. The pieces are asked of
    /// that: in the copy they would have to wait for the copying.
    #[inline(always)]
    pub(crate) fn play_keyless(&mut self, before: &Self, mv: Move) {
        self.play_as::<false>(mv, before.piece_on(mv.from), before.piece_on(mv.to));
    }

    #[inline(always)]
    fn play_as<const KEY: bool>(
        &mut self,
        mv: Move,
        mover: Option<Piece>,
        captured: Option<Piece>,
    ) {
        let tables = G::tables();
        let us = self.side;
        let Some(piece) = mover else {
            debug_assert!(false, "no piece to move");
            return;
        };
        let passed = self.en_passant.take();
        if let Some(ep) = passed {
            self.key ^= tables.zobrist.en_passant(ep.crossed, ep.stands);
        }
        self.halfmove = self.halfmove.saturating_add(1);
        if let Some(victim) = captured {
            self.lift::<KEY>(tables, victim, mv.to);
            self.halfmove = 0;
        }
        self.shift::<KEY>(tables, piece, mv.from, mv.to);
        if let Some(kind) = mv.promotion() {
            self.lift::<KEY>(tables, piece, mv.to);
            self.put::<KEY>(tables, Piece { kind, side: us }, mv.to);
        }
        if G::SPEC.has_rights() {
            self.forget_rights(piece, mv);
        }
        if piece.kind == PAWN {
            self.halfmove = 0;
            self.play_pawn(mv, captured.is_some(), passed);
        } else if piece.kind == KING && G::SPEC.castling.is_some() {
            self.play_castling(mv);
        }
        self.fullmove = self.fullmove.saturating_add(us as u16);
        self.side = us.other();
        self.key ^= tables.zobrist.black_to_move;
    }

    /// Passes the turn: the null move of search. Must not be made in check.
    pub fn play_null(&mut self) {
        let zobrist = &G::tables().zobrist;
        if let Some(ep) = self.en_passant.take() {
            self.key ^= zobrist.en_passant(ep.crossed, ep.stands);
        }
        self.halfmove = self.halfmove.saturating_add(1);
        self.fullmove = self.fullmove.saturating_add(self.side as u16);
        self.side = self.side.other();
        self.key ^= zobrist.black_to_move;
    }

    /// Rights end when a piece moves or is captured; a pawn that stays on double-step cells is noted.
    fn forget_rights(&mut self, piece: Piece, mv: Move) {
        let tables = G::tables();
        let touched = G::Bits::of(mv.from) | G::Bits::of(mv.to);
        let mut lost = self.castling & touched;
        if piece.kind == KING {
            lost |= self.castling & self.sides[piece.side as usize];
        }
        for cell in lost.cells() {
            self.key ^= tables.zobrist.right(cell);
        }
        self.castling &= !lost;
        for cell in (self.moved & touched).cells() {
            self.key ^= tables.zobrist.moved(cell);
        }
        self.moved &= !touched;
        let remembers = G::SPEC.pawn.remembers_first_move && piece.kind == PAWN;
        if remembers && tables.pawns[piece.side as usize].double_cells.has(mv.to) {
            self.moved |= G::Bits::of(mv.to);
            self.key ^= tables.zobrist.moved(mv.to);
        }
    }

    fn play_pawn(&mut self, mv: Move, captured: bool, passed: Option<EnPassant>) {
        let tables = G::tables();
        let us = self.side;
        if tables.pawn_attacks(us, mv.from).has(mv.to) {
            if let (false, Some(ep)) = (captured, passed) {
                let victim = Piece {
                    kind: PAWN,
                    side: us.other(),
                };
                self.lift::<true>(tables, victim, ep.stands);
                if self.moved.has(ep.stands) {
                    self.moved ^= G::Bits::of(ep.stands);
                    self.key ^= tables.zobrist.moved(ep.stands);
                }
            }
            return;
        }
        for step in &tables.pawns[us as usize].steps {
            let crossed = step.source(mv.to);
            let doubled = crossed.is_some_and(|c| step.source(c) == Some(mv.from));
            if let (true, Some(crossed)) = (doubled, crossed) {
                self.set_en_passant(EnPassant {
                    crossed,
                    stands: mv.to,
                });
            }
        }
    }

    /// Notes a double step of the side to move, if an enemy pawn attacks the crossed cell.
    pub(crate) fn set_en_passant(&mut self, ep: EnPassant) {
        let tables = G::tables();
        let takers =
            tables.pawn_attacks(self.side, ep.crossed) & self.pieces(PAWN, self.side.other());
        if takers.any() {
            self.en_passant = Some(ep);
            self.key ^= tables.zobrist.en_passant(ep.crossed, ep.stands);
        }
    }

    fn play_castling(&mut self, mv: Move) {
        let Some((crossed, partner)) = self.castling_of(mv) else {
            return;
        };
        if let Some(piece) = self.piece_on(partner) {
            self.lift::<true>(G::tables(), piece, partner);
            self.put::<true>(G::tables(), piece, crossed);
        }
    }

    /// For a king's move of two cells along its row: the cell crossed and the partner's cell.
    fn castling_of(&self, mv: Move) -> Option<(Cell, Cell)> {
        let castling = G::tables().castling.as_ref()?;
        for next in &castling.directions {
            let Some(crossed) = next[usize::from(mv.from)] else {
                continue;
            };
            if next[usize::from(crossed)] != Some(mv.to) {
                continue;
            }
            let mut cell = mv.to;
            while let Some(beyond) = next[usize::from(cell)] {
                if self.piece_on(beyond).is_some() {
                    return Some((crossed, beyond));
                }
                cell = beyond;
            }
        }
        None
    }
}
