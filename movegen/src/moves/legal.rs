//! Legal moves, listed, counted, or some of them.

use super::context::{Context, Queries};
use super::generate::Visitor;
use super::replies::{CountSlides, Recount};
use crate::attacks::{Backend, Kernel, Simd, dispatch};
use crate::position::Position;
use crate::rules::spec::MOST_KINDS;
use crate::rules::{KING, Move, Rules, kind_of};
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

/// Counts moves; those of sliders are counted by `S`.
struct Counter<S>(u32, S);

impl<G: Tabled, S: CountSlides<G>> Visitor<G> for Counter<S> {
    #[inline(always)]
    fn slides<F: Backend<G::Word>>(
        &mut self,
        context: &Context<'_, G>,
        movers: G::Word,
        queries: &Queries<'_, G, F>,
        to: G::Word,
    ) {
        self.0 += self.1.count(context, movers, queries, to);
    }
    #[inline(always)]
    fn leapers(&mut self, context: &Context<'_, G>, t: &Tables<G>, movers: G::Word, to: G::Word) {
        // All kinds in one loop: with one loop per kind the exits are mispredicted too often.
        let plan = t.plan();
        let leapers = t.pieces_of(context.pieces.kinds.as_ref(), plan.leaping);
        for from in (leapers & movers).cells() {
            let place = if plan.leapers.len == 2 {
                1
            } else {
                let kind = kind_of(context.cells.as_ref()[usize::from(from)]);
                plan.leaper_places[usize::from(kind) % MOST_KINDS]
            };
            self.0 += (t.leaps_of(place, from) & to).count();
        }
    }
    #[inline(always)]
    fn step(&mut self, _: Cell, _: Cell) {
        self.0 += 1;
    }
    #[inline(always)]
    fn leaps(&mut self, _: Cell, to: G::Word) {
        self.0 += to.count();
    }
    #[inline(always)]
    fn pawns(&mut self, to: G::Word, _: impl Fn(Cell) -> Cell) {
        self.0 += to.count();
    }
    #[inline(always)]
    fn promotions(&mut self, t: &Tables<G>, to: G::Word, _: impl Fn(Cell) -> Cell) {
        for cell in to.cells() {
            self.0 += t.promotions[usize::from(cell)].len() as u32;
        }
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
struct Any<'p, G: Tabled>(Context<'p, G>);

impl<G: Tabled> Kernel<G::Word> for Any<'_, G> {
    type Output = bool;
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> bool {
        let pieces = self.0.pieces;
        let king = pieces.pieces(KING, pieces.side);
        let all = pieces.tables().all;
        // The king's moves take longest to find, and mostly another piece has one.
        let moves = |from| {
            let wanted = Wanted { from, to: all };
            backend.dispatch(Count(&self.0, wanted))
        };
        moves(all & !king) > 0 || moves(king) > 0
    }
}

/// Counting the wanted moves.
pub(crate) struct Count<'p, G: Tabled>(pub &'p Context<'p, G>, pub Wanted<G::Word>);

impl<G: Tabled> Kernel<G::Word> for Count<'_, G> {
    type Output = u32;
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> u32 {
        self.0.count_wanted(backend, Recount, self.1)
    }
}

impl<G: Tabled> Context<'_, G> {
    /// Counts all moves, within code compiled for a backend.
    #[inline(always)]
    pub fn count<F: Backend<G::Word>>(&self, backend: F, slides: impl CountSlides<G>) -> u32 {
        self.count_wanted(backend, slides, Wanted::all(self.pieces.tables()))
    }

    /// Counts the wanted moves.
    #[inline(always)]
    fn count_wanted<F: Backend<G::Word>>(
        &self,
        backend: F,
        slides: impl CountSlides<G>,
        wanted: Wanted<G::Word>,
    ) -> u32 {
        let mut counter = Counter(0, slides);
        self.generate(backend, wanted, &mut counter);
        counter.0
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
    dispatch(simd, Any(Context::from(position)))
}

/// Counts all moves.
pub(crate) fn count<G: Tabled>(position: &Position<G>, simd: Simd) -> u32 {
    let all = Wanted::all(position.tables());
    dispatch(simd, Count(&Context::from(position), all))
}
