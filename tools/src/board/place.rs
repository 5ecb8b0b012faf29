//! The position that a request is about.

use axum::http::StatusCode;
use hexmate_movegen::{
    AnyPosition, AnyRecord, Cell, GameId, Letters, Move, NotationError, Outcome, read_move, san,
};
use serde_json::{Value, json};

use super::error::ApiError;
use super::fields::Fields;
use super::shared::Shared;
use crate::outcome::{self, side_name};
use crate::words::quarters as points;

/// No request names more moves.
pub const MOST_MOVES: usize = 2000;

/// Takes `game` from a request.
///
/// # Errors
/// If it is missing, or there is no such game.
pub fn game(fields: &mut Fields, shared: &Shared) -> Result<GameId, ApiError> {
    let name = fields.required_text("game")?;
    let mut games = shared.games.iter().copied();
    games.find(|game| game.name() == name).ok_or_else(|| {
        let name: String = name.chars().take(60).collect();
        let names: Vec<&str> = shared.games.iter().map(|game| game.name()).collect();
        let message = format!("unknown game '{name}'; the games are {}", names.join(", "));
        ApiError::bad("game", message).of("game")
    })
}

/// Takes `fen`, or gives the usual first position.
///
/// # Errors
/// If it is no position of the game.
pub fn first(fields: &mut Fields, game: GameId) -> Result<AnyPosition, ApiError> {
    match fields.text("fen")? {
        Some(fen) => AnyPosition::from_fen(game, &fen).map_err(|e| ApiError::fen(&e)),
        None => Ok(AnyPosition::start(game)),
    }
}

/// Takes `letters`, those of the pieces in texts; left out, the game's own.
///
/// # Errors
/// If they are none, or not for this game.
pub fn letters(fields: &mut Fields, game: GameId) -> Result<Letters, ApiError> {
    let Some(text) = fields.text("letters")? else {
        return Ok(Letters::Own);
    };
    let fault = |error| ApiError::field("letters", format!("\"letters\": {error}"));
    let letters: Letters = text.parse().map_err(fault)?;
    letters.check(game.spec()).map_err(fault)?;
    Ok(letters)
}

/// Takes `game`, `fen`, `letters` and `moves`.
///
/// # Errors
/// As [`game`], [`first`] and [`letters`], and if a move cannot be made.
pub fn record(fields: &mut Fields, shared: &Shared) -> Result<AnyRecord, ApiError> {
    let game = game(fields, shared)?;
    let mut record = AnyRecord::new(first(fields, game)?);
    let letters = letters(fields, game)?;
    let moves = fields.texts("moves", MOST_MOVES)?.unwrap_or_default();
    for (i, text) in moves.iter().enumerate() {
        let mv = one_move(&record.position(), text, &letters).map_err(|error| {
            let message = format!("move {}: {error}", i + 1);
            ApiError::bad("move", message).of("moves").at(i)
        })?;
        record.play_move(mv).expect("a move that was read is legal");
    }
    Ok(record)
}

/// Reads a move in any notation; cells need no second look.
fn one_move(position: &AnyPosition, text: &str, letters: &Letters) -> Result<Move, NotationError> {
    if !text.bytes().any(|b| b.is_ascii_uppercase())
        && let Ok(mv) = position.parse_move(text)
    {
        return Ok(mv);
    }
    read_move(position, text, letters)
}

/// Refuses to search on where the rules have ended the game.
///
/// # Errors
/// If it is over.
pub fn not_over(record: &AnyRecord) -> Result<(), ApiError> {
    match record.outcome() {
        None => Ok(()),
        Some(outcome) => Err(ApiError::new(
            StatusCode::CONFLICT,
            "over",
            format!("the game is over: {}", words(outcome, record.game())),
        )),
    }
}

/// Everything about a legal move that the page shows.
pub fn move_object(position: &AnyPosition, mv: Move) -> Value {
    let board = position.board();
    let promotion = mv.promotion().map(|kind| {
        let letter = position.spec().pieces[usize::from(kind)].letter;
        char::from(letter).to_ascii_lowercase().to_string()
    });
    let san = san(position, mv);
    json!({
        "move": position.text(mv),
        "from": board.name(mv.from),
        "to": board.name(mv.to),
        "promotion": promotion,
        "capture": position.is_capture(mv),
        "en_passant": position.is_en_passant(mv),
        "castling": position.is_castling(mv),
        "check": san.ends_with(['+', '#']),
        "mate": san.ends_with('#'),
        "san": san,
    })
}

/// Moves in cells and in standard notation.
pub fn line(position: &AnyPosition, moves: &[Move]) -> (Vec<String>, Vec<String>) {
    let mut position = *position;
    let both = moves.iter().map_while(|&mv| {
        let both = (position.text(mv), san(&position, mv));
        position = position.is_legal(mv).then(|| position.after(mv))?;
        Some(both)
    });
    both.unzip()
}

/// The names of cells.
pub fn names(position: &AnyPosition, cells: impl IntoIterator<Item = Cell>) -> Vec<String> {
    cells
        .into_iter()
        .map(|cell| position.board().name(cell))
        .collect()
}

/// The end of a game.
pub fn outcome(outcome: Outcome, game: GameId) -> Value {
    let reason = match outcome {
        Outcome::Checkmate { .. } => "checkmate",
        Outcome::Stalemate { .. } => "stalemate",
        Outcome::BareKings => "bare_kings",
        Outcome::NoProgress => "no_progress",
        Outcome::Repetition => "repetition",
    };
    json!({
        "reason": reason,
        "words": words(outcome, game),
        "quarters": outcome.quarters(game.spec()),
        "result": outcome::result(outcome, game.spec()),
    })
}

fn words(outcome: Outcome, game: GameId) -> String {
    let spec = game.spec();
    let worth = match (outcome, outcome.quarters(spec)) {
        (Outcome::Checkmate { winner }, _) => format!("{} wins", side_name(winner)),
        (_, [2, 2]) => "a draw".to_owned(),
        (_, [white, black]) => format!("White {}, Black {}", points(white), points(black)),
    };
    format!("{}: {worth}", outcome::words(outcome, spec))
}
