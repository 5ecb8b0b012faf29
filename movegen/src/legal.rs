//! Legal moves by check masks and pins: no move is made to see whether it was legal, but for the
//! rare en passant capture.
//!
//! A line is a slider and the cells between it and the king. Without a piece between, the line is a
//! check: every move but the king's must end on the line or capture its slider. With exactly one own
//! piece between, that piece is pinned: it must stay on the line or capture the slider. On a board
//! with crooked paths one slider may have two lines to the king, and two lines may share cells; the
//! masks of all lines are intersected, which is right for each case.

use crate::bits::{Bits, Cell, Row};
use crate::form::{Form, Lines, Movers, Simd, Task, run};
use crate::games::Game;
use crate::moves::Move;
use crate::piece::{EnPassant, KING, PAWN, Side};
use crate::position::Position;
use crate::spec::neg;
use crate::tables::{PawnTable, SetStep, Tables};

/// Receives the moves of one position.
trait Sink<G: Game> {
    /// Moves along paths of the pieces on `movers` onto `to`.
    fn slides<F: Form<G::Bits>>(
        &mut self,
        position: &Position<G>,
        movers: G::Bits,
        view: &View<G, F>,
        to: F::Set,
    );
    /// One move of the king.
    fn step(&mut self, from: Cell, to: Cell);
    /// Moves of one piece onto each cell of a set.
    fn leaps(&mut self, from: Cell, to: G::Bits);
    /// Pawn moves onto cells that are not for promotion; `from(to)` tells where each comes from.
    fn pawns(&mut self, to: G::Bits, from: impl Fn(Cell) -> Cell);
    /// Pawn moves onto promotion cells, one for each kind allowed there.
    fn promotions(&mut self, t: &Tables<G>, to: G::Bits, from: impl Fn(Cell) -> Cell);
}

/// A position made ready for queries in one form.
struct View<G: Game, F: Form<G::Bits>> {
    form: F,
    tables: &'static Tables<G>,
    occupied: F::Set,
    /// The pieces of each class of paths, of both sides.
    classes: G::PerClass<G::Bits>,
    /// The enemy's among them.
    sliders: G::PerClass<F::Set>,
}

impl<G: Game, F: Form<G::Bits>> View<G, F> {
    #[inline(always)]
    fn movers<'v>(&'v self, position: &'v Position<G>, on: G::Bits) -> Movers<'v, G> {
        Movers {
            position,
            classes: self.classes.as_ref(),
            on,
        }
    }
}

/// Counts moves.
struct Counter(u32);

impl<G: Game> Sink<G> for Counter {
    #[inline(always)]
    fn slides<F: Form<G::Bits>>(
        &mut self,
        position: &Position<G>,
        movers: G::Bits,
        view: &View<G, F>,
        to: F::Set,
    ) {
        let (form, t) = (view.form, view.tables);
        self.0 += form.count(t, &view.movers(position, movers), view.occupied, to);
    }
    #[inline(always)]
    fn step(&mut self, _: Cell, _: Cell) {
        self.0 += 1;
    }
    #[inline(always)]
    fn leaps(&mut self, _: Cell, to: G::Bits) {
        self.0 += to.count();
    }
    #[inline(always)]
    fn pawns(&mut self, to: G::Bits, _: impl Fn(Cell) -> Cell) {
        self.0 += to.count();
    }
    #[inline(always)]
    fn promotions(&mut self, t: &Tables<G>, to: G::Bits, _: impl Fn(Cell) -> Cell) {
        for cell in to.cells() {
            self.0 += t.promotions[usize::from(cell)].len() as u32;
        }
    }
}

impl<G: Game> Sink<G> for Vec<Move> {
    #[inline(always)]
    fn slides<F: Form<G::Bits>>(
        &mut self,
        position: &Position<G>,
        movers: G::Bits,
        view: &View<G, F>,
        to: F::Set,
    ) {
        let (form, t) = (view.form, view.tables);
        let each = |from, to| self.push(Move::new(from, to));
        form.visit(t, &view.movers(position, movers), view.occupied, to, each);
    }
    #[inline(always)]
    fn step(&mut self, from: Cell, to: Cell) {
        self.push(Move::new(from, to));
    }
    #[inline(always)]
    fn leaps(&mut self, from: Cell, to: G::Bits) {
        for cell in to.cells() {
            self.push(Move::new(from, cell));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, to: G::Bits, from: impl Fn(Cell) -> Cell) {
        for cell in to.cells() {
            self.push(Move::new(from(cell), cell));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, t: &Tables<G>, to: G::Bits, from: impl Fn(Cell) -> Cell) {
        for cell in to.cells() {
            for &kind in &t.promotions[usize::from(cell)] {
                self.push(Move::promoting(from(cell), cell, kind));
            }
        }
    }
}

/// Which of the legal moves are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<B> {
    /// Moves from these cells only.
    pub from: B,
    /// Moves onto these cells only; en passant counts as a move onto the captured pawn's cell, too.
    pub to: B,
}

impl<B: Bits> Wanted<B> {
    /// All of them.
    #[inline(always)]
    pub fn all<G: Game<Bits = B>>() -> Self {
        let all = G::tables().all;
        Wanted { from: all, to: all }
    }
}

/// Counting the wanted moves of a position.
struct Count<'p, G: Game>(&'p Position<G>, Wanted<G::Bits>);

impl<G: Game> Task<G::Bits> for Count<'_, G> {
    type Output = u32;

    #[inline(always)]
    fn run<F: Form<G::Bits>>(self, form: F) -> u32 {
        self.0.count_in(form, self.1)
    }
}

/// Listing the wanted moves of a position.
struct List<'p, G: Game>(&'p Position<G>, Wanted<G::Bits>, &'p mut Vec<Move>);

impl<G: Game> Task<G::Bits> for List<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form<G::Bits>>(self, form: F) {
        self.0.list_in(form, self.1, self.2);
    }
}

impl<G: Game> Position<G> {
    /// All legal moves, in no particular order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(128);
        self.add_legal(&mut moves);
        moves
    }

    /// Appends all legal moves.
    #[inline]
    pub fn add_legal(&self, moves: &mut Vec<Move>) {
        self.add_wanted(Simd::chosen(), Wanted::all::<G>(), moves);
    }

    /// Appends the legal captures, en passant included.
    #[inline]
    pub fn add_captures(&self, moves: &mut Vec<Move>) {
        let wanted = Wanted {
            to: self.side(self.side.other()),
            ..Wanted::all::<G>()
        };
        self.add_wanted(Simd::chosen(), wanted, moves);
    }

    /// Appends the legal moves that are wanted, computed in a certain form.
    #[inline]
    pub fn add_wanted(&self, simd: Simd, wanted: Wanted<G::Bits>, moves: &mut Vec<Move>) {
        run(simd, List(self, wanted, moves));
    }

    /// The number of legal moves, without listing them.
    #[inline]
    pub fn count_legal(&self) -> u64 {
        self.count_wanted(Simd::chosen(), Wanted::all::<G>())
    }

    /// The number of legal moves that are wanted, computed in a certain form.
    #[inline]
    pub fn count_wanted(&self, simd: Simd, wanted: Wanted<G::Bits>) -> u64 {
        u64::from(run(simd, Count(self, wanted)))
    }

    /// Whether the side to move can move at all.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }

    /// Whether a move, however it was come by, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_with(mv, &mut Vec::new())
    }

    /// The same, with memory of the caller's to list moves in.
    pub fn is_legal_with(&self, mv: Move, scratch: &mut Vec<Move>) -> bool {
        let tables = G::tables();
        let on_board = |cell: Cell| usize::from(cell) < G::Bits::SIZE && tables.all.has(cell);
        let own = self.side(self.side);
        if !on_board(mv.from) || !on_board(mv.to) || !own.has(mv.from) || own.has(mv.to) {
            return false;
        }
        let wanted = Wanted {
            from: G::Bits::of(mv.from),
            to: G::Bits::of(mv.to),
        };
        scratch.clear();
        self.add_wanted(Simd::chosen(), wanted, scratch);
        scratch.contains(&mv)
    }

    /// Counts, within code compiled for a form.
    #[inline(always)]
    pub(crate) fn count_in<F: Form<G::Bits>>(&self, form: F, wanted: Wanted<G::Bits>) -> u32 {
        let mut counter = Counter(0);
        self.generate(form, wanted, &mut counter);
        counter.0
    }

    /// Lists, within code compiled for a form.
    #[inline(always)]
    pub(crate) fn list_in<F: Form<G::Bits>>(
        &self,
        form: F,
        wanted: Wanted<G::Bits>,
        moves: &mut Vec<Move>,
    ) {
        self.generate(form, wanted, moves);
    }

    /// Where a pinned piece may go: the intersection of all lines that it alone blocks.
    #[cold]
    fn pin_mask(&self, king: Cell, pinned: Cell) -> G::Bits {
        let tables = G::tables();
        let occupied = self.occupied();
        let them = self.side(self.side.other());
        let only = G::Bits::of(pinned);
        let mut mask = tables.all;
        let kinds = self.kinds.as_ref();
        let sliders = G::PerClass::from_fn(|class| Tables::<G>::class_pieces(kinds, class) & them);
        tables.lines_to(king, sliders.as_ref(), |slider, between| {
            if between & occupied == only {
                mask &= between | G::Bits::of(slider);
            }
        });
        mask
    }

    #[inline(always)]
    fn generate<F: Form<G::Bits>, S: Sink<G>>(
        &self,
        form: F,
        wanted: Wanted<G::Bits>,
        sink: &mut S,
    ) {
        let tables = G::tables();
        let kinds = self.kinds.as_ref();
        let own = self.side(self.side);
        let them = self.side(self.side.other());
        let occupied = self.occupied();
        let king = (kinds[usize::from(KING)] & own).first();
        let classes: G::PerClass<G::Bits> =
            Row::from_fn(|class| Tables::<G>::class_pieces(kinds, class));
        let view = View::<G, F> {
            form,
            tables,
            occupied: form.set(occupied),
            classes,
            sliders: Row::from_fn(|class| form.set(classes.as_ref()[class] & them)),
        };
        let leapers = tables.leapers_at(kinds, king, self.side.other()) & them;
        let Lines {
            mut allowed,
            pinned,
        } = form.lines(
            tables,
            king,
            view.occupied,
            form.set(own),
            view.sliders.as_ref(),
        );
        let in_check = allowed != tables.all || leapers.any();
        if leapers.any() {
            // A leap cannot be blocked: all that helps is to capture the one leaper.
            for checker in leapers.cells() {
                allowed &= G::Bits::of(checker);
            }
        }

        if wanted.from.has(king) {
            self.king_moves(&view, king, in_check, wanted.to, sink);
        }
        if let Some(ep) = self.en_passant
            && (wanted.to.has(ep.crossed) || wanted.to.has(ep.stands))
        {
            self.en_passant_moves(ep, king, wanted.from, sink);
        }
        if in_check && !allowed.any() {
            return;
        }
        let to = allowed & wanted.to & !own;
        let free = own & wanted.from & !pinned;
        sink.slides(self, free, &view, form.set(to));
        for place in 1..G::LEAPERS.len {
            let kind = G::LEAPERS.get(place);
            for from in (kinds[usize::from(kind)] & free).cells() {
                sink.leaps(from, tables.leaps_of(place, from) & to);
            }
        }
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
        view: &View<G, F>,
        king: Cell,
        from: Cell,
        to: G::Bits,
        sink: &mut S,
    ) {
        let to = to & self.pin_mask(king, from);
        let Some(piece) = self.piece_on(from) else {
            debug_assert!(false, "a pinned piece is a piece");
            return;
        };
        if !to.any() {
            return;
        }
        if piece.kind == PAWN {
            self.pawn_moves(view.form, view.tables, G::Bits::of(from), to, sink);
        } else {
            sink.slides(self, G::Bits::of(from), view, view.form.set(to));
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
        match self.side {
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
        let turned = |step| if WHITE { step } else { neg(step) };
        let them = self.side(self.side.other());
        let empty = tables.all & !self.occupied();
        let doubling = pawns & table.double_cells & !self.moved;
        let near = pawns & table.before_promotion;
        let pawns = pawns & !near;
        for (i, &direction) in G::SPEC.pawn.captures.iter().enumerate() {
            let step = &table.captures[i];
            let taken = form.step::<G>(step, turned(direction), pawns) & to & them;
            sink.pawns(taken, |cell| step.source_of(cell));
            if near.any() {
                let taken = form.step::<G>(step, turned(direction), near) & to & them;
                emit(tables, table, taken, step, sink);
            }
        }
        for (i, &direction) in G::SPEC.pawn.steps.iter().enumerate() {
            let step = &table.steps[i];
            let single = form.step::<G>(step, turned(direction), pawns) & empty & to;
            sink.pawns(single, |cell| step.source_of(cell));
            if near.any() {
                let single = form.step::<G>(step, turned(direction), near) & empty & to;
                emit(tables, table, single, step, sink);
            }
            let crossed = form.step::<G>(step, turned(direction), doubling) & empty;
            let double = form.step::<G>(step, turned(direction), crossed) & empty & to;
            sink.pawns(double, |cell| step.source_of(step.source_of(cell)));
        }
    }

    #[inline(always)]
    fn king_moves<F: Form<G::Bits>, S: Sink<G>>(
        &self,
        view: &View<G, F>,
        king: Cell,
        in_check: bool,
        to: G::Bits,
        sink: &mut S,
    ) {
        let tables = view.tables;
        let kinds = self.kinds.as_ref();
        let them = self.side(self.side.other());
        let own = self.side(self.side);
        let without_king = view.form.set(self.occupied() ^ G::Bits::of(king));
        for cell in (tables.king_steps(king) & to & !own).cells() {
            // A piece captured on the cell does not attack it, by leap or by slide.
            let leapers = tables.leapers_at(kinds, cell, self.side.other()) & them;
            let sliders = view.sliders.as_ref();
            if !leapers.any() && !view.form.seen(tables, cell, without_king, sliders) {
                sink.step(king, cell);
            }
        }
        if G::SPEC.castling.is_some() && self.castling.any() && !in_check {
            sink.leaps(king, self.castling_targets(king) & to);
        }
    }

    /// Where the king may castle to. He must not be in check.
    fn castling_targets(&self, king: Cell) -> G::Bits {
        let tables = G::tables();
        let mut targets = G::Bits::EMPTY;
        let Some(castling) = &tables.castling else {
            return targets;
        };
        let rights = self.castling & self.side(self.side);
        if !rights.any() {
            return targets;
        }
        for next in &castling.directions {
            let mut gap = 0;
            let mut cell = king;
            let partner = loop {
                match next[usize::from(cell)] {
                    Some(beyond) if self.piece_on(beyond).is_some() => break Some(beyond),
                    Some(beyond) => {
                        gap += 1;
                        cell = beyond;
                    }
                    None => break None,
                }
            };
            let crossed = next[usize::from(king)];
            let target = crossed.and_then(|c| next[usize::from(c)]);
            if let (Some(partner), Some(crossed), Some(target)) = (partner, crossed, target)
                && rights.has(partner)
                && gap >= castling.gap
                && self.may_castle(king, partner, crossed, target)
            {
                targets |= G::Bits::of(target);
            }
        }
        targets
    }

    fn may_castle(&self, king: Cell, partner: Cell, crossed: Cell, target: Cell) -> bool {
        let tables = G::tables();
        let Some(piece) = self.piece_on(partner) else {
            return false;
        };
        let them = self.side.other();
        let attacked = |cell, occupied| {
            let by = self.side(them);
            tables
                .attackers(self.kinds.as_ref(), cell, occupied, them, by)
                .any()
        };
        let before = self.occupied();
        let moved = G::Bits::of(king) | G::Bits::of(partner) | G::Bits::of(crossed);
        // The partner leaves a cell, too: a crooked path through it may open.
        let after = (before ^ moved) | G::Bits::of(target);
        tables.stands_on[usize::from(piece.kind)].has(crossed)
            && !attacked(crossed, before)
            && !attacked(target, before)
            && !attacked(target, after)
    }

    /// En passant captures. Two pawns leave their cells at once, so the king is looked at afterwards.
    #[cold]
    fn en_passant_moves<S: Sink<G>>(&self, ep: EnPassant, king: Cell, from: G::Bits, sink: &mut S) {
        let tables = G::tables();
        let them = self.side.other();
        let takers = tables.pawn_attacks(them, ep.crossed) & self.pieces(PAWN, self.side) & from;
        let taken = G::Bits::of(ep.stands);
        for taker in takers.cells() {
            let occupied = (self.occupied() ^ taken ^ G::Bits::of(taker)) | G::Bits::of(ep.crossed);
            let by = self.side(them) ^ taken;
            let attackers = tables.attackers(self.kinds.as_ref(), king, occupied, them, by);
            if !attackers.any() {
                sink.pawns(G::Bits::of(ep.crossed), |_| taker);
            }
        }
    }
}

/// Hands the targets of one step on, promotions apart.
#[inline(never)]
fn emit<G: Game, S: Sink<G>>(
    tables: &Tables<G>,
    table: &PawnTable<G::Bits>,
    to: G::Bits,
    step: &SetStep<G::Bits>,
    sink: &mut S,
) {
    let from = |cell| step.source_of(cell);
    let promoting = to & table.promotion_cells;
    sink.pawns(to & !promoting, from);
    if promoting.any() {
        sink.promotions(tables, promoting, from);
    }
}
