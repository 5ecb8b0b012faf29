//! Positions of any game as one Python class.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::AtomicBool;

use hexmate::analyse::Score;
use hexmate::chances;
use hexmate_engine::Evaluator;
use hexmate_movegen::{
    AnyPosition, AnyRecord, Bits, Cell, Game, Letters, Move, Outcome, Position as Board, Side, san,
    with_position,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyMapping, PyTuple};

use crate::arguments::{
    abridged, legal_move, letters, mistyped, number, signed, text, words, wrong,
};
use crate::rules::{Rules, game_or_usual, key, source};
use crate::waiting::do_or_stop;
use crate::{drawn, perft};

/// A position of any game, and the moves that led to it, which count for repetition.
///
/// Positions are immutable; play() returns a new one. Two are equal if their games and texts are.
#[pyclass(frozen, module = "hexmate")]
pub(crate) struct Position(pub(crate) Box<AnyRecord>);

/// Python aligns its objects to 16 bytes, whatever their type asks for; a bitboard asks for 32, so a record is boxed.
const _: () = assert!(align_of::<Position>() <= 16);

/// The deepest perft.
const MOST_DEPTH: i64 = hexmate::inputs::MOST_PERFT_DEPTH as i64;

/// A first position, its game (see `rules::source`), and moves.
type Origin = (String, (String, String), String);

const fn name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// The cell that an argument names.
fn cell_of(position: &AnyPosition, value: &Bound<'_, PyAny>) -> PyResult<Cell> {
    let name = text("cell", value)?;
    position.board().parse_cell(&name).ok_or_else(|| {
        let game = position.game();
        wrong(
            "cell",
            &format!("'{}' is no cell of the board of {game}", abridged(&name)),
        )
    })
}

fn attacked<G: Game>(position: &Board<G>, cell: Cell) -> Vec<Cell> {
    let Some(piece) = position.piece_on(cell) else {
        return Vec::new();
    };
    let occupied = position.occupied();
    let attacked = position.tables().attacks_of(piece, cell, occupied);
    attacked.cells().collect()
}

fn attackers<G: Game>(position: &Board<G>, cell: Cell, sides: &[Side]) -> Vec<Cell> {
    let all = sides.iter();
    let all = all.flat_map(|&side| position.attackers(cell, side).cells());
    let mut all: Vec<Cell> = all.collect();
    all.sort_unstable();
    all
}

/// The score from the side to move, and what each term gives White and Black.
fn evaluated<G: Game>(position: &Board<G>) -> (i32, Vec<(&'static str, i32, i32)>) {
    let evaluator = Evaluator::of(position.game());
    let evaluation = evaluator.handmade();
    (evaluation.evaluate(position), evaluation.explain(position))
}

/// A score: centipawns, or what has them or a mate as attribute or item.
fn score_of(value: &Bound<'_, PyAny>) -> PyResult<Score> {
    let whole = |value: &Bound<'_, PyAny>| {
        let number = signed("score", value, i32::MIN.into()..=i32::MAX.into())?;
        Ok::<_, PyErr>(number as i32)
    };
    if value.is_instance_of::<PyInt>() || value.hasattr("__index__")? {
        return Ok(Score::Cp(whole(value)?));
    }
    let part = |name: &str| {
        let found = match value.cast::<PyMapping>() {
            Ok(mapping) => mapping.get_item(name).ok(),
            Err(_) => value.getattr(name).ok(),
        };
        found.filter(|v| !v.is_none())
    };
    match (part("cp"), part("mate")) {
        (Some(cp), None) => Ok(Score::Cp(whole(&cp)?)),
        (None, Some(mate)) => Ok(Score::Mate(whole(&mate)?)),
        (Some(_), Some(_)) => Err(PyTypeError::new_err(
            "score: expected 'cp' or 'mate', not both",
        )),
        _ if value.cast::<PyMapping>().is_ok() || value.hasattr("cp")? => Err(
            PyTypeError::new_err("score: expected 'cp' or 'mate', but both are missing"),
        ),
        _ => Err(mistyped(
            "score",
            "an int of centipawns, a Score, or a dict with 'cp' or 'mate'",
            value,
        )),
    }
}

impl Position {
    fn at(&self) -> AnyPosition {
        self.0.position()
    }

    fn names(&self, cells: Vec<Cell>) -> Vec<String> {
        let position = self.at();
        let board = position.board();
        cells.into_iter().map(|cell| board.name(cell)).collect()
    }

    fn read(&self, value: &Bound<'_, PyAny>) -> PyResult<Move> {
        let word = text("move", value)?;
        legal_move(&self.at(), &word, &Letters::Own).map_err(|e| wrong("move", &e))
    }

    /// The positions before each of the moves.
    fn before(&self) -> Vec<AnyPosition> {
        let mut position = self.0.first();
        let mut all = Vec::new();
        for &mv in self.0.moves() {
            all.push(position);
            position = position.after(mv);
        }
        all
    }
}

#[pymethods]
impl Position {
    /// The position of a text, or the starting position of the game. Raises ValueError, with field, offset and
    /// reason, if there is no such game or the text is not a valid position of it.
    #[new]
    #[pyo3(signature = (fen = None, game = None))]
    fn new(fen: Option<&Bound<'_, PyAny>>, game: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let id = game_or_usual(game)?;
        let position = match fen.filter(|fen| !fen.is_none()) {
            None => AnyPosition::start(id),
            Some(fen) => {
                AnyPosition::from_fen(id, &text("fen", fen)?).map_err(|e| wrong("fen", &e))?
            }
        };
        Ok(Position(Box::new(AnyRecord::new(position))))
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.0.game().name()
    }

    /// The rules of the game.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.game())
    }

    /// What a record names the game by.
    #[getter]
    fn _game_key(&self) -> PyResult<String> {
        key(self.0.game())
    }

    /// The position as text.
    #[getter]
    fn fen(&self) -> String {
        self.at().to_string()
    }

    /// The position before the moves, as text.
    #[getter]
    fn start_fen(&self) -> String {
        self.0.first().to_string()
    }

    /// The moves that led here from start_fen, in cells.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.0.move_texts()
    }

    /// The same in standard algebraic notation.
    #[getter]
    fn history_san(&self) -> Vec<String> {
        let moves = self.0.moves().iter();
        moves
            .zip(self.before())
            .map(|(&mv, at)| san(&at, mv))
            .collect()
    }

    /// 'white' or 'black'.
    #[getter]
    fn turn(&self) -> &'static str {
        name(self.at().side_to_move())
    }

    /// The number of the move, from 1; it rises after Black's.
    #[getter]
    fn number(&self) -> u16 {
        self.at().fullmove_number()
    }

    /// The pieces by their cells: capital letters are White's, as in position texts.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let position = self.at();
        let board = position.board();
        let all = PyDict::new(py);
        for &cell in board.cells() {
            if let Some(piece) = position.piece_on(cell) {
                all.set_item(board.name(cell), position.spec().piece_letter(piece))?;
            }
        }
        Ok(all)
    }

    /// The piece on a cell, or None.
    fn piece(&self, cell: &Bound<'_, PyAny>) -> PyResult<Option<char>> {
        let position = self.at();
        let piece = position.piece_on(cell_of(&position, cell)?);
        Ok(piece.map(|piece| position.spec().piece_letter(piece)))
    }

    /// The cells that the piece on a cell attacks, whoever stands there; none if the cell is empty.
    fn attacks(&self, cell: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let position = self.at();
        let cell = cell_of(&position, cell)?;
        Ok(self.names(with_position!(&position, p => attacked(p, cell))))
    }

    /// The cells of the pieces that attack a cell: those of 'white', of 'black', or of both sides.
    #[pyo3(signature = (cell, side = None))]
    fn attackers(
        &self,
        cell: &Bound<'_, PyAny>,
        side: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<String>> {
        let position = self.at();
        let cell = cell_of(&position, cell)?;
        let sides: &[Side] = match side.filter(|s| !s.is_none()) {
            None => &Side::BOTH,
            Some(side) => match &*text("side", side)? {
                "white" => &[Side::White],
                "black" => &[Side::Black],
                other => {
                    let what = format!("'{}'; expected 'white' or 'black'", abridged(other));
                    return Err(wrong("side", &what));
                }
            },
        };
        Ok(self.names(with_position!(&position, p => attackers(p, cell, sides))))
    }

    /// The cells of the pieces that give check.
    #[getter]
    fn checkers(&self) -> Vec<String> {
        let position = self.at();
        self.names(with_position!(&position, p => p.checkers().cells().collect()))
    }

    /// The legal moves in cells, sorted.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.at().move_texts()
    }

    /// The legal moves in standard algebraic notation, in the order of moves.
    #[getter]
    fn moves_san(&self) -> Vec<String> {
        let position = self.at();
        let mut moves: Vec<(String, Move)> = position
            .legal_moves()
            .into_iter()
            .map(|mv| (position.text(mv), mv))
            .collect();
        moves.sort_unstable();
        moves
            .into_iter()
            .map(|(_, mv)| san(&position, mv))
            .collect()
    }

    /// Whether a move, in any notation, is legal.
    #[pyo3(name = "legal")]
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let word = text("move", r#move)?;
        Ok(legal_move(&self.at(), &word, &Letters::Own).is_ok())
    }

    /// A legal move, given in any notation, in cells. Raises ValueError that says why a move is not legal.
    #[pyo3(name = "move")]
    fn cells_of(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(self.at().text(self.read(r#move)?))
    }

    /// A legal move, given in any notation, in standard algebraic notation. Raises ValueError that says why a move is
    /// not legal.
    fn san(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(san(&self.at(), self.read(r#move)?))
    }

    /// Whether the side to move is in check.
    #[getter]
    fn in_check(&self) -> bool {
        self.at().in_check()
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

    /// The position after a move, or after several: a str with blanks between them, or an iterable of str, in any
    /// notation. `letters` are those of pieces in another language, like "hungarian". Raises ValueError if one of them
    /// is not legal.
    #[pyo3(signature = (moves, *, letters = None))]
    fn play(&self, moves: &Bound<'_, PyAny>, letters: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let letters = self::letters(letters)?;
        letters
            .check(self.0.game().spec())
            .map_err(|e| wrong("letters", &e))?;
        let mut record = self.0.clone();
        for (i, word) in words("moves", moves)?.iter().enumerate() {
            let mv = legal_move(&record.position(), word, &letters);
            let mv =
                mv.map_err(|error| PyValueError::new_err(format!("move {}: {error}", i + 1)))?;
            record.play_move(mv).expect("a move that was read is legal");
        }
        Ok(Position(record))
    }

    /// The moves that `play` makes of these, in cells; `history` would tell all before them, too.
    fn _cells(&self, moves: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let (position, after) = (self.at(), self.play(moves, None)?);
        let played = &after.0.moves()[self.0.moves().len()..];
        Ok(played.iter().map(|&mv| position.text(mv)).collect())
    }

    /// The position before the last move, or before the last `plies` moves. Raises ValueError if there are fewer.
    #[pyo3(signature = (plies = None))]
    fn back(&self, plies: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let played = self.0.moves().len();
        let plies = number("plies", plies, 0..=i64::MAX as u64)?.unwrap_or(1);
        let Some(rest) = (played as u64).checked_sub(plies) else {
            let what = format!("{plies}, but only {played} moves were made");
            return Err(wrong("plies", &what));
        };
        let mut record = Box::new(AnyRecord::new(self.0.first()));
        for &mv in &self.0.moves()[..rest as usize] {
            record.play_move(mv).expect("it was legal before");
        }
        Ok(Position(record))
    }

    /// The number of legal move sequences of a length in plies. Other Python threads can run meanwhile, and Ctrl-C ends
    /// it.
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let depth = signed("depth", depth, 0..=MOST_DEPTH)? as u32;
        let (position, stop) = (Box::new(self.at()), AtomicBool::new(false));
        do_or_stop(py, &stop, || perft::count(&position, depth, &stop))
    }

    /// The same after each legal move.
    fn divide<'py>(
        &self,
        py: Python<'py>,
        depth: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let depth = signed("depth", depth, 1..=MOST_DEPTH)? as u32;
        let position = self.at();
        let all = PyDict::new(py);
        for text in position.move_texts() {
            let mv = position.parse_move(&text).expect("a legal move");
            let (next, stop) = (Box::new(position.after(mv)), AtomicBool::new(false));
            let count = do_or_stop(py, &stop, || perft::count(&next, depth - 1, &stop))?;
            all.set_item(text, count)?;
        }
        Ok(all)
    }

    /// The evaluation without any search: the score from the side to move, and what each term gives White and Black,
    /// in centipawns.
    fn eval<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (score, rows) = with_position!(&self.at(), p => evaluated(p));
        let terms = PyDict::new(py);
        for (term, white, black) in rows {
            terms.set_item(term, (white, black))?;
        }
        let results = py.import("hexmate._results")?;
        results.getattr("Evaluation")?.call1((score, terms))
    }

    /// What a score of the side to move is worth here: win, draw and loss in thousandths. The score is an int of
    /// centipawns, a Score, or a dict as answers have it.
    fn wdl<'py>(&self, score: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let chances = chances::wdl_of(&score_of(score)?, &self.at());
        let results = score.py().import("hexmate._results")?;
        let chances = PyTuple::new(score.py(), chances)?;
        results.getattr("WDL")?.call1(chances)
    }

    /// The board as an SVG picture. `arrows` are moves, legal or not: a str with blanks between them, or an iterable of
    /// str or of pairs of cells. The last move is marked, or `lastmove` in its place; with False none. `flipped` shows
    /// Black below. `size` is the width in pixels.
    #[pyo3(signature = (*, arrows = None, lastmove = None, flipped = false, size = None))]
    fn svg(
        &self,
        arrows: Option<&Bound<'_, PyAny>>,
        lastmove: Option<&Bound<'_, PyAny>>,
        flipped: bool,
        size: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        drawn::svg(&self.0, arrows, lastmove, flipped, size)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        drawn::svg(&self.0, None, None, false, None)
    }

    fn __str__(&self) -> String {
        drawn::text_board(&self.0)
    }

    fn __repr__(&self) -> String {
        format!("hexmate.Position('{}', game='{}')", self.fen(), self.game())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.at() == other.at()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.at().hash(&mut hasher);
        hasher.finish()
    }

    /// Pickling: rebuilt from the starting position and the moves.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Origin)> {
        let rebuild = py.import("hexmate._pickle")?.getattr("position")?;
        let game = source(self.0.game());
        Ok((rebuild, (self.start_fen(), game, self.history().join(" "))))
    }
}
