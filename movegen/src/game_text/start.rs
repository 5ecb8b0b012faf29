//! The table `start`: where the pieces stand, and whether that is a position.

use super::castling::rights;
use super::check::{Places, letter};
use super::error::GameFault;
use super::geometry::{Array, Geometry, counterpart};
use super::tree::{Item, Section};
use super::words::cell;
use crate::board::Board;
use crate::quoted::abridged;
use crate::rules::spec::{Mirror, PieceSpec};
use crate::rules::{KING, Kind, PAWN, Piece, Side};
use crate::sets::Cell;

/// The first position.
pub(super) struct Start {
    pub array: Array,
    /// Whether the sides may stand differently.
    pub uneven: bool,
}

/// Reads the array: `placement`, or `white` and perhaps `black`.
pub(super) fn read(
    section: Section<'_>,
    board: &Board,
    pieces: &[PieceSpec],
    mirror: &Mirror,
) -> Option<Start> {
    let mut section = section;
    let placement = section.get("placement");
    let white = section.get("white");
    let black = section.get("black");
    let uneven = section.get("uneven");
    let (log, at, key) = (section.log, section.at, section.full("white"));
    section.finish();
    let uneven = uneven.map_or(Some(false), |item| item.truth())?;
    let mut array: Array = vec![None; 1 + usize::from(Cell::MAX)];
    match (placement, white) {
        (Some(item), None) => {
            if let Some(black) = black {
                black.bad("'placement' has the pieces of both sides; leave this key out");
                return None;
            }
            rows(&item, board, pieces, &mut array)?;
        }
        (None, Some(white)) => {
            list(&white, Side::White, board, pieces, &mut array)?;
            match black {
                Some(black) => list(&black, Side::Black, board, pieces, &mut array)?,
                None => mirror_image(&white, board, pieces, mirror, &mut array)?,
            }
        }
        (Some(item), Some(_)) => {
            item.bad("give either 'placement' or 'white', not both");
            return None;
        }
        (None, None) => {
            log.add(
                at,
                &key,
                GameFault::MissingKey,
                "is missing: White's pieces, like \"Ke1 Rd1 b2 c2\" (pawns without a letter); or give 'placement'",
            );
            return None;
        }
    }
    Some(Start { array, uneven })
}

/// The kind of an upper-case letter.
fn kind_of(pieces: &[PieceSpec], letter: char) -> Option<Kind> {
    let place = pieces.iter().position(|p| char::from(p.letter) == letter)?;
    Some(place as Kind)
}

fn letters(pieces: &[PieceSpec]) -> String {
    pieces.iter().map(|p| char::from(p.letter)).collect()
}

/// The rows of a position text.
fn rows(item: &Item<'_>, board: &Board, pieces: &[PieceSpec], array: &mut Array) -> Option<()> {
    let text = item.text()?;
    let found = text.split('/').count();
    let expected = board.rows().len();
    if found != expected {
        item.bad(format!(
            "{found} rows, but the board has {expected}: from the top down, '/' between them"
        ));
        return None;
    }
    for (cells, row) in board.rows().iter().zip(text.split('/')) {
        let number = board.row_number(*cells.first()?);
        let mut place = 0;
        let mut run = 0;
        for c in row.chars() {
            if let Some(digit) = c.to_digit(10) {
                run = (run * 10 + digit as usize).min(1000);
                continue;
            }
            place += run;
            run = 0;
            let Some(kind) = kind_of(pieces, c.to_ascii_uppercase()) else {
                item.bad(format!(
                    "'{c}' in row {number} is no piece; the letters are {}, lower case for Black",
                    letters(pieces)
                ));
                return None;
            };
            let side = if c.is_ascii_uppercase() {
                Side::White
            } else {
                Side::Black
            };
            if let Some(&cell) = cells.get(place) {
                array[usize::from(cell)] = Some(Piece { kind, side });
            }
            place += 1;
        }
        place += run;
        if place != cells.len() {
            item.bad(format!(
                "row {number}, '{}', has {place} cells, but the board has {} there",
                abridged(row),
                cells.len()
            ));
            return None;
        }
    }
    Some(())
}

/// Pieces by letter and cell, pawns by cell.
fn list(
    item: &Item<'_>,
    side: Side,
    board: &Board,
    pieces: &[PieceSpec],
    array: &mut Array,
) -> Option<()> {
    for word in item.text()?.split_whitespace() {
        let first = word.chars().next().unwrap_or_default();
        let (kind, name) = if first.is_ascii_uppercase() {
            let Some(kind) = kind_of(pieces, first) else {
                item.bad(format!(
                    "'{first}' in '{}' is no piece; the letters are {}",
                    abridged(word),
                    letters(pieces)
                ));
                return None;
            };
            (kind, &word[1..])
        } else {
            (PAWN, word)
        };
        if kind == PAWN
            && board.parse_cell(name).is_none()
            && kind_of(pieces, first.to_ascii_uppercase()).is_some()
            && let Some(rest) = name
                .strip_prefix(first)
                .filter(|n| board.parse_cell(n).is_some())
        {
            let right = first.to_ascii_uppercase();
            item.bad(format!(
                "'{name}': a piece has a capital letter, for Black, too; write '{right}{rest}'"
            ));
            return None;
        }
        let cell = cell(item, board, name)?;
        if array[usize::from(cell)].is_some() {
            item.bad(format!("two pieces stand on {}", board.name(cell)));
            return None;
        }
        array[usize::from(cell)] = Some(Piece { kind, side });
    }
    Some(())
}

/// Puts Black's pieces where White's have their counterparts.
fn mirror_image(
    item: &Item<'_>,
    board: &Board,
    pieces: &[PieceSpec],
    mirror: &Mirror,
    array: &mut Array,
) -> Option<()> {
    for &cell in board.cells() {
        let white = array[usize::from(cell)].filter(|p| p.side == Side::White);
        let Some(Piece { kind, .. }) = white else {
            continue;
        };
        let there = counterpart(board, mirror, cell)?;
        if array[usize::from(there)].is_some_and(|p| p.side == Side::White) {
            item.bad(format!(
                "White's piece on {} stands where Black's counterpart of the piece on {} does",
                board.name(there),
                board.name(cell)
            ));
            return None;
        }
        let kind = exchanged(pieces, mirror, kind);
        array[usize::from(there)] = Some(Piece {
            kind,
            side: Side::Black,
        });
    }
    Some(())
}

/// The kind that plays the part of a kind for the other side.
fn exchanged(pieces: &[PieceSpec], mirror: &Mirror, kind: Kind) -> Kind {
    let letter = pieces[usize::from(kind)].letter;
    let pair = mirror
        .exchanges
        .iter()
        .find(|p| p.0 == letter || p.1 == letter);
    let other = pair.map(|p| if p.0 == letter { p.1 } else { p.0 });
    other
        .and_then(|l| kind_of(pieces, char::from(l)))
        .unwrap_or(kind)
}

/// The position text of the start.
pub(super) fn text(game: &Geometry<'_>, array: &Array) -> String {
    let mut text = String::new();
    for (i, row) in game.board.rows().iter().enumerate() {
        if i > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for &cell in row {
            let Some(piece) = array[usize::from(cell)] else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            let letter = char::from(game.spec.pieces[usize::from(piece.kind)].letter);
            text.push(match piece.side {
                Side::White => letter,
                Side::Black => letter.to_ascii_lowercase(),
            });
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
    }
    let mut rights: Vec<String> = (rights(game, array).into_iter())
        .map(|c| game.board.name(c))
        .collect();
    rights.sort();
    let rights = if rights.is_empty() {
        "-".to_owned()
    } else {
        rights.join(",")
    };
    format!("{text} w {rights} - 0 1")
}

/// Whether the array is a position, the same for both sides.
pub(super) fn check(game: &Geometry<'_>, start: &Start, places: &Places<'_>) {
    let path = ["start"];
    let array = &start.array;
    let (spec, board) = (game.spec, game.board);
    let at = |cell: Cell| array[usize::from(cell)];
    let cells = board.cells();
    let mut kings: [Option<Cell>; 2] = [None; 2];
    for side in Side::BOTH {
        let king = Piece { kind: KING, side };
        let mut found = cells.iter().copied().filter(|&c| at(c) == Some(king));
        kings[side as usize] = found.next();
        let count = usize::from(kings[side as usize].is_some()) + found.count();
        if count != 1 {
            places.contradiction(
                &path,
                format!(
                    "{side:?} has {count} kings; each side needs exactly one '{}'",
                    letter(spec, KING)
                ),
            );
            return;
        }
    }
    let promotions = game.promotion_cells();
    for &cell in cells {
        let name = board.name(cell);
        let Some(there) = game.mirrored(cell) else {
            return;
        };
        let image = at(cell).map(|p| Piece {
            kind: spec.mirrored_kind(p.kind),
            side: p.side.other(),
        });
        if at(there) != image && !start.uneven {
            places.contradiction(
                &path,
                format!(
                    "sides differ: Black's pieces are not White's as the map to the other side has them, see {name} \
                     and its counterpart {}; leave 'black' out, and it follows from 'white', or say 'uneven = true' \
                     if that is meant",
                    board.name(there)
                ),
            );
            return;
        }
        let Some(piece) = at(cell) else {
            continue;
        };
        if !game.stands(piece.kind, cell) {
            places.contradiction(
                &path,
                format!(
                    "'{}' on {name}, a cell of colour {}; it may stand only on {}",
                    letter(spec, piece.kind),
                    board.colour(cell) + 1,
                    spec.colours_of(piece.kind)
                ),
            );
            return;
        }
        let seen_by_its_side = match piece.side {
            Side::White => cell,
            Side::Black => there,
        };
        if piece.kind == PAWN && promotions.contains(&seen_by_its_side) {
            places.contradiction(
                &path,
                format!("the pawn on {name} stands where it would be promoted"),
            );
            return;
        }
    }
    for side in Side::BOTH {
        let Some(king) = kings[side as usize] else {
            return;
        };
        if let Some(attacker) = game.attacker(array, king, side.other()) {
            places.contradiction(
                &path,
                format!(
                    "{side:?}'s king on {} is in check from {}; at the start nobody is",
                    board.name(king),
                    board.name(attacker)
                ),
            );
            return;
        }
    }
}
