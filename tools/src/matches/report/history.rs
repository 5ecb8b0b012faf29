//! The standings game by game, for the plots.

use super::Summary;
use crate::matches::options::Options;
use crate::matches::schedule::Schedule;
use crate::matches::standing::Standing;
use crate::plots::Series;

/// The approximate maximum number of points of a plot.
const POINTS: usize = 400;

/// The standings game by game.
pub struct History<'s> {
    options: &'s Options,
    schedule: &'s Schedule,
    standing: Standing,
    /// Elo after each sample, of the first engine or of all.
    pub elo: Vec<Series>,
    /// The log-likelihood ratio after each sample.
    pub llr: Series,
    every: u64,
}

impl<'s> History<'s> {
    /// Before the first of this many games.
    pub fn new(options: &'s Options, schedule: &'s Schedule, games: usize) -> Self {
        let new = |name: &str| Series {
            name: name.to_owned(),
            points: Vec::new(),
            band: Vec::new(),
        };
        // With two engines, the first one's line is enough.
        let shown = match schedule.pairings() {
            [[first, _]] => vec![new(&options.engines[*first].name)],
            _ => options.engines.iter().map(|e| new(&e.name)).collect(),
        };
        Self {
            options,
            schedule,
            standing: Standing::new(options.engines.len(), schedule),
            elo: shown,
            llr: new("LLR"),
            every: (games / POINTS).max(1) as u64,
        }
    }

    /// Adds the next game.
    pub fn add(&mut self, game: &Summary) {
        let complete = self
            .standing
            .add(self.schedule, &game.planned, game.result, game.repeated);
        if !complete || !self.standing.samples().is_multiple_of(self.every) {
            return;
        }
        let games = self.standing.games() as f64;
        let single = self.elo.len() == 1;
        for (engine, series) in self.elo.iter_mut().enumerate() {
            let elo = match single {
                true => self.standing.pairing(0).elo(),
                false => self.standing.engine(engine).elo(),
            };
            if elo.value.is_finite() {
                series.points.push((games, elo.value));
                if single {
                    let error = if elo.error.is_finite() {
                        elo.error
                    } else {
                        0.0
                    };
                    series.band.push((elo.value - error, elo.value + error));
                }
            }
        }
        if let Some(sprt) = &self.options.sprt {
            let llr = sprt.log_likelihood_ratio(self.standing.pairing(0));
            self.llr.points.push((games, llr));
        }
    }
}
