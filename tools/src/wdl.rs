//! `hexmate wdl`: win, draw and loss chances for scores, fitted to games and checked on others.

use std::collections::BTreeMap;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hexmate_engine::{Chances, Score, Wdl, men_left};
use hexmate_movegen::{Game, GameId, Side, with_game};

use crate::exit::Exit;
use crate::inputs;
use crate::progress::{self, Cleared};
use crate::random::SplitMix64;
use crate::samples;
use crate::stdout::CANNOT_PRINT;
use crate::tune::data;
use crate::whole;

/// Fit win, draw and loss chances to games of `datagen --to-the-end`.
///
/// Prints the game's line of `engine/weights/wdl.txt` and, for held-out games, how well the predicted
/// shares agree with the results. There must be wins, draws and losses among the games.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// Files written by `datagen --to-the-end`, - for standard input
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The seed for the choice of held-out games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// One game in this many is held out.
const HELD_OUT: u64 = 4;
/// Scores within this many centipawns count as one.
const GRAIN: Score = 10;
/// Scores beyond this make no difference.
const MOST: Score = 2_000;
/// The most rounds of a fit; a few dozen are enough for a few hundred games.
const MOST_ROUNDS: usize = 2_000;

/// How games ended for the side to move: won, drawn (including stalemates worth 3/4 or 1/4), lost.
type Ends = [f64; 3];

/// Results by score and by pieces left, in thousandths.
#[derive(Default)]
struct Found {
    ends: BTreeMap<(Score, u32), Ends>,
    positions: u64,
}

impl Found {
    fn add(&mut self, score: Score, men: f64, end: usize) {
        let score = (f64::from(score.clamp(-MOST, MOST)) / f64::from(GRAIN)).round() as Score;
        let men = (men * 1000.0).round() as u32;
        self.ends.entry((score * GRAIN, men)).or_default()[end] += 1.0;
        self.positions += 1;
    }

    /// What the model predicts for each kind of position, and how it ended.
    fn compared<'f>(&'f self, model: &'f Wdl) -> impl Iterator<Item = (Chances, &'f Ends)> {
        let ends = self.ends.iter();
        ends.map(|(&(score, men), ends)| (model.chances(score, f64::from(men) / 1000.0), ends))
    }

    /// The mean surprise of the results, in nats.
    fn loss(&self, model: &Wdl) -> f64 {
        let surprise = |(chances, ends): (Chances, &Ends)| -> f64 {
            let pairs = chances.iter().zip(ends);
            pairs.map(|(p, n)| -n * p.max(1e-6).ln()).sum()
        };
        self.compared(model).map(surprise).sum::<f64>() / self.positions as f64
    }

    /// Makes sure that there is something of each kind to learn from: without draws, say, any model that leaves them no
    /// room is as good as another.
    fn check(&self) -> Result<()> {
        let missing: Vec<&str> = (0..)
            .zip(["wins", "draws", "losses"])
            .filter(|&(end, _)| self.ends.values().all(|ends| ends[end] == 0.0))
            .map(|(_, name)| name)
            .collect();
        match missing.is_empty() {
            true => Ok(()),
            false => bail!(
                "no {} for the side to move among the games to learn from; expected wins, draws and losses, as more \
                 games have",
                missing.join(" and no ")
            ),
        }
    }

    /// The model with the least loss, by coordinate descent with shrinking steps. Where few games bear on a
    /// number, its neighbours determine it.
    fn fit(&self) -> Wdl {
        let mut best = Wdl::UNMEASURED;
        let mut least = self.loss(&best) + roughness(&best);
        let mut step = 64.0;
        for _ in 0..MOST_ROUNDS {
            if step <= 0.05 {
                break;
            }
            let mut moved = false;
            for number in 0..8 {
                for sign in [-1.0, 1.0] {
                    let mut model = best;
                    let (values, range) = if number < 4 {
                        (&mut model.a, Wdl::A)
                    } else {
                        (&mut model.b, Wdl::B)
                    };
                    let value = &mut values[number % 4];
                    *value = (*value + sign * step).clamp(*range.start(), *range.end());
                    let loss = self.loss(&model) + roughness(&model);
                    if loss < least {
                        (best, least, moved) = (model, loss, true);
                    }
                }
            }
            if !moved {
                step /= 2.0;
            }
        }
        best
    }

    /// A table with the positions of each tenth of the expected score, and the shares predicted and found.
    fn reliability(&self, model: &Wdl) -> String {
        let mut rows = vec![([0.0; 3], [0.0; 3]); 10];
        for (chances, ends) in self.compared(model) {
            let tenth = (Wdl::expected(chances) * 10.0).min(9.0) as usize;
            let positions: f64 = ends.iter().sum();
            for i in 0..3 {
                rows[tenth].0[i] += chances[i] * positions;
                rows[tenth].1[i] += ends[i];
            }
        }
        let mut text =
            "| expected | positions | won, predicted | found | drawn | found | lost | found |\n\
             |---|--:|--:|--:|--:|--:|--:|--:|\n"
                .to_owned();
        for (tenth, (predicted, found)) in rows.iter().enumerate() {
            let positions: f64 = found.iter().sum();
            if positions == 0.0 {
                continue;
            }
            text += &format!(
                "| 0.{tenth} to {:.1} | {positions} ",
                (tenth + 1) as f64 / 10.0
            );
            for (p, f) in predicted.iter().zip(found) {
                text += &format!("| {:.3} | {:.3} ", p / positions, f / positions);
            }
            text += "|\n";
        }
        text
    }
}

/// The penalty for jumps between neighbouring numbers: enough to determine those that a few hundred games
/// hardly bear on, above all `b` for the full array, where scores hardly differ.
fn roughness(model: &Wdl) -> f64 {
    let jumps = |values: [f64; 4]| -> f64 {
        let pairs = values.windows(2);
        pairs
            .map(|pair| ((pair[1] - pair[0]) / 100.0).powi(2))
            .sum()
    };
    1e-4 * jumps(model.a) + 1e-3 * jumps(model.b)
}

/// Games to fit, and games held out.
#[derive(Default)]
struct Data {
    train: Found,
    held_out: Found,
    games: usize,
    /// Whether some were ended as soon as both sides agreed on a winner, or on a draw.
    cut_short: bool,
    /// The file and the game of the last position.
    last: Option<(u64, u64)>,
}

impl Data {
    /// Adds the games of a file.
    fn add<G: Game>(&mut self, game: G, file: &Path, number: u64, seed: u64) -> Result<()> {
        if file.as_os_str() != "-" && samples::is_packed(file)? {
            self.cut_short |= data::is_cut_short(game, file)?;
            return data::packed(game, file, |lines| {
                lines.iter().for_each(|line| self.take(line, number, seed));
            });
        }
        let file = BufReader::new(whole::open_or_stdin(file)?);
        let mut lines = data::TextLines::new(game.id().name(), file);
        while let Some(line) = lines.next_line()? {
            let place = || format!("line {}", line.number);
            let sample = data::Line::read(game, &line).with_context(place)?;
            self.take(&sample, number, seed);
        }
        self.cut_short |= lines.cut_short;
        Ok(())
    }

    fn take<G: Game>(&mut self, sample: &data::Line<G>, number: u64, seed: u64) {
        if self.last != Some((number, sample.game)) {
            self.games += 1;
            self.last = Some((number, sample.game));
        }
        let white = sample.position.side_to_move() == Side::White;
        let score = if white { sample.score } else { -sample.score };
        let end = match (sample.quarters, white) {
            (4, true) | (0, false) => 0,
            (0, true) | (4, false) => 2,
            _ => 1,
        };
        let men = men_left(&sample.position);
        let lot = SplitMix64::new(seed ^ number << 48 ^ sample.game).next();
        if lot.is_multiple_of(HELD_OUT) {
            self.held_out.add(score, men, end);
        } else {
            self.train.add(score, men, end);
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    samples::each_once(&arguments.data).context("--data")?;
    let mut data = Data::default();
    let bar = Cleared(progress::spinner());
    for (number, file) in (0..).zip(&arguments.data) {
        bar.0.set_message(format!("reading {}", file.display()));
        with_game!(arguments.game, game => data.add(game, file, number, arguments.seed))
            .with_context(|| file.display().to_string())?;
    }
    if data.train.positions == 0 || data.held_out.positions == 0 {
        bail!(
            "{} games are too few to learn from and to hold some out",
            data.games
        );
    }
    data.train.check().context("--data")?;
    if data.cut_short {
        bar.0.suspend(|| {
            eprintln!(
                "hexmate: not all games were played to their end, so the results repeat what the scores said; better are \
                 those of datagen --to-the-end"
            );
        });
    }
    bar.0.set_message("fitting the model");
    let model = data.train.fit();
    drop(bar);
    let text = format!(
        "# {} games, {} positions, {} of them held out; mean surprise {:.4}, held out {:.4}\n\
         {} {model}\n\n{}",
        data.games,
        data.train.positions + data.held_out.positions,
        data.held_out.positions,
        data.train.loss(&model),
        data.held_out.loss(&model),
        arguments.game,
        data.held_out.reliability(&model)
    );
    write!(std::io::stdout(), "{text}").context(CANNOT_PRINT)?;
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results predicted by a model lead back to that model.
    #[test]
    fn a_known_model_is_found_again() {
        let known = Wdl {
            a: [200.0, 150.0, 90.0, 40.0],
            b: [60.0, 90.0, 130.0, 160.0],
        };
        let mut found = Found::default();
        for score in (-900..=900).step_by(30) {
            for men in [0.1, 0.2, 0.45, 0.7, 1.0] {
                let chances = known.chances(score, men);
                for (end, chance) in chances.into_iter().enumerate() {
                    for _ in 0..(chance * 1000.0).round() as u32 {
                        found.add(score, men, end);
                    }
                }
            }
        }
        let fitted = found.fit();
        for (fitted, known) in [(fitted.a, known.a), (fitted.b, known.b)] {
            for (fitted, known) in fitted.iter().zip(known) {
                assert!((fitted - known).abs() < 8.0, "{fitted} for {known}");
            }
        }
        let table = found.reliability(&fitted);
        assert_eq!(table.lines().count(), 12, "{table}");
        found.check().unwrap();
    }

    /// All games ended alike, whatever the scores were.
    #[test]
    fn no_results_lead_beyond_what_a_model_can_be() {
        for (ends, missing) in [
            (&[0][..], "no draws and no losses for"),
            (&[1], "no wins and no losses for"),
            (&[2], "no wins and no draws for"),
            (&[0, 2], "no draws for"),
        ] {
            let mut found = Found::default();
            for score in (-900..=900).step_by(300) {
                for men in [0.1, 0.5, 1.0] {
                    ends.iter().for_each(|&end| found.add(score, men, end));
                }
            }
            let error = found.check().unwrap_err().to_string();
            assert!(error.starts_with(missing), "{error}");
            let model = found.fit();
            assert_eq!(
                model.to_string().parse::<Wdl>().map(drop),
                Ok(()),
                "{model}"
            );
        }
    }
}
