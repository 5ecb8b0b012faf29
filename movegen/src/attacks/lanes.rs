//! Sliding attacks in path space, for all backends that can fill a word of lanes quickly.

use super::backend::{Backend, Kernel, Lines, Movers};
use crate::rules::spec::{MOST_KINDS, leads_up};
use crate::rules::{Kind, Rules, WordClasses};
use crate::sets::{Bits, Cell, Row};
use crate::tables::{Lanes, PawnStep, SetStep, Tables, ones};

/// A way to gather bits of a set into lanes.
pub(super) trait Gather<B: Bits>: Copy + 'static {
    type Set: Copy;
    type Two: Copy;
    /// Whether half a word of lanes is filled in less time than a whole one.
    const HALVES: bool;
    fn set(self, bits: B) -> Self::Set;
    /// Two sets in one.
    fn two(self, first: Self::Set, second: Self::Set) -> Self::Two;
    /// The bits of the lanes whose cells are in the set.
    fn gather(self, lanes: &Lanes, set: Self::Set) -> u64;
    /// The lower half of the lanes from the first set, the upper half from the second.
    fn gather_halves(self, lanes: &Lanes, sets: Self::Two) -> u64;
    /// One half of the lanes, 0 or 1, from each of two sets.
    fn gather_half(self, lanes: &Lanes, half: usize, sets: Self::Two) -> [u32; 2];
    /// All cells of a set moved by a step of a board that is numbered densely, see [`Vectors::carry`].
    fn carry(self, table: &SetStep<B>, up: bool, set: B) -> B;
    /// Runs a kernel in code compiled for this backend.
    fn dispatch<T: Kernel<B>>(self, kernel: T) -> T::Output;
}

/// The sliders of one side.
#[derive(Clone, Copy)]
pub(super) struct Sliders<'p, G: Rules, Q: Gather<G::Word>> {
    kinds: &'p [G::Word],
    them: G::Word,
    /// For each word those that have paths in it.
    words: G::PerLaneWord<Q::Set>,
    /// For each word those of its first class and those of its second one.
    classes: [G::PerLaneWord<Q::Set>; 2],
}

/// The classes that a word holds.
#[inline(always)]
fn classes<G: Rules>(word: usize) -> WordClasses {
    G::PLAN.lanes.word_classes[word]
}

/// The pieces that have paths in a word.
#[inline(always)]
fn users<G: Rules>(t: &Tables<G>, kinds: &[G::Word], word: usize) -> G::Word {
    t.pieces_of(kinds, classes::<G>(word).users)
}

/// The pieces of the first or the second class of a word.
#[inline(always)]
fn users_of_class<G: Rules>(
    t: &Tables<G>,
    kinds: &[G::Word],
    word: usize,
    place: usize,
) -> G::Word {
    t.pieces_of(kinds, classes::<G>(word).class_users[place])
}

/// The kind of a piece that has paths in a word: known without a look-up if only one kind has.
#[inline(always)]
fn user_on<G: Rules>(movers: &Movers<'_, G>, cell: Cell, word: usize) -> Kind {
    let users = classes::<G>(word).users;
    if users.count_ones() == 1 {
        return users.trailing_zeros() as Kind;
    }
    movers.kind_on(cell)
}

/// The bits of the first or the second class of a word.
#[inline(always)]
fn bits_of_class<G: Rules>(t: &Tables<G>, cell: Cell, word: usize, place: usize) -> u64 {
    t.lanes.class_bits(cell, classes::<G>(word).classes[place])
}

/// The bits among `bits` in which an enemy slider stands that attacks along them.
#[inline(always)]
fn attackers<G: Rules, Q: Gather<G::Word>>(
    backend: Q,
    t: &Tables<G>,
    cell: Cell,
    word: usize,
    sliders: &Sliders<'_, G, Q>,
    bits: u64,
) -> u64 {
    let lanes = t.lanes.lanes(cell, word);
    let [first, second] = &sliders.classes;
    let (first, second) = (first.as_ref()[word], second.as_ref()[word]);
    if G::PLAN.lanes.split[word] {
        return backend.gather_halves(lanes, backend.two(first, second)) & bits;
    }
    match classes::<G>(word).count {
        1 => backend.gather(lanes, first) & bits,
        2 => {
            let first = backend.gather(lanes, first) & bits_of_class(t, cell, word, 0);
            let second = backend.gather(lanes, second) & bits_of_class(t, cell, word, 1);
            (first | second) & bits
        }
        // Too many classes to gather each: all at once first, and mostly there is no attacker.
        _ => match backend.gather(lanes, sliders.words.as_ref()[word]) & bits {
            0 => 0,
            found => of_its_class(t, cell, word, sliders.kinds, sliders.them, found),
        },
    }
}

/// Those bits where a slider stands whose own path it is.
#[inline(never)]
fn of_its_class<G: Rules>(
    t: &Tables<G>,
    cell: Cell,
    word: usize,
    kinds: &[G::Word],
    them: G::Word,
    bits: u64,
) -> u64 {
    let lanes = t.lanes.lanes(cell, word);
    let mut found = 0;
    let here = |&class: &usize| G::PLAN.lanes.class_words[class] == word;
    for class in (0..G::PLAN.classes.len).filter(here) {
        let bits = bits & t.lanes.class_bits(cell, class);
        if bits != 0 {
            let pieces = t.class_pieces(kinds, class) & them;
            let there = ones(bits).filter(|&i| pieces.has(lanes.cells[i]));
            found |= there.fold(0, |found, i| found | 1 << i);
        }
    }
    found
}

/// Sliding attacks in path space, given a way to gather.
#[derive(Clone, Copy)]
pub(super) struct LaneBackend<Q>(pub Q);

impl<Q> LaneBackend<Q> {
    /// The bits that a piece sees and owns in a word.
    #[inline(always)]
    fn seen_by<B: Bits, G: Rules<Word = B>>(
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

    /// The bits of the second set that a piece sees in one half of a split word, when the first set
    /// blocks. All lanes of the half are the piece's own.
    #[inline(always)]
    fn seen_in_half<B: Bits, G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        cell: Cell,
        word: usize,
        half: usize,
        sets: Q::Two,
    ) -> (&Lanes, u32)
    where
        Q: Gather<B>,
    {
        let lanes = t.lanes.lanes(cell, word);
        let [occupied, to] = self.0.gather_half(lanes, half, sets);
        (lanes, lanes.seen_in_half(half, occupied) & to)
    }
}

impl<B: Bits, Q: Gather<B>> Backend<B> for LaneBackend<Q> {
    type Set = Q::Set;
    type Sliders<'p, G: Rules<Word = B>> = Sliders<'p, G, Q>;

    #[inline(always)]
    fn sliders<'p, G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        kinds: &'p [B],
        them: B,
    ) -> Sliders<'p, G, Q> {
        // No closures: unless inlined, they are compiled without the instructions of the backend.
        let none = self.0.set(B::EMPTY);
        let mut words: G::PerLaneWord<Q::Set> = Row::from_fn(|_| none);
        let mut classes: [G::PerLaneWord<Q::Set>; 2] = [words; 2];
        unrolled!(G, G::PLAN, lane_words, word => {
            words.as_mut()[word] = self.0.set(users(t, kinds, word) & them);
            let first = users_of_class(t, kinds, word, 0);
            classes[0].as_mut()[word] = self.0.set(first & them);
            let second = users_of_class(t, kinds, word, 1);
            classes[1].as_mut()[word] = self.0.set(second & them);
        });
        Sliders {
            kinds,
            them,
            words,
            classes,
        }
    }

    #[inline(always)]
    fn count<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        movers: &Movers<'_, G>,
        occupied: Q::Set,
        to: Q::Set,
    ) -> u32 {
        // All kinds of a word in one loop: with one loop per kind the exits are mispredicted too often.
        let mut count = 0;
        unrolled!(G, G::PLAN, lane_words, word => {
            let sets = self.0.two(occupied, to);
            if G::PLAN.lanes.split[word] {
                for half in 0..2 {
                    let pieces = users_of_class(t, movers.kinds, word, half);
                    for from in (pieces & movers.on).cells() {
                        let (_, seen) = self.seen_in_half(t, from, word, half, sets);
                        count += seen.count_ones();
                    }
                }
            } else {
                for from in (users(t, movers.kinds, word) & movers.on).cells() {
                    let kind = user_on::<G>(movers, from, word);
                    let lanes = t.lanes.lanes(from, word);
                    let own = lanes.own[usize::from(kind) % MOST_KINDS];
                    if Q::HALVES && let Some(half) = Lanes::half_of(own) {
                        let (_, seen) = self.seen_in_half(t, from, word, half, sets);
                        count += (seen & (own >> (32 * half)) as u32).count_ones();
                    } else {
                        let seen = lanes.seen(self.0.gather(lanes, occupied)) & own;
                        count += (seen & self.0.gather(lanes, to)).count_ones();
                    }
                }
            }
        });
        count
    }

    #[inline(always)]
    fn visit<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        movers: &Movers<'_, G>,
        occupied: Q::Set,
        to: Q::Set,
        mut each: impl FnMut(Cell, Cell),
    ) {
        unrolled!(G, G::PLAN, lane_words, word => {
            if G::PLAN.lanes.split[word] {
                let sets = self.0.two(occupied, to);
                for half in 0..2 {
                    let pieces = users_of_class(t, movers.kinds, word, half);
                    for from in (pieces & movers.on).cells() {
                        let (lanes, seen) = self.seen_in_half(t, from, word, half, sets);
                        for i in ones(u64::from(seen)) {
                            each(from, lanes.cells[32 * half + i]);
                        }
                    }
                }
            } else {
                for from in (users(t, movers.kinds, word) & movers.on).cells() {
                    let kind = user_on::<G>(movers, from, word);
                    let (lanes, seen) = self.seen_by(t, kind, from, word, occupied);
                    for i in ones(seen & self.0.gather(lanes, to)) {
                        each(from, lanes.cells[i]);
                    }
                }
            }
        });
    }

    #[inline(always)]
    fn set(self, bits: B) -> Q::Set {
        self.0.set(bits)
    }

    #[inline(always)]
    fn query_count<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Q::Set,
        to: Q::Set,
    ) -> u32 {
        let mut count = 0;
        for word in 0..G::PLAN.lanes.words {
            let (lanes, seen) = self.seen_by(t, kind, cell, word, occupied);
            count += (seen & self.0.gather(lanes, to)).count_ones();
        }
        count
    }

    #[inline(always)]
    fn query_counts<G: Rules<Word = B>, const N: usize>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Q::Set,
        to: [Q::Set; N],
    ) -> [u32; N] {
        let mut counts = [0; N];
        let words = G::PLAN.lanes.kind_words[usize::from(kind) % MOST_KINDS];
        for word in 0..G::PLAN.lanes.words {
            if G::PLAN.lanes.words > 1 && words >> word & 1 == 0 {
                continue;
            }
            let lanes = t.lanes.lanes(cell, word);
            let own = lanes.own[usize::from(kind) % MOST_KINDS];
            if Q::HALVES
                && let Some(half) = Lanes::half_of(own)
            {
                let [occupied, _] = self
                    .0
                    .gather_half(lanes, half, self.0.two(occupied, occupied));
                let seen = lanes.seen_in_half(half, occupied) & (own >> (32 * half)) as u32;
                for (count, &to) in counts.iter_mut().zip(&to) {
                    let [to, _] = self.0.gather_half(lanes, half, self.0.two(to, to));
                    *count += (seen & to).count_ones();
                }
            } else {
                let seen = lanes.seen(self.0.gather(lanes, occupied)) & own;
                for (count, &to) in counts.iter_mut().zip(&to) {
                    *count += (seen & self.0.gather(lanes, to)).count_ones();
                }
            }
        }
        counts
    }

    #[inline(always)]
    fn query<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        kind: Kind,
        cell: Cell,
        occupied: Q::Set,
        to: Q::Set,
        mut each: impl FnMut(Cell),
    ) {
        for word in 0..G::PLAN.lanes.words {
            let (lanes, seen) = self.seen_by(t, kind, cell, word, occupied);
            for i in ones(seen & self.0.gather(lanes, to)) {
                each(lanes.cells[i]);
            }
        }
    }

    #[inline(always)]
    fn lines<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        king: Cell,
        occupied: Q::Set,
        own: Q::Set,
        sliders: &Sliders<'_, G, Q>,
    ) -> Lines<B> {
        let mut lines = Lines {
            allowed: t.all,
            pinned: B::EMPTY,
        };
        unrolled!(G, G::PLAN, lane_words, word => {
            let lanes = t.lanes.lanes(king, word);
            if G::PLAN.lanes.words == 1 || lanes.first != 0 {
                let occupied = self.0.gather(lanes, occupied);
                let seen = lanes.seen(occupied);
                let blockers = seen & self.0.gather(lanes, own);
                // What is seen when the nearest own piece of each lane is taken away.
                let through = lanes.seen(occupied & !blockers);
                let attackers = attackers(self.0, t, king, word, sliders, through);
                if attackers != 0 {
                    let (checking, pinning) = (seen & attackers, !seen & attackers);
                    add_lines(lanes, checking, pinning, blockers, &mut lines);
                }
            }
        });
        lines
    }

    #[inline(always)]
    fn seen<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        cell: Cell,
        occupied: Q::Set,
        sliders: &Sliders<'_, G, Q>,
    ) -> bool {
        let mut seen = 0;
        unrolled!(G, G::PLAN, lane_words, word => {
            let lanes = t.lanes.lanes(cell, word);
            let here = lanes.seen(self.0.gather(lanes, occupied));
            seen |= attackers(self.0, t, cell, word, sliders, here);
        });
        seen != 0
    }

    #[inline(always)]
    fn seen_from<G: Rules<Word = B>>(
        self,
        t: &Tables<G>,
        cell: Cell,
        occupied: Q::Set,
        sliders: &Sliders<'_, G, Q>,
    ) -> B {
        let mut found = B::EMPTY;
        unrolled!(G, G::PLAN, lane_words, word => {
            let lanes = t.lanes.lanes(cell, word);
            let here = lanes.seen(self.0.gather(lanes, occupied));
            for i in ones(attackers(self.0, t, cell, word, sliders, here)) {
                found |= B::of(lanes.cells[i]);
            }
        });
        found
    }

    #[inline(always)]
    fn step<G: Rules<Word = B>, const WHITE: bool, const CAPTURE: bool, const PLACE: usize>(
        self,
        table: &SetStep<B>,
        set: B,
    ) -> B {
        if G::PLAN.stride.is_some() {
            return PawnStep::<G, WHITE, CAPTURE, PLACE>::apply(table, set);
        }
        let up = const { leads_up(PawnStep::<G, WHITE, CAPTURE, PLACE>::STEP) };
        self.0.carry(table, up, set)
    }

    #[inline(always)]
    fn dispatch<T: Kernel<B>>(self, kernel: T) -> T::Output {
        self.0.dispatch(kernel)
    }
}

/// Adds the cells of checking lines and the blockers of pinning ones.
#[cold]
fn add_lines<B: Bits>(
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
