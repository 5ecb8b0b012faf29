//! `hexmate tb probe`.

use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::{Result, bail};
use hexmate_movegen::{Game, with_game};
use hexmate_tablebases::{Tablebases, Value};

use super::Place;
use crate::exit::Exit;
use crate::inputs;

/// Show what the endgame tables say about a position and each of its moves, best first.
///
/// Distances are in plies; the fifty-move rule is ignored.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    /// The position
    #[arg(long)]
    fen: String,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    with_game!(arguments.place.game, game => probe(game, arguments))
}

fn probe<G: Game>(game: G, arguments: &Arguments) -> Result<Exit> {
    let position = inputs::position(game, Some(&arguments.fen))?;
    let (tables, faults) = Tablebases::open(&arguments.place.rules(), &arguments.place.folder)?;
    for fault in faults {
        eprintln!("hexmate: {fault}");
    }
    let (Some(value), Some(moves)) = (tables.probe(&position), tables.moves(&position)) else {
        bail!(
            "no table covers this position; there are {} of {}, of up to {} pieces",
            tables.len(),
            game.spec().name,
            tables.most_men()
        );
    };
    let mut out = format!("{}\n", text(value));
    for (mv, value) in moves {
        let _ = writeln!(out, "{:<8} {}", mv.text(game), text(value));
    }
    write!(std::io::stdout(), "{out}")?;
    Ok(Exit::Success)
}

fn text(value: Value) -> String {
    match value {
        Value::DRAW => "draw".to_owned(),
        Value { category, plies } => format!("{} in {plies} plies", category.name()),
    }
}
