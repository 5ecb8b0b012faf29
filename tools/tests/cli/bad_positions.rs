//! Whatever is wrong with the input, the program says what and where, goes on where it can, and ends
//! with a code that tells: 1 where some of many inputs are faulty, 2 where there is nothing to do.

use serde_json::json;

use crate::run::{CHROMATIC3, CHROMATIC4, GLINSKI, TempFile, analyse, hexmate};

/// A faulty position text: the game, the text, and what the message must say.
struct Fault {
    game: &'static str,
    fen: String,
    field: &'static str,
    offset: usize,
    says: &'static [&'static str],
}

fn starts(game: &str) -> &'static str {
    match game {
        "glinski" => GLINSKI,
        "chromatic3" => CHROMATIC3,
        "chromatic4" => CHROMATIC4,
        other => panic!("{other}"),
    }
}

/// A start position in which one part is replaced by another.
fn changed(
    game: &'static str,
    (old, new): (&str, &str),
    (field, offset): (&'static str, usize),
    says: &'static [&'static str],
) -> Fault {
    let start = starts(game);
    assert!(start.contains(old), "{old} in {start}");
    Fault {
        game,
        fen: start.replacen(old, new, 1),
        field,
        offset,
        says,
    }
}

fn whole(
    game: &'static str,
    fen: &str,
    (field, offset): (&'static str, usize),
    says: &'static [&'static str],
) -> Fault {
    Fault {
        game,
        fen: fen.to_owned(),
        field,
        offset,
        says,
    }
}

/// Every kind of fault that a position text can have.
fn faults() -> Vec<Fault> {
    let at = |game, part: &str| starts(game).find(part).unwrap();
    let g = |part| at("glinski", part);
    let c = |part| at("chromatic3", part);
    let d = |part| at("chromatic4", part);
    let pawns = g("ppppppppp");
    let side = g(" w ") + 1;
    let rights = side + 2;
    let en_passant = rights + 2;
    let clock = en_passant + 2;
    let full = clock + 2;
    vec![
        // Rows.
        changed(
            "glinski",
            ("b/qbk/", "qbk/"),
            ("field 1", 0),
            &["10 rows", "11"],
        ),
        changed(
            "glinski",
            ("b/qbk/", "1/b/qbk/"),
            ("field 1", 0),
            &["12 rows", "11"],
        ),
        changed(
            "chromatic3",
            ("trbkbrs/", ""),
            ("field 1", 0),
            &["12 rows", "13"],
        ),
        changed(
            "glinski",
            ("ppppppppp", "pppppppppp"),
            ("field 1", pawns + 9),
            &["row 7 is too long", "9 cells"],
        ),
        changed(
            "glinski",
            ("/11/", "/12/"),
            ("field 1", g("/11/") + 1),
            &["row 6 is too long", "11 cells"],
        ),
        changed(
            "glinski",
            ("/11/", "/99999999999999999999/"),
            ("field 1", g("/11/") + 1),
            &["row 6 is too long"],
        ),
        changed(
            "glinski",
            ("ppppppppp", "pppppppp"),
            ("field 1", pawns + 8),
            &["row 7 is too short", "8 of its 9 cells"],
        ),
        changed(
            "glinski",
            ("/11/", "//"),
            ("field 1", g("/11/") + 1),
            &["row 6 is too short", "0 of its 11 cells"],
        ),
        changed(
            "glinski",
            ("/11/", "/0Q11/"),
            ("field 1", g("/11/") + 1),
            &["'0' is not a number of empty cells"],
        ),
        changed(
            "glinski",
            ("n1b1n", "n1x1n"),
            ("field 1", g("n1b1n") + 2),
            &["unknown piece letter 'x'", "PKQRBN"],
        ),
        changed(
            "glinski",
            ("n1b1n", "n1♞1n"),
            ("field 1", g("n1b1n") + 2),
            &["unknown piece letter '♞'"],
        ),
        changed(
            "glinski",
            ("n1b1n", "n1s1n"),
            ("field 1", g("n1b1n") + 2),
            &["unknown piece letter 's'"],
        ),
        changed(
            "chromatic3",
            ("SNBUUQNT", "SNBUUVNT"),
            ("field 1", c("SNBUUQNT") + 5),
            &["unknown piece letter 'V'"],
        ),
        // Kings.
        changed(
            "glinski",
            ("QBKN", "KBKN"),
            ("field 1", g("QBKN") + 2),
            &["White has 2 kings", "g1", "exactly one"],
        ),
        changed(
            "glinski",
            ("/qbk/", "/kkk/"),
            ("field 1", 3),
            &["Black has 3 kings", "exactly one"],
        ),
        changed(
            "glinski",
            ("QBKN", "QBQN"),
            ("field 1", 0),
            &["White has no king", "'K'"],
        ),
        changed(
            "chromatic4",
            ("xdbqkbft", "xdbqqbft"),
            ("field 1", 0),
            &["Black has no king", "'k'"],
        ),
        // Pieces where they cannot be.
        changed(
            "glinski",
            ("b/qbk/", "P/qbk/"),
            ("field 1", 0),
            &["White pawn on f11", "promotion cell"],
        ),
        changed(
            "glinski",
            ("/1PRNQ", "/pPRNQ"),
            ("field 1", g("/1PRNQ") + 1),
            &["Black pawn on a1", "promotion cell"],
        ),
        changed(
            "chromatic3",
            ("/TRBKBRS", "/TRBKBpS"),
            ("field 1", c("/TRBKBRS") + 6),
            &["Black pawn on f1", "promotion cell"],
        ),
        changed(
            "chromatic3",
            ("/TRBKBRS", "/TTBKBRS"),
            ("field 1", c("/TRBKBRS") + 2),
            &["'T'", "b1, a cell of colour 2", "colours 1 and 3"],
        ),
        changed(
            "chromatic4",
            ("/TDBKQBFU", "/TTBKQBFU"),
            ("field 1", d("/TDBKQBFU") + 2),
            &["'T'", "b1, a cell of colour 2", "colours 1 and 3"],
        ),
        changed(
            "chromatic4",
            ("/TDBKQBFU", "/TDKCQBFU"),
            ("field 1", d("/TDBKQBFU") + 4),
            &["'C'", "d1, a cell of colour 4", "colours 1, 2 and 3"],
        ),
        whole(
            "glinski",
            "1/3/5/7/9/5k5/11/5R5/11/11/K10 w - - 0 1",
            ("field 1", 11),
            &["side to move (White)", "king on f6"],
        ),
        whole(
            "glinski",
            "1/3/5/7/9/5k5/11/5r5/11/5K5/11 b - - 0 1",
            ("field 1", 25),
            &["side to move (Black)", "king on f2"],
        ),
        // Whose move.
        changed(
            "glinski",
            (" w ", " x "),
            ("field 2", side),
            &["'x'", "'w' or 'b'"],
        ),
        changed(
            "glinski",
            (" w ", " W "),
            ("field 2", side),
            &["'W'", "'w' or 'b'"],
        ),
        // Rights.
        changed(
            "glinski",
            ("w - -", "w a1 -"),
            ("field 3", rights),
            &["'a1'", "no castling", "'-'"],
        ),
        changed(
            "glinski",
            ("w - -", "w KQkq -"),
            ("field 3", rights),
            &["'KQkq'", "expected '-'"],
        ),
        changed(
            "chromatic3",
            ("w a1,", "w z1,"),
            ("field 3", c("a1,")),
            &["'z1'", "cells of this board"],
        ),
        changed(
            "chromatic3",
            ("w a1,g1", "w a1,"),
            ("field 3", c("g1,")),
            &["''", "cells of this board"],
        ),
        changed(
            "chromatic3",
            ("w a1,g1", "w a1,a1"),
            ("field 3", c("g1,")),
            &["'a1' stands twice"],
        ),
        changed(
            "chromatic3",
            ("/TRBKBRS", "/1RBKBRS"),
            ("field 3", c("a1,")),
            &["castle with a1", "no piece"],
        ),
        changed(
            "chromatic3",
            ("w a1,", "w b1,"),
            ("field 3", c("a1,")),
            &["castle with b1", "never castles"],
        ),
        changed(
            "chromatic3",
            ("w a1,", "w d2,"),
            ("field 3", c("a1,")),
            &["castle with d2", "'T' on a1, 'S' on g1"],
        ),
        changed(
            "chromatic3",
            ("TRBKBRS w", "TRKBBRS w"),
            ("field 3", c("a1,")),
            &["castle with a1", "king has moved", "on d1"],
        ),
        changed(
            "chromatic3",
            ("trbkbrs", "trkbbrs"),
            ("field 3", c("g13")),
            &["castle with g13", "king has moved", "on j13"],
        ),
        changed(
            "chromatic3",
            ("w a1,g1,g13,m13", "w ~a5"),
            ("field 3", c("a1,")),
            &["'~a5'", "no pawn"],
        ),
        changed(
            "chromatic3",
            ("w a1,g1,g13,m13", "w ~a1"),
            ("field 3", c("a1,")),
            &["'~a1'", "no pawn"],
        ),
        // En passant.
        changed(
            "glinski",
            ("w - -", "w - z9"),
            ("field 4", en_passant),
            &["'z9'", "expected '-' or"],
        ),
        changed(
            "glinski",
            ("w - -", "w - e6"),
            ("field 4", en_passant),
            &["en passant on e6", "no enemy pawn"],
        ),
        changed(
            "glinski",
            ("w - -", "w - e7"),
            ("field 4", en_passant),
            &["en passant on e7"],
        ),
        changed(
            "glinski",
            ("w - -", "b - f6"),
            ("field 4", en_passant),
            &["en passant on f6"],
        ),
        changed(
            "chromatic3",
            ("m13 -", "m13 d5"),
            ("field 4", c("m13 -") + 4),
            &["'d5'", "expected '-' or"],
        ),
        changed(
            "chromatic3",
            ("m13 -", "m13 d9d8"),
            ("field 4", c("m13 -") + 4),
            &["en passant on d9"],
        ),
        // Counters.
        changed(
            "glinski",
            ("- 0 1", "- -1 1"),
            ("field 5", clock),
            &["'-1'", "0 to 65535"],
        ),
        changed(
            "glinski",
            ("- 0 1", "- 65536 1"),
            ("field 5", clock),
            &["'65536'", "0 to 65535"],
        ),
        changed(
            "glinski",
            ("- 0 1", "- 0 one"),
            ("field 6", full),
            &["'one'", "number"],
        ),
        changed(
            "glinski",
            ("- 0 1", "- 0 0"),
            ("field 6", full),
            &["counts from 1"],
        ),
        // Too much and too little.
        changed(
            "glinski",
            ("- 0 1", "- 0 1 x"),
            ("end", full + 2),
            &["'x' is left over"],
        ),
        changed(
            "glinski",
            ("- 0 1", "- 0 1 w - - 0 1"),
            ("end", full + 2),
            &["'w' is left over"],
        ),
        whole(
            "glinski",
            "1/3/5/7/9/5k5/11/11/11/11/K10",
            ("field 2", 29),
            &["ends before", "'w' or 'b'"],
        ),
        whole(
            "glinski",
            "1/3/5/7/9/5k5/11/11/11/11/K10 w",
            ("", 31),
            &["ends before", "expected"],
        ),
        whole(
            "chromatic3",
            "7/8/9/10/11/12/13/12/11/10/9/8/k1K4 w -",
            ("field 4", 39),
            &["ends before", "en passant"],
        ),
        whole("glinski", "nonsense", ("field 1", 0), &["1 row;", "11"]),
    ]
}

impl Fault {
    fn check_message(&self, message: &str) {
        let Fault { field, offset, .. } = self;
        let place = format!("offset {offset}:");
        let parts = [field, place.as_str()];
        for part in parts.iter().chain(self.says) {
            assert!(
                message.contains(part),
                "no \"{part}\" in \"{message}\" about {}",
                self.fen
            );
        }
    }
}

#[test]
fn faulty_positions_in_arguments() {
    for fault in faults() {
        let fen = fault.fen.as_str();
        let by_perft = hexmate(&["perft", fault.game, "1", "--fen", fen]).refused();
        fault.check_message(&by_perft);
        assert!(by_perft.contains("--fen"), "{by_perft}");
        let by_moves = hexmate(&["moves", fault.game, "--fen", fen]).refused();
        assert_eq!(by_moves, by_perft);
        let by_show = hexmate(&["show", fault.game, "--fen", fen]).refused();
        assert_eq!(by_show, by_perft);
    }
    let empty = hexmate(&["moves", "glinski", "--fen", ""]).refused();
    assert!(
        empty.contains("field 1") && empty.contains("rows"),
        "{empty}"
    );
}

/// Each fault in a line of text and in a JSON object, good lines between them.
#[test]
fn faulty_positions_among_lines() {
    let faults = faults();
    let mut lines = String::new();
    for fault in &faults {
        let fen = &fault.fen;
        lines += &format!("{fen} ; game {}; id \"text\"\n{GLINSKI}\n", fault.game);
        lines += &json!({ "fen": fen, "game": fault.game, "id": "json" }).to_string();
        lines.push('\n');
    }
    let run = analyse(lines);
    assert_eq!(run.code, 1);
    let count = 2 * faults.len();
    assert!(
        run.err
            .contains(&format!("{count} of {} ", 3 * faults.len())),
        "{}",
        run.err
    );
    let answers = run.answers();
    assert_eq!(answers.len(), 3 * faults.len());
    for (i, answer) in answers.iter().enumerate() {
        let line = i + 1;
        if i % 3 == 1 {
            assert_eq!(
                (&answer["status"], &answer["id"]),
                (&json!("ok"), &json!(line))
            );
            continue;
        }
        let fault = &faults[i / 3];
        assert_eq!(answer["status"], "error", "{}: {answer}", fault.fen);
        assert_eq!(answer["id"], if i % 3 == 0 { "text" } else { "json" });
        assert_eq!(
            (&answer["line"], &answer["game"]),
            (&json!(line), &json!(fault.game))
        );
        let message = answer["error"].as_str().unwrap();
        assert!(message.starts_with(&format!("line {line}, ")), "{message}");
        fault.check_message(message);
    }
}

#[test]
fn faulty_positions_in_suites() {
    for fault in faults() {
        let lines = format!("{GLINSKI} ;D1 51\n{} ;D1 1\n{GLINSKI} ;D1 51\n", fault.fen);
        if fault.game != "glinski" {
            continue;
        }
        let file = TempFile::new("glinski.epd", lines);
        let run = hexmate(&["suite", &file.text()]);
        assert_eq!(
            (run.code, run.last_line()),
            (2, "2 passed, 0 failed, 1 unreadable"),
            "{run:?}"
        );
        fault.check_message(&run.err);
        assert!(run.err.contains("line 2"), "{}", run.err);
    }
}

/// Blanks before and behind a text do not shift the offsets of what is in it.
#[test]
fn offsets_count_from_the_first_byte() {
    let fen = CHROMATIC3.replace("/TRBKBRS", "/1RBKBRS");
    let offset = fen.find("a1,").unwrap();
    for (before, behind) in [("", ""), ("  ", ""), ("", "   "), (" ", "  ")] {
        let fen = format!("{before}{fen}{behind}");
        let message = hexmate(&["moves", "chromatic3", "--fen", &fen]).refused();
        let expected = format!("offset {}:", offset + before.len());
        assert!(
            message.contains(&expected),
            "no \"{expected}\" in \"{message}\""
        );
    }
}
