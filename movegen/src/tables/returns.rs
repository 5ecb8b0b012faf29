//! Which differences of keys one move of a piece makes.
//!
//! The keys of two positions that one move of a piece (no pawn move, nothing captured) leads between differ by
//! the words of that piece on two cells. All such differences of a game stand in one hash table, as in Marcel van
//! Kervinck's "cuckoo" scheme (2013), here with open addressing.

use crate::sets::Cell;

/// For each difference of keys that one move makes, its two cells.
pub(crate) struct Returns {
    /// Open addressing, linear probing; no difference is 0, so 0 is a free slot.
    slots: Vec<(u64, Cell, Cell)>,
}

impl Returns {
    /// A table of these differences.
    pub fn new(differences: Vec<(u64, Cell, Cell)>) -> Self {
        let mut returns = Returns {
            slots: vec![(0, 0, 0); (2 * differences.len()).next_power_of_two()],
        };
        for difference in differences {
            let slot = returns.slot(difference.0);
            returns.slots[slot] = difference;
        }
        returns
    }

    /// Where a difference stands, or would stand.
    fn slot(&self, difference: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = difference as usize & mask;
        while self.slots[slot].0 != difference && self.slots[slot].0 != 0 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The two cells of the move that makes a difference.
    pub fn cells(&self, difference: u64) -> Option<(Cell, Cell)> {
        let (found, from, to) = self.slots[self.slot(difference)];
        (found != 0).then_some((from, to))
    }
}
