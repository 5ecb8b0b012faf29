//! Driving a bare king to where he can be mated: what a place is worth to him, and what the best is.

use hexmate_movegen::{Bits, Cell};

use super::geometry::Geometry;
use crate::score::Score;

/// For each step from the edge. These four were found with `examples/conversion.rs`.
const EDGE: Score = 80;
/// For each king's move between the kings.
const KINGS: Score = 60;
/// For each king's move from a hunting piece to the bare king.
const PIECES: Score = 10;
/// For each cell that the bare king can get to.
const ROOM: Score = 4;

/// How well a bare king stands: the more, the farther he is from being mated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refuge {
    /// Steps from the edge.
    pub inside: Score,
    /// King's moves between the kings.
    pub apart: Score,
    /// King's moves from the hunting pieces to him, of all of them together.
    pub away: Score,
    /// Cells that he can get to.
    pub room: Score,
}

impl Refuge {
    /// The best there is on a board of these cells, against two pieces.
    pub fn best<B: Bits>(cells: &[Cell], geometry: &Geometry<B>) -> Self {
        let inside = cells.iter().map(|&c| geometry.inside[usize::from(c)]);
        let apart = geometry.most_king_moves() as Score;
        Refuge {
            inside: Score::from(inside.max().unwrap_or(0)),
            apart,
            away: 2 * apart,
            room: cells.len() as Score,
        }
    }

    /// What it is worth to him, in centipawns.
    #[inline(always)]
    pub fn worth(self) -> Score {
        EDGE * self.inside + KINGS * self.apart + PIECES * self.away + ROOM * self.room
    }
}
