//! A game that was read, on its board: what its pieces reach from a cell, the other side's counterparts.

use super::words::cells_of;
use crate::board::Board;
use crate::rules::spec::{CellRule, GameSpec, Mirror, Path, Step};
use crate::rules::{Kind, PAWN, Piece, Side};
use crate::sets::Cell;

/// A piece for each index of a cell.
pub(super) type Array = Vec<Option<Piece>>;

/// The cell that a cell is for the other side, if the map leads to a cell.
pub(super) fn counterpart(board: &Board, mirror: &Mirror, cell: Cell) -> Option<Cell> {
    let (a, y) = board.at(cell);
    let image = |m: (i8, i8, i8)| m.0 * a + m.1 * y + m.2;
    board.cell(image(mirror.a), image(mirror.y))
}

/// A game on its board.
pub(super) struct Geometry<'s> {
    pub spec: &'s GameSpec,
    pub board: &'s Board,
}

impl Geometry<'_> {
    /// The counterpart of a cell, if the map leads to a cell.
    pub fn mirrored(&self, cell: Cell) -> Option<Cell> {
        counterpart(self.board, &self.spec.mirror, cell)
    }

    /// The direction that a step has for the other side.
    pub fn turned(&self, (da, dy): Step) -> Step {
        let m = self.spec.mirror;
        (m.a.0 * da + m.a.1 * dy, m.y.0 * da + m.y.1 * dy)
    }

    /// Whether a kind may stand on a cell.
    pub fn stands(&self, kind: Kind, cell: Cell) -> bool {
        let piece = &self.spec.pieces[usize::from(kind)];
        piece.stands_on >> self.board.colour(cell) & 1 != 0
    }

    /// The cells of a path from a cell, in walking order.
    pub fn walk(&self, from: Cell, path: &Path) -> Vec<Cell> {
        let mut cells = Vec::new();
        let mut at = from;
        for &step in path.steps.iter().cycle().take(usize::from(path.reach)) {
            match self.board.step(at, step) {
                Some(next) => at = next,
                None => break,
            }
            cells.push(at);
            // No path that is allowed is as long as the board has cells.
            if cells.len() > self.board.cells().len() {
                break;
            }
        }
        cells
    }

    /// The paths of a kind from a cell, with their cells.
    pub fn walks(&self, kind: Kind, from: Cell) -> Vec<(&'static Path, Vec<Cell>)> {
        if !self.stands(kind, from) {
            return Vec::new();
        }
        let here = 1 << self.board.colour(from);
        let paths = self.spec.pieces[usize::from(kind)].paths.iter();
        paths
            .filter(|p| p.from & here != 0)
            .map(|p| (p, self.walk(from, p)))
            .filter(|(_, cells)| !cells.is_empty())
            .collect()
    }

    /// The cell that some steps lead to.
    pub fn after(&self, from: Cell, step: Step, times: u8) -> Option<Cell> {
        (0..times).try_fold(from, |cell, _| self.board.step(cell, step))
    }

    /// Where a white pawn on a cell captures.
    pub fn captures(&self, from: Cell) -> Vec<Cell> {
        let pawn = &self.spec.pawn;
        let first = pawn.first.iter().filter(|f| self.rule_has(&f.cells, from));
        let extra = first.flat_map(|f| f.captures);
        let all = pawn.captures.iter().chain(extra);
        all.filter_map(|&s| self.board.step(from, s)).collect()
    }

    /// Whether a rule names a cell.
    pub fn rule_has(&self, rule: &CellRule, cell: Cell) -> bool {
        cells_of(self.board, rule).contains(&cell)
    }

    /// Where White's pawns are promoted.
    pub fn promotion_cells(&self) -> Vec<Cell> {
        if let Some(rule) = &self.spec.pawn.promotes_on {
            return cells_of(self.board, rule);
        }
        let cells = self.board.cells().iter().copied();
        let stuck = |&c: &Cell| {
            let steps = self.spec.pawn.steps.iter();
            steps.clone().all(|&s| self.board.step(c, s).is_none())
        };
        cells.filter(stuck).collect()
    }

    /// The pieces of the other side that attack a cell.
    pub fn attacker(&self, array: &Array, target: Cell, by: Side) -> Option<Cell> {
        let attacks = |from: Cell| {
            let Some(piece) = array[usize::from(from)].filter(|p| p.side == by) else {
                return false;
            };
            if piece.kind == PAWN {
                // Black's pawns are White's on the mirrored board.
                let (from, target) = match by {
                    Side::White => (Some(from), Some(target)),
                    Side::Black => (self.mirrored(from), self.mirrored(target)),
                };
                return from
                    .zip(target)
                    .is_some_and(|(from, target)| self.captures(from).contains(&target));
            }
            let seen = |(_, cells): (&Path, Vec<Cell>)| {
                let end = cells.iter().position(|&c| array[usize::from(c)].is_some());
                let seen = end.map_or(&cells[..], |end| &cells[..=end]);
                seen.contains(&target)
            };
            self.walks(piece.kind, from).into_iter().any(seen)
        };
        self.board.cells().iter().copied().find(|&c| attacks(c))
    }
}
