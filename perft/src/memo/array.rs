//! A lock-free array: a few slots for each group of keys, none of them ever locked.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::mixed;

/// Bits of a data word that hold the count; the depth is above.
const COUNT_BITS: u32 = 58;

/// The slots that may hold a key: one cache line.
const SLOTS: usize = 4;

/// Two words: the data, and the key xor the data.
///
/// Relaxed ordering is enough. The words of two writers may meet in one slot, but then the xor does not
/// restore the key, and the slot is simply not recognised. A slot that is recognised is complete in itself:
/// it refers to no other memory that would have to be visible first.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// The key and the data. An empty slot has depth 0, which is never looked up.
    #[inline]
    fn read(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, data)
    }

    #[inline]
    fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

/// A lock-free array.
pub struct ArrayMemo {
    buckets: Vec<Bucket>,
}

impl ArrayMemo {
    /// An empty array of at most this many bytes; `None` if that memory is not available.
    pub fn new(bytes: u64) -> Option<Self> {
        let count = usize::try_from(bytes).ok()? / size_of::<Bucket>();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        // In parallel, since the first access to each page takes the system a while.
        buckets.par_extend((0..count).into_par_iter().map(|_| Bucket::default()));
        Some(ArrayMemo { buckets })
    }

    pub fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let slots = self.bucket(key, depth).0.iter().map(Slot::read);
        slots
            .filter(|&(found, data)| found == key && depth_of(data) == u64::from(depth))
            .map(|(_, data)| data & ((1 << COUNT_BITS) - 1))
            .next()
    }

    /// Replaces the slot with the least depth: it is the cheapest to count again.
    pub fn put(&self, key: u64, depth: u32, count: u64) {
        let Some(data) = pack(depth, count) else {
            return;
        };
        let slots = &self.bucket(key, depth).0;
        let first = (key as usize) % SLOTS;
        let victim = (0..SLOTS)
            .map(|i| &slots[(first + i) % SLOTS])
            .min_by_key(|slot| depth_of(slot.data.load(Relaxed)));
        if let Some(slot) = victim {
            slot.write(key, data);
        }
    }

    /// The high bits choose, so that keys spread over any number of buckets. The depths of one position do, too: where
    /// few positions come again and again, they would share few slots.
    #[inline]
    fn bucket(&self, key: u64, depth: u32) -> &Bucket {
        let place = (u128::from(mixed(key, depth)) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize]
    }
}

#[inline]
fn depth_of(data: u64) -> u64 {
    data >> COUNT_BITS
}

/// The data word; `None` if it cannot hold both. Of counts as great as that, no ply of a tree that can be counted has
/// more than 64, so that they may well be counted again.
fn pack(depth: u32, count: u64) -> Option<u64> {
    let fits = u64::from(depth) >> (u64::BITS - COUNT_BITS) == 0 && count >> COUNT_BITS == 0;
    fits.then(|| u64::from(depth) << COUNT_BITS | count)
}
