//! Games in files, wherever a game is named.

use std::fs;

use serde_json::Value;

use crate::run::{GLINSKI, TempFile, hexmate, hexmate_reading, root};

fn nightriders() -> String {
    let path = root().join("examples/games/nightriders.toml");
    path.to_str().unwrap().to_owned()
}

#[test]
fn every_game_that_ships_is_proven() {
    let folder = root().join("movegen/games");
    let mut files: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .collect();
    files.push(nightriders());
    assert_eq!(files.len(), 10);
    let mut arguments = vec!["games", "check", "--quiet", "--max-nodes", "100000"];
    arguments.extend(["--random", "2", "--plies", "40"]);
    arguments.extend(files.iter().map(String::as_str));
    assert_eq!(hexmate(&arguments).success(), "");
}

#[test]
fn a_check_shows_the_board_and_the_pieces() {
    let path = nightriders();
    let text = hexmate(&["games", "check", &path, "--random", "1"]).success();
    for part in [
        "Nightriders on 61 cells (nightriders), 61 cells, 5 kinds of piece",
        "colours:",
        "start:",
        "H nightrider on e5 reaches 12 cells:",
        "P pawn on e5 steps to + and captures on *:",
        "1 random games agree with a plain walk over the rules.",
    ] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
}

/// Of a game that is in the program it is not said that it could be.
#[test]
fn whether_a_game_is_compiled() {
    let check = |game: &str| {
        let words = [
            "games",
            "check",
            "--random",
            "1",
            "--max-nodes",
            "100",
            game,
        ];
        hexmate(&words).success()
    };
    assert!(check("glinski").contains("\nIt is compiled into the program.\n"));
    let file = check(&nightriders());
    let said = file.lines().last().unwrap();
    assert!(
        said.starts_with("It could be") || said.starts_with("It cannot be"),
        "{said}"
    );
}

#[test]
fn a_wrong_count_fails_and_a_wrong_file_is_refused() {
    let text = fs::read_to_string(nightriders()).unwrap();
    let wrong = TempFile::new("wrong.toml", format!("{text}\n[proof]\nperft = [1]\n"));
    let path = wrong.path();
    let run = hexmate(&["games", "check", "--quiet", path.to_str().unwrap()]);
    assert_eq!(run.code, 1);
    assert!(
        run.err
            .contains("[proof] says 1 leaves at depth 1, but there are "),
        "{run:?}"
    );

    let broken = TempFile::new("broken.toml", text.replace("hexagon = 5", "hexagon = 50"));
    let path = broken.path();
    let path = path.to_str().unwrap();
    for arguments in [
        &["games", "check", path][..],
        &["games", path],
        &["perft", path, "2"],
        &[
            "match",
            "-variant",
            path,
            "-engine",
            "cmd=internal",
            "-engine",
            "cmd=internal",
        ],
    ] {
        let error = hexmate(arguments).refused();
        assert!(
            error.contains("broken.toml") && error.contains("hexagon"),
            "{error}"
        );
        assert!(error.contains("line "), "{error}");
    }
    let error = hexmate(&["perft", "nowhere.toml", "2"]).refused();
    assert!(error.contains("nowhere.toml"), "{error}");
}

#[test]
fn a_file_stands_for_a_game() {
    let path = nightriders();
    let perft = hexmate(&["perft", &path, "2"]).success();
    assert!(perft.contains("nightriders depth 2 nodes 743"), "{perft}");
    let moves = hexmate(&["moves", &path]).success();
    assert_eq!(moves.split_whitespace().count(), 30, "{moves}");
    let svg = hexmate(&["show", &path, "--svg", "-"]).success();
    assert!(svg.contains("nightrider"), "{svg}");
    let shown = hexmate(&["show", &path]).success();
    let fen = shown.lines().last().unwrap();
    let found = hexmate(&[
        "analyse", "--game", &path, "--fen", fen, "--nodes", "300", "--format", "jsonl",
    ]);
    let answer = &found.answers()[0];
    assert_eq!(answer["game"], "nightriders");
    assert_eq!(answer["status"], "ok");
    let words = hexmate(&[
        "analyse", "--game", &path, "--fen", fen, "--nodes", "300", "--format", "text",
    ]);
    assert!(words.out.contains("Best is 1. "), "{words:?}");
}

/// Records name files, names of shipped games, and the game of the command line by its own name.
#[test]
fn records_name_files() {
    let path = nightriders();
    let lines = format!(
        "{{\"game\":\"{path}\",\"moves\":\"\"}}\n{{\"game\":\"shafran\",\"moves\":\"e2e5\"}}\n\
         {{\"game\":\"nowhere.toml\",\"moves\":\"\"}}\n{{\"fen\":\"{GLINSKI}\"}}\n"
    );
    let run = hexmate_reading(&["analyse", "-", "--nodes", "50", "--quiet"], lines);
    assert_eq!(run.code, 1, "{run:?}");
    let found = run.answers();
    let of = |key: &str| found.iter().map(|a| a[key].clone()).collect::<Vec<Value>>();
    assert_eq!(of("status"), ["ok", "ok", "error", "ok"]);
    assert_eq!(of("game")[0], "nightriders");
    assert_eq!(of("game")[1], "shafran");
    assert_eq!(of("game")[3], "glinski");
    let arguments = ["analyse", "-", "--game", &path, "--nodes", "200", "--quiet"];
    let run = hexmate_reading(&arguments, "{\"game\":\"nightriders\",\"moves\":\"\"}\n");
    assert_eq!(run.answers()[0]["status"], "ok");
}

#[test]
fn a_match_of_a_file_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (pgn, jsonl) = (file("games.pgn"), file("games.jsonl"));
    let path = nightriders();
    let pgnout = format!("file={pgn}");
    let lines = format!("file={jsonl}");
    let mut arguments = vec![
        "match", "-variant", &path, "-each", "nodes=60", "-rounds", "2", "-repeat",
    ];
    // The program itself, as an engine that reads game files, too.
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_hexmate"));
    arguments.extend(["-engine", "cmd=internal", "name=a"]);
    arguments.extend(["-engine", &program, "args=uci", "name=b"]);
    arguments.extend(["-pgnout", &pgnout, "-jsonl", &lines]);
    let run = hexmate(&arguments);
    assert_eq!(run.code, 0, "{run:?}");
    let replayed = hexmate(&["replay", &pgn, "--game", &path]).success();
    assert_eq!(replayed, fs::read_to_string(jsonl).unwrap());
    assert_eq!(replayed.lines().count(), 4);
}
