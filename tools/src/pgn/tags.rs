//! Lines of tags: `[White "Anna"]`, and what people make of them.

/// Whether a line is one or more tags. Among moves only what can hardly be anything else counts: a name and a value
/// in quotation marks, or a closing bracket at the end.
pub fn is_tag_line(line: &str, among_moves: bool) -> bool {
    let Some(inside) = line.trim_start().strip_prefix('[') else {
        return false;
    };
    let inside = inside.trim_start();
    let name = name_of(inside);
    let rest = inside[name.len()..].trim_start();
    let has_value = rest.starts_with(QUOTES);
    !name.is_empty() && (!among_moves || has_value || rest.trim_end().ends_with(']'))
}

/// Whether a line is a complete tag and nothing else: it ends a comment that was never closed.
pub fn is_whole_tag(line: &str) -> bool {
    let line = line.trim();
    is_tag_line(line, true) && line.ends_with("\"]") && line.contains(" \"")
}

/// Whether a line after moves and an empty line was a tag before it was damaged.
pub fn is_damaged_tag(line: &str) -> bool {
    let line = line.trim();
    let remains = line.starts_with('[') || line.ends_with("\"]");
    remains && !is_tag_line(line, true)
}

/// The tags that people also write as `White: Anna`.
const SPELT: [&str; 9] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "Variant", "FEN",
];

/// A line above the moves that says what a tag would say, in other words.
pub fn spelt_tag(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    let name = SPELT
        .iter()
        .find(|tag| tag.eq_ignore_ascii_case(name.trim()))?;
    let value = value.trim().trim_matches('"');
    (!value.is_empty()).then(|| ((*name).to_owned(), value.to_owned()))
}

/// Whether a line above the moves is a tag, in either form.
pub fn is_tag(line: &str) -> bool {
    is_tag_line(line, false) || spelt_tag(line).is_some()
}

const QUOTES: [char; 5] = ['"', '“', '”', '„', '«'];
const CLOSING: [char; 4] = ['"', '“', '”', '»'];

/// The letter, digits and underscores that a text begins with.
fn name_of(text: &str) -> &str {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    match text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => &text[..end],
        false => "",
    }
}

/// The tag that a text begins with and what follows it; `None` if there is none. Quotation marks and the closing
/// bracket may be missing.
pub fn tag(text: &str) -> Option<((String, String), &str)> {
    let inside = text.trim_start().strip_prefix('[')?.trim_start();
    let name = name_of(inside);
    if name.is_empty() {
        return None;
    }
    let rest = inside[name.len()..].trim_start();
    let (value, rest) = match rest.strip_prefix(QUOTES) {
        Some(quoted) => quoted_value(quoted, closing_of(rest)),
        None => {
            let end = rest.find(']').unwrap_or(rest.len());
            (rest[..end].trim().to_owned(), &rest[end..])
        }
    };
    let rest = rest.trim_start();
    Some((
        (name.to_owned(), value),
        rest.strip_prefix(']').unwrap_or(rest),
    ))
}

/// What can close a value that begins with the mark of `whole`. After a plain mark the others are part of the value, as
/// in `[Event "The “Rook” Cup"]`, unless no plain one follows.
fn closing_of(whole: &str) -> &'static [char] {
    match whole.strip_prefix('"') {
        Some(quoted) if quoted.contains('"') => &CLOSING[..1],
        _ => &CLOSING,
    }
}

/// A value up to its closing quotation mark, and the rest. Where that mark is missing the value ends before the
/// bracket at the end of the line.
fn quoted_value<'a>(text: &'a str, closing: &[char]) -> (String, &'a str) {
    let mut value = String::new();
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            value.push(c);
            escaped = false;
        } else if c == '\\' && text[at + 1..].starts_with(['"', '\\']) {
            escaped = true;
        } else if closing.contains(&c) {
            return (value, &text[at + c.len_utf8()..]);
        } else {
            value.push(c);
        }
    }
    let value = value.trim_end();
    let value = value.strip_suffix(']').unwrap_or(value);
    (value.trim_end().to_owned(), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_tags() {
        for (text, name, value, rest) in [
            ("[White \"Anna\"]", "White", "Anna", ""),
            ("[White \"a \\\"b\\\" \\\\\"]", "White", "a \"b\" \\", ""),
            ("[White Anna Kiss]", "White", "Anna Kiss", ""),
            ("[White“Anna”] ; and so on", "White", "Anna", " ; and so on"),
            (
                "  [ White  \"Anna\" ][Black \"B\"]",
                "White",
                "Anna",
                "[Black \"B\"]",
            ),
            ("[White \"Anna]", "White", "Anna", ""),
            ("[White \"Anna”]", "White", "Anna", ""),
            ("[Event \"„Rook“ Cup\"]", "Event", "„Rook“ Cup", ""),
            ("[White \"Anna\"", "White", "Anna", ""),
            ("[White", "White", "", ""),
            ("[White]", "White", "", ""),
            ("[FEN \"a w - - 0 1\"]1. e5", "FEN", "a w - - 0 1", "1. e5"),
        ] {
            let expected = ((name.to_owned(), value.to_owned()), rest);
            assert_eq!(tag(text), Some(expected), "{text}");
            assert!(is_tag_line(text, false), "{text}");
        }
        for text in [
            "",
            "[",
            "[]",
            "[\"x\"]",
            "[%clk 1]",
            "[1. e4",
            "White \"x\"]",
        ] {
            assert!(tag(text).is_none() && !is_tag_line(text, false), "{text}");
        }
        assert!(!is_tag_line("[e5 e6 2. Qc3", true));
        assert!(is_whole_tag("[Event \"x\"]") && !is_whole_tag("[Event \"x\"] and on"));
    }
}
