//! What the terminal can show, and wants to show.

use std::env::var_os;
use std::io::{IsTerminal, stderr, stdout};

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

/// Words on lines of this width: what stands before the first line, and before each other one. Without a width there is
/// one line.
pub fn wrapped(words: &str, width: Option<usize>, first: &str, others: &str) -> String {
    /// Fewer characters than this beside the indent are no column.
    const LEAST: usize = 16;
    let count = |text: &str| text.chars().count();
    let width = width
        .unwrap_or(usize::MAX)
        .max(LEAST + count(first).max(count(others)));
    let mut text = first.to_owned();
    let mut used = count(first);
    let mut is_begin = true;
    for word in words.split(' ') {
        let length = count(word);
        if !is_begin && used + 1 + length > width {
            text.push('\n');
            text += others;
            used = count(others);
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
    use super::wrapped;

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
}
