//! What a word that holds a set of cells can do.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use bitvec::array::BitArray;
use bitvec::field::BitField;
use bitvec::order::Lsb0;

/// The index of a cell on its board: below 128 or 256, the size of the board's [`Bits`].
pub type Cell = u8;

/// A set of cells under construction: ordinary indexing and iteration, for tables and descriptions.
/// The hot code never sees one; it is turned into [`Bits`] once.
pub type CellSet = BitArray<[usize; 256 / usize::BITS as usize], Lsb0>;

/// A set of cells as one wide machine word.
pub trait Bits:
    Copy
    + Eq
    + Debug
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + 'static
{
    /// One value for each cell index.
    type PerCell<T>;
    /// One byte for each cell index.
    type Bytes: Copy + Eq + Debug + Send + Sync + AsRef<[u8]> + AsMut<[u8]>;
    /// The numbers of cells of many sets, added up: by parts of the word where that makes vectors.
    type Tally: Copy + Default;
    /// The number of bits, hence the largest board.
    const SIZE: usize;
    /// The empty set.
    const EMPTY: Self;
    /// A byte array of zeros.
    const ZERO_BYTES: Self::Bytes;

    /// The set of one cell.
    fn of(cell: Cell) -> Self;
    /// The number of cells in the set.
    fn count(self) -> u32;
    /// Adds the number of cells in the set.
    fn tally(self, tally: &mut Self::Tally);
    /// The number of cells of all sets that were added.
    fn total(tally: Self::Tally) -> u32;
    /// Whether the set has a cell at all.
    fn any(self) -> bool;
    /// The lowest cell of a set that is not empty.
    fn first(self) -> Cell;
    /// The set without its lowest cell.
    fn without_first(self) -> Self;
    /// All cells `n` indices up; what leaves the word is lost.
    fn shift_up(self, n: u32) -> Self;
    /// All cells `n` indices down; what leaves the word is lost.
    fn shift_down(self, n: u32) -> Self;
    /// Every index from the highest member of `lower` to the lowest member of `self`, both included,
    /// for `lower` wholly below `self`; from index 0 where `lower` is empty, to the top where `self` is
    /// ("obstruction difference").
    fn obstruction_difference(self, lower: Self) -> Self;
    /// The set of these bits, 64 a word; what is beyond its size is lost.
    fn from_words(words: [u64; 4]) -> Self;
    /// The set that a builder made.
    fn from_set(set: &CellSet) -> Self {
        Self::from_words([0, 1, 2, 3].map(|word| set[64 * word..][..64].load_le()))
    }
    /// The value of each cell index.
    fn per_cell<T>(value: impl FnMut(Cell) -> T) -> Box<Self::PerCell<T>>;
    /// One value for all.
    fn filled<T: Copy>(value: T) -> Self::PerCell<T>;
    /// The value of a cell. An index is taken modulo the size of the word, so no bounds are checked;
    /// no cell of a board is that large.
    fn at<T>(values: &Self::PerCell<T>, cell: Cell) -> &T;
    /// The same to change it.
    fn at_mut<T>(values: &mut Self::PerCell<T>, cell: Cell) -> &mut T;
    /// 64 bits of the set, from bit `64 * index`; empty beyond the last word.
    fn word(self, index: usize) -> u64;

    /// Whether `cell` is in the set.
    #[inline(always)]
    fn has(self, cell: Cell) -> bool {
        (self & Self::of(cell)).any()
    }

    /// The cells in ascending order of index.
    #[inline(always)]
    fn cells(self) -> Cells<Self> {
        Cells {
            set: self,
            word: self.word(0),
            index: 0,
        }
    }
}

/// A short array of a length that the game fixes.
pub trait Row<T: Copy>: Copy + AsRef<[T]> + AsMut<[T]> {
    /// The array of these values.
    fn from_fn(value: impl FnMut(usize) -> T) -> Self;
}

impl<T: Copy, const N: usize> Row<T> for [T; N] {
    // Not `std::array::from_fn`: unless it is inlined, the closure is compiled without the vector
    // instructions of the backend.
    #[inline(always)]
    fn from_fn(mut value: impl FnMut(usize) -> T) -> Self {
        let mut out = [value(0); N];
        for (i, place) in out.iter_mut().enumerate().skip(1) {
            *place = value(i);
        }
        out
    }
}

/// Iterator over the cells of a set, ascending: word by word, since wide arithmetic costs more.
#[derive(Clone, Copy, Debug)]
pub struct Cells<B> {
    set: B,
    word: u64,
    index: usize,
}

impl<B: Bits> Iterator for Cells<B> {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        while self.word == 0 {
            self.index += 1;
            if self.index >= B::SIZE / 64 {
                return None;
            }
            self.word = self.set.word(self.index);
        }
        let cell = 64 * self.index as u32 + self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(cell as Cell)
    }
}
