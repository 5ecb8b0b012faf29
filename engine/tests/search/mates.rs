//! Mates are found with their exact distance, by the side that mates and by the side that is mated.

use crate::oracle::{
    after, is_mated, line, mates, position, search, search_game, to_depth, to_nodes,
};
use hexmate_engine::{Engine, Limits, Shown, Table, is_mate};
use hexmate_movegen::{
    BuiltIn, Chromatic3, Chromatic4, Glinski, Hexachess, Mccooey, Position, Record,
};

/// The attacker's side of a mate in exactly `moves`, and then the defender's.
fn check<G: BuiltIn>(fen: &str, moves: u32) {
    let position: Position<G> = position(fen);
    assert!(mates(&position, moves), "no mate in {moves}: {fen}");
    assert!(
        !mates(&position, moves - 1),
        "a shorter mate than {moves}: {fen}"
    );
    let game = Record::new(position);
    let expected = Shown::Mate(moves as i32);
    // Reductions may hide a mate for some depths, so it is asked for.
    for most in [moves, moves + 1] {
        let limits = Limits {
            mate: Some(most),
            ..to_nodes(3_000_000)
        };
        let table = Table::new(4).unwrap();
        let mut engine = Engine::<G>::default();
        let report = engine.analyse(&table, &game, limits, |on_the_way| {
            if is_mate(on_the_way.score()) {
                // Extensions may see a mate early, but never one that is not there.
                let Shown::Mate(seen) = Shown::from(on_the_way.score()) else {
                    unreachable!("a mate is shown as one");
                };
                assert!(
                    seen >= moves as i32,
                    "mate in {seen} at {on_the_way:?}: {fen}"
                );
            }
        });
        assert_eq!(
            Shown::from(report.score()),
            expected,
            "mate in {most} asked for: {fen}"
        );
        let best = report.best_move().unwrap();
        let next = after(&position, best);
        let text = best.text(G::GAME);
        assert!(
            is_mated(&next, moves - 1),
            "{text} does not mate in {moves}: {fen}"
        );
        if most == moves {
            defend(&next, moves - 1);
        }
    }
}

/// What an ordinary search has left in the table, where lines were left out, refutes no mate.
#[test]
fn a_mate_is_found_after_other_searches() {
    let at: Position<Glinski> =
        position("1/1b1/5/Rb5/B1Pq1k3/6N4/2p3p2p1/2P3P3b/1P8n/Q1r5PP1/7K3 b - - 7 80");
    assert!(mates(&at, 3) && !mates(&at, 2));
    let game = Record::new(at);
    let mut engine = Engine::default();
    for depth in 4..=8 {
        let table = Table::new(4).unwrap();
        engine.analyse(&table, &game, to_depth(depth), |_| {});
        let limits = Limits {
            mate: Some(3),
            ..to_nodes(3_000_000)
        };
        let report = engine.analyse(&table, &game, limits, |_| {});
        assert_eq!(report.no_mate_in, None);
        assert_eq!(
            Shown::from(report.score()),
            Shown::Mate(3),
            "after depth {depth}"
        );
        assert_eq!(report.pv().len(), 5);
    }
}

/// The side to move is mated in exactly `moves` moves, sees it, and holds out as long as it can.
fn defend<G: BuiltIn>(position: &Position<G>, moves: u32) {
    if moves == 0 {
        assert!(position.in_check() && !position.has_legal_move());
        return;
    }
    let report = search(position, to_nodes(1_000_000));
    let expected = Shown::Mate(-(moves as i32));
    assert_eq!(Shown::from(report.score()), expected, "{position}");
    let next = after(position, report.best_move().unwrap());
    assert!(
        mates(&next, moves) && !mates(&next, moves - 1),
        "{position}"
    );
}

#[test]
fn glinski() {
    check::<Glinski>("1/3/4k/7/5R3/11/9N1/1p4b4/1P9/2B8/3K7 w - - 0 69", 1);
    check::<Glinski>(
        "1/1B1/Q2k1/6b/4p1p2/1p2p4p1/5P1Nr2/4P1P3K/2P2B2bP1/11/1P3RR4 b - - 4 49",
        1,
    );
    check::<Glinski>("1/3/5/7/9/11/6k4/11/8b2/2P6p1/8K2 b - - 1 54", 2);
    check::<Glinski>("1/3/5/7/N6k1/9b1/3p3rp2/11/1n9/1P8r/8K2 b - - 10 45", 2);
    check::<Glinski>(
        "1/3/n4/7/1rp3k2/1b1P1pp4/1p5p2N/1P6P2/11/3r7/5K1nb2 b - - 2 47",
        2,
    );
    check::<Glinski>(
        "1/3/3k1/7/4pb1p1/1N7p1/6p4/11/2N1r2K3/1pP1n2n1P1/9R1 b - - 1 57",
        2,
    );
    check::<Glinski>("1/3/2k2/7/2P6/N5Q4/6BP3/11/1P9/8N2/2n2K5 w - - 3 75", 3);
    check::<Glinski>("B/3/5/7/3p4k/b1Q1P6/1p9/1p5N1P1/1P6P2/11/7K3 w - - 4 62", 3);
}

#[test]
fn mccooey() {
    check::<Mccooey>(
        "r/1b1/r4/pBppp1p/4k4/7np2/5P5/4b1P4/3PP2P3/3RNB5/2P1KBNR1q1 b - - 4 19",
        1,
    );
    check::<Mccooey>(
        "1/3/1R1kb/p2p1r1/B5p1Q/7n3/3P2P1p2/3b1P5/6R1P2/3PK1B1q2/11 w - - 3 44",
        2,
    );
    check::<Mccooey>(
        "b/3/4Q/1p1p1p1/4b1kN1/4p6/11/3pP6/3q2PpP1N/4B2K3/3R3R3 w - - 1 37",
        2,
    );
    check::<Mccooey>("1/2k/5/7/4Q1P2/4P4N1/11/11/11/11/2B6KB w - - 1 73", 3);
    check::<Mccooey>("1/3/1n3/2r4/9/1K2p3k2/2p8/11/11/n5b4/11 b - - 17 78", 3);
    check::<Mccooey>(
        "1/1k1/5/3B3/7N1/11/1R2P1p2r1/5PP4/2p8/3Pb5K/1Q1N4r2 b - - 5 39",
        3,
    );
}

#[test]
fn other_games() {
    check::<Hexachess>("1/3/5/6B/9/kp1Q7/6p4/11/1N9/4r1N1P2/8KP1 w - - 8 56", 1);
    check::<Hexachess>("k/3/5/3K3/6bp1/2BPN6/11/9b1/2p4Q3/1P9/11 w - - 8 54", 2);
    check::<Hexachess>(
        "1/3/5/1b1nR2/1p3k2p/9n1/1p7p1/3p7/11/1b6P1n/3qBK5 b - - 0 42",
        3,
    );
    check::<Chromatic3>("5Q1/8/9/9k/11/3U7K/13/12/9N1/10/9/8/4b2 w - - 0 1", 1);
    check::<Chromatic3>("7/1Uk3K1/9/1Q8/8b2/1N10/13/12/11/10/9/8/7 w - - 0 1", 2);
    check::<Chromatic3>("7/8/9/10/11/5K6/1N6b4/2k9/11/2U7/9/8/1Q5 w - - 0 1", 3);
    check::<Chromatic4>(
        "6k1/9/8K1/11/12/13/14/15/3Q10/10Q2/12/11/6P3/9/8 w - - 0 1",
        1,
    );
    check::<Chromatic4>(
        "8/9/7k2/11/1S1K8/13/14/15/1C12/11Q1/12/7Q3/10/9/8 w - - 0 1",
        2,
    );
}

/// A game from the start by moves with blanks between them.
fn played<G: BuiltIn>(moves: &str) -> Record<G> {
    let mut game = Record::new(Position::start());
    for text in moves.split(' ') {
        let mv = game.position().parse_move(text).unwrap();
        game.play(mv).unwrap();
    }
    game
}

#[test]
fn shortest_games() {
    let game = played::<Glinski>("e1b4 g10h8 f3h2 h8i6");
    let report = search_game(&game, to_depth(3));
    assert_eq!(Shown::from(report.score()), Shown::Mate(1));
    assert_eq!(line::<Glinski>(&report), ["b4k4"]);
    let game = played::<Mccooey>("e2f5 c8c7 f5i4 i8i7");
    let report = search_game(&game, to_depth(3));
    assert_eq!(Shown::from(report.score()), Shown::Mate(1));
    assert_eq!(line::<Mccooey>(&report), ["i4h7"]);
}

/// What is over has a score and no move.
#[test]
fn mated_already() {
    let mated: Position<Glinski> = position("1/3/5/7/9/11/11/1N9/2K8/11/k10 b - - 0 1");
    let report = search(&mated, to_depth(4));
    assert_eq!(Shown::from(report.score()), Shown::Mate(0), "{mated}");
    assert_eq!(report.pv(), []);
}
