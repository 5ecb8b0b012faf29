//! Arguments that several commands share, and reading positions and moves from them.

use std::borrow::Cow;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use hexmate_movegen::{
    AnyPosition, AnyRecord, Game, GameId, Letters, LettersError, Move, NotationError, Position,
    Record, read_move,
};

use crate::game_names::{GameNameError, GameNames, is_file};
use crate::pgn::is_letter;
use crate::pgn::object::list_of_moves;

/// The greatest depth of perft: no deeper count comes to an end.
pub const MOST_PERFT_DEPTH: u32 = 40;

/// Finds the game of a name or a file, for the argument parser.
pub fn game(name: &str) -> Result<GameId, GameNameError> {
    GameNames::default().find(name, GameId::Glinski)
}

/// The same, and the file if it was named by one.
pub fn game_and_file(name: &str) -> Result<(GameId, Option<PathBuf>), GameNameError> {
    let found = game(name)?;
    Ok((found, is_file(name).then(|| PathBuf::from(name))))
}

/// A number from 0 to 1, for the argument parser.
pub(crate) fn part(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err("expected 0 to 1".to_owned())
    }
}

/// A number above 0, for the argument parser.
pub(crate) fn positive(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err("expected a number above 0".to_owned())
    }
}

/// The same, but no more than so much.
pub(crate) fn positive_up_to(text: &str, most: f32) -> Result<f32, String> {
    let value = positive(text)?;
    match value <= most {
        true => Ok(value),
        false => Err(format!("expected a number above 0 and up to {most}")),
    }
}

/// The letters of pieces in moves.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct LettersArgument {
    /// The letters of pieces in moves: hungarian, polish, german, french, spanish, english, or the letters themselves,
    /// like KVBFH [default: those of position texts]
    #[arg(long, value_name = "LETTERS")]
    letters: Option<Letters>,
}

impl LettersArgument {
    /// The letters, if any were named.
    pub fn named(&self) -> Option<&Letters> {
        self.letters.as_ref()
    }

    /// The letters.
    pub fn get(&self) -> Letters {
        self.letters.clone().unwrap_or_default()
    }
}

/// What is wrong with a move, for commands with `--letters`: where letters are unknown, it is said how to name them.
pub fn naming_letters(message: &str) -> String {
    let to_name = "(name those of another language";
    message.replace(
        &format!("{to_name})"),
        &format!("{to_name}: --letters german)"),
    )
}

/// The position of `--fen`, or the game's starting position.
pub fn position<G: Game>(game: G, fen: Option<&str>) -> Result<Position<G>> {
    match fen {
        Some(text) => Position::from_fen(game, text).context("--fen"),
        None => Ok(Position::start_of(game)),
    }
}

/// Which position a command is about.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct PositionArguments {
    /// The position [default: the starting position]
    #[arg(long)]
    pub fen: Option<String>,
    /// Moves to make first, in any notation: "e4e5 e7e6" or "1. e5 e6"
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// The letters of pieces in these moves
    #[command(flatten)]
    pub letters: LettersArgument,
}

impl PositionArguments {
    /// The position and the moves that lead to the one that is meant.
    ///
    /// # Errors
    /// If the position or a move cannot be read, or a move is not legal.
    pub fn record(&self, game: GameId) -> Result<AnyRecord> {
        let letters = self.letters.get();
        letters.check(game.spec()).context("--letters")?;
        let first = match &self.fen {
            Some(text) => AnyPosition::from_fen(game, text).context("--fen")?,
            None => AnyPosition::start(game),
        };
        let mut record = AnyRecord::new(first);
        let moves = plain_moves(self.moves.as_deref().unwrap_or_default()).context("--moves")?;
        for (i, text) in move_words(&moves).enumerate() {
            let fault = |error| PlayError::Move {
                number: i + 1,
                error,
            };
            let mv = read_move(&record.position(), text, &letters).map_err(fault);
            let mv = mv.map_err(|error| anyhow!(naming_letters(&error.to_string())));
            let mv = mv.context("--moves")?;
            record.play_move(mv).expect("a move that was read is legal");
        }
        Ok(record)
    }
}

/// Reads a move, in any notation that people use.
///
/// # Errors
/// As [`read_move`].
pub fn one_move<G: Game>(
    position: &Position<G>,
    text: &str,
    letters: &Letters,
) -> Result<Move, NotationError> {
    // Cells as programs write them, which need no copy of the position.
    if !text.bytes().any(|b| b.is_ascii_uppercase())
        && let Ok(mv) = position.parse_move(text)
    {
        return Ok(mv);
    }
    read_move(&AnyPosition::from(*position), text, letters)
}

/// The record of a game from a position and a list of moves.
///
/// # Errors
/// If a move cannot be read or is not legal, or the letters are not for this game.
pub fn play<G: Game>(
    start: Position<G>,
    moves: &str,
    letters: &Letters,
) -> Result<Record<G>, PlayError> {
    letters.check(start.spec())?;
    let mut record = Record::new(start);
    for (i, text) in move_words(moves).enumerate() {
        let fault = |error| PlayError::Move {
            number: i + 1,
            error,
        };
        let mv = one_move(record.position(), text, letters).map_err(fault)?;
        // Legal by the line above.
        record.play(mv).expect("a parsed move is legal");
    }
    Ok(record)
}

/// A list of moves as people paste it, read as in files of games: the moves alone, with blanks between them.
///
/// # Errors
/// As [`plain_moves_and_result`].
pub fn plain_moves(text: &str) -> Result<Cow<'_, str>, PlayError> {
    plain_moves_and_result(text).map(|(moves, _)| moves)
}

/// The same with the result behind the moves, `*` if there is none.
///
/// # Errors
/// If a comment or variation has no end, or it is more than one game. Whether the moves are legal is seen when they are
/// played.
pub fn plain_moves_and_result(text: &str) -> Result<(Cow<'_, str>, &'static str), PlayError> {
    // As programs write them; there may be millions of such lists.
    let is_cells = |word: &str| {
        word.bytes().all(|b| b.is_ascii_alphanumeric())
            && word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.bytes().any(|b| b.is_ascii_digit())
    };
    if text.split_whitespace().all(is_cells) {
        return Ok((Cow::Borrowed(text), "*"));
    }
    let game = list_of_moves(text);
    if let Some(fault) = game.fault {
        return Err(PlayError::List(fault.detail()));
    }
    let texts: Vec<&str> = game.main.moves.iter().map(|mv| mv.text.as_str()).collect();
    Ok((Cow::Owned(texts.join(" ")), game.result))
}

/// The moves of a list, without the numbers and dots that stand alone: `1. e5 e6 2. Qc3`. "e.p." belongs to the move
/// before it, and so does the letter of what a pawn becomes.
pub fn move_words(moves: &str) -> impl Iterator<Item = &str> {
    let mut words = moves.split_whitespace().peekable();
    std::iter::from_fn(move || {
        let is_number = |word: &str| {
            let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
            !word.starts_with('0') && rest.chars().all(|c| matches!(c, '.' | '…' | ','))
        };
        let word = words.by_ref().find(|word| !is_number(word))?;
        let begin = word.as_ptr() as usize - moves.as_ptr() as usize;
        let to_cell = word.ends_with(|c: char| c.is_ascii_digit() || c == '=');
        let belongs = |next: &&str| {
            matches!(next.trim_end_matches('.'), "ep" | "e.p") || to_cell && is_letter(next)
        };
        match words.next_if(belongs) {
            Some(next) => {
                let end = next.as_ptr() as usize - moves.as_ptr() as usize + next.len();
                Some(&moves[begin..end])
            }
            None => Some(word),
        }
    })
}

/// A list of moves that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A move that cannot be made.
    #[error("move {number}: {error}")]
    Move {
        /// Which move of the list, from 1.
        number: usize,
        /// What is wrong with it; no source, as the message has it already.
        error: NotationError,
    },
    /// A list that cannot be taken apart.
    #[error("{0}")]
    List(String),
    /// Letters for another game.
    #[error("--letters: {0}")]
    Letters(#[from] LettersError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_lists() {
        let words = |text| move_words(text).collect::<Vec<_>>();
        assert_eq!(
            words(" 1. e5 e6, 2.Qc3 2... 3 … exd6  e.p. Nc3\n"),
            ["e5", "e6,", "2.Qc3", "exd6  e.p.", "Nc3"]
        );
        assert_eq!(
            words("f11 N Kb3 f11= Q! d5"),
            ["f11 N", "Kb3", "f11= Q!", "d5"]
        );
        assert!(words(" 1. ").is_empty());
        assert_eq!(words("0000 0-0"), ["0000", "0-0"]);
    }

    #[test]
    fn pasted_lists() {
        for text in [
            "1. Qb4 Kh8 2. exd6 e.p. 1-0",
            "1) Qb4 Kh8 2) exd6 e.p. mate",
            "1.Qb4 {good} Kh8 (1... b6 2. Qc3) 2.exd6 ep ; 3. none of this",
            "Qb4 Kh8\nexd6 e.p. *\n",
        ] {
            let plain = plain_moves(text).unwrap();
            let words: Vec<&str> = move_words(&plain).collect();
            assert_eq!(words, ["Qb4", "Kh8", "exd6 e.p."], "{text}");
        }
        let cells = " e4e5 f10f11q ";
        assert!(matches!(plain_moves(cells), Ok(Cow::Borrowed(text)) if text == cells));
        // What is no move stays there, to be told when it is played.
        assert_eq!(plain_moves("1. e5 White wins").unwrap(), "e5 White wins");
        assert_eq!(plain_moves("hello there").unwrap(), "hello there");
        for (text, part) in [
            ("e5 1-0 e6", "after the result behind move 1"),
            ("e5 {good", "column 4: the comment"),
            ("e5 e6 (e5", "expected )"),
        ] {
            let error = plain_moves(text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
