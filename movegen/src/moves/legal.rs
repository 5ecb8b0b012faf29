//! Legal moves, listed, counted, or some of them.

use super::context::{Context, Queries};
use super::count::Count;
use super::generate::Visitor;
use crate::attacks::{Backend, Kernel, Simd, dispatch};
use crate::position::Position;
use crate::rules::{KING, Move, Rules};
use crate::sets::{Bits, Cell};
use crate::tables::{Tabled, Tables};

/// Restricts a list of legal moves.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<B> {
    /// Moves from these cells only.
    pub from: B,
    /// Moves onto these cells only; an en passant capture also counts as a move onto the captured pawn's cell.
    pub to: B,
}

impl<B: Bits> Wanted<B> {
    /// All of them.
    #[inline(always)]
    pub fn all<G: Rules<Word = B>>(tables: &Tables<G>) -> Self {
        let all = tables.all;
        Wanted { from: all, to: all }
    }
}

impl<G: Tabled> Visitor<G> for Vec<Move> {
    #[inline(always)]
    fn slides<F: Backend<G::Word>>(
        &mut self,
        context: &Context<'_, G>,
        movers: G::Word,
        queries: &Queries<'_, G, F>,
        to: G::Word,
    ) {
        let (backend, t) = (queries.backend, queries.tables);
        let each = |from, to| self.push(Move::new(from, to));
        let movers = context.movers(movers);
        backend.visit(t, &movers, queries.occupied, backend.set(to), each);
    }
    #[inline(always)]
    fn leapers(&mut self, context: &Context<'_, G>, t: &Tables<G>, movers: G::Word, to: G::Word) {
        let leapers = &t.plan().leapers;
        for place in 1..leapers.len {
            let kind = leapers.get(place);
            for from in (context.pieces.kind(kind) & movers).cells() {
                Visitor::<G>::leaps(self, from, t.leaps_of(place, from) & to);
            }
        }
    }
    #[inline(always)]
    fn step(&mut self, from: Cell, to: Cell) {
        self.push(Move::new(from, to));
    }
    #[inline(always)]
    fn leaps(&mut self, from: Cell, to: G::Word) {
        for cell in to.cells() {
            self.push(Move::new(from, cell));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, to: G::Word, from: impl Fn(Cell) -> Cell) {
        for cell in to.cells() {
            self.push(Move::new(from(cell), cell));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, t: &Tables<G>, to: G::Word, from: impl Fn(Cell) -> Cell) {
        for cell in to.cells() {
            for &kind in &t.promotions[usize::from(cell)] {
                self.push(Move::promoting(from(cell), cell, kind));
            }
        }
    }
}

/// Whether there is a move at all.
struct Any<'p, G: Tabled>(&'p Position<G>);

impl<G: Tabled> Kernel<G::Word> for Any<'_, G> {
    type Output = bool;
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> bool {
        let pieces = &self.0.pieces;
        let king = pieces.pieces(KING, pieces.side);
        let all = pieces.tables().all;
        // The king's moves take longest to find, and mostly another piece has one.
        let moves = |from| {
            let wanted = Wanted { from, to: all };
            backend.dispatch(Count::wanted(self.0, wanted))
        };
        moves(all & !king) > 0 || moves(king) > 0
    }
}

/// Listing the wanted moves of a position.
pub(crate) struct List<'p, G: Tabled>(
    pub Context<'p, G>,
    pub Wanted<G::Word>,
    pub &'p mut Vec<Move>,
);

impl<G: Tabled> Kernel<G::Word> for List<'_, G> {
    type Output = ();
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) {
        self.0.generate(backend, self.1, self.2);
    }
}

/// Appends the wanted moves.
pub(crate) fn list<G: Tabled>(
    position: &Position<G>,
    simd: Simd,
    wanted: Wanted<G::Word>,
    moves: &mut Vec<Move>,
) {
    dispatch(simd, List(Context::from(position), wanted, moves));
}

/// Whether there is a move at all.
pub(crate) fn any<G: Tabled>(position: &Position<G>, simd: Simd) -> bool {
    dispatch(simd, Any(position))
}

/// Counts all moves.
pub(crate) fn count<G: Tabled>(position: &Position<G>, simd: Simd) -> u32 {
    let all = Wanted::all(position.tables());
    dispatch(simd, Count::wanted(position, all)) as u32
}
