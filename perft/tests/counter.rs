//! Counts of several threads, with and without a hash table.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use hexmate_movegen::{BuiltIn, Glinski, Position, perft, test_each_game};
use hexmate_perft::{Counter, Means, MemoKind, TooMany};

/// Whatever the means, counts are those of one thread without a hash table.
fn counts_do_not_depend_on_means<G: BuiltIn>() {
    let start = Position::<G>::start();
    let expected = perft(&start, 3);
    for (threads, megabytes, memo) in [
        (1, 0, MemoKind::Array),
        (2, 0, MemoKind::Array),
        (1, 1, MemoKind::Array),
        (2, 1, MemoKind::Dashmap),
    ] {
        let means = Means {
            threads,
            megabytes,
            memo,
        };
        let counter = Counter::new(&means).unwrap();
        assert_eq!(counter.perft(&start, 3), Ok(expected), "{means:?}");
        let divided = counter.divide(&start, 3).unwrap();
        assert_eq!(divided.len() as u64, start.count_legal());
        assert_eq!(divided.iter().map(|(_, n)| n).sum::<u64>(), expected);
    }
}

test_each_game!(counts_do_not_depend_on_means);

#[test]
fn what_is_told_is_all_of_it() {
    let start = Position::<Glinski>::start();
    let sums = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
    let told = Arc::clone(&sums);
    let counter = Counter::new(&Means::default()).unwrap();
    let counter = counter.telling(1 << 30, move |part, leaves| {
        told[0].fetch_add(part, Relaxed);
        told[1].fetch_add(leaves, Relaxed);
    });
    let count = counter.perft(&start, 3).unwrap();
    assert_eq!(sums[1].load(Relaxed), count);
    // Parts are rounded down.
    let part = sums[0].load(Relaxed);
    assert!(part <= 1 << 30 && part > (1 << 30) - 100_000, "{part}");
    assert_eq!(counter.divide(&start, 0), Ok(Vec::new()));
}

/// Bare kings in the middle of the board; at depth 19 they have 25,698,880,635,223,461,841 sequences.
#[test]
fn what_does_not_fit_into_64_bits_is_refused_by_either_hash_table() {
    let kings = "1/3/2k2/7/9/11/11/4K6/11/11/11 w - - 0 1";
    let kings: Position<Glinski> = kings.parse().unwrap();
    for memo in [MemoKind::Array, MemoKind::Dashmap] {
        let means = Means {
            megabytes: 64,
            memo,
            ..Means::default()
        };
        let counter = Counter::new(&means).unwrap();
        // More than a slot of the array holds.
        let known = 2_513_854_513_745_274_785;
        assert_eq!(counter.perft(&kings, 18), Ok(known), "{memo:?}");
        for depth in [19, 40] {
            let refused = Err(TooMany { depth });
            assert_eq!(counter.perft(&kings, depth), refused, "{memo:?}");
        }
        // Each of the parts would fit.
        assert_eq!(counter.divide(&kings, 19), Err(TooMany { depth: 19 }));
    }
    let told = TooMany { depth: 19 }.to_string();
    assert!(
        told.contains("depth 19: more than 18446744073709551615 sequences"),
        "{told}"
    );
}
