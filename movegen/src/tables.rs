//! Everything precomputed from a game's rules: ray masks, leaps, crooked paths, pawn steps, keys.

use std::sync::OnceLock;

use crate::bits::{Bits, Cell, CellSet, Row};
use crate::board::Board;
use crate::crooked::{CrookedPath, CrookedPaths};
use crate::games::Game;
use crate::lanes::LaneTables;
use crate::piece::{KING, Kind, PAWN, Side};
use crate::returns::Returns;
use crate::setup::Setup;
use crate::spec::{CastlingSpec, GameSpec, MOST_KINDS, Path, Step, UNLIMITED, neg, skips};
use crate::zobrist::Zobrist;

/// How one kind moves.
pub(crate) struct KindTable<B> {
    /// For each cell, the crooked and short paths; empty where the kind has none.
    pub crooked: Vec<CrookedPaths<B>>,
    /// For each cell, what it attacks on an empty board.
    pub reach: Vec<B>,
}

/// A step of every cell at once.
pub struct SetStep<B: Bits> {
    /// All cells that the step does not lead off the board.
    pub sources: B,
    /// Sources whose targets are in the same 64 bits of the set, and those targets.
    pub staying: [B; 2],
    /// Sources whose targets are in other 64 bits, and those targets.
    pub changing: [B; 2],
    /// Sources and the difference of indices, by difference: one part where the numbering is regular.
    parts: Vec<(B, i32)>,
    /// For each target cell the source, or itself where the source is off the board.
    back: Box<B::PerCell<Cell>>,
}

impl<B: Bits> SetStep<B> {
    fn new(board: &Board, step: Step) -> Self {
        let mut parts: Vec<(CellSet, i32)> = Vec::new();
        for &from in board.cells() {
            let Some(to) = board.step(from, step) else {
                continue;
            };
            let difference = i32::from(to) - i32::from(from);
            let part = match parts.iter().position(|p| p.1 == difference) {
                Some(part) => part,
                None => {
                    parts.push((CellSet::ZERO, difference));
                    parts.len() - 1
                }
            };
            parts[part].0.set(usize::from(from), true);
        }
        let pairs = |change: bool| {
            let both = |&from: &Cell| Some((from, board.step(from, step)?));
            let pairs = board.cells().iter().filter_map(both);
            let pairs = pairs.filter(|(from, to)| (from / 64 != to / 64) == change);
            pairs.fold([B::EMPTY; 2], |[sources, targets], (from, to)| {
                [sources | B::of(from), targets | B::of(to)]
            })
        };
        SetStep {
            staying: pairs(false),
            changing: pairs(true),
            sources: parts.iter().fold(B::EMPTY, |u, (s, _)| u | B::from_set(s)),
            parts: parts.iter().map(|(s, d)| (B::from_set(s), *d)).collect(),
            back: B::per_cell(|to| {
                let cells = board.cells().iter();
                let from = cells.copied().find(|&c| board.step(c, step) == Some(to));
                from.unwrap_or(to)
            }),
        }
    }

    /// The cell from which this step leads to `to`.
    #[inline(always)]
    pub fn source(&self, to: Cell) -> Option<Cell> {
        let from = self.source_of(to);
        (from != to).then_some(from)
    }

    /// The cell from which this step leads to `to`, where there is one.
    #[inline(always)]
    pub fn source_of(&self, to: Cell) -> Cell {
        *B::at(&self.back, to)
    }

    /// All cells of the set moved by this step; those at the edge fall off. For where speed does not
    /// matter: see [`PawnStep`](crate::shifts::PawnStep).
    pub fn apply_parts(&self, set: B) -> B {
        let mut out = B::EMPTY;
        for &(sources, difference) in &self.parts {
            let moving = set & sources;
            out |= if difference > 0 {
                moving.shift_up(difference as u32)
            } else {
                moving.shift_down(-difference as u32)
            };
        }
        out
    }
}

/// How the pawns of one side move.
pub(crate) struct PawnTable<B: Bits> {
    pub steps: Vec<SetStep<B>>,
    pub captures: Vec<SetStep<B>>,
    /// For each cell, what a pawn on it attacks.
    pub attacks: Box<B::PerCell<B>>,
    /// For each cell, what pawns on it and on the king's steps from it attack.
    pub around: Box<B::PerCell<B>>,
    pub double_cells: B,
    pub promotion_cells: B,
    /// Cells from which some step or capture leads onto a promotion cell.
    pub before_promotion: B,
    /// For each of `steps` the cells that pawns cross which step twice, had they not moved before.
    pub crossed: Vec<B>,
    /// For each cell, the cells that a double step from it leads to; none where none is allowed.
    pub doubles: Box<B::PerCell<B>>,
}

/// What castling needs to know of the board.
pub(crate) struct CastlingTable<B> {
    /// The kinds with which the king castles.
    pub partners: Vec<Kind>,
    /// For each cell of the king, all that castling could be there.
    pub ways: Vec<Vec<CastlingWay<B>>>,
}

/// A king and a partner far enough from him.
pub(crate) struct CastlingWay<B> {
    pub partner: Cell,
    /// The cells between them, which must be empty.
    pub between: B,
    /// The cell that the king crosses, and the partner comes to.
    pub crossed: Cell,
    /// The cell that the king comes to.
    pub target: Cell,
}

/// Everything that depends on a game alone.
pub struct Tables<G: Game> {
    /// The rules.
    pub spec: &'static GameSpec,
    /// The board.
    pub board: Board,
    /// All cells.
    pub all: G::Bits,
    /// The cells of each colour.
    pub colours: Vec<G::Bits>,
    /// The cells on which each kind may stand.
    pub stands_on: Vec<G::Bits>,
    /// The ray of smaller indices and the ray of larger ones.
    pub(crate) rays: Box<PerCell<G, Rays<G>>>,
    /// For each class the cells that its straight lines reach on an empty board, but for lines that
    /// skip cells.
    pub(crate) reach: Box<PerCell<G, G::PerClass<G::Bits>>>,
    /// For each two cells of one straight line those between them.
    pub(crate) between: Box<PerCell<G, Between<G>>>,
    pub(crate) kinds: Vec<KindTable<G::Bits>>,
    /// For each leaper of [`GameSpec::leapers`] the cells that it reaches over anything.
    pub(crate) leaps: Box<PerCell<G, G::PerLeaper<G::Bits>>>,
    /// For each leaper the cells from which it attacks a cell or one of the king's steps from it.
    pub(crate) around: Box<PerCell<G, G::PerLeaper<G::Bits>>>,
    /// Kinds that have crooked paths, with their class.
    pub(crate) crooked: Vec<(Kind, usize)>,
    /// All paths again, for the forms that gather.
    pub(crate) lanes: LaneTables<G>,
    pub(crate) pawns: [PawnTable<G::Bits>; 2],
    /// For each cell, the kinds to which a pawn may promote on it.
    pub(crate) promotions: Vec<Vec<Kind>>,
    pub(crate) castling: Option<CastlingTable<G::Bits>>,
    /// The start as its text has it, see `setup::start`.
    pub(crate) start: OnceLock<Setup<G>>,
    /// For each cell, its counterpart seen from the other side.
    pub mirrored: Vec<Cell>,
    pub(crate) zobrist: Zobrist,
    returns: OnceLock<Returns>,
}

/// One value for each cell of a game's board.
pub(crate) type PerCell<G, T> = <<G as Game>::Bits as Bits>::PerCell<T>;
/// The rays from one cell: for each axis that of smaller indices and that of larger ones.
type Rays<G> = <G as Game>::PerAxis<[<G as Game>::Bits; 2]>;
/// For one cell, those between it and each other cell of its straight lines.
pub(crate) type Between<G> = Box<PerCell<G, <G as Game>::Bits>>;

impl<G: Game> Tables<G> {
    /// Builds the tables of a game.
    ///
    /// # Panics
    /// If the data contradict themselves; each game's tests build it once.
    pub(crate) fn build() -> Self {
        let spec = G::SPEC;
        assert!(spec.pieces.len() <= MOST_KINDS, "kinds fit in four bits");
        assert_eq!(G::LEAPERS.get(0), KING, "a king leaps");
        let board = Board::new(&spec.board, G::Bits::SIZE);
        let set = |f: &dyn Fn(Cell) -> bool| {
            let mut set = CellSet::ZERO;
            for &cell in board.cells() {
                set.set(usize::from(cell), f(cell));
            }
            G::Bits::from_set(&set)
        };
        let colour_bit = |cell| 1u8 << board.colour(cell);
        let stands_on = (spec.pieces.iter())
            .map(|p| set(&|c| p.stands_on & colour_bit(c) != 0))
            .collect();
        let kinds: Vec<KindTable<G::Bits>> = (0..spec.pieces.len())
            .map(|kind| kind_table(spec, &board, kind as Kind))
            .collect();
        let lanes = LaneTables::build(
            &board,
            |kind, cell| leaps_of(spec, &board, kind, cell),
            |cell, path| walk(&board, cell, path.steps, path.reach),
        );
        let rays = rays::<G>(&board);
        let promotions = (0..G::Bits::SIZE)
            .map(|c| promotions_on(spec, &board, c as Cell))
            .collect();
        let castling = spec.castling.map(|c| CastlingTable {
            ways: (0..G::Bits::SIZE)
                .map(|king| castling_ways(&c, &board, king as Cell))
                .collect(),
            partners: (0..spec.pieces.len() as Kind)
                .filter(|&k| spec.pieces[usize::from(k)].castles)
                .collect(),
        });
        let double = G::Bits::from_set(&board.set(&spec.pawn.double_step));
        let mirrored_double = mirrored_set(spec, &board, double);
        let last_class = |kind: Kind| {
            let classes = 0..G::CLASSES.len;
            classes.rev().find(|&c| G::CLASSES.get(c) == 1 << kind)
        };
        Tables {
            spec,
            all: set(&|_| true),
            colours: (0..spec.board.colouring.count)
                .map(|colour| set(&|c| board.colour(c) == colour))
                .collect(),
            stands_on,
            leaps: G::Bits::per_cell(|cell| {
                Row::from_fn(|place| leaps_of(spec, &board, G::LEAPERS.get(place), cell))
            }),
            around: G::Bits::per_cell(|cell| {
                Row::from_fn(|place| {
                    let leaps = |c| leaps_of(spec, &board, G::LEAPERS.get(place), c);
                    around(spec, &board, cell, leaps)
                })
            }),
            // The crooked classes come behind the straight ones.
            crooked: (0..kinds.len() as Kind)
                .filter(|&k| !kinds[usize::from(k)].crooked.is_empty())
                .filter_map(|k| Some((k, last_class(k)?)))
                .collect(),
            reach: reach::<G>(&rays),
            between: between::<G>(&board),
            rays,
            lanes,
            pawns: [
                pawn_table(spec, &board, double, Side::White),
                pawn_table(spec, &board, mirrored_double, Side::Black),
            ],
            promotions,
            castling,
            start: OnceLock::new(),
            mirrored: (0..G::Bits::SIZE)
                .map(|c| mirrored_cell(spec, &board, c as Cell))
                .collect(),
            returns: OnceLock::new(),
            zobrist: Zobrist::new(spec.name, spec.pieces.len(), G::Bits::SIZE),
            kinds,
            board,
        }
    }

    /// The bytes that sliding queries in path space touch: from all cells of the board, and of one query
    /// of one word.
    pub fn lane_bytes(&self) -> (usize, usize) {
        self.lanes.bytes(self.board.cells().len())
    }

    /// Builds what otherwise is built when first asked for, so that nobody's clock pays for it.
    pub fn prepare(&self) {
        self.returns();
    }

    /// The differences of keys that one move makes; built when first asked for, as only a search asks.
    #[inline]
    pub(crate) fn returns(&self) -> &Returns {
        self.returns.get_or_init(|| Returns::build(self))
    }

    /// The cells on which a side's pawns are promoted.
    pub fn promotion_cells(&self, side: Side) -> G::Bits {
        self.pawns[side as usize].promotion_cells
    }

    /// The cells from which some step or capture of a side's pawns leads onto a promotion cell.
    pub fn before_promotion(&self, side: Side) -> G::Bits {
        self.pawns[side as usize].before_promotion
    }

    /// The cells from which a side's pawns may make a double step.
    pub fn double_step_cells(&self, side: Side) -> G::Bits {
        self.pawns[side as usize].double_cells
    }

    /// The kinds to which a pawn may promote on a cell.
    pub fn promotions_on(&self, cell: Cell) -> &[Kind] {
        &self.promotions[usize::from(cell)]
    }

    /// The number of kinds of piece.
    pub fn kinds(&self) -> usize {
        self.spec.pieces.len()
    }
}

/// All ways to castle of a king on a cell.
fn castling_ways<B: Bits>(spec: &CastlingSpec, board: &Board, king: Cell) -> Vec<CastlingWay<B>> {
    let mut ways = Vec::new();
    if !board.cells().contains(&king) {
        return ways;
    }
    for &direction in spec.directions {
        let row = walk(board, king, &[direction], UNLIMITED);
        for gap in usize::from(spec.gap)..row.len() {
            let between = row[..gap].iter();
            ways.push(CastlingWay {
                partner: row[gap],
                between: between.fold(B::EMPTY, |set, &c| set | B::of(c)),
                crossed: row[0],
                target: row[1],
            });
        }
    }
    ways
}

/// The counterpart of a cell; an index that is no cell is its own.
fn mirrored_cell(spec: &GameSpec, board: &Board, cell: Cell) -> Cell {
    if !board.cells().contains(&cell) {
        return cell;
    }
    let (a, y) = board.at(cell);
    let (a, y) = spec.mirrored(a, y);
    board
        .cell(a, y)
        .expect("the mirror maps the board on itself")
}

fn mirrored_set<B: Bits>(spec: &GameSpec, board: &Board, set: B) -> B {
    let mut out = B::EMPTY;
    for cell in set.cells() {
        out |= B::of(mirrored_cell(spec, board, cell));
    }
    out
}

/// The cells that a kind reaches over anything.
fn leaps_of<B: Bits>(spec: &GameSpec, board: &Board, kind: Kind, cell: Cell) -> B {
    let piece = &spec.pieces[usize::from(kind)];
    if !board.cells().contains(&cell) || piece.stands_on >> board.colour(cell) & 1 == 0 {
        return B::EMPTY;
    }
    let here = |p: &&Path| p.is_leap() && p.from >> board.colour(cell) & 1 != 0;
    let targets = piece.paths.iter().filter(here);
    targets
        .filter_map(|p| board.step(cell, p.steps[0]))
        .fold(B::EMPTY, |set, c| set | B::of(c))
}

/// What is seen from a cell and from the king's steps from it.
fn around<B: Bits>(spec: &GameSpec, board: &Board, cell: Cell, seen: impl Fn(Cell) -> B) -> B {
    let steps: B = leaps_of(spec, board, KING, cell);
    steps.cells().fold(seen(cell), |all, c| all | seen(c))
}

fn rays<G: Game>(board: &Board) -> Box<PerCell<G, Rays<G>>> {
    let ray = |cell, step| {
        if !board.cells().contains(&cell) {
            return G::Bits::EMPTY;
        }
        let cells = walk(board, cell, &[step], UNLIMITED);
        cells
            .iter()
            .fold(G::Bits::EMPTY, |r, &c| r | G::Bits::of(c))
    };
    G::Bits::per_cell(|cell| {
        Row::from_fn(|axis| {
            let (step, _) = G::AXES.get(axis);
            [ray(cell, neg(step)), ray(cell, step)]
        })
    })
}

fn reach<G: Game>(rays: &PerCell<G, Rays<G>>) -> Box<PerCell<G, G::PerClass<G::Bits>>> {
    G::Bits::per_cell(|cell| {
        let rays = G::Bits::at(rays, cell).as_ref();
        Row::from_fn(|class| {
            let users = |axis: &usize| {
                let (step, users) = G::AXES.get(*axis);
                users == class && !skips(step)
            };
            let axes = (0..G::AXES.len).filter(users);
            axes.fold(G::Bits::EMPTY, |u, axis| u | rays[axis][0] | rays[axis][1])
        })
    })
}

fn between<G: Game>(board: &Board) -> Box<PerCell<G, Between<G>>> {
    let axes = (0..G::AXES.len).map(|axis| G::AXES.get(axis).0);
    let steps: Vec<Step> = axes
        .filter(|&s| !skips(s))
        .flat_map(|s| [s, neg(s)])
        .collect();
    G::Bits::per_cell(|from| {
        let mut row = G::Bits::per_cell(|_| G::Bits::EMPTY);
        let here = board.cells().contains(&from);
        for step in steps.iter().filter(|_| here) {
            let mut passed = G::Bits::EMPTY;
            for cell in walk(board, from, &[*step], UNLIMITED) {
                *G::Bits::at_mut(&mut row, cell) = passed;
                passed |= G::Bits::of(cell);
            }
        }
        row
    })
}

/// The cells of a path from a cell, in walking order.
fn walk(board: &Board, from: Cell, steps: &[Step], reach: u8) -> Vec<Cell> {
    let mut out = Vec::new();
    let mut cell = from;
    for &step in steps.iter().cycle().take(usize::from(reach)) {
        match board.step(cell, step) {
            Some(next) => cell = next,
            None => break,
        }
        out.push(cell);
    }
    out
}

fn kind_table<B: Bits>(spec: &GameSpec, board: &Board, kind: Kind) -> KindTable<B> {
    let piece = &spec.pieces[usize::from(kind)];
    let mut table = KindTable {
        crooked: Vec::new(),
        reach: vec![B::EMPTY; B::SIZE],
    };
    let crooked = |p: &Path| !p.is_straight() && !p.is_leap();
    let mut all_crooked: Vec<Vec<CrookedPath<B>>> = (0..B::SIZE).map(|_| Vec::new()).collect();
    for &cell in board.cells() {
        let colour = 1 << board.colour(cell);
        if piece.stands_on & colour == 0 {
            continue;
        }
        let at = usize::from(cell);
        for path in piece.paths.iter().filter(|p| p.from & colour != 0) {
            let cells = walk(board, cell, path.steps, path.reach);
            let on_own_colours = |&c: &Cell| piece.stands_on >> board.colour(c) & 1 != 0;
            assert!(
                cells.iter().all(on_own_colours),
                "paths keep to their colours"
            );
            let walked = CrookedPath::new(cells);
            table.reach[at] |= walked.mask;
            if crooked(path) && !walked.cells.is_empty() {
                all_crooked[at].push(walked);
            }
        }
    }
    if piece.paths.iter().any(crooked) {
        table.crooked = all_crooked.into_iter().map(CrookedPaths::new).collect();
    }
    table
}

fn pawn_table<B: Bits>(
    spec: &GameSpec,
    board: &Board,
    double_cells: B,
    side: Side,
) -> PawnTable<B> {
    let turned = |&step: &Step| match side {
        Side::White => step,
        Side::Black => neg(step),
    };
    let steps: Vec<Step> = spec.pawn.steps.iter().map(turned).collect();
    let captures: Vec<Step> = spec.pawn.captures.iter().map(turned).collect();
    let attacks = |cell| {
        if !board.cells().contains(&cell) {
            return B::EMPTY;
        }
        let targets = captures.iter().filter_map(|&s| board.step(cell, s));
        targets.fold(B::EMPTY, |set, to| set | B::of(to))
    };
    let doubles = |cell| {
        if !double_cells.has(cell) {
            return B::EMPTY;
        }
        let twice = |&s: &Step| board.step(board.step(cell, s)?, s);
        let targets = steps.iter().filter_map(twice);
        targets.fold(B::EMPTY, |set, to| set | B::of(to))
    };
    let mut promotion_cells = B::EMPTY;
    for &cell in board.cells() {
        if steps.iter().all(|&s| board.step(cell, s).is_none()) {
            promotion_cells |= B::of(cell);
        }
    }
    let before_promotion = (board.cells().iter())
        .filter(|&&cell| {
            let mut targets = steps.iter().chain(&captures);
            targets.any(|&s| {
                board
                    .step(cell, s)
                    .is_some_and(|to| promotion_cells.has(to))
            })
        })
        .fold(B::EMPTY, |set, &cell| set | B::of(cell));
    assert!(
        !(before_promotion & double_cells).any(),
        "pawns near promotion make no double steps"
    );
    let set_step = |&s: &Step| SetStep::new(board, s);
    let crossed = |&s: &Step| {
        let targets = double_cells.cells().filter_map(|cell| board.step(cell, s));
        targets.fold(B::EMPTY, |set, to| set | B::of(to))
    };
    PawnTable {
        crossed: steps.iter().map(crossed).collect(),
        steps: steps.iter().map(set_step).collect(),
        captures: captures.iter().map(set_step).collect(),
        around: B::per_cell(|cell| around(spec, board, cell, attacks)),
        attacks: B::per_cell(attacks),
        doubles: B::per_cell(doubles),
        double_cells,
        before_promotion,
        promotion_cells,
    }
}

fn promotions_on(spec: &GameSpec, board: &Board, cell: Cell) -> Vec<Kind> {
    if !board.cells().contains(&cell) {
        return Vec::new();
    }
    let stands = |k: &Kind| {
        let piece = &spec.pieces[usize::from(*k)];
        piece.promotes && piece.stands_on >> board.colour(cell) & 1 != 0
    };
    let kinds = 0..spec.pieces.len() as Kind;
    kinds
        .filter(|k| *k != PAWN && *k != KING && stands(k))
        .collect()
}
