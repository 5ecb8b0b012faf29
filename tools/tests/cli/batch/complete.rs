//! Outputs that are there already when `--resume` is given: those of the run are left alone, others are no success.

use super::{Folder, positions, run};

/// Runs with `--resume`; gives the message of a refusal, and makes sure that the file stayed.
struct Resumed<'f> {
    folder: &'f Folder,
    name: &'f str,
}

impl Resumed<'_> {
    fn run(&self, words: &[&str]) -> crate::run::Run {
        let output = self.folder.text(self.name);
        run(&[&["--nodes", "20", "--resume", "--output", &output], words].concat())
    }

    fn refused(&self, words: &[&str], says: &str) {
        let was = self.folder.read(self.name);
        let result = self.run(words);
        assert_eq!(result.code, 2, "{result:?}");
        assert!(result.err.contains(says), "{says}: {result:?}");
        assert_eq!(self.folder.read(self.name), was);
    }

    fn nothing_to_do(&self, words: &[&str]) {
        let was = self.folder.read(self.name);
        let result = self.run(words);
        assert_eq!(result.code, 0, "{result:?}");
        assert!(result.err.contains("is already complete"), "{result:?}");
        assert_eq!(self.folder.read(self.name), was);
    }
}

#[test]
fn only_answers_of_the_input_are_complete() {
    let folder = Folder::new();
    let lines = positions(4);
    let input = folder.write("in", lines.join("\n"));
    let other = folder.write("other", lines[1..].join("\n"));
    let empty = folder.write("empty", "");
    for ending in ["jsonl", "csv", "epd"] {
        let name = format!("out.{ending}");
        let output = Resumed {
            folder: &folder,
            name: &name,
        };
        // There is nothing to lose in an empty file.
        folder.write(&name, "");
        output.run(&[&input]).success();
        assert!(folder.read(&name).lines().count() >= 4);
        output.nothing_to_do(&[&input]);
        output.refused(&[&folder.text("missing")], "missing: cannot be read");
        if ending == "jsonl" {
            output.refused(&[&other], "its first answer is that to");
            output.refused(&[&empty], "the input has no records");
            let named = folder.write("named", format!("{} ; id \"x\"\n", lines[0]));
            output.refused(&[&named], "that to record 1; expected record x");
        }
        folder.write(&name, "Dear diary,\n");
        output.refused(&[&input], "its first line is no answer");
    }
    let output = Resumed {
        folder: &folder,
        name: "none.jsonl",
    };
    folder.write("none.jsonl", "");
    output.run(&[&empty]).success();
    assert_eq!(folder.read("none.jsonl"), "");
}

/// Statistics of an earlier run go with its output; another file stays.
#[test]
fn statistics_of_a_run_that_goes_on() {
    let folder = Folder::new();
    let input = folder.write("in", positions(3).join("\n"));
    let names = ["j", "out", "stats"].map(|name| folder.text(name));
    let [journal, output, stats] = names.each_ref().map(String::as_str);
    let files = ["--journal", journal, "--output", output, "--stats", stats];
    let words = [&["--nodes", "20", "--resume", &input], &files[..]].concat();
    for _ in 0..2 {
        run(&words).success();
    }
    folder.write("stats", "{\"mine\": 1}");
    let message = run(&words).refused();
    assert!(message.contains("stats: the file exists"), "{message}");
    assert_eq!(folder.read("stats"), "{\"mine\": 1}");
}

/// Whoever asks for statistics is told that they do not come.
#[test]
fn a_complete_run_without_its_statistics_is_no_success() {
    let folder = Folder::new();
    let input = folder.write("in", positions(3).join("\n"));
    let output = Resumed {
        folder: &folder,
        name: "out.jsonl",
    };
    output.run(&[&input]).success();
    let stats = folder.text("stats");
    let words = [&input, "--stats", &stats];
    output.refused(&words, "is complete without them");
    output.refused(&[&words[..], &["--quiet"]].concat(), "--force");
    folder.write("stats", "{\"mine\": 1}");
    output.refused(&words, "is complete without them");
    assert_eq!(folder.read("stats"), "{\"mine\": 1}");
    std::fs::remove_file(folder.path("stats")).unwrap();
    std::fs::remove_file(folder.path("out.jsonl")).unwrap();
    output.run(&words).success();
    output.nothing_to_do(&words);
}

/// The answers are complete then; the journal stays for the statistics.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_failed_for_its_statistics_can_be_resumed() {
    let folder = Folder::new();
    let input = folder.write("in", positions(3).join("\n"));
    let output = Resumed {
        folder: &folder,
        name: "out.jsonl",
    };
    let failed = output.run(&[&input, "--stats", "/dev/full"]);
    assert_eq!(failed.code, 2, "{failed:?}");
    assert!(
        failed.err.contains("/dev/full: cannot be written"),
        "{failed:?}"
    );
    assert!(failed.err.contains("--resume goes on"), "{failed:?}");
    let whole = folder.read("out.jsonl");
    output
        .run(&[&input, "--stats", &folder.text("stats")])
        .success();
    let stats = super::stats(&folder.path("stats"));
    assert_eq!(stats["records"], 3);
    // All of them are of the run before.
    assert_eq!(
        (&stats["nodes"], &stats["records_per_second"]),
        (&0.into(), &0.0.into())
    );
    assert_eq!(folder.read("out.jsonl"), whole);
    assert_eq!(folder.names(), ["in", "out.jsonl", "stats"]);
}

#[test]
fn a_complete_share_is_that_of_the_command() {
    let folder = Folder::new();
    let input = folder.write("in", positions(8).join("\n"));
    let output = Resumed {
        folder: &folder,
        name: "out.jsonl",
    };
    output.run(&["--shard", "1/4", &input]).success();
    output.nothing_to_do(&["--shard", "1/4", &input]);
    output.refused(&["--shard", "2/4", &input], "it is share 1/4; expected 2/4");
    output.refused(&["--shard", "1/2", &input], "it is share 1/4; expected 1/2");
    output.refused(&[&input], "it is share 1/4; expected all of a run");
    output.refused(
        &["--shard", "1/4", "--multipv", "2", &input],
        "--multipv was not given, and is 2",
    );
    output.refused(
        &["--shard", "1/4", "--format", "csv", &input],
        "it is in the format jsonl; expected csv",
    );
    let whole = folder.read("out.jsonl");
    folder.write("out.jsonl", whole.lines().next().unwrap());
    output.refused(&["--shard", "1/4", &input], "as its share file says");
    folder.write("out.jsonl", &whole);
    std::fs::remove_file(folder.path("out.jsonl.share")).unwrap();
    output.refused(&["--shard", "1/4", &input], "it has no share file");
    // A share without records has an empty output, which is complete.
    let few = folder.write("few", "");
    let output = Resumed {
        folder: &folder,
        name: "few.jsonl",
    };
    output.run(&["--shard", "1/4", &few]).success();
    output.nothing_to_do(&["--shard", "1/4", &few]);
}
