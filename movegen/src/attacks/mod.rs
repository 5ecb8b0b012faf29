//! What a piece sees, and who sees a cell.
//!
//! One mechanism serves all pieces of all games: leaps are looked up, straight lines are solved by
//! obstruction difference on two ray masks, crooked and short paths as `tables/crooked.rs` says. Paths are reversible
//! (if a piece on A reaches B, the same piece on B reaches A along the same cells; `tests/generator/rules.rs`
//! proves it for every game), so the attackers of a cell are found by looking out from it.

use crate::rules::{Kind, PAWN, Rules, Side};
use crate::sets::{Bits, Cell, Row};
use crate::tables::{Between, Tables};

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // vector instructions
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // vector instructions
mod avx512;
mod backend;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[allow(unsafe_code)] // code compiled for certain instructions
mod portable;
mod query;
mod sight;
mod simd;

pub(crate) use backend::{Backend, Kernel, Lines, Movers, dispatch, dispatch_anywhere};
pub use query::Query;
pub(crate) use query::{find, sum};
pub use sight::{Observer, Sight, observe};
pub use simd::{Simd, SimdError};

impl<G: Rules> Tables<G> {
    /// The ray of smaller indices and the ray of larger ones.
    #[inline(always)]
    fn ray_pair(&self, axis: usize, cell: Cell) -> [G::Word; 2] {
        G::Word::at(&self.rays, cell).as_ref()[axis]
    }

    /// The cells that the axis shows from `cell`, blockers included.
    #[inline(always)]
    pub(crate) fn line(&self, axis: usize, cell: Cell, occupied: G::Word) -> G::Word {
        let [lower, upper] = self.ray_pair(axis, cell);
        (upper & occupied).obstruction_difference(lower & occupied) & (lower | upper)
    }

    /// The cells that a piece of `kind` sees along its paths: own pieces included, leaps not.
    #[inline(always)]
    pub(crate) fn slides(&self, kind: Kind, cell: Cell, occupied: G::Word) -> G::Word {
        let plan = self.plan();
        let mut seen = self.crooked_slides(kind, cell, occupied);
        unrolled!(G, plan, axis_count, axis => {
            let (_, class) = plan.axes.get(axis);
            if plan.classes.get(class) >> kind & 1 != 0 {
                seen |= self.line(axis, cell, occupied);
            }
        });
        seen
    }

    /// The kinds that have crooked paths, with their class. For a compiled game that has none this is a constant, and
    /// what is done with them is not compiled.
    #[inline(always)]
    pub(crate) fn crooked_kinds(&self) -> &[(Kind, usize)] {
        if const { G::FIXED && G::PLAN.crooked == 0 } {
            return &[];
        }
        &self.crooked
    }

    /// The cells that a piece of `kind` sees along its crooked and short paths.
    #[inline(always)]
    pub(crate) fn crooked_slides(&self, kind: Kind, cell: Cell, occupied: G::Word) -> G::Word {
        if const { G::FIXED && G::PLAN.crooked == 0 } {
            return G::Word::EMPTY;
        }
        let crooked = &self.kinds[usize::from(kind)].crooked;
        // No closure: unless inlined, it is compiled without the instructions of the backend.
        match crooked.get(usize::from(cell)) {
            Some(paths) => paths.seen(occupied),
            None => G::Word::EMPTY,
        }
    }

    /// The cells that the leaper `place` of [`GameSpec::leapers`](crate::rules::spec::GameSpec::leapers)
    /// reaches.
    #[inline(always)]
    pub(crate) fn leaps_of(&self, place: usize, cell: Cell) -> G::Word {
        G::Word::at(&self.leaps, cell).as_ref()[place]
    }

    /// The cells that the king reaches.
    #[inline(always)]
    pub(crate) fn king_steps(&self, cell: Cell) -> G::Word {
        self.leaps_of(0, cell)
    }

    /// The cells that a piece of `kind` (not the pawn) reaches over anything.
    #[inline(always)]
    pub(crate) fn leaps(&self, kind: Kind, cell: Cell) -> G::Word {
        let leapers = &self.plan().leapers;
        let place = (0..leapers.len).find(|&i| leapers.get(i) == kind);
        place.map_or(G::Word::EMPTY, |place| self.leaps_of(place, cell))
    }

    /// For each kind but the pawn the cells that a piece on `cell` attacks: own pieces included.
    #[inline(always)]
    pub(crate) fn seen_by_kinds(&self, cell: Cell, occupied: G::Word) -> G::PerKind {
        let plan = self.plan();
        // Several kinds move along the same lines: each line is solved once.
        let mut lines = G::PerClass::from_fn(|_| G::Word::EMPTY);
        unrolled!(G, plan, axis_count, axis => {
            let class = plan.axes.get(axis).1;
            lines.as_mut()[class] |= self.line(axis, cell, occupied);
        });
        let mut seen = G::PerKind::default();
        unrolled!(G, plan, kinds, kind => {
            let mut cells = self.leaps(kind as Kind, cell);
            unrolled!(G, plan, straight_classes, class => {
                if plan.classes.get(class) >> kind & 1 != 0 {
                    cells |= lines.as_ref()[class];
                }
            });
            seen.as_mut()[kind] = cells;
        });
        for &(kind, _) in self.crooked_kinds() {
            seen.as_mut()[usize::from(kind)] |= self.crooked_slides(kind, cell, occupied);
        }
        seen
    }

    /// Calls `each(piece, seen)` for the pieces of `on`, once for each class of straight lines: so which lines to look
    /// along is known when the code is compiled. Classes of one piece share no cells, unless it is
    /// [overlapping](Tables::overlapping).
    #[inline(always)]
    pub(crate) fn each_straight(
        &self,
        kinds: &[G::Word],
        on: G::Word,
        occupied: G::Word,
        mut each: impl FnMut(Cell, G::Word),
    ) {
        let axes = &self.plan().axes;
        unrolled!(G, self.plan(), straight_classes, class => {
            for from in (self.class_pieces(kinds, class) & on).cells() {
                let mut seen = G::Word::EMPTY;
                unrolled!(G, self.plan(), axis_count, axis => {
                    if axes.get(axis).1 == class {
                        seen |= self.line(axis, from, occupied);
                    }
                });
                each(from, seen);
            }
        });
    }

    /// The cells that the pieces of `by`, but for the pawns, attack: own pieces included. `kinds` has one set for each
    /// kind, both sides together.
    #[inline(always)]
    pub(crate) fn seen_from_all(
        &self,
        kinds: &[G::Word],
        by: G::Word,
        occupied: G::Word,
    ) -> G::Word {
        let plan = self.plan();
        let mut seen = G::Word::EMPTY;
        unrolled!(G, plan, leaper_count, place => {
            let kind = plan.leapers.get(place);
            for cell in (kinds[usize::from(kind)] & by).cells() {
                seen |= self.leaps_of(place, cell);
            }
        });
        self.each_straight(kinds, by, occupied, |_, cells| seen |= cells);
        for &(kind, _) in self.crooked_kinds() {
            for cell in (kinds[usize::from(kind)] & by).cells() {
                seen |= self.crooked_slides(kind, cell, occupied);
            }
        }
        seen
    }

    /// The cells that a piece of `kind` (not the pawn) on `cell` attacks: own pieces included.
    pub(crate) fn seen_by(&self, kind: Kind, cell: Cell, occupied: G::Word) -> G::Word {
        self.leaps(kind, cell) | self.slides(kind, cell, occupied)
    }

    /// The cells that a pawn attacks.
    #[inline(always)]
    pub fn pawn_attacks(&self, side: Side, cell: Cell) -> G::Word {
        *G::Word::at(&self.pawns[side as usize].attacks, cell)
    }

    /// The cells from which a pawn of a side attacks a cell.
    #[inline(always)]
    pub fn pawns_attacking(&self, side: Side, cell: Cell) -> G::Word {
        *G::Word::at(&self.pawns[side as usize].attackers, cell)
    }

    /// The pieces of a class of paths. `kinds` has one set for each kind, both sides together.
    #[inline(always)]
    pub(crate) fn class_pieces(&self, kinds: &[G::Word], class: usize) -> G::Word {
        self.pieces_of(kinds, self.plan().classes.get(class))
    }

    /// The pieces of several kinds, one bit for each.
    #[inline(always)]
    pub(crate) fn pieces_of(&self, kinds: &[G::Word], users: u16) -> G::Word {
        let mut pieces = G::Word::EMPTY;
        unrolled!(G, self.plan(), kinds, kind => {
            if users >> kind & 1 != 0 {
                pieces |= kinds[kind];
            }
        });
        pieces
    }

    /// The pieces whose classes of paths may share cells: what they see is asked for all classes at once, or a move
    /// would be found twice. The generator is compiled for no game that has any.
    #[inline(always)]
    pub(crate) fn overlapping(&self, kinds: &[G::Word]) -> G::Word {
        if const { G::FIXED } {
            return G::Word::EMPTY;
        }
        self.pieces_of(kinds, self.plan().overlapping)
    }

    /// The pieces of each class of paths that are among `by`.
    #[inline(always)]
    pub(crate) fn by_class(&self, kinds: &[G::Word], by: G::Word) -> G::PerClass<G::Word> {
        let mut classes = G::PerClass::from_fn(|_| G::Word::EMPTY);
        unrolled!(G, self.plan(), class_count, class => {
            classes.as_mut()[class] = self.class_pieces(kinds, class) & by;
        });
        classes
    }

    /// The leapers of both sides and the pawns of `side` that attack `cell`.
    #[inline(always)]
    pub(crate) fn leapers_at(&self, kinds: &[G::Word], cell: Cell, side: Side) -> G::Word {
        let mut found = self.pawns_attacking(side, cell) & kinds[usize::from(PAWN)];
        let leapers = &self.plan().leapers;
        unrolled!(G, self.plan(), leaper_count, place => {
            let kind = leapers.get(place);
            found |= self.leaps_of(place, cell) & kinds[usize::from(kind)];
        });
        found
    }

    /// The same for a cell and all the king's steps from it.
    #[inline(always)]
    pub(crate) fn leapers_around(&self, kinds: &[G::Word], cell: Cell, side: Side) -> G::Word {
        let pawns = G::Word::at(&self.pawns[side as usize].around, cell);
        let mut found = *pawns & kinds[usize::from(PAWN)];
        let leapers = &self.plan().leapers;
        unrolled!(G, self.plan(), leaper_count, place => {
            let kind = leapers.get(place);
            let reached = G::Word::at(&self.around, cell).as_ref()[place];
            found |= reached & kinds[usize::from(kind)];
        });
        found
    }

    /// The sliders whose straight lines lead to `cell`, blocked or not; `sliders` has one set for each class of
    /// paths. Lines that skip cells are left out.
    #[inline(always)]
    fn aligned(&self, cell: Cell, sliders: &[G::Word]) -> G::Word {
        let reach = G::Word::at(&self.reach, cell).as_ref();
        let classes = reach.iter().zip(sliders);
        classes.fold(G::Word::EMPTY, |u, (&reach, &users)| u | (reach & users))
    }

    /// The cells between two cells of one straight line.
    #[inline(always)]
    fn between(&self, from: Cell, to: Cell) -> G::Word {
        let row: &Between<G> = G::Word::at(&self.between, from);
        *G::Word::at(row, to)
    }

    /// The sliders that see `cell`; one set for each class of paths.
    #[inline(always)]
    pub(crate) fn sliders_at(&self, cell: Cell, occupied: G::Word, sliders: &[G::Word]) -> G::Word {
        let mut found = G::Word::EMPTY;
        let axes = &self.plan().axes;
        unrolled!(G, self.plan(), axis_count, axis => {
            let users = sliders[axes.get(axis).1];
            let [lower, upper] = self.ray_pair(axis, cell);
            if ((lower | upper) & users).any() {
                found |= self.line(axis, cell, occupied) & users;
            }
        });
        for &(kind, class) in self.crooked_kinds() {
            let table = &self.kinds[usize::from(kind)];
            let users = table.reach[usize::from(cell)] & sliders[class];
            if users.any() {
                found |= table.crooked[usize::from(cell)].seen(occupied) & users;
            }
        }
        found
    }

    /// The pieces among `by`, all of `side`, that attack `cell` on a board where `occupied` blocks.
    #[inline]
    pub(crate) fn attackers(
        &self,
        kinds: &[G::Word],
        cell: Cell,
        occupied: G::Word,
        side: Side,
        by: G::Word,
    ) -> G::Word {
        let sliders = self.by_class(kinds, by);
        let leapers = self.leapers_at(kinds, cell, side) & by;
        leapers | self.sliders_at(cell, occupied, sliders.as_ref())
    }

    /// Every line from a slider to `cell`, blocked or not: calls `line(slider, between)` for each. One slider
    /// may have several lines.
    #[inline(always)]
    pub(crate) fn lines_to(
        &self,
        cell: Cell,
        sliders: &[G::Word],
        mut line: impl FnMut(Cell, G::Word),
    ) {
        for slider in self.aligned(cell, sliders).cells() {
            line(slider, self.between(cell, slider));
        }
        let plan = self.plan();
        unrolled!(G, plan, axis_count, axis => {
            if plan.skipping >> axis & 1 != 0 {
                let users = sliders[plan.axes.get(axis).1];
                let [lower, upper] = self.ray_pair(axis, cell);
                for slider in (lower & users).cells() {
                    line(slider, lower & self.ray_pair(axis, slider)[1]);
                }
                for slider in (upper & users).cells() {
                    line(slider, upper & self.ray_pair(axis, slider)[0]);
                }
            }
        });
        for &(kind, class) in self.crooked_kinds() {
            let table = &self.kinds[usize::from(kind)];
            let users = table.reach[usize::from(cell)] & sliders[class];
            if users.any() {
                for path in &table.crooked[usize::from(cell)].paths {
                    for slider in (path.mask & users).cells() {
                        line(slider, path.before(slider));
                    }
                }
            }
        }
    }
}
