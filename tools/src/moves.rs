//! `hexmate moves`: the legal moves of a position.

use std::io::Write;

use anyhow::Result;
use hexmate_movegen::{Game, GameId, with_game};

use crate::exit::Exit;
use crate::inputs;

/// List the legal moves of a position, sorted, on one line.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// The position [default: the starting position]
    #[arg(long)]
    fen: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let line = with_game!(arguments.game, game => sorted(game, arguments.fen.as_deref()))?;
    writeln!(std::io::stdout(), "{line}")?;
    Ok(Exit::Success)
}

fn sorted<G: Game>(game: G, fen: Option<&str>) -> Result<String> {
    let position = inputs::position(game, fen)?;
    let mut moves: Vec<String> = position
        .legal_moves()
        .iter()
        .map(|m| m.text(game))
        .collect();
    moves.sort();
    Ok(moves.join(" "))
}
