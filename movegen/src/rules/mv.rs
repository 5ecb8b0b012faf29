//! Moves.

use std::fmt;

use super::piece::Kind;
use crate::sets::Cell;

/// A move: from, to, and the kind that a pawn becomes. Castling is the king's own move.
///
/// Three bytes; everything else that a move does follows from the position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The cell that is left.
    pub from: Cell,
    /// The cell that is entered.
    pub to: Cell,
    /// The kind after promotion; the pawn's own number means none.
    promotion: Kind,
}

impl Move {
    /// A move without promotion.
    #[inline(always)]
    pub const fn new(from: Cell, to: Cell) -> Move {
        Move {
            from,
            to,
            promotion: 0,
        }
    }

    /// A pawn's move onto a promotion cell.
    #[inline(always)]
    pub const fn promoting(from: Cell, to: Cell, kind: Kind) -> Move {
        Move {
            from,
            to,
            promotion: kind,
        }
    }

    /// The kind that the pawn becomes.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Kind> {
        if self.promotion == 0 {
            None
        } else {
            Some(self.promotion)
        }
    }

    /// The move in 24 bits; no move from one cell to another gives 0.
    #[inline(always)]
    pub const fn to_bits(self) -> u32 {
        self.from as u32 | (self.to as u32) << 8 | (self.promotion as u32) << 16
    }

    /// The inverse of [`Move::to_bits`]; `None` if from and to are both 0. The move need not be legal anywhere.
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Option<Move> {
        if bits & 0xffff == 0 {
            return None;
        }
        Some(Move {
            from: bits as u8,
            to: (bits >> 8) as u8,
            promotion: (bits >> 16) as u8,
        })
    }
}

/// The indices of the cells, as a move does not know its game; [`Move::display`] has the names.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}->{}", self.from, self.to)?;
        match self.promotion() {
            Some(kind) => write!(f, "={kind}"),
            None => Ok(()),
        }
    }
}

const _: () = assert!(
    super::PAWN == 0,
    "the pawn's number means 'no promotion' in moves"
);
