//! Attacks of single pieces, as other crates ask for them.

use super::Compiled;
use crate::attacks::{Query, Simd};
use crate::rules::{Kind, PAWN, Piece};
use crate::sets::Cell;
use crate::tables::Tables;

impl<G: Compiled> Tables<G> {
    /// The cells that a piece of `kind` (not the pawn) on `cell` attacks: own pieces included.
    #[inline]
    pub fn attacks(&self, kind: Kind, cell: Cell, occupied: G::Word) -> G::Word {
        let leaps = self.leaps(kind, cell);
        if self.plan().sliding >> kind & 1 != 0 {
            return leaps | self.game.slides(kind, cell, occupied);
        }
        leaps
    }

    /// The same for all kinds at once, which takes little longer than for one that moves in all directions. The
    /// pawn's cells mean nothing.
    #[inline]
    pub fn attacks_of_kinds(&self, cell: Cell, occupied: G::Word) -> G::PerKind {
        self.game.seen_by_kinds(cell, occupied)
    }

    /// The cells that a piece attacks, pawns too: own pieces included.
    #[inline]
    pub fn attacks_of(&self, piece: Piece, cell: Cell, occupied: G::Word) -> G::Word {
        if piece.kind == PAWN {
            self.pawn_attacks(piece.side, cell)
        } else {
            self.attacks(piece.kind, cell, occupied)
        }
    }
}

/// The cells of `to` that a piece of `kind` (not the pawn) attacks, computed by a given backend.
pub fn attacks_in<G: Compiled>(
    game: G,
    simd: Simd,
    kind: Kind,
    cell: Cell,
    occupied: G::Word,
    to: G::Word,
) -> G::Word {
    let query = Query {
        kind,
        cell,
        occupied,
        to,
    };
    game.attacks_in(simd, query)
}

/// The number of cells that a piece of `kind` sees along its paths, summed over occupancies: many
/// queries in one dispatch, as in the generator.
pub fn count_slides_in<G: Compiled>(
    game: G,
    simd: Simd,
    kind: Kind,
    cell: Cell,
    occupancies: &[G::Word],
) -> u64 {
    game.count_slides_in(simd, kind, cell, occupancies)
}
