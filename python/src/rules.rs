//! Games: those that ship, and those from files.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use hexmate::game_names::{GameNameError, GameNames, is_file, read_text};
use hexmate_movegen::{AnyPosition, GameId};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::{mistyped, needed_path, text, wrong};

/// A game from a file: what it was read from, and where.
struct Loaded {
    game: GameId,
    path: String,
    text: Arc<str>,
    /// Whether the path still means this game.
    current: bool,
}

/// All games from files of this process. What a game is made of is never freed, and positions of two readings would be
/// of two games, so a text is read once.
static LOADED: Mutex<Vec<Loaded>> = Mutex::new(Vec::new());

/// Where analysers find games: by name, by path.
static NAMES: LazyLock<GameNames> = LazyLock::new(GameNames::default);

fn loaded() -> MutexGuard<'static, Vec<Loaded>> {
    LOADED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a game is from: preferably a file that still means it.
fn origin(all: &[Loaded], game: GameId) -> Option<&Loaded> {
    all.iter()
        .filter(|l| l.game == game)
        .max_by_key(|l| l.current)
}

/// The names of all games of this process.
pub(crate) fn names() -> GameNames {
    NAMES.clone()
}

/// The game of a file with this text. If the file was just read, or was unknown, its path and the name of the game mean
/// this game from now on. A name that means a game of another file is refused, as results are told apart by names.
fn add(path: &str, text: &str, just_read: bool) -> PyResult<GameId> {
    let mut all = loaded();
    let known = |l: &Loaded| *l.text == *text;
    let game = match all.iter().find(|l| known(l)) {
        Some(same) => same.game,
        None => {
            let read = read_text(Path::new(path), text);
            let read = read.map_err(|e| wrong("game", &e))?;
            // Other words, the same rules.
            let same = all.iter().find(|l| {
                (l.game.name(), l.game.fingerprint()) == (read.name(), read.fingerprint())
            });
            same.map_or(read, |same| same.game)
        }
    };
    let current = just_read || all.iter().all(|l| l.path != path);
    let namesake = |l: &&Loaded| {
        let same_name = l.game.name() == game.name();
        l.current && l.path != path && l.game != game && same_name
    };
    if current && let Some(other) = all.iter().find(namesake) {
        let taken = GameNameError::Twice {
            path: path.to_owned(),
            name: game.name(),
            other: other.path.clone(),
        };
        // A record that names the file is analysed all the same, as hexmate analyse does.
        remember(&mut all, game, path, text, false);
        return Err(wrong("game", &taken));
    }
    if current {
        for before in all.iter_mut().filter(|l| l.path == path) {
            before.current = false;
        }
        NAMES.insert(path, game);
        if !GameId::shipped().iter().any(|s| s.name() == game.name()) {
            NAMES.insert(game.name(), game);
        }
    }
    if current {
        all.retain(|l| (l.game, l.path.as_str()) != (game, path));
    }
    remember(&mut all, game, path, text, current);
    Ok(game)
}

/// Adds a game, unless it is there with this path.
fn remember(all: &mut Vec<Loaded>, game: GameId, path: &str, text: &str, current: bool) {
    if !all
        .iter()
        .any(|l| (l.game, l.path.as_str()) == (game, path))
    {
        all.push(Loaded {
            game,
            path: path.to_owned(),
            text: text.into(),
            current,
        });
    }
}

/// The exception for a file or folder that cannot be used, given as the argument `name`.
pub(crate) fn unreadable(name: &str, path: &Path, error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            PyOSError::new_err((number, text.to_owned(), path.display().to_string()))
        }
        None => PyValueError::new_err(format!("{name}: {}: {error}", path.display())),
    }
}

fn load(path: &Path) -> PyResult<GameId> {
    let read = fs::read_to_string(path).map_err(|e| {
        // What is not UTF-8 is told with its line.
        let line = match e.kind() {
            io::ErrorKind::InvalidData => GameNames::default().read(path).err(),
            _ => None,
        };
        line.map_or_else(|| unreadable("game", path, &e), |e| wrong("game", &e))
    })?;
    let name = path.display().to_string();
    if !is_file(&name) {
        return Err(wrong("game", &GameNameError::Ending(name)));
    }
    let whole = fs::canonicalize(path).map_err(|e| unreadable("game", path, &e))?;
    let whole = whole.to_str();
    let whole = whole.ok_or_else(|| wrong("game", "the path is not UTF-8"))?;
    add(whole, &read, true)
}

/// The game that a record or a tag names, `usual` being that of those that name none. A file is read if its path means
/// nothing yet, and is then known like one that was loaded.
///
/// # Errors
/// If there is no such game.
pub(crate) fn named(name: &str, usual: GameId) -> Result<GameId, GameNameError> {
    if is_file(name) {
        know(name);
    }
    NAMES.find(name, usual)
}

/// Makes a path, in this spelling, mean the game of its file. What is wrong with the file, NAMES tells.
fn know(path: &str) {
    let whole = fs::canonicalize(path).ok();
    let Some(whole) = whole.as_deref().and_then(Path::to_str) else {
        return;
    };
    let of_path = |current: bool| {
        let all = loaded();
        let mut of_path = all.iter().rev().filter(|l| l.path == whole);
        of_path.find(|l| l.current >= current).map(|l| l.game)
    };
    let read = || load(Path::new(path)).ok();
    // What has been read but is not what the path means has the name of another.
    let known = of_path(true).or_else(read).or_else(|| of_path(false));
    if let Some(game) = known {
        NAMES.insert(path, game);
    }
}

/// The game that an argument names: a name or title, the path of a file, or rules.
pub(crate) fn game(value: &Bound<'_, PyAny>) -> PyResult<GameId> {
    if let Ok(rules) = value.cast::<Rules>() {
        return Ok(rules.get().0);
    }
    if value.cast::<PyString>().is_ok() {
        let name = text("game", value)?;
        if is_file(&name) {
            return load(Path::new(&*name));
        }
        let found = NAMES.find(&name, GameId::Glinski);
        return found.map_err(|e| wrong("game", &e));
    }
    match value.extract::<PathBuf>() {
        Ok(path) => load(&path),
        Err(_) => Err(mistyped(
            "game",
            "the name of a game, the path of its file, or Rules",
            value,
        )),
    }
}

/// The same; Gliński's chess if nothing is given.
pub(crate) fn game_or_usual(value: Option<&Bound<'_, PyAny>>) -> PyResult<GameId> {
    value.map_or(Ok(GameId::Glinski), game)
}

/// What a record names the game by: its name, or the path of its file.
///
/// # Errors
/// If that file was loaded again with other rules.
pub(crate) fn key(game: GameId) -> PyResult<String> {
    if !game.is_from_file() || GameId::shipped().contains(&game) {
        return Ok(game.name().to_owned());
    }
    let all = loaded();
    let found = origin(&all, game).filter(|l| l.current);
    let found = found.map(|l| l.path.clone());
    found.ok_or_else(|| {
        PyValueError::new_err(format!(
            "game: the file of '{game}' was loaded again with other rules; make the position anew"
        ))
    })
}

/// The rules of a game.
///
/// They can be given wherever a game is named. Two are equal if they are the same game; two loads of one file are.
#[pyclass(frozen, module = "hexmate")]
pub(crate) struct Rules(pub(crate) GameId);

#[pymethods]
impl Rules {
    /// The rules of a game: its name or title, or the path of its file (see load_game). Raises ValueError if there is
    /// no such game.
    #[new]
    #[pyo3(signature = (game = None))]
    fn new(game: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Rules(game_or_usual(game)?))
    }

    /// The name that commands and files use.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// What people call the game.
    #[getter]
    fn title(&self) -> &'static str {
        self.0.spec().title
    }

    /// The file it was loaded from; None for a game that ships.
    #[getter]
    fn path(&self) -> Option<String> {
        origin(&loaded(), self.0).map(|l| l.path.clone())
    }

    /// The names of all cells, by rows from White's side.
    #[getter]
    fn cells(&self) -> Vec<String> {
        let start = AnyPosition::start(self.0);
        let board = start.board();
        board.cells().iter().map(|&cell| board.name(cell)).collect()
    }

    /// The names of the pieces by their letters.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        let all = pyo3::types::PyDict::new(py);
        for piece in self.0.spec().pieces {
            all.set_item(char::from(piece.letter), piece.name)?;
        }
        Ok(all)
    }

    /// The starting position as text.
    #[getter]
    fn start_fen(&self) -> String {
        AnyPosition::start(self.0).to_string()
    }

    fn __repr__(&self) -> String {
        match self.path() {
            Some(path) if key(self.0).is_err() => {
                let name = self.name();
                format!("<hexmate.Rules: '{name}' of {path:?} before it was loaded again>")
            }
            Some(path) => format!("hexmate.load_game({path:?})"),
            None => format!("hexmate.Rules('{}')", self.0),
        }
    }

    fn __str__(&self) -> &'static str {
        self.name()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    /// Pickling: a game from a file takes the file's text along, so that it can be used on another machine.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let rebuild = py.import("hexmate._pickle")?.getattr("rules")?;
        Ok((rebuild, source(self.0)))
    }
}

/// A game's name and nothing, or path and text of its file: what pickles have.
pub(crate) fn source(game: GameId) -> (String, String) {
    let all = loaded();
    match origin(&all, game) {
        Some(l) => (l.path.clone(), l.text.to_string()),
        None => (game.name().to_owned(), String::new()),
    }
}

/// The game of a file, docs/game-files.md. Its name and its path then name the game everywhere in this process; loading
/// it again after a change makes them name the new game. Raises OSError if the file cannot be read, and ValueError with
/// every fault, its line and its key if it is no game, if the file's name does not end with .toml, or if the game's name
/// is that of another game, also of one from another file.
#[pyfunction]
pub(crate) fn load_game(path: &Bound<'_, PyAny>) -> PyResult<Rules> {
    Ok(Rules(load(&needed_path("path", path)?)?))
}

/// The game of a file that has, or had, this text; it need not exist here.
#[pyfunction]
pub(crate) fn load_text(path: &str, text: &str) -> PyResult<Rules> {
    Ok(Rules(add(path, text, false)?))
}

/// Path and text of all files whose games their paths mean now, in the order in which they were loaded.
#[pyfunction]
pub(crate) fn loaded_games() -> Vec<(String, String)> {
    let all = loaded();
    let current = all.iter().filter(|l| l.current);
    current
        .map(|l| (l.path.clone(), l.text.to_string()))
        .collect()
}

/// Takes over what loaded_games() gave in another process: paths mean here what they mean there.
#[pyfunction]
pub(crate) fn use_games(games: Vec<(String, String)>) -> PyResult<()> {
    for before in loaded().iter_mut() {
        before.current = false;
    }
    for (path, text) in games {
        add(&path, &text, true)?;
    }
    Ok(())
}
