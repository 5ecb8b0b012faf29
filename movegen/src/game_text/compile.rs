//! Further limits of a game for which the generator is compiled.

use super::geometry::Geometry;
use super::words::name_of;
use crate::board::Board;
use crate::rules::spec::{GameSpec, Path};
use crate::rules::{KING, Kind, LANE_BITS};
use crate::sets::Cell;

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
        let found = cells.copied().find_map(|cell| fault_of(&game, kind, cell));
        reasons.extend(found);
    }
    for (class, cells) in class_cells(spec, &board).iter().enumerate() {
        let most = cells.iter().copied().max().unwrap_or(0);
        if most > LANE_BITS {
            let users = spec.classes().get(class);
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
                "the rows are so unlike that the pawn's step {} needs {} shifts; {MOST_SHIFTS} are possible",
                name_of(step),
                differences.len()
            ));
        }
    }
    reasons
}

/// For each class of paths and each cell, in the order of the board, the number of cells on all paths of the class from
/// there.
pub fn class_cells(spec: &GameSpec, board: &Board) -> Vec<Vec<usize>> {
    let game = Geometry { spec, board };
    let from = |class| {
        let cells = board.cells().iter();
        cells.map(|&cell| cells_of(&game, class, cell)).collect()
    };
    (0..spec.classes().len).map(from).collect()
}

/// The number of cells on all paths of one class from a cell.
fn cells_of(game: &Geometry<'_>, class: usize, cell: Cell) -> usize {
    let (spec, classes) = (game.spec, game.spec.classes());
    let users = classes.get(class);
    let mut kinds = (KING..spec.pieces.len() as Kind).filter(|k| users >> k & 1 != 0);
    let Some(kind) = kinds.find(|&k| game.stands(k, cell)) else {
        return 0;
    };
    let is_crooked = |path: &Path| !path.is_straight() && !path.is_leap();
    let straight_users = |path: &Path| {
        let slides = |kind: &usize| {
            let mut paths = spec.pieces[*kind].paths.iter();
            paths.any(|p| p.is_straight() && p.steps == path.steps)
        };
        let kinds = (0..spec.pieces.len()).filter(slides);
        kinds.fold(0, |set, k| set | 1u16 << k)
    };
    // A set of one kind may stand for its lines and, after that, for its crooked paths.
    let is_last = (class + 1..classes.len).all(|later| classes.get(later) != users);
    let mut paths = spec.pieces[usize::from(kind)].paths.iter();
    let of_crooked = users == 1 << kind && is_last && paths.any(is_crooked);
    let walks = game.walks(kind, cell);
    let of_class = walks.iter().filter(|(path, _)| match of_crooked {
        true => is_crooked(path),
        false => path.is_straight() && straight_users(path) == users,
    });
    of_class.map(|(_, cells)| cells.len()).sum()
}

/// What is wrong with the paths of a kind from a cell.
fn fault_of(game: &Geometry<'_>, kind: Kind, cell: Cell) -> Option<String> {
    let piece = &game.spec.pieces[usize::from(kind)];
    let letter = char::from(piece.letter);
    let name = |cell: Cell| game.board.name(cell);
    let walks = game.walks(kind, cell);
    let walks = walks.iter().filter(|(path, _)| !path.is_leap());
    // The cells reached so far, and whether as the first cell of a path that is not straight.
    let mut reached: Vec<(Cell, bool)> = Vec::new();
    for (path, cells) in walks {
        for (i, &to) in cells.iter().enumerate() {
            let first = i == 0 && !path.is_straight();
            if reached.iter().any(|&(c, its)| c == to && !(its && first)) {
                return Some(format!(
                    "two paths of '{letter}' from {} share the cell {}, which is not the first of two crooked ones",
                    name(cell),
                    name(to)
                ));
            }
            reached.push((to, first));
        }
    }
    None
}
