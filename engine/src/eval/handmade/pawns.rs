//! Pawn structure: what is known of the pawns whatever else stands where, and a memory of it. A search
//! meets the same pawns again and again.

use hexmate_movegen::{Bits, Game, PAWN, Position, Side, Sight};

use super::model::Handmade;
use super::sums::{Sums, Tracer};
use super::taper::Tapered;
use crate::mix::mix;

/// What is known of a side's pawns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pawns<B> {
    pub all: B,
    /// The cells that they attack.
    pub attacks: B,
    /// Those that no enemy pawn can ever hinder.
    pub passed: B,
}

/// The pawns of both sides, and what they are worth by themselves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Structure<B> {
    pub sides: [Pawns<B>; 2],
    pub sums: [Tapered; 2],
}

/// What follows from where a side's pawns stand.
#[derive(Clone, Copy)]
struct Reach<B> {
    /// Where they can ever hinder an enemy pawn.
    stops: B,
    behind: B,
    near: B,
}

impl<B: Bits> Structure<B> {
    /// Evaluates the pawns of a position.
    #[inline(always)]
    pub fn of<G: Game<Bits = B>, S: Sight<G>, T: Tracer>(
        sight: S,
        position: &Position<G>,
        evaluator: &Handmade<G>,
        tracer: &mut T,
    ) -> Self {
        let mut sums = Sums {
            evaluator,
            tracer,
            sums: [Tapered::default(); 2],
        };
        // Not in closures (`Side::each`): unless inlined, they are compiled without the backend's instructions.
        let [white, black] = Side::BOTH;
        let reach = [
            stand(position, white, &mut sums),
            stand(position, black, &mut sums),
        ];
        let pawns = |side| position.pieces(PAWN, side);
        let sides = [
            evaluate_side(sight, pawns(white), white, &reach[0], &reach[1], &mut sums),
            evaluate_side(sight, pawns(black), black, &reach[1], &reach[0], &mut sums),
        ];
        let sums = sums.sums;
        Structure { sides, sums }
    }
}

/// Takes the weights of standing where they stand.
#[inline(always)]
fn stand<G: Game, T: Tracer>(
    position: &Position<G>,
    side: Side,
    sums: &mut Sums<'_, G, T>,
) -> Reach<G::Bits> {
    let mut reach = Reach {
        stops: G::Bits::EMPTY,
        behind: G::Bits::EMPTY,
        near: G::Bits::EMPTY,
    };
    let masks = &sums.evaluator.geometry.pawns[side as usize];
    for cell in position.pieces(PAWN, side).cells() {
        let masks = &masks[usize::from(cell)];
        reach.stops |= masks.stops;
        reach.behind |= masks.behind;
        reach.near |= masks.near;
        sums.stand(side, PAWN, cell);
    }
    reach
}

#[inline(always)]
fn evaluate_side<G: Game, S: Sight<G>, T: Tracer>(
    sight: S,
    all: G::Bits,
    side: Side,
    own: &Reach<G::Bits>,
    enemy: &Reach<G::Bits>,
    sums: &mut Sums<'_, G, T>,
) -> Pawns<G::Bits> {
    let places = &sums.evaluator.layout.places;
    let attacks = sight.pawn_attacks(side, all);
    let chained = all & attacks;
    sums.add_times(side, places.doubled, (all & own.behind).count());
    sums.add_times(side, places.isolated, (all & !own.near).count());
    sums.add_times(side, places.chained, chained.count());

    // What enemy pawns can hinder reaches down to them without a gap: one free step is freedom for ever.
    let board = sums.evaluator.game.tables().all;
    let before = |cells: G::Bits| sight.pawn_steps(side.other(), cells & board);
    let passed = all & before(!enemy.stops);
    for cell in passed.cells() {
        let steps = usize::from(sums.evaluator.geometry.ahead[side as usize][usize::from(cell)]);
        sums.add(side, places.passed + steps);
        if chained.has(cell) {
            sums.add(side, places.passed_chained + steps);
        }
    }
    Pawns {
        all,
        attacks,
        passed,
    }
}

/// Pawn structures that one thread has met, by one evaluator. Where it is looked up the pawns themselves
/// are compared, so that it changes nothing but time.
#[derive(Clone, Debug)]
pub(crate) struct PawnTable<G: Game>(Vec<Option<Structure<G::Bits>>>);

impl<G: Game> PawnTable<G> {
    /// Structures kept: few enough to stay in the processor's second cache.
    const SLOTS: usize = 1 << 11;

    pub fn new() -> Self {
        PawnTable(vec![None; Self::SLOTS])
    }

    /// Where the structure of a position's pawns belongs: nothing is there unless it is known.
    #[inline(always)]
    pub(super) fn slot(&mut self, position: &Position<G>) -> &mut Option<Structure<G::Bits>> {
        let pawns = Side::each(|side| position.pieces(PAWN, side));
        let key = pawns.iter().fold(0, |key, &set| mix(key, set));
        let slot = &mut self.0[(key >> 32) as usize % Self::SLOTS];
        let is_known = slot
            .as_ref()
            .is_some_and(|known| known.sides[0].all == pawns[0] && known.sides[1].all == pawns[1]);
        if !is_known {
            *slot = None;
        }
        slot
    }
}
