//! Scores as answers have them.

use hexmate_engine::Shown;
use serde::{Deserialize, Serialize};

/// A score from the side to move.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate.
    Mate(i32),
}

/// What is known of a score that a limit has cut short, from the side to move.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// It is this or better.
    Lower,
    /// It is this or worse.
    Upper,
}

impl Bound {
    /// The bound that a line's score is, if it is not exact.
    pub fn of(bound: hexmate_engine::Bound) -> Option<Bound> {
        match bound {
            hexmate_engine::Bound::Lower => Some(Bound::Lower),
            hexmate_engine::Bound::Upper => Some(Bound::Upper),
            hexmate_engine::Bound::Exact | hexmate_engine::Bound::None => None,
        }
    }

    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        }
    }
}

impl From<hexmate_engine::Score> for Score {
    fn from(score: hexmate_engine::Score) -> Score {
        match Shown::from(score) {
            Shown::Centipawns(cp) => Score::Cp(cp),
            Shown::Mate(moves) => Score::Mate(moves),
        }
    }
}
