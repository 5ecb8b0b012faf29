//! The evaluation itself, written once: for play, for the tuner and for people.
//!
//! It is a sum of weights, each taken a number of times by way of [`Sums`]. Only the mop-up against a bare king
//! comes on top (`mop_up`); traces and explanations tell it beside the sum.

use hexmate_movegen::spec::MOST_KINDS;
use hexmate_movegen::{
    Bits, Cell, Game, KING, Kind, Observer, PAWN, Position, Side, Sight, observe,
};

use super::layout::{KindPlaces, MOST_AROUND, MOST_EXPOSED, MOST_HITS, MOST_MOVES};
use super::model::Handmade;
use super::pawns::{PawnTable, Pawns, Structure};
use super::sums::{Sums, Tracer};
use super::taper::Tapered;
use crate::score::Score;

/// What came out, before it is blended.
pub(super) struct Evaluated {
    /// For each side.
    pub sums: [Tapered; 2],
    /// How much of the first array's pieces is left: 0 to [`PHASES`](super::taper::PHASES).
    pub phase: i32,
}

impl Evaluated {
    /// From White's side.
    #[inline(always)]
    pub fn score(&self) -> Score {
        (self.sums[0] - self.sums[1]).blend(self.phase)
    }
}

impl<G: Game> Handmade<G> {
    /// Sums up what a position has.
    pub(super) fn sum_up<T: Tracer>(
        &self,
        position: &Position<G>,
        tracer: &mut T,
        known: Option<&mut PawnTable<G>>,
    ) -> Evaluated {
        let pass = Pass {
            evaluator: self,
            position,
            tracer,
            known,
        };
        observe(position.game(), self.simd, pass)
    }
}

/// One evaluation of a position.
struct Pass<'a, G: Game, T> {
    evaluator: &'a Handmade<G>,
    position: &'a Position<G>,
    tracer: &'a mut T,
    /// Pawns that were evaluated before; the tracer is told nothing of those found here.
    known: Option<&'a mut PawnTable<G>>,
}

impl<G: Game, T: Tracer> Observer<G> for Pass<'_, G, T> {
    // Who is told is a person or a file, and not in a hurry.
    const HOT: bool = !T::TRACES;
    type Output = Evaluated;

    #[inline(always)]
    fn observe<S: Sight<G>>(self, sight: S) -> Evaluated {
        if const { T::TRACES } {
            self.sum_up(Outlined(sight))
        } else {
            self.sum_up(sight)
        }
    }
}

impl<G: Game, T: Tracer> Pass<'_, G, T> {
    #[inline(always)]
    fn sum_up<S: Sight<G>>(self, sight: S) -> Evaluated {
        let position = self.position;
        let mut sums = Sums {
            evaluator: self.evaluator,
            tracer: self.tracer,
            sums: [Tapered::default(); 2],
        };
        let mut fresh = None;
        let slot = match self.known {
            Some(known) => known.slot(position),
            None => &mut fresh,
        };
        if slot.is_none() {
            // Not in a closure: unless inlined, it is compiled without the backend's instructions.
            *slot = Some(Structure::of(sight, position, self.evaluator, sums.tracer));
        }
        let Some(pawns) = slot else {
            unreachable!("it was filled above")
        };
        for (sum, of_pawns) in sums.sums.iter_mut().zip(pawns.sums) {
            *sum += of_pawns;
        }
        let mut phase = 0;
        for side in Side::BOTH {
            let own = &pawns.sides[side as usize];
            let enemy = &pawns.sides[side.other() as usize];
            evaluate_pawns(sight, position, side, own, &mut sums);
            evaluate_king(sight, position, side, own, enemy, &mut sums);
            phase += evaluate_pieces(sight, position, side, own, enemy, &mut sums);
            evaluate_colours(position, side, &mut sums);
        }
        let tempo = self.evaluator.layout.places.tempo;
        sums.add(position.side_to_move(), tempo);
        Evaluated {
            sums: sums.sums,
            phase: self.evaluator.phases.of_pieces(phase),
        }
    }
}

/// A sight that is not compiled anew wherever it is asked: for those who are not in a hurry. No more than three counts at
/// once are asked for.
#[derive(Clone, Copy)]
struct Outlined<S>(S);

impl<S> Outlined<S> {
    #[inline(never)]
    fn three_counts<G: Game>(
        self,
        kind: Kind,
        cell: Cell,
        occupied: S::Set,
        to: [S::Set; 3],
    ) -> [u32; 3]
    where
        S: Sight<G>,
    {
        self.0.counts(kind, cell, occupied, to)
    }
}

impl<G: Game, S: Sight<G>> Sight<G> for Outlined<S> {
    type Set = S::Set;

    #[inline(always)]
    fn set(self, cells: G::Bits) -> S::Set {
        self.0.set(cells)
    }

    #[inline(always)]
    fn counts<const N: usize>(
        self,
        kind: Kind,
        cell: Cell,
        occupied: S::Set,
        to: [S::Set; N],
    ) -> [u32; N] {
        let mut three = [to[0]; 3];
        three[..N].copy_from_slice(&to);
        let three = self.three_counts::<G>(kind, cell, occupied, three);
        let mut counts = [0; N];
        counts.copy_from_slice(&three[..N]);
        counts
    }

    #[inline(never)]
    fn pawn_attacks(self, side: Side, pawns: G::Bits) -> G::Bits {
        self.0.pawn_attacks(side, pawns)
    }

    #[inline(never)]
    fn pawn_steps(self, side: Side, cells: G::Bits) -> G::Bits {
        self.0.pawn_steps(side, cells)
    }
}

/// What a side's pawns are worth by what stands around them.
#[inline(always)]
fn evaluate_pawns<G: Game, S: Sight<G>, T: Tracer>(
    sight: S,
    position: &Position<G>,
    side: Side,
    own: &Pawns<G::Bits>,
    sums: &mut Sums<'_, G, T>,
) {
    let places = &sums.evaluator.layout.places;
    let all = position.tables().all;
    let before = |cells: G::Bits| sight.pawn_steps(side.other(), cells & all);
    let free = own.all & before(!position.occupied());
    let blocked = own.all & !free;
    sums.add_times(side, places.blocked, blocked.count());
    let geometry = &sums.evaluator.geometry;
    for cell in own.passed.cells() {
        let steps = usize::from(geometry.ahead[side as usize][usize::from(cell)]);
        if free.has(cell) {
            sums.add(side, places.passed_free + steps);
        }
        let moves = |of| MOST_MOVES.min(geometry.king_moves(position.king(of), cell));
        sums.add(side, places.passed_king + moves(side));
        sums.add(side, places.passed_enemy_king + moves(side.other()));
    }
}

#[inline(always)]
fn evaluate_king<G: Game, S: Sight<G>, T: Tracer>(
    sight: S,
    position: &Position<G>,
    side: Side,
    own: &Pawns<G::Bits>,
    enemy: &Pawns<G::Bits>,
    sums: &mut Sums<'_, G, T>,
) {
    let places = &sums.evaluator.layout.places;
    let king = position.king(side);
    let zone = sums.evaluator.geometry.zone[usize::from(king)];
    let pieces = position.side(side);
    sums.stand(side, KING, king);
    let shelter = (zone & own.all).count() as usize;
    sums.add(side, places.shelter + shelter.min(MOST_AROUND));
    // The king is in his own zone.
    let guards = (zone & pieces & !own.all).count() as usize;
    sums.add(
        side,
        places.guards + guards.saturating_sub(1).min(MOST_AROUND),
    );
    let hits = (zone & enemy.attacks).count() as usize;
    sums.add(side.other(), places.pawn_hits + hits.min(MOST_HITS));
    let occupied = sight.set(position.occupied());
    let lookout = sums.evaluator.lookout;
    let [seen] = sight.counts(lookout, king, occupied, [sight.set(!pieces)]);
    sums.add(side, places.exposure + (seen as usize).min(MOST_EXPOSED));
}

/// Gives the pieces' part of the phase.
#[inline(always)]
fn evaluate_pieces<G: Game, S: Sight<G>, T: Tracer>(
    sight: S,
    position: &Position<G>,
    side: Side,
    own: &Pawns<G::Bits>,
    enemy: &Pawns<G::Bits>,
    sums: &mut Sums<'_, G, T>,
) -> u32 {
    let evaluator = sums.evaluator;
    let (ours, theirs) = (position.side(side), position.side(side.other()));
    let occupied = sight.set(position.occupied());
    let safe = sight.set(!(ours | enemy.attacks));
    let zone = evaluator.geometry.zone[usize::from(position.king(side.other()))];
    let zone = sight.set(zone);
    let kings = position.kind(KING);
    // For each kind the targets that no pawn protects, and those that are heavier: the heaviest kinds come first, so
    // these only grow.
    let mut targets = [theirs & !enemy.attacks & !kings; MOST_KINDS];
    let mut heavier = 0;
    let mut heavy = G::Bits::EMPTY;
    let mut sliders = G::Bits::EMPTY;
    for &kind in &evaluator.order.kinds {
        let index = usize::from(kind) % MOST_KINDS;
        while heavier < evaluator.order.heavier[index] {
            heavy |= position.kind(evaluator.order.kinds[heavier]) & theirs;
            heavier += 1;
        }
        targets[index] |= heavy;
        if evaluator.order.slides >> kind & 1 != 0 {
            sliders |= position.kind(kind);
        }
    }
    let (mut attackers, mut phase) = (0, 0);
    // Not a loop for each kind: processors mispredict where short loops end. Sliders first, as they take another branch.
    let pieces = ours & !kings & !position.kind(PAWN);
    let cells = (pieces & sliders)
        .cells()
        .chain((pieces & !sliders).cells());
    for cell in cells {
        let kind = position.piece_on(cell).map_or(KING, |piece| piece.kind);
        let index = usize::from(kind) % MOST_KINDS;
        let KindPlaces {
            mobility,
            threat,
            king_hits,
            ..
        } = evaluator.layout.kinds[side as usize][index];
        let targets = sight.set(targets[index]);
        let [moves, hits, threats] = sight.counts(kind, cell, occupied, [safe, zone, targets]);
        sums.stand(side, kind, cell);
        sums.add(side, mobility + moves as usize);
        sums.add(side, king_hits + (hits as usize).min(MOST_HITS));
        sums.add_times(side, threat, threats);
        attackers += usize::from(hits > 0);
        phase += evaluator.phases.of_kind[index];
    }
    let places = &evaluator.layout.places;
    sums.add(side, places.attackers + attackers.min(MOST_AROUND));
    let attacked = theirs & own.attacks & !position.kind(PAWN) & !kings;
    for cell in attacked.cells() {
        if let Some(piece) = position.piece_on(cell) {
            let victim = &evaluator.layout.kinds[piece.side as usize][usize::from(piece.kind)];
            sums.add(side, victim.pawn_threat);
        }
    }
    phase
}

#[inline(always)]
fn evaluate_colours<G: Game, T: Tracer>(
    position: &Position<G>,
    side: Side,
    sums: &mut Sums<'_, G, T>,
) {
    let evaluator = sums.evaluator;
    for &kind in &evaluator.colour_bound {
        let pieces = position.pieces(kind, side);
        let colours = position.tables().colours.iter();
        let covered = colours.filter(|&&c| (pieces & c).any()).count();
        let place = evaluator.layout.kinds[side as usize][usize::from(kind)].colours;
        sums.add(side, place + covered);
    }
}
