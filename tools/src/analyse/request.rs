//! The request in a line.

use std::borrow::Cow;

use hexmate_movegen::{FenError, Game, GameId, Letters, Move, NotationError, Position, Record};
use serde_json::Value;

use super::fields::Fields;
use super::text_kind::begins_array;
use crate::by_files;
use crate::game_names::{GameNameError, GameNames};
use crate::inputs::{self, PlayError};
use crate::pgn::ReadGame;

/// A line, parsed except for what depends on its game.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The name of the answer: the line's own id, or its number.
    pub id: Value,
    /// The game, if the line names it.
    pub game: Option<String>,
    /// The field that names it.
    game_key: &'static str,
    /// The position; the starting position if only moves are given.
    fen: Option<String>,
    /// Moves from there, separated by blanks.
    pub(super) moves: Option<String>,
    /// The only moves to search, separated by blanks.
    searchmoves: Option<String>,
    /// The move that was played in the last position of a game that was taken apart.
    played: Option<String>,
    /// Fields for the answer.
    pub fields: Fields,
    /// The result behind the moves, `*` if there is none.
    pub result: &'static str,
    /// What is wrong after the last move, and on which line, if the game was broken off.
    pub(super) fault: Option<(u64, String)>,
}

/// What the answer to a record repeats of it, whatever is wrong with the rest.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// See [`Request`].
    pub id: Value,
    /// See [`Request`].
    pub fields: Fields,
}

impl From<Value> for Label {
    fn from(id: Value) -> Label {
        Label {
            id,
            fields: Fields::default(),
        }
    }
}

/// Why a line is not a valid request.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum RequestError {
    #[error("offset {offset}: not a JSON object: {reason}")]
    Json { offset: usize, reason: String },
    #[error("a JSON array; expected an object or a position text")]
    Array,
    #[error(
        "{0} is a number that 64 bits cannot hold, and would not come back as it is; expected it as a text, in quotation marks"
    )]
    TooLarge(String),
    #[error("neither \"fen\" nor \"moves\"; expected at least one of them")]
    Nothing,
    #[error("\"{field}\" is {found}; expected {expected}")]
    Type {
        field: &'static str,
        found: &'static str,
        expected: &'static str,
    },
    #[error("\"{key}\": {}", .error.in_record())]
    Game {
        key: &'static str,
        error: GameNameError,
    },
    #[error("{0}")]
    Fen(#[from] FenError),
    #[error(
        "field 1 (placement), offset 0: this lists the board by files; expected rows from the top: hexmate convert turns one into the other"
    )]
    ByFiles,
    #[error("\"moves\", {0}")]
    Moves(#[from] PlayError),
    #[error("\"searchmoves\": {0}")]
    SearchMoves(#[from] NotationError),
    #[error("\"played\": {0}")]
    Played(NotationError),
}

impl Request {
    /// Parses a line: a JSON object, or a position text with operations. `unnamed` is the id of a line
    /// without one.
    ///
    /// # Errors
    ///
    /// If the line is an array or a faulty object, with its label as far as that could be read. A faulty position is
    /// found later, by [`Request::record`].
    pub fn parse(line: &str, unnamed: &Value) -> Result<Request, (Box<Label>, RequestError)> {
        let line = line.trim();
        if line.starts_with('{') {
            Self::parse_object(line, unnamed)
        } else if begins_array(line) {
            Err((Box::new(unnamed.clone().into()), RequestError::Array))
        } else {
            Ok(Self::parse_text(line, unnamed))
        }
    }

    fn parse_object(line: &str, unnamed: &Value) -> Result<Request, (Box<Label>, RequestError)> {
        let object: Fields = serde_json::from_str(line).map_err(|e| {
            let offset = e.column().saturating_sub(1);
            // It is the only line of what was read, whatever its number in the input.
            let mut reason = e.to_string();
            reason.truncate(reason.rfind(" at line ").unwrap_or(reason.len()));
            let error = RequestError::Json { offset, reason };
            (Box::new(unnamed.clone().into()), error)
        })?;
        if let Some(digits) = too_large(line) {
            let is_id = |id: &&Value| id.as_f64().is_some() && id.as_f64() == digits.parse().ok();
            let id = match object.get("id") {
                Some(id) if is_id(&id) => digits.into(),
                Some(Value::Null) | None => unnamed.clone(),
                Some(id) => id.clone(),
            };
            let error = RequestError::TooLarge(digits.to_owned());
            return Err((Box::new(id.into()), error));
        }
        Self::of_object(&object, unnamed)
    }

    /// The request of an object.
    ///
    /// # Errors
    /// If a field has the wrong type, or there is neither a position nor moves, with its label.
    pub fn of_object(
        object: &Fields,
        unnamed: &Value,
    ) -> Result<Request, (Box<Label>, RequestError)> {
        let field = |name| object.get(name).unwrap_or(&Value::Null);
        // The games that hexmate match writes are numbered by "game", and name their game in "variant".
        let id = match (field("id"), field("game")) {
            (Value::Null, number @ Value::Number(_)) => number.clone(),
            (Value::Null, _) => unnamed.clone(),
            (id, _) => id.clone(),
        };
        let mut label = Label::from(id);
        for (name, value) in object.iter().filter(|(name, _)| !KNOWN.contains(name)) {
            label.fields.pass(name, value.clone());
        }
        Self::from_object(object, label.clone()).map_err(|error| (Box::new(label), error))
    }

    fn from_object(object: &Fields, label: Label) -> Result<Request, RequestError> {
        let field = |name| object.get(name).unwrap_or(&Value::Null);
        let mut result = "*";
        let game_key = match field("variant") {
            Value::Null => "game",
            _ => "variant",
        };
        let request = Request {
            id: label.id,
            game: match field(game_key) {
                Value::Number(_) if game_key == "game" => None,
                _ => optional_text(object, game_key)?,
            },
            game_key,
            fen: optional_text(object, "fen")?,
            // A list that cannot be taken apart is told of when it is played.
            moves: moves(object, "moves")?.map(|text| {
                match inputs::plain_moves_and_result(&text) {
                    Ok((Cow::Owned(plain), found)) => {
                        result = found;
                        plain
                    }
                    _ => text,
                }
            }),
            searchmoves: moves(object, "searchmoves")?,
            played: None,
            fields: label.fields,
            result,
            fault: None,
        };
        if request.fen.is_none() && request.moves.is_none() {
            return Err(RequestError::Nothing);
        }
        Ok(request)
    }

    fn parse_text(line: &str, unnamed: &Value) -> Request {
        let mut parts = parts_of_text(line);
        let fen = parts.next().unwrap_or_default();
        let mut request = Request {
            id: unnamed.clone(),
            game: None,
            game_key: "game",
            fen: Some(fen.to_owned()),
            moves: None,
            searchmoves: None,
            played: None,
            fields: Fields::default(),
            result: "*",
            fault: None,
        };
        for operation in parts.filter(|operation| !operation.is_empty()) {
            let (name, value) = operation.split_once(' ').unwrap_or((operation, ""));
            let value = value.trim().trim_matches('"');
            match name {
                // Without a value they say nothing.
                "id" | "game" if name == operation => {}
                "id" => request.id = value.into(),
                "game" => request.game = Some(value.to_owned()),
                _ => request.fields.pass(name, value.into()),
            }
        }
        request
    }

    /// The record to analyse, once the game is known.
    ///
    /// # Errors
    ///
    /// If the position or a move cannot be read.
    pub fn record<G: Game>(&self, game: G, letters: &Letters) -> Result<Record<G>, RequestError> {
        Ok(inputs::play(self.start(game)?, self.moves(), letters)?)
    }

    /// The position before the moves.
    ///
    /// # Errors
    ///
    /// If it cannot be read; a text that lists the board by files gets its own message.
    pub fn start<G: Game>(&self, game: G) -> Result<Position<G>, RequestError> {
        let Some(fen) = &self.fen else {
            return Ok(Position::start_of(game));
        };
        Position::from_fen(game, fen).map_err(|error| {
            if by_files::is_by_files(game, fen) {
                RequestError::ByFiles
            } else {
                RequestError::Fen(error)
            }
        })
    }

    /// The text of the position, if the line has one.
    #[cfg(feature = "board")]
    pub fn fen(&self) -> Option<&str> {
        self.fen.as_deref()
    }

    /// The moves separated by blanks; empty if there are none.
    pub fn moves(&self) -> &str {
        self.moves.as_deref().unwrap_or_default()
    }

    /// All its content, as text.
    pub fn text(&self) -> String {
        let Request {
            id,
            game,
            game_key: _,
            fen,
            moves,
            searchmoves,
            played,
            fields,
            result: _,
            fault: _,
        } = self;
        format!("{id}\0{game:?}\0{fen:?}\0{moves:?}\0{searchmoves:?}\0{played:?}\0{fields:?}")
    }

    /// Whether it is a game: moves are given, possibly none.
    pub fn is_game(&self) -> bool {
        self.moves.is_some()
    }

    /// The same game with its moves written in cells.
    pub fn with_moves(mut self, moves: String) -> Request {
        self.moves = Some(moves);
        self
    }

    /// The same game up to this many bytes of its moves, under another name.
    pub fn broken_off(&self, moves: usize, id: Value) -> Request {
        Request {
            id,
            game: self.game.clone(),
            game_key: self.game_key,
            fen: self.fen.clone(),
            moves: Some(self.moves()[..moves].to_owned()),
            searchmoves: None,
            played: inputs::move_words(&self.moves()[moves..])
                .next()
                .map(str::to_owned),
            fields: self.fields.clone(),
            result: "*",
            fault: None,
        }
    }

    /// The same under another name.
    pub fn named(&self, id: Value) -> Request {
        Request { id, ..self.clone() }
    }

    /// The same with only one move to search.
    pub fn only(mut self, mv: &str) -> Request {
        self.searchmoves = Some(mv.to_owned());
        self
    }

    /// A game from a file of games, its moves in cells, up to the first that cannot be made; `default` is the game
    /// of those that do not name one.
    ///
    /// # Errors
    ///
    /// If there is no such game, or the letters are not for it.
    pub fn of_game(
        game: &ReadGame,
        id: Value,
        default: GameId,
        letters: &Letters,
    ) -> Result<Request, String> {
        let which = game.game(default).map_err(|e| e.detail())?;
        letters
            .check(which.spec())
            .map_err(|e| format!("--letters: {e}"))?;
        let (moves, fault) = match game.first(which) {
            Ok(first) => {
                let (record, fault) = game.play(first, letters);
                (record.move_texts().join(" "), fault)
            }
            // Found again, and told, where the record is used.
            Err(_) => (String::new(), None),
        };
        Ok(Request {
            id,
            game: Some(which.name().to_owned()),
            game_key: "variant",
            fen: game.tag("FEN").map(str::to_owned),
            moves: Some(moves),
            searchmoves: None,
            played: None,
            fields: Fields::default(),
            result: game.result,
            fault: fault.map(|fault| (fault.line as u64, fault.detail())),
        })
    }

    /// A row of a table: its cells by the names of their columns. Empty cells say nothing, but a table with moves
    /// has the start where it has neither moves nor a position.
    ///
    /// # Errors
    /// As [`Request::of_object`].
    pub fn of_row(
        cells: impl Iterator<Item = (String, Value)>,
        unnamed: &Value,
    ) -> Result<Request, (Box<Label>, RequestError)> {
        let mut object = Fields::default();
        let mut has_moves = false;
        for (name, value) in cells {
            let is_empty = value.is_null() || value == "";
            has_moves |= name == "moves";
            if KNOWN.contains(&name.as_str()) && is_empty {
                continue;
            }
            object.add(name, value);
        }
        if has_moves && object.get("fen").is_none() && object.get("moves").is_none() {
            // No moves: the start, as in JSON.
            object.add("moves".to_owned(), "".into());
        }
        Self::of_object(&object, unnamed)
    }

    /// The part of a record that its answer repeats.
    pub fn label(&self) -> Label {
        Label {
            id: self.id.clone(),
            fields: self.fields.clone(),
        }
    }

    /// The only moves to search in the last position; empty: all.
    ///
    /// # Errors
    ///
    /// If one of them is illegal there.
    pub fn searchmoves<G: Game>(
        &self,
        record: &Record<G>,
        letters: &Letters,
    ) -> Result<Vec<Move>, RequestError> {
        let mut moves = Vec::new();
        for text in self.searchmoves.iter().flat_map(|t| inputs::move_words(t)) {
            let mv = inputs::one_move(record.position(), text, letters)?;
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        Ok(moves)
    }

    /// The move that was played in the last position: the next of the game, or the record's field "played".
    ///
    /// # Errors
    ///
    /// If that field is no text, or no move that is legal there.
    pub fn played<G: Game>(
        &self,
        record: &Record<G>,
        letters: &Letters,
    ) -> Result<Option<Move>, RequestError> {
        let text = match &self.played {
            Some(next) => Some(next.clone()),
            None => optional_text(&self.fields, "played")?,
        };
        let text = text.as_deref().map(str::trim).filter(|t| !t.is_empty());
        let mv = text.map(|text| inputs::one_move(record.position(), text, letters));
        mv.transpose().map_err(RequestError::Played)
    }

    /// The game, or the default.
    ///
    /// # Errors
    ///
    /// If there is no game of that name.
    pub fn game(&self, names: &GameNames, default: GameId) -> Result<GameId, RequestError> {
        match &self.game {
            Some(name) => names.find(name, default).map_err(|error| {
                let key = self.game_key;
                RequestError::Game { key, error }
            }),
            None => Ok(default),
        }
    }
}

/// The name of the game in a line, if it has one.
pub fn game_in(line: &str) -> Option<String> {
    Request::parse(line, &Value::Null).ok()?.game
}

/// A position text and the operations behind it. Semicolons within quotation marks belong to a value.
pub fn parts_of_text(line: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let parts = line.split(move |c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    parts.map(str::trim)
}

/// The first whole number of a JSON text that would lose digits, as it is read as a floating-point number then.
fn too_large(json: &str) -> Option<&str> {
    let of_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let mut rest = json;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        rest = &rest[at..];
        if let Some(text) = rest.strip_prefix('"') {
            let mut escaped = false;
            let end = text.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            })?;
            rest = &text[end + 1..];
            continue;
        }
        let end = rest.find(|c| !of_number(c)).unwrap_or(rest.len());
        let (number, behind) = rest.split_at(end);
        let is_whole = !number.contains(['.', 'e', 'E']);
        if is_whole && number.parse::<u64>().is_err() && number.parse::<i64>().is_err() {
            return Some(number);
        }
        rest = behind;
    }
    None
}

/// The fields that are used.
pub const KNOWN: [&str; 6] = ["id", "game", "variant", "fen", "moves", "searchmoves"];

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

fn optional_text(object: &Fields, field: &'static str) -> Result<Option<String>, RequestError> {
    match object.get(field).unwrap_or(&Value::Null) {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        other => Err(RequestError::Type {
            field,
            found: type_name(other),
            expected: "a text",
        }),
    }
}

fn moves(object: &Fields, field: &'static str) -> Result<Option<String>, RequestError> {
    let wrong = |value: &Value| RequestError::Type {
        field,
        found: type_name(value),
        expected: "a text of moves with blanks between them, or a list of texts",
    };
    let value = object.get(field).unwrap_or(&Value::Null);
    match value {
        Value::Array(list) => {
            let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            let texts = texts.ok_or_else(|| wrong(value))?;
            Ok(Some(texts.join(" ")))
        }
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        other => Err(wrong(other)),
    }
}
