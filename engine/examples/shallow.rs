//! How far shallow searches can be trusted: the error of each depth against a deep search, and that of the
//! static evaluation, over level positions of the game's own varied games.
//!
//! ```text
//! cargo run --release -p hexmate-engine --features measure --example shallow -- glinski
//! ```
//!
//! The error is that of the score from the side to move, in centipawns (its mean shows a bias for or against
//! the mover), and that of the expected score, 1 / (1 + 10^(-cp/400)), as root of the mean square. Every search begins
//! with an empty table and no history. `--write` keeps the positions with their deep scores, `--read` takes
//! them from there, so that two versions of the engine can be judged by the same.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;
use hexmate_engine::{Engine, Limits, Score, Table, is_mate};
use hexmate_movegen::{BuiltIn, GameId, Position, Record, with_built_in};

#[derive(Parser)]
struct Arguments {
    /// The game
    game: GameId,
    /// How many positions
    #[arg(long, default_value_t = 400)]
    positions: usize,
    /// Positions visited by the deep searches
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// The last depth that is judged
    #[arg(long, default_value_t = 8)]
    depth: u32,
    /// The seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Changes a number of the search, NAME=VALUE
    #[arg(long)]
    param: Vec<String>,
    /// Keep positions and deep scores in this file
    #[arg(long)]
    write: Option<PathBuf>,
    /// Take positions and deep scores from this file
    #[arg(long)]
    read: Option<PathBuf>,
}

/// A position is level if the deep search says no more than this.
const LEVEL: Score = 200;
/// Positions taken from one game.
const MOST_OF_A_GAME: usize = 5;
/// Plies between them.
const APART: usize = 14;
/// Nodes a move in the games that the positions are taken from.
const NODES: u64 = 1_000;
/// Random plies that a game begins with.
const RANDOM_PLIES: usize = 8;

/// A position and what the deep search says of it, from the side to move.
struct Sample<G: BuiltIn> {
    position: Position<G>,
    deep: Score,
}

/// A search from nothing.
struct Searcher<G: BuiltIn> {
    engine: Engine<G>,
    table: Table,
}

impl<G: BuiltIn> Searcher<G> {
    fn new(arguments: &Arguments, table: usize) -> Self {
        let mut engine = Engine::<G>::new(1);
        let mut params = *engine.params();
        for setting in &arguments.param {
            let (name, value) = setting.split_once('=').expect("NAME=VALUE");
            let value = value.parse().expect("a whole number");
            params.set(name, value).expect("a number of the search");
        }
        engine.set_params(params);
        let table = Table::new(table).expect("memory for a table");
        Searcher { engine, table }
    }

    /// Score and nodes of a search from nothing.
    fn search(&mut self, record: &Record<G>, limits: Limits<'_>) -> (Score, u64) {
        self.forget();
        let report = self.engine.analyse(&self.table, record, limits, |_| {});
        (report.score(), report.nodes)
    }

    fn forget(&mut self) {
        self.table.forget();
        self.engine.forget();
    }
}

/// Marsaglia's xorshift: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % end
    }
}

/// The level positions of one game: random moves first, then the engine against itself.
fn samples_of_game<G: BuiltIn>(
    arguments: &Arguments,
    number: u64,
    searcher: &mut Searcher<G>,
) -> Vec<Sample<G>> {
    let mut random = Random::new(arguments.seed << 32 | number);
    let mut record = Record::new(Position::<G>::start());
    let mut samples = Vec::new();
    let first = RANDOM_PLIES + random.below(APART);
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    searcher.forget();
    while record.outcome().is_none() && samples.len() < MOST_OF_A_GAME {
        let played = record.moves().len();
        let moves = record.position().legal_moves();
        let mv = if played < RANDOM_PLIES {
            moves[random.below(moves.len())]
        } else {
            let engine = &mut searcher.engine;
            let report = engine.analyse(&searcher.table, &record, limits, |_| {});
            if report.score().abs() > 4 * LEVEL {
                break;
            }
            report.best_move().expect("a game that goes on has a move")
        };
        if played >= first
            && (played - first).is_multiple_of(APART)
            && !record.position().in_check()
        {
            let position = *record.position();
            let limits = Limits {
                nodes: Some(arguments.nodes),
                ..Limits::default()
            };
            let (deep, _) = searcher.search(&Record::new(position), limits);
            if deep.abs() <= LEVEL {
                samples.push(Sample { position, deep });
            }
        }
        record.play(mv).expect("a legal move");
    }
    samples
}

/// What `work` makes of the numbers from 0 on until it makes nothing more, on all processors, in order.
fn in_parallel<T: Send, S>(
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Option<T> + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut state = begin();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(result) = work(&mut state, number) else {
                        break;
                    };
                    done.lock().expect("no panic").push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no panic");
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
}

fn make<G: BuiltIn>(arguments: &Arguments) -> Vec<Sample<G>> {
    let found = AtomicUsize::new(0);
    let games = in_parallel(
        || Searcher::<G>::new(arguments, 16),
        |searcher, number| {
            if found.load(Ordering::Relaxed) >= arguments.positions {
                return None;
            }
            let samples = samples_of_game(arguments, number as u64, searcher);
            found.fetch_add(samples.len(), Ordering::Relaxed);
            Some(samples)
        },
    );
    let samples = games.into_iter().flatten();
    samples.take(arguments.positions).collect()
}

fn read<G: BuiltIn>(path: &PathBuf) -> Vec<Sample<G>> {
    let text = std::fs::read_to_string(path).expect("a file");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (fen, deep) = line.split_once(';').expect("FEN ; SCORE");
            Sample {
                position: fen.trim().parse().expect("a position"),
                deep: deep.trim().parse().expect("a score"),
            }
        })
        .collect()
}

/// The errors of one way to judge positions.
#[derive(Clone, Default)]
struct Errors {
    count: f64,
    sum: f64,
    squares: f64,
    nodes: u64,
}

impl Errors {
    fn add(&mut self, found: Score, deep: Score, nodes: u64) {
        let expected = |cp: Score| 1.0 / (1.0 + 10f64.powf(-f64::from(cp) / 400.0));
        // A mate that the deep search did not see is an error of a won game, not of thirty thousand.
        let found = if is_mate(found) {
            2_000 * found.signum()
        } else {
            found
        };
        self.count += 1.0;
        self.sum += f64::from(found - deep);
        self.squares += (expected(found) - expected(deep)).powi(2);
        self.nodes += nodes;
    }

    fn print(&self, name: &str) {
        println!(
            "| {name} | {:+.1} | {:.4} | {:.0} |",
            self.sum / self.count,
            (self.squares / self.count).sqrt(),
            self.nodes as f64 / self.count
        );
    }
}

fn judge<G: BuiltIn>(arguments: &Arguments) {
    let samples = match &arguments.read {
        Some(path) => read::<G>(path),
        None => make::<G>(arguments),
    };
    if let Some(path) = &arguments.write {
        let line = |s: &Sample<G>| format!("{} ; {}\n", s.position, s.deep);
        let text: String = samples.iter().map(line).collect();
        std::fs::write(path, text).expect("a file to be written");
    }
    let depths = arguments.depth;
    let rows = in_parallel(
        || Searcher::<G>::new(arguments, 4),
        |searcher, number| {
            let Sample { position, .. } = samples.get(number)?;
            let still = searcher.engine.evaluation().evaluate(position);
            let record = Record::new(*position);
            let deeper = (1..=depths).map(|depth| {
                let limits = Limits {
                    depth: Some(depth),
                    ..Limits::default()
                };
                searcher.search(&record, limits)
            });
            Some(
                std::iter::once((still, 1))
                    .chain(deeper)
                    .collect::<Vec<_>>(),
            )
        },
    );
    let mut errors = vec![Errors::default(); depths as usize + 1];
    for (sample, row) in samples.iter().zip(&rows) {
        for (errors, &(score, nodes)) in errors.iter_mut().zip(row) {
            errors.add(score, sample.deep, nodes);
        }
    }
    println!("{}: {} level positions", G::SPEC.name, samples.len());
    println!("| | mean error, cp | rms error of expected score | nodes |");
    println!("|---|--:|--:|--:|");
    errors[0].print("static");
    for (depth, errors) in errors.iter().enumerate().skip(1) {
        errors.print(&format!("depth {depth}"));
    }
}

fn main() {
    let arguments = Arguments::parse();
    with_built_in!(arguments.game, G => judge::<G>(&arguments));
}
