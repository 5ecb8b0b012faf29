//! Who attacks a cell of a position, and which cells a side attacks.

use super::Position;
use crate::attacks::{Backend, Kernel, Simd, dispatch};
use crate::rules::{PAWN, Side};
use crate::sets::{Bits, Cell};
use crate::tables::Tabled;

/// The pieces of a side that attack a cell on a board where certain cells block.
struct Attackers<'p, G: Tabled>(&'p Position<G>, Cell, Side, G::Word);

impl<G: Tabled> Kernel<G::Word> for Attackers<'_, G> {
    type Output = G::Word;
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> G::Word {
        let Attackers(position, cell, side, occupied) = self;
        let tables = position.tables();
        let kinds = position.pieces.kinds.as_ref();
        let by = position.side(side);
        let leapers = tables.leapers_at(kinds, cell, side) & by;
        let sliders = backend.sliders(tables, kinds, by);
        leapers | backend.seen_from(tables, cell, backend.set(occupied), &sliders)
    }
}

/// The pieces of `side` that attack `cell` on a board where `occupied` blocks.
pub(crate) fn attackers<G: Tabled>(
    position: &Position<G>,
    simd: Simd,
    cell: Cell,
    side: Side,
    occupied: G::Word,
) -> G::Word {
    dispatch(simd, Attackers(position, cell, side, occupied))
}

/// The cells that a side attacks.
struct Attacked<'p, G: Tabled>(&'p Position<G>, Side);

impl<G: Tabled> Kernel<G::Word> for Attacked<'_, G> {
    type Output = G::Word;
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> G::Word {
        let Attacked(position, side) = self;
        let tables = position.tables();
        let kinds = position.pieces.kinds.as_ref();
        let by = position.side(side);
        let pawns = kinds[usize::from(PAWN)] & by;
        backend.pawn_attacks(tables, side, pawns)
            | tables.seen_from_all(kinds, by, position.occupied())
    }
}

/// The cells that `side` attacks; those of its own pieces that it protects are among them.
pub(crate) fn attacked_by<G: Tabled>(position: &Position<G>, simd: Simd, side: Side) -> G::Word {
    dispatch(simd, Attacked(position, side))
}

/// Whether the side to move is in check.
struct Checked<'p, G: Tabled>(&'p Position<G>);

impl<G: Tabled> Kernel<G::Word> for Checked<'_, G> {
    type Output = bool;
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> bool {
        let tables = self.0.tables();
        let pieces = &self.0.pieces;
        let king = self.0.king(pieces.side);
        let kinds = pieces.kinds.as_ref();
        let them = self.0.side(pieces.side.other());
        let leapers = tables.leapers_at(kinds, king, pieces.side.other()) & them;
        let sliders = backend.sliders(tables, kinds, them);
        leapers.any() | backend.seen(tables, king, backend.set(self.0.occupied()), &sliders)
    }
}

/// Whether the side to move is in check.
pub(crate) fn in_check<G: Tabled>(position: &Position<G>, simd: Simd) -> bool {
    dispatch(simd, Checked(position))
}
