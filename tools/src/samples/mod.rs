//! Training positions in a packed file: what `hexmate datagen --packed` writes and `hexmate train` reads.
//!
//! The format is described in `docs/networks.md`. A file begins with a [`Header`]; then there is a block for each
//! game, in the order of the games, each with a checksum. So whatever ends a run, all games that were written before
//! are whole, and the run can be resumed. What is in a block is made and read by [`hexmate_training::packed`].

mod file;
mod writer;

pub use file::{Block, Header, Reader, each_distilled, each_once, is_packed};
pub use writer::Writer;
