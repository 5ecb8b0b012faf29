//! Perft over threads and with a memo counts as it does without, through the program itself.

use std::process::{Command, Output};

use hexmate_movegen::suite::SuiteCase;
use serde_json::Value;

const MATE: &str = "1/3/5/7/9/11/11/1N9/2K8/11/k10 b - - 0 1";
const STALEMATE: &str = "1/3/5/7/9/11/11/1Q9/11/11/k1K8 b - - 0 1";

/// Threads, memory, kind of memo.
const MEANS: [[&str; 3]; 9] = [
    ["2", "0", "array"],
    ["3", "0", "array"],
    ["1", "1", "array"],
    ["2", "1", "array"],
    ["3", "16", "array"],
    ["1", "1", "dashmap"],
    ["2", "1", "dashmap"],
    ["3", "1", "dashmap"],
    ["2", "16", "dashmap"],
];

fn hexmate(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexmate"));
    command.args(arguments).output().expect("the program runs")
}

fn success(arguments: &[&str]) -> String {
    let output = hexmate(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

fn with_means([threads, hash, memo]: [&'static str; 3]) -> [&'static str; 6] {
    ["--threads", threads, "--hash", hash, "--memo", memo]
}

/// The object of `perft --json`.
fn perft(game: &str, depth: u32, fen: Option<&str>, more: &[&str]) -> Value {
    let depth = depth.to_string();
    let mut arguments = vec!["perft", game, depth.as_str(), "--json"];
    arguments.extend(fen.iter().flat_map(|fen| ["--fen", fen]));
    arguments.extend(more);
    serde_json::from_str(&success(&arguments)).expect("the output is JSON")
}

fn suite_path(game: &str) -> String {
    format!(
        "{}/../movegen/suites/{game}.epd",
        env!("CARGO_MANIFEST_DIR")
    )
}

/// Positions of a game's suite, each with its count of two plies.
fn positions(game: &str) -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(suite_path(game)).expect("the suite is there");
    let cases = text
        .lines()
        .filter_map(|line| SuiteCase::parse(line).expect("a suite line"));
    cases
        .filter_map(|case| {
            let (_, nodes) = case.counts.iter().find(|(depth, _)| *depth == 2)?;
            Some((case.fen.to_owned(), *nodes))
        })
        .collect()
}

/// Checks each of the means, with and without `--divide`.
fn check(game: &str, depth: u32, fen: Option<&str>) {
    let alone = perft(game, depth, fen, &["--divide"]);
    let parts = alone["divide"].as_object().expect("the parts");
    let sum: u64 = parts.values().filter_map(Value::as_u64).sum();
    assert_eq!(alone["nodes"], sum, "{game} {fen:?}");
    for means in MEANS {
        let name = format!("{game} depth {depth} {fen:?} {means:?}");
        let mut more = with_means(means).to_vec();
        let together = perft(game, depth, fen, &more);
        assert_eq!(together["nodes"], alone["nodes"], "{name}");
        assert_eq!(together["threads"].to_string(), means[0], "{name}");
        assert_eq!(together["hash_mb"].to_string(), means[1], "{name}");
        more.push("--divide");
        let divided = perft(game, depth, fen, &more);
        assert_eq!(divided["nodes"], alone["nodes"], "{name}");
        assert_eq!(divided["divide"], alone["divide"], "{name}");
    }
}

/// Some positions at depths 3 and 4, and the smallest of many pieces at depth 5, where positions recur
/// that are kept.
fn check_game(game: &str, bound: u64) {
    let mut cases = positions(game);
    assert!(cases.len() >= 50, "{game}");
    for (fen, _) in cases.iter().step_by(30) {
        check(game, 3, Some(fen));
    }
    cases.retain(|(_, nodes)| *nodes >= bound);
    let (fen, _) = cases.iter().min_by_key(|(_, nodes)| nodes).expect("a case");
    check(game, 4, Some(fen));
    check(game, 5, Some(fen));
}

#[test]
fn glinski() {
    check_game("glinski", 600);
}

#[test]
fn mccooey() {
    check_game("mccooey", 600);
}

#[test]
fn hexachess() {
    check_game("hexachess", 600);
}

#[test]
fn chromatic3() {
    check_game("chromatic3", 100);
}

#[test]
fn chromatic4() {
    let cases = positions("chromatic4");
    for (fen, _) in cases.iter().step_by(30) {
        check("chromatic4", 3, Some(fen));
    }
    let (fen, _) = cases.iter().min_by_key(|(_, nodes)| nodes).expect("a case");
    check("chromatic4", 4, Some(fen));
    let alone = perft("chromatic4", 5, Some(fen), &[]);
    for means in [["2", "16", "array"], ["2", "1", "dashmap"]] {
        let together = perft("chromatic4", 5, Some(fen), &with_means(means));
        assert_eq!(together["nodes"], alone["nodes"], "{means:?}");
    }
}

/// 75,776 positions come up to be kept, and 1 MB holds 65,536 or 24,576 of them.
#[test]
fn a_memo_that_overflows() {
    for memo in ["array", "dashmap"] {
        let counted = perft("glinski", 5, None, &with_means(["2", "1", memo]));
        assert_eq!(counted["nodes"], 401_622_759_u64, "{memo}");
    }
}

#[test]
fn depths_without_work() {
    for means in MEANS {
        let more = with_means(means);
        for (depth, nodes) in [(0, 1), (1, 51), (2, 2586), (3, 137_858)] {
            assert_eq!(perft("glinski", depth, None, &more)["nodes"], nodes);
        }
        for fen in [MATE, STALEMATE] {
            for (depth, nodes) in [(0, 1), (1, 0), (2, 0), (6, 0)] {
                assert_eq!(perft("glinski", depth, Some(fen), &more)["nodes"], nodes);
            }
        }
        let none = [&more[..], &["--divide"]].concat();
        assert_eq!(perft("glinski", 0, None, &none)["nodes"], 1);
        assert_eq!(perft("glinski", 3, Some(MATE), &none)["nodes"], 0);
    }
}

#[test]
fn the_text_has_its_form_and_is_sorted() {
    let arguments = [
        "perft",
        "glinski",
        "3",
        "--divide",
        "--threads",
        "2",
        "--hash",
        "1",
    ];
    let text = success(&arguments);
    let mut parts: Vec<&str> = text.lines().collect();
    let last: Vec<&str> = parts.pop().expect("a line").split(' ').collect();
    assert_eq!(
        last[..6],
        ["glinski", "depth", "3", "nodes", "137858", "seconds"]
    );
    assert_eq!((last[7], last.len()), ("nps", 9));
    assert_eq!(parts.len(), 51);
    assert!(parts.is_sorted());
}

#[test]
fn means_that_cannot_be() {
    for (name, value) in [
        ("--threads", "0"),
        ("--threads", "many"),
        ("--hash", "-1"),
        ("--hash", "1048577"),
        ("--memo", "list"),
    ] {
        let argument = format!("{name}={value}");
        let output = hexmate(&["perft", "glinski", "1", &argument]);
        assert_eq!(output.status.code(), Some(2), "{argument}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(name));
    }
}

/// Every suite passes with threads and one small memo for all lines of a game.
#[test]
fn suites() {
    let paths = [
        "glinski",
        "mccooey",
        "hexachess",
        "chromatic3",
        "chromatic4",
    ]
    .map(suite_path);
    let run = |means| {
        let mut arguments = vec!["suite"];
        arguments.extend(paths.iter().map(String::as_str));
        arguments.extend(with_means(means));
        success(&arguments)
    };
    let alone = run(["1", "0", "array"]);
    assert!(alone.ends_with(" passed, 0 failed\n"), "{alone}");
    for means in MEANS {
        assert_eq!(run(means), alone, "{means:?}");
    }
}

/// Whatever the threads, lines are reported in their order.
#[test]
fn a_suite_keeps_its_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("glinski.epd");
    let lines = positions("glinski").into_iter().enumerate();
    let lines = lines.map(|(i, (fen, nodes))| match i % 10 {
        3 => format!("{fen} ;D2 many\n"),
        7 => format!("{fen} ;D3 1 ;D2 1\n"),
        _ => format!("{fen} ;D2 {nodes}\n"),
    });
    std::fs::write(&path, lines.collect::<String>()).expect("the file is written");
    let run = |threads| {
        let output = hexmate(&[
            "suite",
            path.to_str().expect("a path"),
            "--threads",
            threads,
        ]);
        assert_eq!(output.status.code(), Some(2));
        (output.stdout, output.stderr)
    };
    let alone = run("1");
    assert!(
        alone.0.ends_with(b"48 passed, 12 failed, 6 unreadable\n"),
        "{alone:?}"
    );
    for threads in ["2", "3"] {
        assert!(run(threads) == alone, "{threads}");
    }
}
