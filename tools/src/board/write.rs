//! `/api/write`: a tree as PGN.

use hexmate_movegen::{AnyPosition, AnyRecord, Letters, read_move};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::{Fields, wrong};
use super::place;
use super::shared::Shared;
use crate::outcome;
use crate::pgn::{MOST_NESTED, Notation, ReadGame, ReadLine, ReadMove, result_of, write};

/// No game has more moves, its variations included, or tags.
const MOST_MOVES: usize = 20_000;
const MOST_TAGS: usize = 100;

/// The answer.
pub fn answer(shared: &Shared, mut fields: Fields) -> Result<Value, ApiError> {
    let game = place::game(&mut fields, shared)?;
    let first = place::first(&mut fields, game)?;
    let mut tags = Vec::new();
    for (i, tag) in fields
        .list("tags", MOST_TAGS)?
        .unwrap_or_default()
        .into_iter()
        .enumerate()
    {
        tags.push(one_tag(tag).ok_or_else(|| {
            ApiError::field(
                "tags",
                format!("tag {} is not a pair of a name and a text", i + 1),
            )
            .at(i)
        })?);
    }
    let result = match fields.text("result")? {
        None => "*",
        Some(text) => result_of(&text).ok_or_else(|| {
            ApiError::field(
                "result",
                "\"result\" is not 1-0, 3/4-1/4, 1/2-1/2, 1/4-3/4, 0-1 or *",
            )
        })?,
    };
    let notation = match fields.text("notation")?.as_deref() {
        None | Some("san") => Notation::San,
        Some("cells") => Notation::Cells,
        Some(_) => {
            return Err(ApiError::field(
                "notation",
                "\"notation\" is not \"san\" or \"cells\"",
            ));
        }
    };
    let main = fields.object("main")?.ok_or_else(|| {
        ApiError::field(
            "main",
            "\"main\" is missing; expected an object with \"moves\"",
        )
    })?;
    // What `read` also tells.
    let _ = fields.take("faults");
    fields.end()?;
    let mut tree = Tree {
        notation,
        moves: 0,
        main: AnyRecord::new(first),
    };
    let (main, last) = tree.line(main, &first, 0)?;
    // What the moves themselves say need not be said.
    let over = tree.main.outcome().filter(|_| result == "*");
    let result = over.map_or(result, |outcome| outcome::result(outcome, game.spec()));
    let mut written = ReadGame {
        tags,
        main,
        result,
        ..ReadGame::default()
    };
    written.set_tag("Variant", game.name());
    written.set_tag("Result", result);
    let start = AnyPosition::start(game);
    if first == start {
        written.tags.retain(|(name, _)| {
            !name.eq_ignore_ascii_case("FEN") && !name.eq_ignore_ascii_case("SetUp")
        });
    } else {
        written.set_tag("SetUp", "1");
        written.set_tag("FEN", &first.to_string());
    }
    Ok(json!({
        "text": write::text(&written, &first.to_string()),
        "fen": last.to_string(),
    }))
}

/// A name of letters, digits and underscores, and any text.
fn one_tag(tag: Value) -> Option<(String, String)> {
    let (name, value) = serde_json::from_value::<(String, String)>(tag).ok()?;
    let known = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.len() < 100 && name.chars().all(known)).then_some((name, value))
}

/// A tree being read from a request.
struct Tree {
    notation: Notation,
    moves: usize,
    /// The moves of the main line.
    main: AnyRecord,
}

impl Tree {
    /// A line from a position, and the position after it.
    fn line(
        &mut self,
        mut fields: Fields,
        first: &AnyPosition,
        depth: usize,
    ) -> Result<(ReadLine, AnyPosition), ApiError> {
        if depth > MOST_NESTED {
            let message = format!("more than {MOST_NESTED} variations within each other");
            return Err(ApiError::bad("text", message).of("variations"));
        }
        let intro = fields.texts("intro", MOST_MOVES)?.unwrap_or_default();
        let mut position = *first;
        let mut moves = Vec::new();
        for (i, value) in fields
            .list("moves", MOST_MOVES)?
            .unwrap_or_default()
            .into_iter()
            .enumerate()
        {
            self.moves += 1;
            if self.moves > MOST_MOVES {
                return Err(
                    ApiError::bad("text", format!("more than {MOST_MOVES} moves")).of("moves"),
                );
            }
            let mut fields = match value {
                Value::Object(_) => Fields::of("moves", value)?,
                other => return Err(wrong("moves", &other, "objects with \"move\"").at(i)),
            };
            let text = fields.required_text("move")?;
            let mv = read_move(&position, &text, &Letters::Own).map_err(|error| {
                ApiError::bad("move", format!("move {}: {error}", i + 1))
                    .of("moves")
                    .at(i)
            })?;
            let mut glyphs = Vec::new();
            for glyph in fields.list("glyphs", 20)?.unwrap_or_default() {
                let number = glyph.as_u64().and_then(|n| u16::try_from(n).ok());
                glyphs.push(number.ok_or_else(|| wrong("glyphs", &glyph, "small whole numbers"))?);
            }
            let comments = fields.texts("comments", 1000)?.unwrap_or_default();
            let mut variations = Vec::new();
            for variation in fields.list("variations", 1000)?.unwrap_or_default() {
                let fields = Fields::of("variations", variation)?;
                variations.push(self.line(fields, &position, depth + 1)?.0);
            }
            let _ = fields.take("san");
            fields.end()?;
            moves.push(ReadMove {
                text: self.notation.text(&position, mv),
                glyphs,
                comments,
                variations,
                ..ReadMove::default()
            });
            position = position.after(mv);
            if depth == 0 {
                let played = self.main.play_move(mv);
                debug_assert!(played.is_ok(), "it was read as a legal move");
            }
        }
        fields.end()?;
        Ok((ReadLine { intro, moves }, position))
    }
}
