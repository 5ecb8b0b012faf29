//! `hexmate review`: the loss of each move of a game.

pub(crate) mod judge;
mod report;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};
use hexmate_engine::STACK_BYTES;
use hexmate_movegen::{GameId, Letters};

use crate::analyse::{
    Answer, Body, DEFAULT_HASH_MEGABYTES, Item, Memo, Origin, Parts, Records, Request, Reuse,
    Selection, Settings, Source, Ticket, Worker, jobs, note, positions_of, progress, write_whole,
};
use crate::exit::Exit;
use crate::game_names::GameNames;
use crate::inputs;
use crate::roles::Roles;
pub use judge::{Judged, Judgement, Review, Share, Sum};

/// Review games: the loss of each move in expected score, the accuracy of each side, a plot.
///
/// Games are read from PGN-style files, and from JSON lines or tables with "moves". Each position is
/// searched, and so is each move that was not the best, on its own: its loss is the difference in
/// expected score. docs/batch.md has the formulas.
#[derive(clap::Args)]
pub struct Arguments {
    /// The games: files, patterns like 'games/*.pgn', - or nothing for standard input
    #[arg(value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// The game of records that do not name one [default: the file's name if it is a game, else glinski]
    #[arg(long, value_parser = inputs::game)]
    game: Option<GameId>,
    /// Search each position to this depth in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Search this many nodes for each position [default, without --depth: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Positions analysed at once [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Size of each job's transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH_MEGABYTES as u32, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Print one JSON object for each game, with every move
    #[arg(long)]
    json: bool,
    /// Write a plot of each game into this folder: game-1.svg, ...
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    /// Write an HTML page with all games and their plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    letters: inputs::LettersArgument,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let settings = Settings {
        depth: arguments.depth,
        nodes: arguments.nodes,
        hash_megabytes: arguments.hash as usize,
        ..Settings::default()
    }
    .bounded();
    let sources = Source::of_arguments(&arguments.files)?;
    let bar = progress(&sources, arguments.quiet);
    let selection = Selection {
        game: arguments.game,
        whole_games: true,
        letters: arguments.letters.get(),
        ..Selection::default()
    };
    no_file_twice(arguments, &sources)?;
    let mut records = Records::new(sources, selection.clone(), bar.clone())?;
    if let Some(folder) = &arguments.svg {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot be made", folder.display()))?;
    }
    let memo = Arc::new(Memo::new(format!("{:?}", settings.terms())));
    let workers = (0..jobs(arguments.jobs, 1)).map(|_| {
        Worker::reusing(settings.clone(), Reuse::new(Some(memo.clone()), None)).context("--hash")
    });
    let mut workers = workers.collect::<Result<Vec<_>>>()?;

    let mut output = BufWriter::new(std::io::stdout());
    let mut page = arguments.html.is_some().then(report::begin_page);
    let mut exit = Exit::Success;
    let mut games = 0;
    while let Some(item) = records.next_item()? {
        games += 1;
        let (review, fault) = match review(&mut workers, &item, &selection.letters) {
            Ok(found) => found,
            Err(fault) => (None, Some(fault)),
        };
        if let Some(fault) = fault {
            bar.suspend(|| eprintln!("hexmate: {fault}"));
            exit = Exit::Failed;
        }
        let Some(review) = review else { continue };
        if arguments.json {
            writeln!(output, "{}", serde_json::to_string(&review)?)?;
        } else {
            write!(output, "{}", report::text(&review))?;
        }
        output.flush()?;
        if let Some(folder) = &arguments.svg {
            let path = folder.join(format!("game-{games}.svg"));
            write_whole(&path, &report::picture(&review))?;
        }
        if let Some(page) = &mut page {
            *page += &report::section(&review);
        }
        bar.set_message(format!("{games} games"));
    }
    bar.finish_and_clear();
    if let (Some(path), Some(page)) = (&arguments.html, page) {
        write_whole(path, &(page + report::END_OF_PAGE))?;
    }
    Ok(exit)
}

/// Refuses files that would be overwritten by something else of this run.
fn no_file_twice(arguments: &Arguments, sources: &[Source]) -> Result<()> {
    let mut roles = Roles::new();
    Source::note(sources, true, &mut roles)?;
    // The number of games is not known: all existing plots may be overwritten.
    let folder = arguments.svg.as_deref();
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        let cannot = || folder.display().to_string();
        for entry in folder.read_dir().with_context(cannot)? {
            let path = entry.with_context(cannot)?.path();
            if is_plot_of(&path, folder) {
                roles.output("--svg", &path)?;
            }
        }
    }
    if let Some(path) = &arguments.html {
        note(&mut roles, "--html", path)?;
        if folder.is_some_and(|folder| is_plot_of(path, folder)) {
            bail!(
                "--html {} is the name of a plot of --svg; expected another",
                path.display()
            );
        }
    }
    Ok(())
}

/// Whether a file has the name of a plot in this folder.
fn is_plot_of(path: &Path, folder: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let number = name.and_then(|name| name.strip_prefix("game-")?.strip_suffix(".svg"));
    let same = |own: &Path| match (own.canonicalize(), folder.canonicalize()) {
        (Ok(own), Ok(folder)) => own == folder,
        _ => own == folder,
    };
    number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) && path.parent().is_some_and(same)
}

/// The review of a record, and what is wrong with the rest of its game, if anything.
///
/// # Errors
/// If the record is not a game at all: what is wrong.
fn review(
    workers: &mut [Worker],
    item: &Item,
    letters: &Letters,
) -> Result<(Option<Review>, Option<String>), String> {
    let origin = &item.origin;
    let fault = |error: &dyn std::fmt::Display| fault_at(origin, error);
    let request = match &item.body {
        Body::Fault { error, .. } => return Err(fault(error)),
        Body::Request(request) => (**request).clone(),
        Body::Text(text) => {
            Request::parse(text, &origin.unnamed()).map_err(|(_, error)| fault(&error))?
        }
    };
    if !request.is_game() {
        return Err(fault(&"no \"moves\"; expected a game"));
    }
    let game = request
        .game(&GameNames::default(), item.game)
        .map_err(|e| fault(&e))?;
    let Parts {
        moves,
        positions,
        broken,
    } = positions_of(&request, game, letters).map_err(|e| fault(&e))?;
    let request = request.with_moves(moves);
    let item_of = |request: Request| Item {
        body: Body::Request(Box::new(request)),
        ..item.clone()
    };
    let after = |plies: usize| request.broken_off(positions[plies].1, 0.into());
    let items: Vec<Item> = (0..positions.len()).map(|i| item_of(after(i))).collect();
    let before = answers(workers, &items);
    let played: Vec<&str> = request.moves().split_whitespace().collect();
    // A move that is not the best is searched alone, so that both scores are of the same position.
    let others: Vec<usize> = (1..before.len())
        .map(|i| i - 1)
        .filter(|&i| !judge::is_best(&before[i], played[i]))
        .collect();
    let items: Vec<Item> = others
        .iter()
        .map(|&i| item_of(after(i).only(played[i])))
        .collect();
    let alone = others.into_iter().zip(answers(workers, &items)).collect();
    let review = Review::of(&request.id, game, &played, &before, &alone).map_err(|e| fault(&e))?;
    let broken = broken.map(|broken| {
        let origin = Origin {
            line: broken.line.unwrap_or(origin.line),
            ..origin.clone()
        };
        fault_at(&origin, &broken.error)
    });
    Ok((Some(review), broken))
}

/// What is wrong with a record, and where.
fn fault_at(origin: &Origin, error: &dyn std::fmt::Display) -> String {
    match Answer::fault(None, origin, None, error) {
        Answer::Error(fault) => fault.error,
        Answer::Analysis(_) => unreachable!("a fault is one"),
    }
}

/// The answers to all positions of a game.
fn answers(workers: &mut [Worker], items: &[Item]) -> Vec<Answer> {
    let slots: Vec<Mutex<Option<Answer>>> = items.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for worker in workers {
            let (slots, next) = (&slots, &next);
            let work = move || {
                while let Some((i, item)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    items.get(i).map(|item| (i, item))
                } {
                    let ticket = Ticket {
                        place: i as u64,
                        hash: 0,
                    };
                    worker.work(ticket, item, &mut |ticket, answer, _| {
                        let mut slot = slots[ticket.place as usize]
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner);
                        *slot = Some(answer);
                    });
                }
            };
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, work)
                .expect("the system has a thread for each job");
        }
    });
    let slots = slots.into_iter();
    let answer = |slot: Mutex<Option<Answer>>| {
        let slot = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        slot.expect("every record is answered")
    };
    slots.map(answer).collect()
}
