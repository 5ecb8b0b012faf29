//! The sequential probability ratio test, generalised to any distribution of results. No input or output.
//!
//! The log-likelihood ratio compares the most likely distributions, given the results, that have the strength
//! of each hypothesis. For logistic Elo that is an expected score; for normalised Elo it is a score in
//! standard deviations. See Michel Van den Bergh, "Comments on Normalized Elo"
//! (<https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>), propositions 1.1 and section 4.1.

use super::stats::{Distribution, NORMALISED_SCALE, score_of_elo};

/// The kind of Elo in the hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Normalised Elo: strength in standard deviations of a game.
    Normalised,
    /// Elo by the expected score on the logistic scale.
    Logistic,
}

/// A test of two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference in Elo under the hypothesis that is accepted at the lower bound.
    pub elo0: f64,
    /// The difference in Elo under the hypothesis that is accepted at the upper bound.
    pub elo1: f64,
    /// The probability of accepting the second if the first is true.
    pub alpha: f64,
    /// The probability of accepting the first if the second is true.
    pub beta: f64,
    /// The kind of Elo.
    pub model: Model,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// More games are needed.
    Open,
    /// `elo0` is accepted.
    H0,
    /// `elo1` is accepted.
    H1,
}

impl Sprt {
    /// The bounds of the log-likelihood ratio.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The log-likelihood ratio of the results; 0 without results.
    pub fn log_likelihood_ratio(&self, seen: &Distribution) -> f64 {
        if seen.samples() == 0 {
            return 0.0;
        }
        let seen = Seen::new(&seen.without_quarters());
        let (p0, p1) = match self.model {
            Model::Logistic => (
                seen.most_likely_with_mean(score_of_elo(self.elo0)),
                seen.most_likely_with_mean(score_of_elo(self.elo1)),
            ),
            Model::Normalised => {
                let scale = f64::from(seen.games_per_sample).sqrt() / NORMALISED_SCALE;
                (
                    seen.most_likely_with_ratio(self.elo0 * scale),
                    seen.most_likely_with_ratio(self.elo1 * scale),
                )
            }
        };
        let ratios = p1.iter().zip(&p0).map(|(p1, p0)| (p1 / p0).ln());
        let sum: f64 = ratios.zip(&seen.shares).map(|(r, share)| r * share).sum();
        seen.total * sum
    }

    /// The decision for a log-likelihood ratio.
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        match llr {
            l if l >= upper => Verdict::H1,
            l if l <= lower => Verdict::H0,
            _ => Verdict::Open,
        }
    }
}

/// An outcome that never occurred counts as this many, so that every outcome stays possible.
const UNSEEN: f64 = 1e-3;

/// Frequencies of outcomes, none of them 0.
struct Seen {
    worths: Vec<f64>,
    shares: Vec<f64>,
    total: f64,
    games_per_sample: u32,
}

impl Seen {
    fn new(seen: &Distribution) -> Self {
        let counts = seen.counts().iter();
        let counts: Vec<f64> = counts.map(|&n| (n as f64).max(UNSEEN)).collect();
        let total: f64 = counts.iter().sum();
        Seen {
            worths: (0..counts.len()).map(|i| seen.worth(i)).collect(),
            shares: counts.iter().map(|n| n / total).collect(),
            total,
            games_per_sample: seen.games_per_sample(),
        }
    }

    /// The most likely distribution under a linear constraint: that the mean of `gaps` is 0.
    fn most_likely(&self, gaps: &[f64]) -> Vec<f64> {
        let theta = multiplier(&self.shares, gaps);
        let shares = self.shares.iter().zip(gaps);
        shares.map(|(p, gap)| p / (1.0 + theta * gap)).collect()
    }

    fn most_likely_with_mean(&self, mean: f64) -> Vec<f64> {
        let gaps: Vec<f64> = self.worths.iter().map(|w| w - mean).collect();
        self.most_likely(&gaps)
    }

    /// The most likely distribution with (mean - 1/2) / deviation = `ratio`, by repeated linearisation.
    fn most_likely_with_ratio(&self, ratio: f64) -> Vec<f64> {
        let outcomes = self.worths.len();
        let mut shares = vec![1.0 / outcomes as f64; outcomes];
        let mut gaps = vec![0.0; outcomes];
        // It converges in a few rounds; the limit is for distributions that leave no room.
        for _ in 0..100 {
            let mean = expectation(&self.worths, &shares, |w| w);
            let variance = expectation(&self.worths, &shares, |w| (w - mean).powi(2));
            let deviation = variance.sqrt();
            for (gap, worth) in gaps.iter_mut().zip(&self.worths) {
                let away = (worth - mean) / deviation;
                *gap = worth - 0.5 - 0.5 * ratio * deviation * (1.0 + away * away);
            }
            let next = self.most_likely(&gaps);
            let change = next.iter().zip(&shares).map(|(a, b)| (a - b).abs());
            let change = change.fold(0.0, f64::max);
            shares = next;
            if change < 1e-6 {
                break;
            }
        }
        shares
    }
}

fn expectation(worths: &[f64], shares: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    worths.iter().zip(shares).map(|(&w, p)| p * f(w)).sum()
}

/// The root of sum p g / (1 + x g), which falls from plus to minus infinity between its poles, by Newton's
/// method within a shrinking bracket.
fn multiplier(shares: &[f64], gaps: &[f64]) -> f64 {
    let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    let most = gaps.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        // No distribution over these outcomes can satisfy the constraint.
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (p, g) in shares.iter().zip(gaps) {
            let q = g / (1.0 + x * g);
            value += p * q;
            slope -= p * q * q;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            (low + high) / 2.0
        };
        if (next - x).abs() <= 1e-12 * (1.0 + x.abs()) {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model,
        }
    }

    fn near(llr: f64, expected: f64) {
        // The published figures have two decimals and are checked there to 1 %.
        let tolerance = 0.01 * (1.0 + expected.abs());
        assert!((llr - expected).abs() < tolerance, "{llr}, not {expected}");
    }

    fn wld(wins: u64, losses: u64, draws: u64) -> Distribution {
        Distribution::from_counts(vec![losses, 0, draws, 0, wins], 1)
    }

    fn pairs(five: [u64; 5]) -> Distribution {
        let [a, b, c, d, e] = five;
        Distribution::from_counts(vec![a, 0, b, 0, c, 0, d, 0, e], 2)
    }

    /// The figures that the tests of `fastchess` expect (app/tests/sprt_test.cpp), except for the two with a
    /// single kind of result, 2.97 for 16,700 draws and 2.94 for 104 pairs won: they do not follow from the
    /// likelihoods, see below.
    #[test]
    fn published_figures() {
        use Model::{Logistic, Normalised};
        let games: [(_, _, f64); 4] = [
            (sprt(0.0, 2.0, Normalised), wld(36433, 36027, 68692), 0.92),
            (
                sprt(-1.75, 0.25, Normalised),
                wld(10871, 10650, 20431),
                2.30,
            ),
            (sprt(0.5, 2.5, Logistic), wld(21404, 21184, 40708), -1.57),
            (sprt(0.0, 2.0, Logistic), wld(57433, 57030, 106_593), -2.59),
        ];
        for (sprt, seen, expected) in games {
            near(sprt.log_likelihood_ratio(&seen), expected);
        }
        let n = |elo0, elo1| sprt(elo0, elo1, Normalised);
        let l = |elo0, elo1| sprt(elo0, elo1, Logistic);
        let pairs: [(_, _, f64); 4] = [
            (n(0.0, 2.0), pairs([365, 16618, 36229, 16974, 390]), 2.25),
            (n(-1.75, 0.25), pairs([127, 4883, 10712, 5150, 104]), 3.01),
            (l(0.5, 2.5), pairs([223, 9863, 21279, 10037, 246]), -3.07),
            (l(0.0, 2.0), pairs([871, 26175, 55983, 26678, 821]), -4.98),
        ];
        for (sprt, seen, expected) in pairs {
            near(sprt.log_likelihood_ratio(&seen), expected);
        }
    }

    /// Draws only: equal strength fits perfectly, so the ratio is not positive; a normalised Elo of 5
    /// requires a share of wins of about t^2, t = 5 / 347.4, at the cost of ln(1 - t^2) for each draw. Won
    /// pairs only: with equal strength each has probability one half, otherwise a little more.
    #[test]
    fn results_of_one_kind() {
        let sprt = sprt(0.0, 5.0, Model::Normalised);
        let t: f64 = 5.0 / NORMALISED_SCALE;
        let draws = sprt.log_likelihood_ratio(&wld(0, 0, 16700));
        near(draws, 16700.0 * (1.0 - t * t).ln());
        let t = t * 2f64.sqrt();
        // p - 1/2 = t sqrt(p (1 - p))
        let p = 0.5 + t / 2.0 / (1.0 + t * t).sqrt();
        let wins = sprt.log_likelihood_ratio(&pairs([0, 0, 0, 0, 104]));
        near(wins, 104.0 * (2.0 * p).ln());
    }

    /// The constrained distributions have the required strength, with quarters or without.
    #[test]
    fn constraints_hold() {
        let seen = Distribution::from_counts(vec![10, 3, 40, 8, 90, 7, 55, 9, 20], 2);
        let seen = Seen::new(&seen);
        let moments = |p: &[f64]| {
            let mean = expectation(&seen.worths, p, |w| w);
            (mean, expectation(&seen.worths, p, |w| (w - mean).powi(2)))
        };
        let p = seen.most_likely_with_mean(0.47);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((moments(&p).0 - 0.47).abs() < 1e-9);
        let p = seen.most_likely_with_ratio(0.2);
        let (mean, variance) = moments(&p);
        assert!(((mean - 0.5) / variance.sqrt() - 0.2).abs() < 1e-4);
    }

    #[test]
    fn nothing_decides_nothing() {
        let sprt = sprt(0.0, 10.0, Model::Normalised);
        assert_eq!(sprt.log_likelihood_ratio(&Distribution::of_pairs()), 0.0);
        assert_eq!(sprt.verdict(0.0), Verdict::Open);
        let (lower, upper) = sprt.bounds();
        assert!((upper - 2.944).abs() < 0.001 && (lower + 2.944).abs() < 0.001);
        assert_eq!(sprt.verdict(3.0), Verdict::H1);
        assert_eq!(sprt.verdict(-3.0), Verdict::H0);
    }
}
