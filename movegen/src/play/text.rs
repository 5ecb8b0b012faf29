//! Positions and moves from text and as text.

use std::fmt;
use std::str::FromStr;

use super::Compiled;
use crate::position::{Position, PositionError, Setup};
use crate::quoted::abridged;
use crate::rules::Move;
use crate::text::{FenError, MoveError, parse_syntax};

impl<G: Compiled + Default> Position<G> {
    /// The first position of a built-in game.
    pub fn start() -> Self {
        Self::start_of(G::default())
    }
}

impl<G: Compiled> Position<G> {
    /// The first position of a game.
    pub fn start_of(game: G) -> Self {
        let start = game.parse(game.lookup().spec.start);
        start.expect("the start position is valid")
    }

    /// Reads a position of a game.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_fen(game: G, text: &str) -> Result<Self, FenError> {
        game.parse(text)
    }

    /// Reads a move, letters in either case, and checks that it is legal here.
    ///
    /// ```
    /// use hexmate_movegen::{Glinski, Position};
    ///
    /// let start = Position::<Glinski>::start();
    /// assert!(start.parse_move("e4e5").is_ok());
    /// let error = start.parse_move("e4e9").unwrap_err();
    /// assert!(error.to_string().starts_with("'e4e9' is not legal in b/qbk/"));
    /// ```
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal in this position.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let mv = parse_syntax(self.game(), text).ok_or_else(|| MoveError::Syntax {
            text: abridged(text),
            example: self
                .legal_moves()
                .first()
                .map_or_else(|| "e4e5".to_owned(), |m| m.text(self.game())),
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

/// Of a built-in game: its type alone tells which one.
impl<G: Compiled + Default> FromStr for Position<G> {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        G::default().parse(text)
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

    /// All rules of validity that are broken; none for a position. Whether the king of the side that has moved could
    /// be taken is reported only if the pieces themselves stand as they may.
    ///
    /// ```
    /// use hexmate_movegen::{Glinski, Setup};
    ///
    /// let mut setup = Setup::<Glinski>::default();
    /// setup.fullmove = 0;
    /// let faults = setup.faults();
    /// // Neither side has a king, and moves are counted from 1.
    /// assert_eq!(faults.len(), 3);
    /// assert_eq!(setup.build().unwrap_err(), faults[0]);
    /// ```
    pub fn faults(&self) -> Vec<PositionError> {
        G::faults(self)
    }
}
