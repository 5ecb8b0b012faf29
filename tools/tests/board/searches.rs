//! Searches: that they are those of the engine, and that they end.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Board;

/// Nodes and best move of a search by UCI.
fn by_uci(game: &str, moves: &str, go: &str) -> (u64, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hexmate"))
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "setoption name UCI_Variant value {game}\nsetoption name Hash value 16\nposition startpos moves {moves}\ngo {go}").unwrap();
    let (mut nodes, mut best) = (0, String::new());
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let mut words = line.split(' ').skip_while(|word| *word != "nodes");
        if line.starts_with("info depth") {
            nodes = words.nth(1).unwrap().parse().unwrap();
        } else if let Some(rest) = line.strip_prefix("bestmove ") {
            best = rest.split(' ').next().unwrap().to_owned();
            break;
        }
    }
    drop(input);
    child.wait().unwrap();
    (nodes, best)
}

#[test]
fn the_same_search_as_by_uci() {
    let board = Board::start(&[]);
    for (game, moves) in [
        ("glinski", vec!["e4e5", "e7e6"]),
        ("chromatic4", vec![]),
        ("shafran", vec![]),
    ] {
        for (go, name, value) in [("nodes 20000", "nodes", 20_000), ("depth 7", "depth", 7)] {
            let (nodes, best) = by_uci(game, &moves.join(" "), go);
            let mut fields =
                json!({"game": game, "moves": moves, "hash": 16, "threads": 1, "fresh": true});
            fields[name] = json!(value);
            let lines = board.stream("analyse", &fields);
            let done = lines.last().unwrap();
            assert_eq!(
                (done["nodes"].as_u64(), &done["best"]),
                (Some(nodes), &json!(best)),
                "{game} {go}"
            );
            assert_eq!(done["reason"], name);
        }
    }
}

#[test]
fn the_lines_of_an_analysis() {
    let board = Board::start(&[]);
    let lines = board.stream(
        "analyse",
        &json!({"game": "glinski", "multipv": 3, "depth": 6}),
    );
    assert_eq!(
        (&lines[0]["type"], &lines[0]["legal"], &lines[0]["side"]),
        (&json!("begin"), &json!(51), &json!("w"))
    );
    let infos: Vec<&Value> = lines.iter().filter(|line| line["type"] == "info").collect();
    let last = infos.last().unwrap();
    assert_eq!(last["depth"], 6);
    for line in last["lines"].as_array().unwrap() {
        let wdl: u64 = line["wdl"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .sum();
        assert_eq!(wdl, 1000);
        let (pv, san) = (
            line["pv"].as_array().unwrap(),
            line["san"].as_array().unwrap(),
        );
        assert!(!pv.is_empty() && pv.len() == san.len());
        let played = board.good("position", &json!({"game": "glinski", "moves": pv}));
        let names: Vec<&Value> = played["played"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| &mv["san"])
            .collect();
        assert_eq!(names, san.iter().collect::<Vec<_>>());
    }
    assert_eq!(last["lines"].as_array().unwrap().len(), 3);
    assert_eq!(lines.last().unwrap()["best"], last["lines"][0]["pv"][0]);

    let only = board.stream(
        "analyse",
        &json!({"game": "glinski", "depth": 3, "searchmoves": ["e4e5", "Qc3"], "multipv": 5}),
    );
    let searched = only[only.len() - 2]["lines"].as_array().unwrap();
    assert_eq!(searched.len(), 2);
    assert!(
        searched
            .iter()
            .all(|line| ["e4e5", "e1c3"].contains(&line["pv"][0].as_str().unwrap()))
    );
    let threat = board.stream(
        "analyse",
        &json!({"game": "glinski", "depth": 3, "threat": true}),
    );
    assert_eq!(threat[0]["side"], "b");
    let mated = board.stream(
        "analyse",
        &json!({"game": "glinski", "moves": ["e1b4", "g10h8", "f3h2", "h8i6", "b4k4"]}),
    );
    assert_eq!(
        (mated.len(), &mated[1]["reason"], &mated[1]["best"]),
        (2, &json!("no_moves"), &Value::Null)
    );
    // A search without limits ends where nothing is left to find.
    let mate = board.stream(
        "analyse",
        &json!({"game": "glinski", "moves": ["e1b4", "g10h8", "f3h2", "h8i6"], "depth": 4}),
    );
    assert_eq!(
        mate[mate.len() - 2]["lines"][0]["score"],
        json!({"mate": 1})
    );

    let bad = |name: &str, value: Value| {
        let mut fields = json!({"game": "glinski"});
        fields[name] = value;
        let error = board.bad("analyse", &fields, 400, "field");
        assert_eq!(error["field"], name);
    };
    for (name, value) in [
        ("depth", json!(0)),
        ("depth", json!(241)),
        ("depth", json!(-1)),
        ("depth", json!(1.5)),
        ("depth", json!("3")),
        ("nodes", json!(0)),
        ("movetime", json!(1e20)),
        ("multipv", json!(51)),
        ("threads", json!(100_000)),
        ("hash", json!(10_000_000)),
        ("threat", json!(1)),
        ("infinite", json!(true)),
    ] {
        bad(name, value);
    }
    let error = board.bad(
        "analyse",
        &json!({"game": "glinski", "searchmoves": ["zz"]}),
        400,
        "move",
    );
    assert_eq!(error["field"], "searchmoves");
    let check = json!({"game": "glinski", "fen": "k/3/5/7/9/5r5/11/11/11/11/5K5 w - - 0 1", "threat": true});
    board.bad("analyse", &check, 400, "field");
    let drawn = "d1b2 d9b6 b2d1 b6d9 ".repeat(2);
    let drawn: Vec<&str> = drawn.split_whitespace().collect();
    let over = json!({"game": "glinski", "moves": drawn, "depth": 1, "threat": true});
    let error = board.bad("analyse", &over, 400, "field");
    assert_eq!(error["message"], "\"threat\": the game is over");
}

#[test]
fn positions_are_counted_while_nothing_is_found() {
    let board = Board::start(&[]);
    let lines = board.stream(
        "analyse",
        &json!({"game": "chromatic4", "multipv": 2, "movetime": 1500}),
    );
    let counted: Vec<&Value> = lines
        .iter()
        .filter(|line| line["type"] == "nodes")
        .collect();
    assert!(!counted.is_empty(), "{lines:?}");
    let number = |line: &Value, name: &str| line[name].as_u64().unwrap();
    for pair in counted.windows(2) {
        assert!(number(pair[0], "nodes") <= number(pair[1], "nodes"));
        assert!(number(pair[0], "time") < number(pair[1], "time"));
    }
    let last = counted.last().unwrap();
    assert!(number(last, "nps") > 0);
    assert!(number(last, "nodes") <= number(lines.last().unwrap(), "nodes"));
}

/// Begins a search without limits and reads its first line.
fn begin(board: &Board) -> BufReader<std::net::TcpStream> {
    let mut stream = board.connect();
    let body = json!({"game": "glinski", "hash": 1}).to_string();
    stream.write_all(&board.post("analyse", &body)).unwrap();
    let mut lines = BufReader::new(stream);
    let mut line = String::new();
    while !line.contains("\"begin\"") && !line.contains("\"error\"") {
        line.clear();
        assert!(
            lines.read_line(&mut line).unwrap() > 0,
            "the server hung up"
        );
    }
    assert!(line.contains("begin"), "{line}");
    lines
}

/// Waits until no search runs; a search that stays behind would run for ever.
fn assert_none_is_left(board: &Board) {
    for _ in 0..12_000 {
        if board.running() == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{} searches are left behind", board.running());
}

#[test]
fn no_search_outlives_its_connection() {
    let board = Board::start(&[]);
    for i in 0..100 {
        match i % 3 {
            // Closed in the middle, closed at once, closed by one side only.
            0 => drop(begin(&board)),
            1 => {
                let mut stream = board.connect();
                let body = json!({"game": "glinski", "hash": 1}).to_string();
                stream.write_all(&board.post("analyse", &body)).unwrap();
            }
            _ => {
                let lines = begin(&board);
                lines.get_ref().shutdown(std::net::Shutdown::Both).unwrap();
            }
        }
    }
    assert_none_is_left(&board);
    // Reviews and moves, too.
    let review =
        json!({"game": "glinski", "moves": ["e4e5", "e7e6"], "nodes": 10_000_000}).to_string();
    let play =
        json!({"game": "glinski", "level": 10, "clock": {"remaining": 86_400_000}}).to_string();
    for (name, body) in [("review", review), ("play", play)] {
        let mut stream = board.connect();
        stream.write_all(&board.post(name, &body)).unwrap();
        for _ in 0..12_000 {
            if board.running() > 0 {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(board.running(), 1, "{name}");
        drop(stream);
        assert_none_is_left(&board);
    }
}

#[test]
fn four_searches_and_no_more() {
    let board = Board::start(&[]);
    let running: Vec<_> = (0..4).map(|_| begin(&board)).collect();
    assert_eq!(board.running(), 4);
    for (name, more) in [
        ("analyse", json!({})),
        ("play", json!({"level": 1})),
        ("review", json!({"moves": ["e4e5"]})),
    ] {
        let mut fields = json!({"game": "glinski"});
        for (field, value) in more.as_object().unwrap() {
            fields[field] = value.clone();
        }
        let error = board.bad(name, &fields, 429, "busy");
        assert!(
            error["message"].as_str().unwrap().contains("four")
                || error["message"].as_str().unwrap().contains('4')
        );
    }
    // Everything else goes on.
    assert_eq!(
        board.good("position", &json!({"game": "glinski"}))["side"],
        "w"
    );
    drop(running);
    assert_none_is_left(&board);
    drop(begin(&board));
}

#[test]
fn a_reviewed_game() {
    let board = Board::start(&[]);
    // Black takes the queen.
    let moves = json!(["e4e5", "e7e6", "e1c3", "f9c3"]);
    // More than there are processors are refused.
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in 1..=processors.min(2) {
        let lines = board.stream(
            "review",
            &json!({"game": "glinski", "moves": moves, "nodes": 2000, "threads": threads}),
        );
        assert_eq!(lines[0], json!({"type": "begin", "plies": 4}));
        let plies: Vec<&Value> = lines
            .iter()
            .filter(|line| line["type"] == "move")
            .map(|line| &line["ply"])
            .collect();
        assert_eq!(plies, [&json!(1), &json!(2), &json!(3), &json!(4)]);
        // The queen can be taken.
        let blunder = &lines[3];
        assert_eq!(
            (&blunder["judgement"], &blunder["glyph"]),
            (&json!("blunder"), &json!(4)),
            "{blunder}"
        );
        assert_eq!(blunder["line"][0], blunder["best"]);
        let done = lines.last().unwrap();
        assert_eq!(
            (
                &done["type"],
                &done["white"]["blunders"],
                &done["white"]["moves"]
            ),
            (&json!("done"), &json!(1), &json!(2))
        );
    }
    let empty = board.stream("review", &json!({"game": "glinski"}));
    assert_eq!(
        (empty.len(), &empty[1]["white"]["accuracy"]),
        (2, &Value::Null)
    );
    board.bad(
        "review",
        &json!({"game": "glinski", "nodes": 0}),
        400,
        "field",
    );
    board.bad(
        "review",
        &json!({"game": "glinski", "moves": ["e9e1"]}),
        400,
        "move",
    );
}

#[test]
fn moves_of_the_engine() {
    let board = Board::start(&[]);
    for level in 1..=10 {
        let fields = json!({"game": "glinski", "level": level, "moves": ["e4e5"], "clock": {"remaining": 2000, "increment": 0}});
        let found = board.good("play", &fields);
        let mv = found["move"]["move"].as_str().unwrap();
        let after = board.good(
            "position",
            &json!({"game": "glinski", "moves": ["e4e5", mv]}),
        );
        assert_eq!(
            (&found["level"], &after["side"]),
            (&json!(level), &json!("w"))
        );
    }
    board.bad("play", &json!({"game": "glinski"}), 400, "field");
    board.bad(
        "play",
        &json!({"game": "glinski", "level": 1.5}),
        400,
        "field",
    );
    board.bad(
        "play",
        &json!({"game": "glinski", "level": 11}),
        400,
        "field",
    );
    board.bad(
        "play",
        &json!({"game": "glinski", "level": 3, "clock": {"left": 3}}),
        400,
        "field",
    );
    let over =
        json!({"game": "glinski", "level": 3, "moves": ["e1b4", "g10h8", "f3h2", "h8i6", "b4k4"]});
    board.bad("play", &over, 409, "over");
}

/// A limit cuts the search short while Black's score rises: White's is at most that.
#[test]
fn a_review_tells_which_scores_are_bounds() {
    let board = Board::start(&[]);
    let fen = "1/3/5/7/7P1/11/6KP3/11/2B1k6/5p1P3/11 b - - 0 56";
    let body = json!({"game": "mccooey", "fen": fen, "moves": ["e3d4"], "nodes": 5000});
    let lines = board.stream("review", &body);
    assert_eq!(lines[1]["best"], "e3c2", "{lines:?}");
    assert_eq!(lines[1]["bound"], "upper", "{lines:?}");
}
