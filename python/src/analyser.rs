//! The analysis of one record after the other.

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

/// A search that is kept from record to record, with a table of its own.
///
/// An answer depends on its record and the options alone. One analyser answers one record at a time; while it
/// searches, other threads of the interpreter go on.
#[pyclass(frozen, module = "hexmate")]
pub(crate) struct Analyser {
    worker: Mutex<Worker>,
}

/// An argument that must not be nought.
fn positive<T: PartialEq + From<u8>>(name: &str, value: Option<T>) -> PyResult<Option<T>> {
    if value == Some(T::from(0)) {
        return Err(PyValueError::new_err(format!("{name} must be at least 1")));
    }
    Ok(value)
}

/// A line's text. Python's texts may have halves of surrogate pairs, which no UTF-8 has.
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
    /// `game` is that of records which name none. Limits: `depth` in plies, `nodes`, `movetime` in
    /// milliseconds, `mate` in moves; without any, 100,000 nodes, and 5,000,000 with `mate` alone. `multipv`: how
    /// many of the best moves get a line. `threads` for each position; more than one make answers vary. `hash` in
    /// megabytes.
    ///
    /// `eval_file` names a file of weights, as `hexmate tune` writes it, to evaluate with.
    ///
    /// Raises ValueError for an unknown game, a limit of nought or a file of weights that cannot be used,
    /// MemoryError if there is no memory.
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

    /// The answer to a line of input (a position text or a JSON object) as JSON text: what `hexmate analyse`
    /// writes for it. `number` is the line's number in the input: the id of a record that has none. Never
    /// raises for what is wrong with the line; the answer says it.
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
