//! The journal: every finished game, kept at once, so that a match that was killed can go on.
//!
//! The first line says what the match is; each line after it is a finished game. A line is written in
//! one piece as soon as its game is over and never changed. A match that is killed while it writes
//! leaves a last line without an end, which is cut off when the journal is read: that game is played
//! again, and no game is counted twice.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::game_record::GameRecord;
use super::options::Options;
use crate::terms::{self, Terms};

/// What decides how games are played. The number of rounds, of games at once, and what is done with
/// results may change when a match goes on.
#[derive(Serialize, Deserialize)]
struct Header {
    hexmate_journal: u32,
    terms: Terms,
}

/// An open journal. While it is open no other match can use it.
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens the journal of a match, and gives the games that are finished already, each once.
    ///
    /// # Errors
    /// If it cannot be read and written, is used by somebody, belongs to another match, holds what is no
    /// journal, or holds games that nobody asked to go on with.
    pub fn open(path: &Path, options: &Options) -> Result<(Journal, Vec<GameRecord>)> {
        Self::try_open(path, options).with_context(|| format!("{}", path.display()))
    }

    fn try_open(path: &Path, options: &Options) -> Result<(Journal, Vec<GameRecord>)> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .context("the journal cannot be opened")?;
        if file.try_lock().is_err() {
            bail!("the journal is in use by another match");
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .context("the journal cannot be read")?;
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let text = std::str::from_utf8(&bytes[..whole]).context("this is no journal")?;
        let terms = terms(options);
        let finished = finished_games(text, &terms)?;
        if !text.is_empty() && !options.resume {
            bail!(
                "the journal holds a match with {} finished games; give --resume to go on with it, or another file",
                finished.len()
            );
        }
        file.set_len(whole as u64)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .context("the journal cannot be written")?;
        let mut journal = Journal { file };
        if text.is_empty() {
            journal.write(&Header {
                hexmate_journal: 1,
                terms,
            })?;
        }
        Ok((journal, finished))
    }

    /// Keeps a finished game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &GameRecord) -> Result<()> {
        self.write(game)
    }

    fn write(&mut self, value: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_string(value)?;
        line.push('\n');
        // Not buffered: what is written outlives the process.
        self.file
            .write_all(line.as_bytes())
            .context("the journal cannot be written")
    }
}

fn finished_games(text: &str, terms: &Terms) -> Result<Vec<GameRecord>> {
    let mut lines = text.lines();
    let Some(header) = lines.next() else {
        return Ok(Vec::new());
    };
    let header: Header = serde_json::from_str(header).context("line 1: this is no journal")?;
    if header.hexmate_journal != 1 {
        bail!("line 1: a journal of another version of hexmate");
    }
    terms::compare(&header.terms, terms).context("the journal is of another match")?;
    let mut games = BTreeMap::new();
    for (i, line) in lines.enumerate() {
        let game: GameRecord = serde_json::from_str(line)
            .with_context(|| format!("line {}: this is no game of a journal", i + 2))?;
        games.entry(game.game).or_insert(game);
    }
    Ok(games.into_values().collect())
}

fn terms(options: &Options) -> Terms {
    let mut terms = Terms::new();
    let mut say = |name: &str, what: &dyn std::fmt::Debug| {
        terms.insert(name.to_owned(), format!("{what:?}"));
    };
    say("-variant", &options.variant.name());
    say("-tournament", &options.tournament);
    say("-games", &options.games);
    say("-srand", &options.seed);
    say("-openings", &options.openings);
    say("-resign", &options.resign);
    say("-draw", &options.draw);
    say("-maxmoves", &options.maxmoves);
    for (i, engine) in options.engines.iter().enumerate() {
        say(&format!("-engine {}", i + 1), engine);
    }
    terms
}
