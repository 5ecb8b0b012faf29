//! Pictures of positions.

use hexmate::drawing::{self, Marks, View};
use hexmate_movegen::{AnyPosition, AnyRecord, Letters, Move, with_record};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyTuple};

use crate::arguments::{legal_move, mistyped, number, text, wrong};

/// Pictures are not larger than this, in pixels.
const MOST_PIXELS: u64 = 20_000;

/// Two cells, legal or not: `e4e5`, or a pair of names.
fn two_cells(name: &str, position: &AnyPosition, value: &Bound<'_, PyAny>) -> PyResult<Move> {
    let board = position.board();
    let joined = match value.cast::<PyTuple>() {
        Ok(pair) if pair.len() == 2 => {
            let (from, to) = (pair.get_item(0)?, pair.get_item(1)?);
            text(name, &from)?.into_owned() + &text(name, &to)?
        }
        _ if value.cast::<PyString>().is_ok() => text(name, value)?.into_owned(),
        _ => return Err(mistyped(name, "moves as str or as pairs of cells", value)),
    };
    let arrow = board
        .parse_cell_prefix(&joined)
        .and_then(|(from, rest)| Some(Move::new(from, board.parse_cell(rest)?)));
    arrow.ok_or_else(|| {
        let game = position.game();
        wrong(
            name,
            &format!("'{joined}' is not two cells of the board of {game}, like 'f5f6'"),
        )
    })
}

/// The arrows of an argument: a text with blanks, or an iterable of moves. SAN of a legal move will do, too.
fn arrows(position: &AnyPosition, value: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Move>> {
    let Some(value) = value.filter(|v| !v.is_none()) else {
        return Ok(Vec::new());
    };
    let arrow = |item: &Bound<'_, PyAny>| {
        if let Ok(string) = item.cast::<PyString>()
            && let Ok(text) = string.to_cow()
            && let Ok(mv) = legal_move(position, &text, &Letters::Own)
        {
            return Ok(mv);
        }
        two_cells("arrows", position, item)
    };
    if value.cast::<PyString>().is_ok() {
        let words = text("arrows", value)?;
        let words = words
            .split_whitespace()
            .map(|word| arrow(PyString::new(value.py(), word).as_any()));
        return words.collect();
    }
    let items = value.try_iter();
    let items = items.map_err(|_| mistyped("arrows", "an iterable of moves", value))?;
    items.map(|item| arrow(&item?)).collect()
}

/// The move that is marked as the last one: by default that of the record.
fn last_move(record: &AnyRecord, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Move>> {
    let own = record.moves().last().copied();
    match value {
        None => Ok(own),
        Some(value) if value.is_none() => Ok(own),
        Some(value) => match value.cast::<PyBool>() {
            Ok(yes) => Ok(own.filter(|_| yes.is_true())),
            Err(_) => two_cells("lastmove", &record.position(), value).map(Some),
        },
    }
}

/// The board as an SVG picture.
pub(crate) fn svg(
    record: &AnyRecord,
    shown: Option<&Bound<'_, PyAny>>,
    last: Option<&Bound<'_, PyAny>>,
    flipped: bool,
    size: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let marks = Marks {
        last_move: last_move(record, last)?,
        arrows: arrows(&record.position(), shown)?,
    };
    let width = number("size", size, 1..=MOST_PIXELS)?;
    let view = View {
        flipped,
        width: width.map(|w| w as u32),
    };
    Ok(with_record!(record, r => drawing::svg_in(r, &marks, view)))
}

/// The board as text.
pub(crate) fn text_board(record: &AnyRecord) -> String {
    let marks = Marks {
        last_move: record.moves().last().copied(),
        arrows: Vec::new(),
    };
    with_record!(record, r => drawing::terminal(r, &marks, false))
}
