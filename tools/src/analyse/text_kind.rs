//! What a text is: games, lines of objects and positions, or a table. All commands that take several of these ask here.

use hexmate_movegen::{AnyPosition, GameId, Letters, visible};
use serde::de::IgnoredAny;

use super::table::{Table, separator};
use crate::pgn::{Games, is_move_like, is_prose, is_tag, without_marks};

/// What stands above a text's first game, position or object is short.
const MOST_LINES: usize = 40;
const MOST_BYTES: usize = 1 << 20;

/// How a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextKind {
    /// As games in PGN.
    Games,
    /// In the same way, but each line is a game.
    GameLines,
    /// As JSON objects and position texts, one on each line.
    Lines,
    /// As comma-separated values.
    Table,
}

/// What a line says of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    /// It is of this kind.
    Is(TextKind),
    /// It has moves without numbers: with what follows one game, or a game by itself.
    Moves,
    /// The next one may tell: this is a comment, prose, or nothing that can be read.
    None,
}

impl TextKind {
    /// The kind of files with this ending, if it says one.
    pub fn of_ending(ending: &str) -> Option<TextKind> {
        match ending.to_ascii_lowercase().as_str() {
            "csv" | "tsv" => Some(TextKind::Table),
            "pgn" => Some(TextKind::Games),
            "epd" | "fen" | "jsonl" | "ndjson" => Some(TextKind::Lines),
            _ => None,
        }
    }

    /// The kind of a text by its first lines, which `line` gives by their places. `None`: nothing in them tells.
    pub fn of_lines(
        mut line: impl FnMut(usize) -> Option<String>,
        game: GameId,
        letters: &Letters,
    ) -> Option<TextKind> {
        let mut bytes = 0;
        let mut moves: Option<String> = None;
        for place in 0..MOST_LINES {
            let Some(text) = line(place).filter(|_| bytes < MOST_BYTES) else {
                break;
            };
            bytes += text.len();
            match (&moves, sign(&text)) {
                (None, Sign::Is(kind)) => return Some(kind),
                (None, Sign::Moves) => moves = Some(text),
                (Some(first), Sign::Moves) => return Some(of_moves(first, &text, game, letters)),
                (Some(_), _) if !text.trim().is_empty() => return Some(TextKind::Games),
                _ => {}
            }
        }
        moves.map(|_| TextKind::Games)
    }

    /// Whether a text of no kind has more than comments in its first lines. Who wants games reads it as such, and tells
    /// once what is wrong with it.
    pub fn says_something(line: impl FnMut(usize) -> Option<String>) -> bool {
        let is_comment = |line: String| line.trim().is_empty() || line.trim().starts_with('#');
        !(0..MOST_LINES).map_while(line).all(is_comment)
    }
}

/// JSON that is not one object on each line, as other programs write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum SpreadJson {
    #[error("line {0}: a JSON array; expected one object on each line, as jq -c '.[]' writes them")]
    Array(usize),
    #[error(
        "line {0}: a JSON object over several lines; expected one object on each line, as jq -c . writes them"
    )]
    Object(usize),
}

impl SpreadJson {
    /// What a text begins with, if it is that; `line` gives its lines by their places.
    pub fn of_lines(mut line: impl FnMut(usize) -> Option<String>) -> Option<SpreadJson> {
        let mut lines = (0..MOST_LINES)
            .map_while(|place| Some((place + 1, visible(line(place)?.trim()).trim().to_owned())))
            .filter(|(_, text)| !text.is_empty() && !text.starts_with('#'));
        let (number, first) = lines.next()?;
        let mut next_begins = |signs: &[char]| {
            let next = lines.next();
            next.is_some_and(|(_, text)| text.starts_with(signs))
        };
        match first.as_str() {
            // A line alone may also be damaged.
            "{" => next_begins(&['"']).then_some(SpreadJson::Object(number)),
            "[" => next_begins(&['{', '[', '"']).then_some(SpreadJson::Array(number)),
            _ if begins_array(&first) => {
                let is_array = match serde_json::from_str::<Vec<IgnoredAny>>(&first) {
                    // Before objects or positions it is one bad line.
                    Ok(_) => lines.next().is_none_or(|(_, text)| begins_array(&text)),
                    Err(error) => error.is_eof(),
                };
                is_array.then_some(SpreadJson::Array(number))
            }
            _ => None,
        }
    }
}

/// Whether a line begins a list of objects, which no tag does.
fn begins_objects(line: &str) -> bool {
    let inside = line.strip_prefix('[').map(str::trim_start);
    inside.is_some_and(|inside| inside.is_empty() || inside.starts_with('{'))
}

/// Whether a line begins a list of objects, texts or lists, or an empty one, and no tag.
pub(super) fn begins_array(line: &str) -> bool {
    let inside = line.strip_prefix('[').map(str::trim_start);
    let begins = inside.is_some_and(|inside| inside.starts_with(['{', '"', '[', ']']));
    begins_objects(line) || begins && !is_tag(line)
}

fn sign(line: &str) -> Sign {
    let line = visible(line);
    let line = without_marks(&line, false);
    let mut line = line.trim();
    // As readers of games skip it.
    while let Some((_, rest)) = line
        .strip_prefix('<')
        .and_then(|inside| inside.split_once('>'))
    {
        line = rest.trim_start();
    }
    let mut words = line.split(|c: char| c.is_whitespace() || c == '<');
    let Some(first) = words.next().filter(|first| !first.is_empty()) else {
        return Sign::None;
    };
    if let Some(inside) = line.strip_prefix('{') {
        if is_object(inside) {
            return Sign::Is(TextKind::Lines);
        }
        // A comment, behind which the moves may begin.
        return inside
            .split_once('}')
            .map_or(Sign::None, |(_, rest)| sign(rest));
    }
    if begins_objects(line) {
        return Sign::Is(TextKind::Lines);
    }
    if separator(line).is_some() || Table::of_header(line, None).is_ok() {
        return Sign::Is(TextKind::Table);
    }
    if is_tag(line) {
        return Sign::Is(TextKind::Games);
    }
    // No word of prose has two of these.
    if matches!(first, "position" | "startpos") || first.matches('/').count() > 1 {
        return Sign::Is(TextKind::Lines);
    }
    if line.starts_with(['#', ';', '%']) || is_prose(line) {
        return Sign::None;
    }
    if first.contains('/') || first == "fen" {
        return Sign::Is(TextKind::Lines);
    }
    let after_number = first.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = after_number.len() < first.len();
    let second = line.split_whitespace().nth(1).unwrap_or_default();
    if numbered && after_number.starts_with(['.', ')', '…'])
        || numbered
            && after_number.is_empty()
            && (is_move_like(second) || second.starts_with(['.', '…']))
    {
        return Sign::Is(TextKind::Games);
    }
    match is_move_like(first) {
        true => Sign::Moves,
        false => Sign::None,
    }
}

/// Whether what follows a brace is meant to be JSON: names in quotation marks, or at least names. Anything else is a
/// comment.
fn is_object(inside: &str) -> bool {
    let inside = inside.trim_start();
    let after_name = inside.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    !inside.starts_with(char::is_alphanumeric) || after_name.trim_start().starts_with(':')
}

/// Whether moves on the first two lines are two games: the second one gets further from the start than from where the
/// first one ends, or as far. A pair of moves is rather a line of a score sheet.
fn of_moves(first: &str, second: &str, game: GameId, letters: &Letters) -> TextKind {
    let read = |line: &str| Games::of(line.as_bytes()).next_game().ok().flatten();
    let (Some(first), Some(second)) = (read(first), read(second)) else {
        return TextKind::Games;
    };
    let start = AnyPosition::start(game);
    let plies = |position| second.play(position, letters).0.moves().len();
    let alone = plies(start);
    let on = match first.play(start, letters) {
        (record, None) => plies(record.position()),
        (_, Some(_)) => 0,
    };
    let are_two = match first.main.moves.len() <= 2 {
        true => alone > on && alone == second.main.moves.len(),
        false => alone >= on,
    };
    match are_two {
        true => TextKind::GameLines,
        false => TextKind::Games,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Option<TextKind> {
        let line = |place| text.lines().nth(place).map(str::to_owned);
        TextKind::of_lines(line, GameId::Glinski, &Letters::Own)
    }

    #[test]
    fn kinds() {
        use TextKind::{GameLines, Games, Lines, Table};
        let fen = GameId::Glinski.spec().start;
        for (text, expected) in [
            ("[White \"a\"]\n", Some(Games)),
            ("\n# no more\n1. e5 e6", Some(Games)),
            ("1.e5", Some(Games)),
            ("1) Qb4 Kh8", Some(Games)),
            ("1 . Qb4 Kh8", Some(Games)),
            ("\u{200e}1. Qb4 Kh8", Some(Games)),
            ("1 Qb4 Kh8 2 Bh2", Some(Games)),
            ("Qb4 Kh8 Bh2 Ki6 Qk4", Some(Games)),
            ("Qb4 Kh8\nBh2 Ki6\nQk4\n", Some(Games)),
            ("Qb4 Kh8 Bh2\n\nKi6 Qk4\n", Some(Games)),
            ("e1b4\n", Some(Games)),
            ("e5 e6\nd5 d6", Some(Games)),
            ("Qz4 Kh8\nBh2 Ki6", Some(Games)),
            ("e5 e6 1-0\nwhat a game", Some(Games)),
            // Both lines can be played from the start, the second one not after the first.
            ("e4e5 e7e6 d3d5\ne4e5 e7e6\n", Some(GameLines)),
            ("e5 e6 d5 Z9\nb2 b5\n", Some(GameLines)),
            ("e5\ne5\n", Some(GameLines)),
            ("; Sunday\n1. Qb4", Some(Games)),
            ("{Sunday} 1. Qb4", Some(Games)),
            ("{Sunday,\nat the club}\nQb4 Kh8", Some(Games)),
            ("Anna - Bela, Sunday\n3.5.2026\n\n1. Qb4", Some(Games)),
            ("White: Anna\n", Some(Games)),
            ("; Sunday\n{\"moves\": \"\"}", Some(Lines)),
            ("{\"fen\": 3", Some(Lines)),
            ("{fen: 3}\n1. e5", Some(Lines)),
            ("{", Some(Lines)),
            ("[\"e5\"]\n1. e5", Some(Games)),
            (fen, Some(Lines)),
            (
                &format!("{fen}; id \"some name\"; game hexachess"),
                Some(Lines),
            ),
            (&format!("{fen} moves e4e5"), Some(Lines)),
            ("x/y/z w", Some(Lines)),
            ("Anna - Bela/Cili\n1. e5", Some(Games)),
            (&format!("damaged\n{fen}"), Some(Lines)),
            ("startpos moves e4e5", Some(Lines)),
            ("name of game\tfen\n", Some(Table)),
            ("moves\n", Some(Table)),
            ("sep=|\nmoves|id\n", Some(Table)),
            ("On Sunday Anna wrote:\n> 1. e5 e6", Some(Games)),
            (">\n>> [White \"a\"]\n", Some(Games)),
            ("* 1. e5 e6", Some(Games)),
            ("\u{2022} 1 e5 e6\n", Some(Games)),
            ("- name - Bela\n", None),
            (
                "<html><body>\n<p>Sunday</p>\n<p>1. e5 e6</p>\n</body></html>",
                Some(Games),
            ),
            ("</body></html>", None),
            ("hello there", None),
            ("", None),
        ] {
            assert_eq!(kind(text), expected, "{text:?}");
        }
        assert_eq!(kind(&format!("{}1. e5", "hm\n".repeat(MOST_LINES))), None);
    }
}
