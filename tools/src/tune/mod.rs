//! `hexmate tune`: weights of the evaluation, fitted to games.

pub mod data;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hexmate_engine::{Handmade, Weights, WeightsFile};
use hexmate_movegen::{Game, GameId, with_game};
use hexmate_training::tuning::{Adam, Curve, Sample, Values, loss};

use self::data::Data;
use crate::analyse::{check_writable, is_replaceable, is_stdout, write_whole};
use crate::exit::Exit;
use crate::inputs;
use crate::overwrite::Force;
use crate::progress::{self, Cleared};
use crate::roles::Roles;
use crate::samples;
use crate::threads;
use crate::whole;

/// Fit the evaluation weights to positions of `datagen`.
///
/// Minimises the logistic loss of the evaluation against the games' results, mixed with the search
/// scores. One game in ten is held out; the weights written are those with the lowest loss there.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// Files written by `datagen`, - for standard input
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The maximum number of epochs
    #[arg(long, value_name = "N", default_value_t = 300)]
    epochs: u32,
    /// The seed for the order of positions and the choice of held-out games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The share of the result in the target, from 0 to 1; the search score has the rest
    #[arg(long, value_name = "PART", default_value_t = 0.7, value_parser = inputs::part)]
    lambda: f32,
    /// How far weights are expected to move from their initial values, in centipawns (material: ten times
    /// as far). Use less for few games, such as 5 for 2,000
    #[arg(long, value_name = "CP", default_value_t = 20.0, value_parser = spread)]
    spread: f32,
    /// The initial step size in centipawns
    #[arg(long, value_name = "CP", default_value_t = 2.0, value_parser = step_size)]
    rate: f32,
    /// The weights file: a section for the game is added, or with --force replaced
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// Positions of one step.
const BATCH: usize = 16_384;
/// The tuning ends when the held-out loss has not improved for this many epochs.
const PATIENCE: u32 = 12;
/// The factor of the step size from epoch to epoch.
const SHRINKAGE: f32 = 0.985;
/// What weights are far from in any case; beyond it, numbers of 32 bits are no longer enough for the arithmetic.
const SPREADS: RangeInclusive<f32> = 0.001..=10_000.0;
/// A larger step takes weights beyond all that means anything.
const MOST_RATE: f32 = 1000.0;

/// Reads `--spread`.
fn spread(text: &str) -> Result<f32, String> {
    let spread = inputs::positive(text)?;
    let (least, most) = SPREADS.into_inner();
    match SPREADS.contains(&spread) {
        true => Ok(spread),
        false => Err(format!("expected a number from {least} to {most}")),
    }
}

/// Reads `--rate`.
fn step_size(text: &str) -> Result<f32, String> {
    inputs::positive_up_to(text, MOST_RATE)
}

impl Arguments {
    /// Whether the weights go to standard output.
    pub(crate) fn prints(&self) -> bool {
        is_stdout(&self.output)
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let path = &arguments.output;
    let mut roles = Roles::new();
    for file in &arguments.data {
        roles.input("--data", file)?;
    }
    roles.output("--output", path)?;
    samples::each_once(&arguments.data).context("--data")?;
    arguments.force.check_part("--output", Some(path))?;
    // Better now than after an hour.
    check_writable(path).context("--output")?;
    let old = sections(path)?;
    if !old.trim().is_empty() {
        WeightsFile::parse(&old).with_context(|| path.display().to_string())?;
    }
    let header = format!("[{}]", arguments.game);
    if old.lines().any(|line| line.trim() == header) {
        arguments.force.check("--output", Some(path))?;
    }
    threads::begin(0)?;
    let text = with_game!(arguments.game, game => tune(game, arguments))?;
    // With all that the file holds by now.
    let text = with_section(&sections(path)?, arguments.game, &text);
    write_whole(path, &text, Force::OWN)?;
    Ok(Exit::Success)
}

/// Tunes, and returns the section of the weights file.
fn tune<G: Game>(game: G, arguments: &Arguments) -> Result<String> {
    // The file may be printed. Whoever reads no further (`| head`) does not end the work.
    let mut out: Box<dyn Write> = match arguments.prints() {
        true => Box::new(std::io::stderr()),
        false => Box::new(std::io::stdout()),
    };
    let mut say = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(out, "{text}");
    };
    let start = Weights::untuned(game);
    let evaluator = Handmade::new(&start);
    let mut data = Data::read(&arguments.data, &evaluator, arguments.seed)?;
    let positions = data.train.len() + data.held_out.len();
    say(format_args!(
        "{} games, {positions} positions, {} of them held out, {} weights",
        data.games,
        data.held_out.len(),
        2 * start.values().len()
    ));
    if data.left_out > 0 {
        say(format_args!(
            "{} more positions left out, as weights alone do not evaluate them: one king is bare, or a side has \
             too little to mate with",
            data.left_out
        ));
    }
    let values: Values = start.values().iter().map(|v| v.map(|v| v as f32)).collect();
    let curve = best_curve(&data.train, &values);
    data.mix(arguments.lambda, curve);
    let data = data;
    let mut spread = vec![arguments.spread; values.len()];
    for place in start.material() {
        spread[place] *= 10.0;
    }
    let loss = |samples: &[Sample], values: &Values| loss(samples, values, curve);
    let before = loss(&data.held_out, &values);
    say(format_args!(
        "slope {:.3}\nepoch 0: train {:.6}, held out {before:.6}",
        curve.slope,
        loss(&data.train, &values)
    ));
    let mut adam = Adam::new(values.clone(), &spread, data.train.len(), curve);
    let mut best = (before, values, 0);
    let cleared = Cleared(progress::bar(arguments.epochs.into(), "epochs"));
    let bar = &cleared.0;
    let mut rate = arguments.rate;
    for epoch in 1..=arguments.epochs {
        for batch in data.train.chunks(BATCH) {
            adam.step(batch, rate);
        }
        rate *= SHRINKAGE;
        let losses = [&data.train, &data.held_out].map(|d| loss(d, &adam.values));
        if !losses.iter().all(|loss| loss.is_finite()) {
            bail!(
                "epoch {epoch}: the loss is no longer a number; expected a smaller --rate than {}",
                arguments.rate
            );
        }
        let line = format!("train {:.6}, held out {:.6}", losses[0], losses[1]);
        bar.inc(1);
        bar.set_message(line.clone());
        bar.suspend(|| say(format_args!("epoch {epoch}: {line}")));
        if losses[1] < best.0 {
            best = (losses[1], adam.values.clone(), epoch);
        } else if epoch - best.2 >= PATIENCE {
            break;
        }
    }
    drop(cleared);
    let (_, values, epoch) = best;
    let rounded = start.with_values(values.iter().map(|v| v.map(|v| v.round() as i32)));
    let after: Values = rounded
        .values()
        .iter()
        .map(|v| v.map(|v| v as f32))
        .collect();
    let after = loss(&data.held_out, &after);
    say(format_args!(
        "held-out loss {before:.6} before, {after:.6} after, of epoch {epoch}"
    ));
    let mut comment = String::new();
    let _ = writeln!(
        comment,
        "{} games, {positions} positions, slope {:.3}; held-out loss {before:.6} before, {after:.6} after",
        data.games, curve.slope
    );
    let _ = writeln!(
        comment,
        "hexmate tune {} --epochs {} --seed {} --lambda {} --spread {} --rate {}",
        arguments.game,
        arguments.epochs,
        arguments.seed,
        arguments.lambda,
        arguments.spread,
        arguments.rate
    );
    for file in &arguments.data {
        let _ = writeln!(comment, "data: {}", origin(file)?);
    }
    Ok(rounded.to_text(&comment))
}

/// The origin of training positions: what the comment before them says, or the file's name.
fn origin(file: &Path) -> Result<String> {
    const MOST_BYTES: u64 = 1 << 12;
    if is_stdout(file) {
        return Ok("standard input".to_owned());
    }
    let mut line = Vec::new();
    let mut reader = BufReader::new(whole::open(file)?.take(MOST_BYTES));
    reader.read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(&line);
    let comment = line.trim_end().strip_prefix("# ");
    Ok(comment.map_or_else(|| file.display().to_string(), str::to_owned))
}

/// The curve with which the untuned evaluation best predicts the results.
///
/// In games with little thinking time a lead is worth less than by the definition of scores. The weights keep
/// their scale (100 for a pawn, the search's margins), and the curve is fitted.
fn best_curve(samples: &[Sample], values: &Values) -> Curve {
    let mut best = Curve::DEFINITION;
    let mut least = loss(samples, values, best);
    let mut step = 0.5;
    // The loss is convex in the slope.
    while step > 0.005 {
        let sides = [best.slope - step, best.slope + step].map(|slope| Curve { slope });
        let found = sides.map(|curve| (curve, loss(samples, values, curve)));
        match (found.into_iter()).find(|(curve, loss)| *loss < least && curve.slope > 0.0) {
            Some((curve, loss)) => (best, least) = (curve, loss),
            None => step /= 2.0,
        }
    }
    best
}

/// The present content of the weights file; empty if there is none, and for pipes and devices.
fn sections(path: &Path) -> Result<String> {
    if is_stdout(path) || !is_replaceable(path) {
        return Ok(String::new());
    }
    match whole::text(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        text => text.with_context(|| path.display().to_string()),
    }
}

/// The sections, with a game's own in place of the old one, or at the end. Comments behind its last weight stay: they
/// are about the section that follows.
fn with_section(old: &str, game: GameId, section: &str) -> String {
    let header = format!("[{game}]");
    let mut out = String::new();
    if !old.lines().any(|line| line.trim() == WeightsFile::HEADER) {
        out += WeightsFile::HEADER;
        out.push('\n');
    }
    let mut ours = false;
    let mut placed = false;
    let mut comments = String::new();
    for line in old.lines() {
        let text = line.trim();
        if text.starts_with('[') {
            out += &std::mem::take(&mut comments);
            ours = text == header;
            if ours && !placed {
                out += section;
                placed = true;
            }
        }
        if !ours {
            out += line;
            out.push('\n');
        } else if text.is_empty() || text.starts_with('#') {
            comments += line;
            comments.push('\n');
        } else {
            comments.clear();
        }
    }
    out += &comments;
    if !placed {
        out += section;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_games_own_section_is_replaced() {
        let old = "# about\n[glinski]\na 1\n[mccooey]\nb 2\n";
        let new = with_section(old, GameId::Glinski, "[glinski]\nc 3\n");
        let expected = "hexmate-weights 1\n# about\n[glinski]\nc 3\n[mccooey]\nb 2\n";
        assert_eq!(new, expected);
        let more = with_section(&new, GameId::Chromatic3, "[chromatic3]\n");
        assert_eq!(more, new + "[chromatic3]\n");
    }

    /// They are about what follows, or the user's last words.
    #[test]
    fn comments_before_the_next_section_stay() {
        let old = "hexmate-weights 1\n[glinski]\n# 5 games\na 1\n# more\na 2\n\n# mine\n[mccooey]\n# b\nb 2\n# end\n";
        let new = with_section(old, GameId::Glinski, "[glinski]\nc 3\n");
        let expected = "hexmate-weights 1\n[glinski]\nc 3\n\n# mine\n[mccooey]\n# b\nb 2\n# end\n";
        assert_eq!(new, expected);
        assert_eq!(with_section(&new, GameId::Glinski, "[glinski]\nc 3\n"), new);
        let new = with_section(&new, GameId::Mccooey, "[mccooey]\nd 4\n");
        assert!(
            new.ends_with("\n\n# mine\n[mccooey]\nd 4\n# end\n"),
            "{new}"
        );
    }
}
