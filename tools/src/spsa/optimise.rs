//! Simultaneous perturbation stochastic approximation: the arithmetic alone. It knows nothing of games.
//!
//! All numbers are moved at once, each up or down by a coin; a pair of games between the two settings says which of
//! them is better, and every number moves a little towards it. With the usual exponents (Spall 1998): at pair `k` of
//! `n` a number is tried at `c / k^0.101` up and down, and moves by `a / (A + k)^0.602` over that, where `A` is a tenth
//! of `n`. `c` and `a` are such that at the last pair a number is tried at its `step` up and down, and that a point
//! more for one setting moves it by `rate` times its step. These are `c_end` and `r_end` of fishtest.

use crate::random::SplitMix64;

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// `A` as a part of all pairs.
const STABILITY: f64 = 0.1;

/// A number to be tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct Knob {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub start: f64,
    /// The least and the most that it may be.
    pub min: f64,
    pub max: f64,
    /// By how much it is tried up and down at the end.
    pub step: f64,
    /// By how much of its step a point moves it at the end.
    pub rate: f64,
}

/// A run after some pairs.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuning {
    knobs: Vec<Knob>,
    /// All pairs of the run.
    pairs: u64,
    seed: u64,
    /// The pairs so far.
    done: u64,
    /// The values now.
    values: Vec<f64>,
}

/// Two settings that play against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// For each number, whether the first setting has more of it.
    up: Vec<bool>,
    /// The settings in whole numbers, in the order of the knobs.
    pub settings: [Vec<i32>; 2],
}

impl Tuning {
    /// The beginning of a run of so many pairs.
    pub fn new(knobs: Vec<Knob>, pairs: u64, seed: u64) -> Self {
        Tuning {
            values: knobs.iter().map(|knob| knob.start).collect(),
            knobs,
            pairs,
            seed,
            done: 0,
        }
    }

    /// The numbers.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
    }

    /// The values after the pairs so far.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The pairs so far.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// How far a number is tried at the next pair.
    fn reach(&self, knob: &Knob) -> f64 {
        let [k, n] = [self.done + 1, self.pairs].map(|pairs| pairs as f64);
        knob.step * libm::pow(n / k, GAMMA)
    }

    /// How far a point moves a number at the next pair.
    fn gain(&self, knob: &Knob) -> f64 {
        let [k, n] = [self.done + 1, self.pairs].map(|pairs| pairs as f64);
        let stability = STABILITY * n;
        let a = knob.rate * knob.step * knob.step;
        let a = a * libm::pow((stability + n) / (stability + k), ALPHA);
        a / self.reach(knob)
    }

    /// What plays next. It depends on nothing but the run so far.
    pub fn trial(&self) -> Trial {
        let seed = self.seed ^ self.done.wrapping_mul(0xd134_2543_de82_ef95);
        let mut random = SplitMix64::new(SplitMix64::new(seed).next());
        let mut up = Vec::new();
        let mut settings = [Vec::new(), Vec::new()];
        for (knob, &value) in self.knobs.iter().zip(&self.values) {
            let is_up = random.next().is_multiple_of(2);
            up.push(is_up);
            // Rounded up or down by chance, so that small changes count on average.
            let chance = (random.next() >> 11) as f64 / (1u64 << 53) as f64;
            let reach = self.reach(knob);
            for (setting, first) in settings.iter_mut().zip([true, false]) {
                let sign = if is_up == first { 1.0 } else { -1.0 };
                let tried = (value + sign * reach).clamp(knob.min, knob.max);
                setting.push((tried + chance).floor().clamp(knob.min, knob.max) as i32);
            }
        }
        Trial { up, settings }
    }

    /// Learns from so many pairs of a trial: `points` is what the first setting scored more than the second.
    pub fn learn(&mut self, trial: &Trial, pairs: u64, points: f64) {
        let moves: Vec<f64> = self
            .knobs
            .iter()
            .map(|knob| self.gain(knob) * points)
            .collect();
        let numbers = self.knobs.iter().zip(&trial.up).zip(moves);
        for (value, ((knob, &up), by)) in self.values.iter_mut().zip(numbers) {
            let sign = if up { 1.0 } else { -1.0 };
            *value = (*value + sign * by).clamp(knob.min, knob.max);
        }
        self.done += pairs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knob(name: &str, start: f64, max: f64, step: f64) -> Knob {
        Knob {
            name: name.to_owned(),
            start,
            min: 0.0,
            max,
            step,
            rate: 0.02,
        }
    }

    /// Two games whose results are drawn by chance, by the difference of a strength with one maximum.
    fn play(
        settings: &[Vec<i32>; 2],
        best: &[f64],
        knobs: &[Knob],
        random: &mut SplitMix64,
    ) -> f64 {
        let strength = |setting: &Vec<i32>| -> f64 {
            let off = setting.iter().zip(best).zip(knobs);
            -off.map(|((&value, best), knob)| ((f64::from(value) - best) / knob.step / 4.0).powi(2))
                .sum::<f64>()
        };
        let ahead = strength(&settings[0]) - strength(&settings[1]);
        let wins = 1.0 / (1.0 + (-ahead).exp());
        (0..2)
            .map(|_| {
                let chance = (random.next() >> 11) as f64 / (1u64 << 53) as f64;
                if chance < wins { 1.0 } else { -1.0 }
            })
            .sum()
    }

    #[test]
    fn it_finds_the_maximum() {
        let knobs = vec![
            knob("a", 20.0, 200.0, 5.0),
            knob("b", 900.0, 1000.0, 40.0),
            knob("c", 5.0, 9.0, 1.0),
        ];
        let best = [60.0, 500.0, 2.0];
        let mut random = SplitMix64::new(7);
        let mut tuning = Tuning::new(knobs.clone(), 20_000, 1);
        while tuning.done() < 20_000 {
            let trial = tuning.trial();
            let points: f64 = (0..4)
                .map(|_| play(&trial.settings, &best, &knobs, &mut random))
                .sum();
            tuning.learn(&trial, 4, points);
        }
        for ((value, best), knob) in tuning.values().iter().zip(best).zip(&knobs) {
            let off = (value - best).abs() / knob.step;
            assert!(off < 1.0, "{}: {value} and not {best}", knob.name);
        }
    }

    #[test]
    fn settings_stay_within_their_ranges_and_the_last_pair_has_the_last_steps() {
        let knobs = vec![knob("a", 0.0, 10.0, 3.0), knob("b", 10.0, 10.0, 3.0)];
        let mut tuning = Tuning::new(knobs, 100, 1);
        for _ in 0..99 {
            let trial = tuning.trial();
            assert!(
                trial
                    .settings
                    .iter()
                    .flatten()
                    .all(|value| (0..=10).contains(value))
            );
            assert_eq!(trial, tuning.trial());
            tuning.learn(&trial, 1, 2.0);
        }
        let knob = &tuning.knobs()[0];
        assert!((tuning.reach(knob) - 3.0).abs() < 1e-9);
        assert!((tuning.gain(knob) - 0.02 * 3.0).abs() < 1e-9);
    }
}
