//! The command line of `hexmate analyse`.

use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use hexmate_movegen::GameId;
use serde_json::json;

use super::forms::Format;
use super::output::{ending, is_stdout, refuse_compressed};
use super::records::{InputFormat, Selection};
use super::settings::{DEFAULT_HASH_MEGABYTES, MOST_LINES, MOST_MATE, MOST_THREADS, Settings};
use super::source::Source;
use crate::eval_file::EvalFile;
use crate::game_names::GameNames;
use crate::inputs;
use crate::overwrite::Force;
use crate::tables::{self, AllTables, LaterTables};

/// Find the best move of each position in files or pipes.
///
/// Each line is a position text (optionally with "; op value"; "id" and "game" are used), or a JSON
/// object with "fen" or "moves" (from the start, or from "fen") and optionally "id", "game" and
/// "searchmoves" (the only moves to search). Blank lines and lines that begin with # are skipped.
/// Tables (.csv, .parquet) and files of games (.pgn) are read, too, and text compressed with gzip or zstd.
/// Other fields and columns are passed through to the answers.
/// --fen and --moves ask about one position, and so does a position text in place of a file.
/// The output is one JSON object per line, in input order, or text on a terminal. A line that cannot be used gets the
/// status "error", the others are still analysed, and the exit code is 1.
#[derive(clap::Args)]
pub struct Arguments {
    /// The inputs: files, patterns like 'games/*.pgn', a position text, - or nothing for standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    files: Vec<PathBuf>,
    /// The game of lines that do not name one [default: the file's name if it is a game, else glinski]
    #[arg(long, value_parser = inputs::game)]
    game: Option<GameId>,
    /// Search each position to this depth in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Search this many nodes for each position [default, if no limit is given: 100000, or 5000000
    /// with --mate]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search each position for MS milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Look for a mate in at most N moves; stop at the first one found, and, without --depth, --nodes and --movetime,
    /// once it is proven that there is none
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_MATE)))]
    mate: Option<u32>,
    /// Report the K best moves, each with its line, in the field "lines"
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_LINES)))]
    multipv: Option<u16>,
    /// Positions analysed at once [default: processors divided by --threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Search threads for each position; with more than one the output may vary from run to run
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_THREADS)))]
    threads: u16,
    /// Size of each job's transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH_MEGABYTES as u32, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Use the endgame tables in this folder, as made by hexmate tb build
    #[arg(long, value_name = "DIR")]
    tb: Option<PathBuf>,
    /// Evaluate with the weights or the network in this file, as hexmate tune or hexmate train writes it;
    /// the word handmade: without a network
    #[arg(long, value_name = "FILE")]
    pub(super) eval_file: Option<PathBuf>,
    #[command(flatten)]
    position: inputs::PositionArguments,
    /// Write to this file instead of standard output; it is complete or absent
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) force: Force,
    /// Report win, draw and loss chances in thousandths, from the side to move
    #[arg(long)]
    pub(super) wdl: bool,
    /// Say what separates the best move from the one that was played (the next of a game, or the field "played"), or
    /// else from the second best; takes about three times as long
    #[arg(long)]
    explain: bool,
    /// The output format [default: by the ending of --output, text on a terminal, else jsonl]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The input format [default: by the file's extension, else by the first line]
    #[arg(long, value_enum, help_heading = "Input")]
    input_format: Option<InputFormat>,
    /// In games, analyse the positions from this move on; also expands lines with "moves"
    #[arg(long, value_name = "A", help_heading = "Input")]
    from_move: Option<u16>,
    /// In games, analyse the positions up to this move
    #[arg(long, value_name = "B", help_heading = "Input")]
    to_move: Option<u16>,
    /// In games, skip the positions before N plies were played
    #[arg(long, value_name = "N", help_heading = "Input")]
    skip_book: Option<usize>,
    /// Analyse share I of N: the records whose number n, from 1, has n mod N = I (the last share: 0); hexmate merge
    /// makes one output of the shares
    #[arg(long, value_name = "I/N", value_parser = shard, help_heading = "Input")]
    shard: Option<(u64, u64)>,
    /// Stop each position after MS milliseconds and report the best result so far, with "timeout"
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    timeout: Option<u64>,
    /// Stop a position when a mate is found, for either side
    #[arg(long, help_heading = "Limits")]
    stop_at_mate: bool,
    /// Stop a position when its score was at least CP centipawns from 0 at two depths in a row
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Limits")]
    stop_cp: Option<u32>,
    /// End the run when N records could not be used; no output file is written
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(super) max_fails: Option<u64>,
    /// End with exit code 0 although some records could not be used: the output is complete, and they are in it
    #[arg(long, help_heading = "Limits")]
    pub(super) allow_bad: bool,
    /// Append each answer to this file at once [default, with --output: OUTPUT.journal, which is removed
    /// when the output is complete]
    #[arg(long, value_name = "FILE", help_heading = "Journal and cache")]
    pub(super) journal: Option<PathBuf>,
    /// Continue the run of the journal; start one if there is none
    #[arg(long, help_heading = "Journal and cache")]
    pub(super) resume: bool,
    /// Discard the journal and start again
    #[arg(long, conflicts_with = "resume", help_heading = "Journal and cache")]
    pub(super) restart: bool,
    /// Keep results in this SQLite file for later runs; several runs may use it at once
    #[arg(long, value_name = "FILE", help_heading = "Journal and cache")]
    pub(super) cache: Option<PathBuf>,
    /// Write statistics of the run to this file when it is complete, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Monitoring")]
    pub(super) stats: Option<PathBuf>,
    /// Show no progress, and no summary at the end
    #[arg(long, help_heading = "Monitoring")]
    pub(super) quiet: bool,
}

impl Arguments {
    /// Refuses options that leave nothing to analyse, or an output that is of no use.
    pub(super) fn check(&self) -> Result<()> {
        if let (Some(from), Some(to)) = (self.from_move, self.to_move)
            && from > to
        {
            bail!(
                "--from-move {from} --to-move {to}: no move is from {from} to {to}; expected --to-move {from} or more"
            );
        }
        if let (Some(_), Some(path)) = (self.shard, self.output())
            && self.format() == Format::Text
        {
            let given = match self.format {
                Some(_) => "--format text".to_owned(),
                None => format!("--output {}", path.display()),
            };
            bail!(
                "--shard with {given}: text for people is not merged; expected --format jsonl, csv, epd or parquet"
            );
        }
        Ok(())
    }

    /// Refuses an output whose name says that something else is in it.
    pub(super) fn check_ending(&self) -> Result<()> {
        let Some(path) = self.output() else {
            return Ok(());
        };
        refuse_compressed(path)?;
        match ending(path) {
            Some(ending) if self.format.is_none() && Format::of_ending(path).is_none() => bail!(
                "--output {}: .{ending} is the ending of no format; expected .jsonl, .ndjson, .json, .csv, .epd, .parquet, .txt or none, or --format",
                path.display()
            ),
            _ => Ok(()),
        }
    }

    /// Whether standard input is read.
    pub(crate) fn reads(&self) -> bool {
        let position = &self.position;
        let is_given = position.fen.is_some() || position.moves.is_some();
        let is_named = self.files.iter().any(|file| is_stdout(file));
        is_named || !is_given && self.files.is_empty()
    }

    /// Whether answers go to standard output.
    pub(crate) fn prints(&self) -> bool {
        self.output().is_none()
    }

    /// The file to write.
    pub(super) fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_stdout(path))
    }

    /// How answers are written.
    pub(super) fn format(&self) -> Format {
        let by_place = || match self.output() {
            Some(path) => Format::of_ending(path).unwrap_or_default(),
            None if stdout().is_terminal() => Format::Text,
            None => Format::default(),
        };
        self.format.unwrap_or_else(by_place)
    }

    /// The inputs: those named, or the one position of --fen and --moves.
    ///
    /// # Errors
    /// If a pattern is invalid or matches no file, or the position or a move cannot be used.
    pub(super) fn sources(&self) -> Result<Vec<Source>> {
        if self.position.fen.is_none() && self.position.moves.is_none() {
            return Source::of_arguments(&self.files);
        }
        let game = self.game.unwrap_or(GameId::Glinski);
        let record = self.position.record(game)?;
        let object = json!({
            "game": game.name(),
            "fen": record.first().to_string(),
            "moves": record.move_texts(),
        });
        Ok(vec![Source::of_text(&object.to_string())])
    }

    /// How positions are to be analysed. Why tables cannot be used is reported.
    ///
    /// # Errors
    /// If there is no such folder of tables, or the file of weights cannot be used.
    pub(super) fn settings(&self) -> Result<Settings> {
        let (mut opened, mut later) = (AllTables::new(), LaterTables::default());
        if let Some(folder) = &self.tb {
            let (tables, faults) = tables::open_all(folder, self.game).context("--tb")?;
            opened = tables;
            later = LaterTables::new(folder, self.game).context("--tb")?;
            tables::warn_if_none(folder).context("--tb")?;
            for fault in faults {
                eprintln!("hexmate: --tb: {fault}; it is ignored");
            }
        }
        Ok(Settings {
            game: self.game.unwrap_or(GameId::Glinski),
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.map(Duration::from_millis),
            timeout: self.timeout.map(Duration::from_millis),
            mate: self.mate,
            stop_at_mate: self.stop_at_mate,
            stop_cp: self.stop_cp,
            multipv: self.multipv.map(usize::from),
            wdl: self.wdl,
            explain: self.explain,
            threads: usize::from(self.threads),
            hash_megabytes: self.hash as usize,
            tables: Arc::new(opened),
            later_tables: Arc::new(later),
            eval_file: self.opened_eval_file()?,
            letters: self.position.letters.get(),
            names: GameNames::default(),
            only_mate: false,
        }
        .bounded())
    }

    /// The file of `--eval-file`.
    fn opened_eval_file(&self) -> Result<Option<Arc<EvalFile>>> {
        let file = EvalFile::given(self.eval_file.as_deref(), self.game);
        Ok(file.context("--eval-file")?.map(Arc::new))
    }

    /// The files of `--tb`.
    pub(super) fn tables(&self) -> Result<Vec<PathBuf>> {
        let folder = self.tb.as_deref();
        folder.map_or(Ok(Vec::new()), |folder| {
            tables::files(folder).context("--tb")
        })
    }

    /// The game of records that do not name one.
    pub(super) fn game(&self) -> Option<GameId> {
        self.game
    }

    /// The share of the run, from 1, and of how many.
    pub(super) fn shard(&self) -> Option<(u64, u64)> {
        self.shard.map(|(share, of)| (share + 1, of))
    }

    /// Which records are analysed.
    pub(super) fn selection(&self) -> Selection {
        Selection {
            format: self.input_format,
            game: self.game,
            from_move: self.from_move,
            to_move: self.to_move,
            skip_book: self.skip_book,
            whole_games: false,
            shard: self.shard,
            letters: self.position.letters.get(),
            names: GameNames::default(),
        }
    }

    /// How many positions are analysed at once.
    pub(super) fn jobs(&self) -> usize {
        jobs(self.jobs, usize::from(self.threads))
    }
}

/// As many jobs as asked for, or as there are processors for.
pub(crate) fn jobs(asked: Option<u16>, threads: usize) -> usize {
    asked.map_or_else(
        || {
            let processors = std::thread::available_parallelism().map_or(1, usize::from);
            (processors / threads).max(1)
        },
        usize::from,
    )
}

/// Reads `I/N`; the share counted from 0, and how many there are.
fn shard(text: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("'{text}' is not a share; expected I/N with I from 1 to N, like 1/4");
    let (share, of) = text.split_once('/').ok_or_else(wrong)?;
    let share: u64 = share.parse().map_err(|_| wrong())?;
    let of: u64 = of.parse().map_err(|_| wrong())?;
    if share == 0 || share > of {
        return Err(wrong());
    }
    Ok((share - 1, of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards() {
        assert_eq!(shard("1/1"), Ok((0, 1)));
        assert_eq!(shard("4/4"), Ok((3, 4)));
        for text in ["", "1", "0/2", "3/2", "1/0", "-1/2", "a/b", "1/2/3"] {
            assert!(shard(text).is_err(), "{text}");
        }
    }
}
