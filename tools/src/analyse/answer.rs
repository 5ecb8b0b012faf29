//! What is written for a line.

use hexmate_engine::{Line, Report, Shown, score_of_quarters};
use hexmate_movegen::{Game, GameId, Move, Outcome, Position};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line of the output.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub enum Answer {
    /// A position that could be read.
    Analysis(Box<Analysis>),
    /// A line that could not be used.
    Error(Fault),
}

/// What is known of a position.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[allow(missing_docs)] // the fields are the output format, described in docs/formats.md
pub struct Analysis {
    pub id: Value,
    pub game: String,
    pub fen: String,
    pub status: String,
    pub bestmove: Option<String>,
    pub score: Score,
    pub depth: u32,
    pub seldepth: u32,
    pub nodes: u64,
    pub time_ms: u64,
    pub pv: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<BestLine>>,
}

/// One of the best moves.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[allow(missing_docs)] // as above
pub struct BestLine {
    #[serde(rename = "move")]
    pub best: String,
    pub score: Score,
    pub depth: u32,
    pub seldepth: u32,
    pub pv: Vec<String>,
}

impl BestLine {
    /// A line as it is written; `None` for that of a position without moves.
    fn of<G: Game>(line: &Line) -> Option<BestLine> {
        let pv = texts::<G>(&line.pv);
        Some(BestLine {
            best: pv.first()?.clone(),
            score: line.score.into(),
            depth: line.depth,
            seldepth: line.seldepth,
            pv,
        })
    }
}

fn texts<G: Game>(moves: &[Move]) -> Vec<String> {
    moves.iter().map(|m| m.text::<G>()).collect()
}

/// What was wrong with a line.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[allow(missing_docs)] // as above
pub struct Fault {
    pub id: Value,
    pub line: u64,
    pub game: Option<String>,
    pub status: String,
    pub error: String,
}

/// A score from the side to move.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate.
    Mate(i32),
}

impl From<hexmate_engine::Score> for Score {
    fn from(score: hexmate_engine::Score) -> Score {
        match Shown::from(score) {
            Shown::Centipawns(cp) => Score::Cp(cp),
            Shown::Mate(moves) => Score::Mate(moves),
        }
    }
}

impl Answer {
    /// The answer of a search, with each of its lines if they are wanted.
    pub fn searched<G: Game>(
        id: Value,
        position: &Position<G>,
        report: &Report,
        time_ms: u64,
        with_lines: bool,
    ) -> Answer {
        let lines = || report.lines.iter().filter_map(BestLine::of::<G>).collect();
        Answer::Analysis(Box::new(Analysis {
            id,
            game: G::ID.name().to_owned(),
            fen: position.to_string(),
            status: "ok".to_owned(),
            bestmove: report.best_move().map(Move::text::<G>),
            score: report.score().into(),
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            time_ms,
            pv: texts::<G>(report.pv()),
            lines: with_lines.then(lines),
        }))
    }

    /// The answer for a game that is over.
    pub fn over<G: Game>(
        id: Value,
        position: &Position<G>,
        outcome: Outcome,
        with_lines: bool,
    ) -> Answer {
        let (status, score) = match outcome {
            Outcome::Checkmate { .. } => ("checkmate", Score::Mate(0)),
            Outcome::Stalemate { .. } => {
                let score = score_of_quarters(G::SPEC.stalemate_quarters);
                ("stalemate", score.into())
            }
            Outcome::BareKings | Outcome::NoProgress | Outcome::Repetition => {
                ("draw", Score::Cp(0))
            }
        };
        Answer::Analysis(Box::new(Analysis {
            id,
            game: G::ID.name().to_owned(),
            fen: position.to_string(),
            status: status.to_owned(),
            bestmove: None,
            score,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            time_ms: 0,
            pv: Vec::new(),
            lines: with_lines.then(Vec::new),
        }))
    }

    /// The answer for a line that cannot be used.
    pub fn fault(
        id: Value,
        line: u64,
        game: Option<GameId>,
        error: &(impl std::fmt::Display + ?Sized),
    ) -> Answer {
        Answer::Error(Fault {
            id,
            line,
            game: game.map(|g| g.name().to_owned()),
            status: "error".to_owned(),
            error: format!("line {line}, {error}"),
        })
    }

    /// The line of the output, without its end.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON")
    }

    /// Whether the line could not be used.
    pub fn is_error(&self) -> bool {
        matches!(self, Answer::Error(_))
    }
}
