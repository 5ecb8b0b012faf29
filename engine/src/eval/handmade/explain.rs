//! What each term gives a side: the evaluation for people to read.

use hexmate_movegen::{Game, Position, Side};

use super::layout::Term;
use super::model::Handmade;
use super::mop_up::MopUp;
use super::sums::Told;
use super::taper::Tapered;
use crate::score::Score;

impl<G: Game> Handmade<G> {
    /// For each term its name and what it gives White and Black.
    pub(super) fn breakdown(&self, position: &Position<G>) -> Vec<(&'static str, Score, Score)> {
        let mut sums = [[Tapered::default(); 2]; Term::ALL.len()];
        let mut note = |side: Side, place: usize, times| {
            let group = self.layout.groups.iter().rfind(|g| g.start <= place);
            if let Some(group) = group {
                sums[group.term as usize][side as usize] += self.weights[place] * times;
            }
        };
        let evaluated = self.sum_up(position, &mut Told(&mut note), None);
        let mut before = Tapered::default();
        let terms = Term::ALL.iter().zip(&sums);
        let rows = terms.map(|(term, &[white, black])| {
            let after = before + white - black;
            // Rounded in such a way that the rows add up.
            let [so_far, now] = [before, after].map(|sum| sum.blend(evaluated.phase));
            before = after;
            let gain = now - so_far;
            let columns = [white, black].map(|sum| sum.blend(evaluated.phase));
            // What is rounded goes to a side that has something of the term, or else to both, so that the mirrored
            // position has the same columns: an odd centipawn is a gain, not a loss.
            let rounded = gain - (columns[0] - columns[1]);
            let white = match [white, black].map(|sum| sum == Tapered::default()) {
                [_, true] => gain,
                [true, _] => 0,
                _ => columns[0] + rounded / 2 + (rounded % 2).max(0),
            };
            (term.name(), white, white - gain)
        });
        let mut rows: Vec<_> = rows.collect();
        let sum = evaluated.score();
        let mop_up = self.final_score(position, sum) - sum;
        rows.push((MopUp::NAME, mop_up.max(0), (-mop_up).max(0)));
        rows
    }
}
