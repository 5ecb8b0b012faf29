//! The pieces on the board and what else the rules depend on, and how a move changes them.
//!
//! A [`Position`](super::Position) is this and a [`State`](super::State). What perft counts at its last ply
//! needs no state, so there a move is made on the pieces alone.

use crate::rules::{EnPassant, KING, Kind, Move, PAWN, Piece, Side};
use crate::sets::{Bits, Cell};
use crate::tables::{Tabled, Tables};

/// Everything that decides which moves are legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pieces<G: Tabled> {
    pub game: G,
    /// One set for each kind, both sides together.
    pub kinds: G::PerKind,
    pub sides: [G::Word; 2],
    /// Pieces that may still castle with their king.
    pub castling: G::Word,
    /// Pawns that stand on a double-step cell of their side but have moved.
    pub moved: G::Word,
    pub en_passant: Option<EnPassant>,
    pub side: Side,
}

/// Is told of every change of the pieces. `()` ignores them.
pub(crate) trait Changes<G: Tabled> {
    /// A piece leaves a cell.
    #[inline(always)]
    fn remove(&mut self, _: &Tables<G>, _: Piece, _: Cell) {}
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

impl<G: Tabled> Changes<G> for () {}

impl<G: Tabled> Pieces<G> {
    #[inline(always)]
    pub fn tables(&self) -> &'static Tables<G> {
        self.game.lookup()
    }

    /// The cells of a kind, both sides together.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> G::Word {
        self.kinds.as_ref()[usize::from(kind)]
    }

    #[inline(always)]
    pub fn side(&self, side: Side) -> G::Word {
        self.sides[side as usize]
    }

    #[inline(always)]
    pub fn pieces(&self, kind: Kind, side: Side) -> G::Word {
        self.kind(kind) & self.side(side)
    }

    #[inline(always)]
    pub fn occupied(&self) -> G::Word {
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
    fn remove(
        &mut self,
        tables: &Tables<G>,
        changes: &mut impl Changes<G>,
        piece: Piece,
        cell: Cell,
    ) {
        let bit = G::Word::of(cell);
        self.kinds.as_mut()[usize::from(piece.kind)] ^= bit;
        self.sides[piece.side as usize] ^= bit;
        changes.remove(tables, piece, cell);
    }

    #[inline(always)]
    pub fn put(
        &mut self,
        tables: &Tables<G>,
        changes: &mut impl Changes<G>,
        piece: Piece,
        cell: Cell,
    ) {
        let bit = G::Word::of(cell);
        self.kinds.as_mut()[usize::from(piece.kind)] |= bit;
        self.sides[piece.side as usize] |= bit;
        changes.put(tables, piece, cell);
    }

    /// Makes a legal move, with what stands on its two cells.
    #[inline(always)]
    pub fn play(
        &mut self,
        changes: &mut impl Changes<G>,
        mv: Move,
        mover: Option<Piece>,
        captured: Option<Piece>,
    ) {
        let tables = self.tables();
        let us = self.side;
        let Some(piece) = mover else {
            debug_assert!(false, "no piece to move");
            return;
        };
        let passed = self.forget_en_passant(changes);
        if let Some(victim) = captured {
            self.remove(tables, changes, victim, mv.to);
        }
        let bits = G::Word::of(mv.from) | G::Word::of(mv.to);
        self.kinds.as_mut()[usize::from(piece.kind)] ^= bits;
        self.sides[us as usize] ^= bits;
        changes.remove(tables, piece, mv.from);
        changes.put(tables, piece, mv.to);
        if let Some(kind) = mv.promotion() {
            self.remove(tables, changes, piece, mv.to);
            self.put(tables, changes, Piece { kind, side: us }, mv.to);
        }
        if tables.plan().rules.has_rights() {
            self.forget_rights(changes, piece, mv, bits);
        }
        if piece.kind == PAWN {
            self.play_pawn(changes, mv, captured.is_some(), passed);
        } else if piece.kind == KING && tables.plan().rules.castling.is_some() {
            self.play_castling(changes, mv);
        }
        self.side = us.other();
        changes.turn(tables, us, captured.is_some() || piece.kind == PAWN);
    }

    /// Takes back a move that was made on a copy of `before`.
    #[inline(always)]
    pub fn take_back(
        &mut self,
        before: &Self,
        mv: Move,
        mover: Option<Piece>,
        captured: Option<Piece>,
    ) {
        // The sets of a small board are a few vectors, copied sooner than the changed ones are found.
        let Some(piece) = mover.filter(|_| const { size_of::<Self>() > 512 }) else {
            *self = *before;
            return;
        };
        let castles = self.tables().plan().rules.castling.is_some();
        let changes_more = mv.promotion().is_some()
            || before.en_passant.is_some()
            || (castles && piece.kind == KING);
        if changes_more {
            self.kinds = before.kinds;
        } else {
            for kind in [piece.kind, captured.unwrap_or(piece).kind] {
                self.kinds.as_mut()[usize::from(kind)] = before.kind(kind);
            }
        }
        self.sides = before.sides;
        self.castling = before.castling;
        self.moved = before.moved;
        self.en_passant = before.en_passant;
        self.side = before.side;
        debug_assert!(self == before, "{mv:?}");
    }

    /// Passes the turn without a move.
    pub fn pass(&mut self, changes: &mut impl Changes<G>) {
        self.forget_en_passant(changes);
        changes.turn(self.tables(), self.side, false);
        self.side = self.side.other();
    }

    #[inline(always)]
    fn forget_en_passant(&mut self, changes: &mut impl Changes<G>) -> Option<EnPassant> {
        let passed = self.en_passant.take();
        if let Some(ep) = passed {
            changes.en_passant(self.tables(), ep);
        }
        passed
    }

    /// Rights end when a piece moves or is captured; a pawn that comes to another double-step cell is marked
    /// as moved.
    #[inline(always)]
    fn forget_rights(
        &mut self,
        changes: &mut impl Changes<G>,
        piece: Piece,
        mv: Move,
        cells: G::Word,
    ) {
        if ((self.castling | self.moved) & cells).any() {
            self.forget_rights_on(changes, cells);
        }
        let tables = self.tables();
        if piece.kind == KING {
            let lost = self.castling & self.sides[piece.side as usize];
            if lost.any() {
                self.forget_rights_on(changes, lost);
            }
        }
        let remembers = tables.plan().rules.pawn.remembers_first_move && piece.kind == PAWN;
        if remembers && tables.pawns[piece.side as usize].double_cells.has(mv.to) {
            self.moved |= G::Word::of(mv.to);
            changes.moved(tables, mv.to);
        }
    }

    fn forget_rights_on(&mut self, changes: &mut impl Changes<G>, cells: G::Word) {
        for cell in (self.castling & cells).cells() {
            changes.right(self.tables(), cell);
        }
        for cell in (self.moved & cells).cells() {
            changes.moved(self.tables(), cell);
        }
        self.castling &= !cells;
        self.moved &= !cells;
    }

    #[inline(always)]
    fn play_pawn(
        &mut self,
        changes: &mut impl Changes<G>,
        mv: Move,
        captured: bool,
        passed: Option<EnPassant>,
    ) {
        let tables = self.tables();
        let us = self.side;
        if captured {
            return;
        }
        if let Some(ep) = passed
            && ep.crosses(mv.to)
            && tables.pawn_attacks(us, mv.from).has(mv.to)
        {
            self.capture_en_passant(changes, ep);
            return;
        }
        let table = &tables.pawns[us as usize];
        // Mostly nothing is near: then the pawns, just written by halves, are not loaded as a whole, which would stall.
        let near = *G::Word::at(&table.captors, mv.from) & self.side(us.other());
        if near.any()
            && (near & self.kind(PAWN)).any()
            && G::Word::at(&table.doubles, mv.from).has(mv.to)
        {
            self.play_double_step(changes, mv);
        }
    }

    /// Takes the pawn off the board that has just made a double step.
    #[cold]
    fn capture_en_passant(&mut self, changes: &mut impl Changes<G>, ep: EnPassant) {
        let victim = Piece {
            kind: PAWN,
            side: self.side.other(),
        };
        self.remove(self.tables(), changes, victim, ep.stands);
        self.forget_rights_on(changes, G::Word::of(ep.stands));
    }

    fn play_double_step(&mut self, changes: &mut impl Changes<G>, mv: Move) {
        let table = &self.tables().pawns[self.side as usize];
        if let Some((crossed, crossed_last)) = table.crossed_between(mv.from, mv.to) {
            let stands = mv.to;
            let ep = EnPassant {
                crossed,
                crossed_last,
                stands,
            };
            self.set_en_passant(changes, ep);
        }
    }

    /// Records a double step that the side to move has made, if the enemy may capture that pawn en passant.
    pub fn set_en_passant(&mut self, changes: &mut impl Changes<G>, ep: EnPassant) {
        let them = self.side.other();
        let may_capture = ep.cells().any(|crossed| {
            let mut takers = self.en_passant_takers(crossed, them).cells();
            takers.any(|taker| self.is_en_passant_safe(ep, crossed, taker, them))
        });
        if may_capture {
            self.en_passant = Some(ep);
            changes.en_passant(self.tables(), ep);
        }
    }

    /// The pawns of a side that attack the cell that an enemy pawn crossed.
    #[inline(always)]
    pub fn en_passant_takers(&self, crossed: Cell, side: Side) -> G::Word {
        let table = &self.tables().pawns[side as usize];
        *G::Word::at(&table.attackers, crossed) & self.pieces(PAWN, side)
    }

    /// Whether the pawn of a side on `taker` may capture en passant, moving to `crossed`, without leaving its king
    /// in check. Two pawns leave their cells at once, so attacks on the king are computed afterwards.
    #[cold]
    pub fn is_en_passant_safe(
        &self,
        ep: EnPassant,
        crossed: Cell,
        taker: Cell,
        side: Side,
    ) -> bool {
        let tables = self.tables();
        let them = side.other();
        let king = self.pieces(KING, side).first();
        let taken = G::Word::of(ep.stands);
        let occupied = (self.occupied() ^ taken ^ G::Word::of(taker)) | G::Word::of(crossed);
        let by = self.side(them) ^ taken;
        let attackers = tables.attackers(self.kinds.as_ref(), king, occupied, them, by);
        !attackers.any()
    }

    fn play_castling(&mut self, changes: &mut impl Changes<G>, mv: Move) {
        let Some((target, partner)) = self.castling_of(mv) else {
            return;
        };
        if let Some(piece) = self.piece_on(partner) {
            let tables = self.tables();
            self.remove(tables, changes, piece, partner);
            self.put(tables, changes, piece, target);
        }
    }

    /// For a king's move that has been made: where the partner goes, and its cell, if it was castling.
    fn castling_of(&self, mv: Move) -> Option<(Cell, Cell)> {
        let castling = self.tables().castling.as_ref()?;
        // The king stands between already.
        let there = self.occupied() & !G::Word::of(mv.to);
        let mut ways = castling.ways[usize::from(mv.from)].iter();
        let way =
            ways.find(|w| w.target == mv.to && !(w.between & there).any() && there.has(w.partner))?;
        Some((way.partner_target, way.partner))
    }
}
