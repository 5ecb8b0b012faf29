//! `/api/setup`: an edited position, or all rules that it breaks.

use hexmate_movegen::{
    AnyPosition, Bits, Cell, EnPassant, Game, Piece, PositionError, Setup, Side, with_game,
};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::place;
use super::reach::{cell_of, piece_of};
use super::shared::Shared;
use crate::outcome::side_name;

/// What was asked for, on a board of any game.
struct Edited {
    pieces: Vec<(Cell, Piece)>,
    side: Side,
    castling: Vec<Cell>,
    moved: Vec<Cell>,
    /// The crossed cell.
    en_passant: Option<Cell>,
    halfmove: u16,
    fullmove: u16,
}

/// The answer.
pub fn answer(shared: &Shared, mut fields: Fields) -> Result<Value, ApiError> {
    let game = place::game(&mut fields, shared)?;
    // For the names of its cells and the letters of its pieces.
    let start = AnyPosition::start(game);
    let pieces = fields.object("pieces")?.ok_or_else(|| {
        ApiError::field("pieces", "\"pieces\" is missing; expected letters by cell")
    })?;
    let mut edited = Edited {
        pieces: Vec::new(),
        side: Side::White,
        castling: Vec::new(),
        moved: Vec::new(),
        en_passant: None,
        halfmove: 0,
        fullmove: 1,
    };
    for (name, letter) in pieces.rest() {
        let cell = cell_of(&start, "pieces", &name)?;
        let Value::String(letter) = letter else {
            return Err(super::fields::wrong("pieces", &letter, "letters by cell"));
        };
        edited
            .pieces
            .push((cell, piece_of(&start, "pieces", &letter)?));
    }
    edited.side = match fields.text("side")?.as_deref() {
        None | Some("w") => Side::White,
        Some("b") => Side::Black,
        Some(_) => return Err(ApiError::field("side", "\"side\" is not \"w\" or \"b\"")),
    };
    for (name, list) in [
        ("castling", &mut edited.castling),
        ("moved", &mut edited.moved),
    ] {
        for (i, cell) in fields
            .texts(name, 256)?
            .unwrap_or_default()
            .iter()
            .enumerate()
        {
            list.push(cell_of(&start, name, cell).map_err(|error| error.at(i))?);
        }
    }
    if let Some(name) = fields.text("en_passant")? {
        edited.en_passant = Some(cell_of(&start, "en_passant", &name)?);
    }
    let most = u64::from(u16::MAX);
    edited.halfmove = fields.number("halfmove", 0..=most)?.unwrap_or(0) as u16;
    edited.fullmove = fields.number("fullmove", 0..=most)?.unwrap_or(1) as u16;
    fields.end()?;
    Ok(with_game!(game, game => judged(game, &edited)))
}

fn judged<G: Game>(game: G, edited: &Edited) -> Value {
    let board = &game.tables().board;
    let mut setup = Setup::new(game);
    for &(cell, piece) in &edited.pieces {
        setup.set(cell, Some(piece));
    }
    setup.side = edited.side;
    setup.halfmove = edited.halfmove;
    setup.fullmove = edited.fullmove;
    let bare = setup;
    for (list, set) in [
        (&edited.castling, &mut setup.castling),
        (&edited.moved, &mut setup.moved),
    ] {
        for &cell in list {
            *set |= G::Bits::of(cell);
        }
    }
    let passing = possible_en_passant(&bare);
    let mut faults: Vec<Value> = Vec::new();
    if let Some(crossed) = edited.en_passant {
        let known = passing.iter().find(|passing| passing.crosses(crossed));
        // One that cannot be right is told in the same words as all others.
        let wrong = EnPassant::new(crossed, crossed);
        setup.en_passant = Some(known.copied().unwrap_or(wrong));
    }
    let found = setup.faults();
    faults.extend(found.iter().map(|fault| object(game, fault)));
    let position = setup.build().ok();
    let may_castle = board.cells().iter().filter(|&&cell| {
        let mut setup = bare;
        setup.castling = G::Bits::of(cell);
        !setup
            .faults()
            .iter()
            .any(|fault| matches!(fault, PositionError::CastlingRight { .. }))
    });
    let may_castle: Vec<String> = may_castle.map(|&cell| board.name(cell)).collect();
    let crossed: Vec<String> = passing
        .iter()
        .map(|passing| board.name(passing.crossed))
        .collect();
    json!({
        "valid": position.is_some(),
        "fen": position.map(|position| position.to_string()),
        "faults": faults,
        "may_castle": may_castle,
        "may_en_passant": crossed,
    })
}

/// The double steps that could have just been made, as the pieces stand.
fn possible_en_passant<G: Game>(setup: &Setup<G>) -> Vec<EnPassant> {
    let game = setup.game();
    let (board, pawn) = (&game.tables().board, &game.spec().pawn);
    if !pawn.en_passant {
        return Vec::new();
    }
    let mover = setup.side.other();
    let forward = |(a, y): (i8, i8)| match mover {
        Side::White => (a, y),
        Side::Black => (-a, -y),
    };
    let mut found = Vec::new();
    for &origin in board.cells() {
        for &step in pawn.steps {
            let step = forward(step);
            let Some(crossed) = board.step(origin, step) else {
                continue;
            };
            let second = board.step(crossed, step);
            let third = second.and_then(|cell| board.step(cell, step));
            let twice = second.map(|stands| EnPassant::new(crossed, stands));
            let thrice = second.zip(third).map(|(crossed_last, stands)| EnPassant {
                crossed,
                crossed_last,
                stands,
            });
            for passing in twice.into_iter().chain(thrice) {
                let mut setup = *setup;
                setup.en_passant = Some(passing);
                let wrong =
                    |fault: &PositionError| matches!(fault, PositionError::EnPassant { .. });
                if !setup.faults().iter().any(wrong) && !found.contains(&passing) {
                    found.push(passing);
                }
            }
        }
    }
    found
}

/// A rule that is broken.
fn object<G: Game>(game: G, fault: &PositionError) -> Value {
    let board = &game.tables().board;
    let (rule, name, side) = match fault {
        PositionError::NoKing { side, .. } => ("king", None, Some(*side)),
        PositionError::ManyKings { side, name, .. } => ("kings", Some(name), Some(*side)),
        PositionError::PawnOnPromotionCell { side, name, .. } => {
            ("promotion_cell", Some(name), Some(*side))
        }
        PositionError::OffColour { name, .. } => ("colour", Some(name), None),
        PositionError::OpponentInCheck { side, name, .. } => {
            ("in_check", Some(name), Some(side.other()))
        }
        PositionError::CastlingRight { name, .. } => ("castling", Some(name), None),
        PositionError::MovedPawn { name, .. } => ("moved", Some(name), None),
        PositionError::EnPassant { name, .. } => ("en_passant", Some(name), None),
        PositionError::OffBoard { .. } => ("cell", None, None),
        PositionError::FullMoveZero => ("fullmove", None, None),
    };
    let message = match fault {
        // Those who edit a board see no letters.
        PositionError::NoKing { side, .. } => format!("{} has no king", side_name(*side)),
        PositionError::ManyKings { side, count, .. } => {
            format!("{} has {count} kings; expected one", side_name(*side))
        }
        other => other.to_string(),
    };
    let cell = name.filter(|name| board.parse_cell(name).is_some());
    json!({
        "rule": rule,
        "message": message,
        "cell": cell,
        "side": side.map(|side| side.letter().to_string()),
    })
}
