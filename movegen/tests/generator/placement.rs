//! Where two boards differ.

use hexmate_movegen::{
    Bits, BuiltIn, Cell, Chromatic4, Glinski, Hexachess, KING, Placement, Position, Side,
};

fn differences<G: BuiltIn>() {
    let start = Position::<G>::start().placement();
    let mut all = Vec::new();
    start.differing(&Placement::EMPTY, |cell| all.push(cell));
    let occupied: Vec<Cell> = Position::<G>::start().occupied().cells().collect();
    assert_eq!(all, occupied);
    let mut position = Position::<G>::start();
    for ply in 0..120 {
        let Some(&mv) = position.legal_moves().get(ply * 7 % 5) else {
            break;
        };
        let before = position.placement();
        position.play(mv).unwrap();
        for other in [start, before] {
            let mut found = Vec::new();
            position
                .placement()
                .differing(&other, |cell| found.push(cell));
            let cells = 0..G::Bits::SIZE as u16;
            let cells = cells.map(|cell| cell as Cell);
            let differ = |cell: &Cell| position.piece_on(*cell) != other.piece_on(*cell);
            assert_eq!(found, cells.filter(differ).collect::<Vec<_>>());
        }
    }
}

#[test]
fn two_boards_differ_where_other_pieces_stand() {
    differences::<Hexachess>();
    differences::<Chromatic4>();
    assert_eq!(Placement::<u128>::EMPTY.piece_on(5), None);
    let start = Position::<Glinski>::start();
    let king = start.king(Side::Black);
    let on = start.placement().piece_on(king);
    assert_eq!(on.map(|piece| piece.kind), Some(KING));
}
