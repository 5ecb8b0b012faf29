//! Games taken apart into their positions.

use std::collections::VecDeque;

use hexmate_movegen::{AnyPosition, Game, GameId, Letters, with_game};

use super::records::Selection;
use super::request::{Request, RequestError};
use crate::inputs;

/// Anything longer is not a game.
const MOST_PLIES: usize = 10_000;

/// A game taken apart.
#[derive(Debug)]
pub struct Parts {
    /// Its moves in cells, separated by blanks.
    pub moves: String,
    /// The wanted positions: the plies before each, and the length of their text.
    pub positions: VecDeque<(usize, usize)>,
    /// What is wrong with the rest of it.
    pub broken: Option<Broken>,
}

/// Why a game breaks off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The number of the first move that cannot be made, from 1.
    pub plies: usize,
    /// Its line, if that is not the game's.
    pub line: Option<u64>,
    /// What is wrong.
    pub error: String,
}

/// All positions of a game, and the first move that cannot be made, if there is one.
///
/// # Errors
///
/// If the game cannot even start.
pub fn positions_of(
    request: &Request,
    game: GameId,
    letters: &Letters,
) -> Result<Parts, RequestError> {
    let selection = Selection {
        letters: letters.clone(),
        ..Selection::default()
    };
    with_game!(game, game => take_apart(game, request, &selection))
}

/// The same for the positions that are wanted.
///
/// # Errors
/// As [`positions_of`].
pub fn take_apart<G: Game>(
    game: G,
    request: &Request,
    selection: &Selection,
) -> Result<Parts, RequestError> {
    let start = request.start(game)?;
    let mut record = inputs::play(start, "", &selection.letters)?;
    let from = selection.from_move.unwrap_or(0);
    let to = selection.to_move.unwrap_or(u16::MAX);
    let mut words = inputs::move_words(request.moves());
    let mut parts = Parts {
        moves: String::new(),
        positions: VecDeque::new(),
        broken: None,
    };
    for plies in 0.. {
        let number = record.position().fullmove_number();
        if (from..=to).contains(&number) && plies >= selection.skip_book.unwrap_or(0) {
            parts.positions.push_back((plies, parts.moves.len()));
        }
        let mut broken = |line, error| {
            parts.broken = Some(Broken {
                plies: plies + 1,
                line,
                error,
            });
        };
        let Some(word) = words.next() else {
            if let Some((line, error)) = &request.fault {
                broken(Some(*line), error.clone());
            }
            break;
        };
        if plies >= MOST_PLIES {
            let error = format!("more than {MOST_PLIES} plies; expected one game");
            broken(None, error);
            break;
        }
        match inputs::one_move(record.position(), word, &selection.letters) {
            Ok(mv) => {
                if plies > 0 {
                    parts.moves.push(' ');
                }
                parts.moves += &AnyPosition::from(*record.position()).text(mv);
                record.play(mv).expect("a parsed move is legal");
            }
            Err(error) => {
                broken(None, format!("\"moves\", move {}: {error}", plies + 1));
                break;
            }
        }
    }
    Ok(parts)
}
