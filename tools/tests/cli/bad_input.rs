//! Lines, files and arguments that cannot be used: each has its own message and exit code, and never
//! takes the good input beside it along.

use crate::run::{
    CHROMATIC3, CHROMATIC4, GLINSKI, Run, TempFile, analyse, answers, command, hexmate,
    hexmate_reading,
};
use serde_json::json;
use std::fs::{self, File};
/// Objects that are none, or lack something, or have it in the wrong form.
#[test]
fn faulty_objects() {
    let deep = format!("{{\"id\": {}", "[".repeat(100_000));
    let deep_and_closed = format!("{{\"id\": {}{}}}", "[".repeat(1_000), "]".repeat(1_000));
    let twice = format!("{{\"fen\": \"{GLINSKI}\"}} {{}}");
    let bad_fen = "{\"fen\": \"8/8\"}";
    let cases: Vec<(&str, &[&str])> = vec![
        ("{", &["JSON"]),
        ("{\"fen\": \"b/qbk", &["JSON", "offset"]),
        ("{fen: 1}", &["JSON", "offset 1:"]),
        ("{\"moves\": \"e4e5\",}", &["JSON"]),
        ("{\"moves\": \"e4e5\"", &["JSON"]),
        ("{'moves': 'e4e5'}", &["JSON"]),
        (&deep, &["JSON"]),
        (&deep_and_closed, &["JSON"]),
        (&twice, &["JSON", "trailing"]),
        ("{\"moves\": \"\\ud800\"}", &["JSON"]),
        ("{}", &["\"fen\"", "\"moves\""]),
        (
            "{\"id\": 3, \"game\": \"glinski\"}",
            &["\"fen\"", "\"moves\""],
        ),
        ("{\"fen\": null}", &["\"fen\"", "\"moves\""]),
        ("{\"fen\": 3}", &["\"fen\"", "a number", "a text"]),
        ("{\"fen\": [\"w\"]}", &["\"fen\"", "a list", "a text"]),
        (
            "{\"moves\": {\"e4\": \"e5\"}}",
            &["\"moves\"", "an object", "list"],
        ),
        ("{\"moves\": true}", &["\"moves\"", "a truth value", "list"]),
        (
            "{\"moves\": [\"e4e5\", 7]}",
            &["\"moves\"", "a list", "texts"],
        ),
        (
            "{\"moves\": \"\", \"game\": [1]}",
            &["\"game\"", "a list", "a text"],
        ),
        (
            "{\"moves\": \"\", \"game\": \"chess\"}",
            &["\"game\"", "'chess'", "mccooey"],
        ),
        (bad_fen, &["field 1", "offset 0:", "2 rows"]),
    ];
    check_lines(&cases);
}

/// Moves that cannot be played.
#[test]
fn faulty_moves() {
    check_lines(&[
        (
            "{\"moves\": \"e4e9\"}",
            &["\"moves\"", "move 1", "'e4e9'", "not legal"],
        ),
        (
            "{\"moves\": \"e4e5 e7e6 e5e7\"}",
            &["move 3", "'e5e7'", "not legal in b/qbk"],
        ),
        (
            "{\"moves\": [\"e4e5\", \"e4e5\"]}",
            &["move 2", "'e4e5'", "not legal"],
        ),
        (
            "{\"moves\": \"e4e5q\"}",
            &["move 1", "'e4e5q'", "not legal"],
        ),
        (
            "{\"moves\": \"e4\"}",
            &["move 1", "'e4'", "not legal", "same side stands on e4"],
        ),
        (
            "{\"moves\": \"e4=e5\"}",
            &["move 1", "'e4=e5'", "not a move", "two cells"],
        ),
        ("{\"moves\": \"e4j5\"}", &["move 1", "'e4j5'", "not a move"]),
        ("{\"moves\": \"0000\"}", &["move 1", "'0000'"]),
        ("{\"moves\": \"é4é5\"}", &["move 1", "'é4é5'", "not a move"]),
        (
            "{\"moves\": \"e4e99999999999999999999\"}",
            &["move 1", "not a move"],
        ),
        // The game is over, or the wrong side moves.
        (
            "{\"moves\": \"e1b4 g10h8 f3h2 h8i6 b4k4 g8g7\"}",
            &["move 6", "'g8g7'", "not legal"],
        ),
        ("{\"moves\": \"e7e6\"}", &["move 1", "'e7e6'", "not legal"]),
    ]);
}

/// Unknown games in lines of text.
#[test]
fn unknown_games() {
    let lines = format!("{GLINSKI} ; game chess");
    check_lines(&[(
        lines.as_str(),
        &["unknown game 'chess'", "glinski", "chromatic4"],
    )]);
    for command in ["games", "moves", "show"] {
        let message = hexmate(&[command, "chess"]).refused();
        assert!(
            message.contains("'chess'") && message.contains("chromatic4"),
            "{message}"
        );
    }
    let message = hexmate(&["perft", "chess", "1"]).refused();
    assert!(
        message.contains("'chess'") && message.contains("chromatic4"),
        "{message}"
    );
    for command in ["analyse", "suite"] {
        let message = hexmate(&[command, "a file", "--game", "chess"]).refused();
        assert!(
            message.contains("'chess'") && message.contains("chromatic4"),
            "{message}"
        );
    }
}

/// Each line is answered by an error that says all this, and the good lines around it are analysed.
fn check_lines(cases: &[(&str, &[&str])]) {
    let mut lines = format!("{GLINSKI}\n");
    for (line, _) in cases {
        lines += &format!("{line}\n{GLINSKI}\n");
    }
    let run = analyse(lines);
    assert_eq!(run.code, 1, "{}", run.err);
    let answers = run.answers();
    assert_eq!(answers.len(), 2 * cases.len() + 1);
    for (i, answer) in answers.iter().enumerate() {
        if i % 2 == 0 {
            assert_eq!(answer["id"], i + 1);
            assert_eq!(answer["status"], "ok", "{answer}");
            continue;
        }
        assert_eq!(answer["line"], i + 1);
        let (line, says) = cases[i / 2];
        let line = line.get(..80).unwrap_or(line);
        assert_eq!(answer["status"], "error", "{line}: {answer}");
        let message = answer["error"].as_str().unwrap();
        let place = format!("line {}, ", i + 1);
        for part in [place.as_str()].iter().chain(says) {
            assert!(
                message.contains(part),
                "no \"{part}\" in \"{message}\" about {line}"
            );
        }
        assert!(
            message.len() < 1_000,
            "{} bytes about {line}",
            message.len()
        );
    }
}

/// What a line is marked with is kept, whatever else is wrong with it.
#[test]
fn a_faulty_object_keeps_its_id() {
    for line in [
        "{\"id\": \"mine\", \"fen\": 3}",
        "{\"id\": \"mine\"}",
        "{\"id\": \"mine\", \"moves\": \"\", \"game\": 7}",
    ] {
        let run = analyse(line);
        assert_eq!(run.answers()[0]["id"], "mine", "{line}");
    }
}

/// Ten megabytes without an end of the line, and what comes behind them.
#[test]
fn monstrous_lines() {
    const MONSTROUS: usize = 10 << 20;
    let garbage = "x".repeat(MONSTROUS);
    let blanks = " ".repeat(MONSTROUS);
    let object = format!("{{\"moves\": \"{}\"}}", "e4e5 ".repeat(MONSTROUS / 5));
    let rows = "11/".repeat(MONSTROUS / 3);
    // A long one that is not too long, and wrong for another reason.
    let long = "e4e5 ".repeat(100_000);
    let lines = [
        GLINSKI, &garbage, GLINSKI, &object, GLINSKI, &rows, GLINSKI, &blanks, GLINSKI, &long,
        GLINSKI,
    ];
    let run = analyse(lines.join("\n"));
    assert_eq!(run.code, 1);
    let answers = run.answers();
    assert_eq!(answers.len(), lines.len());
    for (i, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], i + 1);
        let status = if i % 2 == 0 { "ok" } else { "error" };
        assert_eq!(answer["status"], status, "{answer}");
        if let Some(message) = answer["error"].as_str() {
            let reason = if i == 9 { "field 1" } else { "longer than" };
            assert!(message.contains(reason), "{message}");
            assert!(
                message.starts_with(&format!("line {}, ", i + 1)),
                "{message}"
            );
            assert!(message.len() < 1_000);
        }
    }
}

#[test]
fn bytes_that_are_not_text() {
    let mut lines = Vec::new();
    for bytes in [
        &b"\xff\xfe"[..],
        b"b/qbk/\xc3",
        b"{\"moves\": \"\xf0\x28\"}",
        b"\0\0\x80",
    ] {
        lines.extend_from_slice(GLINSKI.as_bytes());
        lines.push(b'\n');
        lines.extend_from_slice(bytes);
        lines.push(b'\n');
    }
    let run = analyse(lines);
    assert_eq!(run.code, 1);
    let answers = run.answers();
    assert_eq!(answers.len(), 8);
    for (pair, offset) in answers.chunks(2).zip([0, 6, 11, 2]) {
        assert_eq!(pair[0]["status"], "ok");
        assert_eq!(pair[1]["status"], "error");
        let message = pair[1]["error"].as_str().unwrap();
        assert!(message.contains("UTF-8"), "{message}");
        assert!(message.contains(&format!("offset {offset}:")), "{message}");
    }
    // In a suite, too, the rest is checked.
    let mut lines = b"# gr\xfc\xdfe\nb/qbk\xff ;D1 51\n".to_vec();
    lines.extend(format!("{GLINSKI} ;D1 51\n").bytes());
    let file = TempFile::new("glinski.epd", lines);
    let run = hexmate(&["suite", &file.text()]);
    assert_eq!(
        (run.code, run.last_line()),
        (2, "1 passed, 0 failed, 1 unreadable"),
        "{run:?}"
    );
    assert!(
        run.err.contains("UTF-8") && run.err.contains("line 2: offset 5"),
        "{}",
        run.err
    );
}

/// Comments are passed over whatever they hold.
#[test]
fn comments_that_are_not_utf8() {
    let mut lines = b"# gr\xfc\xdfe\n \t#\xff\n".to_vec();
    lines.extend(GLINSKI.bytes());
    lines.extend(b"\n#\xff");
    let answers = answers(lines);
    assert_eq!((answers.len(), &answers[0]["id"]), (1, &3.into()));
}

#[test]
fn unreadable_input() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.epd").display().to_string();
    let folder = folder.path().display().to_string();
    for (path, reason) in [(&missing, "cannot be read"), (&folder, "folder")] {
        let message = hexmate(&["analyse", path]).refused();
        assert!(
            message.contains(path) && message.contains(reason),
            "{message}"
        );
        let run = hexmate(&["suite", path, "--game", "glinski"]);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
        assert!(
            run.err.contains(path) && run.err.contains("cannot be read"),
            "{run:?}"
        );
    }
    // One file that cannot be read does not keep the others from being checked.
    let good = TempFile::new("glinski.epd", format!("{GLINSKI} ;D1 51\n"));
    let run = hexmate(&["suite", &missing, &good.text()]);
    assert_eq!(
        (run.code, run.last_line()),
        (2, "1 passed, 0 failed, 1 unreadable"),
        "{run:?}"
    );
}

/// Standard input may be a folder, too.
#[test]
fn standard_input_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(&["analyse", "-"]);
    command.stdin(File::open(folder.path()).unwrap());
    let output = command.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("cannot be read"), "{message}");
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn unwritable_output() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder
        .path()
        .join("no such folder/out")
        .display()
        .to_string();
    let occupied = folder.path().display().to_string();
    for path in [&nowhere, &occupied] {
        let run = hexmate_reading(&["analyse", "--output", path], GLINSKI);
        let message = run.refused();
        assert!(
            message.contains(path) && message.contains("cannot be written"),
            "{message}"
        );
        let message = hexmate(&["show", "glinski", "--svg", path]).refused();
        assert!(
            message.contains(path) && message.contains("cannot be written"),
            "{message}"
        );
    }
}

/// To write where one reads from would destroy the input before it is read.
#[test]
fn output_into_the_input() {
    let content = format!("{GLINSKI}\n");
    let file = TempFile::new("positions.epd", &content);
    let run = hexmate(&[
        "analyse",
        "--depth",
        "1",
        &file.text(),
        "--output",
        &file.text(),
    ]);
    assert_eq!(fs::read_to_string(file.path()).unwrap(), content, "{run:?}");
    assert_eq!(run.code, 2, "{run:?}");
}

#[test]
fn lines_that_are_not_of_a_suite() {
    for (line, says) in [
        (GLINSKI.to_owned(), &["no count", ";D1 51"][..]),
        (format!("{GLINSKI} ;"), &["no count"]),
        (
            format!("{GLINSKI} ;D1"),
            &["'D1' is not a count", "D3 137858"],
        ),
        (format!("{GLINSKI} ;D1 many"), &["'D1 many' is not a count"]),
        (format!("{GLINSKI} ;51"), &["'51' is not a count"]),
        (format!("{GLINSKI} ;D1 -51"), &["'D1 -51' is not a count"]),
        (
            format!("{GLINSKI} ;D1 99999999999999999999"),
            &["too large a count"],
        ),
        (
            format!("{GLINSKI} ;D99 51"),
            &["D99: so deep nothing can be counted", "up to 40"],
        ),
        ("hello ;D1 51".to_owned(), &["field 1", "1 row;"]),
    ] {
        let lines = format!("{GLINSKI} ;D1 51\n# comment\n{line}\n{GLINSKI} ;D1 52\n");
        let file = TempFile::new("glinski.epd", lines);
        let run = hexmate(&["suite", &file.text()]);
        assert_eq!(
            (run.code, run.last_line()),
            (2, "1 passed, 1 failed, 1 unreadable"),
            "{run:?}"
        );
        for part in says.iter().chain(&["line 3", "glinski.epd"]) {
            assert!(run.err.contains(part), "no \"{part}\" in \"{}\"", run.err);
        }
    }
    let file = TempFile::new("somefile.epd", format!("{GLINSKI} ;D1 51\n"));
    let run = hexmate(&["suite", &file.text()]);
    assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
    assert!(
        run.err.contains("--game") && run.err.contains("mccooey"),
        "{}",
        run.err
    );
}

#[test]
fn bad_arguments() {
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["Usage"]),
        (&["frobnicate"], &["frobnicate"]),
        (&["--frobnicate"], &["--frobnicate"]),
        (&["games", "--frobnicate"], &["--frobnicate"]),
        (&["games", "glinski", "mccooey"], &["mccooey"]),
        (&["perft"], &["<GAME>", "<DEPTH>"]),
        (&["perft", "glinski"], &["<DEPTH>"]),
        (&["perft", "glinski", "x"], &["'x'", "<DEPTH>"]),
        (&["perft", "glinski", "-1"], &["-1"]),
        (&["perft", "glinski", "41"], &["'41'", "0..=40"]),
        (&["moves"], &["<GAME>"]),
        (&["suite"], &["<FILES>"]),
        (
            &["suite", "glinski.epd", "--max-nodes", "few"],
            &["'few'", "--max-nodes"],
        ),
        (&["analyse", "--depth", "0"], &["'0'", "--depth"]),
        (&["analyse", "--depth", "-3"], &["-3"]),
        (&["analyse", "--depth", "deep"], &["'deep'", "--depth"]),
        (&["analyse", "--depth"], &["--depth"]),
        (&["analyse", "--nodes", "0"], &["'0'", "--nodes"]),
        (&["analyse", "--movetime", "0"], &["'0'", "--movetime"]),
        (&["analyse", "--jobs", "0"], &["'0'", "--jobs"]),
        (&["analyse", "--jobs", "100000"], &["'100000'", "--jobs"]),
        (&["analyse", "--hash", "0"], &["'0'", "--hash"]),
        (
            &["analyse", "--hash", "4294967295", "--jobs", "1"],
            &["--hash", "memory"],
        ),
        (&["analyse", "--silent"], &["--silent"]),
        (&["analyse", "one", "two"], &["one", "two"]),
        (&["show"], &["<GAME>"]),
    ];
    for (arguments, says) in cases {
        let message = hexmate(arguments).refused();
        for part in *says {
            assert!(
                message.contains(part),
                "no \"{part}\" in {message} of {arguments:?}"
            );
        }
    }
}

/// Bytes that are no text may stand in arguments, too.
#[cfg(unix)]
#[test]
fn arguments_that_are_not_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let strange = OsStr::from_bytes(b"\xff.epd");
    for (arguments, says) in [
        (&["analyse"][..], "\u{fffd}.epd: "),
        (&["games"], r#"tip: "\xFF.epd" is not UTF-8"#),
        (
            &["moves", "glinski", "--fen"],
            r#"tip: "\xFF.epd" is not UTF-8"#,
        ),
        (
            &["match", "-pgnout"],
            r#"tip: "\xFF.epd" is not UTF-8; expected words and names that are"#,
        ),
    ] {
        let output = command(arguments).arg(strange).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(says), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{message}");
    }
}

#[test]
fn a_bad_environment() {
    let output = command(&["games"])
        .env("HEXMATE_SIMD", "abacus")
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("HEXMATE_SIMD") && message.contains("abacus"),
        "{message}"
    );
}

/// Nothing that stands in a file makes the program break off.
#[test]
fn noise() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % n
    };
    let seeds = [
        GLINSKI.to_owned(),
        format!("{CHROMATIC3} ; game chromatic3; id \"x\""),
        format!("{CHROMATIC4} ; game chromatic4"),
        json!({ "moves": "e4e5 e7e6 d3d5", "id": [1, { "a": null }] }).to_string(),
        json!({ "fen": GLINSKI, "moves": ["e4e5"], "game": "hexachess" }).to_string(),
    ];
    let mut input = Vec::new();
    let mut count = 0;
    for _ in 0..3_000 {
        let mut line = seeds[random(seeds.len())].clone().into_bytes();
        for _ in 0..=random(3) {
            if line.len() < 2 {
                break;
            }
            let place = random(line.len());
            match random(4) {
                0 => line[place] = (32 + random(95)) as u8,
                1 => drop(line.remove(place)),
                2 => line.insert(place, b"0123456789/kKpP ;{\"~,\xff"[random(22)]),
                _ => line.truncate(place.max(1)),
            }
        }
        line.retain(|&b| b != b'\n');
        let blank = String::from_utf8(line.clone())
            .is_ok_and(|text| text.trim().is_empty() || text.trim().starts_with('#'));
        count += usize::from(!blank);
        input.extend_from_slice(&line);
        input.push(b'\n');
    }
    let arguments = ["analyse", "--nodes", "20", "--hash", "1"];
    let run: Run = hexmate_reading(&arguments, input);
    assert_eq!(run.code, 1);
    let answers = run.answers();
    assert_eq!(answers.len(), count);
    for answer in &answers {
        let message = answer["error"].as_str().unwrap_or_default();
        assert!(!message.contains("fault of hexmate"), "{answer}");
        assert_eq!(
            answer["status"] == "error",
            answer.get("error").is_some(),
            "{answer}"
        );
    }
}

#[test]
fn a_folder_is_no_suite() {
    let folder = tempfile::tempdir().unwrap();
    let run = hexmate(&["suite", folder.path().to_str().unwrap()]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.err.contains(": it is a folder; expected a file"),
        "{run:?}"
    );
}
