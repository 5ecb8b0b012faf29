//! `hexmate datagen --packed`: positions for networks, from games and from inside their searches.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use hexmate_engine::{Evaluated, Evaluator, Handmade, Limits, STACK_BYTES, Score};
use hexmate_movegen::{Game, Side};
use hexmate_training::packed::{Codec, Format, Origin, Sample, identity};

use super::player::{Judge, Play, Played, Player, TABLE, Turn};
use crate::analyse::grouped;
use crate::eval_file::EvalFile;
use crate::progress::{self, Cleared};
use crate::random::SplitMix64;
use crate::samples::{Block, Header, Writer};
use crate::threads::{NO_THREAD, THREAD_MEGABYTES, check_memory};

/// What is stored of each game.
#[derive(clap::Args, Clone, Debug)]
pub struct PackedArguments {
    /// Write packed positions for `train`, with scores of whole depths from searches that look at every move
    #[arg(long)]
    packed: bool,
    /// Continue a packed file that was begun with the same arguments; only --games and --threads may differ
    #[arg(long, requires = "packed", conflicts_with = "allowed")]
    resume: bool,
    /// Positions stored of each game: quiet ones, chosen at random; 0: none
    #[arg(long, value_name = "N", default_value_t = 16, requires = "packed")]
    per_game: usize,
    /// Positions stored from inside the search of each move, each searched again (--rescore)
    #[arg(long, value_name = "N", default_value_t = 1, requires = "packed")]
    leaves: usize,
    /// Nodes after which the search of such a position begins no further depth
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "packed", value_parser = clap::value_parser!(u64).range(1..))]
    rescore: u64,
    /// Store one in N of all positions that searches evaluate, with its static evaluation as score, and nothing else:
    /// to teach a network what the evaluation knows, which is the handmade one without --eval-file
    #[arg(long, value_name = "N", requires = "packed", conflicts_with_all = ["leaves", "rescore", "per_game"], value_parser = clap::value_parser!(u32).range(1..))]
    distil: Option<u32>,
}

/// Positions of games before this ply are left out: there are too few of them.
const FIRST_PLY: usize = 8;
/// Positions in which a side is farther ahead are left out: nothing is to be learnt from them.
const DECIDED: Score = 1000;
/// The same for static evaluations: searches meet such positions, and have to be told so.
const DECIDED_STATIC: Score = 3000;
/// A search may take so many times its nodes to finish a depth.
const HARD: u64 = 10;
/// Random plies of an opening, and how many more there may be.
const RANDOM_PLIES: usize = 4;
const RANDOM_SPREAD: u64 = 9;
/// Without terminal, a line in so many seconds.
const REPORT: Duration = Duration::from_secs(60);

/// The search of a move or a position: begins no further depth after `nodes`.
fn soft(nodes: u64) -> Limits<'static> {
    Limits {
        soft_nodes: Some(nodes),
        nodes: Some(HARD.saturating_mul(nodes)),
        ..Limits::default()
    }
}

impl PackedArguments {
    /// Whether static evaluations are stored.
    pub fn distils(&self) -> bool {
        self.distil.is_some()
    }

    /// Whether this form is wanted.
    pub fn wanted(&self) -> bool {
        self.packed
    }

    /// The arguments that determine the positions.
    fn terms(&self, game: &str, arguments: &super::Arguments, evaluation: &str) -> String {
        let super::Arguments { nodes, seed, .. } = arguments;
        let mut terms = format!("hexmate datagen {game} --packed --nodes {nodes} --seed {seed}");
        if arguments.to_the_end {
            terms += " --to-the-end";
        }
        terms += evaluation;
        match self.distil {
            Some(one_in) => terms += &format!(" --distil {one_in}"),
            None => {
                let PackedArguments {
                    per_game,
                    leaves,
                    rescore,
                    ..
                } = self;
                terms += &format!(" --per-game {per_game} --leaves {leaves} --rescore {rescore}");
            }
        }
        terms
    }
}

/// Plays games and appends their positions to a file.
pub fn run<G: Game>(
    game: G,
    arguments: &super::Arguments,
    eval_file: Option<&EvalFile>,
) -> Result<()> {
    let packed = &arguments.packed;
    let path: &Path = &arguments.output;
    if crate::analyse::is_stdout(path) {
        bail!("--packed writes a file that can be continued, not standard output");
    }
    if !packed.distils() && packed.per_game == 0 && packed.leaves == 0 {
        bail!(
            "--per-game 0 --leaves 0 stores no position of any game; expected at least one of them above 0"
        );
    }
    let name = game.spec().name;
    let evaluation = arguments.evaluation_told(eval_file);
    let header = Header::of(game, &packed.terms(name, arguments, &evaluation));
    let mut seen = Seen::new();
    let mut next = 0;
    let mut tally = Tally::default();
    let mut writer = if packed.resume && path.exists() {
        let format = Format::of(game);
        Writer::resume(game, path, &header, |block| {
            next = block.game + 1;
            tally.games += 1;
            tally.positions += u64::from(block.count);
            seen.remember(format, &block.records);
        })?
    } else {
        if arguments.force.is_given() && path.is_file() {
            Writer::discard(path)?;
        }
        Writer::create(path, &header)?
    };
    if next > 0 {
        eprintln!(
            "{}: {next} games, {} positions so far",
            path.display(),
            tally.positions
        );
    }
    let begun = next;
    let miner = Miner {
        game,
        evaluator: Evaluator::of(game),
        packed,
        eval_file,
        play: Play {
            limits: soft(arguments.nodes),
            random_plies: RANDOM_PLIES,
            spread: RANDOM_SPREAD,
            to_the_end: arguments.to_the_end,
            seed: arguments.seed,
        },
    };
    let threads = arguments.threads();
    // Each has a player and a judge.
    check_memory(threads, THREAD_MEGABYTES + 2 * TABLE).context("--threads")?;
    let progress = Progress::new(arguments.games, next);
    let numbers = AtomicU64::new(next);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| -> Result<()> {
        let end = StopAtEnd(&stop);
        for _ in 0..threads {
            let (sender, numbers, stop, miner) = (sender.clone(), &numbers, &stop, &miner);
            let work = move || {
                let mut tools = miner.tools();
                loop {
                    let number = numbers.fetch_add(1, Relaxed);
                    if number >= arguments.games || stop.load(Relaxed) {
                        return;
                    }
                    let found = match &mut tools {
                        Ok(tools) => miner.mine(tools, number),
                        Err(error) => Err(anyhow!("{error:#}")),
                    };
                    if sender.send((number, found)).is_err() {
                        return;
                    }
                }
            };
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            let begun = builder.spawn_scoped(scope, work);
            begun.context(NO_THREAD).context("--threads")?;
        }
        drop(sender);
        // Whatever finishes first, games are written in order.
        let mut waiting = BTreeMap::new();
        for (number, found) in receiver {
            waiting.insert(number, found?);
            while let Some(records) = waiting.remove(&next) {
                let block = seen.block(next, records);
                writer.write(&block)?;
                tally.add(&block);
                next += 1;
                progress.show(&tally);
            }
        }
        drop(end);
        Ok(())
    })?;
    drop(progress);
    eprintln!(
        "{}: {next} games, {} positions ({} repeated ones left out{})",
        path.display(),
        tally.positions,
        seen.repeated,
        // What earlier runs left out is not in the file.
        if begun > 0 { " in this run" } else { "" }
    );
    Ok(())
}

/// Tells the players to stop, also after an error.
struct StopAtEnd<'s>(&'s AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Makes records of games.
struct Miner<'a, G: Game> {
    game: G,
    /// What knows which positions are for networks.
    evaluator: Evaluator<G>,
    packed: &'a PackedArguments,
    eval_file: Option<&'a EvalFile>,
    play: Play,
}

/// What one thread has for that.
struct Tools<G: Game> {
    player: Player<G>,
    judge: Judge<G>,
    codec: Codec<G>,
}

impl<G: Game> Miner<'_, G> {
    /// One position of so many is kept while a move is searched, of which the few that are stored are chosen.
    const CANDIDATES: u32 = 50;

    fn tools(&self) -> Result<Tools<G>> {
        let one_in = self.packed.distil.unwrap_or(Self::CANDIDATES);
        let (game, eval_file) = (self.game, self.eval_file);
        Ok(Tools {
            player: Player::sampling(game, eval_file, one_in)?,
            judge: Judge::new(game, eval_file, soft(self.packed.rescore))?,
            codec: Codec::new(self.game),
        })
    }

    /// The records of one game, each by itself; none if it was stopped.
    fn mine(&self, tools: &mut Tools<G>, number: u64) -> Result<Vec<Vec<u8>>> {
        let played = tools.player.play(&self.play, number)?;
        let Some(played) = played else {
            return Ok(Vec::new());
        };
        let mut random = SplitMix64::new(self.play.seed ^ number.rotate_left(32));
        let handmade = self.evaluator.handmade();
        let samples = match self.packed.distil {
            Some(_) => distilled(&played, handmade),
            None => {
                let mut samples = quiet(&played, handmade, self.packed.per_game, &mut random);
                samples.extend(self.leaves(&played, &mut tools.judge, &mut random));
                samples
            }
        };
        let pack = |sample: &Sample<G>| {
            let mut record = Vec::new();
            tools.codec.write(sample, &mut record);
            record
        };
        Ok(samples.iter().map(pack).collect())
    }

    /// Positions from inside the searches, searched again.
    fn leaves(
        &self,
        played: &Played<G>,
        judge: &mut Judge<G>,
        random: &mut SplitMix64,
    ) -> Vec<Sample<G>> {
        judge.forget();
        let handmade = self.evaluator.handmade();
        let mut out = Vec::new();
        for turn in &played.turns {
            let open = turn.met.iter().filter(|e| is_open(e, handmade));
            let mut met: Vec<_> = open.collect();
            for _ in 0..self.packed.leaves.min(met.len()) {
                let chosen = met.swap_remove(random.below(met.len()));
                let Some(score) = judge.score(&chosen.position) else {
                    continue;
                };
                if score.abs() <= DECIDED {
                    out.push(Sample {
                        position: chosen.position,
                        score,
                        quarters: share(played, chosen.position.side_to_move()),
                        ply: turn.ply as u16,
                        origin: Origin::Leaf,
                    });
                }
            }
        }
        out
    }
}

/// Whether something is to be learnt from a position that a search met.
fn is_open<G: Game>(met: &Evaluated<G>, handmade: &Handmade<G>) -> bool {
    met.score.abs() <= DECIDED_STATIC && !handmade.answers_for_networks(&met.position)
}

/// What a side got.
fn share<G: Game>(played: &Played<G>, side: Side) -> u8 {
    match side {
        Side::White => played.quarters,
        Side::Black => 4 - played.quarters,
    }
}

/// Some of the quiet positions of the game.
fn quiet<G: Game>(
    played: &Played<G>,
    handmade: &Handmade<G>,
    most: usize,
    random: &mut SplitMix64,
) -> Vec<Sample<G>> {
    let turns = played.turns.iter();
    let mut turns: Vec<_> = turns
        .filter(|t| t.quiet && t.ply >= FIRST_PLY && t.score.abs() <= DECIDED)
        .filter(|t| !handmade.answers_for_networks(&t.position))
        .collect();
    random.shuffle(&mut turns);
    turns.truncate(most);
    turns.sort_by_key(|t| t.ply);
    let sample = |turn: &&Turn<G>| Sample {
        position: turn.position,
        score: turn.score,
        quarters: share(played, turn.position.side_to_move()),
        ply: turn.ply as u16,
        origin: Origin::Game,
    };
    turns.iter().map(sample).collect()
}

/// All that the searches met and was kept, with static evaluations.
fn distilled<G: Game>(played: &Played<G>, handmade: &Handmade<G>) -> Vec<Sample<G>> {
    let of_turn = |turn: &Turn<G>| {
        let met = turn.met.iter().filter(|e| is_open(e, handmade));
        let ply = turn.ply as u16;
        met.map(|e| Sample {
            position: e.position,
            score: e.score,
            quarters: share(played, e.position.side_to_move()),
            ply,
            origin: Origin::Static,
        })
        .collect::<Vec<_>>()
    };
    played.turns.iter().flat_map(of_turn).collect()
}

/// The positions stored lately, so that none is stored twice. A table of fixed size: of two positions with one
/// place the later one is remembered.
struct Seen {
    places: Vec<u64>,
    repeated: u64,
}

impl Seen {
    const PLACES: usize = 1 << 22;

    fn new() -> Self {
        Seen {
            places: vec![0; Self::PLACES],
            repeated: 0,
        }
    }

    /// Whether a position is new.
    fn is_new(&mut self, identity: u64) -> bool {
        let place = &mut self.places[(identity as usize) % Self::PLACES];
        let new = *place != identity;
        *place = identity;
        new
    }

    fn remember(&mut self, format: Format, mut records: &[u8]) {
        while let Some(packed) = format.first(records) {
            self.is_new(identity(packed.bytes));
            records = &records[packed.bytes.len()..];
        }
    }

    /// The new ones of a game's records.
    fn block(&mut self, game: u64, records: Vec<Vec<u8>>) -> Block {
        let mut block = Block {
            game,
            count: 0,
            records: Vec::new(),
        };
        for record in records {
            if self.is_new(identity(&record)) {
                block.count += 1;
                block.records.extend(record);
            } else {
                self.repeated += 1;
            }
        }
        block
    }
}

#[derive(Default)]
struct Tally {
    games: u64,
    positions: u64,
}

impl Tally {
    fn add(&mut self, block: &Block) {
        self.games += 1;
        self.positions += u64::from(block.count);
    }
}

/// A bar on a terminal, a line now and then elsewhere.
struct Progress {
    bar: Cleared,
    begin: Instant,
    last: std::cell::Cell<Instant>,
    before: std::cell::Cell<Option<u64>>,
    games: u64,
}

impl Progress {
    fn new(games: u64, done: u64) -> Self {
        let bar = progress::bar(games, "games");
        bar.set_position(done);
        bar.reset_eta();
        let now = Instant::now();
        Progress {
            bar: Cleared(bar),
            begin: now,
            last: now.into(),
            before: None.into(),
            games,
        }
    }

    fn show(&self, tally: &Tally) {
        if self.before.get().is_none() {
            self.before.set(Some(tally.positions));
        }
        let new = tally.positions - self.before.get().unwrap_or(0);
        let rate = new as f64 / self.begin.elapsed().as_secs_f64().max(1e-3);
        let bar = &self.bar.0;
        bar.set_message(format!("{} positions", grouped(tally.positions)));
        bar.set_position(tally.games);
        if !std::io::stderr().is_terminal() && self.last.get().elapsed() >= REPORT {
            self.last.set(Instant::now());
            eprintln!(
                "{}/{} games, {} positions, {rate:.0}/s",
                tally.games, self.games, tally.positions
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::{Glinski, Position};

    use super::*;

    /// Networks are not asked about a bare king that is driven, or where a side has too little to mate with, so they
    /// learn nothing of it.
    #[test]
    fn positions_that_networks_are_not_asked_about_are_left_out_of_games() {
        let turn = |placement: &str| Turn {
            position: format!("{placement} w - - 0 40")
                .parse::<Position<Glinski>>()
                .unwrap(),
            ply: 78,
            score: 300,
            quiet: true,
            met: Vec::new(),
        };
        let bare = turn("1/1k1/5/7/9/11/4P6/2P8/4N6/5K5/11");
        let few = turn("1/1k1/2b2/7/9/11/11/4K6/3N7/11/11");
        let both = turn("1/1k1/5/2p4/9/11/4P6/2P8/4N6/5K5/11");
        let pawns = turn("1/1k1/5/7/9/11/4P6/2P8/11/5K5/11");
        let expected = [&both, &pawns].map(|turn| turn.position.to_string());
        let played = Played {
            turns: vec![bare, few, both, pawns],
            quarters: 4,
        };
        let kept = quiet(&played, &Handmade::default(), 16, &mut SplitMix64::new(1));
        let kept: Vec<_> = kept
            .iter()
            .map(|sample| sample.position.to_string())
            .collect();
        assert_eq!(kept, expected);
    }

    #[test]
    fn no_number_of_nodes_is_too_many() {
        assert_eq!(soft(100).nodes, Some(1000));
        assert_eq!(soft(u64::MAX - 1).nodes, Some(u64::MAX));
    }
}
