//! `hexmate analyse --explain`: what separates the best move from another one.

use serde_json::{Value, json};

use crate::run::{Run, TempFile, hexmate, hexmate_reading};

/// Gliński's game, two plies before its shortest mate: Black may allow it.
const BEFORE: &str = "e1b4 g10h8 f3h2";

fn explain(arguments: &[&str], lines: &str) -> Run {
    let mut words = vec!["analyse", "--explain", "--hash", "1", "--quiet"];
    // An option is given once.
    if !arguments.contains(&"--nodes") {
        words.extend(["--nodes", "1500"]);
    }
    hexmate_reading(&[&words[..], arguments].concat(), lines)
}

/// With each network the lines are others, so what was found in one line is asked without.
const HANDMADE: [&str; 2] = ["--eval-file", "handmade"];

fn words(answer: &Value) -> &str {
    answer["explanation"]["words"]
        .as_str()
        .unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn the_played_move_or_the_second_best() {
    let records = [
        json!({"moves": BEFORE, "played": "Ki6"}),
        json!({"moves": BEFORE, "played": "h8i6", "note": 1}),
        json!({"moves": BEFORE}),
        json!({"moves": BEFORE, "played": " "}),
        json!({"moves": BEFORE, "played": "a1a2"}),
        json!({"moves": format!("{BEFORE} h8i6")}),
        json!({"fen": "1/3/5/7/9/11/11/1N9/2K8/11/k10 b - - 0 1"}),
    ];
    let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
    let run = explain(&[], &lines.join("\n"));
    let answers = run.answers();
    assert_eq!(run.code, 1);
    for answer in &answers[..2] {
        assert!(
            words(answer).starts_with("After Ki6 White mates with 3. "),
            "{answer}"
        );
        assert_eq!(answer["explanation"]["other"]["move"], "h8i6");
    }
    assert_eq!(
        (&answers[0]["played"], &answers[1]["note"]),
        (&"Ki6".into(), &1.into())
    );
    // A text without a move is as good as none.
    for answer in &answers[2..4] {
        assert_ne!(answer["explanation"]["other"]["move"], answer["bestmove"]);
        assert_eq!(answer["explanation"], answers[2]["explanation"]);
    }
    let error = answers[4]["error"].as_str().unwrap();
    assert!(
        error.contains("\"played\": ") && error.contains("a1a2"),
        "{error}"
    );
    assert_eq!(
        answers[5]["explanation"]["best"]["score"],
        json!({"mate": 1})
    );
    assert!(words(&answers[5]).contains(" is mate"), "{}", answers[5]);
    // The game is over.
    assert_eq!(answers[6]["explanation"], Value::Null);

    // Neither the number of jobs nor the lines of --multipv change what it is compared with.
    let again = explain(&["--jobs", "3"], &lines.join("\n"));
    let timeless = |run: &Run| -> Vec<Value> {
        let mut answers = run.answers();
        answers
            .iter_mut()
            .for_each(|answer| answer["time_ms"] = 0.into());
        answers
    };
    assert_eq!(timeless(&again), timeless(&run));
    let several = explain(&["--multipv", "2"], &lines[2]).answers();
    let [first, second] = [0, 1].map(|i| &several[0]["lines"][i]["move"]);
    let explanation = &several[0]["explanation"];
    assert_eq!(
        [&explanation["best"]["move"], &explanation["other"]["move"]],
        [first, second]
    );

    let without = hexmate_reading(&["analyse", "--nodes", "100", "--hash", "1"], &lines[4]);
    assert_eq!(without.answers()[0]["explanation"], Value::Null);
}

#[test]
fn moves_that_were_not_searched_are_not_spoken_of() {
    let records = [
        json!({"moves": BEFORE, "searchmoves": "h8g8"}),
        json!({"moves": BEFORE, "searchmoves": "h8g8", "played": "h8i6"}),
        json!({"moves": BEFORE, "searchmoves": "h8g8 h8i6"}),
        json!({"moves": BEFORE, "searchmoves": "h8g8 d9f8", "played": "h8i6"}),
        json!({"moves": BEFORE, "searchmoves": "h8i6", "played": "h8g8"}),
    ];
    let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
    let answers = explain(&[], &lines.join("\n")).answers();
    let other = |answer: &Value| answer["explanation"]["other"]["move"].clone();
    let told = words(&answers[0]);
    assert!(told.starts_with("Kg8 is the only move searched."), "{told}");
    assert_eq!(other(&answers[0]), Value::Null);
    for answer in &answers[1..4] {
        assert_eq!(other(answer), "h8i6");
        let told = words(answer);
        assert!(told.starts_with("After Ki6 White mates with 3. "), "{told}");
    }
    for answer in &answers[1..3] {
        let told = words(answer);
        assert!(
            told.contains(" It is the only good move of those searched."),
            "{told}"
        );
    }
    // Of those searched it is mated, and after the other one it is not.
    let told = words(&answers[4]);
    let begin = "Searched by itself, Kg8, which is not among the moves to search, comes out better than Ki6.";
    assert!(told.starts_with(begin), "{told}");
}

#[test]
fn a_played_move_that_is_no_text_is_refused() {
    for (played, found) in [(json!(5), "a number"), (json!(["h8i6"]), "a list")] {
        let record = json!({"id": "a", "moves": BEFORE, "played": played}).to_string();
        let run = explain(&[], &record);
        let answer = &run.answers()[0];
        let says = format!("line 1, \"played\" is {found}; expected a text");
        assert_eq!((run.code, &answer["error"]), (1, &says.into()));
        assert_eq!((&answer["id"], &answer["played"]), (&"a".into(), &played));
        // Nobody asks for it.
        let without = hexmate_reading(&["analyse", "--nodes", "50", "--hash", "1"], &record);
        assert_eq!(without.answers()[0]["status"], "ok");
    }
}

#[test]
fn games_have_the_next_move() {
    let file = TempFile::new("g.pgn", "1. e1b4 g10h8 2. f3h2 h8i6 *\n");
    let answers = explain(&["--from-move", "2", &file.text()], "").answers();
    assert_eq!(answers.len(), 3);
    assert!(words(&answers[1]).starts_with("After Ki6 White mates with 3. "));
    assert!(words(&answers[2]).contains(" is mate"));
}

/// What is searched beside a mate is as much as without one.
#[test]
fn mates_are_explained_with_the_usual_nodes() {
    let record = json!({"moves": format!("{BEFORE} h8i6")}).to_string();
    let explanation = |more: &[&str]| {
        let words = ["analyse", "--explain", "--hash", "1", "--mate", "2"];
        let answers = hexmate_reading(&[&words[..], more].concat(), &record).answers();
        answers[0]["explanation"].clone()
    };
    let told = explanation(&[]);
    assert_eq!(told["best"]["score"], json!({"mate": 1}));
    assert_eq!(told, explanation(&["--nodes", "100000"]));
}

#[test]
fn every_form_has_the_sentence() {
    let record = json!({"id": "a", "moves": BEFORE, "played": "h8i6"}).to_string();
    let answers = explain(&[], &record).answers();
    let sentence = words(&answers[0]);
    let form = |form: &str| explain(&["--format", form], &record).success();
    let csv = form("csv");
    let (head, row) = csv.split_once('\n').unwrap();
    assert!(
        head.contains(",loss,explanation,timeout,line,error,"),
        "{head}"
    );
    assert!(row.contains(sentence), "{row}");
    let epd = form("epd");
    assert!(epd.contains(&format!("; c1 \"{sentence}\"")), "{epd}");
    // It can be read back, and the comment does not collide with the next one.
    let again = explain(&[], &epd).answers();
    assert_eq!(again[0]["input_c1"], sentence);
    assert!(form("text").contains(&format!("\n  {sentence}\n")));
    let one = |form: &str| {
        let words = [
            "analyse",
            "--moves",
            BEFORE,
            "--explain",
            "--nodes",
            "1500",
            "--quiet",
        ];
        hexmate(&[&words[..], &["--format", form]].concat()).success()
    };
    let answer: Value = serde_json::from_str(&one("jsonl")).unwrap();
    let text = one("text");
    assert!(text.contains("Best is 2... "), "{text}");
    assert!(text.replace('\n', " ").contains(words(&answer)), "{text}");
}

/// Somebody who looks for a second solution of a problem is told of it.
#[test]
fn a_second_solution_is_told() {
    for (game, fen, moves) in [
        (
            "hexachess",
            "1/3/5/7/7B1/r4B5/k1K2R5/p10/11/11/11 w - - 0 1",
            2,
        ),
        ("devasa", "k8/8p/8P/9/9/2B6/1R6B/5N1K1/9 w - - 0 1", 3),
        ("brusky", "5k3/2Q7/11/3R8/1Q10/2K8/10/9 w - - 0 1", 5),
    ] {
        let lines = moves.to_string();
        let answers = hexmate(&[
            "analyse",
            "--mate",
            "2",
            "--multipv",
            &lines,
            "--explain",
            "--hash",
            "1",
            "--game",
            game,
            "--format",
            "jsonl",
            "--quiet",
            fen,
        ])
        .answers();
        let found = answers[0]["lines"].as_array().unwrap();
        assert_eq!(found.len(), moves);
        for line in found {
            assert_eq!(line["score"], json!({"mate": 2}), "{line}");
        }
        let told = words(&answers[0]);
        assert!(told.contains(" both mate in 2 moves."), "{told}");
    }
}

/// Moves that the same answer lists as good are not passed over, whatever was played.
#[test]
fn a_move_beside_good_ones_is_not_the_only_good_one() {
    let record = json!({
        "game": "shafran",
        "fen": "3nr/kp2PB/r1q2n1/1p3p2/3PR4/1p3N3/Q1PbP1P1/N2b2K/PP1P1B/R1B2 w - - 0 21",
        "played": "e6e5",
    });
    let run = explain(&["--nodes", "15000", "--multipv", "3"], &record.to_string());
    let answers = run.answers();
    let score = |line: usize| answers[0]["lines"][line]["score"]["cp"].as_i64().unwrap();
    assert!(score(0) - score(2) < 200, "{}", answers[0]);
    assert_eq!(answers[0]["explanation"]["other"]["move"], "e6e5");
    assert_eq!(answers[0]["explanation"]["next"], Value::Null);
    let told = words(&answers[0]);
    assert!(!told.contains("only good move"), "{told}");
}

/// A limit has ended a depth: what is better by the depth before was not searched by itself.
#[test]
fn a_better_score_of_the_depth_before_is_called_so() {
    let fen = "1/3/3k1/5q1/pppp1p3/6np3/5PQ1p2/4P6/3P7/2P5PB1/1P4K2P1 w - - 2 32";
    let run = explain(
        &[&HANDMADE[..], &["--nodes", "8000", "--multipv", "4"]].concat(),
        fen,
    );
    let answers = run.answers();
    let score = |line: usize| answers[0]["lines"][line]["score"]["cp"].as_i64().unwrap();
    assert!(score(1) >= score(0) + 20, "{}", answers[0]);
    let told = words(&answers[0]);
    assert!(!told.contains("by itself"), "{told}");
    assert!(told.contains(" came out better than "), "{told}");
}

/// Names of pieces in game files may begin with any letter.
#[test]
fn a_name_with_an_accent() {
    let name = "éléphant";
    let game = format!(
        "format = 1\nbase = \"glinski\"\nname = \"elephants\"\ntitle = \"Elephants\"\n\n\
         [pieces]\nQ = {{ name = \"{name}\", slides = [\"all\"] }}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("elephants.toml");
    std::fs::write(&path, game).unwrap();
    // White has just put its queen where a bishop takes it.
    let record = json!({"moves": "e5 e6 Qc3", "played": "e10e9"}).to_string();
    let run = explain(&["--game", path.to_str().unwrap()], &record);
    assert_eq!(run.code, 0, "{}", run.err);
    let answers = run.answers();
    let told = words(&answers[0]);
    assert!(told.starts_with("Bxc3 wins an éléphant "), "{told}");
}

/// A limit has cut off one mate and a shorter one may be overlooked, unless `--mate` has looked for it: no such number
/// is told as the truth.
#[test]
fn of_mates_no_more_is_said_than_is_known() {
    for (game, fen, played, arguments, said) in [
        (
            "chromatic3",
            "7/8/2K2u1q1/10/11/12/13/4k7/11/10/9/8/7 b - - 5 197",
            "j11c7",
            &["--nodes", "5000", "--multipv", "3"][..],
            "Uk13+ mates in 3 moves at most; Uc7+ also mates.",
        ),
        (
            "chromatic3",
            "7/8/8K/10/11/9k2/13/12/11/2r7/9/5N1p/7 b - - 0 60",
            "c4f4",
            &["--mate", "3", "--nodes", "100000"],
            "g1=Q mates in 3 moves; Rf4+ also mates.",
        ),
        (
            "hexachess",
            "1/3/5/4P2/9/2p1P2Q3/k10/2NPp1P3P/7B3/5K2P2/1P9 b - - 10 62",
            "a5a4",
            &["--nodes", "5000", "--multipv", "3"],
            "After Kb4 White mates in 3 moves at most, beginning with 63. Qd6+; Ka4 avoids it.",
        ),
    ] {
        let record = json!({"game": game, "fen": fen, "played": played}).to_string();
        let run = explain(&[&HANDMADE[..], arguments].concat(), &record);
        let answers = run.answers();
        let told = words(&answers[0]);
        assert!(told.starts_with(said), "{told}");
    }
}

/// What the words deny of a line is not in it.
#[test]
fn a_line_with_the_same_capture_is_not_said_to_be_without_it() {
    let fen = "b/q1k/2b2/2bn2r/ppp1pnppp/6p4/2N2PP4/11/2NP1B1P3/2P1BB2P2/1PR1Q1K2P1 b - - 2 9";
    let record = json!({"fen": fen, "played": "d7d6"}).to_string();
    let run = explain(
        &[&HANDMADE[..], &["--nodes", "8000", "--multipv", "4"]].concat(),
        &record,
    );
    let answers = run.answers();
    let told = words(&answers[0]);
    let said = "d6 loses a bishop to 10. Nxe8+; d5 only trades a bishop for a knight (better ";
    assert!(told.starts_with(said), "{told}");
}

/// Where both sides promote in both lines, that is not what separates the moves.
#[test]
fn promotions_of_both_lines_are_no_contrast() {
    let fen = "1/3/5/7/7P1/11/6KP3/11/2B1k6/5p1P3/11 b - - 0 56";
    let run = explain(&["--game", "mccooey", "--nodes", "5000"], fen);
    let answers = run.answers();
    let told = words(&answers[0]);
    let said = "Kc2 wins a bishop; Kd4 does not (better ";
    assert!(told.starts_with(said), "{told}");
}

/// The search of the best move was cut short while its score rose: no disagreement.
#[test]
fn a_score_that_is_a_bound_is_not_said_to_be_worse() {
    let fen = "1/3/5/3k1K1/3p5/11/2ppn6/1p1b7/11/1P7P1/11 b - - 0 52";
    let record = json!({"game": "hexachess", "fen": fen, "played": "b4b3"}).to_string();
    let arguments = ["analyse", "--explain", "--nodes", "15000", "--quiet"];
    let run = hexmate_reading(&[&arguments[..], &HANDMADE].concat(), &record);
    let answers = run.answers();
    assert_eq!(answers[0]["explanation"]["best"]["bound"], "lower");
    let told = words(&answers[0]);
    let said = "Searched by itself, b3 comes out better than Nh4 so far; the search of Nh4 was not finished, ";
    assert!(told.starts_with(said), "{told}");
}
