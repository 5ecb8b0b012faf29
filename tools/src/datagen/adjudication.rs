//! When a game of the engine against itself is decided before its end.

use hexmate_engine::Score;

/// A game is won when the winner was this far ahead for this many consecutive plies.
const DECIDED: Score = 1200;
const DECIDED_PLIES: u32 = 6;
/// A game is drawn when it is long and the score was nearly zero for this many consecutive plies.
const LEVEL: Score = 8;
const LEVEL_PLIES: u32 = 24;
const LEVEL_FROM: usize = 120;

/// Watches the scores of a game.
#[derive(Default)]
pub struct Adjudicator {
    decided: Streak,
    level: Streak,
}

impl Adjudicator {
    /// White's quarters, if the game is decided by White's `score` of a position that was reached in so many plies.
    pub fn after(&mut self, score: Score, plies: usize) -> Option<u8> {
        let sign = if score.abs() < DECIDED {
            0
        } else {
            score.signum()
        };
        if self.decided.of(sign) >= DECIDED_PLIES && sign != 0 {
            return Some(if sign > 0 { 4 } else { 0 });
        }
        let is_level = Score::from(score.abs() <= LEVEL);
        let long = self.level.of(is_level) >= LEVEL_PLIES && plies >= LEVEL_FROM;
        (long && is_level == 1).then_some(2)
    }
}

/// How often in a row the same was said.
#[derive(Default)]
struct Streak {
    value: Score,
    length: u32,
}

impl Streak {
    fn of(&mut self, value: Score) -> u32 {
        self.length = if value == self.value {
            self.length + 1
        } else {
            1
        };
        self.value = value;
        self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_decided_by_scores_that_last() {
        let mut won = Adjudicator::default();
        let scores = [-1500, 0, 1300, 1300, 1300, 1300, 1300];
        assert!(scores.iter().all(|&score| won.after(score, 10).is_none()));
        assert_eq!(won.after(1200, 11), Some(4));
        let mut drawn = Adjudicator::default();
        assert!((0..40).all(|ply| drawn.after(0, ply).is_none()));
        assert_eq!(drawn.after(9, 200), None);
        assert!((0..23).all(|ply| drawn.after(-8, 201 + ply).is_none()));
        assert_eq!(drawn.after(8, 224), Some(2));
    }
}
