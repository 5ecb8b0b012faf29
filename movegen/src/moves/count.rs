//! Counting legal moves: those of a position, or the replies to each of some moves.

use super::context::{Context, Queries};
use super::generate::Visitor;
use super::legal::Wanted;
use super::replies::{AfterMove, Seen};
use crate::attacks::{Backend, Kernel};
use crate::position::Position;
use crate::rules::spec::MOST_KINDS;
use crate::rules::{Move, kind_of};
use crate::sets::{Bits, Cell};
use crate::tables::{Tabled, Tables};

/// Counts the moves of one position.
struct Counter<'s, G: Tabled> {
    moves: u32,
    /// Moves counted as cells they lead to.
    cells: <G::Word as Bits>::Tally,
    slides: AfterMove<'s, G>,
}

impl<G: Tabled> Visitor<G> for Counter<'_, G> {
    #[inline(always)]
    fn slides<F: Backend<G::Word>>(
        &mut self,
        context: &Context<'_, G>,
        movers: G::Word,
        queries: &Queries<'_, G, F>,
        to: G::Word,
    ) {
        self.moves += self.slides.count(context, movers, queries, to);
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
            (t.leaps_of(place, from) & to).tally(&mut self.cells);
        }
    }
    #[inline(always)]
    fn step(&mut self, _: Cell, _: Cell) {
        self.moves += 1;
    }
    #[inline(always)]
    fn leaps(&mut self, _: Cell, to: G::Word) {
        to.tally(&mut self.cells);
    }
    #[inline(always)]
    fn pawns(&mut self, to: G::Word, _: impl Fn(Cell) -> Cell) {
        to.tally(&mut self.cells);
    }
    #[inline(always)]
    fn promotions(&mut self, t: &Tables<G>, to: G::Word, _: impl Fn(Cell) -> Cell) {
        for cell in to.cells() {
            self.moves += t.promotions[usize::from(cell)].len() as u32;
        }
    }
}

/// Counts the wanted moves of a position, or those of all positions that moves lead to: one loop, so that the generator
/// is compiled for counting once. (In a loop replies are counted a tenth faster than by a call for each.)
pub(crate) struct Count<'p, G: Tabled> {
    position: &'p Position<G>,
    moves: Option<&'p [Move]>,
    wanted: Wanted<G::Word>,
}

impl<'p, G: Tabled> Count<'p, G> {
    /// The wanted moves of a position.
    pub fn wanted(position: &'p Position<G>, wanted: Wanted<G::Word>) -> Self {
        Count {
            position,
            moves: None,
            wanted,
        }
    }

    /// All replies to these moves. Not for a backend that is [`Backend::LEAN`].
    pub fn replies(position: &'p Position<G>, moves: &'p [Move]) -> Self {
        Count {
            position,
            moves: Some(moves),
            wanted: Wanted::all(position.tables()),
        }
    }
}

impl<G: Tabled> Kernel<G::Word> for Count<'_, G> {
    type Output = u64;
    const VECTORS: bool = G::FIXED;

    #[inline(always)]
    fn run<F: Backend<G::Word>>(self, backend: F) -> u64 {
        debug_assert!(self.moves.is_none() || const { !<F as Backend<G::Word>>::LEAN });
        let before = self.position;
        let cells = &before.state.cells;
        let seen;
        let replies = match self.moves {
            Some(moves) if const { !<F as Backend<G::Word>>::LEAN } => {
                seen = Seen::new(backend, &Context::from(before));
                Some((moves, &seen))
            }
            _ => None,
        };
        let mut count = 0;
        let mut at = 0;
        // Moves are made and taken back in place: copying what was just written byte by byte would stall on the stores.
        let mut pieces = before.pieces;
        loop {
            let mut slides = AfterMove::none();
            if let Some((moves, seen)) = replies {
                let Some(&mv) = moves.get(at) else {
                    return count;
                };
                let on = |cell| before.piece_on(cell);
                pieces.play(&mut (), mv, on(mv.from), on(mv.to));
                slides = seen.after(&before.pieces, &pieces, mv);
            }
            let mut counter = Counter {
                moves: 0,
                cells: Default::default(),
                slides,
            };
            let context = Context {
                pieces: &pieces,
                cells,
            };
            context.generate(backend, self.wanted, &mut counter);
            count += u64::from(counter.moves + G::Word::total(counter.cells));
            let Some((moves, _)) = replies else {
                return count;
            };
            let mv = moves[at];
            pieces.take_back(
                &before.pieces,
                mv,
                before.piece_on(mv.from),
                before.piece_on(mv.to),
            );
            at += 1;
        }
    }
}
