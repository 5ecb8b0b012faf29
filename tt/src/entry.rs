//! The 128 bits of an entry.
//!
//! ```text
//!         63       40 39     24 23     8 7          2 1     0
//! data   | move (24) | score 16 | eval 16 | generation | bound |
//!
//!         63                               8 7              0
//! mark   | low 56 bits of the key           | depth (8)      |
//!
//! check  = mark ^ data ^ spread(lowest byte of data)
//! ```
//!
//! `spread` repeats a byte eight times. In the lowest byte `data` and the spread cancel, so the
//! depth stands in `check` as it is; the other seven bytes of `check` mix the key with all the
//! bits of `data`.
//!
//! # Torn entries
//!
//! The words `data` and `check` are written and read one at a time, so a reader may meet `data` of
//! one store (1) with `check` of another (2). It computes `mark = check2 ^ data1 ^ spread(data1)`
//! and compares the upper 56 bits with its key.
//!
//! *Both stores under the reader's key.* The comparison succeeds exactly if
//! `data1 ^ data2 = spread(b)` for some byte `b`, since only such words vanish under
//! `x ^ spread(lowest byte of x)`.
//!
//! * `b = 0`: the data are identical, and what is read is the second entry, whole.
//! * `b != 0`: the two stores differ in all eight bytes of `data` by the same pattern. If they
//!   agree in either byte of the static evaluation, in any byte of score or move, or in generation
//!   and bound together, this is impossible and the torn pair is a miss. In practice the
//!   evaluation alone excludes it: it is a function of the position, hence of the key. Within one
//!   search the generation is common as well, which leaves `b` in 1..=3.
//!
//! *Stores under different keys.* The comparison succeeds only if the reader's key happens to equal
//! 56 bits that mix a key with two unrelated data words: one chance in 2^56, the same chance with
//! which two positions share the kept bits of their keys. A never written slot, two zero words, has
//! generation zero and does not count as an entry; `check` of zero under written data is the same
//! one chance in 2^56.
//!
//! *This is as much as 128 bits can do.* Fix a key; the payload beside it has 72 bits, so 2^72 of
//! the pairs (data, check) are valid. To reject every mix of two valid pairs that differ in both
//! words, no pair may share its data with a second pair and its check with a third. Seen as a graph
//! with words as vertices and valid pairs as edges, every component is then a star, and 2 * 2^64
//! vertices carry fewer than 2^65 such edges. The exceptions can only be put where they do no harm.

/// How a stored score relates to the true value of the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Bound {
    /// The score says nothing (for instance, only the static evaluation is known).
    #[default]
    None = 0,
    /// The true value is at most the score (the node failed low).
    Upper = 1,
    /// The true value is at least the score (the node failed high).
    Lower = 2,
    /// The score is the true value.
    Exact = 3,
}

impl Bound {
    /// The bound with the lowest two bits of `bits`.
    const fn from_bits(bits: u64) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::Upper,
            2 => Self::Lower,
            _ => Self::Exact,
        }
    }
}

/// What the table keeps about one position. The table gives no meaning to move, score and
/// evaluation; it only orders depths and knows [`Bound::Exact`] from the other bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Entry {
    /// The best or refuting move as an opaque word below [`Entry::MOVE_LIMIT`]; 0 means no move.
    pub mv: u32,
    /// The score, in the caller's unit.
    pub score: i16,
    /// The static evaluation, in the caller's unit.
    pub eval: i16,
    /// The depth of the search behind the score, in plies (or any unit that grows with effort).
    pub depth: u8,
    /// How the score bounds the true value.
    pub bound: Bound,
}

impl Entry {
    /// Moves are below this: 24 bits are kept.
    pub const MOVE_LIMIT: u32 = 1 << 24;
}

const BOUND_BITS: u32 = 2;
const GENERATION_BITS: u32 = 6;
const EVAL_BITS: u32 = 16;
const SCORE_BITS: u32 = 16;
const MOVE_BITS: u32 = 24;
const DEPTH_BITS: u32 = 8;
const KEY_BITS: u32 = 56;

const GENERATION_SHIFT: u32 = BOUND_BITS;
const EVAL_SHIFT: u32 = GENERATION_SHIFT + GENERATION_BITS;
const SCORE_SHIFT: u32 = EVAL_SHIFT + EVAL_BITS;
const MOVE_SHIFT: u32 = SCORE_SHIFT + SCORE_BITS;

const _: () = assert!(MOVE_SHIFT + MOVE_BITS == u64::BITS);
const _: () = assert!(KEY_BITS + DEPTH_BITS == u64::BITS);
const _: () = assert!(Entry::MOVE_LIMIT == 1 << MOVE_BITS);
// The argument on torn entries needs generation and bound to fill the lowest byte.
const _: () = assert!(EVAL_SHIFT == 8 && DEPTH_BITS == 8);

/// One byte repeated eight times.
const fn spread(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// An entry with its key and generation as the two words of a slot. Any two words are allowed here,
/// torn ones too; [`Words::holds`] tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// Move, score, static evaluation, generation and bound.
    pub data: u64,
    /// Key and depth, under the mask that `data` makes.
    pub check: u64,
}

impl Words {
    /// The words of a slot never written: generation zero.
    pub const EMPTY: Self = Self { data: 0, check: 0 };

    /// Packs `entry` under `key`. `generation` is below 64; of `mv` the lowest 24 bits are kept.
    pub const fn pack(key: u64, generation: u8, entry: &Entry) -> Self {
        let data = (entry.bound as u64)
            | (generation as u64) << GENERATION_SHIFT
            | (entry.eval as u16 as u64) << EVAL_SHIFT
            | (entry.score as u16 as u64) << SCORE_SHIFT
            | (entry.mv as u64) << MOVE_SHIFT;
        let mark = key << DEPTH_BITS | entry.depth as u64;
        Self {
            data,
            check: mark ^ data ^ spread(data as u8),
        }
    }

    /// Whether the two words belong together and to `key` (to its low 56 bits).
    pub const fn holds(self, key: u64) -> bool {
        let mark = self.check ^ self.data ^ spread(self.data as u8);
        mark >> DEPTH_BITS == key & (u64::MAX >> DEPTH_BITS)
    }

    /// The generation, below 64.
    pub const fn generation(self) -> u8 {
        (self.data >> GENERATION_SHIFT) as u8 & ((1 << GENERATION_BITS) - 1)
    }

    /// The depth.
    pub const fn depth(self) -> u8 {
        self.check as u8
    }

    /// The entry without its key and generation; meaningful only if [`Words::holds`].
    pub const fn entry(self) -> Entry {
        Entry {
            mv: (self.data >> MOVE_SHIFT) as u32,
            score: (self.data >> SCORE_SHIFT) as i16,
            eval: (self.data >> EVAL_SHIFT) as i16,
            depth: self.depth(),
            bound: Bound::from_bits(self.data),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entries() -> impl Strategy<Value = Entry> {
        let moves = 0..Entry::MOVE_LIMIT;
        let fields = (moves, any::<i16>(), any::<i16>(), any::<u8>(), 0..4u64);
        fields.prop_map(|(mv, score, eval, depth, bound)| Entry {
            mv,
            score,
            eval,
            depth,
            bound: Bound::from_bits(bound),
        })
    }

    /// `data` of the first pair with `check` of the second.
    fn mix(first: Words, second: Words) -> Words {
        Words {
            data: first.data,
            check: second.check,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn packing_loses_nothing(key: u64, generation in 0..64u8, entry in entries()) {
            let words = Words::pack(key, generation, &entry);
            prop_assert!(words.holds(key));
            prop_assert_eq!(words.entry(), entry);
            prop_assert_eq!(words.depth(), entry.depth);
            prop_assert_eq!(words.generation(), generation);
        }

        #[test]
        fn every_key_bit_below_56_counts(key: u64, bit in 0..64u32, entry in entries()) {
            let words = Words::pack(key, 1, &entry);
            prop_assert_eq!(words.holds(key ^ 1 << bit), bit >= KEY_BITS);
        }

        #[test]
        fn a_flipped_bit_is_a_miss_or_another_depth(key: u64, bit in 0..128u32, entry in entries()) {
            let Words { data, check } = Words::pack(key, 1, &entry);
            let pair = (u128::from(data) << 64 | u128::from(check)) ^ 1 << bit;
            let torn = Words { data: (pair >> 64) as u64, check: pair as u64 };
            prop_assert_eq!(torn.holds(key), bit < DEPTH_BITS);
        }

        /// The claim of the module's text, for arbitrary pairs of stores under one key.
        #[test]
        fn torn_under_one_key(
            key: u64,
            (one, two) in (entries(), entries()),
            (older, newer) in (1..64u8, 1..64u8),
        ) {
            let one = Words::pack(key, older, &one);
            let two = Words::pack(key, newer, &two);
            let differ = one.data ^ two.data;
            prop_assert_eq!(mix(one, two).holds(key), differ == spread(differ as u8));
        }

        /// Stores that agree in a byte of `data`, as in the evaluation of one position, never mix.
        /// The fields are drawn from few values, so that most stores differ in little.
        #[test]
        fn torn_with_one_evaluation(
            key: u64,
            eval: i16,
            moves in prop::array::uniform2(0..3u32),
            scores in prop::array::uniform2(-1..2i16),
            depths in prop::array::uniform2(0..3u8),
            bounds in prop::array::uniform2(0..4u64),
            generations in prop::array::uniform2(1..3u8),
        ) {
            let [one, two] = [0, 1].map(|i| Words::pack(key, generations[i], &Entry {
                mv: moves[i] * 0x0001_0101,
                score: scores[i],
                eval,
                depth: depths[i],
                bound: Bound::from_bits(bounds[i]),
            }));
            let torn = mix(one, two);
            if torn.holds(key) {
                prop_assert_eq!(torn, two, "a mix that passes is a whole entry");
            }
        }

        #[test]
        fn torn_between_keys(
            (first, second) in any::<(u64, u64)>(),
            (one, two) in (entries(), entries()),
        ) {
            prop_assume!(first << DEPTH_BITS != second << DEPTH_BITS);
            let one = Words::pack(first, 1, &one);
            let two = Words::pack(second, 1, &two);
            for torn in [mix(one, two), mix(two, one)] {
                // Equal data make a whole entry of the other key.
                prop_assert!(!torn.holds(first) || torn == one);
                prop_assert!(!torn.holds(second) || torn == two);
            }
            prop_assert!(!mix(one, Words::EMPTY).holds(first));
            prop_assert_eq!(mix(Words::EMPTY, one).generation(), 0);
        }
    }

    /// The 255 exceptions are there, and each needs all eight bytes to differ.
    #[test]
    fn the_exceptions_differ_in_every_byte() {
        let entry = Entry::default();
        let one = Words::pack(7, 1, &entry);
        for b in 1..=255 {
            let torn = Words {
                data: one.data ^ spread(b),
                check: one.check,
            };
            assert!(torn.holds(7));
            assert_ne!(torn.entry().eval, entry.eval);
            assert_ne!(torn.entry().score, entry.score);
            assert_ne!(torn.entry().mv, entry.mv);
        }
    }
}
