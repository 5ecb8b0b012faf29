//! A `DashMap`.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use dashmap::DashMap;

use super::mixed;

/// Shards of the map with a lock each: many more than threads, so that they seldom collide.
const SHARDS: usize = 64;

/// The size of a bucket of the map: key, count, control byte, and a margin.
const BUCKET_BYTES: u64 = 18;

/// A sharded hash map.
pub struct MapMemo {
    counts: DashMap<u64, u64>,
    /// Places not yet taken.
    free: AtomicUsize,
}

impl MapMemo {
    /// An empty map of at most this many bytes; `None` if that memory is not available.
    pub fn new(bytes: u64) -> Option<Self> {
        let buckets = usize::try_from(bytes / BUCKET_BYTES).ok()?;
        // A shard has a power of two of buckets, and doubles when more than 7/8 of them are taken. 3/4 are
        // used, so that a shard with more than its share does not double.
        let buckets = 1 << buckets.checked_ilog2()?;
        let entries = buckets / 4 * 3;
        let mut counts = DashMap::with_shard_amount(SHARDS);
        counts.try_reserve(entries / SHARDS).ok()?;
        Some(MapMemo {
            counts,
            free: AtomicUsize::new(entries),
        })
    }

    pub fn get(&self, key: u64, depth: u32) -> Option<u64> {
        self.counts.get(&mixed(key, depth)).map(|count| *count)
    }

    pub fn put(&self, key: u64, depth: u32, count: u64) {
        let take = |free: usize| free.checked_sub(1);
        if self.free.fetch_update(Relaxed, Relaxed, take).is_ok() {
            self.counts.insert(mixed(key, depth), count);
        }
    }
}
