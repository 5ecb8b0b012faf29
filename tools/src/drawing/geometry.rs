//! What the element `<hexmate-board>` has to know of a game, as JSON: where the cells are, and the pictures of the
//! pieces. Lengths are in edges of a cell.

use std::f64::consts::PI;

use hexmate_movegen::spec::{E1, E2, E3, GameSpec, NEG_E1, NEG_E2, NEG_E3, Step};
use hexmate_movegen::{AnyPosition, Board, Cell, GameId, Kind};
use serde_json::{Value, json};

use super::{Plan, Sign, bound_to, colour_name, colours_matter, glyph, segments, tones};

/// A name at the edge of the board, and its middle.
pub struct Label {
    /// A letter of a file or the number of a row.
    pub text: String,
    /// To the right of the board's left end.
    pub x: f64,
    /// Below its upper end.
    pub y: f64,
}

/// Geometry and pictures of a game.
pub fn geometry(game: GameId) -> Value {
    let position = AnyPosition::start(game);
    let (spec, board) = (game.spec(), position.board());
    let (plan, extent) = Plan::tight(board);
    let directions = directions(board);
    let cells = board.cells().iter().map(|&cell| {
        let (x, y) = plan.centre(board, cell);
        let neighbours = directions.map(|(_, step)| board.step(cell, step).map(|c| board.name(c)));
        json!({
            "name": board.name(cell),
            "x": rounded(x),
            "y": rounded(y),
            "colour": board.colour(cell),
            "row": board.row_number(cell),
            "neighbours": neighbours,
        })
    });
    let tones = tones(spec);
    let colours = (0..spec.board.colouring.count)
        .map(|c| json!({"name": colour_name(spec, c), "tone": tones[usize::from(c)]}));
    let labels = labels(board, &plan)
        .into_iter()
        .map(|label| json!({"text": label.text, "x": rounded(label.x), "y": rounded(label.y)}));
    json!({
        "name": spec.name,
        "title": spec.title,
        "upright": spec.board.upright_files,
        "box": [rounded(extent.0), rounded(extent.1)],
        "corners": plan.corners().map(|(x, y)| [rounded(x), rounded(y)]),
        "directions": directions.map(|(name, _)| name),
        "cells": cells.collect::<Vec<_>>(),
        "labels": labels.collect::<Vec<_>>(),
        "colours": colours.collect::<Vec<_>>(),
        "colours_matter": colours_matter(spec),
        "kinds": (0..spec.pieces.len() as Kind).map(|kind| kind_of(spec, kind)).collect::<Vec<_>>(),
    })
}

fn kind_of(spec: &GameSpec, kind: Kind) -> Value {
    let piece = &spec.pieces[usize::from(kind)];
    let letter = char::from(piece.letter).to_string();
    let picture = match glyph(spec, kind) {
        Some(glyph) => json!({"glyph": {"outline": glyph.outline, "lines": glyph.lines}}),
        None => {
            let sign = Sign::of(spec, kind);
            let bound = bound_to(spec, kind);
            let arcs = bound.iter().zip(segments(bound.len()));
            let arcs = arcs.map(|(colour, path)| json!({"colour": colour, "path": path}));
            let arcs: Vec<Value> = arcs.collect();
            json!({"disc": {"letter": letter, "arcs": arcs, "lines": sign.lines, "dots": sign.dots}})
        }
    };
    json!({"letter": letter, "name": piece.name, "picture": picture})
}

/// The six directions of neighbours clockwise from the top of the picture, with their names.
fn directions(board: &Board) -> [(&'static str, Step); 6] {
    let steps = match board.spec().upright_files {
        true => [E2, E1, NEG_E3, NEG_E2, NEG_E1, E3],
        false => [E1, NEG_E3, NEG_E2, NEG_E1, E3, E2],
    };
    let names = match board.spec().upright_files {
        true => ["n", "ne", "se", "s", "sw", "nw"],
        false => ["ne", "e", "se", "sw", "w", "nw"],
    };
    std::array::from_fn(|i| (names[i], steps[i]))
}

/// Letters of files below their lowest cells, numbers of rows beside their ends.
pub fn labels(board: &Board, plan: &Plan) -> Vec<Label> {
    // A little more than half of a cell, and half of the text.
    const BELOW: f64 = 1.32;
    const BESIDE: f64 = 1.38;
    let upright = board.spec().upright_files;
    let mut labels = Vec::new();
    let mut put = |text: &str, cell: Cell, degrees: f64, away: f64| {
        let (x, y) = plan.centre(board, cell);
        let (sin, cos) = (degrees * PI / 180.0).sin_cos();
        labels.push(Label {
            text: text.to_owned(),
            x: x + away * cos,
            y: y - away * sin,
        });
    };
    for &cell in board.cells() {
        if board.step(cell, NEG_E2).is_none() {
            let file = &board.name(cell)[..1];
            put(file, cell, if upright { 270.0 } else { 300.0 }, BELOW);
        }
    }
    for row in board.rows() {
        let (Some(&first), Some(&last)) = (row.first(), row.last()) else {
            continue;
        };
        let number = |cell| board.row_number(cell).to_string();
        // Where a row is bent in the middle, its number stands at both ends; some rows end below other cells.
        if board.step(first, E3).is_none() {
            put(
                &number(first),
                first,
                if upright { 150.0 } else { 180.0 },
                BESIDE,
            );
        }
        if upright && board.step(last, E1).is_none() {
            put(&number(last), last, 30.0, BESIDE);
        }
    }
    labels
}

fn rounded(value: f64) -> f64 {
    // Without a sign before zero.
    (value * 10_000.0).round() / 10_000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cells_lie_within_the_box() {
        for &game in GameId::shipped() {
            let geometry = geometry(game);
            let list = |name: &str| geometry[name].as_array().unwrap().clone();
            let size = [0, 1].map(|i| geometry["box"][i].as_f64().unwrap());
            let cells = list("cells");
            assert_eq!(cells.len(), AnyPosition::start(game).board().cells().len());
            for cell in &cells {
                let at = [cell["x"].as_f64().unwrap(), cell["y"].as_f64().unwrap()];
                for corner in list("corners") {
                    for i in 0..2 {
                        let place = at[i] + corner[i].as_f64().unwrap();
                        assert!((-1e-3..=size[i] + 1e-3).contains(&place), "{game}: {cell}");
                    }
                }
                // Whoever is a neighbour has this one as a neighbour on the other side.
                for (i, name) in cell["neighbours"].as_array().unwrap().iter().enumerate() {
                    let Some(other) = cells.iter().find(|c| &c["name"] == name) else {
                        continue;
                    };
                    assert_eq!(other["neighbours"][(i + 3) % 6], cell["name"], "{game}");
                }
            }
            assert_eq!(list("kinds").len(), game.spec().pieces.len());
            assert!(list("labels").len() >= 10);
        }
    }
}
