//! The standings: who scored what against whom. No input or output.

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
    /// Pairs with one finished game: by pairing and opening, the quarters of the first engine.
    halves: HashMap<(usize, usize), Half>,
    paired: bool,
    games: u64,
    left_out: u64,
}

/// A finished game of a pair.
#[derive(Clone, Copy, Debug)]
struct Half {
    quarters: usize,
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
            pairings: vec![empty.clone(); schedule.pairings().len()],
            engines: vec![empty; engines],
            halves: HashMap::new(),
            paired: schedule.paired(),
            games: 0,
            left_out: 0,
        }
    }

    /// Counts a finished game. Returns whether it completed a sample: its pair, or itself.
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
        let [white, black] = planned.players;
        self.scored[white][black][result.white()] += 1;
        self.scored[black][white][result.black()] += 1;
        self.games += 1;
        let [first, second] = schedule.pairings()[planned.pairing];
        let quarters = match white == first {
            true => result.white(),
            false => result.black(),
        };
        let half = Half { quarters, repeated };
        let (whole, most) = if self.paired {
            let pair = (planned.pairing, planned.opening);
            let Some(other) = self.halves.remove(&pair) else {
                self.halves.insert(pair, half);
                return false;
            };
            let whole = Half {
                quarters: quarters + other.quarters,
                repeated: repeated || other.repeated,
            };
            (whole, 8)
        } else {
            (half, 4)
        };
        if whole.repeated {
            self.left_out += if self.paired { 2 } else { 1 };
            return false;
        }
        let sum = whole.quarters;
        self.pairings[planned.pairing].add(sum);
        self.engines[first].add(sum);
        self.engines[second].add(most - sum);
        true
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

    /// Engines by share of the points, best first; those that did not play, last.
    pub fn ranking(&self) -> Vec<usize> {
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
