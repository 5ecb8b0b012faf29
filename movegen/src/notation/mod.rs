//! Moves as people write them: standard algebraic notation of any game, and the forms around it.
//!
//! docs/formats.md defines the notation. [`san`] writes it; [`read_move`] reads it and cells (`e4e5`, `e4-e5`,
//! `c3xf9`) with or without the signs that people add. Upper case tells pieces from files: `Bxc5` is a move
//! of a bishop, `bxc5` one of a pawn.
//!
//! ```
//! use hexmate_movegen::{AnyPosition, GameId, Letters, read_move, san};
//!
//! let mut position = AnyPosition::start(GameId::Glinski);
//! for text in ["Qc3", "Qe10-c6", "b1b2", "b6?!"] {
//!     let mv = read_move(&position, text, &Letters::Own).unwrap();
//!     position = position.after(mv);
//! }
//! let mv = position.parse_move("c3c6").unwrap();
//! assert_eq!(san(&position, mv), "Qxc6");
//! let error = read_move(&position, "Nd5", &Letters::Own).unwrap_err();
//! assert!(error.to_string().ends_with(": no knight of White goes to d5"));
//! ```

use std::borrow::Cow;

mod letters;
mod look_alikes;
mod pattern;
mod read;
mod write;

pub use letters::{Letters, LettersError};
pub use read::{NotationError, Why, read_move};
pub use write::san;

/// The signs that people and typesetters take for a hyphen.
pub const HYPHENS: [char; 10] = ['-', '‐', '‑', '‒', '–', '—', '−', '⁃', '﹣', '－'];

/// Signs without a width, as web pages have them in words, and selectors of a form, as behind figurines.
pub const INVISIBLE: [char; 8] = [
    '\u{200b}', '\u{2060}', '\u{ad}', '\u{200e}', '\u{200f}', '\u{feff}', '\u{fe0e}', '\u{fe0f}',
];

/// A text without the signs that nobody sees.
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.contains(INVISIBLE) {
        true => Cow::Owned(text.replace(INVISIBLE, "")),
        false => Cow::Borrowed(text),
    }
}
