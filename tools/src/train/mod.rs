//! `hexmate train`: a network, taught by packed positions of `hexmate datagen`.

mod checkpoint;
mod data;
mod plot;

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use hexmate_engine::{NetworkError, NetworkWeights, Numbers};
use hexmate_movegen::{Game, GameId, with_game};
use hexmate_training::inputs::{Eyes, Inputs};
use hexmate_training::model::{self, CENTIPAWNS, Gradients, Lesson, Model, Shape, Target};
use twox_hash::XxHash3_64;

use self::checkpoint::{Checkpoint, Losses, write_bytes};
pub(crate) use self::data::Positions;
use crate::analyse::{Destination, check_writable, is_stdout, note};
use crate::exit::Exit;
use crate::inputs;
use crate::overwrite::{Exists, Force};
use crate::progress::{self, Cleared};
use crate::random::SplitMix64;
use crate::roles::Roles;
use crate::samples;
use crate::threads;
use crate::whole;

/// Train a network on positions of `datagen --packed`.
///
/// Minimises the squared error of the expected score. One game in twenty is held out. After each epoch the network, a
/// checkpoint and a plot of the losses are written. The same data and arguments give the same network to the bit,
/// whatever the number of threads. Only a match can tell whether a network is any good.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// Files written by `datagen --packed`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Files of `datagen --packed --distil`: part of each batch is from them, so that the network does not unlearn what
    /// their evaluation knows
    #[arg(long, value_name = "FILE", num_args = 1..)]
    anchor: Vec<PathBuf>,
    /// The share of each batch that is from --anchor; what it leaves, at least one position, is from --data
    #[arg(long, value_name = "PART", default_value_t = 0.5, value_parser = inputs::part, requires = "anchor")]
    anchor_share: f32,
    /// The network file to write; FILE.checkpoint and FILE.svg come beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Begin with this network and not with random weights
    #[arg(long, value_name = "FILE", conflicts_with = "buckets")]
    start: Option<PathBuf>,
    /// The size of the hidden layer, a multiple of 32 [default: 64, or what --start has]. A network to begin with may get
    /// a larger one: it scores as before until it has learnt
    #[arg(long, value_name = "N")]
    hidden: Option<usize>,
    /// Output weights for so many stages of the game, by the number of men
    #[arg(long, value_name = "N", default_value_t = 1)]
    buckets: usize,
    /// How often the data are learnt from
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions in a step
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(32..))]
    batch: u32,
    /// The initial step size; it falls as a cosine does to a hundredth
    #[arg(long, value_name = "RATE", default_value_t = 0.001, value_parser = step_size)]
    rate: f32,
    /// How fast weights decay, in parts of the step size
    #[arg(long, value_name = "PART", default_value_t = 0.01, value_parser = inputs::part)]
    decay: f32,
    /// The share of the result in the target of game positions, from 0 to 1; the search score has the rest
    #[arg(long, value_name = "PART", default_value_t = 0.3, value_parser = inputs::part)]
    lambda: f32,
    /// How much flatter than by definition scores become expected scores (`tune` fits it)
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = inputs::positive)]
    slope: f32,
    /// The seed of first weights and of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Go on where the checkpoint says, if there is one
    #[arg(long, conflicts_with = "allowed")]
    resume: bool,
    /// End after so many epochs; --resume goes on with the others
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    stop_after: Option<u32>,
    /// Threads; 0: one for each processor
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    #[command(flatten)]
    force: Force,
}

/// The last step size as a part of the first.
const LAST_RATE: f32 = 0.01;
/// A larger step takes every weight out of the range that networks have.
const MOST_RATE: f32 = 1.0;
/// Held-out positions that rounding is judged by.
const ROUNDED: usize = 20_000;

/// Reads `--rate`.
fn step_size(text: &str) -> Result<f32, String> {
    inputs::positive_up_to(text, MOST_RATE)
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let mut roles = Roles::new();
    for file in &arguments.data {
        roles.input("--data", file)?;
    }
    for file in &arguments.anchor {
        roles.input("--anchor", file)?;
    }
    if let Some(file) = &arguments.start {
        roles.input("--start", file)?;
    }
    check_share(arguments)?;
    let files = [&arguments.data[..], &arguments.anchor].concat();
    samples::each_once(&files).context("--data, --anchor")?;
    let _lock = check_outputs(arguments, &mut roles)?;
    let pool = threads::pool(arguments.threads as usize, None).context("--threads")?;
    pool.install(|| with_game!(arguments.game, game => train(game, arguments)))?;
    Ok(Exit::Success)
}

/// Positions of a step that are from the anchor, if there is one.
fn of_anchor(arguments: &Arguments) -> usize {
    match arguments.anchor[..] {
        [] => 0,
        _ => (arguments.batch as f32 * arguments.anchor_share).round() as usize,
    }
}

/// Makes sure that each step has a position of the data.
fn check_share(arguments: &Arguments) -> Result<()> {
    let Arguments {
        batch,
        anchor_share,
        ..
    } = arguments;
    if of_anchor(arguments) >= *batch as usize {
        bail!(
            "--anchor-share {anchor_share}: leaves --data no place among the {batch} positions of a step; expected at \
             most {}",
            (batch - 1) as f32 / *batch as f32
        );
    }
    Ok(())
}

/// Makes sure, better now than after an hour, that the network and what comes beside it can be written, and that
/// nothing is lost then. No other run can write them until what is returned is dropped.
fn check_outputs(arguments: &Arguments, roles: &mut Roles) -> Result<Destination> {
    let out = &arguments.out;
    if is_stdout(out) {
        bail!("--out -: expected a file; after each epoch another network takes its place");
    }
    let (checkpoint, lock) = (beside(out, ".checkpoint"), beside(out, ".lock"));
    let paths = [out.clone(), checkpoint.clone(), beside(out, ".svg")];
    note(roles, "--out", &lock)?;
    for path in &paths {
        note(roles, "--out", path)?;
        if path.exists() && !path.is_file() {
            bail!(
                "--out {}: is not a regular file; expected one, or a name that is free",
                path.display()
            );
        }
    }
    // Never completed: it goes when the run ends. Before anything else is looked at or touched, since another run may
    // be writing it.
    let lock = Destination::create(Some(&lock), Force::OWN);
    let lock = lock.with_context(|| format!("--out {}: cannot be written", out.display()))?;
    let is_continued = arguments.resume && checkpoint.exists();
    for path in &paths {
        if !is_continued {
            let checked = arguments.force.check("--out", Some(path));
            if arguments.resume && matches!(checked, Err(Exists::Whole { .. })) {
                bail!(
                    "--resume: there is no {} to continue, and {} exists; give another name, or --force in place of \
                     --resume to overwrite it",
                    checkpoint.display(),
                    path.display()
                );
            }
            checked?;
        }
        check_writable(path).context("--out")?;
    }
    Ok(lock)
}

/// Tells of the progress on standard output. What counts is the file: whoever reads no further (`| head`) does not end
/// the work.
fn say(text: impl Display) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Something beside the network's file.
fn beside(out: &Path, what: &str) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(what);
    out.with_file_name(name)
}

fn train<G: Game>(game: G, arguments: &Arguments) -> Result<()> {
    samples::each_distilled(game, &arguments.anchor).context("--anchor")?;
    let eyes = Eyes::new(game.id());
    let (first, begins) = first(game, &eyes, arguments)?;
    let data = Positions::read(game, &arguments.data).context("--data")?;
    let anchor = match &arguments.anchor[..] {
        [] => None,
        files => Some(Positions::read(game, files).context("--anchor")?),
    };
    let terms = terms(arguments, &begins, &data, anchor.as_ref());
    say(format_args!(
        "{} games, {} positions, {} of them held out; {} parameters",
        data.games,
        data.train.len() + data.held_out.len(),
        data.held_out.len(),
        first.shape.len()
    ));
    if let Some(anchor) = &anchor {
        let positions = anchor.train.len() + anchor.held_out.len();
        say(format_args!(
            "anchor: {} games, {positions} positions",
            anchor.games
        ));
    }
    let buckets = Numbers::bucket(game, first.shape.buckets);
    let target = Target {
        lambda: arguments.lambda,
        slope: arguments.slope,
    };
    let lesson = Lesson {
        eyes: &eyes,
        bucket: &buckets,
        target,
    };
    let run = Run {
        game,
        arguments,
        lesson,
        data: &data,
        anchor: anchor.as_ref(),
        terms,
    };
    run.go(first)
}

/// The network to begin with, and how to tell it.
fn first<G: Game>(game: G, eyes: &Eyes, arguments: &Arguments) -> Result<(Model, String)> {
    let (model, begins) = match &arguments.start {
        Some(path) => {
            let bytes = read(path).context("--start")?;
            let network = NetworkWeights::parse(game, &bytes);
            let network = network.with_context(|| format!("--start: {}", path.display()))?;
            let mut begins = format!("--start {:016x}", XxHash3_64::oneshot(&bytes));
            let mut model = Model::of_numbers(&network.numbers());
            if let Some(size) = arguments.hidden {
                let least = model.shape.size;
                if size < least || !size.is_multiple_of(32) {
                    bail!(
                        "--hidden {size}: expected a multiple of 32, and at least the {least} that --start has"
                    );
                }
                check_sizes(size, model.shape.buckets)?;
                begins += &format!(" --hidden {size}");
                let mut random = SplitMix64::new(arguments.seed);
                model = model.widened(size, || random.next());
            }
            (model, begins)
        }
        None => {
            let (size, buckets) = (arguments.hidden.unwrap_or(64), arguments.buckets);
            let shape = Shape {
                inputs: eyes.inputs(),
                size,
                buckets,
            };
            check_sizes(size, buckets)?;
            let begins = format!("--hidden {size} --buckets {buckets}");
            let mut random = SplitMix64::new(arguments.seed);
            (Model::random(shape, || random.next()), begins)
        }
    };
    // Better now than after an hour.
    NetworkWeights::round(game, &model.numbers(), "").context("--hidden, --buckets")?;
    Ok((model, begins))
}

/// Checks sizes before there is memory for a network of them.
fn check_sizes(size: usize, buckets: usize) -> Result<()> {
    NetworkWeights::check_sizes(size, buckets).map_err(|error| {
        let option = match error {
            NetworkError::HiddenSize(_) => "--hidden",
            _ => "--buckets",
        };
        anyhow::Error::from(error).context(option)
    })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let name = || path.display().to_string();
    let mut file = whole::open(path).with_context(name)?;
    std::io::Read::read_to_end(&mut file, &mut bytes).with_context(name)?;
    Ok(bytes)
}

/// All that determines the network.
fn terms(
    arguments: &Arguments,
    begins: &str,
    data: &Positions,
    anchor: Option<&Positions>,
) -> String {
    let Arguments {
        game,
        epochs,
        batch,
        rate,
        decay,
        lambda,
        slope,
        seed,
        ..
    } = arguments;
    let mut terms = format!("hexmate train {game} {begins}");
    terms += &format!(
        " --epochs {epochs} --batch {batch} --rate {rate} --decay {decay} --lambda {lambda} --slope {slope} \
         --seed {seed}; data {:016x}",
        data.identity
    );
    if let Some(anchor) = anchor {
        let share = arguments.anchor_share;
        terms += &format!(", anchor {:016x} --anchor-share {share}", anchor.identity);
    }
    terms
}

/// A training run.
struct Run<'a, G: Game> {
    game: G,
    arguments: &'a Arguments,
    lesson: Lesson<'a>,
    data: &'a Positions,
    anchor: Option<&'a Positions>,
    terms: String,
}

impl<G: Game> Run<'_, G> {
    fn go(&self, first: Model) -> Result<()> {
        let arguments = self.arguments;
        let file = beside(&arguments.out, ".checkpoint");
        let kept = match arguments.resume {
            true => Checkpoint::read(&file, &self.terms, first.shape)?,
            false => None,
        };
        let mut state = match kept {
            Some(checkpoint) => {
                say(format_args!("{}: continued", file.display()));
                checkpoint
            }
            None => {
                let before = self.held_out(&first);
                let losses = vec![[f64::NAN, before[0], before[1]]];
                self.check(0, &losses[0])?;
                say(format_args!("epoch 0: {}", shown(&losses[0])));
                Checkpoint {
                    terms: self.terms.clone(),
                    losses,
                    model: first,
                }
            }
        };
        let mut gradients = Gradients::default();
        let last = arguments
            .stop_after
            .map_or(arguments.epochs, |n| n.min(arguments.epochs));
        let begun = state.losses.len();
        for epoch in begun..=last as usize {
            let begin = Instant::now();
            let (loss, positions) = self.epoch(epoch, &mut state.model, &mut gradients)?;
            let rate = positions as f64 / begin.elapsed().as_secs_f64();
            let [data, anchor] = self.held_out(&state.model);
            let losses = [loss, data, anchor];
            self.check(epoch, &losses)?;
            state.losses.push(losses);
            say(format_args!(
                "epoch {epoch}: {}; {rate:.0} positions/s",
                shown(&losses)
            ));
            // The checkpoint first: with it, a run that is killed here can be continued.
            state.write(&file)?;
            self.network(&state)?;
        }
        if state.losses.len() == begun {
            // Nothing was left to learn, but what was learnt may not have been written, or is gone.
            self.network(&state)?;
        }
        self.report(&state.model)
    }

    /// Makes sure that the losses after an epoch are numbers: what follows would teach nothing any more.
    fn check(&self, epoch: usize, losses: &Losses) -> Result<()> {
        if !are_numbers(epoch, losses, self.anchor.is_some()) {
            bail!(
                "epoch {epoch}: the loss is no longer a number; expected a smaller --rate (it was {}) or --slope (it \
                 was {})",
                self.arguments.rate,
                self.arguments.slope
            );
        }
        Ok(())
    }

    /// One pass through the data; gives the mean loss and how many positions were learnt from.
    fn epoch(
        &self,
        epoch: usize,
        model: &mut Model,
        gradients: &mut Gradients,
    ) -> Result<(f64, usize)> {
        let arguments = self.arguments;
        let shuffled = |positions: &Positions, which: u64| {
            let mut order = positions.train.clone();
            let seed = arguments.seed ^ ((epoch as u64) << 32) ^ (which << 60);
            SplitMix64::new(SplitMix64::new(seed).next()).shuffle(&mut order);
            order
        };
        let data = shuffled(self.data, 1);
        let anchor = self.anchor.map(|anchor| (anchor, shuffled(anchor, 2)));
        let batch = arguments.batch as usize;
        let of_anchor = of_anchor(arguments);
        let of_data = batch - of_anchor;
        let steps = data.len().div_ceil(of_data);
        let all = (steps * arguments.epochs as usize) as f32;
        let things = format!("steps of epoch {epoch} of {}", arguments.epochs);
        let bar = Cleared(progress::bar(steps as u64, &things));
        let (mut sum, mut positions) = (0.0, 0);
        for (step, part) in data.chunks(of_data).enumerate() {
            let mut chosen: Vec<&[u8]> = part.iter().map(|&p| self.data.record(p)).collect();
            if let Some((anchor, order)) = &anchor {
                let begin = step * of_anchor;
                let places = (begin..begin + of_anchor).map(|i| order[i % order.len()]);
                chosen.extend(places.map(|place| anchor.record(place)));
            }
            let done = ((epoch - 1) * steps + step) as f32 / all;
            let cosine = (1.0 + libm::cosf(std::f32::consts::PI * done)) / 2.0;
            let rate = arguments.rate * (LAST_RATE + (1.0 - LAST_RATE) * cosine);
            let loss = gradients.step(model, &self.lesson, &chosen, rate, arguments.decay);
            sum += loss * chosen.len() as f64;
            positions += chosen.len();
            bar.0.inc(1);
            bar.0
                .set_message(format!("loss {:.5}", sum / positions as f64));
        }
        model.keep_in_range(self.lesson.eyes.cells());
        Ok((sum / positions as f64, positions))
    }

    /// The losses on held-out games of the data and of the anchor.
    fn held_out(&self, model: &Model) -> [f64; 2] {
        let loss = |positions: &Positions| {
            let held_out = positions.held_out.iter();
            let chosen: Vec<&[u8]> = held_out.map(|&p| positions.record(p)).collect();
            model::loss(model, &self.lesson, &chosen)
        };
        [loss(self.data), self.anchor.map_or(f64::NAN, loss)]
    }

    fn rounded(&self, model: &Model) -> Result<NetworkWeights> {
        let network = NetworkWeights::round(self.game, &model.numbers(), &self.terms);
        network.context("the network cannot be rounded; train with a larger --decay")
    }

    /// Writes the network and the plot.
    fn network(&self, state: &Checkpoint) -> Result<()> {
        let out = &self.arguments.out;
        write_bytes(out, &self.rounded(&state.model)?.to_bytes())?;
        let title = format!(
            "hexmate train {}: mean squared error of the expected score",
            self.arguments.game
        );
        write_bytes(
            &beside(out, ".svg"),
            plot::svg(&title, &state.losses).as_bytes(),
        )
    }

    /// Says how far the program's scores are from those that were learnt.
    fn report(&self, model: &Model) -> Result<()> {
        let network = self.rounded(model)?;
        let mut inputs = Inputs::default();
        let (mut sum, mut most, mut count) = (0.0, 0.0f32, 0);
        for &place in self.data.held_out.iter().take(ROUNDED) {
            self.lesson.eyes.look(self.data.record(place), &mut inputs);
            let bucket = (self.lesson.bucket)(inputs.on[0].len());
            let exact = model.output(&inputs, bucket) * CENTIPAWNS;
            let on = inputs
                .on
                .each_ref()
                .map(|on| on.iter().map(|&i| usize::from(i)).collect());
            let error = (exact - network.score_of(&on) as f32).abs();
            sum += f64::from(error);
            most = most.max(error);
            count += 1;
        }
        say(format_args!(
            "{}: {} bytes; whole numbers change scores by {:.2} centipawns on average, {most:.1} at most",
            self.arguments.out.display(),
            network.to_bytes().len(),
            sum / f64::from(count.max(1)),
        ));
        Ok(())
    }
}

/// Whether the losses after an epoch are numbers, as far as there are any.
fn are_numbers(epoch: usize, &[train, data, anchor]: &Losses, anchored: bool) -> bool {
    (train.is_finite() || epoch == 0) && data.is_finite() && (anchor.is_finite() || !anchored)
}

/// Losses as people read them.
fn shown([train, data, anchor]: &Losses) -> String {
    let mut text = String::new();
    if train.is_finite() {
        text += &format!("train {train:.6}, ");
    }
    text += &format!("held out {data:.6}");
    if anchor.is_finite() {
        text += &format!(", held-out anchor {anchor:.6}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_that_are_no_numbers() {
        let nan = f64::NAN;
        for (epoch, losses, anchored, fine) in [
            (0, [nan, 0.1, nan], false, true),
            (0, [nan, 0.1, nan], true, false),
            (0, [nan, nan, nan], false, false),
            (1, [0.1, 0.1, nan], false, true),
            (1, [nan, 0.1, 0.1], true, false),
            (1, [0.1, f64::INFINITY, 0.1], true, false),
        ] {
            assert_eq!(are_numbers(epoch, &losses, anchored), fine, "{losses:?}");
        }
    }
}
