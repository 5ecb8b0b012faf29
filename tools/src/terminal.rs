//! What the terminal can show, and wants to show.

use std::env::var_os;
use std::io::{IsTerminal, stderr, stdout};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Whether `TERM` says that nothing can be drawn.
pub fn is_dumb() -> bool {
    var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether progress can be drawn on standard error.
pub fn shows_progress() -> bool {
    stderr().is_terminal() && !is_dumb()
}

/// How many characters fit on a line of the terminal; `None` where standard output is none.
pub fn width() -> Option<usize> {
    const USUAL: usize = 80;
    let out = stdout();
    if !out.is_terminal() {
        return None;
    }
    #[cfg(unix)]
    let columns = rustix::termios::tcgetwinsize(&out).map_or(0, |size| size.ws_col);
    #[cfg(not(unix))]
    let columns = 0u16;
    Some(match columns {
        0 => USUAL,
        columns => columns.into(),
    })
}

/// Whether to print colours: on a terminal, unless `NO_COLOR`, `CLICOLOR=0` or `TERM=dumb` forbids it; elsewhere
/// if `CLICOLOR_FORCE` asks for it.
pub fn wants_colours() -> bool {
    let variable = |name: &str| var_os(name).filter(|value| !value.is_empty());
    let forced = variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let unwanted = variable("CLICOLOR").is_some_and(|value| value == "0");
    if variable("NO_COLOR").is_some() {
        return false;
    }
    forced || stdout().is_terminal() && !is_dumb() && !unwanted
}

/// A text of somebody else's on one line: control characters, which a terminal obeys, become blanks.
pub fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// How many columns of a terminal a text takes: letters of some scripts take two, accents of their own none.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// A text on so many columns: what is too long is cut off, and a sign says so.
pub fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    let mut used = 0;
    let begin = text.chars().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= room
    });
    begin.collect::<String>() + "…"
}

/// A text with blanks behind it up to so many columns.
pub fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(columns(text)))
}

/// Words on lines of this width: what stands before the first line, and before each other one. Without a width there is
/// one line.
pub fn wrapped(words: &str, width: Option<usize>, first: &str, others: &str) -> String {
    /// Fewer characters than this beside the indent are no column.
    const LEAST: usize = 16;
    let width = width
        .unwrap_or(usize::MAX)
        .max(LEAST + columns(first).max(columns(others)));
    let mut text = first.to_owned();
    let mut used = columns(first);
    let mut is_begin = true;
    for word in words.split(' ') {
        let length = columns(word);
        if !is_begin && used + 1 + length > width {
            text.push('\n');
            text += others;
            used = columns(others);
            is_begin = true;
        }
        if !is_begin {
            text.push(' ');
            used += 1;
        }
        text += word;
        used += length;
        is_begin = false;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::{columns, cut, padded, plain, wrapped};

    #[test]
    fn nobody_else_commands_the_terminal() {
        assert_eq!(plain("a\r\n\u{1b}[31mb\u{9b}0mé"), "a   [31mb 0mé");
    }

    #[test]
    fn words_are_wrapped_at_blanks() {
        let words = "one two three four five six";
        let lines = wrapped(words, Some(18), "é: ", "   ");
        assert_eq!(lines, "é: one two three\n   four five six\n");
        assert_eq!(wrapped(words, None, "", ""), format!("{words}\n"));
        // No terminal is so narrow that a word stands on each line.
        assert_eq!(wrapped("one two three", Some(1), "", ""), "one two three\n");
        let long = "a".repeat(40);
        assert_eq!(
            wrapped(&format!("b {long} c"), Some(20), "", "  "),
            format!("b\n  {long}\n  c\n")
        );
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!((columns("王皓"), columns("Gliński")), (4, 7));
        assert_eq!(padded("王皓", 6), "王皓  ");
        assert_eq!(cut("Gliński", 5), "Gliń…");
        assert_eq!(cut("Gliński", 7), "Gliński");
        // No half of a letter.
        assert_eq!(cut("王皓王", 4), "王…");
        assert_eq!(cut("王皓王", 5), "王皓…");
        assert_eq!(
            wrapped("王皓 王皓 王皓 王皓", Some(16), "", ""),
            "王皓 王皓 王皓\n王皓\n"
        );
    }
}
