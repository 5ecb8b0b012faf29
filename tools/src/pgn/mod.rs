//! Files of games in PGN style, as anybody may have written them.
//!
//! `tags` and `reader` take any text apart, line by line, and put games together (`building`): whatever is wrong with
//! one game, the others are read. `lines` takes what mails, tables and web pages add to them. `words` knows by their
//! form which words are moves, and which are a remark, `results` finds results among them, `numbers` compares the
//! numbers of moves. `object` reads games that are JSON objects. `names` knows games by what people call them. `play`
//! makes the moves, in whatever notation they are. `write` writes games again, variations and comments included.

mod building;
mod lines;
mod names;
mod numbers;
pub mod object;
mod play;
mod reader;
mod results;
mod tags;
mod words;
pub mod write;

use std::fmt;
use std::io::{Read, stdin};
use std::path::Path;

pub(crate) use lines::without_marks;
pub use names::{GIVE_THE_FILE, game_named, is_of_any};
pub use numbers::MoveNumber;
pub use play::Notation;
pub use reader::{MOST_COMMENT, MOST_COMMENTS, Reader};
pub(crate) use tags::is_tag;
pub(crate) use words::{is_letter, is_move_like, is_prose};

use hexmate_movegen::{HYPHENS, visible};

use crate::bounded::{TextError, TextLines};
use crate::outcome::RESULTS;
use crate::unpack::Text;

/// No game has more variations within each other. Each takes four levels of JSON, and with more a game could be read
/// but not written: the board and Python hand it back as JSON, which is read to a depth of 127.
pub const MOST_NESTED: usize = 30;

/// A game that was read; its moves are texts.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ReadGame {
    /// Its tags, in order.
    pub tags: Vec<(String, String)>,
    /// Its moves and their variations.
    pub main: ReadLine,
    /// The result: `1-0`, `3/4-1/4`, `1/2-1/2`, `1/4-3/4`, `0-1` or `*`.
    pub result: &'static str,
    /// The line on which it starts, from 1.
    pub line: usize,
    /// What ended it too early, if anything did: it has the moves before that.
    pub fault: Option<PgnError>,
    /// What else is wrong, and did not end it: numbers in variations, which end before them, and a tag `Result` that
    /// says none.
    pub slips: Vec<PgnError>,
}

/// Moves, one after the other: those of the game, or a variation.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ReadLine {
    /// The comments before the first move.
    pub intro: Vec<String>,
    /// The moves.
    pub moves: Vec<ReadMove>,
}

/// A move as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ReadMove {
    /// Its text, with a number only where its dots say that it is Black's: `1...e6`.
    pub text: String,
    /// The number before it.
    pub number: Option<MoveNumber>,
    /// Where it stands, from 1.
    pub line: usize,
    /// The same within the line, in characters.
    pub column: usize,
    /// Numeric annotation glyphs.
    pub glyphs: Vec<u16>,
    /// The comments after it.
    pub comments: Vec<String>,
    /// What might have been played instead of it.
    pub variations: Vec<ReadLine>,
}

/// What is wrong with a game, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1; `None`: the line as a whole.
    pub column: Option<usize>,
    /// The ply, from 1, if it is about a move.
    pub ply: Option<usize>,
    /// What is wrong, and what would be right.
    pub problem: String,
}

impl PgnError {
    /// The error without the line.
    pub fn detail(&self) -> String {
        let column = self.column.map(|c| format!("column {c}"));
        let ply = self.ply.map(|p| format!("ply {p}"));
        let place: Vec<String> = column.into_iter().chain(ply).collect();
        if place.is_empty() {
            return self.problem.clone();
        }
        format!("{}: {}", place.join(", "), self.problem)
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match (self.column, self.ply) {
            (None, None) => ':',
            _ => ',',
        };
        write!(f, "line {}{sign} {}", self.line, self.detail())
    }
}

impl std::error::Error for PgnError {}

impl ReadGame {
    /// The value of a tag, whatever the case of its name; `None` also for `?` and nothing.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.as_str())
            .filter(|value| !matches!(*value, "" | "?"))
    }

    /// Sets a tag, at its place if it is there, else at the end.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let tag = self
            .tags
            .iter_mut()
            .find(|(n, _)| n.eq_ignore_ascii_case(name));
        match tag {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The last comment of the game itself.
    pub fn last_comment(&self) -> &str {
        let comments = match self.main.moves.last() {
            Some(mv) => &mv.comments,
            None => &self.main.intro,
        };
        comments.last().map_or("", String::as_str)
    }
}

/// What results begin with, also those in words.
const FIRST_OF_RESULTS: [char; 13] = [
    '0', '1', '3', '*', '½', '¾', '¼', 'O', 'o', 'R', 'r', 'D', 'd',
];

/// The result that a word stands for, if it is one; blanks in it and marks behind it do not matter.
pub fn result_of(word: &str) -> Option<&'static str> {
    let word = visible(word);
    // Most words are none, which their first sign tells.
    if !word.trim_start().starts_with(FIRST_OF_RESULTS) {
        return None;
    }
    let plain: String = word
        .trim_end_matches(['.', ',', '!'])
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            ':' => '-',
            hyphen if HYPHENS.contains(&hyphen) => '-',
            'O' | 'o' => '0',
            other => other.to_ascii_lowercase(),
        })
        .collect();
    let plain = plain
        .replace('½', "1/2")
        .replace('¾', "3/4")
        .replace('¼', "1/4");
    let plain = match plain.as_str() {
        "1/2" | "0.5-0.5" | "0,5-0,5" | "remi" | "remis" | "draw" => "1/2-1/2",
        other => other,
    };
    RESULTS.into_iter().chain(["*"]).find(|&r| r == plain)
}

/// The games of a file, one at a time.
pub struct Games<R> {
    lines: TextLines<R>,
    reader: Reader,
    /// Games of the last line that are still to be returned, the last one first.
    ready: Vec<ReadGame>,
    ended: bool,
}

impl Games<Text> {
    /// Opens a file of games, compressed or plain; `-` is standard input.
    ///
    /// # Errors
    /// If it cannot be opened, or its beginning cannot be read.
    pub fn open(path: &Path) -> Result<Self, TextError> {
        let lines = match path.as_os_str() == "-" {
            true => TextLines::unpacked(stdin())?,
            false => TextLines::open(path)?,
        };
        Ok(Games::new(lines))
    }
}

impl<R: Read> Games<R> {
    /// The games of this text.
    pub fn of(text: R) -> Self {
        Games::new(TextLines::new(text))
    }

    /// The games of these lines.
    pub fn new(lines: TextLines<R>) -> Self {
        Games {
            lines,
            reader: Reader::default(),
            ready: Vec::new(),
            ended: false,
        }
    }

    /// The next game, which may be a broken one (its `fault`); `None` at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_game(&mut self) -> Result<Option<ReadGame>, TextError> {
        while self.ready.is_empty() && !self.ended {
            match self.lines.next_lossy()? {
                Some((number, line)) => self.reader.line(number, &line, &mut self.ready),
                None => {
                    self.reader.end(&mut self.ready);
                    self.ended = true;
                }
            }
            self.ready.reverse();
        }
        Ok(self.ready.pop())
    }

    /// A hash of the whole text, once its end was reached.
    pub fn digest(&self) -> u64 {
        self.lines.digest()
    }
}

#[cfg(test)]
mod headings;
#[cfg(test)]
mod sheets;
#[cfg(test)]
mod tests;
