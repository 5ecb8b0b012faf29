//! `hexmate suite`: checking perft suites.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{Game, GameId, Position, with_game};
use rayon::prelude::*;

use crate::exit::Exit;
use crate::inputs;
use crate::lines::{Line, Lines};
use crate::perft::{Counter, Means};

/// Check perft suites: files whose lines are a position and `;Dn count` for each depth.
#[derive(clap::Args)]
pub struct Arguments {
    /// Suite files, - for standard input; without --game, the game is the file's name without its extension
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game, for all files
    #[arg(long, value_parser = inputs::game)]
    game: Option<GameId>,
    /// Skip counts greater than this
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    #[command(flatten)]
    means: Means,
}

/// The results so far.
#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
    unreadable: u64,
}

/// The result of one line.
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
            // The other files are still checked.
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
    let cannot = "cannot be read";
    let text: Box<dyn Read> = match file.as_os_str() == "-" {
        true => Box::new(stdin()),
        false => Box::new(File::open(file).context(cannot)?),
    };
    let game = match arguments.game {
        Some(game) => game,
        None => game_of(file)?,
    };
    let mut lines = Lines::new(BufReader::new(text));
    // One counter for each file, since a hash table serves one game only.
    let counter = Counter::new(&arguments.means)?;
    let max_nodes = arguments.max_nodes;
    let check = |line: &Line| {
        let text = line.text.as_ref().map_err(|e| *e)?;
        with_game!(game, game => check_line(game, &counter, text, max_nodes))
    };
    loop {
        let batch = batch_of(&mut lines).context(cannot)?;
        if batch.is_empty() {
            break;
        }
        let results: Vec<_> = counter.run(|| batch.par_iter().map(check).collect());
        for (line, result) in batch.iter().zip(results) {
            match result {
                Ok(checked) => {
                    tally.passed += checked.passed;
                    tally.failed += checked.failures.len() as u64;
                    for failure in checked.failures {
                        writeln!(out, "{failure}")?;
                    }
                }
                Err(error) => {
                    let (file, number) = (file.display(), line.number);
                    eprintln!("hexmate: {file}, line {number}: {error:#}");
                    tally.unreadable += 1;
                }
            }
        }
    }
    Ok(())
}

/// Some lines, to be checked at once: an input may be long, or endless.
fn batch_of(lines: &mut Lines<impl BufRead>) -> std::io::Result<Vec<Line>> {
    const LINES: usize = 4096;
    const BYTES: usize = 16 << 20;
    let mut batch = Vec::new();
    let mut bytes = 0;
    while batch.len() < LINES
        && bytes < BYTES
        && let Some(line) = lines.next_line()?
    {
        bytes += line.text.as_ref().map_or(0, String::len);
        batch.push(line);
    }
    Ok(batch)
}

/// The game named by a file's name.
fn game_of(file: &Path) -> Result<GameId> {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    stem.and_then(|stem| stem.parse().ok()).ok_or_else(|| {
        anyhow!(
            "the file's name is not a game; name it like 'glinski.epd' or give --game (one of {})",
            GameId::names()
        )
    })
}

fn check_line<G: Game>(
    game: G,
    counter: &Counter,
    line: &str,
    max_nodes: Option<u64>,
) -> Result<Checked> {
    let mut checked = Checked::default();
    let Some(case) = SuiteCase::parse(line)? else {
        return Ok(checked);
    };
    let position = Position::from_fen(game, case.fen)?;
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
                game.id(),
                case.fen
            ));
        }
    }
    Ok(checked)
}
