//! Files of games in PGN style: tags, then moves as two cells with comments.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Result;
use hexmate_movegen::{Game, Position, Record};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::game_record::{GameRecord, MoveNote};
use super::options::Options;
use crate::bounded::{TextError, TextLines};

/// Lines are no longer than this, unless a single move and its comment are.
const WIDTH: usize = 80;

/// A game as text, followed by an empty line.
pub fn text(options: &Options, game: &GameRecord) -> String {
    let min = options.pgnout.as_ref().is_some_and(|p| p.min);
    let mut text = tags(options, game, min);
    text.push('\n');
    text += &moves(game, min);
    text.push('\n');
    text
}

fn tags(options: &Options, game: &GameRecord, min: bool) -> String {
    let begun = OffsetDateTime::from_unix_timestamp(game.began as i64)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", options.event.as_deref().unwrap_or("hexmate match"));
    tag("Site", options.site.as_deref().unwrap_or("?"));
    let (year, month, day) = (begun.year(), u8::from(begun.month()), begun.day());
    tag("Date", &format!("{year:04}.{month:02}.{day:02}"));
    tag("Round", &game.round.to_string());
    tag("White", &game.white);
    tag("Black", &game.black);
    tag("Result", game.result.text());
    tag("Variant", options.variant.name());
    tag("SetUp", "1");
    tag("FEN", &game.fen);
    tag("Game", &game.game.to_string());
    if min {
        return text;
    }
    tag("GameStartTime", &begun.format(&Rfc3339).unwrap_or_default());
    tag(
        "GameDuration",
        &format!("{:.3}", game.millis as f64 / 1000.0),
    );
    tag("PlyCount", &game.plies().to_string());
    tag("Termination", game.termination.text());
    let limits = |name: &String| {
        let engine = options.engines.iter().find(|e| e.name == *name);
        engine.map_or_else(|| "?".to_owned(), |e| e.limits.to_string())
    };
    match (limits(&game.white), limits(&game.black)) {
        (white, black) if white == black => tag("TimeControl", &white),
        (white, black) => {
            tag("WhiteTimeControl", &white);
            tag("BlackTimeControl", &black);
        }
    }
    text
}

fn moves(game: &GameRecord, min: bool) -> String {
    let (mut number, mut black) = first_number(&game.fen);
    let moves: Vec<&str> = game.moves.split_whitespace().collect();
    let mut words = Vec::new();
    for (i, mv) in moves.iter().enumerate() {
        let mut word = match (black, i) {
            (false, _) => format!("{number}. {mv}"),
            (true, 0) => format!("{number}... {mv}"),
            (true, _) => (*mv).to_owned(),
        };
        if !min {
            let note = i.checked_sub(game.book_plies).map(|n| &game.notes[n]);
            let end = (i + 1 == moves.len()).then_some(game.reason.as_str());
            word += &format!(" {{{}}}", comment(note, end));
        }
        words.push(word);
        number += usize::from(black);
        black = !black;
    }
    if moves.is_empty() && !min {
        words.push(format!("{{{}}}", game.reason));
    }
    words.push(game.result.text().to_owned());
    let mut text = String::new();
    let mut line = 0;
    for word in words {
        if line > 0 && line + 1 + word.len() > WIDTH {
            text.push('\n');
            line = 0;
        } else if line > 0 {
            text.push(' ');
            line += 1;
        }
        line += word.len();
        text += &word;
    }
    text.push('\n');
    text
}

/// Score and depth, seconds, nodes, selective depth; for the last move also the end of the game.
fn comment(note: Option<&MoveNote>, end: Option<&str>) -> String {
    let mut text = match note {
        None => "book".to_owned(),
        Some(note) => format!(
            "{}/{} {:.3}s, n={}, sd={}",
            note.score,
            note.depth,
            note.micros as f64 / 1e6,
            note.nodes,
            note.seldepth
        ),
    };
    if let Some(end) = end {
        text += ", ";
        text += end;
    }
    text
}

/// The number of the first move, and whether Black makes it.
fn first_number(fen: &str) -> (usize, bool) {
    let mut fields = fen.split_whitespace();
    let black = fields.nth(1) == Some("b");
    let number = fields.next_back().and_then(|n| n.parse().ok());
    (number.unwrap_or(1), black)
}

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadGame {
    /// Its tags, in order.
    pub tags: Vec<(String, String)>,
    /// Its moves.
    pub moves: Vec<String>,
    /// The last comment.
    pub last_comment: String,
    /// The result at its end.
    pub result: String,
    /// The line on which it starts, from 1.
    pub line: usize,
}

/// A text that is not a file of games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub problem: String,
}

impl ReadGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(n, _)| n == name);
        tag.map(|(_, value)| value.as_str())
    }

    /// The position before the first move.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn start<G: Game>(&self, game: G) -> Result<Position<G>, PgnError> {
        let fault = |e| PgnError {
            line: self.line,
            problem: format!("FEN: {e}"),
        };
        match self.tag("FEN") {
            None => Ok(Position::start_of(game)),
            Some(fen) => Position::from_fen(game, fen).map_err(fault),
        }
    }

    /// The game with its moves checked, or the first of them up to a number.
    ///
    /// # Errors
    ///
    /// If the position or a move cannot be read, or a move is illegal.
    pub fn record<G: Game>(&self, game: G, plies: Option<usize>) -> Result<Record<G>, PgnError> {
        let fault = |problem| PgnError {
            line: self.line,
            problem,
        };
        let mut record = Record::new(self.start(game)?);
        let most = plies.unwrap_or(usize::MAX);
        for (i, text) in self.moves.iter().take(most).enumerate() {
            let mv = record.position().parse_move(text);
            let mv = mv.map_err(|e| fault(format!("move {}: {e}", i + 1)))?;
            record.play(mv).expect("a parsed move is legal");
        }
        Ok(record)
    }
}

/// The games of a file, one at a time.
pub struct Games<R> {
    lines: TextLines<R>,
    reader: Reader,
    /// Games of the last line that are still to be returned, the last one first.
    ready: Vec<ReadGame>,
}

impl Games<File> {
    /// Opens a file of games.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, TextError> {
        Ok(Games::new(TextLines::open(path)?))
    }
}

impl<R: Read> Games<R> {
    /// The games of these lines.
    pub fn new(lines: TextLines<R>) -> Self {
        Games {
            lines,
            reader: Reader::default(),
            ready: Vec::new(),
        }
    }

    /// The next game; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, a tag, comment or game does not end, or something is out of place.
    pub fn next_game(&mut self) -> Result<Option<ReadGame>> {
        while self.ready.is_empty() {
            let Some((number, line)) = self.lines.next_line()? else {
                self.reader.end()?;
                return Ok(None);
            };
            self.reader.line(number, &line, &mut self.ready)?;
            self.ready.reverse();
        }
        Ok(self.ready.pop())
    }

    /// See [`TextLines::digest`].
    pub fn digest(&self) -> u64 {
        self.lines.digest()
    }
}

/// No game has more moves, tags, or bytes in one comment. A text with more is not a game, and a reader that
/// kept all of it would run out of memory.
const MOST_MOVES: usize = 10_000;
const MOST_TAGS: usize = 1000;
const MOST_COMMENT: usize = 1 << 16;

/// Reads a file of games line by line.
#[derive(Debug, Default)]
pub struct Reader {
    game: Option<ReadGame>,
    /// The open comment and where it started.
    comment: Option<(usize, String)>,
    /// After a fault: nothing is read until the next game starts.
    lost: Option<Lost>,
}

/// The reader's place in a faulty game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lost {
    InTags,
    InMoves,
}

impl Reader {
    /// Reads a line; games that end in it are queued.
    ///
    /// # Errors
    ///
    /// If a tag or comment does not end, or something is out of place. The faulty game is skipped: reading
    /// can continue with the next line.
    pub fn line(
        &mut self,
        number: usize,
        line: &str,
        games: &mut Vec<ReadGame>,
    ) -> Result<(), PgnError> {
        let line = line.trim();
        let is_tag = line.starts_with('[');
        match self.lost {
            Some(Lost::InTags) if is_tag => return Ok(()),
            Some(_) if !is_tag => {
                // An empty line between faulty tags and moves means nothing.
                if !line.is_empty() {
                    self.lost = Some(Lost::InMoves);
                }
                return Ok(());
            }
            _ => self.lost = None,
        }
        let unfinished = is_tag
            && self.comment.is_none()
            && self.game.as_ref().is_some_and(|g| !g.moves.is_empty());
        if unfinished {
            // The faulty game ends here, and this line belongs to the next one.
            *self = Reader::default();
        }
        let result = self.words(number, line, games);
        if result.is_err() {
            *self = Reader {
                lost: Some(if is_tag { Lost::InTags } else { Lost::InMoves }),
                ..Reader::default()
            };
        }
        if unfinished {
            return Err(PgnError {
                line: number,
                problem: "a tag among the moves; expected the result first".to_owned(),
            });
        }
        result
    }

    fn words(
        &mut self,
        number: usize,
        line: &str,
        games: &mut Vec<ReadGame>,
    ) -> Result<(), PgnError> {
        let fault = |problem: String| PgnError {
            line: number,
            problem,
        };
        let mut rest = line;
        if self.comment.is_none() && rest.starts_with('[') {
            let game = self.game.get_or_insert_with(|| empty_game(number));
            if game.tags.len() >= MOST_TAGS {
                return Err(fault(format!("more than {MOST_TAGS} tags of one game")));
            }
            game.tags.push(tag(rest).map_err(fault)?);
            return Ok(());
        }
        while !rest.is_empty() {
            if let Some((begun, text)) = &mut self.comment {
                let (inside, outside) = rest
                    .split_once('}')
                    .map_or((rest, None), |(a, b)| (a, Some(b)));
                if !text.is_empty() {
                    text.push(' ');
                }
                *text += inside.trim();
                if text.len() > MOST_COMMENT {
                    return Err(fault(format!(
                        "the comment that begins in line {begun} has no end; expected }}"
                    )));
                }
                rest = outside.unwrap_or("").trim_start();
                if outside.is_some() {
                    let (_, text) = self.comment.take().unwrap_or_default();
                    if let Some(game) = &mut self.game {
                        game.last_comment = text;
                    }
                }
            } else if let Some(inside) = rest.strip_prefix('{') {
                self.comment = Some((number, String::new()));
                rest = inside;
            } else {
                let end = rest.find(|c: char| c.is_whitespace() || c == '{');
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after.trim_start();
                let game = self.game.get_or_insert_with(|| empty_game(number));
                if is_result(word) {
                    game.result = word.to_owned();
                    games.extend(self.game.take());
                } else if !is_number(word) {
                    if game.moves.len() >= MOST_MOVES {
                        let most = format!("more than {MOST_MOVES} moves; expected a result");
                        return Err(fault(most));
                    }
                    game.moves.push(word.to_owned());
                }
            }
        }
        Ok(())
    }

    /// Ends the input.
    ///
    /// # Errors
    ///
    /// If a comment or game does not end.
    pub fn end(&mut self) -> Result<(), PgnError> {
        let reader = std::mem::take(self);
        let unfinished = |line, problem: &str| {
            Err(PgnError {
                line,
                problem: problem.to_owned(),
            })
        };
        match (reader.comment, reader.game) {
            (Some((line, _)), _) => unfinished(line, "the comment has no end; expected }"),
            (None, Some(game)) => unfinished(
                game.line,
                "the game that begins here has no end; expected a result",
            ),
            (None, None) => Ok(()),
        }
    }
}

fn empty_game(line: usize) -> ReadGame {
    ReadGame {
        tags: Vec::new(),
        moves: Vec::new(),
        last_comment: String::new(),
        result: String::new(),
        line,
    }
}

fn is_result(word: &str) -> bool {
    ["1-0", "3/4-1/4", "1/2-1/2", "1/4-3/4", "0-1", "*"].contains(&word)
}

/// `12.` or `12...`
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn tag(line: &str) -> Result<(String, String), String> {
    let wrong = || format!("'{line}' is not a tag; expected [Name \"value\"]");
    let inside = line.strip_prefix('[').and_then(|l| l.strip_suffix(']'));
    let (name, value) = inside.and_then(|l| l.split_once(' ')).ok_or_else(wrong)?;
    let value = value.trim().strip_prefix('"');
    let value = value.and_then(|v| v.strip_suffix('"')).ok_or_else(wrong)?;
    let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
    Ok((name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::Glinski;

    use super::*;

    fn read(text: &str) -> Result<Vec<ReadGame>> {
        let mut games = Games::new(TextLines::new(text.as_bytes()));
        std::iter::from_fn(|| games.next_game().transpose()).collect()
    }

    const GAME: &str = "[White \"a \\\"b\\\"\"]\n[Result \"1-0\"]\n\n1. e4e5 {book} e7e6 {+0.10/3\n0.1s, n=5}\n2. d3d5 {White mates} 1-0\n";

    #[test]
    fn games_are_read() {
        let text = format!("{GAME}\n{}", GAME.replace("1-0", "*"));
        let games = read(&text).unwrap();
        assert_eq!(games.len(), 2);
        let game = &games[0];
        assert_eq!(game.tag("White"), Some("a \"b\""));
        assert_eq!(game.tag("Black"), None);
        assert_eq!(game.moves, ["e4e5", "e7e6", "d3d5"]);
        assert_eq!(game.last_comment, "White mates");
        assert_eq!((game.result.as_str(), game.line), ("1-0", 1));
        assert_eq!((games[1].result.as_str(), games[1].line), ("*", 8));
        let record = game.record::<Glinski>(Some(2)).unwrap();
        assert_eq!(record.moves().len(), 2);
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn what_is_no_game() {
        let cases = [
            ("[White]\n", 1, "not a tag"),
            ("[White \"a]\n", 1, "not a tag"),
            ("\n1. e4e5 {never ends\n", 2, "}"),
            ("1. e4e5\n", 1, "result"),
            ("1. e4e5\n[White \"a\"]\n", 2, "tag among"),
        ];
        for (text, line, part) in cases {
            let error = read(text).unwrap_err();
            let error: &PgnError = error.downcast_ref().unwrap();
            assert_eq!(error.line, line, "{text}");
            assert!(error.problem.contains(part), "{error}");
        }
        let games = read("\n1. e4e5 e4e5 *").unwrap();
        let error = games[0].record::<Glinski>(None).unwrap_err();
        assert!(error.to_string().starts_with("line 2: move 2: "), "{error}");
        let games = read("[FEN \"x\"]\n*").unwrap();
        assert!(games[0].start::<Glinski>().is_err());
    }

    /// A faulty game is reported once, with its line, and the next one is read.
    #[test]
    fn faulty_games_between_good_ones() {
        for (bad, at) in [
            ("[White]\n[FEN \"x\"]\n\n1. e4e5 *\n", 7),
            ("[White \"a\"]\n[White\n\n1. e4e5 *\n", 8),
            ("[White \"a\"]\n1. e4e5\n", 9),
        ] {
            let text = format!("{GAME}{bad}{GAME}");
            let (mut games, mut faults) = (Vec::new(), Vec::new());
            let mut reader = Reader::default();
            for (i, line) in text.lines().enumerate() {
                faults.extend(reader.line(i + 1, line, &mut games).err().map(|e| e.line));
            }
            reader.end().unwrap();
            assert_eq!((faults, games.len()), (vec![at], 2), "{bad}");
            assert_eq!(games[0].tags, games[1].tags);
            assert_eq!(games[0].moves, games[1].moves);
        }
    }

    #[test]
    fn numbers_of_first_moves() {
        assert_eq!(first_number("x b - - 3 17"), (17, true));
        assert_eq!(first_number("x w - - 0 1"), (1, false));
        assert_eq!(first_number(""), (1, false));
    }
}
