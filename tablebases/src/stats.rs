//! What is in a table: how many positions of each outcome, and how far the ends are.

use hexmate_movegen::{Game, Position, Side};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::check::position;
use crate::layout::Layout;
use crate::rules::Rules;
use crate::table::Table;
use crate::value::{Code, ILLEGAL, Outcome, decode};

/// The positions of one side to move, as they stand on the board: what symmetry makes one in the table is
/// counted as often as it occurs. Outcomes are those of the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // the words say it
pub struct Counts {
    pub legal: u64,
    pub win: u64,
    pub draw: u64,
    pub loss: u64,
    pub gives_stalemate: u64,
    pub stalemated: u64,
    pub longest_win_plies: u16,
    /// The longest of all: win, loss, and either kind of stalemate.
    pub longest_plies: [u16; 4],
}

impl Counts {
    /// The longest distance of an outcome.
    pub fn longest(&self, outcome: Outcome) -> u16 {
        let [win, loss, gives, stalemated] = self.longest_plies;
        match outcome {
            Outcome::Win => win,
            Outcome::Loss => loss,
            Outcome::GivesStalemate => gives,
            Outcome::Stalemated => stalemated,
            Outcome::Draw => 0,
        }
    }

    fn add(&mut self, code: Code, weight: u64) {
        let Some(value) = decode(code) else {
            return;
        };
        self.legal += weight;
        let [win, loss, gives, stalemated] = &mut self.longest_plies;
        let (count, longest) = match value.outcome {
            Outcome::Win => (&mut self.win, win),
            Outcome::Loss => (&mut self.loss, loss),
            Outcome::GivesStalemate => (&mut self.gives_stalemate, gives),
            Outcome::Stalemated => (&mut self.stalemated, stalemated),
            Outcome::Draw => {
                self.draw += weight;
                return;
            }
        };
        *count += weight;
        *longest = (*longest).max(value.plies);
        self.longest_win_plies = self.longest_plies[0];
    }

    fn sum(mut self, other: &Counts) -> Counts {
        self.legal += other.legal;
        self.win += other.win;
        self.draw += other.draw;
        self.loss += other.loss;
        self.gives_stalemate += other.gives_stalemate;
        self.stalemated += other.stalemated;
        for (own, other) in self.longest_plies.iter_mut().zip(other.longest_plies) {
            *own = (*own).max(other);
        }
        self.longest_win_plies = self.longest_plies[0];
        self
    }
}

impl Table {
    /// The positions of the table that are wanted, counted as [`Header::counts`](crate::Header::counts)
    /// are.
    pub fn count_where<G: Game>(
        &self,
        rules: &Rules,
        wanted: impl Fn(&Position<G>) -> bool + Sync,
    ) -> [Counts; 2] {
        count(self.layout(), |side, index| {
            let code = self.code_at(side, index);
            if code == ILLEGAL {
                return code;
            }
            match position::<G>(rules, self, side, &self.layout().cells(index)) {
                Ok(position) if wanted(&position) => code,
                _ => ILLEGAL,
            }
        })
    }
}

/// Counts all positions of a layout.
pub(crate) fn count(layout: &Layout, code: impl Fn(Side, usize) -> Code + Sync) -> [Counts; 2] {
    let ways = layout.ways();
    Side::BOTH.map(|side| {
        let classes = (0..layout.pairs().len()).into_par_iter();
        let counted = classes.map(|class| {
            let mut counts = Counts::default();
            // In nearly all classes all positions have the same weight.
            let same = layout.keepers(class).is_empty();
            for index in class * ways..(class + 1) * ways {
                let code = code(side, index);
                if code != ILLEGAL {
                    let weight = if same {
                        layout.symmetries().len()
                    } else {
                        layout.weight(index, &layout.cells(index))
                    };
                    counts.add(code, weight as u64);
                }
            }
            counts
        });
        counted.reduce(Counts::default, |a, b| a.sum(&b))
    })
}
