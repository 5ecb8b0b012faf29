//! `hexmate perft`: counting move sequences.

mod count;
mod memo;

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use hexmate_movegen::{Game, GameId, Position, with_position};
use serde_json::{Map, json};

pub use self::count::{Counter, Means};
use crate::exit::Exit;
use crate::inputs;
use crate::progress::Share;

/// Count legal move sequences of a given length (perft).
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// The depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=40))]
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

/// What was counted.
struct Report {
    nodes: u64,
    /// The first moves, sorted, and the counts behind them; empty unless asked for.
    parts: Vec<(String, u64)>,
    /// The time taken, making the memo included.
    seconds: f64,
}

impl Report {
    fn nps(&self) -> u64 {
        (self.nodes as f64 / self.seconds.max(1e-9)) as u64
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
        write_json(arguments, position, report, &mut out)?;
    } else {
        write_text(arguments, &report, &mut out)?;
    }
    Ok(Exit::Success)
}

fn count<G: Game>(arguments: &Arguments, position: &Position<G>) -> Result<Report> {
    let depth = arguments.depth;
    let begin = Instant::now();
    let counter = Counter::new(&arguments.means)?.telling(Share::new("leaves"));
    let mut parts = Vec::new();
    let nodes = if arguments.divide && depth > 0 {
        let counts = counter.divide(position, depth);
        parts = counts
            .iter()
            .map(|(m, n)| (m.text(position.game()), *n))
            .collect();
        parts.sort();
        parts.iter().map(|(_, n)| n).sum()
    } else {
        counter.perft(position, depth)
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
    let mut object = json!({
        "game": position.game().id().name(),
        "fen": position.to_string(),
        "depth": arguments.depth,
        "nodes": report.nodes,
        "seconds": report.seconds,
        "nps": report.nps(),
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
