use super::*;

fn answer(fen: &str, rest: &str) -> Answer {
    let start = GameId::Glinski.spec().start;
    let fen = if fen.is_empty() { start } else { fen };
    let json = format!(
        r#"{{"id":"a","game":"glinski","fen":"{fen}","seldepth":3,"time_ms":1500,{rest}}}"#
    );
    Answer::of_json(&json).unwrap()
}

#[test]
fn scores_in_words() {
    let rest = r#""status":"ok","bestmove":"e1c3","score":{"cp":130},"depth":2,"nodes":1234567,"pv":["e1c3","e10c6","b1b2"]"#;
    let board = Style {
        board: true,
        ..Style::default()
    };
    let found = "Best is 1. Qc3: White is better, by 1.30 pawns.\n   +1.30  1. Qc3 Qc6 2. b2\nDepth 2, 1,234,567 positions in 1.50 s.\n\n";
    let whole = text(&answer("", rest), board);
    assert!(
        whole.contains("White to move") && whole.ends_with(found),
        "{whole}"
    );
    for (score, side, expected) in [
        (
            Score::Cp(-40),
            Side::White,
            "Black is slightly better, by 0.40 pawns",
        ),
        (
            Score::Cp(-900),
            Side::Black,
            "White is winning, by 9.00 pawns",
        ),
        (Score::Cp(3), Side::White, "the position is about level"),
        (Score::Mate(1), Side::Black, "Black mates in 1 move"),
        (Score::Mate(-4), Side::Black, "White mates in 4 moves"),
    ] {
        assert_eq!(words((&score, None), side), expected);
    }
    assert_eq!(short((&Score::Mate(-4), None), Side::Black), "+#4");
    assert_eq!(short((&Score::Cp(40), None), Side::Black), "-0.40");
}

#[test]
fn a_score_that_is_only_a_bound_is_told_as_one() {
    let (lower, upper) = (Some(Bound::Lower), Some(Bound::Upper));
    for (score, bound, side, in_short, expected) in [
        (
            Score::Mate(5),
            lower,
            Side::Black,
            "-#≤5",
            "Black mates, in 5 moves or fewer",
        ),
        (
            Score::Mate(-5),
            upper,
            Side::Black,
            "+#≤5",
            "White mates, in 5 moves or fewer",
        ),
        (
            Score::Mate(5),
            upper,
            Side::White,
            "+#≥5",
            "White may mate, in 5 moves or more",
        ),
        (
            Score::Cp(130),
            lower,
            Side::White,
            "≥+1.30",
            "White is better, by 1.30 pawns or more",
        ),
        (
            Score::Cp(130),
            lower,
            Side::Black,
            "≤-1.30",
            "Black is better, by 1.30 pawns or more",
        ),
        (
            Score::Cp(-130),
            lower,
            Side::White,
            "≥-1.30",
            "Black may be better, by 1.30 pawns at most",
        ),
        (
            Score::Cp(3),
            lower,
            Side::Black,
            "≤-0.03",
            "the position is about level, or better for Black",
        ),
    ] {
        assert_eq!(short((&score, bound), side), in_short);
        assert_eq!(words((&score, bound), side), expected);
    }
    let found = r#""status":"ok","bestmove":"e1c3","score":{"mate":5},"bound":"lower","depth":1,"nodes":7,"pv":["e1c3"]"#;
    let answer = answer("", found);
    let epd = crate::analyse::forms::epd::line(&answer);
    assert!(epd.contains("; c5 \"lower bound\"; "), "{epd}");
    let line = text(&answer, Style::default());
    assert!(line.ends_with("  +#≤5  White mates\n"), "{line}");
    assert!(
        answer
            .json()
            .contains(r#""score":{"mate":5},"bound":"lower","depth""#)
    );
}

#[test]
fn many_records_have_a_line_each() {
    let rest = r#""status":"ok","bestmove":"e1c3","score":{"cp":130},"depth":2,"nodes":7,"pv":["e1c3","e10c6"],"note":"my own""#;
    let style = Style {
        width: Some(100),
        ..Style::default()
    };
    let line = text(&answer("", rest), style);
    let best =
        "a                              1. Qc3         +1.30  White better          1... Qc6\n";
    assert_eq!(line, format!("{best}  note: my own\n"));
    for (width, end) in [(80, "better\n"), (79 + 8, "better\n"), (57, "better\n")] {
        let width = Some(width);
        let line = text(&answer("", rest), Style { width, ..style });
        assert!(
            line.lines().next().is_some_and(|l| l.ends_with(end.trim())),
            "{line}"
        );
    }
    assert_eq!(heading(style).find("score"), line.find("+1.30"));
    let black = |score| briefly(&words((&score, None), Side::Black));
    assert_eq!(black(Score::Mate(1)), "Black mates in 1");
    assert_eq!(black(Score::Mate(-3)), "White mates in 3");
    assert_eq!(black(Score::Cp(3)), "about level");
    assert_eq!(black(Score::Cp(-50)), "White slightly better");
    for score in [Score::Mate(-120), Score::Cp(-50), Score::Cp(900)] {
        for bound in [None, Some(Bound::Lower), Some(Bound::Upper)] {
            assert!(briefly(&words((&score, bound), Side::White)).len() <= WORDS);
        }
    }
}

#[test]
fn chances_in_per_cent_are_a_hundred_in_all() {
    assert_eq!(in_per_cent([626, 329, 45], Side::White), "63/33/4");
    assert_eq!(in_per_cent([505, 0, 495], Side::Black), "50/0/50");
    assert_eq!(in_per_cent([1, 2, 997], Side::Black), "100/0/0");
    assert_eq!(in_per_cent([333, 333, 334], Side::White), "33/33/34");
}

#[test]
fn narrow_terminals_have_two_lines_for_a_record() {
    let rest = r#""status":"ok","bestmove":"e1c3","score":{"cp":30},"depth":2,"nodes":7,"pv":["e1c3","e10c6"],"wdl":[310,520,170]"#;
    let answer = answer("", rest)
        .json()
        .replace(r#""id":"a""#, r#""id":"王皓 – Béla""#);
    let answer = Answer::of_json(&answer).unwrap();
    for wdl in [false, true] {
        for width in 30..120 {
            let style = Style {
                width: Some(width),
                wdl,
                ..Style::default()
            };
            for line in (heading(style) + &text(&answer, style)).lines() {
                assert!(columns(line) <= width, "{width}: {line}");
            }
        }
    }
    let style = Style {
        width: Some(40),
        ..Style::default()
    };
    assert_eq!(heading(style), "position\n  best score in words\n");
    let narrow = text(&answer, style);
    assert_eq!(
        narrow,
        "王皓 – Béla\n  1. Qc3 +0.30 White slightly better\n"
    );
    // Letters of two columns shift nothing.
    let style = Style::default();
    let wide = text(&answer, style);
    let (before, _) = wide.split_once("1. Qc3").unwrap();
    assert_eq!(Some(columns(before)), heading(style).find("best"));
}

#[test]
fn chances_have_a_column() {
    let found = r#""status":"ok","bestmove":"e1c3","score":{"cp":30},"depth":2,"nodes":7,"pv":["e1c3"],"wdl":[310,516,174]"#;
    let style = Style {
        wdl: true,
        ..Style::default()
    };
    let line = text(&answer("", found), style);
    assert!(
        line.contains("  +0.30  31/52/17  White slightly better\n"),
        "{line}"
    );
    assert_eq!(heading(style).find("in words"), line.find("White"));
    // As White sees them, like the score.
    let black = GameId::Glinski.spec().start.replace(" w ", " b ");
    let found = found.replace("e1c3", "e10c6");
    let line = text(&answer(&black, &found), style);
    assert!(line.contains("  -0.30  17/52/31  Black"), "{line}");
    let narrow = text(
        &answer("", &found.replace("e10c6", "e1c3")),
        Style {
            width: Some(40),
            ..style
        },
    );
    assert_eq!(
        narrow,
        "a\n  1. Qc3 +0.30 31/52/17 White slightly\n  better\n"
    );
}

/// A stalemate worth 3/4 is neither a win nor a draw, nor an advantage of so many pawns.
#[test]
fn a_stalemate_is_called_so() {
    let white = "1/3/5/7/9/11/11/2Q8/11/11/k1K8 w - - 0 1";
    let black = "1/3/5/7/9/11/11/2q8/11/11/K1k8 b - - 0 1";
    let found = r#""status":"ok","bestmove":"c4b4","score":{"cp":191},"depth":2,"nodes":7,"pv":["c4b4"],"wdl":[500,500,0]"#;
    let over = r#""status":"stalemate","bestmove":null,"score":{"cp":-191},"depth":0,"nodes":0,"pv":[],"wdl":[0,500,500]"#;
    let row = Style {
        wdl: true,
        ..Style::default()
    };
    let board = Style { board: true, ..row };
    for (fen, loser, winner) in [(white, "Black", "White"), (black, "White", "Black")] {
        let whole = text(&answer(fen, found), board);
        let said = format!("{loser} is stalemated, which gives {winner} 3/4 of the point.\n");
        assert!(whole.contains(&said) && !whole.contains('%'), "{whole}");
        let line = text(&answer(fen, found), row);
        let brief = format!("{loser} stalemated\n");
        assert!(line.ends_with(&brief) && !line.contains("50/"), "{line}");
        let after = AnyPosition::from_fen(GameId::Glinski, fen).unwrap();
        let after = after.after(after.parse_move("c4b4").unwrap());
        let ended = text(&answer(&after.to_string(), over), row);
        assert!(
            ended.ends_with(&format!("{loser} is stalemated\n")) && !ended.contains("50/"),
            "{ended}"
        );
        // Without the stalemate such a score is one like others.
        let other = text(&answer(fen, &found.replace("c4b4", "c1d1")), row);
        assert!(
            other.contains("50/") && other.contains(" better"),
            "{other}"
        );
    }
}

#[test]
fn that_there_is_no_mate_is_said() {
    let found = r#""status":"ok","bestmove":"e1c3","score":{"cp":30},"depth":1,"nodes":7,"pv":["e1c3"],"no_mate_in":2"#;
    let line = text(&answer("", found), Style::default());
    assert!(line.ends_with("+0.30  no mate in 2\n"), "{line}");
    let board = Style {
        board: true,
        ..Style::default()
    };
    let whole = text(&answer("", found), board);
    assert!(
        whole.contains("\nWhite has no mate in 2 moves or fewer.\n"),
        "{whole}"
    );
    // A longer one is what there is to say.
    let line = text(
        &answer("", &found.replace(r#""cp":30"#, r#""mate":5"#)),
        Style::default(),
    );
    assert!(line.ends_with("White mates in 5\n"), "{line}");
}

#[test]
fn ends_and_errors() {
    let over =
        r#""status":"checkmate","bestmove":null,"score":{"mate":0},"depth":0,"nodes":0,"pv":[]"#;
    let board = Style {
        board: true,
        ..Style::default()
    };
    assert!(text(&answer("", over), board).contains("White is checkmated."));
    assert_eq!(
        text(&answer("", over), Style::default()),
        format!("{:<53}White is checkmated\n", "a")
    );
    let fault = r#"{"id":1,"line":1,"game":null,"status":"error","error":"line 1, no position"}"#;
    let fault = Answer::of_json(fault).unwrap();
    assert_eq!(text(&fault, Style::default()), "line 1, no position\n");
    let narrow = Style {
        width: Some(16),
        ..Style::default()
    };
    assert_eq!(text(&fault, narrow), "line 1, no\n  position\n");
}

/// A long move makes no other form of its line.
#[test]
fn a_table_has_lines_of_one_form() {
    let fen = (GameId::Glinski.spec().start).replace(" w - - 0 1", " b - - 0 12345");
    let rest =
        r#""status":"ok","bestmove":"e10c6","score":{"cp":-30},"depth":1,"nodes":7,"pv":["e10c6"]"#;
    let position = AnyPosition::from_fen(GameId::Glinski, &fen).unwrap();
    let moves = position.move_texts();
    let long = moves
        .iter()
        .find(|mv| numbered(&position, &[(*mv).clone()]).len() > BEST);
    let answer = answer(&fen, &rest.replace("e10c6", long.unwrap()));
    for width in 30..120 {
        let style = Style {
            width: Some(width),
            ..Style::default()
        };
        let (head, row) = (heading(style), text(&answer, style));
        let [one_for_head, one_for_row] = [&head, &row].map(|text| text.lines().count() == 1);
        assert_eq!(one_for_row, one_for_head, "{width}: {row}");
        assert!(
            row.lines().all(|line| columns(line) <= width),
            "{width}: {row}"
        );
    }
}

#[test]
fn nothing_of_a_record_commands_the_terminal() {
    let rest = r#""status":"ok","bestmove":"e1c3","score":{"cp":30},"depth":1,"nodes":7,"pv":["e1c3"],"note\u0007":"x\ny""#;
    let json = answer("", rest)
        .json()
        .replacen(r#""a""#, r#""a\nb\u001b[31mc""#, 1);
    let told = text(&Answer::of_json(&json).unwrap(), Style::default());
    assert!(told.starts_with("a b [31mc "), "{told}");
    assert!(told.ends_with("\n  note : x y\n"), "{told}");
    let fault = r#"{"id":1,"line":1,"game":null,"status":"error","error":"no\u001b position"}"#;
    let fault = Answer::of_json(fault).unwrap();
    assert_eq!(text(&fault, Style::default()), "no  position\n");
}
