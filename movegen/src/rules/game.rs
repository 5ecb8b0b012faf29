//! The rules of one game as a type.

use std::fmt;

use super::lane_plan::LanePlan;
use super::piece::{Kind, Piece, Side};
use super::spec::{ConstList, GameSpec, Step};
use crate::sets::{Bits, Row, Words};

pub(crate) mod sealed {
    /// Implemented by the games of this crate and by nothing else.
    pub trait Sealed {}
}

/// The rules of one game as a type, so that everything hot is compiled for it: the word of a set of cells,
/// the sizes of arrays, and what can be derived from the rules while the program is compiled.
///
/// This is what the lower layers of this crate know of a game. Other crates use
/// [`Game`](crate::Game), which includes it.
#[doc(hidden)]
pub trait Rules: sealed::Sealed + Copy + Eq + fmt::Debug + Default + Send + Sync + 'static {
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

    /// The game as data.
    const RULES: &'static GameSpec;
    /// The difference between the indices of neighbouring rows, where it is the same everywhere.
    const STRIDE: Option<i32> = Self::RULES.board.stride(Self::Word::SIZE);
    /// The kinds that leap.
    const LEAPERS: ConstList<Kind> = Self::RULES.leapers();
    /// The axes of straight lines: direction and class.
    const AXES: ConstList<(Step, usize)> = Self::RULES.axes();
    /// The classes of paths.
    const CLASSES: ConstList<u16> = Self::RULES.classes();
    /// Where the paths of each class lie in path space, see `tables/lanes.rs`.
    const LANES: LanePlan = LanePlan::of(Self::RULES, Self::Word::SIZE);
    /// The number of words of lanes.
    const LANE_WORDS: usize = Self::LANES.words;
}

/// The letter of a piece: upper case for White.
pub fn piece_letter<G: Rules>(piece: Piece) -> char {
    let letter = G::RULES.pieces[usize::from(piece.kind)].letter;
    char::from(match piece.side {
        Side::White => letter,
        Side::Black => letter.to_ascii_lowercase(),
    })
}
