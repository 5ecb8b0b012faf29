//! One worker: a table, and an engine for each game that came by.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hexmate_engine::{
    AnyEngine, Bound, Budget, Engine, Found as SearchFound, Limits, Report, SearchFault, Table,
    TtError, is_mate, run_search,
};
use hexmate_movegen::{AnyPosition, Game, GameId, Move, Record, with_game};
use serde_json::Value;
use tracing::warn;

use super::answer::{Answer, Findings, Head, Score};
use super::asking::Asking;
use super::equal;
use super::item::{Body, Item, Origin};
use super::memo::{Claim, Memo};
use super::request::{Label, Request, RequestError};
use super::settings::Settings;
use super::store::Store;
use crate::eval_file::EvalFileError;
use crate::explain::Explanation;
use crate::lines::Line;
use crate::threads::missing;

/// Where the answer to a record goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// The place in the output, from 0.
    pub place: u64,
    /// See [`Item::hash`].
    pub hash: u64,
}

/// Where an answer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// A search.
    Searched,
    /// An equal position of this run.
    InMemory,
    /// An equal position of another run, kept in a file.
    InFile,
    /// The rules: the game is over, or the record says nothing that can be used.
    AtOnce,
}

/// Why there is no answer.
enum Failure {
    Request(RequestError),
    Weights(EvalFileError),
    Search(SearchFault),
}

impl From<EvalFileError> for Failure {
    fn from(error: EvalFileError) -> Self {
        Failure::Weights(error)
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Failure::Request(error)
    }
}

impl From<SearchFault> for Failure {
    fn from(fault: SearchFault) -> Self {
        Failure::Search(fault)
    }
}

/// Receives answers.
type Send<'s> = dyn FnMut(Ticket, Answer, Found) + 's;

/// Analyses records, one after the other. An answer depends on nothing but its record and the settings.
pub struct Worker {
    settings: Settings,
    table: Table,
    /// Whether the system has given all of the table's memory.
    touched: bool,
    /// Whether it was said that the system does not give all threads.
    warned: bool,
    engines: Engines,
    reuse: Reuse,
    watch: Option<Watch>,
    /// Set by others to end searches.
    stop: Arc<AtomicBool>,
}

/// Is shown what a search has found so far, at each depth.
pub type Watch = Arc<dyn Fn(&AnyPosition, &Report) + std::marker::Send + Sync>;

/// What is known of equal positions.
#[derive(Default)]
pub struct Reuse {
    /// Those of this run.
    pub memo: Option<Arc<Memo>>,
    /// Those of other runs.
    pub store: Option<Store>,
    /// The position being searched that others may be waiting for.
    claimed: Option<u128>,
}

impl Reuse {
    /// Reuses what these know.
    pub fn new(memo: Option<Arc<Memo>>, store: Option<Store>) -> Reuse {
        Reuse {
            memo,
            store,
            claimed: None,
        }
    }
}

impl Worker {
    /// A worker with a table of its own.
    ///
    /// # Errors
    /// If there is not enough memory for the table.
    pub fn new(settings: Settings) -> Result<Self, TtError> {
        Self::reusing(settings, Reuse::default())
    }

    /// A worker that knows what others found.
    ///
    /// # Errors
    /// As [`Worker::new`].
    pub(crate) fn reusing(settings: Settings, reuse: Reuse) -> Result<Self, TtError> {
        Ok(Worker {
            table: Table::new(settings.hash_megabytes)?,
            touched: false,
            warned: false,
            settings,
            engines: HashMap::new(),
            reuse,
            watch: None,
            stop: Arc::default(),
        })
    }

    /// The same, with somebody who watches.
    pub fn watched(mut self, watch: Option<Watch>) -> Self {
        self.watch = watch;
        self
    }

    /// The same, with a flag of its own that somebody else may set: while it is set, every search ends soon, and its
    /// answer has what was found by then.
    ///
    /// ```
    /// # use std::{sync::{Arc, atomic::AtomicBool}, time::Duration};
    /// use hexmate::analyse::{Settings, Worker};
    /// use hexmate::lines::Line;
    ///
    /// let settings = Settings { movetime: Some(Duration::from_secs(600)), hash_megabytes: 1, ..Settings::default() };
    /// let mut worker = Worker::new(settings).unwrap().stopped_by(Arc::new(AtomicBool::new(true)));
    /// let line = Line { number: 1, text: Ok(r#"{"moves": ""}"#.to_owned()) };
    /// assert!(worker.answer(&line).json().contains(r#""depth":1,"#));
    /// ```
    pub fn stopped_by(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }

    /// The answer to a line, whatever the line is.
    pub fn answer(&mut self, line: &Line) -> Answer {
        let body = match &line.text {
            Ok(text) => Body::Text(text.clone()),
            Err(error) => Body::Fault {
                label: None,
                error: error.to_string(),
            },
        };
        let item = Item {
            origin: Origin {
                file: None,
                line: line.number,
            },
            game: self.settings.game,
            body,
            tags: Vec::new(),
        };
        let ticket = Ticket { place: 0, hash: 0 };
        let mut answer = None;
        self.work(ticket, &item, &mut |_, found, _| answer = Some(found));
        answer.expect("nobody else could be asked")
    }

    /// Answers a record, and all others that have waited for this position. A record whose position
    /// another worker is searching is left to that one.
    pub(crate) fn work(&mut self, ticket: Ticket, item: &Item, send: &mut Send<'_>) {
        let origin = &item.origin;
        let parsed;
        let request = match &item.body {
            Body::Request(request) => request,
            Body::Text(text) => match Request::parse(text, &origin.unnamed()) {
                Ok(request) => {
                    parsed = request;
                    &parsed
                }
                Err((label, error)) => {
                    let answer = Answer::refusal(*label, origin, None, &error);
                    return send(ticket, answer, Found::AtOnce);
                }
            },
            Body::Fault { label, error } => {
                let answer = match label {
                    Some(label) => Answer::refusal(label.clone(), origin, None, error),
                    None => Answer::fault(None, origin, None, error),
                };
                return send(ticket, answer, Found::AtOnce);
            }
        };
        // One position that breaks the program must not take the others along.
        let done = catch_unwind(AssertUnwindSafe(|| {
            self.analyse(request, item, ticket, send)
        }));
        if !matches!(done, Ok(Ok(()))) {
            self.engines.clear();
            let error = "a fault of hexmate itself; please report this line";
            let mut fault = |label: Label, origin: &Origin, ticket| {
                let answer = Answer::refusal(label, origin, None, error);
                send(ticket, answer, Found::AtOnce);
            };
            fault(request.label(), origin, ticket);
            let claimed = self.reuse.claimed.take().zip(self.reuse.memo.as_ref());
            let waiting = claimed.map(|(key, memo)| memo.settle(key, None));
            for waiter in waiting.into_iter().flatten() {
                let Head { id, fields, .. } = waiter.head;
                fault(Label { id, fields }, &waiter.origin, waiter.ticket);
            }
        }
    }

    fn analyse(
        &mut self,
        request: &Request,
        item: &Item,
        ticket: Ticket,
        send: &mut Send<'_>,
    ) -> Result<(), SearchFault> {
        let game = match request.game(&self.settings.names, item.game) {
            Ok(game) => game,
            Err(error) => {
                let answer = Answer::refusal(request.label(), &item.origin, None, &error);
                send(ticket, answer, Found::AtOnce);
                return Ok(());
            }
        };
        let found = with_game!(game, game => self.find(game, request, &item.origin, ticket, send));
        let mut refuse = |error: &dyn std::fmt::Display| {
            let answer = Answer::refusal(request.label(), &item.origin, Some(game), error);
            send(ticket, answer, Found::AtOnce);
            Ok(())
        };
        match found {
            Ok(()) => Ok(()),
            Err(Failure::Search(fault)) => Err(fault),
            Err(Failure::Request(error)) => refuse(&error),
            Err(Failure::Weights(error)) => refuse(&error),
        }
    }

    fn find<G: Game>(
        &mut self,
        game: G,
        request: &Request,
        origin: &Origin,
        ticket: Ticket,
        send: &mut Send<'_>,
    ) -> Result<(), Failure> {
        let record = request.record(game, &self.settings.letters)?;
        let searchmoves = request.searchmoves(&record, &self.settings.letters)?;
        let played = match self.settings.explain {
            true => request.played(&record, &self.settings.letters)?,
            false => None,
        };
        let head = Head {
            id: request.id.clone(),
            game: game.id().name(),
            fen: record.position().to_string(),
            fields: request.fields.clone(),
        };
        if let Some(outcome) = record.outcome() {
            let found = Findings::over(
                game,
                outcome,
                self.settings.multipv.is_some(),
                self.settings.wdl,
            );
            send(ticket, Answer::new(head, found), Found::AtOnce);
            return Ok(());
        }
        // Before anybody waits for this position.
        engine_of(game, &mut self.engines, &self.settings)?;
        let Some(memo) = self.reuse.memo.clone() else {
            let found = self.find_out(game, &record, &searchmoves, played)?;
            send(ticket, Answer::new(head, found), Found::Searched);
            return Ok(());
        };
        let key = equal::key(&head.fen, &record, &searchmoves, played, memo.terms());
        let head = match memo.claim(key, head, ticket, origin) {
            Claim::Known(head, found) => {
                send(ticket, Answer::new(head, found), Found::InMemory);
                return Ok(());
            }
            Claim::Waiting => return Ok(()),
            Claim::Mine(head) => head,
        };
        self.reuse.claimed = Some(key);
        let stored = self.reuse.store.as_mut().and_then(|store| store.get(key));
        let stored = stored.filter(|found| is_of(found, &record));
        let (found, from) = match stored {
            Some(found) => (found, Found::InFile),
            None => {
                let found = self.find_out(game, &record, &searchmoves, played)?;
                (found, Found::Searched)
            }
        };
        self.reuse.claimed = None;
        // What time cut off is not what the position is worth.
        let lasting = found.timeout.is_none();
        if let Some(store) = &mut self.reuse.store
            && lasting
            && from == Found::Searched
        {
            store.put(key, &found);
        }
        for waiter in memo.settle(key, lasting.then_some(&found)) {
            let again = Findings {
                time_ms: 0,
                ..found.clone()
            };
            send(
                waiter.ticket,
                Answer::new(waiter.head, again),
                Found::InMemory,
            );
        }
        send(ticket, Answer::new(head, found), from);
        Ok(())
    }

    /// Searches, and explains what was found if that is wanted.
    fn find_out<G: Game>(
        &mut self,
        game: G,
        record: &Record<G>,
        searchmoves: &[Move],
        played: Option<Move>,
    ) -> Result<Findings, Failure> {
        let mut found = self.search(game, record, searchmoves)?;
        // Of a position without a mate a search for one says next to nothing.
        let says = !self.settings.only_mate || matches!(found.score, Score::Mate(_));
        if self.settings.explain && found.timeout.is_none() && says {
            let mut asking = self.asking(game, record)?;
            found.explanation = asking.explanation(&found, searchmoves, played)?;
        }
        Ok(found)
    }

    /// What searches for an explanation need, all like new.
    fn asking<'w, G: Game>(
        &'w mut self,
        game: G,
        record: &'w Record<G>,
    ) -> Result<Asking<'w, G>, Failure> {
        let engine = engine_of(game, &mut self.engines, &self.settings)?;
        engine.forget();
        self.table.forget();
        Ok(Asking {
            engine,
            table: &mut self.table,
            record,
            settings: &self.settings,
            stop: &self.stop,
        })
    }

    /// What separates the best move of a position from the one that was played, given the answers to searches of the
    /// position and of that move alone; `None` if they are no such answers, or a search was stopped.
    pub(crate) fn explain(
        &mut self,
        request: &Request,
        default: GameId,
        before: &Findings,
        alone: &Findings,
    ) -> Option<Explanation> {
        let game = request.game(&self.settings.names, default).ok()?;
        with_game!(game, game => {
            let record = request.record(game, &self.settings.letters).ok()?;
            let mut asking = self.asking(game, &record).ok()?;
            asking.explanation_of(before, alone).ok().flatten()
        })
    }

    /// The same for the position of a line of input.
    pub fn explain_line(
        &mut self,
        line: &str,
        before: &Findings,
        alone: &Findings,
    ) -> Option<Explanation> {
        let request = Request::parse(line, &Value::Null).ok()?;
        self.explain(&request, self.settings.game, before, alone)
    }

    fn search<G: Game>(
        &mut self,
        game: G,
        record: &Record<G>,
        searchmoves: &[Move],
    ) -> Result<Findings, Failure> {
        let settings = &self.settings;
        let times = [settings.movetime, settings.timeout];
        let time = times.into_iter().flatten().min();
        let engine = engine_of(game, &mut self.engines, settings)?;
        engine.forget();
        if time.is_some() && !self.touched {
            // Page faults would be paid for by the first position.
            self.table.clear(settings.threads);
            self.touched = true;
        } else {
            self.table.forget();
        }
        let within = Limits {
            searchmoves,
            multipv: settings.multipv.unwrap_or(1),
            ..Limits::default()
        };
        let limits = Limits {
            // A mate is looked for after the first depth.
            depth: settings.depth.or(settings.only_mate.then_some(1)),
            nodes: settings.nodes,
            mate: settings.mate,
            time: time.map(|time| Budget::fixed(time, Duration::ZERO)),
            stop: Some(&self.stop),
            ..within
        };
        let mut decision = Decision::default();
        let mut decided = false;
        let watch = self.watch.as_ref();
        let position = watch.map(|_| AnyPosition::from(*record.position()));
        let ended = run_search(engine, &self.table, record, limits, |report| {
            if let (Some(watch), Some(position)) = (watch, &position) {
                watch(position, report);
            }
            if decision.is_made(report, settings) {
                decided = true;
                self.stop.store(true, Ordering::Relaxed);
            }
        });
        if decided {
            self.stop.store(false, Ordering::Relaxed);
        }
        let lacking = engine.missing_threads();
        if lacking > 0 && !self.warned {
            warn!("--threads: {}", missing(lacking, settings.threads));
            self.warned = true;
        }
        let mut ended = ended?;
        if ended.report.depth == 0 {
            // However small the limits are: what no search has looked at is no answer.
            let first = Limits {
                depth: Some(1),
                ..within
            };
            let mut again = run_search(engine, &self.table, record, first, |_| {})?;
            again.report.nodes += ended.report.nodes;
            again.report.tbhits += ended.report.tbhits;
            again.time += ended.time;
            ended = again;
        }
        let SearchFound {
            report,
            time: spent,
        } = ended;
        let position = record.position();
        let mut found =
            Findings::searched(position, &report, settings.multipv.is_some(), settings.wdl);
        found.time_ms = spent.as_millis() as u64;
        found.timeout = settings.timeout.filter(|&most| spent >= most).map(|_| true);
        Ok(found)
    }
}

/// The engines of the games that came by.
type Engines = HashMap<GameId, AnyEngine>;

/// The engine of a game, made when it is needed first.
fn engine_of<'e, G: Game>(
    game: G,
    engines: &'e mut Engines,
    settings: &Settings,
) -> Result<&'e mut Engine<G>, EvalFileError> {
    let engine = match engines.entry(game.id()) {
        Entry::Occupied(engine) => engine.into_mut(),
        Entry::Vacant(place) => {
            let mut engine = Engine::of(game, settings.threads);
            let tables = settings.tables.get(&game.id()).cloned();
            engine.set_tables(tables.or_else(|| settings.later_tables.of(game.id())));
            if let Some(file) = &settings.eval_file {
                engine.set_evaluation(file.evaluator(game)?);
            }
            place.insert(engine.into())
        }
    };
    Ok(engine.typed().expect("filed under its own type"))
}

/// Whether what was stored can be the answer: it was searched, and its move can be played here.
fn is_of<G: Game>(found: &Findings, record: &Record<G>) -> bool {
    let best = found.bestmove.as_deref().filter(|_| found.depth > 0);
    best.is_some_and(|best| record.position().parse_move(best).is_ok())
}

/// Whether enough is known to end a search early. Depths come at node counts that do not depend on time,
/// and so does the end, with one thread.
#[derive(Default)]
struct Decision {
    /// The depth at which the score was far from 0, if it was at the last one.
    far_at: Option<u32>,
}

impl Decision {
    /// Looks at what is known after a depth.
    fn is_made(&mut self, report: &Report, settings: &Settings) -> bool {
        let Some(line) = report.lines.first().filter(|l| l.bound == Bound::Exact) else {
            return false;
        };
        if settings.stop_at_mate && is_mate(line.score) {
            return true;
        }
        let Some(far) = settings.stop_cp else {
            return false;
        };
        if line.score.unsigned_abs() < far {
            self.far_at = None;
            return false;
        }
        let before = *self.far_at.get_or_insert(report.depth);
        report.depth > before
    }
}
