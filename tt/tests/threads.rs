//! Many threads on a tiny table: whatever is found must be a function of the key.
#![cfg(not(loom))]

use hexmate_tt::{Bound, Entry, Table};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The one entry that may be stored under `key` at `depth`: 256 different ones for each key, so
/// that halves of two stores under one key would show as well. The exact ones are never refused.
fn derived(key: u64, depth: u8) -> Entry {
    let bits = mix(key.wrapping_add(u64::from(depth) << 32));
    Entry {
        mv: (bits as u32 & (Entry::MOVE_LIMIT - 1)).max(1),
        score: (bits >> 24) as i16,
        eval: (bits >> 40) as i16,
        depth,
        bound: if depth.is_multiple_of(2) {
            Bound::Exact
        } else {
            Bound::Lower
        },
    }
}

/// Each thread stores and probes `rounds` times among `keys` keys of a table with `bytes` bytes.
fn stress(bytes: usize, keys: u64, threads: u64, rounds: u64) {
    let mut table = Table::with_bytes(bytes).unwrap();
    for repetition in 0..3 {
        let hits = AtomicUsize::new(0);
        thread::scope(|scope| {
            for thread in 0..threads {
                let (table, hits) = (&table, &hits);
                scope.spawn(move || {
                    let mut random = mix(thread + 1000 * repetition + 1);
                    let mut found = 0;
                    for _ in 0..rounds {
                        random = mix(random.wrapping_add(0x9e37_79b9_7f4a_7c15));
                        let key = mix(random % keys + 1);
                        table.prefetch(key);
                        if let Some(entry) = table.probe(key) {
                            assert_eq!(entry, derived(key, entry.depth));
                            found += 1;
                        }
                        table.store(key, derived(key, (random >> 32) as u8));
                    }
                    hits.fetch_add(found, Ordering::Relaxed);
                });
            }
        });
        assert!(hits.into_inner() > 0);
        table.new_search();
        if repetition == 1 {
            table.forget();
        }
    }
}

#[test]
fn one_key() {
    stress(64, 1, 4, 300_000);
}

#[test]
fn one_bucket() {
    stress(64, 9, 4, 300_000);
}

#[test]
fn a_few_buckets() {
    stress(5 * 64, 50, 8, 200_000);
}
