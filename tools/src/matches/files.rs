//! The files of games that a match writes. Games are written in the order of their numbers, so that the files
//! do not depend on how many were played at once.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::game_record::GameRecord;
use super::journal::Lengths;
use super::options::{GamesFile, Options};
use super::pgn;
use crate::analyse::is_stdout;
use crate::stdout::is_closed;

/// A file being written.
struct Output {
    path: PathBuf,
    file: BufWriter<Box<dyn Write + Send>>,
}

impl Output {
    /// A file; `-` is standard output. `from`: where what belongs to this match begins, if it was begun before.
    fn create(games: &GamesFile, from: Option<u64>) -> Result<Self> {
        let file: Box<dyn Write + Send> = match is_stdout(&games.file) {
            true => Box::new(stdout()),
            false => Box::new(Self::open(games, from)?),
        };
        Ok(Output {
            path: games.file.clone(),
            file: BufWriter::new(file),
        })
    }

    fn open(games: &GamesFile, from: Option<u64>) -> Result<File> {
        let open = || {
            let mut options = OpenOptions::new();
            options.create(true).truncate(false);
            let mut file = options.append(true).open(&games.file)?;
            let meta = file.metadata()?;
            let keep = match games.append {
                true => from.unwrap_or(meta.len()),
                false => 0,
            };
            if meta.is_file() && meta.len() > keep {
                // On Windows what is only appended to cannot be cut off.
                OpenOptions::new()
                    .write(true)
                    .open(&games.file)?
                    .set_len(keep)?;
            }
            if meta.is_file() && ends_within_a_line(&games.file) {
                file.write_all(b"\n")?;
            }
            io::Result::Ok(file)
        };
        open().with_context(|| format!("{}: cannot be written", games.file.display()))
    }

    /// Writes a whole game at once.
    fn write(&mut self, text: &str) -> Result<()> {
        let written = self.file.write_all(text.as_bytes());
        let written = written.and_then(|()| self.file.flush());
        let name = || match is_stdout(&self.path) {
            true => "standard output".to_owned(),
            false => self.path.display().to_string(),
        };
        match written {
            // Elsewhere readers may stop reading; here the match would end as if it were over.
            Err(error) if is_closed(&error) => {
                bail!(
                    "{}: nobody reads the games any more; the match ends",
                    name()
                )
            }
            written => written.with_context(|| format!("{}: cannot be written", name())),
        }
    }
}

/// Whether the last line of a file has no end, as a killed program leaves it. One that cannot be read is appended to as
/// it is.
fn ends_within_a_line(path: &Path) -> bool {
    let last = || {
        let mut file = File::open(path)?;
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        io::Result::Ok(last)
    };
    last().is_ok_and(|last| last != *b"\n")
}

/// The files of games, of positions, and of games as JSON lines.
fn named(options: &Options) -> [Option<GamesFile>; 3] {
    let pgn = options.pgnout.as_ref().map(|pgn| GamesFile {
        file: pgn.file.clone(),
        append: pgn.append,
    });
    [pgn, options.jsonl.clone(), options.epdout.clone()]
}

/// Where the games of the match begin in its files, without what is known: behind what is there now, or at the start of
/// a file that is written anew, to which the match may append when it is resumed.
pub fn lengths(options: &Options, known: &Lengths) -> Lengths {
    let files = named(options).into_iter().flatten();
    let files = files.filter(|games| !is_stdout(&games.file));
    let lengths = files.flat_map(|games| {
        let length = match games.append {
            true => std::fs::metadata(&games.file).map_or(0, |meta| meta.len()),
            false => 0,
        };
        let keys = Some(keys(&games.file, options.journal.as_deref()));
        let keys = keys.filter(|keys| match length_of(keys, known) {
            None => true,
            Some(known) => !games.append && known != 0,
        });
        let keys = keys.into_iter().flatten().flatten();
        keys.map(move |key| (key, length))
    });
    lengths.collect()
}

/// The length of a file with these names.
fn length_of(keys: &[Option<String>; 2], known: &Lengths) -> Option<u64> {
    let mut keys = keys.iter().flatten();
    keys.find_map(|key| known.get(key).copied())
}

/// The names of a file in a journal, the one that counts first: its path from the folder of the journal, if it is in
/// there, so that both may be moved together; and its absolute path.
fn keys(path: &Path, journal: Option<&Path>) -> [Option<String>; 2] {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let path = absolute(path);
    let folder = journal
        .map(absolute)
        .and_then(|j| j.parent().map(Path::to_owned));
    let beside = folder.and_then(|folder| path.strip_prefix(folder).ok());
    [beside, Some(&*path)].map(|path| path.map(|path| path.display().to_string()))
}

/// Whether something that a match writes goes to standard output: then its own words do not.
pub fn use_stdout(options: &Options) -> bool {
    let games = named(options).into_iter().flatten().map(|games| games.file);
    games
        .chain(options.report.clone())
        .any(|path| is_stdout(&path))
}

/// The files of a match.
pub struct Files {
    pgn: Option<Output>,
    jsonl: Option<Output>,
    epd: Option<Output>,
}

impl Files {
    /// Opens the requested files, so that faults are found before the first game. When a match is resumed, what it
    /// wrote before is written again from the journal, which knows where its games begin in each file.
    ///
    /// # Errors
    ///
    /// If one cannot be written.
    pub fn create(options: &Options, begun: Option<&Lengths>) -> Result<Files> {
        let new = |games: Option<GamesFile>| {
            let output = games.map(|games| {
                let keys = keys(&games.file, options.journal.as_deref());
                let begun = begun.filter(|_| options.resume);
                let from = begun.and_then(|lengths| length_of(&keys, lengths));
                Output::create(&games, from)
            });
            output.transpose()
        };
        let [pgn, jsonl, epd] = named(options);
        Ok(Files {
            pgn: new(pgn)?,
            jsonl: new(jsonl)?,
            epd: new(epd)?,
        })
    }

    /// Writes a game.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, options: &Options, game: &GameRecord) -> Result<()> {
        if let Some(file) = &mut self.pgn {
            file.write(&pgn::text(options, game))?;
        }
        if let Some(file) = &mut self.jsonl {
            file.write(&(game.json_line(options.variant.name()) + "\n"))?;
        }
        if let Some(file) = &mut self.epd {
            file.write(&format!("{}\n", game.final_fen))?;
        }
        Ok(())
    }
}
