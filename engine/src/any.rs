//! An engine of whichever game: for callers that learn at run time which one it is.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use hexmate_movegen::{AnyRecord, Game, GameId, with_game};
use hexmate_tablebases::Tablebases;
use hexmate_tt::Table;

use crate::engine::{Engine, WrongGame};
use crate::limits::{Limits, Report};

/// An [`Engine`] of a game that is known only at run time.
///
/// ```
/// use hexmate_engine::{AnyEngine, Limits, Table};
/// use hexmate_movegen::{AnyPosition, AnyRecord, GameId};
///
/// let table = Table::new(1).unwrap();
/// for game in [GameId::Glinski, GameId::Chromatic3] {
///     let record = AnyRecord::new(AnyPosition::start(game));
///     let limits = Limits { depth: Some(3), ..Limits::default() };
///     let report = AnyEngine::of(game, 1).analyse(&table, &record, limits, |_| ()).unwrap();
///     assert!(report.best_move().is_some());
/// }
/// ```
pub struct AnyEngine {
    game: GameId,
    engine: Box<dyn Erased>,
}

impl fmt::Debug for AnyEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyEngine")
            .field("game", &self.game)
            .field("threads", &self.threads())
            .finish_non_exhaustive()
    }
}

impl AnyEngine {
    /// An engine for a game that searches with this many threads, at least one.
    pub fn of(game: GameId, threads: usize) -> Self {
        with_game!(game, game => Engine::of(game, threads).into())
    }

    /// Which game it plays.
    pub fn game(&self) -> GameId {
        self.game
    }

    /// The engine, if it is one of the game `G`.
    pub fn typed<G: Game>(&mut self) -> Option<&mut Engine<G>> {
        self.engine.as_any().downcast_mut()
    }

    /// The engine itself, if it is one of the game `G`.
    ///
    /// # Errors
    /// Gives it back if it is not.
    pub fn into_typed<G: Game>(self) -> Result<Engine<G>, Self> {
        let AnyEngine { game, mut engine } = self;
        if engine.as_any().is::<Engine<G>>() {
            let engine = engine.into_any().downcast();
            return Ok(*engine.expect("it was just asked"));
        }
        Err(AnyEngine { game, engine })
    }

    /// As [`Engine::threads`].
    pub fn threads(&self) -> usize {
        self.engine.threads()
    }

    /// As [`Engine::set_threads`].
    pub fn set_threads(&mut self, threads: usize) {
        self.engine.set_threads(threads);
    }

    /// As [`Engine::set_tables`].
    pub fn set_tables(&mut self, tables: Option<Arc<Tablebases>>) {
        self.engine.set_tables(tables);
    }

    /// As [`Engine::forget`].
    pub fn forget(&mut self) {
        self.engine.forget();
    }

    /// As [`Engine::analyse`].
    ///
    /// # Errors
    /// If the record is one of another game.
    pub fn analyse(
        &mut self,
        table: &Table,
        record: &AnyRecord,
        limits: Limits<'_>,
        mut progress: impl FnMut(&Report),
    ) -> Result<Report, WrongGame> {
        let found = self.engine.analyse(table, record, limits, &mut progress);
        found.ok_or_else(|| WrongGame {
            engine: self.game,
            record: record.game(),
        })
    }
}

impl<G: Game> From<Engine<G>> for AnyEngine {
    fn from(engine: Engine<G>) -> Self {
        AnyEngine {
            game: engine.game().id(),
            engine: Box::new(engine),
        }
    }
}

/// What an engine can do whatever its game.
trait Erased: Send {
    fn as_any(&mut self) -> &mut dyn Any;
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
    fn threads(&self) -> usize;
    fn set_threads(&mut self, threads: usize);
    fn set_tables(&mut self, tables: Option<Arc<Tablebases>>);
    fn forget(&mut self);
    /// `None` for a record of another game.
    fn analyse(
        &mut self,
        table: &Table,
        record: &AnyRecord,
        limits: Limits<'_>,
        progress: &mut dyn FnMut(&Report),
    ) -> Option<Report>;
}

impl<G: Game> Erased for Engine<G> {
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn threads(&self) -> usize {
        Engine::threads(self)
    }

    fn set_threads(&mut self, threads: usize) {
        Engine::set_threads(self, threads);
    }

    fn set_tables(&mut self, tables: Option<Arc<Tablebases>>) {
        Engine::set_tables(self, tables);
    }

    fn forget(&mut self) {
        Engine::forget(self);
    }

    fn analyse(
        &mut self,
        table: &Table,
        record: &AnyRecord,
        limits: Limits<'_>,
        progress: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        let record = record.of::<G>()?;
        // Two games from files have the same type.
        let same = record.position().game().id() == self.game().id();
        same.then(|| Engine::analyse(self, table, record, limits, progress))
    }
}
