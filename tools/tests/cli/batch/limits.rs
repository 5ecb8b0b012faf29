//! Positions and runs that end early.

use hexmate_movegen::{Glinski, Position};
use serde_json::json;

use super::{Folder, analysed, positions, run, stats};
use crate::run::{CHROMATIC4, GLINSKI};

#[test]
fn a_timeout_is_told() {
    let folder = Folder::new();
    let input = folder.write("in", positions(3).join("\n"));
    let cut = run(&["--nodes", "1000000000", "--timeout", "50", &input]).answers();
    for answer in &cut {
        assert_eq!(
            (&answer["status"], &answer["timeout"]),
            (&"ok".into(), &true.into())
        );
        assert!(answer["bestmove"].is_string());
    }
    let first = folder.write("first", positions(1).join("\n"));
    let cut = |form: &str| {
        let limits = ["--nodes", "1000000000", "--timeout", "50"];
        run(&[&limits[..], &["--format", form, &first]].concat()).success()
    };
    assert_eq!(cells(&cut("csv"), "timeout"), ["true"]);
    assert!(cut("epd").contains("; c4 \"timeout\";"));
    // What time has cut off is neither reused nor explained.
    let twice = folder.write("twice", [positions(1), positions(1)].concat().join("\n"));
    let (cache, told) = (folder.text("cache"), folder.text("stats"));
    for _ in 0..2 {
        let limits = ["--nodes", "1000000000", "--timeout", "50", "--explain"];
        let files = ["--cache", &cache, "--stats", &told, "--force"];
        let words = [&limits[..], &files, &["--jobs", "1", &twice]].concat();
        for answer in run(&words).answers() {
            assert!(answer.get("explanation").is_none(), "{answer}");
        }
        let stats = stats(&folder.path("stats"));
        assert_eq!(
            (&stats["timeouts"], &stats["answers"]["searched"]),
            (&2.into(), &2.into())
        );
    }
    // The shorter time counts, and --movetime is what was wanted.
    let limits = [
        "--nodes",
        "1000000000",
        "--movetime",
        "20",
        "--timeout",
        "20000",
    ];
    let whole = analysed(&[&limits[..], &[&first]].concat());
    assert!(!whole.contains("timeout"), "{whole}");
    // Nothing is said where there was time enough.
    let whole = analysed(&["--depth", "1", &input]);
    assert_eq!(
        analysed(&["--depth", "1", "--timeout", "600000", &input]),
        whole
    );
}

/// A mate is seen long before it is proven that none is shorter, which would end the search, too.
#[test]
fn mates_end_a_search() {
    let folder = Folder::new();
    let queen_and_rook = "1/3/2k2/7/9/11/11/4K6/11/11/QR9 w - - 0 1";
    let input = folder.write("in", queen_and_rook);
    let nodes = |words: &[&str]| {
        let answer = run(words).answers().remove(0);
        assert!(answer["score"]["mate"].as_i64() >= Some(3), "{answer}");
        answer["nodes"].as_u64().unwrap()
    };
    let all = nodes(&["--nodes", "400000", &input]);
    let less = nodes(&["--nodes", "400000", "--stop-at-mate", &input]);
    assert!(less < all, "{less} of {all}");
}

/// A column of CSV in which no cell has a comma.
fn cells<'a>(csv: &'a str, name: &str) -> Vec<&'a str> {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let at = head.iter().position(|&column| column == name).unwrap();
    lines.map(|line| line[at]).collect()
}

/// Where nothing else is asked for, the proof that there is no mate ends the search; it is told in any case.
#[test]
fn that_there_is_no_mate_ends_a_search() {
    let folder = Folder::new();
    let mate_in_one = r#"{"moves": "e1b4 g10h8 f3h2 h8i6"}"#;
    let input = folder.write("in", format!("{GLINSKI}\n{mate_in_one}"));
    let answers = run(&["--mate", "2", &input]).answers();
    assert_eq!(
        (&answers[0]["no_mate_in"], &answers[0]["depth"]),
        (&2.into(), &1.into())
    );
    assert!(answers[0]["nodes"].as_u64() < Some(100_000), "{answers:?}");
    assert!(answers[0]["bestmove"].is_string());
    // The first depth is no reason for an explanation.
    let start = folder.write("start", GLINSKI);
    let explained = run(&["--mate", "2", "--explain", &start]).answers();
    assert!(explained[0].get("explanation").is_none(), "{explained:?}");
    assert_eq!(answers[1]["score"]["mate"], 1);
    assert!(answers[1].get("no_mate_in").is_none(), "{answers:?}");
    let text = run(&["--mate", "2", "--format", "text", &input]).success();
    assert!(text.contains("  no mate in 2"), "{text}");
    let epd = run(&["--mate", "2", "--format", "epd", &input]).success();
    let told: Vec<_> = (epd
        .lines()
        .map(|line| line.contains("; c3 \"no mate in 2\";")))
    .collect();
    assert_eq!(told, [true, false], "{epd}");
    let csv = run(&["--mate", "2", "--format", "csv", &input]).success();
    assert_eq!(cells(&csv, "no_mate_in"), ["2", ""], "{csv}");
    // Another limit is kept to.
    let answers = run(&["--mate", "1", "--depth", "3", &input]).answers();
    assert_eq!(
        (&answers[0]["no_mate_in"], &answers[0]["depth"]),
        (&1.into(), &3.into())
    );
    // What was not looked at to the end is not proven.
    let answers = run(&["--mate", "9", "--nodes", "500", &input]).answers();
    assert!(answers[0].get("no_mate_in").is_none(), "{answers:?}");
}

/// Of moves that were left out nothing is proven.
#[test]
fn that_there_is_no_mate_is_proven_of_all_moves() {
    let folder = Folder::new();
    let position: Position<Glinski> = GLINSKI.parse().unwrap();
    let legal = position.legal_moves();
    let all: Vec<String> = legal.iter().map(|mv| mv.text(Glinski)).collect();
    let record = |moves: &[String]| json!({"fen": GLINSKI, "searchmoves": moves}).to_string();
    let input = folder.write("in", [record(&all), record(&all[1..])].join("\n"));
    let answers = run(&["--mate", "1", &input]).answers();
    assert_eq!(answers[0]["no_mate_in"], 1);
    assert!(answers[1].get("no_mate_in").is_none(), "{answers:?}");
}

/// White is a queen ahead, or behind.
#[test]
fn decided_positions_end_a_search() {
    let folder = Folder::new();
    let ahead = GLINSKI.replacen('q', "1", 1);
    let behind = GLINSKI.replacen('Q', "1", 1);
    let input = folder.write("in", format!("{ahead}\n{behind}\n{GLINSKI}"));
    let depths = |words: &[&str]| -> Vec<u64> {
        let answers = run(words).answers();
        let depths = answers.iter().map(|a| a["depth"].as_u64().unwrap());
        depths.collect()
    };
    let all = depths(&["--nodes", "30000", &input]);
    assert!(all[..2].iter().all(|&depth| depth > 2), "{all:?}");
    let some = depths(&["--nodes", "30000", "--stop-cp", "400", &input]);
    assert_eq!(some, [2, 2, all[2]]);
    let words = ["--nodes", "30000", "--stop-cp", "400", &input];
    assert_eq!(analysed(&words), analysed(&words));
}

#[test]
fn too_many_faults_end_a_run() {
    let folder = Folder::new();
    let lines = format!("{GLINSKI}\nx\n{GLINSKI}\ny\nz\n{GLINSKI}\n");
    let input = folder.write("in", lines);
    let words = ["--depth", "1", "--jobs", "2", &input, "--max-fails"];
    let ended = run(&[&words[..], &["2"]].concat());
    assert_eq!((ended.code, ended.answers().len()), (1, 4), "{ended:?}");
    let says = "hexmate: stopped: 2 records could not be analysed (--max-fails 2)\n";
    assert!(ended.err.contains(says), "{}", ended.err);
    let stats = folder.text("stats");
    let ended = run(&[&words[..], &["1", "--stats", &stats]].concat());
    let says = format!("hexmate: --stats {stats}: not written");
    assert!(ended.err.contains(&says), "{}", ended.err);
    assert!(!folder.path("stats").exists());
    let says = "hexmate: stopped: 1 record could not be analysed (--max-fails 1)\n";
    assert!(ended.err.contains(says), "{}", ended.err);
    let output = folder.text("out");
    let words = [&words[..], &["3", "--output", &output]].concat();
    assert_eq!(run(&words).code, 1);
    assert!(!folder.path("out").exists());
    // With more patience it goes on.
    let words = ["--depth", "1", &input, "--output", &output, "--resume"];
    assert_eq!(run(&words).code, 1);
    assert_eq!(folder.read("out").lines().count(), 6);
}

/// However little is allowed, an answer comes from a search, and so does what is kept for later.
#[test]
fn the_least_limits_are_enough_for_a_depth() {
    let folder = Folder::new();
    let lines = [
        format!("{CHROMATIC4} ; game chromatic4"),
        GLINSKI.to_owned(),
        // Twice in a run, so that the answer is remembered.
        GLINSKI.to_owned(),
    ];
    let input = folder.write("in", lines.join("\n"));
    let cache = folder.text("cache");
    for limits in [
        &["--movetime", "1"][..],
        &["--nodes", "1"],
        &["--movetime", "1", "--multipv", "30"],
        &["--timeout", "1", "--nodes", "1"],
        &["--mate", "2", "--nodes", "1"],
    ] {
        for again in [false, true] {
            let words = [limits, &["--jobs", "1", "--cache", &cache, &input]].concat();
            let answers = run(&words).answers();
            assert_eq!(answers.len(), 3);
            for answer in answers {
                assert_eq!(answer["status"], "ok", "{limits:?}, {again}: {answer}");
                let depth = answer["depth"].as_u64();
                assert!(depth >= Some(1), "{limits:?}, {again}: {answer}");
                assert!(answer["bestmove"].is_string());
            }
        }
    }
    // What was searched within the limit is counted, too.
    let nodes = |limits: &[&str]| {
        let answer = run(&[limits, &["--fen", GLINSKI, "--format", "jsonl"]].concat())
            .answers()
            .remove(0);
        answer["nodes"].as_u64().unwrap()
    };
    assert!(nodes(&["--nodes", "1"]) > nodes(&["--depth", "1"]));
}

/// The limit comes while the second move turns out better than expected: how much better is not known yet.
#[test]
fn a_score_that_a_limit_has_cut_short_is_called_a_bound() {
    let folder = Folder::new();
    let fen = "7/8/7q1/2K7/11/12/2u10/4k7/11/10/9/8/7 b - - 7 198";
    let record = json!({"game": "chromatic3", "fen": fen, "bound": "mine"}).to_string();
    let input = folder.write("in", record);
    let words = ["--nodes", "5000", "--multipv", "3", &input];
    let answer = run(&words).answers().remove(0);
    let lines = answer["lines"].as_array().unwrap();
    assert_eq!(lines[1]["bound"], "lower", "{answer}");
    let exact = [&answer, &lines[0], &lines[2]];
    assert!(
        exact.iter().all(|line| line.get("bound").is_none()),
        "{answer}"
    );
    assert_eq!(answer["input_bound"], "mine");
    let csv = run(&[&words[..], &["--format", "csv"]].concat()).success();
    assert_eq!(cells(&csv, "bound"), ["", "lower", ""], "{csv}");
    let text = run(&[&words[..], &["--format", "text"]].concat()).success();
    let mate = lines[1]["score"]["mate"].as_i64().unwrap();
    assert!(
        text.contains(&format!(" -#≤{mate}  Black mates ")),
        "{text}"
    );
}
