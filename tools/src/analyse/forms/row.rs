//! Answers as rows of a table, for CSV and Parquet.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::analyse::answer::{Answer, BestLine, Bound, Score};
use crate::analyse::fields::{self, Fields, REST};

/// The names of the columns that are always there, beside the last.
const COLUMNS: [&str; 24] = [
    "id",
    "game",
    "fen",
    "status",
    "rank",
    "bestmove",
    "move",
    "cp",
    "mate",
    "bound",
    "depth",
    "seldepth",
    "nodes",
    "tbhits",
    "time_ms",
    "pv",
    "no_mate_in",
    "win",
    "draw",
    "loss",
    "explanation",
    "timeout",
    "line",
    "error",
];

/// The columns of a table: behind those that are always there the fields of the first record, and a last one for
/// what other records have beside these, as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header(Vec<String>);

/// The columns of a run, known when its first record was read. Each share of a run has the columns of the whole.
#[derive(Clone, Debug, Default)]
pub struct RunHeader(Arc<OnceLock<Header>>);

impl RunHeader {
    /// The run begins with a record that has these fields of its own. Only the first call counts.
    pub fn begin_with(&self, fields: &Fields) {
        self.0.get_or_init(|| Header::of(fields));
    }

    /// The columns. Without any record there are those that are always there.
    pub fn get(&self) -> Header {
        self.0.get().cloned().unwrap_or_default()
    }
}

impl Header {
    /// The columns of a table whose first record has these fields of its own.
    fn of(fields: &Fields) -> Header {
        Header(fields.iter().map(|(name, _)| name.to_owned()).collect())
    }

    /// The names of all columns.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let own = self.0.iter().map(String::as_str);
        COLUMNS.into_iter().chain(own).chain([REST])
    }

    /// The cells of a row that are the record's own fields, the last one included.
    fn cells(&self, fields: &Fields) -> impl Iterator<Item = Option<String>> {
        let text = |name: &String| {
            let value = fields.get(name).filter(|value| !value.is_null());
            value.map(fields::text_of)
        };
        let is_rest = |(name, _): &(&str, &Value)| !self.0.iter().any(|own| own == name);
        let rest = fields.iter().filter(is_rest);
        let rest: Fields = rest.map(|(n, v)| (n.to_owned(), v.clone())).collect();
        let rest = serde_json::to_string(&rest)
            .ok()
            .filter(|_| !rest.is_empty());
        self.0.iter().map(text).chain([rest])
    }
}

/// A row: one of the best moves of a record, or everything about it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    /// The record's id; JSON if it is not text.
    pub id: String,
    /// The game, if it is known.
    pub game: Option<String>,
    /// The position.
    pub fen: Option<String>,
    /// See docs/formats.md.
    pub status: String,
    /// 1 for the best move, 2 for the next.
    pub rank: Option<i64>,
    /// The best move of the record.
    pub best: Option<String>,
    /// The first move of this line.
    pub first: Option<String>,
    /// Centipawns.
    pub cp: Option<i64>,
    /// Moves to mate.
    pub mate: Option<i64>,
    /// `lower` or `upper` if the score is such a bound.
    pub bound: Option<String>,
    /// Plies.
    pub depth: Option<i64>,
    /// The longest line, in plies.
    pub seldepth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// How often endgame tables settled a score, if ever.
    pub tbhits: Option<i64>,
    /// Milliseconds.
    pub time_ms: Option<i64>,
    /// The best line, separated by blanks.
    pub pv: Option<String>,
    /// It is proven that the side to move has no mate in so many moves.
    pub no_mate_in: Option<i64>,
    /// Win, draw, loss in thousandths, for the best move.
    pub wdl: Option<[i64; 3]>,
    /// What separates the best move from another one, in words.
    pub explanation: Option<String>,
    /// `true` if `--timeout` ended the search.
    pub timeout: Option<String>,
    /// The line of a record that cannot be used.
    pub line: Option<i64>,
    /// What is wrong with it.
    pub error: Option<String>,
    /// The record's own fields.
    pub own: Fields,
}

/// A field of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Field {
    /// A text.
    Text(Option<String>),
    /// A number.
    Number(Option<i64>),
}

impl Row {
    /// The rows of an answer, at least one.
    pub fn of(answer: &Answer) -> Vec<Row> {
        let analysis = match answer {
            Answer::Analysis(analysis) => analysis,
            Answer::Error(fault) => {
                return vec![Row {
                    id: text_of(&fault.id),
                    game: fault.game.clone(),
                    status: fault.status.to_string(),
                    line: Some(fault.line as i64),
                    error: Some(fault.error.clone()),
                    own: fault.fields.clone(),
                    ..Row::default()
                }];
            }
        };
        let found = &analysis.found;
        let all = Row {
            id: text_of(&analysis.id),
            game: Some(analysis.game.clone()),
            fen: Some(analysis.fen.clone()),
            status: found.status.to_string(),
            rank: Some(1),
            best: found.bestmove.clone(),
            first: found.bestmove.clone(),
            depth: Some(found.depth.into()),
            seldepth: Some(found.seldepth.into()),
            nodes: Some(found.nodes as i64),
            tbhits: Some(found.tbhits as i64).filter(|&hits| hits > 0),
            time_ms: Some(found.time_ms as i64),
            pv: Some(found.pv.join(" ")),
            no_mate_in: found.no_mate_in.map(i64::from),
            wdl: found.wdl.map(|wdl| wdl.map(i64::from)),
            explanation: (found.explanation.as_ref()).map(|explanation| explanation.words.clone()),
            timeout: found.timeout.map(|timeout| timeout.to_string()),
            own: analysis.fields.clone(),
            ..Row::default()
        }
        .with_score(&found.score, found.bound);
        match found.lines.as_deref() {
            None | Some([]) => vec![all],
            Some(lines) => {
                let numbered = (1..).zip(lines);
                numbered
                    .map(|(rank, line)| all.clone().with_line(rank, line))
                    .collect()
            }
        }
    }

    fn with_score(mut self, score: &Score, bound: Option<Bound>) -> Row {
        self.bound = bound.map(|bound| bound.name().to_owned());
        (self.cp, self.mate) = match *score {
            Score::Cp(cp) => (Some(cp.into()), None),
            Score::Mate(mate) => (None, Some(mate.into())),
        };
        self
    }

    fn with_line(mut self, rank: i64, line: &BestLine) -> Row {
        self.rank = Some(rank);
        self.first = Some(line.best.clone());
        self.depth = Some(line.depth.into());
        self.seldepth = Some(line.seldepth.into());
        self.pv = Some(line.pv.join(" "));
        self.wdl = self.wdl.filter(|_| rank == 1);
        self.explanation = self.explanation.filter(|_| rank == 1);
        self.with_score(&line.score, line.bound)
    }

    /// Its fields, in the order of the header's columns.
    pub fn fields(&self, header: &Header) -> Vec<Field> {
        let share = |i: usize| self.wdl.map(|wdl| wdl[i]);
        let text = |text: &Option<String>| Field::Text(text.clone());
        let always = [
            Field::Text(Some(self.id.clone())),
            text(&self.game),
            text(&self.fen),
            Field::Text(Some(self.status.clone())),
            Field::Number(self.rank),
            text(&self.best),
            text(&self.first),
            Field::Number(self.cp),
            Field::Number(self.mate),
            text(&self.bound),
            Field::Number(self.depth),
            Field::Number(self.seldepth),
            Field::Number(self.nodes),
            Field::Number(self.tbhits),
            Field::Number(self.time_ms),
            text(&self.pv),
            Field::Number(self.no_mate_in),
            Field::Number(share(0)),
            Field::Number(share(1)),
            Field::Number(share(2)),
            text(&self.explanation),
            text(&self.timeout),
            Field::Number(self.line),
            text(&self.error),
        ];
        let own = header.cells(&self.own).map(Field::Text);
        always.into_iter().chain(own).collect()
    }

    /// Its fields as texts, empty where there is nothing.
    pub fn texts(&self, header: &Header) -> impl Iterator<Item = String> {
        self.fields(header).into_iter().map(|field| match field {
            Field::Text(text) => text.unwrap_or_default(),
            Field::Number(number) => number.map_or_else(String::new, |n| n.to_string()),
        })
    }
}

/// An id as text; JSON if it is something else.
pub fn text_of(id: &Value) -> String {
    match id {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
