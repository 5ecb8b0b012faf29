//! `hexmate convert`: position texts by rows into texts by files, and back.

pub mod by_files;

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use hexmate_movegen::{Game, GameId, Position, with_game};
use indicatif::ProgressBar;
use serde_json::Value;

use crate::analyse::Source;
use crate::exit::Exit;
use crate::inputs;
use crate::lines::Lines;
use crate::roles::Roles;
use by_files::FileOrder;

/// Convert position texts that list the board by files (6/P5p/RP4pr/..., as other programs write
/// Gliński's chess) into texts by rows, or back.
///
/// Lines are position texts with anything after a ";", or JSON objects with "fen". Both kinds of text
/// are read; the output is canonical. A line that is not a position is reported on standard error, the
/// others are still written, and the exit code is 1.
#[derive(clap::Args)]
pub struct Arguments {
    /// The input, plain or compressed with gzip or zstd; - or nothing for standard input
    file: Option<PathBuf>,
    /// How to write the board
    #[arg(long, value_enum, default_value_t = Order::Rows)]
    to: Order,
    /// From which end each file is listed, in input and output
    #[arg(long, value_enum, default_value_t = FileOrder::Up)]
    file_order: FileOrder,
    /// The game of lines that do not name one [default: the file's name if it is a game, else glinski]
    #[arg(long, value_parser = inputs::game)]
    game: Option<GameId>,
}

/// How a board is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Order {
    /// Row by row from the top, as hexmate writes it
    Rows,
    /// File by file
    Files,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let source = match &arguments.file {
        Some(path) if path.as_os_str() != "-" => Source {
            path: Some(path.clone()),
        },
        _ => Source { path: None },
    };
    Source::note(std::slice::from_ref(&source), true, &mut Roles::new())?;
    let game = arguments.game.or_else(|| source.game());
    let game = game.unwrap_or(GameId::Glinski);
    let mut lines = Lines::new(source.open(&ProgressBar::hidden())?);
    let mut output = BufWriter::new(std::io::stdout());
    let mut exit = Exit::Success;
    let cannot_read = || format!("{}: cannot be read further", source.name());
    while let Some(line) = lines.next_line().with_context(cannot_read)? {
        let text = line.text.map_err(anyhow::Error::new);
        match text.and_then(|text| converted(text.trim(), game, arguments)) {
            Ok(text) => writeln!(output, "{text}")?,
            Err(error) => {
                eprintln!(
                    "hexmate: {}: line {}: {error:#}",
                    source.name(),
                    line.number
                );
                exit = Exit::Failed;
            }
        }
    }
    output.flush()?;
    Ok(exit)
}

fn converted(line: &str, default: GameId, arguments: &Arguments) -> Result<String> {
    if line.starts_with('{') {
        let mut object: Value = serde_json::from_str(line)?;
        let fen = object["fen"].as_str();
        let fen = fen.ok_or_else(|| anyhow!("no \"fen\"; expected a position text"))?;
        let game = object["game"].as_str().map_or(Ok(default), str::parse)?;
        object["fen"] = with_game!(game, game => position(game, fen, arguments))?.into();
        return Ok(object.to_string());
    }
    let (fen, operations) = line.split_at(line.find(';').unwrap_or(line.len()));
    // As analyse reads it.
    let game = operations
        .split(';')
        .find_map(|op| op.trim().strip_prefix("game "));
    let game = game.map_or(Ok(default), |name| name.trim().trim_matches('"').parse())?;
    let fen = with_game!(game, game => position(game, fen, arguments))?;
    let blank = if operations.is_empty() { "" } else { " " };
    Ok(format!("{fen}{blank}{operations}"))
}

fn position<G: Game>(game: G, fen: &str, arguments: &Arguments) -> Result<String> {
    let order = arguments.file_order;
    let mut fen = by_files::to_rows(game, fen, order).unwrap_or_else(|| fen.trim().to_owned());
    // Some programs leave out what they do not need.
    if fen.split_whitespace().count() == 2 {
        fen += " - -";
    }
    let position = Position::from_fen(game, &fen)?;
    let rows = position.to_string();
    Ok(match arguments.to {
        Order::Rows => rows,
        Order::Files => {
            by_files::to_files(game, &rows, order).expect("what was written can be read")
        }
    })
}
