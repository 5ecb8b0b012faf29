//! Positions that the next move can bring back: a repetition that is seen before it is played.

use super::Compiled;
use crate::position::Position;
use crate::rules::{Kind, Move, PAWN, Rules, Side};
use crate::sets::Bits;
use crate::tables::{Returns, Tables};

impl<G: Rules> Tables<G> {
    /// Builds now what would otherwise be built when first needed, in the middle of a search.
    pub fn prepare(&self) {
        self.returns();
    }

    #[inline]
    fn returns(&self) -> &Returns {
        self.returns.get_or_init(|| build(self))
    }
}

/// All differences of keys that one move of a piece makes.
fn build<G: Rules>(tables: &Tables<G>) -> Returns {
    let mut differences = Vec::new();
    let kinds = 0..tables.spec.pieces.len() as Kind;
    for kind in kinds.filter(|&kind| kind != PAWN) {
        for from in tables.stands_on[usize::from(kind)].cells() {
            let reached = tables.seen_by(kind, from, G::Word::EMPTY);
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
    Returns::new(differences)
}

impl<G: Compiled> Position<G> {
    /// Looks for earlier positions that the side to move can bring back by one legal move of a piece, the latest
    /// first, and gives the index of the first one that is `wanted`.
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
        let toggle = self.tables().zobrist.black_to_move;
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
        let Some((a, b)) = self.tables().returns().cells(self.key() ^ key) else {
            return false;
        };
        let us = self.side_to_move();
        let ours = |cell| self.piece_on(cell).is_some_and(|piece| piece.side == us);
        let (from, to) = if ours(a) { (a, b) } else { (b, a) };
        let mv = Move::new(from, to);
        ours(from) && self.is_legal(mv) && self.key_after(mv) == key
    }
}
