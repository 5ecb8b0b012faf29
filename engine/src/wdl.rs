//! What a score is worth in games: chances of winning, drawing and losing, as they were measured.
//!
//! The model is that of Stockfish's `WDL_model`: the side to move wins with the chance
//! `1 / (1 + exp((a - cp) / b))`, loses with `1 / (1 + exp((a + cp) / b))`, and draws otherwise. `a` is the score
//! that wins every second game, `b` how much more makes it likely; both depend on the part of the men that is
//! still on the board. The numbers of each game are fitted by `hexmate wdl` to games of the engine against itself
//! and stand in `weights/wdl.txt`, with their origin.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use hexmate_movegen::{Bits, Game, Position};

use crate::score::{Score, is_mate};

/// The numbers of all games that were measured.
const MEASURED: &str = include_str!("../weights/wdl.txt");

/// A win, a draw and a loss; together 1.
pub type Chances = [f64; 3];

/// The model of one game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wdl {
    /// `a` in centipawns, at each of [`Wdl::KNOTS`].
    pub a: [f64; 4],
    /// `b` in centipawns, likewise.
    pub b: [f64; 4],
}

/// A line that is no model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is not a model; expected eight numbers separated by blanks: a, from {a0} to {a1}, then b, from {b0} \
     to {b1}, at each of the knots",
    a0 = Wdl::A.start(), a1 = Wdl::A.end(), b0 = Wdl::B.start(), b1 = Wdl::B.end()
)]
pub struct WdlError(String);

impl Wdl {
    /// For a game that was not measured: the shares that [`Score`]s stand for by their definition, and a third of
    /// draws where nothing is won.
    pub const UNMEASURED: Wdl = Wdl {
        a: [120.0; 4],
        b: [174.0; 4],
    };
    /// The parts of the men for which the numbers are given; between two of them they change evenly.
    pub const KNOTS: [f64; 4] = [0.1, 0.3, 0.6, 1.0];
    /// The range of `a`: scores beyond it are as good as mates.
    pub const A: RangeInclusive<f64> = -5_000.0..=5_000.0;
    /// The range of `b`: with less no result would be in doubt, with more no score would matter.
    pub const B: RangeInclusive<f64> = 1.0..=5_000.0;
    /// No `b` is less, so that no score is ever too sure of itself.
    const LEAST_B: f64 = 10.0;

    /// The model of a game.
    pub fn of<G: Game>(game: G) -> Wdl {
        Wdl::of_name(game.spec().name).unwrap_or(Wdl::UNMEASURED)
    }

    /// The model that was measured for the game of this name.
    pub fn of_name(name: &str) -> Option<Wdl> {
        let lines = MEASURED.lines().filter_map(|line| line.split_once(' '));
        let (_, numbers) = lines.into_iter().find(|(game, _)| *game == name)?;
        numbers.parse().ok()
    }

    /// The chances behind a score of the side to move, with such a part of the men on the board: 1 is the first
    /// array. A mate is certain.
    pub fn chances(&self, score: Score, men: f64) -> Chances {
        if is_mate(score) {
            return if score > 0 {
                [1.0, 0.0, 0.0]
            } else {
                [0.0, 0.0, 1.0]
            };
        }
        let at = |values: [f64; 4]| between_knots(values, men);
        let (a, b) = (at(self.a).max(0.0), at(self.b).max(Self::LEAST_B));
        let beyond = |cp: f64| 1.0 / (1.0 + ((a - cp) / b).exp());
        let (win, loss) = (beyond(f64::from(score)), beyond(-f64::from(score)));
        [win, (1.0 - (win + loss)).max(0.0), loss]
    }

    /// The share of the point that such chances promise.
    pub fn expected([win, draw, _]: Chances) -> f64 {
        win + draw / 2.0
    }

    /// Chances in thousandths; together 1000.
    pub fn thousandths([win, _, loss]: Chances) -> [u32; 3] {
        let [win, loss] = [win, loss].map(|chance| (chance * 1000.0).round() as u32);
        // Both may be rounded up where nothing is left for a draw.
        let loss = loss.min(1000 - win);
        [win, 1000 - win - loss, loss]
    }
}

/// The value for such a part of the men.
fn between_knots(values: [f64; 4], men: f64) -> f64 {
    let knots = Wdl::KNOTS;
    let men = men.clamp(knots[0], knots[3]);
    let next = knots
        .iter()
        .position(|&knot| men <= knot)
        .unwrap_or(3)
        .max(1);
    let way = (men - knots[next - 1]) / (knots[next] - knots[next - 1]);
    values[next - 1] + way * (values[next] - values[next - 1])
}

/// The part of a game's men that is still on the board.
pub fn men_left<G: Game>(position: &Position<G>) -> f64 {
    let first = Position::start_of(position.game()).occupied().count();
    f64::from(position.occupied().count()) / f64::from(first)
}

impl FromStr for Wdl {
    type Err = WdlError;

    fn from_str(text: &str) -> Result<Self, WdlError> {
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
        let model = match numbers.as_deref() {
            Some(&[a0, a1, a2, a3, b0, b1, b2, b3]) => Some(Wdl {
                a: [a0, a1, a2, a3],
                b: [b0, b1, b2, b3],
            }),
            _ => None,
        };
        let is_within = |model: &Wdl| {
            model.a.iter().all(|a| Wdl::A.contains(a)) && model.b.iter().all(|b| Wdl::B.contains(b))
        };
        let model = model.filter(is_within);
        model.ok_or_else(|| WdlError(text.to_owned()))
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.a.iter().chain(&self.b);
        let texts: Vec<String> = numbers.map(|n| format!("{n:.1}")).collect();
        f.write_str(&texts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{MATE, MATE_IN_MAX};
    use hexmate_movegen::GameId;

    #[test]
    fn every_game_was_measured() {
        for game in GameId::ALL {
            let model = Wdl::of_name(game.name()).expect("a line of weights/wdl.txt");
            assert_eq!(model.to_string().parse(), Ok(model), "{game}");
        }
        assert_eq!(Wdl::of_name("chess"), None);
    }

    #[test]
    fn chances_are_those_of_a_model() {
        let models = GameId::ALL.iter().filter_map(|g| Wdl::of_name(g.name()));
        for model in models.chain([Wdl::UNMEASURED]) {
            for men in [0.0, 0.1, 0.5, 1.0] {
                let mut before = 0.0;
                for score in (1 - MATE_IN_MAX..MATE_IN_MAX).step_by(7) {
                    let chances = model.chances(score, men);
                    assert!(chances.iter().all(|c| (0.0..=1.0).contains(c)), "{score}");
                    let [win, draw, loss] = chances;
                    assert!((win + draw + loss - 1.0).abs() < 1e-9, "{score}");
                    assert!(Wdl::expected(chances) > before - 1e-12, "{score}");
                    before = Wdl::expected(chances);
                    assert_eq!(model.chances(-score, men), [loss, draw, win]);
                    assert_eq!(Wdl::thousandths(chances).iter().sum::<u32>(), 1000);
                }
            }
            assert_eq!(model.chances(MATE - 5, 0.5), [1.0, 0.0, 0.0]);
            assert_eq!(model.chances(5 - MATE, 0.5), [0.0, 0.0, 1.0]);
            assert_eq!(model.chances(Score::MIN, 0.5), [0.0, 0.0, 1.0]);
        }
    }

    #[test]
    fn thousandths_are_a_thousand_where_both_are_rounded_up() {
        assert_eq!(Wdl::thousandths([0.0015, 0.0, 0.9985]), [2, 0, 998]);
    }

    #[test]
    fn what_is_no_model() {
        assert!("1 2 3".parse::<Wdl>().is_err());
        assert!("1 2 3 4 5 6 7 eight".parse::<Wdl>().is_err());
        assert!("-1 2 3 4 5 6 7 8".parse::<Wdl>().is_ok());
        for text in [
            "NaN 2 3 4 5 6 7 8",
            "1e9 2 3 4 5 6 7 8",
            "1 2 3 4 5 6 7 0",
            "1 2 3 4 -5 6 7 8",
            "1 2 3 4 5 6 7 inf",
        ] {
            let error = text.parse::<Wdl>().unwrap_err().to_string();
            assert!(error.contains("b, from 1 to 5000"), "{error}");
        }
    }

    #[test]
    fn numbers_change_evenly_between_knots() {
        let values = [10.0, 30.0, 60.0, 100.0];
        for (men, value) in [
            (0.0, 10.0),
            (0.1, 10.0),
            (0.2, 20.0),
            (0.6, 60.0),
            (0.8, 80.0),
            (1.0, 100.0),
            (2.0, 100.0),
        ] {
            let found = between_knots(values, men);
            assert!((found - value).abs() < 1e-9, "{men}: {found}");
        }
    }
}
