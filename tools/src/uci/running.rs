//! A thread that works while commands are read.
//!
//! It owns the engine and the table for as long as it works and gives them back when it is joined, so
//! that nothing needs a lock: what the reader and the worker share are two flags.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use hexmate_engine::{Bound, Budget, Engine, Limits, Line, Report, Table, TtError};
use hexmate_movegen::{Game, Move, Position, Record, perft};
use hexmate_tablebases::Tablebases;

use super::info;
use super::options::Options;
use super::output::Output;
use crate::bench::Bench;

/// What a search thread may put on its stack; no more of it is used than is needed.
const STACK_BYTES: usize = 32 << 20;

/// What is needed to search.
pub struct Means<G: Game> {
    pub engine: Engine<G>,
    pub table: Table,
}

impl<G: Game> Means<G> {
    /// New ones, as the options want them.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(options: &Options, tables: Option<Arc<Tablebases>>) -> Result<Self, TtError> {
        let mut means = Means {
            engine: engine(options, tables),
            table: Table::new(options.hash_megabytes)?,
        };
        means.prepare(options);
        Ok(means)
    }

    /// Does all that a search should not have to do on the player's time.
    pub fn prepare(&mut self, options: &Options) {
        self.table.prepare(options.threads);
    }
}

/// An engine as the options want it.
pub fn engine<G: Game>(options: &Options, tables: Option<Arc<Tablebases>>) -> Engine<G> {
    let mut engine = Engine::new(options.threads);
    engine.set_tables(tables);
    engine.set_params(options.params);
    engine
}

/// What is to be done.
pub enum Job<G: Game> {
    /// A search, with `bestmove` at its end.
    Search(Box<Search<G>>),
    /// The fixed list of positions, to this depth.
    Bench { depth: u32 },
    /// Counting move sequences.
    Perft { position: Position<G>, depth: u32 },
}

/// What is to be searched, and how.
pub struct Search<G: Game> {
    pub game: Record<G>,
    pub begin: Instant,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub mate: Option<u32>,
    pub time: Option<Budget>,
    pub searchmoves: Vec<Move>,
    /// The answer waits for `stop`.
    pub endless: bool,
    /// The answer waits for `ponderhit` or `stop`.
    pub ponder: bool,
    pub options: Options,
    pub tables: Option<Arc<Tablebases>>,
}

/// What the reader tells the worker.
#[derive(Default)]
struct Signals {
    stop: AtomicBool,
    ponder: AtomicBool,
}

/// A worker that may still be at work.
pub struct Running<G: Game> {
    thread: JoinHandle<Means<G>>,
    signals: Arc<Signals>,
}

impl<G: Game> Running<G> {
    /// Begins a job.
    ///
    /// # Errors
    /// If the system gives no thread; the means are lost then.
    pub fn start(mut means: Means<G>, job: Job<G>, output: Arc<Output>) -> io::Result<Self> {
        let signals = Arc::new(Signals::default());
        if let Job::Search(search) = &job {
            signals.ponder.store(search.ponder, Ordering::Relaxed);
        }
        let theirs = Arc::clone(&signals);
        let work = move || {
            match job {
                Job::Search(search) => search.run(&mut means, &theirs, &output),
                Job::Bench { depth } => bench(depth, &mut means, &theirs.stop, &output),
                Job::Perft { position, depth } => count(&position, depth, &theirs.stop, &output),
            }
            means
        };
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(work)?;
        Ok(Running { thread, signals })
    }

    /// Tells the worker to come to its end.
    pub fn stop(&self) {
        self.signals.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
    }

    /// Whether it has come to its end.
    pub fn is_over(&self) -> bool {
        self.thread.is_finished()
    }

    /// Tells the worker that the clock runs from now on; `false` if it knew.
    pub fn ponder_hit(&self) -> bool {
        let pondered = self.signals.ponder.swap(false, Ordering::Relaxed);
        self.thread.thread().unpark();
        pondered
    }

    /// Waits for the end and takes the means back; `None` if a fault of the program lost them.
    pub fn join(self) -> Option<Means<G>> {
        self.thread.join().ok()
    }
}

impl<G: Game> Search<G> {
    fn run(&self, means: &mut Means<G>, signals: &Signals, output: &Output) {
        means.table.new_search();
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            time: self.time,
            stop: Some(&signals.stop),
            ponder: Some(&signals.ponder),
            searchmoves: &self.searchmoves,
            multipv: self.options.multipv,
        };
        let (table, e) = (&means.table, &mut means.engine);
        let mut told = None;
        let tell = |report: &Report| {
            let time = self.begin.elapsed();
            let position = self.options.show_wdl.then_some(self.game.position());
            output.say(&info::lines(report, time, table.hashfull(), position));
            if output.is_closed() {
                signals.stop.store(true, Ordering::Relaxed);
            }
        };
        // A fault of the program must not cost the game: there is always an answer.
        let searched = catch_unwind(AssertUnwindSafe(|| {
            e.analyse(table, &self.game, limits, |report| {
                tell(report);
                told = Some(report.clone());
            })
        }));
        let report = match searched {
            Ok(report) => {
                if told.as_ref() != Some(&report) {
                    tell(&report);
                }
                report
            }
            Err(_) => {
                output.inform("a fault of hexmate itself; please report the commands before it");
                *e = engine(&self.options, self.tables.clone());
                told.unwrap_or_else(|| self.any_move())
            }
        };
        let held = || self.endless || signals.ponder.load(Ordering::Relaxed);
        if let Some(moves) = report.no_mate_in {
            output.inform(&format!(
                "go: no mate in {moves} moves or fewer exists here"
            ));
        }
        while held() && !signals.stop.load(Ordering::Relaxed) && !output.is_closed() {
            thread::park();
        }
        output.say(&info::best_move::<G>(&report));
    }

    /// What is known without a search.
    fn any_move(&self) -> Report {
        let legal = self.game.position().legal_moves();
        let allowed = self.searchmoves.iter().chain(&legal);
        Report {
            depth: 0,
            seldepth: 0,
            nodes: 0,
            tbhits: 0,
            no_mate_in: None,
            lines: vec![Line {
                score: 0,
                bound: Bound::Exact,
                depth: 0,
                seldepth: 0,
                pv: allowed.take(1).copied().collect(),
            }],
        }
    }
}

/// Searches the fixed list; what was in the table before is forgotten.
fn bench<G: Game>(depth: u32, means: &mut Means<G>, stop: &AtomicBool, output: &Output) {
    let mut bench = Bench {
        depth,
        threads: means.engine.threads(),
        table: &mut means.table,
    };
    bench.run(stop, |line| output.say(line));
    means.table.clear(means.engine.threads());
    if stop.load(Ordering::Relaxed) {
        output.inform("bench was stopped before its end");
    }
}

/// Counts the move sequences behind each move, until it is told to stop.
fn count<G: Game>(position: &Position<G>, depth: u32, stop: &AtomicBool, output: &Output) {
    let Some(rest) = depth.checked_sub(1) else {
        output.say("Nodes searched: 1");
        return;
    };
    let mut moves = position.legal_moves();
    moves.sort_by_key(|m| m.text::<G>());
    let mut total = 0;
    for mv in moves {
        let mut next = *position;
        next.play_unchecked(mv);
        let Some(nodes) = count_unless(&next, rest, stop) else {
            output.inform("perft was stopped before its end");
            return;
        };
        output.say(&format!("{}: {nodes}", mv.text::<G>()));
        total += nodes;
    }
    output.say(&format!("\nNodes searched: {total}"));
}

/// Looks at the flag every few milliseconds; `None` if it is up.
fn count_unless<G: Game>(position: &Position<G>, depth: u32, stop: &AtomicBool) -> Option<u64> {
    /// Counted in one go.
    const AT_ONCE: u32 = 3;
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= AT_ONCE {
        return Some(perft(position, depth));
    }
    let mut total = 0;
    for mv in position.legal_moves() {
        let mut next = *position;
        next.play_unchecked(mv);
        total += count_unless(&next, depth - 1, stop)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::Glinski;

    /// Whatever was forgotten before, no search has to pass over the memory once it was prepared.
    #[test]
    fn nothing_is_left_to_do_for_a_search() {
        let options = Options::default();
        let mut means = Means::<Glinski>::new(&options, None).unwrap();
        assert!(means.table.is_prepared());
        for _ in 0..3 {
            means.table.forget();
            assert!(!means.table.is_prepared());
            means.prepare(&options);
            // Fewer than there are labels: with none left, forgetting clears the memory itself.
            for _ in 0..30 {
                means.table.new_search();
                assert!(means.table.is_prepared());
            }
        }
    }
}
