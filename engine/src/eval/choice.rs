//! Which evaluation an engine uses.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use hexmate_movegen::{Game, GameId, Kind, Move, Position};

use super::evaluation::{Evaluation, Standing};
use super::{Handmade, Network};
use crate::score::Score;

/// An evaluation of one game, which its clones share. Which it is, is asked wherever the search evaluates: to compile the
/// search for each would take twice as long and gains nothing.
#[derive(Clone, Debug)]
pub enum Evaluator<G: Game> {
    /// By weights of what a position has.
    Handmade(Arc<Handmade<G>>),
    /// By a network.
    Network(Arc<Network<G>>),
}

/// The evaluations of the built-in games, in the order of [`GameId::ALL`]: made at first use, read-only afterwards.
static OF_BUILT_IN: [OnceLock<Box<dyn Any + Send + Sync>>; GameId::ALL.len()] =
    [const { OnceLock::new() }; GameId::ALL.len()];

impl<G: Game> Evaluator<G> {
    /// What a game is evaluated by unless somebody wants another one: the network that comes with the program, or
    /// else the handmade evaluation. All engines for a built-in game share it.
    pub fn of(game: G) -> Self {
        match GameId::ALL.iter().position(|&id| id == game.id()) {
            Some(place) => {
                let made = OF_BUILT_IN[place].get_or_init(|| Box::new(Self::made_for(game)));
                let made = made.downcast_ref::<Self>();
                made.expect("one game, one type").clone()
            }
            None => Self::made_for(game),
        }
    }

    fn made_for(game: G) -> Self {
        match Network::embedded(game) {
            Some(network) => network.into(),
            None => Handmade::of(game).into(),
        }
    }

    /// The game.
    pub fn game(&self) -> G {
        self.handmade().game()
    }

    /// The position in centipawns from the side to move.
    ///
    /// # Panics
    /// If the position is one of another game: all games from files share two types.
    pub fn evaluate(&self, position: &Position<G>) -> Score {
        let (own, other) = (self.game().id(), position.game().id());
        assert!(
            own == other,
            "a position of {other}; the evaluation is for {own}"
        );
        match self {
            Evaluator::Handmade(handmade) => handmade.evaluate(position),
            Evaluator::Network(network) => network.evaluate(position),
        }
    }

    /// The handmade evaluation, which can explain itself.
    pub fn handmade(&self) -> &Handmade<G> {
        match self {
            Evaluator::Handmade(handmade) => handmade,
            Evaluator::Network(network) => network.handmade(),
        }
    }

    /// The network, if it is one.
    pub fn network(&self) -> Option<&Network<G>> {
        match self {
            Evaluator::Handmade(_) => None,
            Evaluator::Network(network) => Some(network),
        }
    }
}

impl<G: Game> From<Handmade<G>> for Evaluator<G> {
    fn from(handmade: Handmade<G>) -> Self {
        Evaluator::Handmade(Arc::new(handmade))
    }
}

impl<G: Game> From<Network<G>> for Evaluator<G> {
    fn from(network: Network<G>) -> Self {
        Evaluator::Network(Arc::new(network))
    }
}

/// What one thread remembers of either.
pub(crate) enum State<G: Game> {
    Handmade(<Handmade<G> as Evaluation<G>>::State),
    Network(<Network<G> as Evaluation<G>>::State),
}

impl<G: Game> Evaluation<G> for Evaluator<G> {
    type State = State<G>;

    fn new_state(&self) -> State<G> {
        match self {
            Evaluator::Handmade(handmade) => State::Handmade(handmade.new_state()),
            Evaluator::Network(network) => State::Network(network.new_state()),
        }
    }

    #[inline(always)]
    fn reset(&self, state: &mut State<G>, root: &Position<G>) {
        if let (Evaluator::Network(network), State::Network(state)) = (self, state) {
            network.reset(state, root);
        }
    }

    #[inline(always)]
    fn push(&self, state: &mut State<G>, before: &Position<G>, mv: Option<Move>) {
        if let (Evaluator::Network(network), State::Network(state)) = (self, state) {
            network.push(state, before, mv);
        }
    }

    #[inline(always)]
    fn pop(&self, state: &mut State<G>) {
        if let (Evaluator::Network(network), State::Network(state)) = (self, state) {
            network.pop(state);
        }
    }

    #[inline]
    fn static_eval(&self, state: &mut State<G>, position: &Position<G>) -> Score {
        match (self, state) {
            (Evaluator::Handmade(handmade), State::Handmade(state)) => {
                handmade.static_eval(state, position)
            }
            (Evaluator::Network(network), State::Network(state)) => {
                network.static_eval(state, position)
            }
            _ => unreachable!("states are made for the evaluation"),
        }
    }

    #[inline(always)]
    fn value(&self, kind: Kind) -> Score {
        Evaluation::value(self.handmade(), kind)
    }

    #[inline]
    fn standing(&self, position: &Position<G>) -> Option<Standing<'_>> {
        Evaluation::standing(self.handmade(), position)
    }
}
