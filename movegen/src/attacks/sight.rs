//! What pieces see, for callers that ask many questions about one position, such as an evaluation.
//!
//! An [`Observer`] is compiled for each backend and dispatched to once; all questions to its [`Sight`] are
//! answered with the instructions of that backend.

use super::backend::{Backend, Kernel, dispatch};
use super::simd::Simd;
use crate::rules::{Kind, Side};
use crate::sets::{Bits, Cell};
use crate::tables::{Tabled, Tables};

/// Questions about who sees what, answered by one backend.
pub trait Sight<G: Tabled>: Copy {
    /// A set of cells made ready for queries.
    type Set: Copy;

    /// Makes a set ready.
    fn set(self, cells: G::Word) -> Self::Set;

    /// How many cells of each set of `to` a piece of `kind` (not the pawn) on `cell` attacks when the
    /// cells of `occupied` block. Own pieces are among them unless `to` leaves them out.
    fn counts<const N: usize>(
        self,
        kind: Kind,
        cell: Cell,
        occupied: Self::Set,
        to: [Self::Set; N],
    ) -> [u32; N];

    /// The cells that the pawns of a side attack.
    fn pawn_attacks(self, side: Side, pawns: G::Word) -> G::Word;

    /// The cells one pawn step of a side ahead of `cells`, occupied or not.
    fn pawn_steps(self, side: Side, cells: G::Word) -> G::Word;
}

/// Code that asks about a position, to be compiled for each backend.
pub trait Observer<G: Tabled> {
    /// Whether it is worth that; else it is compiled for the portable backend alone.
    const HOT: bool = true;

    /// What comes out.
    type Output;

    /// Runs. Implementations should be `#[inline(always)]`, and so should all that they call with the sight:
    /// code that is not inlined is compiled without the backend's instructions.
    fn observe<S: Sight<G>>(self, sight: S) -> Self::Output;
}

/// Runs an observer in a backend. A backend that this processor cannot run is replaced by the portable one.
#[inline]
pub fn observe<G: Tabled, O: Observer<G>>(game: G, simd: Simd, observer: O) -> O::Output {
    dispatch(simd, Observation(observer, game))
}

struct Observation<O, G>(O, G);

impl<G: Tabled, O: Observer<G>> Kernel<G::Word> for Observation<O, G> {
    type Output = O::Output;
    const VECTORS: bool = G::FIXED && O::HOT;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> O::Output {
        self.0.observe(InForm {
            backend,
            tables: self.1.lookup(),
        })
    }
}

/// The sight of one backend.
struct InForm<G: Tabled, F> {
    backend: F,
    tables: &'static Tables<G>,
}

impl<G: Tabled, F: Copy> Clone for InForm<G, F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Tabled, F: Copy> Copy for InForm<G, F> {}

/// A set as plain bits for leaps, and made ready for the backend.
#[derive(Clone, Copy)]
struct Both<B, S> {
    bits: B,
    set: S,
}

impl<G: Tabled, F: Backend<G::Word>> Sight<G> for InForm<G, F> {
    type Set = Both<G::Word, F::Set>;

    #[inline(always)]
    fn set(self, cells: G::Word) -> Self::Set {
        Both {
            bits: cells,
            set: self.backend.set(cells),
        }
    }

    #[inline(always)]
    fn counts<const N: usize>(
        self,
        kind: Kind,
        cell: Cell,
        occupied: Self::Set,
        to: [Self::Set; N],
    ) -> [u32; N] {
        let mut counts = [0; N];
        if self.tables.plan().sliding >> kind & 1 != 0 {
            let to = to.map(|to| to.set);
            counts = self
                .backend
                .query_counts(self.tables, kind, cell, occupied.set, to);
        }
        let leapers = &self.tables.plan().leapers;
        let leaper = (0..leapers.len).find(|&place| leapers.get(place) == kind);
        if let Some(place) = leaper {
            let leaps = self.tables.leaps_of(place, cell);
            for (count, to) in counts.iter_mut().zip(&to) {
                *count += (leaps & to.bits).count();
            }
        }
        counts
    }

    #[inline(always)]
    fn pawn_attacks(self, side: Side, pawns: G::Word) -> G::Word {
        self.backend.pawn_attacks(self.tables, side, pawns)
    }

    #[inline(always)]
    fn pawn_steps(self, side: Side, cells: G::Word) -> G::Word {
        self.backend.pawn_steps(self.tables, side, cells)
    }
}
