//! Evaluations that a user gives by file: weights as text, or a network.

use std::path::{Path, PathBuf};

use hexmate_engine::{
    Evaluator, Handmade, Network, NetworkError, NetworkWeights, Weights, WeightsError, WeightsFile,
};
use hexmate_movegen::{Game, GameId, with_game};
use twox_hash::XxHash3_128;

use crate::bounded::{self, TextError};

/// In place of a file: the handmade evaluation of the program, also where there is a network.
pub const HANDMADE: &str = "handmade";

/// A file of weights or a network that was read and checked: all that it has of the games that there are can be used.
#[derive(Clone, Debug)]
pub struct EvalFile {
    path: PathBuf,
    content: Content,
    games: Vec<GameId>,
}

#[derive(Clone, Debug)]
enum Content {
    /// No file: [`HANDMADE`].
    Handmade,
    Weights(String),
    Network(Vec<u8>),
}

/// Why a file cannot be used to evaluate.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum EvalFileError {
    #[error("{}: {error}", path.display())]
    Unreadable { path: PathBuf, error: TextError },
    #[error("{}: {error}; expected a network by `hexmate train`, or weights by `hexmate tune`", path.display())]
    Foreign { path: PathBuf, error: TextError },
    #[error("{}: {error}", path.display())]
    Unusable { path: PathBuf, error: WeightsError },
    #[error("{}: {error}", path.display())]
    Network { path: PathBuf, error: NetworkError },
}

impl EvalFile {
    /// Reads a file; [`HANDMADE`] is the handmade evaluation of every game.
    ///
    /// # Errors
    /// If it cannot be read, is neither a network nor a file of weights or one of another version, or what it has of
    /// some game is not exactly what that game needs. It need not have all games.
    pub fn open(path: &Path) -> Result<Self, EvalFileError> {
        let path = path.to_owned();
        if path.as_os_str() == HANDMADE {
            return Ok(EvalFile {
                path,
                content: Content::Handmade,
                games: GameId::ALL.to_vec(),
            });
        }
        let bytes = match bounded::small_bytes(&path) {
            Ok(bytes) => bytes,
            Err(error) => return Err(unreadable(path, error)),
        };
        if NetworkWeights::is_network(&bytes) {
            return match checked_network(&bytes) {
                Ok(games) => Ok(EvalFile {
                    path,
                    content: Content::Network(bytes),
                    games,
                }),
                Err(error) => Err(EvalFileError::Network { path, error }),
            };
        }
        let text = match bounded::text_of(bytes) {
            Ok(text) => text,
            Err(error) => return Err(unreadable(path, error)),
        };
        match checked(&text) {
            Ok(games) => Ok(EvalFile {
                path,
                content: Content::Weights(text),
                games,
            }),
            Err(error) => Err(EvalFileError::Unusable { path, error }),
        }
    }

    /// The file that an option names, if it does. It must have an evaluation of the game, if that is named, too.
    ///
    /// # Errors
    /// As [`EvalFile::open`], and if it has no evaluation of the game.
    pub fn given(path: Option<&Path>, game: Option<GameId>) -> Result<Option<Self>, EvalFileError> {
        let Some(path) = path else {
            return Ok(None);
        };
        let file = EvalFile::open(path)?;
        if let Some(game) = game {
            with_game!(game, game => file.evaluator(game).map(|_| ()))?;
        }
        Ok(Some(file))
    }

    /// The games that ship with the program of which it has an evaluation.
    pub fn games(&self) -> &[GameId] {
        &self.games
    }

    /// Its evaluation of a game.
    ///
    /// # Errors
    /// If it has none.
    pub fn evaluator<G: Game>(&self, game: G) -> Result<Evaluator<G>, EvalFileError> {
        let path = || self.path.clone();
        match &self.content {
            Content::Handmade => Ok(Handmade::of(game).into()),
            Content::Weights(text) => match Weights::parse(game, text) {
                Ok(weights) => Ok(Handmade::new(&weights).into()),
                Err(error) => Err(EvalFileError::Unusable {
                    path: path(),
                    error,
                }),
            },
            Content::Network(bytes) => match Network::parse(game, bytes) {
                Ok(network) => Ok(network.into()),
                Err(error) => Err(EvalFileError::Network {
                    path: path(),
                    error,
                }),
            },
        }
    }

    /// What no file with other content has: for all that must not take the answers of one for those of
    /// another.
    pub fn identity(&self) -> String {
        let bytes = match &self.content {
            Content::Handmade => HANDMADE.as_bytes(),
            Content::Weights(text) => text.as_bytes(),
            Content::Network(bytes) => bytes,
        };
        format!("{:032x}", XxHash3_128::oneshot(bytes))
    }
}

/// Why a file is neither a network nor weights, which may be since it is something else.
fn unreadable(path: PathBuf, error: TextError) -> EvalFileError {
    match error {
        TextError::Io(_) => EvalFileError::Unreadable { path, error },
        _ => EvalFileError::Foreign { path, error },
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

/// The game of a sound network, if it is a known one.
fn checked_network(bytes: &[u8]) -> Result<Vec<GameId>, NetworkError> {
    let Some(id) = NetworkWeights::game(bytes)? else {
        return Ok(Vec::new());
    };
    with_game!(id, game => NetworkWeights::parse(game, bytes).map(|_| ()))?;
    Ok(vec![id])
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_engine::{Features, Numbers};
    use hexmate_movegen::{Glinski, Hexachess, Position};

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
        let start = Position::start_of(Glinski);
        let untuned = Handmade::new(&Weights::untuned(Glinski));
        let handmade = |file: &EvalFile| file.evaluator(Glinski).unwrap().evaluate(&start);
        assert_eq!(handmade(&one), untuned.evaluate(&start));
        let refused = one.evaluator(Hexachess).unwrap_err().to_string();
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

    #[test]
    fn files_of_another_kind_are_told_what_is_expected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        // A checkpoint of a training run, and packed positions of any size.
        let checkpoint = [&b"HEXMTRN1"[..], &[0, 1, 0xff]].concat();
        let packed = [&b"HEXMDATA"[..], &vec![0xff; 17 << 20]].concat();
        for (bytes, why) in [
            (checkpoint, "file: line 1: not UTF-8; expected"),
            (packed, "file: longer than 16777216 bytes; expected"),
        ] {
            std::fs::write(&path, bytes).unwrap();
            let refused = EvalFile::open(&path).unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
            let expected = "expected a network by `hexmate train`, or weights by `hexmate tune`";
            assert!(refused.ends_with(expected), "{refused}");
        }
        let absent = EvalFile::open(&folder.path().join("absent"))
            .unwrap_err()
            .to_string();
        assert!(!absent.contains("expected"), "{absent}");
    }

    #[test]
    fn a_network_is_known_by_what_it_begins_with() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = Features::new(Glinski).count();
        let numbers = Numbers {
            size: 32,
            buckets: 1,
            hidden: vec![0.0; inputs * 32],
            hidden_bias: vec![0.0; 32],
            output: vec![0.0; 64],
            output_bias: vec![0.5],
        };
        let bytes = NetworkWeights::round(Glinski, &numbers, "")
            .unwrap()
            .to_bytes();
        let open = |bytes: &[u8]| {
            let path = folder.path().join("network");
            std::fs::write(&path, bytes).unwrap();
            EvalFile::open(&path)
        };
        let file = open(&bytes).unwrap();
        assert_eq!(file.games(), [GameId::Glinski]);
        let start = Position::start_of(Glinski);
        assert_eq!(file.evaluator(Glinski).unwrap().evaluate(&start), 200);
        let refused = file.evaluator(Hexachess).unwrap_err().to_string();
        assert!(refused.ends_with("network: a network of glinski; expected one of hexachess"));
        let mut damaged = bytes.clone();
        damaged[1000] ^= 1;
        let refused = open(&damaged).unwrap_err().to_string();
        assert!(refused.contains("the network is damaged"), "{refused}");
    }
}
