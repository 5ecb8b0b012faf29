//! `/api/read`: texts of any kind that people paste or drop.

use axum::http::StatusCode;
use hexmate_movegen::{AnyPosition, GameId, Letters, read_move, san};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::place::{self, MOST_MOVES};
use super::shared::Shared;
use crate::analyse::{Request, TextKind};
use crate::pgn::object::{game_of_object, list_of_moves, object_of};
use crate::pgn::{PgnError, ReadGame, ReadLine, Reader, game_named, is_of_any};

/// No text is taken apart into more games.
pub const MOST_GAMES: usize = 1000;

/// What was found in a text: games, and what is wrong with those that cannot be used.
type Found = Vec<Result<Value, Value>>;

/// What a text turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Games,
    Moves,
    Position,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Games => "games",
            Kind::Moves => "moves",
            Kind::Position => "position",
        }
    }
}

/// The answer.
pub fn answer(shared: &Shared, mut fields: Fields) -> Result<Value, ApiError> {
    let game = place::game(&mut fields, shared)?;
    let text = fields.required_text("text")?;
    let letters = place::letters(&mut fields, game)?;
    fields.end()?;
    text_of_any_kind(&shared.games, &text, "", game, &letters)
}

/// `/api/opened`.
pub fn opened(shared: &Shared, fields: Fields) -> Result<Value, ApiError> {
    fields.end()?;
    let opened = shared.opened.as_ref().ok_or_else(|| {
        let message = "nothing was opened; hexmate board FILE opens a file";
        ApiError::new(StatusCode::NOT_FOUND, "opened", message)
    })?;
    Ok(opened.content.clone())
}

/// Takes a text apart; `usual` is the game of what does not name its own, `ending` that of the file's name.
///
/// # Errors
/// If nothing of it can be read.
pub fn text_of_any_kind(
    games: &[GameId],
    text: &str,
    ending: &str,
    usual: GameId,
    letters: &Letters,
) -> Result<Value, ApiError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(unreadable("there is no text", 0));
    }
    let reading = Reading {
        games,
        usual,
        letters,
    };
    let line = |place| text.lines().nth(place).map(str::to_owned);
    let kind = TextKind::of_ending(ending).filter(|&kind| kind == TextKind::Games);
    let kind = kind.or_else(|| TextKind::of_lines(line, usual, letters));
    let (kind, (found, left_off)) = match kind {
        Some(TextKind::Lines | TextKind::Table) if has_object(text) => {
            (Kind::Games, reading.lines(text))
        }
        Some(TextKind::Lines | TextKind::Table) => (Kind::Position, reading.lines(text)),
        kind => {
            let found = reading.pgn(text, kind == Some(TextKind::GameLines));
            (kind_of_games(&found.0), found)
        }
    };
    let moved = |game: &Value| {
        let moves = game["main"]["moves"]
            .as_array()
            .is_some_and(|moves| !moves.is_empty());
        let faults = game["faults"]
            .as_array()
            .is_some_and(|faults| !faults.is_empty());
        moves || !faults
    };
    let useful = |found: &Result<Value, Value>| {
        let game = found.as_ref();
        game.is_ok_and(|game| kind != Kind::Moves || moved(game))
    };
    if !found.iter().any(useful) {
        let fault = found.first().map(|found| match found {
            Ok(game) => &game["faults"][0]["message"],
            Err(fault) => &fault["message"],
        });
        let fault = fault.and_then(Value::as_str);
        return Err(unreadable(fault.unwrap_or("there is no game in it"), 0));
    }
    // Faulty games of many are told beside the others.
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for game in found {
        match game {
            Ok(game) => games.push(game),
            Err(fault) => faults.push(fault),
        }
    }
    Ok(json!({"kind": kind.name(), "games": games, "faults": faults, "left_off": left_off}))
}

/// Whether the first line that is no comment is meant as a JSON object.
fn has_object(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with('{'))
}

/// A list of moves is one game without tags.
fn kind_of_games(found: &Found) -> Kind {
    let first = found.first().and_then(|game| game.as_ref().ok());
    let tags = first.and_then(|game| game["tags"].as_array());
    match found.len() > 1 || tags.is_some_and(|tags| !tags.is_empty()) {
        true => Kind::Games,
        false => Kind::Moves,
    }
}

fn unreadable(message: &str, offset: usize) -> ApiError {
    ApiError::bad("text", message).of("text").at(offset)
}

/// How a text is read.
struct Reading<'r> {
    games: &'r [GameId],
    usual: GameId,
    letters: &'r Letters,
}

impl Reading<'_> {
    /// Games in PGN, or moves alone, and how many more there are.
    fn pgn(&self, text: &str, by_line: bool) -> (Found, usize) {
        let mut reader = Reader::default();
        let mut games = Vec::new();
        let (mut found, mut left_off) = (Vec::new(), 0);
        // At once: a file may have very many.
        let mut take = |games: &mut Vec<ReadGame>| {
            for game in games.drain(..) {
                if found.len() < MOST_GAMES {
                    found.push(self.game(&game, fault).map_err(|error| fault(&error)));
                } else {
                    left_off += 1;
                }
            }
        };
        for (number, line) in text.lines().enumerate() {
            reader.line(number + 1, line, &mut games);
            if by_line {
                reader.end_of_line(&mut games);
            }
            take(&mut games);
        }
        reader.end(&mut games);
        take(&mut games);
        (found, left_off)
    }

    /// A game that was read, and what is wrong with it as `fault` tells it.
    fn game(&self, read: &ReadGame, fault: fn(&PgnError) -> Value) -> Result<Value, PgnError> {
        let game = match read.tag("Variant") {
            None => self.usual,
            Some(name) => self.named(name).map_err(|problem| PgnError {
                line: read.line,
                column: None,
                ply: None,
                problem,
            })?,
        };
        let letters = match self.letters.check(game.spec()) {
            Ok(()) => self.letters,
            Err(_) => &Letters::Own,
        };
        let first = read.first(game)?;
        let mut tree = Tree {
            letters,
            faults: Vec::new(),
        };
        let main = tree.line(&read.main, &first, 0);
        let mut faults: Vec<Value> = tree.faults.iter().map(fault).collect();
        faults.extend(read.slips.iter().chain(&read.fault).map(fault));
        let result = match read.result {
            "" => "*",
            result => result,
        };
        Ok(json!({
            "game": game.name(),
            "tags": read.tags,
            "fen": read.tag("FEN").map(|_| first.to_string()),
            "result": result,
            "main": main,
            "faults": faults,
        }))
    }

    /// The game of a name or title; those from files by their names.
    fn named(&self, name: &str) -> Result<GameId, String> {
        let mut games = self.games.iter();
        match games.find(|game| name.eq_ignore_ascii_case(game.name())) {
            Some(game) => Ok(*game),
            None if is_of_any(name) => Ok(self.usual),
            None => game_named(name).map_err(|error| error.to_string()),
        }
    }

    /// Position texts, JSON lines, and lines of UCI, one on each line.
    fn lines(&self, text: &str) -> (Found, usize) {
        let (mut found, mut left_off) = (Vec::new(), 0);
        for (number, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with('#'))
        {
            if found.len() < MOST_GAMES {
                let line_number = number + 1;
                found.push(self.record(line.trim()).map_err(|error| {
                    let message = format!("line {line_number}: {error}");
                    json!({"message": message, "line": line_number, "column": null, "ply": null})
                }));
            } else {
                left_off += 1;
            }
        }
        (found, left_off)
    }

    /// The game or position of a line.
    fn record(&self, line: &str) -> Result<Value, String> {
        let by_uci = uci(line).filter(|_| !line.starts_with('{'));
        let (id, name, fen, moves) = match by_uci {
            Some((fen, moves)) => (Value::Null, None, fen, moves),
            None => {
                let request =
                    Request::parse(line, &Value::Null).map_err(|(_, error)| error.to_string())?;
                let fen = request.fen().map(str::to_owned);
                if request.is_game() {
                    let object = object_of(line).map_err(|error| error.to_string())?;
                    let read = game_of_object(1, &object).map_err(|error| error.to_string())?;
                    return self.listed(read, request.id);
                }
                (request.id, request.game, fen, String::new())
            }
        };
        let mut read = list_of_moves(&moves);
        for (tag, value) in [("Variant", name), ("FEN", fen)] {
            if let Some(value) = value {
                read.set_tag(tag, &value);
            }
        }
        self.listed(read, id)
    }

    /// A game that is no PGN: what it is and where it begins are no tags, and places in a list of moves say no more
    /// than the number of the move. It may have a name of its own.
    fn listed(&self, mut read: ReadGame, id: Value) -> Result<Value, String> {
        let game = self.game(&read, |fault| {
            let message = match fault.ply {
                Some(ply) => format!("move {ply}: {}", fault.problem),
                None => fault.problem.clone(),
            };
            json!({"message": message, "line": null, "column": null, "ply": fault.ply})
        });
        let mut game = game.map_err(|error| error.detail())?;
        read.tags
            .retain(|(name, _)| name != "Variant" && name != "FEN");
        game["tags"] = json!(read.tags);
        if !id.is_null() {
            game["id"] = id;
        }
        Ok(game)
    }
}

/// The position text and the moves of a line such as `position startpos moves e4e5`.
fn uci(line: &str) -> Option<(Option<String>, String)> {
    let rest = line.strip_prefix("position").unwrap_or(line).trim_start();
    let (place, moves) = match rest.split_once("moves") {
        Some((place, moves)) => (place.trim(), moves.trim()),
        None => (rest.trim(), ""),
    };
    if place == "startpos" {
        return Some((None, moves.to_owned()));
    }
    let fen = place
        .strip_prefix("fen ")
        .or((!moves.is_empty()).then_some(place))?;
    Some((Some(fen.trim().to_owned()), moves.to_owned()))
}

fn fault(fault: &PgnError) -> Value {
    json!({
        "message": fault.to_string(),
        "line": fault.line,
        "column": fault.column,
        "ply": fault.ply,
    })
}

/// A game with its variations being played through.
struct Tree<'t> {
    letters: &'t Letters,
    faults: Vec<PgnError>,
}

impl Tree<'_> {
    /// A line from a position after so many plies, up to the first move that cannot be made.
    fn line(&mut self, line: &ReadLine, first: &AnyPosition, plies: usize) -> Value {
        let mut position = *first;
        let mut moves = Vec::new();
        for (i, read) in line.moves.iter().enumerate() {
            if plies + i == MOST_MOVES {
                self.faults.push(PgnError {
                    line: read.line,
                    column: Some(read.column),
                    ply: Some(plies + i + 1),
                    problem: format!("the board shows at most {MOST_MOVES} moves of a line"),
                });
                break;
            }
            let mut read = read.clone();
            read.take_glyphs();
            match read_move(&position, &read.text, self.letters) {
                Ok(mv) => {
                    let variations = read.variations.iter().filter(|v| !v.moves.is_empty());
                    let variations: Vec<Value> = variations
                        .map(|v| self.line(v, &position, plies + i))
                        .collect();
                    moves.push(json!({
                        "move": position.text(mv),
                        "san": san(&position, mv),
                        "glyphs": read.glyphs,
                        "comments": read.comments,
                        "variations": variations,
                    }));
                    position = position.after(mv);
                }
                Err(error) => {
                    self.faults.push(read.fault(plies + i + 1, &error));
                    break;
                }
            }
        }
        json!({"intro": line.intro, "moves": moves})
    }
}
