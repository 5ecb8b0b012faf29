//! What is alike: the two sides, and the left and right of a board whose rules do not tell them apart.
//!
//! Pieces that play the same part share their weights, so that fewer have to be learnt. The likeness
//! is found in the game's data; no game is named.

use hexmate_movegen::spec::{EDGES, GameSpec, Step};
use hexmate_movegen::{Bits, Cell, KING, Kind, PAWN, Side};

use crate::eval::facts::Facts;

/// The part that a piece plays, as a kind of White's: kinds of one part share their weights.
pub(super) type Part = usize;

/// The reflection of a game's board that keeps the pawns' direction.
pub(in crate::eval) struct Reflection {
    /// For each cell index its image.
    pub cells: Vec<Cell>,
    /// For each kind the kind that moves in the reflected way.
    pub kinds: Vec<Kind>,
}

impl Reflection {
    /// The reflection of a game, if its rules (not the array) have one.
    pub fn find<B: Bits>(facts: &Facts<B>) -> Option<Self> {
        // A symmetry of the lattice is fixed by the images of (1, 0) and (0, 1).
        let pairs = EDGES
            .iter()
            .flat_map(|&x| EDGES.iter().map(move |&y| (x, y)));
        let symmetries = pairs.filter(|&(x, y)| EDGES.contains(&add(x, y)));
        symmetries
            .filter(|&(x, y)| (x, y) != ((1, 0), (0, 1)))
            .find_map(|(x, y)| {
                let turned = |(a, b): Step| (x.0 * a + y.0 * b, x.1 * a + y.1 * b);
                let keeps = |steps: &[Step]| steps.iter().all(|&s| steps.contains(&turned(s)));
                if !keeps(facts.spec.pawn.steps) || !keeps(facts.spec.pawn.captures) {
                    return None;
                }
                let cells = images(facts, &turned)?;
                let double = facts.double_steps;
                if double.cells().any(|c| !double.has(cells[usize::from(c)])) {
                    return None;
                }
                Some(Reflection {
                    kinds: kind_images(facts, &cells)?,
                    cells,
                })
            })
    }

    /// The kind that stands for a kind: itself, its image, or its image's image, which moves as it does.
    fn part(&self, kind: Kind) -> Kind {
        let image = self.kinds[usize::from(kind)];
        kind.min(image).min(self.kinds[usize::from(image)])
    }
}

/// Which piece on which cell is worth the same as which.
pub(super) struct Symmetry {
    reflection: Option<Reflection>,
    spec: &'static GameSpec,
    mirrored: &'static [Cell],
}

impl Symmetry {
    /// Finds the likeness of a game.
    pub fn find<B: Bits>(facts: &Facts<B>) -> Self {
        Symmetry {
            reflection: Reflection::find(facts),
            spec: facts.spec,
            mirrored: facts.mirrored,
        }
    }

    /// The part that a kind plays for a side.
    pub fn part(&self, side: Side, kind: Kind) -> Part {
        let kind = self.as_white(side, kind);
        self.reflection
            .as_ref()
            .map_or(kind, |r| r.part(kind))
            .into()
    }

    /// The cell of White's that stands for `cell` when a kind of a side is on it.
    pub fn stand_in(&self, side: Side, kind: Kind, cell: Cell) -> Cell {
        let kind = self.as_white(side, kind);
        let cell = match side {
            Side::White => cell,
            Side::Black => self.mirrored[usize::from(cell)],
        };
        let Some(reflection) = &self.reflection else {
            return cell;
        };
        let image = reflection.cells[usize::from(cell)];
        match reflection.kinds[usize::from(kind)] {
            other if other == kind => cell.min(image),
            other if other == reflection.part(kind) => image,
            _ => cell,
        }
    }

    fn as_white(&self, side: Side, kind: Kind) -> Kind {
        match side {
            Side::White => kind,
            Side::Black => self.spec.mirrored_kind(kind),
        }
    }
}

fn add(a: Step, b: Step) -> Step {
    (a.0 + b.0, a.1 + b.1)
}

/// The image of every cell under a turn about the middle of the board, if it is the board again.
fn images<B: Bits>(facts: &Facts<B>, turned: &dyn Fn(Step) -> Step) -> Option<Vec<Cell>> {
    let board = facts.board;
    let cells = board.cells();
    let number = cells.len() as i32;
    let sum = |f: &dyn Fn(Step) -> Step| {
        let images = cells.iter().map(|&c| f(board.at(c)));
        images.fold((0, 0), |s: (i32, i32), (a, y)| {
            (s.0 + i32::from(a), s.1 + i32::from(y))
        })
    };
    // The middle of the board must stay the middle.
    let (before, after) = (sum(&|s| s), sum(turned));
    let shift = (before.0 - after.0, before.1 - after.1);
    if shift.0 % number != 0 || shift.1 % number != 0 {
        return None;
    }
    let shift = ((shift.0 / number) as i8, (shift.1 / number) as i8);
    let mut out: Vec<Cell> = (0..B::SIZE).map(|c| c as Cell).collect();
    for &cell in cells {
        let (a, y) = add(turned(board.at(cell)), shift);
        out[usize::from(cell)] = board.cell(a, y)?;
    }
    Some(out)
}

/// For each kind the one that moves on the reflected board as it does on the board.
///
/// Images come in pairs. A kind is its own image if it can be: others that merely move alike have weights of their own.
/// One that is left over, as the second of two alike with one image, shares that image. Nothing has the king for its
/// image, which has no worth and cannot lend any.
fn kind_images<B: Bits>(facts: &Facts<B>, cells: &[Cell]) -> Option<Vec<Kind>> {
    if !are_images(facts, KING, KING, cells) {
        return None;
    }
    let number = facts.spec.pieces.len() as Kind;
    let mut images: Vec<Option<Kind>> = vec![None; usize::from(number)];
    images[usize::from(PAWN)] = Some(PAWN);
    images[usize::from(KING)] = Some(KING);
    for kind in KING + 1..number {
        if images[usize::from(kind)].is_none() {
            let free = (kind..number).filter(|&k| images[usize::from(k)].is_none());
            let mut others = free.chain(KING + 1..number);
            let other = others.find(|&k| are_images(facts, kind, k, cells))?;
            images[usize::from(kind)] = Some(other);
            images[usize::from(other)].get_or_insert(kind);
        }
    }
    images.into_iter().collect()
}

/// Whether each of two kinds moves on the reflected board as the other does on the board.
fn are_images<B: Bits>(facts: &Facts<B>, one: Kind, other: Kind, cells: &[Cell]) -> bool {
    let image = |set: B| {
        set.cells()
            .fold(B::EMPTY, |s, c| s | B::of(cells[usize::from(c)]))
    };
    // The full board tells what slides from what leaps.
    let becomes = |kind: Kind, other: Kind| {
        let stands = facts.stands_on[usize::from(kind)];
        image(stands) == facts.stands_on[usize::from(other)]
            && stands.cells().all(|c| {
                [B::EMPTY, facts.all].into_iter().all(|occupied| {
                    image(facts.attacks(kind, c, occupied))
                        == facts.attacks(other, cells[usize::from(c)], occupied)
                })
            })
    };
    becomes(one, other) && (one == other || becomes(other, one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{
        BuiltIn, Chromatic3, Chromatic4, Game, GameId, Glinski, Hexachess, Mccooey, SmallGame,
    };

    use crate::eval::handmade::{Handmade, Weights};

    fn cell<G: BuiltIn>(name: &str) -> Cell {
        G::GAME.tables().board.parse_cell(name).unwrap()
    }

    fn files_are_reflected<G: BuiltIn>() {
        let symmetry = Symmetry::find(&Facts::of(G::GAME));
        let queen = 2;
        let there = |side, name| symmetry.stand_in(side, queen, cell::<G>(name));
        assert_eq!(there(Side::White, "c3"), there(Side::White, "i3"));
        assert_eq!(there(Side::White, "f4"), cell::<G>("f4"));
        assert_ne!(there(Side::White, "c3"), there(Side::White, "c4"));
        assert_eq!(there(Side::White, "c3"), there(Side::Black, "c6"));
    }

    #[test]
    fn left_and_right_of_the_files_board_are_alike() {
        files_are_reflected::<Glinski>();
        files_are_reflected::<Hexachess>();
        files_are_reflected::<Mccooey>();
    }

    #[test]
    fn reflected_pieces_play_one_part() {
        let symmetry = Symmetry::find(&Facts::of(Chromatic3));
        let kind = |letter| Chromatic3::SPEC.kind_of_letter(letter).unwrap();
        let part = |letter| symmetry.part(Side::White, kind(letter));
        assert_eq!(part(b'S'), part(b'T'));
        assert_ne!(part(b'S'), part(b'U'));
        let on =
            |letter, name| symmetry.stand_in(Side::White, kind(letter), cell::<Chromatic3>(name));
        assert_eq!(on(b'S', "a1"), on(b'T', "g1"));
        assert_eq!(on(b'Q', "b1"), on(b'Q', "f1"));
    }

    #[test]
    fn a_board_whose_colours_tell_left_from_right_is_not_reflected() {
        let symmetry = Symmetry::find(&Facts::of(Chromatic4));
        assert!(symmetry.reflection.is_none());
        let kind = |letter| Chromatic4::SPEC.kind_of_letter(letter).unwrap();
        let white = symmetry.part(Side::White, kind(b'S'));
        assert_eq!(white, symmetry.part(Side::Black, kind(b'V')));
        assert_ne!(white, symmetry.part(Side::White, kind(b'V')));
    }

    /// A game that is read from its text.
    fn read(text: &str) -> SmallGame {
        match GameId::from_text(text) {
            Ok(GameId::SmallGame(game)) => game,
            other => panic!("{other:?}"),
        }
    }

    /// A piece with the king's moves is worth what its moves are worth.
    #[test]
    fn the_king_lends_its_part_to_no_piece() {
        let game = read(
            "format = 1\nbase = \"glinski\"\nname = \"mann\"\ntitle = \"Mann\"\n\
             [pieces]\nN = { name = \"mann\", leaps = [\"all\"] }\n",
        );
        let mann = game.spec().kind_of_letter(b'N').unwrap();
        let symmetry = Symmetry::find(&Facts::of(game));
        assert!(symmetry.reflection.is_some());
        let part = |kind| symmetry.part(Side::White, kind);
        assert_eq!(
            (part(KING), part(mann)),
            (usize::from(KING), usize::from(mann))
        );
        let evaluator = Handmade::new(&Weights::untuned(game));
        assert!(evaluator.value(mann) > evaluator.value(PAWN));
    }

    /// One kind slides along e1 and two slide along e3, which is the image of e1: all three are alike, in any order.
    #[test]
    fn a_kind_that_is_left_over_shares_its_image() {
        for edges in [["e1", "e3", "e3"], ["e3", "e1", "e3"], ["e3", "e3", "e1"]] {
            let pieces = edges.iter().zip(["A", "B", "C"]).map(|(edge, letter)| {
                let name = letter.to_lowercase();
                format!("{letter} = {{ name = \"{name}\", paths = [{{ along = [\"{edge}\", \"-{edge}\"] }}] }}\n")
            });
            let game = read(&format!(
                "format = 1\nname = \"slant\"\ntitle = \"Slant\"\n\
                 [board]\nhexagon = 4\nother_side = \"half turn\"\n\
                 [pieces]\nK = {{ name = \"king\", leaps = [\"all\"] }}\n{}\
                 [pawn]\nsteps = [\"e2\"]\ncaptures = []\n[start]\nwhite = \"Ka1\"\n",
                pieces.collect::<String>()
            ));
            let symmetry = Symmetry::find(&Facts::of(game));
            let cells = &symmetry.reflection.as_ref().unwrap().cells;
            let kinds = [b'A', b'B', b'C'].map(|l| game.spec().kind_of_letter(l).unwrap());
            let part = symmetry.part(Side::White, kinds[0]);
            for (kind, edge) in kinds.into_iter().zip(edges) {
                assert_eq!(symmetry.part(Side::White, kind), part, "{edges:?}");
                for &cell in game.tables().board.cells() {
                    let there = match edge == edges[0] {
                        true => cell,
                        false => cells[usize::from(cell)],
                    };
                    assert_eq!(
                        symmetry.stand_in(Side::White, kind, cell),
                        there,
                        "{edges:?}"
                    );
                }
            }
        }
    }

    /// `A` and `C` slide two cells, `B` and `D` leap to the same cells; each pair is reflected into itself.
    #[test]
    fn what_leaps_is_not_the_image_of_what_slides() {
        let game = read(
            "format = 1\nname = \"slant\"\ntitle = \"Slant\"\n\
             [board]\nhexagon = 4\nother_side = \"half turn\"\n\
             [pieces]\nK = { name = \"king\", leaps = [\"all\"] }\n\
             A = { name = \"a\", paths = [{ along = [\"e1\", \"-e1\"], reach = 2 }] }\n\
             B = { name = \"b\", leaps = [\"e3\", \"-e3\", \"(2, 0)\", \"(-2, 0)\"] }\n\
             C = { name = \"c\", paths = [{ along = [\"e3\", \"-e3\"], reach = 2 }] }\n\
             D = { name = \"d\", leaps = [\"e1\", \"-e1\", \"(2, 2)\", \"(-2, -2)\"] }\n\
             [pawn]\nsteps = [\"e2\"]\ncaptures = []\n[start]\nwhite = \"Ka1\"\n",
        );
        let kind = |letter| game.spec().kind_of_letter(letter).unwrap();
        let symmetry = Symmetry::find(&Facts::of(game));
        assert!(symmetry.reflection.is_some());
        let part = |letter| symmetry.part(Side::White, kind(letter));
        assert_eq!(part(b'A'), part(b'C'));
        assert_eq!(part(b'B'), part(b'D'));
        assert_ne!(part(b'A'), part(b'B'));
    }
}
