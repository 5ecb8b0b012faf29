//! `hexmate review`: a game for people, with players, a graph, and boards where something better was to be had; or, for
//! programs, the loss of each move.

mod about;
mod graph;
pub(crate) mod judge;
mod page;
mod pgn;
mod search;
mod text;

use std::io::{BufWriter, IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use hexmate_engine::STACK_BYTES;
use hexmate_movegen::GameId;
use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::analyse::{
    DEFAULT_HASH_MEGABYTES, Memo, Records, Refused, Reuse, Selection, Settings, Source, Worker,
    check_writable, is_stdout, jobs, note, write_whole,
};
use crate::eval_file::EvalFile;
use crate::exit::Exit;
use crate::inputs;
use crate::overwrite::{Force, make_folder};
use crate::progress;
use crate::roles::Roles;
use crate::stdout::{CANNOT_PRINT, is_closed};
use crate::terminal;
use crate::threads::{check_memory, pool};
pub use judge::{About, Judged, Judgement, Review, Share, Sum, Unread};
use page::Page;

/// Review games: who played how well, a graph, and boards with better moves.
///
/// Games are read from PGN-style files, from moves alone, and from JSON lines or tables with "moves". Each position is
/// searched, and so is each move that was not the best, on its own: its loss is the difference in
/// expected score. Inaccuracies, mistakes and blunders come with what separates them from the best move.
/// On a terminal the review is text; docs/review.md describes it and the formulas.
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
    /// Evaluate with the weights or the network in this file, as hexmate tune or hexmate train writes it;
    /// the word handmade: without a network
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// What is printed [default: text on a terminal, else jsonl]
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// The same as --format jsonl
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write a graph of each game into this folder: game-1.svg, ...
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
    /// Write a page with all games, their graphs and boards; - prints it instead of the reviews
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    letters: inputs::LettersArgument,
    #[command(flatten)]
    force: Force,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// How reviews are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Form {
    /// Text for people
    Text,
    /// One JSON object for each game, with every move
    Jsonl,
    /// The games with glyphs, comments and better lines
    Pgn,
}

impl Arguments {
    /// How reviews are printed; `None`: they are not.
    fn form(&self) -> Option<Form> {
        if self.html.as_deref().is_some_and(is_stdout) {
            return None;
        }
        let usual = match stdout().is_terminal() && !self.json {
            true => Form::Text,
            false => Form::Jsonl,
        };
        Some(self.format.unwrap_or(usual))
    }

    /// Whether there is more to be written than what is printed.
    fn writes_files(&self) -> bool {
        self.svg.is_some() || self.html.is_some()
    }

    /// The file of `--eval-file`.
    fn opened_eval_file(&self) -> Result<Option<Arc<EvalFile>>> {
        let file = EvalFile::given(self.eval_file.as_deref(), self.game);
        Ok(file.context("--eval-file")?.map(Arc::new))
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let settings = Settings {
        depth: arguments.depth,
        nodes: arguments.nodes,
        hash_megabytes: arguments.hash as usize,
        eval_file: arguments.opened_eval_file()?,
        ..Settings::default()
    }
    .bounded();
    let sources = Source::of_arguments(&arguments.files)?;
    let selection = Selection {
        game: arguments.game,
        whole_games: true,
        letters: arguments.letters.get(),
        ..Selection::default()
    };
    let plots = existing_plots(arguments.svg.as_deref())?;
    no_file_twice(arguments, &sources, &plots)?;
    nothing_is_lost(arguments, &plots)?;
    // Records name their file only where there are several.
    let file = match &sources[..] {
        [source] => source.path.is_some().then(|| source.name()),
        _ => None,
    };
    let mut records = Records::new(sources, selection.clone(), ProgressBar::hidden())?;
    let first = records.next_item();
    let mut first = match &file {
        Some(file) => first.with_context(|| file.to_string())?,
        None => first?,
    };
    if first.is_none() {
        eprintln!("hexmate: there are no games in the input");
        return Ok(Exit::Failed);
    }
    make_places(arguments, &plots)?;
    let memo = Arc::new(Memo::new(format!("{:?}", settings.terms())));
    let jobs = jobs(arguments.jobs, 1);
    check_memory(jobs, 0).context("--jobs")?;
    let pool = pool(jobs, Some(STACK_BYTES)).context("--jobs")?;
    let workers = (0..jobs).map(|_| {
        Worker::reusing(settings.clone(), Reuse::new(Some(memo.clone()), None)).context("--hash")
    });
    let mut workers = workers.collect::<Result<Vec<_>>>()?;

    let bar = progress(arguments.quiet);
    let mut form = arguments.form();
    let mut output = BufWriter::new(stdout());
    let mut page = arguments.html.is_some().then(|| Page::new(how(&settings)));
    let mut exit = Exit::Success;
    let mut refused = Refused::default();
    let mut games = 0;
    let mut next = || match first.take() {
        None => records.next_item(),
        first => Ok(first),
    };
    while let Some(item) = next()? {
        games += 1;
        bar.set_prefix(format!("Game {games}"));
        let reviewed = search::review(&pool, &mut workers, &item, &selection.letters, &bar);
        let fault = match &reviewed {
            Ok(review) => review.error.as_ref(),
            Err(unread) => Some(&unread.error),
        };
        if let Some(fault) = fault {
            let file = file
                .as_ref()
                .map_or_else(String::new, |file| format!("{file}, "));
            bar.suspend(|| eprintln!("hexmate: {file}{fault}"));
            exit = Exit::Failed;
        }
        let printed = match (&reviewed, form) {
            (Ok(review), Some(Form::Text)) => text::text(review, terminal::width()),
            (Ok(review), Some(Form::Jsonl)) => serde_json::to_string(review)? + "\n",
            (Ok(review), Some(Form::Pgn)) => pgn::pgn(review),
            (Err(unread), Some(Form::Text)) => text::unread(unread, terminal::width()),
            // Its fault has been told.
            (Err(_), _) | (_, None) => String::new(),
        };
        let print = || write!(output, "{printed}").and_then(|()| output.flush());
        if form.is_some()
            && let Err(error) = bar.suspend(print)
        {
            if !is_closed(&error) || !arguments.writes_files() {
                return Err(error).context(CANNOT_PRINT);
            }
            // Nobody reads on, but the files are wanted.
            form = None;
        }
        if let (Some(folder), Ok(review)) = (&arguments.svg, &reviewed) {
            let plot = plot_of(folder, games);
            refused.unless_appeared(write_whole(&plot, &page::picture(review), arguments.force))?;
        }
        match (&mut page, reviewed) {
            (Some(page), Ok(review)) => page.add(&review),
            (Some(page), Err(unread)) => page.add_unread(&unread),
            (None, _) => {}
        }
    }
    bar.finish_and_clear();
    if let (Some(path), Some(page)) = (&arguments.html, page) {
        if page.left_off() > 0 {
            let most = crate::pages::MOST_GAMES;
            eprintln!(
                "hexmate: --html: the page has the first {most} games on boards, and {} in its index only",
                page.left_off()
            );
        }
        refused.unless_appeared(write_whole(path, &page.text(), arguments.force))?;
    }
    refused.told()?;
    Ok(exit)
}

/// Makes the folder of the plots, and makes sure that all files can be written.
fn make_places(arguments: &Arguments, plots: &[PathBuf]) -> Result<()> {
    if let Some(folder) = &arguments.svg {
        make_folder(folder).context("--svg")?;
        for plot in plots.iter().chain([&plot_of(folder, 1)]) {
            check_writable(plot).context("--svg")?;
        }
    }
    // It may be in that folder.
    if let Some(path) = &arguments.html {
        check_writable(path).context("--html")?;
    }
    Ok(())
}

/// Progress within a game: how many there are is not known before the input has ended.
fn progress(quiet: bool) -> ProgressBar {
    let bar = ProgressBar::hidden();
    let template = "{prefix}  {bar:30} {pos} of {len} positions{left}  {msg}";
    if let Ok(style) = progress::style(template) {
        bar.set_style(style);
    }
    if !quiet {
        bar.set_draw_target(ProgressDrawTarget::stderr());
    }
    bar
}

/// How positions are searched, in words.
fn how(settings: &Settings) -> String {
    let depth = settings.depth.map(|depth| format!("{depth} plies deep"));
    let nodes = settings.nodes.map(|nodes| format!("with {nodes} nodes"));
    let limits: Vec<String> = depth.into_iter().chain(nodes).collect();
    format!("Each position was searched {}", limits.join(" and "))
}

/// Where the plot of a game goes, by its number from 1.
fn plot_of(folder: &Path, game: u64) -> PathBuf {
    folder.join(format!("game-{game}.svg"))
}

/// The plots that a folder has, also those of which it has no more than the temporary file, sorted: how many games there
/// are is not known, so all of them may be overwritten.
fn existing_plots(folder: Option<&Path>) -> Result<Vec<PathBuf>> {
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        return Ok(Vec::new());
    };
    let cannot = || folder.display().to_string();
    let mut plots = Vec::new();
    for entry in folder.read_dir().with_context(cannot)? {
        let mut path = entry.with_context(cannot)?.path();
        if path.extension().is_some_and(|ending| ending == "part") {
            path.set_extension("");
        }
        if is_plot_of(&path, folder) {
            plots.push(path);
        }
    }
    plots.sort();
    plots.dedup();
    Ok(plots)
}

/// Refuses to overwrite files.
fn nothing_is_lost(arguments: &Arguments, plots: &[PathBuf]) -> Result<()> {
    let force = arguments.force;
    force.check("--html", arguments.html.as_deref())?;
    for path in plots {
        force.check("--svg", Some(path))?;
    }
    Ok(())
}

/// Refuses files that would be overwritten by something else of this run.
fn no_file_twice(arguments: &Arguments, sources: &[Source], plots: &[PathBuf]) -> Result<()> {
    let mut roles = Roles::new();
    Source::note(sources, true, &mut roles)?;
    if let Some(path) = &arguments.eval_file {
        roles.input("--eval-file", path)?;
    }
    for path in plots {
        roles.output("--svg", path)?;
    }
    let folder = arguments.svg.as_deref();
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
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        && path.parent().is_some_and(same)
}
