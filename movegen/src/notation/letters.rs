//! The letters of pieces: the game's own, those of a language, or any that are named.

use std::str::FromStr;

use crate::rules::spec::GameSpec;
use crate::rules::{Kind, PAWN};

/// Which letters stand for which pieces. They are never guessed: a text in the letters of another language is
/// read only if that language is named.
///
/// ```
/// use hexmate_movegen::{AnyPosition, GameId, Letters, read_move};
///
/// let start = AnyPosition::start(GameId::Glinski);
/// let hungarian: Letters = "hungarian".parse().unwrap();
/// let mv = read_move(&start, "Hhi3", &hungarian).unwrap();
/// assert_eq!(start.text(mv), "h1i3");
/// // The same letters, named one by one: king, queen, rook, bishop, knight.
/// let listed: Letters = "KVBFH".parse().unwrap();
/// assert_eq!(read_move(&start, "Hhi3", &listed), Ok(mv));
/// assert!(read_move(&start, "Hhi3", &Letters::Own).is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Letters {
    /// Those of the game's position texts.
    #[default]
    Own,
    /// Those of a language, for king, queen, rook, bishop and knight.
    Language(&'static str, [char; 5]),
    /// One for each piece but the pawn, in the order of the game's list.
    Listed(Vec<char>),
}

/// For king, queen, rook, bishop and knight.
const LANGUAGES: &[(&str, [char; 5])] = &[
    ("hungarian", ['K', 'V', 'B', 'F', 'H']),
    ("polish", ['K', 'H', 'W', 'G', 'S']),
    ("german", ['K', 'D', 'T', 'L', 'S']),
    ("french", ['R', 'D', 'T', 'F', 'C']),
    ("spanish", ['R', 'D', 'T', 'A', 'C']),
    ("english", ['K', 'Q', 'R', 'B', 'N']),
];

/// The same pieces in position texts.
const INTERNATIONAL: [u8; 5] = *b"KQRBN";

/// Figurines stand for the same pieces in every language; the last of each side for the pawn.
const FIGURINES: [char; 12] = ['♔', '♕', '♖', '♗', '♘', '♙', '♚', '♛', '♜', '♝', '♞', '♟'];

/// What cannot be used as letters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LettersError {
    /// Neither a language nor a list of letters.
    #[error(
        "'{text}' names no letters; expected {languages}, or a capital letter for each piece but the pawn, like 'KVBFH'"
    )]
    Unknown {
        /// What was given.
        text: String,
        /// The languages there are.
        languages: String,
    },
    /// A letter that stands for two pieces.
    #[error("the letter {0} stands for two pieces; expected different letters")]
    Twice(char),
    /// The game has other pieces.
    #[error("the letters {letters} do not fit {game}, whose pieces besides the pawn are {own}")]
    Game {
        /// The letters.
        letters: String,
        /// The game.
        game: String,
        /// The game's own letters.
        own: String,
    },
}

impl FromStr for Letters {
    type Err = LettersError;

    /// Reads the name of a language, in either case, or a list of capital letters.
    fn from_str(text: &str) -> Result<Self, LettersError> {
        let language = LANGUAGES
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(text));
        if let Some(&(name, letters)) = language {
            return Ok(Letters::Language(name, letters));
        }
        let list: Vec<char> = text
            .chars()
            .filter(|c| !c.is_whitespace() && *c != ',')
            .collect();
        if list.len() < 2 || !list.iter().all(|c| c.is_uppercase()) {
            let languages: Vec<&str> = Letters::languages().collect();
            return Err(LettersError::Unknown {
                text: text.to_owned(),
                languages: languages.join(", "),
            });
        }
        let twice = (1..list.len()).find(|&i| list[..i].contains(&list[i]));
        match twice {
            Some(i) => Err(LettersError::Twice(list[i])),
            None => Ok(Letters::Listed(list)),
        }
    }
}

impl Letters {
    /// The names of the languages whose letters are known.
    pub fn languages() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|&(name, _)| name)
    }

    /// Checks that they are letters for the pieces of a game.
    ///
    /// # Errors
    /// If the game has other pieces, or another number of them.
    pub fn check(&self, spec: &GameSpec) -> Result<(), LettersError> {
        let own: Vec<u8> = spec.pieces[1..].iter().map(|p| p.letter).collect();
        let (fits, letters) = match self {
            Letters::Own => return Ok(()),
            Letters::Language(name, _) => (
                own.iter().all(|letter| INTERNATIONAL.contains(letter)),
                (*name).to_owned(),
            ),
            Letters::Listed(list) => (own.len() == list.len(), list.iter().collect()),
        };
        if fits {
            return Ok(());
        }
        Err(LettersError::Game {
            letters,
            game: spec.name.to_owned(),
            own: own.iter().map(|&l| char::from(l)).collect(),
        })
    }

    /// The kind that a capital letter or a figurine stands for; a game's pawn keeps its letter.
    pub(super) fn kind(&self, letter: char, spec: &GameSpec) -> Option<Kind> {
        let own = |letter: char| {
            let pieces = spec.pieces.iter();
            let mut kinds = (0..).zip(pieces);
            kinds.find_map(|(kind, p)| (char::from(p.letter) == letter).then_some(kind))
        };
        let figurine = FIGURINES.iter().position(|&f| f == letter);
        if let Some(i) = figurine {
            let letter = INTERNATIONAL.get(i % (FIGURINES.len() / 2));
            return letter.map_or(Some(PAWN), |&letter| own(letter.into()));
        }
        let found = match self {
            Letters::Own => return own(letter),
            Letters::Language(_, letters) => {
                let i = letters.iter().position(|&l| l == letter);
                i.and_then(|i| own(INTERNATIONAL[i].into()))
            }
            Letters::Listed(letters) => {
                let i = letters.iter().position(|&l| l == letter);
                i.filter(|i| i + 1 < spec.pieces.len())
                    .map(|i| i as Kind + 1)
            }
        };
        let pawn = || (char::from(spec.pieces[0].letter) == letter).then_some(0);
        found.or_else(pawn)
    }

    /// The letters of a game's pieces but the pawn, for messages.
    pub(super) fn list(&self, spec: &GameSpec) -> String {
        let letters: Vec<String> = match self {
            Letters::Own => spec.pieces[1..]
                .iter()
                .map(|p| char::from(p.letter).to_string())
                .collect(),
            Letters::Language(_, letters) => letters.iter().map(char::to_string).collect(),
            Letters::Listed(letters) => letters.iter().map(char::to_string).collect(),
        };
        letters.join(", ")
    }
}
