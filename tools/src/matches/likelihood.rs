//! The most likely distributions, given results, among those of a certain strength. No input or output.

use super::stats::Distribution;

/// An outcome that never occurred counts as this many, so that every outcome stays possible.
const UNSEEN: f64 = 1e-3;

/// Strengths closer to 0 than this are 0.
const LEAST_RATIO: f64 = 1e-9;

/// How far apart neighbours on the grid of deviations are at most.
const WIDEST_STEP: f64 = 1.25;

/// Frequencies of outcomes, none of them 0.
pub struct Seen {
    worths: Vec<f64>,
    /// The share of each outcome.
    pub shares: Vec<f64>,
    /// The number of samples.
    pub total: f64,
}

/// The most likely distribution under the constraint as it is linearised at one deviation.
struct Linearised {
    shares: Vec<f64>,
    /// How much its mean is above that of the linearisation.
    ahead: f64,
}

impl Seen {
    /// The frequencies of what occurred.
    pub fn new(seen: &Distribution) -> Self {
        let counts = seen.counts().iter();
        let counts: Vec<f64> = counts.map(|&n| (n as f64).max(UNSEEN)).collect();
        let total: f64 = counts.iter().sum();
        Seen {
            worths: (0..counts.len()).map(|i| seen.worth(i)).collect(),
            shares: counts.iter().map(|n| n / total).collect(),
            total,
        }
    }

    /// The most likely distribution with this mean, which is above 0 and below 1.
    pub fn most_likely_with_mean(&self, mean: f64) -> Vec<f64> {
        let gaps: Vec<f64> = self.worths.iter().map(|w| w - mean).collect();
        let found = self.most_likely(&gaps);
        found.expect("some outcomes are worth more, others less")
    }

    /// The most likely distribution with (mean - 1/2) / deviation = `ratio`.
    ///
    /// For a ratio above 0, (mean - 1/2) - ratio * deviation is the largest of the linear functions in
    /// [`Seen::linearised`]: that of its own mean and deviation touches it. So what is weaker than `ratio` meets all
    /// those linear constraints at once, and what is stronger meets one of them at least.
    pub fn most_likely_with_ratio(&self, ratio: f64) -> Vec<f64> {
        if ratio < 0.0 {
            let mut shares = self.turned().most_likely_with_ratio(-ratio);
            shares.reverse();
            return shares;
        }
        if ratio < LEAST_RATIO {
            return self.most_likely_with_mean(0.5);
        }
        let (mean, variance) = moments(&self.worths, &self.shares);
        match mean - 0.5 - ratio * variance.sqrt() {
            surplus if surplus > 0.0 => self.most_likely_weaker(ratio, mean - 0.5, variance),
            _ => self.most_likely_stronger(ratio),
        }
    }

    /// What was seen by the other side.
    fn turned(&self) -> Seen {
        Seen {
            worths: self.worths.clone(),
            shares: self.shares.iter().rev().copied().collect(),
            total: self.total,
        }
    }

    /// What was seen is stronger, and has this mean above 1/2. The distributions that are not are a convex set, so
    /// their most likely one is that of the hardest linear constraint. Its likelihood falls and then rises with the
    /// deviation, between the two where what was seen meets the constraint.
    fn most_likely_weaker(&self, ratio: f64, above: f64, variance: f64) -> Vec<f64> {
        let square = 1.0 + ratio * ratio;
        let root = ((above * above - ratio * ratio * variance) / square).sqrt();
        let high = (above + root) / ratio;
        let low = (above * above + variance) / square / high;
        let at = |deviation| self.linearised(ratio, 0.5 + ratio * deviation, deviation);
        let (mut low, mut high) = (low, high.min(0.5));
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if at(middle).is_some_and(|found| found.ahead > 0.0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        match at((low + high) / 2.0) {
            Some(found) => found.shares,
            // Nothing is left between the two: what was seen has this very strength.
            None => self.shares.clone(),
        }
    }

    /// What was seen is weaker. The most likely distribution is that of the easiest linear constraint; its likelihood
    /// may have a maximum for each outcome that is worth more than 1/2.
    fn most_likely_stronger(&self, ratio: f64) -> Vec<f64> {
        // An outcome that is worth 1/2 + x can meet the constraint at deviations from `near` x to `far` x.
        let root = (1.0 + ratio * ratio).sqrt();
        let near = ratio / (root * (root + 1.0));
        let far = (root + 1.0) / (root * ratio);
        let above = self.worths.iter().map(|worth| worth - 0.5);
        let least = near * above.filter(|&x| x > 0.0).fold(0.5, f64::min);
        let step = (far / near).powf(0.125).min(WIDEST_STEP);
        let steps = ((0.5 / least).ln() / step.ln()).ceil();
        let mut best: Option<(f64, Linearised)> = None;
        for i in 0..=steps as usize {
            let deviation = least * (0.5 / least).powf(i as f64 / steps);
            let Some(found) = self.linearised(ratio, 0.5 + ratio * deviation, deviation) else {
                continue;
            };
            let likelihood = self.likelihood(&found.shares);
            if best.as_ref().is_none_or(|(most, _)| likelihood > *most) {
                best = Some((likelihood, found));
            }
        }
        let best = best.expect("the grid has points where a win meets the constraint");
        // From there each linearisation at what the one before has found is as likely or more, and can be met by that.
        let mut shares = best.1.shares;
        for _ in 0..100 {
            let (mean, variance) = moments(&self.worths, &shares);
            let Some(next) = self.linearised(ratio, mean, variance.sqrt()) else {
                break;
            };
            let change = next.shares.iter().zip(&shares).map(|(a, b)| (a - b).abs());
            let change = change.fold(0.0, f64::max);
            shares = next.shares;
            if change < 1e-6 {
                break;
            }
        }
        shares
    }

    /// The most likely distribution for which
    /// mean - 1/2 - ratio / 2 * (deviation + (mean square of worth - at) / deviation) is 0, for a mean `at` and a
    /// deviation that need not be its own. `None`: there is none.
    fn linearised(&self, ratio: f64, at: f64, deviation: f64) -> Option<Linearised> {
        let gap = |worth: f64| {
            let away = (worth - at) / deviation;
            worth - 0.5 - 0.5 * ratio * deviation * (1.0 + away * away)
        };
        let gaps: Vec<f64> = self.worths.iter().map(|&worth| gap(worth)).collect();
        let shares = self.most_likely(&gaps)?;
        Some(Linearised {
            ahead: moments(&self.worths, &shares).0 - at,
            shares,
        })
    }

    /// The most likely distribution under a linear constraint: that the mean of `gaps` is 0. `None` if no distribution
    /// meets it.
    fn most_likely(&self, gaps: &[f64]) -> Option<Vec<f64>> {
        let theta = multiplier(&self.shares, gaps)?;
        let shares = self.shares.iter().zip(gaps);
        Some(shares.map(|(p, gap)| p / (1.0 + theta * gap)).collect())
    }

    /// The logarithm of the likelihood of a sample.
    fn likelihood(&self, shares: &[f64]) -> f64 {
        let each = self.shares.iter().zip(shares);
        each.map(|(seen, p)| seen * p.ln()).sum()
    }
}

/// Mean and variance.
fn moments(worths: &[f64], shares: &[f64]) -> (f64, f64) {
    let each = || worths.iter().zip(shares);
    let mean: f64 = each().map(|(w, p)| w * p).sum();
    let variance = each().map(|(w, p)| (w - mean).powi(2) * p).sum();
    (mean, variance)
}

/// The root of sum p g / (1 + x g), which falls from plus to minus infinity between its poles, by Newton's
/// method within a shrinking bracket. `None` if all gaps are on one side, so that their mean cannot be 0.
fn multiplier(shares: &[f64], gaps: &[f64]) -> Option<f64> {
    let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    let most = gaps.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return None;
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
            return Some(next);
        }
        x = next;
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::super::sprt::{MOST_ELO, Model, Sprt};
    use super::super::stats::NORMALISED_SCALE;
    use super::*;
    use crate::random::SplitMix64;

    fn seen(counts: &[u64]) -> Seen {
        Seen::new(&Distribution::from_counts(counts.to_vec(), 2))
    }

    /// How far a distribution is from the strength that it was to have.
    fn error(seen: &Seen, shares: &[f64], ratio: f64) -> f64 {
        assert!(
            (shares.iter().sum::<f64>() - 1.0).abs() < 1e-6,
            "{shares:?}"
        );
        assert!(shares.iter().all(|&p| p > 0.0), "{shares:?}");
        let (mean, variance) = moments(&seen.worths, shares);
        (mean - 0.5 - ratio * variance.sqrt()).abs()
    }

    /// The largest likelihood of a distribution with these mean and variance, by Newton's method in both multipliers;
    /// it does not converge where no distribution has them.
    fn likelihood_with(seen: &Seen, mean: f64, variance: f64) -> f64 {
        let gap = |w: &f64| [w - mean, (w - mean).powi(2) - variance];
        let gaps: Vec<[f64; 2]> = seen.worths.iter().map(gap).collect();
        let terms = |x: [f64; 2]| {
            let divisor = move |g: &[f64; 2]| 1.0 + x[0] * g[0] + x[1] * g[1];
            let each = seen.shares.iter().zip(&gaps);
            each.map(move |(p, g)| (*p, *g, divisor(g)))
        };
        let value = |x: [f64; 2]| match terms(x).all(|(_, _, d)| d > 0.0) {
            true => terms(x).map(|(p, _, d)| p * (p / d).ln()).sum(),
            false => f64::INFINITY,
        };
        let mut x = [0.0; 2];
        for _ in 0..300 {
            let (mut slope, mut bend) = ([0.0; 2], [0.0; 3]);
            for (p, g, d) in terms(x) {
                let [a, b] = g.map(|g| g / d);
                slope = [slope[0] + p * a, slope[1] + p * b];
                bend = [
                    bend[0] + p * a * a,
                    bend[1] + p * a * b,
                    bend[2] + p * b * b,
                ];
            }
            if slope[0].abs() + slope[1].abs() < 1e-10 {
                return value(x);
            }
            let size = bend[0] * bend[2] - bend[1] * bend[1];
            let step = [
                (bend[2] * slope[0] - bend[1] * slope[1]) / size,
                (bend[0] * slope[1] - bend[1] * slope[0]) / size,
            ];
            let moved = |by: f64| [x[0] + by * step[0], x[1] + by * step[1]];
            let mut halves = (0..60).map(|i| moved(0.5f64.powi(i)));
            match halves.find(|&next| value(next) < value(x)) {
                Some(next) => x = next,
                // No better value can be told from this one.
                None if slope[0].abs() + slope[1].abs() < 1e-6 => return value(x),
                None => break,
            }
        }
        f64::NEG_INFINITY
    }

    /// The largest likelihood of a distribution with this strength, by looking at many deviations, and then, twice,
    /// at many near the best.
    fn slowly(seen: &Seen, ratio: f64) -> f64 {
        let at =
            |deviation: f64| likelihood_with(seen, 0.5 + ratio * deviation, deviation * deviation);
        let grid = |low: f64, high: f64, points: i32| {
            let point = move |i| low * (high / low).powf(f64::from(i) / f64::from(points));
            let each = (0..=points).map(move |i| (point(i - 1), point(i), point(i + 1)));
            let best = each.max_by(|a, b| at(a.1).total_cmp(&at(b.1)));
            best.expect("there are points")
        };
        let (low, _, high) = grid(1e-3, 0.499, 200);
        let (low, _, high) = grid(low, high, 200);
        let (_, best, _) = grid(low, high, 200);
        at(best)
    }

    /// Results of all kinds: of three, five and nine outcomes, with some that never occurred.
    fn many() -> Vec<Vec<u64>> {
        let mut random = SplitMix64::new(49);
        let mut all = vec![
            vec![0, 0, 6, 0, 41, 0, 13, 0, 0],
            vec![5, 0, 0, 0, 1],
            vec![0, 0, 0, 0, 104],
            vec![0, 2000, 0],
        ];
        for i in 0..24 {
            let outcomes = [3, 5, 9][i % 3];
            let most = [4, 40, 1000][i / 3 % 3];
            let mut count = || match random.below(3) {
                0 => 0,
                _ => random.below(most) as u64,
            };
            let counts: Vec<u64> = (0..outcomes).map(|_| count()).collect();
            all.extend(counts.iter().any(|&n| n > 0).then_some(counts));
        }
        all
    }

    /// Each has the strength that was asked for, and none that has it is more likely.
    #[test]
    fn distributions_of_a_strength_are_the_most_likely() {
        let elos = [
            -600.0, -300.0, -232.0, -20.0, 5.0, 60.0, 240.0, 400.0, 600.0,
        ];
        for (i, counts) in many().iter().enumerate() {
            let seen = seen(counts);
            for elo in elos {
                let ratio = elo * 2f64.sqrt() / NORMALISED_SCALE;
                let shares = seen.most_likely_with_ratio(ratio);
                let what = || format!("{counts:?} at {elo}: {shares:?}");
                assert!(error(&seen, &shares, ratio) < 1e-6, "{}", what());
                // The slow way is slow.
                if (i + elo as usize).is_multiple_of(7) {
                    let (found, best) = (seen.likelihood(&shares), slowly(&seen, ratio));
                    let (found, best) = (found * seen.total, best * seen.total);
                    let slack = 1e-3 * (1.0 + best.abs());
                    assert!(
                        (found - best).abs() < slack,
                        "{found}, not {best}: {}",
                        what()
                    );
                }
            }
        }
    }

    /// What is weaker than both hypotheses is more like the lower one, what is stronger than both like the upper one.
    #[test]
    fn the_sign_is_that_of_the_nearer_hypothesis() {
        let elos = [
            -MOST_ELO, -1500.0, -600.0, -240.0, -10.0, 0.0, 5.0, 232.0, 400.0, 600.0, MOST_ELO,
        ];
        for counts in many() {
            let seen = Distribution::from_counts(counts.clone(), 2);
            let elo = seen.normalised_elo().value;
            for pair in elos.windows(2) {
                let sprt = Sprt {
                    elo0: pair[0],
                    elo1: pair[1],
                    alpha: 0.05,
                    beta: 0.05,
                    model: Model::Normalised,
                };
                let llr = sprt.log_likelihood_ratio(&seen);
                let what = || format!("{counts:?}, {elo}, {pair:?}: {llr}");
                assert!(llr.is_finite(), "{}", what());
                if elo < pair[0] - 1.0 {
                    assert!(llr < 0.0, "{}", what());
                } else if elo > pair[1] + 1.0 {
                    assert!(llr > 0.0, "{}", what());
                }
            }
        }
    }

    /// Quarter points or not.
    #[test]
    fn constraints_hold() {
        let seen = seen(&[10, 3, 40, 8, 90, 7, 55, 9, 20]);
        let p = seen.most_likely_with_mean(0.47);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((moments(&seen.worths, &p).0 - 0.47).abs() < 1e-9);
        for ratio in [-3.0, -0.2, -1e-12, 0.0, 1e-8, 0.2, 3.0] {
            let p = seen.most_likely_with_ratio(ratio);
            assert!(error(&seen, &p, ratio) < 1e-7, "{ratio}: {p:?}");
        }
    }
}
