//! Tests with results, words and signs above, below and between games.

use hexmate_movegen::{GameId, Letters};

use super::Notation;
use super::sheets::{all, only};
use super::tests::{played, read};

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

/// A line of words and first moves is the beginning of the game if the lines below it go on from there.
#[test]
fn moves_may_begin_behind_prose() {
    for (text, intro) in [
        (
            "We had a nice game on Sunday, it began with 1. e5 e6\n2. d5 d6 1-0\n",
            "We had a nice game on Sunday, it began with",
        ),
        ("The game: 1) e5 e6\n\n2) d5 d6 1-0\n", "The game:"),
        ("The game was 1.e5\n1... e6 2. d5 d6 1-0\n", "The game was"),
        ("The game was 1 e5 e6\n{so}\n2 d5 d6 1-0\n", "The game was"),
        ("Moves: 1. e5 e6 2. d5 d6 1-0", "Moves:"),
        (
            "On Sunday we played 1. e5 e6\nd5 d6 1-0",
            "On Sunday we played",
        ),
        (
            "Round 1. Anna - Bela\n1. e5 e6 2. d5 d6 1-0",
            "Round 1. Anna - Bela",
        ),
        (
            "Opening: 1. e5\n\nBudapest\n1. e5 e6 2. d5 d6 1-0",
            "Opening: 1. e5/Budapest",
        ),
        (
            "All open with 1. e5 here\ne5 e6 d5 d6 1-0",
            "All open with 1. e5 here",
        ),
    ] {
        let game = &read(text)[0];
        let expected = ("e4e5 e7e6 d3d5 d7d6".to_owned(), None);
        assert_eq!(played(game), expected, "{text}");
        let found = (game.result, game.main.intro.join("/"));
        assert_eq!(found, ("1-0", intro.to_owned()), "{text}");
    }
    // Words between the moves are told, and a remark on a game begins no other.
    let fault = played(&read("It began with 1. e5 e6 and so on\n2. d5 d6")[0]).1;
    assert!(fault.is_some_and(|fault| fault.line == 1));
    for text in [
        "   It began with 1. e5 Qz4\n  2. d5 d6",
        " > It was 1. e5 e6 2.  Qz4\n > % not told\n > 2. d5 d6",
    ] {
        let column = text.find("Qz4").map(|at| at + 1);
        let fault = played(&read(text)[0]).1.expect(text);
        assert_eq!((fault.line, fault.column), (1, column), "{text}");
    }
    // A heading with a move, above a game without numbers.
    for heading in [
        "Anna likes 1. d5\n",
        "Played in room 1 d5\n",
        "White opens with 1. d5 as usual\n",
        "In hall 1 b4 was played",
    ] {
        let game = &read(&format!("{heading}\ne5 e6 d5 d6 1-0"))[0];
        assert_eq!(played(game).0, "e4e5 e7e6 d3d5 d7d6", "{heading}");
    }
    for text in [
        "1. e5 e6 1-0\nAnalysis: 1. d5 d6 would be better for Black.\n",
        "1. e5 e6 1-0\n\nWhite opened with 1. e5 as always.\n\n[White \"Anna\"]\n*\n",
    ] {
        assert_eq!(played(&read(text)[0]).0, "e4e5 e7e6", "{text}");
        assert!(read(text)[1..].iter().all(|game| played(game).0.is_empty()));
    }
}

/// Words behind the last move are a remark only if the first of them cannot be a move with a slip.
#[test]
fn a_last_move_with_a_slip_is_no_remark() {
    for end in [
        "3. Bd 3, White resigned 0-1",
        "3. Bd3: Black resigned",
        "3. \"Bd3\" Black resigned",
        "3. d5/d6 Black resigned",
        "3. -- Black resigned",
        "3. b2 Ncg White resigned",
        "3. b2 Nc-6 White resigned",
        "3. b2 Nc6/White resigned",
        "3. b2 b6-White resigned",
        "3. b2 d 5 draw agreed",
    ] {
        let game = &read(&format!("1. e5 e6 2. Nc3 Nc6 {end}"))[0];
        let (moves, fault) = played(game);
        let fault = fault.unwrap_or_else(|| panic!("{end}: {moves}"));
        assert_eq!(
            fault.ply,
            Some(if end.contains("b2") { 6 } else { 5 }),
            "{end}: {fault}"
        );
    }
    let mut game = read("1. e5 e6 2. d5 (2. Nc3 Nc-6 is stronger) d6").remove(0);
    let rewritten = game.rewrite(GameId::Glinski, &Letters::Own, Notation::San);
    assert_eq!(rewritten.unwrap().variations.len(), 1);
    for (end, remark) in [
        ("3. White resigns", "White resigns"),
        ("3. resigns 0-1", "resigns"),
        ("3. b2 and White resigned", "and White resigned"),
        ("3. b2 - Black gives up", "- Black gives up"),
        ("3. b2 1h30 and no more played", "1h30 and no more played"),
        ("Ali resigned", "Ali resigned"),
        ("3. Kai resigned", "Kai resigned"),
        ("3. He resigns 0-1", "He resigns"),
        ("3. a draw was agreed", "a draw was agreed"),
        ("3. b2 Kai resigned", "Kai resigned"),
        ("3. b2 The clocks stopped", "The clocks stopped"),
        ("3. b2 Nb: adjourned", "Nb: adjourned"),
        ("3. b2 a 5 minute break", "a 5 minute break"),
        ("3. b2 a 50 move draw", "a 50 move draw"),
        ("3. b2 G/60 game", "G/60 game"),
        ("3. b2 FIDE-2 rules", "FIDE-2 rules"),
        ("3. b2 2d without a move", "2d without a move"),
    ] {
        let (moves, _, found) = only(&format!("1. e5 e6 2. Nc3 Nc6 {end}"));
        assert!(moves.starts_with("e4e5 e7e6 d1c3 d9c6"), "{end}");
        assert_eq!(found, remark, "{end}");
    }
}

#[test]
fn rules_fences_and_codes_of_forums_say_nothing() {
    for rule in [
        "---",
        "----------------",
        "________",
        "***",
        "~~~",
        "-- ",
        "· · ·",
        "=====",
        "+++",
        "```",
        "[/pgn]\n[pgn]",
    ] {
        results_are(
            &format!("1. e5 e6 1-0\n{rule}\n1. d5 d6 0-1\n"),
            ["1-0", "0-1"],
        );
    }
    for text in [
        "1. e5 e6 1-0\n\n-- \nBela\n",
        "```pgn\n1. e5 e6 1-0\n```\n",
        "~~~\n1. e5 e6 1-0\n~~~\n",
        "[pgn]\n1. e5 e6 1-0\n[/pgn]\n",
        "[QUOTE=Anna Kiss]1. e5 e6 1-0[/QUOTE]\n",
        "[quote]\n[b]1. e5 e6[/b]\n1-0\n[/quote]\n",
    ] {
        let (moves, result, _) = only(text);
        assert_eq!((moves.as_str(), result), ("e4e5 e7e6", "1-0"), "{text}");
        assert!(read(text)[0].tags.is_empty(), "{text}");
    }
    // They stand for a move right behind a number, and at Black's turn in a list; remarks in brackets are no codes.
    for text in [
        "1. e5 e6 2.\n--\nd6",
        "e5\n***\nd5 1-0",
        "e5\n--\nd5\nd6",
        "e5 [illegible]\nd5 1-0",
        "1. e5 e6 2. [nothing]\nd5",
    ] {
        assert!(played(&read(text)[0]).1.is_some(), "{text}");
    }
}

/// Names that are words for check elsewhere, and what looks like a cell.
#[test]
fn words_of_headings_are_not_taken_for_signs_or_moves() {
    let heading = "1. e5 e6\n\nSchack, Anna - Nagy, Bela 1-0\n1. d5 d6";
    assert_eq!(
        read(heading)[1].main.intro,
        ["Schack, Anna - Nagy, Bela 1-0"]
    );
    assert_eq!(only("Board 3, B7\n1. e5 e6 1-0").0, "e4e5 e7e6");
}
