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
    /// Elo after each sample, of the first engine or of all; infinite where one side has all points.
    pub elo: Vec<Series>,
    /// The log-likelihood ratio after each sample.
    pub llr: Series,
    every: u64,
    /// How many samples there were at the last point.
    drawn: u64,
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
            drawn: 0,
        }
    }

    /// Adds the next game.
    pub fn add(&mut self, game: &Summary) {
        let complete = self
            .standing
            .add(self.schedule, &game.planned, game.result, game.repeated);
        if complete && self.standing.samples().is_multiple_of(self.every) {
            self.draw();
        }
    }

    /// Adds the point after the last sample, which need not be one of every few.
    pub fn finish(&mut self) {
        if self.standing.samples() > self.drawn {
            self.draw();
        }
    }

    /// Adds a point for the samples so far.
    fn draw(&mut self) {
        self.drawn = self.standing.samples();
        let games = self.standing.games() as f64;
        let single = self.elo.len() == 1;
        for (engine, series) in self.elo.iter_mut().enumerate() {
            let samples = match single {
                true => self.standing.pairing(0),
                false => self.standing.engine(engine),
            };
            let elo = samples.elo();
            // Whoever has not played yet has no value.
            if samples.samples() == 0 {
                continue;
            }
            series.points.push((games, elo.value));
            if single {
                // Samples that are all equal say nothing about their spread.
                let error = match elo.error.is_finite() && samples.vary() {
                    true => elo.error,
                    false => f64::INFINITY,
                };
                series.band.push((elo.value - error, elo.value + error));
            }
        }
        if let Some(sprt) = &self.options.sprt {
            let llr = sprt.log_likelihood_ratio(self.standing.pairing(0));
            self.llr.points.push((games, llr));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::game_record::GameResult;
    use crate::matches::schedule::tests::options;

    /// The history of a match in which White scores so many quarters in each game.
    fn history(engines: usize, words: &str, games: usize, white: u8, see: impl Fn(&History<'_>)) {
        let options = options(engines, words);
        let schedule = Schedule::new(&options);
        let mut history = History::new(&options, &schedule, games);
        for number in 0..games {
            let result = GameResult::of_white(white);
            history.add(&Summary::of(schedule.game(number), result));
        }
        history.finish();
        see(&history);
    }

    /// Equal samples say nothing about their spread, and neither do a few that reach beyond all points.
    #[test]
    fn what_nothing_bounds_has_a_band_without_bounds() {
        history(2, "-rounds 3", 6, 4, |history| {
            let series = &history.elo[0];
            let unbounded = (f64::NEG_INFINITY, f64::INFINITY);
            assert_eq!(series.points.len(), 3);
            assert!(
                series.band.iter().all(|&band| band == unbounded),
                "{:?}",
                series.band
            );
        });
    }

    /// A curve begins with the first game of its engine.
    #[test]
    fn whoever_has_not_played_has_no_value() {
        // After the first pair two of the three have played.
        history(3, "-rounds 1", 2, 4, |history| {
            let lengths: Vec<usize> = history.elo.iter().map(|s| s.points.len()).collect();
            assert_eq!(lengths.iter().sum::<usize>(), 2, "{lengths:?}");
        });
    }

    /// However many samples there are, the plots end with the last one, and have no place twice.
    #[test]
    fn plots_end_with_the_last_sample() {
        for pairs in [3, 400, 451, 999] {
            let options = options(2, &format!("-rounds {pairs} -sprt elo0=0 elo1=10"));
            let schedule = Schedule::new(&options);
            let mut history = History::new(&options, &schedule, 2 * pairs);
            for number in 0..2 * pairs {
                let planned = schedule.game(number);
                let result = GameResult::of_white((number * 7 % 5) as u8);
                history.add(&Summary::of(planned, result));
            }
            history.finish();
            for series in [&history.elo[0], &history.llr] {
                let places = series.points.iter().map(|point| point.0);
                let places: Vec<f64> = places.collect();
                assert_eq!(places.last(), Some(&(2.0 * pairs as f64)), "{pairs}");
                assert!(places.windows(2).all(|two| two[0] < two[1]), "{pairs}");
            }
        }
    }
}
