//! Tests with results above, below and between games.

use super::sheets::{all, only};
use super::tests::read;

/// Checks that a text has the games `1. e5 e6` and `1. d5 d6`, with these results.
fn results_are(text: &str, results: [&str; 2]) {
    let found = all(text);
    let moves: Vec<_> = found.iter().map(|game| game.0.as_str()).collect();
    assert_eq!(moves, ["e4e5 e7e6", "d3d5 d7d6"], "{text}");
    let found: Vec<_> = found.iter().map(|game| game.1).collect();
    assert_eq!(found, results, "{text}");
}

#[test]
fn results_in_headings_are_those_of_the_games_below() {
    for (text, results) in [
        (
            "Anna - Bela 1-0\n1. e5 e6\n\nBela - Anna 0-1\n1. d5 d6\n",
            ["1-0", "0-1"],
        ),
        (
            "Anna - Bela 1-0\n\n1. e5 e6\n\nBela - Anna 0-1\n\n1. d5 d6\n",
            ["1-0", "0-1"],
        ),
        ("1. e5 e6\n\nBela - Anna 0-1\n1. d5 d6\n", ["*", "0-1"]),
        // Perhaps a remark on the game above.
        ("1. e5 e6\n\nBela - Anna 0-1\n\n1. d5 d6\n", ["*", "*"]),
        (
            "Anna 1-0 Bela\n1. e5 e6\n\nBela 0-1 Anna\n1. d5 d6\n",
            ["1-0", "0-1"],
        ),
        (
            "Round 1: Anna - Bela 1-0\n1. e5 e6\n\nRound 2: Bela - Anna 1/2-1/2\n1. d5 d6\n",
            ["1-0", "1/2-1/2"],
        ),
        (
            "2. Runde: Anna - Bela 1 : 0\n1. e5 e6\n\n3. Runde: Bela - Anna 0 : 1\n1. d5 d6\n",
            ["1-0", "0-1"],
        ),
        (
            "Game 1 (remis)\n1. e5 e6\n\nGame 2 (1-0)\n1. d5 d6\n",
            ["1/2-1/2", "1-0"],
        ),
        (
            "Anna–Bela 0-1\n1. e5 e6\n\nBela–Anna, 1:0\n1. d5 d6\n",
            ["0-1", "1-0"],
        ),
        ("Anna - Bela\ne5 e6\n\nBela - Anna 0-1\nd5 d6", ["*", "0-1"]),
        // What stands behind the moves counts.
        (
            "Anna - Bela 0-1\n1. e5 e6 1-0\n\nBela - Anna 0-1\n1. d5 d6 1/2-1/2\n",
            ["1-0", "1/2-1/2"],
        ),
        ("1. e5 e6\n\n1-0\n\n1. d5 d6 0-1\n", ["1-0", "0-1"]),
        // All results of a match are that of none.
        (
            "Anna - Bela 1-0, Bela - Anna 0-1\n1. e5 e6\n\n1. d5 d6 *\n",
            ["*", "*"],
        ),
    ] {
        results_are(text, results);
    }
    // Behind the last game, or above tags after a blank line, it is a remark.
    for text in [
        "1. e5 e6\n\nBlack resigned 1-0\n",
        "1. e5 e6\n\nBlack resigned 1-0\n\n[White \"Cili\"]\n\n1. d5 d6\n",
    ] {
        let game = &read(text)[0];
        let found = (game.result, game.last_comment());
        assert_eq!(found, ("1-0", "Black resigned"), "{text}");
    }
}

#[test]
fn results_in_lines_below_a_game_are_its_own() {
    for (text, results) in [
        (
            "1. e5 e6\n\nWhite won: 1-0\n\nGame 2\n1. d5 d6\n\nBlack won: 0-1\n",
            ["1-0", "0-1"],
        ),
        (
            "Game 1\n1. e5 e6\n\nWhite won: 1-0\n\nGame 2\n1. d5 d6\n\nBlack won: 0-1\n",
            ["1-0", "0-1"],
        ),
        (
            "1. e5 e6\n\nAnna won 1-0\n\n1. d5 d6\n\nBela won 0-1\n",
            ["1-0", "0-1"],
        ),
        (
            "1. e5 e6\n\nAnna won 1-0\n\nGame 2\n1. d5 d6\n",
            ["1-0", "*"],
        ),
        ("1. e5 e6\n\nAnna won 1-0\nGame 2\n1. d5 d6\n", ["1-0", "*"]),
        ("1. e5 e6\n\nAnna won 1-0\n\nd5 d6\n", ["1-0", "*"]),
        ("1. e5 e6\n\nFinal score 1-0\n\n1. d5 d6\n", ["1-0", "*"]),
        ("1. e5 e6\n\nAnna-Maria won 1-0\n\n1. d5 d6\n", ["1-0", "*"]),
        (
            "1. e5 e6 1-0\n\nWhite won: 1-0\n\nGame 2\n1. d5 d6\n",
            ["1-0", "*"],
        ),
        (
            "Anna - Bela 0-1\n1. e5 e6\n\nAnna won 1-0\n\nBela - Anna 0-1\n1. d5 d6\n",
            ["1-0", "0-1"],
        ),
        (
            "Game 1 (1-0)\n\n1. e5 e6\n\nGame 2 (0-1)\n\n1. d5 d6\n",
            ["1-0", "0-1"],
        ),
        (
            "1. e5 e6\n\nBela - Anna 0-1\nBerlin 1990\n1. d5 d6\n",
            ["*", "0-1"],
        ),
    ] {
        results_are(text, results);
    }
}

#[test]
fn results_behind_the_sign_of_a_list_or_in_a_row_of_their_own() {
    for text in [
        "* 1. e5 e6\n* 2. d5 d6\n* 1-0\n",
        "- 1. e5 e6\n- 2. d5 d6\n- 1-0\n",
        "1;e5;e6;\n2;d5;d6;\n;;1-0;\n",
        "1;e5;e6;\n2;d5;d6;1-0\n",
    ] {
        let (moves, result, _) = only(text);
        assert_eq!(
            (moves.as_str(), result),
            ("e4e5 e7e6 d3d5 d7d6", "1-0"),
            "{text}"
        );
    }
}
