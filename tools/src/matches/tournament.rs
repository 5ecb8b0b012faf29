//! A whole match: workers play, this thread keeps the books.
//!
//! Games finish in any order, and are counted in the order of their numbers. So the standing, the
//! sequential test and the files are the same however many games are played at once, and games that end
//! soon do not count before others that were begun at the same time.

use std::collections::{BTreeMap, HashMap};
use std::io::{Write, stderr, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::thread;

use anyhow::{Context, Error, Result};
use hexmate_engine::STACK_BYTES;
use hexmate_movegen::Game;

use super::affinity;
use super::display::Display;
use super::drawn_text;
use super::faults::{Faults, breakdown};
use super::files::{self, Files};
use super::fixtures::Fixtures;
use super::game_record::GameRecord;
use super::guard::Guard;
use super::identity;
use super::internal::InternalOptions;
use super::journal::{Journal, Lengths};
use super::latency::Latency;
use super::live::Live;
use super::log::Log;
use super::openings::Openings;
use super::options::{Command, EngineSpec, Options};
use super::player::Fault;
use super::repetitions::Repetitions;
use super::report::{self, Report, State, View};
use super::schedule::{Planned, Schedule};
use super::sprt::Verdict;
use super::standing::Standing;
use super::surroundings::Surroundings;
use super::text;
use super::trial;
use super::worker::{self, Event, Shared};
use crate::analyse::is_stdout;
use crate::exit::Exit;
use crate::interrupt::on_interrupt;
use crate::stdout::CANNOT_PRINT;
use crate::threads::NO_THREAD;

/// Plays a match.
///
/// # Errors
/// If something that was asked for cannot be used.
pub fn run<G: Game>(game: G, options: &Options) -> Result<Exit> {
    affinity::check(options)?;
    let internal = internal_options(game, options)?;
    let schedule = Schedule::new(options);
    let mut openings = Openings::new(game, &options.openings, options.seed)?;
    let log = Log::open(options.log.as_ref())?;
    if let Some(path) = &options.report {
        report::check_replaceable(path)?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::new(AtomicBool::new(false));
    let flags = [Arc::clone(&stop), Arc::clone(&interrupted)];
    // Opening a pipe waits for whoever reads it, and does not hear of an interruption.
    let opening = Arc::new(AtomicBool::new(false));
    let opens = Arc::clone(&opening);
    let aside = files::use_stdout(options);
    on_interrupt(move || {
        // First the flags: they are looked at before the pipe is opened.
        for flag in &flags {
            flag.store(true, Ordering::SeqCst);
        }
        if opens.load(Ordering::SeqCst) {
            let told = "Tournament interrupted";
            let _ = match aside {
                true => writeln!(stderr(), "{told}"),
                false => writeln!(stdout(), "{told}"),
            };
            std::process::exit(Exit::Interrupted.code().into());
        }
    })?;
    let programs = |e: &EngineSpec| e.command != Command::Internal;
    let guard = match options.engines.iter().any(programs) {
        true => Guard::start(),
        false => Guard::none(),
    };
    let around = Surroundings {
        stop: &stop,
        guard: &guard,
        log: &log,
    };
    // Nothing is written, and nothing looks like a result, before every engine has shown that it can play.
    let display = Display::new(options, &schedule);
    let Some(names) = trial::all(game, options, around)? else {
        display.block("Tournament interrupted\n");
        return Ok(Exit::Interrupted);
    };
    let opened = options.journal.as_ref().map(|path| {
        let terms = identity::terms(options, &internal, &openings);
        let lengths = files::lengths(options, &Lengths::new());
        Journal::open(path, terms, options.resume, lengths)
    });
    let opened = opened.transpose()?;
    let (mut journal, finished) = opened.map_or((None, Vec::new()), |(j, f)| (Some(j), f));
    if let Some(journal) = &mut journal {
        // Files may be named for the first time, or written anew, when a match is resumed.
        journal.add_lengths(files::lengths(options, journal.lengths()))?;
    }
    for finished in &finished {
        openings.remember(finished);
    }
    // Nothing that an earlier match left is touched before the journal has been accepted.
    opening.store(true, Ordering::SeqCst);
    if interrupted.load(Ordering::SeqCst) {
        display.block("Tournament interrupted\n");
        return Ok(Exit::Interrupted);
    }
    let files = Files::create(options, journal.as_ref().map(Journal::lengths))?;
    opening.store(false, Ordering::Relaxed);
    let live = match &options.journal {
        Some(path) => Live::beside(path).unwrap_or_else(|error| {
            display.warn(&format!("Warning; nobody can watch: {error:#}"));
            Live::none()
        }),
        None => Live::none(),
    };
    let fixtures = Fixtures::new(options.engines.len(), &schedule);
    let book_names = openings.names();
    let mut books = Books {
        options,
        schedule: &schedule,
        fixtures: &fixtures,
        standing: Standing::new(options.engines.len(), &schedule),
        faults: vec![Faults::default(); options.engines.len()],
        files,
        journal,
        display,
        report: Report::new(names, book_names),
        repetitions: Repetitions::default(),
        warned: false,
        latencies: vec![Latency::default(); options.engines.len()],
        printed: 0,
        waiting: BTreeMap::new(),
        next: 0,
        verdict: Verdict::Open,
        unplayed: 0,
        out: BTreeMap::new(),
    };
    books.warn_of_few_processors();
    books.warn_of_repetitions(openings.different());
    let out: Vec<OnceLock<Fault>> = options.engines.iter().map(|_| OnceLock::new()).collect();
    let done = books.take_over(finished, &out)?;
    books.write_report(true)?;
    let shared = Shared {
        options,
        fixtures: &fixtures,
        openings: &openings,
        internal: &internal,
        live: &live,
        done: &done,
        out,
        around,
    };
    let cpus = affinity::deal(options);
    let (sender, events) = channel();
    thread::scope(|scope| {
        if books.verdict == Verdict::Open {
            // No more threads than games.
            let numbered = cpus.iter().enumerate();
            for (_, cpus) in numbered.take_while(|&(i, _)| fixtures.may_have(i)) {
                let (shared, sender) = (&shared, sender.clone());
                let started = thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || worker::run(game, shared, cpus, &sender));
                if let Err(error) = started {
                    stop.store(true, Ordering::Relaxed);
                    return Err(Error::new(error).context(NO_THREAD).context("-concurrency"));
                }
            }
        }
        drop(sender);
        let kept = books.keep(&events, &live, &stop, &log);
        // Nobody waits for games that will not be counted.
        stop.store(true, Ordering::Relaxed);
        kept
    })?;
    books.finish(interrupted.load(Ordering::Relaxed))
}

fn internal_options<G: Game>(
    game: G,
    options: &Options,
) -> Result<Vec<Option<InternalOptions<G>>>> {
    let read = options.engines.iter().map(|engine| match engine.command {
        Command::Internal => InternalOptions::parse(game, engine).map(Some),
        Command::Program { .. } => Ok(None),
    });
    Ok(read.collect::<Result<_, _>>()?)
}

/// What is known of the match so far, and where it is written.
struct Books<'s> {
    options: &'s Options,
    schedule: &'s Schedule,
    fixtures: &'s Fixtures<'s>,
    standing: Standing,
    /// By engine.
    faults: Vec<Faults>,
    files: Files,
    journal: Option<Journal>,
    display: Display,
    report: Report,
    repetitions: Repetitions,
    /// Whether it was said that games repeat themselves.
    warned: bool,
    latencies: Vec<Latency>,
    /// How many games the last printed standing had.
    printed: u64,
    /// Games that wait until all before them are counted.
    waiting: BTreeMap<usize, Ended>,
    /// The number of the game that is counted next.
    next: usize,
    verdict: Verdict,
    unplayed: usize,
    /// Engines that are out, and what they did.
    out: BTreeMap<String, String>,
}

/// What became of a game.
enum Ended {
    Played(Box<GameRecord>),
    /// Whether White, or Black, is out of the match.
    Unplayed([bool; 2]),
}

impl Books<'_> {
    /// Says before the first game that the processors are too few.
    fn warn_of_few_processors(&self) {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let engines = self.options.engines.iter();
        let threads = engines.map(EngineSpec::threads).max().unwrap_or(1);
        let games = self.options.concurrency;
        if games.saturating_mul(threads) > processors {
            let need = match (games, threads) {
                (1, n) => format!("a game of {n} threads needs"),
                (n, 1) => format!("{n} games at once need"),
                (n, threads) => format!("{n} games of {threads} threads at once need"),
            };
            let processors = match processors {
                1 => "one processor".to_owned(),
                n => format!("the {n} processors"),
            };
            let clocks = match self.options.engines.iter().any(|e| e.limits.timed()) {
                true => ", and clock times are unreliable",
                false => "",
            };
            self.display.warn(&format!(
                "Warning; -concurrency {games}: {need} more than {processors}; the match ends no sooner{clocks}"
            ));
        }
    }

    /// Says before the first game that many of them will be the same.
    fn warn_of_repetitions(&self, different: Option<usize>) {
        if !self.options.engines.iter().all(EngineSpec::repeats_itself) {
            return;
        }
        let (rounds, paired) = (self.schedule.openings(), self.schedule.paired());
        if self.options.noswap && paired {
            self.display.warn(
                "Warning; -noswap: engines that play by nodes or depth with one thread repeat their games, so that both games of a pair will be the same and no pair a sample for Elo, LOS and -sprt, which cannot end the match",
            );
        } else if let Some((book, _)) = &self.options.openings.file
            && let Some(different) = different.filter(|&n| n < rounds)
        {
            let first = match paired {
                true => "games, and of the pairs of an opening only the first",
                false => "games, of which only the first",
            };
            self.display.warn(&format!(
                "Warning; {}: of {rounds} openings to be played only {different} can be different; engines that play by nodes or depth with one thread repeat their {first} is a sample for Elo, LOS and -sprt",
                book.display()
            ));
        }
    }

    /// Takes over games that were finished before; gives which ones, and notes in `out` who broke down in them.
    fn take_over(
        &mut self,
        finished: Vec<GameRecord>,
        out: &[OnceLock<Fault>],
    ) -> Result<HashMap<usize, [String; 2]>> {
        let mut done = HashMap::new();
        for game in finished {
            // More rounds may have been asked for then.
            let place = game.game.checked_sub(1);
            if let Some(place) = place.filter(|&p| self.fixtures.may_have(p)) {
                let name = if game.blame == Some('w') {
                    &game.white
                } else {
                    &game.black
                };
                if let Some(fault) = breakdown(&game.reason)
                    && let Some(engine) = self.options.engines.iter().position(|e| e.name == *name)
                    && !self.options.recover
                {
                    self.is_out(engine, &fault);
                    out[engine].get_or_init(|| fault);
                }
                done.insert(place, [game.white.clone(), game.black.clone()]);
                self.waiting.insert(place, Ended::Played(Box::new(game)));
            }
        }
        let taken = self.waiting.len();
        if taken > 0 {
            self.display
                .line(&format!("Resumed with {taken} finished games"));
        }
        self.count_ready()?;
        Ok(done)
    }

    /// Listens to the workers until all are done or the match is decided.
    fn keep(
        &mut self,
        events: &Receiver<Event>,
        live: &Live,
        stop: &AtomicBool,
        log: &Log,
    ) -> Result<()> {
        let mut is_shown = true;
        loop {
            if is_shown && let Err(error) = live.write() {
                // Those who watch are not worth a match.
                self.display
                    .warn(&format!("Warning; nobody can watch: {error:#}"));
                is_shown = false;
            }
            let event = match events.recv_timeout(live.pulse()) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match event {
                Event::Started(planned) => self.started(&planned),
                Event::Finished(planned, game, out) => {
                    if let Some(journal) = &mut self.journal {
                        journal.add(&game)?;
                    }
                    self.finished(&planned, &game);
                    if let Some((engine, fault)) = out {
                        self.is_out(engine, &fault);
                    }
                    if let Some(warning) = game.warning() {
                        log.line(&warning);
                        self.display.warn(&warning);
                    }
                    self.waiting.insert(planned.number, Ended::Played(game));
                    self.count_ready()?;
                }
                Event::Skipped(planned, faults) => {
                    let absent = faults.each_ref().map(Option::is_some);
                    for (engine, fault) in planned.players.into_iter().zip(faults) {
                        if let Some(fault) = fault {
                            self.is_out(engine, &fault);
                        }
                    }
                    self.waiting.insert(planned.number, Ended::Unplayed(absent));
                    self.count_ready()?;
                }
                Event::Failed(error) => return Err(error),
            }
            if self.verdict != Verdict::Open {
                stop.store(true, Ordering::Relaxed);
                break;
            }
        }
        Ok(())
    }

    /// Notes that an engine plays no more, and why.
    fn is_out(&mut self, engine: usize, fault: &Fault) {
        let name = self.options.engines[engine].name.clone();
        // The first fault says why it is out.
        self.out.entry(name).or_insert_with(|| fault.words());
    }

    fn names(&self, planned: &Planned) -> String {
        let [white, black] = planned.players.map(|e| &self.options.engines[e].name);
        format!("({white} vs {black})")
    }

    /// Whether a game is the one that was planned.
    fn is_of(&self, planned: &Planned, game: &GameRecord) -> bool {
        let [white, black] = planned.players.map(|e| &self.options.engines[e].name);
        (white, black) == (&game.white, &game.black)
    }

    fn started(&mut self, planned: &Planned) {
        let (number, all) = (planned.number + 1, self.fixtures.least());
        let names = self.names(planned);
        self.display
            .line(&format!("Started game {number} of {all} {names}"));
    }

    fn finished(&mut self, planned: &Planned, game: &GameRecord) {
        self.display.line(&format!(
            "Finished game {} {}: {} {{{}}}",
            game.game,
            self.names(planned),
            game.result.text(),
            game.reason
        ));
    }

    /// Counts the games that have none before them left.
    fn count_ready(&mut self) -> Result<()> {
        while self.verdict == Verdict::Open
            && let Some(planned) = self.fixtures.game(self.next)
            && let Some(game) = self.waiting.remove(&self.next)
        {
            if let Ended::Played(game) = &game
                && !self.is_of(&planned, game)
            {
                // Of a journal whose earlier games have come to another end: it is played again.
                break;
            }
            self.next += 1;
            match game {
                Ended::Played(game) => self.count(&planned, &game)?,
                Ended::Unplayed(absent) => {
                    self.unplayed += 1;
                    // Where the tournament cannot go on without a result, whoever is there has won.
                    let quarters = match absent {
                        [true, false] => [0, 4],
                        [false, true] => [4, 0],
                        _ => [2, 2],
                    };
                    self.count_fixture(&planned, quarters);
                }
            }
        }
        self.write_report(false)
    }

    /// Takes the quarters of White and Black into the draw and the order of the table, played or not.
    fn count_fixture(&mut self, planned: &Planned, quarters: [u64; 2]) {
        self.fixtures.count(planned, quarters);
        let order = self.fixtures.ranking(self.options.engines.len());
        if let Some(order) = order.filter(|order| *order != self.standing.ranking()) {
            self.standing.set_order(order);
            // Games that were not played change the order without adding to the number of games.
            self.printed = 0;
        }
    }

    fn count(&mut self, planned: &Planned, game: &GameRecord) -> Result<()> {
        self.files.add(self.options, game)?;
        let first = self.repetitions.of(game);
        if let Some(first) = first
            && !std::mem::replace(&mut self.warned, true)
        {
            let such = match self.schedule.paired() {
                true => "pairs with such games",
                false => "such games",
            };
            self.display.warn(&format!(
                "Warning; game {} repeats game {first} move by move; {such} are no samples for Elo, LOS and -sprt",
                game.game
            ));
        }
        self.report
            .add(self.options, planned, game, first.is_some());
        for engine in planned.players {
            self.latencies[engine].add(&self.options.engines[engine], game);
        }
        if let Some(blame) = game.blame {
            let side = usize::from(blame == 'b');
            self.faults[planned.players[side]].add(game);
        }
        let repeated = first.is_some();
        let complete = self
            .standing
            .add(self.schedule, planned, game.result, repeated);
        let quarters = [game.result.white(), game.result.black()].map(|n| n as u64);
        self.count_fixture(planned, quarters);
        let least = self.fixtures.least();
        self.display
            .update(self.options, &self.standing, self.next, least);
        if !complete {
            return Ok(());
        }
        if let Some(sprt) = &self.options.sprt {
            let llr = sprt.log_likelihood_ratio(self.standing.pairing(0));
            self.verdict = sprt.verdict(llr);
        }
        let interval = self.options.rating_interval as u64;
        if interval > 0 && self.standing.samples().is_multiple_of(interval) {
            let text = text::interim(self.options, self.schedule, &self.standing, false);
            self.display.block(&text);
            self.printed = self.standing.games();
        }
        Ok(())
    }

    /// Writes games that stand behind one that is missing to the files, and gives how many there are.
    ///
    /// They are in no standing and no test: the missing ones are those that last long, and what is left
    /// would be a sample of short games.
    fn write_waiting(&mut self) -> Result<usize> {
        let waiting = std::mem::take(&mut self.waiting);
        let mut written = 0;
        if self.verdict == Verdict::Open {
            for game in waiting.into_values() {
                match game {
                    Ended::Played(game) => {
                        self.files.add(self.options, &game)?;
                        written += 1;
                    }
                    Ended::Unplayed(_) => self.unplayed += 1,
                }
            }
        }
        Ok(written)
    }

    /// Writes the report, now or when it is due.
    fn write_report(&mut self, now: bool) -> Result<()> {
        let Some(path) = &self.options.report else {
            return Ok(());
        };
        if is_stdout(path) || !(now || self.report.is_due()) {
            return Ok(());
        }
        let mut report = std::mem::take(&mut self.report);
        let written = report.write(path, &self.view(None, State::Running));
        self.report = report;
        written
    }

    fn view<'v>(&'v self, verdict: Option<&'v str>, state: State) -> View<'v> {
        View {
            options: self.options,
            schedule: self.schedule,
            fixtures: self.fixtures,
            standing: &self.standing,
            faults: &self.faults,
            unplayed: self.unplayed,
            out: &self.out,
            verdict,
            state,
        }
    }

    /// Says how it ended.
    fn finish(mut self, interrupted: bool) -> Result<Exit> {
        let beyond = self.write_waiting()?;
        self.display.end();
        let mut text = String::new();
        let halves = self.standing.waiting() > 0;
        if self.printed != self.standing.games() || self.printed == 0 || halves {
            text += &text::interim(self.options, self.schedule, &self.standing, !interrupted);
        }
        if self.options.engines.len() > 2 {
            text += &text::crosstable(self.options, &self.standing);
        }
        if let Some(table) = self.fixtures.table() {
            text += &drawn_text::text(self.options, &table, self.unplayed > 0);
        }
        text += &text::faults(self.options, &self.faults);
        for (spec, latency) in self.options.engines.iter().zip(&mut self.latencies) {
            if let Some(line) = latency.line(spec).filter(|_| spec.limits.timed()) {
                text += &line;
                text.push('\n');
            }
        }
        let sprt = self.options.sprt.as_ref();
        let verdict = sprt.and_then(|sprt| text::verdict_line(sprt, self.verdict));
        if let Some(line) = &verdict {
            text += line;
            text.push('\n');
        }
        if let Some(path) = &self.options.report {
            let state = match interrupted {
                true => State::Interrupted,
                false => State::Finished,
            };
            let mut report = std::mem::take(&mut self.report);
            report.write(path, &self.view(verdict.as_deref(), state))?;
        }
        if beyond > 0 {
            text += &format!(
                "Not counted: {beyond} finished games behind an unfinished one; they are in the files{}\n",
                match self.journal {
                    Some(_) => ", and --resume counts them",
                    None => "",
                }
            );
        }
        text += if interrupted {
            "Tournament interrupted\n"
        } else {
            "Tournament finished\n"
        };
        self.display.last(&text).context(CANNOT_PRINT)?;
        let out = text::out_line(self.unplayed, &self.out);
        if let Some(line) = &out {
            eprintln!("hexmate: {line}; give -recover to restart such engines");
        }
        Ok(match (interrupted, out) {
            (true, _) => Exit::Interrupted,
            (false, None) => Exit::Success,
            (false, Some(_)) => Exit::Failed,
        })
    }
}
