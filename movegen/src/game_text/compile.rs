//! What a game must keep to besides, if the generator is to be compiled for it.

use super::geometry::Geometry;
use crate::board::Board;
use crate::rules::spec::{GameSpec, Path};
use crate::rules::{KING, Kind};
use crate::sets::Cell;

/// Bits of a word of path space, see `tables/lanes.rs`.
const LANE_BITS: usize = 64;
/// The longest path that is looked up, see `tables/crooked.rs`.
const SHORT: usize = 3;
/// The most differences of indices that one step of a pawn may have, see `tables/pawn_step.rs`.
const MOST_SHIFTS: usize = 16;

/// Why the generator cannot be compiled for a game, one sentence for each reason; none if it can. Such a game can
/// still be played from its file.
pub fn compile_limits(spec: &GameSpec) -> Vec<String> {
    let (width, height) = spec.board.extent();
    let places = (0..width * height).map(|p| ((p % width) as i8, (p / width) as i8));
    // The last cell of a word must stay free.
    let fits = |capacity: usize| {
        let mut indices = places
            .clone()
            .filter_map(|(a, y)| spec.board.index(capacity, a, y));
        indices.all(|index| index < capacity - 1)
    };
    let Some(capacity) = [128, 256].into_iter().find(|&c| fits(c)) else {
        return vec!["the board has more than 255 cells".to_owned()];
    };
    let board = Board::new(&spec.board, capacity);
    let game = Geometry {
        spec,
        board: &board,
    };
    let mut reasons = Vec::new();
    for kind in KING..spec.pieces.len() as Kind {
        let cells = board.cells().iter();
        let found = cells
            .copied()
            .find_map(|cell| fault_of(&game, kind, cell, capacity));
        reasons.extend(found);
    }
    let classes = spec.classes();
    for place in 0..classes.len {
        let users = classes.get(place);
        let count = |&cell: &Cell| class_cells(&game, users, cell);
        let most = board.cells().iter().map(count).max().unwrap_or(0);
        if most > LANE_BITS {
            let letters = (0..spec.pieces.len()).filter(|k| users >> k & 1 != 0);
            let letters: String = letters.map(|k| char::from(spec.pieces[k].letter)).collect();
            reasons.push(format!(
                "the paths that {letters} have in common have {most} cells from some cell; {LANE_BITS} fit"
            ));
        }
    }
    for &step in spec.pawn.steps.iter().chain(spec.pawn.captures) {
        let difference = |&cell: &Cell| Some(i32::from(board.step(cell, step)?) - i32::from(cell));
        let mut differences: Vec<i32> = board.cells().iter().filter_map(difference).collect();
        differences.sort_unstable();
        differences.dedup();
        if differences.len() > MOST_SHIFTS {
            reasons.push(format!(
                "the rows are so unlike that the pawn's step {step:?} needs {} shifts; {MOST_SHIFTS} are possible",
                differences.len()
            ));
        }
    }
    reasons
}

/// The cells on all paths of one class from a cell.
fn class_cells(game: &Geometry<'_>, users: u16, cell: Cell) -> usize {
    let kinds = (KING..game.spec.pieces.len() as Kind).filter(|k| users >> k & 1 != 0);
    let kinds: Vec<Kind> = kinds.collect();
    let here = kinds.iter().find(|&&k| game.stands(k, cell));
    let Some(&kind) = here else {
        return 0;
    };
    let walks = game.walks(kind, cell);
    let straight_users = |path: &Path| {
        let slides = |kind: usize| {
            let mut paths = game.spec.pieces[kind].paths.iter();
            paths.any(|p| p.is_straight() && p.steps == path.steps)
        };
        let kinds = 0..game.spec.pieces.len();
        kinds
            .filter(|&k| slides(k))
            .fold(0, |set, k| set | 1u16 << k)
    };
    let [mut straight, mut crooked] = [0, 0];
    for (path, cells) in &walks {
        if path.is_straight() && straight_users(path) == users {
            straight += cells.len();
        } else if !path.is_straight() && !path.is_leap() {
            crooked += cells.len();
        }
    }
    // A set of one kind may stand for its lines and for its crooked paths, which have words of their own.
    if kinds.len() == 1 {
        straight.max(crooked)
    } else {
        straight
    }
}

/// What is wrong with the paths of a kind from a cell.
fn fault_of(game: &Geometry<'_>, kind: Kind, cell: Cell, capacity: usize) -> Option<String> {
    let piece = &game.spec.pieces[usize::from(kind)];
    let letter = char::from(piece.letter);
    let name = |cell: Cell| game.board.name(cell);
    let walks = game.walks(kind, cell);
    let walks = walks.iter().filter(|(path, _)| !path.is_leap());
    // The paths that reached each cell so far, by class: straight or not.
    let mut reached: Vec<(Cell, bool)> = Vec::new();
    for (path, cells) in walks {
        for (i, &to) in cells.iter().enumerate() {
            let shared = reached
                .iter()
                .any(|&(c, straight)| c == to && (i > 0 || straight != path.is_straight()));
            if shared {
                return Some(format!(
                    "two paths of '{letter}' from {} share the cell {}, which is not the first of both",
                    name(cell),
                    name(to)
                ));
            }
            reached.push((to, path.is_straight()));
        }
        if !path.is_straight() && cells.len() > SHORT && !can_be_ordered(cells, capacity) {
            return Some(format!(
                "a path of '{letter}' from {} winds so that its cells cannot be put in order",
                name(cell)
            ));
        }
    }
    None
}

/// Whether the cells ascend or descend when some of them are counted a certain number higher.
fn can_be_ordered(cells: &[Cell], capacity: usize) -> bool {
    let ascends = |shift: usize| {
        let mut next = 0;
        cells.iter().all(|&cell| {
            let cell = usize::from(cell);
            let place = [cell, cell + shift].into_iter().find(|&c| c >= next);
            next = place.map_or(next, |p| p + 1);
            place.is_some() && next <= capacity
        })
    };
    let descends = |shift: usize| {
        let mut top = capacity;
        cells.iter().all(|&cell| {
            let cell = usize::from(cell);
            let place = [cell + shift, cell].into_iter().find(|&c| c < top);
            top = place.unwrap_or(top);
            place.is_some()
        })
    };
    let ordered = cells.is_sorted() || cells.is_sorted_by(|a, b| a > b);
    ordered || (1..64).any(|shift| ascends(shift) || descends(shift))
}
