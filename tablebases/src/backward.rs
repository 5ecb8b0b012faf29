//! The newly settled positions of a ply, and their predecessors, a row of a block at a time.
//!
//! As in [`rows`](crate::rows), the men of a row move along the same paths from all of its positions, except
//! for the columns in which another man is in the way. Usually few positions of a row are new at a time, so
//! they are kept as lists; many are handled as a row of ones and zeros.

use hexmate_movegen::Side;
use rayon::prelude::*;

use crate::blocks::Blocks;
use crate::value::Code;

/// The positions of one side to move that have the code of a ply.
pub(crate) struct Frontier {
    /// A bit for each, with each row in its own words.
    bits: Vec<u64>,
    /// How many there are in each block; if none, its bits are undefined.
    counts: Vec<usize>,
    columns: usize,
    /// Words per row, and per block.
    row: usize,
    block: usize,
}

impl Frontier {
    pub fn new(blocks: &Blocks<'_>) -> Frontier {
        let (rows, columns) = blocks.shape();
        let row = columns.div_ceil(64);
        Frontier {
            bits: vec![0; blocks.len() * rows * row],
            counts: vec![0; blocks.len()],
            columns,
            row,
            block: rows * row,
        }
    }

    /// Collects all positions with a code; `may_have` says of each block whether it may have any.
    pub fn take(&mut self, codes: &[Code], now: Code, may_have: impl Fn(usize) -> bool + Sync) {
        let (columns, row) = (self.columns, self.row);
        let codes = codes.par_chunks(codes.len() / self.counts.len());
        let bits = self.bits.par_chunks_mut(self.block);
        let all = bits.zip(&mut self.counts).zip(codes).enumerate();
        all.for_each(|(block, ((bits, count), codes))| {
            *count = 0;
            if !may_have(block) {
                return;
            }
            for (bits, codes) in bits.chunks_mut(row).zip(codes.chunks(columns)) {
                for (word, codes) in bits.iter_mut().zip(codes.chunks(64)) {
                    *word = 0;
                    // Most have none, and this is checked many codes at a time.
                    if codes
                        .iter()
                        .fold(false, |found, &code| found | (code == now))
                    {
                        for (i, &code) in codes.iter().enumerate() {
                            *word |= u64::from(code == now) << i;
                        }
                        *count += word.count_ones() as usize;
                    }
                }
            }
        });
    }

    pub fn is_empty(&self, block: usize) -> bool {
        self.counts[block] == 0
    }

    /// Calls `visit` with the row and column of each.
    #[inline(always)]
    fn each(&self, block: usize, mut visit: impl FnMut(usize, usize)) {
        let bits = &self.bits[block * self.block..][..self.block];
        for (at, row) in bits.chunks(self.row).enumerate() {
            for (i, &word) in row.iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    visit(at, 64 * i + left.trailing_zeros() as usize);
                    left &= left - 1;
                }
            }
        }
    }
}

/// The positions of a block that are in a frontier, as lists of columns by row.
#[derive(Default)]
struct Lists {
    /// Where the list of each row starts, and where the last one ends.
    starts: Vec<u32>,
    columns: Vec<u32>,
}

impl Lists {
    /// Takes the positions of a block; `turn` maps row and column in the block to those in these lists.
    #[inline(always)]
    fn fill(
        &mut self,
        rows: usize,
        frontier: &Frontier,
        block: usize,
        turn: impl Fn(usize, usize) -> (usize, usize),
    ) {
        self.starts.clear();
        self.starts.resize(rows + 2, 0);
        frontier.each(block, |row, column| {
            self.starts[turn(row, column).0 + 2] += 1;
        });
        for row in 2..self.starts.len() {
            self.starts[row] += self.starts[row - 1];
        }
        self.columns.resize(self.starts[rows + 1] as usize, 0);
        frontier.each(block, |row, column| {
            let (row, column) = turn(row, column);
            let next = &mut self.starts[row + 1];
            self.columns[*next as usize] = column as u32;
            *next += 1;
        });
    }

    fn row(&self, row: usize) -> &[u32] {
        &self.columns[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// Scratch memory for the work on a block.
#[derive(Default)]
pub(crate) struct Backward {
    lists: Lists,
    /// The columns of a row that are left.
    left: Vec<u32>,
    /// The same as a one for each, and the columns that are not left.
    ones: Vec<u8>,
    stopped: Vec<u32>,
    /// Marks with rows and columns exchanged.
    exchanged: Vec<u8>,
}

/// If at least one position in this many is new, all are handled together, though most of them in vain.
const MANY: usize = 16;

impl Backward {
    /// Marks each position of a block from which a move of `side` without capture leads to the frontier, once
    /// for each such move or once for several: `mark` is given what is there and a number of moves.
    #[inline(always)]
    pub fn mark(
        &mut self,
        blocks: &Blocks<'_>,
        side: Side,
        block: usize,
        frontier: &Frontier,
        marks: &mut [u8],
        mark: impl Fn(u8, u8) -> u8 + Copy,
    ) {
        let (rows, columns) = blocks.shape();
        for king in blocks.king_moves(side, block) {
            if !frontier.is_empty(king.block) {
                let [turned_rows, turned_columns] = blocks.turns(king.back);
                frontier.each(king.block, |row, column| {
                    let row = turned_rows[row] as usize * columns;
                    let at = &mut marks[row + turned_columns[column] as usize];
                    *at = mark(*at, 1);
                });
            }
        }
        if frontier.is_empty(block) {
            return;
        }
        let has_movers = |part: usize| !blocks.parts[part].movers[side as usize].is_empty();
        if has_movers(0) {
            let straight = |row, column| (row, column);
            self.lists.fill(rows, frontier, block, straight);
            self.mark_part(blocks, 0, side, block, marks, (columns, 1), mark);
        }
        if !has_movers(1) {
            return;
        }
        let exchanged = |row, column| (column, row);
        self.lists.fill(columns, frontier, block, exchanged);
        if frontier.counts[block] * MANY < marks.len() {
            self.mark_part(blocks, 1, side, block, marks, (1, columns), mark);
            return;
        }
        // Whole rows, which are columns of `marks`.
        let mut exchanged = std::mem::take(&mut self.exchanged);
        exchanged.clear();
        exchanged.resize(marks.len(), 0);
        let add = |there: u8, moves: u8| there + moves;
        self.mark_part(blocks, 1, side, block, &mut exchanged, (rows, 1), add);
        for (row, marks) in marks.chunks_mut(columns).enumerate() {
            for (column, there) in marks.iter_mut().enumerate() {
                *there = mark(*there, exchanged[column * rows + row]);
            }
        }
        self.exchanged = exchanged;
    }

    /// The same for the moves of the men of one part, whose ways are the rows of `self.lists`; `strides` are
    /// those of rows and columns in `marks`.
    #[allow(clippy::too_many_arguments)] // shapes, and what to do
    #[inline(always)]
    fn mark_part(
        &mut self,
        blocks: &Blocks<'_>,
        part: usize,
        side: Side,
        block: usize,
        marks: &mut [u8],
        strides: (usize, usize),
        mark: impl Fn(u8, u8) -> u8,
    ) {
        let (own, others) = (&blocks.parts[part], &blocks.parts[1 - part]);
        let columns = others.ways.len();
        for row in 0..own.ways.len() {
            let list = self.lists.row(row);
            if list.is_empty() {
                continue;
            }
            let mut cells = own.ways[row];
            [cells[0], cells[1]] = blocks.game.layout.pairs()[block];
            let Some(occupied) = blocks.game.occupied_by(&cells, own.men.clone()) else {
                continue;
            };
            let dense = strides.1 == 1 && list.len() * MANY > columns;
            if dense {
                self.ones.clear();
                self.ones.resize(columns, 0);
                list.iter().for_each(|&c| self.ones[c as usize] = 1);
            }
            for mover in &own.movers[side as usize] {
                let ways = blocks.ways_of(mover, &cells);
                let from = cells[mover.man];
                let rest = row - ways[usize::from(from)] as usize;
                for path in blocks.game.rules.paths(mover.kind, from) {
                    let path = path.iter().take_while(|&&at| !occupied.has(at));
                    let targets = path.map(|&at| (at, rest + ways[usize::from(at)] as usize));
                    if dense {
                        for (at, target) in targets {
                            let row = &mut marks[target * columns..][..columns];
                            for (there, &one) in row.iter_mut().zip(&self.ones) {
                                *there = mark(*there, one);
                            }
                            for &(column, _) in &others.standing[usize::from(at)] {
                                if std::mem::take(&mut self.ones[column as usize]) == 1 {
                                    self.stopped.push(column);
                                }
                            }
                        }
                        for column in self.stopped.drain(..) {
                            self.ones[column as usize] = 1;
                        }
                        continue;
                    }
                    self.left.clear();
                    self.left.extend(list);
                    for (at, target) in targets {
                        let mut kept = 0;
                        for i in 0..self.left.len() {
                            let column = self.left[i];
                            let there = target * strides.0 + column as usize * strides.1;
                            marks[there] = mark(marks[there], 1);
                            let cells = &others.ways[column as usize];
                            let stands = others.men.clone().any(|man| cells[man] == at);
                            self.left[kept] = column;
                            kept += usize::from(!stands);
                        }
                        self.left.truncate(kept);
                    }
                }
            }
        }
    }
}
