//! Games in PGN, as JSON text to and from Python: that knows trees, this knows notations.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use hexmate::pgn::write;
use hexmate::pgn::{Games, MOST_NESTED, Notation, PgnError, ReadGame, ReadLine, ReadMove};
use hexmate_movegen::{GameId, Letters};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::arguments::{letters, wrong};
use crate::rules::{game_or_usual, names};

/// The games of a text or a file, one after the other, as JSON texts.
#[pyclass(frozen, module = "hexmate")]
pub(crate) struct PgnReader {
    games: Mutex<Games<Box<dyn Read + Send>>>,
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
        letters: Option<&str>,
    ) -> PyResult<Self> {
        let source: Box<dyn Read + Send> = match path {
            Some(path) => Box::new(File::open(path)?),
            None => Box::new(Cursor::new(text.unwrap_or_default())),
        };
        let default = game_or_usual(game)?;
        let letters = self::letters(letters)?;
        letters
            .check(default.spec())
            .map_err(|e| wrong("letters", &e))?;
        Ok(PgnReader {
            games: Mutex::new(Games::of(source)),
            default,
            letters,
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self) -> PyResult<Option<String>> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let next = games.next_game();
        let next = next.map_err(|e| PyOSError::new_err(e.to_string()))?;
        Ok(next.map(|game| self.told(game).to_string()))
    }
}

impl PgnReader {
    /// A game with its moves in cells. What cannot be played is left out, and told.
    fn told(&self, mut read: ReadGame) -> Value {
        // Games from files are known by the names that they were loaded with.
        let named = read
            .tag("Variant")
            .map(|name| names().find(name, self.default));
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
        json!({
            "game": which.name(),
            "fen": first,
            "tags": read.tags,
            "result": read.result,
            "line": read.line,
            "fault": fault.map(|fault| fault.to_string()),
            "faults": faults,
            "main": line_told(&read.main),
        })
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

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn line_heard(line: &Value) -> ReadLine {
    let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let moves = items(&line["moves"]);
    let moves = moves.iter().map(|mv| ReadMove {
        text: mv["move"].as_str().unwrap_or_default().to_owned(),
        glyphs: items(&mv["nags"])
            .iter()
            .filter_map(|n| u16::try_from(n.as_u64()?).ok())
            .collect(),
        comments: texts(&mv["comments"]),
        variations: items(&mv["variations"]).iter().map(line_heard).collect(),
        ..ReadMove::default()
    });
    ReadLine {
        intro: texts(&line["intro"]),
        moves: moves.collect(),
    }
}

/// A game as PGN text, from JSON text as PgnReader gives it; `san` or cells.
#[pyfunction]
pub(crate) fn pgn_text(game: &str, rules: &Bound<'_, PyAny>, san: bool) -> PyResult<String> {
    let told: Value = serde_json::from_str(game).map_err(|error| {
        let message = error.to_string();
        PyValueError::new_err(match message.contains("recursion limit") {
            true => format!("more than {MOST_NESTED} variations within each other"),
            false => message,
        })
    })?;
    let tags = told["tags"].as_array().cloned().unwrap_or_default();
    let tags = tags.iter().map(|tag| {
        let part = |i: usize| tag[i].as_str().unwrap_or_default().to_owned();
        (part(0), part(1))
    });
    let result = hexmate::pgn::result_of(told["result"].as_str().unwrap_or("*"));
    let mut game = ReadGame {
        tags: tags.collect(),
        main: line_heard(&told["main"]),
        result: result
            .ok_or_else(|| wrong("result", "no result; expected one like '1-0' or '*'"))?,
        ..ReadGame::default()
    };
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
