//! Kinds, sides, pieces, and a piece as a byte.

use crate::sets::Cell;

/// The kind of a piece: its place in [`GameSpec::pieces`](crate::rules::spec::GameSpec::pieces).
pub type Kind = u8;
/// The pawn is the first piece of every game.
pub const PAWN: Kind = 0;
/// The king (called the aim in chromatic chess) is the second piece of every game.
pub const KING: Kind = 1;

/// One of the two sides. White moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Side {
    /// Team 1, upper-case letters.
    White = 0,
    /// Team 2, lower-case letters.
    Black = 1,
}

impl Side {
    /// Both, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The opponent.
    #[inline(always)]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Side::White => 'w',
            Side::Black => 'b',
        }
    }
}

/// A piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Piece {
    /// Its kind.
    pub kind: Kind,
    /// Its side.
    pub side: Side,
}

/// The cell that a double step crossed and the cell on which the pawn now stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct EnPassant {
    /// The cell that a capturing pawn moves to.
    pub crossed: Cell,
    /// The cell of the captured pawn.
    pub stands: Cell,
}

/// A piece as the byte of its cell; 0 is an empty cell.
#[inline(always)]
pub(crate) const fn encode(piece: Piece) -> u8 {
    (piece.kind + 1) << 1 | piece.side as u8
}

#[inline(always)]
pub(crate) const fn decode(byte: u8) -> Option<Piece> {
    if byte == 0 {
        return None;
    }
    let side = if byte & 1 == 0 {
        Side::White
    } else {
        Side::Black
    };
    Some(Piece {
        kind: (byte >> 1) - 1,
        side,
    })
}

/// The kind of a piece that a byte encodes.
#[inline(always)]
pub(crate) const fn kind_of(byte: u8) -> Kind {
    (byte >> 1).wrapping_sub(1)
}
