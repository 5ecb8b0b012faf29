//! Games that were played before, move by move. No input or output.
//!
//! Engines that play by nodes or depth repeat a game whenever they have the same opening and colours. Such a
//! game is not a new sample: it would make the error bars too small and could decide sequential tests.

use std::collections::HashMap;

use twox_hash::XxHash3_128;

use super::game_record::GameRecord;

/// The counted games. Collisions: 128 bits of a good hash.
#[derive(Default)]
pub struct Repetitions {
    seen: HashMap<u128, usize>,
}

impl Repetitions {
    /// Adds a game; returns the number of the first one with the same players, colours, opening, moves and
    /// end, if any. Lines that lead to one position in the same number of moves are one opening.
    pub fn of(&mut self, game: &GameRecord) -> Option<usize> {
        let played: Vec<&str> = game.moves.split(' ').skip(game.book_plies).collect();
        let what = [
            &game.white,
            &game.black,
            &game.fen,
            &played.join(" "),
            &game.final_fen,
            game.result.text(),
        ];
        let key = XxHash3_128::oneshot(what.join("\n").as_bytes());
        let first = *self.seen.entry(key).or_insert(game.game);
        (first != game.game).then_some(first)
    }
}
