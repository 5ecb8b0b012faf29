//! The table: buckets, a clock, and the way from a key to its bucket.

use crate::alloc::Buckets;
use crate::entry::{Entry, Words};
use crate::error::TtError;
use crate::generation::Generations;
use crate::prefetch::prefetch;
use crate::replacement::choose;
use crate::slot::{Bucket, SLOTS, Slot};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// A transposition table of fixed size.
///
/// The bucket of a key is the high half of the product of key and number of buckets, so any number
/// of buckets will do, and the high bits of the key decide. The low 56 bits are kept in the entry.
/// In a table of 256 buckets (16 KiB) or more the two cover the whole key: keys that agree in the
/// low 56 bits and differ at all lie at least 2^56 apart, hence in different buckets.
pub struct Table {
    buckets: Buckets,
    generations: Generations,
    /// Whether the system has given all of the memory: a page that was never written is given at the first
    /// access, which takes its time.
    resident: bool,
}

/// How many entries [`Table::hashfull`] looks at.
const SAMPLE: usize = 1000;

const _: () = {
    const fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<Table>();
};

impl Table {
    /// Makes an empty table of `megabytes` times 2^20 bytes. Its memory is not touched yet, so the
    /// first searches pay for the page faults; [`Table::prepare`] takes them beforehand.
    ///
    /// # Errors
    ///
    /// [`TtError::ZeroSize`] if `megabytes` is zero, [`TtError::TooLarge`] or
    /// [`TtError::OutOfMemory`] if there cannot be or is no memory of this size.
    pub fn new(megabytes: usize) -> Result<Self, TtError> {
        let bytes = megabytes.checked_mul(1 << 20).ok_or(TtError::TooLarge {
            size: megabytes,
            unit: "MB",
        })?;
        Self::with_bytes(bytes)
    }

    /// Makes an empty table of `bytes` bytes, rounded down to whole buckets of 64 bytes (four
    /// entries), but at least one bucket.
    ///
    /// # Errors
    ///
    /// As for [`Table::new`].
    pub fn with_bytes(bytes: usize) -> Result<Self, TtError> {
        if bytes == 0 {
            return Err(TtError::ZeroSize);
        }
        Ok(Self {
            buckets: Buckets::zeroed((bytes / BUCKET_BYTES).max(1))?,
            generations: Generations::new(),
            resident: false,
        })
    }

    /// The entry of the position with this key, if the table has one. In a table of at least 16 KiB
    /// an entry of another key is returned only by a torn read that happens to fit, one chance in
    /// 2^56; smaller tables add a like chance that two keys share their low 56 bits.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let found =
            |words: &Words| words.holds(key) && self.generations.age(words.generation()).is_some();
        let mut slots = self.bucket(key).slots.iter().map(Slot::load);
        slots.find(found).map(Words::entry)
    }

    /// Offers an entry to the table, which keeps it unless it has a much deeper one of the same
    /// position from the same search and `entry` is not [`Bound::Exact`](crate::Bound::Exact). If
    /// `entry` has no move and replaces an entry of the same position, the old move stays.
    ///
    /// `entry.mv` must be below [`Entry::MOVE_LIMIT`]; higher bits are lost.
    ///
    /// # Panics
    ///
    /// On a move out of range, in builds with debug assertions.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        debug_assert!(entry.mv < Entry::MOVE_LIMIT, "move out of range");
        let bucket = self.bucket(key);
        if let Some((index, entry)) = choose(&bucket.load(), key, entry, &self.generations) {
            let words = Words::pack(key, self.generations.current(), &entry);
            bucket.slots[index].store(words);
        }
    }

    /// Brings the bucket of a key into the cache, for a probe that will follow soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Begins a new search: the entries of the earlier ones grow older by one generation and give
    /// way sooner. An entry not renewed for 63 searches passes for new again.
    ///
    /// Constant time, except that at most one new search between a [`Table::forget`] and the next
    /// passes over the memory to remove the forgotten entries, lest their labels come round again.
    /// [`Table::prepare`] does so beforehand.
    pub fn new_search(&mut self) {
        while !self.generations.advance() {
            self.sweep(1);
        }
    }

    /// Does all that is left to do with the memory as a whole, shared among `threads` threads (zero counts as
    /// one), so that the searches to come need not: has the system give the memory, and removes forgotten
    /// entries. What the table answers stays the same. Constant time if nothing is to be done.
    pub fn prepare(&mut self, threads: usize) {
        if !self.is_prepared() {
            self.sweep(threads);
        }
    }

    /// Whether [`Table::prepare`] has nothing to do: until the next [`Table::forget`], each
    /// [`Table::new_search`] takes constant time, and no access waits for memory that the system has yet to
    /// give.
    pub fn is_prepared(&self) -> bool {
        self.resident && !self.generations.has_dead()
    }

    /// Removes what cannot be seen. Empty slots are written, too, so that all of the memory is touched.
    fn sweep(&mut self, threads: usize) {
        let generations = self.generations.clone();
        self.share(threads, |buckets| {
            for slot in buckets.iter().flat_map(|bucket| &bucket.slots) {
                if generations.age(slot.load().generation()).is_none() {
                    slot.store(Words::EMPTY);
                }
            }
        });
        self.generations.swept();
        self.resident = true;
    }

    /// Does some work on all buckets, shared among so many threads.
    fn share(&mut self, threads: usize, work: impl Fn(&mut [Bucket]) + Sync) {
        let threads = threads.max(1);
        let share = self.buckets.len().div_ceil(threads);
        let shares = Mutex::new(self.buckets.chunks_mut(share));
        let next = || shares.lock().unwrap_or_else(PoisonError::into_inner).next();
        let run = || {
            while let Some(share) = next() {
                work(share);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // If the system has no thread left, the others do the work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, run);
            }
            run();
        });
    }

    /// Empties the table logically: from here on it answers and replaces exactly as a fresh table
    /// of the same size would.
    ///
    /// Constant time, except when the 63 labels for generations are used up: every `forget` and
    /// every [`Table::new_search`] takes one, and the `forget` that finds none left clears the
    /// memory, on the calling thread.
    pub fn forget(&mut self) {
        if !self.generations.forget() {
            self.clear(1);
        }
    }

    /// Empties the table by zeroing its memory, shared among `threads` threads (zero counts as
    /// one).
    pub fn clear(&mut self, threads: usize) {
        self.generations = Generations::new();
        self.share(threads, |buckets| buckets.fill_with(Bucket::empty));
        self.resident = true;
    }

    /// How full the table is, in thousandths: the part of the first 1000 entries (all of them, in a
    /// smaller table) that the present search has written.
    pub fn hashfull(&self) -> u32 {
        let sample = SAMPLE.min(self.capacity());
        let slots = self.buckets.iter().flat_map(|bucket| &bucket.slots);
        let present = |slot: &&Slot| slot.load().generation() == self.generations.current();
        let used = slots.take(sample).filter(present).count();
        (used * 1000 / sample) as u32
    }

    /// The size of the table in bytes, a multiple of 64.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * BUCKET_BYTES
    }

    /// How many entries the table has room for, a multiple of four.
    pub fn capacity(&self) -> usize {
        self.buckets.len() * SLOTS
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let product = u128::from(key) * self.buckets.len() as u128;
        &self.buckets[(product >> 64) as usize]
    }
}

/// The size of a bucket in bytes. Under loom it is larger in fact.
const BUCKET_BYTES: usize = 64;

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("bytes", &self.bytes())
            .field("generations", &self.generations)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forgetting is cheap again after the clearing that it needs every 63 times.
    #[test]
    fn clearing_renews_the_clock() {
        let mut table = Table::with_bytes(64).unwrap();
        for _ in 0..62 {
            table.forget();
        }
        assert_ne!(table.generations, Generations::new());
        table.forget();
        assert_eq!(table.generations, Generations::new());
        table.new_search();
        table.clear(2);
        assert_eq!(table.generations, Generations::new());
    }

    /// What is left to do with the memory is done at once, and then no longer.
    #[test]
    fn nothing_is_left_to_do_after_preparing() {
        let mut table = Table::with_bytes(1 << 16).unwrap();
        assert!(!table.is_prepared(), "the memory was not touched yet");
        let entry = Entry {
            mv: 5,
            ..Entry::default()
        };
        table.store(1, entry);
        table.prepare(3);
        assert!(table.is_prepared());
        assert_eq!(table.probe(1), Some(entry));
        // Fewer than there are labels: with none left, forgetting clears the memory itself.
        for _ in 0..20 {
            table.new_search();
            assert!(table.is_prepared());
        }
        table.store(2, entry);
        table.forget();
        assert!(!table.is_prepared(), "entries were forgotten");
        table.prepare(2);
        assert!(table.is_prepared());
        assert_eq!((table.probe(1), table.probe(2)), (None, None));
        let written = |slot: &Slot| slot.load() != Words::EMPTY;
        assert!(!table.buckets.iter().flat_map(|b| &b.slots).any(written));
        table.forget();
        table.clear(2);
        for _ in 0..200 {
            assert!(table.is_prepared());
            table.new_search();
        }
    }
}
