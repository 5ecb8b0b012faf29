//! The journal: every finished game, stored at once, so that a killed match can continue.
//!
//! The first line identifies the match; each line after it is a finished game with a checksum, or how long files were
//! that were first named when the match was resumed. A line is written in one piece as soon as its game is over and
//! never changed. A match that is killed while it writes leaves an incomplete last line, which is cut off when the
//! journal is opened again: that game is played again, and no game is counted twice.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::game_record::GameRecord;
use crate::journal_file::JournalFile;
use crate::terms::{self, Terms};

/// Everything that determines how games are played. The number of rounds, the concurrency, and what is done
/// with results may change when a match continues.
#[derive(Serialize, Deserialize)]
struct Header {
    hexmate_journal: u32,
    terms: Terms,
    /// Where its games begin in each of its files.
    #[serde(default)]
    lengths: Lengths,
}

/// Where its games begin in files that a resumed match names for the first time, or writes anew.
#[derive(Serialize, Deserialize)]
struct Added {
    lengths: Lengths,
}

/// The lengths of files by their paths from the folder of the journal, and by their absolute paths.
pub type Lengths = BTreeMap<String, u64>;

const LAYOUT: u32 = 2;
/// How a journal starts, and how long its first line may be.
const MARK: &[u8] = b"{\"hexmate_journal\"";
const MOST_HEADER: u64 = 1 << 20;
/// No game is longer; a longer line does not belong to a journal and is not kept in memory.
const MOST_LINE: u64 = 1 << 24;

/// An open journal. While it is open, no other match can use it.
pub struct Journal {
    file: JournalFile,
    lengths: Lengths,
}

impl Journal {
    /// Opens the journal of a match with these terms, and returns the finished games, each once. `lengths` are those
    /// of its files; a journal that continues keeps those that it was begun with.
    ///
    /// # Errors
    ///
    /// If it cannot be read and written, is in use, belongs to another match, is not a journal, is damaged,
    /// or holds games although the match was not told to continue.
    pub fn open(
        path: &Path,
        terms: Terms,
        resume: bool,
        lengths: Lengths,
    ) -> Result<(Journal, Vec<GameRecord>)> {
        let opened = Self::try_open(path, terms, resume, lengths);
        opened.with_context(|| format!("{}", path.display()))
    }

    fn try_open(
        path: &Path,
        terms: Terms,
        resume: bool,
        lengths: Lengths,
    ) -> Result<(Journal, Vec<GameRecord>)> {
        let mut file = JournalFile::open(path, "match")?;
        let mut held = Held::read(file.file())?;
        if held.games.is_empty() && !held.damaged {
            // Nothing to lose, and nothing to agree with.
            held.header = None;
            held.end = 0;
        }
        if let Some(header) = &held.header {
            if !resume {
                bail!(
                    "the journal holds a match with {} finished games{}; give --resume to continue it, or another file",
                    held.games.len(),
                    if held.damaged {
                        " and a damaged line"
                    } else {
                        ""
                    }
                );
            }
            terms::compare(&header.terms, &terms)
                .context("the journal is of another match (give it another file)")?;
        }
        file.keep(held.end)?;
        let mut journal = Journal {
            file,
            lengths: Lengths::new(),
        };
        if held.header.is_some() {
            journal.lengths = held.lengths;
        } else {
            journal.lengths = lengths.clone();
            let header = Header {
                hexmate_journal: LAYOUT,
                terms,
                lengths,
            };
            journal
                .file
                .begin(&(serde_json::to_string(&header)? + "\n"))?;
        }
        Ok((journal, held.games.into_values().collect()))
    }

    /// Where the games of the match begin in its files.
    pub fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    /// Stores how long files are that are named for the first time.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn add_lengths(&mut self, lengths: Lengths) -> Result<()> {
        if lengths.is_empty() {
            return Ok(());
        }
        let added = Added { lengths };
        self.append(&added)?;
        self.lengths.extend(added.lengths);
        Ok(())
    }

    /// Stores a finished game.
    ///
    /// # Errors
    ///
    /// If it cannot be written; what was stored before stays.
    pub fn add(&mut self, game: &GameRecord) -> Result<()> {
        self.append(game)
    }

    fn append(&mut self, what: &impl Serialize) -> Result<()> {
        let json = serde_json::to_string(what)?;
        self.file
            .append(&format!("{:016x} {json}\n", checksum(&json)))
    }
}

/// The terms and the finished games of a journal, each once, in the order in which they ended, also while a match
/// writes to it: a line that is not complete yet is left out.
///
/// # Errors
/// If it cannot be read, or is no journal.
#[cfg(feature = "board")]
pub fn games(path: &Path) -> Result<(Terms, Vec<GameRecord>)> {
    let file = File::open(path).context("the journal cannot be read");
    let held = file.and_then(|file| Held::read(&file));
    let mut held = held.with_context(|| format!("{}", path.display()))?;
    let terms = held.header.map(|header| header.terms).unwrap_or_default();
    let games = held.ended.iter().filter_map(|game| held.games.remove(game));
    Ok((terms, games.collect()))
}

fn checksum(json: &str) -> u64 {
    XxHash3_64::oneshot_with_seed(LAYOUT.into(), json.as_bytes())
}

/// What a line with its end holds; `None` if it is something else, or damaged.
fn parse<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let line = line.strip_suffix('\r').unwrap_or(line);
    let (check, json) = line.split_once(' ')?;
    let sound = check.len() == 16 && u64::from_str_radix(check, 16).ok()? == checksum(json);
    serde_json::from_str(json).ok().filter(|_| sound)
}

/// The content of a journal.
#[derive(Default)]
struct Held {
    header: Option<Header>,
    /// Where the last intact line ends.
    end: u64,
    games: BTreeMap<usize, GameRecord>,
    /// The numbers of the games in the order of the lines.
    #[cfg(feature = "board")]
    ended: Vec<usize>,
    lengths: Lengths,
    /// Whether a last line follows that is complete, but damaged.
    damaged: bool,
}

impl Held {
    fn read(file: &File) -> Result<Held> {
        let cannot = "the journal cannot be read";
        let mut lines = BufReader::new(file);
        lines.rewind().context(cannot)?;
        let mut held = Held::default();
        let mut line = Vec::new();
        let mut first = lines.by_ref().take(MOST_HEADER);
        first.read_until(b'\n', &mut line).context(cannot)?;
        let no_journal = || anyhow!("line 1: this is not a journal of hexmate match");
        if line.last() != Some(&b'\n') {
            // Killed before it started, or something else without lines.
            let common = line.len().min(MARK.len());
            return match line[..common] == MARK[..common] {
                true => Ok(held),
                false => Err(no_journal()),
            };
        }
        let layout = serde_json::from_slice(&line)
            .ok()
            .and_then(|header: serde_json::Value| header["hexmate_journal"].as_u64());
        if layout.is_some_and(|layout| layout != u64::from(LAYOUT)) {
            bail!("line 1: a journal of another version of hexmate");
        }
        let mut header: Header = serde_json::from_slice(&line).map_err(|_| no_journal())?;
        held.lengths = std::mem::take(&mut header.lengths);
        held.header = Some(header);
        held.end = line.len() as u64;
        let mut at = held.end;
        let mut damaged = Vec::new();
        let mut intact_follow = false;
        for number in 2.. {
            line.clear();
            let mut next = lines.by_ref().take(MOST_LINE);
            if next.read_until(b'\n', &mut line).context(cannot)? == 0 {
                break;
            }
            at += line.len() as u64;
            if let Some(game) = parse::<GameRecord>(&line) {
                #[cfg(feature = "board")]
                held.ended.push(game.game);
                held.games.insert(game.game, game);
            } else if let Some(added) = parse::<Added>(&line) {
                held.lengths.extend(added.lengths);
            } else if line.trim_ascii().is_empty() {
                continue;
            } else {
                held.damaged = line.last() == Some(&b'\n');
                damaged.push(number);
                continue;
            }
            intact_follow = !damaged.is_empty();
            held.end = at;
        }
        // A last line alone may be of a match that was killed while it wrote it.
        if intact_follow || damaged.len() > 1 {
            bail!("{}", told(&damaged, intact_follow));
        }
        Ok(held)
    }
}

/// Which lines are damaged, and what to do.
fn told(damaged: &[usize], intact_follow: bool) -> String {
    /// So many are named.
    const MOST: usize = 10;
    let follow = if intact_follow {
        " and intact lines follow"
    } else {
        ""
    };
    if let [line] = damaged {
        return format!("line {line} is damaged{follow}; delete it to have its game played again");
    }
    let named: Vec<String> = damaged.iter().take(MOST).map(usize::to_string).collect();
    let more = match damaged.len().saturating_sub(MOST) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let named = named.join(", ");
    format!("lines {named}{more} are damaged{follow}; delete them to have their games played again")
}
