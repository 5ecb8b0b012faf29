//! What each term gives a side: the evaluation for people to read.

use hexmate_movegen::{Game, Position, Side};

use super::layout::Term;
use super::model::Handmade;
use super::mop_up::MopUp;
use super::sums::Tracer;
use super::taper::Tapered;
use crate::score::Score;

impl<G: Game> Handmade<G> {
    /// For each term its name and what it gives White and Black.
    pub(super) fn breakdown(&self, position: &Position<G>) -> Vec<(&'static str, Score, Score)> {
        let mut parts = Breakdown {
            evaluator: self,
            sums: [[Tapered::default(); 2]; Term::ALL.len()],
        };
        let evaluated = self.sum_up(position, &mut parts, None);
        let mut before = Tapered::default();
        let terms = Term::ALL.iter().zip(&parts.sums);
        let rows = terms.map(|(term, &[white, black])| {
            let after = before + white - black;
            // Rounded in such a way that the rows add up.
            let [so_far, now] = [before, after].map(|sum| sum.blend(evaluated.phase));
            before = after;
            let white = white.blend(evaluated.phase);
            (term.name(), white, white - (now - so_far))
        });
        let mut rows: Vec<_> = rows.collect();
        let sum = evaluated.score();
        let mop_up = self.final_score(position, sum) - sum;
        rows.push((MopUp::NAME, mop_up.max(0), (-mop_up).max(0)));
        rows
    }
}

/// Sums up term by term.
struct Breakdown<'e, G: Game> {
    evaluator: &'e Handmade<G>,
    sums: [[Tapered; 2]; Term::ALL.len()],
}

impl<G: Game> Tracer for Breakdown<'_, G> {
    fn note(&mut self, side: Side, place: usize, times: i32) {
        let groups = &self.evaluator.layout.groups;
        let group = groups.iter().rfind(|g| g.start <= place);
        if let Some(group) = group {
            let weight = self.evaluator.weights[place];
            self.sums[group.term as usize][side as usize] += weight * times;
        }
    }
}
