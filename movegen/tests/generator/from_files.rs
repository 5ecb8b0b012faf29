//! A game that is read at run time plays like the same game that is compiled into the program.

use std::collections::HashSet;

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

/// Whoever names a file twice means one game, and its tables, weights and results.
#[test]
fn a_file_that_is_read_twice_is_one_game() {
    let text = |title| format!("format = 1\nbase = 'glinski'\nname = 'calm'\ntitle = '{title}'");
    let read = |title| GameId::from_text(&text(title)).unwrap();
    let (calm, again, other) = (read("Calm"), read("Calm"), read("Calmer"));
    assert_eq!(calm, again);
    assert_ne!(calm, other);
    assert_eq!(HashSet::from([calm, again, other]).len(), 2);
}

/// A copy that leaves out the counts, or says more of the rules, is no other game; one with other rules is.
#[test]
fn what_is_said_about_a_game_makes_no_other_one() {
    let text = "format = 1\nbase = 'glinski'\nname = 'calm'\ntitle = 'Calm'\n";
    let calm = GameId::from_text(text).unwrap();
    for (more, same) in [
        ("source = 'Mine'\n", true),
        ("[proof]\nperft = [51]\n", true),
        ("[[reading]]\nabout = 'x'\ntext = 'y'\n", true),
        ("[ends]\nrepetitions = 4\n", false),
        (
            "[pieces]\nN = { name = 'horse', leaps = ['knight'] }\n",
            false,
        ),
    ] {
        let other = GameId::from_text(&format!("{text}{more}")).unwrap();
        assert_eq!(calm == other, same, "{more}");
    }
}
