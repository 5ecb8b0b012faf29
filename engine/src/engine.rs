//! An engine for one game: its evaluation and what it has learnt.

use std::any::Any;
use std::sync::Arc;

use hexmate_movegen::{BuiltIn, Game, GameId, Record, with_game};
use hexmate_tablebases::Tablebases;
use hexmate_tt::Table;

use crate::eval::{Evaluation, Handmade};
use crate::limits::{Limits, Report};
use crate::params::Params;
use crate::smp::{self, SearchConfig};
use crate::thread_data::{Reductions, ThreadData};

/// An engine. What it learns about moves it keeps from search to search until told to forget; the
/// transposition table is the caller's, who may share it, clear it or let it grow older.
pub struct Engine<G: Game> {
    game: G,
    params: Params,
    reductions: Reductions,
    tables: Option<Arc<Tablebases>>,
    evaluation: Handmade<G>,
    /// One for each thread.
    threads: Vec<ThreadData<G, Handmade<G>>>,
}

impl<G: BuiltIn> Default for Engine<G> {
    fn default() -> Self {
        Engine::new(1)
    }
}

impl<G: BuiltIn> Engine<G> {
    /// An engine for a built-in game that searches with this many threads, at least one.
    pub fn new(threads: usize) -> Self {
        Engine::of(G::GAME, threads)
    }
}

impl<G: Game> Engine<G> {
    /// An engine for a game that searches with this many threads, at least one.
    pub fn of(game: G, threads: usize) -> Self {
        game.tables().prepare();
        let params = Params::default();
        let mut engine = Engine {
            game,
            reductions: Reductions::of_params(&params),
            params,
            tables: None,
            evaluation: Handmade::of(game),
            threads: Vec::new(),
        };
        engine.set_threads(threads);
        engine
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Searches with this many threads from now on, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        let (game, evaluation) = (self.game, &self.evaluation);
        (self.threads).resize_with(threads.max(1), || ThreadData::new(game, evaluation));
    }

    /// The numbers of the search.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Searches by other numbers from now on.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
        self.reductions = Reductions::of_params(&params);
    }

    /// The evaluation, for those who want to see it.
    pub fn evaluation(&self) -> &Handmade<G> {
        &self.evaluation
    }

    /// Evaluates with this from now on.
    pub fn set_evaluation(&mut self, evaluation: Handmade<G>) {
        self.evaluation = evaluation;
        for thread in &mut self.threads {
            thread.eval = self.evaluation.new_state();
        }
    }

    /// Asks these endgame tables from now on, or none. They must be of the engine's game.
    pub fn set_tables(&mut self, tables: Option<Arc<Tablebases>>) {
        self.tables = tables;
    }

    /// Makes the engine as good as new: with a table that was made to forget, too, the next search
    /// depends on nothing but its own position.
    pub fn forget(&mut self) {
        self.threads.iter_mut().for_each(ThreadData::clear);
    }

    /// Forgets everything and trusts nothing of what was in memory.
    pub(crate) fn renew(&mut self) {
        let threads = self.threads.len();
        self.threads.clear();
        self.set_threads(threads);
    }

    /// Searches the last position of a game. `progress` is called after each finished depth, and in long
    /// searches when a score falls outside of what was expected.
    ///
    /// The end of the game is not looked for: a position in which the game has ended by repetition or
    /// for want of progress is searched like any other. With one thread, and without a limit of time, the
    /// result depends only on the game, the limits, and what engine and table have learnt.
    pub fn analyse(
        &mut self,
        table: &Table,
        game: &Record<G>,
        limits: Limits<'_>,
        mut progress: impl FnMut(&Report),
    ) -> Report {
        let id = game.position().game().id();
        analyse(id, self, table, game, limits, &mut progress)
    }

    fn search(
        &mut self,
        table: &Table,
        game: &Record<G>,
        limits: Limits<'_>,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let config = SearchConfig {
            evaluation: &self.evaluation,
            params: &self.params,
            reductions: &self.reductions,
            tables: self.tables.as_deref(),
        };
        smp::search(&mut self.threads, table, &config, limits, game, progress)
    }
}

/// [`Engine::search`] for an engine and a record of the game. A generic function is compiled anew in each
/// crate that uses it, and this is by far the largest: so it is compiled here alone, for all games.
fn analyse(
    id: GameId,
    engine: &mut dyn Any,
    table: &Table,
    record: &dyn Any,
    limits: Limits<'_>,
    progress: &mut dyn FnMut(&Report),
) -> Report {
    with_game!(id, game => search(game, engine, table, record, limits, progress))
}

fn search<G: Game>(
    _: G,
    engine: &mut dyn Any,
    table: &Table,
    record: &dyn Any,
    limits: Limits<'_>,
    progress: &mut dyn FnMut(&Report),
) -> Report {
    const SAME: &str = "engine and record are of the game that the number stands for";
    let engine: &mut Engine<G> = engine.downcast_mut().expect(SAME);
    engine.search(table, record.downcast_ref().expect(SAME), limits, progress)
}
