//! What a piece sees, and who sees a cell.
//!
//! One mechanism serves all pieces of all games: leaps are looked up, straight lines are solved by
//! obstruction difference on two ray masks, crooked and short paths as `crooked.rs` tells. Paths are reversible
//! (a piece reaches back along the cells by which it was reached; `tests/rules.rs` proves it for every
//! game), so the attackers of a cell are found by looking out from it.

use crate::bits::{Bits, Cell, Row};
use crate::form::{Form, Simd, Task, run};
use crate::games::Game;
use crate::piece::{Kind, PAWN, Piece, Side};
use crate::position::Position;
use crate::spec::skips;
use crate::tables::{Between, Tables};

/// The kinds that have paths of a class from `first` on, bit k for kind k.
pub(crate) const fn kinds_with_paths<G: Game>(first: usize) -> u16 {
    let (mut kinds, mut class) = (0, first);
    while class < G::CLASSES.len {
        kinds |= G::CLASSES.get(class);
        class += 1;
    }
    kinds
}

impl<G: Game> Tables<G> {
    /// The ray of smaller indices and the ray of larger ones.
    #[inline(always)]
    fn ray_pair(&self, axis: usize, cell: Cell) -> [G::Bits; 2] {
        G::Bits::at(&self.rays, cell).as_ref()[axis]
    }

    /// The cells that the axis shows from `cell`, blockers included.
    #[inline(always)]
    pub(crate) fn line(&self, axis: usize, cell: Cell, occupied: G::Bits) -> G::Bits {
        let [lower, upper] = self.ray_pair(axis, cell);
        (upper & occupied).obstruction_difference(lower & occupied) & (lower | upper)
    }

    /// The cells that a piece of `kind` sees along its paths: own pieces included, leaps not.
    #[inline(always)]
    pub(crate) fn slides(&self, kind: Kind, cell: Cell, occupied: G::Bits) -> G::Bits {
        let mut seen = self.crooked_slides(kind, cell, occupied);
        for axis in 0..G::AXES.len {
            let (_, class) = G::AXES.get(axis);
            if G::CLASSES.get(class) >> kind & 1 != 0 {
                seen |= self.line(axis, cell, occupied);
            }
        }
        seen
    }

    /// The cells that a piece of `kind` sees along its crooked and short paths.
    #[inline(always)]
    pub(crate) fn crooked_slides(&self, kind: Kind, cell: Cell, occupied: G::Bits) -> G::Bits {
        let crooked = &self.kinds[usize::from(kind)].crooked;
        // No closure: it may stay a call, without the instructions of the form.
        match crooked.get(usize::from(cell)) {
            Some(paths) => paths.seen(occupied),
            None => G::Bits::EMPTY,
        }
    }

    /// The cells that the leaper `place` of [`GameSpec::leapers`](crate::spec::GameSpec::leapers)
    /// reaches.
    #[inline(always)]
    pub(crate) fn leaps_of(&self, place: usize, cell: Cell) -> G::Bits {
        G::Bits::at(&self.leaps, cell).as_ref()[place]
    }

    /// The cells that the king reaches.
    #[inline(always)]
    pub(crate) fn king_steps(&self, cell: Cell) -> G::Bits {
        self.leaps_of(0, cell)
    }

    /// The cells that a piece of `kind` (not the pawn) reaches over anything.
    #[inline(always)]
    pub(crate) fn leaps(&self, kind: Kind, cell: Cell) -> G::Bits {
        let place = (0..G::LEAPERS.len).find(|&i| G::LEAPERS.get(i) == kind);
        place.map_or(G::Bits::EMPTY, |place| self.leaps_of(place, cell))
    }

    /// The cells that a piece of `kind` (not the pawn) on `cell` attacks: own pieces included.
    #[inline]
    pub fn attacks(&self, kind: Kind, cell: Cell, occupied: G::Bits) -> G::Bits {
        let leaps = self.leaps(kind, cell);
        if const { kinds_with_paths::<G>(0) } >> kind & 1 != 0 {
            return leaps | G::slides(kind, cell, occupied);
        }
        leaps
    }

    /// The cells that a pawn attacks.
    #[inline(always)]
    pub fn pawn_attacks(&self, side: Side, cell: Cell) -> G::Bits {
        *G::Bits::at(&self.pawns[side as usize].attacks, cell)
    }

    /// The cells that a piece attacks, pawns too: own pieces included.
    #[inline]
    pub fn attacks_of(&self, piece: Piece, cell: Cell, occupied: G::Bits) -> G::Bits {
        if piece.kind == PAWN {
            self.pawn_attacks(piece.side, cell)
        } else {
            self.attacks(piece.kind, cell, occupied)
        }
    }

    /// The pieces of a class of paths. `kinds` has one set for each kind, both sides together.
    #[inline(always)]
    pub(crate) fn class_pieces(kinds: &[G::Bits], class: usize) -> G::Bits {
        Self::pieces_of(kinds, G::CLASSES.get(class))
    }

    /// The pieces of several kinds, one bit for each.
    #[inline(always)]
    pub(crate) fn pieces_of(kinds: &[G::Bits], users: u16) -> G::Bits {
        let mut pieces = G::Bits::EMPTY;
        unrolled!(G::SPEC.pieces.len(), kind => {
            if users >> kind & 1 != 0 {
                pieces |= kinds[kind];
            }
        });
        pieces
    }

    /// The pieces of each class of paths that are among `by`.
    #[inline(always)]
    pub(crate) fn by_class(kinds: &[G::Bits], by: G::Bits) -> G::PerClass<G::Bits> {
        let mut classes = G::PerClass::from_fn(|_| G::Bits::EMPTY);
        unrolled!(G::CLASSES.len, class => {
            classes.as_mut()[class] = Self::class_pieces(kinds, class) & by;
        });
        classes
    }

    /// The leapers, pawns of `side` included, that attack `cell`; of both sides, but for the pawns.
    #[inline(always)]
    pub(crate) fn leapers_at(&self, kinds: &[G::Bits], cell: Cell, side: Side) -> G::Bits {
        let mut found = self.pawn_attacks(side.other(), cell) & kinds[usize::from(PAWN)];
        for place in 0..G::LEAPERS.len {
            let kind = G::LEAPERS.get(place);
            found |= self.leaps_of(place, cell) & kinds[usize::from(kind)];
        }
        found
    }

    /// The same for a cell and all the king's steps from it.
    #[inline(always)]
    pub(crate) fn leapers_around(&self, kinds: &[G::Bits], cell: Cell, side: Side) -> G::Bits {
        let pawns = G::Bits::at(&self.pawns[side.other() as usize].around, cell);
        let mut found = *pawns & kinds[usize::from(PAWN)];
        for place in 0..G::LEAPERS.len {
            let kind = G::LEAPERS.get(place);
            let reached = G::Bits::at(&self.around, cell).as_ref()[place];
            found |= reached & kinds[usize::from(kind)];
        }
        found
    }

    /// The sliders whose straight lines lead to `cell`, whatever stands between; one set of sliders for
    /// each class of paths. Lines that skip cells are not among them.
    #[inline(always)]
    fn aligned(&self, cell: Cell, sliders: &[G::Bits]) -> G::Bits {
        let reach = G::Bits::at(&self.reach, cell).as_ref();
        let classes = reach.iter().zip(sliders);
        classes.fold(G::Bits::EMPTY, |u, (&reach, &users)| u | (reach & users))
    }

    /// The cells between two cells of one straight line.
    #[inline(always)]
    fn between(&self, from: Cell, to: Cell) -> G::Bits {
        let row: &Between<G> = G::Bits::at(&self.between, from);
        *G::Bits::at(row, to)
    }

    /// The sliders that see `cell`; one set for each class of paths.
    #[inline(always)]
    pub(crate) fn sliders_at(&self, cell: Cell, occupied: G::Bits, sliders: &[G::Bits]) -> G::Bits {
        let mut found = G::Bits::EMPTY;
        unrolled!(G::AXES.len, axis => {
            let users = sliders[G::AXES.get(axis).1];
            let [lower, upper] = self.ray_pair(axis, cell);
            if ((lower | upper) & users).any() {
                found |= self.line(axis, cell, occupied) & users;
            }
        });
        for &(kind, class) in &self.crooked {
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
        kinds: &[G::Bits],
        cell: Cell,
        occupied: G::Bits,
        side: Side,
        by: G::Bits,
    ) -> G::Bits {
        let sliders = Self::by_class(kinds, by);
        let leapers = self.leapers_at(kinds, cell, side) & by;
        leapers | self.sliders_at(cell, occupied, sliders.as_ref())
    }

    /// Every line on which a slider looks at `cell`, whatever stands between: calls
    /// `line(slider, between)` for each. One slider may have several lines.
    #[inline(always)]
    pub(crate) fn lines_to(
        &self,
        cell: Cell,
        sliders: &[G::Bits],
        mut line: impl FnMut(Cell, G::Bits),
    ) {
        for slider in self.aligned(cell, sliders).cells() {
            line(slider, self.between(cell, slider));
        }
        for axis in 0..G::AXES.len {
            let (step, class) = G::AXES.get(axis);
            if !skips(step) {
                continue;
            }
            let users = sliders[class];
            let [lower, upper] = self.ray_pair(axis, cell);
            for slider in (lower & users).cells() {
                line(slider, lower & self.ray_pair(axis, slider)[1]);
            }
            for slider in (upper & users).cells() {
                line(slider, upper & self.ray_pair(axis, slider)[0]);
            }
        }
        for &(kind, class) in &self.crooked {
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

/// The pieces of a side that attack a cell on a board where certain cells block.
struct Attackers<'p, G: Game>(&'p Position<G>, Cell, Side, G::Bits);

impl<G: Game> Task<G::Bits> for Attackers<'_, G> {
    type Output = G::Bits;

    #[inline(always)]
    fn run<F: Form<G::Bits>>(self, form: F) -> G::Bits {
        let Attackers(position, cell, side, occupied) = self;
        let tables = G::tables();
        let kinds = position.men.kinds.as_ref();
        let by = position.side(side);
        let leapers = tables.leapers_at(kinds, cell, side) & by;
        let sliders = form.sliders::<G>(kinds, by);
        leapers | form.seen_from(tables, cell, form.set(occupied), &sliders)
    }
}

/// The pieces of `side` that attack `cell` on a board where `occupied` blocks.
pub(crate) fn attackers<G: Game>(
    position: &Position<G>,
    simd: Simd,
    cell: Cell,
    side: Side,
    occupied: G::Bits,
) -> G::Bits {
    run(simd, Attackers(position, cell, side, occupied))
}

/// Whether the side to move is in check.
struct Checked<'p, G: Game>(&'p Position<G>);

impl<G: Game> Task<G::Bits> for Checked<'_, G> {
    type Output = bool;

    #[inline(always)]
    fn run<F: Form<G::Bits>>(self, form: F) -> bool {
        let tables = G::tables();
        let men = &self.0.men;
        let king = self.0.king(men.side);
        let kinds = men.kinds.as_ref();
        let them = self.0.side(men.side.other());
        let leapers = tables.leapers_at(kinds, king, men.side.other()) & them;
        let sliders = form.sliders::<G>(kinds, them);
        leapers.any() | form.seen(tables, king, form.set(self.0.occupied()), &sliders)
    }
}

/// Whether the side to move is in check.
pub(crate) fn in_check<G: Game>(position: &Position<G>, simd: Simd) -> bool {
    run(simd, Checked(position))
}

/// One query, for tests and benches: the generator asks its own from within a form.
pub struct Query<B> {
    pub(crate) kind: Kind,
    pub(crate) cell: Cell,
    pub(crate) occupied: B,
    pub(crate) to: B,
}

/// The cells that a query finds.
struct Cells<G: Game>(Query<G::Bits>);

impl<G: Game> Task<G::Bits> for Cells<G> {
    type Output = G::Bits;

    #[inline(always)]
    fn run<F: Form<G::Bits>>(self, form: F) -> G::Bits {
        let Query {
            kind,
            cell,
            occupied,
            to,
        } = self.0;
        let tables = G::tables();
        let mut found = tables.leaps(kind, cell) & to;
        let (occupied, to) = (form.set(occupied), form.set(to));
        form.query(tables, kind, cell, occupied, to, |c| {
            found |= G::Bits::of(c);
        });
        found
    }
}

/// The number of cells that queries find, over many occupancies.
struct Sum<'o, G: Game>(Kind, Cell, &'o [G::Bits]);

impl<G: Game> Task<G::Bits> for Sum<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run<F: Form<G::Bits>>(self, form: F) -> u64 {
        let Sum(kind, cell, occupancies) = self;
        let tables = G::tables();
        let all = form.set(tables.all);
        let count = |&o| u64::from(form.query_count(tables, kind, cell, form.set(o), all));
        occupancies.iter().map(count).sum()
    }
}

/// The cells of `to` that a piece of `kind` (not the pawn) attacks, computed in a certain form.
pub fn attacks_in<G: Game>(
    simd: Simd,
    kind: Kind,
    cell: Cell,
    occupied: G::Bits,
    to: G::Bits,
) -> G::Bits {
    let query = Query {
        kind,
        cell,
        occupied,
        to,
    };
    G::attacks_in(simd, query)
}

/// Asks a query.
pub(crate) fn find<G: Game>(simd: Simd, query: Query<G::Bits>) -> G::Bits {
    run(simd, Cells::<G>(query))
}

/// The number of cells that a piece of `kind` sees along its paths, summed over occupancies: many
/// queries behind one choice of the form, as in the generator.
pub fn count_slides_in<G: Game>(
    simd: Simd,
    kind: Kind,
    cell: Cell,
    occupancies: &[G::Bits],
) -> u64 {
    G::count_slides_in(simd, kind, cell, occupancies)
}

/// Asks them.
pub(crate) fn sum<G: Game>(simd: Simd, kind: Kind, cell: Cell, occupancies: &[G::Bits]) -> u64 {
    run(simd, Sum::<G>(kind, cell, occupancies))
}
