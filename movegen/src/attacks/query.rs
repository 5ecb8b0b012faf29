//! Single queries in one backend, for tests and benches: the generator has its own, within a kernel.

use super::{Backend, Kernel, Simd, dispatch};
use crate::rules::Kind;
use crate::sets::{Bits, Cell};
use crate::tables::{Tabled, Tables};

/// One query.
pub struct Query<B> {
    pub(crate) kind: Kind,
    pub(crate) cell: Cell,
    pub(crate) occupied: B,
    pub(crate) to: B,
}

/// The cells that a query finds.
struct Cells<G: Tabled>(&'static Tables<G>, Query<G::Word>);

impl<G: Tabled> Kernel<G::Word> for Cells<G> {
    type Output = G::Word;
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> G::Word {
        let Query {
            kind,
            cell,
            occupied,
            to,
        } = self.1;
        let tables = self.0;
        let mut found = tables.leaps(kind, cell) & to;
        let (occupied, to) = (backend.set(occupied), backend.set(to));
        backend.query(tables, kind, cell, occupied, to, |c| {
            found |= G::Word::of(c);
        });
        found
    }
}

/// The number of cells that queries find, over many occupancies.
struct Sum<'o, G: Tabled>(&'static Tables<G>, Kind, Cell, &'o [G::Word]);

impl<G: Tabled> Kernel<G::Word> for Sum<'_, G> {
    type Output = u64;
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> u64 {
        let Sum(tables, kind, cell, occupancies) = self;
        let all = backend.set(tables.all);
        let count = |&o| u64::from(backend.query_count(tables, kind, cell, backend.set(o), all));
        occupancies.iter().map(count).sum()
    }
}

/// Answers a query.
pub(crate) fn find<G: Tabled>(game: G, simd: Simd, query: Query<G::Word>) -> G::Word {
    dispatch(simd, Cells(game.lookup(), query))
}

/// Answers queries with the sum of their counts.
pub(crate) fn sum<G: Tabled>(
    game: G,
    simd: Simd,
    kind: Kind,
    cell: Cell,
    occupancies: &[G::Word],
) -> u64 {
    dispatch(simd, Sum(game.lookup(), kind, cell, occupancies))
}
