//! Searches that a request begins and its end ends.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use hexmate_engine::{Budget, Event, Found, Hold, Limits, Line, RunningSearch, Shown};
use hexmate_movegen::{AnyPosition, AnyRecord, Game, Move, Position, Record, with_record};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::place;
use super::shared::{MOST_DEPTH, MOST_LINES, MOST_NODES, MOST_TIME, Shared};
use crate::chances::wdl;
use crate::score::Bound;

/// How often a search looks whether anybody still listens.
const LOOK: Duration = Duration::from_millis(25);
/// The least time between two lines, and the most.
const LEAST: Duration = Duration::from_millis(50);
const MOST: Duration = Duration::from_millis(100);

/// What is searched, and how.
#[derive(Clone, Debug)]
pub struct Order {
    pub threads: usize,
    pub megabytes: usize,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub time: Option<Budget>,
    pub multipv: usize,
    pub searchmoves: Vec<Move>,
    pub tables: bool,
    /// Begin as if nothing had been searched before.
    pub fresh: bool,
}

impl Order {
    /// One line, without limits.
    pub fn new(shared: &Shared) -> Order {
        Order {
            threads: shared.threads,
            megabytes: shared.hash,
            depth: None,
            nodes: None,
            time: None,
            multipv: 1,
            searchmoves: Vec::new(),
            tables: true,
            fresh: false,
        }
    }

    /// Takes `threads` and `hash` from a request.
    ///
    /// # Errors
    /// If they are not numbers within the limits.
    pub fn take_size(&mut self, fields: &mut Fields, shared: &Shared) -> Result<(), ApiError> {
        if let Some(threads) = fields.number("threads", 1..=shared.most_threads() as u64)? {
            self.threads = threads as usize;
        }
        if let Some(hash) = fields.number("hash", 1..=shared.most_hash() as u64)? {
            self.megabytes = hash as usize;
        }
        Ok(())
    }
}

/// What a search tells while it runs.
#[derive(Debug)]
pub enum News<'f> {
    /// Something new was found; the table is full to so many thousandths.
    Found(&'f Found, u32),
    /// Nothing new for a while, but so many positions were visited.
    Nodes(u64, Duration),
}

/// Searches on threads of their own until the end, or until nobody listens; `told` is given the news.
///
/// # Errors
/// If there is no memory or no thread to search with, or the program breaks it off by a fault of its own.
pub fn run<G: Game>(
    shared: &Shared,
    record: &Record<G>,
    order: &Order,
    is_gone: &dyn Fn() -> bool,
    told: &mut dyn FnMut(News<'_>),
) -> Result<Found, ApiError> {
    let game = record.position().game();
    let (mut engine, mut table) = shared.engine(game, order.threads, order.megabytes)?;
    let tables = shared.tables.get(&game.id()).filter(|_| order.tables);
    engine.set_tables(tables.cloned());
    if order.fresh {
        engine.forget();
        table.clear(order.threads);
    }
    let limits = Limits {
        depth: order.depth,
        nodes: order.nodes,
        time: order.time,
        searchmoves: &order.searchmoves,
        multipv: order.multipv,
        ..Limits::default()
    };
    let started = RunningSearch::start(engine, table, record, limits, Hold::default());
    let (search, events) = started.map_err(|error| ApiError::fault(error.error.to_string()))?;
    let begin = Instant::now();
    let mut end = None;
    let (mut news, mut is_first, mut at) = (None, true, begin);
    while end.is_none() {
        match events.recv_timeout(LOOK) {
            Ok(Event::Progress { found, hashfull }) => news = Some((found, hashfull)),
            Ok(Event::Finished(found)) => end = Some(found),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if is_gone() {
            search.stop();
            continue;
        }
        let waited = at.elapsed();
        let is_due = is_first || waited >= LEAST || end.is_some();
        if let Some((found, hashfull)) = news.take_if(|_| is_due) {
            told(News::Found(&found, hashfull));
            is_first = false;
        } else if waited >= MOST {
            told(News::Nodes(search.nodes(), begin.elapsed()));
        } else {
            continue;
        }
        at = Instant::now();
    }
    shared.tell_damage(game.id());
    if let Some((engine, table)) = search.join() {
        shared.rest(game, engine, table, order.megabytes);
    }
    match end {
        Some(Ok(found)) => Ok(found),
        Some(Err(fault)) => Err(ApiError::fault(fault.to_string())),
        None => Err(ApiError::fault("the search ended without an answer")),
    }
}

/// A request for `/api/analyse` that can be carried out.
#[derive(Clone, Debug)]
pub struct Analysis {
    record: AnyRecord,
    order: Order,
    movetime: Option<u64>,
}

impl Analysis {
    /// Reads it.
    ///
    /// # Errors
    /// If a field cannot be used.
    pub fn read(shared: &Shared, mut fields: Fields) -> Result<Analysis, ApiError> {
        let mut record = place::record(&mut fields, shared)?;
        let mut order = Order::new(shared);
        order.take_size(&mut fields, shared)?;
        let multipv = fields.number("multipv", 1..=MOST_LINES)?;
        order.multipv = multipv.unwrap_or(1) as usize;
        order.depth = fields
            .number("depth", 1..=MOST_DEPTH)?
            .map(|depth| depth as u32);
        order.nodes = fields.number("nodes", 1..=MOST_NODES)?;
        let movetime = fields.number("movetime", 1..=MOST_TIME)?;
        order.time =
            movetime.map(|time| Budget::fixed(Duration::from_millis(time), Duration::ZERO));
        order.tables = fields.flag("tables")?.unwrap_or(true);
        order.fresh = fields.flag("fresh")?.unwrap_or(false);
        if fields.flag("threat")?.unwrap_or(false) {
            record = passed(&record)?;
        }
        let position = record.position();
        for (i, text) in fields
            .texts("searchmoves", 1000)?
            .unwrap_or_default()
            .iter()
            .enumerate()
        {
            let mv = hexmate_movegen::read_move(&position, text, &hexmate_movegen::Letters::Own);
            let wrong = |error| {
                ApiError::bad("move", format!("\"searchmoves\": {error}"))
                    .of("searchmoves")
                    .at(i)
            };
            order
                .searchmoves
                .push(mv.map_err(|error| wrong(error.to_string()))?);
        }
        fields.end()?;
        Ok(Analysis {
            record,
            order,
            movetime,
        })
    }

    /// Carries it out; each line is given to `tell`, which says whether anybody still listens.
    ///
    /// # Errors
    /// As [`run`].
    pub fn run(
        &self,
        shared: &Shared,
        is_gone: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(Value),
    ) -> Result<(), ApiError> {
        let position = self.record.position();
        let legal = position.legal_moves().len();
        tell(json!({
            "type": "begin",
            "side": position.side_to_move().letter().to_string(),
            "legal": legal,
            "threads": self.order.threads,
            "hash": self.order.megabytes,
        }));
        if legal == 0 {
            tell(
                json!({"type": "done", "reason": "no_moves", "best": null, "san": null, "nodes": 0, "time": 0}),
            );
            return Ok(());
        }
        let found = with_record!(&self.record, record => {
            run(shared, record, &self.order, is_gone, &mut |news| {
                tell(match news {
                    News::Found(found, hashfull) => info(&position, record.position(), found, hashfull),
                    News::Nodes(nodes, time) => json!({
                        "type": "nodes",
                        "nodes": nodes,
                        "nps": speed(nodes, time),
                        "time": millis(time),
                    }),
                });
            })?
        });
        let best = found.report.best_move();
        tell(json!({
            "type": "done",
            "reason": self.reason(&found),
            "best": best.map(|mv| position.text(mv)),
            "san": best.map(|mv| hexmate_movegen::san(&position, mv)),
            "nodes": found.report.nodes,
            "time": millis(found.time),
        }));
        Ok(())
    }

    /// Which limit ended the search.
    fn reason(&self, found: &Found) -> &'static str {
        let Order { depth, nodes, .. } = self.order;
        if depth.is_some_and(|depth| found.report.depth >= depth) {
            "depth"
        } else if nodes.is_some_and(|nodes| found.report.nodes >= nodes) {
            "nodes"
        } else if self.movetime.is_some_and(|time| millis(found.time) >= time) {
            "time"
        } else {
            "finished"
        }
    }
}

/// The record if the side to move passes.
fn passed(record: &AnyRecord) -> Result<AnyRecord, ApiError> {
    let Some(passed) = record.position().null_move() else {
        let message = "\"threat\": the side to move is in check, so it cannot pass";
        return Err(ApiError::field("threat", message));
    };
    if record.outcome().is_some() {
        return Err(ApiError::field("threat", "\"threat\": the game is over"));
    }
    Ok(AnyRecord::new(passed))
}

/// Positions a second.
fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}

/// What was found, as a line of a stream.
fn info<G: Game>(position: &AnyPosition, own: &Position<G>, found: &Found, hashfull: u32) -> Value {
    let report = &found.report;
    let lines: Vec<Value> = report
        .lines
        .iter()
        .map(|line| line_object(position, own, line))
        .collect();
    json!({
        "type": "info",
        "depth": report.depth,
        "seldepth": report.seldepth,
        "nodes": report.nodes,
        "nps": speed(report.nodes, found.time),
        "time": millis(found.time),
        "hashfull": hashfull,
        "tbhits": report.tbhits,
        "lines": lines,
    })
}

fn line_object<G: Game>(position: &AnyPosition, own: &Position<G>, line: &Line) -> Value {
    let (pv, san) = place::line(position, &line.pv);
    json!({
        "score": score(line.score),
        "bound": Bound::of(line.bound).map_or("exact", Bound::name),
        "wdl": wdl(line.score, own, &line.pv),
        "depth": line.depth,
        "seldepth": line.seldepth,
        "pv": pv,
        "san": san,
    })
}

/// A score as the page is told it.
pub fn score(score: hexmate_engine::Score) -> Value {
    match Shown::from(score) {
        Shown::Centipawns(cp) => json!({"cp": cp}),
        Shown::Mate(moves) => json!({"mate": moves}),
    }
}
