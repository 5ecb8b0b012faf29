//! Retrograde analysis: backwards from the final positions, ply by ply.
//!
//! First mates: whoever can move to a lost position wins, whoever can only move to positions won for the
//! opponent loses. In games where a stalemate costs the stalemated side something, the same is then done for
//! stalemates among the positions that mates have left open: whoever can give stalemate and has no win does,
//! and only a move to a position that is still open, a draw, avoids being stalemated.

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use hexmate_movegen::Side;

use crate::moves::{Child, Game, Lookup};
use crate::parallel;
use crate::value::{Best, CANDIDATE, Code, DRAW, ILLEGAL, MATE, STALE, is_odd};

/// Positions that a thread takes at a time.
pub(crate) const PIECE: usize = 1 << 14;

/// The progress of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Finding the valid positions, and the results of captures and promotions.
    Start,
    /// Mates in this many plies are done.
    Mates(u16),
    /// Stalemates in this many plies are done.
    Stalemates(u16),
}

/// The codes of all positions.
pub(crate) struct Codes([Vec<AtomicU16>; 2]);

impl Codes {
    pub fn new(positions: usize) -> Self {
        let side = || (0..positions).map(|_| AtomicU16::new(ILLEGAL)).collect();
        Codes([side(), side()])
    }

    fn positions(&self) -> usize {
        self.0[0].len()
    }

    #[inline(always)]
    pub fn get(&self, side: Side, index: usize) -> Code {
        self.0[side as usize][index].load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub fn set(&self, side: Side, index: usize, code: Code) {
        self.0[side as usize][index].store(code, Ordering::Relaxed);
    }

    /// The codes, once no thread changes them any more.
    fn into_plain(self) -> [Vec<Code>; 2] {
        let plain = |codes: Vec<AtomicU16>| codes.into_iter().map(AtomicU16::into_inner).collect();
        self.0.map(plain)
    }

    /// Calls `f` for all indices of a side, on many threads.
    pub fn each(&self, f: impl Fn(usize) + Sync) {
        let positions = self.positions();
        parallel::each(positions.div_ceil(PIECE), &|piece| {
            let end = ((piece + 1) * PIECE).min(positions);
            (piece * PIECE..end).for_each(&f);
        });
    }
}

impl Lookup for [Vec<Code>; 2] {
    #[inline(always)]
    fn at(&self, side: Side, index: usize) -> Code {
        self[side as usize][index]
    }
}

impl Lookup for Codes {
    #[inline(always)]
    fn at(&self, side: Side, index: usize) -> Code {
        self.get(side, index)
    }
}

/// What the solver is looking for.
#[derive(Clone, Copy)]
pub(crate) struct Layer {
    /// The code of the final position itself.
    pub end: Code,
    /// Every code of the layer is below this.
    pub limit: Code,
}

pub(crate) const MATES: Layer = Layer {
    end: MATE,
    limit: STALE,
};
pub(crate) const STALEMATES: Layer = Layer {
    end: STALE,
    limit: CANDIDATE,
};

impl Layer {
    /// The progress when a code is done.
    pub fn progress(self, now: Code) -> Progress {
        match self.end {
            MATE => Progress::Mates(now),
            _ => Progress::Stalemates(now - STALE),
        }
    }
}

/// The work on one table.
pub(crate) struct Solver<'g> {
    game: &'g Game,
    codes: Codes,
    /// The positions with a double step that may be answered en passant, examined again at each ply.
    steps: [Vec<usize>; 2],
    /// The largest code of the layer so far.
    last: AtomicU16,
    stop: &'g AtomicBool,
}

/// The work was interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

impl<'g> Solver<'g> {
    pub fn new(game: &'g Game, stop: &'g AtomicBool) -> Self {
        Solver {
            codes: Codes::new(game.layout.positions()),
            game,
            steps: [Vec::new(), Vec::new()],
            last: AtomicU16::new(0),
            stop,
        }
    }

    /// Solves the table; returns the codes by side to move.
    pub fn run(mut self, progress: &(dyn Fn(Progress) + Sync)) -> Result<[Vec<Code>; 2], Stopped> {
        progress(Progress::Start);
        self.mark_valid();
        self.steps = Side::each(|side| self.capturable_steps(side));
        self.solve(MATES, progress)?;
        if self.game.rules.stalemate_counts() {
            self.solve(STALEMATES, progress)?;
        }
        Ok(self.codes.into_plain())
    }

    fn mark_valid(&self) {
        let layout = &self.game.layout;
        for side in Side::BOTH {
            self.codes.each(|index| {
                let cells = layout.cells(index);
                // The representative of its class, and valid.
                let stands = layout.index(&cells) == Some(index);
                if stands && self.game.is_valid(side, &cells) {
                    self.codes.set(side, index, DRAW);
                }
            });
        }
    }

    fn capturable_steps(&self, side: Side) -> Vec<usize> {
        let layout = &self.game.layout;
        let positions = layout.positions();
        let wanted = |&index: &usize| {
            self.codes.get(side, index) != ILLEGAL
                && self.game.has_capturable_step(side, &layout.cells(index))
        };
        let found = parallel::all(positions.div_ceil(PIECE), &|piece| {
            let indices = piece * PIECE..((piece + 1) * PIECE).min(positions);
            indices.filter(wanted).collect::<Vec<_>>()
        });
        found.concat()
    }

    fn solve(&self, layer: Layer, progress: &(dyn Fn(Progress) + Sync)) -> Result<(), Stopped> {
        self.last.store(layer.end, Ordering::Relaxed);
        for side in Side::BOTH {
            self.codes.each(|index| self.begin(layer, side, index));
        }
        // An en passant capture may lead to a position of another table at any distance.
        let beyond = self.game.links().filter_map(|link| link.table());
        let beyond = beyond.flat_map(|table| table.header().counts.iter());
        let beyond = beyond.flat_map(|counts| counts.longest_plies).max();
        let beyond = if self.steps.iter().any(|s| !s.is_empty()) {
            layer.end + beyond.unwrap_or(0) + 2
        } else {
            layer.end
        };
        let mut now = layer.end;
        while now <= self.last.load(Ordering::Relaxed).max(beyond) {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Stopped);
            }
            self.advance(layer, now);
            progress(layer.progress(now));
            now += 1;
        }
        Ok(())
    }

    #[inline(always)]
    fn settle(&self, side: Side, index: usize, code: Code) {
        self.codes.set(side, index, code);
        self.last.fetch_max(code, Ordering::Relaxed);
    }

    /// The code of a position from captures and promotions alone, or as a final position.
    fn begin(&self, layer: Layer, side: Side, index: usize) {
        if self.codes.get(side, index) != DRAW {
            return;
        }
        let cells = self.game.layout.cells(index);
        let mut best = Best::NONE;
        self.game.children(&self.codes, side, &cells, |child| {
            match child {
                Child::Within(ILLEGAL) | Child::Beyond(ILLEGAL) => {}
                Child::Within(code) if is_odd(code) && code < layer.end => best.add(code),
                // Found later; other threads may be writing it now.
                Child::Within(_) => best.add(DRAW),
                Child::Beyond(code) if code < layer.limit => best.add(code),
                // Better or worse than what the layer is about, so it decides nothing.
                Child::Beyond(code) => best.add(if is_odd(code) { code } else { DRAW }),
            }
            true
        });
        match best.code() {
            None => {
                let check = self.game.in_check(side, &cells);
                if check == (layer.end == MATE) {
                    self.settle(side, index, layer.end);
                }
            }
            Some(code) if code != DRAW && code < layer.limit => self.settle(side, index, code),
            Some(_) => {}
        }
    }

    /// Settles all positions one ply before those with the code `now`.
    fn advance(&self, layer: Layer, now: Code) {
        for side in Side::BOTH {
            self.codes.each(|index| {
                if self.codes.get(side, index) == now {
                    self.spread(side, index, now);
                }
            });
        }
        for side in Side::BOTH {
            if is_odd(now) {
                self.codes.each(|index| {
                    if self.codes.get(side, index) == CANDIDATE {
                        self.examine(layer, side, index, now);
                    }
                });
            }
            let steps = &self.steps[side as usize];
            let look_anew = |at: usize| self.look_anew(layer, side, steps[at], now);
            parallel::each(steps.len(), &look_anew);
        }
    }

    /// Visits the predecessors of a settled position.
    fn spread(&self, side: Side, index: usize, now: Code) {
        let before = side.other();
        let cells = self.game.layout.cells(index);
        self.game.before(side, &cells, |earlier| {
            let Some(index) = self.game.layout.index(earlier) else {
                return;
            };
            let known = self.codes.get(before, index);
            if is_odd(now) {
                if known == DRAW {
                    self.codes.set(before, index, CANDIDATE);
                }
            } else if known != ILLEGAL && known > now + 1 {
                // All threads that get here at this ply write the same.
                self.settle(before, index, now + 1);
            }
        });
    }

    /// Whether all moves of a position lead to positions won by ply `now`.
    fn examine(&self, layer: Layer, side: Side, index: usize, now: Code) {
        let cells = self.game.layout.cells(index);
        let mut most = 0;
        let lost = self.game.children(&self.codes, side, &cells, |child| {
            let (code, limit) = match child {
                Child::Within(code) => (code, now),
                Child::Beyond(code) => (code, layer.limit),
            };
            if code == ILLEGAL {
                return true;
            }
            most = most.max(code);
            is_odd(code) && code <= limit
        });
        if lost {
            self.settle(side, index, most + 1);
        } else {
            self.codes.set(side, index, DRAW);
        }
    }

    /// The code, from its moves, of a position with a double step that its successors do not show.
    fn look_anew(&self, layer: Layer, side: Side, index: usize, now: Code) {
        let known = self.codes.get(side, index);
        if known <= now + 1 {
            return;
        }
        let cells = self.game.layout.cells(index);
        let mut best = Best::NONE;
        self.game.children(&self.codes, side, &cells, |child| {
            match child {
                Child::Within(ILLEGAL) | Child::Beyond(ILLEGAL) => {}
                Child::Within(code) => best.add(if code <= now { code } else { DRAW }),
                Child::Beyond(code) if code < layer.limit => best.add(code),
                Child::Beyond(code) => best.add(if is_odd(code) { code } else { DRAW }),
            }
            true
        });
        let Some(code) = best.code() else {
            return;
        };
        if code < known && code < layer.limit {
            self.settle(side, index, code);
        }
    }
}

/// The first position of a solved table whose code does not follow from its moves, with the right code;
/// `None` if all do.
pub(crate) fn contradiction(
    game: &Game,
    codes: &(impl Lookup + Sync),
    tick: &(dyn Fn(u64) + Sync),
) -> Option<(Side, usize, Code)> {
    let layout = &game.layout;
    let positions = layout.positions();
    let ticks = AtomicU64::new(0);
    Side::BOTH.into_iter().find_map(|side| {
        parallel::first(positions.div_ceil(PIECE), &|piece| {
            let end = ((piece + 1) * PIECE).min(positions);
            let wrong = (piece * PIECE..end).find_map(|index| {
                let expected = expected(game, codes, side, index);
                (codes.at(side, index) != expected).then_some((side, index, expected))
            });
            let done = ticks.fetch_add(PIECE as u64, Ordering::Relaxed) + PIECE as u64;
            tick(done);
            wrong
        })
    })
}

/// The code of a position from its moves.
fn expected(game: &Game, codes: &impl Lookup, side: Side, index: usize) -> Code {
    let cells = game.layout.cells(index);
    if game.layout.index(&cells) != Some(index) || !game.is_valid(side, &cells) {
        return ILLEGAL;
    }
    let mut best = Best::NONE;
    game.children(codes, side, &cells, |child| {
        match child {
            Child::Within(ILLEGAL) | Child::Beyond(ILLEGAL) => {}
            Child::Within(code) | Child::Beyond(code) => best.add(code),
        }
        true
    });
    best.code().unwrap_or_else(|| {
        if game.in_check(side, &cells) {
            MATE
        } else if game.rules.stalemate_counts() {
            STALE
        } else {
            DRAW
        }
    })
}
