//! `hexmate replay`: game files are read back, and every move and result is checked.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use hexmate_movegen::{AnyRecord, Game, GameId, with_game};

use super::game_record::{GameLine, GameResult};
use crate::exit::Exit;
use crate::inputs;
use crate::pgn::{Games, ReadGame};

/// Read game files of hexmate match, check every move and result, and write the games as JSON lines.
///
/// The result of a game that was adjudicated or lost by a fault is taken from the file; any other must
/// agree with the rules.
#[derive(clap::Args)]
pub struct Arguments {
    /// The files, - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game of files without a Variant tag
    #[arg(long, value_parser = inputs::game, default_value = "glinski")]
    game: GameId,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let mut output = std::io::BufWriter::new(std::io::stdout());
    for path in &arguments.files {
        let in_file = || format!("{}", path.display());
        let mut games = Games::open(path).with_context(in_file)?;
        while let Some(read) = games.next_whole().with_context(in_file)? {
            let id = read.game(arguments.game).with_context(in_file)?;
            let line = with_game!(id, game => line_of(game, &read)).with_context(in_file)?;
            writeln!(output, "{line}")?;
        }
    }
    output.flush()?;
    Ok(Exit::Success)
}

fn line_of<G: Game>(game: G, read: &ReadGame) -> Result<String> {
    let record = read.record(game, None)?;
    let tag = |name| read.tag(name).unwrap_or("?");
    let number = |name| read.tag(name).and_then(|n| n.parse::<u64>().ok());
    if tag("Result") != read.result {
        bail!(
            "line {}: the tag Result says {}, the game ends with {}",
            read.line,
            tag("Result"),
            read.result
        );
    }
    let result = GameResult::try_from(read.result.to_owned());
    let result = result.with_context(|| format!("line {}", read.line))?;
    if let Some(outcome) = record.outcome() {
        let by_rules = GameResult::of_white(outcome.quarters(game.spec())[0]);
        if by_rules != result {
            bail!(
                "line {}: the result is {}, but the game ended by the rules with {}",
                read.line,
                result.text(),
                by_rules.text()
            );
        }
    } else if tag("Termination") == "normal" {
        bail!(
            "line {}: the game is said to have ended by the rules, but has not",
            read.line
        );
    }
    let fen = match read.tag("FEN") {
        Some(fen) => fen.to_owned(),
        None => hexmate_movegen::Position::start_of(game).to_string(),
    };
    let line = GameLine {
        variant: record.position().spec().name,
        round: number("Round"),
        game: number("Game"),
        white: tag("White"),
        black: tag("Black"),
        result: result.text(),
        reason: reason(read.last_comment()),
        fen: &fen,
        moves: &AnyRecord::from(record.clone()).move_texts().join(" "),
        plies: record.moves().len(),
    };
    Ok(line.text())
}

/// The reason follows the last comma of the last comment.
fn reason(comment: &str) -> &str {
    comment.split("sd=").last().map_or(comment, |rest| {
        rest.split_once(", ").map_or(rest, |(_, reason)| reason)
    })
}
