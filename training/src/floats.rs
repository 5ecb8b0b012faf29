//! Arithmetic on rows of floats, compiled for the vectors of each backend. All sums are made in an order that
//! depends on the arguments alone: every backend gives the same bits.

use hexmate_movegen::{Glinski, Observer, Sight, Simd, observe};

/// Adds a row to sums.
pub fn add(sums: &mut [f32], row: &[f32]) {
    run(Add { sums, row });
}

/// The sums of a hidden layer: its biases, and of the matrix `rows` the rows of all inputs that are on.
pub fn hidden_sums(sums: &mut [f32], bias: &[f32], rows: &[f32], on: &[u16]) {
    run(HiddenSums {
        sums,
        bias,
        rows,
        on,
    });
}

/// The weighted sum of the squares of sums that are clamped to 0 to 1. The size is a multiple of 16.
pub fn weighted_squares(sums: &[f32], weights: &[f32]) -> f32 {
    run(WeightedSquares { sums, weights })
}

/// From the slope in the output to the slopes in the hidden sums, which take the place of the sums; adds those in the
/// output weights to `gradient`.
pub fn hidden_slopes(sums: &mut [f32], weights: &[f32], gradient: &mut [f32], slope: f32) {
    run(HiddenSlopes {
        sums,
        weights,
        gradient,
        slope,
    });
}

/// Adds slopes to the gradients of the biases and of the rows of all inputs that are on.
pub fn add_slopes(bias: &mut [f32], rows: &mut [f32], on: &[u16], slopes: &[f32]) {
    run(AddSlopes {
        bias,
        rows,
        on,
        slopes,
    });
}

/// One step of AdamW (Loshchilov, Hutter, "Decoupled weight decay regularization", 2019).
#[derive(Clone, Copy, Debug)]
pub struct AdamW {
    /// How fast the moments forget.
    pub beta: [f32; 2],
    /// What the moments are divided by, as they begin at zero.
    pub corrections: [f32; 2],
    /// Added to what is divided by.
    pub epsilon: f32,
    /// The size of the step.
    pub rate: f32,
    /// What is taken from each value, as a share of it.
    pub decay: f32,
    /// No value is farther from zero.
    pub most: f32,
}

impl AdamW {
    /// Steps along a gradient, which is multiplied by `scale` first.
    pub fn step(self, values: &mut [f32], moments: [&mut [f32]; 2], gradient: &[f32], scale: f32) {
        run(Step {
            adam: self,
            values,
            moments,
            gradient,
            scale,
        });
    }
}

/// Any game will do: nothing is asked about a board.
fn run<O: Observer<Glinski>>(task: O) -> O::Output {
    observe(Glinski, Simd::chosen(), task)
}

struct Add<'a> {
    sums: &'a mut [f32],
    row: &'a [f32],
}

impl Observer<Glinski> for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn observe<S: Sight<Glinski>>(self, _: S) {
        add_here(self.sums, self.row);
    }
}

#[inline(always)]
fn add_here(sums: &mut [f32], row: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(row) {
        *sum += value;
    }
}

struct HiddenSums<'a> {
    sums: &'a mut [f32],
    bias: &'a [f32],
    rows: &'a [f32],
    on: &'a [u16],
}

impl Observer<Glinski> for HiddenSums<'_> {
    type Output = ();

    #[inline(always)]
    fn observe<S: Sight<Glinski>>(self, _: S) {
        let size = self.bias.len();
        self.sums.copy_from_slice(self.bias);
        for &input in self.on {
            add_here(self.sums, &self.rows[usize::from(input) * size..][..size]);
        }
    }
}

struct WeightedSquares<'a> {
    sums: &'a [f32],
    weights: &'a [f32],
}

impl Observer<Glinski> for WeightedSquares<'_> {
    type Output = f32;

    #[inline(always)]
    fn observe<S: Sight<Glinski>>(self, _: S) -> f32 {
        // Sixteen totals, whatever the width of the vectors.
        let mut totals = [0.0; 16];
        let weights = self.weights.chunks_exact(16);
        for (sums, weights) in self.sums.chunks_exact(16).zip(weights) {
            for i in 0..16 {
                let clamped = sums[i].clamp(0.0, 1.0);
                totals[i] += clamped * clamped * weights[i];
            }
        }
        totals.iter().sum()
    }
}

struct HiddenSlopes<'a> {
    sums: &'a mut [f32],
    weights: &'a [f32],
    gradient: &'a mut [f32],
    slope: f32,
}

impl Observer<Glinski> for HiddenSlopes<'_> {
    type Output = ();

    #[inline(always)]
    fn observe<S: Sight<Glinski>>(self, _: S) {
        let slope = self.slope;
        let weights = self.weights.iter().zip(self.gradient);
        for (sum, (weight, own)) in self.sums.iter_mut().zip(weights) {
            let clamped = sum.clamp(0.0, 1.0);
            *own += slope * clamped * clamped;
            // Where it is clamped, nothing changes.
            let inside = if clamped == *sum { 2.0 * clamped } else { 0.0 };
            *sum = slope * weight * inside;
        }
    }
}

struct AddSlopes<'a> {
    bias: &'a mut [f32],
    rows: &'a mut [f32],
    on: &'a [u16],
    slopes: &'a [f32],
}

impl Observer<Glinski> for AddSlopes<'_> {
    type Output = ();

    #[inline(always)]
    fn observe<S: Sight<Glinski>>(self, _: S) {
        let size = self.bias.len();
        add_here(self.bias, self.slopes);
        for &input in self.on {
            add_here(
                &mut self.rows[usize::from(input) * size..][..size],
                self.slopes,
            );
        }
    }
}

struct Step<'a> {
    adam: AdamW,
    values: &'a mut [f32],
    moments: [&'a mut [f32]; 2],
    gradient: &'a [f32],
    scale: f32,
}

impl Observer<Glinski> for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn observe<S: Sight<Glinski>>(self, _: S) {
        let AdamW {
            beta,
            corrections,
            epsilon,
            rate,
            decay,
            most,
        } = self.adam;
        let [first, second] = self.moments;
        let moments = first.iter_mut().zip(second).zip(self.gradient);
        for (value, ((m, v), g)) in self.values.iter_mut().zip(moments) {
            let g = g * self.scale;
            *m = beta[0] * *m + (1.0 - beta[0]) * g;
            *v = beta[1] * *v + (1.0 - beta[1]) * g * g;
            let step = (*m / corrections[0]) / ((*v / corrections[1]).sqrt() + epsilon);
            *value = (*value * (1.0 - rate * decay) - rate * step).clamp(-most, most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 32;
    const ON: [u16; 3] = [4, 0, 2];

    fn row(seed: usize, size: usize) -> Vec<f32> {
        let value = |i| ((i * 37 + seed * 11) % 101) as f32 / 40.7 - 1.0;
        (0..size).map(value).collect()
    }

    #[test]
    fn hidden_sums_are_those_of_the_inputs_that_are_on() {
        let (bias, rows) = (row(1, SIZE), row(2, 5 * SIZE));
        let mut sums = row(3, SIZE);
        hidden_sums(&mut sums, &bias, &rows, &ON);
        for (i, &sum) in sums.iter().enumerate() {
            let on = ON.iter().map(|&input| rows[usize::from(input) * SIZE + i]);
            assert_eq!(sum, on.fold(bias[i], |sum, weight| sum + weight));
        }
    }

    /// The slopes are those of differences.
    #[test]
    fn the_gradient_is_that_of_the_output() {
        let (bias, rows, weights) = (row(4, SIZE), row(5, 5 * SIZE), row(6, SIZE));
        let output = |bias: &[f32], rows: &[f32], weights: &[f32]| {
            let mut sums = vec![0.0; SIZE];
            hidden_sums(&mut sums, bias, rows, &ON);
            (f64::from(weighted_squares(&sums, weights)), sums)
        };
        let (_, mut slopes) = output(&bias, &rows, &weights);
        let mut of_weights = vec![0.0; SIZE];
        hidden_slopes(&mut slopes, &weights, &mut of_weights, 1.0);
        let (mut of_bias, mut of_rows) = (vec![0.0; SIZE], vec![0.0; 5 * SIZE]);
        add_slopes(&mut of_bias, &mut of_rows, &ON, &slopes);
        const STEP: f32 = 1.0 / 512.0;
        let check = |found: f32, place: usize, which: usize| {
            let at = |step: f32| {
                let mut parts = [bias.clone(), rows.clone(), weights.clone()];
                parts[which][place] += step;
                output(&parts[0], &parts[1], &parts[2]).0
            };
            let slope = (at(STEP) - at(-STEP)) / (2.0 * f64::from(STEP));
            assert!(
                (slope - f64::from(found)).abs() < 0.02,
                "{which} {place}: {slope} {found}"
            );
        };
        for (which, gradient) in [of_bias, of_rows, of_weights].iter().enumerate() {
            for (place, &slope) in gradient.iter().enumerate() {
                check(slope, place, which);
            }
        }
    }

    #[test]
    fn every_backend_gives_the_same_bits() {
        let of = |simd: Simd| {
            let (mut sums, mut values) = (row(7, SIZE), row(8, SIZE));
            let (mut first, mut second) = (row(9, SIZE), vec![0.5; SIZE]);
            let (weights, mut gradient) = (row(10, SIZE), row(11, SIZE));
            let total = observe(
                Glinski,
                simd,
                WeightedSquares {
                    sums: &sums,
                    weights: &weights,
                },
            );
            let task = HiddenSlopes {
                sums: &mut sums,
                weights: &weights,
                gradient: &mut gradient,
                slope: 0.3,
            };
            observe(Glinski, simd, task);
            let adam = AdamW {
                beta: [0.9, 0.999],
                corrections: [0.1, 0.001],
                epsilon: 1e-8,
                rate: 0.01,
                decay: 0.1,
                most: 1.2,
            };
            let step = Step {
                adam,
                values: &mut values,
                moments: [&mut first, &mut second],
                gradient: &gradient,
                scale: 0.25,
            };
            observe(Glinski, simd, step);
            let all = [vec![total], sums, values, first, second, gradient].concat();
            all.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        let portable = of(Simd::Portable);
        for simd in Simd::available() {
            assert_eq!(of(simd), portable, "{simd}");
        }
    }
}
