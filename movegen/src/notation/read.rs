//! Reading a move as people write it.

use std::fmt;

use super::letters::Letters;
use super::look_alikes::latin;
use super::pattern::{Pattern, Place};
use super::write::{castles_towards_last_file, san};
use super::{HYPHENS, visible};
use crate::games::AnyPosition;
use crate::quoted::abridged;
use crate::rules::{KING, Move, PAWN, Side};

/// Why a text is not one legal move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    /// It does not have the form of a move.
    #[error("'{text}' is not a move: expected two cells, or a piece and a cell, like {example}")]
    Syntax {
        /// What was read.
        text: String,
        /// A legal move of the position in both notations, or a general example.
        example: String,
    },
    /// It begins with a letter that stands for no piece.
    #[error(
        "'{text}' is not a move: {letter} is no piece; the letters are {letters} (name those of another language)"
    )]
    Letter {
        /// What was read.
        text: String,
        /// The letter.
        letter: char,
        /// The letters of the pieces.
        letters: String,
    },
    /// It would have the form of a move, but for a sign of another script.
    #[error(
        "'{text}' is not a move: its {sign} (U+{:04X}) is not the Latin {looks_like} that it looks like; expected that",
        u32::from(*sign)
    )]
    LookAlike {
        /// What was read.
        text: String,
        /// The sign.
        sign: char,
        /// The Latin letter or the digit that was meant.
        looks_like: char,
    },
    /// It names a cell that the board lacks.
    #[error("'{text}' is not a move: the board has no cell {cell}; {cells}")]
    Cell {
        /// What was read.
        text: String,
        /// The name.
        cell: String,
        /// What the board has instead.
        cells: String,
    },
    /// The dots of its number say that it is Black's, and it is White's turn.
    #[error(
        "'{text}' is a move of Black, but White is to move; expected one dot, the move before it, or the position \
        (a FEN)"
    )]
    Side {
        /// What was read.
        text: String,
    },
    /// No legal move is meant.
    #[error("'{text}' is not legal in {fen}: {why}")]
    Illegal {
        /// What was read.
        text: String,
        /// The position.
        fen: String,
        /// Why, as far as that is cheap to find out.
        why: Box<Why>,
    },
    /// Several legal moves may be meant.
    #[error("'{text}' is ambiguous in {fen}: it could be {}", moves.join(", "))]
    Ambiguous {
        /// What was read.
        text: String,
        /// The position.
        fen: String,
        /// The moves, as cells.
        moves: Vec<String>,
    },
}

/// Why a move is not legal. Cells and pieces are given by their names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// There are no legal moves at all.
    GameOver,
    /// The game knows no castling.
    NoCastling,
    /// The king cannot castle that way now.
    CannotCastle,
    /// A sign of capture, and nothing to capture there.
    NothingToCapture(String),
    /// The move is not a capture en passant.
    NotEnPassant,
    /// No pawn promotes there, or not to that piece.
    NoPromotion(String),
    /// The cell is empty.
    Empty(String),
    /// The piece there belongs to the opponent.
    Opponents(String),
    /// Another piece is there: the cell, what stands there, what was written.
    OtherPiece(String, String, String),
    /// A piece of the same side stands on the cell it would go to.
    Own(String),
    /// The king of the side to move would be in check.
    KingInCheck,
    /// No such piece of the side to move goes there: the piece, the side, the cell.
    CannotReach(String, Side, String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::GameOver => f.write_str("the game is over"),
            Why::NoCastling => f.write_str("the game has no castling"),
            Why::CannotCastle => f.write_str("the king cannot castle that way"),
            Why::NothingToCapture(cell) => write!(f, "there is nothing to capture on {cell}"),
            Why::NotEnPassant => f.write_str("it captures nothing en passant"),
            Why::NoPromotion(cell) => write!(f, "no pawn promotes like that on {cell}"),
            Why::Empty(cell) => write!(f, "nothing stands on {cell}"),
            Why::Opponents(cell) => write!(f, "the piece on {cell} is the opponent's"),
            Why::OtherPiece(cell, found, wanted) => {
                write!(f, "on {cell} stands a piece called {found}, not {wanted}")
            }
            Why::Own(cell) => write!(f, "a piece of the same side stands on {cell}"),
            Why::KingInCheck => f.write_str("the king would be in check"),
            Why::CannotReach(piece, side, cell) => {
                write!(f, "no {piece} of {side:?} goes to {cell}")
            }
        }
    }
}

/// Reads a move as people write it, and checks that it is the only legal one that is meant.
///
/// Read are cells with or without a sign between them (`e4e5`, `e4-e5`, `c3xf9`), standard algebraic notation (`Qc3`,
/// `Ndf4`, `exd6 e.p.`, `f11=Q`, `O-O`) and mixtures (`Qe1-c3`, `Qc3xBf9`, `f11Q`), a move number in front (`1.e5`;
/// `1...e6` for Black only), and `+ # ! ?` and the like behind, not checked; the piece that a pawn becomes may stand
/// apart (`f11 Q`). In `N c6` the N is a knight, if one can go there, else it says that the move before is new; so does
/// that of `Nc3N`. A capital first letter is a piece, a small one a file, unless there is no such piece or file; two
/// cells in one case, as [`Position::parse_move`](crate::Position::parse_move) reads them, come first.
///
/// # Errors
/// If the text is not a move, no legal move is meant (with the reason, where that is cheap), or several are.
pub fn read_move(
    position: &AnyPosition,
    text: &str,
    letters: &Letters,
) -> Result<Move, NotationError> {
    let text = visible(text);
    let text = text.trim();
    let is_mixed = text.bytes().any(|b| b.is_ascii_lowercase())
        && text.bytes().any(|b| b.is_ascii_uppercase());
    if !is_mixed && let Ok(mv) = position.parse_move(text) {
        return Ok(mv);
    }
    if let Some((before, letter)) = letter_apart(text) {
        let joined = read_move(position, &format!("{before}={letter}"), letters);
        return match joined {
            // Where no pawn becomes one, it says that the move is new.
            Err(_) if letter.starts_with('N') => read_move(position, before, letters),
            joined => joined,
        };
    }
    if let Some((number, to)) = piece_apart(text) {
        let joined = read_move(position, &format!("{number}N{to}"), letters);
        return joined.or_else(|error| {
            read_move(position, &format!("{number}{to}"), letters).map_err(|_| error)
        });
    }
    let is_blacks = is_numbered_as_blacks(text);
    if is_blacks && position.side_to_move() == Side::White {
        return Err(NotationError::Side {
            text: abridged(text),
        });
    }
    let text = if is_blacks {
        without_number(text)
    } else {
        text
    };
    let read = Reading::of(position, text, letters).result();
    read.or_else(|error| {
        let new = before_novelty(text).and_then(|before| read_move(position, before, letters).ok());
        new.filter(|mv| mv.promotion().is_none()).ok_or(error)
    })
}

/// A text on its way to a move.
struct Reading<'r> {
    position: &'r AnyPosition,
    letters: &'r Letters,
    /// As it was given.
    text: &'r str,
    /// Without number and signs.
    body: &'r str,
    en_passant: bool,
    legal: Vec<Move>,
}

impl<'r> Reading<'r> {
    fn of(position: &'r AnyPosition, text: &'r str, letters: &'r Letters) -> Self {
        let (body, en_passant) = without_signs(without_number(text));
        Reading {
            position,
            letters,
            text,
            body,
            en_passant,
            legal: position.legal_moves(),
        }
    }

    fn result(self) -> Result<Move, NotationError> {
        if let Some(towards_last) = castling_form(self.body) {
            return self.castling(towards_last);
        }
        let patterns = Pattern::all(self.body, self.position, self.letters);
        let patterns = patterns.into_iter().map(|pattern| Pattern {
            en_passant: self.en_passant,
            ..pattern
        });
        let patterns: Vec<Pattern> = patterns.collect();
        let found = patterns.iter().map(|pattern| self.candidates(pattern));
        match found.into_iter().find(|found| !found.is_empty()) {
            Some(found) => self.only(&found),
            None => Err(self.fault(patterns.first())),
        }
    }

    fn castling(&self, towards_last: bool) -> Result<Move, NotationError> {
        if self.position.spec().castling.is_none() {
            return Err(self.illegal(Why::NoCastling));
        }
        let is_it = |&mv: &Move| castles_towards_last_file(self.position, mv) == Some(towards_last);
        let found: Vec<Move> = self.legal.iter().copied().filter(is_it).collect();
        if found.is_empty() {
            return Err(self.illegal(Why::CannotCastle));
        }
        self.only(&found)
    }

    /// The legal moves that a pattern may mean.
    fn candidates(&self, pattern: &Pattern) -> Vec<Move> {
        let mut found = self.fitting(pattern);
        found.retain(|&mv| pattern.promotion.is_none() || mv.promotion() == pattern.promotion);
        if pattern.en_passant {
            found.retain(|&mv| self.position.is_en_passant(mv));
        }
        let captures = |mv: &Move| self.position.is_capture(*mv);
        if pattern.captures {
            found.retain(captures);
        } else if found.len() > 1 && found.iter().any(|mv| !captures(mv)) {
            // People leave out the sign of a capture, but not where it tells two moves apart.
            found.retain(|mv| !captures(mv));
        }
        found
    }

    fn fitting(&self, pattern: &Pattern) -> Vec<Move> {
        let fits = |&mv: &Move| pattern.fits(self.position, mv);
        self.legal.iter().copied().filter(fits).collect()
    }

    fn only(&self, found: &[Move]) -> Result<Move, NotationError> {
        if let [only] = *found {
            return Ok(only);
        }
        let mut moves: Vec<String> = found.iter().map(|&mv| self.position.text(mv)).collect();
        moves.sort_unstable();
        Err(NotationError::Ambiguous {
            text: abridged(self.text),
            fen: self.position.to_string(),
            moves,
        })
    }

    fn illegal(&self, why: Why) -> NotationError {
        NotationError::Illegal {
            text: abridged(self.text),
            fen: self.position.to_string(),
            why: Box::new(why),
        }
    }

    /// What is wrong, given the likeliest pattern, if there is one.
    fn fault(&self, pattern: Option<&Pattern>) -> NotationError {
        let text = abridged(self.text);
        if let Some((sign, looks_like)) = self.look_alike() {
            return NotationError::LookAlike {
                text,
                sign,
                looks_like,
            };
        }
        let first = self.body.chars().next();
        let Some(pattern) = pattern else {
            let letter = first.filter(|&l| l.is_uppercase() && self.looks_like_a_move());
            return match letter {
                Some(letter) if self.letters.kind(letter, self.position.spec()).is_none() => {
                    NotationError::Letter {
                        text,
                        letter,
                        letters: self.letters.list(self.position.spec()),
                    }
                }
                _ => NotationError::Syntax {
                    text,
                    example: self.example(),
                },
            };
        };
        let board = self.position.board();
        let places = [pattern.from, pattern.to];
        let missing = places.iter().find(|place| {
            let file = |f| !board.letters().contains(f);
            place.file.is_some_and(file)
                || place.is_whole() && board.parse_cell(&place.name()).is_none()
        });
        match missing {
            Some(place) => NotationError::Cell {
                text,
                cell: place.name(),
                cells: self.cells_instead(*place),
            },
            None => self.illegal(self.why(pattern)),
        }
    }

    /// What to name instead of a cell that the board lacks.
    fn cells_instead(&self, place: Place) -> String {
        let board = self.position.board();
        let names = board.cells().iter().map(|&cell| board.name(cell));
        let numbers = names.filter_map(|name| {
            let rest = name.strip_prefix(place.file?)?;
            rest.parse::<u8>().ok()
        });
        let numbers: Vec<u8> = numbers.collect();
        match (place.file, numbers.iter().min(), numbers.iter().max()) {
            (Some(file), Some(least), Some(most)) => {
                format!("there are {file}{least} to {file}{most}")
            }
            _ => format!("the letters of its cells are {}", board.letters()),
        }
    }

    /// Whether the text without its first letter could be a move.
    fn looks_like_a_move(&self) -> bool {
        let rest: String = self.body.chars().skip(1).collect();
        rest.ends_with(|c: char| c.is_ascii_digit())
            && rest.contains(|c: char| c.is_ascii_alphabetic())
    }

    /// The first sign that only looks like one of a move, and what it looks like, if the text looks like a move.
    fn look_alike(&self) -> Option<(char, char)> {
        let is_piece = |c| self.letters.kind(c, self.position.spec()).is_some();
        let meant = |c: char| latin(c).filter(|_| !is_piece(c));
        let found = self.body.chars().find_map(|c| Some((c, meant(c)?)))?;
        let latin: String = self.body.chars().map(|c| meant(c).unwrap_or(c)).collect();
        let is_word = latin.chars().all(|c| c.is_ascii() || !c.is_alphabetic());
        let has_number = latin.contains(|c: char| c.is_ascii_digit());
        (is_word && (has_number || castling_form(&latin).is_some())).then_some(found)
    }

    fn example(&self) -> String {
        let Some(&mv) = self.legal.first() else {
            return "'e4e5' or 'e5'".to_owned();
        };
        let (cells, san) = (self.position.text(mv), san(self.position, mv));
        format!("'{cells}' or '{san}'")
    }

    fn why(&self, pattern: &Pattern) -> Why {
        let (position, board) = (self.position, self.position.board());
        let side = position.side_to_move();
        if self.legal.is_empty() {
            return Why::GameOver;
        }
        let to = board.parse_cell(&pattern.to.name());
        let to_name = pattern.to.name();
        let fitting = self.fitting(pattern);
        if !fitting.is_empty() {
            return match () {
                () if pattern.en_passant => Why::NotEnPassant,
                () if pattern.captures && !fitting.iter().any(|&mv| position.is_capture(mv)) => {
                    Why::NothingToCapture(to_name)
                }
                () => Why::NoPromotion(to_name),
            };
        }
        let name = |kind: u8| position.spec().pieces[usize::from(kind)].name.to_owned();
        let from = board.parse_cell(&pattern.from.name());
        if let Some(from) = from {
            let cell = board.name(from);
            match (position.piece_on(from), pattern.kind) {
                (None, _) => return Why::Empty(cell),
                (Some(piece), _) if piece.side != side => return Why::Opponents(cell),
                (Some(piece), Some(kind)) if piece.kind != kind => {
                    return Why::OtherPiece(cell, name(piece.kind), name(kind));
                }
                _ => {}
            }
        }
        let Some(to) = to else {
            return Why::CannotReach(name(pattern.kind.unwrap_or(PAWN)), side, to_name);
        };
        if position.piece_on(to).is_some_and(|p| p.side == side) {
            return Why::Own(to_name);
        }
        // A piece that attacks the cell and still cannot go there is pinned, or its king is in check already.
        let held = board.cells().iter().any(|&cell| {
            let piece = position.piece_on(cell).filter(|p| p.side == side);
            let captures = position.piece_on(to).is_some();
            piece.is_some_and(|p| p.kind != PAWN || captures)
                && pattern.fits(position, Move::new(cell, to))
                && position.attacks(cell, to)
        });
        if held {
            return Why::KingInCheck;
        }
        let moved = from.and_then(|from| position.piece_on(from));
        let kind = pattern.kind.or(moved.map(|p| p.kind)).unwrap_or(PAWN);
        if kind == KING && position.in_check() {
            return Why::KingInCheck;
        }
        Why::CannotReach(name(kind), side, to_name)
    }
}

/// The text without a move number in front: `1.e5`, `12... e6`.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = rest.trim_start_matches(['.', '…']);
    if after.len() < rest.len() {
        after.trim_start()
    } else {
        text
    }
}

/// Whether a number with two dots or more, or dots alone, stand before a move.
fn is_numbered_as_blacks(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = rest.trim_start_matches(['.', '…']);
    rest.len() - after.len() > 1 && !after.trim().is_empty()
}

/// A move to a cell, and the letter of a piece behind it with a blank between: `f11 N`, `f10-f11 Q+`.
fn letter_apart(text: &str) -> Option<(&str, &str)> {
    let (before, letter) = text.rsplit_once(char::is_whitespace)?;
    let before = before.trim_end().trim_end_matches('=').trim_end();
    let mut rest = letter.chars();
    let is_letter = rest
        .next()
        .is_some_and(|c| c.is_uppercase() || ('♔'..='♟').contains(&c));
    let to_cell = before.ends_with(|c: char| c.is_ascii_digit());
    (is_letter && to_cell && rest.all(|c| SIGNS.contains(&c))).then_some((before, letter))
}

/// The number before an N with a blank behind it, and the move there: `N c3`, `2...N xd5`. No other letter has two
/// meanings: where no such piece goes there, it says that the move before is new.
fn piece_apart(text: &str) -> Option<(&str, &str)> {
    let numbered = without_number(text);
    let to = numbered.strip_prefix("N ")?;
    let is_move = to.starts_with(|c: char| c.is_lowercase() || ['X', '×', ':'].contains(&c));
    is_move.then(|| (&text[..text.len() - numbered.len()], to))
}

/// A move with an N right behind it, which says that it is new where no pawn becomes one: `Nc3N`, `Nc3!N`.
fn before_novelty(text: &str) -> Option<&str> {
    let before = text.trim_end_matches(SIGNS).strip_suffix('N')?;
    let before = before.trim_end_matches(SIGNS);
    before
        .ends_with(|c: char| c.is_ascii_digit())
        .then_some(before)
}

/// What people add behind a move.
const SIGNS: &[char] = &[
    '+', '#', '!', '?', '=', '†', '‡', '±', '∓', '⩲', '⩱', '∞', '□', '⌓', '.', ',', ' ',
];

/// The text without what people add behind a move, and whether that included "e.p.".
fn without_signs(text: &str) -> (&str, bool) {
    let (mut body, mut en_passant) = (text, false);
    loop {
        let before = body;
        for words in ["(e.p.)", "(ep)", "e.p.", "e.p", "ep.", "ep"] {
            if let Some(rest) = body.strip_suffix(words) {
                (body, en_passant) = (rest, true);
            }
        }
        for words in ["mate", "ch"] {
            body = body.strip_suffix(words).unwrap_or(body);
        }
        if let Some((rest, glyph)) = body.rsplit_once('$')
            && glyph.bytes().all(|b| b.is_ascii_digit())
        {
            body = rest;
        }
        body = body.trim_end_matches(SIGNS);
        if body == before {
            return (body, en_passant);
        }
    }
}

/// For `O-O` and `O-O-O`, also with lower-case letters or noughts: whether the king goes towards the last file.
fn castling_form(body: &str) -> Option<bool> {
    let plain: String = body
        .chars()
        .map(|c| match c {
            '0' | 'o' => 'O',
            other if HYPHENS.contains(&other) => '-',
            other => other,
        })
        .collect();
    match plain.as_str() {
        "O-O" => Some(true),
        "O-O-O" => Some(false),
        _ => None,
    }
}
