//! Boards, pieces and pawns, written down a second time from the rules pages: every piece as the list
//! of its paths from a cell, every rule as plainly as the page puts it.

/// The pair (a, y) of the lattice.
pub type Cell = (i32, i32);

const E1: Cell = (1, 1);
const E2: Cell = (0, 1);
const E3: Cell = (-1, 0);
const EDGES: [Cell; 6] = [E1, E2, E3, (-1, -1), (0, -1), (1, 0)];
const V1: Cell = (1, 2);
const V2: Cell = (-1, 1);
const V3: Cell = (-2, -1);
const VERTICES: [Cell; 6] = [V1, V2, V3, (-1, -2), (1, -1), (2, 1)];
const LEAPS: [Cell; 6] = [(3, 1), (3, 2), (2, 3), (1, 3), (-1, 2), (-2, 1)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// 91 cells, files a to l.
    Files,
    /// 127 cells of three colours.
    Three,
    /// 169 cells of four colours.
    Four,
    /// The toy game of `.ci/sixth-game`: a rhombus of 7 by 10 cells.
    Toy,
}

pub struct Rules {
    family: Family,
    side: i32,
    /// Where White's and Black's pawns may make two steps.
    double_cells: [Vec<Cell>; 2],
    /// White's steps without capture.
    pub steps: Vec<Cell>,
    /// White's steps with capture.
    pub takes: Vec<Cell>,
    cells: Vec<Cell>,
    /// For letter and cell, see [`Rules::paths`].
    paths: Vec<Vec<Vec<Cell>>>,
}

pub fn plus(from: Cell, step: Cell) -> Cell {
    (from.0 + step.0, from.1 + step.1)
}

/// A step of White's as the side makes it.
pub fn turned(step: Cell, white: bool) -> Cell {
    if white { step } else { minus(step) }
}

fn minus(step: Cell) -> Cell {
    (-step.0, -step.1)
}

impl Rules {
    pub fn named(game: &str) -> Rules {
        let (family, side) = match game {
            "chromatic3" => (Family::Three, 7),
            "chromatic4" => (Family::Four, 8),
            "toy" => (Family::Toy, 0),
            _ => (Family::Files, 6),
        };
        let (steps, takes) = match game {
            "glinski" => (vec![E2], vec![E1, E3]),
            "hexachess" | "mccooey" | "toy" => (vec![E2], vec![V1, V2]),
            "chromatic3" | "chromatic4" => (vec![E1, E2], vec![V1, V2, minus(V3)]),
            _ => panic!("no game {game}"),
        };
        let mut rules = Rules {
            family,
            side,
            double_cells: [vec![], vec![]],
            steps,
            takes,
            cells: vec![],
            paths: vec![],
        };
        let all = (0..15).flat_map(|y| (0..15).map(move |a| (a, y)));
        rules.cells = all.filter(|&c| rules.on_board(c)).collect();
        let named = |names: &str| names.split(' ').map(|n| rules.cell(n)).collect();
        rules.double_cells = match game {
            "mccooey" => [named("c1 d2 e3 g3 h2 i1"), named("c8 d8 e8 g8 h8 i8")],
            "glinski" | "hexachess" => [
                named("b1 c2 d3 e4 f5 g4 h3 i2 k1"),
                named("b7 c7 d7 e7 f7 g7 h7 i7 k7"),
            ],
            "toy" => [1, 8].map(|y| (0..7).map(|a| (a, y)).collect()),
            _ => [true, false].map(|white| {
                let rows = [2, 3].map(|y| if white { y } else { 2 * side - 2 - y });
                rules
                    .cells
                    .iter()
                    .copied()
                    .filter(|c| rows.contains(&c.1))
                    .collect()
            }),
        };
        let mut paths = vec![vec![]; 26 * 15 * 15];
        for &letter in rules.letters() {
            for &from in rules.cells.iter().filter(|&&c| rules.stands_on(letter, c)) {
                paths[path_index(letter, from)] = rules.paths_from(letter, from);
            }
        }
        Rules { paths, ..rules }
    }

    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    fn on_board(&self, (a, y): Cell) -> bool {
        if self.family == Family::Toy {
            return (0..7).contains(&a) && (0..10).contains(&y);
        }
        let last = 2 * self.side - 2;
        (0..=last).contains(&a) && (0..=last).contains(&y) && (a - y).abs() < self.side
    }

    fn height(&self) -> i32 {
        match self.family {
            Family::Toy => 10,
            _ => 2 * self.side - 1,
        }
    }

    /// The number in a cell's name.
    fn row_number(&self, (a, y): Cell) -> i32 {
        match self.family {
            Family::Files => y - (a - 5).max(0) + 1,
            _ => y + 1,
        }
    }

    pub fn name(&self, cell: Cell) -> String {
        let letters = match self.family {
            Family::Files => "abcdefghikl",
            _ => "abcdefghijklmno",
        };
        let letter = letters.as_bytes()[cell.0 as usize] as char;
        format!("{letter}{}", self.row_number(cell))
    }

    pub fn cell(&self, name: &str) -> Cell {
        let mut cells = self.cells.iter();
        let cell = cells.find(|&&c| self.name(c) == name);
        *cell.unwrap_or_else(|| panic!("no cell {name}"))
    }

    /// The rows of the position text.
    pub fn rows(&self) -> Vec<Vec<Cell>> {
        let row = |number| {
            let mut row: Vec<Cell> = self.cells.clone();
            row.retain(|&c| self.row_number(c) == number);
            row.sort_unstable();
            row
        };
        (1..=self.height()).rev().map(row).collect()
    }

    fn colour(&self, (a, y): Cell) -> i32 {
        match self.family {
            Family::Four => (a + 2 * y).rem_euclid(4),
            _ => (a + y).rem_euclid(3),
        }
    }

    /// The letters of all pieces but the pawn.
    pub fn letters(&self) -> &'static [u8] {
        match self.family {
            Family::Files => b"KQRBN",
            Family::Three => b"KQRBNSTU",
            Family::Four => b"KQBNSTUVWXCDEF",
            Family::Toy => b"KRBNG",
        }
    }

    /// The colours of a piece that is bound to some, in the order of its steps: f, f + 1 or k, k + 1, k + 2.
    fn colours(&self, letter: u8) -> Option<Vec<i32>> {
        let colours = match (self.family, letter) {
            (Family::Three, b'S') => "12",
            (Family::Three, b'T') => "31",
            (Family::Three, b'U') => "23",
            (Family::Four, b'S') => "12",
            (Family::Four, b'T') => "13",
            (Family::Four, b'U') => "41",
            (Family::Four, b'V') => "23",
            (Family::Four, b'W') => "24",
            (Family::Four, b'X') => "34",
            (Family::Four, b'C') => "123",
            (Family::Four, b'D') => "412",
            (Family::Four, b'E') => "341",
            (Family::Four, b'F') => "234",
            _ => return None,
        };
        Some(colours.bytes().map(|c| i32::from(c - b'1')).collect())
    }

    pub fn stands_on(&self, letter: u8, cell: Cell) -> bool {
        let colours = self.colours(letter);
        colours.is_none_or(|c| c.contains(&self.colour(cell)))
    }

    /// Whether pawns that have moved lose their double step wherever they stand.
    pub fn remembers_first_move(&self) -> bool {
        matches!(self.family, Family::Three | Family::Four)
    }

    pub fn is_double_cell(&self, cell: Cell, white: bool) -> bool {
        self.double_cells[usize::from(!white)].contains(&cell)
    }

    pub fn is_promotion_cell(&self, cell: Cell, white: bool) -> bool {
        let number = self.row_number(cell);
        match (self.family, white) {
            (_, false) => number == 1,
            (Family::Files, true) => number == 11 - (cell.0 - 5).abs(),
            (_, true) => number == self.height(),
        }
    }

    /// The letters that a pawn may become on a cell.
    pub fn promotions(&self, cell: Cell) -> Vec<u8> {
        let mut letters = self.letters().to_vec();
        letters.retain(|&l| l != b'K' && self.stands_on(l, cell));
        letters
    }

    /// The king of a side and the pieces that castle with it, on their cells of the start.
    pub fn unmoved(&self, white: bool) -> &'static [(u8, &'static str)] {
        match (self.family, white) {
            (Family::Files | Family::Toy, _) => &[],
            (Family::Three, true) => &[(b'K', "d1"), (b'T', "a1"), (b'S', "g1")],
            (Family::Three, false) => &[(b'k', "j13"), (b't', "g13"), (b's', "m13")],
            (Family::Four, true) => &[(b'K', "d1"), (b'T', "a1"), (b'U', "h1")],
            (Family::Four, false) => &[(b'k', "l15"), (b'x', "h15"), (b't', "o15")],
        }
    }

    /// The paths of a piece from a cell; each is walked until its first occupied cell.
    pub fn paths(&self, letter: u8, from: Cell) -> &[Vec<Cell>] {
        &self.paths[path_index(letter, from)]
    }

    fn walk(&self, from: Cell, steps: &[Cell], most: usize) -> Vec<Cell> {
        let mut path = Vec::new();
        let mut cell = from;
        for &step in steps.iter().cycle().take(most) {
            cell = plus(cell, step);
            if !self.on_board(cell) {
                break;
            }
            path.push(cell);
        }
        path
    }

    fn paths_from(&self, letter: u8, from: Cell) -> Vec<Vec<Cell>> {
        let slides = |steps: &[Cell]| -> Vec<_> {
            steps.iter().map(|&s| self.walk(from, &[s], 99)).collect()
        };
        let leaps = |steps: &[Cell]| -> Vec<_> {
            steps.iter().map(|&s| self.walk(from, &[s], 1)).collect()
        };
        match (self.family, letter) {
            (_, b'K') => [leaps(&EDGES), leaps(&VERTICES)].concat(),
            (_, b'N') => [leaps(&LEAPS), leaps(&LEAPS.map(minus))].concat(),
            (_, b'Q') => [slides(&EDGES), slides(&VERTICES)].concat(),
            (_, b'R') => slides(&EDGES),
            (Family::Files | Family::Three | Family::Toy, b'B') => slides(&VERTICES),
            (Family::Four, b'B') => slides(&[V3, minus(V3), (0, 2), (0, -2)]),
            (Family::Toy, b'G') => EDGES.iter().map(|&s| self.walk(from, &[s], 2)).collect(),
            (Family::Three, _) => self.zigzags(letter, from),
            (Family::Four, b'C'..=b'F') => self.staircases(letter, from),
            (Family::Four, _) => [self.stripe(letter, from), self.jumps(letter, from)].concat(),
            _ => panic!("no piece {letter}"),
        }
    }

    fn partner_colour(&self, letter: u8, from: Cell) -> i32 {
        let mut colours = self.colours(letter).expect("a 2-color");
        colours.retain(|&c| c != self.colour(from));
        colours[0]
    }

    /// Step d1 onto the partner colour, d2, not back and not the same, to the own one, and so on.
    fn zigzags(&self, letter: u8, from: Cell) -> Vec<Vec<Cell>> {
        let partner = self.partner_colour(letter, from);
        let mut out = Vec::new();
        for d1 in EDGES {
            for d2 in EDGES {
                let middle = plus(from, d1);
                let turns = d2 != d1 && d2 != minus(d1);
                let back = self.colour(plus(middle, d2)) == self.colour(from);
                if turns && back && self.colour(middle) == partner {
                    out.push(self.walk(from, &[d1, d2], 99));
                }
            }
        }
        out
    }

    /// The four-colour board's 2-colors along their stripes.
    fn stripe(&self, letter: u8, from: Cell) -> Vec<Vec<Cell>> {
        let own = self.colour(from);
        let ways = match (self.partner_colour(letter, from) - own).rem_euclid(4) {
            2 => [[E2, E2], [minus(E2), minus(E2)]],
            1 => [[minus(E3), E1], [minus(E1), E3]],
            _ => [[E1, minus(E3)], [E3, minus(E1)]],
        };
        ways.iter().map(|w| self.walk(from, w, 99)).collect()
    }

    /// Jumps onto the partner colour at distance two. None of those cells is on the own stripe: its
    /// cells of that colour are at odd distances.
    fn jumps(&self, letter: u8, from: Cell) -> Vec<Vec<Cell>> {
        let partner = self.partner_colour(letter, from);
        let mut cells = self.cells.clone();
        cells.retain(|&c| {
            let (da, dy) = (c.0 - from.0, c.1 - from.1);
            let distance = da.abs().max(dy.abs()).max((da - dy).abs());
            distance == 2 && self.colour(c) == partner
        });
        cells.into_iter().map(|c| vec![c]).collect()
    }

    fn staircases(&self, letter: u8, from: Cell) -> Vec<Vec<Cell>> {
        let colours = self.colours(letter).expect("a 3-color");
        let mut colours = colours.into_iter();
        let place = colours.position(|c| c == self.colour(from));
        let place = place.expect("a cell of its colours");
        let mut out = Vec::new();
        for side in [E3, E1] {
            let stairs = [minus(side), minus(side), minus(E2)];
            let forwards = [0, 1, 2].map(|i| stairs[(place + i) % 3]);
            let backwards = [2, 1, 0].map(|i| minus(stairs[(place + i) % 3]));
            out.push(self.walk(from, &forwards, 3));
            out.push(self.walk(from, &backwards, 3));
        }
        out
    }
}

fn path_index(letter: u8, (a, y): Cell) -> usize {
    (usize::from(letter - b'A') * 15 + y as usize) * 15 + a as usize
}
