//! Position texts: canonical ones are printed as they were read, bad ones are refused with what is wrong and where.
//! `fen_changed.rs` has texts with random changes.

use crate::common::{arranged, cell, kind, suite_texts};
use hexmate_movegen::{
    AnyPosition, BuiltIn, Chromatic3, Chromatic4, FenError, FenProblem, Game, GameId, Glinski,
    Mccooey, Piece, Position, PositionError, Side, for_each_game,
};

fn parse<G: BuiltIn>(text: &str) -> Result<Position<G>, FenError> {
    text.parse()
}

// Good texts.

#[test]
fn suite_positions_print_as_they_were_read() {
    for &game in GameId::ALL {
        for text in suite_texts(game) {
            let printed = AnyPosition::from_fen(game, &text).unwrap().to_string();
            assert_eq!(printed, text, "{game}");
        }
    }
}

#[test]
fn start_texts_are_canonical() {
    for &game in GameId::ALL {
        let start = game.spec().start;
        let printed = AnyPosition::start(game).to_string();
        assert_eq!(printed, start, "{game}");
    }
}

fn optional_fields<G: BuiltIn>() {
    for text in suite_texts(G::ID) {
        let whole = parse::<G>(&text).unwrap();
        let fields: Vec<&str> = text.split(' ').collect();
        let four = parse::<G>(&fields[..4].join(" ")).unwrap();
        assert_eq!((four.halfmove_clock(), four.fullmove_number()), (0, 1));
        assert_eq!(four.key(), whole.key());
        let five = parse::<G>(&fields[..5].join(" ")).unwrap();
        assert_eq!(five.halfmove_clock(), whole.halfmove_clock());
        assert_eq!(five.fullmove_number(), 1);
        assert_eq!(five.key(), whole.key());
        if !G::SPEC.has_rights() {
            let [placement, side, _, passed, counters @ ..] = fields.as_slice() else {
                panic!("{text}");
            };
            let short = format!("{placement} {side} {passed}");
            assert_eq!(parse::<G>(&short), Ok(four), "{short}");
            let short = format!("{short} {}", counters[0]);
            assert_eq!(parse::<G>(&short), Ok(five), "{short}");
            let short = format!("{short} {}", counters[1]);
            assert_eq!(parse::<G>(&short), Ok(whole), "{short}");
        }
    }
}

#[test]
fn rights_and_counters_may_be_missing() {
    for_each_game!(G => optional_fields::<G>());
}

#[test]
fn cell_names_may_be_in_upper_case() {
    let mut rights = 0;
    let mut passed = 0;
    for &game in GameId::ALL {
        for text in suite_texts(game) {
            let (head, tail) = text.split_at(text.find(' ').unwrap() + 2);
            let upper = head.to_owned() + &tail.to_uppercase();
            let [read, as_before] = [&upper, &text].map(|t| AnyPosition::from_fen(game, t));
            assert_eq!(read, as_before, "{upper}");
            let fields: Vec<&str> = text.split(' ').collect();
            rights += usize::from(fields[2] != "-");
            passed += usize::from(fields[3] != "-");
        }
    }
    assert!(rights > 0 && passed > 0, "nothing was in upper case");
}

#[test]
fn blanks_around_fields_do_not_matter() {
    let start = Position::<Chromatic3>::start();
    let text = start.to_string();
    assert_eq!(parse(&text.replace(' ', "   ")), Ok(start));
    assert_eq!(parse(&format!("  {text}\r\n")), Ok(start));
}

#[test]
fn en_passant_that_no_pawn_may_capture_is_left_out() {
    let attacked = "k/3/5/7/9/11/1Pp8/11/11/11/5K5 w - c6 0 1";
    assert_eq!(parse::<Glinski>(attacked).unwrap().to_string(), attacked);
    let alone = "k/3/5/7/9/11/P1p8/11/11/11/5K5 w - c6 0 1";
    let printed = parse::<Glinski>(alone).unwrap().to_string();
    assert_eq!(printed, alone.replace("c6", "-"));
    // A capture that would open a line to the king is none: the rook on e5 looks at a5.
    let pinned = "k/3/5/7/9/11/KPp1r6/11/11/11/11 w - c6 0 1";
    let without = pinned.replace("c6", "-");
    let [pinned, without] = [pinned, &without].map(|text| parse::<Glinski>(text).unwrap());
    assert_eq!(pinned.to_string(), without.to_string());
    assert_eq!((pinned, pinned.key()), (without, without.key()));
    assert_eq!(pinned.en_passant(), None);
    // Nor is one that leaves the king in check, from the knight on a1.
    let checked = "k/3/5/7/9/11/1Pp8/11/11/3K7/n10 w - c6 0 1";
    let checked = parse::<Glinski>(checked).unwrap();
    assert!(checked.in_check());
    assert_eq!(checked.en_passant(), None);
}

#[test]
fn a_one_color_stands_anywhere() {
    let kings = arranged::<Chromatic4>(Side::White, "Kh8 kh15");
    let side = Side::White;
    let kind = kind::<Chromatic4>('B');
    for &at in Chromatic4.tables().board.cells() {
        let mut setup = kings;
        if setup.get(at).is_none() {
            setup.set(at, Some(Piece { kind, side }));
            // From some cells it gives check, which has nothing to do with the cell's colour.
            let built = setup.build();
            assert!(!built.is_err_and(|e| matches!(e, PositionError::OffColour { .. })));
        }
    }
}

// Bad texts, one by one.

/// Each line of `cases` is a text with `^` where the fault must be seen, the field at fault, and how
/// the problem begins in Rust's notation. `@` stands for the placement of the two kings alone, `_` for
/// a blank at the ends of the text.
fn assert_bad<G: BuiltIn>(kings: &str, cases: &str) {
    let lines = cases.lines().map(str::trim);
    for line in lines.filter(|l| !l.is_empty() && !l.starts_with("//")) {
        let (marked, expected) = line.split_once(" => ").expect("' => '");
        let (field, problem) = expected.split_once(": ").expect("': '");
        let marked = marked.replace('@', kings).replace('_', " ");
        let offset = marked.find('^').expect("a mark");
        let text = marked.replacen('^', "", 1);
        let error = parse::<G>(&text).expect_err(&text);
        let found = format!("{:?}: {:?}", error.field, error.problem);
        assert!(
            found.starts_with(&format!("{field}: {problem}")),
            "{line}: {found}"
        );
        assert_eq!(error.offset, offset, "{line}: {error}");
        assert!(
            error.to_string().contains(&format!("offset {offset}: ")),
            "{error}"
        );
    }
}

/// A terminal obeys some characters; they are not repeated to it.
#[test]
fn messages_have_signs_in_place_of_control_characters() {
    let message = |text: &str| parse::<Glinski>(text).unwrap_err().to_string();
    let letter = message(&FILES.replace('k', "\u{1b}"));
    assert!(
        letter.contains("unknown piece letter '\u{fffd}'"),
        "{letter:?}"
    );
    assert!(message(&format!("{FILES} \u{7}w - - 0 1")).contains("'\u{fffd}w' is not a side"));
}

const FILES: &str = "k/3/5/7/9/11/11/11/11/11/5K5";
const THREE: &str = "k6/8/9/10/11/12/13/12/11/10/9/8/3K3";
const FOUR: &str = "k7/9/10/11/12/13/14/15/14/13/12/11/10/9/7K";

#[test]
fn bad_rows() {
    let cases = r#"
        ^ => Placement: Missing(
        ^___ => Placement: Missing(
        ^k/3 w - - 0 1 => Placement: RowCount { found: 2, expected: 11 }
        __^k/3 w - - 0 1 => Placement: RowCount { found: 2, expected: 11 }
        ^@/11 w - - 0 1 => Placement: RowCount { found: 12, expected: 11 }
        k/3^p/5/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: RowTooLong { row: 10, expected: 3 }
        k/p^3/5/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: RowTooLong { row: 10, expected: 3 }
        k/3/5/7/9/11/11/11/11/11/^12 w - - 0 1 => Placement: RowTooLong { row: 1, expected: 11 }
        k/^99999999999999999999999/5/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: RowTooLong { row: 10,
        k/2^/5/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: RowTooShort { row: 10, found: 2, expected: 3 }
        k/3/^/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: RowTooShort { row: 9, found: 0, expected: 5 }
        k/3/5/7/9/11/11/11/11/11/5K4^ w - - 0 1 => Placement: RowTooShort { row: 1, found: 10, expected: 11 }
        k/^0p2/5/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: EmptyRun("0")
        k/^03/5/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: EmptyRun("03")
    "#;
    assert_bad::<Glinski>(FILES, cases);
}

#[test]
fn unknown_letters() {
    let cases = r#"
        k/1^x1/5/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: UnknownLetter { letter: 'x', known: "PKQRBN" }
        k/1^S1/5/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: UnknownLetter { letter: 'S',
        k/p^łp/5/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: UnknownLetter { letter: 'ł',
        k/p^３/5/7/9/11/11/11/11/11/5K5 w - - 0 1 => Placement: UnknownLetter { letter: '３',
    "#;
    assert_bad::<Glinski>(FILES, cases);
    let four = r#"
        k7/9/10/11/12/13/14/15/14/13/12/11/10/9/^R6K w - - 0 1 => Placement: UnknownLetter { letter: 'R',
    "#;
    assert_bad::<Chromatic4>(FOUR, four);
    let three = r#"
        k6/8/9/10/11/12/13/12/11/10/9/8/3K2^V w - - 0 1 => Placement: UnknownLetter { letter: 'V',
    "#;
    assert_bad::<Chromatic3>(THREE, three);
}

#[test]
fn bad_sides() {
    let cases = r#"
        @^ => Side: Missing(
        @^__ => Side: Missing(
        @ ^W - - 0 1 => Side: Side("W")
        @ ^white - - 0 1 => Side: Side("white")
        @ ^ŵ - - 0 1 => Side: Side("ŵ")
    "#;
    assert_bad::<Glinski>(FILES, cases);
}

#[test]
fn bad_rights() {
    let no_rights = r#"
        @ w ^a1 - 0 1 => Rights: NoRights("a1")
        @ w ^~c2 - 0 1 => Rights: NoRights(
        @ w ^KQkq - 0 1 => Rights: NoRights(
    "#;
    assert_bad::<Glinski>(FILES, no_rights);
    let cases = r#"
        @ w^ => Rights: Missing(
        // Cells that are not on this board, no cells, repeated cells.
        @ w ^h1 - 0 1 => Rights: Right("h1")
        @ w ^n1 - 0 1 => Rights: Right("n1")
        @ w ^-,a1 - 0 1 => Rights: Right("-")
        @ w a1,^ - 0 1 => Rights: Right("")
        @ w a1,^- - 0 1 => Rights: Right("-")
        @ w a1,^ä1 - 0 1 => Rights: Right("ä1")
        @ w ^~ - 0 1 => Rights: Right("~")
        @ w ^~~a3 - 0 1 => Rights: Right("~~a3")
        @ w a1,^A1 - 0 1 => Rights: RepeatedRight("A1")
        @ w ~a3,^~a3 - 0 1 => Rights: RepeatedRight("~a3")
        // No piece; one that never castles; not on its first cell; an enemy's.
        @ w ^a1 - 0 1 => Rights: Position(CastlingRight { name: "a1",
        k6/8/9/10/11/12/13/12/11/10/9/8/R2K3 w ^a1 - 0 1 => Rights: Position(CastlingRight {
        k6/8/9/10/11/12/13/12/11/10/9/S7/3K3 w ^a2 - 0 1 => Rights: Position(CastlingRight {
        k6/8/9/10/11/12/13/12/11/10/9/8/S2K3 w ^a1 - 0 1 => Rights: Position(CastlingRight {
        k6/8/9/10/11/12/13/12/11/10/9/8/T2K3 w a1,^g1 - 0 1 => Rights: Position(CastlingRight { name: "g1",
        // The king has left its cell for another row, for the next cell, for Black's.
        k6/8/9/10/11/12/13/12/11/10/9/4K3/T6 w ^a1 - 0 1 => Rights: Position(CastlingRight {
        k6/8/9/10/11/12/13/12/11/10/9/8/T1K4 w ^a1 - 0 1 => Rights: Position(CastlingRight {
        3k2s/8/9/10/11/12/13/12/11/10/9/8/T1K4 b m13,^a1 - 0 1 => Rights: Position(CastlingRight { name: "a1",
        k6/8/9/10/11/12/13/12/11/10/9/8/s2K3 w ^a1 - 0 1 => Rights: Position(CastlingRight {
        // No pawn; another piece; not on a double-step cell; not on one of its own side.
        @ w ^~a3 - 0 1 => Rights: Position(MovedPawn { name: "a3",
        k6/8/9/10/11/12/13/12/11/10/N8/8/3K3 w ^~a3 - 0 1 => Rights: Position(MovedPawn {
        k6/8/9/10/11/12/13/12/11/10/P8/8/T2K3 w a1,~a3,^~b3 - 0 1 => Rights: Position(MovedPawn { name: "b3",
        k6/8/9/10/11/12/13/12/P10/10/9/8/3K3 w ^~a5 - 0 1 => Rights: Position(MovedPawn {
        k6/8/9/10/11/12/13/12/11/10/p8/8/3K3 w ^~a3 - 0 1 => Rights: Position(MovedPawn {
    "#;
    assert_bad::<Chromatic3>(THREE, cases);
    // A 3-color never castles.
    let four = r#"
        k7/9/10/11/12/13/14/15/14/13/12/11/10/9/C6K w ^a1 - 0 1 => Rights: Position(CastlingRight {
    "#;
    assert_bad::<Chromatic4>(FOUR, four);
}

#[test]
fn bad_en_passant_cells() {
    let cases = r#"
        @ w^ => EnPassant: Missing(
        @ w - ^c12 0 1 => EnPassant: EnPassant("c12",
        @ w - ^j6 0 1 => EnPassant: EnPassant(
        @ w - ^c06 0 1 => EnPassant: EnPassant(
        @ w - ^c6c5 0 1 => EnPassant: EnPassant(
        @ w - ^ç6 0 1 => EnPassant: EnPassant(
        // There is no cell behind a1 for the pawn.
        @ w - ^a1 0 1 => EnPassant: EnPassant(
        // No pawn; not the turn of the side that could take it; White's own pawn; a knight.
        k/3/5/7/9/11/1P9/11/11/11/5K5 w - ^c6 0 1 => EnPassant: Position(EnPassant { name: "c6",
        k/3/5/7/9/11/1Pp8/11/11/11/5K5 b - ^c6 0 1 => EnPassant: Position(EnPassant {
        k/3/5/7/9/11/1PP8/11/11/11/5K5 w - ^c6 0 1 => EnPassant: Position(EnPassant {
        k/3/5/7/9/11/1Pn8/11/11/11/5K5 w - ^c6 0 1 => EnPassant: Position(EnPassant {
        // The crossed cell or the first one is occupied; the first one is no double-step cell.
        k/3/5/7/9/2n8/1Pp8/11/11/11/5K5 w - ^c6 0 1 => EnPassant: Position(EnPassant {
        k/3/5/7/1n7/11/1Pp8/11/11/11/5K5 w - ^c6 0 1 => EnPassant: Position(EnPassant {
        k/3/5/7/9/11/11/1Pp8/11/11/5K5 w - ^c5 0 1 => EnPassant: Position(EnPassant {
    "#;
    assert_bad::<Glinski>(FILES, cases);
    // In mccooey the centre pawn has no double step.
    let centre = "k/3/5/7/9/5p5/4P6/11/11/11/5K5 w - ^f7 0 1 => EnPassant: Position(EnPassant {";
    assert_bad::<Mccooey>(FILES, centre);
    let three = r#"
        @ w -^ => EnPassant: Missing(
        // One cell where two are due, three cells.
        @ b - ^d4 0 1 => EnPassant: EnPassant("d4",
        @ b - ^d4d5d6 0 1 => EnPassant: EnPassant(
        // Two steps apart; on no line of a pawn; no pawn; from d2, which is no double-step cell.
        k6/8/9/10/11/12/13/12/3P7/10/9/8/3K3 b - ^d3d5 0 1 => EnPassant: Position(EnPassant {
        k6/8/9/10/11/12/13/12/3P7/10/9/8/3K3 b - ^e4d5 0 1 => EnPassant: Position(EnPassant {
        k6/8/9/10/11/12/13/12/11/10/9/8/3K3 b - ^d4d5 0 1 => EnPassant: Position(EnPassant {
        k6/8/9/10/11/12/13/12/11/3P6/9/8/3K3 b - ^d3d4 0 1 => EnPassant: Position(EnPassant {
    "#;
    assert_bad::<Chromatic3>(THREE, three);
}

#[test]
fn bad_counters() {
    let cases = r#"
        @ w - - ^x 1 => Halfmove: Counter("x", 0)
        @ w - - ^-1 1 => Halfmove: Counter("-1", 0)
        @ w - - ^+1 1 => Halfmove: Counter(
        @ w - - ^65536 1 => Halfmove: Counter(
        @ w - ^65536 1 => Halfmove: Counter(
        @ w - - 0 ^x => Fullmove: Counter("x", 1)
        @ w - - 0 ^70000 => Fullmove: Counter(
        @ w - - 0 ^٣ => Fullmove: Counter(
        @ w - - 0 ^0 => Fullmove: Position(FullMoveZero)
        @ w - 0 ^0 => Fullmove: Position(FullMoveZero)
        @ w - - 0 1 ^x => End: Trailing("x")
        @ w - - 0 1 ^2 3 4 5 => End: Trailing("2")
        @ w - 0 1 ^x => End: Trailing(
    "#;
    assert_bad::<Glinski>(FILES, cases);
    assert!(parse::<Glinski>(&format!("{FILES} w - - 65535 65535")).is_ok());
}

#[test]
fn misplaced_pieces() {
    let cases = r#"
        ^k/3/5/7/9/11/11/11/11/11/11 w - - 0 1 => Placement: Position(NoKing { side: White, letter: 'K' })
        _^1/3/5/7/9/11/11/11/11/11/K10 w - - 0 1 => Placement: Position(NoKing { side: Black, letter: 'k' })
        k/3/5/7/9/5^K5/11/11/11/11/5K5 w - - 0 1 => Placement: Position(ManyKings { side: White, count: 2,
        k/3/5/7/9/^P10/11/11/11/11/5K5 w - - 0 1 => Placement: Position(PawnOnPromotionCell { side: White,
        k/3/5/7/9/11/11/11/11/11/5K4^p w - - 0 1 => Placement: Position(PawnOnPromotionCell { side: Black,
        // A king that could be taken, by a rook, a pawn, a king.
        ^k/3/5/7/9/5R5/11/11/11/11/5K5 w - - 0 1 => Placement: Position(OpponentInCheck { side: White,
        k/3/5/7/9/11/11/11/11/4p^K5/11 b - - 0 1 => Placement: Position(OpponentInCheck { side: Black,
        1/3/5/7/9/11/11/11/11/5^k5/5K5 w - - 0 1 => Placement: Position(OpponentInCheck { side: White,
    "#;
    assert_bad::<Glinski>(FILES, cases);
    // c1 and h13 are cells of colour 3, on which a 2-color of c1 and c2 never stands.
    let three = r#"
        k6/8/9/10/11/12/13/12/11/10/9/8/2^SK3 w - - 0 1 => Placement: Position(OffColour { letter: 'S',
        k1^s4/8/9/10/11/12/13/12/11/10/9/8/3K3 w - - 0 1 => Placement: Position(OffColour { letter: 'S',
        k^P5/8/9/10/11/12/13/12/11/10/9/8/3K3 w - - 0 1 => Placement: Position(PawnOnPromotionCell {
    "#;
    assert_bad::<Chromatic3>(THREE, three);
    // d1 is a cell of colour 4, a1 one of colour 1.
    let four = r#"
        k7/9/10/11/12/13/14/15/14/13/12/11/10/9/3^C3K w - - 0 1 => Placement: Position(OffColour { letter: 'C',
        k7/9/10/11/12/13/14/15/14/13/12/11/10/9/^X6K w - - 0 1 => Placement: Position(OffColour { letter: 'X',
    "#;
    assert_bad::<Chromatic4>(FOUR, four);
}

#[test]
fn faults_name_their_cells() {
    let error = parse::<Glinski>("k/3/5/7/9/5K5/11/11/11/11/5K5 w - - 0 1").unwrap_err();
    let expected = PositionError::ManyKings {
        side: Side::White,
        count: 2,
        name: "f6".to_owned(),
        cell: cell::<Glinski>("f6"),
    };
    assert_eq!(error.problem, FenProblem::Position(expected));
    let error = parse::<Chromatic3>("k6/8/9/10/11/12/13/12/11/10/9/8/2SK3 w - - 0 1").unwrap_err();
    let message = error.to_string();
    for part in [
        "field 1",
        "offset 33",
        "'S'",
        "2-color c1c2",
        "on c1, a cell of colour 3",
        "only on colours 1 and 2",
    ] {
        assert!(message.contains(part), "'{part}' in '{message}'");
    }
}

/// The offset of a fault in the rights must not depend on blanks after the text.
#[test]
fn blanks_at_the_end_do_not_shift_offsets() {
    let text = "k6/8/9/10/11/12/13/12/11/10/9/8/3K3 w a1 - 0 1";
    let plain = parse::<Chromatic3>(text).unwrap_err();
    assert_eq!(plain.offset, 38);
    let blanks = parse::<Chromatic3>(&format!("{text}   ")).unwrap_err();
    assert_eq!(blanks, plain);
}

/// What took more than linear time would not come to an end.
#[test]
fn ten_megabytes_are_refused() {
    const LENGTH: usize = 10 << 20;
    let start = GameId::Chromatic4.spec().start;
    let placement = start.split(' ').next().unwrap();
    let many = |part: &str| part.repeat(LENGTH / part.len());
    let texts = [
        many("p"),
        many("1"),
        many("9/"),
        many("/"),
        many("ł"),
        many("- "),
        many("a"),
        format!("{}{}", placement.replacen('x', &many("x"), 1), " w - - 0 1"),
        format!(
            "{}{}",
            placement.replacen("12", &many("1"), 1),
            " w - - 0 1"
        ),
        format!("{placement} {} - - 0 1", many("w")),
        format!("{placement} w {} - 0 1", many("a1,")),
        format!("{placement} w {} - 0 1", many("~")),
        format!("{placement} w - {} 0 1", many("d5")),
        format!("{placement} w - - {} 1", many("0")),
        format!("{placement} w - - 0 {}", many("9")),
        format!("{placement} w - - 0 1 {}", many("x")),
        format!("{placement} w - - 0 1 {}", many("x ")),
    ];
    for text in texts {
        let error = parse::<Chromatic4>(&text);
        let front: String = text.chars().take(40).collect();
        // A number of ten million zeros is 0.
        if let Err(error) = error {
            assert!(error.offset <= text.len());
            assert!(error.to_string().len() < 400, "{error}");
        } else {
            assert!(text.contains("0000"), "{front}…");
        }
    }
    // Any number of blanks is fine.
    assert!(parse::<Chromatic4>(&format!("{start}{}", many(" "))).is_ok());
}
