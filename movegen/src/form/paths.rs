//! Sliding attacks in path space, for all forms that can fill a word of lanes quickly.

use std::arch::x86_64::{__m256i, __m512i};

use super::{Form, Lines, Movers, Task};
use crate::bits::{Bits, Cell};
use crate::games::Game;
use crate::lanes::{Lanes, ones};
use crate::piece::Kind;
use crate::spec::{MOST_KINDS, Step};
use crate::tables::{SetStep, Tables};

/// How a set of cells lies in vector registers, for gathering its bits into lanes.
///
/// The methods are unsafe because they use instructions that the processor may lack.
pub trait Vectors: Bits {
    /// The set as the 256-bit form wants it.
    type Avx2: Copy;

    /// Loads a set.
    ///
    /// # Safety
    /// The processor must have AVX2.
    unsafe fn load_avx2(self) -> Self::Avx2;

    /// The bytes at 32 indices, each below the size of the set in bytes.
    ///
    /// # Safety
    /// The processor must have AVX2.
    unsafe fn bytes_avx2(set: Self::Avx2, index: __m256i) -> __m256i;

    /// Loads a set, repeated as often as it fits.
    ///
    /// # Safety
    /// The processor must have AVX-512 F and BW.
    unsafe fn load_avx512(self) -> __m512i;

    /// All cells of a set moved by a step of a board that is numbered densely.
    ///
    /// # Safety
    /// The processor must have BMI2.
    unsafe fn carry(self, table: &SetStep<Self>) -> Self;

    /// The bytes at 64 indices, each below the size of the set in bytes.
    ///
    /// # Safety
    /// The processor must have AVX-512 F, BW and VBMI.
    unsafe fn bytes_avx512(set: __m512i, index: __m512i) -> __m512i;
}

/// A form that gathers.
pub(super) trait Gather<B: Bits>: Copy + 'static {
    type Set: Copy;
    fn set(self, bits: B) -> Self::Set;
    /// The bits of the lanes whose cells are in the set.
    fn gather(self, lanes: &Lanes, set: Self::Set) -> u64;
    /// All cells of a set moved by a step of a board that is numbered densely.
    fn carry(self, table: &SetStep<B>, set: B) -> B;
    /// Runs a task in code compiled for this form.
    fn enter<T: Task<B>>(self, task: T) -> T::Output;
}

/// The bits of a word in which an enemy slider stands that attacks along them.
#[inline(always)]
fn attackers<B: Bits, G: Game<Bits = B>, Q: Gather<B>>(
    form: Q,
    t: &Tables<G>,
    cell: Cell,
    word: usize,
    sliders: &[Q::Set],
) -> u64 {
    let lanes = t.lanes.lanes(cell, word);
    let mut found = 0;
    for (class, &sliders) in sliders.iter().enumerate() {
        if G::CLASS_WORDS.as_ref()[class] == word {
            let bits = t.lanes.class_bits(cell, class);
            found |= form.gather(lanes, sliders) & bits;
        }
    }
    found
}

/// The pieces that have paths in a word.
#[inline(always)]
fn users<B: Bits, G: Game<Bits = B>>(classes: &[B], word: usize) -> B {
    let mut users = B::EMPTY;
    for (class, &pieces) in classes.iter().enumerate() {
        if G::CLASS_WORDS.as_ref()[class] == word {
            users |= pieces;
        }
    }
    users
}

/// The words in which a kind has paths, bit w for word w.
#[inline(always)]
fn words_of<G: Game>(kind: Kind) -> u32 {
    let mut words = 0;
    for (class, word) in G::CLASS_WORDS.as_ref().iter().enumerate() {
        let uses = u32::from(G::CLASSES.get(class)) >> kind & 1;
        words |= uses << word;
    }
    words
}

/// The form of those that gather.
#[derive(Clone, Copy)]
pub(super) struct InPathSpace<Q>(pub Q);

impl<Q> InPathSpace<Q> {
    /// The bits that a piece sees and owns in a word.
    #[inline(always)]
    fn seen_by<B: Bits, G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        word: usize,
        occupied: Q::Set,
    ) -> (&Lanes, u64)
    where
        Q: Gather<B>,
    {
        let lanes = t.lanes.lanes(cell, word);
        let own = lanes.own[usize::from(kind) % MOST_KINDS];
        (lanes, lanes.seen(self.0.gather(lanes, occupied)) & own)
    }
}

impl<B: Bits, Q: Gather<B>> Form<B> for InPathSpace<Q> {
    type Set = Q::Set;

    #[inline(always)]
    fn count<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        movers: &Movers<'_, G>,
        occupied: Q::Set,
        to: Q::Set,
    ) -> u32 {
        // All kinds of a word in one loop: a loop for each kind would end unforeseen too often.
        let mut count = 0;
        for word in 0..G::WORDS {
            for from in (users::<B, G>(movers.classes, word) & movers.on).cells() {
                let (lanes, seen) =
                    self.seen_by(t, movers.position.kind_on(from), from, word, occupied);
                count += (seen & self.0.gather(lanes, to)).count_ones();
            }
        }
        count
    }

    #[inline(always)]
    fn visit<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        movers: &Movers<'_, G>,
        occupied: Q::Set,
        to: Q::Set,
        mut each: impl FnMut(Cell, Cell),
    ) {
        for word in 0..G::WORDS {
            for from in (users::<B, G>(movers.classes, word) & movers.on).cells() {
                let (lanes, seen) =
                    self.seen_by(t, movers.position.kind_on(from), from, word, occupied);
                for i in ones(seen & self.0.gather(lanes, to)) {
                    each(from, lanes.cells[i]);
                }
            }
        }
    }

    #[inline(always)]
    fn set(self, bits: B) -> Q::Set {
        self.0.set(bits)
    }

    #[inline(always)]
    fn query_count<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Q::Set,
        to: Q::Set,
    ) -> u32 {
        let mut count = 0;
        for word in 0..G::WORDS {
            let (lanes, seen) = self.seen_by(t, kind, cell, word, occupied);
            count += (seen & self.0.gather(lanes, to)).count_ones();
        }
        count
    }

    #[inline(always)]
    fn query_counts<G: Game<Bits = B>, const N: usize>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Q::Set,
        to: [Q::Set; N],
    ) -> [u32; N] {
        let mut counts = [0; N];
        let words = words_of::<G>(kind);
        for word in 0..G::WORDS {
            if G::WORDS > 1 && words >> word & 1 == 0 {
                continue;
            }
            let (lanes, seen) = self.seen_by(t, kind, cell, word, occupied);
            for (count, &to) in counts.iter_mut().zip(&to) {
                *count += (seen & self.0.gather(lanes, to)).count_ones();
            }
        }
        counts
    }

    #[inline(always)]
    fn query<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Q::Set,
        to: Q::Set,
        mut each: impl FnMut(Cell),
    ) {
        for word in 0..G::WORDS {
            let (lanes, seen) = self.seen_by(t, kind, cell, word, occupied);
            for i in ones(seen & self.0.gather(lanes, to)) {
                each(lanes.cells[i]);
            }
        }
    }

    #[inline(always)]
    fn lines<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        king: Cell,
        occupied: Q::Set,
        own: Q::Set,
        sliders: &[Q::Set],
    ) -> Lines<B> {
        let mut lines = Lines {
            allowed: t.all,
            pinned: B::EMPTY,
        };
        for word in 0..G::WORDS {
            let lanes = t.lanes.lanes(king, word);
            if G::WORDS > 1 && lanes.first == 0 {
                continue;
            }
            let occupied = self.0.gather(lanes, occupied);
            let attackers = attackers(self.0, t, king, word, sliders);
            let seen = lanes.seen(occupied);
            let blockers = seen & self.0.gather(lanes, own);
            // What is seen when the nearest own piece of each lane is taken away.
            let through = lanes.seen(occupied & !blockers);
            if through & attackers != 0 {
                note_lines(
                    lanes,
                    seen & attackers,
                    through & !seen & attackers,
                    blockers,
                    &mut lines,
                );
            }
        }
        lines
    }

    #[inline(always)]
    fn seen<G: Game<Bits = B>>(
        self,
        t: &Tables<G>,
        cell: Cell,
        occupied: Q::Set,
        sliders: &[Q::Set],
    ) -> bool {
        let mut seen = 0;
        for word in 0..G::WORDS {
            let lanes = t.lanes.lanes(cell, word);
            let attackers = attackers(self.0, t, cell, word, sliders);
            seen |= lanes.seen(self.0.gather(lanes, occupied)) & attackers;
        }
        seen != 0
    }

    #[inline(always)]
    fn step<G: Game<Bits = B>>(self, table: &SetStep<B>, step: Step, set: B) -> B {
        if G::STRIDE.is_none() {
            return self.0.carry(table, set);
        }
        table.apply::<G>(step, set)
    }

    #[inline(always)]
    fn enter<T: Task<B>>(self, task: T) -> T::Output {
        self.0.enter(task)
    }
}

/// Notes the cells of checking lines and the blockers of pinning ones.
#[cold]
fn note_lines<B: Bits>(
    lanes: &Lanes,
    checking: u64,
    pinning: u64,
    blockers: u64,
    lines: &mut Lines<B>,
) {
    for i in ones(checking) {
        lines.allowed &= lanes.set(lanes.up_to(1 << i));
    }
    for i in ones(pinning) {
        lines.pinned |= lanes.set(lanes.up_to(1 << i) & blockers);
    }
}
