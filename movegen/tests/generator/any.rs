//! Positions and records of any game against those of one game.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{known_positions, move_texts};
use hexmate_movegen::{
    AnyPosition, AnyRecord, Bits, BuiltIn, GameId, Glinski, Mccooey, PAWN, Piece, Position, Record,
    Side, divide, perft, reach, test_each_game, with_record,
};

fn positions_agree<G: BuiltIn>() {
    for position in known_positions::<G>() {
        let any = AnyPosition::from(position);
        assert_eq!(any.game(), G::ID);
        assert_eq!(any.to_string(), position.to_string());
        assert_eq!(AnyPosition::from_fen(G::ID, &any.to_string()), Ok(any));
        assert_eq!(any.side_to_move(), position.side_to_move());
        assert_eq!(any.in_check(), position.in_check());
        assert_eq!(any.key(), position.key());
        assert_eq!(any.move_texts(), move_texts(&position));
        assert_eq!(any.outcome(), position.outcome());
        assert_eq!(any.perft(2), perft(&position, 2));
        assert_eq!(any.divide(2), divide(&position, 2));
        assert_eq!(any.fullmove_number(), position.fullmove_number());
        assert_eq!(any.spec().name, position.spec().name);
        let cells = any.board().cells().iter();
        assert!(
            cells
                .clone()
                .all(|&cell| any.piece_on(cell) == position.piece_on(cell))
        );
        moves_agree(&any, &position);
    }
}

/// What is said of each legal move, by what it does to the cells.
fn moves_agree<G: BuiltIn>(any: &AnyPosition, position: &Position<G>) {
    for mv in position.legal_moves() {
        assert!(any.is_legal(mv));
        let mut next = *position;
        next.play(mv).unwrap();
        assert_eq!(any.after(mv), AnyPosition::from(next));
        let side = position.side_to_move();
        let [before, after] = [position, &next].map(|p| p.side(side.other()).count());
        assert_eq!(any.is_capture(mv), after < before, "{mv:?} in {any}");
        let crossed = position.en_passant().map(|ep| ep.crossed);
        let is_pawn = position.piece_on(mv.from).unwrap().kind == PAWN;
        let in_passing = is_pawn && crossed == Some(mv.to) && after < before;
        assert_eq!(any.is_en_passant(mv), in_passing, "{mv:?} in {any}");
        let stayed = (position.side(side) & !next.side(side)).count();
        assert_eq!(any.is_castling(mv), stayed == 2, "{mv:?} in {any}");
        let captures = after < before && !in_passing;
        assert!(!captures || any.attacks(mv.from, mv.to), "{mv:?} in {any}");
    }
}

test_each_game!(positions_agree);

#[test]
fn games_are_played_to_their_ends_alike() {
    for &game in GameId::ALL {
        let mut record = AnyRecord::new(AnyPosition::start(game));
        let mut position = AnyPosition::start(game);
        for ply in 0..300 {
            if record.outcome().is_some() {
                break;
            }
            let texts = position.move_texts();
            let text = &texts[ply * 31 % texts.len()];
            let mv = record.play(text).unwrap();
            assert_eq!(position.play(text), Ok(mv));
            assert_eq!(record.position(), position, "{game}");
            assert_eq!(
                record.play_move(mv),
                Err(mv),
                "that piece has left its cell"
            );
        }
        assert!(record.moves().len() > 20, "{game}");
        assert_eq!(record.game(), game);
        assert_eq!(record.first(), AnyPosition::start(game));
        let mut again = AnyRecord::new(record.first());
        for text in record.move_texts() {
            again.play(&text).unwrap();
        }
        assert_eq!(again.moves(), record.moves());
        assert_eq!(again.occurrences(), record.occurrences());
        assert_eq!(again.outcome(), record.outcome());
        assert_eq!(
            with_record!(&again, r => r.position().to_string()),
            position.to_string()
        );
    }
}

#[test]
fn a_bad_move_changes_nothing() {
    let start = AnyPosition::start(GameId::Glinski);
    let mut position = start;
    assert!(position.play("a1a1").is_err());
    assert!(position.play("castle").is_err());
    assert_eq!(position, start);
    let first = Position::<Glinski>::start();
    let mut record = AnyRecord::from(Record::new(first));
    assert_eq!(record.of::<Glinski>().map(|r| *r.first()), Some(first));
    assert!(record.of::<Mccooey>().is_none());
    assert_eq!((start.of(), start.of::<Mccooey>()), (Some(&first), None));
    assert!(record.play("a1a1").is_err());
    assert!(record.moves().is_empty());
    assert_eq!(record.position().side_to_move(), Side::White);
    assert!(AnyPosition::from_fen(GameId::Chromatic4, &start.to_string()).is_err());
}

/// Cells of a small board in its word, and of other boards beyond it.
#[test]
fn questions_about_cells_beyond_the_board_are_refused() {
    let position = Position::<Glinski>::start();
    let any = AnyPosition::from(position);
    let king = any.board().parse_cell("g1").unwrap();
    let gap = (0..121).find(|&cell| !position.tables().all.has(cell));
    for cell in [gap.unwrap(), 128, 193, 255] {
        let rook = Piece {
            kind: 2,
            side: Side::White,
        };
        let questions: [&dyn Fn(); 6] = [
            &|| _ = any.is_moved_pawn(cell),
            &|| _ = any.seen_by(Side::White, cell),
            &|| _ = any.seen_by(Side::Black, cell),
            &|| _ = any.attacks(cell, king),
            &|| _ = any.attacks(king, cell),
            &|| _ = reach(&any, rook, cell),
        ];
        for (number, question) in questions.into_iter().enumerate() {
            let fault = catch_unwind(AssertUnwindSafe(question)).expect_err("it is refused");
            let told = fault.downcast_ref::<String>().expect("a message");
            let expected = format!("the board of glinski has no cell {cell}");
            assert_eq!(*told, expected, "question {number}");
        }
        let attackers = || position.attackers(cell, Side::White);
        match catch_unwind(AssertUnwindSafe(attackers)) {
            Ok(found) => assert!(cell < 128 && found == 0, "{cell}: {found:x}"),
            Err(_) => assert!(cell >= 128, "{cell}"),
        }
    }
}
