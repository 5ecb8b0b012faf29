//! Legal moves by check masks and pins: no move is made to test its legality, except the rare en passant
//! capture.
//!
//! A line is a slider and the cells between it and the king. Without a piece between, the line is a
//! check: every move but the king's must end on the line or capture its slider. With exactly one own
//! piece between, that piece is pinned: it must stay on the line or capture the slider. On a board
//! with crooked paths one slider may have two lines to the king, and two lines may share cells; the
//! masks of all lines are intersected, which is right for each case.

use super::context::{Context, Queries};
use super::legal::Wanted;
use crate::attacks::{Backend, Lines};
use crate::rules::{EnPassant, KING, PAWN, Side};
use crate::sets::{Bits, Cell};
use crate::tables::{CastlingWay, PawnTable, SetStep, Tabled, Tables};

/// Receives the moves of one position: a list collects them, a counter counts them.
pub(crate) trait Visitor<G: Tabled> {
    /// Moves along paths of the pieces on `movers` onto `to`.
    fn slides<F: Backend<G::Word>>(
        &mut self,
        context: &Context<'_, G>,
        movers: G::Word,
        queries: &Queries<'_, G, F>,
        to: G::Word,
    );
    /// Leaps onto `to` of the pieces on `movers`, except the king.
    fn leapers(&mut self, context: &Context<'_, G>, t: &Tables<G>, movers: G::Word, to: G::Word);
    /// One move of the king.
    fn step(&mut self, from: Cell, to: Cell);
    /// Moves of one piece onto each cell of a set.
    fn leaps(&mut self, from: Cell, to: G::Word);
    /// Pawn moves onto cells that are not for promotion; `from(to)` is where each comes from.
    fn pawns(&mut self, to: G::Word, from: impl Fn(Cell) -> Cell);
    /// Pawn moves onto promotion cells, one for each kind allowed there.
    fn promotions(&mut self, t: &Tables<G>, to: G::Word, from: impl Fn(Cell) -> Cell);
}

impl<G: Tabled> Context<'_, G> {
    /// Where a pinned piece may go: the intersection of all lines that it alone blocks.
    #[cold]
    fn pin_mask(&self, king: Cell, pinned: Cell) -> G::Word {
        let tables = self.pieces.tables();
        let occupied = self.pieces.occupied();
        let them = self.pieces.side(self.pieces.side.other());
        let only = G::Word::of(pinned);
        let mut mask = tables.all;
        let kinds = self.pieces.kinds.as_ref();
        let sliders = tables.by_class(kinds, them);
        tables.lines_to(king, sliders.as_ref(), |slider, between| {
            if between & occupied == only {
                mask &= between | G::Word::of(slider);
            }
        });
        mask
    }

    #[inline(always)]
    pub fn generate<F: Backend<G::Word>, S: Visitor<G>>(
        &self,
        backend: F,
        wanted: Wanted<G::Word>,
        visitor: &mut S,
    ) {
        let tables = self.pieces.tables();
        let kinds = self.pieces.kinds.as_ref();
        let own = self.pieces.side(self.pieces.side);
        let them = self.pieces.side(self.pieces.side.other());
        let occupied = self.pieces.occupied();
        let king = (kinds[usize::from(KING)] & own).first();
        let queries = Queries::<G, F> {
            backend,
            tables,
            occupied: backend.set(occupied),
            sliders: backend.sliders(tables, kinds, them),
        };
        // Are leapers near enough to attack the king or a cell beside it? Mostly not.
        let enemy = self.pieces.side.other();
        let around = (tables.leapers_around(kinds, king, enemy) & them).any();
        let leapers = if around {
            tables.leapers_at(kinds, king, enemy) & them
        } else {
            G::Word::EMPTY
        };
        let Lines {
            mut allowed,
            pinned,
        } = backend.lines(
            tables,
            king,
            queries.occupied,
            backend.set(own),
            &queries.sliders,
        );
        let in_check = allowed != tables.all || leapers.any();
        if leapers.any() {
            // A leap cannot be blocked: the only answer is to capture the one leaper.
            for checker in leapers.cells() {
                allowed &= G::Word::of(checker);
            }
        }

        if wanted.from.has(king) {
            self.king_moves(&queries, king, [in_check, around], wanted.to, visitor);
        }
        if let Some(ep) = self.pieces.en_passant
            && (ep.cells().any(|c| wanted.to.has(c)) || wanted.to.has(ep.stands))
        {
            self.en_passant_moves(ep, wanted.from, visitor);
        }
        if in_check && !allowed.any() {
            return;
        }
        let all = allowed & wanted.to & !own;
        // First the pieces that are not pinned, then each pinned piece by itself: in one loop, so that it is compiled
        // once.
        let (mut movers, mut to) = (own & wanted.from & !pinned, all);
        let mut rest = pinned & wanted.from;
        loop {
            visitor.slides(self, movers, &queries, to);
            visitor.leapers(self, tables, movers, to);
            let pawns = kinds[usize::from(PAWN)] & movers;
            if pawns.any() {
                self.pawn_moves(backend, tables, pawns, to, visitor);
            }
            if !rest.any() {
                return;
            }
            let from = rest.first();
            rest = rest.without_first();
            movers = G::Word::of(from);
            to = all & self.pin_mask(king, from);
        }
    }

    /// All moves of `pawns` onto `to`, en passant excepted.
    #[inline(always)]
    fn pawn_moves<F: Backend<G::Word>, S: Visitor<G>>(
        &self,
        backend: F,
        tables: &Tables<G>,
        pawns: G::Word,
        to: G::Word,
        visitor: &mut S,
    ) {
        let table = &tables.pawns[self.pieces.side as usize];
        // The side is a constant below, so that every shift is one; those of games from files are data.
        if const { !G::FIXED } || self.pieces.side == Side::White {
            self.pawn_moves_of::<F, S, true>(backend, tables, table, pawns, to, visitor);
        } else {
            self.pawn_moves_of::<F, S, false>(backend, tables, table, pawns, to, visitor);
        }
    }

    #[inline(always)]
    fn pawn_moves_of<F: Backend<G::Word>, S: Visitor<G>, const WHITE: bool>(
        &self,
        backend: F,
        tables: &Tables<G>,
        table: &PawnTable<G::Word>,
        pawns: G::Word,
        to: G::Word,
        visitor: &mut S,
    ) {
        let them = self.pieces.side(self.pieces.side.other());
        let empty = tables.all & !self.pieces.occupied();
        let moved = pawns & self.pieces.moved;
        let near = pawns & table.before_promotion;
        if near.any() {
            self.moves_near_promotion(tables, near, to, visitor);
        }
        let pawns = pawns & !near;
        // Cut to lengths that are known, so that no bounds are checked below.
        let plan = tables.plan();
        let captures = &table.captures[..plan.pawn_captures];
        unrolled_few!(G, plan, pawn_captures, i, PLACE => {
            let step = &captures[i];
            let taken = backend.step::<G, WHITE, true, PLACE>(step, pawns) & to & them;
            visitor.pawns(taken, |cell| step.source_of(cell));
        });
        if plan.first_captures {
            for step in &table.first_captures {
                let taken = step.apply_parts(pawns & !moved) & to & them;
                visitor.pawns(taken, |cell| step.source_of(cell));
            }
        }
        let pawns = if plan.rules.pawn.blocked_by_enemy {
            pawns & !self.barred(table, pawns)
        } else {
            pawns
        };
        let steps = &table.steps[..plan.pawn_steps];
        let crossed = &table.crossed[..plan.pawn_steps];
        unrolled_few!(G, plan, pawn_steps, i, PLACE => {
            let step = &steps[i];
            let single = backend.step::<G, WHITE, false, PLACE>(step, pawns) & empty;
            visitor.pawns(single & to, |cell| step.source_of(cell));
            let mut crossed = single & crossed[i];
            if plan.rules.pawn.remembers_first_move && moved.any() {
                crossed &= !backend.step::<G, WHITE, false, PLACE>(step, moved);
            }
            let double = backend.step::<G, WHITE, false, PLACE>(step, crossed) & empty;
            visitor.pawns(double & to, |cell| step.source_of(step.source_of(cell)));
            if plan.triple_steps {
                let crossed = double & table.crossed_twice[i];
                let triple = backend.step::<G, WHITE, false, PLACE>(step, crossed);
                let origin = |cell| step.source_of(step.source_of(step.source_of(cell)));
                visitor.pawns(triple & empty & to, origin);
            }
        });
    }

    /// The pawns that an enemy piece ahead keeps from stepping.
    #[cold]
    fn barred(&self, table: &PawnTable<G::Word>, pawns: G::Word) -> G::Word {
        let them = self.pieces.side(self.pieces.side.other());
        let barred = |&pawn: &Cell| (table.barring[usize::from(pawn)] & them).any();
        let pawns = pawns.cells().filter(barred);
        pawns.fold(G::Word::EMPTY, |set, pawn| set | G::Word::of(pawn))
    }

    /// The moves of pawns that can reach promotion cells, double steps excepted.
    #[cold]
    fn moves_near_promotion<S: Visitor<G>>(
        &self,
        tables: &Tables<G>,
        pawns: G::Word,
        to: G::Word,
        visitor: &mut S,
    ) {
        let table = &tables.pawns[self.pieces.side as usize];
        let mut emit = |pawns: G::Word, step: &SetStep<G::Word>, onto: G::Word| {
            let to = step.apply_parts(pawns) & onto & to;
            let from = |cell| step.source_of(cell);
            let promoting = to & table.promotion_cells;
            visitor.pawns(to & !promoting, from);
            if promoting.any() {
                visitor.promotions(tables, promoting, from);
            }
        };
        let them = self.pieces.side(self.pieces.side.other());
        for step in &table.captures {
            emit(pawns, step, them);
        }
        let empty = tables.all & !self.pieces.occupied();
        let free = if tables.plan().rules.pawn.blocked_by_enemy {
            pawns & !self.barred(table, pawns)
        } else {
            pawns
        };
        for step in &table.steps {
            emit(free, step, empty);
        }
    }

    #[inline(always)]
    fn king_moves<F: Backend<G::Word>, S: Visitor<G>>(
        &self,
        queries: &Queries<'_, G, F>,
        king: Cell,
        [in_check, around]: [bool; 2],
        to: G::Word,
        visitor: &mut S,
    ) {
        let tables = queries.tables;
        let kinds = self.pieces.kinds.as_ref();
        let enemy = self.pieces.side.other();
        let (own, them) = (self.pieces.side(self.pieces.side), self.pieces.side(enemy));
        // Where no slider sees the king, none sees through it either.
        let without_king = if in_check {
            queries
                .backend
                .set(self.pieces.occupied() ^ G::Word::of(king))
        } else {
            queries.occupied
        };
        for cell in (tables.king_steps(king) & to & !own).cells() {
            // A piece captured on the cell does not attack it, by leap or by slide.
            if around && (tables.leapers_at(kinds, cell, enemy) & them).any() {
                continue;
            }
            if !queries
                .backend
                .seen(tables, cell, without_king, &queries.sliders)
            {
                visitor.step(king, cell);
            }
        }
        let partners = self.pieces.castling & own;
        if tables.plan().rules.castling.is_some() && partners.any() && !in_check {
            visitor.leaps(king, self.castling_targets(king, partners) & to);
        }
    }

    /// Where the king may castle to with a partner among `partners`. It must not be in check.
    #[inline(always)]
    fn castling_targets(&self, king: Cell, partners: G::Word) -> G::Word {
        let mut targets = G::Word::EMPTY;
        let Some(castling) = &self.pieces.tables().castling else {
            return targets;
        };
        for way in &castling.ways[usize::from(king)] {
            if partners.has(way.partner)
                && !(way.between & self.pieces.occupied()).any()
                && self.may_castle(king, way)
            {
                targets |= G::Word::of(way.target);
            }
        }
        targets
    }

    /// Whether a king and a partner with nothing between them may castle.
    #[cold]
    fn may_castle(&self, king: Cell, way: &CastlingWay<G::Word>) -> bool {
        let tables = self.pieces.tables();
        let &CastlingWay {
            partner,
            crossed,
            target,
            partner_target,
            ..
        } = way;
        let Some(piece) = self.own_on(partner) else {
            return false;
        };
        let them = self.pieces.side.other();
        let attacked = |cell, occupied| {
            let by = self.pieces.side(them);
            tables
                .attackers(self.pieces.kinds.as_ref(), cell, occupied, them, by)
                .any()
        };
        let before = self.pieces.occupied();
        let leaves = G::Word::of(king) | G::Word::of(partner);
        // The partner leaves a cell, too: that may open a crooked path.
        let after = (before ^ leaves) | G::Word::of(target) | G::Word::of(partner_target);
        tables.stands_on[usize::from(piece.kind)].has(partner_target)
            && !crossed.cells().any(|cell| attacked(cell, before))
            && !attacked(target, before)
            && !attacked(target, after)
    }

    /// En passant captures.
    #[cold]
    fn en_passant_moves<S: Visitor<G>>(&self, ep: EnPassant, from: G::Word, visitor: &mut S) {
        let side = self.pieces.side;
        for crossed in ep.cells() {
            for taker in (self.pieces.en_passant_takers(crossed, side) & from).cells() {
                if self.pieces.is_en_passant_safe(ep, crossed, taker, side) {
                    visitor.pawns(G::Word::of(crossed), |_| taker);
                }
            }
        }
    }
}
