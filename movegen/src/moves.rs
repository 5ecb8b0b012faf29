//! Moves and their text.

use std::fmt;

use crate::bits::Cell;
use crate::games::Game;
use crate::piece::{Kind, PAWN};
use crate::position::Position;

/// A move: from, to, and the kind that a pawn becomes. Castling is the king's own move.
///
/// Three bytes, so that it packs into 24 bits; what else a move does follows from the position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
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

    /// The move in 24 bits; 0 is no move of any game.
    #[inline(always)]
    pub const fn to_bits(self) -> u32 {
        self.from as u32 | (self.to as u32) << 8 | (self.promotion as u32) << 16
    }

    /// The inverse of [`Move::to_bits`]. Any bits give a move, not always a legal one.
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

    /// The text of the move: `e4f5`, `f10f11q`.
    pub fn text<G: Game>(self) -> String {
        let tables = G::tables();
        let mut text = tables.board.name(self.from) + &tables.board.name(self.to);
        if let Some(kind) = self.promotion() {
            let letter = G::SPEC.pieces[usize::from(kind)].letter;
            text.push(char::from(letter.to_ascii_lowercase()));
        }
        text
    }
}

/// Why a text is no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The text does not have the form of a move.
    #[error(
        "'{text}' is not a move: expected two cell names and, for a promotion, a piece letter, like '{example}'"
    )]
    Syntax {
        /// What was read.
        text: String,
        /// A legal move of the position, or a general example.
        example: String,
    },
    /// The text is a move, but not a legal one here.
    #[error("'{text}' is not legal in {fen}")]
    Illegal {
        /// What was read.
        text: String,
        /// The position.
        fen: String,
    },
}

impl<G: Game> Position<G> {
    /// Reads a move, letters in either case, and checks that it is legal here.
    ///
    /// # Errors
    /// If the text is no move, or none that is legal in this position.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let mv = parse_syntax::<G>(text).ok_or_else(|| MoveError::Syntax {
            text: abridged(text),
            example: self
                .legal_moves()
                .first()
                .map_or_else(|| "e4e5".to_owned(), |m| m.text::<G>()),
        })?;
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(MoveError::Illegal {
                text: text.to_owned(),
                fen: self.to_string(),
            })
        }
    }
}

fn parse_syntax<G: Game>(text: &str) -> Option<Move> {
    let board = &G::tables().board;
    let (from, rest) = board.parse_cell_prefix(text)?;
    let (to, rest) = board.parse_cell_prefix(rest)?;
    match rest.as_bytes() {
        [] => Some(Move::new(from, to)),
        [letter] => {
            let kind = G::SPEC.kind_of_letter(*letter).filter(|&k| k != PAWN)?;
            Some(Move::promoting(from, to, kind))
        }
        _ => None,
    }
}

/// The front of a text, for messages: inputs may be megabytes long.
pub(crate) fn abridged(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let mut front: String = text.chars().take(MOST).collect();
    front.push('…');
    front
}

/// Moves side by side with their text in one line, for debugging.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}->{}", self.from, self.to)?;
        match self.promotion() {
            Some(kind) => write!(f, "={kind}"),
            None => Ok(()),
        }
    }
}
