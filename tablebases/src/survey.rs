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

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use hexmate_movegen::{GameId, KING, Kind, Piece, Setup, SmallGame};
    use tempfile::TempDir;

    use super::*;
    use crate::folder::Folder;
    use crate::material::Material;
    use crate::probe::Tablebases;
    use crate::value::Value;

    /// On a small board, since all positions are looked at, and with stalemates that count.
    const GAME: &str = "format = 1\nbase = 'minihexchess'\nname = 'small'\ntitle = 'Small'\n\
        [ends]\nstalemate = '3/4-1/4'\n";

    fn small_game() -> SmallGame {
        match GameId::from_text(GAME) {
            Ok(GameId::SmallGame(game)) => game,
            other => panic!("{other:?}"),
        }
    }

    /// Calls `check` with a table of each sort: its name, the table, and all that can be probed.
    fn for_tables(check: impl Fn(&str, &Table, &Tablebases)) {
        let place = TempDir::new().unwrap();
        let rules = Arc::new(Rules::of(small_game()));
        let mut folder = Folder::new(Arc::clone(&rules), place.path());
        for name in ["KPK", "KNK"] {
            let material = Material::parse(&rules, name).unwrap();
            for plan in folder.plan(std::slice::from_ref(&material)) {
                let never = AtomicBool::new(false);
                folder.build(&plan, None, &never, &|_| {}).unwrap();
            }
            let (tables, _) = Tablebases::open(&rules, place.path()).unwrap();
            check(name, &folder.table(&material).unwrap(), &tables);
        }
    }

    /// The values of all arrangements of two kings and one more man of White, for either side to move.
    fn all_values(tables: &Tablebases, kind: Kind) -> Vec<[Option<Value>; 2]> {
        let game = small_game();
        let cells = game.tables().board.cells();
        let mut values = Vec::new();
        for &white in cells {
            for &black in cells.iter().filter(|&&c| c != white) {
                for &third in cells.iter().filter(|&&c| c != white && c != black) {
                    values.push(Side::each(|to_move| {
                        let mut setup = Setup::new(game);
                        for (cell, kind, side) in [
                            (white, KING, Side::White),
                            (black, KING, Side::Black),
                            (third, kind, Side::White),
                        ] {
                            setup.set(cell, Some(Piece { kind, side }));
                        }
                        setup.side = to_move;
                        setup.build().ok().map(|p| tables.probe(&p).unwrap())
                    }));
                }
            }
        }
        values
    }

    /// What White gets if White is to move and if Black is, where either would rather not be.
    fn zugzwang([white, black]: [Option<Value>; 2]) -> Option<(Category, Category)> {
        let sort = (white?.category, black?.category.reversed());
        (sort.0 < sort.1).then_some(sort)
    }

    #[test]
    fn a_survey_counts_what_probes_of_all_positions_say() {
        for_tables(|name, table, tables| {
            let mut distances: BTreeMap<(u8, Category, u16), u64> = BTreeMap::new();
            let mut zugzwangs: BTreeMap<(Category, Category), u64> = BTreeMap::new();
            let kind = tables.rules().kind(name.as_bytes()[1]).unwrap();
            for values in all_values(tables, kind) {
                for (side, value) in (0..).zip(values) {
                    if let Some(Value { category, plies }) = value {
                        *distances.entry((side, category, plies)).or_default() += 1;
                    }
                }
                if let Some(sort) = zugzwang(values) {
                    *zugzwangs.entry(sort).or_default() += 1;
                }
            }
            assert!(!zugzwangs.is_empty(), "{name}");
            let survey = Survey::of(table);
            let mut found = BTreeMap::new();
            for (&(side, category), counts) in &survey.distances {
                let counts = (0..).zip(counts).filter(|&(_, &count)| count > 0);
                found.extend(counts.map(|(plies, &count)| ((side, category, plies), count)));
            }
            assert_eq!(found, distances, "{name}");
            let counts = survey.zugzwangs.iter();
            let counts = counts.map(|(&sort, found)| (sort, found.count));
            assert_eq!(counts.collect::<BTreeMap<_, _>>(), zugzwangs, "{name}");
        });
    }

    /// Of all that are as long, or of one sort, whatever the number of threads.
    #[test]
    fn examples_are_the_first_of_their_sort() {
        let game = small_game();
        for_tables(|name, table, tables| {
            let layout = table.layout();
            // By index, where it does not stand for the same as another.
            let all = 0..layout.positions();
            let all = all.filter(|&index| layout.weight(index, &layout.cells(index)) > 0);
            let probed = |index, side| {
                let place = Place::new(side, index);
                let position = table.position(game, tables.rules(), place);
                position.ok().and_then(|p| tables.probe(&p))
            };
            let all = all.map(|index| (index, Side::each(|side| probed(index, side))));
            let all: Vec<(usize, [Option<Value>; 2])> = all.collect();
            let survey = Survey::of(table);
            for side in Side::BOTH {
                let wins = all.iter().filter_map(|&(index, values)| {
                    let win = values[side as usize].filter(|v| v.category == Category::Win)?;
                    Some((win.plies, Reverse(index)))
                });
                let longest = wins.max();
                let longest = longest.map(|(plies, first)| (plies, Place::new(side, first.0)));
                assert_eq!(survey.longest[side as usize], longest, "{name}");
            }
            for (&sort, found) in &survey.zugzwangs {
                let mut of_sort = all
                    .iter()
                    .filter(|(_, values)| zugzwang(*values) == Some(sort));
                let first = of_sort
                    .next()
                    .map(|&(index, _)| Place::new(Side::White, index));
                assert_eq!(Some(found.example), first, "{name}: {sort:?}");
            }
        });
    }
}
