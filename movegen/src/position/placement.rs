//! What stands where, and in what two boards differ.

use super::Position;
use crate::rules::{Piece, decode};
use crate::sets::{Bits, Cell};
use crate::tables::Tabled;

/// What stands on each cell: of a [`Position`] all but whose turn it is, the rights and the clocks.
///
/// ```
/// use hexmate_movegen::{Glinski, Placement, Position};
///
/// let start = Position::<Glinski>::start();
/// let mut next = start;
/// next.play(next.parse_move("e4e5").unwrap()).unwrap();
/// let mut cells = Vec::new();
/// next.placement().differing(&start.placement(), |cell| cells.push(cell));
/// let names = cells.iter().map(|&cell| start.tables().board.name(cell));
/// assert_eq!(names.collect::<Vec<_>>(), ["e4", "e5"]);
///
/// let mut men = 0;
/// start.placement().differing(&Placement::EMPTY, |_| men += 1);
/// assert_eq!(men, 36);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement<B: Bits>(B::Bytes);

impl<B: Bits> Placement<B> {
    /// A board without pieces.
    pub const EMPTY: Self = Placement(B::ZERO_BYTES);

    /// The piece on a cell.
    #[inline(always)]
    pub fn piece_on(&self, cell: Cell) -> Option<Piece> {
        decode(self.0.as_ref()[usize::from(cell)])
    }

    /// Calls `each` with every cell on which another piece stands, or one stands in only one of both, in ascending order.
    #[inline(always)]
    pub fn differing(&self, other: &Self, mut each: impl FnMut(Cell)) {
        let words = || self.words().zip(other.words());
        // First without a branch where there is a difference: nearly everywhere is none.
        let mut found = 0u32;
        for (place, (one, two)) in words().enumerate() {
            found |= u32::from(one != two) << place;
        }
        while found != 0 {
            let place = found.trailing_zeros() as usize;
            found &= found - 1;
            let (one, two) = (self.word(place), other.word(place));
            let mut bits = one ^ two;
            while bits != 0 {
                let byte = bits.trailing_zeros() / 8;
                bits &= !(0xff << (8 * byte));
                each((8 * place as u32 + byte) as Cell);
            }
        }
    }

    /// The cells eight by eight.
    #[inline(always)]
    fn words(&self) -> impl Iterator<Item = u64> {
        let (eights, _) = self.0.as_ref().as_chunks();
        eights.iter().map(|&eight| u64::from_le_bytes(eight))
    }

    #[inline(always)]
    fn word(&self, place: usize) -> u64 {
        u64::from_le_bytes(self.0.as_ref().as_chunks().0[place])
    }
}

impl<G: Tabled> Position<G> {
    /// What stands on each cell.
    #[inline(always)]
    pub fn placement(&self) -> Placement<G::Word> {
        Placement(self.state.cells)
    }
}
