//! Statistics of results in quarters of a point. No input or output.
//!
//! A game gives 0 to 4 quarters, a pair of games with one opening and both colours 0 to 8. Everything here
//! works on a distribution over any number of evenly spaced outcomes, so the three outcomes of single games
//! and the five of pairs in orthodox chess are special cases.
//!
//! Sources of the formulas: Michel Van den Bergh, "Normalized Elo" and "The generalized maximum
//! likelihood ratio for the expectation value of a distribution" (<https://www.cantate.be/Fishtest/>).

/// The scale of normalised Elo: 800 / ln 10.
pub const NORMALISED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// The half-width of a 95 % interval in standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// How often each outcome occurred. Outcome `i` of `n` is worth `i / (n - 1)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    counts: Vec<u64>,
    games_per_sample: u32,
}

impl Distribution {
    /// Single games: five outcomes in quarters.
    pub fn of_games() -> Self {
        Self::from_counts(vec![0; 5], 1)
    }

    /// Pairs of games: nine sums in quarters.
    pub fn of_pairs() -> Self {
        Self::from_counts(vec![0; 9], 2)
    }

    /// Outcomes counted elsewhere, worst first; each sample is this many games.
    pub fn from_counts(counts: Vec<u64>, games_per_sample: u32) -> Self {
        assert!(
            counts.len() >= 2,
            "a distribution has at least two outcomes"
        );
        Distribution {
            counts,
            games_per_sample,
        }
    }

    /// Counts another outcome.
    pub fn add(&mut self, outcome: usize) {
        self.counts[outcome] += 1;
    }

    /// How often each outcome occurred, worst first.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The number of games in a sample.
    pub fn games_per_sample(&self) -> u32 {
        self.games_per_sample
    }

    /// The number of samples.
    pub fn samples(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The same without the outcomes in between if no quarter points occurred: every second outcome, if the
    /// others are empty.
    pub fn without_quarters(&self) -> Distribution {
        let odd_is_empty = self.counts.iter().skip(1).step_by(2).all(|&n| n == 0);
        if self.counts.len() < 5 || self.counts.len().is_multiple_of(2) || !odd_is_empty {
            return self.clone();
        }
        let counts = self.counts.iter().step_by(2).copied().collect();
        Distribution::from_counts(counts, self.games_per_sample)
    }

    /// The value of each outcome, 0 to 1.
    pub fn worth(&self, outcome: usize) -> f64 {
        outcome as f64 / (self.counts.len() - 1) as f64
    }

    /// Whether there are samples that differ: without, nothing is known of their spread.
    pub fn vary(&self) -> bool {
        self.counts.iter().filter(|&&n| n > 0).count() > 1
    }

    /// The mean score, 0 to 1. Without samples it is not a number, and neither is any other figure.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.each(|worth, count| worth * count);
        sum / self.samples() as f64
    }

    /// The variance of a sample.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let sum: f64 = self.each(|worth, count| (worth - mean).powi(2) * count);
        sum / self.samples() as f64
    }

    fn each(&self, f: impl Fn(f64, f64) -> f64) -> f64 {
        let counts = self.counts.iter().enumerate();
        counts.map(|(i, &n)| f(self.worth(i), n as f64)).sum()
    }

    fn deviation_of_mean(&self) -> f64 {
        (self.variance() / self.samples() as f64).sqrt()
    }

    /// The difference in Elo and half of its 95 % interval.
    pub fn elo(&self) -> Estimate {
        self.estimate(elo_of_score)
    }

    /// The difference in normalised Elo (of a single game) and half of its 95 % interval.
    pub fn normalised_elo(&self) -> Estimate {
        let deviation = (f64::from(self.games_per_sample) * self.variance()).sqrt();
        self.estimate(|score| (score - 0.5) / deviation * NORMALISED_SCALE)
    }

    fn estimate(&self, scale: impl Fn(f64) -> f64) -> Estimate {
        let (mean, reach) = (self.mean(), Z95 * self.deviation_of_mean());
        Estimate {
            value: scale(mean),
            error: (scale(mean + reach) - scale(mean - reach)) / 2.0,
        }
    }

    /// The likelihood of superiority: the chance that the true score is above 1/2.
    pub fn likelihood_of_superiority(&self) -> f64 {
        let advantage = self.mean() - 0.5;
        let deviation = self.deviation_of_mean();
        if deviation == 0.0 {
            return match advantage {
                a if a > 0.0 => 1.0,
                a if a < 0.0 => 0.0,
                _ => 0.5,
            };
        }
        normal(advantage / deviation)
    }
}

/// A value and half of its 95 % interval. Infinite or not a number if a score of 0 or 1, an interval that reaches them,
/// or no variance allows no estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Half of the interval.
    pub error: f64,
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} +/- {}", decimal(self.value), decimal(self.error))
    }
}

/// Two decimals, or `inf` and `nan` as `fastchess` has them.
pub fn decimal(x: f64) -> String {
    match x.is_nan() {
        true => "nan".to_owned(),
        false => format!("{x:.2}"),
    }
}

/// The difference in Elo that gives this expected score on the logistic scale.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if score >= 1.0 {
        return f64::INFINITY;
    }
    // An even score is +0, not -0.
    400.0 * (score / (1.0 - score)).log10() + 0.0
}

/// The expected score at a difference in Elo on the logistic scale.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The distribution function of the standard normal distribution.
fn normal(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five outcomes of pairs as `fastchess` counts them, in nine bins.
    fn pairs(counts: [u64; 5]) -> Distribution {
        let mut nine = vec![0; 9];
        for (i, n) in counts.into_iter().enumerate() {
            nine[2 * i] = n;
        }
        Distribution::from_counts(nine, 2)
    }

    fn near(value: f64, expected: f64) {
        assert!(
            (value - expected).abs() < 0.006,
            "{value}, expected {expected}"
        );
    }

    /// The figures that the tests of `fastchess` expect (app/tests/elo_test.cpp), wins, losses, draws.
    #[test]
    fn published_figures_of_games() {
        let wld = |w, l, d| Distribution::from_counts(vec![l, 0, d, 0, w], 1);
        let a = wld(76, 89, 123);
        near(a.normalised_elo().value, -20.76);
        near(a.normalised_elo().error, 40.13);
        near(100.0 * a.likelihood_of_superiority(), 15.53);
        let b = wld(136, 96, 111);
        near(b.normalised_elo().value, 49.77);
        near(b.normalised_elo().error, 36.77);
        near(b.elo().value, 40.70);
        near(b.elo().error, 30.43);
        near(100.0 * b.likelihood_of_superiority(), 99.60);
        let c = wld(34, 356, 0);
        near(c.normalised_elo().value, -508.44);
        near(c.normalised_elo().error, 34.48);
    }

    /// The same for pairs.
    #[test]
    fn published_figures_of_pairs() {
        let a = pairs([34, 54, 31 + 32, 64, 75]);
        near(a.normalised_elo().value, 57.94);
        near(a.normalised_elo().error, 28.28);
        near(a.elo().value, 55.58);
        near(a.elo().error, 27.65);
        near(100.0 * a.likelihood_of_superiority(), 100.0);
        let b = pairs([332, 433, 457 + 41, 333, 334]);
        near(b.normalised_elo().value, -9.17);
        near(b.normalised_elo().error, 10.96);
        near(b.elo().value, -8.64);
        near(b.elo().error, 10.33);
        near(100.0 * b.likelihood_of_superiority(), 5.05);
        let c = pairs([7895, 8757, 5485 + 200, 568, 9999]);
        near(c.normalised_elo().value, -19.01);
        near(c.normalised_elo().error, 2.65);
        near(c.elo().value, -21.04);
        near(c.elo().error, 2.95);
    }

    /// Quarter points by hand: mean and variance of 1/4, 3/4, 3/4, 1.
    #[test]
    fn quarter_points() {
        let games = Distribution::from_counts(vec![0, 1, 0, 2, 1], 1);
        near(games.mean(), 0.6875);
        assert!((games.variance() - 0.074_218_75).abs() < 1e-12);
        assert_eq!(games.without_quarters(), games);
        near(elo_of_score(0.75), 190.85);
        near(score_of_elo(190.848_501_887_864_98), 0.75);
    }

    #[test]
    fn nothing_played_and_clean_sweeps() {
        let none = Distribution::of_pairs();
        for estimate in [none.elo(), none.normalised_elo()] {
            assert_eq!(estimate.to_string(), "nan +/- nan");
        }
        assert!(none.likelihood_of_superiority().is_nan());
        let sweep = pairs([0, 0, 0, 0, 7]);
        assert_eq!(sweep.elo().value, f64::INFINITY);
        assert!(sweep.elo().error.is_nan());
        assert_eq!(sweep.likelihood_of_superiority(), 1.0);
        assert_eq!(sweep.without_quarters().counts(), [0, 0, 0, 0, 7]);
        // Three of four points: the interval reaches 1.
        let most = Distribution::from_counts(vec![1, 0, 0, 0, 3], 1);
        assert_eq!(most.elo().to_string(), "190.85 +/- inf");
        assert!(!none.vary() && !sweep.vary() && pairs([0, 1, 0, 0, 7]).vary());
    }
}
