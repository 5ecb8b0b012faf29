//! Results among other words.

use hexmate_movegen::HYPHENS;

use super::words::{is_mark, is_move_like, is_prose, without_number, word};
use super::{ReadGame, result_of};

/// More words behind a result, or letters in brackets, are not looked at.
const MOST_WORDS: usize = 100;
const MOST_IN_BRACKETS: usize = 24;

/// The result in brackets that a text begins with, and the length of both: `(1-0)`.
pub fn in_brackets(text: &str) -> Option<(&'static str, usize)> {
    let inside = text.strip_prefix('(')?;
    let (end, _) = inside
        .char_indices()
        .take(MOST_IN_BRACKETS)
        .find(|&(_, c)| c == ')')?;
    // An asterisk is rather a mark.
    let result = result_of(&inside[..end]).filter(|&result| result != "*")?;
    Some((result, end + 2))
}

/// The result with blanks in it that a text begins with, and its length: `1 - 0`, `½ - ½`.
pub fn spaced(text: &str) -> Option<(&'static str, usize)> {
    let is_points = |c: char| c.is_ascii_digit() || "½¼¾/.,".contains(c);
    let points = |text: &str| text.find(|c| !is_points(c)).unwrap_or(text.len());
    let blanks = |text: &str| text.len() - text.trim_start().len();
    let white = points(text);
    if white == 0 || white > MOST_IN_BRACKETS {
        return None;
    }
    let mut at = white + blanks(&text[white..]);
    let sign = text[at..]
        .chars()
        .next()
        .filter(|c| *c == ':' || HYPHENS.contains(c))?;
    at += sign.len_utf8();
    at += blanks(&text[at..]);
    let end = at + points(&text[at..]);
    let is_whole =
        !text[end..].starts_with(|c: char| !c.is_whitespace() && !"{}()[];<!".contains(c));
    let result = result_of(&text[..end]).filter(|_| is_whole)?;
    Some((result, end))
}

/// The result in a line of prose, if there is exactly one: `Anna - Bela 1-0`, `Game 2 (remis)`.
pub fn in_heading(text: &str) -> Option<&'static str> {
    let (mut rest, mut found) = (text, None);
    while let Some(first) = rest.chars().next() {
        let result = in_brackets(rest).or_else(|| spaced(rest));
        if result.is_some() && found.is_some() {
            return None;
        }
        found = found.or(result.map(|(result, _)| result));
        let length = result.map_or(word(rest).len(), |(_, length)| length);
        rest = rest[length.max(first.len_utf8())..].trim_start();
    }
    found
}

/// Whether a word tells how a game ended.
pub fn is_of_end(word: &str) -> bool {
    const WORDS: [&str; 14] = [
        "won",
        "wins",
        "lost",
        "loses",
        "resigned",
        "resigns",
        "mated",
        "time",
        "forfeit",
        "drawn",
        "gewann",
        "gewinnt",
        "verlor",
        "aufgegeben",
    ];
    let bare = word.trim_matches(|c: char| c.is_ascii_punctuation());
    WORDS.contains(&bare.to_lowercase().as_str()) || is_mark(bare)
}

/// Whether a word says that a game is drawn.
pub fn is_draw(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', '!']).to_lowercase();
    matches!(word.as_str(), "remi" | "remis" | "draw")
}

/// Whether "draw" in front of this rest of a line is a result, rather than the beginning of a remark: nothing follows
/// but how it came about, or another game.
pub fn ends_with_draw(rest: &str) -> bool {
    let rest = &rest[..rest.find(['{', ';', '(', ')', '[']).unwrap_or(rest.len())];
    let Some(next) = rest.split_whitespace().next() else {
        return true;
    };
    let goes_on = matches!(next, "by" | "agreed" | "durch");
    (goes_on || without_number(next).0.is_some() || is_move_like(next)) && !has_result(rest)
}

fn has_result(mut text: &str) -> bool {
    for _ in 0..MOST_WORDS {
        text = text.trim_start();
        let length = word(text).len();
        if length == 0 || is_move_like(&text[..length]) {
            return false;
        }
        if spaced(text).is_some() || result_of(&text[..length]).is_some() {
            return true;
        }
        text = &text[length..];
    }
    false
}

/// Words on the line of the result, behind it, are a remark on the game that has ended; gives their length.
pub fn afterword(game: &mut ReadGame, rest: &str) -> usize {
    let mut end = 0;
    for (place, word) in rest.split_whitespace().enumerate() {
        if place == MOST_WORDS || is_move_like(word.trim_matches(['(', ')'])) {
            return 0;
        }
        if word.contains(['{', ';', '[']) {
            break;
        }
        end = word.as_ptr() as usize - rest.as_ptr() as usize + word.len();
    }
    let text = rest[..end].trim();
    if !(is_prose(text) || text.starts_with('(') && text.ends_with(')')) {
        return 0;
    }
    let comments = match game.main.moves.last_mut() {
        Some(mv) => &mut mv.comments,
        None => &mut game.main.intro,
    };
    comments.push(text.to_owned());
    end
}
