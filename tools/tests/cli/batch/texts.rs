//! What a text is: the same for all commands that read games and positions.

use serde_json::Value;

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
