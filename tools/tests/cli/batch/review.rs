//! `hexmate review`.

use serde_json::Value;

use super::Folder;
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
        (&moves[4]["loss"], &moves[4]["expected"]),
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
