//! Moves from all positions of a block, a row at a time.
//!
//! In a row all men but those of the last group stand still. Their moves lead from row to row, from all
//! columns of one to the same columns of the other, except for columns in which a man of the last group is in
//! the way. So one addition or comparison of whole rows does the work of many positions. For the men of the
//! last group the same is done with rows and columns exchanged.

use hexmate_movegen::{KING, Kind, PAWN, Side};

use crate::blocks::Blocks;
use crate::layout::Cells;
use crate::material::MOST_MEN;
use crate::moves::NONE;
use crate::rules::Rules;
use crate::value::Rank;

/// A man that moves along a path.
struct Walk<'w> {
    /// The row that it comes from, with the cells of its men and of the kings.
    row: usize,
    cells: &'w Cells,
    man: usize,
    /// How far it has come.
    at: u8,
    /// In these columns it has been stopped before.
    stopped: &'w [u32],
}

/// What is done on the way.
trait Visit {
    /// Whether paths of a kind from a cell matter.
    fn wants(&self, _kind: Kind, _from: u8) -> bool {
        true
    }
    /// Men of the row stand on each other, or on kings.
    fn invalid(&mut self, _row: usize) {}
    /// The man may stand where it is now, which makes it row `to`.
    fn free(&mut self, _walk: &Walk<'_>, _to: usize) {}
    /// It meets another man of the row, or a king.
    fn meets(&mut self, _walk: &Walk<'_>) {}
    /// It meets a man of the columns, in one of them.
    fn crosses(&mut self, _walk: &Walk<'_>, _column: usize, _other: usize) {}
}

/// Walks all paths of a side's men of one part, from all rows of a block.
#[inline(always)]
fn walk(blocks: &Blocks<'_>, part: usize, side: Side, block: usize, visit: &mut impl Visit) {
    let (own, others) = (&blocks.parts[part], &blocks.parts[1 - part]);
    let mut stopped = Vec::new();
    let mut is_stopped = vec![false; others.ways.len()];
    for row in 0..own.ways.len() {
        let mut cells = own.ways[row];
        [cells[0], cells[1]] = blocks.game.layout.pairs()[block];
        let Some(occupied) = blocks.game.occupied_by(&cells, own.men.clone()) else {
            visit.invalid(row);
            continue;
        };
        for mover in &own.movers[side as usize] {
            let from = cells[mover.man];
            if !visit.wants(mover.kind, from) {
                continue;
            }
            let ways = blocks.ways_of(mover, &cells);
            let rest = row - ways[usize::from(from)] as usize;
            for path in blocks.game.rules.paths(mover.kind, from) {
                for &at in path {
                    let walk = Walk {
                        row,
                        cells: &cells,
                        man: mover.man,
                        at,
                        stopped: &stopped,
                    };
                    if occupied.has(at) {
                        visit.meets(&walk);
                        break;
                    }
                    visit.free(&walk, rest + ways[usize::from(at)] as usize);
                    let standing = &others.standing[usize::from(at)];
                    for &(column, other) in standing {
                        if !is_stopped[column as usize] {
                            visit.crosses(&walk, column as usize, other.into());
                        }
                    }
                    for &(column, _) in standing {
                        if !std::mem::replace(&mut is_stopped[column as usize], true) {
                            stopped.push(column);
                        }
                    }
                }
                for column in stopped.drain(..) {
                    is_stopped[column as usize] = false;
                }
            }
        }
    }
}

/// Rows become columns.
fn exchanged<T: Copy>(matrix: &[T], columns: usize) -> Vec<T> {
    let rows = matrix.len() / columns;
    let mut out = Vec::with_capacity(matrix.len());
    for column in 0..columns {
        out.extend((0..rows).map(|row| matrix[row * columns + column]));
    }
    out
}

/// Adds up rows.
struct Sum<'s, V, A, F> {
    columns: usize,
    values: &'s [V],
    sums: &'s mut [A],
    add: F,
    kept: Vec<A>,
}

impl<V: Copy, A: Copy, F: Fn(A, V) -> A> Visit for Sum<'_, V, A, F> {
    #[inline(always)]
    fn free(&mut self, walk: &Walk<'_>, to: usize) {
        let sums = &mut self.sums[walk.row * self.columns..][..self.columns];
        let values = &self.values[to * self.columns..][..self.columns];
        let stopped = || walk.stopped.iter().map(|&column| column as usize);
        self.kept.clear();
        self.kept.extend(stopped().map(|column| sums[column]));
        for (sum, &value) in sums.iter_mut().zip(values) {
            *sum = (self.add)(*sum, value);
        }
        for (column, &kept) in stopped().zip(&self.kept) {
            sums[column] = kept;
        }
    }
}

/// For each position of a block, adds the values of the positions that moves without capture lead to.
/// `values` are those of all blocks; those of invalid positions must not matter.
pub(crate) fn add_moves<V: Copy, A: Copy>(
    blocks: &Blocks<'_>,
    side: Side,
    block: usize,
    values: &[V],
    sums: &mut [A],
    add: impl Fn(A, V) -> A + Copy,
) {
    let ways = sums.len();
    let (rows, columns) = blocks.shape();
    for king in blocks.king_moves(side, block) {
        let values = &values[king.block * ways..][..ways];
        if king.there == 0 {
            for (sum, &value) in sums.iter_mut().zip(values) {
                *sum = add(*sum, value);
            }
            continue;
        }
        let [turned_rows, turned_columns] = blocks.turns(king.there);
        for (sums, &row) in sums.chunks_mut(columns).zip(turned_rows) {
            let values = &values[row as usize * columns..][..columns];
            for (sum, &column) in sums.iter_mut().zip(turned_columns) {
                *sum = add(*sum, values[column as usize]);
            }
        }
    }
    let values = &values[block * ways..][..ways];
    let mut sum = Sum {
        columns,
        values,
        sums,
        add,
        kept: Vec::new(),
    };
    walk(blocks, 0, side, block, &mut sum);
    if blocks.parts[1].movers[side as usize].is_empty() {
        return;
    }
    let mut turned = exchanged(sum.sums, columns);
    let mut sum = Sum {
        columns: rows,
        values: &exchanged(values, columns),
        sums: &mut turned,
        add,
        kept: Vec::new(),
    };
    walk(blocks, 1, side, block, &mut sum);
    sums.copy_from_slice(&exchanged(&turned, rows));
}

/// Marks invalid positions, and those with the other side in check.
struct Attacks<'a> {
    rules: &'a Rules,
    columns: usize,
    invalid: &'a mut [bool],
    king: u8,
    kept: Vec<bool>,
}

impl Visit for Attacks<'_> {
    #[inline(always)]
    fn wants(&self, kind: Kind, from: u8) -> bool {
        self.rules.sees(kind, from, self.king)
    }

    fn invalid(&mut self, row: usize) {
        self.invalid[row * self.columns..][..self.columns].fill(true);
    }

    #[inline(always)]
    fn meets(&mut self, walk: &Walk<'_>) {
        if walk.at != self.king {
            return;
        }
        let row = &mut self.invalid[walk.row * self.columns..][..self.columns];
        let stopped = || walk.stopped.iter().map(|&column| column as usize);
        self.kept.clear();
        self.kept.extend(stopped().map(|column| row[column]));
        row.fill(true);
        for (column, &kept) in stopped().zip(&self.kept) {
            row[column] = kept;
        }
    }
}

/// For each position of a block, whether it is invalid or has the other side in check, given the side to
/// move.
pub(crate) fn invalid(blocks: &Blocks<'_>, side: Side, block: usize) -> Vec<bool> {
    let (rows, columns) = blocks.shape();
    let king = blocks.game.layout.pairs()[block][side.other() as usize];
    let mut invalid = vec![false; rows * columns];
    let [of_rows, of_columns] = &blocks.parts;
    for (row, cells) in of_rows.ways.iter().enumerate() {
        for &cell in &cells[of_rows.men.clone()] {
            for &(column, _) in &of_columns.standing[usize::from(cell)] {
                invalid[row * columns + column as usize] = true;
            }
        }
    }
    for part in [0, 1] {
        let columns = blocks.parts[1 - part].ways.len();
        let mut attacks = Attacks {
            rules: &blocks.game.rules,
            columns,
            invalid: &mut invalid,
            king,
            kept: Vec::new(),
        };
        walk(blocks, part, side, block, &mut attacks);
        invalid = exchanged(&invalid, columns);
    }
    invalid
}

/// Finds the best captures.
struct Captures<'c, 'g> {
    blocks: &'c Blocks<'g>,
    part: usize,
    side: Side,
    after: &'c After,
    best: &'c mut [Rank],
}

impl Captures<'_, '_> {
    /// Captures a man, given the men of the row.
    fn capture(&mut self, walk: &Walk<'_>, column: usize, victim: usize) {
        let mut cells = *walk.cells;
        self.blocks.parts[1 - self.part].place(column, &mut cells);
        cells[walk.man] = walk.at;
        let columns = self.blocks.parts[1].ways.len();
        let at = match self.part {
            0 => walk.row * columns + column,
            _ => column * columns + walk.row,
        };
        self.best[at] = self.best[at].max(self.after.rank(&cells, victim));
    }

    fn is_enemy(&self, man: usize) -> bool {
        self.blocks.game.layout.men()[man].side != self.side
    }
}

impl Visit for Captures<'_, '_> {
    fn meets(&mut self, walk: &Walk<'_>) {
        let mut men = self.blocks.parts[self.part].men.clone();
        let victim = men.find(|&man| walk.cells[man] == walk.at && self.is_enemy(man));
        if let Some(victim) = victim {
            for column in 0..self.blocks.parts[1 - self.part].ways.len() {
                if !walk.stopped.contains(&(column as u32)) {
                    self.capture(walk, column, victim);
                }
            }
        }
    }

    fn crosses(&mut self, walk: &Walk<'_>, column: usize, other: usize) {
        if self.is_enemy(other) {
            self.capture(walk, column, other);
        }
    }
}

/// The rank of the best capture in each position of a block, [`Rank::NONE`] where there is none.
pub(crate) fn best_captures(blocks: &Blocks<'_>, side: Side, block: usize) -> Vec<Rank> {
    let (rows, columns) = blocks.shape();
    let mut best = vec![Rank::NONE; rows * columns];
    let layout = &blocks.game.layout;
    let is_enemy = |man: u8| layout.men()[usize::from(man)].side != side;
    if layout.of_side(side.other()).count() == 1 {
        return best;
    }
    let after = After::new(blocks, side, block);
    for part in [0, 1] {
        let mut captures = Captures {
            blocks,
            part,
            side,
            after: &after,
            best: &mut best,
        };
        walk(blocks, part, side, block, &mut captures);
    }
    let mut by_king = |row: usize, column: usize, victim: usize| {
        let code = blocks.after_capture(
            side,
            &blocks.cells(block, row * columns + column),
            side as usize,
            victim,
        );
        let best = &mut best[row * columns + column];
        *best = (*best).max(Rank::after(code));
    };
    for king in blocks.king_moves(side, block) {
        let [in_rows, in_columns] = blocks
            .parts
            .each_ref()
            .map(|p| &p.standing[usize::from(king.to)]);
        for &(row, man) in in_rows.iter().filter(|&&(_, man)| is_enemy(man)) {
            (0..columns).for_each(|column| by_king(row as usize, column, man.into()));
        }
        for &(column, man) in in_columns.iter().filter(|&&(_, man)| is_enemy(man)) {
            (0..rows).for_each(|row| by_king(row, column as usize, man.into()));
        }
    }
    best
}

/// The codes, in other tables, of the positions after the captures in a block other than the king's, by the
/// cells of the men that are left (after the king's captures there would be too many different ones).
struct After {
    /// For each victim.
    ranks: [Vec<Rank>; MOST_MEN],
    /// By victim, what the cell of each man adds to the number of an entry.
    strides: [[usize; MOST_MEN]; MOST_MEN],
}

impl After {
    fn new(blocks: &Blocks<'_>, side: Side, block: usize) -> After {
        let (game, layout) = (blocks.game, &blocks.game.layout);
        let size = game.rules.size();
        let mut after = After {
            ranks: Default::default(),
            strides: [[0; MOST_MEN]; MOST_MEN],
        };
        // A lone king does not need this.
        if layout
            .of_side(side)
            .all(|man| layout.men()[man].kind == KING)
        {
            return after;
        }
        let mut cells = blocks.cells(block, 0);
        for victim in layout.of_side(side.other()).filter(|&man| man >= 2) {
            let strides = &mut after.strides[victim];
            let mut count = 1;
            for man in (2..layout.men().len()).filter(|&man| man != victim) {
                strides[man] = count;
                count *= size;
            }
            let entries = (0..count).map(|entry| {
                for man in (2..MOST_MEN).filter(|&man| strides[man] > 0) {
                    cells[man] = (entry / strides[man] % size) as u8;
                }
                Rank::after(game.beyond(NONE, PAWN, victim, side.other(), &cells))
            });
            after.ranks[victim] = entries.collect();
        }
        after
    }

    /// After the capture of a man, which has led to these cells.
    #[inline(always)]
    fn rank(&self, cells: &Cells, victim: usize) -> Rank {
        let strides = self.strides[victim].iter();
        let entry = strides
            .zip(cells)
            .map(|(stride, &cell)| stride * usize::from(cell));
        self.ranks[victim][entry.sum::<usize>()]
    }
}
