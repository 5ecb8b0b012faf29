//! A plain, slow generator to compare the crate with. It shares nothing with the crate except the names of the
//! games: pieces stand in a two-dimensional array, paths are walked cell by cell, and the legality of a move is
//! found by making it on a copy and testing for attacks on the king.

#![allow(dead_code)] // each test uses a part

mod rules;

pub use rules::{Cell, Rules};
use rules::{plus, turned};

const EMPTY: u8 = b'.';

/// A position. Letters as in the position text.
#[derive(Clone)]
pub struct Mailbox<'r> {
    rules: &'r Rules,
    /// By y, then a.
    board: [[u8; 15]; 15],
    white: bool,
    /// Pieces that may castle.
    unmoved: Vec<Cell>,
    /// Pawns on double-step cells that have moved.
    moved: Vec<Cell>,
    /// Crossed by the double step just made, and where that pawn stands.
    passed: Option<(Cell, Cell)>,
    quiet_plies: u32,
    number: u32,
}

/// What a move does besides going from one cell to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Quiet,
    Capture,
    Double { crossed: Cell },
    EnPassant { stands: Cell },
    Castling { partner: Cell, crossed: Cell },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub from: Cell,
    pub to: Cell,
    /// The upper-case letter after promotion.
    pub promotion: Option<u8>,
    pub what: What,
}

impl<'r> Mailbox<'r> {
    /// Reads a canonical position text.
    pub fn read(rules: &'r Rules, text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let [placement, side, rights, passed, quiet, number] = fields[..] else {
            panic!("not six fields: {text}");
        };
        let mut out = Mailbox {
            rules,
            board: [[EMPTY; 15]; 15],
            white: side == "w",
            unmoved: vec![],
            moved: vec![],
            passed: None,
            quiet_plies: quiet.parse().unwrap(),
            number: number.parse().unwrap(),
        };
        for (cells, mut row) in rules.rows().iter().zip(placement.split('/')) {
            let mut cells = cells.iter();
            while let Some(letter) = row.chars().next() {
                let digits = row.bytes().take_while(u8::is_ascii_digit).count();
                if digits > 0 {
                    let empty: usize = row[..digits].parse().unwrap();
                    cells.nth(empty - 1).unwrap();
                } else {
                    out.set(*cells.next().unwrap(), letter as u8);
                }
                row = &row[digits.max(1)..];
            }
            assert_eq!(cells.next(), None, "a row too short in {text}");
        }
        for right in rights.split(',').filter(|&r| r != "-") {
            match right.strip_prefix('~') {
                Some(name) => out.moved.push(rules.cell(name)),
                None => out.unmoved.push(rules.cell(right)),
            }
        }
        if passed != "-" {
            let second = 1 + passed[1..]
                .find(char::is_alphabetic)
                .unwrap_or(passed.len() - 1);
            let crossed = rules.cell(&passed[..second]);
            let stands = if rules.steps.len() > 1 {
                rules.cell(&passed[second..])
            } else {
                plus(crossed, turned(rules.steps[0], !out.white))
            };
            out.passed = Some((crossed, stands));
        }
        out
    }

    /// The position text.
    pub fn text(&self) -> String {
        let row = |cells: &Vec<Cell>| {
            let mut text = String::new();
            let mut empty = 0;
            for &cell in cells {
                if self.at(cell) == EMPTY {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text.push(self.at(cell) as char);
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text
        };
        let rows: Vec<String> = self.rules.rows().iter().map(row).collect();
        let names = |cells: &[Cell], mark: &str| {
            let names = cells.iter().map(|&c| mark.to_owned() + &self.rules.name(c));
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        };
        let rights = [names(&self.unmoved, ""), names(&self.moved, "~")].concat();
        let passed = self.passed.map(|(crossed, stands)| {
            let two_ways = self.rules.steps.len() > 1;
            let stands = if two_ways {
                self.rules.name(stands)
            } else {
                String::new()
            };
            self.rules.name(crossed) + &stands
        });
        format!(
            "{} {} {} {} {} {}",
            rows.join("/"),
            if self.white { 'w' } else { 'b' },
            if rights.is_empty() {
                "-".to_owned()
            } else {
                rights.join(",")
            },
            passed.unwrap_or_else(|| "-".to_owned()),
            self.quiet_plies,
            self.number,
        )
    }

    fn at(&self, cell: Cell) -> u8 {
        self.board[cell.1 as usize][cell.0 as usize]
    }

    fn set(&mut self, cell: Cell, piece: u8) {
        self.board[cell.1 as usize][cell.0 as usize] = piece;
    }

    fn holds(&self, cell: Cell, white: bool) -> bool {
        let piece = self.at(cell);
        if white {
            piece.is_ascii_uppercase()
        } else {
            piece.is_ascii_lowercase()
        }
    }

    /// The cells that hold a piece of a side.
    fn pieces(&self, white: bool) -> impl Iterator<Item = Cell> + '_ {
        let cells = self.rules.cells().iter().copied();
        cells.filter(move |&c| self.holds(c, white))
    }

    fn king(&self, white: bool) -> Cell {
        let king = if white { b'K' } else { b'k' };
        self.pieces(white).find(|&c| self.at(c) == king).unwrap()
    }

    fn is_cell(&self, cell: Cell) -> bool {
        self.rules.cells().contains(&cell)
    }

    /// Whether the piece on `from` attacks `target`.
    fn attacks(&self, from: Cell, target: Cell) -> bool {
        let letter = self.at(from).to_ascii_uppercase();
        if letter == b'P' {
            let white = self.holds(from, true);
            let mut takes = self.rules.takes.iter();
            return takes.any(|&t| plus(from, turned(t, white)) == target);
        }
        self.rules.paths(letter, from).iter().any(|path| {
            for &cell in path {
                if cell == target {
                    return true;
                }
                if self.at(cell) != EMPTY {
                    return false;
                }
            }
            false
        })
    }

    fn attacked(&self, target: Cell, by_white: bool) -> bool {
        self.pieces(by_white).any(|from| self.attacks(from, target))
    }

    /// How many pieces give check.
    pub fn checks(&self) -> usize {
        let king = self.king(self.white);
        self.pieces(!self.white)
            .filter(|&from| self.attacks(from, king))
            .count()
    }

    /// The legal moves, in no particular order.
    pub fn legal(&self) -> Vec<Step> {
        let mut steps = self.pseudo_legal();
        steps.retain(|step| {
            let next = self.made(step);
            !next.attacked(next.king(self.white), !self.white)
        });
        steps
    }

    fn pseudo_legal(&self) -> Vec<Step> {
        let mut out = Vec::new();
        for from in self.pieces(self.white) {
            match self.at(from).to_ascii_uppercase() {
                b'P' => self.pawn(from, &mut out),
                letter => self.piece(letter, from, &mut out),
            }
        }
        self.castling(&mut out);
        out
    }

    fn piece(&self, letter: u8, from: Cell, out: &mut Vec<Step>) {
        let mut targets = Vec::new();
        for path in self.rules.paths(letter, from) {
            let free = path.iter().take_while(|&&c| self.at(c) == EMPTY).count();
            targets.extend_from_slice(&path[..free]);
            targets.extend(path.get(free).filter(|&&c| self.holds(c, !self.white)));
        }
        // Two paths may share cells.
        targets.sort_unstable();
        targets.dedup();
        out.extend(targets.into_iter().map(|to| Step {
            from,
            to,
            promotion: None,
            what: if self.at(to) == EMPTY {
                What::Quiet
            } else {
                What::Capture
            },
        }));
    }

    fn pawn(&self, from: Cell, out: &mut Vec<Step>) {
        let mut go = |to: Cell, what: What| {
            let mut push = |promotion| {
                out.push(Step {
                    from,
                    to,
                    promotion,
                    what,
                });
            };
            if self.rules.is_promotion_cell(to, self.white) {
                self.rules
                    .promotions(to)
                    .into_iter()
                    .for_each(|letter| push(Some(letter)));
            } else {
                push(None);
            }
        };
        let free = |cell| self.is_cell(cell) && self.at(cell) == EMPTY;
        let may_double = self.rules.is_double_cell(from, self.white) && !self.moved.contains(&from);
        for &step in &self.rules.steps {
            let once = plus(from, turned(step, self.white));
            let twice = plus(once, turned(step, self.white));
            if free(once) {
                go(once, What::Quiet);
                if may_double && free(twice) {
                    go(twice, What::Double { crossed: once });
                }
            }
        }
        for &take in &self.rules.takes {
            let to = plus(from, turned(take, self.white));
            if !self.is_cell(to) {
                continue;
            }
            if self.holds(to, !self.white) {
                go(to, What::Capture);
            } else if let Some((crossed, stands)) = self.passed
                && crossed == to
            {
                go(to, What::EnPassant { stands });
            }
        }
    }

    fn castling(&self, out: &mut Vec<Step>) {
        let king = self.king(self.white);
        if self.unmoved.is_empty() || self.attacked(king, !self.white) {
            return;
        }
        for step in [(-1, 0), (1, 0)] {
            let mut partner = plus(king, step);
            let mut between = 0;
            while self.is_cell(partner) && self.at(partner) == EMPTY {
                partner = plus(partner, step);
                between += 1;
            }
            let may = self.is_cell(partner)
                && self.holds(partner, self.white)
                && self.unmoved.contains(&partner);
            if !may || between < 2 {
                continue;
            }
            let crossed = plus(king, step);
            let to = plus(crossed, step);
            let letter = self.at(partner).to_ascii_uppercase();
            let safe = |cell| {
                let mut halfway = self.clone();
                halfway.set(king, EMPTY);
                halfway.set(cell, self.at(king));
                !halfway.attacked(cell, !self.white)
            };
            if self.rules.stands_on(letter, crossed) && safe(crossed) && safe(to) {
                out.push(Step {
                    from: king,
                    to,
                    promotion: None,
                    what: What::Castling { partner, crossed },
                });
            }
        }
    }

    /// The position after a legal move.
    pub fn after(&self, step: &Step) -> Self {
        let mut next = self.made(step);
        if next.passed.is_some() && !next.may_capture_en_passant() {
            next.passed = None;
        }
        next
    }

    /// The same, with the double step recorded even if no pawn may use it.
    fn made(&self, step: &Step) -> Self {
        let Step {
            from,
            to,
            promotion,
            what,
        } = *step;
        let piece = self.at(from);
        let is_pawn = piece.eq_ignore_ascii_case(&b'P');
        let mut next = self.clone();
        next.set(from, EMPTY);
        next.set(
            to,
            match promotion {
                Some(letter) if !self.white => letter.to_ascii_lowercase(),
                Some(letter) => letter,
                None => piece,
            },
        );
        next.unmoved.retain(|&c| c != from && c != to);
        next.moved.retain(|&c| c != from && c != to);
        next.passed = None;
        match what {
            What::Quiet | What::Capture => {}
            What::Double { crossed } => next.passed = Some((crossed, to)),
            What::EnPassant { stands } => {
                next.set(stands, EMPTY);
                next.moved.retain(|&c| c != stands);
            }
            What::Castling { partner, crossed } => {
                next.set(crossed, self.at(partner));
                next.set(partner, EMPTY);
            }
        }
        if piece.eq_ignore_ascii_case(&b'K') {
            next.unmoved.retain(|&c| !self.holds(c, self.white));
        }
        if is_pawn && self.rules.remembers_first_move() && self.rules.is_double_cell(to, self.white)
        {
            next.moved.push(to);
        }
        next.quiet_plies += 1;
        if is_pawn || what == What::Capture {
            next.quiet_plies = 0;
        }
        next.number += u32::from(!self.white);
        next.white = !self.white;
        next
    }

    /// Whether a pawn may use the double step just made.
    pub fn may_capture_en_passant(&self) -> bool {
        let mut legal = self.legal().into_iter();
        legal.any(|step| matches!(step.what, What::EnPassant { .. }))
    }

    /// The text of a move.
    pub fn step_text(&self, step: &Step) -> String {
        let mut text = self.rules.name(step.from) + &self.rules.name(step.to);
        text.extend(step.promotion.map(|l| l.to_ascii_lowercase() as char));
        text
    }

    /// The texts of the legal moves, sorted.
    pub fn legal_texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.legal().iter().map(|s| self.step_text(s)).collect();
        texts.sort();
        texts
    }

    /// What the rules forbid about this position, if anything.
    pub fn fault(&self) -> Option<&'static str> {
        let count = |piece| {
            self.rules
                .cells()
                .iter()
                .filter(|&&c| self.at(c) == piece)
                .count()
        };
        if count(b'K') != 1 || count(b'k') != 1 {
            return Some("kings");
        }
        for white in [true, false] {
            for cell in self.pieces(white) {
                let letter = self.at(cell).to_ascii_uppercase();
                if letter == b'P' && self.rules.is_promotion_cell(cell, white) {
                    return Some("a pawn on a promotion cell");
                }
                if !self.rules.stands_on(letter, cell) {
                    return Some("a piece off its colours");
                }
            }
        }
        if self.attacked(self.king(!self.white), self.white) {
            return Some("the opponent is in check");
        }
        for &cell in &self.unmoved {
            let unmoved = self.rules.unmoved(self.holds(cell, true));
            let stands = |&(letter, name): &(u8, &str)| self.at(self.rules.cell(name)) == letter;
            let partner = |&&(_, name): &&(u8, &str)| self.rules.cell(name) == cell;
            let partner = unmoved.iter().skip(1).find(partner);
            if !partner.is_some_and(stands) || !unmoved.first().is_some_and(stands) {
                return Some("a castling right");
            }
        }
        for &cell in &self.moved {
            let pawn = self.at(cell).eq_ignore_ascii_case(&b'P');
            let white = self.holds(cell, true);
            if !pawn
                || !self.rules.remembers_first_move()
                || !self.rules.is_double_cell(cell, white)
            {
                return Some("a moved pawn");
            }
        }
        if let Some((crossed, stands)) = self.passed {
            let pawn = if self.white { b'p' } else { b'P' };
            let step = (stands.0 - crossed.0, stands.1 - crossed.1);
            let origin = (crossed.0 - step.0, crossed.1 - step.1);
            let forward = |&s: &Cell| turned(s, !self.white) == step;
            let possible = self.rules.steps.iter().any(forward)
                && self.at(stands) == pawn
                && self.at(crossed) == EMPTY
                && self.is_cell(origin)
                && self.at(origin) == EMPTY
                && self.rules.is_double_cell(origin, !self.white)
                && self.may_capture_en_passant();
            if !possible {
                return Some("en passant");
            }
        }
        None
    }
}
