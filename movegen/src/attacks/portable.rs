//! Sliding attacks by plain 64-bit arithmetic: obstruction difference on straight lines, and on crooked ones
//! after some shifting. No vectors; the other backends are tested against it.

#[cfg(target_arch = "x86_64")]
use std::sync::OnceLock;

use super::backend::{Backend, Kernel, Lines, Movers};
use crate::rules::{Kind, Rules};
use crate::sets::{Bits, Cell};
use crate::tables::Tables;

/// The backend that runs everywhere. For x86-64 processors that count and scan bits in one instruction, as all of the
/// last ten years do, it is compiled with those (`SCANS`); for older ones, too, with the feature `old-processors`.
#[derive(Clone, Copy)]
pub(super) struct Portable<const SCANS: bool>(());

#[cfg(target_arch = "x86_64")]
impl Portable<true> {
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        static FOUND: OnceLock<bool> = OnceLock::new();
        let scans = *FOUND.get_or_init(|| {
            is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
        });
        scans.then_some(Portable(()))
    }
}

impl Portable<false> {
    /// What runs where nothing is detected.
    pub const ANYWHERE: Self = Portable(());
}

/// Whether this processor can run it as it was compiled.
pub(super) fn is_available() -> bool {
    #[cfg(all(target_arch = "x86_64", not(feature = "old-processors")))]
    return Portable::detect().is_some();
    #[cfg(any(not(target_arch = "x86_64"), feature = "old-processors"))]
    true
}

/// The same code where the compiler may count and scan bits in one instruction, which the oldest
/// x86-64 processors lack: a third of the portable backend's time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
fn compiled<B: Bits, T: Kernel<B>, F: Backend<B>>(kernel: T, backend: F) -> T::Output {
    kernel.run(backend)
}

/// The same without those instructions. It must not be inlined: a kernel that dispatches itself again, as perft
/// does, would then contain itself, which the compiler cannot inline into `compiled`.
#[inline(never)]
fn plain<B: Bits, T: Kernel<B>, F: Backend<B>>(kernel: T, backend: F) -> T::Output {
    kernel.run(backend)
}

impl<B: Bits, const SCANS: bool> Backend<B> for Portable<SCANS> {
    const LEAN: bool = cfg!(target_arch = "x86_64") && !SCANS;

    type Set = B;
    /// One set for each class of paths.
    type Sliders<'p, G: Rules<Word = B>> = G::PerClass<B>;

    #[inline(always)]
    fn set(self, bits: B) -> B {
        bits
    }

    #[inline(always)]
    fn sliders<G: Rules<Word = B>>(self, t: &Tables<G>, kinds: &[B], them: B) -> G::PerClass<B> {
        t.by_class(kinds, them)
    }

    #[inline(always)]
    fn count<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        movers: &Movers<'_, G>,
        occupied: B,
        to: B,
    ) -> u32 {
        let mut count = 0;
        let overlapping = t.overlapping(movers.kinds) & movers.on;
        for from in overlapping.cells() {
            let seen = t.slides(movers.kind_on(from), from, occupied);
            count += (seen & to).count();
        }
        let on = movers.on & !overlapping;
        t.each_straight(movers.kinds, on, occupied, |_, seen| {
            count += (seen & to).count();
        });
        // All kinds in one loop: with one loop per kind the exits are mispredicted too often.
        let crooked = t.pieces_of(movers.kinds, t.plan().crooked);
        for from in (crooked & on).cells() {
            let seen = t.crooked_slides(movers.kind_on(from), from, occupied);
            count += (seen & to).count();
        }
        count
    }

    #[inline(always)]
    fn visit<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        movers: &Movers<'_, G>,
        occupied: B,
        to: B,
        mut each: impl FnMut(Cell, Cell),
    ) {
        let overlapping = t.overlapping(movers.kinds) & movers.on;
        for from in overlapping.cells() {
            let seen = t.slides(movers.kind_on(from), from, occupied);
            (seen & to).cells().for_each(|to| each(from, to));
        }
        let on = movers.on & !overlapping;
        t.each_straight(movers.kinds, on, occupied, |from, seen| {
            (seen & to).cells().for_each(|to| each(from, to));
        });
        for &(kind, _) in t.crooked_kinds() {
            for from in (movers.kinds[usize::from(kind)] & on).cells() {
                let seen = t.crooked_slides(kind, from, occupied);
                (seen & to).cells().for_each(|to| each(from, to));
            }
        }
    }

    #[inline(always)]
    fn query<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: B,
        to: B,
        each: impl FnMut(Cell),
    ) {
        (t.slides(kind, cell, occupied) & to).cells().for_each(each);
    }

    #[inline(always)]
    fn query_count<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: B,
        to: B,
    ) -> u32 {
        (t.slides(kind, cell, occupied) & to).count()
    }

    #[inline(always)]
    fn query_counts<G: Rules<Word = B>, const N: usize>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: B,
        to: [B; N],
    ) -> [u32; N] {
        let seen = t.slides(kind, cell, occupied);
        to.map(|to| (seen & to).count())
    }

    #[inline(always)]
    fn lines<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        king: Cell,
        occupied: B,
        own: B,
        sliders: &G::PerClass<B>,
    ) -> Lines<B> {
        let mut lines = Lines {
            allowed: t.all,
            pinned: B::EMPTY,
        };
        t.lines_to(king, sliders.as_ref(), |slider, between| {
            let blockers = between & occupied;
            if !blockers.any() {
                lines.allowed &= between | B::of(slider);
            } else if !blockers.without_first().any() {
                lines.pinned |= blockers & own;
            }
        });
        lines
    }

    #[inline(always)]
    fn seen<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        cell: Cell,
        occupied: B,
        sliders: &G::PerClass<B>,
    ) -> bool {
        self.seen_from(t, cell, occupied, sliders).any()
    }

    #[inline(always)]
    fn seen_from<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        cell: Cell,
        occupied: B,
        sliders: &G::PerClass<B>,
    ) -> B {
        t.sliders_at(cell, occupied, sliders.as_ref())
    }

    #[inline(always)]
    fn dispatch<T: Kernel<B>>(self, kernel: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        if const { SCANS } {
            // SAFETY: there is a `Portable<true>` only where all those features were detected.
            return unsafe { compiled(kernel, self) };
        }
        plain(kernel, self)
    }
}
