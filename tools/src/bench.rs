//! `hexmate bench`: how fast the search is, and whether it is the same search.
//!
//! Eight positions of each compiled game are searched to a fixed depth, each with an empty table and a fresh engine. With
//! one thread the node count is the same on every machine, in every build and with every backend for sliding
//! attacks; it changes only with search and evaluation.

use std::io::{Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hexmate_engine::{Engine, Limits, Report, Table};
use hexmate_movegen::{Game, GameId, Position, Record, with_game};

use crate::analyse::MOST_THREADS;
use crate::exit::Exit;
use crate::progress::{self, Cleared};
use crate::stdout::CANNOT_PRINT;
use crate::threads::{check_memory, missing};

/// Game and position text, eight of each compiled game: the start, and middle games and endgames from games of the
/// engine against itself after a few random moves.
const POSITIONS: &str = include_str!("bench/positions.txt");

/// The default depth: a few seconds in all.
pub const DEFAULT_DEPTH: u32 = 13;

/// What the counters of a thread reserve on the largest board beside what they use, in megabytes.
const COUNTERS: usize = 54;

/// What each of several threads reserves for its stack and its allocations, in megabytes.
const THREAD: usize = 80;

/// Search a fixed list: eight positions of each of the five compiled games.
///
/// The last line is "N nodes N nps". With one thread the node count is the same on every machine and
/// changes only when the search or the evaluation changes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The depth in plies
    #[arg(long, value_name = "D", default_value_t = DEFAULT_DEPTH,
          value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: u32,
    /// Search threads for each position
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_THREADS)))]
    threads: u16,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let mut table = Table::new(arguments.hash as usize).context("--hash")?;
    let threads = usize::from(arguments.threads);
    // Nearly all of it stays untouched, but it counts where the address space is limited.
    let beside = COUNTERS + if threads > 1 { THREAD } else { 0 };
    check_memory(threads, beside).context("--threads")?;
    let mut bench = Bench {
        depth: arguments.depth,
        threads,
        table: &mut table,
        missing: 0,
    };
    let never = AtomicBool::new(false);
    let mut written = Ok(());
    let bar = Cleared(progress::bar(positions().count() as u64, "positions"));
    bench.run(&never, |line| {
        if written.is_ok() {
            written = bar.0.suspend(|| writeln!(stdout(), "{line}"));
        }
        bar.0.inc(1);
    });
    written.context(CANNOT_PRINT)?;
    if bench.missing > 0 {
        let told = missing(bench.missing, threads);
        bar.0.suspend(|| eprintln!("hexmate: --threads: {told}"));
    }
    Ok(Exit::Success)
}

/// How to search.
pub struct Bench<'t> {
    /// In plies.
    pub depth: u32,
    /// Threads for each position.
    pub threads: usize,
    /// A transposition table with any content, which is cleared.
    pub table: &'t mut Table,
    /// The most threads that the system did not give a search.
    pub missing: usize,
}

impl Bench<'_> {
    /// Searches the positions and reports each; the last line has the totals. Stops without it when the flag
    /// is set.
    pub fn run(&mut self, stop: &AtomicBool, mut tell: impl FnMut(&str)) {
        let mut nodes = 0;
        let mut time = Duration::ZERO;
        let count = positions().count();
        for (i, (game, fen)) in positions().enumerate() {
            let (report, best, took) = with_game!(game, game => self.search(game, fen, stop));
            if stop.load(Ordering::Relaxed) {
                return;
            }
            nodes += report.nodes;
            time += took;
            tell(&format!(
                "{:>2}/{count} {:<10} {best:<8} {:>9} nodes {:>6} ms  {fen}",
                i + 1,
                game.name(),
                report.nodes,
                took.as_millis(),
            ));
        }
        let nps = nodes as f64 / time.as_secs_f64().max(1e-6);
        tell(&format!("{nodes} nodes {} nps", nps as u64));
    }

    fn search<G: Game>(
        &mut self,
        game: G,
        fen: &str,
        stop: &AtomicBool,
    ) -> (Report, String, Duration) {
        let position = Position::from_fen(game, fen);
        let position = position.expect("the list holds positions; a test reads it");
        let limits = Limits {
            depth: Some(self.depth),
            stop: Some(stop),
            ..Limits::default()
        };
        self.table.forget();
        let mut engine = Engine::of(game, self.threads);
        let begin = Instant::now();
        let report = engine.analyse(self.table, &Record::new(position), limits, |_| {});
        let took = begin.elapsed();
        self.missing = self.missing.max(engine.missing_threads());
        let best = report.best_move().map(|mv| mv.text(game));
        (report, best.unwrap_or_default(), took)
    }
}

fn positions() -> impl Iterator<Item = (GameId, &'static str)> {
    POSITIONS.lines().map(|line| {
        let (game, fen) = line.split_once(' ').expect("a game, a blank, a position");
        let game = game.parse().expect("a game; a test reads the list");
        (game, fen)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::AnyPosition;

    #[test]
    fn the_list_has_eight_positions_of_each_game_that_go_on() {
        for &game in GameId::ALL {
            let of_game: Vec<_> = positions().filter(|p| p.0 == game).collect();
            assert_eq!(of_game.len(), 8, "{game}");
            for (_, fen) in of_game {
                let position = AnyPosition::from_fen(game, fen).unwrap();
                assert_eq!(position.outcome(), None, "{fen}");
                assert_eq!(position.to_string(), fen);
            }
        }
    }
}
