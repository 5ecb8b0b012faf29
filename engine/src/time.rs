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

    /// A share of a clock, less what is lost on the way to the player, with this move and with those to come. Without a
    /// control ahead, a game is taken to last the longer, the more `men` of both sides are on the board.
    pub fn of_clock(clock: &Clock, men: u32, overhead: Duration) -> Self {
        // How many moves share the clock, and about how many will lose time on the way.
        let (moves, coming) = match clock.moves_to_go {
            Some(moves) => (moves.clamp(1, 40), moves.max(1)),
            None => (moves_left(men), moves_left(men).saturating_mul(2)),
        };
        // An increment comes too late for the move that it is for, so this move's loss is kept in full, and as much
        // again, since what is lost varies.
        let uncovered = overhead.saturating_sub(clock.increment);
        let kept = overhead.saturating_add(uncovered.saturating_mul(coming - 1));
        let left = clock.remaining.saturating_sub(overhead);
        // A part is used all the same, since less may be lost than is kept: half, or a third where a control ahead
        // brings more time.
        let part = if clock.moves_to_go.is_some() { 3 } else { 2 };
        let usable = left.saturating_sub(kept).max(left / part).max(LEAST);
        let gained = clock.increment.saturating_sub(overhead);
        let share = (usable / moves).saturating_add(gained.saturating_mul(3) / 4);
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

/// Among how many more moves of a side the clock is shared out: fewer than will come, since earlier ones matter more;
/// about half in most games, less than a quarter in the longest. Games that begin with 36 men last 87 moves of each
/// side, those with 68 and 76 men 140 and 296 (engine/EXPERIMENTS.md).
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

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Whether a side that loses the overhead with each move makes so many of them. The clock begins with `base`, gets
    /// `increment` after each move, and `base` again after every `control` moves.
    fn lasts(
        [base, increment, overhead]: [u32; 3],
        control: Option<u32>,
        moves: u32,
        stretch: f64,
    ) -> bool {
        let [base, increment, overhead] = [base, increment, overhead].map(|ms| MS * ms);
        let mut remaining = base;
        for made in 0..moves {
            let clock = Clock {
                remaining,
                increment,
                moves_to_go: control.map(|control| control - made % control),
            };
            let budget = Budget::of_clock(&clock, 36 - 30 * made / moves, overhead);
            let soft = budget.soft.unwrap().mul_f64(stretch);
            let Some(left) = remaining.checked_sub(soft.min(budget.hard).max(MS) + overhead) else {
                return false;
            };
            let is_control = control.is_some_and(|control| (made + 1) % control == 0);
            remaining = left + increment + if is_control { base } else { Duration::ZERO };
        }
        true
    }

    /// As far as a part of the clock suffices for it: about half, or two thirds before a control.
    #[test]
    fn the_overhead_is_kept_for_every_move() {
        for (times, control, moves) in [
            ([20_000, 0, 300], Some(40), 200),
            ([20_000, 0, 333], Some(40), 200),
            ([60_000, 0, 500], Some(40), 200),
            ([10_000, 200, 200], None, 200),
            ([10_000, 50, 100], None, 87),
            ([5_000, 80, 100], None, 87),
            ([3_000, 100, 100], None, 200),
            ([10_000, 0, 50], None, 87),
            ([60_000, 0, 300], None, 87),
        ] {
            for stretch in [0.8, 1.0, 1.2, 1.4] {
                let lasts = lasts(times, control, moves, stretch);
                assert!(lasts, "{times:?} {control:?}, stretched by {stretch}");
            }
        }
    }

    /// At usual times hardly anything of a move's time is kept back.
    #[test]
    fn a_small_overhead_takes_little() {
        for (remaining, increment, moves_to_go) in [
            (10_000, 100, None),
            (60_000, 0, None),
            (20_000, 0, Some(40)),
            (600_000, 5_000, None),
        ] {
            let clock = Clock {
                remaining: MS * remaining,
                increment: MS * increment,
                moves_to_go,
            };
            let budget = |overhead| Budget::of_clock(&clock, 36, overhead);
            let [without, with] = [Duration::ZERO, 10 * MS].map(budget);
            assert!(with.soft > without.soft.map(|soft| soft.mul_f64(0.96)));
            assert!(with.hard > without.hard.mul_f64(0.96), "{clock:?}");
        }
    }

    /// What is kept may turn out not to be lost. If all of it were kept, a game would be played at depth 1 with most of its
    /// time left.
    #[test]
    fn a_large_overhead_leaves_a_part_of_the_time() {
        for ([remaining, increment, overhead], moves_to_go, least) in [
            ([5_000, 0, 100], None, 0.48),
            ([1_000, 0, 100], None, 0.44),
            ([60_000, 0, 1_000], None, 0.48),
            ([3_000, 30, 100], None, 0.37),
            ([20_000, 0, 490], Some(40), 0.32),
            ([100_000, 0, 1_000], Some(200), 0.32),
        ] {
            let clock = Clock {
                remaining: MS * remaining,
                increment: MS * increment,
                moves_to_go,
            };
            let budget = |overhead| Budget::of_clock(&clock, 36, overhead);
            let [without, with] = [Duration::ZERO, MS * overhead].map(budget);
            let enough = without.soft.map(|soft| soft.mul_f64(least));
            assert!(with.soft > enough, "{clock:?}: {with:?}");
            assert!(
                with.hard > without.hard.mul_f64(least),
                "{clock:?}: {with:?}"
            );
        }
    }

    /// The last of several factors, each after a depth with this best move and this score.
    fn factor_after(depths: &[(u8, Score)]) -> f64 {
        let (mut stability, mut factor) = (Stability::default(), 0.0);
        for &(to, score) in depths {
            factor = stability.factor(Move::new(0, to), score, 0.5);
        }
        factor
    }

    #[test]
    fn a_score_that_falls_takes_more_time_and_one_that_rises_less() {
        let after = |score| factor_after(&[(1, 0), (1, score)]);
        assert!(after(-20) > after(0) && after(0) > after(20));
        assert!(after(-50) > after(-20));
    }

    #[test]
    fn a_best_move_that_stays_takes_less_time_and_a_new_one_more() {
        let best = |moves: &[u8]| {
            let depths: Vec<_> = moves.iter().map(|&to| (to, 0)).collect();
            factor_after(&depths)
        };
        assert!(best(&[1, 1, 1, 1]) < best(&[1, 1, 1]));
        assert!(best(&[1, 1, 1, 2]) > best(&[1, 1, 1, 1]));
        // What was best before counts for nothing.
        assert_eq!(best(&[1, 1, 1, 2]), best(&[1, 2, 1, 2]));
    }

    #[test]
    fn the_more_was_spent_on_the_best_move_the_less_time_it_takes() {
        let after = |effort| Stability::default().factor(Move::new(0, 1), 0, effort);
        assert!(after(0.2) > after(0.9));
    }

    #[test]
    fn a_forced_move_takes_little_time() {
        let budget = Budget {
            soft: Some(1_000 * MS),
            hard: 5_000 * MS,
        };
        let spent = |ms, only_move| budget.is_spent(ms * MS, 1.0, only_move);
        assert!(!spent(900, false) && spent(1_000, false));
        assert!(!spent(10, true) && spent(300, true));
    }

    /// Even before more time is given, a little stays: the clock may run a moment longer than the search.
    #[test]
    fn the_last_move_before_a_control_leaves_a_part_of_the_clock() {
        for remaining in [1_000, 60_000, 3_600_000].map(|ms| MS * ms) {
            let budget = |moves| {
                let clock = Clock {
                    remaining,
                    increment: Duration::ZERO,
                    moves_to_go: Some(moves),
                };
                Budget::of_clock(&clock, 36, Duration::ZERO)
            };
            let last = budget(1);
            assert!(last.hard <= remaining.mul_f64(0.95), "{last:?}");
            // All the same it may use most of it, and more than a move before.
            assert!(last.hard >= remaining.mul_f64(0.7), "{last:?}");
            assert!(last.hard > budget(2).hard && last.soft > budget(2).soft);
        }
    }
}
