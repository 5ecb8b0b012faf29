//! Positions, moves, games and records for serde, as their texts. With the feature `serde`.
//!
//! What is read is checked as any text is: a position that breaks a rule and a move that is not legal are errors.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::games::{AnyPosition, AnyRecord, Game, GameId};
use crate::play::{Compiled, Record};
use crate::position::Position;
use crate::rules::Move;
use crate::tables::Tabled;
use crate::text::NamedMove;

/// Reads a string by [`FromStr`].
fn parsed<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let text = Cow::<str>::deserialize(deserializer)?;
    text.parse().map_err(Error::custom)
}

/// Its name.
impl Serialize for GameId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// From the name of a game that ships; a game that was read from a file is not known by its name.
impl<'de> Deserialize<'de> for GameId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer)
    }
}

/// Its text, see [`Move::display`].
impl<G: Tabled> Serialize for NamedMove<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// From its text, in a built-in game. It need not be legal anywhere.
impl<'de, G: Tabled + Default> Deserialize<'de> for NamedMove<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer)
    }
}

/// Its canonical text.
impl<G: Compiled> Serialize for Position<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// From its text, in a built-in game.
impl<'de, G: Compiled + Default> Deserialize<'de> for Position<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionShape<'a> {
    game: GameId,
    fen: Cow<'a, str>,
}

/// `{"game": "glinski", "fen": "..."}`.
impl Serialize for AnyPosition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (game, fen) = (self.game(), self.to_string().into());
        PositionShape { game, fen }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnyPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PositionShape { game, fen } = PositionShape::deserialize(deserializer)?;
        Self::from_fen(game, &fen).map_err(Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordShape<'a> {
    fen: Cow<'a, str>,
    moves: Vec<Cow<'a, str>>,
}

/// `{"fen": "...", "moves": ["e4e5"]}`: the first position and the moves.
impl<G: Game> Serialize for Record<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |mv: &Move| mv.text(self.first().game()).into();
        let moves = self.moves().iter().map(text).collect();
        let fen = self.first().to_string().into();
        RecordShape { fen, moves }.serialize(serializer)
    }
}

/// Of a built-in game.
impl<'de, G: Game + Default> Deserialize<'de> for Record<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let RecordShape { fen, moves } = RecordShape::deserialize(deserializer)?;
        let first: Position<G> = fen.parse().map_err(Error::custom)?;
        let mut record = Record::new(first);
        for text in moves {
            let mv = record.position().parse_move(&text).map_err(Error::custom)?;
            record.play(mv).expect("a move that was read is legal");
        }
        Ok(record)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyRecordShape<'a> {
    game: GameId,
    fen: Cow<'a, str>,
    moves: Vec<Cow<'a, str>>,
}

/// `{"game": "glinski", "fen": "...", "moves": ["e4e5"]}`.
impl Serialize for AnyRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let moves = self.move_texts().into_iter().map(Cow::from).collect();
        let (game, fen) = (self.game(), self.first().to_string().into());
        AnyRecordShape { game, fen, moves }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnyRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let AnyRecordShape { game, fen, moves } = AnyRecordShape::deserialize(deserializer)?;
        let first = AnyPosition::from_fen(game, &fen).map_err(Error::custom)?;
        let mut record = AnyRecord::new(first);
        for text in moves {
            record.play(&text).map_err(Error::custom)?;
        }
        Ok(record)
    }
}
