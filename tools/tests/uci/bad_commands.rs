//! Whatever is said, the program says what was wrong and goes on.

use crate::driver::{Uci, count};

#[test]
fn what_is_wrong_and_what_would_be_right() {
    let mut uci = Uci::new();
    for (line, parts) in [
        (
            "joho",
            ["unknown command 'joho'", "expected one of uci, isready"],
        ),
        ("position", ["position: no position", "'position startpos"]),
        ("position e4e5", ["'e4e5' is neither", "'position fen FEN"]),
        (
            "position startpos e4e5",
            ["'e4e5' after startpos", "moves ..."],
        ),
        ("position fen", ["no FEN", "expected"]),
        ("position fen moves e4e5", ["no FEN", "expected"]),
        (
            "position fen 8/8 w - - 0 1",
            ["position: ", "no position is left"],
        ),
        (
            "position startpos moves e4e9",
            ["move 1: 'e4e9'", "no position is left"],
        ),
        (
            "position startpos moves e4e5 e7e6 xx",
            ["move 3: 'xx'", "expected two cell"],
        ),
        (
            "position startpos moves 0000",
            ["move 1: '0000'", "expected two cell"],
        ),
        (
            "setoption",
            ["'name' is missing", "expected 'setoption name NAME"],
        ),
        ("setoption Hash 3", ["'name' is missing", "expected"]),
        ("setoption name", ["no name", "expected"]),
        (
            "setoption name Contempt value 3",
            ["no option 'Contempt'", "UCI_Variant, Threads"],
        ),
        (
            "setoption name Hash",
            ["'Hash' needs a value", "whole number from 1"],
        ),
        (
            "setoption name Hash value",
            ["'Hash' cannot be ''", "whole number from 1"],
        ),
        (
            "setoption name Hash value much",
            ["'Hash' cannot be 'much'", "from 1 to"],
        ),
        (
            "setoption name Hash value 0",
            ["'Hash' cannot be '0'", "from 1 to"],
        ),
        (
            "setoption name Threads value -1",
            ["'Threads' cannot be '-1'", "from 1 to"],
        ),
        (
            "setoption name Threads value 99999999999999999999",
            ["'Threads' cannot be", "from 1 to"],
        ),
        (
            "setoption name MultiPV value 0",
            ["'MultiPV' cannot be '0'", "from 1 to"],
        ),
        (
            "setoption name Ponder value yes",
            ["'Ponder' cannot be 'yes'", "true or false"],
        ),
        (
            "setoption name UCI_Variant value chess",
            ["unknown game 'chess'", "glinski, hexachess"],
        ),
        (
            "setoption name aspiration_window value x",
            ["cannot be 'x'", "whole number"],
        ),
        ("bench deep", ["'deep' is not a depth", "expected 'bench"]),
        ("bench 0", ["'0' is not a depth", "from 1 to 240"]),
        ("ponderhit", ["nothing is pondered", "go ponder"]),
    ] {
        let told = uci.answer(line);
        assert!(told.starts_with("info string "), "{line}: {told}");
        for part in parts {
            assert!(told.contains(part), "{line}: no {part:?} in {told}");
        }
    }
    uci.send("position startpos");
    uci.go("depth 1");
    uci.send("quit");
    uci.end();
}

/// Whoever sends a `go` waits for a best move: there is exactly one, whatever the words are.
#[test]
fn every_go_has_its_answer() {
    let mut uci = Uci::new();
    for (line, parts) in [
        ("go depth", ["no number after 'depth'", "expected one"]),
        ("go depth five", ["'five' after 'depth'", "whole number"]),
        (
            "go movetime 1.5",
            ["'1.5' after 'movetime'", "whole number"],
        ),
        (
            "go wtime depth 3",
            ["'depth' after 'wtime'", "whole number"],
        ),
        ("go perft -1", ["no depth of 'perft'", "expected 0 to 40"]),
        ("go perft 41", ["no depth of 'perft'", "expected 0 to 40"]),
        (
            "go searchmoves",
            ["no move after 'searchmoves'", "expected"],
        ),
        (
            "go searchmoves e4e5 a1a9",
            ["searchmoves: 'a1a9'", "nothing is searched"],
        ),
        (
            "go nodes 5000 searchmoves zz9 e4e5",
            ["searchmoves: 'zz9'", "nothing is searched"],
        ),
        (
            "go btime 1000",
            ["White to move, but no 'wtime'", "expected it"],
        ),
        (
            "go winc 1000 binc 1000",
            ["White to move, but no 'wtime'", "expected it"],
        ),
    ] {
        let told = uci.ask(line);
        assert_eq!(told.len(), 2, "{line}: {told:?}");
        assert!(told[0].starts_with("info string go: "), "{line}: {told:?}");
        for part in parts {
            assert!(told[0].contains(part), "{line}: no {part:?} in {}", told[0]);
        }
        assert_eq!(told[1], "bestmove 0000", "{line}");
    }
    // What runs is answered first, by a move.
    uci.send("go infinite");
    let told = uci.ask("go depth x");
    assert_eq!(count(&told, "bestmove"), 2, "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some("bestmove 0000"));
    assert!(!uci.go("depth 1").is_empty());
}

/// After a `position` that is refused nothing is searched: not the one before either.
#[test]
fn a_refused_position_leaves_none() {
    let mut uci = Uci::new();
    for faulty in [
        "position startpos moves e4e5 e7e6 e5e9",
        "position fen 1/3 w - - 0 1",
        "position nonsense",
    ] {
        uci.send("position startpos moves e4e5 e7e6");
        assert_eq!(uci.ask(faulty).len(), 1);
        for go in ["go depth 3", "go infinite", "go perft 2"] {
            let told = uci.ask(go);
            assert_eq!(told.len(), 2, "{go}: {told:?}");
            assert!(told[0].contains("go: no position"), "{go}: {told:?}");
            assert_eq!(told[1], "bestmove 0000");
        }
        for question in ["d", "eval"] {
            let told = uci.answer(question);
            assert!(told.contains("no position"), "{question}: {told}");
        }
        uci.send("position startpos moves e4e5");
        let best = uci.go("depth 2");
        assert_ne!(best.last().map(String::as_str), Some("bestmove 0000"));
    }
}

/// Capitals make no other command.
#[test]
fn commands_may_be_written_in_any_case() {
    let mut uci = Uci::new();
    uci.send("UCI");
    uci.until("uciok");
    uci.send("Position StartPos Moves e4e5");
    uci.send("Go Depth 2");
    assert!(uci.until("bestmove").len() > 1);
    uci.send("IsReady");
    uci.until("readyok");
    uci.send("Quit");
    uci.end();
}

/// Words that mean nothing in a `go` are told and passed over.
#[test]
fn unknown_words_after_go() {
    let mut uci = Uci::new();
    let lines = uci.go("quickly depth 1 please");
    assert!(
        lines[0].contains("'quickly' means nothing here"),
        "{lines:?}"
    );
    assert!(
        lines[1].contains("'please' means nothing here"),
        "{lines:?}"
    );
}

/// Lines that are no text, endless, or full of strange characters.
#[test]
fn anything_may_be_said() {
    let mut uci = Uci::new();
    let long = "x".repeat(3 << 20);
    let many = format!("position startpos moves{}", " e4e5".repeat(100_000));
    let lines: [&[u8]; 10] = [
        b"\xff\xfe\xfd",
        b"position startpos moves \xff",
        long.as_bytes(),
        many.as_bytes(),
        "setoption name \u{202e}Hash value \u{0}\u{7}3".as_bytes(),
        "position fen \u{1b}[31m♔♕/♖ w - - 0 1".as_bytes(),
        "position startpos moves é4e5".as_bytes(),
        b"go depth \0",
        b"setoption name value value value",
        b"position moves moves moves",
    ];
    for line in lines {
        uci.send_bytes(line);
        uci.send("isready");
        let told = uci.until("readyok");
        // A `go` is answered as well.
        let answers = usize::from(line.starts_with(b"go"));
        assert_eq!(told.len(), 2 + answers, "{told:?}");
        assert_eq!(count(&told, "bestmove 0000"), answers, "{told:?}");
        assert!(told[0].starts_with("info string "), "{told:?}");
        assert!(!told[0].chars().any(char::is_control), "{told:?}");
        assert!(told[0].len() < 2_000);
    }
    for silent in [
        "",
        "   ",
        "\t",
        "stop",
        "debug on",
        "debug off",
        "register later",
    ] {
        assert_eq!(uci.ask(silent), [""; 0]);
    }
    // What could not be read may have been a position.
    uci.send("position startpos");
    uci.send_bytes(b"position startpos moves \xff");
    assert_eq!(uci.go("depth 1").pop().as_deref(), Some("bestmove 0000"));
    uci.send("position startpos");
    uci.go("depth 1");
    uci.send("quit");
    uci.end();
}
