//! Shares of a run, and what `hexmate merge` makes of them.

use std::fs::File;

use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;

use super::{Folder, positions, run, stats, timeless};
use crate::run::{Run, hexmate};

const SHARES: usize = 4;

/// Records of many kinds, whose own fields differ, one more than the shares can have evenly.
fn records() -> String {
    let mut lines: Vec<String> = positions(11)
        .iter()
        .map(|text| format!("{text} ; note n, \"x\""))
        .collect();
    let more = [
        r#"{"id": "a,\"b\"", "moves": "e1b4 g10h8 f3h2 h8i6", "note": 5, "number": 7}"#,
        r#"{"moves": "e4e5", "number": "7", "list": [1, "two"]}"#,
        "nonsense, with \"marks\"",
        r#"{"fen": 5, "note": "kept"}"#,
        "1/3/5/7/9/11/11/1N9/2K8/11/k10 b - - 0 1",
        r#"{"moves": ""}"#,
    ];
    lines.extend(more.map(str::to_owned));
    lines.join("\n") + "\n"
}

/// Analyses every share of the input of a folder into `out.I` with this ending.
fn shares(folder: &Folder, of: usize, ending: &str, words: &[&str]) -> Vec<String> {
    let share = |i| {
        let output = folder.text(&format!("out.{i}{ending}"));
        let shard = format!("{i}/{of}");
        let input = folder.text("in");
        let words = [words, &["--shard", &shard, "--output", &output, &input]].concat();
        let ended = run(&[&words[..], &["--allow-bad", "--quiet"]].concat());
        assert_eq!(ended.code, 0, "{ended:?}");
        output
    };
    (1..=of).map(share).collect()
}

fn merge(shares: &[String], more: &[&str]) -> Run {
    let shares = shares.iter().map(String::as_str);
    let words: Vec<&str> = shares.chain(more.iter().copied()).collect();
    hexmate(&[&["merge", "--quiet"], &words[..]].concat())
}

/// The rows of a Parquet file as texts, without times.
fn parquet(path: &std::path::Path) -> Vec<String> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let groups = reader.metadata().row_groups().iter();
    let groups: Vec<i64> = groups.map(RowGroupMetaData::num_rows).collect();
    let mut rows = vec![format!("{groups:?}")];
    for row in reader {
        let row = row.unwrap();
        let fields = row
            .get_column_iter()
            .filter(|(name, _)| *name != "time_ms")
            .map(|(name, field)| match field {
                Field::Null => format!("{name} -"),
                field => format!("{name} {field}"),
            });
        rows.push(fields.collect::<Vec<_>>().join("; "));
    }
    rows
}

/// A table in CSV without times.
fn timeless_csv(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    let times = header.iter().position(|name| name == "time_ms").unwrap();
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let cells = row.iter().enumerate();
        cells
            .map(|(i, cell)| if i == times { "" } else { cell }.to_owned())
            .collect()
    });
    std::iter::once(header.clone())
        .chain(rows.collect::<Vec<_>>())
        .collect()
}

/// What is merged is what one run writes, in every format, also with shares that are empty.
#[test]
fn merged_shares_are_one_run() {
    let base = ["--nodes", "60", "--multipv", "2", "--jobs", "1"];
    for (of, endings) in [
        (SHARES, &[".jsonl", ".csv", ".epd", ".parquet"][..]),
        (19, &[".csv"]),
    ] {
        let folder = Folder::new();
        folder.write("in", records());
        for &ending in endings {
            let (whole, merged) = (folder.text("whole"), folder.text("merged"));
            let format = ["--format", &ending[1..], "--output", &whole, "--force"];
            let input = folder.text("in");
            let one = run(&[&base[..], &format, &[&input]].concat());
            assert_eq!(one.code, 1, "{one:?}");
            let mut shares = shares(&folder, of, ending, &base);
            shares.reverse();
            merge(&shares, &["--output", &merged, "--force"]).success();
            match ending {
                ".parquet" => assert_eq!(
                    parquet(&folder.path("merged")),
                    parquet(&folder.path("whole"))
                ),
                ".csv" => {
                    let rows = timeless_csv(&folder.read("merged"));
                    assert_eq!(rows, timeless_csv(&folder.read("whole")));
                    // The fields of the first record have columns, in every share.
                    assert!(rows[0].ends_with(&["note".to_owned(), "input".to_owned()]));
                    let last = folder.read(&format!("out.{of}{ending}"));
                    assert!(last.lines().next().unwrap().ends_with(",note,input"));
                }
                _ => assert_eq!(
                    timeless(&folder.read("merged")),
                    timeless(&folder.read("whole"))
                ),
            }
            if ending == ".jsonl" {
                let printed = merge(&shares, &[]).success();
                assert_eq!(printed, folder.read("merged"));
            }
        }
    }
}

/// Equal to the last byte where there is no time to differ in.
#[test]
fn merged_tables_have_the_same_bytes() {
    let folder = Folder::new();
    let over = "1/3/5/7/9/11/11/1N9/2K8/11/k10 b - - 0 1 ; note a\nx\n";
    folder.write("in", over.repeat(4200));
    for ending in [".csv", ".parquet"] {
        let (whole, merged) = (folder.text("whole"), folder.text("merged"));
        let format = ["--format", &ending[1..], "--output", &whole, "--force"];
        let input = folder.text("in");
        let words = [&format[..], &["--allow-bad", &input]].concat();
        assert_eq!(run(&words).code, 0);
        let shares = shares(&folder, 3, ending, &[]);
        merge(&shares, &["--output", &merged, "--force"]).success();
        let read = |name| std::fs::read(folder.path(name)).unwrap();
        assert!(read("merged") == read("whole"), "{ending}");
    }
}

#[test]
fn sums() {
    let folder = Folder::new();
    let input = folder.write("in", records());
    let (whole, merged) = (folder.text("whole"), folder.text("merged"));
    let words = ["--nodes", "100"];
    let one = [&words[..], &["--allow-bad", "--stats", &whole, &input]].concat();
    assert_eq!(run(&one).code, 0);
    let shares = shares(&folder, SHARES, "", &words);
    let ended = hexmate(&[&["merge", "--stats", &merged], &*words_of(&shares)].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(ended.err, "hexmate: 4 shares, 17 positions, 2 bad\n");
    let (whole, merged) = (stats(&folder.path("whole")), stats(&folder.path("merged")));
    for field in [
        "engine", "records", "errors", "statuses", "nodes", "depths", "answers", "timeouts",
    ] {
        assert_eq!(merged[field], whole[field], "{field}");
    }
    let shares = merged["shares"].as_array().unwrap();
    assert_eq!(shares.len(), SHARES);
    assert_eq!(
        (&shares[2]["share"], &shares[2]["records"]),
        (&3.into(), &4.into())
    );
    let sum = |field: &str| -> f64 { shares.iter().map(|s| s[field].as_f64().unwrap()).sum() };
    assert!((merged["seconds"].as_f64().unwrap() - sum("seconds")).abs() < 1e-6);
    if cfg!(target_os = "linux") {
        let seconds = merged["processor_seconds"].as_f64().unwrap();
        assert!((seconds - sum("processor_seconds")).abs() < 1e-6 && seconds > 0.0);
        assert!(whole["processor_seconds"].as_f64() > Some(0.0));
        assert!(whole["peak_megabytes"].as_f64() > Some(1.0));
        assert_eq!(merged["hosts"], serde_json::json!([whole["host"]]));
    }
}

fn words_of(shares: &[String]) -> Vec<&str> {
    shares.iter().map(String::as_str).collect()
}

/// Every share is named that is missing, doubled, unfinished, changed or of another run; nothing is written.
#[test]
fn what_is_not_a_share_of_the_run_is_named() {
    let folder = Folder::new();
    folder.write("in", records());
    let words = ["--nodes", "20"];
    let all = shares(&folder, SHARES, "", &words);
    let output = folder.text("merged");
    let refused = |shares: &[String], says: &[&str]| {
        let told = merge(shares, &["--output", &output]).refused();
        for says in says {
            assert!(told.contains(says), "{says}: {told}");
        }
        assert!(told.ends_with("hexmate: nothing is merged\n"), "{told}");
        assert!(!folder.names().iter().any(|name| name.starts_with("merged")));
    };
    refused(&all[1..], &["share 1/4 is missing"]);
    let twice = [&all[..], &all[2..3]].concat();
    refused(&twice, &["share 3/4 is given twice: ", "out.3"]);
    let copy = folder.text("copy");
    for (from, to) in [("out.3", "copy"), ("out.3.share", "copy.share")] {
        std::fs::copy(folder.path(from), folder.path(to)).unwrap();
    }
    let replaced = [&all[..1], std::slice::from_ref(&copy), &all[2..]].concat();
    refused(
        &replaced,
        &["share 3/4 is given twice", "copy", "share 2/4 is missing"],
    );

    let other = |name: &str, words: &[&str], input: &str| {
        let output = folder.text(name);
        let input = folder.write("other input", input);
        let more = ["--shard", "2/4", "--allow-bad", "--output", &output, &input];
        assert_eq!(run(&[words, &more[..]].concat()).code, 0);
        [&all[..1], std::slice::from_ref(&output), &all[2..]].concat()
    };
    let more_nodes = other("nodes", &["--nodes", "21"], &records());
    refused(
        &more_nodes,
        &[
            "nodes: is a share of another run than",
            "--nodes is 21, and 20 there",
        ],
    );
    let longer = other("longer", &words, &(records() + "x\n"));
    refused(
        &longer,
        &[
            "longer: is a share of another input than",
            "18 records, and 17 there",
        ],
    );
    let changed = other("changed", &words, &records().replace("note n", "note m"));
    refused(
        &changed,
        &[
            "changed: is a share of another input than",
            "the records differ",
        ],
    );
    let csv = other("csv", &["--nodes", "20", "--format", "csv"], &records());
    refused(&csv, &["csv: is csv, and ", "is jsonl"]);
    // As earlier versions wrote them.
    folder.write("text", folder.read("out.2"));
    let share = folder.read("out.2.share");
    let share = share.replace("\"format\": \"jsonl\"", "\"format\": \"text\"");
    folder.write("text.share", share);
    let text = [&all[..1], &[folder.text("text")], &all[2..]].concat();
    refused(&text, &["text: is text for people"]);

    let plain = folder.write("plain", "");
    let unknown = [&all[..], &[plain]].concat();
    refused(
        &unknown,
        &["plain: is not known to be a share", "plain.share"],
    );
    let absent = [&all[..3], &[folder.text("absent")]].concat();
    refused(&absent, &["absent: there is no such file"]);
    folder.write("out.4.journal", "");
    std::fs::rename(folder.path("out.4"), folder.path("away")).unwrap();
    refused(&all, &["out.4: this share is not finished", "--resume"]);
    std::fs::rename(folder.path("away"), folder.path("out.4")).unwrap();

    let text = folder.read("out.2");
    folder.write("out.2", text.replacen("\"ok\"", "\"OK\"", 1));
    refused(&all, &["out.2: has changed since analyse wrote it"]);
    folder.write("out.2", &text[..text.len() - 1]);
    refused(&all, &["out.2: has changed", "bytes, and"]);
    folder.write("out.2", text);
    let share = folder.read("out.1.share");
    for (number, of) in [("0", "4"), ("5", "4"), ("1", "0")] {
        let number = format!("\"share\": {number},");
        let of = format!("\"of\": {of},");
        let text = share.replace("\"share\": 1,", &number);
        folder.write("out.1.share", text.replace("\"of\": 4,", &of));
        let told = "out.1.share: is share ";
        refused(&all, &[told, "expected a share from 1"]);
    }
    folder.write("out.1.share", "{}");
    refused(&all, &["out.1.share: is not a share file"]);
}

#[test]
fn no_file_of_a_share_is_overwritten() {
    let folder = Folder::new();
    let input = folder.write("in", records());
    let all = shares(&folder, 1, "", &["--depth", "1"]);
    for role in ["--output", "--stats"] {
        for name in ["out.1", "out.1.share"] {
            merge(&all, &[role, &folder.text(name), "--force"]).refused();
        }
    }
    let file = folder.write("file", "mine");
    let told = merge(&all, &["--output", &file]).refused();
    assert!(told.contains("--force") && folder.read("file") == "mine");
    // A share file goes with its output, another file of that name does not.
    std::fs::remove_file(folder.path("out.1")).unwrap();
    let words = [
        "--depth",
        "1",
        "--shard",
        "1/1",
        "--output",
        &all[0],
        "--allow-bad",
        &input,
    ];
    assert_eq!(run(&words).code, 0);
    std::fs::remove_file(folder.path("out.1")).unwrap();
    folder.write("out.1.share", "mine");
    let told = run(&words);
    assert_eq!(told.code, 2, "{told:?}");
    assert!(
        told.err.contains("out.1.share: the file exists"),
        "{told:?}"
    );
}

/// What could not be merged is not begun.
#[test]
fn shares_as_text_are_refused() {
    let folder = Folder::new();
    let input = folder.write("in", records());
    let output = folder.text("t.txt");
    let words = [
        "--depth", "1", "--shard", "1/3", "--output", &output, &input,
    ];
    let told = run(&[&words[..], &["--format", "text"]].concat()).refused();
    assert!(
        told.contains("--shard with --format text") && told.contains("jsonl, csv, epd or parquet"),
        "{told}"
    );
    let told = run(&words).refused();
    let says = format!("--shard with --output {output}: text for people is not merged");
    assert!(told.contains(&says), "{told}");
    assert_eq!(folder.names(), ["in"]);
}

/// As on a shell that leaves patterns to its programs, or in quotation marks.
#[test]
fn shares_may_be_named_by_a_pattern() {
    let folder = Folder::new();
    folder.write("in", records());
    let all = shares(&folder, 3, ".jsonl", &["--depth", "1"]);
    let expected = merge(&all, &[]).success();
    for pattern in ["out.*.jsonl", "out.*.jsonl*"] {
        assert_eq!(merge(&[folder.text(pattern)], &[]).success(), expected);
    }
    let told = merge(&[folder.text("no*")], &[]).refused();
    assert!(told.contains("no*: no file matches this pattern"), "{told}");
}

/// A file is what its name says.
#[test]
fn merged_shares_keep_their_format() {
    let folder = Folder::new();
    folder.write("in", records());
    let all = shares(&folder, 2, "", &["--depth", "1"]);
    let told = merge(&all, &["--output", &folder.text("merged.csv")]).refused();
    let says = "merged.csv: its ending means csv, and the shares are jsonl";
    assert!(told.contains(says), "{told}");
    assert!(!folder.path("merged.csv").exists());
    let told = merge(&all, &["--output", &folder.text("merged.jsonl.gz")]).refused();
    assert!(told.contains("output is not compressed"), "{told}");
    merge(&all, &["--output", &folder.text("merged.json")]).success();
}

/// Statistics that cannot be written, or would stand among the answers, are refused before anything is merged.
#[test]
fn statistics_have_a_place() {
    let folder = Folder::new();
    folder.write("in", records());
    let all = shares(&folder, 2, "", &["--depth", "1"]);
    let (output, stats) = (folder.text("merged"), folder.text("nowhere/s"));
    let told = merge(&all, &["--output", &output, "--stats", &stats]).refused();
    assert!(told.contains("nowhere/s: cannot be written"), "{told}");
    assert!(!folder.path("merged").exists());
    let told = merge(&all, &["--stats", "-"]).refused();
    assert!(
        told.contains("--stats -: the answers go to standard output"),
        "{told}"
    );
    let printed = merge(&all, &["--stats", "-", "--output", &output]).success();
    let printed: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(printed["records"], 17);
}

/// A share that was killed and resumed is the same share.
#[test]
fn resumed_shares_merge() {
    let folder = Folder::new();
    let input = folder.write("in", positions(9).join("\n"));
    let words = ["--nodes", "50", &input];
    let whole = super::analysed(&words);
    let journal = folder.text("j");
    let mut all = Vec::new();
    for (i, cut) in [(1, 0.4), (2, 0.8)] {
        let (output, shard) = (folder.text(&format!("out.{i}")), format!("{i}/2"));
        let share = [
            "--shard",
            &shard,
            "--output",
            &output,
            "--journal",
            &journal,
        ];
        let words = [&words[..], &share[..]].concat();
        run(&[&words[..], &["--restart"]].concat()).success();
        let bytes = std::fs::read(folder.path("j")).unwrap();
        std::fs::write(
            folder.path("j"),
            &bytes[..(bytes.len() as f64 * cut) as usize],
        )
        .unwrap();
        std::fs::remove_file(folder.path(&format!("out.{i}"))).unwrap();
        run(&[&words[..], &["--resume"]].concat()).success();
        all.push(output);
    }
    assert_eq!(timeless(&merge(&all, &[]).success()), whole);
    let file: Value = serde_json::from_str(&folder.read("out.2.share")).unwrap();
    assert!(
        file["stats"]["answers"]["from_journal"].as_u64() > Some(0),
        "{file:#}"
    );
}

/// Complete output is success where `--allow-bad` says so.
#[test]
fn bad_records_are_allowed() {
    let folder = Folder::new();
    let input = folder.write("in", records());
    let words = ["--depth", "1", &input];
    let strict = run(&words);
    let allowed = run(&[&words[..], &["--allow-bad"]].concat());
    assert_eq!((strict.code, allowed.code), (1, 0));
    assert_eq!(timeless(&strict.out), timeless(&allowed.out));
    assert!(
        allowed
            .err
            .contains("2 of 17 positions could not be analysed")
    );
    // A run that gives up has no complete output.
    let gave_up = run(&[&words[..], &["--allow-bad", "--max-fails", "1"]].concat());
    assert_eq!(gave_up.code, 1, "{gave_up:?}");
}
