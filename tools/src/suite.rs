//! `hexmate suite`: perft suites, checked.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{Game, GameId, Position, with_game};
use rayon::prelude::*;

use crate::exit::Exit;
use crate::inputs;
use crate::perft::{Counter, Means};

/// Check perft suites: lines of a position and `;Dn count` for each depth.
#[derive(clap::Args)]
pub struct Arguments {
    /// Suite files; the game is the file's name without its ending, unless --game says otherwise
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game of all files
    #[arg(long, value_parser = inputs::game)]
    game: Option<GameId>,
    /// Leave out counts greater than this
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    #[command(flatten)]
    means: Means,
}

/// What came out so far.
#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
    unreadable: u64,
}

/// What came out of one line.
#[derive(Default)]
struct Checked {
    passed: u64,
    /// A message for each wrong count.
    failures: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let mut tally = Tally::default();
    let mut out = std::io::stdout().lock();
    for file in &arguments.files {
        if let Err(error) = check_file(arguments, file, &mut tally, &mut out) {
            // The other files are checked all the same.
            eprintln!("hexmate: {}: {error:#}", file.display());
            tally.unreadable += 1;
        }
    }
    let Tally {
        passed,
        failed,
        unreadable,
    } = tally;
    writeln!(out, "{passed} passed, {} failed", failed + unreadable)?;
    Ok(match (unreadable, failed) {
        (0, 0) => Exit::Success,
        (0, _) => Exit::Failed,
        _ => Exit::BadInput,
    })
}

fn check_file(
    arguments: &Arguments,
    file: &Path,
    tally: &mut Tally,
    out: &mut impl Write,
) -> Result<()> {
    let game = match arguments.game {
        Some(game) => game,
        None => game_of(file)?,
    };
    let text = std::fs::read(file).context("cannot be read")?;
    let text = String::from_utf8(text)
        .map_err(|e| anyhow!("offset {}: not UTF-8", e.utf8_error().valid_up_to()))?;
    let lines: Vec<&str> = text.lines().collect();
    // One counter for each file, since a memo serves one game only.
    let counter = Counter::new(&arguments.means)?;
    let max_nodes = arguments.max_nodes;
    let check = |line: &&str| with_game!(game, G => check_line::<G>(&counter, line, max_nodes));
    let results: Vec<_> = counter.run(|| lines.par_iter().map(check).collect());
    for (number, result) in (1..).zip(results) {
        match result {
            Ok(checked) => {
                tally.passed += checked.passed;
                tally.failed += checked.failures.len() as u64;
                for failure in checked.failures {
                    writeln!(out, "{failure}")?;
                }
            }
            Err(error) => {
                eprintln!("hexmate: {}, line {number}: {error:#}", file.display());
                tally.unreadable += 1;
            }
        }
    }
    Ok(())
}

/// The game that a file's name says.
fn game_of(file: &Path) -> Result<GameId> {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    stem.and_then(|stem| stem.parse().ok()).ok_or_else(|| {
        anyhow!(
            "the file's name is no game; name it like 'glinski.epd' or say --game (one of {})",
            GameId::names()
        )
    })
}

fn check_line<G: Game>(counter: &Counter, line: &str, max_nodes: Option<u64>) -> Result<Checked> {
    let mut checked = Checked::default();
    let Some(case) = SuiteCase::parse(line)? else {
        return Ok(checked);
    };
    let position: Position<G> = case.fen.parse()?;
    for (depth, expected) in case.counts {
        if max_nodes.is_some_and(|most| expected > most) {
            continue;
        }
        let found = counter.perft(&position, depth);
        if found == expected {
            checked.passed += 1;
        } else {
            checked.failures.push(format!(
                "{} depth {depth}: expected {expected}, found {found}: {}",
                G::ID,
                case.fen
            ));
        }
    }
    Ok(checked)
}
