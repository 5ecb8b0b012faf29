//! Position text: six fields, see `docs/formats.md` for the grammar.

mod error;
mod read;
mod write;

pub use error::{FenError, FenProblem, Field};
pub(crate) use read::{parse, start};
pub(crate) use write::write;
