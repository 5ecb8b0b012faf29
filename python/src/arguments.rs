//! Python's values as arguments: whatever is wrong with one raises an exception that names it.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use hexmate_movegen::{AnyPosition, Letters, Move, NotationError, read_move};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

/// The name of a value's type.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    let name = value.get_type().name();
    name.map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

/// An exception about an argument.
pub(crate) fn wrong(name: &str, what: &(impl std::fmt::Display + ?Sized)) -> PyErr {
    PyValueError::new_err(format!("{name}: {what}"))
}

/// The exception for an argument of another type.
pub(crate) fn mistyped(name: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = type_name(found);
    PyTypeError::new_err(format!("{name}: expected {expected}, not {found}"))
}

/// A whole number within bounds; `None` stays.
pub(crate) fn number(
    name: &str,
    value: Option<&Bound<'_, PyAny>>,
    bounds: RangeInclusive<u64>,
) -> PyResult<Option<u64>> {
    let Some(value) = value.filter(|v| !v.is_none()) else {
        return Ok(None);
    };
    let bound = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let bounds = bound(*bounds.start())..=bound(*bounds.end());
    Ok(Some(signed(name, value, bounds)?.unsigned_abs()))
}

/// A whole number within bounds, which may be below zero.
pub(crate) fn signed(
    name: &str,
    value: &Bound<'_, PyAny>,
    bounds: RangeInclusive<i64>,
) -> PyResult<i64> {
    let index = match value.is_instance_of::<PyBool>() {
        true => None,
        false => value.call_method0("__index__").ok(),
    };
    let index = index.ok_or_else(|| mistyped(name, "an int", value))?;
    let number = match index.extract::<i64>() {
        Ok(number) => Some(number),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => None,
        Err(error) => return Err(error),
    };
    match number.filter(|number| bounds.contains(number)) {
        Some(number) => Ok(number),
        None => {
            let (least, most) = (bounds.start(), bounds.end());
            let text = index.str()?.to_string();
            let found: String = text.chars().take(40).collect();
            let expected = match (*most == i64::MAX, found.starts_with('-')) {
                (true, false) if number.is_none() => format!("at most {most}"),
                (true, _) => format!("at least {least}"),
                (false, _) => format!("{least} to {most}"),
            };
            Err(PyValueError::new_err(format!(
                "{name} must be {expected}, not {found}"
            )))
        }
    }
}

/// A text.
pub(crate) fn text<'a>(name: &str, value: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    let string: &Bound<'_, PyString> = value.cast().map_err(|_| mistyped(name, "a str", value))?;
    // What UTF-8 cannot hold is no move, cell or name either.
    let text = string.to_cow();
    text.map_err(|_| wrong(name, "not UTF-8 (half of a surrogate pair)"))
}

/// A path; `None` stays.
pub(crate) fn path(name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<PathBuf>> {
    let read = |value: &Bound<'_, PyAny>| {
        let path = value.extract();
        path.map_err(|_| mistyped(name, "a str or os.PathLike", value))
    };
    value.filter(|value| !value.is_none()).map(read).transpose()
}

/// A path that must be given.
pub(crate) fn needed_path(name: &str, value: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    path(name, Some(value))?.ok_or_else(|| mistyped(name, "a str or os.PathLike", value))
}

/// The beginning of a text, for messages: an argument may be megabytes long.
pub(crate) fn abridged(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The letters of pieces: the name of a language, or the letters.
pub(crate) fn letters(value: Option<&Bound<'_, PyAny>>) -> PyResult<Letters> {
    match value.filter(|value| !value.is_none()) {
        Some(value) => {
            let letters = text("letters", value)?.parse();
            letters.map_err(|e| wrong("letters", &e))
        }
        None => Ok(Letters::default()),
    }
}

/// A list of moves: a text with blanks between them, or texts. In a text, numbers of moves may stand between them.
pub(crate) fn words(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(string) = value.cast::<PyString>() {
        let all = text(name, string)?;
        let words = hexmate::inputs::move_words(&all);
        return Ok(words.map(str::to_owned).collect());
    }
    let expected = "a str of moves, or an iterable of str";
    let items = value
        .try_iter()
        .map_err(|_| mistyped(name, expected, value))?;
    let mut words = Vec::new();
    for item in items {
        let item = item?;
        let Ok(string) = item.cast::<PyString>() else {
            let found = format!("an iterable with {}", type_name(&item));
            let message = format!("{name}: expected {expected}, not {found}");
            return Err(PyTypeError::new_err(message));
        };
        let all = text(name, string)?;
        words.extend(hexmate::inputs::move_words(&all).map(str::to_owned));
    }
    Ok(words)
}

/// A legal move in any notation.
pub(crate) fn legal_move(
    position: &AnyPosition,
    text: &str,
    letters: &Letters,
) -> Result<Move, NotationError> {
    match position.parse_move(text) {
        // Cells as programs write them. With a capital letter it might be a piece's.
        Ok(mv) if !text.bytes().any(|b| b.is_ascii_uppercase()) => Ok(mv),
        _ => read_move(position, text, letters),
    }
}
