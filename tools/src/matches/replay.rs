//! `hexmate replay`: game files are read back, and every move and result is checked.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Error, Result, bail};
use hexmate_movegen::{AnyRecord, Game, GameId, with_game};

use super::game_record::{GameLine, GameResult};
use crate::exit::{Exit, told};
use crate::inputs;
use crate::outcome;
use crate::pgn::{Games, PgnError, ReadGame, result_of};
use crate::stdout::CANNOT_PRINT;

/// Read game files of hexmate match, check every move and result, and write the games as JSON lines.
///
/// The result of a game that was adjudicated or lost by a fault is taken from the file; any other must
/// agree with the rules, and no game may go on after they have ended it. What is wrong with a game is
/// reported, the others are still written, and the exit code is 1.
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
    let (mut read, mut bad) = (0, 0);
    for path in &arguments.files {
        let in_file = || path.display().to_string();
        let mut games = match Games::open(path).with_context(in_file) {
            Ok(games) => games,
            Err(error) if arguments.files.len() == 1 => return Err(error),
            Err(error) => {
                eprintln!("hexmate: {}", told(&error));
                bad += 1;
                continue;
            }
        };
        let before = read;
        loop {
            let (line, ends) = match games.next_game() {
                Ok(None) => break,
                Ok(Some(game)) => (replayed(&game, arguments.game), false),
                Err(error) if arguments.files.len() == 1 && read == 0 => {
                    return Err(error).with_context(in_file);
                }
                // Nothing more can be read of this file.
                Err(error) => (Err(error.into()), true),
            };
            read += 1;
            match line.with_context(in_file) {
                Ok(line) => writeln!(output, "{line}").context(CANNOT_PRINT)?,
                Err(error) => {
                    eprintln!("hexmate: {}", told(&error));
                    bad += 1;
                }
            }
            if ends {
                break;
            }
        }
        if read == before {
            eprintln!(
                "hexmate: {}: no game in it; expected PGN, as -pgnout writes it",
                path.display()
            );
            (read, bad) = (read + 1, bad + 1);
        }
    }
    output.flush().context(CANNOT_PRINT)?;
    if bad > 0 {
        eprintln!("hexmate: {bad} of {read} games could not be replayed");
        return Ok(Exit::Failed);
    }
    Ok(Exit::Success)
}

/// The line of a game that is right.
fn replayed(read: &ReadGame, default: GameId) -> Result<String> {
    if let Some(fault) = &read.fault {
        return Err(Error::new(fault.clone()));
    }
    let id = read.game(default)?;
    with_game!(id, game => line_of(game, read))
}

fn line_of<G: Game>(game: G, read: &ReadGame) -> Result<String> {
    let record = read.record(game, None)?;
    let tag = |name| read.tag(name).unwrap_or("?");
    let number = |name| read.tag(name).and_then(|n| n.parse::<u64>().ok());
    if let Some(told) = read
        .tag("Result")
        .filter(|told| result_of(told) != Some(read.result))
    {
        bail!(
            "line {}: the tag Result says {told}, the game ends with {}",
            read.line,
            read.result
        );
    }
    let result = GameResult::try_from(read.result.to_owned());
    let result = result.with_context(|| format!("line {}", read.line))?;
    if let Some((plies, outcome)) = outcome::first_end(&record) {
        if let Some(next) = read.main.moves.get(plies) {
            let how = outcome::words(outcome, game.spec());
            bail!(PgnError {
                line: next.line,
                column: Some(next.column),
                ply: Some(plies + 1),
                problem: format!("the game was over before this move: {how}"),
            });
        }
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
    // `hexmate convert` writes the reason of a JSON line as a tag.
    let commented = Some(reason(read.last_comment(), record.moves().is_empty()));
    let reason = commented.filter(|reason| !reason.is_empty());
    let line = GameLine {
        variant: record.position().spec().name,
        round: number("Round"),
        game: number("Game"),
        white: tag("White"),
        black: tag("Black"),
        result: result.text(),
        reason: reason.or(read.tag("Reason")).unwrap_or_default(),
        fen: &fen,
        moves: &AnyRecord::from(record.clone()).move_texts().join(" "),
        plies: record.moves().len(),
    };
    Ok(line.text())
}

/// The reason, which may have commas of its own, follows what the last comment says of the last move.
fn reason(comment: &str, without_moves: bool) -> &str {
    if without_moves {
        return comment;
    }
    if let Some(reason) = comment.strip_prefix("book, ") {
        return reason;
    }
    let rest = comment.split_once("sd=").map_or(comment, |(_, rest)| rest);
    rest.split_once(", ").map_or(rest, |(_, reason)| reason)
}
