//! Single queries in one backend, for tests and benches: the generator has its own, within a kernel.

use super::{Backend, Kernel, Simd, dispatch};
use crate::rules::Kind;
use crate::sets::{Bits, Cell};
use crate::tables::Tabled;

/// One query.
pub struct Query<B> {
    pub(crate) kind: Kind,
    pub(crate) cell: Cell,
    pub(crate) occupied: B,
    pub(crate) to: B,
}

/// The cells that a query finds.
struct Cells<G: Tabled>(Query<G::Word>);

impl<G: Tabled> Kernel<G::Word> for Cells<G> {
    type Output = G::Word;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> G::Word {
        let Query {
            kind,
            cell,
            occupied,
            to,
        } = self.0;
        let tables = G::lookup();
        let mut found = tables.leaps(kind, cell) & to;
        let (occupied, to) = (backend.set(occupied), backend.set(to));
        backend.query(tables, kind, cell, occupied, to, |c| {
            found |= G::Word::of(c);
        });
        found
    }
}

/// The number of cells that queries find, over many occupancies.
struct Sum<'o, G: Tabled>(Kind, Cell, &'o [G::Word]);

impl<G: Tabled> Kernel<G::Word> for Sum<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> u64 {
        let Sum(kind, cell, occupancies) = self;
        let tables = G::lookup();
        let all = backend.set(tables.all);
        let count = |&o| u64::from(backend.query_count(tables, kind, cell, backend.set(o), all));
        occupancies.iter().map(count).sum()
    }
}

/// Answers a query.
pub(crate) fn find<G: Tabled>(simd: Simd, query: Query<G::Word>) -> G::Word {
    dispatch(simd, Cells::<G>(query))
}

/// Answers queries with the sum of their counts.
pub(crate) fn sum<G: Tabled>(simd: Simd, kind: Kind, cell: Cell, occupancies: &[G::Word]) -> u64 {
    dispatch(simd, Sum::<G>(kind, cell, occupancies))
}
