//! What all requests share: what was said at the command line, who may search, and engines that rest.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use hexmate_engine::{AnyEngine, Engine, Table};
use hexmate_movegen::{Game, GameId, Letters, with_game};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::ApiError;
use super::guard::Guard;
use super::levels::LEVELS;
use super::matches::Followed;
use super::place::MOST_MOVES;
use crate::tables::{AllTables, new_damage};

/// No body is longer, in bytes.
pub const MOST_BODY: usize = 1 << 20;
/// No more searches run at once: browsers open six connections to a server, and some must be left.
pub const MOST_SEARCHES: usize = 4;
/// No more lines, plies, nodes and milliseconds may be asked for.
pub const MOST_LINES: u64 = 50;
pub const MOST_DEPTH: u64 = 240;
pub const MOST_NODES: u64 = 1_000_000_000_000;
pub const MOST_TIME: u64 = 86_400_000;
/// The most nodes of one search of a review: these are many, and each ends by itself.
pub const MOST_REVIEW_NODES: u64 = 10_000_000;
/// Megabytes of a table that a request may ask for, unless more was said at the command line.
const USUAL_MOST_HASH: usize = 1024;
/// Tables of so many megabytes take no memory to speak of.
const SMALL: usize = 16;
/// How many engines may rest.
const MOST_IDLE: usize = 3;

/// What was named at the command line to be looked at.
#[derive(Debug)]
pub struct Opened {
    /// The name of the file, or of the position.
    pub name: String,
    /// The answer to `/api/read` for its text.
    pub content: Value,
}

/// Everything that requests share.
pub struct Shared {
    /// Who may ask.
    pub guard: Guard,
    /// All games, those from files last.
    pub games: Vec<GameId>,
    /// How many of them ship.
    pub shipped: usize,
    /// The one to show first.
    pub usual: GameId,
    /// Whether somebody asked for that one.
    pub chosen: bool,
    /// Endgame tables, by game.
    pub tables: AllTables,
    /// The journal of a match to follow.
    pub journal: Option<Followed>,
    /// What to show first.
    pub opened: Option<Opened>,
    /// The letters of pieces that the page begins with, if any were named.
    pub letters: Option<Letters>,
    /// Threads and megabytes of a search that does not say.
    pub threads: usize,
    pub hash: usize,
    slots: Arc<Semaphore>,
    idle: Mutex<Vec<Idle>>,
}

/// An engine and a table that rest between two searches.
struct Idle {
    game: GameId,
    megabytes: usize,
    engine: AnyEngine,
    table: Table,
}

/// The right to search.
#[derive(Debug)]
pub struct Slot {
    _permit: OwnedSemaphorePermit,
}

impl Shared {
    /// With nothing opened, no tables and no match.
    pub fn new(guard: Guard, games: Vec<GameId>, usual: GameId) -> Shared {
        Shared {
            guard,
            games,
            shipped: GameId::shipped().len(),
            usual,
            chosen: false,
            tables: AllTables::default(),
            journal: None,
            opened: None,
            letters: None,
            threads: (processors() / 2).max(1),
            hash: 64,
            slots: Arc::new(Semaphore::new(MOST_SEARCHES)),
            idle: Mutex::default(),
        }
    }

    /// The most threads that a request may ask for.
    pub fn most_threads(&self) -> usize {
        processors().max(self.threads)
    }

    /// The same for megabytes.
    pub fn most_hash(&self) -> usize {
        USUAL_MOST_HASH.max(self.hash)
    }

    /// A place among the searches that run at once. Waits for a moment, since a page that asks for another search
    /// closes the one before in the same instant.
    ///
    /// # Errors
    /// If none becomes free.
    pub async fn slot(&self) -> Result<Slot, ApiError> {
        const MOMENT: Duration = Duration::from_millis(500);
        let permit = tokio::time::timeout(MOMENT, Arc::clone(&self.slots).acquire_owned()).await;
        match permit {
            Ok(Ok(permit)) => Ok(Slot { _permit: permit }),
            _ => Err(ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "busy",
                format!("{MOST_SEARCHES} searches are running already; close one of them first"),
            )),
        }
    }

    /// How many searches run.
    pub fn running(&self) -> usize {
        MOST_SEARCHES - self.slots.available_permits()
    }

    /// An engine and a table, if possible those that have searched this game before.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn engine<G: Game>(
        &self,
        game: G,
        threads: usize,
        megabytes: usize,
    ) -> Result<(Engine<G>, Table), ApiError> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle
            .iter()
            .rposition(|i| i.game == game.id() && i.megabytes == megabytes);
        let found = found.map(|i| idle.remove(i));
        if found.is_none() && megabytes > SMALL {
            // Memory that another size of table needs is not held back.
            idle.retain(|i| i.megabytes == megabytes || i.megabytes <= SMALL);
        }
        drop(idle);
        if let Some(Idle { engine, table, .. }) = found
            && let Ok(mut engine) = engine.into_typed::<G>()
        {
            engine.set_threads(threads);
            return Ok((engine, table));
        }
        let mut table = Table::new(megabytes)
            .map_err(|error| ApiError::field("hash", format!("\"hash\": {error}")))?;
        // Its memory comes from the system now, not while the search runs.
        table.prepare(threads);
        Ok((Engine::of(game, threads), table))
    }

    /// Makes what the first search will need.
    pub fn warm_up(&self) {
        with_game!(self.usual, game => {
            if let Ok((engine, table)) = self.engine(game, self.threads, self.hash) {
                self.rest(game, engine, table, self.hash);
            }
        });
    }

    /// Keeps an engine for the next search.
    pub fn rest<G: Game>(&self, game: G, engine: Engine<G>, table: Table, megabytes: usize) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() >= MOST_IDLE {
            idle.remove(0);
        }
        idle.push(Idle {
            game: game.id(),
            megabytes,
            engine: engine.into(),
            table,
        });
    }

    /// Tells the terminal of damage that the tables of a game have met: of each table once.
    pub fn tell_damage(&self, game: GameId) {
        let tables = self.tables.get(&game);
        for told in tables.map(|t| new_damage(t)).unwrap_or_default() {
            eprintln!("hexmate: {told}");
        }
    }

    /// The answer to `/api/hello`.
    pub fn hello(&self) -> Value {
        let mut tables: Vec<&str> = self.tables.keys().map(|game| game.name()).collect();
        tables.sort_unstable();
        let opened = self.opened.as_ref().map(|opened| {
            json!({
                "name": opened.name,
                "kind": opened.content["kind"],
                "games": opened.content["games"].as_array().map_or(0, Vec::len),
            })
        });
        json!({
            "name": "Hexmate",
            "version": env!("CARGO_PKG_VERSION"),
            "game": self.usual.name(),
            "chosen": self.chosen,
            "processors": processors(),
            "running": self.running(),
            "defaults": {"threads": self.threads, "hash": self.hash, "multipv": 3},
            "limits": {
                "body": MOST_BODY,
                "searches": MOST_SEARCHES,
                "threads": self.most_threads(),
                "hash": self.most_hash(),
                "multipv": MOST_LINES,
                "depth": MOST_DEPTH,
                "nodes": MOST_NODES,
                "movetime": MOST_TIME,
                "moves": MOST_MOVES,
                "review_nodes": MOST_REVIEW_NODES,
            },
            "levels": LEVELS.iter().map(super::levels::Level::object).collect::<Vec<_>>(),
            "tables": tables,
            "match": self.journal.is_some(),
            "opened": opened,
            "letters": self.letters.as_ref().and_then(letters_in_words),
        })
    }
}

/// Letters as requests name them: a language, or one letter after the other.
fn letters_in_words(letters: &Letters) -> Option<String> {
    match letters {
        Letters::Own => None,
        Letters::Language(name, _) => Some((*name).to_owned()),
        Letters::Listed(letters) => Some(letters.iter().collect()),
    }
}

/// How many threads the machine runs at once.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
