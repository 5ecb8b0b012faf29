//! `hexmate review`.

use hexmate_movegen::{Mccooey, Position, Record};
use serde_json::{Value, json};

use super::{Folder, Random};
use crate::run::{hexmate, hexmate_reading};

/// Black overlooks the mate on the fourth ply.
const GAMES: &str = "[Result \"1-0\"]\n\n1. e1b4 g10h8 2. f3h2 h8i6 3. b4f11 1-0\n\n1. e4e5 *\n";

fn games() -> String {
    // The mate is what the search says it is.
    let line = r#"{"moves": "e1b4 g10h8 f3h2 h8i6"}"#;
    let out = hexmate_reading(&["analyse", "--depth", "3"], line).success();
    let answer: Value = serde_json::from_str(&out).unwrap();
    GAMES.replace("b4f11", answer["bestmove"].as_str().unwrap())
}

#[test]
fn a_blunder_is_found() {
    let folder = Folder::new();
    let input = folder.write("g.pgn", games());
    let words = ["review", "--nodes", "2000", "--hash", "1", &input];
    let out = hexmate(&[&words[..], &["--json"]].concat()).success();
    let reviews: Vec<Value> = out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(reviews.len(), 2);
    let moves = reviews[0]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 5);
    assert_eq!(
        (&moves[3]["move"], &moves[3]["judgement"]),
        (&"h8i6".into(), &"blunder".into())
    );
    assert_eq!(
        (&moves[4]["loss"], &moves[4]["after"]),
        (&0.0.into(), &1.0.into())
    );
    assert_eq!(
        (&moves[3]["number"], &moves[3]["white"]),
        (&2.into(), &false.into())
    );
    let accuracy = |side: &str| reviews[0][side]["accuracy"].as_f64().unwrap();
    assert!(accuracy("black") < accuracy("white"), "{out}");
    assert_eq!(reviews[1]["black"]["accuracy"], Value::Null);
    // Nothing depends on how many positions are searched at once.
    for jobs in ["1", "3"] {
        let again = hexmate(&[&words[..], &["--json", "--jobs", jobs]].concat()).success();
        assert_eq!(again, out);
    }

    let (svg, html) = (folder.text("plots"), folder.text("page.html"));
    let text = hexmate(&[&words[..], &["--svg", &svg, "--html", &html]].concat()).success();
    assert!(
        text.contains("2... h8i6") && text.contains("(blunder)"),
        "{text}"
    );
    for name in ["plots/game-1.svg", "plots/game-2.svg"] {
        let plot = folder.read(name);
        assert!(
            plot.starts_with("<svg xmlns=") && plot.trim_end().ends_with("</svg>"),
            "{plot}"
        );
        assert!(!plot.contains("NaN"));
    }
    let page = folder.read("page.html");
    assert_eq!(page.matches("<svg ").count(), 2);
    assert!(page.contains("blunder"));
}

#[test]
fn what_is_no_game_is_told() {
    let folder = Folder::new();
    let input = folder.write(
        "g.jsonl",
        "{\"fen\":\"x\"}\n{\"moves\":\"e4e5 a1a9\",\"id\":\"b\"}\n{\"moves\":[]}\n",
    );
    let run = hexmate(&["review", "--nodes", "50", "--hash", "1", "--json", &input]);
    assert_eq!((run.code, run.out.lines().count()), (1, 2), "{run:?}");
    assert!(run.err.contains("line 1, no \"moves\""), "{}", run.err);
    assert!(run.err.contains("line 2, \"moves\", move 2"), "{}", run.err);
}

/// What is said of a move fits together, in each form: losses of both sides, found moves, White's share.
#[test]
fn a_move_has_one_story() {
    let folder = Folder::new();
    let mut random = Random(3);
    let mut record = Record::new(Position::<Mccooey>::start());
    let mut words = Vec::new();
    while words.len() < 30 && record.outcome().is_none() {
        let moves = record.position().legal_moves();
        let mv = moves[random.below(moves.len())];
        words.push(mv.text::<Mccooey>());
        record.play(mv).unwrap();
    }
    let line = json!({"game": "mccooey", "moves": words}).to_string();
    let input = folder.write("g.jsonl", line);
    let html = folder.text("page.html");
    let words = ["review", "--nodes", "400", "--hash", "1", &input];
    let out = hexmate(&[&words[..], &["--json"]].concat()).success();
    let review: Value = serde_json::from_str(&out).unwrap();
    let text = hexmate(&[&words[..], &["--html", &html]].concat()).success();
    let page = folder.read("page.html");
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(review["expected"], moves[0]["before"]);
    let mut told = 0;
    for one in moves {
        let number = |name: &str| one[name].as_f64().unwrap();
        let (before, after, loss) = (number("before"), number("after"), number("loss"));
        let sign = if one["white"] == true { 1.0 } else { -1.0 };
        assert!((sign * (before - after) - loss).abs() < 1e-9, "{one}");
        assert!(loss >= 0.0, "{one}");
        let accuracy = (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0);
        assert!((number("accuracy") - accuracy).abs() < 1e-9, "{one}");
        if one["best"] == one["move"] {
            assert_eq!(loss, 0.0, "{one}");
        }
        let shares = format!("{before:.3} -> {after:.3}");
        let Some(judgement) = one["judgement"].as_str() else {
            assert!(loss < 0.05, "{one}");
            continue;
        };
        told += 1;
        let side = if sign > 0.0 { "." } else { "..." };
        let begin = format!("{}{side} {}", one["number"], one["move"].as_str().unwrap());
        let line = text.lines().find(|l| l.trim().starts_with(&begin)).unwrap();
        let lost = format!("lost {loss:.3} ({judgement});");
        assert!(
            line.contains(&lost) && line.ends_with(&shares),
            "{line}: {one}"
        );
        let cells = format!("<td>{loss:.3}<td>{judgement}<td>");
        let row = page
            .lines()
            .find(|l| l.contains(&cells) && l.contains(&begin[..2]));
        assert!(row.is_some(), "{cells}");
        assert!(page.contains(&shares.replace('>', "&gt;")), "{shares}");
    }
    assert!(told > 5, "{text}");
}

/// What hexmate match writes, and what people write.
#[test]
fn games_of_matches_and_of_people() {
    let folder = Folder::new();
    let start = Position::<Mccooey>::start();
    let line = json!({
        "variant": "mccooey", "round": 2, "game": 3, "white": "a", "black": "b", "result": "1/2-1/2",
        "reason": "Draw", "fen": start.to_string(), "moves": "d2d4 d8d7", "plies": 2,
    });
    let people = "[Variant \"Gliński\"]\n1.Vc3 Vc6! 2. b2 (2. Hi3) b6 remi\n";
    for (name, content, letters, id, game, last) in [
        ("g.jsonl", line.to_string(), "english", 3, "mccooey", "d8d7"),
        (
            "g.pgn",
            people.to_owned(),
            "hungarian",
            1,
            "glinski",
            "b7b6",
        ),
    ] {
        let file = folder.write(name, content);
        let words = ["review", "--nodes", "100", "--hash", "1", "--json"];
        let words = [&words[..], &["--letters", letters, &file]].concat();
        let review: Value = serde_json::from_str(&hexmate(&words).success()).unwrap();
        assert_eq!((&review["id"], &review["game"]), (&id.into(), &game.into()));
        let moves = review["moves"].as_array().unwrap();
        assert_eq!(moves.last().unwrap()["move"], last);
    }
}
