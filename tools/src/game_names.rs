//! What users call games: names, titles, and files.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hexmate_movegen::{GameId, GameTextErrors, UnknownGame};

use crate::pgn::{GIVE_THE_FILE, game_named, is_of_any};

/// The ending of files of games.
const ENDING: &str = ".toml";

/// Whether a text is the path of a game's file, not a name.
pub fn is_file(text: &str) -> bool {
    text.ends_with(ENDING)
}

/// Why a game cannot be found.
#[derive(Clone, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum GameNameError {
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    #[error(
        "unknown game '{0}'; there is a file of this name, but the names of files of games end with {ENDING}"
    )]
    Ending(String),
    #[error("{path}: line {line} is not UTF-8; save the file as UTF-8")]
    Encoding { path: String, line: usize },
    #[error(
        "{path}: the name '{name}' is that of another game, in {other}; expected a name of its own"
    )]
    Twice {
        path: String,
        name: &'static str,
        other: String,
    },
    #[error("{path}: {error}")]
    File { path: String, error: String },
    #[error("{0}: no game's file in this folder; expected files with names that end with {ENDING}")]
    Empty(String),
    #[error("{path}:\n{errors}")]
    Text {
        path: String,
        errors: GameTextErrors,
    },
}

impl GameNameError {
    /// The message where a record names the game.
    pub fn in_record(&self) -> String {
        match self {
            GameNameError::Unknown(unknown) => format!("{unknown}; {GIVE_THE_FILE}"),
            _ => self.to_string(),
        }
    }
}

/// Finds games, and remembers the files that it has read: what a game is made of is never freed. Clones share what
/// they remember.
#[derive(Clone, Debug, Default)]
pub struct GameNames(Arc<Mutex<Known>>);

/// What was found for each path.
type Known = HashMap<PathBuf, Result<GameId, GameNameError>>;

impl GameNames {
    /// The game of a name or title, or of the file of a path that ends with `.toml`. The name of `usual` means that
    /// game, also if it is from a file.
    ///
    /// # Errors
    /// If there is no such game, or the file cannot be read, or is no game.
    pub fn find(&self, text: &str, usual: GameId) -> Result<GameId, GameNameError> {
        if text.eq_ignore_ascii_case(usual.name()) || is_of_any(text) && !Path::new(text).is_file()
        {
            return Ok(usual);
        }
        if is_file(text) {
            return self.read(Path::new(text));
        }
        if let Some(Ok(game)) = self.known().get(Path::new(text)) {
            return Ok(*game);
        }
        // Before the names that occur in it: `my-glinski.txt` is not Gliński's game.
        if text.contains(['.', '/', '\\']) && Path::new(text).is_file() {
            return Err(GameNameError::Ending(text.to_owned()));
        }
        game_named(text).map_err(|unknown| match Path::new(text).is_file() {
            true => GameNameError::Ending(text.to_owned()),
            false => unknown.into(),
        })
    }

    /// Remembers a game under a path or another text, in place of what was known under it.
    pub fn insert(&self, text: &str, game: GameId) {
        self.known().insert(PathBuf::from(text), Ok(game));
    }

    /// The game of a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is no game.
    pub fn read(&self, path: &Path) -> Result<GameId, GameNameError> {
        let mut known = self.known();
        let found = known.entry(path.to_owned()).or_insert_with(|| read(path));
        found.clone()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GameNames {
    /// The games of a file, or of all files of a folder that end with `.toml`, by the names of the files; and why
    /// others are none, or that there is no file. Each name means one game: of several different ones it is the first.
    pub fn read_all(&self, path: &Path) -> (Vec<GameId>, Vec<GameNameError>) {
        let mut games: Vec<(GameId, PathBuf)> = Vec::new();
        let mut faults = Vec::new();
        let paths = if path.is_dir() {
            let entries = path.read_dir().into_iter().flatten().flatten();
            let paths = entries.map(|entry| entry.path());
            let mut paths: Vec<PathBuf> = paths
                .filter(|p| p.extension().is_some_and(|e| e == &ENDING[1..]))
                .collect();
            paths.sort();
            if paths.is_empty() {
                faults.push(GameNameError::Empty(path.display().to_string()));
            }
            paths
        } else {
            vec![path.to_owned()]
        };
        for path in paths {
            let game = match self.read(&path) {
                Ok(game) => game,
                Err(fault) => {
                    faults.push(fault);
                    continue;
                }
            };
            match games.iter().find(|(known, _)| known.name() == game.name()) {
                None => games.push((game, path)),
                Some((known, _)) if known.fingerprint() == game.fingerprint() => {}
                Some((_, other)) => faults.push(GameNameError::Twice {
                    path: path.display().to_string(),
                    name: game.name(),
                    other: other.display().to_string(),
                }),
            }
        }
        (games.into_iter().map(|(game, _)| game).collect(), faults)
    }
}

fn read(path: &Path) -> Result<GameId, GameNameError> {
    let name = || path.display().to_string();
    let bytes = fs::read(path).map_err(|error| GameNameError::File {
        path: name(),
        error: error.to_string(),
    })?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        GameNameError::Encoding { path: name(), line }
    })?;
    read_text(path, text)
}

/// The game of a file with this text.
///
/// # Errors
/// If it is no game, or its name is that of another game that ships.
pub fn read_text(path: &Path, text: &str) -> Result<GameId, GameNameError> {
    GameId::from_text(text).map_err(|errors| GameNameError::Text {
        path: path.display().to_string(),
        errors,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calm.toml");
        let text = "format = 1\nbase = 'glinski'\nname = 'calm'\ntitle = 'Calm'";
        fs::write(&path, text).unwrap();
        let names = GameNames::default();
        let path = path.to_str().unwrap();
        let calm = names.find(path, GameId::Glinski).unwrap();
        assert_eq!(calm.name(), "calm");
        fs::write(path, "no game").unwrap();
        assert_eq!(names.clone().find(path, GameId::Glinski).unwrap(), calm);
        assert_eq!(names.find("calm", calm).unwrap(), calm);
        let others = GameNames::default();
        others.insert("calm", calm);
        assert_eq!(others.find("calm", GameId::Glinski).unwrap(), calm);
        let error = names.find("calm", GameId::Glinski).unwrap_err();
        assert!(error.to_string().contains("unknown game 'calm'"), "{error}");
        let taken = text.replace("calm", "mccooey");
        fs::write(path, taken).unwrap();
        let error = GameNames::default().find(path, GameId::Glinski);
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("the name 'mccooey' is that of another game"),
            "{error}"
        );
        fs::write(path, "no game").unwrap();
        let error = GameNames::default().find(path, GameId::Glinski);
        assert!(error.unwrap_err().to_string().starts_with(path));
        let error = names.find("nowhere.toml", GameId::Glinski).unwrap_err();
        assert!(error.to_string().starts_with("nowhere.toml: "), "{error}");
    }

    #[test]
    fn a_file_of_another_ending_or_encoding() {
        let folder = tempfile::tempdir().unwrap();
        let told = |name: &str, text: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            let path = path.to_str().unwrap();
            let error = GameNames::default().find(path, GameId::Glinski);
            error.unwrap_err().to_string().replace(path, "FILE")
        };
        assert_eq!(
            told("calm.txt", b"format = 1"),
            "unknown game 'FILE'; there is a file of this name, but the names of files of games end with .toml"
        );
        // Also if the name of a game occurs in its own.
        for name in ["my-glinski.Toml", "glinski-mini.txt"] {
            let error = told(name, b"format = 1");
            assert!(error.contains("there is a file of this name"), "{error}");
        }
        assert_eq!(
            told("latin.toml", b"format = 1\ntitle = 'Gli\xf1ski'\n"),
            "FILE: line 2 is not UTF-8; save the file as UTF-8"
        );
    }

    #[test]
    fn a_name_means_one_game() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, stalemate: &str| {
            let text = format!(
                "format = 1\nbase = 'glinski'\nname = 'calm'\ntitle = 'Calm'\n[ends]\nstalemate = '{stalemate}'"
            );
            fs::write(folder.path().join(name), text).unwrap();
        };
        write("a.toml", "1/2");
        write("b.toml", "3/4-1/4");
        write("c.toml", "1/2");
        let (games, faults) = GameNames::default().read_all(folder.path());
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].spec().stalemate_quarters, 2);
        let [fault] = faults.as_slice() else {
            panic!("{faults:?}");
        };
        let told = fault.to_string();
        assert!(
            told.contains("b.toml: the name 'calm' is that of another game, in ")
                && told.contains("a.toml"),
            "{told}"
        );
    }
}
