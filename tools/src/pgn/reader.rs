//! From lines to games. Nothing here knows the rules: moves are texts.

mod loose;
mod openings;

use std::borrow::Cow;

use hexmate_movegen::{INVISIBLE, visible};

use super::building::{Building, fault};
use super::lines::{is_rule, without_marks};
use super::numbers::MoveNumber;
use super::results;
use super::tags::{is_damaged_tag, is_tag_line, is_whole_tag, spelt_tag, tag};
use super::words::{
    empty_cell, glyph, is_cell_of_moves, is_en_passant, is_letter, is_mark, is_no_move, is_remark,
    spaced_move, spaced_piece, spaced_promotion, without_number, word,
};
use super::{MOST_NESTED, PgnError, ReadGame, ReadLine, ReadMove, result_of};
use crate::lines::MOST_BYTES;
use loose::Loose;

/// No game has more moves (with its variations), tags, or bytes in one comment or in all of them. A text with more is
/// not a game, and a reader that kept all of it would run out of memory.
const MOST_MOVES: usize = 20_000;
const MOST_TAGS: usize = 1000;
/// A comment without an end swallows that much of the file; one of this length fills half of the longest line.
pub const MOST_COMMENT: usize = MOST_BYTES / 2;
/// The bytes of all comments of a game.
pub const MOST_COMMENTS: usize = 1 << 22;

/// Reads a file of games line by line. No line is an error: what is wrong belongs to a game, and the next game begins
/// with the next tags.
#[derive(Debug, Default)]
pub struct Reader {
    game: Option<Building>,
    /// The open comment.
    comment: Option<Comment>,
    /// Whether the line before was blank.
    after_blank: bool,
    /// Words after a move that look like none: a remark if the line of moves ends with them, else faulty moves.
    loose: Vec<Loose>,
    /// The number before the next move.
    number: Option<MoveNumber>,
    /// The games so far.
    found: usize,
    /// The line of a text without a move after it.
    mere_text: Option<usize>,
    /// Whether the text has tags in brackets: then it is PGN, and a semicolon begins a comment whatever follows.
    tagged: bool,
    /// Whether a move stood one tab behind a number: then two tabs are an empty cell.
    tabbed: bool,
    /// Whether words that are no moves are faulty moves everywhere.
    strict: bool,
    /// Lines above the moves of which the first may be the first line of moves.
    held: Vec<(usize, String)>,
}

#[derive(Debug)]
struct Comment {
    line: usize,
    column: usize,
    text: String,
}

impl Reader {
    /// A reader of lists of moves, in which words are never a remark or a heading.
    pub fn strict() -> Reader {
        Reader {
            strict: true,
            ..Reader::default()
        }
    }

    /// Reads a line; games that end in it, or before it, are added.
    pub fn line(&mut self, number: usize, line: &str, games: &mut Vec<ReadGame>) {
        if !self.holds_back(number, line, games) {
            self.read(number, line, games);
        }
    }

    fn read(&mut self, number: usize, line: &str, games: &mut Vec<ReadGame>) {
        let mut line = line.trim_end();
        let unmarked;
        if self.comment.is_none() {
            let begun = self.game.as_ref().is_some_and(|g| g.begun);
            unmarked = without_marks(line.trim_start_matches(INVISIBLE), begun);
            line = &*unmarked;
        }
        if let Some(comment) = &self.comment
            && is_whole_tag(line)
        {
            let problem = "the comment that begins here has no end; expected }";
            let fault = fault(comment.line, Some(comment.column), problem);
            self.comment = None;
            self.fail(fault);
            self.finish(games);
        }
        if self.comment.is_none() {
            if line.trim_start().is_empty() || is_rule(line) && !self.awaits_move() {
                self.after_blank = true;
                return;
            }
            if line.starts_with('%') {
                return;
            }
        }
        let begun = self.game.as_ref().is_some_and(|g| g.begun);
        if begun && self.after_blank && self.comment.is_none() && is_damaged_tag(line) {
            // Whatever it was, it belongs to the next game.
            self.finish(games);
            return;
        }
        let mut rest = line;
        if self.comment.is_none() {
            if is_tag_line(line, begun) {
                self.tagged = true;
                while let Some((tag, after)) = tag(rest) {
                    self.tag(number, tag, games);
                    rest = after;
                    self.after_blank = false;
                }
            } else if self.strict {
                // A list has nothing above its moves.
            } else if let Some((_, result)) = line.split_once(':').filter(|_| begun)
                && spelt_tag(line).is_some_and(|(name, _)| name == "Result")
            {
                // Below the moves it is their own.
                rest = result;
            } else if (!begun || self.after_blank)
                && let Some(tag) = spelt_tag(line)
            {
                self.tag(number, tag, games);
                rest = "";
            } else if !begun {
                rest = self.prose(number, line);
            }
        }
        self.words(number, line, line.len() - rest.len(), games);
        self.after_blank = false;
    }

    /// Ends the input.
    pub fn end(&mut self, games: &mut Vec<ReadGame>) {
        self.end_of_line(games);
        if let Some(line) = self.mere_text.filter(|_| self.found == 0) {
            let problem = "no moves follow this text; expected some, like 'e5' or 'e4e5'";
            self.fail(fault(line, None, problem));
            self.finish(games);
        }
    }

    /// Ends the game of a line, where each line is one. Text without moves may be a heading of those below.
    pub fn end_of_line(&mut self, games: &mut Vec<ReadGame>) {
        self.release(None, games);
        if let Some(comment) = self.comment.take() {
            let problem = "the comment that begins here has no end; expected }";
            self.fail(fault(comment.line, Some(comment.column), problem));
        }
        self.finish(games);
    }

    fn tag(&mut self, number: usize, tag: (String, String), games: &mut Vec<ReadGame>) {
        let is_next = self.game.as_ref().is_some_and(|game| {
            // A game without moves ends where the same tags begin again.
            let known = game.game.tags.iter().any(|(name, _)| *name == tag.0);
            game.begun || self.after_blank && known
        });
        // A result between blank lines is rather that of the moves above.
        let is_remark = self.after_blank && self.loose.iter().any(|loose| loose.result.is_some());
        if is_next && is_remark {
            self.finish(games);
        } else if is_next {
            self.finish_before_heading(games);
        }
        let game = self.building(number);
        if game.game.tags.len() < MOST_TAGS {
            game.game.tags.push(tag);
        } else {
            let problem = format!("more than {MOST_TAGS} tags of one game");
            self.fail(fault(number, None, &problem));
        }
    }

    /// Reads moves and what stands between them, from this byte of the line.
    fn words(&mut self, number: usize, line: &str, from: usize, games: &mut Vec<ReadGame>) {
        let mut at = from;
        // Columns are counted on, as a line may be as long as a file.
        let (mut counted, mut column) = (0, 1);
        let last_end = line.rfind('>');
        while let Some(first) = line[at..].chars().next() {
            if self.comment.is_some() {
                at = self.in_comment(number, line, at);
                continue;
            }
            column += line[counted..at].chars().count();
            counted = at;
            let next = at + first.len_utf8();
            let before = games.len();
            match first {
                '{' => {
                    self.comment = Some(Comment {
                        line: number,
                        column,
                        text: String::new(),
                    });
                    at = next;
                }
                // In a score sheet whose cells are parted by semicolons.
                ';' if self.parts_cells(&line[..at], &line[next..]) => at = next,
                ';' => {
                    self.add_comment(number, line[next..].trim());
                    return;
                }
                '(' => {
                    if let Some((result, length)) = results::in_brackets(&line[at..]) {
                        let text = &line[at..at + length];
                        self.found_result((number, column), text, result, games);
                        at += length;
                    } else if let Some(remark) = self.remark_in_brackets(&line[at..]) {
                        self.hold(number, column, remark, false, games);
                        at += remark.len();
                    } else {
                        self.open(number, column, games);
                        at = next;
                    }
                }
                ')' => {
                    self.settle(true, games);
                    self.close();
                    at = next;
                }
                '<' if last_end.is_some_and(|end| end > at) => {
                    at = line[at..].find('>').map_or(next, |end| at + end + 1);
                }
                '<' => at = next,
                c if c.is_whitespace() || "}[]>".contains(c) => at = next,
                _ => {
                    let rest = &line[at..];
                    if let Some((result, length)) = results::spaced(rest) {
                        self.found_result((number, column), &rest[..length], result, games);
                        at += length;
                    } else {
                        let before = line[..at].trim();
                        // In a remark a letter is a letter.
                        let piece = spaced_piece(rest).filter(|_| self.loose.is_empty());
                        let (word, length) = match piece.or_else(|| spaced_move(rest)) {
                            Some((word, length)) => (Cow::Owned(word), length),
                            None => (visible(word(rest)), word(rest).len()),
                        };
                        let (word, length, letter) = match spaced_promotion(&word, &rest[length..])
                        {
                            // Or the move is new: then it stays apart.
                            Some(("N", more)) => (word, length + more, "N"),
                            Some((letter, more)) => {
                                (format!("{word}={letter}").into(), length + more, "")
                            }
                            None => (word, length, ""),
                        };
                        let behind = &rest[length..];
                        if self.starts_over(&word, behind, before.is_empty()) {
                            self.finish_before_heading(games);
                        }
                        if !word.is_empty() {
                            self.word((number, column), &word, behind, before, games);
                            if !letter.is_empty() {
                                self.add(number, column, letter);
                            }
                            let column = column + word.chars().count();
                            self.cell(&word, behind, (number, column));
                        }
                        at += length;
                    }
                }
            }
            if self.game.is_none()
                && !self.strict
                && let Some(ended) = games[before..].last_mut()
            {
                at += results::afterword(ended, &line[at..]);
            }
        }
    }

    /// Reads on in a comment; gives the byte after what was read.
    fn in_comment(&mut self, number: usize, line: &str, at: usize) -> usize {
        let rest = &line[at..];
        let (inside, end) = match rest.find('}') {
            Some(end) => (&rest[..end], Some(at + end + 1)),
            None => (rest, None),
        };
        let Some(comment) = &mut self.comment else {
            return line.len();
        };
        if !comment.text.is_empty() {
            comment.text.push(' ');
        }
        comment.text += inside.trim();
        if comment.text.len() > MOST_COMMENT {
            let problem = format!(
                "the comment that begins here has no end within {MOST_COMMENT} bytes; expected }}"
            );
            let fault = fault(comment.line, Some(comment.column), &problem);
            self.comment = None;
            self.fail(fault);
            return end.unwrap_or(line.len());
        }
        if end.is_some()
            && let Some(comment) = self.comment.take()
        {
            self.add_comment(number, &comment.text);
        }
        end.unwrap_or(line.len())
    }

    /// A comment on the last move. Between games it belongs to none, unless it can only be about the next.
    fn add_comment(&mut self, number: usize, text: &str) {
        if self.game.is_none() && !text.is_empty() && (self.after_blank || self.found == 0) {
            self.building(number);
        }
        let Some(game) = self.game.as_mut().filter(|_| !text.is_empty()) else {
            return;
        };
        game.comments += text.len();
        if game.comments > MOST_COMMENTS {
            let problem = format!("more than {MOST_COMMENTS} bytes of comments in one game");
            return self.fail(fault(number, None, &problem));
        }
        if let Some((line, ..)) = game.open.last_mut() {
            match line.moves.last_mut() {
                Some(mv) => mv.comments.push(text.to_owned()),
                None => line.intro.push(text.to_owned()),
            }
        }
    }

    fn open(&mut self, number: usize, column: usize, games: &mut Vec<ReadGame>) {
        self.settle(false, games);
        self.number = None;
        self.end_at_pending(games);
        let game = self.building(number);
        game.begun = true;
        if game.game.fault.is_some() {
            return;
        }
        let place = (number, Some(column));
        if game
            .open
            .last()
            .is_none_or(|(line, ..)| line.moves.is_empty())
        {
            self.fail(fault(place.0, place.1, "a variation before the first move"));
        } else if game.open.len() > MOST_NESTED {
            let problem = format!("more than {MOST_NESTED} variations within each other");
            self.fail(fault(place.0, place.1, &problem));
        } else {
            game.open.push((ReadLine::default(), number, column));
        }
    }

    /// Closes a variation; a bracket too many means nothing.
    fn close(&mut self) {
        if let Some(game) = &mut self.game {
            game.pending = None;
            if game.close() {
                self.number = None;
            }
        }
    }

    /// Reads a word at this line and column; `before` and `behind` are the rest of the line.
    fn word(
        &mut self,
        (number, column): (usize, usize),
        word: &str,
        behind: &str,
        before: &str,
        games: &mut Vec<ReadGame>,
    ) {
        let in_remark = results::is_draw(word)
            && !self.strict
            && !(self.loose.is_empty() && results::ends_with_draw(behind));
        if let Some(result) = result_of(word).filter(|_| !in_remark) {
            return self.found_result((number, column), word, result, games);
        }
        let text = without_number(word).1;
        // Headings have numbers, too: `2. Round`.
        let is_first = before.is_empty()
            || without_number(before).1.is_empty() && is_remark(std::iter::once(word));
        let starts = self.after_blank && is_first;
        if self.is_loose(text) {
            return self.hold(number, column, word, starts, games);
        }
        let column = column + word.chars().count() - text.chars().count();
        let (text, ends) = match text.strip_suffix('*') {
            // Not in what was to be in bold type.
            Some(before) if !before.contains('*') => (before, true),
            _ => (text, false),
        };
        if text.is_empty() {
            self.numbered(word);
        } else {
            if self.loose.iter().any(|loose| loose.result.is_some()) {
                // It was in the heading of the moves that begin here, without a number.
                self.finish_before_heading(games);
            }
            self.settle(false, games);
            self.end_at_pending(games);
            // Only now: what was settled has numbers of its own.
            self.numbered(word);
            self.add(number, column, text);
        }
        if ends {
            self.settle(true, games);
            self.result(number, "*", games);
        }
    }

    /// Looks at the cells of a table behind a number: White's may be empty.
    fn cell(&mut self, word: &str, behind: &str, (line, column): (usize, usize)) {
        let is_number = self.number.is_some() && without_number(word).1.is_empty();
        if !is_number || !self.loose.is_empty() {
            return;
        }
        // Where Black begins, nothing is missing.
        let has_moves = self.game.as_ref().is_some_and(|game| game.moves > 0);
        match empty_cell(behind) {
            Some('\t') if has_moves && self.tabbed => self.add(line, column, ""),
            Some(';') if has_moves && !self.tagged => self.add(line, column, ""),
            Some(_) => {}
            None => {
                let cell = behind.trim_start_matches(' ').strip_prefix('\t');
                let cell = cell.map(|cell| cell.trim_start_matches(' '));
                self.tabbed |= cell.is_some_and(|cell| !cell.starts_with('\t'));
            }
        }
    }

    /// Whether a semicolon parts moves, given the line before and behind it. With a blank before it, it begins a comment
    /// as in PGN, and so it does where what follows does not go on with the moves.
    fn parts_cells(&self, before: &str, behind: &str) -> bool {
        let cell = behind.trim_start_matches([';', ' ']);
        let is_result = results::spaced(cell).is_some();
        let is_close = match before.is_empty() {
            true => is_result && behind.starts_with(';'),
            false => !before.ends_with(|c: char| c.is_whitespace() || "})".contains(c)),
        };
        if self.tagged || !is_close || !is_cell_of_moves(behind) {
            return false;
        }
        let mut number = None;
        for word in cell.split([';', ' ', '\t']).filter(|word| !word.is_empty()) {
            let text = without_number(word).1;
            if let Some(found) = MoveNumber::of(&word[..word.len() - text.len()]) {
                number = Some(MoveNumber::followed_by(number, found));
            }
            if !text.is_empty() {
                break;
            }
        }
        is_result || self.goes_on(number)
    }

    /// Whether a move with this number, or with none, goes on with the moves so far.
    fn goes_on(&self, number: Option<MoveNumber>) -> bool {
        if self.number.is_some() {
            return number.is_none();
        }
        let line = self.game.as_ref().and_then(|game| game.open.last());
        let moves = line.map_or(&[][..], |(line, ..)| &line.moves);
        let last = moves.iter().rev().take(2).enumerate().find_map(|(i, mv)| {
            let number = mv.number?;
            let value = number.value?.checked_mul(2)?;
            value.checked_add(usize::from(number.is_blacks()) + i)
        });
        let next = last.map_or(moves.len() + 2, |last| last.saturating_add(1));
        let is_blacks = next % 2 == 1;
        match number {
            Some(number) => {
                number.is_blacks() == is_blacks
                    && number.value.is_none_or(|value| value == next / 2)
            }
            None => last.is_none() || is_blacks,
        }
    }

    /// Whether signs alone on a line stand where a move should: right behind a number, or at Black's turn in a list
    /// without numbers.
    fn awaits_move(&self) -> bool {
        let line = self.game.as_ref().and_then(|game| game.open.last());
        let moves = line.map_or(&[][..], |(line, ..)| &line.moves);
        let is_list = moves.iter().all(|mv| mv.number.is_none());
        self.number.is_some() || moves.len() % 2 == 1 && is_list
    }

    /// Notes the number that a word begins with.
    fn numbered(&mut self, word: &str) {
        let before = &word[..word.len() - without_number(word).1.len()];
        if let Some(number) = MoveNumber::of(before) {
            self.number = Some(MoveNumber::followed_by(self.number, number));
        }
    }

    /// Adds a move, a glyph or "e.p.".
    fn add(&mut self, number: usize, column: usize, text: &str) {
        let told = self.number;
        let game = self.building(number);
        game.begun = true;
        if game.game.fault.is_some() {
            return;
        }
        let Some((line, ..)) = game.open.last_mut() else {
            return;
        };
        // Right behind a number stands a move: the sign tells that it could not be read.
        let is_missing = told.is_some() && is_no_move(text);
        if told.is_none()
            && is_letter(text)
            && let Some(mv) = line.moves.last_mut()
            && mv
                .text
                .trim_end_matches('=')
                .ends_with(|c: char| c.is_ascii_digit())
        {
            // Whether a pawn becomes that, is seen when it is played.
            mv.text.push(' ');
            mv.text += text;
        } else if let Some(glyph) = glyph(text).filter(|_| !is_missing) {
            if let Some(mv) = line.moves.last_mut() {
                mv.glyphs.extend(glyph);
            }
        } else if is_mark(text) && !line.moves.is_empty() {
            // As good as a sign.
        } else if is_en_passant(text) {
            if let Some(mv) = line.moves.last_mut() {
                mv.text += " e.p.";
                let signs = text.trim_end_matches(['!', '?']).len();
                mv.glyphs.extend(glyph(&text[signs..]).flatten());
            }
        } else if game.moves < MOST_MOVES {
            game.moves += 1;
            line.moves.push(ReadMove {
                text: told.map_or_else(String::new, MoveNumber::of_black) + text,
                number: told,
                line: number,
                column,
                ..ReadMove::default()
            });
            self.number = None;
        } else {
            let problem = format!("more than {MOST_MOVES} moves; expected a result");
            self.fail(fault(number, Some(column), &problem));
        }
    }

    fn result(&mut self, number: usize, result: &'static str, games: &mut Vec<ReadGame>) {
        self.end_at_pending(games);
        let game = self.building(number);
        if game.open.len() > 1 && game.game.fault.is_none() {
            game.pending = Some(result);
            return;
        }
        game.begun = true;
        game.result = Some(result);
        self.finish(games);
    }

    /// A result in a variation that goes on was that of the game.
    fn end_at_pending(&mut self, games: &mut Vec<ReadGame>) {
        if self.game.as_ref().is_some_and(|g| g.pending.is_some()) {
            self.finish(games);
        }
    }

    fn fail(&mut self, fault: PgnError) {
        let game = self.building(fault.line);
        game.game.fault.get_or_insert(fault);
    }

    fn building(&mut self, number: usize) -> &mut Building {
        self.game.get_or_insert_with(|| Building::at(number))
    }

    fn finish(&mut self, games: &mut Vec<ReadGame>) {
        self.settle(true, games);
        self.number = None;
        if let Some(game) = self.game.take().and_then(|game| game.ended(self.strict)) {
            self.found += 1;
            games.push(game);
        }
    }
}
