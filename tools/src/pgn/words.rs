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

/// More of them, in small letters only: `Schack` is a name, too.
const SMALL_MARKS: [&str; 14] = [
    "chk",
    "éch",
    "jq",
    "sch",
    "scacco",
    "schaak",
    "schaakmat",
    "schack",
    "schackmatt",
    "šach",
    "šachmat",
    "шах",
    "мат",
    "xeque",
];

/// The word that a text begins with. Brackets belong to it where they hold a promotion or "e.p.": `f11(Q)`. A glyph is
/// a word by itself: `e5$1e6` begins with three.
pub fn word(text: &str) -> &str {
    if let Some(number) = text.strip_prefix('$') {
        let behind = number.trim_start_matches(|c: char| c.is_ascii_digit());
        return &text[..text.len() - behind.len()];
    }
    let mut end = 0;
    loop {
        let rest = &text[end..];
        end += rest
            .find(|c: char| c.is_whitespace() || "{}()[];<$".contains(c))
            .unwrap_or(rest.len());
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

/// The move that a text begins with if there is a blank behind the letter of its piece, and its length: `N c3`,
/// `B xd7`, `2.Q e1-c3`. An N may also say that the move before it is new: before two cells it is left alone, else the
/// blank behind it stays, and whether it is a piece is seen when the move is played.
pub fn spaced_piece(text: &str) -> Option<(String, usize)> {
    let piece = word(text);
    let letter = without_number(piece).1;
    let mut chars = letter.chars();
    if !chars.next().is_some_and(is_piece) || chars.next().is_some() {
        return None;
    }
    let mut rest = text[piece.len()..].trim_start();
    let mut sign = word(rest);
    if matches!(sign, "x" | "X" | "×" | ":") {
        rest = rest[sign.len()..].trim_start();
    } else {
        sign = "";
    }
    let (to, length) =
        spaced_move(rest).unwrap_or_else(|| (word(rest).to_owned(), word(rest).len()));
    let is_one = match form(without_signs(&to)).as_str() {
        "a1" | "-a1" | "xa1" | "x1" => true,
        "aa1" | "axa1" | "a-a1" => to.starts_with(char::is_lowercase),
        "a1a1" | "a1-a1" | "a1xa1" => letter != "N",
        _ => false,
    };
    let end = text.len() - rest.len() + length;
    let blank = if letter == "N" { " " } else { "" };
    is_one.then(|| (format!("{piece}{blank}{sign}{to}"), end))
}

/// Whether the cell of a table that a text begins with, up to the next semicolon, is nothing but moves: the text is
/// what follows a semicolon. Before it there may be an empty cell and one with a number.
pub fn is_cell_of_moves(text: &str) -> bool {
    let mut cells = text.split([';', '{', '(']).take(3);
    let mut found = cells.find(|cell| cell.contains(|c: char| c.is_alphanumeric() || c == '½'));
    if found.is_some_and(|cell| without_number(cell.trim()).1.is_empty()) {
        found = cells.next();
    }
    let Some(cell) = found.map(str::trim) else {
        return false;
    };
    let is_result = |text| result_of(text).is_some() && !is_draw(text);
    let belongs = |word| {
        is_move_like(word) || is_sign(word) || is_result(word) || without_number(word).1.is_empty()
    };
    let mut words = cell.split_whitespace();
    let begins = words
        .clone()
        .find(|word| !without_number(word).1.is_empty())
        .is_some_and(|word| is_move_like(word) || is_result(word));
    is_result(cell) || begins && words.all(belongs)
}

/// The sign that parts the cells of a row, where the one behind the number is empty and the next one has the only move:
/// `behind` is what follows the number.
pub fn empty_cell(behind: &str) -> Option<char> {
    let sign = behind.trim_start_matches(' ').chars().next();
    let sign = sign.filter(|sign| [';', '\t'].contains(sign))?;
    let mut cells = behind.split(sign).map(|cell| cell.trim_matches(' '));
    let is_empty = cells.next() == Some("") && cells.next() == Some("");
    let blacks = cells.next().is_some_and(is_move_like);
    let is_only = !cells.next().is_some_and(is_move_like);
    (is_empty && blacks && is_only).then_some(sign)
}

/// Whether what stands for a move is none: nothing, or a sign that judges one, like `??`.
pub fn is_no_move(text: &str) -> bool {
    let is_judgement = |glyph| text.contains(['!', '?']) || matches!(glyph, Some(1..=6));
    text.is_empty() || glyph(text).is_some_and(is_judgement)
}

/// The letter of the piece that a pawn becomes where a blank stands before it, and the length up to its end, behind a
/// word that may be such a pawn's move: `f11 =N`, `f11 = N`, `f11 (N)`.
pub fn spaced_promotion<'t>(word: &str, behind: &'t str) -> Option<(&'t str, usize)> {
    let mark = behind.trim_start();
    let inside = mark.strip_prefix(['=', '('])?;
    let is_move = word.ends_with(|c: char| c.is_ascii_digit()) && is_move_like(word);
    if mark.len() == behind.len() || !is_move {
        return None;
    }
    let text = match mark.starts_with('=') {
        true => inside.trim_start(),
        false => inside,
    };
    let letter = &text[..text.chars().next().filter(|&c| is_piece(c))?.len_utf8()];
    let rest = &text[letter.len()..];
    let end = behind.len() - rest.len();
    if mark.starts_with('(') {
        return rest.starts_with(')').then_some((letter, end + 1));
    }
    // In "e5 = N c3" the sign is a judgement.
    let next = self::word(rest.trim_start());
    let is_next = text.len() < inside.len() && form(next) == "a1";
    let is_word = rest.starts_with(|c: char| c.is_alphanumeric() || HYPHENS.contains(&c));
    (!is_word && !is_next).then_some((letter, end))
}

/// Whether a word is the letter of a piece alone, perhaps with signs behind it: what a pawn becomes.
pub fn is_letter(word: &str) -> bool {
    let letter = word.trim_end_matches(['+', '#', '!', '?', '†', '‡', '.', ',']);
    let mut chars = letter.chars();
    chars.next().is_some_and(is_piece) && chars.next().is_none()
}

fn is_piece(c: char) -> bool {
    c.is_uppercase() || ('♔'..='♟').contains(&c)
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

/// The glyph that stands by itself, or none of a number where it means nothing to us; `None` for a move, and for a `$`
/// without a number that glyphs have.
pub(super) fn glyph(text: &str) -> Option<Option<u16>> {
    if let Some(number) = text.strip_prefix('$') {
        return number.parse::<u8>().ok().map(|number| Some(number.into()));
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
    let word = bare(word);
    // Most words are moves, which end with a number.
    if word.ends_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    MARKS.contains(&word.to_lowercase().as_str()) || SMALL_MARKS.contains(&word)
}

/// A word without signs behind it.
fn bare(word: &str) -> &str {
    word.trim_end_matches(['!', '?', '+', '#', ',', '.'])
}

/// Whether a word belongs to the move before it: a glyph, a mark or "e.p.".
pub fn is_sign(word: &str) -> bool {
    glyph(word).is_some() || is_mark(word) || is_en_passant(word)
}

/// Whether a word says that the move before it captures en passant.
pub fn is_en_passant(word: &str) -> bool {
    matches!(bare(word).to_lowercase().as_str(), "e.p" | "ep")
}

/// Whether a word has the form of a move in some notation: it names a cell, or castles, or is a pawn's capture without
/// the number. Whether there are such pieces and cells depends on the game.
pub fn is_move_like(word: &str) -> bool {
    let body = without_signs(without_number(word).1);
    let form = form(body.strip_prefix("N ").unwrap_or(body));
    matches!(form.as_str(), "o-o" | "o-o-o") || is_form_of_move(&form)
}

/// A move without what people add behind it.
fn without_signs(mut body: &str) -> &str {
    const SIGNS: &[char] = &['+', '#', '!', '?', '=', '†', '‡', '.', ',', '*'];
    loop {
        let before = body;
        body = body.trim_end_matches(SIGNS);
        if body.ends_with(|c: char| c.is_ascii_digit()) {
            return body;
        }
        for words in [
            "(ep)", "(e.p.)", "e.p", "ep", "mate", "ch", "+N", "#N", "!N", "?N",
        ] {
            body = body.strip_suffix(words).unwrap_or(body);
        }
        if body == before {
            return body;
        }
    }
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
            c if c.is_alphabetic() || ('♔'..='♟').contains(&c) => 'a',
            '×' | ':' | '=' | '(' => '-',
            c if HYPHENS.contains(&c) => '-',
            ')' => continue,
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
    let is_letter = |c: char| c.is_alphabetic() || "'’".contains(c) || HYPHENS.contains(&c);
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
    // The heading of a table: `Move,White,Black`.
    let commas: &[char] = if line.trim().contains(char::is_whitespace) {
        &[]
    } else {
        &[',']
    };
    let parted = words.flat_map(|word| word.split(commas));
    for word in parted.filter(says_something) {
        all += 1;
        moves += usize::from(is_move_like(word));
        plain |= letters(word) >= 3 || is_date(word);
    }
    plain && 2 * moves < all
}

/// How many places in a line are looked at: each is judged by all that stands before it.
const MOST_OPENINGS: usize = 8;

/// Where in a line the moves begin behind prose, with a number 1 and a move: `It began with 1. e5`.
pub fn opening(line: &str) -> Option<usize> {
    let text = &line[..line.find(['{', ';', '(', '[']).unwrap_or(line.len())];
    let mut words = text.split_whitespace().peekable();
    let pairs = std::iter::from_fn(|| Some((words.next()?, words.peek().copied())));
    let places = pairs.filter_map(|(word, next)| {
        let rest = word.strip_prefix('1')?;
        let behind = rest.strip_prefix(['.', ')']).unwrap_or(rest);
        let is_move = |word| is_move_like(word) || has_cell(word);
        let is_numbered = behind.len() < rest.len() && is_move(behind)
            || behind.is_empty() && next.is_some_and(is_move);
        is_numbered.then(|| word.as_ptr() as usize - line.as_ptr() as usize)
    });
    places.take(MOST_OPENINGS).find(|&at| {
        let before = &line[..at];
        is_prose(before) && !before.split_whitespace().all(is_mark)
    })
}

/// Whether a word after a move is rather a move with a slip than the beginning of a remark. Short words and names are
/// remarks: only what has a cell in it, with the number perhaps in the `next` word, is no word of any language.
/// `numbered`: it stands right behind a number.
pub fn is_slip(word: &str, next: Option<&str>, numbered: bool) -> bool {
    let text = without_number(word).1;
    let is_null = numbered && text.len() > 1 && text.chars().all(|c| HYPHENS.contains(&c));
    let bare = text.trim_matches(|c: char| c.is_ascii_punctuation());
    let files = bare.strip_prefix(is_piece).unwrap_or(bare);
    let is_file_alone = files.len() == 1 && files.starts_with(is_file) && !text.ends_with('.');
    // `a` is a word, too.
    let is_cut = is_file_alone
        && (numbered || bare != "a")
        && next.is_some_and(|next| {
            let number = next.trim_end_matches(|c: char| c.is_ascii_punctuation());
            number
                .parse()
                .is_ok_and(|number: u8| (1..=MOST_ROWS).contains(&number))
        });
    // Both letters of a cell misread: a word has a vowel.
    let mut letters = bare.chars();
    let is_misread = letters.next().is_some_and(is_piece)
        && bare.chars().count() == 3
        && letters.all(|c| is_file(c.to_ascii_lowercase()) && !"aeiAEI".contains(c));
    is_null || is_cut || is_misread || has_cell(text)
}

/// No board of a built-in game has more rows. Which files there are depends on the game, too: those of the boards with
/// 91 cells are looked for, since later letters begin more words than cells.
const MOST_ROWS: u8 = 15;

fn is_file(c: char) -> bool {
    ('a'..='l').contains(&c)
}

/// Whether a cell is in a word, behind nothing else than a piece, perhaps a file and what captures. With a sign between
/// its letter and its number there must be a piece: `Nc-6`.
fn has_cell(text: &str) -> bool {
    let runs = text.split(|c: char| !c.is_alphabetic());
    runs.filter(|run| !run.is_empty()).any(|run| {
        let at = run.as_ptr() as usize - text.as_ptr() as usize;
        let behind = &text[at + run.len()..];
        let near = behind.strip_prefix(|c: char| c == '.' || HYPHENS.contains(&c));
        let number = near.unwrap_or(behind);
        let digits = number.len()
            - number
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .len();
        let is_row = number[..digits]
            .parse()
            .is_ok_and(|row: u8| (1..=MOST_ROWS).contains(&row));
        let files = run.strip_prefix(is_piece).unwrap_or(run);
        let are_files = files.len() <= 3
            && files.ends_with(is_file)
            && files.chars().all(|c| is_file(c) || c == 'x');
        // Hours and minutes.
        let is_time = text[..at].ends_with(|c: char| c.is_ascii_digit());
        is_row && are_files && !is_time && (near.is_none() || files.len() < run.len())
    })
}

/// A day in numbers: `2026-05-03`, `3.5.2026`.
fn is_date(word: &str) -> bool {
    let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
    let parts: Vec<&str> = word
        .split(|c| ['.', '/'].contains(&c) || HYPHENS.contains(&c))
        .collect();
    let is_number =
        |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(is_number)
}
