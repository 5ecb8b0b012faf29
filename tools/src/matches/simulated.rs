//! Simulated matches: the sequential test errs no more often than stated.

use super::sprt::{Model, Sprt, Verdict};
use super::stats::{Distribution, NORMALISED_SCALE, score_of_elo};
use crate::random::SplitMix64;

/// A game's chances of 0 to 4 quarters, worst first; with quarter points.
const GAME: [f64; 5] = [0.22, 0.05, 0.42, 0.06, 0.25];

/// The chances shifted by a strength.
fn tilted(strength: f64) -> [f64; 5] {
    let weights: [f64; 5] = std::array::from_fn(|i| GAME[i] * (strength * i as f64 / 4.0).exp());
    let sum: f64 = weights.iter().sum();
    weights.map(|w| w / sum)
}

fn moments(game: &[f64; 5]) -> (f64, f64) {
    let worth = |i: usize| i as f64 / 4.0;
    let mean: f64 = (0..5).map(|i| game[i] * worth(i)).sum();
    let variance = (0..5).map(|i| game[i] * (worth(i) - mean).powi(2)).sum();
    (mean, variance)
}

/// The chances of a game at a difference in Elo.
fn game_of_elo(elo: f64, model: Model) -> [f64; 5] {
    let gap = |strength: f64| {
        let (mean, variance) = moments(&tilted(strength));
        match model {
            Model::Logistic => mean - score_of_elo(elo),
            Model::Normalised => (mean - 0.5) / variance.sqrt() * NORMALISED_SCALE - elo,
        }
    };
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if gap(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    tilted(low)
}

fn draw(random: &mut SplitMix64, game: &[f64; 5]) -> usize {
    let mut rest = random.next() as f64 / u64::MAX as f64;
    for (i, p) in game.iter().enumerate() {
        rest -= p;
        if rest < 0.0 {
            return i;
        }
    }
    4
}

fn verdict(random: &mut SplitMix64, sprt: &Sprt, game: &[f64; 5]) -> (Verdict, u64) {
    let mut seen = Distribution::of_pairs();
    loop {
        seen.add(draw(random, game) + draw(random, game));
        let verdict = sprt.verdict(sprt.log_likelihood_ratio(&seen));
        if verdict != Verdict::Open {
            return (verdict, seen.samples());
        }
    }
}

/// The shares of wrong decisions in this many tests, with both hypotheses true in turn, and the pairs played.
fn errors(model: Model, tests: u32, seed: u64) -> (f64, f64, f64) {
    let sprt = Sprt {
        elo0: 0.0,
        elo1: 60.0,
        alpha: 0.05,
        beta: 0.1,
        model,
    };
    let mut random = SplitMix64::new(seed);
    let mut pairs = 0;
    let mut share = |elo: f64, wrong: Verdict| {
        let game = game_of_elo(elo, model);
        let runs = (0..tests).filter(|_| {
            let (verdict, played) = verdict(&mut random, &sprt, &game);
            pairs += played;
            verdict == wrong
        });
        runs.count() as f64 / f64::from(tests)
    };
    let accepted = share(sprt.elo0, Verdict::H1);
    let rejected = share(sprt.elo1, Verdict::H0);
    (accepted, rejected, pairs as f64 / f64::from(2 * tests))
}

/// The figures in the documentation, which are printed, are of 10,000 tests in each case.
fn check(model: Model, tests: u32) {
    let (accepted, rejected, pairs) = errors(model, tests, 2024);
    println!("{model:?}: alpha {accepted:.4}, beta {rejected:.4}, {pairs:.0} pairs a test");
    // Three standard deviations of the share itself.
    let slack = |p: f64| 3.0 * (p * (1.0 - p) / f64::from(tests)).sqrt();
    assert!(accepted <= 0.05 + slack(0.05), "{model:?}: {accepted}");
    assert!(rejected <= 0.1 + slack(0.1), "{model:?}: {rejected}");
    // And the bounds are tight: the test is not far more careful than necessary.
    assert!(accepted > 0.02 && rejected > 0.04, "{accepted} {rejected}");
}

#[test]
fn logistic_errors_are_within_their_bounds() {
    check(Model::Logistic, 400);
}

#[test]
fn normalised_errors_are_within_their_bounds() {
    check(Model::Normalised, 400);
}
