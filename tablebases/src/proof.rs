//! Whether the values of a table without pawns are what its positions' moves say, block by block.
//!
//! This looks forward where [`blockwise`](crate::blockwise) looks backward: at each position by itself, and at
//! all of its moves.

use std::sync::atomic::{AtomicU64, Ordering};

use hexmate_movegen::Side;
use rayon::prelude::*;

use crate::blocks::Blocks;
use crate::layout::Layout;
use crate::rows;
use crate::value::{Code, DRAW, ILLEGAL, MATE, Rank, STALE};

/// The first position, by its number, whose code is not what its moves say, with the code that it should
/// have.
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
        (0..blocks.len()).into_par_iter().find_map_first(|block| {
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

/// Gives what is the same in a class the rank of the first; the number of one that has its own.
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

/// The first position of a block whose rank is wrong, by its number within the block, with its code.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use hexmate_movegen::Glinski;
    use tempfile::TempDir;

    use crate::check::Random;
    use crate::folder::Folder;
    use crate::material::Material;
    use crate::rules::Rules;

    /// In a table of a pair, whose men are told apart for the proof.
    #[test]
    fn a_wrong_code_is_found() {
        let rules = Arc::new(Rules::of::<Glinski>());
        let place = TempDir::new().unwrap();
        let mut folder = Folder::new(Arc::clone(&rules), place.path());
        let material = Material::parse(&rules, "KBBK").unwrap();
        for plan in folder.plan(std::slice::from_ref(&material)) {
            let never = std::sync::atomic::AtomicBool::new(false);
            folder.build(&plan, None, &never, &|_| {}).unwrap();
        }
        let codes = folder.table(&material).unwrap().codes();
        let game = folder.game(&material).unwrap();
        let blocks = Blocks::new(&game).unwrap();
        assert_eq!(contradiction(&blocks, codes.clone(), &|_| {}), None);
        let mut random = Random::new(4);
        for side in Side::BOTH {
            for (right, wrong) in [(DRAW, 2), (DRAW, ILLEGAL), (ILLEGAL, DRAW)] {
                let mut codes = codes.clone();
                let code = std::iter::repeat_with(|| random.below(codes[0].len()));
                let mut code = code.filter(|&at| codes[side as usize][at] == right);
                let at = code.next().unwrap();
                codes[side as usize][at] = wrong;
                assert!(
                    contradiction(&blocks, codes, &|_| {}).is_some(),
                    "{side:?} {at}"
                );
            }
        }
    }
}
