//! Fields that are passed through, and Parquet as input.

use std::process::Stdio;

use serde_json::{Value, json};

use super::{Folder, run};
use crate::run::{GLINSKI, command, hexmate_reading};

const TABLE: &str = "Note,fen,depth,id\nfirst,FEN,7,a\n,FEN,,b\nlast,none,9,c\n";

fn table() -> String {
    TABLE.replace("FEN", &format!("\"{GLINSKI}\""))
}

fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let rows = reader.into_records();
    rows.map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect()
}

#[test]
fn columns_of_tables_in_every_format() {
    let folder = Folder::new();
    let input = folder.write("in.csv", table());
    let of = |format: &str| {
        let run = run(&["--depth", "1", &input, "--format", format]);
        assert_eq!(run.code, 1, "{run:?}");
        run.out
    };
    let json: Vec<Value> = of("jsonl")
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let own = |answer: &Value| (answer["Note"].clone(), answer["input_depth"].clone());
    assert_eq!(own(&json[0]), ("first".into(), "7".into()));
    assert_eq!(
        (&json[0]["depth"], &json[0]["id"]),
        (&1.into(), &"a".into())
    );
    assert_eq!(own(&json[1]), ("".into(), "".into()));
    assert_eq!(
        (own(&json[2]), &json[2]["status"]),
        (("last".into(), "9".into()), &"error".into())
    );

    let csv = csv_rows(&of("csv"));
    let width = csv[0].len();
    assert_eq!(csv[0][width - 3..], ["Note", "input_depth", "input"]);
    assert_eq!(csv[1][width - 3..], ["first", "7", ""]);
    assert_eq!(csv[3][width - 3..], ["last", "9", ""]);

    let epd = of("epd");
    let lines: Vec<&str> = epd.lines().collect();
    assert!(
        lines[0].ends_with("; Note \"first\"; input_depth \"7\""),
        "{epd}"
    );
    assert!(
        lines[2].starts_with("# error: ") && lines[2].contains("; Note \"last\""),
        "{epd}"
    );
    assert!(of("text").contains("  Note: first; input_depth: 7\n"));
}

/// Operations of position texts need no value, and go on needing none.
#[test]
fn operations_without_a_value() {
    let folder = Folder::new();
    let input = folder.write("in.epd", format!("{GLINSKI}; flag; id \"a\"; last;\n"));
    let of = |format: &str| run(&["--depth", "1", &input, "--format", format]).success();
    let json: Value = serde_json::from_str(&of("jsonl")).unwrap();
    assert_eq!((&json["flag"], &json["last"]), (&"".into(), &"".into()));
    let epd = of("epd");
    assert!(epd.ends_with("; flag; last\n"), "{epd}");
    // Each has a name, however it came.
    let input = folder.write("in.jsonl", r#"{"moves": "", "": "4"}"#);
    let epd = run(&["--depth", "1", &input, "--format", "epd"]).success();
    assert!(epd.ends_with("; _ \"4\"\n"), "{epd}");
}

/// Fields of objects, of any type; in a table those of the first record are columns.
#[test]
fn fields_of_objects() {
    let folder = Folder::new();
    let lines = "{\"moves\":\"\",\"z\":[1,{\"a\":null}],\"note\":\"x\",\"Score\":3}\n{\"moves\":\"e4e5\",\"note\":\"y\",\"more\":true}\n";
    let input = folder.write("in.jsonl", lines);
    let run = |format: &str| run(&["--depth", "1", &input, "--format", format]).success();
    let json = run("jsonl");
    let first = json.lines().next().unwrap();
    assert!(
        first.ends_with(r#""z":[1,{"a":null}],"note":"x","input_Score":3}"#),
        "{first}"
    );
    let csv = csv_rows(&run("csv"));
    let width = csv[0].len();
    assert_eq!(csv[0][width - 4..], ["z", "note", "input_Score", "input"]);
    assert_eq!(csv[1][width - 4..], [r#"[1,{"a":null}]"#, "x", "3", ""]);
    assert_eq!(csv[2][width - 4..], ["", "y", "", r#"{"more":true}"#]);
}

/// Decimal numbers keep their values, in answers, games and journals.
#[test]
fn decimal_numbers_come_back_as_they_were() {
    let folder = Folder::new();
    let own = r#""a":0.1,"b":-0.0,"c":[5e-324,1.7976931348623157e+308],"d":1234567.8901234567}"#;
    let line = format!(r#"{{"moves":"","id":1708845845.0591903,{own}"#);
    let input = folder.write("in.jsonl", line);
    let answer = run(&["--depth", "1", &input]).success();
    assert!(
        answer.starts_with(r#"{"id":1708845845.0591903,"#),
        "{answer}"
    );
    assert!(answer.ends_with(&format!("{own}\n")), "{answer}");
    let game = r#"{"moves":"e4e5","note":12345678901234567.0}"#;
    let game = hexmate_reading(&["convert", "--to", "jsonl"], game).success();
    assert!(game.contains(r#""note":1.2345678901234568e+16"#), "{game}");
    let large = folder.write("large.jsonl", r#"{"moves":"","x":1e400}"#);
    let refused = run(&["--depth", "1", &large]);
    assert!(refused.out.contains("number out of range"), "{refused:?}");
}

/// Equal positions have one search, but their own fields; operations of position texts count, too.
#[test]
fn equal_positions_keep_their_own_fields() {
    let folder = Folder::new();
    let lines = format!("{GLINSKI}; id \"a\"; bm e4e5; c9 \"one\"\n{GLINSKI}; c9 \"two; three\"\n");
    let input = folder.write("in.epd", lines);
    let answers = run(&["--depth", "2", "--jobs", "2", &input]).answers();
    assert_eq!(
        (&answers[0]["c9"], &answers[0]["input_bm"]),
        (&"one".into(), &"e4e5".into())
    );
    assert_eq!(
        (&answers[1]["c9"], &answers[1]["input_bm"]),
        (&"two; three".into(), &Value::Null)
    );
    // What is written can be read, and passed on, again.
    let text = run(&["--depth", "2", &input]).success();
    let again = folder.write("again.jsonl", text);
    let answers = run(&["--depth", "2", &again]).answers();
    assert_eq!(
        (&answers[0]["c9"], &answers[0]["input_input_bm"]),
        (&"one".into(), &"e4e5".into())
    );
    assert_eq!(answers[0]["input_status"], "ok");
}

/// A run that goes on has the fields of its journal; other fields are another input.
#[test]
fn journals_keep_fields() {
    let folder = Folder::new();
    let input = folder.write("in.csv", table());
    let (journal, output) = (folder.text("j"), folder.text("out.csv"));
    let words = [
        "--depth",
        "1",
        &input,
        "--journal",
        &journal,
        "--output",
        &output,
    ];
    assert_eq!(run(&words).code, 1);
    let first = folder.read("out.csv");
    assert_eq!(run(&[&words[..], &["--resume"]].concat()).code, 1);
    assert_eq!(folder.read("out.csv"), first);
    folder.write("in.csv", table().replace("first", "other"));
    let message = run(&[&words[..], &["--resume"]].concat()).err;
    assert!(message.contains("of another input"), "{message}");
}

/// What is written as Parquet is read as the same table in CSV would be.
#[test]
fn parquet_in_and_out() {
    let folder = Folder::new();
    let input = folder.write("in.csv", table());
    let first = folder.text("first.parquet");
    let words = ["--depth", "1", "--jobs", "1", &input, "--output", &first];
    assert_eq!(run(&words).code, 1);
    // By its ending, by its first bytes, by what is said, from standard input.
    let bytes = std::fs::read(folder.path("first.parquet")).unwrap();
    let unnamed = folder.write("table", &bytes);
    let answers = run(&["--depth", "1", &first]);
    assert_eq!(answers.code, 1, "{answers:?}");
    assert_eq!(
        super::timeless(&run(&["--depth", "1", &unnamed]).out),
        super::timeless(&answers.out)
    );
    let mut command = command(&[
        "analyse",
        "--depth",
        "1",
        "--input-format",
        "parquet",
        "--quiet",
    ]);
    let stdin = std::fs::File::open(folder.path("table")).unwrap();
    let output = command.stdin(Stdio::from(stdin)).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert_eq!(super::timeless(&output), super::timeless(&answers.out));

    let answers = answers.answers();
    assert_eq!(
        (&answers[0]["id"], &answers[0]["fen"]),
        (&"a".into(), &GLINSKI.into())
    );
    assert_eq!(
        (&answers[0]["Note"], &answers[0]["input_depth"]),
        (&"first".into(), &1.into())
    );
    // The row of the record that could not be used has no position, either.
    assert_eq!(
        (&answers[2]["status"], &answers[2]["line"]),
        (&"error".into(), &3.into())
    );
    assert_eq!(answers[2]["input_status"], "error");
}

#[test]
fn what_is_no_parquet() {
    let folder = Folder::new();
    let text = folder.write("in.parquet", "fen\nnone\n");
    let message = run(&[&text]).refused();
    assert!(
        message.contains("in.parquet: not a Parquet file"),
        "{message}"
    );
    let torn = folder.write("torn", b"PAR1 and no more");
    assert!(run(&[&torn]).refused().contains("not a Parquet file"));
    // Among others it is a record.
    let good = folder.write("good.epd", GLINSKI);
    let run = run(&["--depth", "1", &text, &good]);
    let statuses: Vec<Value> = run.answers().iter().map(|a| a["status"].clone()).collect();
    assert_eq!(json!(statuses), json!(["error", "ok"]));
}
