//! The journal of a tuning run: its terms, then a line for each batch of pairs, written at once. A run that was killed
//! goes on after the last whole line, by learning again from all of them.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::journal_file::JournalFile;
use crate::terms::{self, Terms};

#[derive(Serialize, Deserialize)]
struct Header {
    hexmate_spsa: u32,
    terms: Terms,
}

const LAYOUT: u32 = 1;

/// What a batch of pairs came to.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The pairs before it.
    pub after: u64,
    /// For each pair, the quarters of a point that the first setting scored more than the second.
    pub quarters: Vec<i32>,
}

/// What becomes of a run that the journal holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// It stays, and the new one is refused.
    Kept,
    /// It is continued.
    Continued,
    /// It is lost, and so is whatever else the file holds.
    Discarded,
}

/// An open journal. While it is open, no other run can use it.
pub struct Journal {
    file: JournalFile,
}

impl Journal {
    /// Opens the journal of a run with these terms, and returns what was played.
    ///
    /// # Errors
    /// If it cannot be read and written, is in use, is no journal, is damaged, is of another run, or holds batches
    /// although they are to be kept.
    pub fn open(path: &Path, terms: Terms, found: Found) -> Result<(Journal, Vec<Batch>)> {
        Self::try_open(path, terms, found).with_context(|| path.display().to_string())
    }

    fn try_open(path: &Path, terms: Terms, found: Found) -> Result<(Journal, Vec<Batch>)> {
        let mut file = JournalFile::open(path, "run")?;
        let mut text = String::new();
        if found != Found::Discarded {
            file.file()
                .read_to_string(&mut text)
                .context("this is not a journal of hexmate spsa")?;
        }
        // What was being written when the run was killed has no end.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = whole.lines();
        let mut batches = Vec::new();
        match lines.next() {
            // Killed before it began, or something else without lines.
            None if begins_alike(&text) => {}
            None => bail!("line 1: this is not a journal of hexmate spsa"),
            Some(first) => {
                let header: Header = serde_json::from_str(first)
                    .context("line 1: this is not a journal of hexmate spsa")?;
                if header.hexmate_spsa != LAYOUT {
                    bail!("line 1: a journal of another version of hexmate");
                }
                for (number, line) in (2..).zip(lines) {
                    let Some(batch) = parse(line) else {
                        bail!(
                            "line {number} is damaged; without it and all after it the run can be continued"
                        );
                    };
                    batches.push(batch);
                }
                if found == Found::Kept && !batches.is_empty() {
                    bail!(
                        "the journal holds a run; give --resume to continue it, --force to begin anew, or another file"
                    );
                }
                if !batches.is_empty() {
                    terms::compare(&header.terms, &terms)
                        .context("the journal is of another run (give it another file)")?;
                }
            }
        }
        let kept = if batches.is_empty() {
            0
        } else {
            whole.len() as u64
        };
        file.keep(kept)?;
        if kept == 0 {
            let header = Header {
                hexmate_spsa: LAYOUT,
                terms,
            };
            file.begin(&(serde_json::to_string(&header)? + "\n"))?;
        }
        Ok((Journal { file }, batches))
    }

    /// Stores a batch.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, batch: &Batch) -> Result<()> {
        let json = serde_json::to_string(batch)?;
        self.file.append(&format!(
            "{:016x} {json}\n",
            XxHash3_64::oneshot(json.as_bytes())
        ))
    }
}

/// Whether a text may be the beginning of a journal.
fn begins_alike(text: &str) -> bool {
    const MARK: &[u8] = b"{\"hexmate_spsa\"";
    let common = text.len().min(MARK.len());
    text.as_bytes()[..common] == MARK[..common]
}

fn parse(line: &str) -> Option<Batch> {
    let (check, json) = line.split_once(' ')?;
    let check = u64::from_str_radix(check, 16).ok()?;
    let sound = check == XxHash3_64::oneshot(json.as_bytes());
    serde_json::from_str(json).ok().filter(|_| sound)
}
