//! What a text is: the same for all commands that read games and positions.

use hexmate_movegen::{AnyPosition, GameId};
use serde_json::{Value, json};

use super::{Folder, run};
use crate::run::{GLINSKI, hexmate, hexmate_reading};

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
    let run = hexmate_reading(&["convert", "--to", "rows"], "hello there\n");
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(
        run.err.contains("line 1: field 1") && run.err.contains(".pgn, or --to"),
        "{}",
        run.err
    );
    for command in [&["convert"][..], &REVIEW] {
        let run = hexmate_reading(command, "hello there\n");
        assert_eq!((run.code, run.out.as_str()), (1, ""));
        assert!(run.err.contains("no moves follow this text"), "{}", run.err);
    }
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

/// JSON as other programs write it is told once, with the cure.
#[test]
fn json_that_is_not_one_object_on_each_line() {
    let folder = Folder::new();
    let object = format!("{{\"fen\": \"{GLINSKI}\"}}");
    let indented = object.replace('{', "{\n ").replace('}', "\n}");
    for (name, text, what, cure) in [
        (
            "a.json",
            format!("[{object}, {object}]"),
            "a JSON array",
            "jq -c '.[]'",
        ),
        (
            "b.json",
            format!("[\n{object},\n{object}\n]\n"),
            "a JSON array",
            "jq -c '.[]'",
        ),
        (
            "c.jsonl",
            format!("\n[\n {indented}\n]\n"),
            "a JSON array",
            "jq -c '.[]'",
        ),
        (
            "d.json",
            format!("{indented}\n"),
            "a JSON object over several lines",
            "jq -c .",
        ),
        (
            "e.json",
            format!("[\"{GLINSKI}\", \"{GLINSKI}\"]"),
            "a JSON array",
            "jq -c '.[]'",
        ),
        (
            "f.json",
            format!("[\n  \"{GLINSKI}\",\n  \"{GLINSKI}\"\n]\n"),
            "a JSON array",
            "jq -c '.[]'",
        ),
        (
            "g.json",
            format!("[\n [\n  \"{GLINSKI}\"\n ]\n]\n"),
            "a JSON array",
            "jq -c '.[]'",
        ),
        ("h.json", "[]\n".to_owned(), "a JSON array", "jq -c '.[]'"),
        (
            "i.jsonl",
            format!("[{object}]\n[{object}]\n"),
            "a JSON array",
            "jq -c '.[]'",
        ),
    ] {
        let file = folder.write(name, &text);
        let output = folder.text("out.jsonl");
        let message = run(&["--depth", "1", &file, "--output", &output]).refused();
        let begin = format!("hexmate: {file}: line ");
        assert!(message.starts_with(&begin), "{message}");
        assert!(
            message.contains(what) && message.contains(cure),
            "{message}"
        );
        // Among others it is one record.
        let good = folder.write("good.epd", GLINSKI);
        let among = run(&["--depth", "1", &file, &good]).answers();
        assert_eq!(among.len(), 2, "{among:?}");
        assert_eq!(
            (&among[0]["status"], &among[1]["status"]),
            (&"error".into(), &"ok".into())
        );
    }
    // One bad line is just that, and has no line of its own in the message.
    let lines = format!("{object}\n{{\n{object},\n");
    let answers = crate::run::analyse(lines).answers();
    let statuses: Vec<&Value> = answers.iter().map(|a| &a["status"]).collect();
    assert_eq!(statuses, ["ok", "error", "error"]);
    let told = answers[2]["error"].as_str().unwrap();
    assert!(
        told.contains("trailing characters") && !told.contains(" line "),
        "{told}"
    );
}

/// What follows is not lost.
#[test]
fn an_array_on_the_first_line_alone_is_one_bad_line() {
    let object = format!("{{\"fen\": \"{GLINSKI}\"}}");
    for first in [
        format!("[{object}]"),
        format!("[\"{GLINSKI}\"]"),
        "[]".to_owned(),
        format!("[{object}]{object}"),
    ] {
        for good in [&object[..], GLINSKI] {
            let answers = crate::run::analyse(format!("{first}\n{good}\n{good}\n")).answers();
            let statuses: Vec<&Value> = answers.iter().map(|a| &a["status"]).collect();
            assert_eq!(statuses, ["error", "ok", "ok"], "{first}");
            let told = answers[0]["error"].as_str().unwrap();
            assert!(
                told.contains("a JSON array; expected an object or a position text"),
                "{told}"
            );
        }
    }
}

/// A text of which nothing is recognised is told once, by all commands in the same words.
#[test]
fn one_fault_is_told_once() {
    for (line, part) in [
        ("1: e5 e6", "'1:' is not a move"),
        ("1 - e5 e6", "is not a move"),
        ("Anna: e5", "'Anna:' is not a move"),
        ("**1.** e5", "is not a move"),
    ] {
        let text = format!("{line}\n").repeat(5);
        for command in [&["convert"][..], &["convert", "--to", "moves"], &REVIEW] {
            let run = hexmate_reading(command, &text);
            assert_eq!((run.code, run.out.as_str()), (1, ""), "{run:?}");
            assert_eq!(run.err.matches("line ").count(), 1, "{line}: {}", run.err);
            assert!(run.err.contains(part), "{line}: {}", run.err);
        }
    }
}

#[test]
fn games_of_mails_lists_and_pages_are_the_same_for_all_commands() {
    for text in [
        "> 1. e5 e6\n> 2. Nc3 Nc6\n> 3. d5 d6\n",
        "* 1. e5 e6\n* 2. Nc3 Nc6\n* 3. d5 d6\n",
        "<html><body>\n<p>1. e5 e6 2. Nc3 Nc6</p>\n<p>3. d5 d6</p>\n</body></html>\n",
        "Anna wrote:\n\n> 1. e5 e6\n> 2. Nc3 Nc6\n>\n> 3. d5 d6\n",
    ] {
        let moves = hexmate_reading(&["convert", "--to", "moves"], text).success();
        assert_eq!(moves, "e4e5 e7e6 d1c3 d9c6 d3d5 d7d6\n", "{text}");
        let run = hexmate_reading(&REVIEW, text);
        assert_eq!(
            (run.code, reviewed(&run.out)),
            (0, vec![6]),
            "{text}: {}",
            run.err
        );
    }
}

#[test]
fn nothing_to_convert_is_told() {
    let folder = Folder::new();
    let empty = folder.write("empty.txt", "");
    let output = folder.text("out.pgn");
    for words in [
        &["convert", &empty][..],
        &["convert", "--to", "rows", &empty],
        &["convert", "--to", "moves", &empty],
        &["convert", "--output", &output, &empty],
    ] {
        let run = hexmate(words);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{run:?}");
        assert!(
            run.err.contains("there are no games or positions in it"),
            "{}",
            run.err
        );
    }
    let run = hexmate_reading(&["convert", "--to", "moves"], "# nothing\n\n");
    assert!(
        run.code == 1 && run.err.contains("no games or positions"),
        "{run:?}"
    );
    assert_eq!(folder.names(), ["empty.txt"]);
}

#[test]
fn documents_are_named_for_what_they_are() {
    let folder = Folder::new();
    for (name, begin, part) in [
        (
            "a.docx",
            &b"PK\x03\x04\x14\0\x06\0\xff\n1. e5 e6\n"[..],
            "a zip archive, as .docx",
        ),
        (
            "a.rtf",
            b"{\\rtf1\\ansi 1. e5 e6\\par\n}\n",
            "a document in RTF",
        ),
        ("a.pdf", b"%PDF-1.7\n%\xff\xff\n", "a document in PDF"),
        ("a.jpg", b"\xff\xd8\xff\xe0\n\n", "a picture"),
    ] {
        let file = folder.path(name);
        std::fs::write(&file, begin).unwrap();
        let file = folder.text(name);
        for command in [&["convert"][..], &REVIEW] {
            let run = hexmate(&[command, &[&file]].concat());
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
            let told = run.err.contains(part) && run.err.contains("save it as plain text");
            assert!(told && run.err.contains(name), "{}", run.err);
            assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        }
    }
}

/// Letters of another language are read where they are named: it is said how, and in which file they are.
#[test]
fn letters_that_nobody_named_are_told_with_the_cure() {
    let folder = Folder::new();
    let file = folder.write("a.txt", "1. e5 e6 2. Sc3\n");
    let show = ["show", "glinski", "--moves", "e5 e6 Sc3"];
    for command in [
        &["convert", &file][..],
        &[&REVIEW[..], &[&file]].concat(),
        &show,
    ] {
        let run = hexmate(command);
        assert!(run.code > 0, "{run:?}");
        assert!(
            run.err
                .contains("those of another language: --letters german)"),
            "{}",
            run.err
        );
        assert!(
            command[0] == "show" || run.err.contains("a.txt"),
            "{}",
            run.err
        );
    }
    // Why an object cannot be read stands there once.
    let run = hexmate_reading(&["convert", "--to", "pgn"], "{x: 1}\n");
    assert_eq!(
        run.err.matches("key must be a string").count(),
        1,
        "{}",
        run.err
    );
}
