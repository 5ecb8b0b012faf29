//! The text of a move.

use std::fmt;
use std::str::FromStr;

use crate::quoted::abridged;
use crate::rules::{Move, PAWN};
use crate::tables::Tabled;

impl Move {
    /// The move in the names of its game, ready to print: `e4f5`, `f10f11q`. It need not be legal anywhere, but
    /// printing it panics if the game has no such cell or piece.
    ///
    /// ```
    /// use hexmate_movegen::{Glinski, Position};
    ///
    /// let start = Position::<Glinski>::start();
    /// let mv = start.parse_move("E4E5").unwrap();
    /// assert_eq!(format!("1. {}", mv.display(Glinski)), "1. e4e5");
    /// ```
    pub fn display<G: Tabled>(self, game: G) -> NamedMove<G> {
        NamedMove { mv: self, game }
    }

    /// The same as a string.
    ///
    /// # Panics
    /// If the board has no such cell, or the game no such piece to promote to.
    pub fn text<G: Tabled>(self, game: G) -> String {
        self.display(game).to_string()
    }
}

/// A move with its game, whose names it is printed and read in.
///
/// ```
/// use hexmate_movegen::{Glinski, NamedMove};
///
/// let promotion: NamedMove<Glinski> = "f10f11q".parse().unwrap();
/// assert_eq!(promotion.to_string(), "f10f11q");
/// assert!("f10f12".parse::<NamedMove<Glinski>>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedMove<G> {
    /// The move.
    pub mv: Move,
    /// The game.
    pub game: G,
}

/// Of a built-in game. The move need not be legal anywhere; [`Position::parse_move`](crate::Position::parse_move)
/// checks that, too.
impl<G: Tabled + Default> FromStr for NamedMove<G> {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let game = G::default();
        let mv = parse_syntax(game, text).ok_or_else(|| MoveError::Syntax {
            text: abridged(text),
            example: "e4e5".to_owned(),
        })?;
        Ok(NamedMove { mv, game })
    }
}

impl<G: Tabled> fmt::Display for NamedMove<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = self.game.lookup();
        let (mv, board) = (self.mv, &tables.board);
        write!(f, "{}{}", board.name(mv.from), board.name(mv.to))?;
        match mv.promotion() {
            Some(kind) => {
                let letter = tables.spec.pieces[usize::from(kind)].letter;
                write!(f, "{}", char::from(letter.to_ascii_lowercase()))
            }
            None => Ok(()),
        }
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
pub(crate) fn parse_syntax<G: Tabled>(game: G, text: &str) -> Option<Move> {
    let tables = game.lookup();
    let board = &tables.board;
    let (from, rest) = board.parse_cell_prefix(text)?;
    let (to, rest) = board.parse_cell_prefix(rest)?;
    match rest.as_bytes() {
        [] => Some(Move::new(from, to)),
        [letter] => {
            let kind = tables.spec.kind_of_letter(*letter).filter(|&k| k != PAWN)?;
            Some(Move::promoting(from, to, kind))
        }
        _ => None,
    }
}
