//! Where a piece goes, path by path, and what ends each path: to be shown to people, so nothing here is fast.

use crate::games::AnyPosition;
use crate::rules::spec::{Step, neg};
use crate::rules::{EnPassant, PAWN, Piece, Side};
use crate::sets::Cell;

/// What a piece does on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WayOfGoing {
    /// It goes and captures: all pieces but pawns.
    Move,
    /// A pawn steps onto empty cells.
    Step,
    /// A pawn captures what stands on the cell.
    Capture,
    /// A pawn captures another one that has just crossed the cell.
    EnPassant,
}

/// Why a path is not longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathEnd {
    /// The board ends.
    Edge,
    /// The piece goes no further.
    Reach,
    /// A piece of its own side stands there.
    Own(Cell),
    /// An enemy stands there. It can be captured, unless the path is a pawn's steps.
    Enemy(Cell),
    /// There is nothing to capture.
    Empty,
}

/// One path of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachPath {
    /// What it is for.
    pub way: WayOfGoing,
    /// All its cells on an empty board, in order; at least one.
    pub cells: Vec<Cell>,
    /// How many of them, from the first, are empty.
    pub open: usize,
    /// What ends it.
    pub end: PathEnd,
}

/// All paths of a piece from a cell, whatever stands there, by the rules of its kind alone: whether its own king would
/// be in check is not asked, and castling is no path.
///
/// ```
/// use hexmate_movegen::{AnyPosition, GameId, PathEnd, reach};
///
/// let start = AnyPosition::start(GameId::Glinski);
/// let bishop = start.board().parse_cell("f3").unwrap();
/// let paths = reach(&start, start.piece_on(bishop).unwrap(), bishop);
/// // Of its six diagonals two lead to the edge at once, and two are open to cells behind the pawns.
/// let open: Vec<usize> = paths.iter().map(|path| path.open).collect();
/// assert_eq!(open.iter().sum::<usize>(), 2);
/// assert!(paths.iter().any(|path| matches!(path.end, PathEnd::Own(_))));
/// ```
///
/// # Panics
/// If the board has no such cell or the game no such kind.
pub fn reach(position: &AnyPosition, piece: Piece, from: Cell) -> Vec<ReachPath> {
    position.assert_cell(from);
    if piece.kind == PAWN {
        return pawn(position, piece.side, from);
    }
    let (board, spec) = (position.board(), position.spec());
    let colour = 1 << board.colour(from);
    let paths = spec.pieces[usize::from(piece.kind)].paths.iter();
    let mut found = Vec::new();
    for path in paths.filter(|path| path.from & colour != 0) {
        let most = usize::from(path.reach);
        let cells = walk(position, from, path.steps.iter().cycle().take(most));
        if cells.is_empty() {
            continue;
        }
        let full = if cells.len() == most {
            PathEnd::Reach
        } else {
            PathEnd::Edge
        };
        found.push(ended(position, WayOfGoing::Move, piece.side, cells, full));
    }
    found
}

/// The cells that steps lead over, as far as the board goes.
fn walk<'s>(
    position: &AnyPosition,
    from: Cell,
    steps: impl Iterator<Item = &'s Step>,
) -> Vec<Cell> {
    let steps = steps.scan(from, |at, &step| {
        *at = position.board().step(*at, step)?;
        Some(*at)
    });
    steps.collect()
}

/// A path that ends at the first piece, or as it would on an empty board.
fn ended(
    position: &AnyPosition,
    way: WayOfGoing,
    side: Side,
    cells: Vec<Cell>,
    full: PathEnd,
) -> ReachPath {
    let first = cells
        .iter()
        .position(|&cell| position.piece_on(cell).is_some());
    let end = first.map_or(full, |at| barred(position, side, cells[at]));
    ReachPath {
        way,
        open: first.unwrap_or(cells.len()),
        cells,
        end,
    }
}

/// The end of a path at an occupied cell.
fn barred(position: &AnyPosition, side: Side, cell: Cell) -> PathEnd {
    match position.piece_on(cell) {
        Some(piece) if piece.side == side => PathEnd::Own(cell),
        Some(_) => PathEnd::Enemy(cell),
        None => PathEnd::Empty,
    }
}

fn pawn(position: &AnyPosition, side: Side, from: Cell) -> Vec<ReachPath> {
    let (board, rules) = (position.board(), &position.spec().pawn);
    let forward = |step: Step| match side {
        Side::White => step,
        Side::Black => neg(step),
    };
    let seen = position.seen_by(side, from);
    let moved = position.is_moved_pawn(from);
    let first = rules
        .first
        .iter()
        .find(|first| board.set(&first.cells)[usize::from(seen)])
        .filter(|_| !(moved && rules.remembers_first_move));
    let most = first.map_or(1, |first| usize::from(first.steps));
    let ahead = |step: &Step| board.step(from, forward(*step));
    let enemy = |&cell: &Cell| position.piece_on(cell).is_some_and(|p| p.side != side);
    let bar = rules.steps.iter().filter_map(ahead).find(enemy);
    let bar = bar.filter(|_| rules.blocked_by_enemy);
    let mut found = Vec::new();
    for &step in rules.steps {
        let steps = [forward(step)];
        let cells = walk(position, from, steps.iter().cycle().take(most));
        if cells.is_empty() {
            continue;
        }
        let full = if cells.len() == most {
            PathEnd::Reach
        } else {
            PathEnd::Edge
        };
        let mut path = ended(position, WayOfGoing::Step, side, cells, full);
        if let Some(bar) = bar {
            (path.open, path.end) = (0, PathEnd::Enemy(bar));
        }
        found.push(path);
    }
    let passing = en_passant(position, side);
    let extra = first.map_or(&[][..], |first| first.captures);
    let captures = rules.captures.iter().chain(extra);
    for cell in captures.filter_map(ahead) {
        let end = barred(position, side, cell);
        let passed = passing.filter(|passing| passing.crosses(cell) && end == PathEnd::Empty);
        found.push(ReachPath {
            way: match passed {
                Some(_) => WayOfGoing::EnPassant,
                None => WayOfGoing::Capture,
            },
            cells: vec![cell],
            open: 0,
            end: passed.map_or(end, |passed| PathEnd::Enemy(passed.stands)),
        });
    }
    found
}

/// The pawn that a side may capture en passant now.
fn en_passant(position: &AnyPosition, side: Side) -> Option<EnPassant> {
    let passing = position.en_passant();
    passing.filter(|_| position.side_to_move() == side)
}
