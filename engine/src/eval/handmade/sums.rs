//! Sums of weights. Every weight is taken here, and a [`Tracer`] is told: in play nobody, which compiles to
//! nothing, so that play and tuner cannot differ.

use hexmate_movegen::{Bits, Game, Kind, Side};

use super::layout::NOTHING;
use super::model::Handmade;
use super::taper::Tapered;

/// Who is told which weights are taken.
pub(super) trait Tracer {
    /// Whether it wants to be told.
    const TRACES: bool = true;

    /// The weight at `place` counts `times` for `side`.
    fn note(&mut self, side: Side, place: usize, times: i32);
}

/// Nobody: play.
pub(super) struct NoTrace;

impl Tracer for NoTrace {
    const TRACES: bool = false;

    #[inline(always)]
    fn note(&mut self, _: Side, _: usize, _: i32) {}
}

/// Somebody who writes down or adds up what it is told: the side, the place and how often. It is one type, so that the
/// evaluation is compiled once for all who ask.
pub(super) struct Told<'a>(pub &'a mut dyn FnMut(Side, usize, i32));

impl Tracer for Told<'_> {
    fn note(&mut self, side: Side, place: usize, times: i32) {
        self.0(side, place, times);
    }
}

/// The sums of both sides while they grow.
pub(super) struct Sums<'a, G: Game, T> {
    pub evaluator: &'a Handmade<G>,
    pub tracer: &'a mut T,
    pub sums: [Tapered; 2],
}

impl<G: Game, T: Tracer> Sums<'_, G, T> {
    /// Takes a weight once.
    #[inline(always)]
    pub fn add(&mut self, side: Side, place: usize) {
        self.sums[side as usize] += self.evaluator.weights[place];
        self.tracer.note(side, place, 1);
    }

    #[inline(always)]
    pub fn add_times(&mut self, side: Side, place: usize, times: u32) {
        let times = times as i32;
        self.sums[side as usize] += self.evaluator.weights[place] * times;
        self.tracer.note(side, place, times);
    }

    /// Takes the weights of standing somewhere.
    #[inline(always)]
    pub fn stand(&mut self, side: Side, kind: Kind, cell: u8) {
        let row = usize::from(kind) * G::Bits::SIZE + usize::from(cell);
        self.sums[side as usize] += self.evaluator.standing[side as usize][row];
        if T::TRACES {
            for place in self.evaluator.layout.standing[side as usize][row] {
                if place != NOTHING {
                    self.tracer.note(side, usize::from(place), 1);
                }
            }
        }
    }
}
