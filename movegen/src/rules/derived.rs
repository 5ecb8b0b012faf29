//! What follows from a game's data while the program is compiled: who leaps, the classes of paths, the
//! axes of straight lines.

use super::piece::{Kind, Piece, Side};
use super::spec::{GameSpec, Path, PawnSpec, Step, UNLIMITED, leads_up};

/// The longest list; more directions than that are refused when a game is read.
const MOST_ITEMS: usize = 32;
/// The most axes of straight lines: each has two directions.
pub const MOST_AXES: usize = MOST_ITEMS / 2;

/// A short list that is known when the program is compiled.
#[derive(Clone, Copy, Debug)]
pub struct ConstList<T> {
    items: [T; MOST_ITEMS],
    /// The number of items.
    pub len: usize,
}

impl<T: Copy> ConstList<T> {
    const fn empty(filler: T) -> Self {
        ConstList {
            items: [filler; MOST_ITEMS],
            len: 0,
        }
    }

    const fn push(&mut self, item: T) {
        self.items[self.len] = item;
        self.len += 1;
    }

    /// The item at a place below `len`.
    #[inline(always)]
    pub const fn get(&self, place: usize) -> T {
        self.items[place]
    }
}

impl ConstList<u16> {
    /// The first place of an item; `len` if it is not in the list.
    pub(super) const fn first(&self, item: u16) -> usize {
        let mut place = 0;
        while place < self.len && self.items[place] != item {
            place += 1;
        }
        place
    }
}

/// A direction of straight lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    pub step: Step,
    /// The kinds that slide along it, bit k for kind k.
    pub users: u16,
}

const fn same(a: Step, b: Step) -> bool {
    a.0 == b.0 && a.1 == b.1
}

/// Whether two different steps lead the same way, so that a line along the one has cells of a line along the other.
const fn lead_alike(a: Step, b: Step) -> bool {
    let (a, b) = ((a.0 as i16, a.1 as i16), (b.0 as i16, b.1 as i16));
    let differ = a.0 != b.0 || a.1 != b.1;
    differ && a.0 * b.1 == a.1 * b.0 && a.0 * b.0 + a.1 * b.1 > 0
}

impl Path {
    /// Whether the path is a straight line as far as the board goes.
    pub const fn is_straight(&self) -> bool {
        self.steps.len() == 1 && self.reach == UNLIMITED
    }

    /// Whether the path has one cell.
    pub const fn is_leap(&self) -> bool {
        self.reach == 1
    }
}

impl PawnSpec {
    /// Whether position texts name the pawn that may be captured en passant, too, as the cell that it crossed
    /// alone does not tell it.
    pub const fn en_passant_names_the_pawn(&self) -> bool {
        self.steps.len() > 1 || self.most_first_steps() > 2
    }

    /// Whether any first move has captures of its own.
    pub const fn has_first_captures(&self) -> bool {
        let mut i = 0;
        while i < self.first.len() {
            if !self.first[i].captures.is_empty() {
                return true;
            }
            i += 1;
        }
        false
    }

    /// The most steps of any first move; 1 where there is none.
    pub const fn most_first_steps(&self) -> u8 {
        let (mut most, mut i) = (1, 0);
        while i < self.first.len() {
            if self.first[i].steps > most {
                most = self.first[i].steps;
            }
            i += 1;
        }
        most
    }
}

impl GameSpec {
    /// The kinds that leap, the pawn excepted: the king first.
    pub const fn leapers(&self) -> ConstList<Kind> {
        let mut out = ConstList::empty(0);
        let mut kind = 0;
        while kind < self.pieces.len() {
            let paths = self.pieces[kind].paths;
            let mut i = 0;
            while i < paths.len() {
                if paths[i].is_leap() {
                    out.push(kind as Kind);
                    break;
                }
                i += 1;
            }
            kind += 1;
        }
        out
    }

    /// Every direction of straight lines.
    pub(super) const fn directions(&self) -> ConstList<Direction> {
        let mut out = ConstList::empty(Direction {
            step: (0, 0),
            users: 0,
        });
        let mut kind = 0;
        while kind < self.pieces.len() {
            let paths = self.pieces[kind].paths;
            let mut i = 0;
            while i < paths.len() {
                if paths[i].is_straight() {
                    let step = paths[i].steps[0];
                    let mut d = 0;
                    while d < out.len && !same(out.items[d].step, step) {
                        d += 1;
                    }
                    if d == out.len {
                        out.push(Direction { step, users: 0 });
                    }
                    out.items[d].users |= 1 << kind;
                }
                i += 1;
            }
            kind += 1;
        }
        out
    }

    /// The classes of paths as sets of kinds, bit k for kind k: straight lines by all that slide along
    /// them, crooked and short paths of each kind by themselves.
    pub const fn classes(&self) -> ConstList<u16> {
        let directions = self.directions();
        let mut out = ConstList::empty(0);
        let mut d = 0;
        while d < directions.len {
            let users = directions.items[d].users;
            if out.first(users) == out.len {
                out.push(users);
            }
            d += 1;
        }
        let mut kind = 0;
        while kind < self.pieces.len() {
            let paths = self.pieces[kind].paths;
            let mut i = 0;
            while i < paths.len() {
                if !paths[i].is_straight() && !paths[i].is_leap() {
                    out.push(1 << kind);
                    break;
                }
                i += 1;
            }
            kind += 1;
        }
        out
    }

    /// The kinds whose straight lines may share cells with other paths of theirs, bit k for kind k. Such paths may be
    /// of different classes.
    pub const fn overlapping(&self) -> u16 {
        let (mut out, mut kind) = (0, 0);
        while kind < self.pieces.len() {
            let paths = self.pieces[kind].paths;
            let (mut i, mut j) = (0, 0);
            while i < paths.len() {
                let (line, other) = (&paths[i], &paths[j]);
                if line.is_straight()
                    && !other.is_leap()
                    && (!other.is_straight() || lead_alike(line.steps[0], other.steps[0]))
                {
                    out |= 1 << kind;
                }
                j += 1;
                if j == paths.len() {
                    (i, j) = (i + 1, 0);
                }
            }
            kind += 1;
        }
        out
    }

    /// The axes of straight lines: the direction that leads to larger indices, and the class.
    pub const fn axes(&self) -> ConstList<(Step, usize)> {
        let directions = self.directions();
        let classes = self.classes();
        let mut out = ConstList::empty(((0, 0), 0));
        let mut d = 0;
        while d < directions.len {
            let Direction { step, users, .. } = directions.items[d];
            if leads_up(step) {
                out.push((step, classes.first(users)));
            }
            d += 1;
        }
        out
    }

    /// The letter of a piece: upper case for White.
    pub fn piece_letter(&self, piece: Piece) -> char {
        let letter = self.pieces[usize::from(piece.kind)].letter;
        char::from(match piece.side {
            Side::White => letter,
            Side::Black => letter.to_ascii_lowercase(),
        })
    }

    /// The colours that a piece of this kind may stand on, as messages name them: `colours 1 and 2`.
    pub fn colours_of(&self, kind: Kind) -> String {
        let stands_on = self.pieces[usize::from(kind)].stands_on;
        let colours = (0..self.board.colouring.count).filter(|c| stands_on >> c & 1 != 0);
        let mut numbers: Vec<String> = colours.map(|c| (c + 1).to_string()).collect();
        match (numbers.pop(), numbers.is_empty()) {
            (None, _) => "no colour".to_owned(),
            (Some(only), true) => format!("colour {only}"),
            (Some(last), false) => format!("colours {} and {last}", numbers.join(", ")),
        }
    }

    /// The kind that a letter of either case stands for.
    pub fn kind_of_letter(&self, letter: u8) -> Option<Kind> {
        let upper = letter.to_ascii_uppercase();
        let kind = self.pieces.iter().position(|p| p.letter == upper)?;
        Some(kind as Kind)
    }

    /// Whether any piece castles or pawns remember their first move: whether positions carry rights.
    pub fn has_rights(&self) -> bool {
        self.castling.is_some() || self.pawn.remembers_first_move
    }

    /// The coordinates of (a, y) under [`Mirror`](super::spec::Mirror).
    pub fn mirrored(&self, a: i8, y: i8) -> (i8, i8) {
        let m = self.mirror;
        (m.a.0 * a + m.a.1 * y + m.a.2, m.y.0 * a + m.y.1 * y + m.y.2)
    }

    /// The kind that plays the part of `kind` for the other side.
    pub fn mirrored_kind(&self, kind: Kind) -> Kind {
        let letter = self.pieces[usize::from(kind)].letter;
        for &(x, y) in self.mirror.exchanges {
            let other = match letter {
                l if l == x => y,
                l if l == y => x,
                _ => continue,
            };
            return self.kind_of_letter(other).unwrap_or(kind);
        }
        kind
    }
}
