//! What a match is made of: engines and their limits, openings, adjudication, statistics, files.
//!
//! The words of the command line become these values in [`super::dialect`].

use std::path::PathBuf;
use std::time::Duration;

use hexmate_movegen::GameId;

use super::sprt::Sprt;

/// How an engine is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Ours, inside the process.
    Internal,
    /// A program that speaks UCI.
    Program {
        /// Its path, seen from `dir`, or its name if it is found by the system.
        path: String,
        /// Its arguments.
        args: Vec<String>,
        /// The folder that it is run in.
        dir: Option<PathBuf>,
    },
}

/// A clock: so much time, for so many moves or for the game, and an increment after each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The moves until `base` is given again; `None`: it is for the whole game.
    pub moves: Option<u32>,
    /// The time at the start.
    pub base: Duration,
    /// What is added after each move.
    pub increment: Duration,
}

/// What bounds the thinking of an engine. All that are set hold at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineLimits {
    /// A clock.
    pub tc: Option<TimeControl>,
    /// A fixed time for each move.
    pub st: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// A depth in plies for each move.
    pub depth: Option<u32>,
}

impl EngineLimits {
    /// Whether time matters.
    pub fn timed(&self) -> bool {
        self.tc.is_some() || self.st.is_some()
    }
}

/// The time control in the words of the command line: `10+0.1`, `1/move`, `1000 nodes`, `5 plies`.
impl std::fmt::Display for EngineLimits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        if let Some(tc) = self.tc {
            let mut text = tc.moves.map_or_else(String::new, |n| format!("{n}/"));
            text += &format!("{}", tc.base.as_secs_f64());
            if !tc.increment.is_zero() {
                text += &format!("+{}", tc.increment.as_secs_f64());
            }
            parts.push(text);
        }
        let st = self.st.map(|st| format!("{}/move", st.as_secs_f64()));
        parts.extend(st);
        parts.extend(self.nodes.map(|n| format!("{n} nodes")));
        parts.extend(self.depth.map(|d| format!("{d} plies")));
        f.write_str(&parts.join(", "))
    }
}

/// An engine that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Its name, its own among all.
    pub name: String,
    /// How it is run.
    pub command: Command,
    /// Its options, in order.
    pub options: Vec<(String, String)>,
    /// What bounds its thinking.
    pub limits: EngineLimits,
    /// How much later than its clock an answer may come.
    pub margin: Duration,
    /// How long it may be silent where no clock says so: at its start, and where nodes or depth bound
    /// its thinking.
    pub patience: Duration,
    /// Whether it is started anew for each game.
    pub restart: bool,
}

impl EngineSpec {
    /// How many threads it is told to search with, whatever kind of engine it is.
    pub fn threads(&self) -> usize {
        let named = |name: &str| name.eq_ignore_ascii_case("Threads");
        let told = self.options.iter().rev().find(|(name, _)| named(name));
        told.and_then(|(_, n)| n.parse().ok()).unwrap_or(1).max(1)
    }

    /// Whether it can be expected to play the same game again from the same opening.
    pub fn repeats_itself(&self) -> bool {
        !self.limits.timed() && self.threads() == 1
    }
}

/// Which games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// Each against each.
    RoundRobin,
    /// The first so many against the others.
    Gauntlet(usize),
}

/// The form of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// A position text a line.
    Epd,
    /// A line of moves from the first position.
    Txt,
    /// The games of a file of games.
    Pgn,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningOptions {
    /// A book; `None`: random lines.
    pub file: Option<(PathBuf, BookFormat)>,
    /// Whether the book is shuffled.
    pub random_order: bool,
    /// The length of random lines, and the most that is played of a book's line.
    pub plies: Option<usize>,
    /// The first line of the book that is used, from 1.
    pub start: usize,
    /// Random lines are within so many centipawns of level.
    pub balance: i32,
}

/// The length of random openings unless another is asked for.
pub const RANDOM_PLIES: usize = 8;
/// How far from level a random opening may be, in centipawns.
pub const BALANCE: i32 = 100;

impl Default for OpeningOptions {
    fn default() -> Self {
        OpeningOptions {
            file: None,
            random_order: false,
            plies: None,
            start: 1,
            balance: BALANCE,
        }
    }
}

/// When a game is given up by one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resign {
    /// So many moves in a row,
    pub movecount: u32,
    /// the loser's score was as bad as this or worse,
    pub lost: Lost,
    /// and the winner's as much or better.
    pub twosided: bool,
}

/// What is as good as lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// So many centipawns.
    Score(i32),
    /// So many per cent of such games are lost, by the chances that were measured for the game.
    Chance(u32),
}

/// When a game is called a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// From this move on,
    pub movenumber: u32,
    /// if for so many moves of both in a row, without capture or pawn move,
    pub movecount: u32,
    /// all scores were within so many centipawns of level.
    pub score: i32,
}

/// The log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogOptions {
    /// Where it is written.
    pub file: PathBuf,
    /// Whether everything that engines are told and say is written too.
    pub engine: bool,
}

/// The file of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnOptions {
    /// Where it is written.
    pub file: PathBuf,
    /// Whether it is kept and added to.
    pub append: bool,
    /// Whether moves have no comments.
    pub min: bool,
}

/// Processors that games are bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Affinity {
    /// All of the machine, in turn.
    All,
    /// These.
    These(Vec<usize>),
}

/// A whole match.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The game.
    pub variant: GameId,
    /// At least two.
    pub engines: Vec<EngineSpec>,
    /// How they meet.
    pub tournament: Tournament,
    /// How often each pairing meets.
    pub rounds: usize,
    /// Games of a pairing in a round; each two have an opening of their own and opposite colours.
    pub games: usize,
    /// Games at once.
    pub concurrency: usize,
    /// What openings, and the order of books, are drawn from.
    pub seed: u64,
    /// Where openings come from.
    pub openings: OpeningOptions,
    /// See [`Sprt`].
    pub sprt: Option<Sprt>,
    /// See [`Resign`].
    pub resign: Option<Resign>,
    /// See [`DrawRule`].
    pub draw: Option<DrawRule>,
    /// The full moves after which a game is called a draw.
    pub maxmoves: Option<u32>,
    /// Whether engines that broke down are started again.
    pub recover: bool,
    /// Every so many pairs the standing is printed; 0: only at the end.
    pub rating_interval: usize,
    /// See [`PgnOptions`].
    pub pgnout: Option<PgnOptions>,
    /// Where final positions are written.
    pub epdout: Option<PathBuf>,
    /// Where games are written as JSON lines.
    pub jsonl: Option<PathBuf>,
    /// Where the report is written.
    pub report: Option<PathBuf>,
    /// Where finished games are kept for `--resume`.
    pub journal: Option<PathBuf>,
    /// Whether the journal is gone on with.
    pub resume: bool,
    /// See [`LogOptions`].
    pub log: Option<LogOptions>,
    /// See [`Affinity`].
    pub affinity: Option<Affinity>,
    /// The `Event` of the file of games.
    pub event: Option<String>,
    /// The `Site` of the file of games.
    pub site: Option<String>,
}
