//! The command line: what is opened, what is printed, how it ends.

use serde_json::json;

use crate::client::{Board, command};

/// Exit code and message of a board that does not start.
fn refused(arguments: &[&str]) -> String {
    let out = command(arguments).args(["--no-open"]).output().unwrap();
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{text}");
    assert!(
        out.stdout.is_empty() && !text.contains("panicked"),
        "{text}"
    );
    text
}

#[test]
fn what_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nothing.pgn");
    std::fs::write(&file, "hello there").unwrap();
    let file = file.to_str().unwrap();
    assert!(refused(&["nowhere.pgn"]).contains("nowhere.pgn: "));
    assert!(
        refused(&[file]).contains("no moves follow this text"),
        "{}",
        refused(&[file])
    );
    assert!(refused(&["nowhere.toml"]).contains("nowhere.toml: "));
    assert!(refused(&["x/y/z w - - 0 1"]).contains("placement"));
    assert!(refused(&["--game", "chess"]).contains("chess"));
    assert!(refused(&["--tb", "nowhere"]).contains("--tb: nowhere: no such folder"));
    assert!(refused(&["--match", "nowhere"]).contains("--match: nowhere"));
    assert!(refused(&["--match", file]).contains("not a journal"));
    let board = Board::start(&[]);
    let port = board.port.to_string();
    let taken = refused(&["--port", &port]);
    assert!(
        taken.contains(&format!("--port {port}: ")) && taken.contains("expected a free port"),
        "{taken}"
    );
}

/// A text is the same thing here as for the other commands, whatever the file is called.
#[test]
fn texts_of_any_kind_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let board = Board::start(&[path.to_str().unwrap()]);
        board.good("opened", &json!({}))
    };
    for text in [
        "Qb4 Kh8\nBh2 Ki6\nQk4\n",
        "Anna - Bela, Sunday\n\n1. Qb4 Kh8\n2. Bh2 Ki6\n3. Qk4# White wins\n",
        "White: Anna\nBlack: Bela\n\n1. Qb4 Kh8 2. Bh2 Ki6 3. Qk4 mate\n",
        "{Sunday} 1) Qb4 Kh8 2) Bh2 Ki6 3) Qk4",
    ] {
        let opened = open("a.txt", text.as_bytes());
        let games = opened["games"].as_array().unwrap();
        assert_eq!(games.len(), 1, "{opened}");
        assert_eq!(games[0]["main"]["moves"][4]["san"], "Qk4#", "{opened}");
        assert_eq!(games[0]["faults"], json!([]));
    }
    let latin = open("a.pgn", b"[White \"B\xe9la\"]\n\n1. e5\n");
    assert_eq!(latin["games"][0]["tags"], json!([["White", "Béla"]]));
    let each = open("b.txt", b"e4e5 e7e6 d3d5\ne4e5 e7e6\n");
    assert_eq!(
        (&each["kind"], each["games"].as_array().unwrap().len()),
        (&json!("games"), 2)
    );
}

/// What is left out of a file is told where it was opened.
#[test]
fn faulty_games_of_a_file_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.pgn");
    std::fs::write(&path, "1. e5 *\n\n[Variant \"Glimski\"]\n\n1. e5 *\n").unwrap();
    let path = path.to_str().unwrap();
    let (board, log) = Board::logged(&[path]);
    let opened = board.good("opened", &json!({}));
    assert_eq!(opened["games"].as_array().unwrap().len(), 1);
    let log = std::fs::read_to_string(log.path()).unwrap();
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(
        log.starts_with(&format!("hexmate: {path}: line 3: ")),
        "{log}"
    );
}

/// The first ones are shown, and a file that takes long to read is told before.
#[test]
fn games_that_are_left_off_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (left_off, words) in [(3, "3 games"), (1, "1 game")] {
        let path = folder.path().join(format!("{left_off}.pgn"));
        let text = "1. e5 *\n\n".repeat(1000 + left_off) + "%" + &"x".repeat(5 << 20);
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let (board, log) = Board::logged(&[path]);
        let opened = board.good("opened", &json!({}));
        assert_eq!(opened["games"].as_array().unwrap().len(), 1000);
        assert_eq!(opened["left_off"], left_off);
        let log = std::fs::read_to_string(log.path()).unwrap();
        let told = [
            format!("hexmate: {path}: 5 MiB are being read"),
            format!("hexmate: {path}: {words} left off; the board shows the first 1000"),
        ];
        assert_eq!(log.lines().collect::<Vec<_>>(), told, "{log}");
    }
}

#[test]
fn what_is_opened_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let pgn = path(
        "two.pgn",
        "[Variant \"McCooey\"]\n\n1. b2 b5 1-0\n\n[Variant \"shafran\"]\n\n*\n",
    );
    let board = Board::start(&[&pgn]);
    let hello = board.good("hello", &json!({}));
    assert_eq!(
        hello["opened"],
        json!({"name": "two.pgn", "kind": "games", "games": 2})
    );
    assert_eq!(hello["game"], "mccooey");
    assert_eq!(
        board.good("opened", &json!({}))["games"][1]["game"],
        "shafran"
    );

    let lines = path(
        "lines.jsonl",
        "{\"game\": \"hexachess\", \"moves\": \"e4e5\"}\n",
    );
    let board = Board::start(&[&lines]);
    assert_eq!(board.good("hello", &json!({}))["game"], "hexachess");

    let fen = "k/3/5/7/9/11/11/11/11/11/5K5 w - - 0 1";
    let board = Board::start(&[fen]);
    assert_eq!(
        board.good("hello", &json!({}))["opened"]["kind"],
        "position"
    );
    assert_eq!(board.good("opened", &json!({}))["games"][0]["fen"], fen);

    let game = path(
        "calm.toml",
        "format = 1\nbase = 'glinski'\nname = 'calm'\ntitle = 'Calm'\n[ends]\nstalemate = '1/2'\n",
    );
    for arguments in [vec![game.as_str()], vec!["--game", game.as_str()]] {
        let board = Board::start(&arguments);
        assert_eq!(board.good("hello", &json!({}))["game"], "calm");
        let games = board.good("games", &json!({}));
        let last = games["games"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(
            (&last["name"], &last["from_file"]),
            (&json!("calm"), &json!(true))
        );
        assert_eq!(
            board.good("game", &json!({"game": "calm"}))["ends"]["stalemate"]["words"],
            "a draw"
        );
        let lines = board.stream("analyse", &json!({"game": "calm", "depth": 3}));
        assert_eq!(lines.last().unwrap()["reason"], "depth");
    }
    let board = Board::start(&["--game", "shafran", "--threads", "1", "--hash", "8"]);
    let hello = board.good("hello", &json!({}));
    assert_eq!(
        hello["defaults"],
        json!({"threads": 1, "hash": 8, "multipv": 3})
    );
    assert_eq!(
        (&hello["game"], &hello["opened"]),
        (&json!("shafran"), &json!(null))
    );
}

#[test]
fn letters_of_another_language() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("h.pgn");
    std::fs::write(&file, "1. e5 e6 2. Dc3 d6 *\n").unwrap();
    let file = file.to_str().unwrap();
    let board = Board::start(&[file, "--letters", "german"]);
    assert_eq!(board.good("hello", &json!({}))["letters"], "german");
    let opened = board.good("opened", &json!({}));
    let game = &opened["games"][0];
    assert_eq!(
        (&game["main"]["moves"][2]["san"], &game["faults"]),
        (&json!("Qc3"), &json!([]))
    );
    let board = Board::start(&["--letters", "K, V, B, F, H"]);
    assert_eq!(board.good("hello", &json!({}))["letters"], "KVBFH");
    let board = Board::start(&[]);
    assert_eq!(board.good("hello", &json!({}))["letters"], json!(null));
    assert!(refused(&["--letters", "klingon"]).contains("'klingon' names no letters"));
    let other = refused(&["--game", "chromatic4", "--letters", "german"]);
    assert!(
        other.contains("--letters: the letters german do not fit chromatic4"),
        "{other}"
    );
}

/// While searches run, too.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    use std::io::{BufRead, BufReader, Write};

    let mut board = Board::start(&[]);
    let mut stream = board.connect();
    let body = json!({"game": "glinski"}).to_string();
    stream.write_all(&board.post("analyse", &body)).unwrap();
    let mut line = String::new();
    BufReader::new(stream.try_clone().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.contains("200"), "{line}");
    let process = rustix::process::Pid::from_raw(board.id() as i32).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    assert_eq!(board.wait(), Some(0));
    line.clear();
    assert_eq!(board.out.read_line(&mut line).unwrap(), 0, "{line}");
}
