//! `hexmate datagen`: positions with scores and results from games of the engine against itself, for
//! `hexmate tune`.

use std::io::{BufWriter, IntoInnerError, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use hexmate_engine::{Engine, Limits, STACK_BYTES, Score, Table, is_mate};
use hexmate_movegen::{Bits, Game, GameId, Move, PAWN, Position, Record, Side, with_game};
use rayon::prelude::*;

use crate::analyse::{Destination, is_stdout};
use crate::exit::Exit;
use crate::inputs;
use crate::overwrite::Force;
use crate::progress::{self, Cleared};
use crate::random::SplitMix64;

/// Play games of the engine against itself and store quiet positions with score and result, for `tune`.
///
/// A line has four fields separated by tabs: the number of the game, the position, the search score in
/// centipawns from White's side, and White's share of the point in quarters. The same arguments give the
/// same lines, whatever the number of threads.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// How many games to play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes searched for each move
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Play every game to its end, not just one in three: for `hexmate wdl`
    #[arg(long)]
    to_the_end: bool,
    /// The seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games played at once; 0: one for each processor
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    /// The file to write, complete or absent; - is standard output
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// An opening has this many random plies, or up to `RANDOM_SPREAD` more.
const RANDOM_PLIES: usize = 6;
const RANDOM_SPREAD: u64 = 5;
/// Openings that leave a side farther ahead than this are not played.
const UNBALANCED: Score = 250;
/// Openings tried before giving up: no game needs as many.
const MOST_OPENINGS: usize = 1000;
/// A game is won when the winner was this far ahead for this many consecutive plies.
const DECIDED: Score = 1200;
const DECIDED_PLIES: u32 = 6;
/// A game is drawn when it is long and the score was nearly zero for this many consecutive plies.
const LEVEL: Score = 8;
const LEVEL_PLIES: u32 = 24;
const LEVEL_FROM: usize = 120;
/// One game in this many is played to the end, so that mates and stalemates occur, too.
const BITTER_END: u64 = 3;
/// A game that reaches this length is stopped and left out, since its result is not known.
const MOST_PLIES: usize = 1000;
/// Megabytes of each player's table.
const TABLE: usize = 4;
/// Games handed out and written together.
const BATCH: u64 = 64;

impl Arguments {
    /// Whether the positions go to standard output.
    pub(crate) fn prints(&self) -> bool {
        is_stdout(&self.output)
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads as usize)
        .stack_size(STACK_BYTES)
        .build()?;
    let path = &arguments.output;
    arguments.force.check("--output", Some(path))?;
    let mut out = BufWriter::new(Destination::create(Some(path))?);
    writeln!(
        out,
        "# hexmate datagen {} --games {} --nodes {} --seed {}{}",
        arguments.game,
        arguments.games,
        arguments.nodes,
        arguments.seed,
        if arguments.to_the_end {
            " --to-the-end"
        } else {
            ""
        }
    )?;
    let tally =
        pool.install(|| with_game!(arguments.game, game => play_all(game, arguments, &mut out)))?;
    let written = out.into_inner().map_err(IntoInnerError::into_error);
    written
        .with_context(|| format!("{}: cannot be written", path.display()))?
        .complete()?;
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

fn play_all<G: Game>(game: G, arguments: &Arguments, out: &mut impl Write) -> Result<Tally> {
    let prints = arguments.prints();
    let cleared = Cleared(progress::bar_beside(prints, arguments.games, "games"));
    let bar = &cleared.0;
    let mut tally = Tally::default();
    for begin in (0..arguments.games).step_by(BATCH as usize) {
        let numbers = begin..arguments.games.min(begin + BATCH);
        let played: Vec<Result<Option<Played>>> = (numbers.into_par_iter())
            .map_init(
                || Player::new(game),
                |player, number| {
                    let player = player.as_mut().map_err(|e| anyhow!("{e}"))?;
                    let played = player.play(arguments, number);
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
            tally.positions += played.positions.len() as u64;
            tally.results[usize::from(played.quarters)] += 1;
            for (fen, score) in played.positions {
                writeln!(out, "{number}\t{fen}\t{score}\t{}", played.quarters)?;
            }
        }
    }
    Ok(tally)
}

/// One game.
struct Played {
    /// Quiet positions with the score from White's side.
    positions: Vec<(String, Score)>,
    /// White's share of the point.
    quarters: u8,
}

/// Plays both sides, with a table and an engine that are like new for each game.
struct Player<G: Game> {
    game: G,
    engine: Engine<G>,
    table: Table,
}

impl<G: Game> Player<G> {
    fn new(game: G) -> Result<Self> {
        Ok(Player {
            game,
            engine: Engine::of(game, 1),
            table: Table::new(TABLE)?,
        })
    }

    /// Plays one game; `None` if it was stopped.
    fn play(&mut self, arguments: &Arguments, number: u64) -> Result<Option<Played>> {
        let seed = SplitMix64::new(arguments.seed).next();
        // Almost surely different from the numbers of all other seeds and games.
        let mut random = SplitMix64::new(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        let limits = Limits {
            nodes: Some(arguments.nodes),
            ..Limits::default()
        };
        let mut record = self.opening(&mut random, limits)?;
        let to_the_end = random.next().is_multiple_of(BITTER_END) || arguments.to_the_end;
        self.table.forget();
        self.engine.forget();
        let mut positions = Vec::new();
        let mut decided = Streak::default();
        let mut level = Streak::default();
        let quarters = loop {
            if let Some(outcome) = record.outcome() {
                break outcome.quarters(self.game.spec())[0];
            }
            if record.moves().len() >= MOST_PLIES {
                return Ok(None);
            }
            let report = self.engine.analyse(&self.table, &record, limits, |_| {});
            let position = *record.position();
            let mv = report
                .best_move()
                .context("a game that is not over has a move")?;
            let score = match position.side_to_move() {
                Side::White => report.score(),
                Side::Black => -report.score(),
            };
            if !is_mate(score) && is_quiet(&position, mv) {
                positions.push((position.to_string(), score));
            }
            if !to_the_end {
                let sign = if score.abs() < DECIDED {
                    0
                } else {
                    score.signum()
                };
                if sign != 0 && decided.of(sign) >= DECIDED_PLIES {
                    break if sign > 0 { 4 } else { 0 };
                }
                if sign == 0 {
                    decided = Streak::default();
                }
                let old = record.moves().len() >= LEVEL_FROM;
                if level.of(Score::from(score.abs() <= LEVEL)) >= LEVEL_PLIES
                    && level.value == 1
                    && old
                {
                    break 2;
                }
            }
            record
                .play(mv)
                .map_err(|mv| anyhow!("{} is not legal", mv.display(self.game)))?;
        };
        Ok(Some(Played {
            positions,
            quarters,
        }))
    }

    /// Random moves to a position that is not over and nearly level.
    fn opening(&mut self, random: &mut SplitMix64, limits: Limits<'_>) -> Result<Record<G>> {
        for _ in 0..MOST_OPENINGS {
            let mut record = Record::new(Position::start_of(self.game));
            let plies = RANDOM_PLIES + (random.next() % RANDOM_SPREAD) as usize;
            for _ in 0..plies {
                let moves = record.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[(random.next() % moves.len() as u64) as usize];
                record
                    .play(mv)
                    .map_err(|mv| anyhow!("{} is not legal", mv.display(self.game)))?;
            }
            if record.outcome().is_some() {
                continue;
            }
            self.table.forget();
            self.engine.forget();
            let report = self.engine.analyse(&self.table, &record, limits, |_| {});
            if report.score().abs() <= UNBALANCED {
                return Ok(record);
            }
        }
        Err(anyhow!(
            "no level opening was found in {MOST_OPENINGS} tries"
        ))
    }
}

/// Whether the static evaluation can be trusted: no check, and no capture or promotion to come at once.
fn is_quiet<G: Game>(position: &Position<G>, best: Move) -> bool {
    let en_passant = position
        .en_passant()
        .is_some_and(|ep| ep.crossed == best.to && position.kind(PAWN).has(best.from));
    !position.in_check()
        && position.piece_on(best.to).is_none()
        && best.promotion().is_none()
        && !en_passant
}

/// How often in a row the same was said.
#[derive(Default)]
struct Streak {
    value: Score,
    length: u32,
}

impl Streak {
    fn of(&mut self, value: Score) -> u32 {
        self.length = if value == self.value {
            self.length + 1
        } else {
            1
        };
        self.value = value;
        self.length
    }
}
