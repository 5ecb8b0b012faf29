//! `hexmate suite`: checking perft suites.

use std::fs::File;
use std::io::{self, BufReader, Read, Write, stdin};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;
use std::{fmt, panic, process, thread};

use anyhow::{Context, Error, Result, anyhow, bail};
use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{Game, GameId, Position, with_game};
use hexmate_perft::Counter;
use indicatif::ProgressBar;
use serde_json::json;

use crate::exit::{Exit, told};
use crate::inputs::{self, MOST_PERFT_DEPTH};
use crate::interrupt::interrupted;
use crate::lines::Lines;
use crate::perft::Means;
use crate::progress::{self, Cleared};
use crate::stdout::{self, unless_closed};
use crate::threads::NO_THREAD;

/// How many lines may be checked before one that is still to be told.
const AHEAD: usize = 64;

/// How often it is looked whether the run was interrupted.
const LOOK: Duration = Duration::from_millis(50);

/// Check perft suites: files whose lines are a position and `;Dn count` for each depth.
///
/// What is wrong is told as soon as a line is checked. If no count was compared, the exit code is 2.
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

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        for (number, what) in [(self.unreadable, "unreadable"), (self.skipped, "skipped")] {
            if number > 0 {
                write!(f, ", {number} {what}")?;
            }
        }
        Ok(())
    }
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

/// A line of a file that was checked, or cannot be.
struct Told {
    line: u64,
    game: GameId,
    result: Result<Checked>,
}

/// Where results go.
struct Ends<'e, W> {
    tally: Tally,
    out: W,
    json: bool,
    interrupted: &'e AtomicBool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let interrupted = interrupted()?;
    let mut ends = Ends {
        tally: Tally::default(),
        out: io::stdout().lock(),
        json: arguments.json,
        interrupted: &interrupted,
    };
    for file in &arguments.files {
        if let Err(error) = check_file(arguments, file, &mut ends) {
            if error.is::<CannotPrint>() {
                return Err(error);
            }
            // The other files are still checked.
            eprintln!("hexmate: {}: {}", file.display(), told(&error));
            ends.tally.unreadable += 1;
        }
    }
    let Ends { tally, mut out, .. } = ends;
    let all = tally.to_string();
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
        false => unless_closed(writeln!(out, "{all}")).context(CannotPrint)?,
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

fn check_file<W: Write>(arguments: &Arguments, file: &Path, ends: &mut Ends<'_, W>) -> Result<()> {
    let cleared = Cleared(progress::spinner());
    let bar = &cleared.0;
    let (sender, receiver) = sync_channel(AHEAD);
    // On a thread of its own, as an interruption waits neither for a count nor for more input.
    thread::scope(|scope| {
        let check = move || check_lines(arguments, file, bar, &sender);
        let checking = thread::Builder::new().spawn_scoped(scope, check);
        let checking = checking.context(NO_THREAD)?;
        let all_told = ends.tell_all(file, &receiver, bar);
        // Whoever still checks ends there.
        drop(receiver);
        let checked = checking
            .join()
            .unwrap_or_else(|panic| panic::resume_unwind(panic));
        all_told.and(checked)
    })
}

/// Checks one line after another, each with all threads; ends early where nobody wants to know any more.
fn check_lines(
    arguments: &Arguments,
    file: &Path,
    bar: &ProgressBar,
    results: &SyncSender<Told>,
) -> Result<()> {
    let cannot = "cannot be read";
    if file.is_dir() {
        return Err(
            anyhow!("it is a folder; expected a file of positions and counts").context(cannot),
        );
    }
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
    while let Some(line) = lines.next_line().context(cannot)? {
        bar.set_message(format!("{}, line {}", file.display(), line.number));
        let check = |text: String| {
            let check =
                || with_game!(game, game => check_line(game, &counter, &text, arguments.max_nodes));
            counter.run(check)
        };
        let told = Told {
            line: line.number,
            game,
            result: line.text.map_err(Error::new).and_then(check),
        };
        if results.send(told).is_err() {
            break;
        }
    }
    Ok(())
}

impl<W: Write> Ends<'_, W> {
    /// Tells results until there are no more. If that is interrupted, the process ends here.
    fn tell_all(&mut self, file: &Path, results: &Receiver<Told>, bar: &ProgressBar) -> Result<()> {
        loop {
            match results.recv_timeout(LOOK) {
                Ok(told) => self.tell(file, &told, bar)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if self.interrupted.load(Ordering::Relaxed) {
                for told in results.try_iter().take(AHEAD) {
                    self.tell(file, &told, bar)?;
                }
                bar.finish_and_clear();
                eprintln!("hexmate: interrupted; {} before that", self.tally);
                process::exit(Exit::Interrupted.code().into());
            }
        }
    }

    fn tell(&mut self, file: &Path, told: &Told, bar: &ProgressBar) -> Result<()> {
        let tally = &mut self.tally;
        match &told.result {
            Ok(checked) => {
                let right = checked.counts.iter().filter(|count| count.is_right());
                let right = right.count() as u64;
                tally.passed += right;
                tally.failed += checked.counts.len() as u64 - right;
                tally.skipped += checked.skipped;
            }
            Err(_) => tally.unreadable += 1,
        }
        let printed = bar.suspend(|| match self.json {
            true => tell_object(file, told, &mut self.out),
            false => tell(file, told, &mut self.out),
        });
        unless_closed(printed).context(CannotPrint)
    }
}

/// Tells what is wrong with a line, if anything is.
fn tell(file: &Path, line: &Told, out: &mut impl Write) -> io::Result<()> {
    let at = format!("{}, line {}", file.display(), line.line);
    match &line.result {
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
                    line.game, checked.fen
                )?;
            }
        }
        Err(error) => eprintln!("hexmate: {at}: {}", told(error)),
    }
    Ok(())
}

/// Writes an object about a line.
fn tell_object(file: &Path, line: &Told, out: &mut impl Write) -> io::Result<()> {
    let mut object = json!({
        "file": file.display().to_string(),
        "line": line.line,
        "game": line.game.name(),
    });
    match &line.result {
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
    if let Some((depth, _)) = case
        .counts
        .iter()
        .find(|(depth, _)| *depth > MOST_PERFT_DEPTH)
    {
        bail!("D{depth}: so deep nothing can be counted; expected depths up to {MOST_PERFT_DEPTH}");
    }
    let all = case.counts.len();
    let wanted = case.counts.into_iter();
    let wanted: Vec<(u32, u64)> = wanted
        .filter(|(_, expected)| max_nodes.is_none_or(|most| *expected <= most))
        .collect();
    let skipped = (all - wanted.len()) as u64;
    let counts = wanted.into_iter().map(|(depth, expected)| {
        let found = counter.perft(&position, depth)?;
        Ok(Count {
            depth,
            expected,
            found,
        })
    });
    Ok(Checked {
        fen: case.fen.to_owned(),
        counts: counts.collect::<Result<_>>()?,
        skipped,
    })
}
