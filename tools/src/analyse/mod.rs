//! `hexmate analyse`: best moves for many positions.
//!
//! Lines are read one by one, analysed by `--jobs` workers and written in the order of the input.
//! Each position starts with an empty table, so that its result depends on nothing but itself.

mod answer;
mod pipeline;
mod request;
mod worker;

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use hexmate_movegen::GameId;
use indicatif::{ProgressBar, ProgressStyle};

use crate::exit::Exit;
use crate::inputs;
use crate::lines::Lines;
pub use answer::{Analysis, Answer, BestLine, Fault, Score};
pub use worker::{DEFAULT_HASH_MEGABYTES, Settings, Worker};

/// What is searched for each position if no limit is given: enough for a sound answer, and the same on
/// every machine.
const DEFAULT_NODES: u64 = 100_000;
/// The same when a mate is looked for: it ends as soon as one is found.
const DEFAULT_MATE_NODES: u64 = 5_000_000;

/// Find the best move of each position of a file or pipe.
///
/// Each line is a position text (with "; op value" behind it if you like; "id" and "game" are heeded),
/// or a JSON object with "fen" or "moves" (from the start, or from "fen") and, if you like, "id",
/// "game" and "searchmoves" (the only moves to look at). Blank lines and lines that begin with # are passed over. The output has one JSON object a
/// line, in the order of the input; a line that cannot be used gets the status "error", the others are
/// analysed all the same, and the exit code is 1.
#[derive(clap::Args)]
pub struct Arguments {
    /// The input; - or nothing for standard input
    file: Option<PathBuf>,
    /// The game of lines that do not name one [default: the file's name if it is a game, else glinski]
    #[arg(long, value_parser = inputs::game)]
    game: Option<GameId>,
    /// Search each position to this depth in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Search this many nodes for each position [default, if no limit is given: 100000, or 5000000
    /// with --mate]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search each position for so many milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Look for a mate in so many moves, or fewer; a position ends when one is found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=120))]
    mate: Option<u32>,
    /// Give so many of the best moves a line each, in the field "lines"
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=500))]
    multipv: Option<u16>,
    /// Positions analysed at once [default: as many as there are processors for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Threads that search each position; with more than one the same input may give other output
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Megabytes of each job's transposition table
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let progress = ProgressBar::hidden();
    let input = open_input(arguments, &progress)?;
    let mut output = open_output(arguments)?;
    let threads = usize::from(arguments.threads);
    let jobs = match arguments.jobs {
        Some(jobs) => usize::from(jobs),
        None => {
            let processors = std::thread::available_parallelism().map_or(1, usize::from);
            (processors / threads).max(1)
        }
    };
    let settings = Settings {
        game: default_game(arguments),
        depth: arguments.depth,
        nodes: arguments.nodes.or_else(|| {
            let unlimited = arguments.depth.is_none() && arguments.movetime.is_none();
            let most = match arguments.mate {
                Some(_) => DEFAULT_MATE_NODES,
                None => DEFAULT_NODES,
            };
            unlimited.then_some(most)
        }),
        movetime: arguments.movetime.map(Duration::from_millis),
        mate: arguments.mate,
        multipv: arguments.multipv.map(usize::from),
        threads,
        hash_megabytes: arguments.hash as usize,
    };
    let tally = pipeline::run(Lines::new(input), &mut output, settings, jobs)?;
    output.flush().context("the output cannot be written")?;
    progress.finish_and_clear();
    if tally.errors > 0 {
        eprintln!(
            "hexmate: {} of {} positions could not be analysed; see the lines with status \"error\"",
            tally.errors, tally.records
        );
        return Ok(Exit::Failed);
    }
    Ok(Exit::Success)
}

fn is_pipe(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn open_input(
    arguments: &Arguments,
    progress: &ProgressBar,
) -> Result<BufReader<Box<dyn Read + Send>>> {
    let reader: Box<dyn Read + Send> = match &arguments.file {
        Some(path) if !is_pipe(path) => {
            let cannot = || format!("{}: cannot be read", path.display());
            let file = File::open(path).with_context(cannot)?;
            let meta = file.metadata().with_context(cannot)?;
            if meta.is_dir() {
                bail!(
                    "{}: is a folder; expected a file of positions",
                    path.display()
                );
            }
            show_progress(progress, Some(meta.len()));
            Box::new(progress.wrap_read(file))
        }
        _ => {
            show_progress(progress, None);
            Box::new(progress.wrap_read(stdin()))
        }
    };
    Ok(BufReader::new(reader))
}

/// Draws progress by bytes read; indicatif shows nothing where standard error is no terminal.
fn show_progress(progress: &ProgressBar, bytes: Option<u64>) {
    let template = match bytes {
        Some(bytes) => {
            progress.set_length(bytes);
            "{bar:40} {percent}%  {elapsed} elapsed, {eta} left"
        }
        None => "{spinner} {bytes} read, {elapsed} elapsed",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        progress.set_style(style);
    }
    progress.set_draw_target(indicatif::ProgressDrawTarget::stderr());
}

fn open_output(arguments: &Arguments) -> Result<Box<dyn Write>> {
    Ok(match &arguments.output {
        Some(path) => {
            let input = arguments.file.as_deref().filter(|p| !is_pipe(p));
            if input.is_some_and(|input| same_file::is_same_file(input, path).unwrap_or(false)) {
                bail!(
                    "{}: is the input; --output needs another file",
                    path.display()
                );
            }
            let file = File::create(path)
                .with_context(|| format!("{}: cannot be written", path.display()))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(BufWriter::new(stdout())),
    })
}

fn default_game(arguments: &Arguments) -> GameId {
    let stem = || {
        let stem = arguments.file.as_ref()?.file_stem()?.to_str()?;
        stem.parse().ok()
    };
    arguments.game.or_else(stem).unwrap_or(GameId::Glinski)
}
