//! What stands on a line beside its words: signs of mails, lists, tables and web pages.

use std::borrow::Cow;

use hexmate_movegen::HYPHENS;

use super::result_of;
use super::words::{is_move_like, is_sign, without_number, word};

/// What parts the cells of a row, beside tabs and semicolons.
const BARS: [char; 3] = ['|', '│', '┃'];

/// A line with blanks for the signs that a mail, a list or a web page has around it, and tabs for what parts the cells
/// of a table, so that all columns stay. `begun`: it stands below moves.
pub(crate) fn without_marks(line: &str, begun: bool) -> Cow<'_, str> {
    let mut line = Cow::Borrowed(line);
    if line.trim_start().starts_with('[') || line.ends_with(']') {
        line = without_codes(line);
    }
    let end = marks_before(&line, begun);
    if end > 0 {
        let blanks = " ".repeat(line[..end].chars().count());
        line = Cow::Owned(blanks + &line[end..]);
    }
    match is_row(line.trim()) {
        true => Cow::Owned(row(&line)),
        false => line,
    }
}

/// The signs before a line that a mail or a list has there: `> 1. e5 e6`, `* 1. e5 e6`. Those of a list stand before a
/// number only, or below moves before their result; `*` before the first one, with a game before it, is the result of
/// that.
fn marks_before(line: &str, begun: bool) -> usize {
    let quoted = line.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
    let quote = match line.trim_start().starts_with('>') {
        true => line.len() - quoted.len(),
        false => 0,
    };
    let text = line[quote..].trim_start();
    let is_mark = |c: char| matches!(c, '*' | '•' | '·') || HYPHENS.contains(&c);
    let Some(listed) = text.strip_prefix(is_mark) else {
        return quote;
    };
    let rest = listed.trim_start();
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &rest[..rest.len() - after.len()];
    let next = word(after.trim_start());
    let is_number = !number.is_empty()
        && rest.len() < listed.len()
        && (after.starts_with(['.', ')', '…'])
            || is_move_like(next)
            || next.starts_with(['.', '…']));
    let is_result = begun && text.starts_with('*') && number == "1";
    let is_before_result = begun
        && rest.len() < listed.len()
        && result_of(rest.trim_end()).is_some_and(|result| result != "*");
    match is_before_result || is_number && !is_result {
        true => line.len() - listed.len(),
        false => quote,
    }
}

/// Whether a line says nothing: a rule of three signs or more, the two hyphens above the signature of a mail, or what
/// fences in a text.
pub fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let is_sign = |c: char| {
        HYPHENS.contains(&c) || "_=~*#+·•:|".contains(c) || ('\u{2500}'..='\u{257f}').contains(&c)
    };
    let signs = line.chars().filter(|c| !c.is_whitespace());
    let fenced = ["```", "~~~"]
        .iter()
        .find_map(|fence| line.strip_prefix(fence));
    line == "--"
        || signs.clone().all(is_sign) && signs.clone().count() > 2
        || fenced.is_some_and(|name| name.trim().chars().all(char::is_alphabetic))
}

/// What forums and chats mark up.
const CODES: [&str; 20] = [
    "b", "center", "code", "color", "colour", "fen", "font", "game", "i", "img", "left", "list",
    "pgn", "quote", "right", "s", "size", "spoiler", "u", "url",
];

/// The code of a forum that a text begins with, which is no tag: `[pgn]`, `[/quote]`, `[quote=Anna]`.
fn code(text: &str) -> Option<&str> {
    let inside = &text[..text.find(']')?];
    let name = inside.strip_prefix('[')?;
    let name = name.strip_prefix('/').unwrap_or(name);
    let name = name.split_once('=').map_or(name, |(name, _)| name);
    let is_code = CODES.contains(&name.to_lowercase().as_str());
    is_code.then(|| &text[..=inside.len()])
}

/// A line with blanks for such codes at its beginning and its end.
fn without_codes(line: Cow<'_, str>) -> Cow<'_, str> {
    let mut text = line.trim_start();
    while let Some(code) = code(text) {
        text = text[code.len()..].trim_start();
    }
    let from = line.len() - text.len();
    let is_code = |text: &str| code(text).is_some_and(|code| code.len() == text.len());
    // A bracket may also be within a comment.
    let may_end_in_codes = !text.contains(['{', ';']);
    while may_end_in_codes && let Some(at) = text.rfind('[').filter(|&at| is_code(&text[at..])) {
        text = text[..at].trim_end();
    }
    let begin = &line[..from];
    if begin.trim().is_empty() && from + text.len() == line.len() {
        return line;
    }
    Cow::Owned(" ".repeat(begin.chars().count()) + text)
}

/// Whether a line is a row of a table: a bar stands before its first cell, or bars or commas part what is nothing but
/// moves, numbers and results.
fn is_row(text: &str) -> bool {
    // Commas are in comments and tags, too, whose brackets no cell has.
    let may_be_cells = !text.contains('{') && !text.contains('[');
    let are_cells = |signs: &[char]| {
        if !may_be_cells || !may_have(text, signs) {
            return false;
        }
        let mut cells = text.split(signs).map(|cell| cell.trim().trim_matches('"'));
        let says_move = |cell: &str| is_move_like(cell) || result_of(cell).is_some();
        let is_number = |cell: &str| without_number(cell.trim_end_matches(')')).1.is_empty();
        text.contains(signs)
            && cells.clone().any(says_move)
            && cells.all(|cell| says_move(cell) || is_sign(cell) || is_number(cell))
    };
    text.starts_with(BARS) || are_cells(&BARS) || are_cells(&[','])
}

/// Whether a text may have one of these signs, which nearly no line has. That a byte is nowhere is seen much sooner
/// than that a sign is nowhere.
fn may_have(text: &str, signs: &[char]) -> bool {
    let first_byte = |sign: &char| sign.encode_utf8(&mut [0; 4]).as_bytes()[0];
    signs
        .iter()
        .any(|sign| text.as_bytes().contains(&first_byte(sign)))
}

/// A row with tabs between its cells, and blanks for what is around them.
fn row(line: &str) -> String {
    let bars = line.trim().starts_with(BARS);
    let mut within = false;
    let begin = line.len() - line.trim_start().len();
    let end = line.trim_end().len();
    line.char_indices()
        .map(|(at, c)| match c {
            '{' | '}' => {
                within = c == '{';
                c
            }
            _ if within => c,
            _ if BARS.contains(&c) && (at == begin || at + c.len_utf8() == end) => ' ',
            '"' if !bars => ' ',
            ',' if !bars => '\t',
            c if BARS.contains(&c) => '\t',
            c => c,
        })
        .collect()
}
