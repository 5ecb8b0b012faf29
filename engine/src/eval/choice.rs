//! Which evaluation an engine uses.

use hexmate_movegen::{Game, Position};

use super::{Handmade, Network};
use crate::score::Score;

/// An evaluation of one game: a choice made once, at the engine's edge. The search is compiled for each.
#[derive(Clone, Debug)]
pub enum Evaluator<G: Game> {
    /// By weights of what a position has.
    Handmade(Box<Handmade<G>>),
    /// By a network.
    Network(Box<Network<G>>),
}

impl<G: Game> Evaluator<G> {
    /// What a game is evaluated by unless somebody wants another one: the network that comes with the program, or
    /// else the handmade evaluation.
    pub fn of(game: G) -> Self {
        match Network::embedded(game) {
            Some(network) => network.into(),
            None => Handmade::of(game).into(),
        }
    }

    /// The position in centipawns from the side to move.
    pub fn evaluate(&self, position: &Position<G>) -> Score {
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
        Evaluator::Handmade(Box::new(handmade))
    }
}

impl<G: Game> From<Network<G>> for Evaluator<G> {
    fn from(network: Network<G>) -> Self {
        Evaluator::Network(Box::new(network))
    }
}
