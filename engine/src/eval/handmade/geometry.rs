//! What the evaluation asks of a board, worked out once for a game.

use hexmate_movegen::spec::{EDGES, Step, neg};
use hexmate_movegen::{Bits, Cell, KING, Kind, PAWN, Side};

use crate::eval::facts::Facts;

/// Masks and distances of one game. "Ahead" is where a side's pawns go.
#[derive(Clone, Debug)]
pub(super) struct Geometry<B> {
    /// For each side and cell, what concerns a pawn there.
    pub pawns: [Vec<PawnMasks<B>>; 2],
    /// For each cell, the king's neighbours and the cell itself.
    pub zone: Vec<B>,
    /// For each side and cell, the pawn steps from it to the far edge.
    pub ahead: [Vec<u8>; 2],
    /// For each cell, the steps to the nearest edge.
    pub inside: Vec<u8>,
    /// King's moves from cell to cell, row by row.
    king_moves: Vec<u8>,
}

/// What concerns a pawn on one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct PawnMasks<B> {
    /// Where it can ever hinder an enemy pawn: its cell, all cells ahead, and what it attacks from them.
    pub stops: B,
    /// Cells straight behind it.
    pub behind: B,
    /// From where a pawn may protect it or be protected, were either farther ahead or back.
    pub near: B,
}

impl<B: Bits> Geometry<B> {
    /// Works them out.
    pub fn new(facts: &Facts<B>) -> Self {
        let board = facts.board;
        let per_cell = |f: &dyn Fn(Cell) -> u8| {
            let mut out = vec![0; B::SIZE];
            for &cell in board.cells() {
                out[usize::from(cell)] = f(cell);
            }
            out
        };
        let mut zone = vec![B::EMPTY; B::SIZE];
        for &cell in board.cells() {
            let steps = facts.attacks(KING, cell, B::EMPTY);
            zone[usize::from(cell)] = steps | B::of(cell);
        }
        Geometry {
            pawns: Side::each(|side| pawn_masks(facts, side)),
            king_moves: king_moves(facts, &zone),
            zone,
            ahead: Side::each(|side| per_cell(&|c| steps_ahead(facts, side, c))),
            inside: per_cell(&|c| {
                let depths = EDGES.iter().map(|&e| line(facts, c, e).count() as u8);
                depths.min().unwrap_or(0)
            }),
        }
    }

    /// The most king's moves between two cells of an empty board.
    pub fn most_king_moves(&self) -> usize {
        self.king_moves.iter().copied().max().unwrap_or(0).into()
    }

    /// The king's moves between two cells of an empty board.
    #[inline(always)]
    pub fn king_moves(&self, from: Cell, to: Cell) -> usize {
        usize::from(self.king_moves[usize::from(from) * B::SIZE + usize::from(to)])
    }
}

/// The steps of a side's pawns.
fn pawn_steps<B: Bits>(facts: &Facts<B>, side: Side) -> impl Iterator<Item = Step> + Clone {
    facts.spec.pawn.steps.iter().map(move |&s| match side {
        Side::White => s,
        Side::Black => neg(s),
    })
}

/// The cells behind a cell in one direction, nearest first.
fn line<B: Bits>(facts: &Facts<B>, from: Cell, step: Step) -> impl Iterator<Item = Cell> {
    let board = facts.board;
    std::iter::successors(board.step(from, step), move |&c| board.step(c, step))
}

/// The cell and all that a pawn can get to from it by steps.
fn span<B: Bits>(facts: &Facts<B>, side: Side, cell: Cell) -> B {
    let board = facts.board;
    let mut reached = B::of(cell);
    let mut fresh = reached;
    while fresh.any() {
        let mut next = B::EMPTY;
        for from in fresh.cells() {
            let steps = pawn_steps(facts, side).filter_map(|s| board.step(from, s));
            next |= steps.fold(B::EMPTY, |set, to| set | B::of(to));
        }
        fresh = next & !reached;
        reached |= next;
    }
    reached
}

/// The fewest steps to a cell from where a pawn has none left.
fn steps_ahead<B: Bits>(facts: &Facts<B>, side: Side, cell: Cell) -> u8 {
    let lines = pawn_steps(facts, side).map(|s| line(facts, cell, s).count() as u8);
    lines.min().unwrap_or(0)
}

fn pawn_masks<B: Bits>(facts: &Facts<B>, side: Side) -> Vec<PawnMasks<B>> {
    let attacks = |side, cells: B| {
        cells
            .cells()
            .fold(B::EMPTY, |set, c| set | facts.pawn_attacks(side, c))
    };
    let set = |cells: &mut dyn Iterator<Item = Cell>| cells.fold(B::EMPTY, |set, c| set | B::of(c));
    let mut out = vec![
        PawnMasks {
            stops: B::EMPTY,
            behind: B::EMPTY,
            near: B::EMPTY,
        };
        B::SIZE
    ];
    for &cell in facts.board.cells() {
        let ahead = span(facts, side, cell);
        let lines = |of| set(&mut pawn_steps(facts, of).flat_map(|s| line(facts, cell, s)));
        let behind = lines(side.other());
        let path = B::of(cell) | lines(side) | behind;
        out[usize::from(cell)] = PawnMasks {
            stops: ahead | attacks(side, ahead),
            behind,
            near: attacks(Side::White, path) | attacks(Side::Black, path),
        };
    }
    out
}

fn king_moves<B: Bits>(facts: &Facts<B>, zone: &[B]) -> Vec<u8> {
    let mut out = vec![0; B::SIZE * B::SIZE];
    for &from in facts.board.cells() {
        let mut reached = B::of(from);
        let mut fresh = reached;
        for distance in 1.. {
            let near = fresh.cells().map(|c| zone[usize::from(c)]);
            fresh = near.fold(B::EMPTY, |set, z| set | z) & !reached;
            if !fresh.any() {
                break;
            }
            for to in fresh.cells() {
                out[usize::from(from) * B::SIZE + usize::from(to)] = distance;
            }
            reached |= fresh;
        }
    }
    out
}

/// The most cells that a kind attacks from anywhere on an empty board.
pub(super) fn most_seen<B: Bits>(facts: &Facts<B>, kind: Kind) -> u32 {
    if kind == PAWN {
        return 0;
    }
    let cells = facts.stands_on[usize::from(kind)].cells();
    let seen = cells.map(|c| facts.attacks(kind, c, B::EMPTY).count());
    seen.max().unwrap_or(0)
}

/// Whether a kind never leaves the colour that it stands on.
pub(super) fn is_colour_bound<B: Bits>(facts: &Facts<B>, kind: Kind) -> bool {
    let keeps = |cell| {
        let colour = facts.board.colour(cell);
        let mut seen = facts.attacks(kind, cell, B::EMPTY).cells();
        seen.all(|to| facts.board.colour(to) == colour)
    };
    kind != PAWN && facts.stands_on[usize::from(kind)].cells().all(keeps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{BuiltIn, Chromatic3, Chromatic4, Game, Glinski, for_each_game};

    fn cell<G: BuiltIn>(name: &str) -> Cell {
        G::GAME.tables().board.parse_cell(name).unwrap()
    }

    fn names<G: BuiltIn>(set: G::Bits) -> String {
        let names: Vec<String> = set
            .cells()
            .map(|c| G::GAME.tables().board.name(c))
            .collect();
        names.join(" ")
    }

    #[test]
    fn masks_of_a_pawn_of_glinski() {
        let geometry = Geometry::new(&Facts::of(Glinski));
        let masks = geometry.pawns[Side::White as usize][usize::from(cell::<Glinski>("b5"))];
        assert_eq!(names::<Glinski>(masks.stops), "a5 b5 a6 b6 c6 b7 c7 c8");
        assert_eq!(names::<Glinski>(masks.behind), "b1 b2 b3 b4");
        let files = "ac"
            .chars()
            .flat_map(|f| (1..=8).map(move |r| format!("{f}{r}")));
        let near = masks.near;
        for name in files {
            if let Some(c) = Glinski.tables().board.parse_cell(&name) {
                let beside = ["a1", "c1"].contains(&name.as_str());
                assert!(near.has(c) || beside, "{name}");
            }
        }
        assert!(!near.has(cell::<Glinski>("b3")) && !near.has(cell::<Glinski>("d5")));
        assert_eq!(geometry.ahead[0][usize::from(cell::<Glinski>("b5"))], 2);
        assert_eq!(geometry.ahead[1][usize::from(cell::<Glinski>("b5"))], 4);
        assert_eq!(geometry.inside[usize::from(cell::<Glinski>("f6"))], 5);
        assert_eq!(geometry.inside[usize::from(cell::<Glinski>("a3"))], 0);
    }

    #[test]
    fn kings_walk_as_far_as_the_board_goes() {
        let geometry = Geometry::new(&Facts::of(Chromatic3));
        let (a, b) = (cell::<Chromatic3>("a1"), cell::<Chromatic3>("a2"));
        assert_eq!(geometry.king_moves(a, a), 0);
        assert_eq!(geometry.king_moves(a, b), 1);
        assert_eq!(geometry.king_moves(b, cell::<Chromatic3>("m13")), 8);
    }

    #[test]
    fn the_sides_see_the_same_board() {
        for_each_game!(G => {
            let geometry = Geometry::new(&Facts::of(G::GAME));
            for &c in G::GAME.tables().board.cells() {
                let other = usize::from(G::GAME.tables().mirrored[usize::from(c)]);
                let c = usize::from(c);
                assert_eq!(geometry.ahead[0][c], geometry.ahead[1][other]);
                assert_eq!(geometry.inside[c], geometry.inside[other]);
                let stops = [0, 1].map(|s| geometry.pawns[s][[c, other][s]].stops.count());
                assert_eq!(stops[0], stops[1]);
            }
        });
    }

    #[test]
    fn bishops_are_bound_to_a_colour() {
        fn bound<G: BuiltIn>() -> String {
            let facts = Facts::of(G::GAME);
            let kinds = 2..facts.spec.pieces.len() as Kind;
            kinds
                .filter(|&k| is_colour_bound(&facts, k))
                .map(|k| char::from(facts.spec.pieces[usize::from(k)].letter))
                .collect()
        }
        assert_eq!(bound::<Glinski>(), "B");
        assert_eq!(bound::<Chromatic3>(), "B");
        assert_eq!(bound::<Chromatic4>(), "B");
    }
}
