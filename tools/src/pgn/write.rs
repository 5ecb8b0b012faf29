//! Games as PGN.

use std::fmt::Write as _;

use super::{ReadGame, ReadLine};

/// Lines are no longer than this, unless a single word is.
const WIDTH: usize = 80;

/// A tag as a line.
pub fn tag(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let value: String = value
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    format!("[{name} \"{value}\"]\n")
}

/// Words in lines, with a line end.
pub fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut line = 0;
    for word in words {
        let length = word.chars().count();
        if line > 0 && line + 1 + length > WIDTH {
            text.push('\n');
            line = 0;
        } else if line > 0 {
            text.push(' ');
            line += 1;
        }
        line += length;
        text += word;
    }
    text.push('\n');
    text
}

/// The number of the first move, and whether Black makes it.
pub fn first_number(fen: &str) -> (usize, bool) {
    let mut fields = fen.split_whitespace();
    let black = fields.nth(1) == Some("b");
    let number = fields.next_back().and_then(|n| n.parse().ok());
    (number.unwrap_or(1), black)
}

/// A game with its comments, glyphs and variations, followed by an empty line; `fen` is its first position.
pub fn text(game: &ReadGame, fen: &str) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        let _ = write!(text, "{}", tag(name, value));
    }
    text.push('\n');
    let (number, black) = first_number(fen);
    let mut words = Vec::new();
    add_line(&game.main, 2 * number + usize::from(black), &mut words);
    words.push(game.result.to_owned());
    text += &wrapped(&words);
    text.push('\n');
    text
}

/// The words of a line; `ply` is twice the number of its first move, and one more if Black makes it.
fn add_line(line: &ReadLine, mut ply: usize, words: &mut Vec<String>) {
    add_comments(&line.intro, words);
    let mut numbered = false;
    for mv in &line.moves {
        let text = match (ply % 2, numbered) {
            (0, _) => format!("{}. {}", ply / 2, mv.text),
            (_, true) => mv.text.clone(),
            (_, false) => format!("{}... {}", ply / 2, mv.text),
        };
        words.push(text);
        words.extend(mv.glyphs.iter().map(|glyph| format!("${glyph}")));
        add_comments(&mv.comments, words);
        let variations = mv.variations.iter().filter(|v| !v.moves.is_empty());
        numbered = mv.comments.is_empty() && variations.clone().count() == 0;
        for variation in variations {
            let first = words.len();
            add_line(variation, ply, words);
            words[first].insert(0, '(');
            if let Some(last) = words.last_mut() {
                last.push(')');
            }
        }
        ply += 1;
    }
}

/// Comments, which may be broken between words: not within brackets, as of `[%clk 0:01:00]`, nor so that a line would
/// begin like a tag or an escape. Nothing in them ends them: `}` is written as `)`, a line end as a blank.
fn add_comments(comments: &[String], words: &mut Vec<String>) {
    for comment in comments {
        let mut open = false;
        let mut text = String::from("{");
        // Blanks around it are not read back.
        let comment = comment.trim();
        let comment = comment.replace("\r\n", " ").replace(['\n', '\r'], " ");
        for (place, word) in comment.replace('}', ")").split(' ').enumerate() {
            if place > 0 && (open || word.is_empty() || word.starts_with(['[', '%'])) {
                text.push(' ');
            } else if place > 0 {
                words.push(std::mem::take(&mut text));
            }
            text += word;
            if let Some(last) = word.rfind(['[', ']']) {
                open = word[last..].starts_with('[');
            }
        }
        text.push('}');
        words.push(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_first_moves() {
        assert_eq!(first_number("x b - - 3 17"), (17, true));
        assert_eq!(first_number("x w - - 0 1"), (1, false));
        assert_eq!(first_number(""), (1, false));
    }

    #[test]
    fn values_of_tags_end_neither_themselves_nor_their_line() {
        let text = tag("Event", "a \\\"b\\ c\n\u{7}d");
        assert_eq!(text, "[Event \"a \\\\\\\"b\\\\ c  d\"]\n");
    }

    #[test]
    fn long_comments_are_broken_between_words() {
        let mut words = Vec::new();
        let comments = ["see  here [%clk 0:01:00] {or} %that", ""].map(str::to_owned);
        add_comments(&comments, &mut words);
        assert_eq!(words, ["{see ", "here [%clk 0:01:00]", "{or) %that}", "{}"]);
        words.clear();
        add_comments(&["\n[Event \"x\"]\r\n\n1. e5\r%x".to_owned()], &mut words);
        assert_eq!(words, ["{[Event \"x\"] ", "1.", "e5 %x}"]);
        let long = ["a word ".repeat(60).trim().to_owned()];
        words.clear();
        add_comments(&long, &mut words);
        let text = wrapped(&words);
        assert!(text.lines().count() > 4 && text.lines().all(|line| line.len() <= WIDTH));
        assert_eq!(text.replace('\n', " ").trim(), format!("{{{}}}", long[0]));
    }
}
