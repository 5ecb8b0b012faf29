//! Texts read and written, and positions put together.

use serde_json::{Value, json};

use crate::client::Board;
use crate::routes::GAMES;

/// What `/api/write` needs of what `/api/read` says.
fn rewritten(board: &Board, game: &Value) -> Value {
    let mut fields = game.clone();
    fields.as_object_mut().unwrap().remove("faults");
    board.good("write", &fields)
}

#[test]
fn texts_in_and_out() {
    let board = Board::start(&[]);
    let read = |text: &str| board.good("read", &json!({"game": "glinski", "text": text}));
    let pgn = "[Event \"Test\"]\n[Variant \"McCooey\"]\n\n1. b2 {first} (1. f3 f9 (1... g6?!) 2. e2) b5 $1 1-0\n\n[Event \"Second\"]\n\n1. e5 xx 1/2-1/2\n";
    let found = read(pgn);
    let games = found["games"].as_array().unwrap();
    assert_eq!((found["kind"].as_str(), games.len()), (Some("games"), 2));
    assert_eq!(
        (&games[0]["game"], &games[0]["result"]),
        (&json!("mccooey"), &json!("1-0"))
    );
    assert_eq!(games[1]["faults"][0]["line"], 8);
    assert_eq!(games[1]["main"]["moves"].as_array().unwrap().len(), 1);
    for game in games {
        let text = rewritten(&board, game)["text"].as_str().unwrap().to_owned();
        let again = board.good("read", &json!({"game": "glinski", "text": text}));
        assert_eq!(again["games"][0]["main"], game["main"], "{text}");
        assert_eq!(again["games"][0]["faults"], json!([]));
    }

    let moves = |text: &str| {
        let found = read(text);
        let moves = found["games"][0]["main"]["moves"]
            .as_array()
            .unwrap()
            .clone();
        let moves: Vec<String> = moves
            .iter()
            .map(|m| m["move"].as_str().unwrap().to_owned())
            .collect();
        (found["kind"].as_str().unwrap().to_owned(), moves.join(" "))
    };
    let list = |kind: &str| (kind.to_owned(), "e4e5 e7e6".to_owned());
    for text in ["e4e5 e7e6", "1. e5 e6", "1.e5 e6 *", "e5, e6"] {
        assert_eq!(moves(text), list("moves"), "{text}");
    }
    assert_eq!(moves("position startpos moves e4e5 e7e6"), list("position"));
    assert_eq!(moves("{\"moves\": \"e4e5 e7e6\"}"), list("games"));
    let fen = "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - - 0 1";
    for text in [
        fen.to_owned(),
        format!("position fen {fen} moves e4e5"),
        format!("{fen} moves e4e5"),
        format!("  {fen}; id 7"),
    ] {
        assert_eq!(read(&text)["games"][0]["fen"], fen, "{text}");
    }
    let german = json!({"game": "glinski", "text": "1. e5 e6 2. Dc3", "letters": "german"});
    assert_eq!(
        board.good("read", &german)["games"][0]["main"]["moves"][2]["san"],
        "Qc3"
    );

    for text in [
        "",
        "  \n",
        "hello there",
        "x/y/z w",
        "{\"a\"",
        "[Variant \"chess\"]\n\n1. e4 *",
    ] {
        let error = board.bad(
            "read",
            &json!({"game": "glinski", "text": text}),
            400,
            "text",
        );
        assert!(error["message"].as_str().unwrap().len() > 5);
    }
    board.bad(
        "read",
        &json!({"game": "glinski", "text": "e4e5", "letters": "klingon"}),
        400,
        "field",
    );
    board.bad("read", &json!({"text": "e4e5"}), 400, "field");
    board.bad("opened", &json!({}), 404, "opened");

    let write = |main: Value| json!({"game": "glinski", "main": main});
    let text = board.good("write", &json!({"game": "glinski", "main": {"moves": [{"move": "e5"}]}, "notation": "cells", "fen": fen.replace(" 0 1", " 0 7"), "tags": [["White", "A \"B\""]]}));
    assert!(
        text["text"].as_str().unwrap().contains("7. e4e5 *"),
        "{text}"
    );
    assert!(
        text["text"]
            .as_str()
            .unwrap()
            .contains("[White \"A \\\"B\\\"\"]"),
        "{text}"
    );
    // A game from the start needs no tags that say where it begins.
    let tags = json!([["setup", "1"], ["FEN", fen], ["Event", "E"]]);
    let fields = json!({"game": "glinski", "main": {}, "tags": tags});
    let text = board.good("write", &fields)["text"].to_string();
    assert!(text.contains("Event"), "{text}");
    assert!(!text.contains("setup") && !text.contains("FEN"), "{text}");
    board.bad(
        "write",
        &write(json!({"moves": [{"move": "e9e1"}]})),
        400,
        "move",
    );
    board.bad("write", &write(json!({"moves": [{}]})), 400, "field");
    board.bad(
        "write",
        &write(json!({"moves": [{"move": "e5", "glyphs": [-1]}]})),
        400,
        "field",
    );
    board.bad("write", &json!({"game": "glinski"}), 400, "field");
    board.bad(
        "write",
        &json!({"game": "glinski", "main": {}, "result": "2-0"}),
        400,
        "field",
    );
    board.bad(
        "write",
        &json!({"game": "glinski", "main": {}, "tags": [["a b", "c"]]}),
        400,
        "field",
    );
}

/// What can be read can be written, and what is nested more deeply is told where it is read.
#[test]
fn variations_within_each_other() {
    let board = Board::start(&[]);
    // 30 is the most.
    let nested = |depth: usize| {
        let opened: String = (0..depth).map(|_| "(1. e5 $1 {why} ").collect();
        format!("1. e5 {opened}{} 1-0\n", ")".repeat(depth))
    };
    let read = |text: &str| {
        let found = board.good("read", &json!({"game": "glinski", "text": text}));
        found["games"][0].clone()
    };
    let game = read(&nested(30));
    assert_eq!(game["faults"], json!([]));
    let text = rewritten(&board, &game)["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(text.matches('(').count(), 30, "{text}");
    assert_eq!(read(&text)["main"], game["main"]);

    let game = read(&nested(31));
    let place = nested(31).rfind('(').unwrap() + 1;
    let fault = format!("line 1, column {place}: more than 30 variations within each other");
    assert_eq!(game["faults"][0]["message"], fault.as_str());
    assert_eq!(game["faults"].as_array().unwrap().len(), 1);
    rewritten(&board, &game);

    // Whoever makes more by hand is told the same, in whatever part of the program.
    for (innermost, code, says) in [
        (json!({"moves": [{"move": "e5"}]}), "json", "at most 30"),
        (json!({}), "text", "more than 30"),
    ] {
        let mut deep = innermost;
        for _ in 0..31 {
            deep = json!({"moves": [{"move": "e5", "variations": [deep]}]});
        }
        let fields = json!({"game": "glinski", "main": deep});
        let error = board.bad("write", &fields, 400, code);
        let message = error["message"].as_str().unwrap();
        let says = format!("{says} variations within each other");
        assert!(message.contains(&says), "{message}");
    }
}

#[test]
fn letters_of_moves() {
    let board = Board::start(&[]);
    let played = |letters: Value, moves: Value| json!({"game": "glinski", "moves": moves, "letters": letters});
    let moves = json!(["e4e5", "e6", "Dc3"]);
    let position = board.good("position", &played(json!("german"), moves.clone()));
    assert_eq!(position["played"][2]["san"], "Qc3");
    let position = board.good("position", &played(json!("KDTLS"), moves.clone()));
    assert_eq!(position["played"][2]["move"], "e1c3");
    let error = board.bad("position", &played(json!(null), moves.clone()), 400, "move");
    // The page knows these words, and says instead where letters are chosen.
    let message = error["message"].as_str().unwrap();
    assert!(
        message.ends_with(" (name those of another language)"),
        "{message}"
    );
    let error = board.bad(
        "position",
        &played(json!("klingon"), moves.clone()),
        400,
        "field",
    );
    assert_eq!(error["field"], "letters");
    let other = json!({"game": "chromatic4", "letters": "german"});
    board.bad("position", &other, 400, "field");
}

/// Lines of games keep what they say of the game, as in `hexmate convert`.
#[test]
fn games_as_json_lines() {
    let board = Board::start(&[]);
    let text = "# two\n{\"variant\":\"mccooey\",\"game\":3,\"white\":\"Anna\",\"black\":\"Bela\",\"round\":2,\"result\":\"3/4-1/4\",\"moves\":\"b2 b5\"}\n{\"event\":\"Cup\",\"date\":\"2026.05.03\",\"moves\":\"1. e5 {good} e6 1-0\"}\n{\"white\":\"c\",\"moves\":\"e5 e5\"}\n{\"fen\":3}\n";
    let found = board.good("read", &json!({"game": "glinski", "text": text}));
    let games = found["games"].as_array().unwrap();
    assert_eq!(
        (&found["kind"], games.len()),
        (&json!("games"), 3),
        "{found}"
    );
    assert_eq!(
        (&games[0]["game"], &games[0]["result"]),
        (&json!("mccooey"), &json!("3/4-1/4"))
    );
    let mut tags = games[0]["tags"].as_array().unwrap().clone();
    tags.sort_by_key(Value::to_string);
    assert_eq!(
        tags,
        [
            json!(["Black", "Bela"]),
            json!(["Game", "3"]),
            json!(["Result", "3/4-1/4"]),
            json!(["Round", "2"]),
            json!(["White", "Anna"])
        ]
    );
    assert_eq!(
        (&games[1]["game"], &games[1]["result"]),
        (&json!("glinski"), &json!("1-0"))
    );
    assert!(
        games[1]["tags"]
            .as_array()
            .unwrap()
            .contains(&json!(["Event", "Cup"])),
        "{found}"
    );
    assert_eq!(games[1]["main"]["moves"][0]["comments"], json!(["good"]));
    assert_eq!(games[2]["faults"][0]["ply"], 2);
    assert!(
        games[2]["faults"][0]["message"]
            .as_str()
            .unwrap()
            .starts_with("move 2: "),
        "{found}"
    );
}

#[test]
fn edited_positions() {
    let board = Board::start(&[]);
    let setup = |fields: Value| board.good("setup", &fields);
    for name in GAMES {
        // The start of every game, taken apart and put together again; and two plies later.
        for moves in [0, 2] {
            let mut position = board.good("position", &json!({"game": name}));
            let mut line = Vec::new();
            for _ in 0..moves {
                line.push(position["legal"][0]["move"].clone());
                position = board.good("position", &json!({"game": name, "moves": line}));
            }
            let again = setup(json!({
                "game": name,
                "pieces": position["pieces"],
                "side": position["side"],
                "castling": position["castling"],
                "moved": position["moved"],
                "en_passant": position["en_passant"]["cells"][0],
                "halfmove": position["halfmove"],
                "fullmove": position["fullmove"],
            }));
            assert_eq!(again["fen"], position["fen"], "{again}");
            assert_eq!(
                (&again["valid"], &again["faults"]),
                (&json!(true), &json!([]))
            );
        }
    }
    let rules = |fields: Value| {
        let found = setup(fields);
        assert_eq!(
            (&found["valid"], &found["fen"]),
            (&json!(false), &Value::Null)
        );
        let faults = found["faults"].as_array().unwrap().clone();
        let pair = |fault: &Value| {
            (
                fault["rule"].as_str().unwrap().to_owned(),
                fault["cell"].as_str().unwrap_or("-").to_owned(),
            )
        };
        faults.iter().map(pair).collect::<Vec<_>>()
    };
    let pair = |rule: &str, cell: &str| (rule.to_owned(), cell.to_owned());
    assert_eq!(
        rules(json!({"game": "glinski", "pieces": {}})),
        [pair("king", "-"), pair("king", "-")]
    );
    let found = rules(
        json!({"game": "glinski", "pieces": {"f1": "K", "f2": "K", "f11": "k", "a6": "P", "b1": "p"}, "castling": ["f1"], "fullmove": 0}),
    );
    let expected = [
        pair("kings", "f2"),
        pair("promotion_cell", "b1"),
        pair("promotion_cell", "a6"),
        pair("castling", "f1"),
        pair("fullmove", "-"),
    ];
    for one in &expected {
        assert!(found.contains(one), "{found:?} {one:?}");
    }
    assert_eq!(found.len(), expected.len());
    let check = json!({"game": "glinski", "pieces": {"f1": "K", "f11": "k", "f9": "R"}, "en_passant": "e5", "moved": ["f9"]});
    let found = rules(check);
    assert!(
        found.contains(&pair("in_check", "f11"))
            && found.contains(&pair("en_passant", "e5"))
            && found.contains(&pair("moved", "f9")),
        "{found:?}"
    );
    assert_eq!(
        rules(json!({"game": "chromatic4", "pieces": {"h1": "K", "h15": "k", "c1": "S"}}))[0].0,
        "colour"
    );
    board.bad("setup", &json!({"game": "glinski"}), 400, "field");
    board.bad(
        "setup",
        &json!({"game": "glinski", "pieces": {"z1": "K"}}),
        400,
        "cell",
    );
    board.bad(
        "setup",
        &json!({"game": "glinski", "pieces": {"f1": "x"}}),
        400,
        "field",
    );
    board.bad(
        "setup",
        &json!({"game": "glinski", "pieces": {"f1": 3}}),
        400,
        "field",
    );
    board.bad(
        "setup",
        &json!({"game": "glinski", "pieces": {}, "side": "white"}),
        400,
        "field",
    );
    board.bad(
        "setup",
        &json!({"game": "glinski", "pieces": {}, "halfmove": 70000}),
        400,
        "field",
    );
}

/// A heading above lines of moves is no game.
#[test]
fn a_heading_above_lines_of_moves() {
    let board = Board::start(&[]);
    let text = "My two games\ne5 e6\ne5 b6\n";
    let found = board.good("read", &json!({"game": "glinski", "text": text}));
    let games = found["games"].as_array().unwrap();
    let second = |game: &Value| game["main"]["moves"][1]["move"].clone();
    let seconds: Vec<Value> = games.iter().map(second).collect();
    assert_eq!(seconds, ["e7e6", "b7b6"], "{found}");
}

/// A game that was played to its end has its result, whoever writes it; one that was agreed on keeps its own.
#[test]
fn a_game_that_is_over_has_its_result() {
    let board = Board::start(&[]);
    let mate = "1. Qb4 Kh8 2. Bh2 Ki6 3. Qk4";
    let knights = "1. Nb2 Nb6 2. Nd1 Nd9 3. Nb2 Nb6 4. Nd1 Nd9";
    for (moves, result) in [
        (format!("{mate}# *"), "1-0"),
        (format!("{mate}# 1/2-1/2"), "1/2-1/2"),
        (format!("{knights} *"), "1/2-1/2"),
        ("1. e5 e6 *".to_owned(), "*"),
    ] {
        let found = board.good("read", &json!({"game": "glinski", "text": moves}));
        let text = rewritten(&board, &found["games"][0])["text"].clone();
        let text = text.as_str().unwrap();
        assert!(text.contains(&format!("[Result \"{result}\"]")), "{text}");
        assert!(text.trim_end().ends_with(&format!(" {result}")), "{text}");
    }
}

/// What cannot be read is told beside what can.
#[test]
fn faulty_games_among_good_ones() {
    let board = Board::start(&[]);
    let read = |text: &str| {
        let found = board.good("read", &json!({"game": "glinski", "text": text}));
        let faults = found["faults"].as_array().unwrap().clone();
        let messages = faults.iter().map(|fault| {
            let message = fault["message"].as_str().unwrap();
            assert!(message.starts_with(&format!("line {}", fault["line"])));
            message.to_owned()
        });
        let count = found["games"].as_array().unwrap().len();
        (count, messages.collect::<Vec<_>>())
    };
    let (count, faults) = read(
        "{\"moves\":\"e5 e6\"}\n{\"game\":\"glimski\",\"moves\":\"e5\"}\n{\"moves\":3}\n{\"moves\":\"e5\"}\n",
    );
    assert_eq!((count, faults.len()), (2, 2), "{faults:?}");
    assert!(faults[0].contains("'glimski'"), "{faults:?}");
    assert!(faults[1].starts_with("line 3: \"moves\" is"), "{faults:?}");
    let (count, faults) = read(
        "[Variant \"Glimski\"]\n\n1. e5 *\n\n1. e5 e6 *\n\n[FEN \"b/qbk w - - 0 1\"]\n\n1. e5 *\n",
    );
    assert_eq!((count, faults.len()), (1, 2), "{faults:?}");
    assert!(faults[0].contains("'Glimski'"), "{faults:?}");
    assert!(faults[1].contains("FEN: "), "{faults:?}");
    let kings = "k/3/5/7/9/11/11/11/11/11/5K5 w - - 0 1\n";
    let (count, faults) = read(&format!("{kings}{}", kings.replace("5K5", "11")));
    assert_eq!((count, faults.len()), (1, 1));
    assert!(faults[0].contains("White has no king"), "{faults:?}");
    assert_eq!(read(kings), (1, Vec::new()));
}

#[test]
fn positions_keep_their_names() {
    let board = Board::start(&[]);
    let fen = "k/3/5/7/9/11/11/11/11/11/5K5 w - - 0 1";
    let text = format!("{fen}; id seven\n{fen}\n{{\"id\":8,\"moves\":\"e5\"}}\n");
    let found = board.good("read", &json!({"game": "glinski", "text": text}));
    let ids = [0, 1, 2].map(|i| found["games"][i]["id"].clone());
    assert_eq!(ids, [json!("seven"), Value::Null, json!(8)], "{found}");
}

/// No request could name more moves.
#[test]
fn the_longest_line() {
    let board = Board::start(&[]);
    let text = "Nb2 Nb6 Nd1 Nd9 ".repeat(501);
    let found = board.good("read", &json!({"game": "glinski", "text": text}));
    let game = &found["games"][0];
    assert_eq!(game["main"]["moves"].as_array().unwrap().len(), 2000);
    assert_eq!(game["faults"].as_array().unwrap().len(), 1);
    assert_eq!(game["faults"][0]["ply"], 2001);
    let message = game["faults"][0]["message"].as_str().unwrap();
    assert!(message.contains("at most 2000 moves"), "{message}");
}
