//! The evaluation itself, written once: for play, for the tuner and for people.
//!
//! It is a sum of weights, each taken a number of times. Every taking goes through [`Sums`], which tells
//! a [`Sink`]; in play the sink is silent and compiled to nothing, so play and tuner cannot differ. Only the
//! hunt for a bare king comes on top (`hunt`); traces and explanations tell it beside the sum.

use hexmate_movegen::spec::MOST_KINDS;
use hexmate_movegen::{Bits, Game, KING, Kind, Observer, PAWN, Position, Side, Sight};

use super::Evaluator;
use super::layout::{KindPlaces, MOST_AROUND, MOST_EXPOSED, MOST_HITS, MOST_MOVES, NOTHING};
use super::pawns::{PawnTable, Pawns, Structure};
use super::taper::Tapered;

/// Who is told which weights are taken.
pub(super) trait Sink {
    /// Whether it wants to be told.
    const LISTENS: bool = true;

    /// The weight at `place` counts `times` for `side`.
    fn note(&mut self, side: Side, place: usize, times: i32);
}

/// Nobody: play.
pub(super) struct Silent;

impl Sink for Silent {
    const LISTENS: bool = false;

    #[inline(always)]
    fn note(&mut self, _: Side, _: usize, _: i32) {}
}

/// What came out, before it is blended.
pub(super) struct Judgement {
    /// For each side.
    pub sums: [Tapered; 2],
    /// How much of the first array's pieces is left: 0 to [`PHASES`](super::taper::PHASES).
    pub phase: i32,
}

/// One look at a position.
pub(super) struct Look<'a, G: Game, T> {
    pub evaluator: &'a Evaluator<G>,
    pub position: &'a Position<G>,
    pub sink: &'a mut T,
    /// Pawns that were judged before; the sink is told nothing of those found here.
    pub known: Option<&'a mut PawnTable<G>>,
}

/// The sums of both sides while they grow.
pub(super) struct Sums<'a, G: Game, T> {
    pub evaluator: &'a Evaluator<G>,
    pub sink: &'a mut T,
    pub sums: [Tapered; 2],
}

impl<G: Game, T: Sink> Sums<'_, G, T> {
    /// Takes a weight once.
    #[inline(always)]
    pub fn add(&mut self, side: Side, place: usize) {
        self.sums[side as usize] += self.evaluator.weights[place];
        self.sink.note(side, place, 1);
    }

    #[inline(always)]
    pub fn add_times(&mut self, side: Side, place: usize, times: u32) {
        let times = times as i32;
        self.sums[side as usize] += self.evaluator.weights[place] * times;
        self.sink.note(side, place, times);
    }

    /// Takes the weights of standing somewhere.
    #[inline(always)]
    pub fn stand(&mut self, side: Side, kind: Kind, cell: u8) {
        let row = usize::from(kind) * G::Bits::SIZE + usize::from(cell);
        self.sums[side as usize] += self.evaluator.standing[side as usize][row];
        if T::LISTENS {
            for place in self.evaluator.layout.standing[side as usize][row] {
                if place != NOTHING {
                    self.sink.note(side, usize::from(place), 1);
                }
            }
        }
    }
}

impl<G: Game, T: Sink> Observer<G> for Look<'_, G, T> {
    type Output = Judgement;

    #[inline(always)]
    fn observe<S: Sight<G>>(self, sight: S) -> Judgement {
        let position = self.position;
        let mut sums = Sums {
            evaluator: self.evaluator,
            sink: self.sink,
            sums: [Tapered::default(); 2],
        };
        let pawns = match self.known {
            Some(known) => known.of(sight, position, self.evaluator),
            None => Structure::of(sight, position, self.evaluator, sums.sink),
        };
        for (sum, of_pawns) in sums.sums.iter_mut().zip(pawns.sums) {
            *sum += of_pawns;
        }
        let mut phase = 0;
        for side in [Side::White, Side::Black] {
            let [own, enemy] = [side, side.other()].map(|s| &pawns.sides[s as usize]);
            judge_pawns(sight, position, side, own, &mut sums);
            judge_king(sight, position, side, own, enemy, &mut sums);
            phase += judge_pieces(sight, position, side, own, enemy, &mut sums);
            judge_colours(position, side, &mut sums);
        }
        let tempo = self.evaluator.layout.places.tempo;
        sums.add(position.side_to_move(), tempo);
        Judgement {
            sums: sums.sums,
            phase: self.evaluator.phases.of_pieces(phase),
        }
    }
}

/// What a side's pawns are worth by what stands around them.
#[inline(always)]
fn judge_pawns<G: Game, S: Sight<G>, T: Sink>(
    sight: S,
    position: &Position<G>,
    side: Side,
    own: &Pawns<G::Bits>,
    sums: &mut Sums<'_, G, T>,
) {
    let places = &sums.evaluator.layout.places;
    let all = G::tables().all;
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
fn judge_king<G: Game, S: Sight<G>, T: Sink>(
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
fn judge_pieces<G: Game, S: Sight<G>, T: Sink>(
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
    // Those that no pawn protects, and those that are heavier: the heaviest kinds come first, so these
    // only grow.
    let mut targets = theirs & !enemy.attacks & !kings;
    let mut heavier = 0;
    let (mut attackers, mut phase) = (0, 0);
    for &kind in &evaluator.order.kinds {
        let index = usize::from(kind) % MOST_KINDS;
        while heavier < evaluator.order.heavier[index] {
            targets |= position.kind(evaluator.order.kinds[heavier]) & theirs;
            heavier += 1;
        }
        let pieces = position.pieces(kind, side);
        if !pieces.any() {
            continue;
        }
        let KindPlaces {
            mobility,
            threat,
            king_hits,
            ..
        } = evaluator.layout.kinds[side as usize][index];
        let targets = sight.set(targets);
        phase += evaluator.phases.of_kind[index] * pieces.count();
        for cell in pieces.cells() {
            let [moves, hits, threats] = sight.counts(kind, cell, occupied, [safe, zone, targets]);
            sums.stand(side, kind, cell);
            sums.add(side, mobility + moves as usize);
            sums.add(side, king_hits + (hits as usize).min(MOST_HITS));
            sums.add_times(side, threat, threats);
            attackers += usize::from(hits > 0);
        }
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
fn judge_colours<G: Game, T: Sink>(position: &Position<G>, side: Side, sums: &mut Sums<'_, G, T>) {
    let evaluator = sums.evaluator;
    for &kind in &evaluator.colour_bound {
        let pieces = position.pieces(kind, side);
        let colours = G::tables().colours.iter();
        let covered = colours.filter(|&&c| (pieces & c).any()).count();
        let place = evaluator.layout.kinds[side as usize][usize::from(kind)].colours;
        sums.add(side, place + covered);
    }
}
