//! An engine for one game: its evaluation and what it has learnt.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use hexmate_movegen::{BuiltIn, Game, GameId, Record, with_game};
use hexmate_tablebases::Tablebases;
use hexmate_tt::Table;

use crate::door::{through, through_mut};
use crate::eval::{Evaluator, Handmade};
use crate::limits::{Limits, Report};
use crate::params::Params;
use crate::sampling::{Evaluated, Sampler, Sampling};
use crate::smp::{self, SearchConfig};
use crate::thread_data::{Reductions, ThreadData};

/// An engine. What it learns about moves it keeps from search to search until told to forget; the
/// transposition table is the caller's, who may share it, clear it or let it grow older.
pub struct Engine<G: Game> {
    game: G,
    params: Params,
    reductions: Reductions,
    tables: Option<Arc<Tablebases>>,
    evaluator: Evaluator<G>,
    threads: Vec<ThreadData<G, Evaluator<G>>>,
    missing_threads: usize,
}

/// A record was given to an engine of another game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongGame {
    /// The engine's game.
    pub engine: GameId,
    /// The record's.
    pub record: GameId,
}

impl std::error::Error for WrongGame {}

impl fmt::Display for WrongGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (engine, record) = (self.engine, self.record);
        write!(
            f,
            "the engine is for {engine}, the game to analyse is {record}"
        )?;
        // Of one name there may be a built-in game, its file, and a file with other rules.
        match engine.name() == record.name() {
            true if engine.is_from_file() == record.is_from_file() => {
                f.write_str(" of other rules")
            }
            true if engine.is_from_file() => f.write_str(" as built in, not as read from a file"),
            true => f.write_str(" as read from a file, not as built in"),
            false => Ok(()),
        }
    }
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
            threads: Vec::new(),
            missing_threads: 0,
            evaluator: Evaluator::of(game),
        };
        engine.set_threads(threads);
        engine
    }

    /// The game.
    pub fn game(&self) -> G {
        self.game
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// How many of them the last search had to do without, as the system did not give them.
    pub fn missing_threads(&self) -> usize {
        self.missing_threads
    }

    /// Searches with this many threads from now on, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        set_threads(self.game.id(), self, threads.max(1));
    }

    /// The numbers of the search.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Searches by other numbers from now on, [clamped](Params::clamped) to their ranges.
    pub fn set_params(&mut self, params: Params) {
        let params = params.clamped();
        self.params = params;
        self.reductions = Reductions::of_params(&params);
    }

    /// The evaluation, for those who want to see it.
    pub fn evaluator(&self) -> &Evaluator<G> {
        &self.evaluator
    }

    /// The handmade evaluation: the one in use, or the one beside the network.
    pub fn evaluation(&self) -> &Handmade<G> {
        self.evaluator.handmade()
    }

    /// Evaluates with this from now on.
    ///
    /// # Panics
    /// If it is of another game: all games from files share two types.
    pub fn set_evaluation(&mut self, evaluator: impl Into<Evaluator<G>>) {
        let evaluator = evaluator.into();
        let (own, other) = (self.game.id(), evaluator.game().id());
        assert!(
            own == other,
            "an evaluation of {other}; the engine is for {own}"
        );
        self.evaluator = evaluator;
        take_over(self.game.id(), self);
    }

    /// Asks these endgame tables from now on, or none. They must be of the engine's game: what those of another one
    /// answer means nothing, and with debug assertions a search panics ([`Tablebases::probe`]).
    pub fn set_tables(&mut self, tables: Option<Arc<Tablebases>>) {
        self.tables = tables;
    }

    /// Keeps some of the positions that its first thread evaluates from now on, or none; what was kept before is
    /// dropped.
    pub fn set_sampling(&mut self, sampling: Option<Sampling>) {
        self.threads[0].sampler = sampling.map(Sampler::new);
    }

    /// The positions kept since they were last taken, in the order in which they were evaluated.
    pub fn take_evaluated(&mut self) -> Vec<Evaluated<G>> {
        let sampler = self.threads[0].sampler.as_mut();
        sampler.map_or_else(Vec::new, |sampler| std::mem::take(&mut sampler.found))
    }

    /// Makes the engine as good as new: with a table that was made to forget, too, the next search
    /// depends on nothing but its own position.
    pub fn forget(&mut self) {
        forget(self.game.id(), self);
    }

    /// Forgets everything and trusts nothing of what was in memory. The sampling goes on.
    pub(crate) fn renew(&mut self) {
        let threads = self.threads();
        let sampler = self.threads[0].sampler.take();
        self.threads.clear();
        self.set_threads(threads);
        self.threads[0].sampler = sampler;
    }

    /// Searches the last position of a game. `progress` is called after each finished depth, and in long
    /// searches when a score falls outside of what was expected.
    ///
    /// The end of the game is not looked for: a position in which the game has ended by repetition or
    /// for want of progress is searched like any other. With one thread, and without a limit of time, the
    /// result depends only on the game, the limits, and what engine and table have learnt.
    ///
    /// # Panics
    /// If the record is one of another game: all games from files share two types. [`AnyEngine`](crate::AnyEngine)
    /// gives an error instead.
    pub fn analyse(
        &mut self,
        table: &Table,
        game: &Record<G>,
        limits: Limits<'_>,
        mut progress: impl FnMut(&Report),
    ) -> Report {
        let id = game.position().game().id();
        let wrong = WrongGame {
            engine: self.game.id(),
            record: id,
        };
        assert!(wrong.engine == wrong.record, "{wrong}");
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
            evaluation: &self.evaluator,
            params: &self.params,
            reductions: &self.reductions,
            tables: self.tables.as_deref(),
        };
        let threads = &mut self.threads;
        let (report, missing) = smp::search(threads, table, &config, limits, game, progress);
        self.missing_threads = missing;
        report
    }
}

// Doors: the search is by far the largest thing that is compiled for each game, and forgetting is done before each
// position of a batch.

fn analyse(
    id: GameId,
    engine: &mut dyn Any,
    table: &Table,
    record: &dyn Any,
    limits: Limits<'_>,
    progress: &mut dyn FnMut(&Report),
) -> Report {
    with_game!(id, game => of(game, engine).search(table, through(record), limits, progress))
}

fn set_threads(id: GameId, engine: &mut dyn Any, count: usize) {
    with_game!(id, game => {
        let Engine { threads, evaluator, .. } = of(game, engine);
        threads.resize_with(count, || ThreadData::new(game, evaluator));
    });
}

fn take_over(id: GameId, engine: &mut dyn Any) {
    with_game!(id, game => {
        let Engine { threads, evaluator, .. } = of(game, engine);
        threads.iter_mut().for_each(|thread| thread.set_evaluation(evaluator));
    });
}

fn forget(id: GameId, engine: &mut dyn Any) {
    with_game!(id, game => of(game, engine).threads.iter_mut().for_each(ThreadData::clear));
}

fn of<G: Game>(_: G, engine: &mut dyn Any) -> &mut Engine<G> {
    through_mut(engine)
}
