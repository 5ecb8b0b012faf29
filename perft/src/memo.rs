//! A hash table of counts that all threads share: (position key, depth) to the number of move sequences.
//!
//! The key of a position covers everything that its count depends on: pieces, side to move, rights and en
//! passant. It does not include the clocks, which perft ignores. Positions are distinguished by all 64 bits
//! of their keys: with 10^9 lookups among four stored counts each, the odds of a collision are about 1 to 5 *
//! 10^9.

mod array;
mod map;

use self::array::ArrayMemo;
use self::map::MapMemo;

/// The kind of hash table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoKind {
    /// A lock-free array, in which new counts replace old ones; the faster of the two.
    Array,
    /// A sharded hash map with locks, which accepts nothing more once it is full.
    Dashmap,
}

/// Why there is no hash table.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum MemoError {
    #[error("cannot allocate {0} MB")]
    NoMemory(u32),
}

/// A hash table of either kind.
pub enum Memo {
    Array(ArrayMemo),
    Dashmap(MapMemo),
}

impl Memo {
    /// An empty hash table of at most this many megabytes (of 2^20 bytes).
    ///
    /// # Errors
    /// If that memory is not available.
    pub fn new(kind: MemoKind, megabytes: u32) -> Result<Self, MemoError> {
        let bytes = u64::from(megabytes) << 20;
        let memo = match kind {
            MemoKind::Array => ArrayMemo::new(bytes).map(Memo::Array),
            MemoKind::Dashmap => MapMemo::new(bytes).map(Memo::Dashmap),
        };
        memo.ok_or(MemoError::NoMemory(megabytes))
    }

    /// The count stored for a position and depth.
    #[inline]
    pub fn get(&self, key: u64, depth: u32) -> Option<u64> {
        match self {
            Memo::Array(memo) => memo.get(key, depth),
            Memo::Dashmap(memo) => memo.get(key, depth),
        }
    }

    /// Stores a count, unless there is no room for it.
    #[inline]
    pub fn put(&self, key: u64, depth: u32, count: u64) {
        match self {
            Memo::Array(memo) => memo.put(key, depth, count),
            Memo::Dashmap(memo) => memo.put(key, depth, count),
        }
    }
}

/// One key for position and depth: half the bytes of a pair.
fn mixed(key: u64, depth: u32) -> u64 {
    key ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [MemoKind; 2] = [MemoKind::Array, MemoKind::Dashmap];

    /// A well mixed key; `i * odd` would do for the map, but not for the array's high bits.
    fn key(i: u64) -> u64 {
        let mixed = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    #[test]
    fn counts_are_found_by_key_and_depth() {
        for kind in KINDS {
            let memo = Memo::new(kind, 1).unwrap();
            assert_eq!(memo.get(key(1), 2), None);
            memo.put(key(1), 2, 2586);
            memo.put(key(1), 3, 137_858);
            memo.put(key(2), 2, 0);
            assert_eq!(memo.get(key(1), 2), Some(2586));
            assert_eq!(memo.get(key(1), 3), Some(137_858));
            assert_eq!(memo.get(key(2), 2), Some(0));
            assert_eq!(memo.get(key(2), 3), None);
            assert_eq!(memo.get(0, 2), None);
        }
    }

    /// Threads fill it several times over, with counts that identify their key; no count is ever wrong.
    #[test]
    fn a_full_memo_stays_right() {
        const KEYS: u64 = 300_000;
        for kind in KINDS {
            let memo = Memo::new(kind, 1).unwrap();
            let found = |i| memo.get(key(i), 2 + (i % 3) as u32);
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let (memo, found) = (&memo, &found);
                    scope.spawn(move || {
                        for i in (0..KEYS).map(|i| (i + thread * KEYS / 4) % KEYS) {
                            memo.put(key(i), 2 + (i % 3) as u32, i);
                            assert!(found(i).is_none_or(|count| count == i));
                        }
                    });
                }
            });
            let kept = (0..KEYS).filter(|&i| found(i) == Some(i)).count();
            let wrong = (0..KEYS)
                .filter(|&i| found(i).is_some_and(|n| n != i))
                .count();
            assert_eq!(wrong, 0, "{kind:?}");
            assert!((20_000..=65_536).contains(&kept), "{kind:?}: {kept}");
        }
    }

    /// However many depths a position is counted to, they do not take each other's place.
    #[test]
    fn all_depths_of_a_position_are_kept() {
        for kind in KINDS {
            let memo = Memo::new(kind, 1).unwrap();
            for depth in 2..40 {
                memo.put(key(1), depth, depth.into());
            }
            let kept = |depth: &u32| memo.get(key(1), *depth) == Some((*depth).into());
            assert_eq!((2..40).filter(kept).count(), 38, "{kind:?}");
        }
    }

    #[test]
    fn what_a_slot_cannot_hold_is_not_kept() {
        let memo = Memo::new(MemoKind::Array, 1).unwrap();
        memo.put(key(1), 64, 1);
        memo.put(key(1), 2, 1 << 58);
        assert_eq!(memo.get(key(1), 64), None);
        assert_eq!(memo.get(key(1), 0), None);
        assert_eq!(memo.get(key(1), 2), None);
    }
}
