//! Endgame tables: probing and building them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use hexmate::tables::{AllTables, LaterTables, new_damage, open, open_all};
use hexmate_movegen::{Game, GameId, Position as Board, with_game, with_position};
use hexmate_tablebases::{BuildError, Folder, Material, Rules as TableRules, Tablebases, Value};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyRuntimeWarning};
use pyo3::prelude::*;
use pyo3::types::PyString;
use rayon::ThreadPoolBuilder;

use crate::arguments::{mistyped, needed_path, text, wrong};
use crate::position::Position;
use crate::rules::{game, game_or_usual, unreadable};
use crate::waiting::do_or_stop;

/// The tables of all games that ship, in a folder. Files that cannot be used are warned of.
pub(crate) fn tables_that_ship(py: Python<'_>, folder: &Path) -> PyResult<Arc<AllTables>> {
    let opened = open_all(folder, None);
    let (all, faults) = opened.map_err(|error| wrong("tables", &format!("{error:#}")))?;
    for fault in faults {
        warn(py, &fault.to_string())?;
    }
    Ok(Arc::new(all))
}

/// The tables of all other games there, which are opened when a record of their game comes.
pub(crate) fn later_tables(folder: &Path) -> PyResult<Arc<LaterTables>> {
    let later = LaterTables::new(folder, None);
    let later = later.map_err(|error| wrong("tables", &format!("{error:#}")))?;
    Ok(Arc::new(later))
}

/// Warns of what is wrong with tables that were opened later.
pub(crate) fn warn_of_news(py: Python<'_>, tables: &LaterTables) -> PyResult<()> {
    (tables.news().iter()).try_for_each(|told| warn(py, told))
}

/// Warns of damage that tables have met: of each table once.
pub(crate) fn warn_of_damage<'t>(
    py: Python<'_>,
    tables: impl IntoIterator<Item = &'t Arc<Tablebases>>,
) -> PyResult<()> {
    let mut told = tables.into_iter().flat_map(|tables| new_damage(tables));
    told.try_for_each(|told| warn(py, &told))
}

/// A RuntimeWarning, which is an exception where the user wants warnings to be such.
fn warn(py: Python<'_>, told: &str) -> PyResult<()> {
    let category = py.get_type::<PyRuntimeWarning>();
    py.import("warnings")?
        .call_method1("warn", (told, category))
        .map(drop)
}

/// The endgame tables in a folder, as `hexmate tb build` makes them. Those of a game are looked up when it is first
/// asked for: a new object sees what was built since.
#[pyclass(frozen, module = "hexmate")]
pub(crate) struct Tables {
    folder: PathBuf,
    open: Mutex<HashMap<GameId, Opened>>,
}

/// The tables of a game, and why others cannot be used.
type Opened = (Arc<Tablebases>, Vec<String>);

impl Tables {
    fn within(folder: PathBuf) -> PyResult<Self> {
        if !folder.is_dir() {
            let what = "no such folder of endgame tables; hexmate.build_tables makes one";
            let what = format!("{}: {what}", folder.display());
            return Err(PyFileNotFoundError::new_err(what));
        }
        Ok(Tables {
            folder,
            open: Mutex::default(),
        })
    }

    fn of(&self, game: GameId) -> PyResult<Opened> {
        let mut all = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(&game) {
            return Ok(known.clone());
        }
        let opened = with_game!(game, game => open(game, &self.folder));
        let (tables, faults) = opened.map_err(|e| PyOSError::new_err(format!("{e:#}")))?;
        let faults = faults.iter().map(ToString::to_string).collect();
        all.insert(game, (Arc::clone(&tables), faults));
        Ok(all[&game].clone())
    }
}

/// A value as Python has it: category and plies.
fn named(value: Value) -> (&'static str, u16) {
    (value.category.name(), value.plies)
}

/// The value of a position, and of each of its moves.
type Probed = ((&'static str, u16), Vec<(String, &'static str, u16)>);

fn probed<G: Game>(tables: &Tablebases, position: &Board<G>) -> Option<Probed> {
    let value = tables.probe(position)?;
    let moves = tables.moves(position)?.into_iter();
    let moves = moves.map(|(mv, value)| {
        let (category, plies) = named(value);
        (mv.text(position.game()), category, plies)
    });
    Some((named(value), moves.collect()))
}

#[pymethods]
impl Tables {
    /// The tables in a folder; each game has a folder of its own there. Raises FileNotFoundError if there is none.
    #[new]
    fn new(folder: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::within(needed_path("folder", folder)?)
    }

    /// The folder.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// The names of a game's tables, like 'KQK'.
    #[pyo3(signature = (game = None))]
    fn names(&self, game: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        Ok(self.of(game_or_usual(game)?)?.0.names().to_vec())
    }

    /// Why files of a game cannot be used, if there are such.
    #[pyo3(signature = (game = None))]
    fn faults(&self, game: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
        Ok(self.of(game_or_usual(game)?)?.1)
    }

    /// What the tables know of a position: its category, its distance, and the same for every move, best first; None if
    /// no table covers it. Distances are in plies; the no-progress rule is ignored.
    fn probe<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = position.py();
        let found = position.cast::<Position>();
        let found = found.map_err(|_| mistyped("position", "a Position", position))?;
        let record = &found.get().0;
        let (tables, _) = self.of(record.game())?;
        let probed = with_position!(&record.position(), p => probed(&tables, p));
        warn_of_damage(py, [&tables])?;
        let Some(((category, plies), moves)) = probed else {
            return Ok(None);
        };
        let results = py.import("hexmate._results")?;
        results
            .getattr("TableAnswer")?
            .call_method1("_of", (category, plies, moves))
            .map(Some)
    }

    fn __repr__(&self) -> String {
        format!("hexmate.Tables({:?})", self.folder.display().to_string())
    }
}

/// The material of an argument: a text with blanks, or an iterable of texts.
fn wanted(rules: &TableRules, value: &Bound<'_, PyAny>) -> PyResult<Vec<Material>> {
    let read = |name: &str| {
        let material = Material::parse(rules, name);
        material.map_err(|e| wrong("material", &format!("'{name}': {e}")))
    };
    if value.cast::<PyString>().is_ok() {
        return text("material", value)?
            .split_whitespace()
            .map(read)
            .collect();
    }
    let expected = "a str like 'KQK', or an iterable of such";
    let items = value.try_iter();
    let items = items.map_err(|_| mistyped("material", expected, value))?;
    items.map(|item| read(&text("material", &item?)?)).collect()
}

/// Builds the endgame tables of some material ('KQK', or several), and all that they lead to, in a folder, which is
/// made if it is not there; those that exist are kept. Ctrl-C ends it; called again, it goes on. Raises ValueError for
/// material that cannot be.
#[pyfunction]
#[pyo3(signature = (folder, material, game = None))]
pub(crate) fn build_tables(
    py: Python<'_>,
    folder: &Bound<'_, PyAny>,
    material: &Bound<'_, PyAny>,
    game: Option<&Bound<'_, PyAny>>,
) -> PyResult<Tables> {
    let folder = needed_path("folder", folder)?;
    let id = game.map_or(Ok(GameId::Glinski), self::game)?;
    let rules = Arc::new(with_game!(id, game => TableRules::of(game)));
    let wanted = wanted(&rules, material)?;
    std::fs::create_dir_all(&folder).map_err(|e| unreadable("folder", &folder, &e))?;
    let mut tables = Folder::new(rules, &folder);
    // Rayon's own threads are those of the process that first used them: after a fork there are none, and waiting for
    // them would have no end.
    let pool = ThreadPoolBuilder::new().build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(format!("no threads: {error}")))?;
    for plan in pool.install(|| tables.plan(&wanted)) {
        let stop = AtomicBool::new(false);
        let built = do_or_stop(py, &stop, || {
            pool.install(|| tables.build(&plan, None, &stop, &|_| {}).map(drop))
        })?;
        built.map_err(|error: BuildError| PyRuntimeError::new_err(error.to_string()))?;
    }
    Tables::within(folder)
}
