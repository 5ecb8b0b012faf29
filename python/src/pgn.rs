//! Games in PGN, as JSON text to and from Python: that knows trees, this knows notations.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use hexmate::pgn::write;
use hexmate::pgn::{
    Games, MOST_COMMENT, MOST_COMMENTS, MOST_NESTED, Notation, PgnError, ReadGame, ReadLine,
    ReadMove,
};
use hexmate_movegen::{GameId, Letters};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::arguments::{letters, wrong};
use crate::rules::{Rules, game_or_usual, named, unreadable};

/// The games of a text or a file, one after the other, as JSON texts.
#[pyclass(frozen, module = "hexmate")]
pub(crate) struct PgnReader {
    games: Mutex<Games<Box<dyn Read + Send>>>,
    /// Where they are, unless they are a text.
    path: Option<PathBuf>,
    /// The game of those that name none.
    default: GameId,
    letters: Letters,
}

#[pymethods]
impl PgnReader {
    #[new]
    #[pyo3(signature = (text = None, path = None, game = None, letters = None))]
    fn new(
        text: Option<String>,
        path: Option<PathBuf>,
        game: Option<&Bound<'_, PyAny>>,
        letters: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let source: Box<dyn Read + Send> = match &path {
            Some(path) => {
                let opened = File::open(path);
                Box::new(opened.map_err(|e| unreadable("source", path, &e))?)
            }
            None => Box::new(Cursor::new(text.unwrap_or_default())),
        };
        let default = game_or_usual(game)?;
        let letters = self::letters(letters)?;
        letters
            .check(default.spec())
            .map_err(|e| wrong("letters", &e))?;
        Ok(PgnReader {
            games: Mutex::new(Games::of(source)),
            path,
            default,
            letters,
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The next game, and its rules: what its name means may change before it is read.
    fn __next__(&self) -> PyResult<Option<(String, Rules)>> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let next = games.next_game();
        let next = next.map_err(|e| match &self.path {
            Some(path) => PyOSError::new_err(format!("{}: {e}", path.display())),
            None => wrong("source", &e),
        })?;
        Ok(next.map(|game| {
            let (told, which) = self.told(game);
            (told.to_string(), Rules(which))
        }))
    }
}

impl PgnReader {
    /// A game with its moves in cells, and which game it is. What cannot be played is left out, and told.
    fn told(&self, mut read: ReadGame) -> (Value, GameId) {
        // Games from files are known by the names that they were loaded with.
        let named = read.tag("Variant").map(|name| named(name, self.default));
        let default = match named {
            Some(Ok(game)) => {
                read.set_tag("Variant", game.name());
                game
            }
            _ => self.default,
        };
        let letters = match self.letters.check(default.spec()) {
            Ok(()) => &self.letters,
            Err(_) => &Letters::Own,
        };
        let which = read.game(default).unwrap_or(default);
        let first = read.first(which).ok().map(|first| first.to_string());
        let (fault, faults) = match read.rewrite(default, letters, Notation::Cells) {
            Ok(written) => (written.broken, written.variations),
            Err(fault) => {
                read.main = ReadLine::default();
                (Some(fault), Vec::new())
            }
        };
        let texts = |faults: &[PgnError]| faults.iter().map(ToString::to_string).collect();
        let faults: Vec<String> = texts(&faults);
        let told = json!({
            "fen": first,
            "tags": read.tags,
            "result": read.result,
            "line": read.line,
            "fault": fault.map(|fault| fault.to_string()),
            "faults": faults,
            "main": line_told(&read.main),
        });
        (told, which)
    }
}

fn line_told(line: &ReadLine) -> Value {
    let moves = line.moves.iter().map(|mv| {
        let variations: Vec<Value> = mv.variations.iter().map(line_told).collect();
        json!({
            "move": mv.text,
            "nags": mv.glyphs,
            "comments": mv.comments,
            "variations": variations,
        })
    });
    let moves: Vec<Value> = moves.collect();
    json!({ "intro": line.intro, "moves": moves })
}

/// Comments: all of them texts. `place` says of what.
fn texts(value: &Value, place: &str) -> PyResult<Vec<String>> {
    let one = |item: &Value| {
        let text = item.as_str().map(str::to_owned);
        let text =
            text.ok_or_else(|| wrong("comments", &format!("{item} {place} is not a str")))?;
        match text.trim().len() {
            0..=MOST_COMMENT => Ok(text),
            length => {
                let what = format!("{length} bytes {place}; expected at most {MOST_COMMENT}");
                Err(wrong("comments", &what))
            }
        }
    };
    list("comments", value, place)?.iter().map(one).collect()
}

/// A list that anybody may have changed.
fn list<'a>(name: &str, value: &'a Value, place: &str) -> PyResult<&'a [Value]> {
    let list = value.as_array().map(Vec::as_slice);
    list.ok_or_else(|| wrong(name, &format!("{value} {place} is not a list")))
}

/// A list that is always one.
fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The bytes of all comments.
fn bytes_of_comments(line: &ReadLine) -> usize {
    let of = |comments: &[String]| comments.iter().map(|text| text.trim().len()).sum::<usize>();
    let moves = line
        .moves
        .iter()
        .map(|mv| of(&mv.comments) + mv.variations.iter().map(bytes_of_comments).sum::<usize>());
    of(&line.intro) + moves.sum::<usize>()
}

/// A line that begins with this ply, counted from 1 where the game begins.
fn line_heard(line: &Value, ply: usize) -> PyResult<ReadLine> {
    let moves = (ply..).zip(items(&line["moves"]));
    let moves = moves.map(|(ply, mv)| move_heard(mv, ply));
    Ok(ReadLine {
        intro: texts(&line["intro"], &format!("before ply {ply}"))?,
        moves: moves.collect::<PyResult<_>>()?,
    })
}

fn move_heard(mv: &Value, ply: usize) -> PyResult<ReadMove> {
    let text = mv["move"].as_str().unwrap_or_default().to_owned();
    let place = format!("at ply {ply}, {text},");
    let glyph = |nag: &Value| {
        let number = nag.as_u64().and_then(|n| u16::try_from(n).ok());
        number.ok_or_else(|| {
            let expected = format!("expected an int from 0 to {}", u16::MAX);
            wrong("nags", &format!("{nag} {place} is no glyph; {expected}"))
        })
    };
    let variations = items(&mv["variations"]).iter();
    Ok(ReadMove {
        glyphs: list("nags", &mv["nags"], &place)?
            .iter()
            .map(glyph)
            .collect::<PyResult<_>>()?,
        comments: texts(&mv["comments"], &place)?,
        // Each begins in place of the move.
        variations: variations
            .map(|line| line_heard(line, ply))
            .collect::<PyResult<_>>()?,
        text,
        ..ReadMove::default()
    })
}

/// A tag whose name can be written, and a text.
fn tag_heard(tag: &Value) -> PyResult<(String, String)> {
    let known = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = tag[0].as_str();
    let Some(name) = name.filter(|n| !n.is_empty() && n.chars().all(known)) else {
        let what = format!(
            "{} is no name of a tag; expected a str of letters, digits and '_'",
            tag[0]
        );
        return Err(wrong("tags", &what));
    };
    let Some(value) = tag[1].as_str() else {
        let what = format!("{name}: expected a str, not {}", tag[1]);
        return Err(wrong("tags", &what));
    };
    Ok((name.to_owned(), value.to_owned()))
}

/// A game as PGN text, from JSON text as PgnReader gives it; `san` or cells. Raises ValueError for what no PGN can hold.
#[pyfunction]
pub(crate) fn pgn_text(game: &str, rules: &Bound<'_, PyAny>, san: bool) -> PyResult<String> {
    let told: Value = serde_json::from_str(game).map_err(|error| {
        let message = error.to_string();
        PyValueError::new_err(match message.contains("recursion limit") {
            true => format!("more than {MOST_NESTED} variations within each other"),
            false => message,
        })
    })?;
    let tags = items(&told["tags"]).iter().map(tag_heard);
    let result = hexmate::pgn::result_of(told["result"].as_str().unwrap_or("*"));
    let mut game = ReadGame {
        tags: tags.collect::<PyResult<_>>()?,
        main: line_heard(&told["main"], 1)?,
        result: result
            .ok_or_else(|| wrong("result", "no result; expected one like '1-0' or '*'"))?,
        ..ReadGame::default()
    };
    let comments = bytes_of_comments(&game.main);
    if comments > MOST_COMMENTS {
        let what = format!("{comments} bytes in one game; expected at most {MOST_COMMENTS}");
        return Err(wrong("comments", &what));
    }
    let which = crate::rules::game(rules)?;
    let notation = if san { Notation::San } else { Notation::Cells };
    let written = game.rewrite(which, &Letters::Own, notation);
    let written = written.map_err(|fault| PyValueError::new_err(fault.to_string()))?;
    let faults = written.broken.into_iter().chain(written.variations);
    if let Some(fault) = faults.into_iter().next() {
        return Err(PyValueError::new_err(fault.problem));
    }
    Ok(write::text(&game, &written.record.first().to_string()))
}
