//! What bounds a search, and what it reports.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hexmate_movegen::Move;
use hexmate_tt::Bound;

use crate::score::{DRAW, MAX_PLY, Score};
use crate::time::Budget;

/// When a search ends and what it looks at. All bounds that are set hold at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'s> {
    /// The last depth that is searched, in plies.
    pub depth: Option<u32>,
    /// The number of positions that may be visited, by all threads together.
    pub nodes: Option<u64>,
    /// No further depth is begun once so many positions were visited: so every score is that of a whole depth.
    pub soft_nodes: Option<u64>,
    /// Looks for a mate in this many moves or fewer for the side to move, in every line, and ends the search
    /// once one is proven, or one for each of `multipv` lines, as far as there are so many. If it is proven that there
    /// is none, the search ends, too, unless `depth`, `nodes`, `soft_nodes` or `time` bounds it: then it goes on as
    /// usual within these.
    pub mate: Option<u32>,
    /// When the clock started, if that was before the search begins.
    pub begin: Option<Instant>,
    /// The time that may be used. The first depth is searched to its end, for the best move's line, unless that takes
    /// more than 20,000 nodes.
    pub time: Option<Budget>,
    /// A flag that somebody else may set to end the search.
    pub stop: Option<&'s AtomicBool>,
    /// While this flag is set the opponent is still thinking: `time` does not end the search.
    pub ponder: Option<&'s AtomicBool>,
    /// Where the positions visited so far are told, by all threads together, every few hundred of them.
    pub counted: Option<&'s AtomicU64>,
    /// The only moves looked at in the first position; empty: all of them. What is no legal move is passed over; if
    /// none is legal, nothing is searched, and the report has no line.
    pub searchmoves: &'s [Move],
    /// How many of the best moves get a line of their own; 0 counts as 1.
    pub multipv: usize,
}

impl Limits<'_> {
    pub(crate) fn last_depth(&self) -> u32 {
        self.depth
            .unwrap_or(MAX_PLY as u32)
            .clamp(1, MAX_PLY as u32)
    }

    /// Whether enough positions were visited that no further depth is begun.
    pub(crate) fn has_enough_nodes(&self, nodes: u64) -> bool {
        self.soft_nodes.is_some_and(|enough| nodes >= enough)
    }

    /// Tells how many positions were visited so far.
    pub(crate) fn count(&self, nodes: impl FnOnce() -> u64) {
        if let Some(counted) = self.counted {
            counted.store(nodes(), Ordering::Relaxed);
        }
    }

    /// Whether somebody has asked for the end.
    pub(crate) fn is_told_to_stop(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Whether the time is over. Looking at the clock takes time itself, so not for every node.
    pub(crate) fn is_out_of_time(&self) -> bool {
        !self.is_pondering() && self.time.is_some_and(|time| self.elapsed() >= time.hard)
    }

    /// The time since the clock started.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.map_or(Duration::ZERO, |begin| begin.elapsed())
    }

    /// Whether nothing but the mate search ends the search.
    pub(crate) fn only_mate(&self) -> bool {
        let bounded = self.depth.is_some() || self.nodes.is_some() || self.soft_nodes.is_some();
        self.mate.is_some() && !bounded && self.time.is_none()
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.ponder.is_some_and(|p| p.load(Ordering::Relaxed))
    }
}

/// One of the best moves, its score and how play may go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The score, from the side to move.
    pub score: Score,
    /// Whether the score is exact, or a bound (while a depth is still being searched).
    pub bound: Bound,
    /// The depth of the search behind the score, in plies.
    pub depth: u32,
    /// The longest line that was looked at, in plies.
    pub seldepth: u32,
    /// The moves; the first is the one that has the score. The line of a mate ends with it, unless a limit was reached
    /// before all of it was found.
    pub pv: Vec<Move>,
}

/// What a search found, after each finished depth and at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The last depth that was searched to its end; 0 if none was.
    pub depth: u32,
    /// The longest line that was looked at, in plies.
    pub seldepth: u32,
    /// The positions visited by all threads.
    pub nodes: u64,
    /// How often endgame tables told the score of one of them.
    pub tbhits: u64,
    /// There is no mate in this many moves for the side to move: the mate search has looked at every line. Nothing is
    /// said where [`Limits::searchmoves`] leaves out legal moves.
    pub no_mate_in: Option<u32>,
    /// The best moves, best first: [`Limits::multipv`] of them, or as many as there are. Exactly one
    /// without moves where there is no legal move; no line at all if none of [`Limits::searchmoves`] is legal.
    pub lines: Vec<Line>,
}

impl Report {
    /// The best move, if there is a legal one.
    pub fn best_move(&self) -> Option<Move> {
        self.pv().first().copied()
    }

    /// The score of the best move, from the side to move; [`DRAW`] if there is no line.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(DRAW, |line| line.score)
    }

    /// The best line. Empty only where there is no legal move, or none of [`Limits::searchmoves`] is one.
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }
}
