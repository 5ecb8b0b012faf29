//! `hexmate datagen`: positions with scores and results from games of the engine against itself. [`player`] plays the
//! games; as lines of text their positions are for `hexmate tune` and `hexmate wdl`, [`packed`] for `hexmate train`.

pub mod adjudication;
mod packed;
mod player;

use std::io::{BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hexmate_engine::{Limits, STACK_BYTES, Score};
use hexmate_movegen::{Game, GameId, Side, with_game};
use indicatif::ProgressBar;
use rayon::prelude::*;

use self::player::{MOST_PLIES, Play, Player};
use crate::analyse::{Destination, is_stdout};
use crate::eval_file::{EvalFile, HANDMADE};
use crate::exit::Exit;
use crate::inputs;
use crate::overwrite::Force;
use crate::progress::{self, Cleared};
use crate::roles::Roles;
use crate::stdout::CANNOT_PRINT;
use crate::threads::{check_memory, pool};

/// Play games of the engine against itself and store positions with score and result, for `tune` and `train`.
///
/// A line has four fields separated by tabs: the number of the game, a quiet position, the search score in
/// centipawns from White's side, and White's share of the point in quarters. With --packed the file is binary, has
/// positions from inside the searches, too, and can be continued after an interruption. The same arguments give the
/// same file, whatever the number of threads and the processor.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// How many games to play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes searched for each move; with --packed: after so many no further depth is begun
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Play every game to its end, not just one in three: for `hexmate wdl`
    #[arg(long)]
    to_the_end: bool,
    /// The seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games played at once; 0: one for each processor
    #[arg(long, visible_alias = "jobs", value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    /// The file to write, complete or absent; - is standard output
    #[arg(long, visible_alias = "out", value_name = "FILE")]
    output: PathBuf,
    /// Evaluate with the weights or the network in this file, as hexmate tune or hexmate train writes it; the word
    /// handmade: without a network
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    packed: packed::PackedArguments,
}

/// An opening has this many random plies, or up to `RANDOM_SPREAD - 1` more.
const RANDOM_PLIES: usize = 6;
const RANDOM_SPREAD: u64 = 5;
/// Games handed out and written together.
const BATCH: u64 = 64;

impl Arguments {
    /// Whether the positions go to standard output.
    pub(crate) fn prints(&self) -> bool {
        is_stdout(&self.output)
    }

    fn cannot(&self) -> String {
        match self.prints() {
            true => CANNOT_PRINT.to_owned(),
            false => format!("{}: cannot be written", self.output.display()),
        }
    }

    /// The file of `--eval-file`, which must not be the one that is written. What distils knows the handmade
    /// evaluation, unless told otherwise.
    fn opened_eval_file(&self) -> Result<Option<EvalFile>> {
        let handmade = self.packed.distils().then(|| Path::new(HANDMADE));
        let path = self.eval_file.as_deref().or(handmade);
        if let Some(path) = &self.eval_file {
            let mut roles = Roles::new();
            roles.input("--eval-file", path)?;
            roles.output("--output", &self.output)?;
        }
        Ok(EvalFile::given(path, Some(self.game))?)
    }

    /// As many threads as were asked for, or one for each processor.
    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads as usize,
        }
    }

    /// The evaluation that was asked for, as an argument of which files with the same content make the same.
    fn evaluation_told(&self, eval_file: Option<&EvalFile>) -> String {
        match (&self.eval_file, eval_file) {
            (Some(path), _) if path.as_os_str() == HANDMADE => format!(" --eval-file {HANDMADE}"),
            (Some(_), Some(file)) => format!(" --eval-file {}", file.identity()),
            _ => String::new(),
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let eval_file = arguments.opened_eval_file()?;
    let eval_file = eval_file.as_ref();
    if arguments.packed.wanted() {
        with_game!(arguments.game, game => packed::run(game, arguments, eval_file))?;
        return Ok(Exit::Success);
    }
    let threads = arguments.threads();
    check_memory(threads, player::TABLE).context("--threads")?;
    let pool = pool(threads, Some(STACK_BYTES)).context("--threads")?;
    let path = &arguments.output;
    arguments.force.check("--output", Some(path))?;
    let destination = Destination::create(Some(path), arguments.force)?;
    let bar = progress::bar_beside(arguments.prints(), arguments.games, "games");
    let bar = Cleared(bar);
    destination.leaves_nothing(&bar.0)?;
    let mut out = BufWriter::new(destination);
    writeln!(
        out,
        "# hexmate datagen {} --games {} --nodes {} --seed {}{}{}",
        arguments.game,
        arguments.games,
        arguments.nodes,
        arguments.seed,
        if arguments.to_the_end {
            " --to-the-end"
        } else {
            ""
        },
        arguments.evaluation_told(eval_file)
    )
    .with_context(|| arguments.cannot())?;
    let tally = pool.install(
        || with_game!(arguments.game, game => play_all(game, arguments, eval_file, &bar.0, &mut out)),
    )?;
    drop(bar);
    let written = out.into_inner().map_err(IntoInnerError::into_error);
    written.with_context(|| arguments.cannot())?.complete()?;
    let shares: Vec<String> = (0..=4)
        .map(|q| format!("{q}/4: {}", tally.results[q]))
        .collect();
    eprintln!(
        "{} games, {} positions; White's share {}; {} games stopped at {MOST_PLIES} plies and left out",
        arguments.games,
        tally.positions,
        shares.join(", "),
        tally.unfinished
    );
    Ok(Exit::Success)
}

/// What was played.
#[derive(Default)]
struct Tally {
    positions: u64,
    /// Games by White's quarters.
    results: [u64; 5],
    /// Games that were stopped.
    unfinished: u64,
}

fn play_all<G: Game>(
    game: G,
    arguments: &Arguments,
    eval_file: Option<&EvalFile>,
    bar: &ProgressBar,
    out: &mut impl Write,
) -> Result<Tally> {
    let mut tally = Tally::default();
    let play = Play {
        limits: Limits {
            nodes: Some(arguments.nodes),
            ..Limits::default()
        },
        random_plies: RANDOM_PLIES,
        spread: RANDOM_SPREAD,
        to_the_end: arguments.to_the_end,
        seed: arguments.seed,
    };
    for begin in (0..arguments.games).step_by(BATCH as usize) {
        let numbers = begin..arguments.games.min(begin + BATCH);
        let played: Vec<Result<Option<_>>> = (numbers.into_par_iter())
            .map_init(
                || Player::new(game, eval_file),
                |player, number| {
                    let player = player.as_mut().map_err(|e| anyhow!("{e}"))?;
                    let played = player.play(&play, number);
                    bar.inc(1);
                    played
                },
            )
            .collect();
        for (number, played) in (begin..).zip(played) {
            let Some(played) = played? else {
                tally.unfinished += 1;
                continue;
            };
            tally.results[usize::from(played.quarters)] += 1;
            for turn in played.turns.iter().filter(|t| t.quiet) {
                let score: Score = match turn.position.side_to_move() {
                    Side::White => turn.score,
                    Side::Black => -turn.score,
                };
                let quarters = played.quarters;
                writeln!(out, "{number}\t{}\t{score}\t{quarters}", turn.position)
                    .with_context(|| arguments.cannot())?;
                tally.positions += 1;
            }
        }
    }
    Ok(tally)
}
