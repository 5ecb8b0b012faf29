//! Counts of a table's positions.

use hexmate_movegen::Side;
use rayon::prelude::*;

use crate::counts::Counts;
use crate::layout::Layout;
use crate::value::{Code, ILLEGAL};

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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use hexmate_movegen::{Bits, Mccooey, Position};
    use tempfile::TempDir;

    use super::*;
    use crate::folder::Folder;
    use crate::material::Material;
    use crate::rules::Rules;

    /// Decided positions of those that are legal, both sides to move together, in percent.
    fn decided(counts: &[Counts; 2]) -> f64 {
        let sum = |of: fn(&Counts) -> u64| counts.iter().map(of).sum::<u64>() as f64;
        100.0 * sum(|c| c.win + c.loss) / sum(|c| c.legal)
    }

    /// Two bishops on unlike colours mate in 0.17 % of the positions; those on like ones hardly more often than
    /// one alone.
    #[test]
    fn two_bishops_hardly_ever_mate() {
        let place = TempDir::new().unwrap();
        let rules = Arc::new(Rules::of(Mccooey));
        let mut folder = Folder::new(Arc::clone(&rules), place.path());
        let material = Material::parse(&rules, "KBBK").unwrap();
        for plan in folder.plan(std::slice::from_ref(&material)) {
            folder
                .build(&plan, None, &AtomicBool::new(false), &|_| {})
                .unwrap();
        }
        let table = folder.table(&material).unwrap();
        let bishop = rules.kind(b'B').unwrap();
        let unlike = |position: &Position<Mccooey>| {
            let mut cells = position.kind(bishop).cells();
            let mut colour = || cells.next().map(|c| position.tables().board.colour(c));
            colour() != colour()
        };
        let [unlike, like] = [true, false].map(|wanted| {
            count(table.layout(), |side, index| {
                let code = table.code_at(side, index);
                if code == ILLEGAL {
                    return code;
                }
                match table.position_of(Mccooey, &rules, side, &table.layout().cells(index)) {
                    Ok(position) if unlike(&position) == wanted => code,
                    _ => ILLEGAL,
                }
            })
        });
        for side in [0, 1] {
            let whole = &table.header().counts[side];
            assert_eq!(unlike[side].legal + like[side].legal, whole.legal);
        }
        println!("{:.4} {:.4}", decided(&unlike), decided(&like));
        assert!((decided(&unlike) - 0.17).abs() < 0.01);
        assert!(decided(&like) < 0.02);
    }
}
