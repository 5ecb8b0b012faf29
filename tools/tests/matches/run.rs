//! Running the program.

use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run of the program left behind.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// A command that runs the program in a folder.
pub fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexmate"));
    command
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the program to its end; words are separated by blanks.
pub fn hexmate(folder: &Path, words: &str) -> Run {
    let words: Vec<&str> = words.split_whitespace().collect();
    let output = command(folder, &words).output().expect("hexmate runs");
    let run = Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("the output is UTF-8"),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    assert!(!run.err.contains("panicked"), "{run:?}");
    run
}

/// The same, when all must be well; gives the output.
pub fn good(folder: &Path, words: &str) -> String {
    let run = hexmate(folder, words);
    assert_eq!(run.code, Some(0), "{words}: {run:?}");
    run.out
}

/// The same, when the words must be refused; gives the message.
pub fn refused(folder: &Path, words: &str) -> String {
    let run = hexmate(folder, words);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(2), ""),
        "{words}: {run:?}"
    );
    run.err
}

/// A file of the folder.
pub fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The games of a file of JSON lines.
pub fn games(folder: &Path, name: &str) -> Vec<Value> {
    let text = text(folder, name);
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}

/// The last standing and what follows it.
pub fn final_table(out: &str) -> &str {
    let end = out.rfind("Results of").or_else(|| out.rfind("Rank "));
    &out[end.expect("a standing is printed")..]
}

/// The folder of the bad engines.
#[cfg(unix)]
pub fn bad_engines() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_engines")
}
