//! Which slot of a bucket a new entry takes.
//!
//! The entry of the same position, if it is there; else a slot without a visible entry; else the
//! entry with the least depth, every generation of age counting as [`AGE_WEIGHT`] plies less. Among
//! equals the first slot is taken. An invisible entry never differs from an empty slot.

use crate::entry::{Bound, Entry, Words};
use crate::generation::Generations;
use crate::slot::SLOTS;

/// The plies of depth that an entry loses in worth with every generation.
pub const AGE_WEIGHT: i32 = 8;

/// An entry of the same position and generation gives way to a bound less deep by fewer plies than
/// this. A little shallower is allowed, since the newer bound fits the present window better.
pub const DEPTH_MARGIN: u8 = 4;

/// The slot that `new` goes to and the entry to be stored there, or `None` if the table already
/// knows better. A missing move is taken over from the entry of the same position.
#[inline]
pub fn choose(
    slots: &[Words; SLOTS],
    key: u64,
    new: Entry,
    generations: &Generations,
) -> Option<(usize, Entry)> {
    let mut victim = 0;
    let mut least = i32::MAX;
    for (index, &words) in slots.iter().enumerate() {
        let worth = match generations.age(words.generation()) {
            None => i32::MIN,
            Some(age) if words.holds(key) => {
                return update(words.entry(), age, new).map(|entry| (index, entry));
            }
            Some(age) => i32::from(words.depth()) - AGE_WEIGHT * i32::from(age),
        };
        if worth < least {
            least = worth;
            victim = index;
        }
    }
    Some((victim, new))
}

/// What replaces `old`, an entry of the same position; `None` if `old` stays.
fn update(old: Entry, age: u8, new: Entry) -> Option<Entry> {
    let much_shallower = old.depth.saturating_sub(new.depth) >= DEPTH_MARGIN;
    if age == 0 && new.bound != Bound::Exact && much_shallower {
        return None;
    }
    let mv = if new.mv == 0 { old.mv } else { new.mv };
    Some(Entry { mv, ..new })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, bound: Bound) -> Entry {
        Entry {
            mv: 7,
            score: 1,
            eval: 2,
            depth,
            bound,
        }
    }

    /// A bucket with keys 1 to 4, their depths and labels, and a clock that stands at label 3 with
    /// three live generations.
    fn bucket(depths: [u8; 4], labels: [u8; 4]) -> ([Words; 4], Generations) {
        let mut clock = Generations::new();
        assert!(clock.advance() && clock.advance());
        let words = std::array::from_fn(|i| {
            Words::pack(i as u64 + 1, labels[i], &entry(depths[i], Bound::Lower))
        });
        (words, clock)
    }

    fn victim(depths: [u8; 4], labels: [u8; 4]) -> usize {
        let (words, clock) = bucket(depths, labels);
        let new = entry(0, Bound::Upper);
        let (index, stored) = choose(&words, 99, new, &clock).unwrap();
        assert_eq!(stored, new);
        index
    }

    #[test]
    fn the_least_deep_goes() {
        assert_eq!(victim([9, 8, 7, 6], [3; 4]), 3);
        assert_eq!(victim([9, 5, 7, 6], [3; 4]), 1);
        assert_eq!(victim([255, 255, 254, 255], [3; 4]), 2);
    }

    #[test]
    fn among_equals_the_first() {
        assert_eq!(victim([5; 4], [3; 4]), 0);
        assert_eq!(victim([6, 5, 5, 6], [3; 4]), 1);
    }

    #[test]
    fn age_lowers_the_worth() {
        // One generation is worth eight plies, two are worth sixteen.
        assert_eq!(victim([10, 17, 30, 30], [3, 2, 3, 3]), 1);
        assert_eq!(victim([10, 19, 30, 30], [3, 2, 3, 3]), 0);
        assert_eq!(victim([10, 17, 24, 30], [3, 2, 1, 3]), 2);
    }

    #[test]
    fn invisible_is_empty() {
        // Label 0 was never written; label 63 is not live.
        assert_eq!(victim([1, 255, 2, 3], [3, 0, 3, 3]), 1);
        assert_eq!(victim([1, 2, 255, 3], [3, 3, 63, 3]), 2);
        assert_eq!(victim([1, 2, 0, 255], [3, 3, 63, 0]), 2);
        // A forgotten entry of the same key keeps nothing back and hands no move on.
        let (words, clock) = bucket([200; 4], [3, 3, 63, 3]);
        let new = Entry {
            mv: 0,
            ..entry(1, Bound::Upper)
        };
        assert_eq!(choose(&words, 3, new, &clock), Some((2, new)));
    }

    #[test]
    fn the_same_position_first() {
        // Key 3 is the deepest of its bucket and is replaced all the same.
        let (words, clock) = bucket([1, 1, 20, 1], [3; 4]);
        let new = entry(17, Bound::Upper);
        assert_eq!(choose(&words, 3, new, &clock), Some((2, new)));
        // It comes before an empty slot, too.
        let (words, clock) = bucket([1, 1, 20, 1], [0, 3, 3, 0]);
        assert_eq!(choose(&words, 3, new, &clock), Some((2, new)));
    }

    #[test]
    fn a_much_deeper_entry_of_the_same_search_stays() {
        let (words, clock) = bucket([20; 4], [3, 2, 3, 3]);
        for bound in [Bound::None, Bound::Upper, Bound::Lower] {
            assert_eq!(choose(&words, 1, entry(16, bound), &clock), None);
            assert_eq!(choose(&words, 1, entry(0, bound), &clock), None);
            // Not much deeper, or older: it goes.
            assert!(choose(&words, 1, entry(17, bound), &clock).is_some());
            assert!(choose(&words, 1, entry(255, bound), &clock).is_some());
            assert!(choose(&words, 2, entry(0, bound), &clock).is_some());
        }
        assert!(choose(&words, 1, entry(0, Bound::Exact), &clock).is_some());
    }

    #[test]
    fn the_old_move_is_kept_for_want_of_a_new() {
        let (words, clock) = bucket([5; 4], [3; 4]);
        let without = Entry {
            mv: 0,
            ..entry(9, Bound::Upper)
        };
        let kept = entry(9, Bound::Upper);
        assert_eq!(choose(&words, 2, without, &clock), Some((1, kept)));
        let with = Entry { mv: 8, ..kept };
        assert_eq!(choose(&words, 2, with, &clock), Some((1, with)));
        // Another position's move is of no use.
        assert_eq!(choose(&words, 99, without, &clock), Some((0, without)));
    }
}
