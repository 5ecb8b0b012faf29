//! Checks that the values of a table without pawns follow from its positions' moves, block by block.
//!
//! This looks forward where [`blockwise`](crate::blockwise) looks backward: at each position by itself, and
//! at all of its moves.

use std::sync::atomic::{AtomicU64, Ordering};

use hexmate_movegen::Side;
use rayon::prelude::*;

use crate::blocks::Blocks;
use crate::layout::Layout;
use crate::value::{Code, DRAW, ILLEGAL, MATE, Rank, STALE};
use crate::{parallel, rows};

/// The first position, by its index, whose code does not follow from its moves, with the right code.
pub(crate) fn contradiction(
    blocks: &Blocks<'_>,
    codes: [Vec<Code>; 2],
    tick: &(dyn Fn(u64) + Sync),
) -> Option<(Side, usize, Code)> {
    let layout = &blocks.game.layout;
    let mut ranks = codes.map(|codes| codes.into_iter().map(Rank::after).collect::<Vec<_>>());
    for side in Side::BOTH {
        let all = ranks[side as usize].par_chunks_mut(layout.ways());
        let seen = all.enumerate();
        let seen = seen.map(|(class, ranks)| show_images(layout, class, ranks));
        if let Some(index) = seen.find_map_first(|found| found) {
            return Some((side, index, ILLEGAL));
        }
    }
    let ranks = ranks.map(|ranks| blocks.unfolded(ranks, Rank::NONE));
    Side::BOTH.into_iter().find_map(|side| {
        let done = AtomicU64::new(0);
        parallel::first(blocks.len(), &|block| {
            let wrong = wrong(blocks, side, block, &ranks);
            let ways = layout.ways() as u64;
            tick(done.fetch_add(ways, Ordering::Relaxed) + ways);
            wrong.map(|(at, code)| {
                let number = blocks.number(block, at);
                (side, number.unwrap_or(block * layout.ways()), code)
            })
        })
    })
}

/// Gives equal positions of a class the rank of the first; returns the number of one that has its own.
fn show_images(layout: &Layout, class: usize, ranks: &mut [Rank]) -> Option<usize> {
    if layout.keepers(class).is_empty() {
        return None;
    }
    let base = class * layout.ways();
    let mut wrong = None;
    for at in 0..ranks.len() {
        let first = layout.index(&layout.cells(base + at));
        let first = first.map_or(at, |index| index - base);
        if first != at {
            if ranks[at] != Rank::NONE {
                wrong = wrong.or(Some(base + at));
            }
            ranks[at] = ranks[first];
        }
    }
    wrong
}

/// The first position of a block whose rank is wrong, by its number within the block, with the right code.
fn wrong(
    blocks: &Blocks<'_>,
    side: Side,
    block: usize,
    ranks: &[Vec<Rank>; 2],
) -> Option<(usize, Code)> {
    let ways = blocks.ways();
    let others = &ranks[side.other() as usize][..];
    let own = &ranks[side as usize][block * ways..][..ways];
    let invalid = rows::invalid(blocks, side, block);
    let mut best = rows::best_captures(blocks, side, block);
    rows::add_moves(blocks, side, block, others, &mut best, Rank::max);
    let expected = |at: usize| {
        if invalid[at] {
            return ILLEGAL;
        }
        best[at].before().unwrap_or_else(|| {
            if blocks.in_check(side, block, at) {
                MATE
            } else if blocks.game.rules.stalemate_counts() {
                STALE
            } else {
                DRAW
            }
        })
    };
    let mut codes = (0..ways).map(|at| (at, expected(at)));
    codes.find(|&(at, code)| Rank::after(code) != own[at])
}
