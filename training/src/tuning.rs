//! Weights of the handmade evaluation while they are tuned: the loss and its minimisation.

use hexmate_engine::Trace;
use rayon::prelude::*;

/// Natural logarithm units in a centipawn: the expected score is 1 / (1 + 10^(-cp/400)).
const PER_CENTIPAWN: f32 = std::f32::consts::LN_10 / 400.0;
/// Positions that are summed together; fixed, so that sums are the same on any number of threads.
const CHUNK: usize = 1024;
/// Constants of Adam (Kingma, Ba, "Adam: A method for stochastic optimization", 2015).
const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// One training position.
pub struct Sample {
    /// The inputs of its evaluation.
    pub trace: Trace,
    /// The search score, from White's side.
    pub score: f32,
    /// White's share of the point: 0 to 1.
    pub result: f32,
    /// The target for White's expected score; the result, until it is mixed with the score.
    pub target: f32,
}

/// How scores become expected scores.
#[derive(Clone, Copy, Debug)]
pub struct Curve {
    /// How much flatter than by definition: weak players win less with the same lead.
    pub slope: f32,
}

impl Curve {
    /// The curve by the definition of scores.
    pub const DEFINITION: Curve = Curve { slope: 1.0 };

    /// The expected score.
    pub fn expectation(self, score: f32) -> f32 {
        1.0 / (1.0 + (-score * self.slope * PER_CENTIPAWN).exp())
    }
}

/// Middle game and endgame values of each weight.
pub type Values = Vec<[f32; 2]>;

/// The share of the middle game and of the endgame in a position.
fn parts(trace: &Trace) -> [f32; 2] {
    let phase = trace.phase as f32 / Trace::PHASES as f32;
    [phase, 1.0 - phase]
}

fn score(trace: &Trace, values: &[[f32; 2]]) -> f32 {
    let mut sum = [0.0; 2];
    for &(place, times) in &trace.terms {
        let value = values[usize::from(place)];
        sum[0] += value[0] * f32::from(times);
        sum[1] += value[1] * f32::from(times);
    }
    let [middle, end] = parts(trace);
    sum[0] * middle + sum[1] * end
}

/// The mean logistic loss (cross entropy) of positions, less that of perfect predictions: 0 is perfect.
pub fn loss(samples: &[Sample], values: &[[f32; 2]], curve: Curve) -> f64 {
    let one = |sample: &Sample| {
        let p = f64::from(curve.expectation(score(&sample.trace, values))).clamp(1e-7, 1.0 - 1e-7);
        let t = f64::from(sample.target);
        let entropy = |q: f64| if q > 0.0 { -q * q.ln() } else { 0.0 };
        -t * p.ln() - (1.0 - t) * (1.0 - p).ln() - entropy(t) - entropy(1.0 - t)
    };
    let chunks = samples.par_chunks(CHUNK);
    let sums: Vec<f64> = chunks.map(|c| c.iter().map(one).sum()).collect();
    sums.iter().sum::<f64>() / samples.len() as f64
}

/// The gradient of the mean loss of a batch.
fn gradient(batch: &[Sample], values: &[[f32; 2]], curve: Curve) -> Values {
    let of_chunk = |chunk: &[Sample]| {
        let mut out = vec![[0.0; 2]; values.len()];
        for sample in chunk {
            let error = curve.expectation(score(&sample.trace, values)) - sample.target;
            let parts = parts(&sample.trace).map(|p| p * error * curve.slope * PER_CENTIPAWN);
            for &(place, times) in &sample.trace.terms {
                let sum = &mut out[usize::from(place)];
                sum[0] += parts[0] * f32::from(times);
                sum[1] += parts[1] * f32::from(times);
            }
        }
        out
    };
    let chunks: Vec<Values> = batch.par_chunks(CHUNK).map(of_chunk).collect();
    let mut sum = vec![[0.0; 2]; values.len()];
    for chunk in &chunks {
        for (sum, part) in sum.iter_mut().flatten().zip(chunk.iter().flatten()) {
            *sum += part / batch.len() as f32;
        }
    }
    sum
}

/// Adam, regularised towards its start.
pub struct Adam {
    /// The current weights.
    pub values: Values,
    start: Values,
    /// For each weight, how strongly it is drawn back.
    pull: Vec<f32>,
    moments: [Values; 2],
    steps: i32,
    curve: Curve,
}

impl Adam {
    /// Starts at `start`. `spread` says for each weight how far, in centipawns, it is expected to lie from
    /// there before any of `samples` positions was seen: a weight that is seldom used stays near.
    pub fn new(start: Values, spread: &[f32], samples: usize, curve: Curve) -> Self {
        let zero = vec![[0.0; 2]; start.len()];
        Adam {
            values: start.clone(),
            pull: (spread.iter())
                .map(|s| 1.0 / (s * s * samples as f32))
                .collect(),
            start,
            moments: [zero.clone(), zero],
            steps: 0,
            curve,
        }
    }

    /// One step of size `rate`, in centipawns.
    pub fn step(&mut self, batch: &[Sample], rate: f32) {
        let mut gradient = gradient(batch, &self.values, self.curve);
        self.steps += 1;
        let corrections = BETA.map(|b| 1.0 - b.powi(self.steps));
        for (i, gradient) in gradient.iter_mut().enumerate() {
            for (half, g) in gradient.iter_mut().enumerate() {
                let value = &mut self.values[i][half];
                *g += self.pull[i] * (*value - self.start[i][half]);
                let [first, second] = &mut self.moments;
                let (m, v) = (&mut first[i][half], &mut second[i][half]);
                *m = BETA[0] * *m + (1.0 - BETA[0]) * *g;
                *v = BETA[1] * *v + (1.0 - BETA[1]) * *g * *g;
                let (m, v) = (*m / corrections[0], *v / corrections[1]);
                *value -= rate * m / (v.sqrt() + EPSILON);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_engine::MopUp;

    fn sample(terms: &[(u16, i16)], phase: i32, target: f32) -> Sample {
        Sample {
            trace: Trace {
                phase,
                terms: terms.to_vec(),
                mop_up: MopUp::None,
            },
            score: 0.0,
            result: target,
            target,
        }
    }

    #[test]
    fn three_quarters_are_191() {
        let share = |score| Curve::DEFINITION.expectation(score);
        assert!((share(191.0) - 0.75).abs() < 1e-3);
        assert!((share(-191.0) - 0.25).abs() < 1e-3);
        let flatter = Curve { slope: 0.5 };
        assert_eq!(flatter.expectation(382.0), share(191.0));
    }

    #[test]
    fn gradients_are_slopes() {
        let batch = [
            sample(&[(0, 2), (1, -1)], 200, 0.75),
            sample(&[(1, 3)], 10, 0.0),
        ];
        let values = vec![[40.0, -30.0], [55.0, 90.0]];
        let curve = Curve { slope: 0.8 };
        let slopes = gradient(&batch, &values, curve);
        for i in 0..2 {
            for half in 0..2 {
                let [mut less, mut more] = [values.clone(), values.clone()];
                less[i][half] -= 1.0;
                more[i][half] += 1.0;
                let [less, more] = [less, more].map(|v| loss(&batch, &v, curve));
                let slope = (more - less) / 2.0;
                assert!((slope - f64::from(slopes[i][half])).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn what_is_seen_is_learnt_and_the_rest_stays() {
        let batch: Vec<Sample> = (0..500).map(|_| sample(&[(0, 1)], 256, 0.75)).collect();
        let mut adam = Adam::new(
            vec![[0.0, 7.0], [5.0, 5.0]],
            &[100.0, 100.0],
            batch.len(),
            Curve::DEFINITION,
        );
        for _ in 0..600 {
            adam.step(&batch, 1.0);
        }
        assert!(
            (adam.values[0][0] - 191.0).abs() < 15.0,
            "{:?}",
            adam.values
        );
        assert_eq!(adam.values[0][1], 7.0);
        assert_eq!(adam.values[1], [5.0, 5.0]);
    }
}
