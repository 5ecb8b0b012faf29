//! The board and its pieces as plain numbers: cells counted without gaps, paths cell by cell, pawns.
//!
//! A table covers every position, so it needs all cells of a path one by one; the masks of the move generator
//! would not help.

use std::fmt;

use hexmate_movegen::spec::GameSpec;
use hexmate_movegen::{Bits, Cell, Game, Kind, Side};

/// No cell.
pub(crate) const NOWHERE: u8 = u8::MAX;

/// A pawn's step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// The other end: where a step leads, or where it came from.
    pub cell: u8,
    /// The first cell that a step of several cells crosses.
    pub over: Option<u8>,
    /// The second one.
    pub over_next: Option<u8>,
}

impl Step {
    /// The cells that it crosses.
    #[inline(always)]
    pub fn crossed(&self) -> impl Iterator<Item = u8> + use<> {
        self.over.into_iter().chain(self.over_next)
    }
}

/// What most games lack is left out: tables are known by a hash of this text.
impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Step");
        out.field("cell", &self.cell).field("over", &self.over);
        if let Some(next) = self.over_next {
            out.field("over_next", &next);
        }
        out.finish()
    }
}

/// As above.
impl fmt::Debug for Pawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Pawns");
        out.field("steps", &self.steps)
            .field("back", &self.back)
            .field("captures", &self.captures)
            .field("promotion", &self.promotion);
        if !self.barring.is_empty() {
            out.field("barring", &self.barring);
        }
        out.finish()
    }
}

/// How the pawns of one side move.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Pawns {
    /// For each cell, where a pawn may step to.
    pub steps: Vec<Vec<Step>>,
    /// For each cell, where a pawn may have stepped from.
    pub back: Vec<Vec<Step>>,
    /// For each cell, what a pawn attacks.
    pub captures: Vec<Vec<u8>>,
    /// Where a pawn is promoted.
    pub promotion: Vec<bool>,
    /// For each cell, where an enemy piece bars all steps of a pawn; empty where the game has no such rule.
    pub barring: Vec<Vec<u8>>,
}

/// A game's board, and how its pieces move.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub spec: &'static GameSpec,
    /// The board's cells, in the order in which they are numbered here.
    pub cells: Vec<Cell>,
    /// The number of each cell of the board.
    pub numbers: [u8; 256],
    /// For each kind and cell, all paths one after the other, each preceded by its length.
    pub flat_paths: Vec<Vec<Box<[u8]>>>,
    /// For each kind, whether it sees one cell from another on an empty board.
    sees: Vec<Vec<bool>>,
    /// For each kind, where it may stand.
    pub stands: Vec<Vec<bool>>,
    pub pawns: [Pawns; 2],
    /// For each cell, what a pawn may become on it.
    pub promotions: Vec<Vec<Kind>>,
}

impl Geometry {
    /// The geometry of a game.
    pub fn of<G: Game>(game: G) -> Self {
        let tables = game.tables();
        let (board, spec) = (&tables.board, game.spec());
        let cells = board.cells().to_vec();
        let mut numbers = [NOWHERE; 256];
        for (number, &cell) in cells.iter().enumerate() {
            numbers[usize::from(cell)] = number as u8;
        }
        let number = |cell: Cell| numbers[usize::from(cell)];
        let stands = |kind: usize, cell: Cell| tables.stands_on[kind].has(cell);
        let paths = (spec.pieces.iter().enumerate())
            .map(|(kind, piece)| {
                let of_cell = |&from: &Cell| {
                    let mut flat = Vec::new();
                    let colour = board.colour(from);
                    let starts = stands(kind, from);
                    let here = piece.paths.iter();
                    for path in here.filter(|p| starts && p.from >> colour & 1 != 0) {
                        let steps = path.steps.iter().cycle().take(path.reach.into());
                        let walk = steps.scan(from, |at, &step| {
                            *at = board.step(*at, step)?;
                            Some(number(*at))
                        });
                        let walk: Vec<u8> = walk.collect();
                        if !walk.is_empty() {
                            flat.push(walk.len() as u8);
                            flat.extend(walk);
                        }
                    }
                    flat.into_boxed_slice()
                };
                cells.iter().map(of_cell).collect()
            })
            .collect();
        let pawns = Side::each(|side| pawns(game, side, &cells, &numbers));
        let mut geometry = Geometry {
            spec,
            flat_paths: paths,
            sees: Vec::new(),
            stands: (0..spec.pieces.len())
                .map(|kind| cells.iter().map(|&c| stands(kind, c)).collect())
                .collect(),
            pawns,
            promotions: (cells.iter())
                .map(|&c| tables.promotions_on(c).to_vec())
                .collect(),
            numbers,
            cells,
        };
        geometry.sees = (0..spec.pieces.len() as Kind)
            .map(|kind| geometry.seen_by(kind))
            .collect();
        geometry
    }

    fn seen_by(&self, kind: Kind) -> Vec<bool> {
        let mut seen = vec![false; self.size() * self.size()];
        for from in 0..self.size() {
            for path in self.paths(kind, from as u8) {
                for &to in path {
                    seen[from * self.size() + usize::from(to)] = true;
                }
            }
        }
        seen
    }

    /// The number of cells.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// The paths of a piece; pawns have none.
    #[inline(always)]
    pub fn paths(&self, kind: Kind, from: u8) -> Paths<'_> {
        Paths(&self.flat_paths[usize::from(kind)][usize::from(from)])
    }

    /// Whether a piece other than a pawn would attack a cell on an empty board.
    #[inline(always)]
    pub fn sees(&self, kind: Kind, from: u8, to: u8) -> bool {
        self.sees[usize::from(kind)][usize::from(from) * self.size() + usize::from(to)]
    }
}

/// The paths of a piece from a cell.
#[derive(Clone, Copy)]
pub(crate) struct Paths<'r>(&'r [u8]);

impl<'r> Iterator for Paths<'r> {
    type Item = &'r [u8];

    #[inline(always)]
    fn next(&mut self) -> Option<&'r [u8]> {
        let (&len, rest) = self.0.split_first()?;
        let (path, rest) = rest.split_at(usize::from(len));
        self.0 = rest;
        Some(path)
    }
}

fn pawns<G: Game>(game: G, side: Side, cells: &[Cell], numbers: &[u8; 256]) -> Pawns {
    let tables = game.tables();
    let board = &tables.board;
    let number = |cell: Cell| numbers[usize::from(cell)];
    let mut steps = vec![Vec::new(); cells.len()];
    for (from, &cell) in cells.iter().enumerate() {
        for &(a, y) in game.spec().pawn.steps {
            let step = match side {
                Side::White => (a, y),
                Side::Black => (-a, -y),
            };
            let Some(one) = board.step(cell, step) else {
                continue;
            };
            steps[from].push(Step {
                cell: number(one),
                over: None,
                over_next: None,
            });
            let Some(two) = board.step(one, step) else {
                continue;
            };
            if tables.double_step_cells(side).has(cell) {
                steps[from].push(Step {
                    cell: number(two),
                    over: Some(number(one)),
                    over_next: None,
                });
            }
            if let Some(three) = board.step(two, step)
                && tables.triple_step_cells(side).has(cell)
            {
                steps[from].push(Step {
                    cell: number(three),
                    over: Some(number(one)),
                    over_next: Some(number(two)),
                });
            }
        }
    }
    let mut back = vec![Vec::new(); cells.len()];
    for (from, steps) in steps.iter().enumerate() {
        for step in steps {
            back[usize::from(step.cell)].push(Step {
                cell: from as u8,
                ..*step
            });
        }
    }
    let attacked = |&cell: &Cell| {
        let attacks = tables.pawn_attacks(side, cell).cells();
        attacks.map(number).collect()
    };
    let promotion = |&cell: &Cell| tables.promotion_cells(side).has(cell);
    let single = |steps: &Vec<Step>| {
        let single = steps.iter().filter(|s| s.over.is_none());
        single.map(|s| s.cell).collect()
    };
    Pawns {
        barring: if game.spec().pawn.blocked_by_enemy {
            steps.iter().map(single).collect()
        } else {
            Vec::new()
        },
        steps,
        back,
        captures: cells.iter().map(attacked).collect(),
        promotion: cells.iter().map(promotion).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{BuiltIn, PAWN, for_each_game};

    #[test]
    fn paths_see_what_pieces_attack() {
        for_each_game!(G => agrees::<G>());
    }

    fn agrees<G: BuiltIn>() {
        let geometry = Geometry::of(G::GAME);
        for kind in (0..geometry.spec.pieces.len() as Kind).filter(|&k| k != PAWN) {
            let stands = |from: &usize| geometry.stands[usize::from(kind)][*from];
            for from in (0..geometry.size()).filter(stands) {
                let cell = geometry.cells[from];
                let attacks = G::GAME.tables().attacks(kind, cell, G::Bits::EMPTY);
                for (to, &other) in geometry.cells.iter().enumerate() {
                    let seen = geometry.sees(kind, from as u8, to as u8);
                    assert_eq!(seen, attacks.has(other), "{kind} {cell} {other}");
                }
            }
        }
    }
}
