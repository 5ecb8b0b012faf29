//! Perft of the games that ship as files and are not compiled, and of the example: positions counted by an independent
//! interpreter, and the counts from the start that each file states.

use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{AnyPosition, GameId};

/// Larger counts than this take too long here.
const MOST_LEAVES: u64 = 300_000;

fn check(game: GameId, suite: &str) {
    let start = AnyPosition::start(game);
    for (depth, &expected) in (1..).zip(game.spec().proof) {
        if expected <= MOST_LEAVES {
            assert_eq!(start.perft(depth), expected, "{game} at depth {depth}");
        }
    }
    let mut checked = 0;
    for line in suite.lines() {
        let Some(case) = SuiteCase::parse(line).unwrap() else {
            continue;
        };
        let position = AnyPosition::from_fen(game, case.fen);
        let position = position.unwrap_or_else(|e| panic!("{game}: {line}: {e}"));
        assert_eq!(position.to_string(), case.fen, "printed as it was read");
        for (depth, expected) in case.counts {
            assert_eq!(
                position.perft(depth),
                expected,
                "{game}: {} at depth {depth}",
                case.fen
            );
            checked += 1;
        }
    }
    assert!(
        checked >= 56,
        "two depths of thirty positions of {game}, but for ends: {checked}"
    );
}

#[test]
fn games_from_files_have_the_counts_of_an_independent_program() {
    let games = GameId::shipped().iter().filter(|g| g.is_from_file());
    let mut known = 0;
    for &game in games {
        let path = format!("{}/suites/{game}.epd", env!("CARGO_MANIFEST_DIR"));
        check(game, &std::fs::read_to_string(path).unwrap());
        known += 1;
    }
    assert_eq!(known, 4);
}

#[test]
fn the_example_has_the_counts_of_an_independent_program() {
    let text = include_str!("../../examples/games/nightriders.toml");
    let suite = include_str!("../../examples/games/nightriders.epd");
    check(GameId::from_text(text).unwrap(), suite);
}
