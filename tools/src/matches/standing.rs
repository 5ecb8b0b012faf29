//! The standings: who scored what against whom. No input or output.
//!
//! Where games come in pairs, all figures are of whole pairs: a game counts once the other one of its pair is
//! finished. So points, Elo and error bars always speak of the same games.

use std::collections::HashMap;

use super::game_record::GameResult;
use super::schedule::{Planned, Schedule};
use super::stats::Distribution;

/// How often 0, 1, 2, 3 and 4 quarters were scored.
pub type Quarters = [u64; 5];

/// The scores of finished games.
#[derive(Clone, Debug)]
pub struct Standing {
    /// `scored[a][b]`: how often `a` scored each number of quarters against `b`.
    scored: Vec<Vec<Quarters>>,
    /// The samples of each pairing, from the side of its first engine: pairs, or games if they are not
    /// paired.
    pairings: Vec<Distribution>,
    /// The samples of each engine against all others.
    engines: Vec<Distribution>,
    /// Those of the games in which the first index had White.
    as_white: Vec<Vec<Quarters>>,
    /// The order of the table, if something else than the share of the points decides.
    order: Option<Vec<usize>>,
    /// Pairs with one finished game, by pairing and opening.
    halves: HashMap<(usize, usize), Half>,
    paired: bool,
    games: u64,
    left_out: u64,
}

/// A finished game of a pair.
#[derive(Clone, Copy, Debug)]
struct Half {
    /// White and Black.
    players: [usize; 2],
    result: GameResult,
    repeated: bool,
}

impl Standing {
    /// Nothing played.
    pub fn new(engines: usize, schedule: &Schedule) -> Self {
        let empty = match schedule.paired() {
            true => Distribution::of_pairs(),
            false => Distribution::of_games(),
        };
        Standing {
            scored: vec![vec![[0; 5]; engines]; engines],
            as_white: vec![vec![[0; 5]; engines]; engines],
            order: None,
            pairings: vec![empty.clone(); schedule.pairings().len()],
            engines: vec![empty; engines],
            halves: HashMap::new(),
            paired: schedule.paired(),
            games: 0,
            left_out: 0,
        }
    }

    /// Takes a finished game. Returns whether it completed a sample: its pair, or itself.
    ///
    /// A game that repeats a counted one is not a sample, and neither is its pair: samples must be
    /// independent.
    pub fn add(
        &mut self,
        schedule: &Schedule,
        planned: &Planned,
        result: GameResult,
        repeated: bool,
    ) -> bool {
        let half = Half {
            players: planned.players,
            result,
            repeated,
        };
        if !self.paired {
            return self.count(schedule, planned.pairing, &[half]);
        }
        let pair = (planned.pairing, planned.opening);
        match self.halves.remove(&pair) {
            Some(other) => self.count(schedule, planned.pairing, &[other, half]),
            None => {
                self.halves.insert(pair, half);
                false
            }
        }
    }

    /// Counts the games of a sample; returns whether it is one.
    fn count(&mut self, schedule: &Schedule, pairing: usize, games: &[Half]) -> bool {
        let [first, second] = schedule.pairings()[pairing];
        let mut sum = 0;
        for game in games {
            let [white, black] = game.players;
            self.scored[white][black][game.result.white()] += 1;
            self.scored[black][white][game.result.black()] += 1;
            self.as_white[white][black][game.result.white()] += 1;
            self.games += 1;
            sum += match white == first {
                true => game.result.white(),
                false => game.result.black(),
            };
        }
        if games.iter().any(|game| game.repeated) {
            self.left_out += games.len() as u64;
            return false;
        }
        self.pairings[pairing].add(sum);
        self.engines[first].add(sum);
        self.engines[second].add(4 * games.len() - sum);
        true
    }

    /// How many finished games wait for the other game of their pair.
    pub fn waiting(&self) -> usize {
        self.halves.len()
    }

    /// Sets the order of the table, best first.
    pub fn set_order(&mut self, order: Vec<usize>) {
        self.order = Some(order);
    }

    /// How many games are counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many games are in no sample because they, or the others of their pairs, repeat earlier ones.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How many samples are complete: pairs, or games if they are not paired.
    pub fn samples(&self) -> u64 {
        self.pairings.iter().map(Distribution::samples).sum()
    }

    /// Whether the samples are pairs.
    pub fn paired(&self) -> bool {
        self.paired
    }

    /// The samples of a pairing, from the side of its first engine.
    pub fn pairing(&self, pairing: usize) -> &Distribution {
        &self.pairings[pairing]
    }

    /// The samples of an engine against all others.
    pub fn engine(&self, engine: usize) -> &Distribution {
        &self.engines[engine]
    }

    /// How often `a` scored each number of quarters against `b`.
    pub fn against(&self, a: usize, b: usize) -> Quarters {
        self.scored[a][b]
    }

    /// How often `a` with White scored each number of quarters against `b`.
    pub fn with_white(&self, a: usize, b: usize) -> Quarters {
        self.as_white[a][b]
    }

    /// How often an engine scored each number of quarters against all others.
    pub fn total(&self, engine: usize) -> Quarters {
        let mut total = [0; 5];
        for scored in &self.scored[engine] {
            for (sum, n) in total.iter_mut().zip(scored) {
                *sum += n;
            }
        }
        total
    }

    /// Engines by share of the points, best first, unless another order was set.
    pub fn ranking(&self) -> Vec<usize> {
        if let Some(order) = &self.order {
            return order.clone();
        }
        let mut order: Vec<usize> = (0..self.scored.len()).collect();
        let share = |&engine: &usize| {
            let total = self.total(engine);
            points(total) / games(total).max(1) as f64
        };
        order.sort_by(|a, b| share(b).total_cmp(&share(a)));
        order
    }
}

/// The points of these quarters.
pub fn points(quarters: Quarters) -> f64 {
    let quarters = quarters.iter().enumerate();
    quarters.map(|(i, &n)| i as f64 / 4.0 * n as f64).sum()
}

/// The number of games.
pub fn games(quarters: Quarters) -> u64 {
    quarters.iter().sum()
}
