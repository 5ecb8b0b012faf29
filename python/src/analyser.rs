//! Analysis of one record after another.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hexmate::analyse::{Settings, Worker};
use hexmate::eval_file::EvalFile;
use hexmate::lines::{Line, LineError};
use hexmate_movegen::GameId;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// An engine that is kept from record to record, with its own transposition table.
///
/// An answer depends only on its record and the options. One analyser answers one record at a time; while it
/// searches, other Python threads can run.
#[pyclass(frozen, module = "hexmate")]
pub(crate) struct Analyser {
    worker: Mutex<Worker>,
}

/// An argument that must not be zero.
fn positive<T: PartialEq + From<u8>>(name: &str, value: Option<T>) -> PyResult<Option<T>> {
    if value == Some(T::from(0)) {
        return Err(PyValueError::new_err(format!("{name} must be at least 1")));
    }
    Ok(value)
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

#[pymethods]
impl Analyser {
    /// `game` is the game of records that do not name one. Limits are `depth` in plies, `nodes`, `movetime` in
    /// milliseconds and `mate` in moves; the default is 100,000 nodes, or 5,000,000 with `mate` alone. `multipv` is
    /// the number of best moves to report. `threads` is for each position; with more than one, answers vary.
    /// `hash` is in megabytes.
    ///
    /// `eval_file` is a file of evaluation weights, as written by `hexmate tune`.
    ///
    /// Raises ValueError for an unknown game, a limit of zero or a file of weights that cannot be used,
    /// MemoryError if there is not enough memory.
    #[new]
    #[pyo3(signature = (*, game = "glinski", depth = None, nodes = None, movetime = None, mate = None, multipv = None, threads = 1, hash = 16, eval_file = None))]
    // Python's values come as values.
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
    fn new(
        game: &str,
        depth: Option<u32>,
        nodes: Option<u64>,
        movetime: Option<u64>,
        mate: Option<u32>,
        multipv: Option<usize>,
        threads: usize,
        hash: usize,
        eval_file: Option<PathBuf>,
    ) -> PyResult<Self> {
        let game: GameId = game
            .parse()
            .map_err(|error| PyValueError::new_err(format!("game: {error}")))?;
        let eval_file = eval_file.as_deref().map(EvalFile::open).transpose();
        let eval_file =
            eval_file.map_err(|error| PyValueError::new_err(format!("eval_file: {error}")))?;
        let settings = Settings {
            game,
            depth: positive("depth", depth)?,
            nodes: positive("nodes", nodes)?,
            movetime: positive("movetime", movetime)?.map(Duration::from_millis),
            mate: positive("mate", mate)?,
            multipv: positive("multipv", multipv)?,
            threads: positive("threads", Some(threads as u64))?.map_or(1, |n| n as usize),
            hash_megabytes: positive("hash", Some(hash as u64))?.map_or(16, |n| n as usize),
            eval_file: eval_file.map(Arc::new),
            ..Settings::default()
        }
        .bounded();
        let worker = Worker::new(settings).map_err(|e| PyMemoryError::new_err(e.to_string()))?;
        Ok(Analyser {
            worker: Mutex::new(worker),
        })
    }

    /// The answer to a line of input (a position text or a JSON object) as JSON text, as `hexmate analyse` would
    /// write it. `number` is the line's number in the input: the id of a record that has none. A bad line does
    /// not raise; the answer says what is wrong.
    #[pyo3(signature = (line, number = 1))]
    fn answer(&self, line: &Bound<'_, PyString>, number: u64) -> PyResult<String> {
        let py = line.py();
        let line = Line {
            number,
            text: text_of(line)?,
        };
        Ok(py.detach(|| {
            // A worker is as good as new with every record, also after a panic.
            let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
            worker.answer(&line).json()
        }))
    }
}
