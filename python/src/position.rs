//! Positions of any game as one Python class.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use hexmate::drawing::{self, Marks};
use hexmate_movegen::{AnyPosition, AnyRecord, GameId, Move, Outcome, Side, with_record};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A position of any of the games, and the moves that led to it, which count for repetition.
///
/// Positions are immutable; play() returns a new one. Two are equal if their games and texts are.
#[pyclass(frozen, module = "hexmate")]
pub(crate) struct Position(Box<AnyRecord>);

/// Python aligns its objects to 16 bytes, whatever their type asks for; a bitboard asks for 32, so a record is boxed.
const _: () = assert!(align_of::<Position>() <= 16);

/// What a picture shows beside the pieces: the last move.
fn marks(moves: &[Move]) -> Marks {
    Marks {
        last_move: moves.last().copied(),
        arrows: Vec::new(),
    }
}

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
        let position = match fen {
            None => AnyPosition::start(id),
            Some(text) => AnyPosition::from_fen(id, text)
                .map_err(|error| PyValueError::new_err(format!("fen: {error}")))?,
        };
        Ok(Position(Box::new(AnyRecord::new(position))))
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.0.game().name()
    }

    /// The position as text.
    #[getter]
    fn fen(&self) -> String {
        self.0.position().to_string()
    }

    /// The position before the moves, as text.
    #[getter]
    fn start_fen(&self) -> String {
        self.0.first().to_string()
    }

    /// The moves that led here from start_fen.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.0.move_texts()
    }

    /// 'white' or 'black'.
    #[getter]
    fn turn(&self) -> &'static str {
        name(self.0.position().side_to_move())
    }

    /// The legal moves, sorted.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.position().move_texts()
    }

    /// Whether the side to move is in check.
    #[getter]
    fn in_check(&self) -> bool {
        self.0.position().in_check()
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
        let outcome = self.0.outcome()?;
        let quarters = outcome.quarters(self.0.game().spec())[0];
        let quarters = f64::from(quarters);
        Some((quarters / 4.0, 1.0 - quarters / 4.0))
    }

    /// The position after a move, or after several separated by blanks. Raises ValueError if one of them is
    /// not legal.
    fn play(&self, moves: &str) -> PyResult<Self> {
        let mut record = self.0.clone();
        for (i, text) in moves.split_whitespace().enumerate() {
            let played = record.play(text);
            played.map_err(|error| PyValueError::new_err(format!("move {}: {error}", i + 1)))?;
        }
        Ok(Position(record))
    }

    /// The number of legal move sequences of a length in plies. Other Python threads can run meanwhile.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| self.0.position().perft(depth))
    }

    /// The board as an SVG picture.
    fn svg(&self) -> String {
        with_record!(&*self.0, r => drawing::svg(r.position(), &marks(r.moves())))
    }

    fn _repr_svg_(&self) -> String {
        with_record!(&*self.0, r => drawing::svg(r.position(), &marks(r.moves())))
    }

    fn __str__(&self) -> String {
        with_record!(&*self.0, r => drawing::terminal(r.position(), &marks(r.moves()), false))
    }

    fn __repr__(&self) -> String {
        format!("hexmate.Position('{}', game='{}')", self.fen(), self.game())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.position() == other.0.position()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.position().hash(&mut hasher);
        hasher.finish()
    }

    /// Pickling: rebuilt from the starting position and the moves.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Origin)> {
        let rebuild = py.import("hexmate._pickle")?.getattr("rebuild")?;
        Ok((
            rebuild,
            (self.start_fen(), self.game(), self.history().join(" ")),
        ))
    }
}
