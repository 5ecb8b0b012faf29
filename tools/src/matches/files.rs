//! The files of games that a match writes. Games are written in the order of their numbers, so that the files
//! do not depend on how many were played at once.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::game_record::GameRecord;
use super::options::Options;
use super::pgn;
use crate::analyse::is_stdout;

/// A file being written.
struct Output {
    path: PathBuf,
    file: BufWriter<Box<dyn Write + Send>>,
}

impl Output {
    /// A file; `-` is standard output.
    fn create(path: &Path, append: bool) -> Result<Self> {
        let file: Box<dyn Write + Send> = match is_stdout(path) {
            true => Box::new(stdout()),
            false => Box::new(Self::open(path, append)?),
        };
        Ok(Output {
            path: path.to_owned(),
            file: BufWriter::new(file),
        })
    }

    fn open(path: &Path, append: bool) -> Result<File> {
        OpenOptions::new()
            .create(true)
            .write(true)
            .append(append)
            .truncate(!append)
            .open(path)
            .with_context(|| format!("{}: cannot be written", path.display()))
    }

    /// Writes a whole game at once.
    fn write(&mut self, text: &str) -> Result<()> {
        let written = self.file.write_all(text.as_bytes());
        written
            .and_then(|()| self.file.flush())
            .with_context(|| format!("{}: cannot be written", self.path.display()))
    }
}

/// The files of a match.
pub struct Files {
    pgn: Option<Output>,
    jsonl: Option<Output>,
    epd: Option<Output>,
}

impl Files {
    /// Creates the requested files, so that faults are found before the first game.
    ///
    /// # Errors
    ///
    /// If one cannot be written.
    pub fn create(options: &Options) -> Result<Files> {
        let new = |path: &Option<PathBuf>| {
            let file = path.as_ref().map(|path| Output::create(path, false));
            file.transpose()
        };
        let pgn = options.pgnout.as_ref();
        // When a match is resumed, its files are written again from the journal.
        let pgn = pgn.map(|p| Output::create(&p.file, p.append && !options.resume));
        Ok(Files {
            pgn: pgn.transpose()?,
            jsonl: new(&options.jsonl)?,
            epd: new(&options.epdout)?,
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
