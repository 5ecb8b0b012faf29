//! A step of all cells of a set at once, as data of one board.

use crate::board::Board;
use crate::rules::spec::Step;
use crate::sets::{Bits, Cell, CellSet};

/// A step of every cell at once.
pub struct SetStep<B: Bits> {
    /// All cells that the step does not lead off the board.
    pub sources: B,
    /// Sources whose targets are in the same 64 bits of the set, and those targets.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // for a backend of x86-64
    pub staying: [B; 2],
    /// Sources whose targets are in other 64 bits, and those targets.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // for a backend of x86-64
    pub changing: [B; 2],
    /// Sources and the difference of indices, by difference: one part where the numbering is regular.
    parts: Vec<(B, i32)>,
    /// For each target cell the source, or itself where the source is off the board.
    back: Box<B::PerCell<Cell>>,
}

impl<B: Bits> SetStep<B> {
    pub(super) fn new(board: &Board, step: Step) -> Self {
        let all = board
            .cells()
            .iter()
            .fold(B::EMPTY, |all, &c| all | B::of(c));
        Self::from_cells(board, step, all)
    }

    /// A step of pieces on certain cells only.
    pub(super) fn from_cells(board: &Board, step: Step, cells: B) -> Self {
        let step = |from: Cell| {
            let may = cells.has(from);
            may.then(|| board.step(from, step)).flatten()
        };
        let mut parts: Vec<(CellSet, i32)> = Vec::new();
        for &from in board.cells() {
            let Some(to) = step(from) else {
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
            let both = |&from: &Cell| Some((from, step(from)?));
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
                let from = cells.copied().find(|&c| step(c) == Some(to));
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

    /// All cells of the set after the step; those that leave the board are lost. Where speed matters, use
    /// [`PawnStep`](super::PawnStep).
    #[inline(always)]
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
