//! The feature `serde`: everything comes back from its text, and nothing invalid is read.

use hexmate_movegen::{
    AnyPosition, AnyRecord, Chromatic4, GAME_TEXTS, GameFault, GameId, Glinski, Mccooey, NamedMove,
    Position, Record, for_each_game,
};
use serde_json::{Value, from_str, from_value, json, to_string, to_value};

#[test]
fn positions_are_their_texts() {
    for_each_game!(G => {
        let mut position = Position::<G>::start();
        for ply in 0..30 {
            let text = to_string(&position).unwrap();
            assert_eq!(text, format!("\"{position}\""));
            assert_eq!(from_str::<Position<G>>(&text).unwrap(), position);
            let Some((_, next)) = position.children().nth(ply % 7) else { break };
            position = next;
        }
    });
}

#[test]
fn moves_are_their_texts() {
    let start = Position::<Mccooey>::start();
    for mv in start.legal_moves() {
        let text = to_string(&mv.display(Mccooey)).unwrap();
        assert_eq!(text, format!("\"{}\"", mv.text(Mccooey)));
        assert_eq!(from_str::<NamedMove<Mccooey>>(&text).unwrap().mv, mv);
    }
    let error = from_str::<NamedMove<Mccooey>>("\"e4z9\"").unwrap_err();
    assert!(
        error.to_string().starts_with("'e4z9' is not a move"),
        "{error}"
    );
}

#[test]
fn of_any_game_with_its_name() {
    for &game in GameId::shipped() {
        let mut record = AnyRecord::new(AnyPosition::start(game));
        for ply in 0..20 {
            let value = to_value(&record).unwrap();
            assert_eq!(value["game"], game.name());
            let again: AnyRecord = from_value(value).unwrap();
            assert_eq!(again.position(), record.position());
            assert_eq!(again.move_texts(), record.move_texts());
            let position = record.position();
            let value = to_value(position).unwrap();
            assert_eq!(
                value,
                json!({"game": game.name(), "fen": position.to_string()})
            );
            assert_eq!(from_value::<AnyPosition>(value).unwrap(), position);
            let moves = record.position().move_texts();
            record.play(&moves[ply * 5 % moves.len()]).unwrap();
        }
    }
}

#[test]
fn records_of_one_game() {
    let mut record = Record::new(Position::<Glinski>::start());
    for text in ["e4e5", "e7e6", "e1b4"] {
        let mv = record.position().parse_move(text).unwrap();
        record.play(mv).unwrap();
    }
    let text = to_string(&record).unwrap();
    assert!(
        text.ends_with(r#","moves":["e4e5","e7e6","e1b4"]}"#),
        "{text}"
    );
    let again: Record<Glinski> = from_str(&text).unwrap();
    assert_eq!(again.position(), record.position());
    assert_eq!(again.moves(), record.moves());
}

fn refusal(value: Value) -> String {
    from_value::<AnyRecord>(value).unwrap_err().to_string()
}

#[test]
fn what_is_not_valid_is_refused() {
    let fen = Position::<Glinski>::start().to_string();
    let error = refusal(json!({"game": "glinski", "fen": fen, "moves": ["e4e9"]}));
    assert!(error.starts_with("'e4e9' is not legal in"), "{error}");
    let error = refusal(json!({"game": "glinsky", "fen": fen, "moves": []}));
    assert!(error.starts_with("unknown game 'glinsky'"), "{error}");
    let error = refusal(json!({"game": "glinski", "fen": fen, "moves": [], "move": "e4e5"}));
    assert!(error.starts_with("unknown field `move`"), "{error}");
    let error = from_str::<Position<Chromatic4>>(&to_string(&fen).unwrap()).unwrap_err();
    let reason = fen.parse::<Position<Chromatic4>>().unwrap_err();
    assert_eq!(error.to_string(), reason.to_string());
    assert!(from_str::<Position<Glinski>>("17").is_err());
}

/// What is written of a game is read again as of that game: no file may take the name of one that ships.
#[test]
fn a_name_brings_back_its_own_game() {
    let text = |name| {
        format!(
            "format = 1\nbase = 'glinski'\nname = '{name}'\ntitle = 'Calm'\n[ends]\nstalemate = '1/2'"
        )
    };
    for name in ["glinski", "shafran"] {
        let errors = GameId::from_text(&text(name)).unwrap_err();
        let [fault] = errors.faults() else {
            panic!("{errors}");
        };
        assert_eq!(
            (fault.fault, fault.key.as_str()),
            (GameFault::BadValue, "name")
        );
        let told = fault.to_string();
        assert!(
            told.starts_with(&format!(
                "line 3, name: the name '{name}' is that of another game"
            )) && told.ends_with("; expected a name of its own"),
            "{told}"
        );
    }
    // The file of a game that ships is that game.
    for (name, text) in GAME_TEXTS {
        let game = GameId::from_text(text).unwrap();
        let start = to_value(AnyPosition::start(game)).unwrap();
        let again: AnyPosition = from_value(start).unwrap();
        assert_eq!(again.game().fingerprint(), game.fingerprint(), "{name}");
    }
    let calm = GameId::from_text(&text("calm")).unwrap();
    let start = to_value(AnyPosition::start(calm)).unwrap();
    let error = from_value::<AnyPosition>(start).unwrap_err().to_string();
    assert!(error.starts_with("unknown game 'calm'"), "{error}");
}
