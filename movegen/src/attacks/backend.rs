//! The trait of the backends that compute sliding attacks, one for each family of processors.
//!
//! All backends give the same answers. The generator is written once, generic over [`Backend`]; each backend
//! compiles it with the instructions it may use. Which one runs is chosen once for the process, by
//! what the processor has ([`Simd::chosen`]), and dispatched to once for each list of moves or perft.

use super::portable;
use super::simd::Simd;
#[cfg(all(target_arch = "x86_64", not(feature = "old-processors")))]
use super::simd::SimdError;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512, lanes};
use crate::rules::{Kind, Rules, Side, kind_of};
use crate::sets::{Bits, Cell, Words};
use crate::tables::{PawnStep, SetStep, Tables};

/// What the lines to a king mean for its side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lines<B> {
    /// Where a piece must go to end every check from afar: all cells where there is none.
    pub allowed: B,
    /// Own pieces that alone stand between the king and a slider.
    pub pinned: B,
}

/// The pieces whose moves are wanted.
pub(crate) struct Movers<'p, G: Rules> {
    /// For each cell its piece, right where those that move stand.
    pub cells: &'p [u8],
    /// The pieces of each kind, of both sides.
    pub kinds: &'p [G::Word],
    /// The cells of those that move.
    pub on: G::Word,
}

impl<G: Rules> Movers<'_, G> {
    /// The kind of a piece that moves.
    #[inline(always)]
    pub fn kind_on(&self, cell: Cell) -> Kind {
        kind_of(self.cells[usize::from(cell)])
    }
}

/// Sliding attacks, computed with one family of instructions.
///
/// Methods are inlined into what [`Backend::dispatch`] compiles; a value of a backend exists only where its
/// instructions may run.
pub(crate) trait Backend<B: Bits>: Copy + 'static {
    /// Whether little code is worth more than speed: on processors that hardly anybody has.
    const LEAN: bool = false;
    /// A set of cells made ready for queries.
    type Set: Copy;
    /// The sliders of one side, made ready for the questions who sees a cell and who pins.
    type Sliders<'p, G: Rules<Word = B>>: Copy;

    /// Makes a set ready.
    fn set(self, bits: B) -> Self::Set;

    /// Makes the sliders among `them` ready; `kinds` has one set for each kind.
    fn sliders<'p, G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        kinds: &'p [B],
        them: B,
    ) -> Self::Sliders<'p, G>;

    /// How many moves onto `to` the movers have along their paths; leaps are not counted.
    fn count<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        movers: &Movers<'_, G>,
        occupied: Self::Set,
        to: Self::Set,
    ) -> u32;

    /// Calls `each(from, to)` for those moves.
    fn visit<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        movers: &Movers<'_, G>,
        occupied: Self::Set,
        to: Self::Set,
        each: impl FnMut(Cell, Cell),
    );

    /// The cells of `to` that one piece of `kind` sees along its paths.
    fn query<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Self::Set,
        to: Self::Set,
        each: impl FnMut(Cell),
    );

    /// The number of those cells.
    fn query_count<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Self::Set,
        to: Self::Set,
    ) -> u32;

    /// The same for several sets `to` at once.
    fn query_counts<G: Rules<Word = B>, const N: usize>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Self::Set,
        to: [Self::Set; N],
    ) -> [u32; N];

    /// Checks and pins on the lines to `king`, found along all paths at once.
    fn lines<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        king: Cell,
        occupied: Self::Set,
        own: Self::Set,
        sliders: &Self::Sliders<'_, G>,
    ) -> Lines<B>;

    /// All cells of a set moved by one step of the game's pawns, see [`PawnStep`].
    #[inline(always)]
    fn step<G: Rules<Word = B>, const WHITE: bool, const CAPTURE: bool, const PLACE: usize>(
        self,
        table: &SetStep<B>,
        set: B,
    ) -> B {
        PawnStep::<G, WHITE, CAPTURE, PLACE>::apply(table, set)
    }

    /// The cells that pawns of a side attack.
    #[inline(always)]
    fn pawn_attacks<G: Rules<Word = B>>(self, t: &Tables<G>, side: Side, pawns: B) -> B {
        match side {
            Side::White => self.stepped::<G, true, true>(t, pawns),
            Side::Black => self.stepped::<G, false, true>(t, pawns),
        }
    }

    /// The cells one pawn step of a side ahead of cells, occupied or not.
    #[inline(always)]
    fn pawn_steps<G: Rules<Word = B>>(self, t: &Tables<G>, side: Side, cells: B) -> B {
        match side {
            Side::White => self.stepped::<G, true, false>(t, cells),
            Side::Black => self.stepped::<G, false, false>(t, cells),
        }
    }

    /// The sets of a few pawn directions together. The side is a constant wherever this is inlined, so
    /// that every shift is one.
    #[inline(always)]
    fn stepped<G: Rules<Word = B>, const WHITE: bool, const CAPTURES: bool>(
        self,
        t: &Tables<G>,
        set: B,
    ) -> B {
        let mut out = B::EMPTY;
        let table = &t.pawns[usize::from(!WHITE)];
        if CAPTURES {
            unrolled_few!(G, t.plan(), pawn_captures, i, PLACE => {
                out |= self.step::<G, WHITE, true, PLACE>(&table.captures[i], set);
            });
        } else {
            unrolled_few!(G, t.plan(), pawn_steps, i, PLACE => {
                out |= self.step::<G, WHITE, false, PLACE>(&table.steps[i], set);
            });
        }
        out
    }

    /// Whether a slider sees the cell.
    fn seen<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        cell: Cell,
        occupied: Self::Set,
        sliders: &Self::Sliders<'_, G>,
    ) -> bool;

    /// The sliders that see the cell.
    fn seen_from<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        cell: Cell,
        occupied: Self::Set,
        sliders: &Self::Sliders<'_, G>,
    ) -> B;

    /// Runs a kernel in code compiled for this backend.
    fn dispatch<T: Kernel<B>>(self, kernel: T) -> T::Output;
}

/// Code to be compiled for each backend.
pub(crate) trait Kernel<B: Bits> {
    /// What comes out.
    type Output;
    /// Whether it can be compiled for the backends that work in path space, which games from files lack.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // there are none
    const VECTORS: bool;

    /// Runs it. Implementations must be `#[inline(always)]`, or they miss the backend's instructions.
    fn run<F: Backend<B>>(self, backend: F) -> Self::Output;
}

/// Runs a kernel as on a processor that has none of the instructions that are asked for.
pub(crate) fn dispatch_anywhere<B: Bits, T: Kernel<B>>(kernel: T) -> T::Output {
    portable::Portable::ANYWHERE.dispatch(kernel)
}

/// Runs a kernel in a backend. A backend that this processor cannot run is replaced by the portable one.
///
/// # Panics
/// If it cannot run that either; see [`SimdError::TooOld`].
#[inline(always)]
pub(crate) fn dispatch<B, T>(simd: Simd, kernel: T) -> T::Output
where
    B: Bits + Words,
    T: Kernel<B>,
{
    #[cfg(target_arch = "x86_64")]
    if const { T::VECTORS } {
        match simd {
            Simd::Portable => {}
            Simd::Avx2 => {
                if let Some(backend) = avx2::Avx2::detect() {
                    return lanes::LaneBackend(backend).dispatch(kernel);
                }
            }
            Simd::Avx512 => {
                if let Some(backend) = avx512::Avx512::detect() {
                    return lanes::LaneBackend(backend).dispatch(kernel);
                }
            }
        }
    }
    let _ = simd;
    #[cfg(target_arch = "x86_64")]
    if let Some(backend) = portable::Portable::detect() {
        return backend.dispatch(kernel);
    }
    #[cfg(any(not(target_arch = "x86_64"), feature = "old-processors"))]
    return portable::Portable::ANYWHERE.dispatch(kernel);
    #[cfg(all(target_arch = "x86_64", not(feature = "old-processors")))]
    panic!("{}", SimdError::TooOld);
}
