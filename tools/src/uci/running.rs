//! What runs while commands are read: a search, or a count, or the bench.
//!
//! It owns the engine and the table for as long as it runs and gives them back when it is joined, so
//! that nothing needs a lock.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};

use hexmate_engine::{
    Engine, Evaluator, Event, Hold, Limits, RunningSearch, STACK_BYTES, StartError, Table, TtError,
};
use hexmate_movegen::{Game, Move, Position, Record, perft};
use hexmate_tablebases::Tablebases;

use super::info;
use super::options::Options;
use super::output::Output;
use crate::bench::Bench;
use crate::tables::new_damage;
use crate::threads::missing;

/// What is needed to search.
pub struct EngineAndTable<G: Game> {
    pub engine: Engine<G>,
    pub table: Table,
}

impl<G: Game> EngineAndTable<G> {
    /// New ones, as the options want them.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(
        game: G,
        options: &Options,
        tables: Option<Arc<Tablebases>>,
        evaluator: Option<&Evaluator<G>>,
    ) -> Result<Self, TtError> {
        let mut idle = EngineAndTable {
            engine: engine(game, options, tables, evaluator),
            table: Table::new(options.hash_megabytes)?,
        };
        idle.prepare(options);
        Ok(idle)
    }

    /// Does all that a search should not have to do on the player's time.
    pub fn prepare(&mut self, options: &Options) {
        self.table.prepare(options.threads);
    }
}

/// An engine as the options want it.
pub fn engine<G: Game>(
    game: G,
    options: &Options,
    tables: Option<Arc<Tablebases>>,
    evaluator: Option<&Evaluator<G>>,
) -> Engine<G> {
    let mut engine = Engine::of(game, options.threads);
    if let Some(evaluator) = evaluator {
        engine.set_evaluation(evaluator.clone());
    }
    engine.set_tables(tables);
    engine.set_params(options.params);
    engine
}

/// What is to be done.
pub enum Job<G: Game> {
    /// A search, with `bestmove` at its end.
    Search(Box<SearchJob<G>>),
    /// The fixed list of positions, to this depth.
    Bench { depth: u32 },
    /// Counting move sequences.
    Perft { position: Position<G>, depth: u32 },
}

/// What is to be searched, and how.
pub struct SearchJob<G: Game> {
    pub game: Record<G>,
    /// All but the moves to be searched.
    pub limits: Limits<'static>,
    pub searchmoves: Vec<Move>,
    pub hold: Hold,
    pub show_wdl: bool,
    /// Those of the engine, to ask them for damage.
    pub tables: Option<Arc<Tablebases>>,
}

/// Why a job was not begun.
pub struct NotStarted<G: Game> {
    /// The system's reason for giving no thread.
    pub error: io::Error,
    pub search: Option<Box<Unsearched<G>>>,
}

/// A search that was not begun, and who was to do it.
pub type Unsearched<G> = (Arc<SearchJob<G>>, EngineAndTable<G>);

impl<G: Game> From<io::Error> for NotStarted<G> {
    fn from(error: io::Error) -> Self {
        NotStarted {
            error,
            search: None,
        }
    }
}

/// A job that may still be under way.
pub enum Running<G: Game> {
    /// A search, and who tells of it.
    Search(RunningSearch<G>, JoinHandle<()>),
    /// Something else, and what ends it.
    Other(JoinHandle<EngineAndTable<G>>, Arc<AtomicBool>),
}

impl<G: Game> Running<G> {
    /// Begins a job.
    ///
    /// # Errors
    /// If the system gives no thread; engine and table are lost then, except by a search.
    pub fn start(
        idle: EngineAndTable<G>,
        job: Job<G>,
        output: Arc<Output>,
    ) -> Result<Self, NotStarted<G>> {
        match job {
            Job::Search(search) => search.start(idle, output),
            Job::Bench { depth } => Ok(Self::other(idle, move |idle, stop| {
                bench(depth, idle, stop, &output);
            })?),
            Job::Perft { position, depth } => Ok(Self::other(idle, move |_, stop| {
                count(&position, depth, stop, &output);
            })?),
        }
    }

    fn other(
        mut idle: EngineAndTable<G>,
        work: impl FnOnce(&mut EngineAndTable<G>, &AtomicBool) + Send + 'static,
    ) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&stop);
        let work = move || {
            work(&mut idle, &theirs);
            idle
        };
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(work)?;
        Ok(Running::Other(thread, stop))
    }

    /// Tells the job to come to its end.
    pub fn stop(&self) {
        match self {
            Running::Search(search, _) => search.stop(),
            Running::Other(_, stop) => stop.store(true, Ordering::Relaxed),
        }
    }

    /// Whether it has come to its end.
    pub fn is_over(&self) -> bool {
        match self {
            Running::Search(search, told) => search.is_finished() && told.is_finished(),
            Running::Other(thread, _) => thread.is_finished(),
        }
    }

    /// Tells a search that the clock runs from now on; `false` if it knew, or nothing is searched.
    pub fn ponder_hit(&self) -> bool {
        match self {
            Running::Search(search, _) => search.ponder_hit(),
            Running::Other(..) => false,
        }
    }

    /// Waits for the end and for the last line told, and takes engine and table back; `None` if a fault of the
    /// program lost them.
    pub fn join(self) -> Option<EngineAndTable<G>> {
        match self {
            Running::Search(search, told) => {
                let idle = search.join();
                // What it could not tell, nobody misses.
                let _ = told.join();
                idle.map(|(engine, table)| EngineAndTable { engine, table })
            }
            Running::Other(thread, _) => thread.join().ok(),
        }
    }
}

impl<G: Game> SearchJob<G> {
    fn start(
        self,
        idle: EngineAndTable<G>,
        output: Arc<Output>,
    ) -> Result<Running<G>, NotStarted<G>> {
        let job = Arc::new(self);
        let teller = Arc::clone(&job);
        let (give, take) = channel::<Receiver<Event>>();
        // Nothing comes if the search does not start.
        let tell = move || {
            for events in take {
                teller.tell(events, &output);
            }
        };
        let told = match thread::Builder::new().spawn(tell) {
            Ok(told) => told,
            Err(error) => {
                let search = Some(Box::new((job, idle)));
                return Err(NotStarted { error, search });
            }
        };
        let limits = Limits {
            searchmoves: &job.searchmoves,
            ..job.limits
        };
        let EngineAndTable { engine, table } = idle;
        match RunningSearch::start(engine, table, &job.game, limits, job.hold) {
            Ok((search, events)) => {
                // Whoever tells waits for it.
                let _ = give.send(events);
                Ok(Running::Search(search, told))
            }
            Err(StartError {
                engine,
                table,
                error,
            }) => {
                let idle = EngineAndTable {
                    engine: *engine,
                    table,
                };
                let search = Some(Box::new((job, idle)));
                Err(NotStarted { error, search })
            }
        }
    }

    /// Where there is no thread to search with, the thread that reads commands looks one ply ahead: the game goes on.
    pub fn answer_at_once(&self, idle: &mut EngineAndTable<G>, output: &Output) {
        let limits = Limits {
            depth: Some(1),
            searchmoves: &self.searchmoves,
            ..Limits::default()
        };
        let EngineAndTable { engine, table } = idle;
        table.new_search();
        let report = engine.analyse(table, &self.game, limits, |_| {});
        output.say(&info::best_move(self.game.position().game(), &report));
    }

    /// Tells what is found. Where nobody reads it any more the search ends, as nobody listens to it, either.
    fn tell(&self, events: Receiver<Event>, output: &Output) {
        let game = self.game.position().game();
        let position = self.show_wdl.then_some(self.game.position());
        for event in events {
            for told in self.tables.iter().flat_map(|t| new_damage(t)) {
                output.inform(&format!("TablebasePath: {told}"));
            }
            match event {
                Event::Progress { found, hashfull } => {
                    output.say(&info::lines(
                        game,
                        &found.report,
                        found.time,
                        hashfull,
                        position,
                    ));
                    if let Some(moves) = found.report.no_mate_in {
                        output.inform(&format!(
                            "go: no mate in {moves} moves or fewer exists here"
                        ));
                    }
                }
                Event::Finished(Ok(found)) => output.say(&info::best_move(game, &found.report)),
                // It must not cost the game: there is always an answer.
                Event::Finished(Err(fault)) => {
                    output.inform(&format!(
                        "a fault of hexmate itself ({}); please report the commands before it",
                        fault.message
                    ));
                    output.say(&info::best_move(game, &fault.before.report));
                }
            }
            if output.fault().is_some() {
                return;
            }
        }
    }
}

/// Searches the fixed list; what was in the table before is forgotten.
fn bench<G: Game>(depth: u32, idle: &mut EngineAndTable<G>, stop: &AtomicBool, output: &Output) {
    let mut bench = Bench {
        depth,
        threads: idle.engine.threads(),
        table: &mut idle.table,
        missing: 0,
    };
    bench.run(stop, |line| output.say(line));
    if bench.missing > 0 {
        output.inform(&format!(
            "Threads: {}",
            missing(bench.missing, bench.threads)
        ));
    }
    idle.table.clear(idle.engine.threads());
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
    let moves = (position.legal_moves().into_iter()).map(|mv| (mv.text(position.game()), mv));
    let mut moves: Vec<(String, Move)> = moves.collect();
    moves.sort_unstable();
    let mut total = 0;
    for (text, mv) in moves {
        let mut next = *position;
        next.play(mv).expect("it is one of the legal moves");
        let Some(nodes) = count_unless(&next, rest, stop) else {
            output.inform("perft was stopped before its end");
            return;
        };
        output.say(&format!("{text}: {nodes}"));
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
    for (_, next) in position.children() {
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
        let mut idle = EngineAndTable::new(Glinski, &options, None, None).unwrap();
        assert!(idle.table.is_prepared());
        for _ in 0..3 {
            idle.table.forget();
            assert!(!idle.table.is_prepared());
            idle.prepare(&options);
            // Fewer than there are labels: with none left, forgetting clears the memory itself.
            for _ in 0..30 {
                idle.table.new_search();
                assert!(idle.table.is_prepared());
            }
        }
    }
}
