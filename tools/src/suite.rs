//! `hexmate suite`: checking perft suites.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{Game, GameId, Position, with_game};
use hexmate_perft::Counter;
use rayon::prelude::*;
use serde_json::json;

use crate::exit::{Exit, told};
use crate::inputs;
use crate::lines::{Line, Lines};
use crate::perft::{MOST_DEPTH, Means};
use crate::progress::{self, Cleared};
use crate::stdout::{self, unless_closed};

/// Check perft suites: files whose lines are a position and `;Dn count` for each depth.
///
/// If no count was compared, the exit code is 2.
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
    /// Print a JSON object for each line of the suites, and one with the totals
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    means: Means,
}

/// The results so far.
#[derive(Default)]
struct Tally {
    passed: u64,
    failed: u64,
    unreadable: u64,
    /// Counts greater than --max-nodes.
    skipped: u64,
}

/// Standard output cannot be written: no fault of a suite, and no other suite is checked.
#[derive(Debug, thiserror::Error)]
#[error("{}", stdout::CANNOT_PRINT)]
struct CannotPrint;

/// The result of one line.
#[derive(Default)]
struct Checked {
    fen: String,
    counts: Vec<Count>,
    skipped: u64,
}

/// A count that was checked.
struct Count {
    depth: u32,
    expected: u64,
    found: u64,
}

impl Count {
    fn is_right(&self) -> bool {
        self.expected == self.found
    }
}

/// Where a line is from.
struct Place<'p> {
    file: &'p Path,
    line: u64,
    game: GameId,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let mut tally = Tally::default();
    let mut out = io::stdout().lock();
    for file in &arguments.files {
        if let Err(error) = check_file(arguments, file, &mut tally, &mut out) {
            if error.is::<CannotPrint>() {
                return Err(error);
            }
            // The other files are still checked.
            eprintln!("hexmate: {}: {}", file.display(), told(&error));
            tally.unreadable += 1;
        }
    }
    let Tally {
        passed,
        failed,
        unreadable,
        skipped,
    } = tally;
    let compared = passed + failed;
    match arguments.json {
        true => {
            let totals = json!({
                "passed": passed, "failed": failed, "unreadable": unreadable, "skipped": skipped
            });
            unless_closed(writeln!(out, "{totals}")).context(CannotPrint)?;
        }
        // What is wrong says all there is to say.
        false if compared == 0 => {}
        false => {
            let some = |number, what| match number {
                0 => String::new(),
                _ => format!(", {number} {what}"),
            };
            let (unreadable, skipped) = (some(unreadable, "unreadable"), some(skipped, "skipped"));
            let told = writeln!(out, "{passed} passed, {failed} failed{unreadable}{skipped}");
            unless_closed(told).context(CannotPrint)?;
        }
    }
    // A check of nothing must not pass for a passed check.
    if compared == 0 && unreadable == 0 {
        match skipped {
            0 => bail!("no count was compared; expected lines of a position and ';Dn count'"),
            _ => bail!("no count was compared: all {skipped} are greater than --max-nodes"),
        }
    }
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
    let counter = arguments.means.counter()?;
    let max_nodes = arguments.max_nodes;
    let bar = Cleared(progress::bar(0, "lines"));
    bar.0.set_message(file.display().to_string());
    let check = |line: &Line| {
        let text = line.text.as_ref().map_err(|e| *e)?;
        let checked = with_game!(game, game => check_line(game, &counter, text, max_nodes));
        bar.0.inc(1);
        checked
    };
    loop {
        let batch = batch_of(&mut lines).context(cannot)?;
        if batch.is_empty() {
            return Ok(());
        }
        bar.0.inc_length(batch.len() as u64);
        let results: Vec<_> = counter.run(|| batch.par_iter().map(check).collect());
        for (line, result) in batch.iter().zip(results) {
            let place = Place {
                file,
                line: line.number,
                game,
            };
            match &result {
                Ok(checked) => {
                    let right = checked.counts.iter().filter(|count| count.is_right());
                    let right = right.count() as u64;
                    tally.passed += right;
                    tally.failed += checked.counts.len() as u64 - right;
                    tally.skipped += checked.skipped;
                }
                Err(_) => tally.unreadable += 1,
            }
            let told = bar.0.suspend(|| match arguments.json {
                true => tell_object(&place, &result, out),
                false => tell(&place, &result, out),
            });
            unless_closed(told).context(CannotPrint)?;
        }
    }
}

/// Tells what is wrong with a line, if anything is.
fn tell(place: &Place<'_>, result: &Result<Checked>, out: &mut impl Write) -> io::Result<()> {
    let at = format!("{}, line {}", place.file.display(), place.line);
    match result {
        Ok(checked) => {
            for count in checked.counts.iter().filter(|count| !count.is_right()) {
                let Count {
                    depth,
                    expected,
                    found,
                } = count;
                writeln!(
                    out,
                    "{at}: {} depth {depth}: expected {expected}, found {found}: {}",
                    place.game, checked.fen
                )?;
            }
        }
        Err(error) => eprintln!("hexmate: {at}: {}", told(error)),
    }
    Ok(())
}

/// Writes an object about a line.
fn tell_object(
    place: &Place<'_>,
    result: &Result<Checked>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut object = json!({
        "file": place.file.display().to_string(),
        "line": place.line,
        "game": place.game.name(),
    });
    match result {
        Ok(checked) => {
            let status = match &*checked.counts {
                [] => "skipped",
                counts if counts.iter().all(Count::is_right) => "passed",
                _ => "failed",
            };
            let counts = checked.counts.iter().map(|count| {
                json!({"depth": count.depth, "expected": count.expected, "found": count.found})
            });
            object["status"] = status.into();
            object["fen"] = checked.fen.as_str().into();
            object["counts"] = counts.collect();
        }
        Err(error) => {
            object["status"] = "error".into();
            object["error"] = told(error).into();
        }
    }
    writeln!(out, "{object}")
}

/// Some lines, to be checked at once: an input may be long, or endless.
fn batch_of(lines: &mut Lines<impl BufRead>) -> io::Result<Vec<Line>> {
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
    let Some(case) = SuiteCase::parse(line)? else {
        return Ok(Checked::default());
    };
    let position = Position::from_fen(game, case.fen)?;
    if let Some((depth, _)) = case.counts.iter().find(|(depth, _)| *depth > MOST_DEPTH) {
        bail!("D{depth}: so deep nothing can be counted; expected depths up to {MOST_DEPTH}");
    }
    let all = case.counts.len();
    let wanted = case.counts.into_iter();
    let wanted: Vec<(u32, u64)> = wanted
        .filter(|(_, expected)| max_nodes.is_none_or(|most| *expected <= most))
        .collect();
    let skipped = (all - wanted.len()) as u64;
    let counts = wanted.into_iter().map(|(depth, expected)| Count {
        depth,
        expected,
        found: counter.perft(&position, depth),
    });
    Ok(Checked {
        fen: case.fen.to_owned(),
        counts: counts.collect(),
        skipped,
    })
}
