//! A board: its cells, their places, names and colours.

use crate::rules::spec::{BoardSpec, CellRule, Naming, Step};
use crate::sets::{Cell, CellSet};

/// The geometry of one board, built once from its [`BoardSpec`].
///
/// ```
/// use hexmate_movegen::{Game, Glinski, spec::E2};
///
/// let board = &Glinski.tables().board;
/// let e4 = board.parse_cell("e4").unwrap();
/// let e5 = board.step(e4, E2).unwrap();
/// assert_eq!(board.name(e5), "e5");
/// assert_eq!(board.cells().len(), 91);
/// ```
///
/// Cells are numbered row by row (y, then a), so every straight line runs through ascending indices.
/// Where width times height fits the word, the numbering keeps the gaps of the enclosing rhombus and
/// a step is the same difference of indices everywhere; otherwise it is dense.
#[derive(Clone, Debug)]
pub struct Board {
    spec: BoardSpec,
    cells: Vec<Cell>,
    coordinates: Vec<Option<(i8, i8)>>,
    lookup: Vec<Option<Cell>>,
    width: i8,
    height: i8,
    /// For each column the y of the row numbered 1.
    first_rows: Vec<i8>,
    rows: Vec<Vec<Cell>>,
}

impl Board {
    /// Builds the board for words of `capacity` bits.
    ///
    /// # Panics
    /// If the shape has more cells than `capacity`: a mistake in a game's data, which its tests find.
    pub fn new(spec: &BoardSpec, capacity: usize) -> Board {
        let (width, height) = spec.extent();
        let rhombus = width * height;
        let mut board = Board {
            spec: *spec,
            cells: Vec::new(),
            coordinates: vec![None; capacity],
            lookup: vec![None; rhombus],
            width: width as i8,
            height: height as i8,
            first_rows: vec![0; width],
            rows: Vec::new(),
        };
        for place in 0..rhombus {
            let (a, y) = ((place % width) as i8, (place / width) as i8);
            let Some(index) = spec.index(capacity, a, y) else {
                continue;
            };
            assert!(index < capacity, "a board of too many cells for its word");
            board.cells.push(index as Cell);
            board.coordinates[index] = Some((a, y));
            board.lookup[place] = Some(index as Cell);
        }
        if let Naming::Files(_) = spec.naming {
            let lowest = |a| (0..board.height).find(|&y| board.cell(a, y).is_some());
            board.first_rows = (0..board.width).map(|a| lowest(a).unwrap_or(0)).collect();
        }
        board.rows = board.rows_of_text();
        board
    }

    fn rows_of_text(&self) -> Vec<Vec<Cell>> {
        let top = self
            .cells
            .iter()
            .map(|&c| self.row_number(c))
            .max()
            .unwrap_or(0);
        let row = |number| {
            let mut row: Vec<Cell> = self
                .cells
                .iter()
                .copied()
                .filter(|&c| self.row_number(c) == number)
                .collect();
            row.sort_by_key(|&c| self.at(c).0);
            row
        };
        (1..=top).rev().map(row).collect()
    }

    /// The data that it was built from.
    pub fn spec(&self) -> &BoardSpec {
        &self.spec
    }

    /// All cells, ascending.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The coordinates (a, y) of a cell of this board.
    ///
    /// # Panics
    /// If the board has no such cell.
    pub fn at(&self, cell: Cell) -> (i8, i8) {
        self.coordinates[usize::from(cell)].expect("a cell of this board")
    }

    /// The cell with these coordinates, if the board has one.
    pub fn cell(&self, a: i8, y: i8) -> Option<Cell> {
        if !(0..self.width).contains(&a) || !(0..self.height).contains(&y) {
            return None;
        }
        self.lookup[y as usize * self.width as usize + a as usize]
    }

    /// The cell one step away, if the board has one.
    ///
    /// # Panics
    /// If the board has no cell `from`.
    pub fn step(&self, from: Cell, step: Step) -> Option<Cell> {
        let (a, y) = self.at(from);
        self.cell(a + step.0, y + step.1)
    }

    /// The colour of a cell, counted from 0 (colour 1 in game files).
    ///
    /// # Panics
    /// If the board has no such cell.
    pub fn colour(&self, cell: Cell) -> u8 {
        let (a, y) = self.at(cell);
        self.spec.colour(a, y)
    }

    /// The rows of the position text: from the top down to White's edge, each with ascending letters.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The number in a cell's name.
    ///
    /// # Panics
    /// If the board has no such cell.
    pub fn row_number(&self, cell: Cell) -> u8 {
        let (a, y) = self.at(cell);
        (y - self.first_rows[a as usize]) as u8 + 1
    }

    /// The letters of the columns.
    pub fn letters(&self) -> &'static str {
        match self.spec.naming {
            Naming::Files(letters) | Naming::Rows(letters) => letters,
        }
    }

    /// The name of a cell, in lower case.
    ///
    /// # Panics
    /// If the board has no such cell.
    pub fn name(&self, cell: Cell) -> String {
        let letter = self.letters().as_bytes()[self.at(cell).0 as usize];
        format!("{}{}", char::from(letter), self.row_number(cell))
    }

    /// Reads a cell name, letters in either case; `None` if the board has no such cell.
    pub fn parse_cell(&self, name: &str) -> Option<Cell> {
        let (cell, rest) = self.parse_cell_prefix(name)?;
        rest.is_empty().then_some(cell)
    }

    /// Reads a cell name from the front of a text; gives the cell and the rest of the text.
    pub fn parse_cell_prefix<'t>(&self, text: &'t str) -> Option<(Cell, &'t str)> {
        let letter = text.bytes().next()?.to_ascii_lowercase();
        let a = self.letters().bytes().position(|l| l == letter)?;
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
        let number = &text[1..1 + digits];
        if number.starts_with('0') {
            return None;
        }
        let number: u8 = number.parse().ok()?;
        let y = i16::from(*self.first_rows.get(a)?) + i16::from(number) - 1;
        let cell = self.cell(a as i8, i8::try_from(y).ok()?)?;
        Some((cell, &text[1 + digits..]))
    }

    /// The cells that a rule names.
    ///
    /// # Panics
    /// If a name is not of this board: a mistake in a game's data.
    pub fn set(&self, rule: &CellRule) -> CellSet {
        let mut set = CellSet::ZERO;
        match rule {
            CellRule::Names(names) => {
                for name in names.split_whitespace() {
                    let cell = self
                        .parse_cell(name)
                        .expect("a rule names cells of its board");
                    set.set(usize::from(cell), true);
                }
            }
            CellRule::Rows(numbers) => {
                for &cell in &self.cells {
                    set.set(usize::from(cell), numbers.contains(&self.row_number(cell)));
                }
            }
        }
        set
    }
}
