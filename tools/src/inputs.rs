//! Arguments that several commands share, and reading positions from them.

use anyhow::{Context, Result};
use hexmate_movegen::{Game, GameId, Position, Record};

/// Reads a game's name, for the argument parser.
pub fn game(name: &str) -> Result<GameId, hexmate_movegen::UnknownGame> {
    name.parse()
}

/// The position of `--fen`, or the game's starting position.
pub fn position<G: Game>(game: G, fen: Option<&str>) -> Result<Position<G>> {
    match fen {
        Some(text) => Position::from_fen(game, text).context("--fen"),
        None => Ok(Position::start_of(game)),
    }
}

/// The record of a game from a position and moves separated by blanks.
pub fn play<G: Game>(start: Position<G>, moves: &str) -> Result<Record<G>, PlayError> {
    let mut record = Record::new(start);
    for (i, text) in moves.split_whitespace().enumerate() {
        let fault = |source| PlayError {
            number: i + 1,
            source,
        };
        let mv = record.position().parse_move(text).map_err(fault)?;
        // Legal by the line above.
        record.play(mv).expect("a parsed move is legal");
    }
    Ok(record)
}

/// A list of moves that cannot be played.
#[derive(Debug, thiserror::Error)]
#[error("move {number}: {source}")]
pub struct PlayError {
    /// Which move of the list, from 1.
    number: usize,
    source: hexmate_movegen::MoveError,
}
