//! Counting the replies to each move of a position: what sliders see is worked out once for the position, and
//! after a move again only for those that see one of the cells that it changed.

use crate::attacks::kinds_with_paths;
use crate::bits::Bits;
use crate::form::Form;
use crate::games::Game;
use crate::generate::{Scene, View};
use crate::men::Men;
use crate::tables::{PerCell, Tables};

/// How a count of moves gets those of sliders.
pub(crate) trait CountSlides<G: Game> {
    /// How many moves onto `to` the pieces on `movers` have along their paths.
    fn count<F: Form<G::Bits>>(
        &self,
        scene: &Scene<'_, G>,
        movers: G::Bits,
        view: &View<'_, G, F>,
        to: G::Bits,
    ) -> u32;
}

/// Each is looked at.
pub(crate) struct Afresh;

impl<G: Game> CountSlides<G> for Afresh {
    #[inline(always)]
    fn count<F: Form<G::Bits>>(
        &self,
        scene: &Scene<'_, G>,
        movers: G::Bits,
        view: &View<'_, G, F>,
        to: G::Bits,
    ) -> u32 {
        let (form, t) = (view.form, view.tables);
        form.count(t, &scene.movers(movers), view.occupied, form.set(to))
    }
}

/// What the sliders of the side not to move see, before any move.
pub(crate) struct Seen<G: Game> {
    /// For each cell the sliders that see it.
    by: PerCell<G, G::Bits>,
    /// For each slider's cell how many cells it sees but for its own side's.
    counts: PerCell<G, u8>,
    sliders: G::Bits,
    /// The sum of all counts.
    total: u32,
}

impl<G: Game> Seen<G> {
    /// Looks along the paths of the side not to move.
    #[inline(always)]
    pub fn new<F: Form<G::Bits>>(form: F, scene: &Scene<'_, G>) -> Self {
        let (t, men) = (G::tables(), scene.men);
        let them = men.side(men.side.other());
        let kinds = men.kinds.as_ref();
        let mut seen = Seen {
            by: G::Bits::filled(G::Bits::EMPTY),
            counts: G::Bits::filled(0),
            sliders: Tables::<G>::pieces_of(kinds, const { kinds_with_paths::<G>(0) }) & them,
            total: 0,
        };
        let movers = scene.movers(seen.sliders);
        let (occupied, all) = (form.set(men.occupied()), form.set(t.all));
        form.visit(t, &movers, occupied, all, |from, to| {
            *G::Bits::at_mut(&mut seen.by, to) |= G::Bits::of(from);
            let counts = u8::from(!them.has(to));
            *G::Bits::at_mut(&mut seen.counts, from) += counts;
            seen.total += u32::from(counts);
        });
        seen
    }

    /// The same after a move from `before` to `after`.
    #[inline(always)]
    pub fn after(&self, before: &Men<G>, after: &Men<G>) -> AfterMove<'_, G> {
        let [white, black] = [0, 1].map(|side| before.sides[side] ^ after.sides[side]);
        AfterMove {
            before: self,
            changed: white | black,
        }
    }
}

/// Those that the last move left as they were are known.
pub(crate) struct AfterMove<'s, G: Game> {
    before: &'s Seen<G>,
    /// The cells that the move changed.
    changed: G::Bits,
}

impl<G: Game> CountSlides<G> for AfterMove<'_, G> {
    #[inline(always)]
    fn count<F: Form<G::Bits>>(
        &self,
        scene: &Scene<'_, G>,
        movers: G::Bits,
        view: &View<'_, G, F>,
        to: G::Bits,
    ) -> u32 {
        let own = scene.men.side(scene.men.side);
        if to != view.tables.all & !own {
            // A check or a pin leaves fewer cells than were counted.
            return Afresh.count(scene, movers, view, to);
        }
        let mut touched = G::Bits::EMPTY;
        for cell in self.changed.cells() {
            touched |= *G::Bits::at(&self.before.by, cell);
        }
        let touched = touched & movers;
        let known = movers & !touched;
        let mut count = self.before.total;
        for cell in (self.before.sliders & !known).cells() {
            count -= u32::from(*G::Bits::at(&self.before.counts, cell));
        }
        if touched.any() {
            count += Afresh.count(scene, touched, view, to);
        }
        count
    }
}
