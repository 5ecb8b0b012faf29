//! An evaluation by a network with one hidden layer.
//!
//! From the bottom up: `features`, `lanes`, `weights`, `accumulators`, `embedded`. What a network is asked about pieces
//! rather than positions, the handmade evaluation answers, and so it does where it alone knows the plan: against a bare
//! king, and where a side has too little to mate with.

mod accumulators;
mod embedded;
mod features;
mod lanes;
mod weights;

use std::any::Any;

use hexmate_movegen::{
    Bits, Game, GameId, Kind, Move, Observer, Position, Sight, Simd, observe, with_game,
};

pub use self::features::{Features, View, shape_of};
pub use self::weights::{NetworkError, NetworkWeights, Numbers};

use self::accumulators::Accumulators;
use super::evaluation::{Evaluation, Standing};
use super::handmade::{Handmade, MopUp};
use crate::door::through;
use crate::score::Score;

/// The evaluation of one game by a network: built once, read-only after, shared by threads.
#[derive(Clone, Debug)]
pub struct Network<G: Game> {
    features: Features<G>,
    weights: NetworkWeights,
    handmade: Handmade<G>,
    simd: Simd,
}

impl<G: Game> Network<G> {
    /// Reads a network file; see [`NetworkWeights::parse`].
    ///
    /// # Errors
    /// If the bytes are not exactly a network of this game.
    pub fn parse(game: G, bytes: &[u8]) -> Result<Self, NetworkError> {
        Ok(Network::new(game, NetworkWeights::parse(game, bytes)?))
    }

    /// The network that comes with the program, if this game has one.
    ///
    /// # Panics
    /// If a file has been damaged; a test looks after it.
    pub fn embedded(game: G) -> Option<Self> {
        let network = |bytes| match Network::parse(game, bytes) {
            Ok(network) => Some(network),
            // A user's game may have the name of a built-in one, and other pieces.
            Err(_) if game.id().is_from_file() => None,
            Err(error) => panic!("the network of {} is not whole: {error}", game.spec().name),
        };
        embedded::of(game.spec().name).and_then(network)
    }

    fn new(game: G, weights: NetworkWeights) -> Self {
        Network {
            features: Features::new(game),
            weights,
            handmade: Handmade::of(game),
            simd: Simd::chosen(),
        }
    }

    /// Its numbers.
    pub fn weights(&self) -> &NetworkWeights {
        &self.weights
    }

    /// The handmade evaluation beside it.
    pub fn handmade(&self) -> &Handmade<G> {
        &self.handmade
    }

    /// The position in centipawns from the side to move, as [`Handmade::evaluate`] has it.
    pub fn evaluate(&self, position: &Position<G>) -> Score {
        evaluate(self.handmade.game().id(), self, position)
    }

    fn evaluated(&self, position: &Position<G>) -> Score {
        match self.handmade.mop_up(position) {
            MopUp::None => self.weights.score_of(&self.features.of(position)),
            _ => self.handmade.evaluate(position),
        }
    }

    /// The sums of the line and the score of its last position.
    #[inline]
    fn score(&self, state: &mut Accumulators<G>, position: &Position<G>) -> Score {
        let pass = Pass {
            network: self,
            state,
            position,
        };
        observe(position.game(), self.simd, pass)
    }
}

/// The door of [`Network::evaluate`].
fn evaluate(id: GameId, network: &dyn Any, position: &dyn Any) -> Score {
    with_game!(id, game => evaluate_of(game, network, position))
}

fn evaluate_of<G: Game>(_: G, network: &dyn Any, position: &dyn Any) -> Score {
    through::<Network<G>>(network).evaluated(through(position))
}

/// One evaluation of a position.
struct Pass<'a, G: Game> {
    network: &'a Network<G>,
    state: &'a mut Accumulators<G>,
    position: &'a Position<G>,
}

impl<G: Game> Observer<G> for Pass<'_, G> {
    type Output = Score;

    #[inline(always)]
    fn observe<S: Sight<G>>(self, _: S) -> Score {
        let Network {
            features, weights, ..
        } = self.network;
        let men = self.position.occupied().count() as usize;
        let sums = self.state.of(self.position, features, weights);
        weights.output(sums, men)
    }
}

/// What one thread remembers: the sums of its line, and what the handmade evaluation does.
pub(crate) struct State<G: Game> {
    sums: Accumulators<G>,
    handmade: <Handmade<G> as Evaluation<G>>::State,
}

impl<G: Game> Evaluation<G> for Network<G> {
    type State = State<G>;

    fn new_state(&self) -> State<G> {
        State {
            sums: Accumulators::new(&self.weights),
            handmade: self.handmade.new_state(),
        }
    }

    #[inline(always)]
    fn reset(&self, state: &mut State<G>, _: &Position<G>) {
        state.sums.reset();
    }

    #[inline(always)]
    fn push(&self, state: &mut State<G>, _: &Position<G>, _: Option<Move>) {
        state.sums.push();
    }

    #[inline(always)]
    fn pop(&self, state: &mut State<G>) {
        state.sums.pop();
    }

    #[inline]
    fn static_eval(&self, state: &mut State<G>, position: &Position<G>) -> Score {
        match self.handmade.mop_up(position) {
            MopUp::None => self.score(&mut state.sums, position),
            _ => self.handmade.static_eval(&mut state.handmade, position),
        }
    }

    #[inline(always)]
    fn value(&self, kind: Kind) -> Score {
        Evaluation::value(&self.handmade, kind)
    }

    #[inline]
    fn standing(&self, position: &Position<G>) -> Option<Standing<'_>> {
        Evaluation::standing(&self.handmade, position)
    }
}

#[cfg(test)]
mod tests;
