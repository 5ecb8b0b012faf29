//! Where pieces go, path by path, against the legal moves.

use hexmate_movegen::{
    AnyPosition, Cell, GameId, KING, Move, PAWN, PathEnd, Piece, WayOfGoing, reach,
};

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
                let stands = position.en_passant().unwrap().stands;
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
