//! Counts of a table's positions.

use hexmate_movegen::{Game, Position, Side};
use rayon::prelude::*;

use crate::counts::Counts;
use crate::layout::Layout;
use crate::rules::Rules;
use crate::table::Table;
use crate::value::{Code, ILLEGAL};

impl Table {
    /// The positions of the table for which `wanted` is true, counted as in the header's
    /// [`counts`](crate::Header::counts).
    pub fn count_where<G: Game>(
        &self,
        game: G,
        rules: &Rules,
        wanted: impl Fn(&Position<G>) -> bool + Sync,
    ) -> [Counts; 2] {
        count(self.layout(), |side, index| {
            let code = self.code_at(side, index);
            if code == ILLEGAL {
                return code;
            }
            match self.position_of(game, rules, side, &self.layout().cells(index)) {
                Ok(position) if wanted(&position) => code,
                _ => ILLEGAL,
            }
        })
    }
}

/// Counts all positions of a layout.
pub(crate) fn count(layout: &Layout, code: impl Fn(Side, usize) -> Code + Sync) -> [Counts; 2] {
    let ways = layout.ways();
    Side::each(|side| {
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
