//! Games from one form into another: PGN, JSON lines, lines of moves.

use std::io::{BufRead, Write};

use anyhow::{Context, Result};
use hexmate_movegen::{GameId, Letters};
use serde_json::{Map, Value};

use crate::analyse::TextKind;
use crate::game_names::GameNames;
use crate::inputs;
use crate::lines::Lines;
use crate::outcome;
use crate::pgn::object::{NO_TAGS, game_name, game_of_object, object_of};
use crate::pgn::{self, Notation, PgnError, ReadGame};

/// How games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Tags and moves, with comments and variations.
    Pgn,
    /// An object for each game.
    Jsonl,
    /// The moves of a game on a line.
    Moves,
}

/// The order in which PGN has its tags; those of objects have none.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Converts games.
pub struct Games<'o, W> {
    pub form: Form,
    pub notation: Notation,
    pub letters: Letters,
    /// The game of those that do not name one.
    pub default: GameId,
    /// The games of files that objects name.
    pub names: GameNames,
    /// The input, for messages.
    pub name: String,
    pub output: &'o mut W,
    /// What is said where the output cannot be written.
    pub cannot: String,
    /// How many games were read, and how many could not be used as a whole.
    pub read: u64,
    pub bad: u64,
}

impl<W: Write> Games<'_, W> {
    /// Converts all games of an input.
    ///
    /// # Errors
    /// If it cannot be read further, or the output cannot be written.
    pub fn all(&mut self, kind: TextKind, lines: &mut Lines<impl BufRead>) -> Result<()> {
        let is_pgn = matches!(kind, TextKind::Games | TextKind::GameLines);
        let mut reader = pgn::Reader::default();
        let mut found = Vec::new();
        loop {
            let line = match is_pgn {
                true => lines.next_of_any(),
                false => lines.next_line(),
            };
            let line = line.with_context(|| format!("{}: cannot be read further", self.name))?;
            let Some(line) = line else { break };
            match line.text {
                Ok(text) if is_pgn => {
                    reader.line(line.number as usize, &text, &mut found);
                    if kind == TextKind::GameLines {
                        reader.end_of_line(&mut found);
                    }
                }
                Ok(text) => self.line(line.number, &text)?,
                Err(error) => {
                    self.read += 1;
                    self.refuse(line.number, &error);
                }
            }
            self.games(&mut found)?;
        }
        reader.end(&mut found);
        self.games(&mut found)
    }

    fn games(&mut self, found: &mut Vec<ReadGame>) -> Result<()> {
        for game in found.drain(..) {
            self.read += 1;
            // A match numbers its games.
            let number = game.tag("Game").and_then(|tag| tag.parse::<u64>().ok());
            let id = number.unwrap_or(self.read).into();
            self.game(game, self.default, id, None)?;
        }
        Ok(())
    }

    /// A line of an input that is not PGN: an object, or moves.
    fn line(&mut self, number: u64, text: &str) -> Result<()> {
        if !text.trim_start().starts_with('{') {
            let mut found = Vec::new();
            let mut reader = pgn::Reader::default();
            reader.line(number as usize, text, &mut found);
            reader.end(&mut found);
            return self.games(&mut found);
        }
        self.read += 1;
        let object = object_of(text);
        match object.and_then(|object| Ok((game_of_object(number as usize, &object)?, object))) {
            Ok((mut game, object)) => {
                let mut named = self.default;
                if let Some((field, name)) = game_name(&object) {
                    match self.names.find(name, self.default) {
                        Ok(found) => named = found,
                        Err(error) => {
                            let error = error.in_record();
                            self.refuse(number, &format_args!("\"{field}\": {error}"));
                            return Ok(());
                        }
                    }
                    // Not by the name of its file.
                    game.set_tag("Variant", named.name());
                }
                let number_of_game = object.get("game").filter(|game| game.is_number());
                let id = object.get("id").or(number_of_game).cloned();
                self.game(game, named, id.unwrap_or(number.into()), Some(object))
            }
            Err(error) => {
                self.refuse(number, &error);
                Ok(())
            }
        }
    }

    /// Writes a game, that of `default` unless it says otherwise; `object` is what it was read from, if that was one.
    fn game(
        &mut self,
        mut game: ReadGame,
        default: GameId,
        id: Value,
        object: Option<Map<String, Value>>,
    ) -> Result<()> {
        let rewritten = game.rewrite(default, &self.letters, self.notation);
        let rewritten = match rewritten {
            Ok(rewritten) => rewritten,
            Err(error) => {
                self.report(&error);
                self.bad += 1;
                return Ok(());
            }
        };
        for fault in &rewritten.variations {
            self.report(fault);
        }
        if let Some(fault) = rewritten.broken {
            self.report(&fault);
            self.bad += 1;
            return Ok(());
        }
        self.bad += u64::from(!rewritten.variations.is_empty());
        // What the moves themselves say need not be said.
        if game.result == "*"
            && let Some(outcome) = rewritten.record.outcome()
        {
            game.result = outcome::result(outcome, rewritten.record.game().spec());
        }
        let first = rewritten.record.first();
        let (name, fen) = (first.spec().name, first.to_string());
        let is_start = fen == first.spec().start;
        let moves: Vec<&str> = game.main.moves.iter().map(|mv| mv.text.as_str()).collect();
        let moves = moves.join(" ");
        let text = match self.form {
            Form::Pgn => {
                game.set_tag("Variant", name);
                game.set_tag("Result", game.result);
                if object.is_some() {
                    let place = |name: &str| ROSTER.iter().position(|&tag| tag == name);
                    let place = |name: &str| place(name).unwrap_or(ROSTER.len());
                    game.tags.sort_by_key(|(name, _)| place(name));
                }
                if !is_start {
                    game.set_tag("SetUp", "1");
                    game.set_tag("FEN", &fen);
                }
                pgn::write::text(&game, &fen)
            }
            Form::Jsonl => {
                let mut object = object.unwrap_or_else(|| object_of_tags(&game));
                object.insert("id".to_owned(), id);
                object.insert("game".to_owned(), name.into());
                object.insert("result".to_owned(), game.result.into());
                object.remove("variant");
                object.remove("fen");
                if !is_start {
                    object.insert("fen".to_owned(), fen.into());
                }
                object.insert("moves".to_owned(), moves.into());
                format!("{}\n", Value::Object(object))
            }
            Form::Moves if is_start => moves + "\n",
            Form::Moves => {
                let error = "the game does not begin at the start, which moves alone cannot say";
                self.refuse(game.line as u64, &error);
                return Ok(());
            }
        };
        let written = self.output.write_all(text.as_bytes());
        written.with_context(|| self.cannot.clone())
    }

    fn report(&self, error: &PgnError) {
        let error = inputs::naming_letters(&error.to_string());
        eprintln!("hexmate: {}: {error}", self.name);
    }

    fn refuse(&mut self, line: u64, error: &dyn std::fmt::Display) {
        eprintln!("hexmate: {}: line {line}: {error}", self.name);
        self.bad += 1;
    }
}

/// The tags as fields, by their names in lower case.
fn object_of_tags(game: &ReadGame) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, value) in &game.tags {
        let name = name.to_ascii_lowercase();
        if !NO_TAGS.contains(&name.as_str()) {
            object.entry(name).or_insert_with(|| value.as_str().into());
        }
    }
    object
}
