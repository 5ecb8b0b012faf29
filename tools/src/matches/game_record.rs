//! A finished game, as the journal stores it; all outputs are made from it.

use serde::{Deserialize, Serialize};

use crate::outcome::RESULTS;

/// A result in quarters of a point for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GameResult {
    white: u8,
}

/// A text that is not a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a result; expected 1-0, 3/4-1/4, 1/2-1/2, 1/4-3/4 or 0-1")]
pub struct ResultError(String);

impl GameResult {
    /// This many quarters for White, at most 4.
    pub fn of_white(quarters: u8) -> Self {
        assert!(quarters <= 4, "a point has four quarters");
        GameResult { white: quarters }
    }

    /// White's quarters.
    pub fn white(self) -> usize {
        self.white.into()
    }

    /// Black's quarters.
    pub fn black(self) -> usize {
        4 - self.white()
    }

    /// `1-0`, `3/4-1/4`, …
    pub fn text(self) -> &'static str {
        RESULTS[self.white()]
    }
}

impl TryFrom<String> for GameResult {
    type Error = ResultError;

    fn try_from(text: String) -> Result<Self, ResultError> {
        match RESULTS.iter().position(|&r| r == text) {
            Some(white) => Ok(GameResult { white: white as u8 }),
            None => Err(ResultError(text)),
        }
    }
}

impl From<GameResult> for String {
    fn from(result: GameResult) -> String {
        result.text().to_owned()
    }
}

/// How a game ended, in the words of PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// By the rules.
    Normal,
    /// By adjudication.
    Adjudication,
    /// A player is gone or does not answer.
    Abandoned,
    /// A player answered too late.
    #[serde(rename = "time forfeit")]
    TimeForfeit,
    /// A player's move was not a move, or illegal.
    #[serde(rename = "illegal move")]
    IllegalMove,
}

impl Termination {
    /// Its words.
    pub fn text(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::Abandoned => "abandoned",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove => "illegal move",
        }
    }
}

/// A player's report on its move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveNote {
    /// Its score as PGN comments write it, from the mover's side: `+0.31`, `-M4` (plies).
    #[serde(rename = "s")]
    pub score: String,
    /// Its depth.
    #[serde(rename = "d")]
    pub depth: u32,
    /// Its selective depth.
    #[serde(rename = "sd")]
    pub seldepth: u32,
    /// Its nodes.
    #[serde(rename = "n")]
    pub nodes: u64,
    /// The time until its answer arrived, in microseconds.
    #[serde(rename = "us")]
    pub micros: u64,
    /// How much longer that is than the time that the player reports, in microseconds.
    #[serde(rename = "lag")]
    pub lag: Option<i64>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number among all games of the match, from 1.
    pub game: usize,
    /// Its round, from 1.
    pub round: usize,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Its result.
    pub result: GameResult,
    /// Why it ended, in the words of `fastchess`.
    pub reason: String,
    /// How it ended.
    pub termination: Termination,
    /// The player at fault, if any: `w` or `b`.
    pub blame: Option<char>,
    /// If that was an answer after its time: how long it took, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<u64>,
    /// The number of its opening, from 0.
    pub opening: usize,
    /// The position before its first move.
    pub fen: String,
    /// Its moves separated by blanks, including those of the opening.
    pub moves: String,
    /// How many of the moves belong to the opening.
    pub book_plies: usize,
    /// A note for each move after the opening.
    pub notes: Vec<MoveNote>,
    /// The position after its last move.
    pub final_fen: String,
    /// When it started, in seconds since 1970.
    pub began: u64,
    /// How long it took, in milliseconds.
    pub millis: u64,
}

impl GameRecord {
    /// The number of its moves.
    pub fn plies(&self) -> usize {
        self.book_plies + self.notes.len()
    }

    /// The name of the player at fault, if any.
    pub fn at_fault(&self) -> Option<&str> {
        Some(match self.blame? {
            'w' => &self.white,
            _ => &self.black,
        })
    }

    /// What a player did wrong, if anything, with the position.
    pub fn warning(&self) -> Option<String> {
        let engine = self.at_fault()?;
        Some(format!(
            "Warning; game {}: {}, engine {engine}; fen {}; from {} moves {}",
            self.game, self.reason, self.final_fen, self.fen, self.moves
        ))
    }

    /// The line of the games file, for a match of this game.
    pub fn json_line(&self, variant: &str) -> String {
        let line = GameLine {
            variant,
            round: Some(self.round as u64),
            game: Some(self.game as u64),
            white: &self.white,
            black: &self.black,
            result: self.result.text(),
            reason: &self.reason,
            fen: &self.fen,
            moves: &self.moves,
            plies: self.plies(),
        };
        line.text()
    }
}

/// A game in the games file: nothing that differs from run to run.
#[derive(Serialize)]
#[allow(missing_docs)] // see docs/tournaments.md
pub struct GameLine<'r> {
    pub variant: &'r str,
    pub round: Option<u64>,
    pub game: Option<u64>,
    pub white: &'r str,
    pub black: &'r str,
    pub result: &'r str,
    pub reason: &'r str,
    pub fen: &'r str,
    pub moves: &'r str,
    pub plies: usize,
}

impl GameLine<'_> {
    /// The line, without its end.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON")
    }
}
