//! The options of a match: engines and their limits, openings, adjudication, statistics, files.
//!
//! The words of the command line become these values in [`super::dialect`].

use std::path::PathBuf;
use std::time::Duration;

use hexmate_movegen::GameId;

use super::sprt::Sprt;
use crate::pgn::Notation;

/// How to run an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The built-in engine.
    Internal,
    /// A program that speaks UCI.
    Program {
        /// Its path, relative to `dir`, or its name if the system finds it.
        path: String,
        /// Its arguments.
        args: Vec<String>,
        /// The folder to run it in.
        dir: Option<PathBuf>,
    },
}

/// A clock: a time for a number of moves or for the game, and an increment per move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The moves until `base` is added again; `None`: it is for the whole game.
    pub moves: Option<u32>,
    /// The time at the start.
    pub base: Duration,
    /// What is added after each move.
    pub increment: Duration,
}

/// The limits of an engine. All that are set apply at once.
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
    /// Its name, unique in the match.
    pub name: String,
    /// How to run it.
    pub command: Command,
    /// Its options, in order.
    pub options: Vec<(String, String)>,
    /// What bounds its thinking.
    pub limits: EngineLimits,
    /// How much later than its clock an answer may come.
    pub margin: Duration,
    /// How long it may be silent while no clock of its own runs: at its start, before each move, and where nodes or
    /// depth alone limit the move.
    pub patience: Duration,
    /// Whether it is restarted for each game.
    pub restart: bool,
}

impl EngineSpec {
    /// The number of its search threads, whatever kind of engine it is.
    pub fn threads(&self) -> usize {
        let told = self.option("Threads").and_then(|n| n.parse().ok());
        told.unwrap_or(1).max(1)
    }

    /// The value that an option is given; its name is read as UCI reads it, without regard to case.
    pub fn option(&self, name: &str) -> Option<&str> {
        let mut given = self.options.iter().rev();
        let given = given.find(|(given, _)| given.eq_ignore_ascii_case(name));
        given.map(|(_, value)| value.as_str())
    }

    /// Whether it can be expected to repeat a game from the same opening.
    pub fn repeats_itself(&self) -> bool {
        !self.limits.timed() && self.threads() == 1
    }
}

/// Which games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// Everyone against everyone.
    RoundRobin,
    /// The first N against the others.
    Gauntlet(usize),
    /// In each round everyone meets somebody with about as many points, and nobody twice while that can be
    /// avoided.
    Swiss,
    /// Whoever loses a tie is out.
    Knockout,
}

/// In whose form results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// That of `fastchess`.
    #[default]
    Fastchess,
    /// That of `cutechess`.
    Cutechess,
}

/// A file to which games are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamesFile {
    /// Its path.
    pub file: PathBuf,
    /// Whether what it holds stays.
    pub append: bool,
}

/// The format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookFormat {
    /// A position text per line.
    Epd,
    /// A line of moves from the starting position.
    Txt,
    /// The games of a file.
    Pgn,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningOptions {
    /// A book; `None`: random lines.
    pub file: Option<(PathBuf, BookFormat)>,
    /// Whether the book is shuffled.
    pub random_order: bool,
    /// The length of random lines, and the maximum played of a book's line.
    pub plies: Option<usize>,
    /// The first line of the book to use, from 1.
    pub start: usize,
    /// Random lines are within this many centipawns of level.
    pub balance: i32,
}

/// The default length of random openings.
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

/// When a game is resigned by adjudication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resign {
    /// For this many consecutive moves,
    pub movecount: u32,
    /// the loser's score was as bad as this or worse,
    pub lost: Lost,
    /// and the winner's as much or better.
    pub twosided: bool,
}

/// Which scores count as lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// This many centipawns.
    Score(i32),
    /// Scores that lose this many per cent of such games, by the chances measured for the game.
    Chance(u32),
}

/// When a game is adjudicated as a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// From this move on,
    pub movenumber: u32,
    /// if for this many consecutive moves of both, without capture or pawn move,
    pub movecount: u32,
    /// all scores were within this many centipawns of level.
    pub score: i32,
}

/// The log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogOptions {
    /// Its path.
    pub file: PathBuf,
    /// Whether all engine communication is logged.
    pub engine: bool,
}

/// The file of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnOptions {
    /// Its path.
    pub file: PathBuf,
    /// Whether it is appended to.
    pub append: bool,
    /// Whether moves have no comments.
    pub min: bool,
    /// How moves are written.
    pub notation: Notation,
}

/// Processors to bind games to.
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
    /// Its file, if it was named by one: engines that read game files are told.
    pub variant_file: Option<PathBuf>,
    /// At least two.
    pub engines: Vec<EngineSpec>,
    /// The pairings.
    pub tournament: Tournament,
    /// Encounters per pairing; the rounds of a Swiss tournament.
    pub rounds: usize,
    /// Games per encounter; every two share an opening, with colours reversed.
    pub games: usize,
    /// Whether the second game of a pair has the colours of the first.
    pub noswap: bool,
    /// Whether all colours are the other way round.
    pub reverse: bool,
    /// A rest before each further game.
    pub wait: Duration,
    /// In whose form results are printed.
    pub output: Output,
    /// Concurrent games.
    pub concurrency: usize,
    /// The random seed of openings and the order of books.
    pub seed: u64,
    /// Where openings come from.
    pub openings: OpeningOptions,
    /// See [`Sprt`].
    pub sprt: Option<Sprt>,
    /// See [`Resign`].
    pub resign: Option<Resign>,
    /// See [`DrawRule`].
    pub draw: Option<DrawRule>,
    /// The full moves after which a game is adjudicated as a draw.
    pub maxmoves: Option<u32>,
    /// Whether engines that crashed are restarted.
    pub recover: bool,
    /// The standings are printed every N pairs; 0: only at the end.
    pub rating_interval: usize,
    /// See [`PgnOptions`].
    pub pgnout: Option<PgnOptions>,
    /// Where final positions are written.
    pub epdout: Option<GamesFile>,
    /// Where games are written as JSON lines.
    pub jsonl: Option<GamesFile>,
    /// Where the report is written.
    pub report: Option<PathBuf>,
    /// Where finished games are stored for `--resume`.
    pub journal: Option<PathBuf>,
    /// Whether to continue the match of the journal.
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
