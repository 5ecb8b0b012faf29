//! `hexmate analyse`: several best moves, chosen moves, mates, threads.

use serde_json::{Value, json};

use crate::run::{GAMES, GLINSKI, Run, analyse_with, hexmate, hexmate_reading, suite};

/// Gliński's game, one ply before its shortest mate.
const BEFORE_MATE: &str = "e1b4 g10h8 f3h2 h8i6";
const CHECKMATE: &str = "1/3/5/7/9/11/11/1N9/2K8/11/k10 b - - 0 1";
/// White mates in three.
const MATE_IN_THREE: &str = "B/3/5/7/3p4k/b1Q1P6/1p9/1p5N1P1/1P6P2/11/7K3 w - - 4 62";

fn analyse(arguments: &[&str], lines: &str) -> Run {
    hexmate_reading(&[&["analyse", "--jobs", "1"], arguments].concat(), lines)
}

fn moves(answer: &Value) -> Vec<&str> {
    let lines = answer["lines"].as_array().expect("lines");
    lines.iter().map(|l| l["move"].as_str().unwrap()).collect()
}

#[test]
fn a_line_for_each_of_the_best_moves() {
    let run = analyse(&["--depth", "4", "--multipv", "3"], GLINSKI);
    let answer = &run.answers()[0];
    let lines = answer["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    // The first is what the answer itself has.
    for field in ["score", "pv"] {
        assert_eq!(lines[0][field], answer[field]);
    }
    assert_eq!(lines[0]["move"], answer["bestmove"]);
    let mut score = i64::MAX;
    for line in lines {
        assert_eq!(line["move"], line["pv"][0]);
        assert_eq!(line["depth"], 4);
        assert!(line["seldepth"].as_u64().unwrap() >= 3, "{line}");
        assert!(line["score"]["cp"].as_i64().unwrap() <= score, "{answer}");
        score = line["score"]["cp"].as_i64().unwrap();
    }
    let mut different = moves(answer);
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 3);
}

#[test]
fn lines_only_when_asked_for() {
    let lines = format!("{GLINSKI}\n{CHECKMATE}\n");
    for answer in analyse(&["--depth", "2"], &lines).answers() {
        assert!(answer.get("lines").is_none(), "{answer}");
    }
    let answers = analyse(&["--depth", "2", "--multipv", "1"], &lines).answers();
    assert_eq!(
        moves(&answers[0]),
        [answers[0]["bestmove"].as_str().unwrap()]
    );
    assert_eq!(answers[1]["lines"], json!([]));
    // No more lines than legal moves.
    for game in GAMES {
        let some = suite(game)[..6].join("\n");
        let arguments = ["--game", game, "--nodes", "3000", "--multipv", "500"];
        let answers = analyse(&arguments, &some).answers();
        let searched = |(answer, _): &(&Value, &str)| answer["status"] == "ok";
        for (answer, line) in answers.iter().zip(some.lines()).filter(searched) {
            let count = line
                .split(";D1 ")
                .nth(1)
                .unwrap()
                .split(' ')
                .next()
                .unwrap();
            assert_eq!(moves(answer).len().to_string(), count, "{line}");
        }
    }
}

#[test]
fn chosen_moves() {
    let line = |chosen: Value| json!({ "moves": BEFORE_MATE, "searchmoves": chosen }).to_string();
    let lines = [
        line(json!("e4e5 D3D5")),
        line(json!(["d3d5", "e4e5", "d3d5"])),
        line(json!("b4k4")),
        line(json!("")),
        line(json!([])),
        line(json!(null)),
    ];
    let run = analyse(&["--depth", "3", "--multipv", "5"], &lines.join("\n"));
    let answers = run.answers();
    for answer in &answers[..2] {
        let mut found = moves(answer);
        found.sort_unstable();
        assert_eq!(found, ["d3d5", "e4e5"]);
    }
    assert_eq!(answers[2]["score"], json!({ "mate": 1 }));
    for answer in &answers[2..] {
        assert_eq!(answer["bestmove"], "b4k4");
    }
    run.success();
}

#[test]
fn chosen_moves_must_be_legal() {
    for (chosen, parts) in [
        (json!("e4e5 a1a2"), ["\"searchmoves\": 'a1a2'", "not legal"]),
        (
            json!(["e4e5", "xx"]),
            ["\"searchmoves\": 'xx'", "not a move"],
        ),
        (
            json!(17),
            ["\"searchmoves\" is a number", "expected a text"],
        ),
        (
            json!(["e4e5", 3]),
            ["\"searchmoves\" is a list", "expected a text"],
        ),
    ] {
        let bad = json!({ "id": "bad", "fen": GLINSKI, "searchmoves": chosen }).to_string();
        let run = analyse(&["--depth", "1"], &format!("{bad}\n{GLINSKI}\n"));
        assert_eq!(run.code, 1);
        let answers = run.answers();
        assert_eq!(
            (&answers[0]["id"], &answers[0]["status"]),
            (&json!("bad"), &json!("error"))
        );
        let error = answers[0]["error"].as_str().unwrap();
        for part in parts {
            assert!(error.contains(part), "no {part:?} in {error}");
        }
        assert_eq!(answers[1]["status"], "ok");
    }
}

#[test]
fn mates_are_looked_for() {
    let answer = |arguments: &[&str]| analyse(arguments, MATE_IN_THREE).answers().remove(0);
    let found = answer(&["--mate", "3"]);
    assert_eq!(found["score"], json!({ "mate": 3 }));
    // It ends there: the nodes are not used up.
    assert!(found["nodes"].as_u64().unwrap() < 5_000_000);
    // There is none in two, and the other limits hold.
    let not_found = answer(&["--mate", "2", "--nodes", "2000"]);
    assert_eq!(not_found["nodes"], 2_000);
}

#[test]
fn more_threads_find_as_good_a_move() {
    for jobs in ["1", "3"] {
        let line = json!({ "moves": BEFORE_MATE }).to_string();
        let lines = format!("{line}\n{MATE_IN_THREE}\n{GLINSKI}\n");
        let more = [
            "--threads",
            "2",
            "--jobs",
            jobs,
            "--mate",
            "3",
            "--nodes",
            "300000",
        ];
        let run = hexmate_reading(&[&["analyse"], &more[..]].concat(), lines);
        let answers = run.answers();
        assert_eq!(answers[0]["bestmove"], "b4k4");
        assert_eq!(answers[1]["score"], json!({ "mate": 3 }));
        assert!(answers[2]["depth"].as_u64().unwrap() >= 5, "{}", answers[2]);
        run.success();
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    for [option, value] in [
        ["--multipv", "0"],
        ["--multipv", "x"],
        ["--mate", "0"],
        ["--threads", "0"],
        ["--threads", "100000"],
    ] {
        let message = analyse(&[option, value], GLINSKI).refused();
        assert!(message.contains(option), "{message}");
    }
}

#[test]
fn what_is_no_number_is_told_with_one() {
    for text in ["100k", "1e5", "100,000"] {
        let message = analyse(&["--nodes", text], "").refused();
        assert!(
            message.contains("a whole number in digits alone, as in 100000"),
            "{message}"
        );
    }
    let message = analyse(&["--multipv", ""], "").refused();
    assert!(message.contains("expected"), "{message}");
}

/// One position, named on the command line in three ways.
#[test]
fn one_position() {
    let fast = ["analyse", "--depth", "2", "--hash", "1"];
    let of = |more: &[&str]| hexmate(&[&fast, more].concat());
    let expected = of(&["--moves", "e4e5 e7e6"]).answers();
    let fen = expected[0]["fen"].as_str().unwrap();
    for more in [
        &["--moves", "1. e5 e6", "--game", "Gliński"][..],
        &["--fen", fen],
        &[fen],
        &["--format", "jsonl", "--output", "-", "--", fen],
    ] {
        let run = of(more);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
        for field in ["fen", "bestmove", "score", "pv"] {
            assert_eq!(run.answers()[0][field], expected[0][field], "{more:?}");
        }
    }
    let text = of(&["--format", "text", "--moves", "e4e5 e7e6"]).success();
    assert!(
        text.contains("White to move") && text.contains("Best is 2. "),
        "{text}"
    );
    assert!(
        of(&["--fen", "x"])
            .refused()
            .starts_with("hexmate: --fen: field 1")
    );
    assert!(of(&["--moves", "e9"]).refused().contains("move 1: 'e9'"));
}

/// The ending of the output's name is its format.
#[test]
fn formats_by_ending() {
    let folder = tempfile::tempdir().unwrap();
    for (name, begin) in [
        ("a.csv", "id,game,fen,status,rank,bestmove,"),
        ("a.epd", "b/qbk/"),
        ("a.jsonl", "{\"id\":1,"),
        ("a.parquet", "PAR1"),
        ("a.txt", "position                       best"),
        ("a", "{\"id\":1,"),
    ] {
        let path = folder.path().join(name).display().to_string();
        let words = ["analyse", "--depth", "1", "--hash", "1", "--output", &path];
        assert_eq!(hexmate_reading(&words, GLINSKI).success(), "");
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(begin.as_bytes()), "{name}");
    }
}

/// Numbers that 64 bits cannot hold would come back as others, and different ids as equal ones.
#[test]
fn numbers_that_would_change_are_refused() {
    let large = "12345678901234567890123";
    let lines = [
        format!(r#"{{"id":{large},"moves":"e4e5"}}"#),
        format!(r#"{{"id":"a","moves":"e4e5","n":[{{"x":-{large}}}]}}"#),
        format!(r#"{{"id":"{large}","moves":"e4e5","note":"\"{large}, 1e400"}}"#),
        r#"{"id":18446744073709551615,"moves":"e4e5","least":-9223372036854775808,"x":1.5e300}"#
            .to_owned(),
    ];
    let run = analyse(&["--depth", "1"], &lines.join("\n"));
    assert_eq!(run.code, 1, "{run:?}");
    let answers = run.answers();
    for (answer, id) in answers.iter().zip([large, "a"]) {
        assert_eq!(
            (&answer["status"], &answer["id"]),
            (&"error".into(), &id.into())
        );
        let error = answer["error"].as_str().unwrap();
        assert!(
            error.contains(large) && error.contains("64 bits"),
            "{error}"
        );
    }
    assert_eq!(answers[2]["id"], large);
    let whole = run.out.lines().nth(3).unwrap();
    for part in ["18446744073709551615", "-9223372036854775808", "1.5e300"] {
        assert!(
            whole.replace("1.5e+300", "1.5e300").contains(part),
            "{part}: {whole}"
        );
    }
}

#[test]
fn moves_from_behind_their_end() {
    let message = analyse_with(&["--from-move", "5", "--to-move", "3"], GLINSKI).refused();
    assert!(
        message.contains("expected --to-move 5 or more"),
        "{message}"
    );
}
