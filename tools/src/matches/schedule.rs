//! Who plays whom, when, with which opening. No input or output.

use super::options::{Options, Tournament};

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Its number, from 0.
    pub number: usize,
    /// Its round, from 0.
    pub round: usize,
    /// Which pairing it belongs to, as a place in [`Schedule::pairings`].
    pub pairing: usize,
    /// White and Black, as places in the list of engines.
    pub players: [usize; 2],
    /// The number of its opening, from 0.
    pub opening: usize,
}

/// All games of a match, by number: round after round, in each all pairings, in each its games. Games
/// `2n` and `2n + 1` of a pairing share an opening with colours changed.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: usize,
    games: usize,
}

impl Schedule {
    /// The schedule of a match.
    pub fn new(options: &Options) -> Self {
        let engines = options.engines.len();
        let firsts = match options.tournament {
            Tournament::RoundRobin => engines,
            Tournament::Gauntlet(seeds) => seeds,
        };
        // In a gauntlet the first ones do not meet each other.
        let begin = |first: usize| match options.tournament {
            Tournament::RoundRobin => first + 1,
            Tournament::Gauntlet(seeds) => seeds,
        };
        let pairings = (0..firsts).flat_map(|a| (begin(a)..engines).map(move |b| [a, b]));
        Schedule {
            pairings: pairings.collect(),
            rounds: options.rounds,
            games: options.games,
        }
    }

    /// The pairings: places in the list of engines.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.rounds * self.pairings.len() * self.games
    }

    /// How many openings are used.
    pub fn openings(&self) -> usize {
        self.rounds * self.games.div_ceil(2)
    }

    /// Whether games come in pairs.
    pub fn paired(&self) -> bool {
        self.games.is_multiple_of(2)
    }

    /// The game of a number.
    pub fn game(&self, number: usize) -> Planned {
        let in_round = self.pairings.len() * self.games;
        let (round, rest) = (number / in_round, number % in_round);
        let (pairing, game) = (rest / self.games, rest % self.games);
        let mut players = self.pairings[pairing];
        // Where games are not paired, colours change from round to round.
        let turn = if self.paired() { game } else { game + round };
        if turn % 2 == 1 {
            players.swap(0, 1);
        }
        Planned {
            number,
            round,
            pairing,
            players,
            opening: round * self.games.div_ceil(2) + game / 2,
        }
    }
}
