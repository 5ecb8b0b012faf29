//! The handmade evaluation: a sum of weights, blended from middle game to endgame.
//!
//! Nothing here names a game: which terms there are, what is alike and what a pawn can reach follow from
//! the rules (`layout`, `symmetry`, `geometry`); only the weights are data of their own (`weights`), and
//! where there are none they are worked out (`untuned`). The evaluation is written once, in `terms`.
//!
//! From the bottom up: `taper`, `geometry`, `symmetry`, `layout`, `untuned`, `weights`, `mating`, `drive`,
//! `model`, `sums`, `pawns`, `terms`, `mop_up`, `trace` and `explain`.

mod drive;
mod explain;
mod geometry;
mod layout;
mod mating;
mod model;
mod mop_up;
mod pawns;
mod sums;
pub(super) mod symmetry;
mod taper;
mod terms;
mod trace;
mod untuned;
mod weights;

use std::any::Any;

use hexmate_movegen::{Game, GameId, Kind, Position, Side, with_game};

pub use self::model::Handmade;
pub use self::mop_up::MopUp;
pub use self::trace::Trace;
pub use self::weights::{Weights, WeightsError, WeightsFile};

use self::pawns::PawnTable;
use self::sums::NoTrace;
use super::evaluation::{Evaluation, Standing};
use crate::door::through;
use crate::score::Score;

impl<G: Game> Handmade<G> {
    /// The game.
    pub fn game(&self) -> G {
        self.game
    }

    /// The position in centipawns from the side to move, where the expected score is
    /// 1 / (1 + 10^(-cp/400)). Never a mate. Clocks and rights do not matter.
    pub fn evaluate(&self, position: &Position<G>) -> Score {
        evaluate(self.game().id(), self, position)
    }

    /// How the evaluation of a position comes about: for each term its name and what it gives White
    /// and Black, in centipawns. White's part less Black's, of all rows together, is the evaluation from
    /// White's side.
    pub fn explain(&self, position: &Position<G>) -> Vec<(&'static str, Score, Score)> {
        explain(self.game().id(), self, position)
    }

    /// Which weights the evaluation of the position takes.
    pub fn trace(&self, position: &Position<G>) -> Trace {
        trace(self.game().id(), self, position)
    }

    /// Whether no network is asked about the position: it has a bare king that is driven, or a side has too little to
    /// mate with. Where only pawns stand against a bare king, networks are asked.
    pub fn answers_for_networks(&self, position: &Position<G>) -> bool {
        answers_for_networks(self.game().id(), self, position)
    }

    /// The evaluation from the side to move, with a memory for pawns.
    #[inline]
    fn score(&self, position: &Position<G>, known: Option<&mut PawnTable<G>>) -> Score {
        let evaluated = self.sum_up(position, &mut NoTrace, known);
        let score = self.final_score(position, evaluated.score());
        from_side_to_move(position, score)
    }
}

impl<G: Game> Evaluation<G> for Handmade<G> {
    /// Pawn structures met before.
    type State = PawnTable<G>;

    fn new_state(&self) -> PawnTable<G> {
        PawnTable::new()
    }

    #[inline]
    fn static_eval(&self, known: &mut PawnTable<G>, position: &Position<G>) -> Score {
        self.score(position, Some(known))
    }

    #[inline(always)]
    fn value(&self, kind: Kind) -> Score {
        Handmade::value(self, kind)
    }

    #[inline]
    fn standing(&self, position: &Position<G>) -> Option<Standing<'_>> {
        Some(self.standing_of(position))
    }
}

#[inline(always)]
fn from_side_to_move<G: Game>(position: &Position<G>, score: Score) -> Score {
    match position.side_to_move() {
        Side::White => score,
        Side::Black => -score,
    }
}

// Doors.

fn evaluate(id: GameId, evaluation: &dyn Any, position: &dyn Any) -> Score {
    with_game!(id, game => score_of(game, evaluation, position))
}

fn explain(
    id: GameId,
    evaluation: &dyn Any,
    position: &dyn Any,
) -> Vec<(&'static str, Score, Score)> {
    with_game!(id, game => breakdown_of(game, evaluation, position))
}

fn trace(id: GameId, evaluation: &dyn Any, position: &dyn Any) -> Trace {
    with_game!(id, game => trace_of(game, evaluation, position))
}

fn answers_for_networks(id: GameId, evaluation: &dyn Any, position: &dyn Any) -> bool {
    with_game!(id, game => mops_up(game, evaluation, position))
}

fn score_of<G: Game>(_: G, evaluation: &dyn Any, position: &dyn Any) -> Score {
    through::<Handmade<G>>(evaluation).score(through(position), None)
}

fn breakdown_of<G: Game>(
    _: G,
    evaluation: &dyn Any,
    position: &dyn Any,
) -> Vec<(&'static str, Score, Score)> {
    through::<Handmade<G>>(evaluation).breakdown(through(position))
}

fn trace_of<G: Game>(_: G, evaluation: &dyn Any, position: &dyn Any) -> Trace {
    through::<Handmade<G>>(evaluation).noted(through(position))
}

fn mops_up<G: Game>(_: G, evaluation: &dyn Any, position: &dyn Any) -> bool {
    through::<Handmade<G>>(evaluation).mop_up(through(position)) != MopUp::None
}

#[cfg(test)]
mod tests;
