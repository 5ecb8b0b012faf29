//! Batch analysis: what is read and written, that nothing is lost or done twice, and the same answers
//! however it is done.

mod complete;
mod convert;
mod fields;
mod inputs;
mod journal;
mod large;
mod limits;
mod outputs;
mod reuse;
mod review;
mod review_files;
mod roles;
mod shares;
mod summary;
mod texts;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use hexmate_movegen::{BuiltIn, Glinski, Position, Record};
use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Run, command, hexmate};

/// Positions from random games, all different from each other for all that matters, as texts.
pub fn positions(count: usize) -> Vec<String> {
    positions_of::<Glinski>(count, 1)
}

pub fn positions_of<G: BuiltIn>(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut record = Record::new(Position::<G>::start());
        for _ in 0..120 {
            if record.outcome().is_some() || positions.len() == count {
                break;
            }
            if record.moves().len() >= 4 {
                positions.push(record.position().to_string());
            }
            let moves = record.position().legal_moves();
            record.play(moves[random.below(moves.len())]).unwrap();
        }
    }
    positions
}

/// Knuth's linear congruential generator, the upper bits of it: good enough for tests.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end as u64) as usize
    }
}

/// A folder that goes when it is dropped.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path as an argument.
    pub fn text(&self, name: &str) -> String {
        self.path(name).into_os_string().into_string().unwrap()
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), content).unwrap();
        self.text(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// Lines whose times are taken out.
pub fn timeless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let mut rest = line;
        while let Some(at) = rest.find("\"time_ms\":") {
            let (before, after) = rest.split_at(at + "\"time_ms\":".len());
            out += before;
            out.push('0');
            rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        out += rest;
        out.push('\n');
    }
    out
}

/// Runs the program with these words and gives it this on standard input; between the two parts, once the file is there
/// that it makes by then, something changes.
pub fn changed_meanwhile(
    words: &[&str],
    [first, rest]: [&str; 2],
    made: &Path,
    change: impl FnOnce(),
) -> Run {
    let mut command = command(words);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(first.as_bytes()).unwrap();
    while !made.exists() {
        let ended = child.try_wait().unwrap();
        assert_eq!(ended, None, "it ended without {}", made.display());
        sleep(Duration::from_millis(5));
    }
    change();
    input.write_all(rest.as_bytes()).unwrap();
    drop(input);
    Run::new(child.wait_with_output().unwrap())
}

/// A file of Gliński's chess with this score of a stalemate.
pub fn other_rules(folder: &Folder, stalemate: &str) -> String {
    let text = "format = 1\nbase = 'glinski'\nname = 'mine'\ntitle = 'Mine'\n";
    folder.write(
        "mine.toml",
        format!("{text}[ends]\nstalemate = '{stalemate}'\n"),
    )
}

/// Runs `analyse` with a small table and these words, which must succeed; gives the output without times.
pub fn analysed(words: &[&str]) -> String {
    let all = [&["analyse", "--hash", "1"], words].concat();
    timeless(&hexmate(&all).success())
}

/// The same run without checks.
pub fn run(words: &[&str]) -> Run {
    hexmate(&[&["analyse", "--hash", "1"], words].concat())
}

/// The same run, begun.
pub fn begun(words: &[&str]) -> Child {
    let mut command = command(&[&["analyse", "--hash", "1"], words].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

pub fn stats(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn gzip(content: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(content).unwrap();
    packer.finish().unwrap()
}

pub fn zstd(content: &[u8]) -> Vec<u8> {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    ruzstd::encoding::compress_to_vec(content, level)
}
