//! Our engine as a player, inside the process.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use hexmate_engine::{
    Budget, Clock, Engine, Evaluator, Found, Handmade, Limits, ParamError, Params, Shown, Table,
    Weights, run_search,
};
use hexmate_movegen::{Bits, Game};
use hexmate_tablebases::Tablebases;

use super::dialect::{DialectError, number, refuse};
use super::options::EngineSpec;
use super::player::{Fault, Player, Thought, Turn};
use crate::eval_file::{EvalFile, HANDMADE};
use crate::tables;
use crate::threads::check_memory;
use crate::uci::{MOST_HASH, MOST_THREADS};

/// What is lost between a clock and a search in the same process, unless said otherwise.
const OVERHEAD: Duration = Duration::from_millis(1);

/// Megabytes of an internal engine's table, unless said otherwise.
pub const HASH: usize = 4;

/// In place of a file: weights that follow from the rules.
pub const UNTUNED: &str = "untuned";

/// The options of an internal engine, read and checked.
#[derive(Clone, Debug)]
pub struct InternalOptions<G: Game> {
    threads: usize,
    hash: usize,
    overhead: Duration,
    params: Params,
    /// `None`: those of the program.
    evaluator: Option<Evaluator<G>>,
    tables: Option<Arc<Tablebases>>,
    /// See [`InternalOptions::contents`].
    contents: Vec<(&'static str, String)>,
}

impl<G: Game> InternalOptions<G> {
    /// Reads `option.NAME=VALUE` words: `Threads`, `Hash`, `Move Overhead` (milliseconds; also
    /// `MoveOverhead`), `EvalFile` (a file of weights or a network, or the words `untuned` or `handmade`; also
    /// `Weights`), `TablebasePath` (a folder), and every number of the search by its name. The case of names does not matter.
    ///
    /// # Errors
    /// If a name is unknown, a value out of range, or the file cannot be used.
    pub fn parse(game: G, spec: &EngineSpec) -> Result<Self, DialectError> {
        let mut read = InternalOptions {
            threads: 1,
            hash: HASH,
            overhead: OVERHEAD,
            params: Params::default(),
            evaluator: None,
            tables: None,
            contents: Vec::new(),
        };
        for (name, value) in &spec.options {
            let whose = format!("-engine name={} option.{name}", spec.name);
            // As UCI reads names. Those of the search are in lower case.
            let lower = name.to_ascii_lowercase();
            match lower.as_str() {
                "threads" => read.threads = threads(&whose, value)?,
                "hash" => read.hash = hash_megabytes(&whose, value)?,
                "move overhead" | "moveoverhead" => {
                    read.overhead = Duration::from_millis(number(&whose, value, 0..=u64::MAX)?);
                }
                "tablebasepath" => {
                    let opened = tables::open(game, Path::new(value));
                    let (tables, faults) =
                        opened.map_err(|e| DialectError(format!("{whose}: {e:#}")))?;
                    for fault in faults {
                        eprintln!("hexmate: {whose}: {fault}; it is ignored");
                    }
                    if tables.is_empty() {
                        let none = tables::no_tables(tables.rules().name(), Path::new(value));
                        eprintln!("hexmate: {whose}: {none}");
                    }
                    let names = format!("{:?}", tables.names());
                    read.contents.push(("TablebasePath", names));
                    read.tables = Some(tables);
                }
                "weights" | "evalfile" if value == UNTUNED => {
                    read.evaluator = Some(Handmade::new(&Weights::untuned(game)).into());
                }
                "weights" | "evalfile" if value == HANDMADE => {
                    read.evaluator = Some(Handmade::of(game).into());
                }
                "weights" | "evalfile" => {
                    let file = EvalFile::open(Path::new(value));
                    let read_in = file.and_then(|f| Ok((f.evaluator(game)?, f.identity())));
                    let (evaluator, identity) =
                        read_in.map_err(|e| DialectError(format!("{whose}: {e}")))?;
                    read.evaluator = Some(evaluator);
                    // By the name that was used.
                    let option = if lower == "evalfile" {
                        "EvalFile"
                    } else {
                        "Weights"
                    };
                    read.contents.push((option, identity));
                }
                _ => {
                    let set = match (read.params.get(&lower), value.parse()) {
                        (None, _) => Err(ParamError::Unknown(name.clone())),
                        (Some(_), Ok(number)) => read.params.set(&lower, number),
                        (Some(_), Err(_)) => {
                            return refuse(format!("{whose}: '{value}': expected a whole number"));
                        }
                    };
                    if let Err(error) = set {
                        return refuse(format!(
                            "{whose}: {error}; or Threads, Hash, Move Overhead, EvalFile, TablebasePath"
                        ));
                    }
                }
            }
        }
        Ok(read)
    }

    /// What the files hold that options name: a hash of the evaluation, the names of the tables.
    pub fn contents(&self) -> &[(&'static str, String)] {
        &self.contents
    }
}

/// The number of threads.
fn threads(whose: &str, text: &str) -> Result<usize, DialectError> {
    let threads = number(whose, text, 1..=MOST_THREADS)?;
    // As for the table.
    match check_memory(threads, 0) {
        Ok(()) => Ok(threads),
        Err(error) => refuse(format!("{whose}: {error}")),
    }
}

/// The size of a table in megabytes.
fn hash_megabytes(whose: &str, text: &str) -> Result<usize, DialectError> {
    let megabytes = number(whose, text, 1..=MOST_HASH)?;
    // Memory that there is not is missed now, not in the first game.
    match Table::new(megabytes) {
        Ok(_) => Ok(megabytes),
        Err(error) => refuse(format!("{whose}: {error}")),
    }
}

/// An engine with a table of its own.
pub struct Internal<'s, G: Game> {
    engine: Engine<G>,
    table: Table,
    tables: Option<Arc<Tablebases>>,
    overhead: Duration,
    stop: &'s AtomicBool,
}

impl<'s, G: Game> Internal<'s, G> {
    /// An engine that `stop` interrupts.
    ///
    /// # Errors
    /// If there is no memory for its table.
    pub fn new(game: G, options: &InternalOptions<G>, stop: &'s AtomicBool) -> Result<Self, Fault> {
        let table = Table::new(options.hash);
        let mut engine = Engine::of(game, options.threads);
        engine.set_params(options.params);
        engine.set_tables(options.tables.clone());
        if let Some(evaluator) = &options.evaluator {
            engine.set_evaluation(evaluator.clone());
        }
        Ok(Internal {
            engine,
            table: table.map_err(|e| Fault::CannotStart(e.to_string()))?,
            tables: options.tables.clone(),
            overhead: options.overhead,
            stop,
        })
    }
}

impl<G: Game> Player<G> for Internal<'_, G> {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.table.forget();
        // Memory is touched and old labels are swept now, not on the clock.
        self.table.prepare(1);
        self.engine.forget();
        Ok(())
    }

    fn think(&mut self, turn: &Turn<'_, G>) -> Result<Thought, Fault> {
        let clock = turn.own_clock().map(|view| Clock {
            remaining: view.remaining,
            increment: view.increment,
            moves_to_go: view.moves_to_go,
        });
        let men = turn.record.position().occupied().count();
        let of_clock = clock.map(|clock| Budget::of_clock(&clock, men, self.overhead));
        let fixed = turn.limits.st;
        let fixed = fixed.map(|time| Budget::fixed(time, self.overhead));
        let limits = Limits {
            depth: turn.limits.depth,
            nodes: turn.limits.nodes,
            time: of_clock.into_iter().chain(fixed).reduce(Budget::within),
            stop: Some(self.stop),
            ..Limits::default()
        };
        self.table.new_search();
        let searched = run_search(&mut self.engine, &self.table, turn.record, limits, |_| {});
        for told in self.tables.iter().flat_map(|t| tables::new_damage(t)) {
            eprintln!("hexmate: TablebasePath: {told}");
        }
        // An engine that breaks must not take the match along.
        let Found {
            report,
            time: elapsed,
        } = searched.map_err(|_| Fault::Disconnects)?;
        if self.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Fault::Interrupted);
        }
        Ok(Thought {
            text: report
                .best_move()
                .map_or_else(String::new, |mv| mv.text(turn.record.position().game())),
            score: Some(Shown::from(report.score())),
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            claimed: Some(elapsed),
            elapsed,
        })
    }
}
