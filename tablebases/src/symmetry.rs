//! The symmetries of a game: which rotations and reflections of the lattice map the board to itself, and what
//! becomes of each piece's paths and of the pawns.

use hexmate_movegen::spec::{E1, E2, E3, NEG_E1, NEG_E2, NEG_E3, Step};
use hexmate_movegen::{Board, KING, Kind, PAWN};

use crate::geometry::{Geometry, NOWHERE, Pawns};

/// The edge directions counter-clockwise, starting from (1, 0).
const AROUND: [Step; 6] = [NEG_E3, E1, E2, E3, NEG_E1, NEG_E2];

/// A map of the board to itself.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    /// Where each cell is mapped to.
    pub cells: Box<[u8]>,
    /// For each kind, the kind whose paths are the image of its own; `None` if there is none.
    pub kinds: Vec<Option<Kind>>,
    /// Whether the pawns of each side keep their moves.
    pub keeps_pawns: bool,
    /// Whether White's pawns get the moves of Black's, and the other way round.
    pub exchanges_pawns: bool,
}

/// All symmetries of a game's board that keep the king's moves; the first is the identity.
pub(crate) fn find(geometry: &Geometry, board: &Board) -> Vec<Symmetry> {
    let mut found = Vec::new();
    for reflected in [false, true] {
        for turn in 0..6 {
            // (1, 0) is mapped to one direction, (0, 1), which is at 120 degrees to it, to another.
            let x = AROUND[turn];
            let y = AROUND[(turn + if reflected { 4 } else { 2 }) % 6];
            if let Some(cells) = image(geometry, board, x, y) {
                let kinds = kinds(geometry, &cells);
                let promotes = promotions_become(geometry, &cells, &kinds);
                let symmetry = Symmetry {
                    keeps_pawns: promotes && pawns_become(geometry, &cells, [0, 1]),
                    exchanges_pawns: promotes && pawns_become(geometry, &cells, [1, 0]),
                    kinds,
                    cells,
                };
                if symmetry.kinds[usize::from(KING)] == Some(KING) {
                    found.push(symmetry);
                }
            }
        }
    }
    found
}

/// Where the cells are mapped to if (1, 0) becomes `x` and (0, 1) becomes `y`, with the board's centre fixed;
/// `None` if that leads off the board.
fn image(geometry: &Geometry, board: &Board, x: Step, y: Step) -> Option<Box<[u8]>> {
    let turned = |a: i32, b: i32| {
        (
            i32::from(x.0) * a + i32::from(y.0) * b,
            i32::from(x.1) * a + i32::from(y.1) * b,
        )
    };
    let at = |&cell: &u8| {
        let (a, y) = board.at(cell);
        (i32::from(a), i32::from(y))
    };
    let sum = |(a, b): (i32, i32), (c, d): (i32, i32)| (a + c, b + d);
    let before = geometry.cells.iter().map(at).fold((0, 0), sum);
    let after = turned(before.0, before.1);
    // The centre is fixed: the mean displacement of all cells must be undone.
    let count = geometry.size() as i32;
    let (a, b) = (before.0 - after.0, before.1 - after.1);
    if a % count != 0 || b % count != 0 {
        return None;
    }
    let mut cells = vec![NOWHERE; geometry.size()];
    for (from, cell) in geometry.cells.iter().enumerate() {
        let (x, y) = at(cell);
        let to = turned(x, y);
        let cell = board.cell((to.0 + a / count) as i8, (to.1 + b / count) as i8)?;
        cells[from] = geometry.numbers[usize::from(cell)];
    }
    Some(cells.into())
}

fn kinds(geometry: &Geometry, cells: &[u8]) -> Vec<Option<Kind>> {
    let all = 0..geometry.spec.pieces.len() as Kind;
    let becomes = |kind: Kind, other: Kind| {
        if kind == PAWN || other == PAWN {
            return kind == other;
        }
        (0..geometry.size()).all(|from| {
            let to = usize::from(cells[from]);
            let stands = |k: Kind, cell: usize| geometry.stands[usize::from(k)][cell];
            stands(kind, from) == stands(other, to)
                && moved_paths(geometry, kind, from, cells) == sorted_paths(geometry, other, to)
        })
    };
    // The kind itself is preferred to another one that merely moves alike.
    let partner = |kind: Kind| {
        let mut others = std::iter::once(kind).chain(all.clone());
        others.find(|&other| becomes(kind, other))
    };
    all.clone().map(partner).collect()
}

fn moved_paths(geometry: &Geometry, kind: Kind, from: usize, cells: &[u8]) -> Vec<Vec<u8>> {
    let paths = geometry.paths(kind, from as u8);
    let moved = paths.map(|path| path.iter().map(|&c| cells[usize::from(c)]).collect());
    let mut moved: Vec<Vec<u8>> = moved.collect();
    moved.sort_unstable();
    moved
}

fn sorted_paths(geometry: &Geometry, kind: Kind, from: usize) -> Vec<Vec<u8>> {
    let mut paths: Vec<Vec<u8>> = geometry
        .paths(kind, from as u8)
        .map(<[u8]>::to_vec)
        .collect();
    paths.sort_unstable();
    paths
}

/// Whether promotion choices are the same on each cell and its image.
fn promotions_become(geometry: &Geometry, cells: &[u8], kinds: &[Option<Kind>]) -> bool {
    (0..geometry.size()).all(|from| {
        let moved = geometry.promotions[from].iter();
        let mut moved: Vec<Option<Kind>> = moved.map(|&k| kinds[usize::from(k)]).collect();
        moved.sort_unstable();
        let there = geometry.promotions[usize::from(cells[from])].iter();
        moved.into_iter().eq(there.map(|&k| Some(k)))
    })
}

/// Whether the pawns of White and Black are mapped to those of the sides in `sides`.
fn pawns_become(geometry: &Geometry, cells: &[u8], sides: [usize; 2]) -> bool {
    [0, 1].into_iter().all(|side| {
        let (pawns, others) = (&geometry.pawns[side], &geometry.pawns[sides[side]]);
        let to = |c: u8| cells[usize::from(c)];
        (0..geometry.size()).all(|from| {
            let there = usize::from(cells[from]);
            pawns.promotion[from] == others.promotion[there]
                && pawns.captures_from(from, to) == others.captures_from(there, |c| c)
                && pawns.steps_from(from, to) == others.steps_from(there, |c| c)
        })
    })
}

impl Pawns {
    fn captures_from(&self, from: usize, to: impl Fn(u8) -> u8) -> Vec<u8> {
        let mut cells: Vec<u8> = self.captures[from].iter().map(|&c| to(c)).collect();
        cells.sort_unstable();
        cells
    }

    fn steps_from(&self, from: usize, to: impl Fn(u8) -> u8) -> Vec<(u8, Option<u8>, Option<u8>)> {
        let steps = self.steps[from].iter();
        let mut steps: Vec<_> = steps
            .map(|s| (to(s.cell), s.over.map(&to), s.over_next.map(&to)))
            .collect();
        steps.sort_unstable();
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{BuiltIn, Chromatic3, Chromatic4, Glinski, Mccooey};

    type Found = (Geometry, Vec<Symmetry>);

    fn of<G: BuiltIn>() -> Found {
        let geometry = Geometry::of(G::GAME);
        let symmetries = find(&geometry, &G::GAME.tables().board);
        (geometry, symmetries)
    }

    /// How many symmetries map a piece to itself.
    fn keeping((geometry, symmetries): &Found, letter: u8) -> usize {
        let kind = geometry.spec.kind_of_letter(letter).unwrap();
        let kept = |s: &&Symmetry| s.kinds[usize::from(kind)] == Some(kind);
        symmetries.iter().filter(kept).count()
    }

    #[test]
    fn the_files_board_has_twelve_and_two_with_pawns() {
        for found in [of::<Glinski>(), of::<Mccooey>()] {
            let symmetries = &found.1;
            assert_eq!(symmetries.len(), 12);
            for letter in b"KQRBN" {
                assert_eq!(keeping(&found, *letter), 12);
            }
            let kept = symmetries.iter().filter(|s| s.keeps_pawns);
            assert_eq!(kept.count(), 2);
            let exchanged = symmetries.iter().filter(|s| s.exchanges_pawns);
            assert_eq!(exchanged.count(), 2);
        }
    }

    #[test]
    fn colours_leave_less() {
        let three = of::<Chromatic3>();
        for (letter, count) in [(b'Q', 12), (b'N', 12), (b'S', 6), (b'T', 6), (b'U', 12)] {
            assert_eq!(keeping(&three, letter), count, "{}", char::from(letter));
        }
        let four = of::<Chromatic4>();
        for (letter, count) in [(b'Q', 12), (b'B', 4), (b'S', 2)] {
            assert_eq!(keeping(&four, letter), count, "{}", char::from(letter));
        }
    }

    #[test]
    fn the_first_moves_nothing() {
        let (_, symmetries) = of::<Glinski>();
        let first = &symmetries[0];
        assert!((0..91u8).all(|c| first.cells[usize::from(c)] == c));
    }
}
