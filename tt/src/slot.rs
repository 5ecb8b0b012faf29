//! Slots and buckets: the packed words as atomics in memory.
//!
//! # Memory ordering
//!
//! All accesses are relaxed. An entry publishes nothing but itself: no reader follows it to other
//! memory, so there is nothing that a release store would have to make visible first. Within an
//! entry no order between the two words is relied on either; whichever old or new values a reader
//! happens to meet, [`Words::holds`] judges the pair by its values alone. What remains necessary is
//! that each word by itself is never a blend of two stores and was stored by somebody, which every
//! atomic access gives. The operations on the whole table take `&mut`, and whatever handed that
//! borrow from thread to thread (a join, a lock, a channel) orders them against the searches.
//! On common processors a relaxed access is a plain move.

use crate::entry::Words;
use crate::sync::{AtomicU64, Ordering};

/// One entry in memory.
#[derive(Debug)]
#[repr(C)]
pub struct Slot {
    data: AtomicU64,
    check: AtomicU64,
}

impl Slot {
    /// A slot that holds `words`.
    pub fn new(words: Words) -> Self {
        Self {
            data: AtomicU64::new(words.data),
            check: AtomicU64::new(words.check),
        }
    }

    /// Both words, which may come from different stores.
    #[inline]
    pub fn load(&self) -> Words {
        Words {
            data: self.data.load(Ordering::Relaxed),
            check: self.check.load(Ordering::Relaxed),
        }
    }

    /// Stores both words, one after the other.
    #[inline]
    pub fn store(&self, words: Words) {
        self.data.store(words.data, Ordering::Relaxed);
        self.check.store(words.check, Ordering::Relaxed);
    }
}

/// Slots in a bucket.
pub const SLOTS: usize = 4;

/// The slots that compete for the same entries: one cache line. All bytes zero is an empty bucket.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Bucket {
    /// The slots, in the order in which they are searched and filled.
    pub slots: [Slot; SLOTS],
}

#[cfg(not(loom))]
const _: () = {
    assert!(size_of::<Slot>() == 16);
    assert!(size_of::<Bucket>() == 64);
    assert!(align_of::<Bucket>() == 64);
};

impl Bucket {
    /// A bucket never written.
    pub fn empty() -> Self {
        Self {
            slots: std::array::from_fn(|_| Slot::new(Words::EMPTY)),
        }
    }

    /// The words of all slots.
    #[inline]
    pub fn load(&self) -> [Words; SLOTS] {
        std::array::from_fn(|i| self.slots[i].load())
    }
}
