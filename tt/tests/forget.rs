//! After `forget` a table cannot be told from a fresh one of the same size.
#![cfg(not(loom))]

use hexmate_tt::{Bound, Entry, Table};
use proptest::prelude::*;

/// What may happen to a table between two forgettings.
#[derive(Debug, Clone)]
enum Step {
    Store(usize, Entry),
    NewSearch,
}

/// Keys for a table of a few buckets, spread over the whole range.
fn key(index: usize) -> u64 {
    let mut x = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 27
}

const KEYS: usize = 40;

/// Entries from few values: worths are often equal, so that the choice among equals shows, and the
/// same entry often comes again after being forgotten.
fn entries() -> impl Strategy<Value = Entry> {
    let bounds = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];
    let bounds = prop::sample::select(bounds.to_vec());
    let depths = prop_oneof![6 => 0..24u8, 1 => Just(255)];
    (0..4u32, -2..3i16, 0..2i16, depths, bounds).prop_map(|(mv, score, eval, depth, bound)| Entry {
        mv,
        score,
        eval,
        depth,
        bound,
    })
}

/// The life of a table up to its next forgetting: `searches` out of ten steps are new searches.
fn life(searches: u32, steps: usize) -> impl Strategy<Value = Vec<Step>> {
    let store = (0..KEYS, entries()).prop_map(|(key, entry)| Step::Store(key, entry));
    let step = prop_oneof![10 - searches => store, searches => Just(Step::NewSearch)];
    prop::collection::vec(step, 0..steps)
}

/// Mostly short lives, a few with more new searches than there are generations.
fn lives() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let life = prop_oneof![20 => life(1, 40), 4 => life(5, 80), 1 => life(7, 260)];
    prop::collection::vec(life, 200..260)
}

/// Everything a caller can learn from a table at this moment.
fn answers(table: &Table) -> (Vec<Option<Entry>>, u32) {
    let probes = (0..KEYS).map(|index| table.probe(key(index)));
    (probes.collect(), table.hashfull())
}

fn apply(table: &mut Table, step: &Step) {
    match *step {
        Step::Store(index, entry) => table.store(key(index), entry),
        Step::NewSearch => table.new_search(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn as_a_fresh_table(buckets in 1..6usize, lives in lives()) {
        let mut table = Table::with_bytes(buckets * 64).unwrap();
        for life in &lives {
            table.forget();
            let mut fresh = Table::with_bytes(buckets * 64).unwrap();
            prop_assert_eq!(answers(&table), answers(&fresh));
            for step in life {
                apply(&mut table, step);
                apply(&mut fresh, step);
                prop_assert_eq!(answers(&table), answers(&fresh));
            }
        }
    }
}

/// Forgetting and nothing else, far around the circle of generations, with one entry each time.
#[test]
fn nothing_returns_from_before() {
    let mut table = Table::with_bytes(64).unwrap();
    let entry = Entry {
        mv: 1,
        depth: 200,
        bound: Bound::Exact,
        ..Entry::default()
    };
    for round in 0..1000 {
        assert!((0..round).all(|old| table.probe(key(old)).is_none()));
        assert_eq!(table.hashfull(), 0);
        table.store(key(round), entry);
        assert_eq!(table.probe(key(round)), Some(entry));
        table.forget();
    }
}

/// Once forgotten, an entry stays so through any number of new searches.
#[test]
fn nothing_returns_with_the_circle() {
    for searches_before in [0, 1, 30, 61, 62, 63, 64, 130] {
        let mut table = Table::with_bytes(64).unwrap();
        for index in 0..searches_before {
            table.store(key(index), Entry::default());
            table.new_search();
        }
        table.store(key(500), Entry::default());
        table.forget();
        table.store(key(1000), Entry::default());
        for _ in 0..200 {
            assert!((0..=500).all(|index| table.probe(key(index)).is_none()));
            assert_eq!(table.probe(key(1000)), Some(Entry::default()));
            table.new_search();
        }
    }
}
