//! Positions and moves from text and as text.

use std::fmt;
use std::str::FromStr;

use super::Compiled;
use crate::position::{Position, PositionError, Setup};
use crate::rules::Move;
use crate::text::{FenError, MoveError, abridged, parse_syntax};

impl<G: Compiled> Position<G> {
    /// The first position of the game.
    pub fn start() -> Self {
        G::RULES.start.parse().expect("the start position is valid")
    }

    /// Reads a move, letters in either case, and checks that it is legal here.
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal in this position.
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

impl<G: Compiled> FromStr for Position<G> {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        G::parse(text)
    }
}

/// The canonical text, always six fields.
impl<G: Compiled> fmt::Display for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        G::write(self, f)
    }
}

impl<G: Compiled> Setup<G> {
    /// Checks every rule and gives the position. An en passant cell where no capture would be legal is
    /// dropped: it makes no difference, and is not printed either.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn build(&self) -> Result<Position<G>, PositionError> {
        G::build(self)
    }
}
