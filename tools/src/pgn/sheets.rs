//! Tests with what people write on score sheets: numbers, results and signs from web pages.

use hexmate_movegen::{AnyPosition, GameId, Letters};

use super::tests::{played, read, texts};
use super::*;

/// The moves of a text's only game, its result and its last comment.
pub(super) fn only(text: &str) -> (String, &'static str, String) {
    let games = read(text);
    assert_eq!(games.len(), 1, "{text}: {games:?}");
    let (moves, fault) = played(&games[0]);
    assert_eq!(fault, None, "{text}");
    let comment = games[0].last_comment().to_owned();
    (moves, games[0].result, comment)
}

#[test]
fn numbers_that_are_in_order() {
    let black =
        "[FEN \"b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 b - - 0 12\"]\n";
    for (head, text) in [
        ("", "1. e5 e6 2. d5 d6 3. b2 b6"),
        ("", "1.e5 1...e6 2.d5 2...d6 3.b2 3… b6"),
        ("", "1 e5 e6 2 d5 d6 3 b2 b6"),
        ("", "1 . e5 e6 2 . d5 d6"),
        ("", "e5 e6 d5 d6"),
        ("", "e5 e6 2. d5 d6"),
        // Elsewhere than the position, but going up.
        ("", "12. e5 e6 13. d5 d6"),
        // Each move has a number, the same for both or not.
        ("", "1. e5 2. e6 3. d5 4. d6"),
        ("", "1. e5 1. e6 2. d5 2. d6"),
        ("", "1. e5 {c} 1. e6 2. d5 d6"),
        // Slips: a number for another, one twice.
        ("", "1. e5 e6 3. d5 d6 3. b2 b6"),
        ("", "1. e5 e6 21. d5 d6 3. b2 b6"),
        ("", "1. e5 e6 2. d5 d6 2. b2 b6 3. c3"),
        (black, "12... e6 13. e5"),
        (black, "1... e6 2. e5 d6 3. b2"),
        (black, "1. e6 e5 2. d6 b2"),
        (black, "1. e6 2. e5 d6 3. b2"),
        (black, "12. ... e6 13. e5"),
    ] {
        only(&format!("{head}{text}"));
    }
}

#[test]
fn numbers_that_contradict_the_moves() {
    for (text, ply, part) in [
        (
            "1... e6 2. d5 d6",
            1,
            "a move of Black, but White is to move",
        ),
        (
            "1 ... e6 2. d5 d6",
            1,
            "a move of Black, but White is to move",
        ),
        ("12… e6 13. d5", 1, "a move of Black, but White is to move"),
        (
            "1. e5 e6 7... d5",
            3,
            "a move of Black, but White is to move",
        ),
        ("1. e5 e6 3. Nc3 Nc6", 3, "a move seems to be missing"),
        (
            "1. e5 e6 2. d5 d6 4. b2 b6 5. c3",
            5,
            "a move seems to be missing",
        ),
        ("1. e5 e6 2. d5 3. b2 b6", 4, "White's number"),
        (
            "1. e5 e6 2. d5 {so} 5... d6",
            4,
            "a move seems to be missing",
        ),
        ("1. e5 e6 2. d5 1. e5 e6", 4, "White's number"),
    ] {
        for reading in [read(text).remove(0), object::list_of_moves(text)] {
            let (moves, fault) = played(&reading);
            let fault = fault.unwrap_or_else(|| panic!("{text}: {moves}"));
            assert_eq!(fault.ply, Some(ply), "{text}: {fault}");
            assert!(fault.column.is_some(), "{text}: {fault}");
            assert!(fault.problem.contains(part), "{text}: {fault}");
            assert_eq!(moves.split_whitespace().count(), ply - 1, "{text}");
        }
    }
}

/// A variation with White's number stands for a move of White's.
#[test]
fn variations_begin_where_their_numbers_say() {
    let cells = |text: &str| {
        let mut game = read(text).remove(0);
        let rewritten = game.rewrite(GameId::Glinski, &Letters::Own, Notation::San);
        let rewritten = rewritten.unwrap();
        assert_eq!(rewritten.broken, None, "{text}");
        let fen = AnyPosition::start(GameId::Glinski).to_string();
        let written = write::text(&game, &fen);
        let faults: Vec<String> = rewritten
            .variations
            .iter()
            .map(ToString::to_string)
            .collect();
        (written.trim().to_owned(), faults)
    };
    for text in ["1. e5 e6 (1. d5) 2. b2", "1. e5 e6 (1 d5) 2. b2"] {
        let (written, faults) = cells(text);
        assert_eq!(written, "1. e5 (1. d5) 1... e6 2. b2 *", "{text}");
        assert!(faults.is_empty(), "{faults:?}");
    }
    for text in [
        "1. e5 e6 (1... d6 2. d5) 2. b2",
        "1. e5 1. e6 (1. d6 2. d5) 2. b2",
        "1. e5 2. e6 (2. d6 3. d5) 3. b2",
        "e5 e6 (d6 d5) b2",
    ] {
        let (written, faults) = cells(text);
        assert_eq!(written, "1. e5 e6 (1... d6 2. d5) 2. b2 *", "{text}");
        assert!(faults.is_empty(), "{faults:?}");
    }
    for (text, place) in [
        ("1. e5 e6 (2. d6) 2. b2", "line 1, column 14, ply 2: "),
        (
            "1. e5 (1. d5 d6 2. b2 3. c3) e6 2. b2",
            "line 1, column 26, ply 4: ",
        ),
    ] {
        let (written, faults) = cells(text);
        assert!(written.ends_with("e6 2. b2 *"), "{text}: {written}");
        assert!(
            faults.len() == 1 && faults[0].starts_with(place),
            "{faults:?}"
        );
    }
}

#[test]
fn draws_in_remarks_are_no_results() {
    let moves = "e1b4 g10h8";
    for (end, result, comment) in [
        ("draw", "1/2-1/2", ""),
        ("Remis!", "1/2-1/2", ""),
        ("draw {so}", "1/2-1/2", ""),
        ("Draw by agreement", "1/2-1/2", "by agreement"),
        ("Draw by agreement ½-½", "1/2-1/2", "Draw by agreement"),
        ("Black declined a draw 1-0", "1-0", "Black declined a draw"),
        ("White offered a draw", "*", "White offered a draw"),
        ("draw declined 0-1", "0-1", "draw declined"),
        ("draw offered", "*", "draw offered"),
        (
            "Black declined the draw and lost on time 0-1",
            "0-1",
            "Black declined the draw and lost on time",
        ),
        ("1-0 Black declined a draw", "1-0", "Black declined a draw"),
    ] {
        let expected = (moves.to_owned(), result, comment.to_owned());
        assert_eq!(only(&format!("1. Qb4 Kh8 {end}")), expected, "{end}");
        assert_eq!(only(&format!("1. Qb4 Kh8 {end}\n\n")), expected, "{end}");
    }
    let headed = only("Draw of the round\n\n1. Qb4 Kh8 1-0");
    assert_eq!(headed, (moves.to_owned(), "1-0", String::new()));
}

#[test]
fn results_as_people_write_them() {
    let moves = "e1b4 g10h8";
    for (end, result, comment) in [
        ("1-0, Black lost on time", "1-0", "Black lost on time"),
        ("1-0.", "1-0", ""),
        ("(1-0)", "1-0", ""),
        ("(1-0) Black resigned", "1-0", "Black resigned"),
        ("and White won (1-0)", "1-0", "and White won"),
        ("\n\nResult: 1-0", "1-0", ""),
        ("\nResult: 1-0", "1-0", ""),
        (
            "\n\nResult: 1-0 (Black resigned)",
            "1-0",
            "(Black resigned)",
        ),
        ("\n\nResult: Black resigned", "*", "Black resigned"),
        ("½ - ½", "1/2-1/2", ""),
        ("1/2 - 1/2", "1/2-1/2", ""),
        ("3/4 - 1/4", "3/4-1/4", ""),
        ("1 - 0", "1-0", ""),
        ("1 : 0 (time)", "1-0", "(time)"),
        ("1-0 (Black resigned)", "1-0", "(Black resigned)"),
        ("1-0 (27)", "1-0", "(27)"),
        (
            "1-0 Black resigned (0-1 would be wrong)",
            "1-0",
            "Black resigned (0-1 would be wrong)",
        ),
        ("1‑0", "1-0", ""),
    ] {
        let expected = (moves.to_owned(), result, comment.to_owned());
        assert_eq!(only(&format!("1. Qb4 Kh8 {end}")), expected, "{end}");
    }
    // In lists, too.
    for end in ["(1-0)", "1 - 0", "1-0."] {
        let game = object::list_of_moves(&format!("1. Qb4 Kh8 {end}"));
        assert_eq!((game.result, game.fault), ("1-0", None), "{end}");
    }
    let next = read("1. Qb4 Kh8 1 - 0 1. e5 e6 0 - 1");
    let results: Vec<_> = next.iter().map(|game| game.result).collect();
    assert_eq!(results, ["1-0", "0-1"]);
}

#[test]
fn tags_with_results_that_are_none_are_told() {
    for (value, known) in [
        ("1-0", true),
        ("½ - ½", true),
        ("?", true),
        ("Black resigned", false),
        ("3/4", false),
    ] {
        let mut game = read(&format!("[Result \"{value}\"]\n\n1. Qb4 Kh8\n")).remove(0);
        let rewritten = game.rewrite(GameId::Glinski, &Letters::Own, Notation::San);
        let told = rewritten.unwrap().variations;
        assert_eq!(told.is_empty(), known, "{value}: {told:?}");
        if let Some(told) = told.first() {
            let told = told.to_string();
            let part = format!("the tag Result says '{value}', which is no result");
            assert!(
                told.contains(&part) && told.starts_with("line 1: "),
                "{told}"
            );
        }
    }
}

#[test]
fn signs_from_web_pages() {
    for sign in [
        "\u{200b}", "\u{2060}", "\u{ad}", "\u{200e}", "\u{200f}", "\u{feff}", "\u{fe0e}",
    ] {
        for text in [
            format!("1. Qb4{sign} Kh8 1-0"),
            format!("{sign}1. Qb4 Kh8 1-0"),
            format!("{sign}1{sign}. {sign}Q{sign}b4 {sign} Kh8 1{sign}-0{sign}"),
        ] {
            let expected = ("e1b4 g10h8".to_owned(), "1-0", String::new());
            assert_eq!(only(&text), expected, "{text:?}");
        }
    }
    for hyphen in ['‑', '‒', '⁃', '﹣', '－'] {
        let text = format!("1. e4{hyphen}e5 e7{hyphen}e6 1{hyphen}0");
        assert_eq!(
            only(&text),
            ("e4e5 e7e6".to_owned(), "1-0", String::new()),
            "{text}"
        );
    }
    // Blanks around the hyphen, too.
    assert_eq!(only("1. e4 - e5 e7 – e6 1-0").0, "e4e5 e7e6");
}

#[test]
fn glyphs_directly_behind_a_move() {
    let game = &read("1. e5$1 e6!$2$14 1-0")[0];
    let glyphs: Vec<_> = game.main.moves.iter().map(|mv| mv.glyphs.clone()).collect();
    assert_eq!(glyphs, [vec![1], vec![2, 14]]);
    assert_eq!(played(game), ("e4e5 e7e6".to_owned(), None));
    // And behind that the next word.
    let mut game = read("[White \"A\"]\n\n1. e5 $1e6 (1... d6$3b6) 2. d5 $5,$6d6 $14").remove(0);
    assert_eq!(played(&game), ("e4e5 e7e6 d3d5 d7d6".to_owned(), None));
    assert_eq!(game.main.moves[2].glyphs, [5, 6]);
    let rewritten = game.rewrite(GameId::Glinski, &Letters::Own, Notation::San);
    assert_eq!(rewritten.unwrap().variations.len(), 1);
    for (text, at, part) in [
        (
            "1. e5 $300 e6",
            7,
            "'$300' is no glyph: expected a number from 0 to 255",
        ),
        ("1. e5 $ e6", 7, "'$' is no glyph"),
        ("1. e5 e6 $5xyz", 12, "'xyz' is not a move"),
        ("1. e5 e6 $1-0", 12, "'-0' is not a move"),
    ] {
        let fault = played(&read(text)[0]).1.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(fault.column, Some(at), "{text}: {fault}");
        assert!(fault.problem.starts_with(part), "{text}: {fault}");
    }
}

/// A piece may have the letter that elsewhere is the sign of a capture.
#[test]
fn moves_of_a_piece_called_x() {
    let head = |fen: &str| format!("[Variant \"chromatic4\"]\n[FEN \"{fen} w - - 0 1\"]\n\n");
    let piece = head("x3k3/9/10/11/12/13/14/15/14/13/12/11/10/9/3K4");
    for mv in ["Xg13", "xg13", "Xh15-g13", "X15g13", "Xg13+!?"] {
        let (moves, result, comment) = only(&format!("{piece}1. Kd2 {mv} White resigned 0-1"));
        assert_eq!(moves, "d1d2 h15g13", "{mv}");
        assert_eq!(
            (result, comment.as_str()),
            ("0-1", "White resigned"),
            "{mv}"
        );
        let game = &read(&format!("{piece}1. Kd2 {mv} {{takes aim}} 2.Kd3"))[0];
        assert_eq!(played(game), ("d1d2 h15g13 d2d3".to_owned(), None), "{mv}");
        assert_eq!(game.main.moves[1].comments, ["takes aim"], "{mv}");
    }
    let promotion = head("4k3/1P7/10/11/12/13/14/15/14/13/12/11/10/9/3K4");
    for mv in ["h14h15x", "h14-h15X!", "h15X", "h15=X"] {
        let game = &read(&format!(
            "{promotion}1. Kd2 Kl14 2. {mv} {{strong}} Kl13 3.Kd3"
        ))[0];
        let moves = "d1d2 l15l14 h14h15x l14l13 d2d3";
        assert_eq!(played(game), (moves.to_owned(), None), "{mv}");
        assert_eq!(game.main.moves[2].comments, ["strong"], "{mv}");
    }
}

/// Any number before a move begins the moves, with words behind them or not.
#[test]
fn first_lines_that_begin_with_another_number() {
    for (text, result, comment) in [
        (
            "17. e5 e6 1-0 White won on time",
            "1-0",
            "White won on time",
        ),
        ("17. e5 e6 White resigned 0-1", "0-1", "White resigned"),
        ("17) e5 e6 White resigned 0-1", "0-1", "White resigned"),
        ("17 . e5 e6 White resigned 0-1", "0-1", "White resigned"),
        (
            "17. e5 (17. Qc3 is slower than that) 17... e6 1-0",
            "1-0",
            "",
        ),
        ("1 e5 e6 White resigned 0-1", "0-1", "White resigned"),
        ("2. Runde, Budapest\n\n1. e5 e6 0-1", "0-1", ""),
        ("3 May 2026, at home\n\n1. e5 e6 0-1", "0-1", ""),
    ] {
        let expected = ("e4e5 e7e6".to_owned(), result, comment.to_owned());
        assert_eq!(only(text), expected, "{text}");
    }
    let black = "[FEN \"b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 b - - 0 12\"]\n\n";
    let (moves, result, _) = only(&format!("{black}12. ... e6 Black resigned 1-0"));
    assert_eq!((moves.as_str(), result), ("e7e6", "1-0"));
}

/// The number of a move is not that of the word before it.
#[test]
fn words_that_are_no_moves_before_a_number() {
    for text in ["1. e5 foo 2.d5 d6", "1. e5 foo 2. d5 d6"] {
        let fault = played(&read(text)[0]).1.unwrap();
        assert_eq!((fault.column, fault.ply), (Some(7), Some(2)), "{fault}");
        assert!(fault.problem.starts_with("'foo' is not a move"), "{fault}");
    }
}

#[test]
fn en_passant_in_a_word_of_its_own() {
    let fen = "b/3/n4/rb3k1/pp1pppppp/4P6/1r1p1Pb4/5RP4/1PNP1B1P3/2q1BBR1P2/1Q3K1N1P1 b - e5 0 18";
    for (word, glyphs) in [
        ("ep", &[][..]),
        ("e.p", &[]),
        ("ep+", &[]),
        ("e.p.#", &[]),
        ("e.p.,", &[]),
        ("EP", &[]),
        ("E.P.", &[]),
        ("e.p.!", &[1]),
        ("ep!?", &[5]),
    ] {
        let text = format!("[FEN \"{fen}\"]\n\n18... dxe5 {word} 1-0");
        let mut game = read(&text).remove(0);
        assert_eq!(played(&game), ("d5e5".to_owned(), None), "{word}");
        let rewritten = game.rewrite(GameId::Glinski, &Letters::Own, Notation::San);
        assert_eq!(rewritten.unwrap().broken, None, "{word}");
        assert_eq!(game.main.moves[0].glyphs, glyphs, "{word}");
        // In lists, too, where the words are parted at blanks again.
        let list = object::list_of_moves(&format!("dxe5 {word} Kg2"));
        assert_eq!(texts(&list.main), ["dxe5 e.p.", "Kg2"], "{word}");
    }
}

/// The moves, results and comments before the first move of all games, without faults.
pub(super) fn all(text: &str) -> Vec<(String, &'static str, String)> {
    let games = read(text);
    let found = games.iter().map(|game| {
        let (moves, fault) = played(game);
        assert_eq!(fault, None, "{text}");
        (moves, game.result, game.main.intro.join("/"))
    });
    found.collect()
}

#[test]
fn an_n_apart_may_say_that_a_move_is_new() {
    for (text, moves) in [
        ("1. e5 e6 2. Qc3 N d6 3. d5", "e4e5 e7e6 e1c3 d7d6 d3d5"),
        ("1. e5 e6 2. Qc3 2...N d6 3. d5", "e4e5 e7e6 e1c3 d7d6 d3d5"),
        ("1. e5 e6 2. Nc3 N c6", "e4e5 e7e6 d1c3 d9c6"),
        ("1. e5 e6 2. Nc3 d6 (N) 3. d5", "e4e5 e7e6 d1c3 d7d6 d3d5"),
        ("1. e5 = N 1... e6", "e4e5 e7e6"),
        ("1. Nc3 (N) Nc6 = N 2. e4e5 (N)", "d1c3 d9c6 e4e5"),
        (
            "1. e5N e6 2. Nc3!N Nc6N?! 3. d5+N",
            "e4e5 e7e6 d1c3 d9c6 d3d5",
        ),
    ] {
        let game = read(text).remove(0);
        assert_eq!(played(&game), (moves.to_owned(), None), "{text}");
    }
    assert_eq!(only("1. N df4 N df8").0, "d1f4 d9f8");
    assert_eq!(texts(&read("1. e5 e6 2. Kg2 = O-O")[0].main)[2], "Kg2");
    let game = read("1. e5 e6 2. Sc3 N d6 3. d5").remove(0);
    let german = "german".parse().unwrap();
    let (record, fault) = game.play(AnyPosition::start(GameId::Glinski), &german);
    assert_eq!((record.moves().len(), fault), (5, None));
}

#[test]
fn names_with_any_hyphen_are_a_heading() {
    for hyphen in ['-', '–', '—', '‑'] {
        for (head, result) in [("Kovács-Nagy 1985", "*"), ("Anna-Bela 0-1", "0-1")] {
            let head = head.replacen('-', &hyphen.to_string(), 1);
            let found = all(&format!("{head}\n1. e5 e6\n"));
            assert_eq!(found, [("e4e5 e7e6".to_owned(), result, head)]);
        }
    }
}

#[test]
fn blanks_behind_the_letter_of_a_piece() {
    for (text, moves) in [
        ("1. e5 e6 2. N c3 N c6", "e4e5 e7e6 d1c3 d9c6"),
        ("1. N c3 N c6", "d1c3 d9c6"),
        ("N c3 N c6", "d1c3 d9c6"),
        ("1.N c3! N c6?! 2. e5", "d1c3 d9c6 e4e5"),
        ("1. Q c3 K h8", "e1c3 g10h8"),
        ("1. ♘ c3 ♞ c6", "d1c3 d9c6"),
        ("1. N d1 - c3 N d9-c6", "d1c3 d9c6"),
        ("1. Q e1-c3 Q e10 - c6", "e1c3 e10c6"),
        // A novelty.
        ("1. e5 e6 N 2. d5 d6", "e4e5 e7e6 d3d5 d7d6"),
        ("1. e5 N Nc6 2. d5", "e4e5 d9c6 d3d5"),
        ("1. e5 N e7e6 2. d5 N", "e4e5 e7e6 d3d5"),
    ] {
        let game = read(text).remove(0);
        assert_eq!(played(&game), (moves.to_owned(), None), "{text}");
        let list = object::list_of_moves(text);
        assert_eq!(played(&list), (moves.to_owned(), None), "{text}");
    }
    for (text, whole) in [
        ("1. e5 B d7 1-0", "Bd7"),
        ("1. e5 Q xd5", "Qxd5"),
        ("1. e5 N x d5", "Nxd5"),
    ] {
        let fault = played(&read(text)[0]).1.unwrap();
        let begin = format!("'{whole}' is not legal");
        assert!(fault.problem.starts_with(&begin), "{text}: {fault}");
    }
    // A piece called X, and letters of another language.
    let text = "[Variant \"chromatic4\"]\n[FEN \"x3k3/9/10/11/12/13/14/15/14/13/12/11/10/9/3K4 w - - 0 1\"]\n\n";
    let game = &read(&format!("{text}1. K d2 X g13"))[0];
    assert_eq!(played(game), ("d1d2 h15g13".to_owned(), None));
    let game = read("1. H c3 H c6").remove(0);
    let (record, fault) = game.play(
        AnyPosition::start(GameId::Glinski),
        &"hungarian".parse().unwrap(),
    );
    assert_eq!(
        (record.move_texts().join(" "), fault),
        ("d1c3 d9c6".to_owned(), None)
    );
}

#[test]
fn semicolons_between_moves() {
    let moves = "e4e5 e7e6 d1c3 d9c6";
    for text in [
        "1. e5, e6; 2. Nc3, Nc6;",
        "1. e5;e6\n2. Nc3;Nc6",
        "1.;e5;e6\n2.;Nc3;Nc6",
        "1;e5;e6\n2;Nc3;Nc6\n",
        "1;e5;e6;2;Nc3;Nc6",
        "e5; e6; Nc3; Nc6",
        "Zug;Weiß;Schwarz\n1;e5;e6\n2;Nc3;Nc6\n",
        "1. e5 ; best (2. d5)\ne6; 2. Nc3 Nc6 ; and so on; d5",
        "1. e5 e6; 2. Nc3; 2... Nc6 (2... d6; 3. d5)",
        "1. e5 e6 ; b2 b6\n2. Nc3 Nc6",
        "1. e5 e6 ; 1... d5\n2. Nc3 Nc6",
        "1. e5 e6; d5\n2. Nc3 Nc6",
        "1. e5 e6; 1... d5\n2. Nc3 Nc6",
        "1. e5 e6; 1. d5 d6\n2. Nc3 Nc6",
        "1. e5; 1. d5\n1... e6; d6!?\n2. Nc3 Nc6 ; b2\n",
    ] {
        let games = read(text);
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!(played(&games[0]), (moves.to_owned(), None), "{text}");
    }
    // Other tables.
    for text in [
        "Move,White,Black\n1,e5,e6\n2,Nc3,Nc6\n",
        "1,e5,e6\n2,\"Nc3\",Nc6,\n",
        "White,Black\ne5,e6\nNc3,Nc6\n",
        "| Move | White | Black |\n|---|:---:|---|\n| 1 | e5 | e6 |\n| 2 | Nc3 | Nc6 |\n",
        "|1|e5|e6|\n|2|Nc3|Nc6|\n",
        "+---+----+\n| 1 | e5 | e6 |\n+---+----+\n| 2 | Nc3 | Nc6 |\n+---+----+\n",
        "1 | e5 | e6\n2 | Nc3 | Nc6",
    ] {
        assert_eq!(only(text).0, moves, "{text}");
    }
    assert_eq!(only("1;e5;e6\n2;d5;1-0").1, "1-0");
    // Comments, as PGN has them.
    for text in [
        "[White \"A\"]\n\n1. e5 ; d6\ne6 ; 2. d5",
        "1. e5 ; d6 is slower\ne6 ; 2. d5 d6 is usual",
        "; 1. e5 e6\n1. e5 e6",
        "1. e5 e6\n; 2. d5 d6",
    ] {
        assert_eq!(
            played(&read(text)[0]),
            ("e4e5 e7e6".to_owned(), None),
            "{text}"
        );
    }
}

#[test]
fn signs_and_empty_cells_where_a_move_is_missing() {
    for (text, at, ply, part) in [
        ("1. e5 e6 2. ?? d5", (1, 13), 3, "'??' stands where"),
        ("1. e5 e6 2.?? d5", (1, 12), 3, "'??' stands where"),
        ("1. e5 e6 2. $4 d5", (1, 13), 3, "'$4' stands where"),
        ("1. e5 e6 2. d5 2... ?", (1, 21), 4, "'?' stands where"),
        (
            "1\te5\te6\n2\t\td5",
            (2, 2),
            3,
            "the cell behind the number",
        ),
        ("1;e5;e6\n2;;d5", (2, 2), 3, "the cell behind the number"),
        ("1,e5,e6\n2,,d5", (2, 2), 3, "the cell behind the number"),
        (
            "| 1 | e5 | e6 |\n| 2 |  | d5 |",
            (2, 4),
            3,
            "the cell behind the number",
        ),
    ] {
        for game in [read(text).remove(0), object::list_of_moves(text)] {
            let (moves, fault) = played(&game);
            let fault = fault.unwrap_or_else(|| panic!("{text}: {moves}"));
            let found = ((fault.line, fault.column), fault.ply);
            assert_eq!(found, ((at.0, Some(at.1)), Some(ply)), "{text}: {fault}");
            assert!(fault.problem.contains(part), "{text}: {fault}");
        }
    }
    // A variation ends there, and the game goes on.
    let mut game = read("1. e5 e6 (1... b6 2. ?? d6) 2. d5").remove(0);
    let rewritten = game.rewrite(GameId::Glinski, &Letters::Own, Notation::San);
    let rewritten = rewritten.unwrap();
    let found = (rewritten.broken, rewritten.record.moves().len());
    assert_eq!(found, (None, 3));
    let told = rewritten.variations[0].to_string();
    let place = "line 1, column 22, ply 3: a move seems to be missing";
    assert!(told.starts_with(place), "{told}");
    for text in [
        "1.\t\te5\te6\n2.\td5\td6",
        "1.\te5\te6\n2.\t\td5\td6",
        "1. , e5 , e6 2. , d5 , d6",
        "1. e5 e6 ?? 2. d5 d6 3. +-",
    ] {
        assert_eq!(only(text).0, "e4e5 e7e6 d3d5 d7d6", "{text}");
    }
}

#[test]
fn numbers_that_begin_anew_begin_a_game() {
    let games = ["e4e5 e7e6 d1c3 d9c6", "d3d5 d7d6"];
    for text in [
        "1. e5 e6 2. Nc3 Nc6\n1. d5 d6",
        "1 e5 e6\n2 Nc3 Nc6\n1 d5 d6",
        "1;e5;e6\n2;Nc3;Nc6\n1;d5;d6",
        "1. e5 e6 2. Nc3 Nc6 1. d5 d6",
        "1) e5 e6 2) Nc3 Nc6\n1) d5 d6",
        "1. e5 e6 2. Nc3 Nc6 {so}\n1 . d5 d6",
    ] {
        let found = all(text);
        let found: Vec<_> = found.iter().map(|game| game.0.as_str()).collect();
        assert_eq!(found, games, "{text}");
        let fault = object::list_of_moves(text).fault.unwrap();
        let part = "another game begins behind move 4, where the numbers begin anew";
        assert!(fault.problem.contains(part), "{text}: {fault}");
    }
    let found = all("1. e5 e6 2. Nc3\n1. d5 d6");
    assert_eq!(found.len(), 2);
    assert_eq!([&found[0].0, &found[1].0], ["e4e5 e7e6 d1c3", "d3d5 d7d6"]);
    assert_eq!(
        only("1. e5 e6 2. Nc3 White won by\n1 point").2,
        "White won by 1 point"
    );
    let fault = played(&read("1. e5 e6 2. d5 1. e5 e6")[0]).1.unwrap();
    assert!(fault.problem.contains("the numbers begin anew"), "{fault}");
    assert_eq!(only("1. e5\n1. e6").0, "e4e5 e7e6");
}
