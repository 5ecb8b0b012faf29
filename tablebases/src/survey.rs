//! A pass over every position of a table: distribution of distances, zugzwangs, examples.

use std::collections::BTreeMap;

use hexmate_movegen::{Game, Position, PositionError, Side};
use rayon::prelude::*;

use crate::rules::Rules;
use crate::table::Table;
use crate::value::{Category, decode};

/// A position of a table: the side to move, and its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place(bool, usize);

impl Place {
    fn new(side: Side, index: usize) -> Self {
        Place(side == Side::Black, index)
    }

    /// The side to move.
    pub fn side(self) -> Side {
        Side::BOTH[usize::from(self.0)]
    }
}

/// How many arrangements of a type there are, as they stand on the board, and one of them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the words say it
pub struct Found {
    pub count: u64,
    pub example: Place,
}

/// What was found in a table.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// By side to move and category, the number of positions for each distance in plies.
    pub distances: BTreeMap<(u8, Category), Vec<u64>>,
    /// For each side to move, the first position with its longest win.
    pub longest: [Option<(u16, Place)>; 2],
    /// Mutual zugzwangs: arrangements in which either side would rather not be to move, by what White gets if
    /// White is to move and what White gets if Black is.
    pub zugzwangs: BTreeMap<(Category, Category), Found>,
}

impl Survey {
    /// Surveys all positions of a table.
    pub fn of(table: &Table) -> Survey {
        const PIECE: usize = 1 << 14;
        let positions = table.layout().positions();
        let pieces = (0..positions.div_ceil(PIECE)).into_par_iter();
        let seen = pieces.map(|piece| {
            let mut survey = Survey::default();
            for index in piece * PIECE..((piece + 1) * PIECE).min(positions) {
                survey.see(table, index);
            }
            survey
        });
        seen.reduce(Survey::default, Survey::joined)
    }

    fn see(&mut self, table: &Table, index: usize) {
        let values = Side::each(|side| decode(table.code_at(side, index)));
        if values == [None, None] {
            return;
        }
        let layout = table.layout();
        let weight = layout.weight(index, &layout.cells(index)) as u64;
        for side in Side::BOTH {
            let Some(value) = values[side as usize] else {
                continue;
            };
            let distances = self
                .distances
                .entry((side as u8, value.category))
                .or_default();
            let plies = usize::from(value.plies);
            if distances.len() <= plies {
                distances.resize(plies + 1, 0);
            }
            distances[plies] += weight;
            let longest = &mut self.longest[side as usize];
            if value.category == Category::Win && longest.is_none_or(|(most, _)| value.plies > most)
            {
                *longest = Some((value.plies, Place::new(side, index)));
            }
        }
        if let [Some(white), Some(black)] = values {
            let (moving, waiting) = (white.category, black.category.reversed());
            if moving < waiting {
                let example = Place::new(Side::White, index);
                let found = Found {
                    count: weight,
                    example,
                };
                self.add((moving, waiting), found);
            }
        }
    }

    fn add(&mut self, sort: (Category, Category), found: Found) {
        let known = self
            .zugzwangs
            .entry(sort)
            .or_insert(Found { count: 0, ..found });
        known.count += found.count;
        known.example = known.example.min(found.example);
    }

    fn joined(mut self, other: Survey) -> Survey {
        for (sort, counts) in other.distances {
            let own = self.distances.entry(sort).or_default();
            if own.len() < counts.len() {
                own.resize(counts.len(), 0);
            }
            for (own, count) in own.iter_mut().zip(counts) {
                *own += count;
            }
        }
        for (own, other) in self.longest.iter_mut().zip(other.longest) {
            *own = match (*own, other) {
                (Some(a), Some(b)) if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) => Some(b),
                (None, b) => b,
                (a, _) => a,
            };
        }
        for (sort, found) in other.zugzwangs {
            self.add(sort, found);
        }
        self
    }
}

impl Table {
    /// The position at a place.
    ///
    /// # Errors
    ///
    /// If it is not valid.
    pub fn position<G: Game>(
        &self,
        game: G,
        rules: &Rules,
        place: Place,
    ) -> Result<Position<G>, PositionError> {
        self.position_of(game, rules, place.side(), &self.layout().cells(place.1))
    }
}
