//! Where a piece goes, path by path, and what ends each path: to be shown to people, so nothing here is fast.

use crate::games::AnyPosition;
use crate::rules::spec::{Step, neg};
use crate::rules::{EnPassant, PAWN, Piece, Side};
use crate::sets::Cell;

/// What a piece does on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WayOfGoing {
    /// It goes and captures: all pieces but pawns.
    Move,
    /// A pawn steps onto empty cells.
    Step,
    /// A pawn captures what stands on the cell.
    Capture,
    /// A pawn captures another one that has just crossed the cell.
    EnPassant,
}

/// Why a path is not longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathEnd {
    /// The board ends.
    Edge,
    /// The piece goes no further.
    Reach,
    /// A piece of its own side stands there.
    Own(Cell),
    /// An enemy stands there. It can be captured, unless the path is a pawn's steps.
    Enemy(Cell),
    /// There is nothing to capture.
    Empty,
}

/// One path of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachPath {
    /// What it is for.
    pub way: WayOfGoing,
    /// All its cells on an empty board, in order; at least one.
    pub cells: Vec<Cell>,
    /// How many of them, from the first, are empty.
    pub open: usize,
    /// What ends it.
    pub end: PathEnd,
}

/// All paths of a piece from a cell, whatever stands there, by the rules of its kind alone: whether its own king would
/// be in check is not asked, and castling is no path.
///
/// ```
/// use hexmate_movegen::{AnyPosition, GameId, PathEnd, reach};
///
/// let start = AnyPosition::start(GameId::Glinski);
/// let bishop = start.board().parse_cell("f3").unwrap();
/// let paths = reach(&start, start.piece_on(bishop).unwrap(), bishop);
/// // Of its six diagonals two lead to the edge at once, and two are open to cells behind the pawns.
/// let open: Vec<usize> = paths.iter().map(|path| path.open).collect();
/// assert_eq!(open.iter().sum::<usize>(), 2);
/// assert!(paths.iter().any(|path| matches!(path.end, PathEnd::Own(_))));
/// ```
pub fn reach(position: &AnyPosition, piece: Piece, from: Cell) -> Vec<ReachPath> {
    if piece.kind == PAWN {
        return pawn(position, piece.side, from);
    }
    let (board, spec) = (position.board(), position.spec());
    let colour = 1 << board.colour(from);
    let paths = spec.pieces[usize::from(piece.kind)].paths.iter();
    let mut found = Vec::new();
    for path in paths.filter(|path| path.from & colour != 0) {
        let most = usize::from(path.reach);
        let cells = walk(position, from, path.steps.iter().cycle().take(most));
        if cells.is_empty() {
            continue;
        }
        let full = if cells.len() == most {
            PathEnd::Reach
        } else {
            PathEnd::Edge
        };
        found.push(ended(position, WayOfGoing::Move, piece.side, cells, full));
    }
    found
}

/// The cells that steps lead over, as far as the board goes.
fn walk<'s>(
    position: &AnyPosition,
    from: Cell,
    steps: impl Iterator<Item = &'s Step>,
) -> Vec<Cell> {
    let steps = steps.scan(from, |at, &step| {
        *at = position.board().step(*at, step)?;
        Some(*at)
    });
    steps.collect()
}

/// A path that ends at the first piece, or as it would on an empty board.
fn ended(
    position: &AnyPosition,
    way: WayOfGoing,
    side: Side,
    cells: Vec<Cell>,
    full: PathEnd,
) -> ReachPath {
    let first = cells
        .iter()
        .position(|&cell| position.piece_on(cell).is_some());
    let end = first.map_or(full, |at| barred(position, side, cells[at]));
    ReachPath {
        way,
        open: first.unwrap_or(cells.len()),
        cells,
        end,
    }
}

/// The end of a path at an occupied cell.
fn barred(position: &AnyPosition, side: Side, cell: Cell) -> PathEnd {
    match position.piece_on(cell) {
        Some(piece) if piece.side == side => PathEnd::Own(cell),
        Some(_) => PathEnd::Enemy(cell),
        None => PathEnd::Empty,
    }
}

fn pawn(position: &AnyPosition, side: Side, from: Cell) -> Vec<ReachPath> {
    let (board, rules) = (position.board(), &position.spec().pawn);
    let forward = |step: Step| match side {
        Side::White => step,
        Side::Black => neg(step),
    };
    let seen = position.seen_by(side, from);
    let moved = position.is_moved_pawn(from);
    let first = rules
        .first
        .iter()
        .find(|first| board.set(&first.cells)[usize::from(seen)])
        .filter(|_| !(moved && rules.remembers_first_move));
    let most = first.map_or(1, |first| usize::from(first.steps));
    let ahead = |step: &Step| board.step(from, forward(*step));
    let enemy = |&cell: &Cell| position.piece_on(cell).is_some_and(|p| p.side != side);
    let bar = rules.steps.iter().filter_map(ahead).find(enemy);
    let bar = bar.filter(|_| rules.blocked_by_enemy);
    let mut found = Vec::new();
    for &step in rules.steps {
        let steps = [forward(step)];
        let cells = walk(position, from, steps.iter().cycle().take(most));
        if cells.is_empty() {
            continue;
        }
        let full = if cells.len() == most {
            PathEnd::Reach
        } else {
            PathEnd::Edge
        };
        let mut path = ended(position, WayOfGoing::Step, side, cells, full);
        if let Some(bar) = bar {
            (path.open, path.end) = (0, PathEnd::Enemy(bar));
        }
        found.push(path);
    }
    let passing = en_passant(position, side);
    let extra = first.map_or(&[][..], |first| first.captures);
    let captures = rules.captures.iter().chain(extra);
    for cell in captures.filter_map(ahead) {
        let end = barred(position, side, cell);
        let passed = passing.filter(|passing| passing.crosses(cell) && end == PathEnd::Empty);
        found.push(ReachPath {
            way: match passed {
                Some(_) => WayOfGoing::EnPassant,
                None => WayOfGoing::Capture,
            },
            cells: vec![cell],
            open: 0,
            end: passed.map_or(end, |passed| PathEnd::Enemy(passed.stands)),
        });
    }
    found
}

/// The pawn that a side may capture en passant now.
fn en_passant(position: &AnyPosition, side: Side) -> Option<EnPassant> {
    let passing = position.en_passant();
    passing.filter(|_| position.side_to_move() == side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameId;
    use crate::rules::{KING, Move};

    /// The cells that a piece may go to, by its paths.
    fn targets(position: &AnyPosition, piece: Piece, from: Cell) -> Vec<Cell> {
        let mut targets = Vec::new();
        for path in reach(position, piece, from) {
            if matches!(path.way, WayOfGoing::Move | WayOfGoing::Step) {
                targets.extend(&path.cells[..path.open]);
            }
            match (path.way, path.end) {
                (WayOfGoing::Move, PathEnd::Enemy(cell)) => targets.push(cell),
                (WayOfGoing::Capture | WayOfGoing::EnPassant, PathEnd::Enemy(_)) => {
                    targets.push(path.cells[0]);
                }
                _ => {}
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Moves that leave the king in check, and castling, are all that tells paths from legal moves.
    #[test]
    fn paths_are_the_moves_of_every_game() {
        for &game in GameId::shipped() {
            let mut position = AnyPosition::start(game);
            for ply in 0..60 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                compare(&position, &legal);
                position = position.after(legal[(ply * 7 + 3) % legal.len()]);
            }
        }
    }

    fn compare(position: &AnyPosition, legal: &[Move]) {
        let side = position.side_to_move();
        let own = |&&cell: &&Cell| position.piece_on(cell).is_some_and(|p| p.side == side);
        for &from in position.board().cells().iter().filter(own) {
            let piece = position.piece_on(from).unwrap();
            let by_path = targets(position, piece, from);
            let moves = legal.iter().filter(|mv| mv.from == from);
            for &mv in moves.clone().filter(|&&mv| !position.is_castling(mv)) {
                assert!(
                    by_path.contains(&mv.to),
                    "{position}: {}",
                    position.text(mv)
                );
            }
            // Whether the king is safe wherever the piece goes: nobody sees it, not even through the piece.
            let king = Piece { kind: KING, side };
            let mut cells = position.board().cells().iter();
            let king = *cells
                .find(|&&cell| position.piece_on(cell) == Some(king))
                .unwrap();
            let enemies = position.board().cells().iter().filter(|&&cell| {
                position
                    .piece_on(cell)
                    .is_some_and(|enemy| enemy.side != side)
            });
            let through = |&&enemy: &&Cell| {
                let paths = reach(position, position.piece_on(enemy).unwrap(), enemy);
                paths.iter().any(|path| path.cells.contains(&king))
            };
            let free = enemies.filter(through).count() == 0;
            if free && piece.kind != KING && piece.kind != PAWN {
                let all = by_path
                    .iter()
                    .all(|&to| moves.clone().any(|mv| mv.to == to));
                assert!(all, "{position}: {}", position.board().name(from));
            }
        }
    }

    #[test]
    fn a_pawn_that_has_just_crossed_a_cell() {
        // Pawns alone move, until one may be captured en passant.
        for first in 0..200 {
            let mut position = AnyPosition::start(GameId::Glinski);
            for ply in 0..30 {
                let legal = position.legal_moves();
                if let Some(&mv) = legal.iter().find(|&&mv| position.is_en_passant(mv)) {
                    let paths = reach(&position, position.piece_on(mv.from).unwrap(), mv.from);
                    let path = paths.iter().find(|path| path.way == WayOfGoing::EnPassant);
                    let path = path.expect("it has such a path");
                    assert_eq!(path.cells, [mv.to]);
                    let stands = en_passant(&position, position.side_to_move())
                        .unwrap()
                        .stands;
                    assert_eq!(path.end, PathEnd::Enemy(stands));
                    return;
                }
                let pawn = |mv: &&Move| position.piece_on(mv.from).is_some_and(|p| p.kind == PAWN);
                let pawns: Vec<&Move> = legal.iter().filter(pawn).collect();
                let Some(&&mv) = pawns.get((first * 31 + ply * 17) % pawns.len().max(1)) else {
                    break;
                };
                position = position.after(mv);
            }
        }
        panic!("no game came to a capture en passant");
    }

    #[test]
    fn a_pawn_at_the_start() {
        let start = AnyPosition::start(GameId::Glinski);
        let cell = |name: &str| start.board().parse_cell(name).unwrap();
        let paths = reach(&start, start.piece_on(cell("f5")).unwrap(), cell("f5"));
        let steps: Vec<_> = paths.iter().filter(|p| p.way == WayOfGoing::Step).collect();
        assert_eq!(steps.len(), 1);
        assert_eq!(
            (steps[0].open, steps[0].end),
            (1, PathEnd::Enemy(cell("f7")))
        );
        let captures = paths.iter().filter(|p| p.way == WayOfGoing::Capture);
        assert!(captures.clone().all(|path| path.end == PathEnd::Empty));
        assert_eq!(captures.count(), 2);
    }
}
