//! The journal: every answer, stored as soon as it is found, so that a killed run can continue.
//!
//! The first line holds everything that determines answers. Each line after it is an answer: its place in the
//! output, the hash of its record, a checksum of the whole line, the answer. A line is written in one piece
//! and never changed. A run that is killed while it writes leaves an incomplete last line, which is cut off
//! when the journal is opened again. Answers are in the order in which they were found, never farther from
//! their places than the run looks ahead, so reading them in order takes little memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::counted;
use super::worker::Ticket;
use crate::journal_file::JournalFile;
use crate::overwrite::holds_something;
use crate::terms::{self, Terms};

/// A power failure costs at most the answers of this long.
const SYNC: Duration = Duration::from_secs(5);

/// What to do with an existing journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// Refuse it if it holds anything.
    Refuse,
    /// Continue it.
    Resume,
    /// Discard its content.
    Restart,
}

#[derive(Serialize, Deserialize)]
struct Header {
    hexmate_analysis_journal: u32,
    terms: Terms,
}

const LAYOUT: u32 = 2;
/// How a journal starts, and how long its first line may be.
const MARK: &[u8] = b"{\"hexmate_analysis_journal\"";
const MOST_HEADER: u64 = 1 << 16;

const NO_JOURNAL: &str =
    "this is not a journal of hexmate analyse; rename it, or delete it if a power failure left it";
const CANNOT_READ: &str = "the journal cannot be read";

/// Why a journal is not that of the input. It stays as it is.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum OtherInput {
    #[error(
        "{path}: the journal is of another input: record {record} is not the one that was answered; give the input of before, or --restart to start again"
    )]
    Record { path: String, record: u64 },
    #[error(
        "{path}: the journal holds {} beyond the end of the input, which has {}; give the whole input of before, or --restart to start again",
        counted(*.answers as usize, "answer"),
        counted(*.records as usize, "record")
    )]
    Shorter {
        path: String,
        answers: u64,
        records: u64,
    },
}

/// An open journal. While it is open, no other run can use it.
pub struct Journal {
    file: JournalFile,
    synced: Instant,
}

impl Journal {
    /// Opens or creates the journal of a run with these terms; also returns what it holds.
    ///
    /// # Errors
    ///
    /// If it cannot be read and written, is in use by another run, is something else, belongs to other terms,
    /// or holds answers although the run was not told to continue.
    pub fn open(path: &Path, terms: &Terms, existing: Existing) -> Result<(Journal, Kept)> {
        Self::try_open(path, terms, existing).with_context(|| path.display().to_string())
    }

    /// What [`Journal::open`] would refuse a file for, before anything else is touched. None is made, and this one
    /// stays as it is.
    ///
    /// # Errors
    ///
    /// As those of [`Journal::open`].
    pub fn check(path: &Path, terms: &Terms, existing: Existing) -> Result<()> {
        if existing == Existing::Restart || !holds_something(path) {
            return Ok(());
        }
        let look = || {
            let file = JournalFile::open(path, "run")?;
            Held::scan(file.file())?.agrees(terms, existing)
        };
        look().with_context(|| path.display().to_string())
    }

    fn try_open(path: &Path, terms: &Terms, existing: Existing) -> Result<(Journal, Kept)> {
        let mut file = JournalFile::open(path, "run")?;
        if existing == Existing::Restart {
            // Only a journal is discarded, whatever follows its first line.
            first_line(&mut BufReader::new(file.file()))?;
            file.keep(0)?;
        }
        let mut held = Held::scan(file.file())?;
        held.agrees(terms, existing)?;
        if held.finished.len() == 0 {
            held.header = None;
            held.end = 0;
        }
        file.keep(held.end)?;
        let mut journal = Journal {
            file,
            synced: Instant::now(),
        };
        let mut begin = held.begin;
        if held.header.is_none() {
            let header = Header {
                hexmate_analysis_journal: LAYOUT,
                terms: terms.clone(),
            };
            journal
                .file
                .begin(&(serde_json::to_string(&header)? + "\n"))?;
            begin = journal.file.end();
        }
        let mut reader = BufReader::new(File::open(path).context(CANNOT_READ)?);
        reader.seek(SeekFrom::Start(begin))?;
        let kept = Kept {
            path: path.to_owned(),
            finished: held.finished,
            lines: reader.take(held.end.max(begin) - begin),
            ahead: BTreeMap::new(),
        };
        Ok((journal, kept))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Stores an answer.
    ///
    /// # Errors
    ///
    /// If it cannot be written; what was stored before stays.
    pub fn add(&mut self, ticket: Ticket, json: &str) -> Result<()> {
        self.file.append(&entry(ticket, json))?;
        if self.synced.elapsed() >= SYNC {
            self.sync()?;
        }
        Ok(())
    }

    /// Syncs the journal to disk.
    ///
    /// # Errors
    ///
    /// If that fails.
    pub fn sync(&mut self) -> Result<()> {
        self.synced = Instant::now();
        self.file.sync()
    }
}

fn entry(ticket: Ticket, json: &str) -> String {
    let Ticket { place, hash } = ticket;
    let check = checksum(place, hash, json);
    format!("{place} {hash:016x} {check:016x} {json}\n")
}

fn checksum(place: u64, hash: u64, json: &str) -> u64 {
    XxHash3_64::oneshot_with_seed(place ^ hash.rotate_left(32), json.as_bytes())
}

/// An entry without its end; `None` if it is damaged.
fn parse(line: &[u8]) -> Option<(Ticket, &str)> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let mut fields = line.splitn(4, ' ');
    let place = fields.next()?.parse().ok()?;
    let mut hex = || u64::from_str_radix(fields.next()?, 16).ok();
    let (hash, check) = (hex()?, hex()?);
    let json = fields.next()?;
    (checksum(place, hash, json) == check).then_some((Ticket { place, hash }, json))
}

/// The places that have an answer.
#[derive(Default, Debug, PartialEq, Eq)]
struct Finished {
    /// All places before this one.
    before: u64,
    /// Other places.
    beyond: BTreeSet<u64>,
}

impl Finished {
    fn add(&mut self, place: u64) {
        if place >= self.before {
            self.beyond.insert(place);
        }
        while self.beyond.remove(&self.before) {
            self.before += 1;
        }
    }

    fn has(&self, place: u64) -> bool {
        place < self.before || self.beyond.contains(&place)
    }

    fn len(&self) -> u64 {
        self.before + self.beyond.len() as u64
    }

    /// How many there are from this place on.
    fn from(&self, place: u64) -> u64 {
        self.before.saturating_sub(place) + self.beyond.range(place..).count() as u64
    }
}

/// The first line of a journal, or as much of it as a killed run has written.
///
/// # Errors
/// If it cannot be read, or is that of something else.
fn first_line(lines: &mut BufReader<&File>) -> Result<Vec<u8>> {
    lines.rewind().context(CANNOT_READ)?;
    let mut line = Vec::new();
    let mut first = lines.by_ref().take(MOST_HEADER);
    first.read_until(b'\n', &mut line).context(CANNOT_READ)?;
    let common = line.len().min(MARK.len());
    match line[..common] == MARK[..common] {
        true => Ok(line),
        false => bail!(NO_JOURNAL),
    }
}

/// Whether a file is a journal that holds something, of whatever run.
pub fn is_one(path: &Path) -> bool {
    let begins = |file: File| first_line(&mut BufReader::new(&file)).is_ok();
    holds_something(path) && File::open(path).is_ok_and(begins)
}

/// The result of a scan of a journal.
struct Held {
    header: Option<Header>,
    /// Where the first entry starts and the last intact one ends.
    begin: u64,
    end: u64,
    finished: Finished,
}

impl Held {
    /// Makes sure that a run with these terms may go on with it. Without answers there is nothing to lose, and nothing
    /// to agree with.
    fn agrees(&self, terms: &Terms, existing: Existing) -> Result<()> {
        let Some(header) = self.header.as_ref().filter(|_| self.finished.len() > 0) else {
            return Ok(());
        };
        if existing == Existing::Refuse {
            bail!(
                "the journal holds {} of an earlier run; give --resume to go on with it, or --restart to start again",
                counted(self.finished.len() as usize, "answer")
            );
        }
        let resume = "give --restart to start again, or another --journal";
        terms::compare(&header.terms, terms)
            .with_context(|| format!("the journal is of another run ({resume})"))
    }

    fn scan(file: &File) -> Result<Held> {
        let mut lines = BufReader::new(file);
        let mut held = Held {
            header: None,
            begin: 0,
            end: 0,
            finished: Finished::default(),
        };
        let mut line = first_line(&mut lines)?;
        if line.last() != Some(&b'\n') {
            // Killed before it started.
            return Ok(held);
        }
        let header: Header = serde_json::from_slice(&line).map_err(|_| anyhow!(NO_JOURNAL))?;
        if header.hexmate_analysis_journal != LAYOUT {
            bail!("a journal of another version of hexmate");
        }
        held.header = Some(header);
        held.begin = line.len() as u64;
        held.end = held.begin;
        let mut at = held.begin;
        let mut damaged = None;
        for number in 2.. {
            line.clear();
            if lines.read_until(b'\n', &mut line).context(CANNOT_READ)? == 0 {
                break;
            }
            at += line.len() as u64;
            match parse(&line) {
                None => damaged = damaged.or(Some(number)),
                Some((ticket, _)) => {
                    if let Some(damaged) = damaged {
                        bail!(
                            "line {damaged} is damaged and intact lines follow; delete it to have its record analysed again"
                        );
                    }
                    held.finished.add(ticket.place);
                    held.end = at;
                }
            }
        }
        Ok(held)
    }
}

/// The answers of a journal, read in the order of their places.
pub struct Kept {
    path: PathBuf,
    finished: Finished,
    lines: std::io::Take<BufReader<File>>,
    /// Answers that are not due yet.
    ahead: BTreeMap<u64, (u64, String)>,
}

impl Kept {
    /// How many answers there are.
    pub fn len(&self) -> u64 {
        self.finished.len()
    }

    /// The answer to the record with this place and hash, if there is one. Places must ascend.
    ///
    /// # Errors
    ///
    /// If the journal cannot be read, or the record is not the one that was answered.
    pub fn take(&mut self, ticket: Ticket) -> Result<Option<String>> {
        let Ticket { place, hash } = ticket;
        if !self.finished.has(place) {
            return Ok(None);
        }
        let file = || format!("{}: the journal cannot be read", self.path.display());
        while !self.ahead.contains_key(&place) {
            let mut line = Vec::new();
            self.lines.read_until(b'\n', &mut line).with_context(file)?;
            let (ticket, json) = parse(&line).with_context(file)?;
            if ticket.place >= place {
                self.ahead
                    .insert(ticket.place, (ticket.hash, json.to_owned()));
            }
        }
        let (was, json) = self.ahead.remove(&place).expect("just read");
        if was != hash {
            return Err(OtherInput::Record {
                path: self.path.display().to_string(),
                record: place + 1,
            }
            .into());
        }
        Ok(Some(json))
    }

    /// Makes sure that an input of this many records asks for every answer: one that was cut short must not end a
    /// run, whose journal goes then.
    ///
    /// # Errors
    ///
    /// If there are answers beyond its end.
    pub fn end(&self, records: u64) -> Result<(), OtherInput> {
        match self.finished.from(records) {
            0 => Ok(()),
            answers => Err(OtherInput::Shorter {
                path: self.path.display().to_string(),
                answers,
                records,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(depth: &str) -> Terms {
        Terms::from([("--depth".to_owned(), depth.to_owned())])
    }

    fn ticket(place: u64) -> Ticket {
        Ticket {
            place,
            hash: place * 7,
        }
    }

    fn reopen(path: &Path) -> Result<(Journal, Kept)> {
        Journal::open(path, &terms("1"), Existing::Resume)
    }

    /// A journal with these places, in this order.
    fn journal(path: &Path, places: &[u64]) {
        let (mut journal, kept) = reopen(path).unwrap();
        assert_eq!(kept.len(), 0);
        for &place in places {
            journal
                .add(ticket(place), &format!("answer {place}"))
                .unwrap();
        }
    }

    #[test]
    fn torn_at_every_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        journal(&path, &[1, 0, 3]);
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|&i| whole[i] == b'\n').collect();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, mut kept) = reopen(&path).unwrap();
            let entries = ends.iter().skip(1).filter(|&&end| end < length).count();
            assert_eq!(kept.len(), entries as u64, "{length}");
            for (i, place) in [1, 0, 3].into_iter().enumerate() {
                if i >= entries {
                    journal
                        .add(ticket(place), &format!("answer {place}"))
                        .unwrap();
                }
            }
            for place in [0, 1, 3] {
                let expected = [1, 0, 3][..entries].contains(&place);
                let found = kept.take(ticket(place)).unwrap();
                assert_eq!(found, expected.then(|| format!("answer {place}")));
            }
            drop(journal);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{length}");
        }
    }

    #[test]
    fn what_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        journal(&path, &[0, 1, 2]);
        let fault = |terms: &Terms, existing| {
            let error = Journal::open(&path, terms, existing)
                .map(|_| ())
                .unwrap_err();
            format!("{error:#}")
        };
        // Whether that run was finished is not known.
        let refused = fault(&terms("1"), Existing::Refuse);
        assert!(
            refused.contains("holds 3 answers of an earlier run"),
            "{refused}"
        );
        assert!(fault(&terms("2"), Existing::Resume).contains("--depth was 1, and is 2"));
        let (_open, mut kept) = reopen(&path).unwrap();
        assert!(fault(&terms("1"), Existing::Resume).contains("in use"));
        let other = Ticket { place: 0, hash: 99 };
        assert!(
            kept.take(other)
                .unwrap_err()
                .to_string()
                .contains("record 1")
        );
    }

    #[test]
    fn answers_beyond_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        journal(&path, &[0, 1, 2, 5]);
        let (_open, kept) = reopen(&path).unwrap();
        for (records, answers) in [(0, 4), (2, 2), (3, 1), (5, 1)] {
            let error = kept.end(records).unwrap_err().to_string();
            let says = format!("holds {}", counted(answers, "answer"));
            assert!(error.contains(&says), "{records}: {error}");
        }
        kept.end(6).unwrap();
    }

    #[test]
    fn damage_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        journal(&path, &[0, 1, 2]);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("answer 1", "answer 8")).unwrap();
        let error = reopen(&path).map(|_| ()).unwrap_err();
        assert!(
            format!("{error:#}").contains("line 3 is damaged"),
            "{error:#}"
        );
        std::fs::write(&path, text.replace("answer 2", "answer 8")).unwrap();
        assert_eq!(reopen(&path).unwrap().1.len(), 2);
        let restart = || Journal::open(&path, &terms("1"), Existing::Restart);
        std::fs::write(&path, text.replace("answer 1", "answer 8")).unwrap();
        assert_eq!(restart().unwrap().1.len(), 0);
        std::fs::write(&path, "something else\n").unwrap();
        assert!(reopen(&path).is_err() && restart().is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "something else\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_no_journal() {
        let path = Path::new("/dev/full");
        let refused = Journal::open(path, &terms("1"), Existing::Resume).map(|_| ());
        assert!(format!("{:#}", refused.unwrap_err()).contains("device"));
    }
}
