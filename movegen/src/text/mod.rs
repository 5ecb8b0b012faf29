//! Positions, moves and suites as text.

mod fen;
mod moves;
pub mod suite;

pub use fen::{FenError, FenProblem, Field};
pub(crate) use fen::{parse, start, write};
pub(crate) use moves::parse_syntax;
pub use moves::{MoveError, NamedMove};

/// The beginning of a text, for messages: an input may be megabytes long.
pub(crate) fn abridged(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let mut front: String = text.chars().take(MOST).collect();
    front.push('…');
    front
}
