//! `hexmate analyse`: forms of input, order, statuses, scores, and the same answer every time.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::run::{
    GAMES, GLINSKI, TempFile, analyse, answer, answers, command, hexmate, hexmate_reading, root,
    suite,
};

const MCCOOEY: &str = "b/qbk/rnbnr/ppppppp/9/11/11/5P5/4PBP4/3PNBNP3/2PRQBKRP2 w - - 0 1";
const STALEMATE: &str = "1/3/5/7/9/11/11/1Q9/11/11/k1K8 b - - 0 1";
const CHECKMATE: &str = "1/3/5/7/9/11/11/1N9/2K8/11/k10 b - - 0 1";
const BARE: &str = "1/3/5/7/9/5k5/11/11/11/11/K10 w - - 0 1";

fn field<'v>(answers: &'v [Value], name: &str) -> Vec<&'v Value> {
    answers.iter().map(|a| &a[name]).collect()
}

/// The forms of input, all of them in one, and what each answer is marked with.
#[test]
fn all_forms_of_input() {
    let lines = format!(
        r#"# a comment, then a blank line

{GLINSKI}
   {GLINSKI} ; id "named one" ; hmvc 0; game glinski
{MCCOOEY} ; game mccooey
{{"fen": "{GLINSKI}"}}
{{"fen": "{MCCOOEY}", "game": "mccooey", "id": "the fen"}}
	# a comment behind a tab
{{"moves": "e4e5 e7e6", "id": 17}}
{{"moves": ["e4e5", "e7e6", "D3D5"], "id": ["a", {{"list": null}}]}}
{{"fen": "{MCCOOEY}", "moves": "d2d4", "game": "McCooey", "id": null}}
{{"moves": "", "game": "chromatic4", "other": [1, 2]}}
{{"moves": []}}"#
    );
    let answers = answers(lines);
    let ids = [
        json!(3),
        json!("named one"),
        json!(5),
        json!(6),
        json!("the fen"),
        json!(17),
        json!(["a", { "list": null }]),
        json!(11),
        json!(12),
        json!(13),
    ];
    assert_eq!(field(&answers, "id"), ids.iter().collect::<Vec<_>>());
    let games = [
        "glinski",
        "glinski",
        "mccooey",
        "glinski",
        "mccooey",
        "glinski",
        "glinski",
        "mccooey",
        "chromatic4",
        "glinski",
    ];
    assert_eq!(field(&answers, "game"), games);
    assert!(answers.iter().all(|a| a["status"] == "ok"), "{answers:?}");
    assert_eq!(answers[1]["fen"], GLINSKI);
    let fen = answers[5]["fen"].as_str().unwrap();
    assert!(fen.ends_with(" w - - 0 2"), "{fen}");
    let fen = answers[7]["fen"].as_str().unwrap();
    assert!(fen.ends_with(" b - - 0 1"), "{fen}");
}

/// An answer has these fields, in this order and with these types.
#[test]
fn the_form_of_an_answer() {
    let run = analyse(GLINSKI);
    let answer = &run.answers()[0];
    let mut at = 0;
    for (name, right) in [
        ("id", answer["id"] == 1),
        ("game", answer["game"] == "glinski"),
        ("fen", answer["fen"] == GLINSKI),
        ("status", answer["status"] == "ok"),
        ("bestmove", answer["bestmove"].is_string()),
        ("score", answer["score"]["cp"].is_i64()),
        ("depth", answer["depth"] == 1),
        ("seldepth", answer["seldepth"].is_u64()),
        ("nodes", answer["nodes"].is_u64()),
        ("time_ms", answer["time_ms"].is_u64()),
        ("pv", answer["pv"].is_array()),
    ] {
        assert!(right, "{name} of {answer}");
        let next = run.out.find(&format!("\"{name}\":")).unwrap();
        assert!(next >= at, "{name} is out of order: {}", run.out);
        at = next;
    }
    assert_eq!(answer["pv"][0], answer["bestmove"]);
    assert_eq!(answer.as_object().unwrap().len(), 11, "{answer}");
    assert_eq!(answer["score"].as_object().unwrap().len(), 1, "{answer}");
}

/// Without an end to the line, with the ends that Windows writes, and with its mark before all.
#[test]
fn ends_of_lines_and_byte_order_marks() {
    for input in [
        format!("{GLINSKI}\n{GLINSKI}\n"),
        format!("{GLINSKI}\n{GLINSKI}"),
        format!("{GLINSKI}\r\n{GLINSKI}\r\n"),
        format!("\u{feff}{GLINSKI}\n{GLINSKI}"),
        format!("\u{feff}{{\"fen\":\"{GLINSKI}\"}}\r\n{{\"moves\":\"\"}}\r\n"),
        format!("{GLINSKI}  \t \r\n\t{GLINSKI} ;\n"),
    ] {
        let answers = answers(&input);
        assert_eq!(field(&answers, "id"), [1, 2], "{input:?}");
        assert_eq!(field(&answers, "fen"), [GLINSKI; 2], "{input:?}");
    }
}

#[test]
fn a_byte_order_mark_before_a_comment() {
    let answers = answers(format!("\u{feff}# positions\r\n{GLINSKI}\r\n"));
    assert_eq!(field(&answers, "id"), [2]);
    let answers = self::answers(format!("\u{feff}\n{GLINSKI}\n"));
    assert_eq!(field(&answers, "id"), [2]);
}

#[test]
fn nothing_to_do() {
    for input in [
        "",
        "\n",
        "# a comment",
        "\n\r\n  \n# one\n\t# two\n",
        "\u{feff}",
    ] {
        let run = analyse(input);
        assert_eq!(
            (run.code, run.out.as_str(), run.err.as_str()),
            (0, "", ""),
            "{input:?}"
        );
    }
}

#[test]
fn values_in_quotes_may_hold_semicolons() {
    let line = format!("{GLINSKI} ; id \"first; best\"");
    assert_eq!(answer(&line)["id"], "first; best");
}

#[test]
fn standard_input_and_files() {
    let file = TempFile::new("some positions.txt", format!("{GLINSKI}\n"));
    fn with<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
        [&["analyse"], arguments, &["--depth", "2", "--jobs", "1"]].concat()
    }
    let plain = |mut answers: Vec<Value>| {
        answers[0]["time_ms"].take();
        answers
    };
    let from_file = plain(hexmate(&with(&[&file.text()])).answers());
    let by_dash = hexmate_reading(&with(&["-"]), GLINSKI);
    let by_nothing = hexmate_reading(&with(&[]), GLINSKI);
    assert_eq!(from_file.len(), 1);
    assert_eq!(plain(by_dash.answers()), from_file);
    assert_eq!(plain(by_nothing.answers()), from_file);

    let output = TempFile::new("out.jsonl", "what was here before\n".repeat(100));
    let words = [&file.text(), "--output", &output.text()];
    let refused = hexmate(&with(&words)).refused();
    assert!(refused.contains("the file exists"), "{refused}");
    let run = hexmate(&with(&[&words[..], &["--force"]].concat()));
    assert_eq!(run.success(), "");
    let written = fs::read_to_string(output.path()).unwrap();
    let written: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(plain(vec![written]), from_file);
}

/// Each line of a pipe is answered when it comes, not when the next one does or the pipe ends: another
/// program may wait for the answer before it asks again.
#[test]
fn a_pipe_is_answered_line_by_line() {
    for jobs in ["1", "2"] {
        let mut command = command(&["analyse", "--depth", "1", "--jobs", jobs]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                drop(sender.send(line.unwrap()));
            }
        });
        for number in 1..=3 {
            writeln!(input, "{GLINSKI}").unwrap();
            let Ok(line) = receiver.recv_timeout(Duration::from_secs(5)) else {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("no answer to line {number} after five seconds, with {jobs} jobs");
            };
            let answer: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(answer["id"], number);
        }
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

/// What names the game: the line itself, or else the option, or else the file's name, or else nothing.
#[test]
fn the_game_of_a_line() {
    let lines = format!(
        "{MCCOOEY}\n{MCCOOEY} ; game hexachess\n{{\"fen\":\"{MCCOOEY}\",\"game\":\"glinski\"}}\n"
    );
    for (name, option, expected) in [
        ("mccooey.epd", None, "mccooey"),
        ("McCooey.txt", None, "mccooey"),
        ("mccooey.epd", Some("hexachess"), "hexachess"),
        ("other.epd", None, "glinski"),
        ("other.epd", Some("MCCOOEY"), "mccooey"),
    ] {
        let file = TempFile::new(name, &lines);
        let path = file.text();
        let mut arguments = vec!["analyse", &path, "--depth", "1"];
        arguments.extend(option.iter().flat_map(|game| ["--game", game]));
        let run = hexmate(&arguments);
        let answers = run.answers();
        let games = field(&answers, "game");
        assert_eq!(
            games,
            [expected, "hexachess", "glinski"],
            "{name} {option:?}"
        );
        run.success();
    }
    let run = hexmate_reading(&["analyse", "--depth", "1", "--game", "mccooey"], &lines);
    assert_eq!(run.answers()[0]["game"], "mccooey");
}

#[test]
fn every_status() {
    let lines = [GLINSKI, CHECKMATE, STALEMATE, BARE, "no position at all"].join("\n");
    let run = analyse(lines);
    assert_eq!(run.code, 1);
    let answers = run.answers();
    let statuses = ["ok", "checkmate", "stalemate", "draw", "error"];
    assert_eq!(field(&answers, "status"), statuses);
    assert_eq!(field(&answers, "id"), [1, 2, 3, 4, 5]);
    assert_eq!(answers[1]["score"], json!({ "mate": 0 }));
    assert_eq!(answers[3]["score"], json!({ "cp": 0 }));
    for over in &answers[1..4] {
        assert_eq!(over["bestmove"], Value::Null);
        assert_eq!(over["pv"], json!([]));
        assert_eq!((&over["depth"], &over["nodes"]), (&json!(0), &json!(0)));
    }
    assert!(answers[4]["error"].is_string() && answers[4].get("score").is_none());
}

/// After the shortest mates of the rules' pages, and one ply before them.
#[test]
fn shortest_mates() {
    for (game, moves, mate) in [
        ("glinski", "e1b4 g10h8 f3h2 h8i6", "b4k4"),
        ("mccooey", "e2f5 c8c7 f5i4 i8i7", "i4h7"),
    ] {
        let before = json!({ "game": game, "moves": moves }).to_string();
        let after = json!({ "game": game, "moves": format!("{moves} {mate}") }).to_string();
        let lines = format!("{before}\n{after}\n");
        let run = hexmate_reading(&["analyse", "--depth", "3"], lines);
        let [before, after] = &run.answers()[..] else {
            panic!("{run:?}");
        };
        assert_eq!(before["status"], "ok");
        assert_eq!(before["score"], json!({ "mate": 1 }));
        assert_eq!(
            (&before["bestmove"], &before["pv"]),
            (&json!(mate), &json!([mate]))
        );
        assert_eq!(after["status"], "checkmate");
        assert_eq!(after["score"], json!({ "mate": 0 }));
        run.success();
    }
}

#[test]
fn stalemate_is_scored_as_the_game_scores_it() {
    for (game, score) in [("glinski", -191), ("hexachess", -191), ("mccooey", 0)] {
        let line = json!({ "fen": STALEMATE, "game": game }).to_string();
        let answer = answer(&line);
        assert_eq!(answer["status"], "stalemate", "{game}");
        assert_eq!(answer["score"], json!({ "cp": score }), "{game}");
    }
    for (game, fen) in [
        (
            "chromatic3",
            "7/8/9/10/11/12/13/12/11/1Q8/9/8/k1K4 b - - 0 1",
        ),
        (
            "chromatic4",
            "8/9/10/11/12/13/14/15/14/13/12/1Q9/10/9/k1K5 b - - 0 1",
        ),
    ] {
        let answer = answer(&json!({ "fen": fen, "game": game }).to_string());
        assert_eq!(answer["status"], "stalemate", "{game}");
        assert_eq!(answer["score"], json!({ "cp": 0 }), "{game}");
    }
}

#[test]
fn bare_kings_are_a_draw_and_a_bishop_more_is_none() {
    for game in ["glinski", "hexachess", "mccooey"] {
        let bare = answer(&json!({ "fen": BARE, "game": game }).to_string());
        assert_eq!(
            (&bare["status"], &bare["score"]),
            (&json!("draw"), &json!({ "cp": 0 }))
        );
        for piece in ["B", "N"] {
            let fen = BARE.replace("K10", &format!("K1{piece}8"));
            let answer = answer(&json!({ "fen": fen, "game": game }).to_string());
            assert_eq!(answer["status"], "ok", "{game} {fen}");
            assert!(answer["bestmove"].is_string());
        }
    }
    // Side by side in the corner nobody can be: but bare kings are a draw even where one cannot move.
    let answer = answer("1/3/5/7/9/11/11/11/2K8/11/k10 b - - 0 1");
    assert_eq!(answer["status"], "draw");
}

#[test]
fn repetition_by_moves() {
    // Knights out and back: the start comes a second and a third time.
    let round = "d1f4 d9f8 f4d1 f8d9";
    let twice = format!("{round} {round}");
    for (moves, status) in [
        (round.to_owned(), "ok"),
        (format!("{round} d1f4 d9f8 f4d1"), "ok"),
        (twice.clone(), "draw"),
        // The game goes on in spite of it: the position is another one.
        (format!("{twice} e4e5"), "ok"),
    ] {
        let answer = answer(&json!({ "moves": moves }).to_string());
        assert_eq!(answer["status"], status, "{moves}");
        if status == "draw" {
            assert_eq!(answer["score"], json!({ "cp": 0 }));
        }
    }
    // The same from a position that is given, and in another game.
    let fen = "1/3/5/7/9/5k5/11/11/11/11/K8R1 w - - 3 1";
    let moves = "a1a2 f6f7 a2a1 f7f6 a1a2 f6f7 a2a1 f7f6";
    for game in ["glinski", "mccooey"] {
        let line = json!({ "fen": fen, "moves": moves, "game": game }).to_string();
        assert_eq!(answer(&line)["status"], "draw", "{game}");
    }
}

#[test]
fn a_hundred_plies_without_progress() {
    for (clock, status) in [(99, "ok"), (100, "draw"), (130, "draw"), (65_535, "draw")] {
        let fen = format!("1/3/5/7/9/5k5/11/11/11/11/K8R1 w - - {clock} 80");
        assert_eq!(answer(&fen)["status"], status, "{clock}");
    }
    // On the hundredth ply, too, mate is mate and stalemate stalemate.
    for (fen, status) in [(CHECKMATE, "checkmate"), (STALEMATE, "stalemate")] {
        let fen = fen.replace("0 1", "100 80");
        assert_eq!(answer(&fen)["status"], status);
    }
    // The hundredth by a move.
    let fen = "1/3/5/7/9/5k5/11/11/11/11/K8R1 w - - 99 80";
    let line = json!({ "fen": fen, "moves": "a1a2" }).to_string();
    assert_eq!(answer(&line)["status"], "draw");
}

/// Sixty and more positions of all games, in both forms.
fn many_lines() -> String {
    let mut lines = String::from("# many positions\n");
    for game in GAMES {
        for (i, line) in suite(game).iter().step_by(4).enumerate() {
            let fen = line.split(';').next().unwrap().trim();
            let id = format!("{game} {i}");
            if i % 2 == 0 {
                lines += &format!("{fen} ; id \"{id}\"; game {game}\n");
            } else {
                lines += &json!({ "fen": fen, "game": game, "id": id }).to_string();
                lines.push('\n');
            }
        }
    }
    lines
}

/// The answers without what may differ from run to run.
fn timeless(answers: Vec<Value>) -> Vec<String> {
    let strip = |mut answer: Value| {
        answer.as_object_mut().unwrap().remove("time_ms").unwrap();
        answer.to_string()
    };
    answers.into_iter().map(strip).collect()
}

#[test]
fn the_same_whatever_the_number_of_jobs() {
    let lines = many_lines();
    let files_only: String = lines
        .lines()
        .filter(|line| !line.contains("chromatic"))
        .map(|line| format!("{line}\n"))
        .collect();
    for (lines, limit) in [
        (&files_only, ["--depth", "2"]),
        (&lines, ["--nodes", "2000"]),
    ] {
        let run = |jobs| {
            let arguments = [&["analyse", "--hash", "1", "--jobs", jobs], &limit[..]].concat();
            let run = hexmate_reading(&arguments, lines);
            assert_eq!((run.code, run.err.as_str()), (0, ""));
            timeless(run.answers())
        };
        let one = run("1");
        assert_eq!(
            one.len(),
            lines.lines().filter(|l| !l.starts_with('#')).count()
        );
        let expected: Vec<&str> = lines.lines().filter(|l| !l.starts_with('#')).collect();
        for (answer, line) in one.iter().zip(expected) {
            let answer: Value = serde_json::from_str(answer).unwrap();
            assert!(
                line.contains(answer["id"].as_str().unwrap()),
                "out of order: {line}"
            );
        }
        assert!(run("2") == one, "two jobs at {limit:?} differ from one");
        assert!(
            run("2") == one,
            "two jobs at {limit:?} differ from themselves"
        );
        assert!(run("5") == one, "five jobs at {limit:?} differ from one");
    }
    assert!(files_only.lines().count() > 40 && lines.lines().count() > 60);
}

/// An answer does not depend on what was analysed before it.
#[test]
fn a_position_alone_has_the_same_answer() {
    let lines = many_lines();
    let arguments = ["analyse", "--hash", "1", "--jobs", "1", "--nodes", "1000"];
    let together = timeless(hexmate_reading(&arguments, &lines).answers());
    let positions = lines.lines().filter(|l| !l.starts_with('#'));
    for (line, expected) in positions.zip(together).step_by(13) {
        let alone = timeless(hexmate_reading(&arguments, line).answers());
        assert_eq!(alone, [expected]);
    }
}

#[test]
fn limits_are_kept() {
    let lines = suite("mccooey")[..8].join("\n");
    let run = |limit: [&str; 2]| {
        let arguments = [&["analyse", "--game", "mccooey", "--jobs", "1"], &limit[..]].concat();
        hexmate_reading(&arguments, &lines).answers()
    };
    for answer in run(["--depth", "2"]) {
        assert_eq!(answer["depth"], 2, "{answer}");
    }
    for answer in run(["--nodes", "777"]) {
        assert!(answer["nodes"].as_u64().unwrap() <= 777, "{answer}");
    }
    for answer in run(["--movetime", "20"]) {
        assert!(answer["time_ms"].as_u64().unwrap() < 1_000, "{answer}");
        assert!(answer["bestmove"].is_string());
    }
}

/// The file that the README's first command analyses; a mate in three takes more nodes than the default.
#[test]
fn the_example_is_analysed() {
    let run = hexmate(&["analyse", "examples/positions.epd", "--nodes", "300000"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
    let answers = run.answers();
    assert!(answers.len() >= 12, "{}", answers.len());
    for game in GAMES {
        assert!(answers.iter().any(|a| a["game"] == game), "no {game}");
    }
    for answer in &answers {
        assert_eq!(answer["status"], "ok", "{answer}");
        let mate = answer["score"]["mate"].is_number();
        let depth = answer["depth"].as_u64().unwrap();
        assert!(mate || depth >= 3, "{answer}");
        let id = answer["id"]
            .as_str()
            .unwrap_or_else(|| panic!("no id: {answer}"));
        let game = answer["game"].as_str().unwrap();
        assert!(id.starts_with(game), "{answer}");
        // What the names say.
        if let Some((_, moves)) = id.split_once("mate in ") {
            assert_eq!(
                answer["score"],
                json!({ "mate": moves.parse::<i32>().unwrap() }),
                "{id}"
            );
        }
        let score = match id.split_once(": ").unwrap().1 {
            "shortest mate" => json!({ "mate": 1 }),
            "the stalemate trick" => json!({ "cp": 191 }),
            "no stalemate trick" | "perpetual check" => json!({ "cp": 0 }),
            _ => continue,
        };
        assert_eq!(answer["score"], score, "{id}");
    }
    let text = fs::read_to_string(root().join("examples/positions.epd")).unwrap();
    assert!(text.lines().filter(|l| l.starts_with('#')).count() >= 12);
}
