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

impl From<hexmate_engine::Score> for Score {
    fn from(score: hexmate_engine::Score) -> Score {
        match Shown::from(score) {
            Shown::Centipawns(cp) => Score::Cp(cp),
            Shown::Mate(moves) => Score::Mate(moves),
        }
    }
}
