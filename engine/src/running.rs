//! A search that runs on a thread of its own, and the same search on the caller's thread.
//!
//! Both see to what every caller would have to see to: the moment when the clock starts, a stack that is deep
//! enough, and that a fault of the program costs neither the process nor the answer.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{fmt, io};

use hexmate_movegen::{Game, Move, Record};
use hexmate_tt::{Bound, Table};

use crate::engine::Engine;
use crate::limits::{Limits, Line, Report};
use crate::score::DRAW;
use crate::smp::STACK_BYTES;

/// What a search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What it found.
    pub report: Report,
    /// The time since [`Limits::begin`], or since the search began.
    pub time: Duration,
}

/// The program broke off a search by a fault of its own. The engine can be used as before; what it had learnt
/// about moves is forgotten.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a fault of the search itself: {message}")]
pub struct SearchFault {
    /// What was found before; or else a legal move without a score, if there is one.
    pub before: Found,
    /// What the program said.
    pub message: String,
}

/// Searches the last position of `record` on the caller's thread, which should have [`STACK_BYTES`] of stack.
/// For those who search many small positions: a thread for each would cost 60 µs, 6 % of a search of 1,000 nodes.
/// `progress` is called as by [`Engine::analyse`].
///
/// # Errors
/// If the search breaks by a fault of its own, or `progress` panics.
pub fn run_search<G: Game>(
    engine: &mut Engine<G>,
    table: &Table,
    record: &Record<G>,
    mut limits: Limits<'_>,
    mut progress: impl FnMut(&Report),
) -> Result<Found, SearchFault> {
    let begin = *limits.begin.get_or_insert_with(Instant::now);
    let mut last = None;
    let searched = catch_unwind(AssertUnwindSafe(|| {
        engine.analyse(table, record, limits, |report| {
            progress(report);
            last = Some(report.clone());
        })
    }));
    match searched {
        Ok(report) => Ok(Found {
            report,
            time: begin.elapsed(),
        }),
        Err(panic) => {
            engine.renew();
            let report = last.unwrap_or_else(|| unsearched(record, limits.searchmoves));
            Err(SearchFault {
                before: Found {
                    report,
                    time: begin.elapsed(),
                },
                message: message_of(panic.as_ref()),
            })
        }
    }
}

/// What is known without a search.
fn unsearched<G: Game>(record: &Record<G>, searchmoves: &[Move]) -> Report {
    let legal = record.position().legal_moves();
    let allowed = legal
        .iter()
        .filter(|mv| searchmoves.is_empty() || searchmoves.contains(mv));
    Report {
        depth: 0,
        seldepth: 0,
        nodes: 0,
        tbhits: 0,
        no_mate_in: None,
        lines: vec![Line {
            score: DRAW,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 0,
            pv: allowed.take(1).copied().collect(),
        }],
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "it said nothing".to_owned())
}

/// What a running search tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Something new was found: after each finished depth, when a score falls outside of what was expected,
    /// and at the end of the search if that found more.
    Progress {
        /// What is known by now.
        found: Found,
        /// How full the table is, in thousandths.
        hashfull: u32,
    },
    /// The search is over, and nothing holds its result back any more. Nothing follows.
    Finished(Result<Found, SearchFault>),
}

/// What holds the result of a search back when the search itself has ended, until it is joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hold {
    /// [`RunningSearch::stop`] must come first.
    pub until_stop: bool,
    /// The opponent is still thinking: [`RunningSearch::ponder_hit`] or `stop` must come first, and until then
    /// time does not end the search. It counts from the start all the same.
    pub until_ponder_hit: bool,
}

/// What the search and its owner share.
#[derive(Debug, Default)]
struct Signals {
    stop: AtomicBool,
    ponder: AtomicBool,
    /// Whether the result waits for `stop`.
    held: AtomicBool,
    /// Positions visited so far.
    nodes: AtomicU64,
}

/// A search on a thread of its own. Engine and table belong to it until it is joined, so nothing needs a
/// lock. If it is dropped, the search ends soon and its engine and table are lost. If nobody listens to its events
/// any more, it ends where it would tell the next one.
///
/// ```
/// use hexmate_engine::{Engine, Event, Hold, Limits, RunningSearch, Table};
/// use hexmate_movegen::{Glinski, Position, Record};
///
/// let record = Record::new(Position::<Glinski>::start());
/// let (engine, table) = (Engine::default(), Table::new(1).unwrap());
/// let hold = Hold { until_stop: true, ..Hold::default() };
/// let (search, events) =
///     RunningSearch::start(engine, table, &record, Limits::default(), hold).unwrap();
/// for event in events {
///     match event {
///         Event::Progress { found, .. } if found.report.depth == 3 => search.stop(),
///         Event::Progress { .. } => {}
///         Event::Finished(end) => assert!(end.unwrap().report.best_move().is_some()),
///     }
/// }
/// let (engine, table) = search.join().unwrap();
/// ```
#[derive(Debug)]
pub struct RunningSearch<G: Game> {
    /// There until it is joined.
    thread: Option<JoinHandle<(Engine<G>, Table)>>,
    signals: Arc<Signals>,
}

/// The system gave no thread to search with.
#[derive(thiserror::Error)]
#[error("no thread to search with: {error}")]
pub struct StartError<G: Game> {
    /// What was to search, unharmed.
    pub engine: Box<Engine<G>>,
    /// Its table.
    pub table: Table,
    /// What the system said.
    pub error: io::Error,
}

impl<G: Game> fmt::Debug for StartError<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StartError").field(&self.error).finish()
    }
}

impl<G: Game> RunningSearch<G> {
    /// Begins to search the last position of `record`. The table is told that the search is a new one.
    ///
    /// Of `limits`, `stop`, `ponder` and `counted` are not used: [`RunningSearch::stop`], `hold`,
    /// [`RunningSearch::ponder_hit`] and [`RunningSearch::nodes`] take their places. The clock starts at
    /// [`Limits::begin`], or now.
    ///
    /// # Errors
    /// If the system gives no thread; engine and table come back with the error.
    pub fn start(
        engine: Engine<G>,
        table: Table,
        record: &Record<G>,
        limits: Limits<'_>,
        hold: Hold,
    ) -> Result<(Self, Receiver<Event>), StartError<G>> {
        Self::start_watched(engine, table, record, limits, hold, |_| {})
    }

    /// The same, with a look at every report before it is sent: tests make the search fail there.
    ///
    /// # Errors
    /// As [`RunningSearch::start`].
    #[doc(hidden)]
    pub fn start_watched(
        engine: Engine<G>,
        mut table: Table,
        record: &Record<G>,
        limits: Limits<'_>,
        hold: Hold,
        watch: impl FnMut(&Report) + Send + 'static,
    ) -> Result<(Self, Receiver<Event>), StartError<G>> {
        let begin = limits.begin.unwrap_or_else(Instant::now);
        let searchmoves = limits.searchmoves.to_vec();
        let bounds = Limits {
            begin: Some(begin),
            stop: None,
            ponder: None,
            counted: None,
            searchmoves: &[],
            ..limits
        };
        let signals = Arc::new(Signals::default());
        let ponder = hold.until_ponder_hit;
        signals.ponder.store(ponder, Ordering::Relaxed);
        signals.held.store(hold.until_stop, Ordering::Relaxed);
        let (sender, events) = channel();
        let task = Task {
            record: record.clone(),
            bounds,
            searchmoves,
            begin,
            signals: Arc::clone(&signals),
            events: sender,
        };
        // Only what has started is given the engine, so that it is not lost if nothing starts.
        let (give, take) = channel::<(Engine<G>, Table)>();
        let work = move || {
            let (mut engine, table) = take.recv().expect("given below");
            task.run(&mut engine, &table, watch);
            (engine, table)
        };
        let started = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(work);
        let thread = match started {
            Ok(thread) => thread,
            Err(error) => {
                let engine = Box::new(engine);
                return Err(StartError {
                    engine,
                    table,
                    error,
                });
            }
        };
        table.new_search();
        give.send((engine, table)).expect("it waits for them");
        let search = RunningSearch {
            thread: Some(thread),
            signals,
        };
        Ok((search, events))
    }

    /// Ends the search, and whatever holds its result back.
    pub fn stop(&self) {
        self.signals.stop.store(true, Ordering::Relaxed);
        self.unpark();
    }

    /// The move that was pondered on has been played: from now on time may end the search. `false` if it was
    /// not pondering.
    pub fn ponder_hit(&self) -> bool {
        let pondered = self.signals.ponder.swap(false, Ordering::Relaxed);
        self.unpark();
        pondered
    }

    /// The positions visited so far, by all threads, give or take a few hundred: also while a depth is being searched,
    /// when no event comes.
    pub fn nodes(&self) -> u64 {
        self.signals.nodes.load(Ordering::Relaxed)
    }

    /// Whether it has told its last event.
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the end and gives back engine and table; `None` if a fault of the program lost them. Nothing
    /// is stopped: see [`RunningSearch::stop`]. But nothing holds the result back any more, since nobody could end
    /// that: from now on it is as after [`RunningSearch::ponder_hit`].
    pub fn join(mut self) -> Option<(Engine<G>, Table)> {
        self.signals.held.store(false, Ordering::Relaxed);
        self.ponder_hit();
        self.thread.take()?.join().ok()
    }

    fn unpark(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl<G: Game> Drop for RunningSearch<G> {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What the thread does.
struct Task<G: Game> {
    record: Record<G>,
    bounds: Limits<'static>,
    searchmoves: Vec<Move>,
    begin: Instant,
    signals: Arc<Signals>,
    events: Sender<Event>,
}

impl<G: Game> Task<G> {
    fn run(&self, engine: &mut Engine<G>, table: &Table, mut watch: impl FnMut(&Report)) {
        let signals = &*self.signals;
        let limits = Limits {
            stop: Some(&signals.stop),
            ponder: Some(&signals.ponder),
            counted: Some(&signals.nodes),
            searchmoves: &self.searchmoves,
            ..self.bounds
        };
        let mut told = None;
        let end = run_search(engine, table, &self.record, limits, |report| {
            watch(report);
            self.tell(report, table);
            told = Some(report.clone());
        });
        if let Ok(found) = &end
            && told.as_ref() != Some(&found.report)
        {
            self.tell(&found.report, table);
        }
        let held =
            || signals.held.load(Ordering::Relaxed) || signals.ponder.load(Ordering::Relaxed);
        while held() && !signals.stop.load(Ordering::Relaxed) {
            thread::park();
        }
        // Whoever does not listen any more has no use for it.
        let _ = self.events.send(Event::Finished(end));
    }

    fn tell(&self, report: &Report, table: &Table) {
        let event = Event::Progress {
            found: Found {
                report: report.clone(),
                time: self.begin.elapsed(),
            },
            hashfull: table.hashfull(),
        };
        if self.events.send(event).is_err() {
            // Nobody wants to know.
            self.signals.stop.store(true, Ordering::Relaxed);
        }
    }
}
