//! The network while it is trained: its gradient, and the step along it.
//!
//! What is learnt from is the network as it will be rounded: the outputs and the gradient are those of the rounded
//! parameters, the steps change the exact ones. So rounding costs nothing in the end.
//!
//! All sums are made in an order that depends on nothing but the data: the pieces that a batch is cut into depend on
//! its size alone, their gradients are added in order, and within a piece positions come one after the other. So any
//! number of threads learns the same to the bit.

use hexmate_engine::Numbers;
use rayon::prelude::*;

use crate::floats::{self, AdamW};
use crate::inputs::{Eyes, Inputs};
use crate::packed::Origin;

/// Natural logarithm units in an output of 1, which is 400 centipawns: the expected score is 1 / (1 + 10^-output).
const PER_OUTPUT: f32 = std::f32::consts::LN_10;
/// Centipawns in an output of 1.
pub const CENTIPAWNS: f32 = 400.0;
/// A batch is cut into pieces of so many positions: adding up the gradients of more and smaller ones takes longer than
/// finding them.
const PIECE: usize = 256;
/// But into no more pieces than these.
const PIECES: usize = 16;
/// After so many steps it is seen to that no hidden sum can overflow.
const RANGE_STEPS: u64 = 16;
/// Parameters that are stepped together.
const STRIP: usize = 4096;
/// Constants of AdamW.
const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// What a position is to be worth.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The share of the result; the score has the rest. Positions from inside of searches have no result.
    pub lambda: f32,
    /// How much flatter than by definition scores become expected scores.
    pub slope: f32,
}

impl Target {
    /// The expected score that an output promises.
    fn expectation(self, output: f32) -> f32 {
        1.0 / (1.0 + libm::expf(-output * self.slope * PER_OUTPUT))
    }

    fn of(self, inputs: &Inputs) -> f32 {
        let score = self.expectation(inputs.score as f32 / CENTIPAWNS);
        match inputs.origin {
            Origin::Game => self.lambda * inputs.result + (1.0 - self.lambda) * score,
            Origin::Leaf | Origin::Static => score,
        }
    }
}

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many inputs there are.
    pub inputs: usize,
    /// The size of the hidden layer.
    pub size: usize,
    /// How many output buckets there are.
    pub buckets: usize,
}

impl Shape {
    /// Where the parts begin: hidden biases, output weights, output biases; and the end.
    fn parts(self) -> [usize; 4] {
        let bias = self.inputs * self.size;
        let output = bias + self.size;
        let output_bias = output + 2 * self.size * self.buckets;
        [bias, output, output_bias, output_bias + self.buckets]
    }

    /// Rounds parameters from `begin` on as the network's file does.
    fn round(self, begin: usize, values: &mut [f32]) {
        let [_, output, output_bias, _] = self.parts();
        let [hidden, weight, bias] = Numbers::STEPS.map(|step| step as f32);
        for (i, value) in (begin..).zip(values) {
            let step = match i {
                i if i < output => hidden,
                i if i < output_bias => weight,
                _ => bias,
            };
            *value = (*value * step).round() / step;
        }
    }

    /// How many parameters there are.
    #[allow(clippy::len_without_is_empty)] // it is never empty
    pub fn len(self) -> usize {
        self.parts()[3]
    }
}

/// A network as one list of parameters, and Adam's moments.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Its sizes.
    pub shape: Shape,
    /// The exact parameters.
    pub values: Vec<f32>,
    /// The values as they will be rounded.
    rounded: Vec<f32>,
    /// Adam's moments.
    pub moments: [Vec<f32>; 2],
    /// Steps made so far.
    pub steps: u64,
}

impl Model {
    /// Random weights, of 64 random bits each.
    pub fn random(shape: Shape, mut random: impl FnMut() -> u64) -> Self {
        let [bias, output, output_bias, end] = shape.parts();
        let mut uniform = |spread: f32| ((random() >> 40) as f32 / (1 << 23) as f32 - 1.0) * spread;
        // About thirty inputs are on.
        let values = (0..end).map(|i| match i {
            i if i < bias => uniform(0.1),
            i if i < output => uniform(0.1) + 0.2,
            i if i < output_bias => uniform((1.0 / shape.size as f32).sqrt()),
            _ => 0.0,
        });
        Model::of(shape, values.collect())
    }

    fn of(shape: Shape, values: Vec<f32>) -> Self {
        let zero = vec![0.0; values.len()];
        Model::with_moments(shape, values, [zero.clone(), zero], 0)
    }

    /// A network with Adam's moments after so many steps.
    pub fn with_moments(
        shape: Shape,
        values: Vec<f32>,
        moments: [Vec<f32>; 2],
        steps: u64,
    ) -> Self {
        let mut rounded = values.clone();
        shape.round(0, &mut rounded);
        Model {
            shape,
            values,
            rounded,
            moments,
            steps,
        }
    }

    /// The numbers of a network that is to be trained on.
    pub fn of_numbers(numbers: &Numbers) -> Self {
        let shape = Shape {
            inputs: numbers.hidden.len() / numbers.size,
            size: numbers.size,
            buckets: numbers.buckets,
        };
        let Numbers {
            hidden,
            hidden_bias,
            output,
            output_bias,
            ..
        } = numbers;
        Model::of(
            shape,
            [&hidden[..], hidden_bias, output, output_bias].concat(),
        )
    }

    /// The same network with a larger hidden layer. The weights of the new sums are random, and the output takes nothing
    /// from them yet, so that scores are what they were until it has learnt.
    ///
    /// # Panics
    /// If the layer would be smaller.
    pub fn widened(&self, size: usize, random: impl FnMut() -> u64) -> Self {
        let shape = Shape { size, ..self.shape };
        let [_, output, output_bias, _] = shape.parts();
        let [.., old_output_bias, _] = self.shape.parts();
        let mut values = Model::random(shape, random).values;
        values[output..output_bias].fill(0.0);
        values[output_bias..].copy_from_slice(&self.values[old_output_bias..]);
        // Rows of one number for each sum: the weights of each input, the biases, the output weights of each view.
        let rows = values[..output_bias].chunks_exact_mut(size);
        let old_rows = self.values[..old_output_bias].chunks_exact(self.shape.size);
        for (row, old) in rows.zip(old_rows) {
            row[..old.len()].copy_from_slice(old);
        }
        Model::of(shape, values)
    }

    /// As numbers.
    pub fn numbers(&self) -> Numbers {
        let [bias, output, output_bias, _] = self.shape.parts();
        Numbers {
            size: self.shape.size,
            buckets: self.shape.buckets,
            hidden: self.values[..bias].to_vec(),
            hidden_bias: self.values[bias..output].to_vec(),
            output: self.values[output..output_bias].to_vec(),
            output_bias: self.values[output_bias..].to_vec(),
        }
    }

    /// Shrinks weights where a hidden sum could overflow, whatever stands on a board of so many cells: a sum is a bias
    /// and at most one weight for each cell.
    pub fn keep_in_range(&mut self, cells: usize) {
        let size = self.shape.size;
        let [bias, output, ..] = self.shape.parts();
        // For each cell and place the least and the most of all weights there.
        let mut bounds = [(); 2].map(|()| vec![0.0f32; cells * size]);
        for (row, weights) in self.values[..bias].chunks_exact(size).enumerate() {
            let [low, high] = bounds
                .each_mut()
                .map(|b| &mut b[row % cells * size..][..size]);
            for ((low, high), &weight) in low.iter_mut().zip(high).zip(weights) {
                *low = low.min(weight);
                *high = high.max(weight);
            }
        }
        let most = Numbers::most_sum(cells);
        let biases = self.values[bias..output].to_vec();
        let shrunk = bounds.map(|bounds| {
            let mut sums = biases.clone();
            for row in bounds.chunks_exact(size) {
                floats::add(&mut sums, row);
            }
            // What is left to the weights when the bias has its part.
            let shares = sums.iter().zip(&biases);
            let shares = shares.map(|(sum, bias)| match sum.abs() > most {
                true => (most * sum.signum() - bias) / (sum - bias),
                false => 1.0,
            });
            shares.collect::<Vec<_>>()
        });
        if shrunk.iter().flatten().all(|&share| share == 1.0) {
            return;
        }
        let [low, high] = &shrunk;
        for weights in self.values[..bias].chunks_exact_mut(size) {
            for (weight, (low, high)) in weights.iter_mut().zip(low.iter().zip(high)) {
                *weight *= if *weight < 0.0 { low } else { high };
            }
        }
        self.rounded.copy_from_slice(&self.values);
        self.shape.round(0, &mut self.rounded);
    }

    /// The output for a position.
    pub fn output(&self, inputs: &Inputs, bucket: usize) -> f32 {
        let mut sums = vec![0.0; 2 * self.shape.size];
        self.forward(inputs, bucket, &mut sums)
    }

    /// The output, with the hidden sums of both views.
    fn forward(&self, inputs: &Inputs, bucket: usize, sums: &mut [f32]) -> f32 {
        let size = self.shape.size;
        let [bias, output, output_bias, _] = self.shape.parts();
        for (sums, on) in sums.chunks_exact_mut(size).zip(&inputs.on) {
            let (rows, others) = self.rounded.split_at(bias);
            floats::hidden_sums(sums, &others[..size], rows, on);
        }
        let weights = &self.rounded[output + 2 * size * bucket..][..2 * size];
        self.rounded[output_bias + bucket] + floats::weighted_squares(sums, weights)
    }
}

/// What learning needs to know.
pub struct Lesson<'a> {
    /// Makes inputs of records.
    pub eyes: &'a Eyes,
    /// The bucket for so many men.
    pub bucket: &'a (dyn Fn(usize) -> usize + Sync),
    /// What positions are to be worth.
    pub target: Target,
}

/// The gradient of one piece of a batch, and the sum of its losses.
struct Gradient {
    values: Vec<f32>,
    loss: f64,
}

/// Goes through the records of a piece: gives the sum of its losses, and adds its gradient if that is wanted, too.
fn learn(
    model: &Model,
    lesson: &Lesson<'_>,
    batch: &[&[u8]],
    mut gradient: Option<&mut [f32]>,
) -> f64 {
    let size = model.shape.size;
    let [bias, output, output_bias, _] = model.shape.parts();
    let mut inputs = Inputs::default();
    let mut sums = vec![0.0; 2 * size];
    let mut loss = 0.0;
    for record in batch {
        let looked = lesson.eyes.look(record, &mut inputs);
        debug_assert!(looked.is_some(), "checked when it was read");
        let bucket = (lesson.bucket)(inputs.on[0].len());
        let promised = model.forward(&inputs, bucket, &mut sums);
        let found = lesson.target.expectation(promised);
        let error = found - lesson.target.of(&inputs);
        loss += f64::from(error * error);
        let Some(gradient) = gradient.as_deref_mut() else {
            continue;
        };
        // The slope of the squared error in the output.
        let slope = 2.0 * error * found * (1.0 - found) * lesson.target.slope * PER_OUTPUT;
        gradient[output_bias + bucket] += slope;
        let begin = output + 2 * size * bucket;
        let weights = &model.rounded[begin..][..2 * size];
        let of_weights = &mut gradient[begin..][..2 * size];
        floats::hidden_slopes(&mut sums, weights, of_weights, slope);
        let (rows, others) = gradient.split_at_mut(bias);
        for (slopes, on) in sums.chunks_exact(size).zip(&inputs.on) {
            floats::add_slopes(&mut others[..size], rows, on, slopes);
        }
    }
    loss
}

/// The mean loss of records: the squared error of the expected score.
pub fn loss(model: &Model, lesson: &Lesson<'_>, batch: &[&[u8]]) -> f64 {
    let of_piece = |batch: &[&[u8]]| learn(model, lesson, batch, None);
    let pieces: Vec<f64> = batch.par_chunks(4096).map(of_piece).collect();
    pieces.iter().sum::<f64>() / batch.len().max(1) as f64
}

/// Memory for gradients, used again for each batch.
#[derive(Default)]
pub struct Gradients(Vec<Gradient>);

impl Gradients {
    /// Learns from a batch of records; gives its mean loss before.
    pub fn step(
        &mut self,
        model: &mut Model,
        lesson: &Lesson<'_>,
        batch: &[&[u8]],
        rate: f32,
        decay: f32,
    ) -> f64 {
        let length = model.shape.len();
        let pieces = batch.len().div_ceil(PIECE).clamp(1, PIECES);
        let size = batch.len().div_ceil(pieces).max(1);
        let new = || Gradient {
            values: vec![0.0; length],
            loss: 0.0,
        };
        self.0.resize_with(pieces, new);
        let of_model = &*model;
        self.0.par_iter_mut().enumerate().for_each(|(i, gradient)| {
            gradient.values.fill(0.0);
            let begin = (i * size).min(batch.len());
            let piece = &batch[begin..(begin + size).min(batch.len())];
            gradient.loss = learn(of_model, lesson, piece, Some(&mut gradient.values));
        });
        self.apply(model, batch.len(), rate, decay);
        if model.steps.is_multiple_of(RANGE_STEPS) {
            model.keep_in_range(lesson.eyes.cells());
        }
        self.0.iter().map(|g| g.loss).sum::<f64>() / batch.len() as f64
    }

    /// One step of AdamW; weights are kept within what can be rounded.
    fn apply(&self, model: &mut Model, positions: usize, rate: f32, decay: f32) {
        model.steps += 1;
        let steps = model.steps.min(100_000) as f32;
        let adam = AdamW {
            beta: BETA,
            corrections: BETA.map(|beta| 1.0 - libm::powf(beta, steps)),
            epsilon: EPSILON,
            rate,
            decay,
            most: Numbers::MOST,
        };
        let scale = 1.0 / positions as f32;
        let [first, second] = &mut model.moments;
        let shape = model.shape;
        let strips = (model.values.par_chunks_mut(STRIP))
            .zip(model.rounded.par_chunks_mut(STRIP))
            .zip(first.par_chunks_mut(STRIP))
            .zip(second.par_chunks_mut(STRIP));
        strips
            .enumerate()
            .for_each(|(strip, (((values, rounded), first), second))| {
                let begin = strip * STRIP;
                let mut sum = vec![0.0; values.len()];
                for gradient in &self.0 {
                    floats::add(&mut sum, &gradient.values[begin..begin + values.len()]);
                }
                adam.step(values, [first, second], &sum, scale);
                rounded.copy_from_slice(values);
                shape.round(begin, rounded);
            });
    }
}

#[cfg(test)]
mod tests {
    use hexmate_engine::NetworkWeights;
    use hexmate_movegen::{Game, Glinski};

    use super::*;

    #[test]
    fn a_wider_network_scores_as_before() {
        let shape = Shape {
            inputs: 50,
            size: 32,
            buckets: 3,
        };
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state ^ state >> 29
        };
        let model = Model::random(shape, &mut random);
        let wider = model.widened(96, &mut random);
        assert_eq!(wider.shape, Shape { size: 96, ..shape });
        assert_eq!(wider.values.len(), wider.shape.len());
        for first in 0..40 {
            let on = [vec![first, first + 3, first + 9], vec![first + 1, 7]];
            let inputs = Inputs {
                on,
                ..Inputs::default()
            };
            for bucket in 0..shape.buckets {
                let scores = [&model, &wider].map(|m| m.output(&inputs, bucket));
                assert!((scores[0] - scores[1]).abs() < 1e-5, "{scores:?}");
                assert_ne!(scores[0], 0.0);
            }
        }
        // The old sums keep their weights, and the new ones have weights of their own.
        let row = &wider.values[..96];
        assert_eq!(row[..32], model.values[..32]);
        assert!(row[32..].iter().all(|&weight| weight != 0.0));
    }

    #[test]
    fn weights_are_kept_where_they_can_be_rounded() {
        let eyes = Eyes::new(Glinski.id());
        let shape = Shape {
            inputs: eyes.inputs(),
            size: 32,
            buckets: 1,
        };
        let rounded = |model: &Model| NetworkWeights::round(Glinski, &model.numbers(), "");
        for sign in [1.0, -1.0] {
            let mut values = vec![0.01; shape.len()];
            values[..shape.parts()[0]].fill(sign * Numbers::MOST);
            values[0] = -sign;
            let mut model = Model::of(shape, values);
            assert!(rounded(&model).is_err());
            model.keep_in_range(eyes.cells());
            rounded(&model).unwrap();
            // What is not too large stays.
            assert_eq!(model.values[0], -sign);
            assert!(model.values[1].abs() > 1.3, "{}", model.values[1]);
            let before = model.clone();
            model.keep_in_range(eyes.cells());
            assert_eq!(model, before);
        }
    }
}
