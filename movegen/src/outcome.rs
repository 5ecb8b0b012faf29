//! How games end, and what an end is worth.

use crate::bits::Bits;
use crate::games::Game;
use crate::moves::Move;
use crate::piece::{KING, Side};
use crate::position::Position;

/// The end of a game by its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side to move is checkmated; the other side wins.
    Checkmate {
        /// Who won.
        winner: Side,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate {
        /// Who cannot move.
        stalemated: Side,
    },
    /// King against king.
    BareKings,
    /// So many plies without capture or pawn move that it is a draw (100 in all five games).
    NoProgress,
    /// The position occurred as often as makes a draw (three times in all five games).
    Repetition,
}

impl Outcome {
    /// White's and Black's share in quarters of a point; they add up to 4.
    pub fn quarters<G: Game>(self) -> [u8; 2] {
        let share = |side: Side, quarters: u8| match side {
            Side::White => [quarters, 4 - quarters],
            Side::Black => [4 - quarters, quarters],
        };
        match self {
            Outcome::Checkmate { winner } => share(winner, 4),
            Outcome::Stalemate { stalemated } => share(stalemated, G::SPEC.stalemate_quarters),
            Outcome::BareKings | Outcome::NoProgress | Outcome::Repetition => [2, 2],
        }
    }
}

impl<G: Game> Position<G> {
    /// Whether nothing is left but the kings: the only dead position there is.
    #[inline(always)]
    pub fn is_dead(&self) -> bool {
        !(self.occupied() & !self.kind(KING)).any()
    }

    /// Whether the game is drawn for want of progress, unless the last move ended it.
    #[inline(always)]
    pub fn is_without_progress(&self) -> bool {
        self.halfmove_clock() >= G::SPEC.no_progress_plies
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

/// A game as it was played: a first position, moves, and the keys that repetition is judged by.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    position: Position<G>,
    moves: Vec<Move>,
    keys: Vec<u64>,
}

impl<G: Game> Record<G> {
    /// A game that begins here.
    pub fn new(start: Position<G>) -> Self {
        Record {
            position: start,
            moves: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// The position now.
    pub fn position(&self) -> &Position<G> {
        &self.position
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The keys of the positions before this one, oldest first, as far back as they can recur.
    pub fn earlier_keys(&self) -> &[u64] {
        let reach = usize::from(self.position.halfmove_clock());
        &self.keys[self.keys.len().saturating_sub(reach)..]
    }

    /// Makes a move.
    ///
    /// # Errors
    /// Gives the move back if it is not legal.
    pub fn play(&mut self, mv: Move) -> Result<(), Move> {
        let key = self.position.key();
        self.position.play(mv)?;
        self.keys.push(key);
        self.moves.push(mv);
        Ok(())
    }

    /// How often the position has occurred in this game, this time included.
    pub fn occurrences(&self) -> usize {
        let key = self.position.key();
        1 + self.earlier_keys().iter().filter(|&&k| k == key).count()
    }

    /// The end of the game, if it has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            (self.occurrences() >= usize::from(G::SPEC.repetitions)).then_some(Outcome::Repetition)
        })
    }
}
