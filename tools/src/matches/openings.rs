//! Openings: random lines that are distinct and roughly level, and books.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail, ensure};
use hexmate_engine::{Engine, Limits, Table};
use hexmate_movegen::{Game, GameId, Letters, Move, Position, Record};

use super::game_record::GameRecord;
use super::options::{BookFormat, OpeningOptions, RANDOM_PLIES};
use crate::analyse::parts_of_text;
use crate::bounded::TextLines;
use crate::exit::told;
use crate::game_names::GameNames;
use crate::inputs;
use crate::outcome;
use crate::pgn::Games;
use crate::random::SplitMix64;

/// Nodes of the search that judges whether a line is level.
const NODES: u64 = 3_000;
/// After this many consecutive unusable lines there are no more to be found.
const MOST_FAILURES: usize = 2_000;

/// An opening: a position and moves from it.
#[derive(Clone, Debug)]
pub struct Opening<G: Game> {
    /// The position before the moves.
    pub start: Position<G>,
    /// The moves, each legal after those before it.
    pub moves: Vec<Move>,
    /// What a book calls it, if it has a name.
    pub name: Option<String>,
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

/// Random lines from the starting position, the same for the same seed.
pub struct Generator<G: Game> {
    game: G,
    random: SplitMix64,
    plies: usize,
    balance: i32,
    /// The keys of the positions returned so far.
    given: HashSet<u64>,
    engine: Engine<G>,
    table: Table,
}

impl<G: Game> Generator<G> {
    /// Lines of this many plies, within this many centipawns of level.
    ///
    /// # Errors
    ///
    /// If the game is over at its start, or there is no memory for the judge's transposition table.
    pub fn new(game: G, seed: u64, plies: usize, balance: i32) -> Result<Self> {
        if let Some(outcome) = Record::new(Position::start_of(game)).outcome() {
            bail!(
                "{}: the game is over at its start ({}), so it has no openings",
                game.id(),
                outcome::words(outcome, game.spec())
            );
        }
        Ok(Generator {
            game,
            random: SplitMix64::new(seed),
            plies,
            balance,
            given: HashSet::new(),
            engine: Engine::of(game, 1),
            table: Table::new(1)?,
        })
    }

    /// Another line with a new last position; `None` if there seem to be no more.
    pub fn line(&mut self) -> Option<Opening<G>> {
        (0..MOST_FAILURES).find_map(|_| self.attempt(None))
    }

    /// The same if the next line is known, so that nothing has to be searched; `None` if it is another.
    fn known_line(&mut self, moves: &str) -> Option<Opening<G>> {
        (0..MOST_FAILURES).find_map(|_| self.attempt(Some(moves)))
    }

    fn attempt(&mut self, known: Option<&str>) -> Option<Opening<G>> {
        let mut record = Record::new(Position::start_of(self.game));
        for _ in 0..self.plies {
            let mv = self.random.legal_move(record.position());
            let mv = mv.expect("the game is not over");
            record.play(mv).expect("a legal move");
            if record.outcome().is_some() {
                return None;
            }
        }
        if self.given.contains(&record.position().key()) {
            return None;
        }
        let is_wanted = match known {
            Some(moves) => text_of(self.game, record.moves()) == moves,
            None => self.is_level(&record),
        };
        if !is_wanted {
            return None;
        }
        self.given.insert(record.position().key());
        Some(Opening {
            start: *record.first(),
            moves: record.moves().to_vec(),
            name: None,
        })
    }

    fn is_level(&mut self, record: &Record<G>) -> bool {
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        self.table.forget();
        self.engine.forget();
        let report = self.engine.analyse(&self.table, record, limits, |_| {});
        report.score().abs() <= self.balance
    }
}

fn text_of<G: Game>(game: G, moves: &[Move]) -> String {
    let moves: Vec<String> = moves.iter().map(|mv| mv.text(game)).collect();
    moves.join(" ")
}

/// The openings of a match, by number. Random lines are made on demand: between two games, by the thread that
/// plays the next one, so that no more processors are busy than games are played.
pub struct Openings<G: Game> {
    supply: Mutex<Supply<G>>,
    /// The moves of random lines that a journal knows, by number.
    known: HashMap<usize, String>,
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
    /// The openings of a match.
    ///
    /// # Errors
    ///
    /// If the book cannot be read, or has no usable opening.
    pub fn new(game: G, options: &OpeningOptions, seed: u64) -> Result<Self> {
        let Some((path, format)) = &options.file else {
            let plies = options.plies.unwrap_or(RANDOM_PLIES);
            let generator = Generator::new(game, seed, plies, options.balance)?;
            return Ok(Openings::supplied(Vec::new(), Some(generator), None));
        };
        let (mut lines, digest) = read_book(game, path, *format, options.plies)?;
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
            known: HashMap::new(),
            book,
        }
    }

    /// The number of different openings in the book; `None` without a book, since random lines are all
    /// different.
    pub fn different(&self) -> Option<usize> {
        self.book.as_ref().map(|book| book.different)
    }

    /// What the book calls its openings, in the order in which they are played; empty without a book.
    pub fn names(&self) -> Vec<Option<String>> {
        if self.book.is_none() {
            return Vec::new();
        }
        let supply = self.supply.lock().unwrap_or_else(PoisonError::into_inner);
        supply.ready.iter().map(|o| o.name.clone()).collect()
    }

    /// A hash of the book's file; `None` without a book.
    pub fn digest(&self) -> Option<u64> {
        self.book.as_ref().map(|book| book.digest)
    }

    /// Notes the opening of a finished game: a match that continues need not search for it again.
    pub fn remember(&mut self, game: &GameRecord) {
        if self.book.is_none() {
            let moves: Vec<&str> = game.moves.split(' ').take(game.book_plies).collect();
            self.known.insert(game.opening, moves.join(" "));
        }
    }

    /// The opening with a number, from 0. If there are fewer, they start over.
    ///
    /// # Errors
    ///
    /// If there are none, or it is not the one that a journal knows.
    pub fn get(&self, number: usize) -> Result<Opening<G>> {
        let mut supply = self.supply.lock().unwrap_or_else(PoisonError::into_inner);
        let Supply { ready, generator } = &mut *supply;
        while let Some(lines) = generator.as_mut().filter(|_| ready.len() <= number) {
            let known = self.known.get(&ready.len());
            let line = match known {
                Some(moves) => lines.known_line(moves),
                None => lines.line(),
            };
            if let Some(opening) = line {
                ready.push(opening);
                continue;
            }
            // There are no more, so the first one comes again.
            *generator = None;
            let again = ready
                .first()
                .map(|first| text_of(first.start.game(), &first.moves));
            if known.is_some() && known != again.as_ref() {
                bail!(
                    "the journal has another opening {} than the seed gives; it is of another version of hexmate",
                    ready.len() + 1
                );
            }
        }
        if ready.is_empty() {
            bail!(
                "no random opening is level enough, or the game is over before its end; allow fewer plies= or more balance="
            );
        }
        Ok(ready[number % ready.len()].clone())
    }
}

/// The openings of a book, and a hash of its file.
fn read_book<G: Game>(
    game: G,
    path: &Path,
    format: BookFormat,
    plies: Option<usize>,
) -> Result<(Vec<Opening<G>>, u64)> {
    let read = match format {
        BookFormat::Pgn => games_book(game, path, plies.unwrap_or(RANDOM_PLIES)),
        _ => lines_book(game, path, format, plies),
    };
    read.with_context(|| format!("{}", path.display()))
}

/// A position or a line of moves per line; blank lines and those that begin with `#` are skipped. A line that cannot be
/// used is reported and left out.
fn lines_book<G: Game>(
    game: G,
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
            BookFormat::Epd => position_line(game, line),
            _ if is_position_like(line) => Err(anyhow!(
                "a position; expected moves, or -openings format=epd"
            )),
            _ => moves_line(game, line, plies),
        };
        match opening {
            Ok(opening) => book.push(opening),
            Err(error) => leave_out(path, &format!("line {number}: {}", told(&error))),
        }
    }
    ensure!(!book.is_empty(), "holds no openings");
    Ok((book, lines.digest()))
}

/// The first moves of games. One that ends by the rules within them, or breaks off, is reported and left out.
fn games_book<G: Game>(game: G, path: &Path, plies: usize) -> Result<(Vec<Opening<G>>, u64)> {
    let mut games = Games::open(path)?;
    let mut book = Vec::new();
    while let Some(read) = games.next_game()? {
        let found = match read.game(game.id()) {
            Ok(found) => found,
            Err(fault) => {
                leave_out(path, &fault);
                continue;
            }
        };
        if found != game.id() {
            let line = read.line;
            leave_out(
                path,
                &format!("line {line}: {}", OtherGame(found, game.id())),
            );
            continue;
        }
        let record = read.record(game, Some(plies));
        let fault = read
            .fault
            .as_ref()
            .filter(|_| read.main.moves.len() < plies);
        let broken = record.as_ref().err().or(fault);
        if let Some(fault) = broken {
            leave_out(path, fault);
            continue;
        }
        let record = record?;
        if let Some(over) = over(&record) {
            leave_out(path, &format!("line {}: {over}", read.line));
            continue;
        }
        book.push(Opening {
            start: *record.first(),
            moves: record.moves().to_vec(),
            name: read.tag("Opening").map(str::to_owned),
        });
    }
    ensure!(!book.is_empty(), "holds no games that last {plies} plies");
    Ok((book, games.digest()))
}

/// An opening of another game than is played.
#[derive(Debug, thiserror::Error)]
#[error("an opening of {0}; expected {1}")]
struct OtherGame(GameId, GameId);

fn leave_out(path: &Path, fault: &dyn Display) {
    let path = path.display();
    eprintln!("hexmate: {path}: {fault}; this opening is left out");
}

fn position_line<G: Game>(game: G, line: &str) -> Result<Opening<G>> {
    // Operations follow the position, as in EPD; the last one of a name counts.
    let mut parts = parts_of_text(line);
    let fen = parts.next().unwrap_or(line);
    let (mut named, mut id) = (None, None);
    for operation in parts {
        named = operation.strip_prefix("game ").or(named);
        id = operation.strip_prefix("id ").or(id);
    }
    if let Some(named) = named {
        let named = named.trim().trim_matches('"');
        let found = GameNames::default().find(named, game.id())?;
        ensure!(found == game.id(), OtherGame(found, game.id()));
    }
    let start = Position::from_fen(game, fen)?;
    if let Some(outcome) = Record::new(start).outcome() {
        return Err(anyhow!(
            "the game is over here: {}",
            outcome::words(outcome, game.spec())
        ));
    }
    Ok(Opening {
        start,
        moves: Vec::new(),
        name: id.map(|id| id.trim().trim_matches('"').to_owned()),
    })
}

/// Whether a line is meant to be a position: no move has so many slashes.
fn is_position_like(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    first.matches('/').count() > 1
}

fn moves_line<G: Game>(game: G, line: &str, plies: Option<usize>) -> Result<Opening<G>> {
    let words = inputs::move_words(line).take(plies.unwrap_or(usize::MAX));
    let words: Vec<&str> = words.collect();
    let record = inputs::play(Position::start_of(game), &words.join(" "), &Letters::Own)?;
    if let Some(over) = over(&record) {
        bail!(over);
    }
    Ok(Opening {
        start: *record.first(),
        moves: record.moves().to_vec(),
        name: None,
    })
}

/// Where the rules end the game within an opening, if they do.
fn over<G: Game>(record: &Record<G>) -> Option<String> {
    let (plies, outcome) = outcome::first_end(record)?;
    let place = match plies == record.moves().len() {
        true => "it".to_owned(),
        false => format!("ply {plies} of it"),
    };
    let how = outcome::words(outcome, record.position().spec());
    Some(format!("the game is over after {place}: {how}"))
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::Glinski;

    use super::super::game_record::{GameResult, Termination};
    use super::*;

    fn random(plies: usize) -> Openings<Glinski> {
        let options = OpeningOptions {
            plies: Some(plies),
            ..OpeningOptions::default()
        };
        Openings::new(Glinski, &options, 5).unwrap()
    }

    fn texts(openings: &Openings<Glinski>, numbers: impl Iterator<Item = usize>) -> Vec<String> {
        numbers
            .map(|n| text_of(Glinski, &openings.get(n).unwrap().moves))
            .collect()
    }

    /// A game with this opening and one more move.
    fn finished(opening: usize, moves: &str) -> GameRecord {
        GameRecord {
            game: 1,
            round: 1,
            white: "a".to_owned(),
            black: "b".to_owned(),
            result: GameResult::of_white(2),
            reason: String::new(),
            termination: Termination::Normal,
            blame: None,
            late: None,
            opening,
            fen: String::new(),
            moves: format!("{moves} e4e5"),
            book_plies: moves.split(' ').count(),
            notes: Vec::new(),
            final_fen: String::new(),
            began: 0,
            millis: 0,
        }
    }

    /// An opening is made on demand, and no more than that.
    #[test]
    fn lines_are_made_when_they_are_needed() {
        let openings = random(4);
        for made in 1..=3 {
            openings.get(made - 1).unwrap();
            assert_eq!(openings.supply.lock().unwrap().ready.len(), made);
        }
    }

    /// What a journal knows does not change any opening.
    #[test]
    fn known_lines() {
        let undisturbed = texts(&random(4), 0..8);
        for known in [&[0][..], &[0, 1, 3], &[2, 5, 6], &[7]] {
            let mut openings = random(4);
            for &number in known {
                openings.remember(&finished(number, &undisturbed[number]));
            }
            assert_eq!(texts(&openings, 0..8), undisturbed);
        }
        let mut other = random(4);
        other.remember(&finished(1, "d1d9 d9d1 d1d9 d9d1"));
        assert!(other.get(0).is_ok());
        let error = other.get(1).unwrap_err().to_string();
        assert!(error.contains("another opening 2"), "{error}");
    }

    /// If there are few lines they start over, also with a journal.
    #[test]
    fn few_lines_come_round_again() {
        let undisturbed = texts(&random(1), 0..80);
        assert!(undisturbed[1..].contains(&undisturbed[0]));
        let mut openings = random(1);
        for (number, moves) in undisturbed.iter().enumerate() {
            openings.remember(&finished(number, moves));
        }
        assert_eq!(texts(&openings, 0..80), undisturbed);
    }
}
