//! How a game ended, in words.

use hexmate_movegen::spec::GameSpec;
use hexmate_movegen::{Outcome, Side};

/// The name of a side.
pub const fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// How a game ended; not what that is worth.
pub fn words(outcome: Outcome, spec: &GameSpec) -> String {
    match outcome {
        Outcome::Checkmate { winner } => format!("{} is checkmated", side_name(winner.other())),
        Outcome::Stalemate { stalemated } => format!("{} is stalemated", side_name(stalemated)),
        Outcome::BareKings => "king against king".to_owned(),
        Outcome::NoProgress => format!(
            "{} moves of each side without a capture or a pawn move",
            spec.no_progress_plies / 2
        ),
        Outcome::Repetition => format!("the position has occurred {} times", spec.repetitions),
    }
}
