//! One worker: a table, and an engine for each game that came by.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use hexmate_engine::{Budget, Engine, Limits, Table, TtError};
use hexmate_movegen::{Game, GameId, Move, Record, with_game};
use serde_json::Value;

use super::answer::Answer;
use super::request::Request;
use crate::lines::Line;

/// The size of a table if nobody says another.
pub const DEFAULT_HASH_MEGABYTES: usize = 16;

/// How positions are to be analysed.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The game of lines that do not name one.
    pub game: GameId,
    /// See [`Limits`].
    pub depth: Option<u32>,
    /// See [`Limits`].
    pub nodes: Option<u64>,
    /// Time for each position.
    pub movetime: Option<Duration>,
    /// See [`Limits`].
    pub mate: Option<u32>,
    /// How many of the best moves get a line; `None`: the best, and it is not told apart.
    pub multipv: Option<usize>,
    /// Threads for each position.
    pub threads: usize,
    /// The size of each worker's table.
    pub hash_megabytes: usize,
}

/// One thread, the default table and no limit: one of them must be set.
impl Default for Settings {
    fn default() -> Self {
        Settings {
            game: GameId::Glinski,
            depth: None,
            nodes: None,
            movetime: None,
            mate: None,
            multipv: None,
            threads: 1,
            hash_megabytes: DEFAULT_HASH_MEGABYTES,
        }
    }
}

/// Analyses lines, one after the other. An answer depends on nothing but its line and the settings.
pub struct Worker {
    settings: Settings,
    table: Table,
    engines: HashMap<TypeId, Box<dyn Any + Send>>,
}

impl Worker {
    /// A worker with a table of its own.
    ///
    /// # Errors
    /// If there is not enough memory for the table.
    pub fn new(settings: Settings) -> Result<Self, TtError> {
        Ok(Worker {
            settings,
            table: Table::new(settings.hash_megabytes)?,
            engines: HashMap::new(),
        })
    }

    /// The answer to a line, whatever the line is.
    pub fn answer(&mut self, line: &Line) -> Answer {
        let number = line.number;
        let text = match &line.text {
            Ok(text) => text,
            Err(error) => return Answer::fault(number.into(), number, None, error),
        };
        let request = match Request::parse(text, number) {
            Ok(request) => request,
            Err((id, error)) => return Answer::fault(id, number, None, &error),
        };
        let id = request.id.clone();
        // One position that breaks the program must not take the others along.
        let answer = catch_unwind(AssertUnwindSafe(|| self.analyse(&request, number)));
        answer.unwrap_or_else(|_| {
            self.engines.clear();
            let error = "a fault of hexmate itself; please report this line";
            Answer::fault(id, number, None, error)
        })
    }

    fn analyse(&mut self, request: &Request, number: u64) -> Answer {
        let id = request.id.clone();
        let game = match request.game(self.settings.game) {
            Ok(game) => game,
            Err(error) => return Answer::fault(id, number, None, &error),
        };
        with_game!(game, G => {
            let task = request.record::<G>();
            let task = task.and_then(|record| Ok((request.searchmoves(&record)?, record)));
            match task {
                Ok((searchmoves, record)) => self.search(id, &record, &searchmoves),
                Err(error) => Answer::fault(id, number, Some(game), &error),
            }
        })
    }

    fn search<G: Game>(&mut self, id: Value, record: &Record<G>, searchmoves: &[Move]) -> Answer {
        let position = record.position();
        let multipv = self.settings.multipv;
        if let Some(outcome) = record.outcome() {
            return Answer::over(id, position, outcome, multipv.is_some());
        }
        let begin = Instant::now();
        let limits = Limits {
            depth: self.settings.depth,
            nodes: self.settings.nodes,
            mate: self.settings.mate,
            searchmoves,
            multipv: multipv.unwrap_or(1),
            time: self
                .settings
                .movetime
                .map(|time| Budget::fixed(begin, time, Duration::ZERO)),
            ..Limits::default()
        };
        self.table.forget();
        let engine = self
            .engines
            .entry(TypeId::of::<G>())
            .or_insert_with(|| Box::new(Engine::<G>::new(self.settings.threads)))
            .downcast_mut::<Engine<G>>()
            .expect("filed under its own type");
        engine.forget();
        let report = engine.analyse(&self.table, record, limits, |_| {});
        let time_ms = begin.elapsed().as_millis() as u64;
        Answer::searched(id, position, &report, time_ms, multipv.is_some())
    }
}
