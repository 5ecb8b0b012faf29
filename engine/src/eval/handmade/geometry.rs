//! What the evaluation asks of a board, worked out once for a game.

use hexmate_movegen::spec::{EDGES, Step, neg};
use hexmate_movegen::{Bits, Cell, Game, KING, Kind, PAWN, Side};

/// Masks and distances of one game. "Ahead" is where a side's pawns go.
#[derive(Clone, Debug)]
pub(super) struct Geometry<G: Game> {
    pub game: G,
    /// For each side and cell, what concerns a pawn there.
    pub pawns: [Vec<PawnMasks<G::Bits>>; 2],
    /// For each cell, the king's neighbours and the cell itself.
    pub zone: Vec<G::Bits>,
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

impl<G: Game> Geometry<G> {
    /// Works them out.
    pub fn new(game: G) -> Self {
        let tables = game.tables();
        let board = &tables.board;
        let per_cell = |f: &dyn Fn(Cell) -> u8| {
            let mut out = vec![0; G::Bits::SIZE];
            for &cell in board.cells() {
                out[usize::from(cell)] = f(cell);
            }
            out
        };
        let mut zone = vec![G::Bits::EMPTY; G::Bits::SIZE];
        for &cell in board.cells() {
            let steps = tables.attacks(KING, cell, G::Bits::EMPTY);
            zone[usize::from(cell)] = steps | G::Bits::of(cell);
        }
        Geometry {
            game,
            pawns: Side::each(|side| pawn_masks(game, side)),
            king_moves: king_moves(game, &zone),
            zone,
            ahead: Side::each(|side| per_cell(&|c| steps_ahead(game, side, c))),
            inside: per_cell(&|c| {
                let depths = EDGES.iter().map(|&e| line(game, c, e).count() as u8);
                depths.min().unwrap_or(0)
            }),
        }
    }

    /// The king's moves between two cells of an empty board.
    #[inline(always)]
    pub fn king_moves(&self, from: Cell, to: Cell) -> usize {
        usize::from(self.king_moves[usize::from(from) * G::Bits::SIZE + usize::from(to)])
    }
}

/// The steps of a side's pawns.
fn pawn_steps<G: Game>(game: G, side: Side) -> impl Iterator<Item = Step> + Clone {
    game.spec().pawn.steps.iter().map(move |&s| match side {
        Side::White => s,
        Side::Black => neg(s),
    })
}

/// The cells behind a cell in one direction, nearest first.
fn line<G: Game>(game: G, from: Cell, step: Step) -> impl Iterator<Item = Cell> {
    let board = &game.tables().board;
    std::iter::successors(board.step(from, step), move |&c| board.step(c, step))
}

/// The cell and all that a pawn can get to from it by steps.
fn span<G: Game>(game: G, side: Side, cell: Cell) -> G::Bits {
    let board = &game.tables().board;
    let mut reached = G::Bits::of(cell);
    let mut fresh = reached;
    while fresh.any() {
        let mut next = G::Bits::EMPTY;
        for from in fresh.cells() {
            let steps = pawn_steps(game, side).filter_map(|s| board.step(from, s));
            next |= steps.fold(G::Bits::EMPTY, |set, to| set | G::Bits::of(to));
        }
        fresh = next & !reached;
        reached |= next;
    }
    reached
}

/// The fewest steps to a cell from where a pawn has none left.
fn steps_ahead<G: Game>(game: G, side: Side, cell: Cell) -> u8 {
    let lines = pawn_steps(game, side).map(|s| line(game, cell, s).count() as u8);
    lines.min().unwrap_or(0)
}

fn pawn_masks<G: Game>(game: G, side: Side) -> Vec<PawnMasks<G::Bits>> {
    let tables = game.tables();
    let attacks = |side, cells: G::Bits| {
        cells
            .cells()
            .fold(G::Bits::EMPTY, |set, c| set | tables.pawn_attacks(side, c))
    };
    let set = |cells: &mut dyn Iterator<Item = Cell>| {
        cells.fold(G::Bits::EMPTY, |set, c| set | G::Bits::of(c))
    };
    let mut out = vec![
        PawnMasks {
            stops: G::Bits::EMPTY,
            behind: G::Bits::EMPTY,
            near: G::Bits::EMPTY,
        };
        G::Bits::SIZE
    ];
    for &cell in tables.board.cells() {
        let ahead = span(game, side, cell);
        let lines = |of| set(&mut pawn_steps(game, of).flat_map(|s| line(game, cell, s)));
        let behind = lines(side.other());
        let path = G::Bits::of(cell) | lines(side) | behind;
        out[usize::from(cell)] = PawnMasks {
            stops: ahead | attacks(side, ahead),
            behind,
            near: attacks(Side::White, path) | attacks(Side::Black, path),
        };
    }
    out
}

fn king_moves<G: Game>(game: G, zone: &[G::Bits]) -> Vec<u8> {
    let mut out = vec![0; G::Bits::SIZE * G::Bits::SIZE];
    for &from in game.tables().board.cells() {
        let mut reached = G::Bits::of(from);
        let mut fresh = reached;
        for distance in 1.. {
            let near = fresh.cells().map(|c| zone[usize::from(c)]);
            fresh = near.fold(G::Bits::EMPTY, |set, z| set | z) & !reached;
            if !fresh.any() {
                break;
            }
            for to in fresh.cells() {
                out[usize::from(from) * G::Bits::SIZE + usize::from(to)] = distance;
            }
            reached |= fresh;
        }
    }
    out
}

/// The most cells that a kind attacks from anywhere on an empty board.
pub(super) fn most_seen<G: Game>(game: G, kind: Kind) -> u32 {
    if kind == PAWN {
        return 0;
    }
    let tables = game.tables();
    let cells = tables.stands_on[usize::from(kind)].cells();
    let seen = cells.map(|c| tables.attacks(kind, c, G::Bits::EMPTY).count());
    seen.max().unwrap_or(0)
}

/// Whether a kind never leaves the colour that it stands on.
pub(super) fn is_colour_bound<G: Game>(game: G, kind: Kind) -> bool {
    let tables = game.tables();
    let keeps = |cell| {
        let colour = tables.board.colour(cell);
        let mut seen = tables.attacks(kind, cell, G::Bits::EMPTY).cells();
        seen.all(|to| tables.board.colour(to) == colour)
    };
    kind != PAWN && tables.stands_on[usize::from(kind)].cells().all(keeps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{BuiltIn, Chromatic3, Chromatic4, Glinski, for_each_game};

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
        let geometry = Geometry::new(Glinski);
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
        let geometry = Geometry::new(Chromatic3);
        let (a, b) = (cell::<Chromatic3>("a1"), cell::<Chromatic3>("a2"));
        assert_eq!(geometry.king_moves(a, a), 0);
        assert_eq!(geometry.king_moves(a, b), 1);
        assert_eq!(geometry.king_moves(b, cell::<Chromatic3>("m13")), 8);
    }

    #[test]
    fn the_sides_see_the_same_board() {
        for_each_game!(G => {
            let geometry = Geometry::new(G::GAME);
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
        let bound = |spec: &hexmate_movegen::spec::GameSpec, is: &dyn Fn(Kind) -> bool| {
            let kinds = 2..spec.pieces.len() as Kind;
            let letters = kinds.filter(|&k| is(k));
            letters
                .map(|k| char::from(spec.pieces[usize::from(k)].letter))
                .collect::<String>()
        };
        assert_eq!(bound(Glinski::SPEC, &|k| is_colour_bound(Glinski, k)), "B");
        assert_eq!(
            bound(Chromatic3::SPEC, &|k| is_colour_bound(Chromatic3, k)),
            "B"
        );
        assert_eq!(
            bound(Chromatic4::SPEC, &|k| is_colour_bound(Chromatic4, k)),
            "B"
        );
    }
}
