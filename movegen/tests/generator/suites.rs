//! The perft suites and the published counts, capped so that the run stays quick.
//! `hexmate suite movegen/suites/*.epd` runs them whole.

use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{BuiltIn, GameId, Position, for_each_game, perft, with_game};

/// Larger counts than this are left to the whole run.
const MOST_NODES: u64 = 300_000;

fn suite(game: GameId) -> String {
    let path = format!("{}/suites/{game}.epd", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn check<G: BuiltIn>(text: &str) {
    let mut checked = 0;
    for line in text.lines() {
        let Some(case) = SuiteCase::parse(line).unwrap() else {
            continue;
        };
        let position: Position<G> = case.fen.parse().unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(position.to_string(), case.fen, "printed as it was read");
        assert_eq!(position.key(), position.fresh_key());
        for (depth, expected) in case.counts {
            if expected <= MOST_NODES {
                let found = perft(&position, depth);
                assert_eq!(
                    found,
                    expected,
                    "{} at depth {depth} of {}",
                    G::ID,
                    case.fen
                );
                checked += 1;
            }
        }
    }
    assert!(
        checked >= 100,
        "only {checked} counts in the suite of {}",
        G::ID
    );
}

#[test]
fn every_suite_passes() {
    for_each_game!(G => check::<G>(&suite(G::ID)));
}

#[test]
fn start_counts_are_the_published_ones() {
    let known: [(GameId, &[u64]); 5] = [
        (GameId::Glinski, &[1, 51, 2_586, 137_858, 7_282_418]),
        (GameId::Mccooey, &[1, 31, 947, 33_307, 1_157_852]),
        (GameId::Hexachess, &[1, 51, 2_595, 139_095, 7_405_413]),
        (GameId::Chromatic3, &[1, 44, 1_936, 87_524]),
        (GameId::Chromatic4, &[1, 46, 2_116, 99_400]),
    ];
    for (game, counts) in known {
        for (depth, &count) in counts.iter().enumerate() {
            let found = with_game!(game, g => perft(&Position::start_of(g), depth as u32));
            assert_eq!(found, count, "{game} at depth {depth}");
        }
    }
}
