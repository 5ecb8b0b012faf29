//! The transposition table: one thread, a table that fits into the caches and one that does not. The
//! figures are for one entry.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use hexmate_benches::{Clock, Random, criterion};
use hexmate_tt::{Bound, Entry, Table};

/// How many probes ahead a bucket is prefetched.
const AHEAD: usize = 8;

fn keys(seed: u64, number: usize) -> Vec<u64> {
    let mut random = Random::new(seed);
    (0..number).map(|_| random.next_word()).collect()
}

/// `number` keys in the table, and as many that are not.
fn of_size(c: &mut Criterion<Clock>, megabytes: usize, number: usize) {
    let mut table = Table::new(megabytes).expect("memory for a table");
    table.clear(1);
    let (stored, foreign) = (keys(3, number), keys(4, number));
    let entry = |key: u64| Entry {
        mv: key as u32 % Entry::MOVE_LIMIT,
        score: key as i16,
        eval: (key >> 16) as i16,
        depth: (key >> 32) as u8 % 32,
        bound: Bound::Exact,
    };
    let store = || {
        for &key in black_box(&stored) {
            table.store(key, entry(key));
        }
    };
    let probe = |keys: &[u64]| {
        let found = keys.iter().filter_map(|&key| table.probe(key));
        found.map(|entry| u64::from(entry.mv)).sum::<u64>()
    };
    let probe_ahead = || {
        let mut sum = 0;
        for (i, &key) in black_box(&stored).iter().enumerate() {
            if let Some(&next) = stored.get(i + AHEAD) {
                table.prefetch(next);
            }
            sum += table.probe(key).map_or(0, |entry| u64::from(entry.mv));
        }
        sum
    };
    store();
    assert!(probe(&stored) > 0, "entries are found");

    let size = format!("{megabytes} MB");
    let mut group = c.benchmark_group("tt");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(number as u64));
    group.bench_function(BenchmarkId::new("store", &size), |b| b.iter(store));
    group.bench_function(BenchmarkId::new("probe, found", &size), |b| {
        b.iter(|| probe(black_box(&stored)));
    });
    group.bench_function(BenchmarkId::new("probe, not found", &size), |b| {
        b.iter(|| probe(black_box(&foreign)));
    });
    group.bench_function(BenchmarkId::new("prefetch and probe", &size), |b| {
        b.iter(probe_ahead);
    });
    group.finish();
}

fn main() {
    let mut c = criterion();
    // Half as many keys as there is room for; then one for every four cache lines, 64 MB of lines.
    of_size(&mut c, 1, 1 << 15);
    of_size(&mut c, 256, 1 << 20);
    c.final_summary();
}
