//! What a word between moves can be. Nothing here knows the rules: only the form of a word is looked at.

use hexmate_movegen::HYPHENS;

use super::result_of;
use super::results::is_draw;

/// Words for check and mate in the languages whose letters are known. They say no more than `+` and `#`.
const MARKS: [&str; 13] = [
    "ch",
    "check",
    "checkmate",
    "mate",
    "matt",
    "mat",
    "schach",
    "schachmatt",
    "sakk",
    "szach",
    "échec",
    "jaque",
    "sakkmatt",
];

/// The word that a text begins with. Brackets belong to it where they hold a promotion or "e.p.": `f11(Q)`. A glyph is
/// a word by itself: `e5$1`.
pub fn word(text: &str) -> &str {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let first = usize::from(end == 0 && rest.starts_with('$'));
        end += rest[first..]
            .find(|c: char| c.is_whitespace() || "{}()[];<$".contains(c))
            .map_or(rest.len(), |found| first + found);
        // Nothing longer is looked for, as a line may be as long as a file.
        let inside = text[end..].strip_prefix('(').and_then(|rest| {
            let close = rest.char_indices().take(5).find(|&(_, c)| c == ')')?;
            Some(&rest[..close.0])
        });
        match inside {
            Some(inside)
                if end > 0 && (inside.chars().count() == 1 || matches!(inside, "ep" | "e.p.")) =>
            {
                end += inside.len() + 2;
            }
            _ => return &text[..end],
        }
    }
}

/// The move that a text begins with if its hyphen has blanks around it, and its length: `e4 - e5`.
pub fn spaced_move(text: &str) -> Option<(String, usize)> {
    let from = word(text);
    let hyphen = text[from.len()..].trim_start();
    let to = hyphen.strip_prefix(HYPHENS)?;
    if !to.starts_with(char::is_whitespace) || !from.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let to = word(to.trim_start());
    let whole = format!("{from}-{to}");
    let end = to.as_ptr() as usize - text.as_ptr() as usize + to.len();
    let is_move = [from, to, whole.as_str()]
        .iter()
        .all(|text| is_move_like(text));
    is_move.then_some((whole, end))
}

/// A move number, if the word begins with one or is one, and the rest: `12.e5`, `12...`, `12`, `...`.
pub fn without_number(word: &str) -> (Option<usize>, &str) {
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

/// Whether a word says check or mate of the move before it.
pub fn is_mark(word: &str) -> bool {
    MARKS.contains(&bare(word).as_str())
}

/// A word in lower case, without signs behind it.
fn bare(word: &str) -> String {
    let signs = ['!', '?', '+', '#', ',', '.'];
    word.trim_end_matches(signs).to_lowercase()
}

/// Whether a word belongs to the move before it: a glyph, a mark or "e.p.".
pub fn is_sign(word: &str) -> bool {
    glyph(word).is_some() || is_mark(word) || is_en_passant(word)
}

/// Whether a word says that the move before it captures en passant.
pub fn is_en_passant(word: &str) -> bool {
    matches!(bare(word).as_str(), "e.p" | "ep")
}

/// Whether a word has the form of a move in some notation: it names a cell, or castles, or is a pawn's capture without
/// the number. Whether there are such pieces and cells depends on the game.
pub fn is_move_like(word: &str) -> bool {
    const SIGNS: &[char] = &['+', '#', '!', '?', '=', '†', '‡', '.', ',', '*'];
    let mut body = without_number(word).1;
    loop {
        let before = body;
        body = body.trim_end_matches(SIGNS);
        for words in ["(ep)", "(e.p.)", "e.p", "ep", "mate", "ch"] {
            body = body.strip_suffix(words).unwrap_or(body);
        }
        if body == before {
            break;
        }
    }
    let form = form(body);
    matches!(form.as_str(), "o-o" | "o-o-o") || is_form_of_move(&form)
}

/// A word by the kinds of its signs: `a` a letter, `1` a number of a cell, `-` what stands between, `o` castling, `x`
/// a letter or what stands between.
fn form(body: &str) -> String {
    let castles = !body.is_empty()
        && body
            .chars()
            .all(|c| "oO0".contains(c) || HYPHENS.contains(&c));
    let mut form = String::new();
    let mut number = 0;
    for c in body.chars() {
        let kind = match c {
            'o' | 'O' | '0' if castles => 'o',
            '1'..='9' if number == 0 => '1',
            '0'..='9' if number == 1 => {
                number = 2;
                continue;
            }
            'x' | 'X' => 'x',
            '×' | ':' | '=' | '(' => '-',
            c if HYPHENS.contains(&c) => '-',
            ')' => continue,
            c if c.is_alphabetic() || ('♔'..='♟').contains(&c) => 'a',
            _ => '?',
        };
        number = usize::from(kind == '1');
        form.push(kind);
    }
    form
}

/// No form of a move is longer than that of `Qe10xBc3=Q`.
const LONGEST_FORM: usize = "aa1-aa1-a".len();

fn is_form_of_move(form: &str) -> bool {
    if form.contains('x') {
        // Games may have a piece or a file of this name.
        let either = |kind| is_form_of_move(&form.replacen('x', kind, 1));
        return form.len() <= LONGEST_FORM && (either("-") || either("a"));
    }
    let promoted = form
        .strip_suffix("1-a")
        .or_else(|| form.strip_suffix("1a"))
        .map(|rest| rest.to_owned() + "1");
    let form = promoted.as_deref().unwrap_or(form);
    let Some(from) = form.strip_suffix("a1") else {
        return matches!(form, "a-a" | "aa-a");
    };
    // The letter of what is captured, the sign, the number, the file, the piece.
    let from = from.strip_suffix('a').unwrap_or(from);
    let unsigned = from.strip_suffix('-').unwrap_or(from);
    let letters = unsigned.strip_suffix('1').unwrap_or(unsigned);
    matches!(letters, "a" | "aa") || from.is_empty()
}

/// How many letters a word has that is nothing but letters, with signs of a text around them; else 0.
fn letters(word: &str) -> usize {
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-');
    let inside = word.trim_matches(|c: char| c.is_ascii_punctuation() || "„“”»«…".contains(c));
    match inside.chars().all(is_letter) && !is_move_like(word) {
        true => inside.chars().filter(|c| c.is_alphabetic()).count(),
        false => 0,
    }
}

/// Whether words after a move are a remark: one of them can be nothing else. A move without its number has no four
/// letters.
pub fn is_remark<'w>(mut words: impl Iterator<Item = &'w str>) -> bool {
    words.any(|word| letters(word) >= 4)
}

/// Whether a line before the first move, or behind the result, is prose: it has a word, and hardly anything that looks
/// like a move.
pub fn is_prose(line: &str) -> bool {
    let mut words = line.split_whitespace().peekable();
    let Some(&first) = words.peek() else {
        return false;
    };
    let is_result = result_of(first).is_some() && !(is_draw(first) && words.clone().count() > 1);
    if is_result || is_move_like(first) || first.starts_with(['%', '[', '<', '$', '{', ';']) {
        return false;
    }
    let after_one = first.strip_prefix('1').unwrap_or_default();
    if after_one.starts_with(['.', ')', '…']) && !is_date(first) {
        // Whatever follows is meant as the first move.
        return false;
    }
    let says_something = |word: &&str| without_number(word).1.contains(char::is_alphanumeric);
    let after_number = first.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number =
        after_number.len() < first.len() && after_number.chars().all(|c| ".)…".contains(c));
    if is_number
        && words
            .clone()
            .skip(1)
            .find(says_something)
            .is_some_and(is_move_like)
    {
        return false;
    }
    let (mut all, mut moves, mut plain) = (0, 0, false);
    for word in words.filter(says_something) {
        all += 1;
        moves += usize::from(is_move_like(word));
        plain |= letters(word) >= 3 || is_date(word);
    }
    plain && 2 * moves < all
}

/// A day in numbers: `2026-05-03`, `3.5.2026`.
fn is_date(word: &str) -> bool {
    let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
    let parts: Vec<&str> = word.split(['-', '.', '/']).collect();
    let is_number =
        |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(is_number)
}
