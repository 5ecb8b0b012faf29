//! What is read: lines, tables and games, packed or plain, one file or many.

use serde_json::{Value, json};

use super::{Folder, Random, analysed, gzip, positions, run, timeless, zstd};
use crate::run::GLINSKI;

const FAST: [&str; 4] = ["--nodes", "30", "--jobs", "2"];

fn ids(output: &str) -> Vec<Value> {
    let lines = output.lines();
    lines
        .map(|l| serde_json::from_str::<Value>(l).unwrap()["id"].clone())
        .collect()
}

#[test]
fn packed_files_give_the_same() {
    let folder = Folder::new();
    let text = positions(60).join("\n");
    let plain = folder.write("p.epd", &text);
    let expected = analysed(&[&FAST[..], &[&plain]].concat());
    for (name, content) in [
        ("a.gz", gzip(text.as_bytes())),
        (
            "b.epd.gz",
            [gzip(text.as_bytes()), gzip(b"\n# end\n")].concat(),
        ),
        ("c", zstd(text.as_bytes())),
        ("d.zst", zstd(text.as_bytes())),
    ] {
        let file = folder.write(name, content);
        assert_eq!(
            analysed(&[&FAST[..], &[&file]].concat()),
            expected,
            "{name}"
        );
    }
    let packed = [&["analyse", "--hash", "1"], &FAST[..]].concat();
    let run = crate::run::hexmate_reading(&packed, zstd(text.as_bytes()));
    assert_eq!(timeless(&run.success()), expected);
}

#[test]
fn tables() {
    let folder = Folder::new();
    let table = format!(
        "id,FEN,note,moves,game\none,{GLINSKI},\"a, b\",,\n,{GLINSKI},,\"e4e5 e7e6\",glinski\nthree,,,,\nfour,{GLINSKI}\nfive,,,d2d4,mccooey\n"
    );
    for name in ["t.csv", "no-ending"] {
        let file = folder.write(name, &table);
        let run = run(&[&FAST[..], &[&file]].concat());
        assert_eq!(run.code, 1, "{run:?}");
        let answers = run.answers();
        assert_eq!(
            ids(&run.out),
            [
                json!("one"),
                json!(3),
                json!("three"),
                json!("four"),
                json!("five")
            ]
        );
        let statuses: Vec<_> = answers
            .iter()
            .map(|a| a["status"].as_str().unwrap())
            .collect();
        assert_eq!(statuses, ["ok", "ok", "ok", "error", "ok"], "{answers:?}");
        assert!(answers[1]["fen"].as_str().unwrap().ends_with(" w - - 0 2"));
        assert!(
            answers[3]["error"]
                .as_str()
                .unwrap()
                .starts_with("line 5, 2 fields")
        );
        assert_eq!(answers[4]["game"], "mccooey");
        // No moves: the start.
        assert_eq!(answers[2]["fen"], GLINSKI);
    }
}

/// Without its columns no row means anything, whatever is wrong with the header.
#[test]
fn a_table_without_a_header_that_can_be_used_is_refused() {
    let folder = Folder::new();
    let good = folder.write("good.epd", GLINSKI);
    for (header, says) in [
        (
            "id,position".to_owned(),
            "no column \"fen\" or \"moves\" in 'id,position'; expected",
        ),
        (
            "id|moves".to_owned(),
            "separated by commas, semicolons or tabs",
        ),
        (
            "sep=|\nid;moves".to_owned(),
            "separated by '|', as the line above says",
        ),
        ("x".repeat((1 << 20) + 1), "longer than"),
    ] {
        let file = folder.write("u.csv", format!("{header}\nmoves,id\ne4e5,a\n"));
        let message = run(&[&FAST[..], &[&file]].concat()).refused();
        let line = 1 + header.matches('\n').count();
        assert!(message.contains(&format!("line {line}: ")), "{message}");
        assert!(message.contains(says), "{message}");
        let output = folder.text("out");
        let message = run(&[&FAST[..], &[&file, "--output", &output]].concat()).refused();
        assert!(
            message.contains(&format!("u.csv, line {line}: ")) && !message.contains("--resume"),
            "{message}"
        );
        assert_eq!(folder.names(), ["good.epd", "u.csv"]);
        // Among others it is a record.
        let run = run(&[&FAST[..], &[&file, &good]].concat());
        let answers = run.answers();
        assert_eq!((run.code, answers.len()), (1, 2), "{run:?}");
        assert_eq!(
            (&answers[0]["line"], &answers[1]["status"]),
            (&json!(line), &json!("ok"))
        );
    }
}

/// In the letters of old code pages, and with a line that says what separates the columns.
#[test]
fn tables_as_spreadsheets_save_them() {
    let folder = Folder::new();
    let latin = b"id;moves;Gr\xf6\xdfe\r\na;e4e5;M\xfcller\r\nb;e4e5;y\r\n".to_vec();
    let utf = "sep=|\r\nid|moves|Größe\r\na|e4e5|Müller\r\nb|e4e5|y\r\n"
        .as_bytes()
        .to_vec();
    for (name, table) in [
        ("t.csv", &latin),
        ("t", &latin),
        ("u.csv", &utf),
        ("u", &utf),
    ] {
        let run = run(&[&FAST[..], &[&folder.write(name, table)]].concat());
        assert_eq!(
            (run.code, ids(&run.out)),
            (0, vec![json!("a"), json!("b")]),
            "{run:?}"
        );
        let answers = run.answers();
        assert_eq!(
            (&answers[0]["Größe"], &answers[1]["Größe"]),
            (&"Müller".into(), &"y".into())
        );
    }
}

/// A row is a line: a cell with a line break in it is told where it begins.
#[test]
fn quoted_cells_over_several_lines_are_told() {
    let folder = Folder::new();
    let table = format!(
        "fen,note,id\n{GLINSKI},x,\"first\n{GLINSKI},y,second\n{GLINSKI},\"two\nlines\",third\n"
    );
    let run = run(&[&FAST[..], &[&folder.write("t.csv", table)]].concat());
    assert_eq!(
        ids(&run.out),
        [json!(2), json!("second"), json!(4), json!(5)]
    );
    let answers = run.answers();
    for (answer, field) in [(&answers[0], 3), (&answers[2], 2)] {
        let error = answer["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"));
        let says =
            format!(", field {field} begins with a quotation mark and is not closed on this line");
        assert!(error.contains(&says), "{error}");
    }
    assert_eq!(
        (&answers[0]["note"], &answers[1]["status"]),
        (&json!("x"), &json!("ok"))
    );
}

const GAMES: &str = "[White \"a\"]\n[Result \"1-0\"]\n\n1. e4e5 {book} e7e6 {book}\n2. d3d5 {+0.10/3 0.1s} d9f8 1-0\n\n[Variant \"mccooey\"]\n\n1. d2d4 *\n";

#[test]
fn positions_of_games() {
    let folder = Folder::new();
    for (name, content) in [
        ("g.pgn", GAMES.as_bytes().to_vec()),
        ("g", gzip(GAMES.as_bytes())),
    ] {
        let file = folder.write(name, content);
        let out = analysed(&[&FAST[..], &[&file]].concat());
        let all = ["1:0", "1:1", "1:2", "1:3", "1:4", "2:0", "2:1"];
        assert_eq!(ids(&out), all.map(Value::from));
        assert_eq!(out.matches("mccooey").count(), 2);
        let some = |words: &[&str]| ids(&analysed(&[&FAST[..], words, &[&file]].concat()));
        assert_eq!(some(&["--skip-book", "2"]), ["1:2", "1:3", "1:4"]);
        assert_eq!(some(&["--from-move", "2"]), ["1:2", "1:3", "1:4"]);
        assert_eq!(
            some(&["--from-move", "1", "--to-move", "1"]),
            ["1:0", "1:1", "2:0", "2:1"]
        );
        assert_eq!(
            some(&["--to-move", "1", "--skip-book", "1"]),
            ["1:1", "2:1"]
        );
    }
    // Lines are taken apart when asked for, and give the same positions.
    let line = r#"{"id":"g","moves":"e4e5 e7e6 d3d5 d9f8"}"#;
    let file = folder.write("g.jsonl", line);
    assert_eq!(ids(&analysed(&[&FAST[..], &[&file]].concat())), ["g"]);
    let out = analysed(&[&FAST[..], &["--skip-book", "3", &file]].concat());
    assert_eq!(ids(&out), ["g:3", "g:4"]);
    // The moves to search are those of the last position, which a broken game does not have.
    for (moves, best) in [("e4e5 e7e6", true), ("e4e5 e7e6 zz", false)] {
        let line = json!({"moves": moves, "searchmoves": "b1b2"});
        let file = folder.write("s.jsonl", line.to_string());
        let run = run(&[&FAST[..], &["--skip-book", "2", &file]].concat());
        let first: Value = serde_json::from_str(run.out.lines().next().unwrap()).unwrap();
        assert_eq!(first["bestmove"] == "b1b2", best, "{first}");
    }
}

#[test]
fn games_that_break_off() {
    let folder = Folder::new();
    let text =
        format!("[White \"x\"]\n\n1. e4e5 e7e6 2. a1a9 d3d5 *\n\n[White\n\n1. e4e5 *\n{GAMES}");
    let file = folder.write("g.pgn", text);
    let run = run(&[&FAST[..], &[&file]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let answers = run.answers();
    let errors: Vec<&str> = answers.iter().filter_map(|a| a["error"].as_str()).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].starts_with("line 3, column 17, ply 3: 'a1a9' is not a move: "),
        "{errors:?}"
    );
    // An odd tag is no fault.
    assert_eq!(
        answers.iter().filter(|a| a["status"] == "ok").count(),
        3 + 2 + 7
    );
}

/// What cannot be written is the copy of the input, not the input.
#[cfg(all(unix, feature = "parquet"))]
#[test]
fn parquet_from_a_pipe_without_room_for_its_copy() {
    let mut command = crate::run::command(&["analyse", "--input-format", "parquet", "-"]);
    let run = crate::run::Run::new(command.env("TMPDIR", "/nowhere").output().unwrap());
    let message = run.refused();
    assert!(!message.contains("cannot be read"), "{message}");
    for says in ["temporary file", "in /nowhere; expected", "TMPDIR"] {
        assert!(message.contains(says), "{message}");
    }
}

/// What is no text is told once, by its first bytes.
#[test]
fn other_kinds_of_files_are_named() {
    let folder = Folder::new();
    let good = folder.write("good.epd", GLINSKI);
    let mut tar = b"a.jsonl".to_vec();
    tar.resize(257, 0);
    tar.extend(b"ustar\x0000");
    tar.resize(512, 0);
    tar.extend(format!("{GLINSKI}\n").repeat(3).bytes());
    for (name, bytes, what) in [
        (
            "a.jsonl.xz",
            b"\xfd7zXZ\0\0\x04\n\n\n".to_vec(),
            "compressed with xz",
        ),
        (
            "a.bz2",
            b"BZh91AY&SY\n\xff\n".to_vec(),
            "compressed with bzip2",
        ),
        ("a.zip", b"PK\x03\x04\n\xff\n".to_vec(), "a zip archive"),
        (
            "a.7z",
            b"7z\xbc\xaf\x27\x1c\n\xff\n".to_vec(),
            "a 7z archive",
        ),
        (
            "a.db",
            b"SQLite format 3\0\n\xff\n".to_vec(),
            "an SQLite database",
        ),
        ("a.tar", tar.clone(), "a tar archive"),
        ("a.tar.gz", gzip(&tar), "a tar archive"),
        ("b.tar.zst", zstd(&tar), "a tar archive"),
    ] {
        let file = folder.write(name, &bytes);
        let message = run(&["--depth", "1", &file]).refused();
        assert!(message.contains(&format!("{file}: {what}")), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        let piped = crate::run::analyse(&bytes).refused();
        assert!(piped.contains(what), "{name}: {piped}");
        let among = run(&["--depth", "1", &file, &good]).answers();
        assert_eq!(among.len(), 2, "{among:?}");
        assert!(among[0]["error"].as_str().unwrap().contains(what));
    }
    let parquet = crate::run::analyse(b"PAR1\x15\n\xff\nPAR1").refused();
    assert!(parquet.contains("a Parquet file"), "{parquet}");
    let cure = match cfg!(feature = "parquet") {
        true => "--input-format parquet",
        false => "built without Parquet",
    };
    assert!(parquet.contains(cure), "{parquet}");
    // That is a game.
    let short = crate::run::analyse("PK");
    assert!(short.answers().len() == 1, "{short:?}");
}

#[test]
fn several_files_and_patterns() {
    let folder = Folder::new();
    let texts = positions(4);
    let first = folder.write("a 1.epd", &texts[0]);
    folder.write(
        "mccooey.fen",
        "b/qbk/rnbnr/ppppppp/9/11/11/5P5/4PBP4/3PNBNP3/2PRQBKRP2 w - - 0 1",
    );
    folder.write("a 2.epd", texts[1..3].join("\n"));
    std::fs::create_dir(folder.path("a 3.epd")).unwrap();
    let pattern = folder.text("a*.epd");
    let game = folder.text("mccooey.fen");
    let run = run(&[&FAST[..], &[&pattern, &game, &first]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    let second = folder.text("a 2.epd");
    let expected = [
        format!("{first}:1"),
        format!("{second}:1"),
        format!("{second}:2"),
        format!("{game}:1"),
        format!("{first}:1"),
    ];
    assert_eq!(ids(&run.out), expected.map(Value::from));
    assert_eq!(run.answers()[3]["game"], "mccooey");

    let nothing = folder.text("b*.epd");
    let message = super::run(&[&nothing]).refused();
    assert!(message.contains("no file matches"), "{message}");
    super::run(&["-", "-"]).refused();
}

/// What cannot be opened is told in its place, and the others are analysed.
#[cfg(unix)]
#[test]
fn files_that_cannot_be_read_among_others() {
    let folder = Folder::new();
    let good = folder.write("good.epd", positions(2).join("\n"));
    let (one, two) = (folder.path("one"), folder.path("two"));
    std::os::unix::fs::symlink(&one, &two).unwrap();
    std::os::unix::fs::symlink(&two, &one).unwrap();
    let missing = folder.text("missing.epd");
    std::fs::create_dir(folder.path("folder")).unwrap();
    let (cycle, directory) = (folder.text("one"), folder.text("folder"));
    let mut torn = gzip(positions(3000).join("\n").as_bytes());
    torn.truncate(torn.len() - 500);
    let torn = folder.write("torn.gz", torn);
    let files = [&*missing, &cycle, &good, &directory, &torn, &good];
    let run = run(&[&["--depth", "1"], &files[..]].concat());
    assert_eq!(run.code, 1, "{}", run.err);
    let answers = run.answers();
    let errors: Vec<&Value> = answers.iter().filter(|a| a["status"] == "error").collect();
    assert_eq!(errors.len(), 4, "{errors:?}");
    for (error, (file, says)) in errors.iter().zip([
        (&missing, "cannot be read"),
        (&cycle, "cannot be read"),
        (&directory, "folder"),
        (&torn, "read further"),
    ]) {
        let text = error["error"].as_str().unwrap();
        assert!(
            text.starts_with(file.as_str()) && text.contains(says),
            "{text}"
        );
    }
    assert!(answers.len() > 1000, "{}", answers.len());
    assert_eq!(answers.last().unwrap()["id"], format!("{good}:2"));
}

/// Good lines among lines damaged in every way: each good one is analysed, each bad one told.
#[test]
fn damaged_lines_among_good_ones() {
    damaged(1000, 100);
}

pub fn damaged(good: usize, bad: usize) {
    let texts = positions(good);
    let mut random = Random(5);
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for text in &texts {
        lines.push(match random.below(2) {
            0 => text.clone().into_bytes(),
            _ => json!({ "fen": text }).to_string().into_bytes(),
        });
    }
    for n in 0..bad {
        let line = damage(n, &texts[random.below(texts.len())], &mut random);
        lines.insert(random.below(lines.len() + 1), line);
    }
    let folder = Folder::new();
    let plain = folder.write("lines", lines.join(&b'\n'));
    let run = run(&["--nodes", "5", "--jobs", "2", &plain]);
    assert_eq!(run.code, 1, "{}", run.err);
    let answers = run.answers();
    let (errors, fine): (Vec<&Value>, Vec<&Value>) =
        answers.iter().partition(|a| a["status"] == "error");
    assert_eq!((fine.len(), errors.len()), (good, bad));
    for (answer, text) in fine.iter().zip(&texts) {
        assert_eq!(answer["fen"], **text);
    }
    for error in errors {
        let line = error["line"].as_u64().unwrap();
        let text = error["error"].as_str().unwrap();
        assert!(text.starts_with(&format!("line {line}, ")), "{text}");
    }
}

/// A line that is certainly of no use.
fn damage(kind: usize, text: &str, random: &mut Random) -> Vec<u8> {
    let at = random.below(40);
    match kind % 12 {
        // A letter that no game has, within the placement.
        0 => format!("{}z{}", &text[..at.min(10)], &text[at.min(10)..]).into_bytes(),
        1 => [&text.as_bytes()[..at], b" !"].concat(),
        2 => text.replacen('/', "", 1).into_bytes(),
        3 => text.replacen(['k', 'K'], "1", 2).into_bytes(),
        4 => json!({"fen": at}).to_string().into_bytes(),
        5 => json!({"fen": text, "moves": {"a": 1}})
            .to_string()
            .into_bytes(),
        6 => json!({"fen": text, "game": [text]})
            .to_string()
            .into_bytes(),
        7 => format!("{{\"fen\": \"{text}\"").into_bytes(),
        8 => [b"\xff\xfe", text.as_bytes()].concat(),
        9 => vec![b"/wx7{ "[at % 6]; (1 << 20) + 10 + at],
        10 => json!({"fen": text, "moves": "a1z9"})
            .to_string()
            .into_bytes(),
        _ => json!([text]).to_string().into_bytes(),
    }
}

/// A few packed bytes that are a line of many megabytes, and then good lines.
#[test]
fn bombs() {
    let folder = Folder::new();
    let line = vec![b'x'; 64 << 20];
    let text = positions(2).join("\n");
    let whole = [&line[..], b"\n", text.as_bytes()].concat();
    for (name, packed) in [("g.gz", gzip(&whole)), ("z.zst", zstd(&whole))] {
        let file = folder.write(name, packed);
        let run = run(&["--depth", "1", &file]);
        let statuses: Vec<Value> = run.answers().iter().map(|a| a["status"].clone()).collect();
        assert_eq!(
            (run.code, statuses),
            (1, vec![json!("error"), json!("ok"), json!("ok")])
        );
    }
}
