//! `hexmate perft`: counting move sequences.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Error, Result};
use hexmate_movegen::{Game, GameId, Position, with_position};
use hexmate_perft::{Counter, CounterError, MemoKind};
use serde_json::{Map, json};

use crate::exit::Exit;
use crate::inputs::{self, MOST_PERFT_DEPTH};
use crate::progress::Share;
use crate::stdout::CANNOT_PRINT;
use crate::threads::NO_THREAD;

/// Count legal move sequences of a given length (perft).
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// The depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_PERFT_DEPTH)))]
    depth: u32,
    #[command(flatten)]
    position: inputs::PositionArguments,
    /// Show the count for each first move
    #[arg(long)]
    divide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    means: Means,
}

/// Threads and memory to count with.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Means {
    /// Count on this many threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Megabytes of the hash table for counts; 0 for none
    #[arg(long, value_name = "MB", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    hash: u32,
    /// The kind of hash table
    #[arg(long, value_enum, default_value_t = Memo::Array)]
    memo: Memo,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Memo {
    /// A lock-free array, in which new counts replace old ones; the faster of the two
    Array,
    /// A sharded hash map with locks, which accepts nothing more once it is full
    Dashmap,
}

impl Means {
    /// A counter with these.
    ///
    /// # Errors
    /// If the threads or the memory are not available.
    pub fn counter(&self) -> Result<Counter> {
        let means = hexmate_perft::Means {
            threads: self.threads.into(),
            megabytes: self.hash,
            memo: match self.memo {
                Memo::Array => MemoKind::Array,
                Memo::Dashmap => MemoKind::Dashmap,
            },
        };
        Counter::new(&means).map_err(|error| match error {
            CounterError::Threads(_) => Error::new(error).context(NO_THREAD).context("--threads"),
            CounterError::Memo(_) => Error::new(error).context("--hash"),
        })
    }
}

/// What was counted.
struct Report {
    nodes: u64,
    /// The first moves, sorted, and the counts behind them; empty unless asked for.
    parts: Vec<(String, u64)>,
    /// The time taken, making the memo included.
    seconds: f64,
}

impl Report {
    /// Whole. With a hash table it may be more than an integer holds.
    fn nps(&self) -> f64 {
        (self.nodes as f64 / self.seconds.max(1e-9)).trunc()
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let position = arguments.position.record(arguments.game)?.position();
    with_position!(&position, position => run_at(arguments, position))
}

fn run_at<G: Game>(arguments: &Arguments, position: &Position<G>) -> Result<Exit> {
    let report = count(arguments, position)?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        write_json(arguments, position, report, &mut out).context(CANNOT_PRINT)?;
    } else {
        write_text(arguments, &report, &mut out).context(CANNOT_PRINT)?;
    }
    Ok(Exit::Success)
}

fn count<G: Game>(arguments: &Arguments, position: &Position<G>) -> Result<Report> {
    let depth = arguments.depth;
    let begin = Instant::now();
    let share = Share::new("leaves");
    let counter = (arguments.means.counter()?)
        .telling(Share::WHOLE, move |part, leaves| share.add(part, leaves));
    let mut parts = Vec::new();
    let nodes = if arguments.divide && depth > 0 {
        let counts = counter.divide(position, depth)?;
        parts = counts
            .iter()
            .map(|(m, n)| (m.text(position.game()), *n))
            .collect();
        parts.sort();
        parts.iter().map(|(_, n)| n).sum()
    } else {
        counter.perft(position, depth)?
    };
    Ok(Report {
        nodes,
        parts,
        seconds: begin.elapsed().as_secs_f64(),
    })
}

fn write_text(arguments: &Arguments, report: &Report, out: &mut impl Write) -> Result<()> {
    for (mv, count) in &report.parts {
        writeln!(out, "{mv}: {count}")?;
    }
    writeln!(
        out,
        "{} depth {} nodes {} seconds {:.3} nps {}",
        arguments.game,
        arguments.depth,
        report.nodes,
        report.seconds,
        report.nps()
    )?;
    Ok(())
}

fn write_json<G: Game>(
    arguments: &Arguments,
    position: &Position<G>,
    report: Report,
    out: &mut impl Write,
) -> Result<()> {
    let nps = report.nps();
    let mut object = json!({
        "game": position.game().id().name(),
        "fen": position.to_string(),
        "depth": arguments.depth,
        "nodes": report.nodes,
        "seconds": report.seconds,
        "nps": if nps < u64::MAX as f64 { json!(nps as u64) } else { json!(nps) },
        "threads": arguments.means.threads,
        "hash_mb": arguments.means.hash,
    });
    if arguments.divide {
        let parts = report.parts.into_iter().map(|(m, n)| (m, n.into()));
        object["divide"] = parts.collect::<Map<_, _>>().into();
    }
    writeln!(out, "{object}")?;
    Ok(())
}
