//! What the text of a move says: a pattern that legal moves do or do not match.

use super::HYPHENS;
use super::letters::Letters;
use crate::games::AnyPosition;
use crate::rules::{Kind, Move, PAWN};

/// A move as it was written, without what was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Pattern {
    /// The kind of the piece. `None`: any if the whole first cell is written, else a pawn.
    pub kind: Option<Kind>,
    /// Where it comes from, as far as that is written.
    pub from: Place,
    /// Where it goes. Only a pawn's capture may lack the number (`fxe`).
    pub to: Place,
    /// Whether a sign of capture is written.
    pub captures: bool,
    /// Whether "e.p." is.
    pub en_passant: bool,
    /// What a pawn becomes.
    pub promotion: Option<Kind>,
}

/// A cell name, or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Place {
    /// The letter, in lower case.
    pub file: Option<char>,
    /// The number.
    pub rank: Option<u8>,
}

impl Place {
    pub(super) fn is_whole(self) -> bool {
        self.file.is_some() && self.rank.is_some()
    }

    fn has(self, name: &str) -> bool {
        let (file, rank) = name.split_at(1);
        self.file.is_none_or(|f| file.starts_with(f))
            && self.rank.is_none_or(|r| rank.parse() == Ok(r))
    }

    pub(super) fn name(self) -> String {
        let file = self.file.map_or_else(String::new, String::from);
        let rank = self.rank.map_or_else(String::new, |r| r.to_string());
        file + &rank
    }
}

impl Pattern {
    /// The ways to understand a text without signs at its end, the likeliest first.
    pub(super) fn all(text: &str, position: &AnyPosition, letters: &Letters) -> Vec<Pattern> {
        let spec = position.spec();
        let Some(first) = text.chars().next() else {
            return Vec::new();
        };
        let is_file = position.board().letters().contains(first);
        // A lower-case letter is a piece where no file has it.
        let kind = match first.is_lowercase() {
            true if is_file => None,
            true => first
                .to_uppercase()
                .next()
                .and_then(|l| letters.kind(l, spec)),
            false => letters.kind(first, spec),
        };
        let reader = |rest| Reader {
            rest,
            position,
            letters,
        };
        // A capital letter is a file only in two whole cells, or where all letters are capitals: in "Fxg5" it is
        // a piece, if only in another language.
        let all_capitals = !text.chars().any(|c| c.is_lowercase() && c != 'x');
        let mut by_cells = reader(text).patterns();
        by_cells.retain(|pattern| !first.is_uppercase() || all_capitals || pattern.from.is_whole());
        // Two cells in one case are these, though the first letter may be a piece's, too: "B1-A3".
        let is_cell = |place: Place| position.board().parse_cell(&place.name()).is_some();
        let are_cells = |pattern: &Pattern| is_cell(pattern.from) && is_cell(pattern.to);
        let mut all = Vec::new();
        if kind.is_some() && !(all_capitals && by_cells.iter().any(are_cells)) {
            let by_letter = reader(&text[first.len_utf8()..]).patterns();
            all.extend(by_letter.into_iter().map(|p| Pattern { kind, ..p }));
        }
        all.extend(by_cells);
        all
    }

    /// Whether a legal move is what was written, but for signs of capture and the promotion.
    pub(super) fn fits(&self, position: &AnyPosition, mv: Move) -> bool {
        let board = position.board();
        let kind = position.piece_on(mv.from).map(|piece| piece.kind);
        let kind_fits = match self.kind {
            Some(wanted) => kind == Some(wanted),
            None => self.from.is_whole() || kind == Some(PAWN),
        };
        kind_fits && self.to.has(&board.name(mv.to)) && self.from.has(&board.name(mv.from))
    }
}

/// Reads the parts of a move, one after the other.
struct Reader<'t> {
    rest: &'t str,
    position: &'t AnyPosition,
    letters: &'t Letters,
}

impl Reader<'_> {
    /// The ways to understand the whole rest, the likeliest first.
    fn patterns(self) -> Vec<Pattern> {
        let promoting = self.promoting_to_x();
        promoting.into_iter().chain(self.pattern()).collect()
    }

    /// The pattern if an `x` at the end is no sign, but the piece that a pawn becomes.
    fn promoting_to_x(&self) -> Option<Pattern> {
        let rest = self.rest.strip_suffix(['x', 'X'])?;
        let letter = &self.rest[rest.len()..];
        let reader = |rest| Reader { rest, ..*self };
        let promotion = reader(letter).promotion()?;
        let pattern = reader(rest).pattern()?;
        pattern.promotion.is_none().then_some(Pattern {
            promotion,
            ..pattern
        })
    }

    /// The pattern of the whole rest: up to two places with a sign between them, a captured piece, a promotion.
    fn pattern(mut self) -> Option<Pattern> {
        let first = self.place()?;
        let captures = self.capture_sign();
        if !captures && let Some(rest) = self.rest.strip_prefix(HYPHENS) {
            self.rest = rest;
        }
        if captures {
            self.captured_piece();
        }
        let before = self.rest;
        let mut second = self.place()?;
        let mut from = first;
        if second.rank.is_none() && !(captures && first.rank.is_none()) {
            // No second place: what follows is a promotion.
            self.rest = before;
            second = Place::default();
        }
        if second == Place::default() {
            (from, second) = (Place::default(), first);
        }
        let captured_after = self.capture_sign() && {
            self.captured_piece();
            true
        };
        let promotion = self.promotion()?;
        let complete =
            second.file.is_some() && (second.rank.is_some() || captures && from.file.is_some());
        (complete && self.rest.is_empty()).then_some(Pattern {
            kind: None,
            from,
            to: second,
            captures: captures || captured_after,
            en_passant: false,
            promotion,
        })
    }

    /// A letter and a number, either of which may be missing; `None` if the number is no number of a cell.
    fn place(&mut self) -> Option<Place> {
        let mut place = Place::default();
        let letter = self.rest.chars().next();
        if let Some(letter) = letter.filter(|&l| l.is_ascii_alphabetic() && !self.is_sign(l)) {
            self.rest = &self.rest[1..];
            place.file = Some(letter.to_ascii_lowercase());
        }
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            if self.rest.starts_with('0') {
                return None;
            }
            place.rank = Some(self.rest[..digits].parse().ok()?);
            self.rest = &self.rest[digits..];
        }
        Some(place)
    }

    /// Whether a letter stands for "takes": `x` does unless a file has this name.
    fn is_sign(&self, letter: char) -> bool {
        match letter {
            '×' | ':' => true,
            'x' | 'X' => !self.position.board().letters().contains('x'),
            _ => false,
        }
    }

    fn capture_sign(&mut self) -> bool {
        let sign = self.rest.chars().next().filter(|&c| self.is_sign(c));
        if let Some(sign) = sign {
            self.rest = &self.rest[sign.len_utf8()..];
        }
        sign.is_some()
    }

    /// Skips the letter of the captured piece, which some write: `Qc3xBf9`, `f7g6xP`.
    fn captured_piece(&mut self) {
        let mut chars = self.rest.chars();
        let letter = chars.next().filter(|c| c.is_uppercase());
        let follows = chars.as_str();
        let is_piece = letter.is_some_and(|l| self.letters.kind(l, self.position.spec()).is_some());
        if is_piece && !follows.starts_with(|c: char| c.is_ascii_digit()) {
            self.rest = follows;
        }
    }

    /// The kind after promotion, if one is written: `=Q`, `Q`, `(Q)`, `/Q`; lower-case letters are the game's own, as
    /// in cell notation. `None` if there is something else.
    fn promotion(&mut self) -> Option<Option<Kind>> {
        let (mark, rest) = match self.rest.strip_prefix(['=', '/', '(']) {
            Some(rest) => (self.rest.chars().next(), rest),
            None => (None, self.rest),
        };
        let Some(letter) = rest.chars().next() else {
            return mark.is_none().then_some(None);
        };
        let spec = self.position.spec();
        let kind = match letter.is_lowercase() {
            true => Letters::Own.kind(letter.to_ascii_uppercase(), spec),
            false => self.letters.kind(letter, spec),
        };
        let kind = kind.filter(|&kind| kind != PAWN)?;
        self.rest = &rest[letter.len_utf8()..];
        if mark == Some('(') {
            self.rest = self.rest.strip_prefix(')')?;
        }
        Some(Some(kind))
    }
}
