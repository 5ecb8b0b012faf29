//! Retrograde analysis of tables without pawns, block by block: the same as in [`solve`](crate::solve), in a
//! tenth of the time.
//!
//! Each position has a count of its moves that are not yet known to lose. Whenever a position is won, the
//! count of every predecessor goes down by one, and a position whose count reaches zero is lost. So every
//! move is examined once, and no position twice. A block is changed by only one thread at a time; from other
//! blocks, which king moves lead to, it reads what is new there at this ply.

use std::sync::atomic::{AtomicBool, Ordering};

use hexmate_movegen::Side;
use rayon::prelude::*;

use crate::backward::{Backward, Frontier};
use crate::blocks::Blocks;
use crate::layout::Layout;
use crate::rows;
use crate::solve::{Layer, MATES, Progress, STALEMATES, Stopped};
use crate::value::{Code, DRAW, ILLEGAL, MATE, Rank, STALE, is_even, is_odd};

/// The codes given to positions of a block in this layer, as bits.
#[derive(Clone, Default)]
struct Due(Vec<u64>);

impl Due {
    fn add(&mut self, code: Code) {
        let word = usize::from(code / 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (code % 64);
    }

    fn has(&self, code: Code) -> bool {
        let word = self.0.get(usize::from(code / 64));
        word.is_some_and(|word| word >> (code % 64) & 1 != 0)
    }

    fn last(&self) -> Option<Code> {
        let word = self.0.iter().rposition(|&word| word != 0)?;
        Some(64 * word as Code + self.0[word].ilog2() as Code)
    }
}

/// The count of open moves of a position that needs none: it is invalid, or settled.
const SETTLED: u8 = u8::MAX;

/// The work on one table.
pub(crate) struct BlockSolver<'b> {
    blocks: &'b Blocks<'b>,
    /// By side to move.
    codes: [Vec<Code>; 2],
    /// How many moves are not yet known to lose; captures count as one if any of them does not lose.
    open: [Vec<u8>; 2],
    due: [Vec<Due>; 2],
    stop: &'b AtomicBool,
}

impl Layer {
    /// Whether the best capture does not lose in this layer.
    fn is_saved_by(self, capture: Rank) -> bool {
        let code = capture.before();
        code.is_some_and(|code| !(is_even(code) && code < self.limit))
    }
}

impl<'b> BlockSolver<'b> {
    /// `None` if a position may have more moves than can be counted.
    pub fn new(blocks: &'b Blocks<'b>, stop: &'b AtomicBool) -> Option<Self> {
        let positions = blocks.len() * blocks.ways();
        // One more for the captures.
        let countable = |&side: &Side| blocks.most_moves(side) + 1 < SETTLED.into();
        let counted = Side::BOTH.iter().all(countable);
        counted.then(|| BlockSolver {
            codes: [vec![ILLEGAL; positions], vec![ILLEGAL; positions]],
            open: [vec![0; positions], vec![0; positions]],
            due: Default::default(),
            blocks,
            stop,
        })
    }

    /// Solves the table; returns the codes by side to move.
    pub fn run(mut self, progress: &(dyn Fn(Progress) + Sync)) -> Result<[Vec<Code>; 2], Stopped> {
        progress(Progress::Start);
        self.mark_valid();
        self.solve(MATES, progress)?;
        if self.blocks.game.rules.stalemate_counts() {
            self.solve(STALEMATES, progress)?;
        }
        drop(self.open);
        let mut codes = self.codes.map(|codes| self.blocks.folded(codes));
        hide_images(&self.blocks.game.layout, &mut codes);
        Ok(codes)
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn mark_valid(&mut self) {
        let (blocks, ways) = (self.blocks, self.blocks.ways());
        for side in Side::BOTH {
            let all = self.codes[side as usize].par_chunks_mut(ways).enumerate();
            all.for_each(|(block, codes)| {
                for (code, invalid) in codes.iter_mut().zip(rows::invalid(blocks, side, block)) {
                    *code = if invalid { ILLEGAL } else { DRAW };
                }
            });
        }
    }

    fn solve(&mut self, layer: Layer, progress: &(dyn Fn(Progress) + Sync)) -> Result<(), Stopped> {
        for side in Side::BOTH {
            self.begin(layer, side);
        }
        let mut frontier = Frontier::new(self.blocks);
        let mut now = layer.end;
        while self.last_due().is_some_and(|last| layer.end + last >= now) && !self.stopped() {
            for side in Side::BOTH {
                let (codes, due) = (&self.codes[side as usize], &self.due[side as usize]);
                frontier.take(codes, now, |block| due[block].has(now - layer.end));
                self.spread(layer, side, now, &frontier);
            }
            progress(layer.progress(now));
            now += 1;
        }
        if self.stopped() { Err(Stopped) } else { Ok(()) }
    }

    fn last_due(&self) -> Option<Code> {
        self.due.iter().flatten().filter_map(Due::last).max()
    }

    /// Counts moves, and settles what captures or the lack of moves decide.
    fn begin(&mut self, layer: Layer, side: Side) {
        let (blocks, ways, stop) = (self.blocks, self.blocks.ways(), self.stop);
        let [white, black] = &mut self.codes;
        let (codes, others) = match side {
            Side::White => (white, &*black),
            Side::Black => (black, &*white),
        };
        self.due[side as usize] = vec![Due::default(); blocks.len()];
        let open = self.open[side as usize].par_chunks_mut(ways);
        let due = self.due[side as usize].par_iter_mut();
        let all = codes.par_chunks_mut(ways).zip(open).zip(due).enumerate();
        all.for_each(|(block, ((codes, open), due))| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let captures = rows::best_captures(blocks, side, block);
            if layer.end == MATE {
                rows::add_moves(blocks, side, block, others, open, |count, code| {
                    count + u8::from(code != ILLEGAL)
                });
            }
            for (at, (open, &capture)) in open.iter_mut().zip(&captures).enumerate() {
                if codes[at] == DRAW {
                    let in_check = || blocks.in_check(side, block, at);
                    if let Some(code) = first(layer, open, capture, in_check) {
                        codes[at] = code;
                        due.add(code - layer.end);
                    }
                } else if layer.end == MATE {
                    *open = SETTLED;
                }
            }
        });
    }

    /// Settles the predecessors of the positions of a frontier.
    fn spread(&mut self, layer: Layer, side: Side, now: Code, frontier: &Frontier) {
        let (blocks, ways) = (self.blocks, self.blocks.ways());
        let before = side.other();
        let open = self.open[before as usize].par_chunks_mut(ways);
        let due = self.due[before as usize].par_iter_mut();
        let codes = self.codes[before as usize].par_chunks_mut(ways);
        let all = codes.zip(open).zip(due).enumerate();
        let room = || (Backward::default(), vec![0; ways]);
        all.for_each_init(room, |(backward, hits), (block, ((codes, open), due))| {
            let kings = blocks.king_moves(before, block);
            if frontier.is_empty(block) && kings.iter().all(|king| frontier.is_empty(king.block)) {
                return;
            }
            if is_odd(now) {
                backward.mark(blocks, before, block, frontier, open, u8::wrapping_sub);
                each_where(open, 0, |at| {
                    if codes[at] == DRAW {
                        codes[at] = lost(blocks, before, block, at).max(now + 1);
                        due.add(codes[at] - layer.end);
                    }
                    SETTLED
                });
            } else {
                backward.mark(blocks, before, block, frontier, hits, |hit, moves| {
                    hit | u8::from(moves > 0)
                });
                each_where(hits, 1, |at| {
                    if codes[at] > now + 1 && codes[at] != ILLEGAL {
                        codes[at] = now + 1;
                        due.add(now + 1 - layer.end);
                    }
                    0
                });
            }
        });
    }
}

/// Bytes of memory that solving takes: for each position and side to move a code, a count and a bit; rows of
/// bits start at whole words.
pub(crate) fn memory(layout: &Layout) -> u64 {
    let told_apart = matches!(layout.groups(), [pair] if pair.count == 2);
    let positions = 2 * layout.positions() as u64 * if told_apart { 2 } else { 1 };
    positions * 3 + positions / 4
}

/// Of equal positions in a block only the first has a value in the file.
fn hide_images(layout: &Layout, codes: &mut [Vec<Code>; 2]) {
    for codes in codes {
        let all = codes.par_chunks_mut(layout.ways()).enumerate();
        all.filter(|(class, _)| !layout.keepers(*class).is_empty())
            .for_each(|(class, codes)| {
                for (at, code) in codes.iter_mut().enumerate() {
                    let index = class * layout.ways() + at;
                    if layout.weight(index, &layout.cells(index)) == 0 {
                        *code = ILLEGAL;
                    }
                }
            });
    }
}

/// The code of a position that is not settled, if its captures or the lack of moves decide it; `open` is the
/// number of its other moves or, in the second layer, what is left of it.
#[inline(always)]
fn first(layer: Layer, open: &mut u8, capture: Rank, in_check: impl Fn() -> bool) -> Option<Code> {
    if *open == SETTLED {
        // Stalemated, as found in the first layer.
        return Some(STALE);
    }
    if layer.end == MATE {
        *open += u8::from(layer.is_saved_by(capture));
    } else if MATES.is_saved_by(capture) && !layer.is_saved_by(capture) {
        *open -= 1;
    }
    let best = capture.before();
    if let Some(code) = best.filter(|&code| is_odd(code) && code < layer.limit) {
        return Some(code);
    }
    if *open > 0 {
        return None;
    }
    *open = SETTLED;
    best.or_else(|| in_check().then_some(MATE))
}

/// Calls `f` with the place of each such byte, and stores there what it returns.
#[inline(always)]
fn each_where(bytes: &mut [u8], wanted: u8, mut f: impl FnMut(usize) -> u8) {
    for (piece, bytes) in bytes.chunks_mut(64).enumerate() {
        // Checked many bytes at a time.
        if bytes
            .iter()
            .fold(false, |found, &byte| found | (byte == wanted))
        {
            for (i, byte) in bytes.iter_mut().enumerate() {
                if *byte == wanted {
                    *byte = f(64 * piece + i);
                }
            }
        }
    }
}

/// The code of a lost position, from its captures alone.
fn lost(blocks: &Blocks<'_>, side: Side, block: usize, at: usize) -> Code {
    let cells = blocks.cells(block, at);
    let mut best = Rank::NONE;
    blocks.captures(side, &cells, |man, victim| {
        best = best.max(Rank::after(blocks.after_capture(side, &cells, man, victim)));
    });
    best.before().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::{GameId, KING, Kind, with_game};

    use crate::rules::Rules;

    /// Moves can be reversed along the same paths: `backward` relies on it.
    #[test]
    fn paths_lead_both_ways() {
        for &game in GameId::ALL {
            with_game!(game, g => there_and_back(&Rules::of(g)));
        }
    }

    fn there_and_back(rules: &Rules) {
        let kinds = rules.officers().chain([KING]);
        for kind in kinds.collect::<Vec<Kind>>() {
            let mut ways = Vec::new();
            for from in 0..rules.size() as u8 {
                for path in rules.paths(kind, from) {
                    ways.extend((0..path.len()).map(|i| (from, path[..i].to_vec(), path[i])));
                }
            }
            let back = ways.iter().map(|(from, over, to)| {
                let over = over.iter().rev().copied().collect();
                (*to, over, *from)
            });
            let mut back: Vec<(u8, Vec<u8>, u8)> = back.collect();
            back.sort_unstable();
            ways.sort_unstable();
            assert!(back == ways, "{} of {}", rules.letter(kind), rules.name());
        }
    }
}
