//! A game as it was played.

use super::{Compiled, Outcome};
use crate::position::Position;
use crate::rules::Move;

/// A game as it was played: a first position, moves, and the keys that repetition is judged by.
///
/// ```
/// use hexmate_movegen::{Glinski, Outcome, Position, Record};
///
/// let mut game = Record::new(Position::<Glinski>::start());
/// while game.outcome().is_none() {
///     for text in ["d1b2", "d9b6", "b2d1", "b6d9"] {
///         let mv = game.position().parse_move(text).unwrap();
///         game.play(mv).unwrap();
///     }
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Repetition));
/// ```
#[derive(Clone, Debug)]
pub struct Record<G: Compiled> {
    first: Position<G>,
    position: Position<G>,
    moves: Vec<Move>,
    keys: Vec<u64>,
}

impl<G: Compiled> Record<G> {
    /// A game that begins here.
    pub fn new(start: Position<G>) -> Self {
        Record {
            first: start,
            position: start,
            moves: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// The first position.
    pub fn first(&self) -> &Position<G> {
        &self.first
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
            (self.occurrences() >= usize::from(self.position.spec().repetitions))
                .then_some(Outcome::Repetition)
        })
    }
}
