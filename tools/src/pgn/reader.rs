//! From lines to games. Nothing here knows the rules: moves are texts.

use super::tags::{is_damaged_tag, is_tag_line, is_whole_tag, tag};
use super::{MOST_NESTED, PgnError, ReadGame, ReadLine, ReadMove, result_of};

/// No game has more moves (with its variations), tags, or bytes in one comment or in all of them. A
/// text with more is not a game, and a reader that kept all of it would run out of memory.
const MOST_MOVES: usize = 20_000;
const MOST_TAGS: usize = 1000;
const MOST_COMMENT: usize = 1 << 16;
const MOST_COMMENTS: usize = 1 << 22;

/// Reads a file of games line by line. No line is an error: what is wrong belongs to a game, and the next game begins
/// with the next tags.
#[derive(Debug, Default)]
pub struct Reader {
    game: Option<Building>,
    /// The open comment.
    comment: Option<Comment>,
    /// Whether the line before was blank.
    after_blank: bool,
}

#[derive(Debug)]
struct Comment {
    line: usize,
    column: usize,
    text: String,
}

/// A game on the way.
#[derive(Debug)]
struct Building {
    game: ReadGame,
    /// The open lines: that of the game, and variations within variations, with the places where they begin.
    open: Vec<(ReadLine, usize, usize)>,
    /// Whether anything but comments came after the tags.
    begun: bool,
    /// A result within a variation: that of the variation, if this is closed next, else that of the game.
    pending: Option<&'static str>,
    result: Option<&'static str>,
    moves: usize,
    comments: usize,
}

impl Reader {
    /// Reads a line; games that end in it, or before it, are added.
    pub fn line(&mut self, number: usize, line: &str, games: &mut Vec<ReadGame>) {
        let line = line.trim_end();
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
            if line.trim_start().is_empty() {
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
        if self.comment.is_none() && is_tag_line(line, begun) {
            while let Some((tag, after)) = tag(rest) {
                self.tag(number, tag, games);
                rest = after;
                self.after_blank = false;
            }
        }
        self.words(number, line, line.len() - rest.len(), games);
        self.after_blank = false;
    }

    /// Ends the input.
    pub fn end(&mut self, games: &mut Vec<ReadGame>) {
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
        if is_next {
            self.finish(games);
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
            match first {
                '{' => {
                    self.comment = Some(Comment {
                        line: number,
                        column,
                        text: String::new(),
                    });
                    at = next;
                }
                ';' => {
                    self.add_comment(number, line[next..].trim());
                    return;
                }
                '(' => {
                    self.open(number, column, games);
                    at = next;
                }
                ')' => {
                    self.close();
                    at = next;
                }
                '<' if last_end.is_some_and(|end| end > at) => {
                    at = line[at..].find('>').map_or(next, |end| at + end + 1);
                }
                '<' => at = next,
                c if c.is_whitespace() || "}[]>".contains(c) => at = next,
                _ => {
                    let word = word(&line[at..]);
                    let starts = self.after_blank && line[..at].trim().is_empty();
                    self.word(number, column, word, starts, games);
                    at += word.len();
                }
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
            let problem = "the comment that begins here has no end; expected }";
            let fault = fault(comment.line, Some(comment.column), problem);
            self.comment = None;
            self.fail(fault);
            return line.len();
        }
        if end.is_some()
            && let Some(comment) = self.comment.take()
        {
            self.add_comment(number, &comment.text);
        }
        end.unwrap_or(line.len())
    }

    /// A comment on the last move. Between games it belongs to none.
    fn add_comment(&mut self, number: usize, text: &str) {
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
            game.close();
        }
    }

    fn word(
        &mut self,
        number: usize,
        column: usize,
        word: &str,
        starts: bool,
        games: &mut Vec<ReadGame>,
    ) {
        if let Some(result) = result_of(word) {
            return self.result(number, result, games);
        }
        let (move_number, text) = without_number(word);
        let column = column + word.chars().count() - text.chars().count();
        // A file without tags: the numbers start over after a blank line.
        let again = starts && move_number == Some(1);
        if again && self.game.as_ref().is_some_and(|g| g.moves > 1) {
            self.finish(games);
        }
        let (text, ends) = match text.strip_suffix('*') {
            Some(before) => (before, true),
            None => (text, false),
        };
        if !text.is_empty() {
            self.end_at_pending(games);
            self.add(number, column, text);
        }
        if ends {
            self.result(number, "*", games);
        }
    }

    /// Adds a move, a glyph or "e.p.".
    fn add(&mut self, number: usize, column: usize, text: &str) {
        let game = self.building(number);
        game.begun = true;
        if game.game.fault.is_some() {
            return;
        }
        let Some((line, ..)) = game.open.last_mut() else {
            return;
        };
        if let Some(glyph) = glyph(text) {
            if let Some(mv) = line.moves.last_mut() {
                mv.glyphs.extend(glyph);
            }
        } else if matches!(text, "e.p." | "ep" | "e.p" | "ep." | "e.p.+" | "e.p.#") {
            if let Some(mv) = line.moves.last_mut() {
                mv.text += " e.p.";
            }
        } else if game.moves < MOST_MOVES {
            game.moves += 1;
            line.moves.push(ReadMove {
                text: text.to_owned(),
                line: number,
                column,
                ..ReadMove::default()
            });
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
        self.game.get_or_insert_with(|| Building {
            game: ReadGame {
                line: number,
                ..ReadGame::default()
            },
            open: vec![(ReadLine::default(), number, 1)],
            begun: false,
            pending: None,
            result: None,
            moves: 0,
            comments: 0,
        })
    }

    fn finish(&mut self, games: &mut Vec<ReadGame>) {
        let Some(mut building) = self.game.take() else {
            return;
        };
        if let [_, .., (_, line, column)] = building.open[..]
            && building.game.fault.is_none()
        {
            let problem = "the variation that begins here has no end; expected )";
            building.game.fault = Some(fault(line, Some(column), problem));
        }
        while building.open.len() > 1 {
            building.close();
        }
        let mut game = building.game;
        game.main = building
            .open
            .pop()
            .map(|(line, ..)| line)
            .unwrap_or_default();
        if game.tags.is_empty() && game.main.moves.is_empty() && game.fault.is_none() {
            // A result or a comment between games.
            return;
        }
        let tag = game.tag("Result").and_then(result_of);
        game.result = building.result.or(building.pending).or(tag).unwrap_or("*");
        games.push(game);
    }
}

impl Building {
    fn close(&mut self) {
        if self.open.len() > 1
            && let Some((line, ..)) = self.open.pop()
            && let Some((outer, ..)) = self.open.last_mut()
            && let Some(mv) = outer.moves.last_mut()
        {
            mv.variations.push(line);
        }
    }
}

fn fault(line: usize, column: Option<usize>, problem: &str) -> PgnError {
    PgnError {
        line,
        column,
        ply: None,
        problem: problem.to_owned(),
    }
}

/// The word that a text begins with. Brackets belong to it where they hold a promotion or "e.p.": `f11(Q)`.
fn word(text: &str) -> &str {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        end += rest
            .find(|c: char| c.is_whitespace() || "{}()[];<".contains(c))
            .unwrap_or(rest.len());
        let inside = text[end..]
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'));
        match inside {
            Some((inside, _))
                if end > 0 && (inside.chars().count() == 1 || matches!(inside, "ep" | "e.p.")) =>
            {
                end += inside.len() + 2;
            }
            _ => return &text[..end],
        }
    }
}

/// A move number, if the word begins with one or is one, and the rest: `12.e5`, `12...`, `12`, `...`.
fn without_number(word: &str) -> (Option<usize>, &str) {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = word[..word.len() - rest.len()].parse().ok();
    let after = rest.trim_start_matches(['.', '…']);
    match (after.len() < rest.len() || rest.is_empty()) && !word.starts_with('0') {
        true => (number, after),
        false => (None, word),
    }
}

/// The glyph that stands by itself, or none of a number where it means nothing to us; `None` for a move.
pub(super) fn glyph(text: &str) -> Option<Option<u16>> {
    if let Some(number) = text.strip_prefix('$') {
        return Some(number.parse().ok());
    }
    let number = match text {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        "=" => 10,
        "∞" => 13,
        "⩲" | "+=" | "+/=" => 14,
        "⩱" | "=+" | "=/+" => 15,
        "±" | "+/-" => 16,
        "∓" | "-/+" => 17,
        "+-" | "+−" => 18,
        "-+" | "−+" => 19,
        _ => {
            let is_sign = |c: char| "+#!?=†‡N□⌓.,/".contains(c);
            return text.chars().all(is_sign).then_some(None);
        }
    };
    Some(Some(number))
}
