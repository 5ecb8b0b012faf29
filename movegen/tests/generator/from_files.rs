//! A game that is read at run time plays like the same game that is compiled into the program.

use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{AnyPosition, BuiltIn, GameId, test_each_game};

/// More leaves than this are not counted.
const MOST_LEAVES: u64 = 100_000;

fn the_suite_is_the_same<G: BuiltIn>() {
    let game = GameId::from(G::SPEC);
    assert_ne!(game, G::ID);
    assert_eq!(game.name(), G::ID.name());
    let path = format!("{}/suites/{}.epd", env!("CARGO_MANIFEST_DIR"), G::ID);
    let text = std::fs::read_to_string(path).unwrap();
    let mut counted = 0;
    for case in text.lines().filter_map(|l| SuiteCase::parse(l).unwrap()) {
        let position = AnyPosition::from_fen(game, case.fen).unwrap();
        assert_eq!(position.game(), game);
        let compiled = AnyPosition::from_fen(G::ID, case.fen).unwrap();
        assert_eq!(position.to_string(), compiled.to_string());
        assert_eq!(position.key(), compiled.key());
        assert_eq!(position.move_texts(), compiled.move_texts());
        for (depth, count) in case.counts.iter().filter(|c| c.1 <= MOST_LEAVES) {
            assert_eq!(position.perft(*depth), *count, "{} {depth}", case.fen);
            counted += 1;
        }
    }
    assert!(counted >= 50);
}

test_each_game!(the_suite_is_the_same);
