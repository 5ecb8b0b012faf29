//! Kinds, sides, pieces, and a piece as a byte.

use crate::sets::Cell;

/// The kind of a piece: its place in [`GameSpec::pieces`](crate::rules::spec::GameSpec::pieces).
pub type Kind = u8;
/// The pawn is the first piece of every game.
pub const PAWN: Kind = 0;
/// The king (called the aim in chromatic chess) is the second piece of every game.
pub const KING: Kind = 1;

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Side {
    /// The side that moves first, upper-case letters.
    White = 0,
    /// The other side, lower-case letters.
    Black = 1,
}

impl Side {
    /// Both, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// A value for each, White's first; what `BOTH.map` gives, with much less for the compiler to do.
    #[inline(always)]
    pub fn each<T>(mut value: impl FnMut(Side) -> T) -> [T; 2] {
        [value(Side::White), value(Side::Black)]
    }

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

/// What a pawn's first move of more than one step leaves behind: a capturing pawn moves to a cell that was crossed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct EnPassant {
    /// The first cell that was crossed.
    pub crossed: Cell,
    /// The last cell that was crossed: the same one after a double step.
    pub crossed_last: Cell,
    /// The cell of the pawn, which is captured.
    pub stands: Cell,
}

impl EnPassant {
    /// After a double step.
    pub const fn new(crossed: Cell, stands: Cell) -> Self {
        EnPassant {
            crossed,
            crossed_last: crossed,
            stands,
        }
    }

    /// The cells that were crossed, each once.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let last = (self.crossed_last != self.crossed).then_some(self.crossed_last);
        std::iter::once(self.crossed).chain(last)
    }

    /// Whether the pawn crossed a cell.
    #[inline(always)]
    pub const fn crosses(self, cell: Cell) -> bool {
        self.crossed == cell || self.crossed_last == cell
    }
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
