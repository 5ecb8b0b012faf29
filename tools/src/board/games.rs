//! What never changes about a game.

use hexmate_movegen::spec::GameSpec;
use hexmate_movegen::{
    AnyPosition, Bits, Cell, Game, GameId, Kind, Letters, PAWN, Position, Side, with_game,
};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::place;
use super::shared::Shared;
use crate::drawing::{bound_to, geometry, paint};
use crate::words;

/// `/api/games`.
pub fn list(shared: &Shared, fields: Fields) -> Result<Value, ApiError> {
    fields.end()?;
    let games = shared.games.iter().enumerate().map(|(i, game)| {
        json!({
            "name": game.name(),
            "title": game.spec().title,
            "line": words::line(game.spec()),
            "cells": game.spec().board.cells(),
            "from_file": i >= shared.shipped,
        })
    });
    Ok(json!({"games": games.collect::<Vec<_>>()}))
}

/// `/api/game`.
pub fn one(shared: &Shared, mut fields: Fields) -> Result<Value, ApiError> {
    let game = place::game(&mut fields, shared)?;
    fields.end()?;
    Ok(with_game!(game, game => object(game)))
}

fn object<G: Game>(game: G) -> Value {
    let (spec, tables) = (game.spec(), game.tables());
    let board = &tables.board;
    let names = |cells: G::Bits| {
        cells
            .cells()
            .map(|cell| board.name(cell))
            .collect::<Vec<_>>()
    };
    let start = Position::start_of(game);
    let values = words::values(game);
    let first = |side: Side| {
        let rules = spec.pawn.first.iter();
        let own = |cell: Cell| match side {
            Side::White => cell,
            Side::Black => tables.mirrored[usize::from(cell)],
        };
        let sets: Vec<_> = rules.map(|rule| board.set(&rule.cells)).collect();
        let cells = board
            .cells()
            .iter()
            .filter(|&&cell| sets.iter().any(|set| set[usize::from(own(cell))]));
        cells.map(|&cell| board.name(cell)).collect::<Vec<_>>()
    };
    let readings: Vec<Value> = spec
        .readings
        .iter()
        .map(|r| json!({"about": r.about, "text": r.text, "reconstruction": r.reconstruction}))
        .collect();
    let mut promotions: Vec<Kind> = (0..spec.pieces.len() as Kind)
        .filter(|&kind| spec.pieces[usize::from(kind)].promotes)
        .collect();
    promotions.sort_by_key(|&kind| std::cmp::Reverse(values[usize::from(kind)]));
    let paint = |side| {
        let (fill, line) = paint(side);
        json!({"fill": fill, "line": line})
    };
    let more = json!({
        "line": words::line(spec),
        "source": spec.source,
        "paint": {"w": paint(Side::White), "b": paint(Side::Black)},
        "promotions": promotions.iter().map(|&kind| small(spec, kind)).collect::<Vec<_>>(),
        "letters": letters(game.id()),
        "start": spec.start,
        "castling": spec.castling.is_some(),
        "castling_cells": names(start.castling_rights()),
        "castling_words": words::castling(game),
        "moved_pawns": spec.pawn.remembers_first_move,
        "first_move_cells": {"w": first(Side::White), "b": first(Side::Black)},
        "promotion_cells": {
            "w": names(tables.promotion_cells(Side::White)),
            "b": names(tables.promotion_cells(Side::Black)),
        },
        "en_passant": spec.pawn.en_passant,
        "pawn_words": words::pawn(spec),
        "ends": {
            "stalemate": {"quarters": spec.stalemate_quarters, "words": words::stalemate(spec)},
            "repetitions": spec.repetitions,
            "no_progress_plies": spec.no_progress_plies,
            "bare_kings_draw": spec.bare_kings_draw,
        },
        "readings": readings,
    });
    let mut object = geometry(game.id());
    add(&mut object, more);
    let kinds = object["kinds"].as_array_mut().into_iter().flatten();
    for (kind, object) in kinds.enumerate() {
        add(object, kind_object(game, kind as Kind, &values));
    }
    object
}

/// Adds the members of an object to another one.
fn add(object: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more);
    }
}

/// The languages whose letters for pieces can be read in this game.
fn letters(game: GameId) -> Vec<&'static str> {
    // English letters are the games' own.
    let names = Letters::languages().filter(|&name| name != "english");
    let fits = |name: &&str| {
        let letters = name.parse::<Letters>();
        letters.is_ok_and(|letters| letters.check(game.spec()).is_ok())
    };
    names.filter(fits).collect()
}

/// What is to be known of a kind beside its name and picture.
fn kind_object<G: Game>(game: G, kind: Kind, values: &[i32]) -> Value {
    let (spec, tables) = (game.spec(), game.tables());
    let piece = &spec.pieces[usize::from(kind)];
    let stands = tables.stands_on[usize::from(kind)].cells();
    let reach = stands.map(|cell| tables.attacks(kind, cell, G::Bits::EMPTY).count());
    json!({
        "words": if kind == PAWN { words::pawn(spec) } else { words::kind(spec, piece) },
        "value": values[usize::from(kind)],
        "worth": words::worth(values, kind),
        "bound": bound_to(spec, kind),
        "promotes": piece.promotes,
        "castles": piece.castles,
        "most_reach": reach.max().unwrap_or(0),
    })
}

fn small(spec: &GameSpec, kind: Kind) -> String {
    char::from(spec.pieces[usize::from(kind)].letter)
        .to_ascii_lowercase()
        .to_string()
}

/// `/api/position`.
pub fn position(shared: &Shared, mut fields: Fields) -> Result<Value, ApiError> {
    let record = place::record(&mut fields, shared)?;
    fields.end()?;
    let first = record.first();
    let mut played = Vec::new();
    let mut before = first;
    for &mv in record.moves() {
        played.push(place::move_object(&before, mv));
        before = before.after(mv);
    }
    let position = record.position();
    let mut legal = position.legal_moves();
    legal.sort_by_key(|&mv| position.text(mv));
    let legal: Vec<Value> = legal
        .iter()
        .map(|&mv| place::move_object(&position, mv))
        .collect();
    let mut object = standing(&position);
    object["game"] = json!(record.game());
    object["first"] = json!(first.to_string());
    object["outcome"] = record.outcome().map_or(Value::Null, |outcome| {
        place::outcome(outcome, record.game())
    });
    object["occurrences"] = json!(record.occurrences());
    object["legal"] = json!(legal);
    object["played"] = json!(played);
    Ok(object)
}

/// What stands where, and everything else that a position text says.
pub fn standing(position: &AnyPosition) -> Value {
    let board = position.board();
    let mut pieces = serde_json::Map::new();
    for &cell in board.cells() {
        if let Some(piece) = position.piece_on(cell) {
            let letter = position.spec().piece_letter(piece).to_string();
            pieces.insert(board.name(cell), json!(letter));
        }
    }
    let more = hexmate_movegen::with_position!(position, p => more(p));
    let mut object = json!({
        "fen": position.to_string(),
        "side": position.side_to_move().letter().to_string(),
        "check": position.in_check(),
        "pieces": pieces,
        "fullmove": position.fullmove_number(),
    });
    for (name, value) in more {
        object[name] = value;
    }
    object
}

/// The parts of a position that depend on the type of its game.
fn more<G: Game>(position: &Position<G>) -> [(&'static str, Value); 5] {
    let board = &position.tables().board;
    let names = |cells: G::Bits| {
        cells
            .cells()
            .map(|cell| board.name(cell))
            .collect::<Vec<_>>()
    };
    let passing = position.en_passant().map(|passing| {
        let crossed: Vec<String> = passing.cells().map(|cell| board.name(cell)).collect();
        json!({"cells": crossed, "stands": board.name(passing.stands)})
    });
    [
        ("checkers", json!(names(position.checkers()))),
        ("castling", json!(names(position.castling_rights()))),
        ("moved", json!(names(position.moved_pawns()))),
        ("en_passant", json!(passing)),
        ("halfmove", json!(position.halfmove_clock())),
    ]
}
