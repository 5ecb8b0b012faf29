//! How a game ended, in words.

use hexmate_movegen::spec::GameSpec;
use hexmate_movegen::{Game, Outcome, Record, Side};

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

/// What a stalemate of this side means where it is no draw: `Black is stalemated, which gives White 3/4 of the point`.
pub fn stalemate(stalemated: Side, spec: &GameSpec) -> Option<String> {
    let share = match spec.stalemate_quarters {
        0 => "the whole point",
        1 => "3/4 of the point",
        2 => return None,
        3 => "1/4 of the point",
        _ => "nothing",
    };
    let [loser, winner] = [stalemated, stalemated.other()].map(side_name);
    Some(format!(
        "{loser} is stalemated, which gives {winner} {share}"
    ))
}

/// Results by the quarters of a point that White gets.
pub const RESULTS: [&str; 5] = ["0-1", "1/4-3/4", "1/2-1/2", "3/4-1/4", "1-0"];

/// The result of a game that ended so.
pub fn result(outcome: Outcome, spec: &GameSpec) -> &'static str {
    let [white, _] = outcome.quarters(spec);
    RESULTS[usize::from(white)]
}

/// After how many plies the rules ended a game, and how; it may have gone on. `None`: they have not.
pub fn first_end<G: Game>(record: &Record<G>) -> Option<(usize, Outcome)> {
    let mut game = Record::new(*record.first());
    for (plies, &mv) in record.moves().iter().enumerate() {
        if let Some(outcome) = game.outcome() {
            return Some((plies, outcome));
        }
        game.play(mv).expect("the moves of a record are legal");
    }
    game.outcome()
        .map(|outcome| (record.moves().len(), outcome))
}
