//! Weights of the evaluation that a user gives by file.

use std::path::{Path, PathBuf};

use hexmate_engine::{Weights, WeightsError, WeightsFile};
use hexmate_movegen::{Game, GameId, with_game};
use twox_hash::XxHash3_128;

use crate::bounded::{self, TextError};

/// A file of weights that was read and checked: all that it has of the games that there are can be used.
#[derive(Clone, Debug)]
pub struct EvalFile {
    path: PathBuf,
    text: String,
    games: Vec<GameId>,
}

/// Why a file of weights cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum EvalFileError {
    #[error("{}: {error}", path.display())]
    Unreadable { path: PathBuf, error: TextError },
    #[error("{}: {error}", path.display())]
    Unusable { path: PathBuf, error: WeightsError },
}

impl EvalFile {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is no file of weights or one of another version, or what it has of some game is
    /// not exactly what that game needs. It need not have all games.
    pub fn open(path: &Path) -> Result<Self, EvalFileError> {
        let path = path.to_owned();
        let text = match bounded::small_text(&path) {
            Ok(text) => text,
            Err(error) => return Err(EvalFileError::Unreadable { path, error }),
        };
        match checked(&text) {
            Ok(games) => Ok(EvalFile { path, text, games }),
            Err(error) => Err(EvalFileError::Unusable { path, error }),
        }
    }

    /// The games that it has weights of.
    pub fn games(&self) -> &[GameId] {
        &self.games
    }

    /// Its weights of a game.
    ///
    /// # Errors
    /// If it has none.
    pub fn weights<G: Game>(&self, game: G) -> Result<Weights<G>, EvalFileError> {
        Weights::parse(game, &self.text).map_err(|error| EvalFileError::Unusable {
            path: self.path.clone(),
            error,
        })
    }

    /// What no file with other content has: for all that must not take the answers of one for those of
    /// another.
    pub fn identity(&self) -> String {
        format!("{:032x}", XxHash3_128::oneshot(self.text.as_bytes()))
    }
}

/// The known games that a text has sound weights of.
fn checked(text: &str) -> Result<Vec<GameId>, WeightsError> {
    let file = WeightsFile::parse(text)?;
    let games: Vec<GameId> = file.games().filter_map(|game| game.parse().ok()).collect();
    for &id in &games {
        with_game!(id, game => file.weights(game).map(|_| ()))?;
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{Glinski, Hexachess};

    #[test]
    fn a_file_is_what_its_content_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let glinski = Weights::untuned(Glinski).to_text("");
        let one = EvalFile::open(&file("one", &glinski)).unwrap();
        assert_eq!(one.games(), [GameId::Glinski]);
        assert_eq!(one.weights(Glinski).unwrap(), Weights::untuned(Glinski));
        let refused = one.weights(Hexachess).unwrap_err().to_string();
        let expected = "one: weights of glinski; expected a section [hexachess]";
        assert!(refused.ends_with(expected), "{refused}");
        let same = EvalFile::open(&file("same", &glinski)).unwrap();
        assert_eq!(one.identity(), same.identity());
        let tuned = Weights::<Glinski>::default().to_text("");
        let other = EvalFile::open(&file("other", &tuned)).unwrap();
        assert_ne!(one.identity(), other.identity());
        // What is wrong with any game that there is refuses the file; other games may come.
        let bad = glinski.clone() + "[chess]\nmaterial P 1,1\n[hexachess]\nmaterial P 1,1\n";
        let refused = EvalFile::open(&file("bad", &bad)).unwrap_err().to_string();
        assert!(
            refused.contains("bad: ") && refused.contains("[hexachess]"),
            "{refused}"
        );
        let more = glinski + "[chess]\nmaterial P 1,1\n";
        assert!(EvalFile::open(&file("more", &more)).is_ok());
        assert!(EvalFile::open(&folder.path().join("none")).is_err());
    }
}
