//! The vocabulary in which a game is written down: plain constants, no code.
//!
//! A cell is a pair (a, y) of the lattice; every piece except the pawn is a set of [`Path`]s. A game
//! is a [`GameSpec`], made of a text like those in the folder `games`.

/// Kinds fit in four bits.
pub const MOST_KINDS: usize = 16;
/// The most steps of a pawn, the most captures, and the most captures of a first move.
pub const MOST_PAWN_STEPS: usize = 6;
/// The most classes of paths that a game may have.
pub const MOST_CLASSES: usize = 16;

/// A vector (da, dy) of the lattice.
pub type Step = (i8, i8);

/// Edge direction e1.
pub const E1: Step = (1, 1);
/// Edge direction e2; straight up the file on the files board.
pub const E2: Step = (0, 1);
/// Edge direction e3.
pub const E3: Step = (-1, 0);
/// Against e1.
pub const NEG_E1: Step = neg(E1);
/// Against e2.
pub const NEG_E2: Step = neg(E2);
/// Against e3.
pub const NEG_E3: Step = neg(E3);
/// Vertex direction v1 = e1 + e2.
pub const V1: Step = (1, 2);
/// Vertex direction v2 = e2 + e3.
pub const V2: Step = (-1, 1);
/// Vertex direction v3 = e3 - e1.
pub const V3: Step = (-2, -1);
/// Against v1.
pub const NEG_V1: Step = neg(V1);
/// Against v2.
pub const NEG_V2: Step = neg(V2);
/// Against v3.
pub const NEG_V3: Step = neg(V3);

/// The opposite direction.
pub const fn neg(step: Step) -> Step {
    (-step.0, -step.1)
}

/// Whether a step leads to larger indices: cells are numbered row by row.
pub const fn leads_up(step: Step) -> bool {
    step.1 > 0 || (step.1 == 0 && step.0 > 0)
}

/// Whether a line of such steps passes over cells without touching them.
pub const fn skips(step: Step) -> bool {
    let (mut a, mut b) = (step.0.unsigned_abs(), step.1.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a != 1
}

/// All six edge directions.
pub const EDGES: [Step; 6] = [E1, E2, E3, NEG_E1, NEG_E2, NEG_E3];
/// All six vertex directions.
pub const VERTICES: [Step; 6] = [V1, V2, V3, NEG_V1, NEG_V2, NEG_V3];
/// Edge and vertex directions.
pub const ALL_DIRECTIONS: [Step; 12] = [
    E1, E2, E3, NEG_E1, NEG_E2, NEG_E3, V1, V2, V3, NEG_V1, NEG_V2, NEG_V3,
];
/// The twelve knight leaps: two edge steps and one more, 60 degrees aside.
pub const KNIGHT_LEAPS: [Step; 12] = [
    (3, 1),
    (3, 2),
    (2, 3),
    (1, 3),
    (-1, 2),
    (-2, 1),
    (-3, -1),
    (-3, -2),
    (-2, -3),
    (-1, -3),
    (1, -2),
    (2, -1),
];

/// A set of colours of a board, bit `c` for colour `c`.
pub type Colours = u8;
/// Every colour.
pub const ANY: Colours = 0xff;

/// Cells walked in order until the first occupied one.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// The colours of the cells that this path starts from.
    pub from: Colours,
    /// The steps, repeated from the first when all are used.
    pub steps: &'static [Step],
    /// The most cells that the path may have.
    pub reach: u8,
}

/// The reach of a slider: as far as the board goes.
pub const UNLIMITED: u8 = u8::MAX;

/// One piece of a game.
#[derive(Clone, Copy, Debug)]
pub struct PieceSpec {
    /// Upper-case letter of position texts.
    pub letter: u8,
    /// The name in the game's own rules.
    pub name: &'static str,
    /// The colours of the cells that it may stand on.
    pub stands_on: Colours,
    /// How it moves and captures (empty for the pawn, see [`PawnSpec`]).
    pub paths: &'static [Path],
    /// Whether a pawn may become one, on a cell of its colours.
    pub promotes: bool,
    /// Whether the king may castle with it.
    pub castles: bool,
}

impl PieceSpec {
    /// A piece that stands anywhere, may be promoted to and does not castle.
    pub const fn new(letter: u8, name: &'static str, paths: &'static [Path]) -> Self {
        PieceSpec {
            letter,
            name,
            stands_on: ANY,
            paths,
            promotes: true,
            castles: false,
        }
    }

    /// The same piece, to which no pawn promotes.
    pub const fn unpromoted(mut self) -> Self {
        self.promotes = false;
        self
    }
}

/// A set of cells as a rule names it.
#[derive(Clone, Copy, Debug)]
pub enum CellRule {
    /// Cell names with blanks between them.
    Names(&'static str),
    /// Whole rows, by number.
    Rows(&'static [u8]),
}

/// How White's pawns move; Black's use the negative steps and the mirrored cells.
#[derive(Clone, Copy, Debug)]
pub struct PawnSpec {
    /// Steps onto an empty cell.
    pub steps: &'static [Step],
    /// Steps onto an enemy piece.
    pub captures: &'static [Step],
    /// What a pawn may do besides on its first move. No cell is in two of these.
    pub first: &'static [FirstMove],
    /// Whether a pawn that has moved loses its first move although it stands on such a cell.
    pub remembers_first_move: bool,
    /// Whether a pawn that has just made more than one step may be captured on a cell that it crossed.
    pub en_passant: bool,
    /// Whether an enemy piece on any of the cells that `steps` lead to bars all steps.
    pub blocked_by_enemy: bool,
    /// Where a pawn is promoted; where no step is left, if nothing is said.
    pub promotes_on: Option<CellRule>,
}

/// What a pawn may do on its first move.
#[derive(Clone, Copy, Debug)]
pub struct FirstMove {
    /// The cells from which it may do so.
    pub cells: CellRule,
    /// The most steps in one direction, over empty cells: 1 to [`MOST_FIRST_STEPS`].
    pub steps: u8,
    /// Captures besides those of every pawn.
    pub captures: &'static [Step],
}

/// The most steps of a pawn's first move, so that it crosses two cells at most.
pub const MOST_FIRST_STEPS: u8 = 3;

/// Castling: the king's own move, with a partner neither of which has moved, and nothing between them. The king
/// must not be in check, nor cross or reach an attacked cell.
#[derive(Clone, Copy, Debug)]
pub enum CastlingSpec {
    /// The king goes two cells towards a partner, which goes to the cell just crossed.
    Towards {
        /// The directions in which the king may look for a partner.
        directions: &'static [Step],
        /// The least number of empty cells between king and partner.
        gap: u8,
    },
    /// Certain moves of White, given by names of cells; Black's follow from the map to the other side.
    Ways(&'static [CastlingMove]),
}

/// One way to castle: all four cells lie on one straight line.
#[derive(Clone, Copy, Debug)]
pub struct CastlingMove {
    /// The cell that the king leaves, and the one it comes to.
    pub king: (&'static str, &'static str),
    /// The same for its partner.
    pub partner: (&'static str, &'static str),
}

/// The outline of a board.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// The hexagon of this side: 0 <= a, y <= 2n-2 and |a - y| <= n-1.
    Hexagon(u8),
    /// Any other outline: for each y from 0 the first a and the number of cells.
    Rows(&'static [(u8, u8)]),
}

/// How the cells are named, hence also which cells make a row of the position text.
#[derive(Clone, Copy, Debug)]
pub enum Naming {
    /// Letters for columns a; ranks counted up each column from its own lowest cell.
    Files(&'static str),
    /// Letters for columns a; the row is y + 1.
    Rows(&'static str),
}

/// The colour of cell (a, y) is `(a + factor * y) mod count`.
#[derive(Clone, Copy, Debug)]
pub struct Colouring {
    /// The number of colours.
    pub count: u8,
    /// The weight of y.
    pub factor: u8,
}

/// A board: its outline, names and colours.
#[derive(Clone, Copy, Debug)]
pub struct BoardSpec {
    /// Which cells there are.
    pub shape: Shape,
    /// What they are called.
    pub naming: Naming,
    /// How they are coloured.
    pub colouring: Colouring,
    /// Whether pictures show e2 straight up (files upright) or the rows level.
    pub upright_files: bool,
}

impl BoardSpec {
    /// The width and height of the rhombus that encloses the board.
    pub const fn extent(&self) -> (usize, usize) {
        match self.shape {
            Shape::Hexagon(side) => (2 * side as usize - 1, 2 * side as usize - 1),
            Shape::Rows(rows) => {
                let mut width = 0;
                let mut y = 0;
                while y < rows.len() {
                    let end = rows[y].0 as usize + rows[y].1 as usize;
                    if end > width {
                        width = end;
                    }
                    y += 1;
                }
                (width, rows.len())
            }
        }
    }

    /// The difference of cell indices from one row to the next, if the enclosing rhombus fits into
    /// words of `capacity` bits; otherwise cells are numbered densely and rows differ.
    pub const fn stride(&self, capacity: usize) -> Option<i32> {
        let (width, height) = self.extent();
        if width * height <= capacity {
            Some(width as i32)
        } else {
            None
        }
    }

    /// The number of cells.
    pub const fn cells(&self) -> usize {
        let (mut count, mut y) = (0, 0);
        while (y as usize) < self.height() {
            let (first, last) = self.row(y);
            count += (last - first + 1) as usize;
            y += 1;
        }
        count
    }

    /// Whether the board has the cell (a, y).
    pub const fn has(&self, a: i8, y: i8) -> bool {
        if y < 0 || y as usize >= self.height() {
            return false;
        }
        let (first, last) = self.row(y);
        first <= a && a <= last
    }

    /// The number of rows.
    const fn height(&self) -> usize {
        match self.shape {
            Shape::Hexagon(side) => 2 * side as usize - 1,
            Shape::Rows(rows) => rows.len(),
        }
    }

    /// The colour of the cell (a, y).
    pub const fn colour(&self, a: i8, y: i8) -> u8 {
        let Colouring { count, factor } = self.colouring;
        (a as u8 + factor * y as u8) % count
    }

    /// The first and the last a of row y.
    const fn row(&self, y: i8) -> (i8, i8) {
        match self.shape {
            Shape::Hexagon(side) => {
                let (reach, last) = (side as i8 - 1, 2 * side as i8 - 2);
                let first = if y > reach { y - reach } else { 0 };
                (first, if y < reach { y + reach } else { last })
            }
            Shape::Rows(rows) => {
                let (first, len) = rows[y as usize];
                (first as i8, (first + len) as i8 - 1)
            }
        }
    }

    /// The index of the cell (a, y) in a word of `capacity` bits, if the board has that cell: row by row,
    /// with the gaps of the enclosing rhombus if it fits.
    pub const fn index(&self, capacity: usize, a: i8, y: i8) -> Option<usize> {
        if !self.has(a, y) {
            return None;
        }
        if let Some(stride) = self.stride(capacity) {
            return Some(y as usize * stride as usize + a as usize);
        }
        let mut index = (a - self.row(y).0) as usize;
        let mut below = 0;
        while below < y {
            let (first, last) = self.row(below);
            index += (last - first + 1) as usize;
            below += 1;
        }
        Some(index)
    }
}

/// The map (a, y) -> (a0*a + a1*y + a2, y0*a + y1*y + y2) that exchanges White's side and Black's.
#[derive(Clone, Copy, Debug)]
pub struct Mirror {
    /// Coefficients of the new a.
    pub a: (i8, i8, i8),
    /// Coefficients of the new y.
    pub y: (i8, i8, i8),
    /// Letters of pieces that exchange their roles, in pairs.
    pub exchanges: &'static [(u8, u8)],
}

/// A point that a source leaves open, and how this program reads it.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The rule that it is about.
    pub about: &'static str,
    /// Whether the rule is lost and was reconstructed.
    pub reconstruction: bool,
    /// What was chosen, and why.
    pub text: &'static str,
}

/// A whole game.
#[derive(Clone, Copy, Debug)]
pub struct GameSpec {
    /// The name in commands and files.
    pub name: &'static str,
    /// The name in full.
    pub title: &'static str,
    /// Where the rules come from.
    pub source: &'static str,
    /// The board.
    pub board: BoardSpec,
    /// The pieces; the first two are the pawn and the king.
    pub pieces: &'static [PieceSpec],
    /// How pawns move.
    pub pawn: PawnSpec,
    /// Castling, if the game has it.
    pub castling: Option<CastlingSpec>,
    /// The symmetry of the two sides.
    pub mirror: Mirror,
    /// The first position.
    pub start: &'static str,
    /// What the stalemated side scores, in quarters of a point: 2 is a draw.
    pub stalemate_quarters: u8,
    /// A position that occurs this often is a draw.
    pub repetitions: u8,
    /// This many plies without capture or pawn move are a draw.
    pub no_progress_plies: u16,
    /// Whether king against king is a draw at once.
    pub bare_kings_draw: bool,
    /// Readings and reconstructions, shown to users.
    pub readings: &'static [Reading],
    /// Leaf counts of perft from the first position, depth 1 first, to check a generator with.
    pub proof: &'static [u64],
}

impl GameSpec {
    /// No game at all: where a type must name one that nobody looks at.
    pub(crate) const NONE: GameSpec = GameSpec {
        name: "",
        title: "",
        source: "",
        board: BoardSpec {
            shape: Shape::Rows(&[]),
            naming: Naming::Rows(""),
            colouring: Colouring {
                count: 1,
                factor: 0,
            },
            upright_files: false,
        },
        pieces: &[],
        pawn: PawnSpec {
            steps: &[],
            captures: &[],
            first: &[],
            remembers_first_move: false,
            en_passant: false,
            blocked_by_enemy: false,
            promotes_on: None,
        },
        castling: None,
        mirror: Mirror {
            a: (1, 0, 0),
            y: (0, 1, 0),
            exchanges: &[],
        },
        start: "",
        stalemate_quarters: 2,
        repetitions: 3,
        no_progress_plies: 100,
        bare_kings_draw: true,
        readings: &[],
        proof: &[],
    };
}
