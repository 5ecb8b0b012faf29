//! How games end, and how an end is scored.

use super::Compiled;
use crate::position::Position;
use crate::rules::spec::GameSpec;
use crate::rules::{KING, Side};
use crate::sets::Bits;

/// The end of a game by its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side to move is checkmated; the other side wins.
    Checkmate {
        /// The side that won.
        winner: Side,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate {
        /// The side that cannot move.
        stalemated: Side,
    },
    /// King against king.
    BareKings,
    /// Too many plies without a capture or a pawn move: a draw, see
    /// [`no_progress_plies`](crate::spec::GameSpec::no_progress_plies).
    NoProgress,
    /// The position has occurred too often: a draw, see
    /// [`repetitions`](crate::spec::GameSpec::repetitions).
    Repetition,
}

impl Outcome {
    /// White's and Black's share in quarters of a point; they add up to 4.
    pub fn quarters(self, rules: &GameSpec) -> [u8; 2] {
        let share = |side: Side, quarters: u8| match side {
            Side::White => [quarters, 4 - quarters],
            Side::Black => [4 - quarters, quarters],
        };
        match self {
            Outcome::Checkmate { winner } => share(winner, 4),
            Outcome::Stalemate { stalemated } => share(stalemated, rules.stalemate_quarters),
            Outcome::BareKings | Outcome::NoProgress | Outcome::Repetition => [2, 2],
        }
    }
}

impl<G: Compiled> Position<G> {
    /// Whether only the kings are left, and that is a draw: the only kind of dead position.
    #[inline(always)]
    pub fn is_dead(&self) -> bool {
        self.tables().plan().rules.bare_kings_draw && !(self.occupied() & !self.kind(KING)).any()
    }

    /// Whether the game is drawn by the rule of no progress, unless the last move ended it.
    #[inline(always)]
    pub fn is_without_progress(&self) -> bool {
        self.halfmove_clock() >= self.tables().plan().rules.no_progress_plies
    }

    /// The end of the game, if this position alone is one: all but repetition.
    ///
    /// Bare kings are dead at once, even where the side to move cannot move. Otherwise a position
    /// without legal moves ends the game first: mate or stalemate on the last ply of the no-progress
    /// count still counts as what it is.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.is_dead() {
            return Some(Outcome::BareKings);
        }
        if !self.has_legal_move() {
            return Some(if self.in_check() {
                Outcome::Checkmate {
                    winner: self.side_to_move().other(),
                }
            } else {
                Outcome::Stalemate {
                    stalemated: self.side_to_move(),
                }
            });
        }
        self.is_without_progress().then_some(Outcome::NoProgress)
    }
}
