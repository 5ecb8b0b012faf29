//! Zobrist keys: one random word for each fact of a position, combined by exclusive or.

use crate::rules::{Kind, Side};
use crate::sets::Cell;

/// The words of one game. They are the same in every run and on every machine, and differ from game to game, so
/// that an entry of a transposition table is never taken for a position of another game.
pub(crate) struct Zobrist {
    pieces: Vec<u64>,
    cells: usize,
    rights: Vec<u64>,
    moved: Vec<u64>,
    en_passant: Vec<u64>,
    pub black_to_move: u64,
}

impl Zobrist {
    pub fn new(game: &str, kinds: usize, cells: usize) -> Self {
        let mut state = game.bytes().fold(0, |seed: u64, byte| {
            let mut state = seed ^ u64::from(byte);
            split_mix(&mut state)
        });
        let mut words = |n: usize| (0..n).map(|_| split_mix(&mut state)).collect::<Vec<_>>();
        Zobrist {
            pieces: words(2 * kinds * cells),
            cells,
            rights: words(cells),
            moved: words(cells),
            en_passant: words(cells),
            black_to_move: words(1)[0],
        }
    }

    #[inline(always)]
    pub fn piece(&self, kind: Kind, side: Side, cell: Cell) -> u64 {
        let row = usize::from(kind) * 2 + side as usize;
        self.pieces[row * self.cells + usize::from(cell)]
    }

    #[inline(always)]
    pub fn right(&self, cell: Cell) -> u64 {
        self.rights[usize::from(cell)]
    }

    #[inline(always)]
    pub fn moved(&self, cell: Cell) -> u64 {
        self.moved[usize::from(cell)]
    }

    /// Of the crossed cell and the pawn's: two double steps may cross the same cell.
    #[inline(always)]
    pub fn en_passant(&self, crossed: Cell, stands: Cell) -> u64 {
        self.en_passant[usize::from(crossed)] ^ self.en_passant[usize::from(stands)].rotate_left(32)
    }
}

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
