//! Training positions in a packed file: what `hexmate datagen --packed` writes and `hexmate train` reads.
//!
//! The format is described in `docs/networks.md`. A file begins with a [`Header`]; then there is a block for each
//! game, in the order of the games, each with a checksum. So whatever ends a run, all games that were written before
//! are whole, and the run can be resumed. [`codec`] packs one position, [`file`] reads and writes files.

mod codec;
mod file;

pub use codec::{Codec, Piece};
pub use file::{Block, Header, Reader, Writer, is_packed};

use hexmate_engine::Score;
use hexmate_movegen::{Game, Position};

/// Where a position is from, and what its score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It was on the board; the score is the search's.
    Game,
    /// A search met it; the score is that of a search of its own.
    Leaf,
    /// A search met it; the score is its static evaluation.
    Static,
}

/// One training position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample<G: Game> {
    /// The position.
    pub position: Position<G>,
    /// Its score in centipawns, from the side to move.
    pub score: Score,
    /// What the side to move got in the game, in quarters of a point. The position need not have been on the board.
    pub quarters: u8,
    /// Plies from the beginning of the game to the position; for one from a search, to the root.
    pub ply: u16,
    /// Where it is from.
    pub origin: Origin,
}
