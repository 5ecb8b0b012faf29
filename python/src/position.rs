//! Positions of any game as one Python class.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use hexmate::drawing::{self, Marks};
use hexmate_movegen::{Game, GameId, Outcome, Record, Side, perft, with_game};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A game that led to a position, whatever game it is.
trait Board: Send + Sync {
    fn game(&self) -> GameId;
    fn start_fen(&self) -> String;
    fn fen(&self) -> String;
    fn history(&self) -> Vec<String>;
    fn turn(&self) -> Side;
    fn moves(&self) -> Vec<String>;
    fn in_check(&self) -> bool;
    fn outcome(&self) -> Option<Outcome>;
    /// White's share of the point in quarters.
    fn quarters(&self, outcome: Outcome) -> u8;
    fn play(&self, moves: &str) -> Result<Box<dyn Board>, String>;
    fn perft(&self, depth: u32) -> u64;
    fn svg(&self) -> String;
    fn text(&self) -> String;
}

/// A record, and the text of its first position.
struct Played<G: Game> {
    start: String,
    record: Record<G>,
}

impl<G: Game> Played<G> {
    fn marks(&self) -> Marks {
        Marks {
            last_move: self.record.moves().last().copied(),
            arrows: Vec::new(),
        }
    }
}

impl<G: Game> Board for Played<G> {
    fn game(&self) -> GameId {
        G::ID
    }
    fn start_fen(&self) -> String {
        self.start.clone()
    }
    fn fen(&self) -> String {
        self.record.position().to_string()
    }
    fn history(&self) -> Vec<String> {
        self.record
            .moves()
            .iter()
            .map(|mv| mv.text::<G>())
            .collect()
    }
    fn turn(&self) -> Side {
        self.record.position().side_to_move()
    }
    fn moves(&self) -> Vec<String> {
        let moves = self.record.position().legal_moves();
        let mut texts: Vec<String> = moves.iter().map(|mv| mv.text::<G>()).collect();
        texts.sort_unstable();
        texts
    }
    fn in_check(&self) -> bool {
        self.record.position().in_check()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }
    fn quarters(&self, outcome: Outcome) -> u8 {
        outcome.quarters::<G>()[0]
    }
    fn play(&self, moves: &str) -> Result<Box<dyn Board>, String> {
        let mut record = self.record.clone();
        for (i, text) in moves.split_whitespace().enumerate() {
            let mv = record.position().parse_move(text);
            let mv = mv.map_err(|error| format!("move {}: {error}", i + 1))?;
            // A parsed move is legal.
            let _ = record.play(mv);
        }
        let start = self.start.clone();
        Ok(Box::new(Played { start, record }))
    }
    fn perft(&self, depth: u32) -> u64 {
        perft(self.record.position(), depth)
    }
    fn svg(&self) -> String {
        drawing::svg(self.record.position(), &self.marks())
    }
    fn text(&self) -> String {
        drawing::terminal(self.record.position(), &self.marks(), false)
    }
}

/// A position of any of the games, and the moves that led to it, which count for repetition.
///
/// Positions are immutable; play() returns a new one. Two are equal if their games and texts are.
#[pyclass(frozen, module = "hexmate")]
pub(crate) struct Position(Box<dyn Board>);

/// A first position, its game, and moves.
type Origin = (String, &'static str, String);

const fn name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

#[pymethods]
impl Position {
    /// The position of a text, or the starting position of the game. Raises ValueError, with field, offset and
    /// reason, if there is no such game or the text is not a valid position of it.
    #[new]
    #[pyo3(signature = (fen = None, *, game = "glinski"))]
    fn new(fen: Option<&str>, game: &str) -> PyResult<Self> {
        let id: GameId = game
            .parse()
            .map_err(|error| PyValueError::new_err(format!("game: {error}")))?;
        with_game!(id, G => {
            let position = match fen {
                None => hexmate_movegen::Position::<G>::start(),
                Some(text) => text
                    .parse()
                    .map_err(|error| PyValueError::new_err(format!("fen: {error}")))?,
            };
            let start = position.to_string();
            let record = Record::new(position);
            Ok(Position(Box::new(Played { start, record })))
        })
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.0.game().name()
    }

    /// The position as text.
    #[getter]
    fn fen(&self) -> String {
        self.0.fen()
    }

    /// The position before the moves, as text.
    #[getter]
    fn start_fen(&self) -> String {
        self.0.start_fen()
    }

    /// The moves that led here from start_fen.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.0.history()
    }

    /// 'white' or 'black'.
    #[getter]
    fn turn(&self) -> &'static str {
        name(self.0.turn())
    }

    /// The legal moves, sorted.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves()
    }

    /// Whether the side to move is in check.
    #[getter]
    fn in_check(&self) -> bool {
        self.0.in_check()
    }

    /// How the game has ended: 'checkmate', 'stalemate', 'bare kings', 'no progress', 'repetition', or None.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.0.outcome().map(|outcome| match outcome {
            Outcome::Checkmate { .. } => "checkmate",
            Outcome::Stalemate { .. } => "stalemate",
            Outcome::BareKings => "bare kings",
            Outcome::NoProgress => "no progress",
            Outcome::Repetition => "repetition",
        })
    }

    /// White's and Black's share of the point if the game has ended; 0, 1/4, 1/2, 3/4 or 1.
    #[getter]
    fn points(&self) -> Option<(f64, f64)> {
        let quarters = f64::from(self.0.quarters(self.0.outcome()?));
        Some((quarters / 4.0, 1.0 - quarters / 4.0))
    }

    /// The position after a move, or after several separated by blanks. Raises ValueError if one of them is
    /// not legal.
    fn play(&self, moves: &str) -> PyResult<Self> {
        self.0
            .play(moves)
            .map(Position)
            .map_err(PyValueError::new_err)
    }

    /// The number of legal move sequences of a length in plies. Other Python threads can run meanwhile.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| self.0.perft(depth))
    }

    /// The board as an SVG picture.
    fn svg(&self) -> String {
        self.0.svg()
    }

    fn _repr_svg_(&self) -> String {
        self.0.svg()
    }

    fn __str__(&self) -> String {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        format!(
            "hexmate.Position('{}', game='{}')",
            self.0.fen(),
            self.0.game().name()
        )
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.game() == other.0.game() && self.0.fen() == other.0.fen()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.game().name(), self.0.fen()).hash(&mut hasher);
        hasher.finish()
    }

    /// Pickling: rebuilt from the starting position and the moves.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Origin)> {
        let rebuild = py.import("hexmate._pickle")?.getattr("rebuild")?;
        Ok((
            rebuild,
            (self.0.start_fen(), self.game(), self.0.history().join(" ")),
        ))
    }
}
