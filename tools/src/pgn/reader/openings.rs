//! Lines above the first move: prose, and moves that begin in the middle of it.

use hexmate_movegen::INVISIBLE;

use super::Reader;
use crate::pgn::lines::without_marks;
use crate::pgn::tags::is_tag;
use crate::pgn::words::{
    is_move_like, is_prose, is_remark, opening, without_number, word as first_word,
};
use crate::pgn::{ReadGame, result_of, results};

/// No more lines wait for the one that tells what the first of them is.
const MOST_HELD: usize = 40;

impl Reader {
    /// Whether a line waits for those below it: it has words and a move 1. It is the beginning of the game if they go on
    /// from there (`It began with 1. e5 e6`), else a heading.
    pub(super) fn holds_back(
        &mut self,
        number: usize,
        line: &str,
        games: &mut Vec<ReadGame>,
    ) -> bool {
        let begun = self.game.as_ref().is_some_and(|game| game.begun);
        if self.strict || self.comment.is_some() || begun {
            return false;
        }
        // As `read` will see it: columns count from the beginning of the line.
        let line = without_marks(line.trim_end().trim_start_matches(INVISIBLE), false);
        let text = line.trim();
        let opens = !text.starts_with('%') && !is_tag(text) && opening(text).is_some();
        if !self.held.is_empty() {
            let is_comment =
                text.starts_with([';', '%']) || text.starts_with('{') && text.ends_with('}');
            let tells_nothing = text.is_empty() || is_comment || !is_tag(text) && is_prose(text);
            if tells_nothing && !opens && self.held.len() < MOST_HELD {
                // An escape is one behind blanks, too.
                let line = if text.starts_with('%') { text } else { &line };
                self.held.push((number, line.to_owned()));
                return true;
            }
            self.release(Some(text), games);
            if self.game.as_ref().is_some_and(|game| game.begun) {
                return false;
            }
        }
        if opens {
            self.held.push((number, line.into_owned()));
        }
        opens
    }

    /// Reads the lines that waited, given the one that tells what they are.
    pub(super) fn release(&mut self, next: Option<&str>, games: &mut Vec<ReadGame>) {
        let mut held = std::mem::take(&mut self.held).into_iter();
        let Some((number, line)) = held.next() else {
            return;
        };
        let at = opening(&line).unwrap_or_default();
        // Without numbers below, only if nothing stands between, and here are moves of both sides.
        let is_near = held.as_slice().is_empty() && is_pair(&line[at..]);
        let is_game = match next {
            Some(next) => !is_tag(next) && goes_on(&line[at..], next, is_near),
            None => {
                !is_prose(&line) || self.found == 0 && !is_remark(line[at..].split_whitespace())
            }
        };
        if is_game {
            self.told_above(number, &line[..at]);
            self.words(number, &line, at, games);
            self.after_blank = false;
        } else if is_prose(&line) {
            self.read(number, &line, games);
        } else {
            self.told_above(number, &line);
            self.after_blank = false;
        }
        for (number, line) in held {
            self.read(number, &line, games);
        }
    }

    /// A line of prose above the first move is a comment; gives what is left to be read.
    pub(super) fn prose<'l>(&mut self, number: usize, line: &'l str) -> &'l str {
        let (text, rest) = line.split_at(line.find(['{', ';']).unwrap_or(line.len()));
        if !is_prose(text) {
            return line;
        }
        self.told_above(number, text);
        rest
    }

    fn told_above(&mut self, number: usize, text: &str) {
        self.mere_text.get_or_insert(number);
        // Below another game it may be a remark on that.
        let is_told = self.found > 0 && text.split_whitespace().any(results::is_of_end);
        self.heading(number, text.trim(), !is_told);
    }
}

/// Whether nothing but White's and Black's first move stands behind the number 1.
fn is_pair(text: &str) -> bool {
    let words = text.split_whitespace();
    let moves = words.map(|word| without_number(word).1.trim_start_matches(['.', ')']));
    let moves: Vec<&str> = moves.filter(|mv| !mv.is_empty()).collect();
    moves.len() == 2 && moves.iter().all(|mv| is_move_like(mv))
}

/// Whether a line goes on with moves that begin with a number 1. `is_near`: it may do so without a number, if not with
/// the same move.
fn goes_on(moves: &str, next: &str, is_near: bool) -> bool {
    let first = |text: &str| {
        let (number, mv) = without_number(first_word(text));
        let behind = text[first_word(text).len()..].trim_start_matches([' ', '\t', '.', ')']);
        let mv = if mv.is_empty() {
            first_word(behind)
        } else {
            mv
        };
        (number, mv.to_owned())
    };
    let (number, mv) = first(next);
    let behind = next.trim_start_matches('1').trim_start();
    let is_blacks = behind.starts_with("..") || behind.starts_with('…');
    match number {
        Some(number) => number > 1 || is_blacks,
        None if next.starts_with('(') || result_of(first_word(next)).is_some() => true,
        None => is_near && is_move_like(&mv) && mv != first(moves).1,
    }
}
