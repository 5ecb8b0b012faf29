//! Every interleaving, under relaxed ordering, of two writers and a reader. How they share the slot is not part of the
//! model: the `Arc` is the standard library's, or loom would go through all orders of its counts as well.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p hexmate-tt --test loom --release`
#![cfg(loom)]

use hexmate_tt::model::{Slot, Words};
use hexmate_tt::{Bound, Entry, Table};
use loom::thread;
use std::sync::Arc;

const FIRST: Entry = Entry {
    mv: 0x0012_3456,
    score: 31,
    eval: -7,
    depth: 12,
    bound: Bound::Lower,
};

/// Another result for the same position: all but the evaluation is different.
const SECOND: Entry = Entry {
    mv: 0x00ab_cdef,
    score: -250,
    eval: -7,
    depth: 13,
    bound: Bound::Upper,
};

const KEY: u64 = 0x0123_4567_89ab_cdef;
const OTHER: u64 = 0x0123_4567_fedc_ba98;

/// Two writers store under their keys into a slot that may hold something already; a reader looks
/// for both keys and may find only what was stored under them.
fn model_slot(before: Option<(u64, Entry)>, one: (u64, Entry), two: (u64, Entry)) {
    loom::model(move || {
        let packed = |(key, entry)| Words::pack(key, 1, &entry);
        let slot = Arc::new(Slot::new(before.map_or(Words::EMPTY, packed)));
        let writers = [one, two].map(|store| {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.store(packed(store)))
        });
        let check = |words: Words| {
            for key in [KEY, OTHER] {
                if words.generation() != 0 && words.holds(key) {
                    let found = (key, words.entry());
                    assert!(found == one || found == two || Some(found) == before);
                }
            }
        };
        check(slot.load());
        for writer in writers {
            writer.join().unwrap();
        }
        // What the race has left behind must be sound as well.
        check(slot.load());
    });
}

#[test]
fn an_entry_of_one_key() {
    model_slot(None, (KEY, FIRST), (KEY, SECOND));
}

/// A deeper search that changes only the kind of bound: the data words differ in two bits.
#[test]
fn an_entry_nearly_the_same() {
    let deeper = Entry {
        depth: FIRST.depth + 1,
        bound: Bound::Upper,
        ..FIRST
    };
    model_slot(None, (KEY, FIRST), (KEY, deeper));
}

#[test]
fn an_entry_of_two_keys() {
    model_slot(None, (KEY, FIRST), (OTHER, SECOND));
    model_slot(None, (KEY, FIRST), (OTHER, FIRST));
}

#[test]
fn an_entry_overwritten() {
    let before = Entry { mv: 1, ..FIRST };
    model_slot(Some((KEY, before)), (KEY, FIRST), (KEY, SECOND));
    model_slot(Some((OTHER, before)), (KEY, FIRST), (KEY, SECOND));
}

/// The same through the table, whose stores read the bucket first. The switches between threads
/// are limited, since every store and probe visits eight words.
#[test]
fn a_table_of_one_bucket() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(|| {
        let table = Arc::new(Table::with_bytes(64).unwrap());
        let writers = [FIRST, SECOND].map(|entry| {
            let table = Arc::clone(&table);
            thread::spawn(move || table.store(KEY, entry))
        });
        let sound = |found: Option<Entry>| found.is_none_or(|e| e == FIRST || e == SECOND);
        assert!(sound(table.probe(KEY)));
        for writer in writers {
            writer.join().unwrap();
        }
        assert!(sound(table.probe(KEY)));
    });
}
