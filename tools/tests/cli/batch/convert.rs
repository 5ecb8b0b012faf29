//! Boards listed by files.

use serde_json::json;

use super::{Folder, positions};
use crate::run::{GLINSKI, analyse, hexmate, hexmate_reading};

const BY_FILES: &str = "6/P5p/RP4pr/N1P3p1n/Q2P2p2q/BBB1P1p1bbb/K2P2p2k/N1P3p1n/RP4pr/P5p/6";

#[test]
fn both_ways() {
    let input = format!(
        "{BY_FILES} w - 0 1\n{BY_FILES} w ; id \"x\"\n{{\"fen\":\"{BY_FILES} w - - 0 1\",\"id\":3}}\n{GLINSKI}\n"
    );
    let out = hexmate_reading(&["convert"], input).success();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], GLINSKI);
    assert_eq!(lines[1], format!("{GLINSKI} ; id \"x\""));
    assert_eq!(lines[2], format!("{{\"fen\":\"{GLINSKI}\",\"id\":3}}"));
    assert_eq!(lines[3], GLINSKI);
    let back = hexmate_reading(&["convert", "--to", "files"], &out).success();
    assert!(
        back.starts_with(&format!("{BY_FILES} w - - 0 1\n")),
        "{back}"
    );

    let folder = Folder::new();
    let texts = positions(200).join("\n") + "\n";
    let rows = folder.write("rows", &texts);
    for order in ["up", "down"] {
        let files = hexmate(&["convert", "--to", "files", "--file-order", order, &rows]).success();
        assert_ne!(files, texts);
        let files = folder.write("files", files);
        assert_eq!(
            hexmate(&["convert", "--file-order", order, &files]).success(),
            texts
        );
    }
}

/// Where files and rows have the same lengths, nothing but an option can say which are meant.
#[test]
fn boards_whose_files_are_as_long_as_their_rows() {
    for game in ["chromatic3", "chromatic4", "devasa"] {
        let convert = |more: &[&str], text: &str| {
            hexmate_reading(&[&["convert", "--game", game], more].concat(), text)
        };
        let info = hexmate(&["games", game]).success();
        let start = info.lines().find_map(|line| line.strip_prefix("start: "));
        let rows = format!("{}\n", start.unwrap());
        for order in ["up", "down"] {
            let order = ["--file-order", order];
            let files = convert(&[&["--to", "files"], &order[..]].concat(), &rows).success();
            assert_ne!(files, rows);
            let from = |what| convert(&[&["--from", what], &order[..]].concat(), &files);
            assert_eq!(from("files").success(), rows);
            let refused = from("rows");
            assert_eq!(refused.code, 1, "{refused:?}");
            assert!(!refused.err.contains("--from"), "{}", refused.err);
        }
        let files = convert(&["--to", "files"], &rows).success();
        let guessed = convert(&[], &files);
        let part = "rows and files of this board look alike; if these are files, add --from files";
        assert_eq!((guessed.code, guessed.out.as_str()), (1, ""));
        assert!(guessed.err.contains(part), "{}", guessed.err);
        assert_eq!(convert(&[], &rows).success(), rows);
    }
    // Elsewhere the option is a promise that is checked.
    for (from, text) in [("files", GLINSKI), ("rows", BY_FILES)] {
        let run = hexmate_reading(&["convert", "--from", from], format!("{text}\n"));
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{run:?}");
    }
    let run = hexmate_reading(&["convert", "--from", "files"], GLINSKI);
    let part = "the placement does not list the board by files; expected 11 lists of 6, 7, 8, ";
    assert!(run.err.contains(part), "{}", run.err);
}

#[test]
fn bad_lines_are_told() {
    let run = hexmate_reading(&["convert"], format!("x\n{GLINSKI}\n{{}}\n"));
    assert_eq!((run.code, run.out.lines().count()), (1, 1), "{run:?}");
    assert!(
        run.err.contains("line 1: field 1") && run.err.contains("line 3: no \"fen\""),
        "{}",
        run.err
    );
}

#[test]
fn analyse_names_the_way_out() {
    let run = analyse(format!("{BY_FILES} w - 0 1"));
    let error = run.answers()[0]["error"].as_str().unwrap().to_owned();
    assert!(
        error.contains("by files") && error.contains("hexmate convert"),
        "{error}"
    );
}

/// The game is read as analyse does: not in a value, and the last one counts.
#[test]
fn operations_name_the_game() {
    let line = format!("{GLINSKI} ; game none; c0 \"a; game none; b\"; game glinski");
    let rows = hexmate_reading(&["convert", "--to", "rows"], format!("{line}\n")).success();
    assert_eq!(rows, format!("{line}\n"));
}

/// Fields of objects become tags that can be read again.
#[test]
fn odd_names_of_fields() {
    let line = r#"{"moves":"e5 e6","white":"A","2nd":"x","42":"y"}"#;
    let pgn = hexmate_reading(&["convert", "--to", "pgn"], line).success();
    assert!(pgn.contains("[Nd \"x\"]") && !pgn.contains("42"), "{pgn}");
    assert_eq!(hexmate_reading(&["convert"], &pgn).success(), pgn);
    // The start need not be said.
    let line = json!({"fen": GLINSKI, "moves": "e5 e6", "white": "A"}).to_string();
    let object = hexmate_reading(&["convert", "--to", "jsonl"], line).success();
    assert!(!object.contains("\"fen\""), "{object}");
}

/// It is told, and the games around it are written.
#[test]
fn a_line_of_a_game_may_be_too_long() {
    let tag = "x".repeat(1_100_000);
    let text = format!("1. e5 e6 *\n\n[White \"{tag}\"]\n1. b2 *\n");
    let run = hexmate_reading(&["convert", "--to", "moves"], text);
    assert_eq!(
        (run.code, run.out.as_str()),
        (1, "e4e5 e7e6\nb1b2\n"),
        "{}",
        run.err
    );
    for part in [
        "line 3: offset 1048576: longer than",
        "1 of 3 games could not be used",
    ] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
}

/// Games in the letters of Hungarian records, each a little different in form.
const HUNGARIAN: &str = "tools/tests/data/hungarian.pgn";

#[test]
fn games_into_all_forms_and_back() {
    let folder = Folder::new();
    let run = |more: &[&str]| hexmate(&[&["convert"], more].concat());
    let convert = |more: &[&str]| run(more).success();
    let hungarian = ["--letters", "hungarian", HUNGARIAN];
    let cells = convert(&[&["--to", "moves"], &hungarian[..]].concat());
    assert_eq!(cells.lines().count(), 40);
    assert!(cells.lines().all(|line| line.split(' ').count() > 20));
    let san = convert(&[&["--notation", "san"], &hungarian[..]].concat());
    assert!(san.contains("[Variant \"glinski\"]") && san.contains("{A long think}"));
    let file = folder.write("san.pgn", &san);
    // Nothing is lost on the way, whatever the way is.
    assert_eq!(convert(&["--to", "moves", &file]), cells);
    assert_eq!(convert(&["--notation", "san", &file]), san);
    let json = folder.text("g.jsonl");
    assert_eq!(
        convert(&["--notation", "san", "--output", &json, &file]),
        ""
    );
    assert_eq!(convert(&["--to", "moves", &json]), cells);
    let again = convert(&["--to", "jsonl", &json]);
    let first: serde_json::Value = serde_json::from_str(again.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["game"], &first["id"]),
        (&"glinski".into(), &1.into())
    );
    assert_eq!(first["white"], "Anna");
    let pgn = convert(&["--to", "pgn", &json]);
    // Objects with moves alone are games without being told.
    assert_eq!(convert(&[&json]), pgn);
    assert!(
        pgn.starts_with("[Event \"Club evening 1\"]\n[White \"Anna\"]\n[Black "),
        "{pgn}"
    );
    let moves = folder.write("moves.txt", &cells);
    let pgn = convert(&["--to", "pgn", &moves]);
    assert_eq!(pgn.matches("[Variant \"glinski\"]").count(), 40);
    // Without the language most letters mean nothing.
    let own = run(&[HUNGARIAN]);
    assert_eq!((own.code, own.out.as_str()), (1, ""), "{}", own.err);
    let part = "is no piece; the letters are K, Q, R, B, N";
    assert!(own.err.contains(part), "{}", own.err);
    let unknown = run(&["--letters", "martian", HUNGARIAN]);
    assert!(unknown.refused().contains("hungarian, polish"));
}

#[test]
fn endings_that_say_something_else_are_refused() {
    let folder = Folder::new();
    let games = folder.write("in.pgn", "1. e5 e6 *\n");
    let positions = folder.write("in.epd", GLINSKI);
    let convert = |input: &str, name: &str, more: &[&str]| {
        hexmate(&[&["convert", input, "--output", &folder.text(name)], more].concat())
    };
    let message = convert(&games, "out.csv", &[]).refused();
    assert!(
        message.contains("games are not written as .csv; expected .pgn"),
        "{message}"
    );
    for (input, name) in [(&games, "out.pgn.gz"), (&positions, "out.epd.zst")] {
        for more in [&[][..], &["--to", "jsonl"]] {
            let message = convert(input, name, more).refused();
            assert!(message.contains("output is not compressed"), "{message}");
        }
    }
    assert_eq!(folder.names(), ["in.epd", "in.pgn"]);
    convert(&games, "out.json", &[]).success();
    assert!(folder.read("out.json").starts_with('{'));
    convert(&games, "out.csv", &["--to", "moves"]).success();
    convert(&positions, "out.any", &[]).success();
}

#[test]
fn variations_are_kept_and_bad_games_left_out() {
    let text = "1. e5 (1. Qc3 {why not} b6 (1... Nd5) 2. b2) e6 1-0\n\n1. e5 (1. Nd5) 1... e6 0-1\n\n1. e5 e5 *\n\n1. b2 *\n";
    let run = hexmate_reading(&["convert", "--notation", "san"], text);
    assert_eq!(run.code, 1);
    assert!(
        run.out
            .contains("1. e5 (1. Qc3 {why not} 1... b6 2. b2) 1... e6 1-0"),
        "{}",
        run.out
    );
    assert!(run.out.contains("1. e5 e6 0-1"), "{}", run.out);
    assert!(run.out.ends_with("1. b2 *\n\n"), "{}", run.out);
    for part in [
        "line 1, column 34, ply 2: 'Nd5' is not legal in ",
        "line 3, column 11, ply 1: 'Nd5' is not legal in ",
        "line 5, column 7, ply 2: 'e5' is not legal in ",
        "3 of 4 games could not be used as a whole",
    ] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
}

/// A result that nobody gives is that of the rules, if they have ended the game; one that is given stays.
#[test]
fn results_that_are_not_known() {
    let mate = "e1b4 g10h8 f3h2 h8i6 b4k4";
    let again = "d1b2 d9b6 b2d1 b6d9 d1b2 d9b6 b2d1 b6d9";
    let stalemate = "[FEN \"1/3/5/7/9/11/11/2Q8/11/11/k1K8 w - - 0 1\"]\n\n1. c4b4";
    for (moves, given, result) in [
        (mate, "*", "1-0"),
        (mate, "0-1", "0-1"),
        (again, "*", "1/2-1/2"),
        (stalemate, "*", "3/4-1/4"),
        ("e4e5", "*", "*"),
    ] {
        let game = format!("[Result \"{given}\"]\n{moves} {given}\n");
        let pgn = hexmate_reading(&["convert"], &game).success();
        assert!(pgn.contains(&format!("[Result \"{result}\"]")), "{pgn}");
        assert!(pgn.ends_with(&format!(" {result}\n\n")), "{pgn}");
        let object = hexmate_reading(&["convert", "--to", "jsonl"], &game).success();
        assert!(
            object.contains(&format!("\"result\":\"{result}\"")),
            "{object}"
        );
    }
}

/// As for `analyse`.
#[test]
fn json_over_several_lines_is_told_once() {
    let array = format!("[{{\"fen\": \"{GLINSKI}\"}}]");
    let message = hexmate_reading(&["convert"], array).refused();
    assert!(message.contains("-: line 1: a JSON array"), "{message}");
}

/// Options that would change nothing.
#[test]
fn options_of_the_other_kind_of_input_are_refused() {
    let positions = format!("{GLINSKI}\n");
    for (words, input, says) in [
        ("--from files", "1. e5 e6\n", "--from"),
        ("--file-order down", "1. e5 e6\n", "--file-order"),
        ("--notation san --to rows", &positions, "--notation"),
        ("--notation san", &positions, "--notation"),
    ] {
        let words: Vec<&str> = ["convert"].into_iter().chain(words.split(' ')).collect();
        let message = hexmate_reading(&words, input).refused();
        assert!(message.contains(says), "{words:?}: {message}");
    }
}

/// While the input is waited for, a file may come to the place of the output.
#[cfg(unix)]
#[test]
fn an_output_that_has_appeared_before_the_input_stays() {
    use std::process::Stdio;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use crate::run::{Run, command};

    let folder = Folder::new();
    let (pipe, output) = (folder.text("pipe"), folder.text("out"));
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let mut command = command(&["convert", &pipe, "--output", &output]);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    // This waits until the program has looked at its output and reads.
    let input = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    folder.write("out", "precious");
    std::io::Write::write_all(&mut &input, b"1. e5 e6 *\n").unwrap();
    drop(input);
    let message = Run::new(child.wait_with_output().unwrap()).refused();
    assert!(message.contains("has appeared"), "{message}");
    assert_eq!(folder.read("out"), "precious");
}
