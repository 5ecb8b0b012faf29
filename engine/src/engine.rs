//! An engine for one game: its evaluation and what it has learnt.

use std::sync::Arc;

use hexmate_movegen::{Game, Record};
use hexmate_tablebases::Tablebases;
use hexmate_tt::Table;

use crate::compiled;
use crate::eval::Evaluator;
use crate::limits::{Limits, Report};
use crate::params::Params;
use crate::smp::{self, Guide};
use crate::worker::{Reductions, Worker};

/// An engine. What it learns about moves it keeps from search to search until told to forget; the
/// transposition table is the caller's, who may share it, clear it or let it grow older.
pub struct Engine<G: Game> {
    evaluator: Evaluator<G>,
    params: Params,
    reductions: Reductions,
    tables: Option<Arc<Tablebases>>,
    /// One for each thread.
    workers: Vec<Worker<G>>,
}

impl<G: Game> Default for Engine<G> {
    fn default() -> Self {
        Engine::new(1)
    }
}

impl<G: Game> Engine<G> {
    /// An engine that searches with so many threads, at least one.
    pub fn new(threads: usize) -> Self {
        G::tables().prepare();
        let params = Params::default();
        Engine {
            evaluator: Evaluator::default(),
            reductions: Reductions::of_params(&params),
            params,
            tables: None,
            workers: vec![Worker::new(); threads.max(1)],
        }
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Searches with so many threads from now on, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.workers.resize_with(threads.max(1), Worker::new);
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
    pub fn evaluator(&self) -> &Evaluator<G> {
        &self.evaluator
    }

    /// Judges by another evaluation from now on.
    pub fn set_evaluator(&mut self, evaluator: Evaluator<G>) {
        self.evaluator = evaluator;
        self.workers.iter_mut().for_each(|w| w.pawns.clear());
    }

    /// Asks these endgame tables from now on, or none. They must be of the engine's game.
    pub fn set_tables(&mut self, tables: Option<Arc<Tablebases>>) {
        self.tables = tables;
    }

    /// Makes the engine as good as new: with a table that was made to forget, too, the next search
    /// depends on nothing but its own position.
    pub fn forget(&mut self) {
        self.workers.iter_mut().for_each(Worker::clear);
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
        compiled::analyse(G::ID, self, table, game, limits, &mut progress)
    }

    pub(crate) fn search(
        &mut self,
        table: &Table,
        game: &Record<G>,
        limits: Limits<'_>,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let (workers, evaluator) = (&mut self.workers, &self.evaluator);
        let guide = Guide {
            evaluator,
            params: &self.params,
            reductions: &self.reductions,
            tables: self.tables.as_deref(),
        };
        smp::search(workers, table, guide, limits, game, progress)
    }
}
