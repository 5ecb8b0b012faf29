//! Openings: random lines that are distinct and roughly level, and books.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail, ensure};
use hexmate_engine::{Engine, Limits, Table};
use hexmate_movegen::{Game, Move, Position, Record};

use super::internal::search;
use super::options::{BookFormat, OpeningOptions, RANDOM_PLIES};
use super::pgn::Games;
use crate::bounded::TextLines;
use crate::inputs;
use crate::random::SplitMix64;

/// Nodes of the search that judges whether a line is level.
const NODES: u64 = 3_000;
/// After so many lines in a row that are no use there are no more to be found.
const MOST_FAILURES: usize = 2_000;

/// An opening: a position and moves from it.
#[derive(Clone, Debug)]
pub struct Opening<G: Game> {
    /// The position before the moves.
    pub start: Position<G>,
    /// The moves, legal one after the other.
    pub moves: Vec<Move>,
}

impl<G: Game> Opening<G> {
    /// The key of the position that it leads to.
    fn key(&self) -> u64 {
        let mut record = Record::new(self.start);
        for &mv in &self.moves {
            record.play(mv).expect("openings are legal");
        }
        record.position().key()
    }
}

/// Random lines from the first position, the same for the same seed.
pub struct Generator<G: Game> {
    random: SplitMix64,
    plies: usize,
    balance: i32,
    /// The keys of the positions that were given out.
    given: HashSet<u64>,
    engine: Engine<G>,
    table: Table,
}

impl<G: Game> Generator<G> {
    /// Lines of so many plies, within so many centipawns of level.
    ///
    /// # Errors
    /// If there is no memory for the judge's table.
    pub fn new(seed: u64, plies: usize, balance: i32) -> Result<Self> {
        Ok(Generator {
            random: SplitMix64::new(seed),
            plies,
            balance,
            given: HashSet::new(),
            engine: Engine::new(1),
            table: Table::new(1)?,
        })
    }

    /// Another line, whose last position none before had; `None` when there seem to be no more.
    pub fn line(&mut self) -> Option<Opening<G>> {
        (0..MOST_FAILURES).find_map(|_| self.attempt())
    }

    fn attempt(&mut self) -> Option<Opening<G>> {
        let mut record = Record::new(Position::start());
        for _ in 0..self.plies {
            let moves = record.position().legal_moves();
            let mv = moves[self.random.below(moves.len())];
            record.play(mv).expect("a legal move");
            if record.outcome().is_some() {
                return None;
            }
        }
        if self.given.contains(&record.position().key()) || !self.is_level(&record) {
            return None;
        }
        self.given.insert(record.position().key());
        Some(Opening {
            start: Position::start(),
            moves: record.moves().to_vec(),
        })
    }

    fn is_level(&mut self, record: &Record<G>) -> bool {
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        self.table.forget();
        self.engine.forget();
        let report = search(&mut self.engine, &self.table, record, limits);
        report.score().abs() <= self.balance
    }
}

/// The openings of a match, by number.
pub struct Openings<G: Game> {
    supply: Mutex<Supply<G>>,
    book: Option<Book>,
}

/// What is known of a book.
struct Book {
    different: usize,
    digest: u64,
}

struct Supply<G: Game> {
    ready: Vec<Opening<G>>,
    generator: Option<Generator<G>>,
}

impl<G: Game> Openings<G> {
    /// The openings that a match asks for.
    ///
    /// # Errors
    /// If the book cannot be read, or holds nothing that can be used.
    pub fn new(options: &OpeningOptions, seed: u64) -> Result<Self> {
        let Some((path, format)) = &options.file else {
            let plies = options.plies.unwrap_or(RANDOM_PLIES);
            let generator = Generator::new(seed, plies, options.balance)?;
            return Ok(Openings::supplied(Vec::new(), Some(generator), None));
        };
        let (mut lines, digest) = read_book::<G>(path, *format, options.plies)?;
        if options.random_order {
            SplitMix64::new(seed).shuffle(&mut lines);
        }
        let skipped = options.start - 1;
        if skipped >= lines.len() {
            bail!(
                "-openings start={}: {} has {} openings",
                options.start,
                path.display(),
                lines.len()
            );
        }
        lines.rotate_left(skipped);
        let different: HashSet<u64> = lines.iter().map(Opening::key).collect();
        let book = Book {
            different: different.len(),
            digest,
        };
        Ok(Openings::supplied(lines, None, Some(book)))
    }

    fn supplied(
        ready: Vec<Opening<G>>,
        generator: Option<Generator<G>>,
        book: Option<Book>,
    ) -> Self {
        Openings {
            supply: Mutex::new(Supply { ready, generator }),
            book,
        }
    }

    /// How many different openings the book has; `None` where there is none, since random lines are all
    /// different.
    pub fn different(&self) -> Option<usize> {
        self.book.as_ref().map(|book| book.different)
    }

    /// A hash of what the file of the book holds; `None` where there is none.
    pub fn digest(&self) -> Option<u64> {
        self.book.as_ref().map(|book| book.digest)
    }

    /// Makes the first so many ready, where games later on must not be disturbed.
    ///
    /// # Errors
    /// If there is none at all.
    pub fn prepare(&self, count: usize) -> Result<()> {
        match count.checked_sub(1) {
            Some(last) => self.get(last).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The opening of a number from 0. Where there are not so many, they come round again.
    ///
    /// # Errors
    /// If there is none at all.
    pub fn get(&self, number: usize) -> Result<Opening<G>> {
        let mut supply = self.supply.lock().unwrap_or_else(PoisonError::into_inner);
        let Supply { ready, generator } = &mut *supply;
        while let Some(lines) = generator.as_mut().filter(|_| ready.len() <= number) {
            match lines.line() {
                Some(opening) => ready.push(opening),
                None => *generator = None,
            }
        }
        if ready.is_empty() {
            bail!("no random opening is level enough; allow more plies= or balance=");
        }
        Ok(ready[number % ready.len()].clone())
    }
}

/// The openings of a book, and a hash of what the file holds.
fn read_book<G: Game>(
    path: &Path,
    format: BookFormat,
    plies: Option<usize>,
) -> Result<(Vec<Opening<G>>, u64)> {
    let read = match format {
        BookFormat::Pgn => games_book(path, plies.unwrap_or(RANDOM_PLIES)),
        _ => lines_book(path, format, plies),
    };
    read.with_context(|| format!("{}", path.display()))
}

/// A position or a line of moves on each line; blank lines and those that begin with `#` are passed over.
fn lines_book<G: Game>(
    path: &Path,
    format: BookFormat,
    plies: Option<usize>,
) -> Result<(Vec<Opening<G>>, u64)> {
    let mut lines = TextLines::open(path)?;
    let mut book = Vec::new();
    while let Some((number, line)) = lines.next_line()? {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = match format {
            BookFormat::Epd => position_line(line),
            _ => moves_line(line, plies),
        };
        book.push(opening.with_context(|| format!("line {number}"))?);
    }
    ensure!(!book.is_empty(), "holds no openings");
    Ok((book, lines.digest()))
}

/// The first moves of games. A game that is over within them is no opening.
fn games_book<G: Game>(path: &Path, plies: usize) -> Result<(Vec<Opening<G>>, u64)> {
    let mut games = Games::open(path)?;
    let mut book = Vec::new();
    while let Some(game) = games.next_game()? {
        let record = game.record::<G>(Some(plies))?;
        if record.outcome().is_none() {
            book.push(Opening {
                start: game.start()?,
                moves: record.moves().to_vec(),
            });
        }
    }
    ensure!(!book.is_empty(), "holds no games that last {plies} plies");
    Ok((book, games.digest()))
}

fn position_line<G: Game>(line: &str) -> Result<Opening<G>> {
    // Behind the position stand operations, as in EPD.
    let fen = line.split(';').next().unwrap_or(line).trim();
    let start: Position<G> = fen.parse()?;
    if let Some(outcome) = Record::new(start).outcome() {
        return Err(anyhow!("the game is over here: {outcome:?}"));
    }
    Ok(Opening {
        start,
        moves: Vec::new(),
    })
}

fn moves_line<G: Game>(line: &str, plies: Option<usize>) -> Result<Opening<G>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let played = words.len().min(plies.unwrap_or(usize::MAX));
    let record = inputs::play::<G>(Position::start(), &words[..played].join(" "))?;
    if let Some(outcome) = record.outcome() {
        return Err(anyhow!("the game is over after it: {outcome:?}"));
    }
    Ok(Opening {
        start: Position::start(),
        moves: record.moves().to_vec(),
    })
}
