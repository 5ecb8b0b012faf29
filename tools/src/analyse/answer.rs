//! The answers that are written.

use std::borrow::Cow;

use hexmate_engine::{Line, Report, score_of_quarters};
use hexmate_movegen::{Game, GameId, Move, Outcome, Position};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::Fields;
use super::item::Origin;
use super::request::Label;
use crate::chances;
use crate::explain::Explanation;
pub use crate::score::{Bound, Score};

/// An answer: one line of the output.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub enum Answer {
    /// For a position that could be read.
    Analysis(Box<Analysis>),
    /// For a line that could not be used.
    Error(Fault),
}

/// A position and its analysis.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[allow(missing_docs)] // the fields are the output format, described in docs/formats.md
pub struct Analysis {
    pub id: Value,
    pub game: String,
    pub fen: String,
    #[serde(flatten)]
    pub found: Findings,
    /// What the record has beside what is used.
    #[serde(flatten)]
    pub fields: Fields,
}

/// The findings: everything that equal positions have in common.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[allow(missing_docs)] // as above
pub struct Findings {
    pub status: Cow<'static, str>,
    pub bestmove: Option<String>,
    pub score: Score,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    pub depth: u32,
    pub seldepth: u32,
    pub nodes: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tbhits: u64,
    pub time_ms: u64,
    pub pv: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<BestLine>>,
    /// With `--mate`: it is proven that the side to move has no mate in this many moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_mate_in: Option<u32>,
    /// Win, draw and loss in thousandths, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u32; 3]>,
    /// What separates the best move from another one, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Box<Explanation>>,
    /// Whether `--timeout` ended the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<bool>,
}

/// The part of an answer that concerns its record, not the position.
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    /// See [`Analysis`].
    pub id: Value,
    /// See [`Analysis`].
    pub game: &'static str,
    /// See [`Analysis`].
    pub fen: String,
    /// See [`Analysis`].
    pub fields: Fields,
}

/// One of the best moves.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[allow(missing_docs)] // as above
pub struct BestLine {
    #[serde(rename = "move")]
    pub best: String,
    pub score: Score,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    pub depth: u32,
    pub seldepth: u32,
    pub pv: Vec<String>,
}

impl BestLine {
    /// A line as it is written; `None` for a position without moves.
    fn of<G: Game>(game: G, line: &Line) -> Option<BestLine> {
        let pv = texts(game, &line.pv);
        Some(BestLine {
            best: pv.first()?.clone(),
            score: line.score.into(),
            bound: Bound::of(line.bound),
            depth: line.depth,
            seldepth: line.seldepth,
            pv,
        })
    }
}

/// Whether the score of the best line is a bound.
pub fn first_bound(report: &Report) -> Option<Bound> {
    report.lines.first().and_then(|line| Bound::of(line.bound))
}

/// Without endgame tables the field is left out.
fn is_zero(hits: &u64) -> bool {
    *hits == 0
}

fn texts<G: Game>(game: G, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|m| m.text(game)).collect()
}

/// What is wrong with a line.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[allow(missing_docs)] // as above
pub struct Fault {
    pub id: Value,
    pub line: u64,
    pub game: Option<String>,
    pub status: Cow<'static, str>,
    pub error: String,
    #[serde(flatten)]
    pub fields: Fields,
}

impl Findings {
    /// The findings of a search, with each of its lines and with the chances, if requested.
    pub fn searched<G: Game>(
        position: &Position<G>,
        report: &Report,
        with_lines: bool,
        with_wdl: bool,
    ) -> Findings {
        let game = position.game();
        let lines = || {
            let lines = report.lines.iter();
            lines.filter_map(|line| BestLine::of(game, line)).collect()
        };
        Findings {
            status: "ok".into(),
            bestmove: report.best_move().map(|mv| mv.text(game)),
            score: report.score().into(),
            bound: first_bound(report),
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            tbhits: report.tbhits,
            time_ms: 0,
            pv: texts(game, report.pv()),
            lines: with_lines.then(lines),
            no_mate_in: report.no_mate_in,
            wdl: with_wdl.then(|| chances::wdl(report.score(), position, report.pv())),
            explanation: None,
            timeout: None,
        }
    }

    /// The findings for a game that is over.
    pub fn over<G: Game>(game: G, outcome: Outcome, with_lines: bool, with_wdl: bool) -> Findings {
        let (status, score, wdl) = match outcome {
            Outcome::Checkmate { .. } => ("checkmate", Score::Mate(0), [0, 0, 1000]),
            Outcome::Stalemate { .. } => {
                let score = score_of_quarters(game.spec().stalemate_quarters);
                ("stalemate", score.into(), chances::stalemated(game))
            }
            Outcome::BareKings | Outcome::NoProgress | Outcome::Repetition => {
                ("draw", Score::Cp(0), [0, 1000, 0])
            }
        };
        Findings {
            status: status.into(),
            bestmove: None,
            score,
            bound: None,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            tbhits: 0,
            time_ms: 0,
            pv: Vec::new(),
            lines: with_lines.then(Vec::new),
            no_mate_in: None,
            wdl: with_wdl.then_some(wdl),
            explanation: None,
            timeout: None,
        }
    }
}

impl Answer {
    /// The answer to a record with this position.
    pub fn new(head: Head, found: Findings) -> Answer {
        Answer::Analysis(Box::new(Analysis {
            id: head.id,
            game: head.game.to_owned(),
            fen: head.fen,
            found,
            fields: head.fields,
        }))
    }

    /// The answer to a record that cannot be used; `id` if it has its own.
    pub fn fault(
        id: Option<Value>,
        origin: &Origin,
        game: Option<GameId>,
        error: &(impl std::fmt::Display + ?Sized),
    ) -> Answer {
        let line = origin.line;
        let (id, error) = match &origin.file {
            None => (
                id.unwrap_or_else(|| line.into()),
                format!("line {line}, {error}"),
            ),
            Some(file) if line == 0 => (
                id.unwrap_or_else(|| (**file).into()),
                format!("{file}: {error}"),
            ),
            Some(file) => (
                id.unwrap_or_else(|| format!("{file}:{line}").into()),
                format!("{file}, line {line}, {error}"),
            ),
        };
        Answer::Error(Fault {
            id,
            line,
            game: game.map(|g| g.name().to_owned()),
            status: "error".into(),
            error,
            fields: Fields::default(),
        })
    }

    /// The answer to a record of this label that cannot be used.
    pub fn refusal(
        label: Label,
        origin: &Origin,
        game: Option<GameId>,
        error: &(impl std::fmt::Display + ?Sized),
    ) -> Answer {
        let mut answer = Answer::fault(Some(label.id), origin, game, error);
        if let Answer::Error(fault) = &mut answer {
            fault.fields = label.fields;
        }
        answer
    }

    /// The line of the output, without its end.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON")
    }

    /// Parses such a line.
    ///
    /// # Errors
    ///
    /// If it is not an answer.
    pub fn of_json(line: &str) -> serde_json::Result<Answer> {
        serde_json::from_str(line)
    }
}
