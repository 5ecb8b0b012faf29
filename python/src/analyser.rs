//! Analysis of one record after another.

use std::hint::black_box;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use hexmate::analyse::{
    Analysis, Answer, Findings, MOST_LINES, MOST_MATE, MOST_THREADS, Settings, THREAD_MEGABYTES,
    Watch, Worker, game_in,
};
use hexmate::eval_file::EvalFile;
use hexmate::lines::{Line, LineError};
use hexmate::tables::{AllTables, LaterTables};
use hexmate_movegen::{GameId, with_position};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::Value;

use crate::arguments::{letters, number, path, wrong};
use crate::rules::{Rules, game_or_usual, named, names};
use crate::tables::{later_tables, tables_that_ship, warn_of_damage, warn_of_news};
use crate::waiting::{Tell, do_or_stop, wait_for};

/// Numbers that Python can write and the search can count to.
const MOST: u64 = i64::MAX as u64;

/// An engine that is kept from record to record, with its own transposition table.
///
/// An answer depends only on its record and the options. One analyser answers one record at a time; while it
/// searches, other Python threads can run.
#[pyclass(frozen, module = "hexmate")]
pub(crate) struct Analyser {
    worker: Mutex<Worker>,
    /// The game of records that name none.
    game: GameId,
    /// What its searches ask, by game.
    tables: Arc<AllTables>,
    /// The same for games from files, which records may name at any time.
    later_tables: Arc<LaterTables>,
    /// Ends the search that runs.
    stop: Arc<AtomicBool>,
    /// Who wants to know what is found at each depth.
    sink: Sink,
    /// The process that last asked.
    process: AtomicU32,
}

/// Who is told of answers on the way, if anybody.
type Sink = Arc<Mutex<Option<Tell<String>>>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A worker is as good as new with every record, also after a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A line's text. Python strings may contain lone surrogates, which UTF-8 cannot.
fn text_of(line: &Bound<'_, PyString>) -> PyResult<Result<String, LineError>> {
    if let Ok(text) = line.to_cow() {
        return Ok(Ok(text.into_owned()));
    }
    let bytes = line.call_method1("encode", ("utf-8", "surrogatepass"))?;
    let text = String::from_utf8(bytes.extract()?);
    Ok(text.map_err(|e| LineError::NotUtf8(e.utf8_error().valid_up_to())))
}

/// Makes sure that threads can have their memory: their search has no way to do without.
fn check_memory(threads: usize) -> PyResult<()> {
    if threads == 1 {
        return Ok(());
    }
    let megabytes = threads * THREAD_MEGABYTES;
    let mut memory = Vec::<u8>::new();
    let reserved = memory.try_reserve_exact(megabytes << 20);
    // What nobody uses need not be reserved at all.
    black_box(&memory);
    if reserved.is_err() {
        let told = format!("threads: no memory for {megabytes} MB, which {threads} threads take");
        return Err(PyMemoryError::new_err(told));
    }
    Ok(())
}

impl Analyser {
    /// Makes sure that whoever searches with this analyser is of this process: one that forked off has none of its
    /// parent's threads, and to wait for them would have no end. No other thread comes between, since this one has the
    /// interpreter.
    fn check_process(&self) -> PyResult<()> {
        let process = process::id();
        if self.process.load(Ordering::Relaxed) != process {
            if let Err(TryLockError::WouldBlock) = self.worker.try_lock() {
                return Err(PyRuntimeError::new_err(
                    "this analyser was searching when the process forked, and its thread is in the parent; make \
                     another one here",
                ));
            }
            self.process.store(process, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The game of a record, if there is such a game. The file of one that has a path is known from then on.
    fn game_of(&self, line: &Line) -> Option<GameId> {
        match game_in(line.text.as_deref().ok()?) {
            Some(name) => named(&name, self.game).ok(),
            None => Some(self.game),
        }
    }

    /// Warns of what the tables have met since that was last done.
    fn warn(&self, py: Python<'_>) -> PyResult<()> {
        warn_of_damage(py, self.tables.values())?;
        warn_of_news(py, &self.later_tables)
    }
}

/// Sends what is known after each depth as an answer without an id.
fn watch(settings: &Settings, sink: &Sink) -> Watch {
    let (lines, wdl) = (settings.multipv.is_some(), settings.wdl);
    let sink = Arc::clone(sink);
    let begin = Mutex::new(Instant::now());
    Arc::new(move |position, report| {
        let sink = lock(&sink);
        let Some(send) = sink.as_ref() else { return };
        let mut begin = lock(&begin);
        if report.depth <= 1 {
            *begin = Instant::now();
        }
        let mut found = with_position!(position, p => Findings::searched(p, report, lines, wdl));
        found.time_ms = begin.elapsed().as_millis() as u64;
        let answer = Answer::Analysis(Box::new(Analysis {
            id: Value::Null,
            game: position.game().name().to_owned(),
            fen: position.to_string(),
            found,
            fields: Default::default(),
        }));
        send(answer.json());
    })
}

#[pymethods]
impl Analyser {
    /// `game` is the game of records that do not name one: a name, the path of a game file, or Rules. Limits are
    /// `depth` in plies, `nodes`, `movetime` in milliseconds and `mate` in moves; the default is 100,000 nodes, or
    /// 5,000,000 with `mate` alone. `timeout` in milliseconds gives a position up with what was found. `multipv` is
    /// the number of best moves to report; with `wdl` chances are reported, with `explain` what separates the best move
    /// from the played one (the record's field `played`) or from the second best. `threads` is for each position; with
    /// more than one, answers vary. `hash` is in megabytes.
    ///
    /// `eval_file` is a file of weights by `hexmate tune` or a network by `hexmate train`, or the word "handmade".
    /// `tables` is a folder of endgame tables. `letters` are those of pieces in moves that are read.
    ///
    /// Raises ValueError for an unknown game, a limit of zero or less or a file of weights that cannot be used,
    /// TypeError for an unknown option or an argument of another type, MemoryError if there is not enough
    /// memory.
    #[new]
    #[pyo3(signature = (*, game = None, depth = None, nodes = None, movetime = None, timeout = None, mate = None, multipv = None, wdl = false, explain = false, threads = None, hash = None, eval_file = None, tables = None, letters = None))]
    // Python's values come as values.
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
    fn new(
        py: Python<'_>,
        game: Option<&Bound<'_, PyAny>>,
        depth: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        movetime: Option<&Bound<'_, PyAny>>,
        timeout: Option<&Bound<'_, PyAny>>,
        mate: Option<&Bound<'_, PyAny>>,
        multipv: Option<&Bound<'_, PyAny>>,
        wdl: bool,
        explain: bool,
        threads: Option<&Bound<'_, PyAny>>,
        hash: Option<&Bound<'_, PyAny>>,
        eval_file: Option<&Bound<'_, PyAny>>,
        tables: Option<&Bound<'_, PyAny>>,
        letters: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let game = game_or_usual(game)?;
        let eval_file = path("eval_file", eval_file)?;
        let tables = path("tables", tables)?;
        let eval_file = eval_file.as_deref().map(EvalFile::open).transpose();
        let eval_file = eval_file.map_err(|error| wrong("eval_file", &error))?;
        let small = |name, value, most| {
            let found = number(name, value, 1..=most);
            found.map(|n| n.map(|n| n as u32))
        };
        let millis = |name, value| {
            let found = number(name, value, 1..=MOST);
            found.map(|n| n.map(Duration::from_millis))
        };
        let settings = Settings {
            game,
            depth: small("depth", depth, u32::MAX.into())?,
            nodes: number("nodes", nodes, 1..=MOST)?,
            movetime: millis("movetime", movetime)?,
            timeout: millis("timeout", timeout)?,
            mate: small("mate", mate, MOST_MATE.into())?,
            multipv: number("multipv", multipv, 1..=MOST_LINES.into())?.map(|n| n as usize),
            wdl,
            explain,
            threads: number("threads", threads, 1..=MOST_THREADS.into())?.unwrap_or(1) as usize,
            hash_megabytes: number("hash", hash, 1..=1 << 24)?.unwrap_or(16) as usize,
            eval_file: eval_file.map(Arc::new),
            tables: (tables.as_deref())
                .map(|folder| tables_that_ship(py, folder))
                .transpose()?
                .unwrap_or_default(),
            later_tables: (tables.as_deref())
                .map(later_tables)
                .transpose()?
                .unwrap_or_default(),
            letters: self::letters(letters)?,
            names: names(),
            ..Settings::default()
        }
        .bounded();
        let threads = settings.threads;
        let (stop, sink) = (Arc::default(), Sink::default());
        let watch = watch(&settings, &sink);
        let tables = Arc::clone(&settings.tables);
        let later_tables = Arc::clone(&settings.later_tables);
        let worker = Worker::new(settings).map_err(|e| PyMemoryError::new_err(e.to_string()))?;
        // The table has its own by now.
        check_memory(threads)?;
        let worker = worker.watched(Some(watch)).stopped_by(Arc::clone(&stop));
        Ok(Analyser {
            worker: Mutex::new(worker),
            game,
            tables,
            later_tables,
            stop,
            sink,
            process: process::id().into(),
        })
    }

    /// The answer to a line of input (a position text or a JSON object) as JSON text, as `hexmate analyse` would
    /// write it. `number` is the line's number in the input, 1 if not given: the id of a record that has none. A bad
    /// line does not raise; the answer says what is wrong.
    ///
    /// `on_depth` is called with such a text, whose id is null, after each depth. If it raises, the search ends, and
    /// the exception is raised. Ctrl-C ends the search, too. Raises RuntimeError in a process that forked off while
    /// this analyser searched.
    #[pyo3(signature = (line, number = None, on_depth = None))]
    fn answer(
        &self,
        line: &Bound<'_, PyString>,
        number: Option<&Bound<'_, PyAny>>,
        on_depth: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        self._answer(line, number, on_depth)
            .map(|(answer, _)| answer)
    }

    /// The same, and the rules that the answer was made with if they are from a file: what its name and its path mean
    /// may change.
    #[pyo3(signature = (line, number = None, on_depth = None))]
    fn _answer(
        &self,
        line: &Bound<'_, PyString>,
        number: Option<&Bound<'_, PyAny>>,
        on_depth: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(String, Option<Rules>)> {
        let py = line.py();
        self.check_process()?;
        let line = Line {
            number: self::number("number", number, 0..=u64::MAX)?.unwrap_or(1),
            text: text_of(line)?,
        };
        let rules = self
            .game_of(&line)
            .filter(|game| !GameId::shipped().contains(game));
        let rules = rules.map(Rules);
        let work = || {
            let mut worker = lock(&self.worker);
            self.stop.store(false, Ordering::Relaxed);
            worker.answer(&line).json()
        };
        let Some(on_depth) = on_depth else {
            let answer = do_or_stop(py, &self.stop, work)?;
            self.warn(py)?;
            return Ok((answer, rules));
        };
        let on_depth = on_depth.clone().unbind();
        let answer = wait_for(
            py,
            &self.stop,
            |tell| {
                let mut worker = lock(&self.worker);
                self.stop.store(false, Ordering::Relaxed);
                *lock(&self.sink) = Some(tell);
                let answer = worker.answer(&line).json();
                *lock(&self.sink) = None;
                answer
            },
            |py, text: String| on_depth.call1(py, (text,)).map(drop),
        )?;
        self.warn(py)?;
        Ok((answer, rules))
    }

    /// What separates the best move of a position from another one, as JSON text, given the answers to the position and
    /// to a search of that move alone; None if they are no such answers.
    fn _explain(
        &self,
        py: Python<'_>,
        line: &str,
        before: &str,
        alone: &str,
    ) -> PyResult<Option<String>> {
        self.check_process()?;
        let (Ok(Answer::Analysis(before)), Ok(Answer::Analysis(alone))) =
            (Answer::of_json(before), Answer::of_json(alone))
        else {
            return Ok(None);
        };
        let explanation = do_or_stop(py, &self.stop, || {
            let mut worker = lock(&self.worker);
            self.stop.store(false, Ordering::Relaxed);
            worker.explain_line(line, &before.found, &alone.found)
        })?;
        self.warn(py)?;
        let told = |it| serde_json::to_string(it).expect("texts and numbers are JSON");
        Ok(explanation.as_ref().map(told))
    }

    /// Ends the search that runs on another thread, if one does: its answer has what was found by then.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
