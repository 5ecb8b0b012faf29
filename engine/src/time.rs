//! How much time a move may take.

use std::time::Duration;

use hexmate_movegen::Move;

use crate::score::Score;

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The time left.
    pub remaining: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// The moves until more time is given; `None`: the time left is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// The time for one move, from [`Limits::begin`](crate::Limits::begin) on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Beyond this no further depth is begun; it is stretched while the best move changes or its score
    /// falls, and shortened while both are stable. `None`: depths are begun until `hard`.
    pub soft: Option<Duration>,
    /// The search ends here, whatever it is doing.
    pub hard: Duration,
}

impl Budget {
    /// All of a fixed time, less what is lost on the way to the player.
    pub fn fixed(time: Duration, overhead: Duration) -> Self {
        Budget {
            soft: None,
            hard: time.saturating_sub(overhead).max(LEAST),
        }
    }

    /// A share of a clock, less what is lost on the way to the player. Without a control ahead, a game is taken to
    /// last the longer, the more `men` of both sides are on the board.
    pub fn of_clock(clock: &Clock, men: u32, overhead: Duration) -> Self {
        let usable = clock.remaining.saturating_sub(overhead).max(LEAST);
        let moves = match clock.moves_to_go {
            Some(moves) => moves.clamp(1, 40),
            None => moves_left(men),
        };
        let share = (usable / moves).saturating_add(clock.increment.saturating_mul(3) / 4);
        // Never so much that the next moves are left with nothing.
        let most = if moves == 1 {
            usable / 10 * 9
        } else {
            usable / 5 * 2
        };
        Budget {
            soft: Some(share.min(most) / 10 * 7),
            hard: share.saturating_mul(4).min(most).max(LEAST),
        }
    }

    /// What a clock and a time of its own leave a move together: the shorter of both, each way.
    pub fn within(self, other: Budget) -> Self {
        Budget {
            soft: self.soft.into_iter().chain(other.soft).min(),
            hard: self.hard.min(other.hard),
        }
    }

    /// Whether no further depth should be begun.
    pub(crate) fn is_spent(&self, elapsed: Duration, factor: f64, only_move: bool) -> bool {
        /// Forced moves need no thought, only a score.
        const FORCED: f64 = 0.1;
        let Some(soft) = self.soft else {
            return false;
        };
        let factor = if only_move { FORCED } else { factor };
        let soft = soft.min(self.hard).as_secs_f64() * factor;
        // What is too long for a duration is beyond `hard`, too.
        let soft = Duration::try_from_secs_f64(soft).unwrap_or(self.hard);
        elapsed >= soft.min(self.hard)
    }
}

/// Among how many more moves of a side the clock is shared out: fewer than will come, since earlier ones matter more.
/// Games that begin with 36 men last 87 moves of each side, those with 68 and 76 men 140 and 296
/// (engine/EXPERIMENTS.md).
fn moves_left(men: u32) -> u32 {
    16 + men / 3 * 2
}

/// How sure the search is of its best move, from depth to depth.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stability {
    best: Option<Move>,
    /// Depths for which the best move has been the same.
    stable: u32,
    /// The score of the depth before, smoothed.
    score: Option<f64>,
}

impl Stability {
    /// By how much the soft limit is stretched: after each depth, from the best move, its score and the
    /// part of all nodes that was spent on it.
    pub fn factor(&mut self, best: Move, score: Score, effort: f64) -> f64 {
        self.stable = if self.best == Some(best) {
            self.stable + 1
        } else {
            0
        };
        self.best = Some(best);
        let score = f64::from(score.clamp(-2000, 2000));
        let fallen = self.score.map_or(0.0, |before| before - score);
        self.score = Some(self.score.map_or(score, |before| (before + score) / 2.0));
        let stability = 1.4 - 0.08 * f64::from(self.stable.min(8));
        let trend = (1.0 + fallen / 100.0).clamp(0.8, 1.6);
        let doubt = 1.6 - effort.clamp(0.0, 1.0);
        stability * trend * doubt
    }
}

/// Any search may run this long: enough for a legal move.
const LEAST: Duration = Duration::from_millis(1);
