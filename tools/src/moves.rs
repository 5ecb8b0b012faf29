//! `hexmate moves`: the legal moves of a position.

use std::io::Write;

use anyhow::{Context, Result};
use hexmate_movegen::GameId;

use crate::exit::Exit;
use crate::inputs::{self, PositionArguments};
use crate::pgn::Notation;
use crate::stdout::CANNOT_PRINT;

/// List the legal moves of a position, sorted, on one line.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    #[command(flatten)]
    position: PositionArguments,
    /// How to write the moves
    #[arg(long, value_enum, default_value_t)]
    notation: Notation,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let position = arguments.position.record(arguments.game)?.position();
    let legal = position.legal_moves().into_iter();
    let mut texts: Vec<String> = legal
        .map(|mv| arguments.notation.text(&position, mv))
        .collect();
    texts.sort_unstable();
    writeln!(std::io::stdout(), "{}", texts.join(" ")).context(CANNOT_PRINT)?;
    Ok(Exit::Success)
}
