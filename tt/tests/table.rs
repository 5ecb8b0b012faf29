//! The table through its public face, on one thread.
#![cfg(not(loom))]

use hexmate_tt::{Bound, Entry, Table, TtError};
use proptest::prelude::*;

fn entry(mv: u32, depth: u8) -> Entry {
    Entry {
        mv,
        score: -300,
        eval: 45,
        depth,
        bound: Bound::Lower,
    }
}

#[test]
fn sizes_and_errors() {
    assert_eq!(Table::new(0).err(), Some(TtError::ZeroSize));
    assert_eq!(Table::with_bytes(0).err(), Some(TtError::ZeroSize));
    for megabytes in [1, 2, 3, 5, 17] {
        let table = Table::new(megabytes).unwrap();
        assert_eq!(table.bytes(), megabytes << 20);
        assert_eq!(table.capacity(), table.bytes() / 16);
    }
    for (bytes, kept) in [(1, 64), (63, 64), (64, 64), (127, 64), (1000, 960)] {
        assert_eq!(Table::with_bytes(bytes).unwrap().bytes(), kept);
    }

    let error = Table::new(usize::MAX).unwrap_err();
    assert!(matches!(error, TtError::TooLarge { unit: "MB", .. }));
    let error = Table::with_bytes(usize::MAX).unwrap_err();
    assert!(matches!(error, TtError::TooLarge { unit: "bytes", .. }));
    // With 32 bits that is a gigabyte, which there may be.
    #[cfg(target_pointer_width = "64")]
    {
        let bytes = usize::MAX / 4 + 1;
        let error = Table::new(bytes >> 20).unwrap_err();
        assert_eq!(error, TtError::OutOfMemory { bytes });
        assert!(error.to_string().contains("no memory"));
    }
}

#[test]
fn zeroed_memory_answers_nothing() {
    let table = Table::new(1).unwrap();
    for key in [0, 1, u64::MAX, 1 << 56, 1 << 63] {
        assert_eq!(table.probe(key), None);
        table.prefetch(key);
    }
    assert_eq!(table.hashfull(), 0);
    assert!(format!("{table:?}").contains("1048576"));
}

#[test]
fn extreme_keys_and_fields_come_back() {
    let table = Table::new(3).unwrap();
    let entries = [
        Entry::default(),
        Entry {
            mv: Entry::MOVE_LIMIT - 1,
            score: i16::MIN,
            eval: i16::MAX,
            depth: u8::MAX,
            bound: Bound::Exact,
        },
    ];
    for entry in entries {
        for key in [0, 1, u64::MAX, u64::MAX >> 8, 1 << 63] {
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
        }
    }
}

/// From 256 buckets on, keys that differ only above the stored bits fall into different buckets.
#[test]
fn no_key_is_taken_for_another() {
    for buckets in [256, 257, 1000, 4096, 12345] {
        let table = Table::with_bytes(buckets * 64).unwrap();
        let low = 0x0012_3456_789a_bcde;
        table.store(low, entry(1, 1));
        for high in 1..256u64 {
            assert_eq!(table.probe(low | high << 56), None);
        }
    }
}

#[test]
fn a_bucket_holds_four_and_drops_the_least() {
    let table = Table::with_bytes(64).unwrap();
    for key in 1..=4 {
        table.store(key, entry(key as u32, key as u8 + 10));
    }
    assert!((1..=4).all(|key| table.probe(key).is_some()));
    assert_eq!(table.hashfull(), 1000);
    table.store(5, entry(5, 0));
    let left = [1, 2, 3, 4, 5].map(|key| table.probe(key).is_some());
    assert_eq!(left, [false, true, true, true, true]);
    table.store(6, entry(6, 0));
    assert_eq!(table.probe(5), None);
}

#[test]
fn age_outweighs_depth_in_time() {
    let mut table = Table::with_bytes(64).unwrap();
    for key in 1..=4 {
        table.store(key, entry(1, 100));
    }
    // After two searches an old entry is worth 84.
    table.new_search();
    table.store(1, entry(1, 95));
    table.new_search();
    table.store(5, entry(1, 83));
    assert_eq!(table.probe(2), None);
    table.store(6, entry(1, 84));
    assert_eq!(table.probe(5), None);
    assert_eq!(table.probe(1), Some(entry(1, 95)));
}

#[test]
fn hashfull_counts_the_present_search() {
    // The first 1000 entries are 250 buckets of these 1024.
    let mut table = Table::with_bytes(1024 * 64).unwrap();
    let key_in = |bucket: u64, n: u64| (bucket << 54) + n + 1;
    for bucket in 0..125 {
        for n in 0..4 {
            table.store(key_in(bucket, n), entry(1, 9));
        }
    }
    assert_eq!(table.hashfull(), 500);
    table.store(key_in(250, 0), entry(1, 9));
    assert_eq!(table.hashfull(), 500, "outside the sample");
    table.new_search();
    assert_eq!(table.hashfull(), 0);
    table.store(key_in(249, 3), entry(1, 9));
    assert_eq!(table.hashfull(), 1);
    table.forget();
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn clearing_over_any_number_of_threads() {
    for buckets in [1, 2, 7, 1000] {
        for threads in [0, 1, 2, 3, 8, 64] {
            let mut table = Table::with_bytes(buckets * 64).unwrap();
            let keys = (0..1000).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            keys.clone().for_each(|key| table.store(key, entry(1, 9)));
            assert!(table.hashfull() > 0);
            table.new_search();
            table.clear(threads);
            assert!(keys.clone().all(|key| table.probe(key).is_none()));
            assert_eq!(table.hashfull(), 0);
        }
    }
}

proptest! {
    /// A table with room for all answers like a map.
    #[test]
    fn like_a_map(stores in prop::collection::vec((any::<u64>(), 1..Entry::MOVE_LIMIT), 1..200)) {
        let table = Table::new(1).unwrap();
        for &(key, mv) in &stores {
            table.store(key, entry(mv, 5));
            prop_assert_eq!(table.probe(key), Some(entry(mv, 5)));
            prop_assert_eq!(table.probe(!key), None);
        }
    }
}
