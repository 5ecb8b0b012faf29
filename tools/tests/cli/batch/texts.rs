//! What a text is: the same for all commands that read games and positions.

use hexmate_movegen::{AnyPosition, GameId};
use serde_json::{Value, json};

use super::Folder;
use crate::run::{hexmate, hexmate_reading};

/// The same game as people type it.
const SHEETS: [&str; 8] = [
    "Qb4 Kh8\nBh2 Ki6\nQk4\n",
    "Qb4 Kh8 Bh2 Ki6 Qk4",
    "Qb4 Kh8 Bh2\nKi6 Qk4\n",
    "1) Qb4 Kh8 2) Bh2 Ki6 3) Qk4\n",
    "1 Qb4 Kh8 2 Bh2 Ki6 3 Qk4\n",
    "; Sunday\n1. Qb4 Kh8 2. Bh2 Ki6 3. Qk4#",
    "{Sunday} 1. Qb4 Kh8 2. Bh2 Ki6 3. Qk4 mate",
    "Anna - Bela, Sunday\n\n1. Qb4 Kh8\n2. Bh2 Ki6\n3. Qk4# White wins\n",
];

const REVIEW: [&str; 6] = ["review", "--nodes", "5", "--hash", "1", "--json"];

fn reviewed(out: &str) -> Vec<usize> {
    let reviews = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    reviews
        .map(|review| review["moves"].as_array().unwrap().len())
        .collect()
}

#[test]
fn a_score_sheet_needs_no_ending() {
    let folder = Folder::new();
    for text in SHEETS {
        for name in ["sheet.txt", "sheet.pgn", "sheet"] {
            let file = folder.write(name, text);
            let converted = hexmate(&["convert", "--notation", "san", &file]).success();
            let moves = "1. Qb4 Kh8 2. Bh2 Ki6 3. Qk4# ";
            assert!(converted.contains(moves), "{name}: {text}: {converted}");
            assert_eq!(converted.matches("[Variant").count(), 1, "{name}: {text}");
        }
        let told = hexmate_reading(&["convert", "--to", "moves"], text).success();
        assert_eq!(told, "e1b4 g10h8 f3h2 h8i6 b4k4\n", "{text}");
        let out = hexmate_reading(&REVIEW, text).success();
        assert_eq!(reviewed(&out), [5], "{text}");
        let out = hexmate_reading(&["analyse", "--nodes", "5", "--hash", "1"], text).success();
        assert_eq!(out.lines().count(), 6, "{text}");
    }
}

/// Lines of moves that each begin at the start are games of their own, as `--to moves` writes them.
#[test]
fn a_game_on_each_line() {
    let text = "e4e5 e7e6 d3d5\ne4e5 d9f8 d3d5\n\nb1b2 b7b5 e4e5 zz\nb1b2 b7b5 e4e5\n";
    let run = hexmate_reading(&["convert", "--to", "moves"], text);
    assert_eq!(run.code, 1);
    assert_eq!(run.out, "e4e5 e7e6 d3d5\ne4e5 d9f8 d3d5\nb1b2 b7b5 e4e5\n");
    assert!(
        run.err.contains("line 4, column 16, ply 4: 'zz'"),
        "{}",
        run.err
    );
    let run = hexmate_reading(&REVIEW, text);
    assert_eq!(
        (run.code, reviewed(&run.out)),
        (1, vec![3, 3, 3, 3]),
        "{}",
        run.err
    );
}

/// A heading above such lines is no game.
#[test]
fn a_heading_above_games_on_lines() {
    let text = "My two games\ne4e5 e7e6\ne4e5 b7b6\n";
    let moves = hexmate_reading(&["convert", "--to", "moves"], text).success();
    assert_eq!(moves, "e4e5 e7e6\ne4e5 b7b6\n");
    let run = hexmate_reading(&REVIEW, text);
    assert_eq!(
        (run.code, reviewed(&run.out)),
        (0, vec![2, 2]),
        "{}",
        run.err
    );
}

#[test]
fn where_nothing_tells_the_cure_is_named() {
    let run = hexmate_reading(&["convert"], "hello there\n");
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(
        run.err.contains("line 1: field 1") && run.err.contains(".pgn, or --to"),
        "{}",
        run.err
    );
    let run = hexmate_reading(&REVIEW, "hello there\n");
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(
        run.err.contains("line 1, no \"moves\"") && run.err.contains(".pgn"),
        "{}",
        run.err
    );
    // Prose alone is no game, even by its ending.
    let folder = Folder::new();
    let run = hexmate(&["convert", &folder.write("a.pgn", "hello there\n")]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(
        run.err.contains("no moves follow this text") && run.err.contains("1 of 1 games"),
        "{}",
        run.err
    );
}

/// Whatever the encoding: no line is lost, the first one included.
#[test]
fn encodings() {
    let folder = Folder::new();
    let text = "[White \"Béla\"]\n[Black \"Anna\"]\n\n1. Qb4 Kh8 *\n";
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let units = || std::iter::once(0xfeff).chain(text.encode_utf16());
    for (bytes, what) in [
        (text.as_bytes().to_vec(), "UTF-8"),
        (format!("\u{feff}{text}").into_bytes(), "UTF-8 with a mark"),
        (latin, "Latin-1"),
        (units().flat_map(u16::to_le_bytes).collect(), "UTF-16"),
        (units().flat_map(u16::to_be_bytes).collect(), "UTF-16, big"),
    ] {
        for name in ["e.pgn", "e.txt"] {
            let file = folder.write(name, &bytes);
            let out = hexmate(&["convert", &file]).success();
            assert!(
                out.starts_with("[White \"Béla\"]\n[Black \"Anna\"]\n"),
                "{what}, {name}: {out}"
            );
            let out = hexmate(&[&REVIEW[..], &[&file]].concat()).success();
            assert!(
                out.contains("\"players\":[\"Béla\",\"Anna\"]"),
                "{what}, {name}: {out}"
            );
        }
    }
    for bytes in [&b"\xff\xfe["[..], b"\xff\xfe\xff\xfe"] {
        let run = hexmate(&["convert", &folder.write("torn.pgn", bytes)]);
        assert_eq!((run.code, run.out.as_str()), (1, ""));
        assert!(
            run.err.contains("1 of 1 games could not be used"),
            "{}",
            run.err
        );
    }
}

/// Games as `hexmate match` writes them, which name the first position, too.
#[test]
fn the_lines_of_a_match_are_games() {
    let shafran = GameId::shipped()
        .iter()
        .find(|game| game.name() == "shafran");
    for game in [*shafran.unwrap(), GameId::Glinski] {
        let start = AnyPosition::start(game);
        let mv = start.text(start.legal_moves()[0]);
        let line = json!({
            "variant": game.name(), "round": 1, "game": 7, "white": "new", "black": "old", "result": "1-0",
            "reason": "White mates", "fen": start.to_string(), "moves": mv, "plies": 1,
        })
        .to_string();
        let pgn = hexmate_reading(&["convert"], &line).success();
        let tags = format!(
            "[Round \"1\"]\n[White \"new\"]\n[Black \"old\"]\n[Result \"1-0\"]\n[Variant \"{}\"]\n",
            game.name()
        );
        assert!(
            pgn.starts_with(&tags) && pgn.ends_with(&format!("\n\n1. {mv} 1-0\n\n")),
            "{pgn}"
        );
        let again = hexmate_reading(&["convert", "--to", "jsonl"], &line).success();
        let again: Value = serde_json::from_str(&again).unwrap();
        assert_eq!(
            (&again["id"], &again["game"]),
            (&json!(7), &json!(game.name()))
        );
        // Where positions are asked for, it is the position of that game.
        let rows = hexmate_reading(&["convert", "--to", "rows"], &line).success();
        assert_eq!(
            serde_json::from_str::<Value>(&rows).unwrap()["fen"],
            start.to_string()
        );
        let out = hexmate_reading(&REVIEW, &line).success();
        assert!(out.contains("[\"new\",\"old\"]"), "{out}");
        // A position that moves lead on from is no game that was played.
        let asked =
            json!({"game": game.name(), "fen": start.to_string(), "moves": mv}).to_string() + "\n";
        assert_eq!(hexmate_reading(&["convert"], &asked).success(), asked);
    }
}

/// A pasted score is a list of moves, wherever one is expected.
#[test]
fn pasted_scores() {
    let score = "1) Qb4 {good} Kh8 2) Bh2 Ki6 3. Qk4 mate 1-0";
    let plain = hexmate(&["show", "glinski", "--moves", "Qb4 Kh8 Bh2 Ki6 Qk4"]).success();
    assert_eq!(
        hexmate(&["show", "glinski", "--moves", score]).success(),
        plain
    );
    assert_eq!(
        hexmate(&["moves", "glinski", "--moves", score])
            .success()
            .trim(),
        ""
    );
    let line = json!({"moves": score}).to_string();
    let out = hexmate_reading(&REVIEW, &line).success();
    assert_eq!(reviewed(&out), [5], "{out}");
    let pgn = hexmate_reading(&["convert", "--notation", "san"], &line).success();
    assert!(
        pgn.contains("1. Qb4 {good} 1... Kh8 2. Bh2 Ki6 3. Qk4# 1-0"),
        "{pgn}"
    );
    for (moves, part) in [
        (
            "1. e5 1-0 2. e6",
            "--moves: another game begins after the result behind move 1",
        ),
        ("1. e5 White wins", "--moves: move 2: 'White' is not a move"),
        ("1. e5 {", "--moves: column 7: the comment"),
    ] {
        let told = hexmate(&["show", "glinski", "--moves", moves]).refused();
        assert!(told.contains(part), "{told}");
        let told = hexmate(&["perft", "glinski", "1", "--moves", moves]).refused();
        assert!(told.contains(part), "{told}");
    }
}
