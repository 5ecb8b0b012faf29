//! What is wrong with the text of a game: where, what, and what would be right.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;

use super::tree::At;
use crate::quoted::shown;

/// No more faults than this are listed.
const MOST_FAULTS: usize = 20;

/// What sort of fault it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameFault {
    /// The text is not TOML.
    Syntax,
    /// No such key is known there.
    UnknownKey,
    /// A key that must be there is missing.
    MissingKey,
    /// A value of another type is expected.
    WrongType,
    /// The value is of the right type, but means nothing there.
    BadValue,
    /// The game asks for more than this program can do.
    Limit,
    /// Each value is right, but they do not make a game.
    Contradiction,
}

/// One fault of a game's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTextError {
    /// The base in whose text the fault is, if it is not in the text that was read.
    pub base: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The key, with those of the tables around it: `pawn.first[0].cells`. Empty for the text as a whole.
    pub key: String,
    /// What sort of fault it is.
    pub fault: GameFault,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for GameTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |text: &str| text.chars().map(shown).collect::<String>();
        if let Some(base) = &self.base {
            write!(f, "base '{base}', ")?;
        }
        write!(f, "line {}", self.line)?;
        if !self.key.is_empty() {
            write!(f, ", {}", plain(&self.key))?;
        }
        write!(f, ": {}", plain(&self.message))
    }
}

impl Error for GameTextError {}

/// Everything that was found wrong with a game's text, in the order of its lines; at least one fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTextErrors(Vec<GameTextError>);

impl GameTextErrors {
    /// The faults, at most 20 of them.
    pub fn faults(&self) -> &[GameTextError] {
        &self.0
    }
}

/// One line for each fault.
impl fmt::Display for GameTextErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl Error for GameTextErrors {}

/// One of the texts that make a game: the one that was read, then its bases.
struct Source {
    base: Option<String>,
    text: String,
}

/// Collects faults.
#[derive(Default)]
pub(super) struct Log {
    sources: RefCell<Vec<Source>>,
    faults: RefCell<Vec<(At, GameTextError)>>,
}

impl Log {
    /// Adds a text; gives its number.
    pub fn source(&self, base: Option<&str>, text: &str) -> usize {
        let mut sources = self.sources.borrow_mut();
        sources.push(Source {
            base: base.map(str::to_owned),
            text: text.to_owned(),
        });
        sources.len() - 1
    }

    /// Notes a fault, unless the same line and key have one already.
    pub fn add(&self, at: At, key: &str, fault: GameFault, message: impl Into<String>) {
        let sources = self.sources.borrow();
        let (base, line) = match sources.get(at.source) {
            Some(source) => {
                let before = source.text.bytes().take(at.offset);
                let line = 1 + before.filter(|&b| b == b'\n').count();
                (source.base.clone(), line)
            }
            None => (None, 1),
        };
        let error = GameTextError {
            base,
            line,
            key: key.to_owned(),
            fault,
            message: message.into(),
        };
        let mut faults = self.faults.borrow_mut();
        let known = faults
            .iter()
            .any(|(_, f)| f.line == error.line && f.key == error.key && f.base == error.base);
        if !known && faults.len() < MOST_FAULTS {
            faults.push((at, error));
        }
    }

    /// Whether nothing was wrong so far.
    pub fn is_clean(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// The faults in the order of the texts.
    pub fn into_errors(self) -> GameTextErrors {
        let mut faults = self.faults.into_inner();
        faults.sort_by_key(|(at, _)| *at);
        GameTextErrors(faults.into_iter().map(|(_, fault)| fault).collect())
    }
}

/// The known word that a misspelt one is most like, if any is.
pub(super) fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    // What is longer than any word of ours resembles none.
    if word.len() > 40 {
        return None;
    }
    let word = word.to_lowercase();
    let far = known.into_iter().map(|k| (distance(&word, k), k));
    let (least, nearest) = far.min()?;
    // Where more than a third is changed, another word was meant.
    let most = ((nearest.len() + 1) / 3).clamp(1, 3);
    (least <= most).then_some(nearest)
}

/// How many letters must be put in, left out or changed to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    if a.len() > 2 && (b.starts_with(a) || a.starts_with(b)) {
        return 1;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
