//! Positions, moves and suites as text.

mod fen;
mod moves;
pub mod suite;

pub use fen::{FenError, FenProblem, Field};
pub(crate) use fen::{parse, start, write};
pub(crate) use moves::parse_syntax;
pub use moves::{MoveError, NamedMove};
