//! What a line asks for.

use hexmate_movegen::{FenError, Game, GameId, Move, MoveError, Position, Record, UnknownGame};
use serde_json::Value;

use crate::inputs::{self, PlayError};

/// One line, understood as far as it names its game.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// What the answer is marked with: the line's own id, or its number.
    pub id: Value,
    /// The game, if the line names it.
    pub game: Option<String>,
    /// The position; the start if only moves are given.
    fen: Option<String>,
    /// Moves from there, with blanks between them.
    moves: Option<String>,
    /// The only moves to look at, with blanks between them.
    searchmoves: Option<String>,
}

/// Why a line asks for nothing that can be done.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum RequestError {
    #[error("offset {offset}: not a JSON object: {reason}")]
    Json { offset: usize, reason: String },
    #[error("neither \"fen\" nor \"moves\"; expected at least one of them")]
    Nothing,
    #[error("\"{field}\" is {found}; expected {expected}")]
    Type {
        field: &'static str,
        found: &'static str,
        expected: &'static str,
    },
    #[error("\"game\": {0}")]
    Game(#[from] UnknownGame),
    #[error("{0}")]
    Fen(#[from] FenError),
    #[error("\"moves\", {0}")]
    Moves(#[from] PlayError),
    #[error("\"searchmoves\": {0}")]
    SearchMoves(#[from] MoveError),
}

impl Request {
    /// Understands a line: a JSON object, or a position text with operations behind it.
    ///
    /// # Errors
    /// If the line is a faulty object, with its id if that could be read. A faulty position is found
    /// later, by [`Request::record`].
    pub fn parse(line: &str, number: u64) -> Result<Request, (Value, RequestError)> {
        let line = line.trim();
        if line.starts_with('{') {
            Self::parse_object(line, number)
        } else {
            Ok(Self::parse_text(line, number))
        }
    }

    fn parse_object(line: &str, number: u64) -> Result<Request, (Value, RequestError)> {
        let object: Value = serde_json::from_str(line).map_err(|e| {
            let offset = e.column().saturating_sub(1);
            let reason = e.to_string();
            (number.into(), RequestError::Json { offset, reason })
        })?;
        let id = match &object["id"] {
            Value::Null => number.into(),
            id => id.clone(),
        };
        Self::from_object(&object, id.clone()).map_err(|error| (id, error))
    }

    fn from_object(object: &Value, id: Value) -> Result<Request, RequestError> {
        let request = Request {
            id,
            game: optional_text(object, "game")?,
            fen: optional_text(object, "fen")?,
            moves: moves(object, "moves")?,
            searchmoves: moves(object, "searchmoves")?,
        };
        if request.fen.is_none() && request.moves.is_none() {
            return Err(RequestError::Nothing);
        }
        Ok(request)
    }

    fn parse_text(line: &str, number: u64) -> Request {
        let mut quoted = false;
        let mut parts = line
            .split(|c| {
                quoted ^= c == '"';
                c == ';' && !quoted
            })
            .map(str::trim);
        let fen = parts.next().unwrap_or_default();
        let mut request = Request {
            id: number.into(),
            game: None,
            fen: Some(fen.to_owned()),
            moves: None,
            searchmoves: None,
        };
        for (name, value) in parts.filter_map(|op| op.split_once(' ')) {
            let value = value.trim().trim_matches('"');
            match name {
                "id" => request.id = value.into(),
                "game" => request.game = Some(value.to_owned()),
                // Other operations are other programs' business.
                _ => {}
            }
        }
        request
    }

    /// The game to analyse, once its kind is known.
    ///
    /// # Errors
    /// If the position or a move cannot be read.
    pub fn record<G: Game>(&self) -> Result<Record<G>, RequestError> {
        let start = match &self.fen {
            Some(fen) => fen.parse()?,
            None => Position::<G>::start(),
        };
        let moves = self.moves.as_deref().unwrap_or_default();
        Ok(inputs::play(start, moves)?)
    }

    /// The only moves to look at in the last position; empty: all.
    ///
    /// # Errors
    /// If one of them is not legal there.
    pub fn searchmoves<G: Game>(&self, record: &Record<G>) -> Result<Vec<Move>, RequestError> {
        let mut moves = Vec::new();
        for text in self.searchmoves.iter().flat_map(|t| t.split_whitespace()) {
            let mv = record.position().parse_move(text)?;
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        Ok(moves)
    }

    /// The game's kind, or the default.
    ///
    /// # Errors
    /// If there is no game of that name.
    pub fn game(&self, default: GameId) -> Result<GameId, RequestError> {
        match &self.game {
            Some(name) => Ok(name.parse()?),
            None => Ok(default),
        }
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn optional_text(object: &Value, field: &'static str) -> Result<Option<String>, RequestError> {
    match &object[field] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        other => Err(RequestError::Type {
            field,
            found: type_name(other),
            expected: "a text",
        }),
    }
}

fn moves(object: &Value, field: &'static str) -> Result<Option<String>, RequestError> {
    let wrong = |value: &Value| RequestError::Type {
        field,
        found: type_name(value),
        expected: "a text of moves with blanks between them, or a list of texts",
    };
    match &object[field] {
        Value::Array(list) => {
            let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            let texts = texts.ok_or_else(|| wrong(&object[field]))?;
            Ok(Some(texts.join(" ")))
        }
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        other => Err(wrong(other)),
    }
}
