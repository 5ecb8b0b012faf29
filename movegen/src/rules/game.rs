//! The rules of one game as a type.

use std::fmt;

use super::plan::Plan;
use crate::sets::{Bits, Row, Words};

pub(crate) mod sealed {
    /// Implemented by the games of this crate and by nothing else.
    pub trait Sealed {}
}

/// The rules of one game as a type, so that everything hot is compiled for it: the word of a set of cells,
/// the sizes of arrays, and what can be derived from the rules while the program is compiled. A value of it is a game:
/// the only one of its type, or one of many that were read from files.
///
/// This is what the lower layers of this crate know of a game. Other crates use
/// [`Game`](crate::Game), which includes it.
#[doc(hidden)]
pub trait Rules: sealed::Sealed + Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The word that holds a set of cells of the board.
    type Word: Bits + Words;
    /// One set of cells for each kind of piece.
    type PerKind: Copy
        + Eq
        + fmt::Debug
        + Default
        + Send
        + Sync
        + AsRef<[Self::Word]>
        + AsMut<[Self::Word]>;
    /// One value for each class of paths: those that the same kinds attack along.
    type PerClass<T: Copy>: Row<T>;
    /// One value for each axis of straight lines.
    type PerAxis<T: Copy>: Row<T>;
    /// One value for each kind that leaps.
    type PerLeaper<T: Copy>: Row<T>;
    /// One value for each word of lanes.
    type PerLaneWord<T: Copy>: Row<T>;

    /// Whether the game is known when the program is compiled; otherwise it was read from a file.
    const FIXED: bool;
    /// The rules and what follows from them, if the game is [fixed](Rules::FIXED); of no meaning otherwise.
    const PLAN: &'static Plan;

    /// The rules and what follows from them.
    fn plan(self) -> &'static Plan;
}
