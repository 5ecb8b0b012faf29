//! Every operation of the two words against the same operation on a plain set.

use crate::common::Rng;
use hexmate_movegen::{B256, Bits, Cell, CellSet};

const SETS: usize = 300;

fn listed<B: Bits>(set: B) -> Vec<usize> {
    set.cells().map(usize::from).collect()
}

fn agrees<B: Bits>(words: [u64; 4], n: u32) {
    let mut set = CellSet::ZERO;
    for i in 0..B::SIZE {
        set.set(i, words[i / 64] >> (i % 64) & 1 != 0);
    }
    let bits = B::from_set(&set);
    let cells: Vec<usize> = set.iter_ones().collect();
    assert_eq!(listed(bits), cells);
    assert_eq!(bits.count() as usize, cells.len());
    let mut tally = B::Tally::default();
    bits.tally(&mut tally);
    (!bits).tally(&mut tally);
    assert_eq!(B::total(tally) as usize, B::SIZE);
    assert_eq!(bits.any(), !cells.is_empty());
    assert_eq!((!bits).count() as usize, B::SIZE - cells.len());
    let up = cells.iter().map(|c| c + n as usize);
    let up: Vec<usize> = up.filter(|&c| c < B::SIZE).collect();
    assert_eq!(listed(bits.shift_up(n)), up);
    let down = cells.iter().filter_map(|c| c.checked_sub(n as usize));
    assert_eq!(listed(bits.shift_down(n)), down.collect::<Vec<_>>());
    for pivot in 0..B::SIZE {
        assert_eq!(bits.has(pivot as Cell), set[pivot]);
        let part = |within: &dyn Fn(usize) -> bool| {
            let cells = cells.iter().filter(|&&c| within(c));
            cells.fold(B::EMPTY, |part, &c| part | B::of(c as Cell))
        };
        let (low, high) = (part(&|c| c < pivot), part(&|c| c > pivot));
        let from = cells.iter().rev().find(|&&c| c < pivot).copied();
        let to = cells.iter().find(|&&c| c > pivot).copied();
        let expected: Vec<usize> = (from.unwrap_or(0)..=to.unwrap_or(B::SIZE - 1)).collect();
        assert_eq!(listed(high.obstruction_difference(low)), expected);
    }
}

#[test]
fn both_words_agree_with_plain_sets() {
    let mut rng = Rng(5);
    for _ in 0..SETS {
        let mut words = || [0; 4].map(|_| rng.next());
        let (raw, thin) = (words(), words());
        let n = 1 + rng.below(63) as u32;
        let sparse = [
            raw[0] & thin[0],
            raw[1] & thin[1],
            0,
            raw[3] & thin[3] & thin[0],
        ];
        for words in [raw, sparse, [0; 4], [0, 0, 1, 0]] {
            agrees::<u128>(words, n);
            agrees::<B256>(words, n);
        }
    }
}
