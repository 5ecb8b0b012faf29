//! `hexmate analyse`: best moves for many positions.
//!
//! `source` opens inputs, `records` takes them apart, the `pipeline` gives records to workers and puts
//! the answers in order, the `journal` keeps each of them, `output` and `forms` write them. Each
//! position starts with an empty table, so that its result depends on nothing but itself; `equal` says
//! which positions need not be searched twice, `memo` and `store` remember them.

mod answer;
mod apart;
mod asking;
mod complete;
mod equal;
mod fields;
mod forms;
mod item;
pub(crate) mod journal;
mod memo;
pub(crate) mod merge;
mod options;
mod output;
mod parquet;
mod pipeline;
mod records;
mod request;
mod settings;
mod share;
mod source;
mod stats;
#[cfg(feature = "cache")]
mod store;
#[cfg(not(feature = "cache"))]
#[path = "no_store.rs"]
mod store;
mod table;
mod text_kind;
mod worker;

use std::io::{IsTerminal, stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use anyhow::{Context, Error, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use tracing::info;

use crate::again;
use crate::exit::Exit;
use crate::interrupt::interrupted;
use crate::overwrite::{Force, holds_something};
use crate::progress;
use crate::roles::Roles;
use crate::stdout::is_closed_pipe;
use crate::tables::new_damage;
use crate::terminal;
use crate::terms::Terms;
use crate::threads::check_memory;
use crate::unpack::NotText;
pub use answer::{Analysis, Answer, BestLine, Bound, Fault, Findings, Score};
pub(crate) use apart::{Broken, Parts, positions_of};
pub use fields::Fields;
use forms::{Format, Style, so_far};
pub(crate) use forms::{grouped, text_of};
pub(crate) use item::{Body, Item, Origin};
use journal::{Existing, Journal, Kept, OtherInput};
pub(crate) use memo::Memo;
pub use options::Arguments;
pub(crate) use options::jobs;
pub(crate) use output::{
    Destination, Refused, check_writable, ending, is_replaceable, is_stdout, note,
    refuse_compressed, write_whole,
};
use output::{Output, check_stats};
pub(crate) use records::{Records, Selection};
pub use request::game_in;
pub(crate) use request::{Label, Request, parts_of_text};
pub use settings::{DEFAULT_HASH_MEGABYTES, MOST_LINES, MOST_MATE, MOST_THREADS, Settings};
use share::{RunIdentity, ShareFile};
pub(crate) use source::Source;
use stats::{Figures, Means, Stats};
use store::Store;
use table::NoColumns;
pub(crate) use text_kind::{SpreadJson, TextKind};
pub(crate) use worker::{Reuse, Ticket};
pub use worker::{Watch, Worker};

pub use crate::threads::THREAD_MEGABYTES;

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    arguments.check()?;
    let sources = arguments.sources()?;
    let implied = implied_journal(arguments);
    let journal_path = arguments.journal.clone().or_else(|| implied.clone());
    no_file_twice(arguments, &sources, implied.as_deref())?;
    arguments.check_ending()?;
    if arguments.resume {
        if journal_path.is_none() {
            bail!("--resume needs a journal; expected --output or --journal, too");
        }
        if let (Some(output), Some(implied)) = (arguments.output(), &implied)
            && arguments.journal.is_none()
            && output.exists()
            && !implied.exists()
            && complete::is_complete(arguments, &sources, output, "in place of")?
        {
            if let Some(stats) = arguments
                .stats
                .as_deref()
                .filter(|path| !Figures::are_in(path))
            {
                bail!(
                    "--stats {}: cannot be written, as {} is complete without them and its journal is gone; \
                     expected --force in place of --resume, which analyses anew, or no --stats",
                    stats.display(),
                    output.display()
                );
            }
            info!("nothing to do");
            if !arguments.quiet {
                eprintln!(
                    "hexmate: {}: is already complete (--force in place of --resume writes it again)",
                    output.display()
                );
            }
            return Ok(Exit::Success);
        }
    }
    if arguments.restart && journal_path.is_none() {
        bail!("--restart needs a journal; expected --output or --journal, too");
    }
    let replaces = nothing_is_lost(arguments, &sources, journal_path.as_deref())?;
    check_stats(arguments.stats.as_deref(), arguments.prints())?;
    let settings = arguments.settings()?;
    // Whoever asks about one position gets an answer, not a report.
    let one = matches!(sources.as_slice(), [source] if source.text.is_some());
    let (format, style) = (arguments.format(), style(arguments, one));
    if format == Format::Parquet {
        parquet::available()?;
    }
    if arguments.cache.is_some() {
        store::available().context("--cache")?;
    }
    // Records name their file only where there are several.
    let name = match sources.as_slice() {
        [source] => source.path.is_some().then(|| source.name()),
        _ => None,
    };
    let of_journal = Arc::default();
    let progress = progress(&sources, arguments.quiet, Arc::clone(&of_journal));
    // Read ahead: what is drawn is what is done of it.
    let read = ProgressBar::hidden();
    let records = Records::new(sources, arguments.selection(), read.clone())?;
    let (path, force) = (arguments.output(), replaces.output);
    let (terms, existing) = (terms(arguments, &settings), existing(arguments));
    if let Some(journal) = &journal_path {
        // Before what is half written is thrown away.
        Journal::check(journal, &terms, existing)?;
    }
    let mut output = Output::create(path, force, format, style, records.header())?;
    let (mut journal, kept) = open_journal(journal_path.as_deref(), &terms, existing)?;
    let for_people = format == Format::Text;
    let begins = kept.as_ref().is_none_or(|kept| kept.len() == 0);
    let means = means(arguments, &settings, for_people);
    let mut workers = workers(arguments, &settings, means.jobs)?;
    if style.board {
        watch(&mut workers, &progress)?;
    }
    let interrupted = interrupted()?;
    let tells = !arguments.quiet && !one;
    let leave = |stats: &Stats| {
        progress.finish_and_clear();
        if !arguments.quiet {
            eprintln!("hexmate: interrupted: {}", stats.summary());
            match &journal_path {
                Some(_) => eprintln!("hexmate: to go on: {}", again::command()),
                None => {
                    eprintln!("hexmate: nothing is kept to go on with; --journal FILE keeps it");
                }
            }
        }
        std::process::exit(Exit::Interrupted.code().into())
    };
    let mut stats = Stats::new(progress.clone(), read, of_journal);
    let warn = || {
        let damage = settings.tables.values().flat_map(|t| new_damage(t));
        for told in damage.chain(settings.later_tables.news()) {
            progress.suspend(|| eprintln!("hexmate: --tb: {told}"));
        }
    };
    let ends = pipeline::Ends {
        output: &mut output,
        journal: journal.as_mut(),
        max_fails: arguments.max_fails,
        over: match arguments.prints() && stdout().is_terminal() {
            true => progress.clone(),
            false => ProgressBar::hidden(),
        },
        stats: &mut stats,
        warn: &warn,
        interrupted: &interrupted,
        leave: &leave,
    };
    let resumable = |error: Error| match (&journal_path, &arguments.stats) {
        // With that input it does not go on.
        _ if error.is::<OtherInput>() => error,
        _ if is_unusable(&error) => match &name {
            Some(name) if error.is::<NoColumns>() => anyhow!("{name}, {error}"),
            Some(name) => error.context(name.to_string()),
            None => error,
        },
        // Whoever reads the answers has enough, but not of the statistics.
        (_, Some(stats)) if is_closed_pipe(&error) => anyhow!(
            "--stats {}: not written, as the reader of the answers left before the end of the run",
            stats.display()
        ),
        (Some(path), _) => error.context(format!(
            "the run broke off; what is finished is in {}, and --resume goes on",
            path.display()
        )),
        (None, _) => error,
    };
    let ran = pipeline::run(records, kept, workers, ends);
    if begins && ran.as_ref().is_err_and(is_unusable) {
        remove_implied(arguments, &mut journal)?;
    }
    let whole = ran.map_err(resumable)?;
    progress.finish_and_clear();
    if tells {
        eprintln!("hexmate: {}", stats.summary());
    }
    if let Some(most) = arguments.max_fails.filter(|_| stats.gave_up) {
        eprintln!(
            "hexmate: stopped: {} could not be analysed (--max-fails {most})",
            counted(stats.errors as usize, "record")
        );
        if let Some(path) = &arguments.stats {
            let path = path.display();
            eprintln!("hexmate: --stats {path}: not written, as the run did not come to its end");
        }
        return Ok(Exit::Failed);
    }
    if let Some(journal) = &mut journal {
        journal.sync()?;
    }
    let written = output.end().map_err(resumable)?;
    let figures = stats.figures(means);
    // The run is complete even where a file has appeared, under another name: there is nothing to go on with.
    let mut refused = Refused::default();
    if let Some((share, path)) = arguments.shard().zip(share_path(arguments)) {
        // Before the output has its name: whoever sees that sees both.
        let run = RunIdentity::new(format, whole, terms);
        let file = ShareFile::new(share, run, &written.sum, figures.clone());
        let path = written.stays_aside().map_or(path, ShareFile::path_of);
        refused
            .unless_appeared(file.write(&path, replaces.share))
            .map_err(resumable)?;
    }
    refused
        .unless_appeared(written.complete())
        .map_err(resumable)?;
    // Before the journal goes, from which another run could count once more.
    if let Some(path) = &arguments.stats {
        let text = serde_json::to_string_pretty(&figures)? + "\n";
        refused
            .unless_appeared(write_whole(path, &text, replaces.stats))
            .map_err(resumable)?;
    }
    remove_implied(arguments, &mut journal)?;
    refused.told()?;
    info!(records = stats.records, errors = stats.errors, "done");
    if stats.errors > 0 {
        eprintln!(
            "hexmate: {} of {} positions could not be analysed; see the lines with status \"error\"",
            stats.errors, stats.records
        );
        if !arguments.allow_bad {
            return Ok(Exit::Failed);
        }
    }
    Ok(Exit::Success)
}

/// Whether an input says nothing from its beginning.
fn is_unusable(error: &Error) -> bool {
    error.is::<NotText>() || error.is::<SpreadJson>() || error.is::<NoColumns>()
}

/// Removes the journal that came with the output.
fn remove_implied(arguments: &Arguments, journal: &mut Option<Journal>) -> Result<()> {
    if arguments.journal.is_none()
        && let Some(journal) = journal.take()
    {
        let path = journal.path().to_owned();
        std::fs::remove_file(&path).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Which files a run may replace.
struct Replaces {
    output: Force,
    share: Force,
    stats: Force,
}

/// Refuses to overwrite files, but those of the run that is continued.
fn nothing_is_lost(
    arguments: &Arguments,
    sources: &[Source],
    journal: Option<&Path>,
) -> Result<Replaces> {
    let has_journal = journal.is_some_and(journal::is_one);
    let goes_on = arguments.resume && has_journal;
    let mut replaces = Replaces {
        output: arguments.force,
        share: arguments.force,
        stats: arguments.force,
    };
    // One that an earlier run left goes with its output.
    let share = share_path(arguments);
    if share.as_deref().is_some_and(ShareFile::is_one) {
        replaces.share = Force::OWN;
    }
    let role = "the share file of --output:";
    // A run that goes on may have been complete before.
    let stats = arguments.stats.as_deref();
    if goes_on && stats.is_some_and(Figures::are_in) {
        replaces.stats = Force::OWN;
    }
    replaces.stats.check("--stats", stats)?;
    if goes_on {
        replaces.share.check_whole(role, share.as_deref())?;
        let output = output_file(arguments).filter(|path| holds_something(path));
        if let Some(output) = output.filter(|_| !arguments.force.is_given()) {
            // What this run has completed before, or something else.
            complete::is_complete(arguments, sources, output, "beside")?;
            replaces.output = Force::OWN;
        }
        return Ok(replaces);
    }
    // What is half written is of the run whose journal is there.
    match has_journal {
        true => arguments
            .force
            .check_whole("--output", arguments.output())?,
        false => arguments.force.check("--output", arguments.output())?,
    }
    replaces.share.check(role, share.as_deref())?;
    Ok(replaces)
}

/// Refuses files that would be overwritten by something else of this run.
fn no_file_twice(arguments: &Arguments, sources: &[Source], implied: Option<&Path>) -> Result<()> {
    let mut roles = Roles::new();
    Source::note(sources, arguments.prints(), &mut roles)?;
    for path in arguments.tables()? {
        roles.input("--tb", &path)?;
    }
    if let Some(path) = &arguments.eval_file {
        roles.input("--eval-file", path)?;
    }
    let mut note =
        |role: &str, path: Option<&Path>| path.map_or(Ok(()), |path| note(&mut roles, role, path));
    note("--output", arguments.output())?;
    note("--stats", arguments.stats.as_deref())?;
    note(
        "the share file of --output:",
        share_path(arguments).as_deref(),
    )?;
    match arguments.journal.as_deref() {
        Some(path) => roles.output("--journal", path)?,
        None => {
            if let Some(path) = implied {
                roles.output("the journal of --output:", path)?;
            }
        }
    }
    if let Some(path) = &arguments.cache {
        roles.output("--cache", path)?;
        for log in store::logs_of(path) {
            roles.output("--cache (its log)", &log)?;
        }
    }
    Ok(())
}

/// The journal that a file as output brings along; it goes when the output is complete.
fn implied_journal(arguments: &Arguments) -> Option<PathBuf> {
    let output = output_file(arguments)?;
    let mut name = output.file_name()?.to_owned();
    name.push(".journal");
    Some(output.with_file_name(name))
}

/// The file that tells which share of which run the output is.
fn share_path(arguments: &Arguments) -> Option<PathBuf> {
    arguments.shard()?;
    output_file(arguments).map(ShareFile::path_of)
}

/// The output, if it is a file.
fn output_file(arguments: &Arguments) -> Option<&Path> {
    let output = arguments.output();
    output.filter(|path| is_replaceable(path) && !path.is_dir())
}

/// All that decides answers beside the records.
fn terms(arguments: &Arguments, settings: &Settings) -> Terms {
    let mut terms = settings.terms();
    arguments.selection().add_terms(&mut terms);
    terms
}

/// What to do with a journal that is there.
fn existing(arguments: &Arguments) -> Existing {
    match (arguments.resume, arguments.restart) {
        (true, _) => Existing::Resume,
        (_, true) => Existing::Restart,
        _ => Existing::Refuse,
    }
}

fn open_journal(
    path: Option<&Path>,
    terms: &Terms,
    existing: Existing,
) -> Result<(Option<Journal>, Option<Kept>)> {
    let Some(path) = path else {
        return Ok((None, None));
    };
    let (journal, kept) = Journal::open(path, terms, existing)?;
    if kept.len() > 0 {
        info!(answers = kept.len(), "continuing with the journal");
    }
    Ok((Some(journal), Some(kept)))
}

/// States what the run will take, and keeps to it.
fn means(arguments: &Arguments, settings: &Settings, for_people: bool) -> Means {
    let means = Means {
        jobs: arguments.jobs(),
        threads: settings.threads,
        megabytes_of_each_worker: settings.megabytes(),
    };
    let told = format!(
        "{} with {} and {} MB each, {} MB for each further game",
        counted(means.jobs, "worker"),
        counted(means.threads, "thread"),
        means.megabytes_of_each_worker,
        means.threads * THREAD_MEGABYTES
    );
    if !arguments.quiet && !for_people && stderr().is_terminal() {
        eprintln!("{told}");
    }
    info!("{told}");
    means
}

/// Lets the line of progress show what the search of the one position has found so far.
fn watch(workers: &mut Vec<Worker>, progress: &ProgressBar) -> Result<()> {
    progress.set_style(ProgressStyle::with_template("{spinner} {wide_msg}")?);
    let bar = progress.clone();
    let watch: Watch = Arc::new(move |position, report| bar.set_message(so_far(position, report)));
    let all = std::mem::take(workers).into_iter();
    *workers = all
        .map(|worker| worker.watched(Some(watch.clone())))
        .collect();
    Ok(())
}

/// A number of things, in the plural but for one.
pub fn counted(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// What text for people shows: the board of a position that the command line names.
fn style(arguments: &Arguments, one: bool) -> Style {
    Style {
        board: one && arguments.format() == Format::Text,
        width: terminal::width().filter(|_| arguments.prints()),
        colour: arguments.prints() && terminal::wants_colours(),
        game: arguments.game(),
        wdl: arguments.wdl,
    }
}

fn workers(arguments: &Arguments, settings: &Settings, jobs: usize) -> Result<Vec<Worker>> {
    check_memory(jobs * settings.threads, 0).context("--threads")?;
    let terms = settings.terms();
    let memo = Arc::new(Memo::new(format!("{terms:?}")));
    let open = || arguments.cache.as_deref().map(Store::open).transpose();
    // What is wrong with the cache is reported once.
    let mut first = open()?.flatten();
    let usable = first.is_some();
    let worker = |_| {
        let store = match first.take() {
            None if usable => open()?.flatten(),
            taken => taken,
        };
        let reuse = Reuse::new(Some(memo.clone()), store);
        Worker::reusing(settings.clone(), reuse).context("--hash")
    };
    (0..jobs).map(worker).collect()
}

/// Draws progress by bytes read, of which some took no time.
fn progress(sources: &[Source], quiet: bool, of_journal: Arc<AtomicU64>) -> ProgressBar {
    let bytes: Option<u64> = sources.iter().map(Source::bytes).sum();
    let progress = ProgressBar::hidden();
    if quiet {
        return progress;
    }
    let template = match bytes {
        Some(bytes) => {
            progress.set_length(bytes);
            "{bar:30} {percent}%  {msg}  {elapsed} elapsed{left}"
        }
        None => "{spinner} {bytes} read  {msg}  {elapsed} elapsed",
    };
    progress::later_beyond(progress, template, of_journal)
}
