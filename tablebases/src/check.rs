//! Checks of a table by the move generator and a plain search, which are independent of how tables are built.

use hexmate_movegen::{Game, Outcome as End, Position, PositionError, Side};

use crate::parallel;
use crate::probe::Tablebases;
use crate::random::Random;
use crate::rules::Rules;
use crate::table::Table;
use crate::value::{Category, ILLEGAL, Value, decode};

/// What was wrong with a position of a table.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum CheckError {
    #[error("the table has no value for the valid position {fen}")]
    NoValue { fen: String },
    #[error("the table has {found:?} for an invalid position: {why}")]
    Invalid { found: Value, why: PositionError },
    #[error("{fen}: the table says {found:?}, the moves {expected:?}")]
    Moves {
        fen: String,
        found: Value,
        expected: Value,
    },
    #[error("{fen}: the table says {found:?}, a search of {plies} plies {expected:?}")]
    Search {
        fen: String,
        found: Value,
        plies: u32,
        expected: Option<u32>,
    },
    #[error("{fen}: no table covers the position after {mv}")]
    Missing { fen: String, mv: String },
}

impl Table {
    /// A random valid position, with its value in the table; `None` if the random index hit none, or there is none.
    pub fn random<G: Game>(
        &self,
        game: G,
        rules: &Rules,
        random: &mut Random,
    ) -> Option<(Position<G>, Value)> {
        if self.layout().positions() == 0 {
            return None;
        }
        let index = random.below(self.layout().positions());
        let side = Side::BOTH[random.below(2)];
        let value = decode(self.code_at(side, index))?;
        let cells = self.layout().cells(index);
        Some((self.position_of(game, rules, side, &cells).ok()?, value))
    }
}

impl Tablebases {
    /// Compares `count` random entries of a table with the move generator: whether the position is valid, and
    /// whether its value follows from its moves.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn check_moves<G: Game>(
        &self,
        game: G,
        table: &Table,
        count: usize,
        random: &mut Random,
    ) -> Result<(), CheckError> {
        let layout = table.layout();
        // On an odd board there may be no room for these men.
        if layout.positions() == 0 {
            return Ok(());
        }
        for _ in 0..count {
            let index = random.below(layout.positions());
            let side = Side::BOTH[random.below(2)];
            let cells = layout.cells(index);
            let code = table.code_at(side, index);
            let mut taken = cells[..layout.men().len()].to_vec();
            taken.sort_unstable();
            // An arrangement with two men on one cell is not a position, and of a symmetry class only one
            // position has a value.
            if taken.windows(2).any(|pair| pair[0] == pair[1]) || layout.weight(index, &cells) == 0
            {
                continue;
            }
            match (
                table.position_of(game, self.rules(), side, &cells),
                decode(code),
            ) {
                (Err(_), None) => debug_assert_eq!(code, ILLEGAL),
                (Err(why), Some(found)) => return Err(CheckError::Invalid { found, why }),
                (Ok(position), None) => {
                    let fen = position.to_string();
                    return Err(CheckError::NoValue { fen });
                }
                (Ok(position), Some(found)) => {
                    let expected = self.by_moves_or_end(&position)?;
                    if expected != found || self.probe(&position) != Some(found) {
                        return Err(CheckError::Moves {
                            fen: position.to_string(),
                            found,
                            expected,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of a position from its moves, by the move generator.
    fn by_moves_or_end<G: Game>(&self, position: &Position<G>) -> Result<Value, CheckError> {
        let mut best: Option<Value> = None;
        for (mv, next) in position.children() {
            let value = self.probe(&next).ok_or_else(|| CheckError::Missing {
                fen: position.to_string(),
                mv: mv.text(position.game()),
            })?;
            let value = value.before();
            if best.is_none_or(|best| value.rank() > best.rank()) {
                best = Some(value);
            }
        }
        Ok(best.unwrap_or_else(|| end(position)))
    }

    /// Compares random valid positions of a table with a plain search to mate: of three plies, and of five
    /// where the table says that there is a mate by then.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn check_search<G: Game>(
        &self,
        game: G,
        table: &Table,
        count: usize,
        random: &mut Random,
    ) -> Result<(), CheckError> {
        let tries = (0..count).filter_map(|_| table.random(game, self.rules(), random));
        let positions: Vec<(Position<G>, Value)> = tries.collect();
        let wrong = parallel::first(positions.len(), &|at| {
            let (position, found) = &positions[at];
            let said = u32::from(found.plies);
            let deep = found.category == Category::Win && said <= 5;
            let plies = if deep { 5 } else { 3 };
            let expected = shortest_mate(position, plies);
            let agrees = match found.category {
                Category::Win if said <= plies => expected == Some(said),
                _ => expected.is_none(),
            };
            (!agrees).then(|| CheckError::Search {
                fen: position.to_string(),
                found: *found,
                plies,
                expected,
            })
        });
        wrong.map_or(Ok(()), Err)
    }
}

/// The value of a position without moves.
fn end<G: Game>(position: &Position<G>) -> Value {
    let category = match position.outcome() {
        Some(End::Checkmate { .. }) => Category::Loss,
        Some(End::Stalemate { .. }) if position.spec().stalemate_quarters < 2 => {
            Category::Stalemated
        }
        _ => Category::Draw,
    };
    Value { category, plies: 0 }
}

/// The plies of the shortest mate that the side to move can force within this many, by a search of all moves.
pub fn shortest_mate<G: Game>(position: &Position<G>, most: u32) -> Option<u32> {
    (1..=most).step_by(2).find(|&plies| mates(position, plies))
}

fn mates<G: Game>(position: &Position<G>, plies: u32) -> bool {
    position.children().any(|(_, next)| {
        if plies == 1 {
            return !next.is_dead() && next.in_check() && !next.has_legal_move();
        }
        is_mated(&next, plies - 1)
    })
}

/// Whether the side to move is mated within this many plies, whatever it does.
fn is_mated<G: Game>(position: &Position<G>, plies: u32) -> bool {
    if position.is_dead() {
        return false;
    }
    if !position.has_legal_move() {
        return position.in_check();
    }
    position
        .children()
        .all(|(_, next)| (1..plies).step_by(2).any(|plies| mates(&next, plies)))
}
