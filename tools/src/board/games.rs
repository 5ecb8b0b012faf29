//! What never changes about a game.

use std::f64::consts::PI;

use hexmate_engine::Handmade;
use hexmate_movegen::spec::{E1, E2, E3, GameSpec, NEG_E1, NEG_E2, NEG_E3, Step};
use hexmate_movegen::{
    AnyPosition, Bits, Board, Cell, Game, GameId, KING, Kind, Letters, PAWN, Position, Side,
    with_game,
};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::place;
use super::shared::Shared;
use super::words;
use crate::drawing::{
    Plan, Sign, bound_to, colour_name, colours_matter, glyph, paint, segments, tones,
};

/// `/api/games`.
pub fn list(shared: &Shared, fields: Fields) -> Result<Value, ApiError> {
    fields.end()?;
    let games = shared.games.iter().enumerate().map(|(i, game)| {
        json!({
            "name": game.name(),
            "title": game.spec().title,
            "line": line(*game),
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

/// What a game is, in a line.
fn line(game: GameId) -> String {
    let spec = game.spec();
    let mut parts = vec![
        format!("{} cells", spec.board.cells()),
        format!("{} kinds of pieces", spec.pieces.len()),
    ];
    if spec.castling.is_some() {
        parts.push("castling".to_owned());
    }
    parts.push(format!("stalemate: {}", stalemate(spec)));
    parts.join(", ")
}

fn stalemate(spec: &GameSpec) -> String {
    match spec.stalemate_quarters {
        0 => "a loss".to_owned(),
        2 => "a draw".to_owned(),
        4 => "a win for the stalemated side".to_owned(),
        own => format!(
            "{} to the side that gave it, {} to the other",
            place::quarters(4 - own),
            place::quarters(own)
        ),
    }
}

/// The six edge directions clockwise from the top of the picture, with their names.
fn directions(board: &Board) -> [(&'static str, Step); 6] {
    if board.spec().upright_files {
        [
            ("n", E2),
            ("ne", E1),
            ("se", NEG_E3),
            ("s", NEG_E2),
            ("sw", NEG_E1),
            ("nw", E3),
        ]
    } else {
        [
            ("ne", E1),
            ("e", NEG_E3),
            ("se", NEG_E2),
            ("sw", NEG_E1),
            ("w", E3),
            ("nw", E2),
        ]
    }
}

fn object<G: Game>(game: G) -> Value {
    let (spec, tables) = (game.spec(), game.tables());
    let board = &tables.board;
    let (plan, extent) = Plan::tight(board);
    let directions = directions(board);
    let names = |cells: G::Bits| {
        cells
            .cells()
            .map(|cell| board.name(cell))
            .collect::<Vec<_>>()
    };
    let cells: Vec<Value> = board
        .cells()
        .iter()
        .map(|&cell| {
            let (x, y) = plan.centre(board, cell);
            let neighbours =
                directions.map(|(_, step)| board.step(cell, step).map(|c| board.name(c)));
            json!({
                "name": board.name(cell),
                "x": rounded(x),
                "y": rounded(y),
                "colour": board.colour(cell),
                "row": board.row_number(cell),
                "neighbours": neighbours,
            })
        })
        .collect();
    let tones = tones(spec);
    let colours: Vec<Value> = (0..spec.board.colouring.count)
        .map(|c| json!({"name": colour_name(spec, c), "tone": tones[usize::from(c) % tones.len()]}))
        .collect();
    let start = Position::start_of(game);
    let values = values(game);
    let kinds: Vec<Value> = (0..spec.pieces.len() as Kind)
        .map(|kind| kind_object(game, kind, values[usize::from(kind)]))
        .collect();
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
    json!({
        "name": spec.name,
        "title": spec.title,
        "line": line(game.id()),
        "source": spec.source,
        "upright": spec.board.upright_files,
        "box": [rounded(extent.0), rounded(extent.1)],
        "corners": plan.corners().map(|(x, y)| [rounded(x), rounded(y)]),
        "directions": directions.map(|(name, _)| name),
        "cells": cells,
        "labels": labels(board, &plan),
        "colours": colours,
        "colours_matter": colours_matter(spec),
        "paint": {"w": paint(Side::White), "b": paint(Side::Black)},
        "kinds": kinds,
        "promotions": promotions.iter().map(|&kind| small(spec, kind)).collect::<Vec<_>>(),
        "letters": letters(game.id()),
        "start": spec.start,
        "castling": spec.castling.is_some(),
        "castling_cells": names(start.castling_rights()),
        "castling_words": words::castling(spec),
        "moved_pawns": spec.pawn.remembers_first_move,
        "first_move_cells": {"w": first(Side::White), "b": first(Side::Black)},
        "promotion_cells": {
            "w": names(tables.promotion_cells(Side::White)),
            "b": names(tables.promotion_cells(Side::Black)),
        },
        "en_passant": spec.pawn.en_passant,
        "pawn_words": words::pawn(spec),
        "ends": {
            "stalemate": {"quarters": spec.stalemate_quarters, "words": stalemate(spec)},
            "repetitions": spec.repetitions,
            "no_progress_plies": spec.no_progress_plies,
            "bare_kings_draw": spec.bare_kings_draw,
        },
        "readings": readings,
    })
}

/// The languages whose letters for pieces can be read in this game.
fn letters(game: GameId) -> Vec<&'static str> {
    let names = ["hungarian", "polish", "german", "french", "spanish"];
    let fits = |name: &&str| {
        let letters = name.parse::<Letters>();
        letters.is_ok_and(|letters| letters.check(game.spec()).is_ok())
    };
    names.into_iter().filter(fits).collect()
}

fn kind_object<G: Game>(game: G, kind: Kind, value: i32) -> Value {
    let (spec, tables) = (game.spec(), game.tables());
    let piece = &spec.pieces[usize::from(kind)];
    let stands = tables.stands_on[usize::from(kind)].cells();
    let reach = stands.map(|cell| tables.attacks(kind, cell, G::Bits::EMPTY).count());
    let bound = bound_to(spec, kind);
    let letter = char::from(piece.letter).to_string();
    let picture = match glyph(spec, kind) {
        Some(glyph) => json!({"glyph": {"outline": glyph.outline, "lines": glyph.lines}}),
        None => {
            let sign = Sign::of(spec, kind);
            let arcs = bound.iter().zip(segments(bound.len()));
            let arcs: Vec<Value> = arcs
                .map(|(colour, path)| json!({"colour": colour, "path": path}))
                .collect();
            json!({"disc": {"letter": letter, "arcs": arcs, "lines": sign.lines, "dots": sign.dots}})
        }
    };
    json!({
        "letter": letter,
        "name": piece.name,
        "words": if kind == PAWN { words::pawn(spec) } else { words::kind(spec, piece) },
        "value": value,
        "bound": bound,
        "promotes": piece.promotes,
        "castles": piece.castles,
        "most_reach": reach.max().unwrap_or(0),
        "picture": picture,
    })
}

fn small(spec: &GameSpec, kind: Kind) -> String {
    char::from(spec.pieces[usize::from(kind)].letter)
        .to_ascii_lowercase()
        .to_string()
}

/// What each kind is worth to the evaluation at the start, in centipawns; 0 for the king.
fn values<G: Game>(game: G) -> Vec<i32> {
    let evaluation = Handmade::of(game);
    (0..game.spec().pieces.len() as Kind)
        .map(|kind| {
            if kind == KING {
                0
            } else {
                evaluation.value(kind)
            }
        })
        .collect()
}

fn rounded(value: f64) -> f64 {
    // Without a sign before zero.
    (value * 10_000.0).round() / 10_000.0 + 0.0
}

/// Letters of files below their lowest cells, numbers of rows beside their ends.
fn labels(board: &Board, plan: &Plan) -> Vec<Value> {
    let upright = board.spec().upright_files;
    let mut labels = Vec::new();
    let mut label = |text: String, cell: Cell, angle: f64, away: f64| {
        let (x, y) = plan.centre(board, cell);
        let (sin, cos) = (angle * PI / 180.0).sin_cos();
        let (x, y) = (x + away * cos, y - away * sin);
        labels.push(json!({"text": text, "x": rounded(x), "y": rounded(y)}));
    };
    // A little more than half of a cell, and half of the text.
    let (straight, aside) = (1.32, 1.38);
    for &cell in board.cells() {
        if board.step(cell, NEG_E2).is_none() {
            let letter = board.name(cell)[..1].to_owned();
            label(letter, cell, if upright { 270.0 } else { 300.0 }, straight);
        }
    }
    for row in board.rows() {
        let number = |cell| board.row_number(cell).to_string();
        let (Some(&first), Some(&last)) = (row.first(), row.last()) else {
            continue;
        };
        if upright {
            // A row is bent in the middle: its number stands at both ends.
            label(number(first), first, 150.0, aside);
            label(number(last), last, 30.0, aside);
        } else {
            label(number(first), first, 180.0, aside);
        }
    }
    labels
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
    object["game"] = json!(record.game().name());
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
fn standing(position: &AnyPosition) -> Value {
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
