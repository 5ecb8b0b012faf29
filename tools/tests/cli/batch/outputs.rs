//! What is written: forms, and files that are complete or absent.

use std::fs::File;

use hexmate_movegen::{Glinski, Position};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;

use super::{Folder, analysed, positions, run, timeless};
use crate::run::{GLINSKI, hexmate};

const MATE: &str = r#"{"id": "a \"b\"; c", "moves": "e1b4 g10h8 f3h2 h8i6"}"#;
const OVER: &str = "1/3/5/7/9/11/11/1N9/2K8/11/k10 b - - 0 1";

/// Some lines of all kinds: searched, mated, over, faulty.
fn mixed() -> String {
    format!(
        "{}\n{MATE}\n{OVER}\nnonsense, with \"marks\"\n",
        positions(5).join("\n")
    )
}

fn rows_of_csv(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let rows = reader.records();
    rows.map(|r| r.unwrap().iter().map(str::to_owned).collect())
        .collect()
}

fn column<'r>(rows: &'r [Vec<String>], name: &str) -> Vec<&'r str> {
    let at = rows[0].iter().position(|n| n == name).unwrap();
    rows[1..].iter().map(|r| &*r[at]).collect()
}

#[test]
fn tables_say_what_json_says() {
    let folder = Folder::new();
    let input = folder.write("in", mixed());
    let common = ["--depth", "2", "--wdl", &input];
    let lines = run(&common).answers();
    let csv = run(&[&["--format", "csv"], &common[..]].concat());
    assert_eq!(csv.code, 1);
    let rows = rows_of_csv(&csv.out);
    assert_eq!(rows.len(), lines.len() + 1);
    for name in ["game", "fen", "status", "error"] {
        let texts: Vec<&str> = lines
            .iter()
            .map(|l| l[name].as_str().unwrap_or(""))
            .collect();
        assert_eq!(column(&rows, name), texts, "{name}");
    }
    let number = |value: &Value| value.as_i64().map_or(String::new(), |n| n.to_string());
    for (name, get) in [
        (
            "cp",
            (|l: &Value| l["score"]["cp"].clone()) as fn(&Value) -> Value,
        ),
        ("mate", |l| l["score"]["mate"].clone()),
        ("depth", |l| l["depth"].clone()),
        ("nodes", |l| l["nodes"].clone()),
        ("line", |l| l["line"].clone()),
        ("win", |l| l["wdl"][0].clone()),
    ] {
        let texts: Vec<String> = lines.iter().map(|l| number(&get(l))).collect();
        assert_eq!(column(&rows, name), texts, "{name}");
    }
    assert_eq!(column(&rows, "id")[5], "a \"b\"; c");

    let file = folder.text("out.parquet");
    run(&[&["--format", "parquet", "--output", &file], &common[..]].concat());
    let reader = SerializedFileReader::new(File::open(&file).unwrap()).unwrap();
    let mut found = Vec::new();
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let fields = row.get_column_iter().map(|(_, field)| match field {
            Field::Null => String::new(),
            Field::Str(text) => text.clone(),
            Field::Long(number) => number.to_string(),
            other => panic!("{other:?}"),
        });
        found.push(fields.collect::<Vec<_>>());
    }
    assert_eq!(found.len(), rows.len() - 1);
    let time = rows[0].iter().position(|n| n == "time_ms").unwrap();
    for (row, texts) in found.iter_mut().zip(&rows[1..]) {
        row[time].clone_from(&texts[time]);
        assert_eq!(row, texts);
    }
}

#[test]
fn a_row_for_each_of_the_best_moves() {
    let folder = Folder::new();
    let input = folder.write("in", format!("{GLINSKI}\n{OVER}"));
    let words = ["--depth", "2", "--multipv", "3", "--format", "csv", "--wdl"];
    let out = run(&[&words[..], &[&input]].concat()).success();
    let rows = rows_of_csv(&out);
    assert_eq!(column(&rows, "rank"), ["1", "2", "3", "1"]);
    let moves = column(&rows, "move");
    assert!(moves[0] != moves[1] && moves[1] != moves[2], "{moves:?}");
    // The best move is that of the record, as in JSON.
    let best = column(&rows, "bestmove");
    assert_eq!(best, [moves[0], moves[0], moves[0], ""]);
    // Its chances are not those of the others, and without endgame tables there is nothing to count.
    let told: Vec<bool> = column(&rows, "win")
        .iter()
        .map(|win| !win.is_empty())
        .collect();
    assert_eq!(told, [true, false, false, true]);
    assert_eq!(column(&rows, "tbhits"), [""; 4]);
}

#[test]
fn position_texts_with_operations() {
    let folder = Folder::new();
    let input = folder.write("in", mixed());
    let out = run(&["--depth", "2", "--format", "epd", &input]).out;
    let lines: Vec<&str> = out.lines().collect();
    let fault = lines[7];
    assert!(
        fault.starts_with("# error: line 8, ")
            && fault.ends_with("; id \"8\"")
            && fault.matches('"').count() == 2,
        "{fault}"
    );
    assert!(
        lines[5].contains(" dm 1;") && lines[5].contains("id \"a 'b'; c\""),
        "{}",
        lines[5]
    );
    assert!(lines[6].contains("c0 \"checkmate\"") && !lines[6].contains(" bm "));
    for line in &lines[..5] {
        let (fen, operations) = line.split_once(" ;").unwrap();
        let position: Position<Glinski> = fen.parse().unwrap();
        let operation = |name: &str| {
            let found = operations
                .split(';')
                .find_map(|o| o.trim().strip_prefix(name));
            found
                .unwrap_or_else(|| panic!("{name} of {line}"))
                .to_owned()
        };
        assert!(position.parse_move(&operation("bm ")).is_ok());
        assert!(operation("ce ").parse::<i32>().is_ok());
        assert_eq!(operation("acd "), "2");
        assert!(operation("acn ").parse::<u64>().is_ok());
        assert!(operation("pv ").starts_with(&operation("bm ")));
    }
    let own = folder.write("own", r#"{"fen": "bad", "id": "my \"id\"", "note": "n"}"#);
    let out_of_own = run(&["--depth", "1", "--format", "epd", &own]).out;
    assert!(
        out_of_own.ends_with("; id \"my 'id'\"; note \"n\"\n"),
        "{out_of_own}"
    );
    // It can be read again.
    let again = folder.write("again.epd", &out);
    let ids: Vec<Value> = run(&["--depth", "1", &again]).answers();
    assert_eq!(ids[5]["id"], "a 'b'; c");
}

#[test]
fn chances_only_when_asked_for() {
    let folder = Folder::new();
    let input = folder.write("in", format!("{GLINSKI}\n{MATE}\n{OVER}"));
    assert!(!analysed(&["--depth", "1", &input]).contains("wdl"));
    let answers = run(&["--depth", "3", "--wdl", &input]).answers();
    let sum: u64 = answers[0]["wdl"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w.as_u64().unwrap())
        .sum();
    assert_eq!(sum, 1000);
    assert_eq!(answers[1]["wdl"], serde_json::json!([1000, 0, 0]));
    assert_eq!(answers[2]["wdl"], serde_json::json!([0, 0, 1000]));
    // Other forms have them, too.
    let words = ["--depth", "3", &input, "--format"];
    let form = |more: &[&str]| run(&[&words[..], more].concat()).success();
    assert!(!form(&["epd"]).contains("c2 ") && !form(&["text"]).contains("W/D/L"));
    let epd = form(&["epd", "--wdl"]);
    for (line, answer) in epd.lines().zip(&answers) {
        let wdl = &answer["wdl"];
        let says = format!("; c2 \"wdl {} {} {}\"; id ", wdl[0], wdl[1], wdl[2]);
        assert!(line.contains(&says), "{line}");
    }
    let text = form(&["text", "--wdl"]);
    assert!(text.lines().next().unwrap().contains("  W/D/L %  "));
    assert!(text.contains("  100/0/0  White mates in 1"), "{text}");
}

/// What gives stalemate has its chances before it as after it.
#[test]
fn chances_of_a_stalemate() {
    let folder = Folder::new();
    let fen = "1/3/5/7/9/11/11/2Q8/11/11/k1K8 w - - 0 1";
    let before = format!(r#"{{"fen":"{fen}","searchmoves":"c4b4"}}"#);
    let after = format!(r#"{{"fen":"{fen}","moves":"c4b4"}}"#);
    let input = folder.write("in.jsonl", format!("{before}\n{after}"));
    let answers = run(&["--depth", "2", "--wdl", &input]).answers();
    let wdl: Vec<&Value> = answers.iter().map(|answer| &answer["wdl"]).collect();
    assert_eq!(
        serde_json::json!(wdl),
        serde_json::json!([[500, 500, 0], [0, 500, 500]])
    );
}

/// Before the first search, so that no work is lost.
#[test]
fn statistics_that_cannot_be_written() {
    let folder = Folder::new();
    let input = folder.write("in", GLINSKI);
    let told = folder.text("none/stats");
    let message = run(&["--depth", "1", "--stats", &told, &input]).refused();
    let says = format!("--stats: {told}: cannot be written");
    assert!(message.contains(&says), "{message}");
    let message = run(&["--depth", "1", "--stats", "-", &input]).refused();
    let says = "--stats -: the answers go to standard output";
    assert!(message.contains(says), "{message}");
}

/// Before anything is read or written.
#[test]
fn endings_that_say_something_else_are_refused() {
    let folder = Folder::new();
    let input = folder.write("in", GLINSKI);
    let analyse = |name: &str, more: &[&str]| {
        run(&[
            &["--depth", "1", "--output", &folder.text(name), &input],
            more,
        ]
        .concat())
    };
    for name in ["a.tsv", "a.pgn", "a.fen", "a.xyz", "a.csv.old"] {
        let message = analyse(name, &[]).refused();
        let ending = name.rsplit_once('.').unwrap().1;
        let says = format!("{name}: .{ending} is the ending of no format; expected .jsonl, ");
        assert!(message.contains(&says), "{message}");
    }
    for name in ["a.csv.gz", "a.jsonl.GZ", "a.epd.zst"] {
        for more in [&[][..], &["--format", "csv"]] {
            let message = analyse(name, more).refused();
            assert!(message.contains("output is not compressed"), "{message}");
        }
    }
    assert_eq!(folder.names(), ["in"]);
    for (name, more) in [
        ("out.7", &[][..]),
        ("a.tsv", &["--format", "csv"]),
        ("a.NDJSON", &[]),
    ] {
        analyse(name, more).success();
    }
    assert_eq!(folder.names(), ["a.NDJSON", "a.tsv", "in", "out.7"]);
}

/// A name that can only be that of a folder.
#[test]
fn folders_are_no_files() {
    let folder = Folder::new();
    let input = folder.write("in", GLINSKI);
    for option in ["--output", "--stats"] {
        let message = run(&["--depth", "1", option, &folder.text("new/"), &input]).refused();
        let says = "new/: cannot be written: it is a folder; expected a file";
        assert!(message.contains(says), "{message}");
        assert_eq!(folder.names(), ["in"]);
    }
}

/// The old file stays until the new one is whole, and nothing else is left.
#[test]
fn files_are_replaced_as_a_whole() {
    let folder = Folder::new();
    let input = folder.write("in", positions(20).join("\n"));
    let output = folder.write("out", "old");
    run(&["--depth", "1", &input, "--output", &output, "--force"]).success();
    assert_eq!(folder.names(), ["in", "out"]);
    let first = timeless(&folder.read("out"));
    assert_eq!(first, analysed(&["--depth", "1", &input]));
    // Again, over the file that is there.
    run(&["--depth", "1", &input, "--output", &output, "--force"]).success();
    assert_eq!(timeless(&folder.read("out")), first);
    // A run that ends early leaves it alone.
    let bad = folder.write("bad", "x\n".repeat(5));
    let words = [
        "--depth",
        "1",
        &bad,
        "--output",
        &output,
        "--force",
        "--max-fails",
        "3",
    ];
    assert_eq!(run(&words).code, 1);
    assert_eq!(timeless(&folder.read("out")), first);
    assert!(!folder.names().contains(&"out.part".to_owned()));
}

#[cfg(unix)]
#[test]
fn links_stay_links() {
    let folder = Folder::new();
    let input = folder.write("in", GLINSKI);
    folder.write("real", "old");
    std::os::unix::fs::symlink("real", folder.path("link")).unwrap();
    let link = folder.text("link");
    run(&["--depth", "1", &input, "--output", &link, "--force"]).success();
    assert!(
        std::fs::symlink_metadata(folder.path("link"))
            .unwrap()
            .is_symlink()
    );
    assert!(folder.read("real").contains("bestmove"));
}

#[test]
fn what_a_run_did() {
    let folder = Folder::new();
    let input = folder.write("in", mixed().repeat(2));
    let file = folder.path("stats");
    let words = [
        "--depth",
        "2",
        "--jobs",
        "1",
        &input,
        "--stats",
        &folder.text("stats"),
    ];
    assert_eq!(run(&words).code, 1);
    let stats = super::stats(&file);
    assert_eq!(
        (&stats["records"], &stats["errors"]),
        (&16.into(), &2.into()),
        "{stats:#}"
    );
    assert_eq!(stats["answers"]["searched"], 6, "{stats:#}");
    assert_eq!(stats["answers"]["from_memory"], 6, "{stats:#}");
    assert_eq!(stats["statuses"]["checkmate"], 2);
    assert_eq!(stats["means"]["jobs"], 1);
    assert!(stats["depths"]["2"].as_u64() >= Some(10), "{stats:#}");
}

#[test]
fn levels_of_the_log() {
    let folder = Folder::new();
    let input = folder.write("in", GLINSKI);
    let told = hexmate(&["analyse", "--depth", "1", &input, "--log-level", "info"]);
    assert!(
        told.err.contains("INFO") && told.err.contains(" worker"),
        "{}",
        told.err
    );
    let mut command = crate::run::command(&["analyse", "--depth", "1", &input]);
    let output = command.env("HEXMATE_LOG", "info").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("INFO"));
    let output = command.env("HEXMATE_LOG", "loud").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("HEXMATE_LOG"));
}
