//! `hexmate spsa`: numbers of the search, tuned by games. [`optimise`] is the arithmetic, [`duel`] plays, [`journal`]
//! keeps what was played, [`plot`] draws it.

mod duel;
mod journal;
mod optimise;
mod plot;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use hexmate_engine::{Budget, Limits, ParamError, ParamInfo, Params, STACK_BYTES};
use hexmate_movegen::{Game, GameId, with_game};

use self::duel::Duel;
use self::journal::{Batch, Found, Journal};
use self::optimise::{Knob, Trial, Tuning};
use crate::analyse::{check_writable, is_stdout, jobs, note, write_whole};
use crate::exit::Exit;
use crate::inputs;
use crate::interrupt::interrupted;
use crate::overwrite::Force;
use crate::progress::{self, Cleared};
use crate::roles::Roles;
use crate::stdout::CANNOT_PRINT;
use crate::terms::Terms;
use crate::threads::{NO_THREAD, THREAD_MEGABYTES, check_memory};

/// Tune numbers of the search by games of the engine against itself.
///
/// Simultaneous perturbation stochastic approximation: all numbers are tried a little up or down at once, in pairs of
/// games from random openings, and move towards what scores better. Every batch of pairs is kept in the journal; a run
/// that was killed continues with --resume. With --nodes the same arguments give the same numbers, whatever the threads
/// and however often it is interrupted. Ctrl-C ends it with the numbers so far. The end is no proof: let the result play
/// a match against the start.
#[derive(clap::Args)]
#[command(override_usage = "\
hexmate spsa <GAME> --journal <FILE> --param <NAME>... [OPTIONS]
       hexmate spsa --list")]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: Option<GameId>,
    /// What to tune: NAME, NAME=STEP, NAME=STEP,RATE, or all. STEP is the final perturbation (c_end; --list has the
    /// defaults), RATE the fraction of STEP by which one point moves the number at the end (r_end; default: --rate)
    #[arg(long = "param", value_name = "NAME", num_args = 1.., requires = "game", requires = "journal")]
    params: Vec<String>,
    /// Where a number begins, or what it is while others are tuned
    #[arg(long = "set", value_name = "NAME=VALUE", num_args = 1..)]
    set: Vec<String>,
    /// How many pairs of games are played in all
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Pairs that play one trial, all at once: better a multiple of --threads
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=1024))]
    batch: u64,
    /// RATE of the numbers for which --param gives none
    #[arg(long, value_name = "RATE", default_value_t = 0.002, value_parser = rate)]
    rate: f32,
    /// Nodes searched for each move [default, without --movetime: 5000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Size of each player's transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// The seed of openings and trials
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games played at once [default: the number of processors]
    #[arg(long, visible_alias = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The journal, which keeps every batch; FILE.svg shows the paths of the numbers
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Continue the run of the journal, if there is one
    #[arg(long, conflicts_with = "allowed")]
    resume: bool,
    #[command(flatten)]
    force: Force,
    /// List the numbers of the search with their ranges and steps
    #[arg(long, exclusive = true)]
    list: bool,
}

/// The largest rate of a number: with more, a point would move it beyond all numbers.
const MOST_RATE: f32 = 1000.0;
/// How often the plot is drawn anew.
const REDRAWN: Duration = Duration::from_secs(10);

/// Reads `--rate`.
fn rate(text: &str) -> Result<f32, String> {
    inputs::positive_up_to(text, MOST_RATE)
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    if arguments.list {
        write!(stdout(), "{}", listed()).context(CANNOT_PRINT)?;
        return Ok(Exit::Success);
    }
    if arguments.params.is_empty() {
        bail!("no --param; expected all, or some of\n{}", listed());
    }
    let (Some(game), Some(path)) = (arguments.game, arguments.journal.as_deref()) else {
        bail!("--param: expected a game and --journal FILE beside it");
    };
    if is_stdout(path) {
        bail!("--journal -: expected a file; a run cannot be continued from standard output");
    }
    let plot = plot_of(path);
    let mut roles = Roles::new();
    roles.output("--journal", path)?;
    note(&mut roles, "--journal", &plot)?;
    let base = base(&arguments.set)?;
    // As it was written, not as the nearest number of 32 bits.
    let rate = arguments.rate.to_string().parse().context("--rate")?;
    let knobs = knobs(&arguments.params, rate, &base)?;
    let found = match (arguments.resume, arguments.force.is_given()) {
        (true, _) => Found::Continued,
        (false, true) => Found::Discarded,
        (false, false) => Found::Kept,
    };
    // Before the first batch, a plot that is there is not of this run.
    let plot_is_free = || arguments.force.check("--journal", Some(&plot));
    if !path.exists() {
        // A start that is refused leaves no journal.
        plot_is_free()?;
    }
    check_writable(&plot).context("--journal")?;
    let terms = terms(game, arguments, &knobs, &base);
    let stop = interrupted()?;
    let (journal, batches) = Journal::open(path, terms, found).context("--journal")?;
    if batches.is_empty() {
        plot_is_free()?;
    }
    if found == Found::Discarded && plot.is_file() {
        // With the run that it shows; to --resume it would be somebody else's.
        fs::remove_file(&plot).with_context(|| format!("--journal: {}", plot.display()))?;
    }
    let mut session = Session {
        arguments,
        game,
        base,
        journal,
        path: vec![(0, knobs.iter().map(|knob| knob.start).collect())],
        tuning: Tuning::new(knobs, arguments.pairs, arguments.seed),
    };
    for batch in batches {
        session.learn_again(&batch)?;
    }
    if session.tuning.done() > 0 {
        eprintln!(
            "{}: continued after {} pairs",
            path.display(),
            session.tuning.done()
        );
    }
    with_game!(game, game => session.play(game, path, &stop))?;
    write!(stdout(), "{}", session.told()).context(CANNOT_PRINT)?;
    let (done, all) = (session.tuning.done(), arguments.pairs);
    if done < all {
        let but = match arguments.force.is_given() {
            true => " in place of --force",
            false => "",
        };
        eprintln!(
            "hexmate: interrupted after {done} of {all} pairs; the same command with --resume{but} goes on"
        );
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Success)
}

/// The plot beside a journal.
fn plot_of(journal: &Path) -> PathBuf {
    let mut name = journal.file_name().unwrap_or_default().to_owned();
    name.push(".svg");
    journal.with_file_name(name)
}

/// The numbers of the search as a table.
fn listed() -> String {
    let mut text = format!(
        "{:26} {:>7} {:>7} {:>7} {:>6}\n",
        "name", "default", "least", "most", "step"
    );
    for ParamInfo {
        name,
        default,
        min,
        max,
        step,
    } in Params::ALL
    {
        let _ = writeln!(text, "{name:26} {default:>7} {min:>7} {max:>7} {step:>6}");
    }
    text
}

/// The search that the numbers are tuned in.
fn base(set: &[String]) -> Result<Params> {
    let mut params = Params::default();
    let mut names = HashSet::new();
    for word in set {
        let (name, value) = word
            .split_once('=')
            .ok_or_else(|| anyhow!("--set {word}: expected NAME=VALUE"))?;
        if !names.insert(name) {
            bail!("--set {word}: {name} is set twice; expected one value");
        }
        let value = value.parse();
        let value =
            value.map_err(|_| anyhow!("--set {word}: expected NAME=VALUE with a whole number"))?;
        params
            .set(name, value)
            .with_context(|| format!("--set {word}"))?;
    }
    Ok(params)
}

/// The numbers to tune.
fn knobs(words: &[String], rate: f64, base: &Params) -> Result<Vec<Knob>> {
    let mut knobs: Vec<Knob> = Vec::new();
    for word in words {
        let (name, rest) = word
            .split_once('=')
            .map_or((word.as_str(), None), |(n, r)| (n, Some(r)));
        let found: Vec<&ParamInfo> = Params::ALL
            .iter()
            .filter(|p| name == "all" || p.name == name)
            .collect();
        if found.is_empty() {
            return Err(ParamError::Unknown(name.to_owned())).context("--param");
        }
        for info in found {
            let mut knob = Knob {
                name: info.name.to_owned(),
                start: f64::from(base.get(info.name).unwrap_or(info.default)),
                min: f64::from(info.min),
                max: f64::from(info.max),
                step: f64::from(info.step),
                rate,
            };
            let mut numbers = rest.iter().flat_map(|rest| rest.split(','));
            let range = knob.max - knob.min;
            let parts = [
                ("step", &mut knob.step, range),
                ("rate", &mut knob.rate, MOST_RATE.into()),
            ];
            for (what, place, most) in parts {
                if let Some(text) = numbers.next() {
                    let number = text.parse().ok().filter(|n: &f64| *n > 0.0 && *n <= most);
                    *place = number.ok_or_else(|| {
                        anyhow!(
                            "--param {word}: '{text}' is no {what} of {}, which is above 0 and up to {most}; expected \
                             NAME=STEP or NAME=STEP,RATE",
                            info.name
                        )
                    })?;
                }
            }
            if numbers.next().is_some() {
                bail!("--param {word}: expected NAME=STEP or NAME=STEP,RATE");
            }
            match knobs.iter_mut().find(|known| known.name == knob.name) {
                // The more special one comes later.
                Some(known) => *known = knob,
                None => knobs.push(knob),
            }
        }
    }
    Ok(knobs)
}

/// Everything that determines the result.
fn terms(game: GameId, arguments: &Arguments, knobs: &[Knob], base: &Params) -> Terms {
    let said = |value: Option<u64>| value.map_or_else(|| "not given".to_owned(), |n| n.to_string());
    let knob = |knob: &Knob| format!("{}={},{}", knob.name, knob.step, knob.rate);
    let limits = limits(arguments);
    let terms = [
        ("engine", env!("HEXMATE_ENGINE").to_owned()),
        ("game", format!("{} {:x}", game.name(), game.fingerprint())),
        (
            "--param",
            knobs.iter().map(knob).collect::<Vec<_>>().join(" "),
        ),
        ("--set", format!("{base:?}")),
        ("--pairs", arguments.pairs.to_string()),
        ("--batch", arguments.batch.to_string()),
        ("--nodes", said(limits.nodes)),
        ("--movetime", said(arguments.movetime)),
        ("--hash", arguments.hash.to_string()),
        ("--seed", arguments.seed.to_string()),
    ];
    terms
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// What ends a search.
fn limits(arguments: &Arguments) -> Limits<'static> {
    let time = arguments.movetime.map(Duration::from_millis);
    Limits {
        nodes: arguments.nodes.or(time.is_none().then_some(5000)),
        time: time.map(|time| Budget::fixed(time, Duration::ZERO)),
        ..Limits::default()
    }
}

/// A run.
struct Session<'a> {
    arguments: &'a Arguments,
    game: GameId,
    /// The numbers that are not tuned.
    base: Params,
    journal: Journal,
    tuning: Tuning,
    /// The values after so many pairs.
    path: Vec<(u64, Vec<f64>)>,
}

impl Session<'_> {
    /// The pairs of the next batch.
    fn next_batch(&self) -> u64 {
        self.arguments
            .batch
            .min(self.arguments.pairs - self.tuning.done())
    }

    fn learn(&mut self, trial: &Trial, quarters: &[i32]) {
        let points = f64::from(quarters.iter().sum::<i32>()) / 4.0;
        self.tuning.learn(trial, quarters.len() as u64, points);
        self.path
            .push((self.tuning.done(), self.tuning.values().to_vec()));
    }

    /// Learns from a batch of the journal.
    fn learn_again(&mut self, batch: &Batch) -> Result<()> {
        let pairs = batch.quarters.len() as u64;
        if batch.after != self.tuning.done() || pairs != self.next_batch() || pairs == 0 {
            bail!(
                "--journal: after {} pairs there is a batch of {pairs} after {}; the journal is damaged",
                self.tuning.done(),
                batch.after
            );
        }
        let trial = self.tuning.trial();
        self.learn(&trial, &batch.quarters);
        Ok(())
    }

    /// Plays what is left, or until it is stopped.
    fn play<G: Game>(&mut self, game: G, journal: &Path, stop: &AtomicBool) -> Result<()> {
        let arguments = self.arguments;
        let threads = jobs(arguments.threads, 1).min(arguments.batch as usize);
        // Each duel has two engines.
        check_memory(threads, THREAD_MEGABYTES).context("--threads")?;
        let duels = (0..threads).map(|_| {
            let duel = Duel::new(game, limits(arguments), arguments.hash as usize, self.base)?;
            Ok(Mutex::new(duel))
        });
        let duels = duels.collect::<Result<Vec<_>>>()?;
        let bar = Cleared(progress::bar(arguments.pairs, "pairs"));
        bar.0.set_position(self.tuning.done());
        bar.0.reset_eta();
        let mut drawn = Instant::now();
        while self.tuning.done() < arguments.pairs {
            let trial = self.tuning.trial();
            let settings = [0, 1].map(|i| self.settings(&trial.settings[i]));
            let numbers = self.tuning.done()..self.tuning.done() + self.next_batch();
            let done = || bar.0.inc(1);
            let played = play_all(&duels, settings, arguments.seed, numbers, (stop, &done))?;
            // A batch that is not whole teaches nothing.
            let Some(quarters) = played else { break };
            let batch = Batch {
                after: self.tuning.done(),
                quarters,
            };
            self.journal.add(&batch)?;
            self.learn(&trial, &batch.quarters);
            if drawn.elapsed() >= REDRAWN {
                self.draw(journal)?;
                drawn = Instant::now();
            }
        }
        match self.tuning.done() {
            // There is nothing to see yet, and to a run that is continued the plot would be somebody else's.
            0 => Ok(()),
            _ => self.draw(journal),
        }
    }

    /// All numbers of the search, with these values of the tuned ones.
    fn settings(&self, values: &[i32]) -> Params {
        let mut params = self.base;
        for (knob, &value) in self.tuning.knobs().iter().zip(values) {
            params
                .set(&knob.name, value)
                .expect("values stay within the ranges of known numbers");
        }
        params
    }

    fn draw(&self, journal: &Path) -> Result<()> {
        let title = format!(
            "hexmate spsa {}: {} of {} pairs",
            self.game.name(),
            self.tuning.done(),
            self.arguments.pairs
        );
        let svg = plot::svg(&title, self.tuning.knobs(), &self.path);
        write_whole(&plot_of(journal), &svg, Force::OWN)
    }

    /// The result, ready to be used.
    fn told(&self) -> String {
        let knobs = self.tuning.knobs();
        let mut text = format!("{:26} {:>8} {:>9} {:>7}\n", "name", "start", "end", "steps");
        let mut used = Vec::new();
        for (knob, value) in knobs.iter().zip(self.tuning.values()) {
            let steps = (value - knob.start) / knob.step;
            let _ = writeln!(
                text,
                "{:26} {:>8} {value:>9.2} {steps:>+7.2}",
                knob.name, knob.start
            );
            used.push((knob.name.as_str(), value.round()));
        }
        // What --set fixed is part of the search in which the others were tuned.
        let fixed = Params::ALL.iter().filter_map(|info| {
            let value = self.base.get(info.name).filter(|v| *v != info.default)?;
            let is_tuned = knobs.iter().any(|knob| knob.name == info.name);
            (!is_tuned).then(|| (info.name, f64::from(value)))
        });
        used.extend(fixed);
        let (mut options, mut source) = (Vec::new(), String::new());
        for (name, value) in used {
            options.push(format!("option.{name}={value}"));
            let info = Params::ALL.iter().find(|info| info.name == name);
            if let Some(ParamInfo { min, max, step, .. }) = info {
                let _ = writeln!(source, "    {name} = {value}, {min}..={max}, {step};");
            }
        }
        let _ = writeln!(text, "\nFor hexmate match:\n{}", options.join(" "));
        let _ = writeln!(text, "\nFor engine/src/params.rs:\n{}", source.trim_end());
        text
    }
}

/// Plays pairs by all duels at once, and gives what each came to, in order; `None` if it was stopped.
fn play_all<G: Game>(
    duels: &[Mutex<Duel<G>>],
    settings: [Params; 2],
    seed: u64,
    numbers: std::ops::Range<u64>,
    (stop, done): (&AtomicBool, &(dyn Fn() + Sync)),
) -> Result<Option<Vec<i32>>> {
    let count = (numbers.end - numbers.start) as usize;
    let results: Vec<Mutex<Option<Result<Option<i32>>>>> =
        (0..count).map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| -> Result<()> {
        for duel in duels {
            let (results, next) = (&results, &next);
            let begin = numbers.start;
            let work = move || {
                let mut duel = duel.lock().unwrap_or_else(PoisonError::into_inner);
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(slot) = results.get(i) else { break };
                    let result = duel.pair(settings, seed, begin + i as u64, stop);
                    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                    done();
                }
            };
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            builder
                .spawn_scoped(scope, work)
                .context(NO_THREAD)
                .context("--threads")?;
        }
        Ok(())
    })?;
    let results = results.into_iter().map(|slot| {
        let result = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        result.context("a game was not played")?
    });
    results.collect()
}
