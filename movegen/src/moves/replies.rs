//! Counting the replies to each move of a position: what sliders see is worked out once for the position, and
//! after a move again only for those that see a cell that it changed.

use super::context::{Context, Queries};
use crate::attacks::Backend;
use crate::position::Pieces;
use crate::rules::{KING, Move};
use crate::sets::Bits;
use crate::tables::{PerCell, Tabled};

/// What the sliders of the side not to move see, before any move.
pub(crate) struct Seen<G: Tabled> {
    /// For each cell the sliders that see it.
    by: PerCell<G, G::Word>,
    /// For each slider's cell the number of cells it sees, its own side's excepted.
    counts: PerCell<G, u8>,
    sliders: G::Word,
    /// The sum of all counts.
    total: u32,
}

impl<G: Tabled> Seen<G> {
    /// Walks the paths of the side not to move.
    #[inline(always)]
    pub fn new<F: Backend<G::Word>>(backend: F, context: &Context<'_, G>) -> Self {
        let (t, pieces) = (context.pieces.tables(), context.pieces);
        let them = pieces.side(pieces.side.other());
        let kinds = pieces.kinds.as_ref();
        let mut seen = Seen {
            by: G::Word::filled(G::Word::EMPTY),
            counts: G::Word::filled(0),
            sliders: t.pieces_of(kinds, t.plan().sliding) & them,
            total: 0,
        };
        let movers = context.movers(seen.sliders);
        let (occupied, all) = (backend.set(pieces.occupied()), backend.set(t.all));
        backend.visit(t, &movers, occupied, all, |from, to| {
            *G::Word::at_mut(&mut seen.by, to) |= G::Word::of(from);
            let counts = u8::from(!them.has(to));
            *G::Word::at_mut(&mut seen.counts, from) += counts;
            seen.total += u32::from(counts);
        });
        seen
    }

    /// The same after a move from `before` to `after`.
    #[inline(always)]
    pub fn after(&self, before: &Pieces<G>, after: &Pieces<G>, mv: Move) -> AfterMove<'_, G> {
        // Not by comparing the boards: loading as a whole what was just stored by halves stalls. A cell too many only
        // costs a recount.
        let mut changed = G::Word::of(mv.from) | G::Word::of(mv.to);
        if let Some(ep) = before.en_passant {
            changed |= G::Word::of(ep.stands);
        }
        let castling = before.tables().plan().rules.castling.is_some();
        if castling && before.kind(KING).has(mv.from) {
            changed = differing(before, after);
        }
        debug_assert!(!(differing(before, after) & !changed).any(), "{mv:?}");
        AfterMove {
            before: Some(self),
            changed,
        }
    }
}

/// The cells on which one board has another piece than the other.
#[cold]
#[inline(never)]
fn differing<G: Tabled>(one: &Pieces<G>, other: &Pieces<G>) -> G::Word {
    let [white, black] = [0, 1].map(|side| one.sides[side] ^ other.sides[side]);
    white | black
}

/// Counts the moves of sliders; those that the last move did not affect need not be counted again.
pub(crate) struct AfterMove<'s, G: Tabled> {
    before: Option<&'s Seen<G>>,
    /// The cells that the move changed, and perhaps another one.
    changed: G::Word,
}

impl<G: Tabled> AfterMove<'_, G> {
    /// Where nothing is known: all are counted.
    #[inline(always)]
    pub fn none() -> Self {
        AfterMove {
            before: None,
            changed: G::Word::EMPTY,
        }
    }

    /// How many moves onto `to` the pieces on `movers` have along their paths.
    #[inline(always)]
    pub fn count<F: Backend<G::Word>>(
        &self,
        context: &Context<'_, G>,
        movers: G::Word,
        queries: &Queries<'_, G, F>,
        to: G::Word,
    ) -> u32 {
        let own = context.pieces.side(context.pieces.side);
        let (mut count, mut recounted) = (0, movers);
        // In check or when pinned, fewer cells are allowed than were counted.
        if let Some(before) = self.before
            && to == queries.tables.all & !own
        {
            let mut touched = G::Word::EMPTY;
            for cell in self.changed.cells() {
                touched |= *G::Word::at(&before.by, cell);
            }
            recounted = touched & movers;
            count = before.total;
            for cell in (before.sliders & !(movers & !touched)).cells() {
                count -= u32::from(*G::Word::at(&before.counts, cell));
            }
        }
        if recounted.any() {
            let (backend, t) = (queries.backend, queries.tables);
            let movers = context.movers(recounted);
            count += backend.count(t, &movers, queries.occupied, backend.set(to));
        }
        count
    }
}
