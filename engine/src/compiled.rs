//! Search and evaluation of every game, compiled in this crate alone.
//!
//! A generic function is compiled anew in each crate that uses it, and these two are by far the largest.
//! So the public ones go through functions that are not generic. Within, everything has its type.

use std::any::Any;

use hexmate_movegen::{GameId, with_game};
use hexmate_tt::Table;

use crate::engine::Engine;
use crate::eval::Evaluator;
use crate::limits::{Limits, Report};
use crate::score::Score;

const SAME: &str = "all values are of the game that the number stands for";

/// [`Engine::search`] for an engine and a record of the game.
pub(crate) fn analyse(
    id: GameId,
    engine: &mut dyn Any,
    table: &Table,
    record: &dyn Any,
    limits: Limits<'_>,
    progress: &mut dyn FnMut(&Report),
) -> Report {
    with_game!(id, G => {
        let engine: &mut Engine<G> = engine.downcast_mut().expect(SAME);
        engine.search(table, record.downcast_ref().expect(SAME), limits, progress)
    })
}

/// [`Evaluator::static_eval`] for an evaluator and a position of the game.
pub(crate) fn evaluate(id: GameId, evaluator: &dyn Any, position: &dyn Any) -> Score {
    with_game!(id, G => {
        let evaluator: &Evaluator<G> = evaluator.downcast_ref().expect(SAME);
        evaluator.static_eval(position.downcast_ref().expect(SAME), None)
    })
}

/// [`Evaluator::parts`] for an evaluator and a position of the game.
pub(crate) fn explain(
    id: GameId,
    evaluator: &dyn Any,
    position: &dyn Any,
) -> Vec<(&'static str, Score, Score)> {
    with_game!(id, G => {
        let evaluator: &Evaluator<G> = evaluator.downcast_ref().expect(SAME);
        evaluator.parts(position.downcast_ref().expect(SAME))
    })
}
