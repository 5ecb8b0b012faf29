//! What bounds a search, and what it reports.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use hexmate_movegen::Move;

use crate::score::{MAX_PLY, Score};

/// When a search ends. All bounds that are set hold at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'s> {
    /// The last depth that is searched, in plies.
    pub depth: Option<u32>,
    /// The number of positions that may be visited.
    pub nodes: Option<u64>,
    /// The moment at which the search ends.
    pub deadline: Option<Instant>,
    /// A flag that somebody else may set to end the search.
    pub stop: Option<&'s AtomicBool>,
}

impl Limits<'_> {
    pub(crate) fn last_depth(&self) -> u32 {
        self.depth
            .unwrap_or(MAX_PLY as u32)
            .clamp(1, MAX_PLY as u32)
    }

    pub(crate) fn out_of_nodes(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|most| nodes >= most)
    }

    /// Looks at the clock and the flag: dear, so not for every node.
    pub(crate) fn interrupted(&self) -> bool {
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// What a search found, after each finished depth and at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The score of the best move, from the side to move.
    pub score: Score,
    /// The last depth that was searched to its end; 0 if none was.
    pub depth: u32,
    /// The longest line that was looked at, in plies.
    pub seldepth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// The best line; its first move is the best move. Empty only where there is no legal move.
    pub pv: Vec<Move>,
}

impl Report {
    /// The best move, if there is a legal one.
    pub fn best_move(&self) -> Option<Move> {
        self.pv.first().copied()
    }
}
