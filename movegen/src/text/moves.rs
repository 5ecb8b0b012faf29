//! The text of a move.

use crate::rules::{Move, PAWN};
use crate::tables::Tabled;

impl Move {
    /// The text of the move: `e4f5`, `f10f11q`.
    pub fn text<G: Tabled>(self) -> String {
        let tables = G::lookup();
        let mut text = tables.board.name(self.from) + &tables.board.name(self.to);
        if let Some(kind) = self.promotion() {
            let letter = G::RULES.pieces[usize::from(kind)].letter;
            text.push(char::from(letter.to_ascii_lowercase()));
        }
        text
    }
}

/// Why a text is not a legal move in a position.
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

/// Reads two cells and a promotion; the move need not be legal anywhere.
pub(crate) fn parse_syntax<G: Tabled>(text: &str) -> Option<Move> {
    let board = &G::lookup().board;
    let (from, rest) = board.parse_cell_prefix(text)?;
    let (to, rest) = board.parse_cell_prefix(rest)?;
    match rest.as_bytes() {
        [] => Some(Move::new(from, to)),
        [letter] => {
            let kind = G::RULES.kind_of_letter(*letter).filter(|&k| k != PAWN)?;
            Some(Move::promoting(from, to, kind))
        }
        _ => None,
    }
}
