//! Which weights an evaluation took: what a tuner learns from.

use hexmate_movegen::{Game, Position, Side};

use super::model::Handmade;
use super::mop_up::MopUp;
use super::sums::Told;
use super::taper::{PHASES, Tapered};
use super::weights::Weights;
use crate::score::Score;

/// The weights that the evaluation of a position took, for White less those for Black.
///
/// The evaluation from White's side is the sum of `times` times the weight at each place, its middle
/// game's value taken `phase` parts of [`Trace::PHASES`] and its end game's the rest; and then what the
/// mop-up against a bare king makes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// How much of the first array's pieces is left.
    pub phase: i32,
    /// Places of weights and how often they are taken, ascending, each at least once.
    pub terms: Vec<(u16, i16)>,
    /// What is not made of weights: such a position says little about them.
    pub mop_up: MopUp,
}

impl Trace {
    /// The phase of the first array.
    pub const PHASES: i32 = PHASES;

    /// The evaluation from White's side by these weights.
    pub fn score<G: Game>(&self, weights: &Weights<G>) -> Score {
        let mut sum = Tapered::default();
        for &(place, times) in &self.terms {
            let [middle, end] = weights.values()[usize::from(place)];
            sum += Tapered::new(middle, end) * i32::from(times);
        }
        self.mop_up.applied_to(sum.blend(self.phase))
    }
}

impl<G: Game> Handmade<G> {
    /// Which weights the evaluation of the position takes.
    pub(super) fn noted(&self, position: &Position<G>) -> Trace {
        let mut counts = vec![0; self.layout.len];
        let mut note = |side, place: usize, times| {
            let times = times as i16;
            counts[place] += match side {
                Side::White => times,
                Side::Black => -times,
            };
        };
        let evaluated = self.sum_up(position, &mut Told(&mut note), None);
        let terms = (0..).zip(counts).filter(|&(_, times)| times != 0);
        Trace {
            phase: evaluated.phase,
            terms: terms.collect(),
            mop_up: self.mop_up(position),
        }
    }
}
