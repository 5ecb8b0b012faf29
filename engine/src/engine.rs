//! An engine for one game: its evaluation and what it has learnt.

use hexmate_movegen::{Game, Record};
use hexmate_tt::Table;

use crate::eval::Evaluator;
use crate::limits::{Limits, Report};
use crate::ordering::Heuristics;
use crate::score::MAX_PLY;
use crate::search::Search;

/// An engine. What it learns about moves it keeps from search to search until told to forget; the
/// transposition table is the caller's, who may share it or clear it.
pub struct Engine<G: Game> {
    evaluator: Evaluator<G>,
    heuristics: Heuristics<G>,
}

impl<G: Game> Default for Engine<G> {
    fn default() -> Self {
        Engine {
            evaluator: Evaluator::default(),
            heuristics: Heuristics::new(MAX_PLY + 1),
        }
    }
}

impl<G: Game> Engine<G> {
    /// The evaluation, for those who want to see it.
    pub fn evaluator(&self) -> &Evaluator<G> {
        &self.evaluator
    }

    /// Makes the engine as good as new: with a table that was made to forget, too, the next search
    /// depends on nothing but its own position.
    pub fn forget(&mut self) {
        self.heuristics.clear();
    }

    /// Searches the last position of a game. `progress` is called after each finished depth.
    ///
    /// The end of the game is not looked for: a position in which the game has ended by repetition or
    /// for want of progress is searched like any other.
    pub fn analyse(
        &mut self,
        table: &Table,
        game: &Record<G>,
        limits: Limits<'_>,
        progress: impl FnMut(&Report),
    ) -> Report {
        let search = Search::new(table, &self.evaluator, &mut self.heuristics, limits, game);
        search.run(game.position(), progress)
    }
}
