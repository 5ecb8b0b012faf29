//! Legal moves by check masks and pins: no move is made to see whether it was legal, but for the
//! rare en passant capture.
//!
//! A line is a slider and the cells between it and the king. Without a piece between, the line is a
//! check: every move but the king's must end on the line or capture its slider. With exactly one own
//! piece between, that piece is pinned: it must stay on the line or capture the slider. On a board
//! with crooked paths one slider may have two lines to the king, and two lines may share cells; the
//! masks of all lines are intersected, which is right for each case.

use crate::bits::{Bits, Cell};
use crate::form::{Form, Lines, Movers};
use crate::games::Game;
use crate::legal::Wanted;
use crate::men::Men;
use crate::piece::{EnPassant, KING, PAWN, Piece, Side};
use crate::position::decode;
use crate::tables::{CastlingWay, PawnTable, SetStep, Tables};

/// Receives the moves of one position.
pub(crate) trait Sink<G: Game> {
    /// Moves along paths of the pieces on `movers` onto `to`.
    fn slides<F: Form<G::Bits>>(
        &mut self,
        scene: &Scene<'_, G>,
        movers: G::Bits,
        view: &View<'_, G, F>,
        to: G::Bits,
    );
    /// Leaps onto `to` of the pieces on `movers` but for the king.
    fn leapers(&mut self, scene: &Scene<'_, G>, t: &Tables<G>, movers: G::Bits, to: G::Bits);
    /// One move of the king.
    fn step(&mut self, from: Cell, to: Cell);
    /// Moves of one piece onto each cell of a set.
    fn leaps(&mut self, from: Cell, to: G::Bits);
    /// Pawn moves onto cells that are not for promotion; `from(to)` tells where each comes from.
    fn pawns(&mut self, to: G::Bits, from: impl Fn(Cell) -> Cell);
    /// Pawn moves onto promotion cells, one for each kind allowed there.
    fn promotions(&mut self, t: &Tables<G>, to: G::Bits, from: impl Fn(Cell) -> Cell);
}

/// What the generator looks at.
pub(crate) struct Scene<'p, G: Game> {
    pub men: &'p Men<G>,
    /// For each cell its piece; it need be right only where the side to move has its own. So perft may
    /// look at the bytes from before the last move.
    pub cells: &'p <G::Bits as Bits>::Bytes,
}

/// A position made ready for queries in one form.
pub(crate) struct View<'p, G: Game, F: Form<G::Bits>> {
    pub form: F,
    pub tables: &'static Tables<G>,
    pub occupied: F::Set,
    /// The enemy's sliders.
    sliders: F::Sliders<'p, G>,
}

impl<G: Game> Scene<'_, G> {
    /// The piece on a cell, if it is an own one.
    fn own_on(&self, cell: Cell) -> Option<Piece> {
        decode(self.cells.as_ref()[usize::from(cell)])
    }

    #[inline(always)]
    pub fn movers(&self, on: G::Bits) -> Movers<'_, G> {
        Movers {
            cells: self.cells.as_ref(),
            kinds: self.men.kinds.as_ref(),
            on,
        }
    }

    /// Where a pinned piece may go: the intersection of all lines that it alone blocks.
    #[cold]
    fn pin_mask(&self, king: Cell, pinned: Cell) -> G::Bits {
        let tables = G::tables();
        let occupied = self.men.occupied();
        let them = self.men.side(self.men.side.other());
        let only = G::Bits::of(pinned);
        let mut mask = tables.all;
        let kinds = self.men.kinds.as_ref();
        let sliders = Tables::<G>::by_class(kinds, them);
        tables.lines_to(king, sliders.as_ref(), |slider, between| {
            if between & occupied == only {
                mask &= between | G::Bits::of(slider);
            }
        });
        mask
    }

    #[inline(always)]
    pub fn generate<F: Form<G::Bits>, S: Sink<G>>(
        &self,
        form: F,
        wanted: Wanted<G::Bits>,
        sink: &mut S,
    ) {
        let tables = G::tables();
        let kinds = self.men.kinds.as_ref();
        let own = self.men.side(self.men.side);
        let them = self.men.side(self.men.side.other());
        let occupied = self.men.occupied();
        let king = (kinds[usize::from(KING)] & own).first();
        let view = View::<G, F> {
            form,
            tables,
            occupied: form.set(occupied),
            sliders: form.sliders(kinds, them),
        };
        // One look whether leapers are near enough to attack the king or a cell beside him: mostly not.
        let enemy = self.men.side.other();
        let around = (tables.leapers_around(kinds, king, enemy) & them).any();
        let leapers = if around {
            tables.leapers_at(kinds, king, enemy) & them
        } else {
            G::Bits::EMPTY
        };
        let Lines {
            mut allowed,
            pinned,
        } = form.lines(tables, king, view.occupied, form.set(own), &view.sliders);
        let in_check = allowed != tables.all || leapers.any();
        if leapers.any() {
            // A leap cannot be blocked: all that helps is to capture the one leaper.
            for checker in leapers.cells() {
                allowed &= G::Bits::of(checker);
            }
        }

        if wanted.from.has(king) {
            self.king_moves(&view, king, [in_check, around], wanted.to, sink);
        }
        if let Some(ep) = self.men.en_passant
            && (wanted.to.has(ep.crossed) || wanted.to.has(ep.stands))
        {
            self.en_passant_moves(ep, wanted.from, sink);
        }
        if in_check && !allowed.any() {
            return;
        }
        let to = allowed & wanted.to & !own;
        let free = own & wanted.from & !pinned;
        sink.slides(self, free, &view, to);
        sink.leapers(self, tables, free, to);
        self.pawn_moves(form, tables, kinds[usize::from(PAWN)] & free, to, sink);
        if pinned.any() {
            for from in (pinned & wanted.from).cells() {
                self.pinned_moves(&view, king, from, to, sink);
            }
        }
    }

    #[inline(always)]
    fn pinned_moves<F: Form<G::Bits>, S: Sink<G>>(
        &self,
        view: &View<'_, G, F>,
        king: Cell,
        from: Cell,
        to: G::Bits,
        sink: &mut S,
    ) {
        let to = to & self.pin_mask(king, from);
        let Some(piece) = self.own_on(from) else {
            debug_assert!(false, "a pinned piece is a piece");
            return;
        };
        if !to.any() {
            return;
        }
        if piece.kind == PAWN {
            self.pawn_moves(view.form, view.tables, G::Bits::of(from), to, sink);
        } else {
            sink.slides(self, G::Bits::of(from), view, to);
            sink.leaps(from, view.tables.leaps(piece.kind, from) & to);
        }
    }

    /// All moves of `pawns` onto `to`, en passant excepted.
    #[inline(always)]
    fn pawn_moves<F: Form<G::Bits>, S: Sink<G>>(
        &self,
        form: F,
        tables: &Tables<G>,
        pawns: G::Bits,
        to: G::Bits,
        sink: &mut S,
    ) {
        // The side is a constant below, so that every shift is one.
        match self.men.side {
            Side::White => self.pawn_moves_of::<F, S, true>(form, tables, pawns, to, sink),
            Side::Black => self.pawn_moves_of::<F, S, false>(form, tables, pawns, to, sink),
        }
    }

    #[inline(always)]
    fn pawn_moves_of<F: Form<G::Bits>, S: Sink<G>, const WHITE: bool>(
        &self,
        form: F,
        tables: &Tables<G>,
        pawns: G::Bits,
        to: G::Bits,
        sink: &mut S,
    ) {
        let table: &PawnTable<G::Bits> = &tables.pawns[usize::from(!WHITE)];
        let them = self.men.side(self.men.side.other());
        let empty = tables.all & !self.men.occupied();
        let moved = pawns & self.men.moved;
        let near = pawns & table.before_promotion;
        if near.any() {
            self.moves_near_promotion(tables, near, to, sink);
        }
        let pawns = pawns & !near;
        // Cut to lengths that are known, so that no bounds are checked below.
        let captures = &table.captures[..G::SPEC.pawn.captures.len()];
        unrolled!(G::SPEC.pawn.captures.len(), i => {
            let step = &captures[i];
            let taken = form.step::<G, WHITE, true, i>(step, pawns) & to & them;
            sink.pawns(taken, |cell| step.source_of(cell));
        });
        let steps = &table.steps[..G::SPEC.pawn.steps.len()];
        let crossed = &table.crossed[..G::SPEC.pawn.steps.len()];
        unrolled!(G::SPEC.pawn.steps.len(), i => {
            let step = &steps[i];
            let single = form.step::<G, WHITE, false, i>(step, pawns) & empty;
            sink.pawns(single & to, |cell| step.source_of(cell));
            let mut crossed = single & crossed[i];
            if G::SPEC.pawn.remembers_first_move && moved.any() {
                crossed &= !form.step::<G, WHITE, false, i>(step, moved);
            }
            let double = form.step::<G, WHITE, false, i>(step, crossed) & empty & to;
            sink.pawns(double, |cell| step.source_of(step.source_of(cell)));
        });
    }

    /// The moves of pawns that can reach promotion cells, double steps excepted.
    #[cold]
    fn moves_near_promotion<S: Sink<G>>(
        &self,
        tables: &Tables<G>,
        pawns: G::Bits,
        to: G::Bits,
        sink: &mut S,
    ) {
        let table = &tables.pawns[self.men.side as usize];
        let mut emit = |step: &SetStep<G::Bits>, onto: G::Bits| {
            let to = step.apply_parts(pawns) & onto & to;
            let from = |cell| step.source_of(cell);
            let promoting = to & table.promotion_cells;
            sink.pawns(to & !promoting, from);
            if promoting.any() {
                sink.promotions(tables, promoting, from);
            }
        };
        let them = self.men.side(self.men.side.other());
        table.captures.iter().for_each(|step| emit(step, them));
        let empty = tables.all & !self.men.occupied();
        table.steps.iter().for_each(|step| emit(step, empty));
    }

    #[inline(always)]
    fn king_moves<F: Form<G::Bits>, S: Sink<G>>(
        &self,
        view: &View<'_, G, F>,
        king: Cell,
        [in_check, around]: [bool; 2],
        to: G::Bits,
        sink: &mut S,
    ) {
        let tables = view.tables;
        let kinds = self.men.kinds.as_ref();
        let enemy = self.men.side.other();
        let (own, them) = (self.men.side(self.men.side), self.men.side(enemy));
        // Where no slider sees the king, none looks through him either.
        let without_king = if in_check {
            view.form.set(self.men.occupied() ^ G::Bits::of(king))
        } else {
            view.occupied
        };
        for cell in (tables.king_steps(king) & to & !own).cells() {
            // A piece captured on the cell does not attack it, by leap or by slide.
            if around && (tables.leapers_at(kinds, cell, enemy) & them).any() {
                continue;
            }
            if !view.form.seen(tables, cell, without_king, &view.sliders) {
                sink.step(king, cell);
            }
        }
        let partners = self.men.castling & own;
        if G::SPEC.castling.is_some() && partners.any() && !in_check {
            sink.leaps(king, self.castling_targets(king, partners) & to);
        }
    }

    /// Where the king may castle to with a partner among `partners`. He must not be in check.
    #[inline(always)]
    fn castling_targets(&self, king: Cell, partners: G::Bits) -> G::Bits {
        let mut targets = G::Bits::EMPTY;
        let Some(castling) = &G::tables().castling else {
            return targets;
        };
        for way in &castling.ways[usize::from(king)] {
            if partners.has(way.partner)
                && !(way.between & self.men.occupied()).any()
                && self.may_castle(king, way)
            {
                targets |= G::Bits::of(way.target);
            }
        }
        targets
    }

    /// Whether a king and a partner with nothing between them may castle.
    #[cold]
    fn may_castle(&self, king: Cell, way: &CastlingWay<G::Bits>) -> bool {
        let tables = G::tables();
        let &CastlingWay {
            partner,
            crossed,
            target,
            ..
        } = way;
        let Some(piece) = self.own_on(partner) else {
            return false;
        };
        let them = self.men.side.other();
        let attacked = |cell, occupied| {
            let by = self.men.side(them);
            tables
                .attackers(self.men.kinds.as_ref(), cell, occupied, them, by)
                .any()
        };
        let before = self.men.occupied();
        let moved = G::Bits::of(king) | G::Bits::of(partner) | G::Bits::of(crossed);
        // The partner leaves a cell, too: a crooked path through it may open.
        let after = (before ^ moved) | G::Bits::of(target);
        tables.stands_on[usize::from(piece.kind)].has(crossed)
            && !attacked(crossed, before)
            && !attacked(target, before)
            && !attacked(target, after)
    }

    /// En passant captures.
    #[cold]
    fn en_passant_moves<S: Sink<G>>(&self, ep: EnPassant, from: G::Bits, sink: &mut S) {
        let side = self.men.side;
        for taker in (self.men.en_passant_takers(ep, side) & from).cells() {
            if self.men.is_en_passant_safe(ep, taker, side) {
                sink.pawns(G::Bits::of(ep.crossed), |_| taker);
            }
        }
    }
}
