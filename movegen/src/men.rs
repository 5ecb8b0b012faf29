//! The men on the board and what else the rules ask of a position, and how a move changes it.
//!
//! A [`Position`](crate::Position) is this and [`Notes`]. What perft counts at its last ply needs no
//! notes, so there a move is made on the men alone.

use crate::bits::{Bits, Cell};
use crate::games::Game;
use crate::moves::Move;
use crate::piece::{EnPassant, KING, Kind, PAWN, Piece, Side};
use crate::tables::Tables;

/// Everything that decides which moves are legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Men<G: Game> {
    /// One set for each kind, both sides together.
    pub kinds: G::PerKind,
    pub sides: [G::Bits; 2],
    /// Pieces that may still castle with their king.
    pub castling: G::Bits,
    /// Pawns that stand on a double-step cell of their side but have moved.
    pub moved: G::Bits,
    pub en_passant: Option<EnPassant>,
    pub side: Side,
}

/// What is noted beside the men: told of every change. `()` notes nothing.
pub(crate) trait Notes<G: Game> {
    /// A piece leaves a cell.
    #[inline(always)]
    fn lift(&mut self, _: &Tables<G>, _: Piece, _: Cell) {}
    /// A piece enters an empty cell.
    #[inline(always)]
    fn put(&mut self, _: &Tables<G>, _: Piece, _: Cell) {}
    /// A right to castle begins or ends.
    #[inline(always)]
    fn right(&mut self, _: &Tables<G>, _: Cell) {}
    /// A pawn begins or ceases to count as moved.
    #[inline(always)]
    fn moved(&mut self, _: &Tables<G>, _: Cell) {}
    /// A chance to capture en passant begins or ends.
    #[inline(always)]
    fn en_passant(&mut self, _: &Tables<G>, _: EnPassant) {}
    /// The turn passes from `us`; `progress` tells of a capture or a pawn move.
    #[inline(always)]
    fn turn(&mut self, _: &Tables<G>, _us: Side, _progress: bool) {}
}

impl<G: Game> Notes<G> for () {}

impl<G: Game> Men<G> {
    /// The cells of a kind, both sides together.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> G::Bits {
        self.kinds.as_ref()[usize::from(kind)]
    }

    #[inline(always)]
    pub fn side(&self, side: Side) -> G::Bits {
        self.sides[side as usize]
    }

    #[inline(always)]
    pub fn pieces(&self, kind: Kind, side: Side) -> G::Bits {
        self.kind(kind) & self.side(side)
    }

    #[inline(always)]
    pub fn occupied(&self) -> G::Bits {
        self.sides[0] | self.sides[1]
    }

    /// The piece on a cell, found in the sets: slower than from a board of bytes.
    fn piece_on(&self, cell: Cell) -> Option<Piece> {
        let side = Side::BOTH.into_iter().find(|&s| self.side(s).has(cell))?;
        let kind = self.kinds.as_ref().iter().position(|k| k.has(cell))?;
        Some(Piece {
            kind: kind as Kind,
            side,
        })
    }

    #[inline(always)]
    fn lift(&mut self, tables: &Tables<G>, notes: &mut impl Notes<G>, piece: Piece, cell: Cell) {
        let bit = G::Bits::of(cell);
        self.kinds.as_mut()[usize::from(piece.kind)] ^= bit;
        self.sides[piece.side as usize] ^= bit;
        notes.lift(tables, piece, cell);
    }

    #[inline(always)]
    pub fn put(&mut self, tables: &Tables<G>, notes: &mut impl Notes<G>, piece: Piece, cell: Cell) {
        let bit = G::Bits::of(cell);
        self.kinds.as_mut()[usize::from(piece.kind)] |= bit;
        self.sides[piece.side as usize] |= bit;
        notes.put(tables, piece, cell);
    }

    /// Makes a legal move, with what stands on its two cells.
    #[inline(always)]
    pub fn play(
        &mut self,
        notes: &mut impl Notes<G>,
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
        let passed = self.forget_en_passant(notes);
        if let Some(victim) = captured {
            self.lift(tables, notes, victim, mv.to);
        }
        let bits = G::Bits::of(mv.from) | G::Bits::of(mv.to);
        self.kinds.as_mut()[usize::from(piece.kind)] ^= bits;
        self.sides[us as usize] ^= bits;
        notes.lift(tables, piece, mv.from);
        notes.put(tables, piece, mv.to);
        if let Some(kind) = mv.promotion() {
            self.lift(tables, notes, piece, mv.to);
            self.put(tables, notes, Piece { kind, side: us }, mv.to);
        }
        if G::SPEC.has_rights() {
            self.forget_rights(notes, piece, mv, bits);
        }
        if piece.kind == PAWN {
            self.play_pawn(notes, mv, captured.is_some(), passed);
        } else if piece.kind == KING && G::SPEC.castling.is_some() {
            self.play_castling(notes, mv);
        }
        self.side = us.other();
        notes.turn(tables, us, captured.is_some() || piece.kind == PAWN);
    }

    /// Passes the turn without a move.
    pub fn pass(&mut self, notes: &mut impl Notes<G>) {
        self.forget_en_passant(notes);
        notes.turn(G::tables(), self.side, false);
        self.side = self.side.other();
    }

    #[inline(always)]
    fn forget_en_passant(&mut self, notes: &mut impl Notes<G>) -> Option<EnPassant> {
        let passed = self.en_passant.take();
        if let Some(ep) = passed {
            notes.en_passant(G::tables(), ep);
        }
        passed
    }

    /// Rights end when a piece moves or is captured; a pawn that stays on double-step cells is noted.
    #[inline(always)]
    fn forget_rights(&mut self, notes: &mut impl Notes<G>, piece: Piece, mv: Move, cells: G::Bits) {
        if ((self.castling | self.moved) & cells).any() {
            self.forget_rights_on(notes, cells);
        }
        let tables = G::tables();
        if piece.kind == KING {
            let lost = self.castling & self.sides[piece.side as usize];
            if lost.any() {
                self.forget_rights_on(notes, lost);
            }
        }
        let remembers = G::SPEC.pawn.remembers_first_move && piece.kind == PAWN;
        if remembers && tables.pawns[piece.side as usize].double_cells.has(mv.to) {
            self.moved |= G::Bits::of(mv.to);
            notes.moved(tables, mv.to);
        }
    }

    fn forget_rights_on(&mut self, notes: &mut impl Notes<G>, cells: G::Bits) {
        for cell in (self.castling & cells).cells() {
            notes.right(G::tables(), cell);
        }
        for cell in (self.moved & cells).cells() {
            notes.moved(G::tables(), cell);
        }
        self.castling &= !cells;
        self.moved &= !cells;
    }

    #[inline(always)]
    fn play_pawn(
        &mut self,
        notes: &mut impl Notes<G>,
        mv: Move,
        captured: bool,
        passed: Option<EnPassant>,
    ) {
        let tables = G::tables();
        let us = self.side;
        if captured {
            return;
        }
        if let Some(ep) = passed
            && ep.crossed == mv.to
            && tables.pawn_attacks(us, mv.from).has(mv.to)
        {
            self.capture_en_passant(notes, ep);
        } else if G::Bits::at(&tables.pawns[us as usize].doubles, mv.from).has(mv.to) {
            self.play_double_step(notes, mv);
        }
    }

    /// Takes the pawn off the board that has just made a double step.
    #[cold]
    fn capture_en_passant(&mut self, notes: &mut impl Notes<G>, ep: EnPassant) {
        let victim = Piece {
            kind: PAWN,
            side: self.side.other(),
        };
        self.lift(G::tables(), notes, victim, ep.stands);
        self.forget_rights_on(notes, G::Bits::of(ep.stands));
    }

    fn play_double_step(&mut self, notes: &mut impl Notes<G>, mv: Move) {
        let mut steps = G::tables().pawns[self.side as usize].steps.iter();
        let crossed = steps.find_map(|step| {
            let crossed = step.source(mv.to)?;
            (step.source(crossed) == Some(mv.from)).then_some(crossed)
        });
        if let Some(crossed) = crossed {
            let stands = mv.to;
            self.set_en_passant(notes, EnPassant { crossed, stands });
        }
    }

    /// Notes a double step that the side to move has made, if the enemy may capture that pawn en passant.
    pub fn set_en_passant(&mut self, notes: &mut impl Notes<G>, ep: EnPassant) {
        let them = self.side.other();
        let mut takers = self.en_passant_takers(ep, them).cells();
        // Mostly no pawn is near, and the costly question is never asked.
        if takers.any(|taker| self.is_en_passant_safe(ep, taker, them)) {
            self.en_passant = Some(ep);
            notes.en_passant(G::tables(), ep);
        }
    }

    /// The pawns of a side that attack the cell that an enemy pawn crossed.
    #[inline(always)]
    pub fn en_passant_takers(&self, ep: EnPassant, side: Side) -> G::Bits {
        G::tables().pawn_attacks(side.other(), ep.crossed) & self.pieces(PAWN, side)
    }

    /// Whether the pawn of a side on `taker` may capture en passant for all its king has to fear. Two pawns
    /// leave their cells at once, so the king is looked at afterwards.
    #[cold]
    pub fn is_en_passant_safe(&self, ep: EnPassant, taker: Cell, side: Side) -> bool {
        let tables = G::tables();
        let them = side.other();
        let king = self.pieces(KING, side).first();
        let taken = G::Bits::of(ep.stands);
        let occupied = (self.occupied() ^ taken ^ G::Bits::of(taker)) | G::Bits::of(ep.crossed);
        let by = self.side(them) ^ taken;
        let attackers = tables.attackers(self.kinds.as_ref(), king, occupied, them, by);
        !attackers.any()
    }

    fn play_castling(&mut self, notes: &mut impl Notes<G>, mv: Move) {
        let Some((crossed, partner)) = self.castling_of(mv) else {
            return;
        };
        if let Some(piece) = self.piece_on(partner) {
            self.lift(G::tables(), notes, piece, partner);
            self.put(G::tables(), notes, piece, crossed);
        }
    }

    /// For a king's move that has been made: the cell crossed and the partner's cell, if he castled.
    fn castling_of(&self, mv: Move) -> Option<(Cell, Cell)> {
        let castling = G::tables().castling.as_ref()?;
        // The king himself stands between already.
        let there = self.occupied() & !G::Bits::of(mv.to);
        let mut ways = castling.ways[usize::from(mv.from)].iter();
        let way =
            ways.find(|w| w.target == mv.to && !(w.between & there).any() && there.has(w.partner))?;
        Some((way.crossed, way.partner))
    }
}
