//! What can be wrong with a position text.

use std::fmt;

use crate::position::PositionError;
use crate::quoted::shown;

/// A field of the position text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Field {
    Placement,
    Side,
    Rights,
    EnPassant,
    Halfmove,
    Fullmove,
    End,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Placement => "field 1 (placement)",
            Field::Side => "field 2 (side to move)",
            Field::Rights => "field 3 (rights)",
            Field::EnPassant => "field 4 (en passant)",
            Field::Halfmove => "field 5 (half-move clock)",
            Field::Fullmove => "field 6 (full move)",
            Field::End => "end",
        })
    }
}

/// Why a text is not a position: where it is wrong, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}, offset {offset}: {problem}")]
pub struct FenError {
    /// The field at fault.
    pub field: Field,
    /// The byte of the text at which the fault was seen, from 0.
    pub offset: usize,
    /// What is wrong.
    pub problem: FenProblem,
}

/// What is wrong with a position text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum FenProblem {
    #[error("the text ends before this field; expected {0}")]
    Missing(&'static str),
    #[error("{found} row{}; this board has {expected}, separated by '/'", if *found == 1 { "" } else { "s" })]
    RowCount { found: usize, expected: usize },
    #[error("row {row} is too long: it has {expected} cells")]
    RowTooLong { row: usize, expected: usize },
    #[error("row {row} is too short: {found} of its {expected} cells")]
    RowTooShort {
        row: usize,
        found: usize,
        expected: usize,
    },
    #[error("unknown piece letter '{}'; this game has {known}, lower case for Black", shown(*letter))]
    UnknownLetter { letter: char, known: String },
    #[error("'{0}' is not a number of empty cells")]
    EmptyRun(String),
    #[error("'{0}' is not a side; expected 'w' or 'b'")]
    Side(String),
    #[error(
        "'{0}' is not a right; expected '-' or cells of this board with commas between, '~' before a moved pawn"
    )]
    Right(String),
    #[error("'{0}' stands twice")]
    RepeatedRight(String),
    #[error("'{0}': this game has no castling and no moved pawns to note; expected '-'")]
    NoRights(String),
    #[error("'{0}' is not an en passant cell; expected '-' or {1}")]
    EnPassant(String, &'static str),
    #[error("'{0}' is not a counter; expected a number from {1} to 65535")]
    Counter(String, u16),
    #[error("'{0}' is left over after the last field")]
    Trailing(String),
    #[error(transparent)]
    Position(PositionError),
}
