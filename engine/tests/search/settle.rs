//! Where lines come to rest.

use crate::oracle::replies;
use crate::solver::is_checkmate;
use hexmate_engine::Handmade;
use hexmate_movegen::{Game, Glinski, Position, for_each_game};

fn texts<G: Game>(position: &Position<G>) -> Option<Vec<String>> {
    let line = Handmade::of(position.game()).settle(position)?;
    Some(line.iter().map(|mv| mv.text(position.game())).collect())
}

#[test]
fn what_hangs_is_taken_and_what_is_protected_is_not() {
    // After 1. e4e5 d7d6 the pawn can take; then pawns take back.
    let mut position = Position::<Glinski>::start();
    for mv in ["e4e5", "d7d6"] {
        let mv = position.parse_move(mv).unwrap();
        position.play(mv).unwrap();
    }
    let line = Handmade::of(Glinski).settle(&position).unwrap();
    let before = Handmade::of(Glinski).evaluate(&position);
    let mut end = position;
    for &mv in &line {
        assert!(end.piece_on(mv.to).is_some(), "{line:?}");
        end.play(mv).unwrap();
    }
    let after = Handmade::of(Glinski).evaluate(&end);
    let after = if line.len().is_multiple_of(2) {
        after
    } else {
        -after
    };
    assert!(after >= before, "the side to move may leave it: {line:?}");
    assert_eq!(texts(&end), Some(Vec::new()));
}

#[test]
fn mates_are_no_rest() {
    let mut position = Position::<Glinski>::start();
    for mv in ["e1b4", "g10h8", "f3h2", "h8i6"] {
        let mv = position.parse_move(mv).unwrap();
        position.play(mv).unwrap();
    }
    let mut mated = replies(&position);
    mated.retain(is_checkmate);
    assert!(!mated.is_empty());
    for end in mated {
        assert_eq!(texts(&end), None);
    }
    for_each_game!(G => {
        assert_eq!(texts(&Position::<G>::start()), Some(Vec::new()));
    });
}
