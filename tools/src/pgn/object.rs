//! Games as JSON objects, as `hexmate convert` and `hexmate match` write them, and lists of moves.

use serde_json::{Map, Value};

use super::{PgnError, ReadGame, Reader, result_of};

/// Fields that are not tags.
pub const NO_TAGS: [&str; 6] = ["id", "game", "variant", "fen", "setup", "moves"];

/// Why an object is no game.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum ObjectError {
    #[error("not a JSON object: {0}")]
    Json(String),
    #[error("no \"moves\"; expected a game")]
    NoMoves,
    #[error("\"moves\" is not a text of moves, nor a list of texts")]
    Moves,
}

/// The object of a line.
///
/// # Errors
/// If it is none.
pub fn object_of(line: &str) -> Result<Map<String, Value>, ObjectError> {
    serde_json::from_str(line).map_err(|error| ObjectError::Json(error.to_string()))
}

/// Whether an object is a game that was played: it has moves, and the position before them only if it also says who
/// played, or how it ended. With a position, moves alone lead to another one.
pub fn is_played(object: &Map<String, Value>) -> bool {
    let has = |name: &str| object.get(name).is_some_and(|value| !value.is_null());
    has("moves") && (!has("fen") || ["white", "black", "result"].into_iter().any(has))
}

/// The field that names an object's game, and the name: `variant`, else `game`. A number there is the number of the
/// game.
pub fn game_name(object: &Map<String, Value>) -> Option<(&'static str, &str)> {
    let text = |field| Some((field, object.get(field)?.as_str()?));
    text("variant").or_else(|| text("game"))
}

/// The game of an object on this line. Fields of texts and numbers become tags.
///
/// # Errors
/// If it has no moves that can be read.
pub fn game_of_object(line: usize, object: &Map<String, Value>) -> Result<ReadGame, ObjectError> {
    let moves = match object.get("moves") {
        Some(Value::String(moves)) => moves.clone(),
        Some(Value::Array(list)) => {
            let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            texts.ok_or(ObjectError::Moves)?.join(" ")
        }
        None | Some(Value::Null) => return Err(ObjectError::NoMoves),
        Some(_) => return Err(ObjectError::Moves),
    };
    let mut game = list_of_moves(&moves);
    game.line = line;
    // Places within the text of a field help nobody.
    for mv in &mut game.main.moves {
        (mv.line, mv.column) = (line, 1);
    }
    if let Some(fault) = &mut game.fault {
        (fault.line, fault.column) = (line, None);
    }
    if let Some((_, name)) = game_name(object) {
        game.set_tag("Variant", name);
    }
    for (name, value) in object {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => continue,
        };
        match name.as_str() {
            "fen" => game.set_tag("FEN", &text),
            "result" => {
                // What stands behind the moves counts.
                if game.result == "*" {
                    game.result = result_of(&text).unwrap_or("*");
                }
                game.set_tag("Result", game.result);
            }
            "game" if value.is_number() => game.set_tag("Game", &text),
            _ if NO_TAGS.contains(&name.as_str()) => {}
            _ => {
                if let Some(tag) = tag_name(name) {
                    game.set_tag(&tag, &text);
                }
            }
        }
    }
    Ok(game)
}

/// A list of moves as people type or paste it: with numbers, comments and the result, or without. Words that are no
/// moves are never a remark here.
pub fn list_of_moves(text: &str) -> ReadGame {
    let mut reader = Reader::strict();
    let mut games = Vec::new();
    for (number, line) in text.lines().enumerate() {
        reader.line(number + 1, line, &mut games);
    }
    reader.end(&mut games);
    let mut games = games.into_iter();
    let mut game = games.next().unwrap_or_else(|| ReadGame {
        result: "*",
        ..ReadGame::default()
    });
    if let Some(second) = games.next() {
        let ended = game.main.moves.len();
        let problem = match game.result {
            "*" => format!(
                "another game begins behind move {ended}, where the numbers begin anew; expected one game"
            ),
            _ => format!(
                "another game begins after the result behind move {ended}; expected one game"
            ),
        };
        game.fault.get_or_insert(PgnError {
            line: second.line,
            column: None,
            ply: None,
            problem,
        });
    }
    game
}

/// The tag of a field, which begins with a letter; `None` if nothing of its name can be in one.
fn tag_name(name: &str) -> Option<String> {
    let mut chars = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .skip_while(|c| !c.is_ascii_alphabetic());
    let first = chars.next()?.to_ascii_uppercase();
    let tag: String = std::iter::once(first).chain(chars).collect();
    // What is left of `_fen` is not the position.
    let means_more = tag.len() < name.len() && is_own(&tag.to_ascii_lowercase());
    (!means_more).then_some(tag)
}

/// Whether a field is one that games have beside their tags, or their result.
fn is_own(name: &str) -> bool {
    name == "result" || NO_TAGS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_become_tags_that_can_be_read() {
        for (field, tag) in [
            ("white", Some("White")),
            ("2nd_board", Some("Nd_board")),
            ("_note 1", Some("Note1")),
            ("42", None),
            ("é", None),
            ("_fen", None),
            ("1result", None),
        ] {
            assert_eq!(tag_name(field).as_deref(), tag, "{field}");
        }
    }

    #[test]
    fn the_result_behind_the_moves_counts() {
        for (moves, result) in [("e5 e6 0-1", "0-1"), ("e5 e6", "1-0"), ("e5 e6 *", "1-0")] {
            let object = serde_json::json!({"moves": moves, "result": "1-0"});
            let game = game_of_object(1, object.as_object().unwrap()).unwrap();
            assert_eq!(
                (game.result, game.tag("Result")),
                (result, Some(result)),
                "{moves}"
            );
        }
    }
}
