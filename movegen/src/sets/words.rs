//! The two words: `u128`, and 256 bits as four words of 64.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::bits::{Bits, Cell};

impl Bits for u128 {
    type PerCell<T> = [T; 128];
    type Bytes = [u8; 128];
    type Tally = u32;
    const SIZE: usize = 128;
    const EMPTY: Self = 0;
    const ZERO_BYTES: [u8; 128] = [0; 128];

    #[inline(always)]
    fn of(cell: Cell) -> Self {
        // Word by word: a shift of 128 bits by a variable costs three times as much.
        let bit = 1u64 << (cell & 63);
        let (low, high) = if cell & 64 == 0 { (bit, 0) } else { (0, bit) };
        u128::from(low) | u128::from(high) << 64
    }
    #[inline(always)]
    fn has(self, cell: Cell) -> bool {
        let word = if cell & 64 == 0 {
            self as u64
        } else {
            (self >> 64) as u64
        };
        word >> (cell & 63) & 1 != 0
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline(always)]
    fn tally(self, tally: &mut u32) {
        *tally += self.count();
    }
    #[inline(always)]
    fn total(tally: u32) -> u32 {
        tally
    }
    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }
    #[inline(always)]
    fn first(self) -> Cell {
        self.trailing_zeros() as Cell
    }
    #[inline(always)]
    fn without_first(self) -> Self {
        self & self.wrapping_sub(1)
    }
    #[inline(always)]
    fn shift_up(self, n: u32) -> Self {
        // Steps are shorter than 64: where that is known, a shift by a variable is two instructions.
        debug_assert!(n < 64);
        self << (n & 63)
    }
    #[inline(always)]
    fn shift_down(self, n: u32) -> Self {
        debug_assert!(n < 64);
        self >> (n & 63)
    }
    #[inline(always)]
    fn obstruction_difference(self, lower: Self) -> Self {
        // Word by word: a shift of 128 bits by a variable costs three times as much.
        let (low, high) = (lower as u64 | 1, (lower >> 64) as u64);
        let of_low = (1 << 63) >> (low.leading_zeros() & 63);
        let of_high = (1 << 63) >> (high.leading_zeros() & 63);
        let (low, high): (u64, u64) = if high == 0 { (of_low, 0) } else { (0, of_high) };
        let highest = u128::from(low) | u128::from(high) << 64;
        self ^ self.wrapping_sub(highest)
    }
    fn per_cell<T>(value: impl FnMut(Cell) -> T) -> Box<[T; 128]> {
        let values: Box<[T]> = (0..=127).map(value).collect();
        values.try_into().ok().expect("one value for each index")
    }
    #[inline(always)]
    fn filled<T: Copy>(value: T) -> [T; 128] {
        [value; 128]
    }
    #[inline(always)]
    fn at<T>(values: &[T; 128], cell: Cell) -> &T {
        &values[usize::from(cell) % 128]
    }
    #[inline(always)]
    fn at_mut<T>(values: &mut [T; 128], cell: Cell) -> &mut T {
        &mut values[usize::from(cell) % 128]
    }
    #[inline(always)]
    fn from_words([a, b, _, _]: [u64; 4]) -> Self {
        u128::from(a) | u128::from(b) << 64
    }
    #[inline(always)]
    fn word(self, index: usize) -> u64 {
        match index {
            0 => self as u64,
            1 => (self >> 64) as u64,
            _ => 0,
        }
    }
}

/// 256 bits as four words, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct B256(pub [u64; 4]);

macro_rules! wordwise {
    ($trait:ident $f:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl $trait for B256 {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self {
                B256([self.0[0] $op o.0[0], self.0[1] $op o.0[1], self.0[2] $op o.0[2], self.0[3] $op o.0[3]])
            }
        }
        impl $assign_trait for B256 {
            #[inline(always)]
            fn $assign(&mut self, o: Self) {
                *self = *self $op o;
            }
        }
    };
}

wordwise!(BitAnd bitand BitAndAssign bitand_assign &);
wordwise!(BitOr bitor BitOrAssign bitor_assign |);
wordwise!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for B256 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        B256([!self.0[0], !self.0[1], !self.0[2], !self.0[3]])
    }
}

impl B256 {
    /// Two's complement difference, borrows carried from word to word.
    #[inline(always)]
    fn wrapping_sub(self, o: Self) -> Self {
        let mut out = [0; 4];
        let mut borrow = false;
        for (i, word) in out.iter_mut().enumerate() {
            let (d, b1) = self.0[i].overflowing_sub(o.0[i]);
            let (d, b2) = d.overflowing_sub(u64::from(borrow));
            *word = d;
            borrow = b1 | b2;
        }
        B256(out)
    }
}

impl Bits for B256 {
    type PerCell<T> = [T; 256];
    type Bytes = [u8; 256];
    type Tally = [u64; 4];
    const SIZE: usize = 256;
    const EMPTY: Self = B256([0; 4]);
    const ZERO_BYTES: [u8; 256] = [0; 256];

    #[inline(always)]
    fn of(cell: Cell) -> Self {
        // No indexing: reading as a whole what was just written word by word stalls on the stores.
        let bit = 1 << (cell & 63);
        let word = |i| if cell >> 6 == i { bit } else { 0 };
        B256([word(0), word(1), word(2), word(3)])
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }
    #[inline(always)]
    fn tally(self, tally: &mut [u64; 4]) {
        for (sum, word) in tally.iter_mut().zip(self.0) {
            *sum += u64::from(word.count_ones());
        }
    }
    #[inline(always)]
    fn total(tally: [u64; 4]) -> u32 {
        tally.iter().sum::<u64>() as u32
    }
    #[inline(always)]
    fn any(self) -> bool {
        (self.0[0] | self.0[1] | self.0[2] | self.0[3]) != 0
    }
    #[inline(always)]
    fn has(self, cell: Cell) -> bool {
        self.0[usize::from(cell >> 6)] >> (cell & 63) & 1 != 0
    }
    #[inline(always)]
    fn first(self) -> Cell {
        let w = self.0;
        if w[0] != 0 {
            w[0].trailing_zeros() as Cell
        } else if w[1] != 0 {
            64 + w[1].trailing_zeros() as Cell
        } else if w[2] != 0 {
            128 + w[2].trailing_zeros() as Cell
        } else {
            (192 + w[3].trailing_zeros()) as Cell
        }
    }
    #[inline(always)]
    fn without_first(self) -> Self {
        let mut w = self.0;
        for word in &mut w {
            if *word != 0 {
                *word &= *word - 1;
                break;
            }
        }
        B256(w)
    }
    #[inline(always)]
    fn shift_up(self, n: u32) -> Self {
        // Steps are shorter than a word on every board: two neighbours make each result word.
        debug_assert!(n > 0 && n < 64);
        let w = self.0;
        B256([
            w[0] << n,
            w[1] << n | w[0] >> (64 - n),
            w[2] << n | w[1] >> (64 - n),
            w[3] << n | w[2] >> (64 - n),
        ])
    }
    #[inline(always)]
    fn shift_down(self, n: u32) -> Self {
        debug_assert!(n > 0 && n < 64);
        let w = self.0;
        B256([
            w[0] >> n | w[1] << (64 - n),
            w[1] >> n | w[2] << (64 - n),
            w[2] >> n | w[3] << (64 - n),
            w[3] >> n,
        ])
    }
    #[inline(always)]
    fn obstruction_difference(self, lower: Self) -> Self {
        // The highest member alone, without a branch.
        let mut highest = [0; 4];
        let mut found = false;
        for i in (0..4).rev() {
            let word = lower.0[i] | u64::from(i == 0);
            let bit = (1 << 63) >> (word.leading_zeros() & 63);
            highest[i] = if found || word == 0 { 0 } else { bit };
            found |= word != 0;
        }
        self ^ self.wrapping_sub(B256(highest))
    }
    fn per_cell<T>(value: impl FnMut(Cell) -> T) -> Box<[T; 256]> {
        let values: Box<[T]> = (0..=255).map(value).collect();
        values.try_into().ok().expect("one value for each index")
    }
    #[inline(always)]
    fn filled<T: Copy>(value: T) -> [T; 256] {
        [value; 256]
    }
    #[inline(always)]
    fn at<T>(values: &[T; 256], cell: Cell) -> &T {
        &values[usize::from(cell)]
    }
    #[inline(always)]
    fn at_mut<T>(values: &mut [T; 256], cell: Cell) -> &mut T {
        &mut values[usize::from(cell)]
    }
    #[inline(always)]
    fn from_words(words: [u64; 4]) -> Self {
        B256(words)
    }
    #[inline(always)]
    fn word(self, index: usize) -> u64 {
        self.0.get(index).copied().unwrap_or(0)
    }
}
