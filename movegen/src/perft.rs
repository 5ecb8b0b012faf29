//! Perft: the number of move sequences of a given length.

use crate::form::{Form, Simd, Task, run};
use crate::games::Game;
use crate::generate::Scene;
use crate::legal::{Count, List, Wanted};
use crate::moves::Move;
use crate::position::Position;
use crate::replies::Seen;

/// The number of legal move sequences of `depth` plies; at the last ply moves are counted, not made.
pub fn perft<G: Game>(position: &Position<G>, depth: u32) -> u64 {
    perft_in(Simd::chosen(), position, depth)
}

/// The same, computed in a certain form.
pub fn perft_in<G: Game>(simd: Simd, position: &Position<G>, depth: u32) -> u64 {
    G::perft(position, simd, depth)
}

/// Perft of one game and form.
pub(crate) fn count<G: Game>(position: &Position<G>, simd: Simd, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => run(simd, Perft(position, depth)),
    }
}

/// Perft for each first move, in no particular order.
pub fn divide<G: Game>(position: &Position<G>, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves().into_iter();
    moves
        .map(|mv| {
            let mut next = *position;
            next.play_unchecked(mv);
            (mv, perft(&next, depth - 1))
        })
        .collect()
}

/// Perft of a depth of at least 1.
struct Perft<'p, G: Game>(&'p Position<G>, u32);

impl<G: Game> Task<G::Bits> for Perft<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run<F: Form<G::Bits>>(self, form: F) -> u64 {
        let Perft(position, depth) = self;
        // Entered anew, so that the code stays compiled for the form, and is compiled once.
        if depth <= 1 {
            return u64::from(form.enter(Count(&position.scene())));
        }
        let all = Wanted::all::<G>();
        let mut moves = Vec::with_capacity(128);
        form.enter(List(position.scene(), all, &mut moves));
        if depth == 2 {
            return count_replies(form, position, &moves);
        }
        let mut nodes = 0;
        for mv in moves {
            let mut next = *position;
            next.play_here(mv);
            nodes += form.enter(Perft(&next, depth - 1));
        }
        nodes
    }
}

/// The number of all replies to these moves. Not entered anew for each: in this loop the leaves are counted a
/// tenth faster.
#[inline(always)]
fn count_replies<G: Game, F: Form<G::Bits>>(form: F, before: &Position<G>, moves: &[Move]) -> u64 {
    let cells = &before.log.cells;
    let seen = Seen::new(form, &before.scene());
    let mut replies = 0;
    for &mv in moves {
        // Made in place: a copy of what was just written in bytes would wait for the writing.
        let mut men = before.men;
        let on = |cell| before.piece_on(cell);
        men.play(&mut (), mv, on(mv.from), on(mv.to));
        let (men, slides) = (&men, seen.after(&before.men, &men));
        replies += u64::from(Scene { men, cells }.count(form, slides));
    }
    replies
}
