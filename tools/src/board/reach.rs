//! `/api/reach`: where a piece goes, and why not further.

use hexmate_movegen::{
    AnyPosition, Cell, PathEnd, Piece, ReachPath, Side, WayOfGoing, reach, with_position,
};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::place;
use super::shared::Shared;
use crate::words;

/// The answer.
pub fn answer(shared: &Shared, mut fields: Fields) -> Result<Value, ApiError> {
    let record = place::record(&mut fields, shared)?;
    let position = record.position();
    let name = fields.required_text("cell")?;
    let cell = cell_of(&position, "cell", &name)?;
    let imagined = match fields.text("piece")? {
        Some(letter) => Some(piece_of(&position, "piece", &letter)?),
        None => None,
    };
    fields.end()?;
    let standing = position.piece_on(cell);
    let piece = imagined.or(standing).ok_or_else(|| {
        let message = format!(
            "nothing stands on {name}; name a cell with a piece, or a \"piece\" to imagine"
        );
        ApiError::bad("cell", message).of("cell")
    })?;
    let paths = reach(&position, piece, cell);
    let own = imagined.is_none() && piece.side == position.side_to_move();
    let mut legal = if own {
        position.legal_moves()
    } else {
        Vec::new()
    };
    legal.retain(|mv| mv.from == cell);
    legal.sort_by_key(|&mv| position.text(mv));
    let could = paths.iter().map(targets).sum::<usize>();
    let mut cells: Vec<Cell> = legal.iter().map(|mv| mv.to).collect();
    cells.dedup();
    let attacks = with_position!(&position, p => {
        let seen = p.tables().attacks_of(piece, cell, p.occupied());
        hexmate_movegen::Bits::cells(seen).collect::<Vec<Cell>>()
    });
    let kind = &position.spec().pieces[usize::from(piece.kind)];
    Ok(json!({
        "cell": name,
        "piece": position.spec().piece_letter(piece).to_string(),
        "name": kind.name,
        "words": match piece.kind {
            hexmate_movegen::PAWN => words::pawn(position.spec()),
            _ => words::kind(position.spec(), kind),
        },
        "paths": paths.iter().map(|path| object(&position, path)).collect::<Vec<_>>(),
        "attacks": place::names(&position, attacks),
        "moves": legal.iter().map(|&mv| place::move_object(&position, mv)).collect::<Vec<_>>(),
        "pinned": own && !position.in_check() && cells.len() < could && piece.kind != hexmate_movegen::KING,
    }))
}

/// How many cells a path lets the piece go to.
fn targets(path: &ReachPath) -> usize {
    let captures = match (path.way, path.end) {
        (WayOfGoing::Step, _) => 0,
        (_, PathEnd::Enemy(_)) => 1,
        _ => 0,
    };
    path.open + captures
}

fn object(position: &AnyPosition, path: &ReachPath) -> Value {
    let (end, at) = match path.end {
        PathEnd::Edge => ("edge", None),
        PathEnd::Reach => ("reach", None),
        PathEnd::Own(cell) => ("own", Some(cell)),
        PathEnd::Enemy(cell) => ("enemy", Some(cell)),
        PathEnd::Empty => ("empty", None),
    };
    let piece = at.and_then(|cell| position.piece_on(cell));
    json!({
        "kind": match path.way {
            WayOfGoing::Move => "move",
            WayOfGoing::Step => "step",
            WayOfGoing::Capture => "capture",
            WayOfGoing::EnPassant => "en_passant",
        },
        "cells": place::names(position, path.cells.iter().copied()),
        "open": path.open,
        "end": end,
        "at": at.map(|cell| position.board().name(cell)),
        "blocker": piece.map(|piece| position.spec().piece_letter(piece).to_string()),
    })
}

/// A cell by its name.
///
/// # Errors
/// If the board has none of this name.
pub fn cell_of(position: &AnyPosition, field: &str, name: &str) -> Result<Cell, ApiError> {
    position.board().parse_cell(name).ok_or_else(|| {
        let name: String = name.chars().take(20).collect();
        ApiError::bad("cell", format!("'{name}' is no cell of this board")).of(field)
    })
}

/// A piece by its letter, upper case for White.
///
/// # Errors
/// If the game has no such piece.
pub fn piece_of(position: &AnyPosition, field: &str, text: &str) -> Result<Piece, ApiError> {
    let letter = match text.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(*letter),
        _ => None,
    };
    let kind = letter.and_then(|letter| position.spec().kind_of_letter(letter));
    let (Some(letter), Some(kind)) = (letter, kind) else {
        let text: String = text.chars().take(20).collect();
        let message = format!("'{text}' is no letter of a piece of this game");
        return Err(ApiError::field(field, message));
    };
    let side = if letter.is_ascii_uppercase() {
        Side::White
    } else {
        Side::Black
    };
    Ok(Piece { kind, side })
}
