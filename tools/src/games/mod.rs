//! `hexmate games`: the games and how their rules are interpreted; checks of games in files; pages of their rules.

mod check;
mod pages;

use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::{Context, Result};
use hexmate_movegen::spec::{CellRule, FirstMove, GameSpec};
use hexmate_movegen::{Bits, Board, Cell, Game, GameId, Kind, PAWN, Side, with_game};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::inputs;
use crate::stdout::CANNOT_PRINT;
use crate::terminal;
use crate::words;

/// List the games, show the rules of one and how they are interpreted, check a game in a file, or write pages of rules.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Show this game in full
    #[arg(value_parser = inputs::game)]
    name: Option<GameId>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Read files of games, draw them, and try the move generator on them
    Check(check::Arguments),
    /// Write the rules of games as pages in Markdown, with pictures
    Pages(pages::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    match &arguments.command {
        Some(Command::Check(arguments)) => return check::run(arguments),
        Some(Command::Pages(arguments)) => return pages::run(arguments),
        None => {}
    }
    let text = match (arguments.name, arguments.json) {
        (Some(game), false) => {
            wrapped(&with_game!(game, game => describe(game)), terminal::width())
        }
        (Some(game), true) => format!("{:#}\n", with_game!(game, game => object(game))),
        (None, false) => list(),
        (None, true) => {
            let games = GameId::shipped().iter();
            let all: Vec<Value> = games
                .map(|&g| with_game!(g, game => object(game)))
                .collect();
            format!("{:#}\n", Value::from(all))
        }
    };
    write!(std::io::stdout(), "{text}").context(CANNOT_PRINT)?;
    Ok(Exit::Success)
}

/// The lines of a text, wrapped behind their indents. A position text stays whole: it is copied.
fn wrapped(text: &str, width: Option<usize>) -> String {
    let lines = text.lines().map(|line| {
        let width = width.filter(|_| !line.starts_with("start: "));
        let words = line.trim_start();
        let indent = &line[..line.len() - words.len()];
        terminal::wrapped(words, width, indent, indent)
    });
    lines.collect()
}

fn list() -> String {
    let mut text = String::new();
    for &game in GameId::shipped() {
        let cells = with_game!(game, game => game.tables().board.cells().len());
        let spec = game.spec();
        let _ = writeln!(text, "{:<11} {cells:>3} cells  {}", spec.name, spec.title);
    }
    text
}

fn describe<G: Game>(game: G) -> String {
    let spec = game.spec();
    let mut text = format!(
        "{} ({})\nsource: {}\ncells: {}\nstart: {}\n\npieces:\n",
        spec.title,
        spec.name,
        spec.source,
        game.tables().board.cells().len(),
        spec.start
    );
    for (kind, piece) in spec.pieces.iter().enumerate() {
        let reach = most_reach(game, kind as u8);
        let _ = write!(text, "  {}  {:<14}", char::from(piece.letter), piece.name);
        if reach > 0 {
            let _ = write!(text, " at most {reach} cells on an empty board");
        }
        if piece.castles {
            text.push_str("; castles with the king");
        }
        text.truncate(text.trim_end().len());
        let _ = writeln!(text, "\n     {}", moves_in_words(spec, kind as u8));
    }
    let pawn = &spec.pawn;
    let _ = writeln!(
        text,
        "\npawns: White steps {:?}, captures {:?} (vectors da, dy)",
        pawn.steps, pawn.captures,
    );
    for first in pawn.first {
        let _ = writeln!(text, "{}", first_move(first, pawn.remembers_first_move));
    }
    if pawn.blocked_by_enemy {
        text.push_str("an enemy piece on any cell one step ahead bars all steps\n");
    }
    let _ = writeln!(
        text,
        "promotion: to {}, White's on {}",
        promotion_letters(spec),
        promotion_cells(game).join(" ")
    );
    let castling = words::castling(game);
    let _ = writeln!(text, "castling: {}", castling.as_deref().unwrap_or("no"));
    let _ = writeln!(
        text,
        "stalemate: {} to the stalemated side",
        words::quarters(spec.stalemate_quarters)
    );
    let _ = writeln!(
        text,
        "draws: {} occurrences of a position, {} plies without capture or pawn move{}",
        spec.repetitions,
        spec.no_progress_plies,
        if spec.bare_kings_draw {
            ", king against king"
        } else {
            ""
        }
    );
    for reading in spec.readings {
        let what = if reading.reconstruction {
            "RECONSTRUCTION"
        } else {
            "reading"
        };
        let _ = writeln!(text, "\n{what}, {}: {}", reading.about, reading.text);
    }
    text
}

fn object<G: Game>(game: G) -> Value {
    let spec = game.spec();
    let pieces: Vec<Value> = spec
        .pieces
        .iter()
        .enumerate()
        .map(|(kind, p)| {
            json!({
                "letter": char::from(p.letter).to_string(),
                "name": p.name,
                "words": moves_in_words(spec, kind as u8),
                "promotes": p.promotes,
                "castles": p.castles,
                "most_reach": most_reach(game, kind as u8),
            })
        })
        .collect();
    let readings: Vec<Value> = spec
        .readings
        .iter()
        .map(|r| json!({"about": r.about, "reconstruction": r.reconstruction, "text": r.text}))
        .collect();
    json!({
        "name": spec.name,
        "title": spec.title,
        "source": spec.source,
        "cells": game.tables().board.cells().len(),
        "start": spec.start,
        "pieces": pieces,
        "castling": spec.castling.is_some(),
        "castling_words": words::castling(game),
        "en_passant": spec.pawn.en_passant,
        "promotion_cells": promotion_cells(game),
        "remembers_first_move": spec.pawn.remembers_first_move,
        "stalemated_side_gets": f64::from(spec.stalemate_quarters) / 4.0,
        "repetitions": spec.repetitions,
        "no_progress_plies": spec.no_progress_plies,
        "readings": readings,
    })
}

/// The most cells that a kind attacks from anywhere on an empty board.
fn most_reach<G: Game>(game: G, kind: u8) -> u32 {
    let tables = game.tables();
    let cells = tables.stands_on[usize::from(kind)].cells();
    cells
        .map(|c| tables.attacks(kind, c, G::Bits::EMPTY).count())
        .max()
        .unwrap_or(0)
}

/// How a kind moves.
fn moves_in_words(spec: &GameSpec, kind: Kind) -> String {
    match kind {
        PAWN => words::pawn(spec),
        kind => words::kind(spec, &spec.pieces[usize::from(kind)]),
    }
}

/// Where White's pawns are promoted.
fn promotion_cells<G: Game>(game: G) -> Vec<String> {
    let tables = game.tables();
    let cells = tables.promotion_cells(Side::White).cells();
    cells.map(|cell| tables.board.name(cell)).collect()
}

/// What pawns may do on their first move, in words.
fn first_move(first: &FirstMove, remembered: bool) -> String {
    let steps = ["", "a single step", "a double step", "up to three steps"];
    let steps = steps[usize::from(first.steps.min(3))];
    let captures = if first.captures.is_empty() {
        String::new()
    } else {
        format!(", captures {:?} besides", first.captures)
    };
    let only = if remembered {
        ", on the first move only"
    } else {
        ""
    };
    format!("{steps}{captures} from {}{only}", cell_rule(&first.cells))
}

fn cell_rule(rule: &CellRule) -> String {
    match rule {
        CellRule::Names(names) => (*names).to_owned(),
        CellRule::Rows(rows) => format!("rows {rows:?}, counted from the own edge"),
    }
}

fn promotion_letters(spec: &GameSpec) -> String {
    let letters = spec.pieces.iter().filter(|p| p.promotes);
    letters.map(|p| char::from(p.letter)).collect()
}

/// The cell that is nearest to the middle of the board.
fn nearest(board: &Board, among: impl IntoIterator<Item = Cell>) -> Option<Cell> {
    let at = |cell: Cell| {
        let (a, y) = board.at(cell);
        (i64::from(a), i64::from(y))
    };
    let number = board.cells().len() as i64;
    let sum = board.cells().iter().map(|&c| at(c));
    let sum = sum.fold((0, 0), |sum, (a, y)| (sum.0 + a, sum.1 + y));
    let distance = |cell: &Cell| {
        let (a, y) = at(*cell);
        let (a, y) = (number * a - sum.0, number * y - sum.1);
        // On a board of hexagons (1, 1) is as near as (1, 0) and (0, 1).
        a * a + y * y - a * y
    };
    among.into_iter().min_by_key(distance)
}
