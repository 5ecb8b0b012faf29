//! Positions that the next move can bring back: a repetition that is seen before it is played.
//!
//! The keys of two positions that one move of a piece (no pawn move, nothing captured) leads between differ by
//! the words of that piece on two cells. All such differences of a game stand in one hash table, as in Marcel van
//! Kervinck's "cuckoo" scheme (2013), here with open addressing.

use crate::bits::{Bits, Cell};
use crate::games::Game;
use crate::moves::Move;
use crate::piece::{Kind, PAWN, Side};
use crate::position::Position;
use crate::tables::Tables;

/// For each difference of keys that one move makes, its two cells.
pub(crate) struct Returns {
    /// Open addressing, linear probing; no difference is 0, so 0 is a free slot.
    slots: Vec<(u64, Cell, Cell)>,
}

impl Returns {
    pub fn build<G: Game>(tables: &Tables<G>) -> Self {
        let mut differences = Vec::new();
        let kinds = 0..tables.spec.pieces.len() as Kind;
        for kind in kinds.filter(|&kind| kind != PAWN) {
            for from in tables.stands_on[usize::from(kind)].cells() {
                let reached = tables.attacks(kind, from, G::Bits::EMPTY);
                // Paths can be walked back, so each pair of cells is met from both.
                for to in reached.cells().filter(|&to| to > from) {
                    for side in Side::BOTH {
                        let z = &tables.zobrist;
                        let key = z.piece(kind, side, from) ^ z.piece(kind, side, to);
                        differences.push((key ^ z.black_to_move, from, to));
                    }
                }
            }
        }
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

    fn cells(&self, difference: u64) -> Option<(Cell, Cell)> {
        let (found, from, to) = self.slots[self.slot(difference)];
        (found != 0).then_some((from, to))
    }
}

impl<G: Game> Position<G> {
    /// Looks for earlier positions that the side to move can bring back by one legal move of a piece, the latest
    /// first, and tells the index of the first one that is `wanted`.
    ///
    /// `earlier` has the keys of the positions before this one, oldest first, with nothing but moves between
    /// them (no null moves). A position three plies ago is the nearest that one move can bring back.
    #[inline]
    pub fn return_to(
        &self,
        earlier: &[u64],
        mut wanted: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        let count = earlier.len();
        let reach = usize::from(self.halfmove_clock()).min(count);
        if reach < 3 {
            return None;
        }
        let toggle = G::tables().zobrist.black_to_move;
        // What the opponent's moves since then have changed: nothing, or one move of ours is not enough.
        let mut theirs = self.key() ^ earlier[count - 1] ^ toggle;
        for back in (3..=reach).step_by(2) {
            let (before, after) = (earlier[count - back], earlier[count - back + 1]);
            theirs ^= before ^ after ^ toggle;
            if theirs == 0 && self.leads_to(before) && wanted(count - back) {
                return Some(count - back);
            }
        }
        None
    }

    /// Whether one legal move of a piece leads to the position with this key.
    #[cold]
    fn leads_to(&self, key: u64) -> bool {
        let Some((a, b)) = G::tables().returns().cells(self.key() ^ key) else {
            return false;
        };
        let us = self.side_to_move();
        let ours = |cell| self.piece_on(cell).is_some_and(|piece| piece.side == us);
        let (from, to) = if ours(a) { (a, b) } else { (b, a) };
        let mv = Move::new(from, to);
        ours(from) && self.is_legal(mv) && self.key_after(mv) == key
    }
}
