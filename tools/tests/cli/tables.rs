//! `hexmate tb`, and who asks its tables.

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Run, command, hexmate, hexmate_reading};

/// A folder with tables of king and rook against king.
fn folder() -> (TempDir, String) {
    let place = TempDir::new().unwrap();
    let folder = place.path().join("tables").to_str().unwrap().to_owned();
    let out = hexmate(&["tb", "build", "glinski", "krk", "--tb", &folder]).success();
    let stated = "1 table of glinski: 115206 positions; memory";
    assert!(out.starts_with(stated), "{out}");
    (place, folder)
}

/// Rook and king against king, White to move.
const WON: &str = "1/3/2k2/7/9/11/11/4K6/11/11/R10 w - - 0 1";

#[test]
fn what_is_built_is_told() {
    let (_place, folder) = folder();
    let again = hexmate(&["tb", "build", "glinski", "KRK", "--tb", &folder]).success();
    assert!(again.starts_with("nothing to build"), "{again}");
    let verified = hexmate(&["tb", "verify", "glinski", "--tb", &folder]).success();
    assert!(verified.starts_with("KRK      right"), "{verified}");

    let stats = ["tb", "stats", "glinski", "KRK", "--json", "--tb", &folder];
    let object: Value = serde_json::from_str(&hexmate(&stats).success()).unwrap();
    assert_eq!(
        (&object["game"], &object["material"]),
        (&"glinski".into(), &"KRK".into())
    );
    let (white, black) = (&object["white"], &object["black"]);
    assert_eq!(
        (&white["legal"], &white["win"]),
        (&488_220.into(), &488_220.into())
    );
    assert_eq!(white["longest_win_plies"], 39);
    assert_eq!(
        (&black["legal"], &black["loss"]),
        (&648_810.into(), &580_782.into())
    );
    assert_eq!(
        (&black["draw"], &black["stalemated"]),
        (&67_188.into(), &840.into())
    );
    let exchanged = ["tb", "stats", "glinski", "KKR", "--json", "--tb", &folder];
    let exchanged: Value = serde_json::from_str(&hexmate(&exchanged).success()).unwrap();
    assert_eq!((&exchanged["white"], &exchanged["black"]), (black, white));

    let picture = format!("{folder}/krk.svg");
    let stats = [
        "tb", "stats", "glinski", "KRK", "--svg", &picture, "--tb", &folder,
    ];
    let text = hexmate(&stats).success();
    assert!(text.contains("KRK, White wins in 39 plies: ") && text.contains("mutual zugzwangs: "));
    let line = text
        .lines()
        .skip_while(|l| !l.contains("39 plies: "))
        .nth(1)
        .unwrap();
    assert_eq!(line.split(' ').count(), 39);
    let drawn = std::fs::read_to_string(&picture).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("White to move wins"));
    std::fs::write(&picture, "precious").unwrap();
    let message = hexmate(&stats).refused();
    assert!(message.contains("--force"), "{message}");
    assert_eq!(std::fs::read_to_string(picture).unwrap(), "precious");
}

#[test]
fn every_move_is_valued_the_best_first() {
    let (_place, folder) = folder();
    let out = hexmate(&["tb", "probe", "glinski", "--fen", WON, "--tb", &folder]).success();
    let mut lines = out.lines();
    let first = lines.next().unwrap();
    assert!(first.starts_with("win in "), "{out}");
    let moves = hexmate(&["moves", "glinski", "--fen", WON]).success();
    assert_eq!(lines.clone().count(), moves.split_whitespace().count());
    let best = lines.next().unwrap().split_once(' ').unwrap().1.trim();
    assert_eq!(best, first);
}

#[test]
fn analysis_and_protocol_ask_tables() {
    let (_place, folder) = folder();
    let run = hexmate_reading(&["analyse", "--tb", &folder], WON);
    let answer = &run.answers()[0];
    assert!(answer["score"]["mate"].as_i64().unwrap() > 5, "{answer}");
    assert!(answer["tbhits"].as_u64().unwrap() > 0 && answer["nodes"].as_u64().unwrap() < 200);
    // A plain search says nothing of tables.
    let run = hexmate_reading(&["analyse", "--nodes", "500"], WON);
    assert_eq!(run.answers()[0]["tbhits"], Value::Null);

    let commands = format!(
        "setoption name TablebasePath value {folder}\nposition fen {WON}\ngo depth 1\n\
         setoption name TablebasePath value /no/such\nisready\n"
    );
    let out = hexmate_reading(&["uci"], commands).success();
    assert!(
        out.contains("info string TablebasePath: 1 tables of glinski"),
        "{out}"
    );
    assert!(
        out.contains("info string setoption: TablebasePath: /no/such: no such folder"),
        "{out}"
    );
    assert!(out.contains("readyok"), "{out}");
}

/// `--men` is for all material of so many pieces and of fewer.
#[test]
fn all_material_up_to_a_number_of_pieces() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path().to_str().unwrap();
    let words = ["--pawnless", "--dry-run", "--tb", folder, "--men"];
    let words = [&["tb", "build", "minihexchess"], &words[..]].concat();
    for (men, says) in [("3", "3 tables of "), ("4", "15 tables of ")] {
        let told = hexmate(&[&words[..], &[men]].concat()).success();
        assert!(told.starts_with(says), "{told}");
    }
}

/// A folder that is not there, or holds no tables of the game, is not a folder of right tables.
#[test]
fn nothing_to_verify() {
    let (place, folder) = folder();
    let nowhere = format!("{folder}/nowhere");
    let verify = |more: &[&str]| hexmate(&[&["tb", "verify"], more].concat());
    for words in [
        &["glinski", "--tb", &nowhere][..],
        &["glinski", "KRK", "--tb", &nowhere],
    ] {
        let message = verify(words).refused();
        assert!(message.contains("nowhere: no such folder"), "{message}");
    }
    let named = command(&["tb", "verify", "glinski"])
        .env("HEXMATE_TABLES", &nowhere)
        .output();
    let message = Run::new(named.unwrap()).refused();
    assert!(message.contains("nowhere: no such folder"), "{message}");
    let message = verify(&["mccooey", "--tb", &folder]).refused();
    let says = format!("no tables of mccooey in {folder}");
    assert!(message.contains(&says), "{message}");
    // What was asked for by name and is not there is missing, not wrong.
    let run = verify(&["glinski", "KQK", "KRK", "--tb", &folder]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("KQK      missing"), "{run:?}");
    assert!(run.out.contains("KRK      right"), "{run:?}");
    drop(place);
}

/// Where a table is damaged nothing is known; whoever asks there is told, once, and how to repair it.
#[test]
fn damage_is_told_once() {
    let (_place, folder) = folder();
    let path = format!("{folder}/glinski/KRK.hxtb");
    let whole = std::fs::read(&path).unwrap();
    let mut bytes = whole.clone();
    let end = bytes.len() - 1000;
    bytes[4096..end].iter_mut().for_each(|byte| *byte ^= 1);
    std::fs::write(&path, bytes).unwrap();
    let told = |text: &str| {
        let is_told = |line: &&str| line.contains("KRK.hxtb: bytes ") && line.contains("damaged");
        let lines: Vec<&str> = text.lines().filter(is_told).collect();
        assert_eq!(lines.len(), 1, "{text}");
        assert!(
            lines[0].contains("'hexmate tb build glinski KRK' with the same folder builds it anew"),
            "{text}"
        );
    };
    let other = WON.replace("R10", "1R9");
    let run = hexmate_reading(
        &["analyse", "--nodes", "500", "--jobs", "2", "--tb", &folder],
        format!("{WON}\n{other}\n"),
    );
    assert_eq!((run.code, run.answers().len()), (0, 2), "{run:?}");
    told(&run.err);
    let run = hexmate(&["tb", "probe", "glinski", WON, &other, "--tb", &folder]);
    assert_eq!(run.code, 1, "{run:?}");
    told(&run.err);
    assert!(run.err.contains("or it is damaged there"), "{run:?}");
    let commands = format!(
        "setoption name TablebasePath value {folder}\nposition fen {WON}\ngo nodes 500\nisready\n\
         position fen {other}\ngo nodes 500\n"
    );
    let out = hexmate_reading(&["uci"], commands).success();
    assert!(out.contains("info string TablebasePath: "), "{out}");
    told(&out);
    let built = hexmate(&["tb", "build", "glinski", "KRK", "--tb", &folder]).success();
    assert!(built.starts_with("1 table of glinski"), "{built}");
    assert_eq!(std::fs::read(&path).unwrap(), whole);
}

#[test]
fn a_match_with_tables() {
    let (place, folder) = folder();
    let book = place.path().join("book.epd");
    std::fs::write(&book, WON).unwrap();
    let games = place.path().join("games.jsonl");
    let (book, games) = (book.to_str().unwrap(), games.to_str().unwrap());
    let (openings, jsonl) = (format!("file={book}"), format!("file={games}"));
    let words = [
        "match",
        "-engine",
        "cmd=internal",
        "name=a",
        "-engine",
        "cmd=internal",
        "name=b",
        "-each",
        "nodes=300",
        "-rounds",
        "1",
        "-games",
        "2",
        "-tb",
        &folder,
        "-openings",
        &openings,
        "-jsonl",
        &jsonl,
    ];
    hexmate(&words).success();
    let games = std::fs::read_to_string(games).unwrap();
    assert_eq!(games.matches("White mates").count(), 2, "{games}");
    // Those of another game are none.
    let engines = "-engine cmd=internal name=a -engine cmd=internal name=b -each nodes=1";
    let words = format!("match -variant mccooey {engines} -maxmoves 2 -rounds 1 -tb");
    let words: Vec<&str> = words.split(' ').chain([&*folder]).collect();
    let run = hexmate(&words);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("no tables of mccooey in"), "{run:?}");
}

#[test]
fn what_cannot_be_done_is_refused_with_the_reason() {
    let (_place, folder) = folder();
    let refused = |words: &[&str], reason: &str| {
        let words = [words, &["--tb", &folder]].concat();
        let message = hexmate(&words).refused();
        assert!(message.contains(reason), "{words:?}: {message}");
    };
    refused(&["tb", "build", "glinski", "KRX"], "'KRX' is not material");
    refused(
        &["tb", "build", "glinski", "KK"],
        "bare kings are always drawn",
    );
    refused(
        &["tb", "build", "chromatic3", "KPK"],
        "remember whether they have moved",
    );
    refused(
        &["tb", "build", "glinski", "KQKR", "--memory", "50"],
        "MB of memory; 50 MB are allowed",
    );
    refused(&["tb", "build", "glinski"], "MATERIAL");
    refused(
        &["tb", "stats", "glinski", "KQK"],
        "; 'hexmate tb build glinski KQK' with the same folder builds it",
    );
    let queen = WON.replace('R', "Q");
    refused(
        &["tb", "probe", "glinski", "--fen", &queen],
        "no table covers this position; there is 1 of glinski, of up to 3 pieces, in ",
    );
    let message = hexmate(&["analyse", "--tb", "/no/such"]).refused();
    assert!(message.contains("no such folder"), "{message}");
}

#[test]
fn what_no_further_table_would_cover_is_told() {
    let place = TempDir::new().unwrap();
    let folder = place.path().to_str().unwrap();
    for (game, material, position, reason) in [
        (
            "shafran",
            "KRK",
            "4k/6/7/8/9/9/8/7/6/R3K w a1 - 0 1",
            "has castling rights",
        ),
        (
            "chromatic3",
            "KSK",
            "7/8/9/10/11/12/10k2/12/11/10/9/3P4/K6 w - - 0 1",
            "remember whether they have moved",
        ),
    ] {
        hexmate(&["tb", "build", game, material, "--tb", folder]).success();
        let message = hexmate(&["tb", "probe", game, position, "--tb", folder]).refused();
        assert!(message.contains(reason), "{message}");
        assert!(
            !message.contains("no table covers this position;"),
            "{message}"
        );
    }
}

/// A damaged file fails the check; who only asks is told and goes on without it.
#[test]
fn damage_is_found_and_does_not_stop_a_search() {
    let (_place, folder) = folder();
    let path = format!("{folder}/glinski/KRK.hxtb");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[5_000] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let run = hexmate(&["tb", "verify", "glinski", "--tb", &folder]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.err.contains("are damaged (checksum)"), "{run:?}");
    std::fs::write(&path, &bytes[..50_000]).unwrap();
    let run = hexmate_reading(&["analyse", "--nodes", "500", "--tb", &folder], WON);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("50000 bytes; expected"), "{run:?}");
    assert_eq!(run.answers()[0]["status"], "ok");
    let run = hexmate(&["tb", "verify", "glinski", "--tb", &folder]);
    assert_eq!(run.code, 1, "{run:?}");
}

/// A pipe in the place of a table is no table, and nobody waits for what might come out of it.
#[cfg(unix)]
#[test]
fn a_pipe_among_the_tables() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let (_place, folder) = folder();
    let pipe = format!("{folder}/glinski/KQK.hxtb");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let says = "KQK.hxtb: not a regular file";
    let run = hexmate_reading(&["analyse", "--depth", "3", "--tb", &folder], WON);
    assert!(run.err.contains(says), "{run:?}");
    assert!(run.answers()[0]["tbhits"].as_u64() > Some(0), "{run:?}");
    let run = hexmate(&["tb", "probe", "glinski", "--fen", WON, "--tb", &folder]);
    assert!(run.code == 0 && run.err.contains(says), "{run:?}");
    let commands = format!("setoption name TablebasePath value {folder}\nisready\n");
    let out = hexmate_reading(&["uci"], commands).success();
    assert!(out.contains(says) && out.contains("readyok"), "{out}");
    let run = hexmate(&["tb", "verify", "glinski", "KQK", "--tb", &folder]);
    assert!(run.code == 1 && run.err.contains(says), "{run:?}");
}

/// Several positions, from arguments and files, as text and as objects.
#[test]
fn several_positions_are_probed() {
    let (place, folder) = folder();
    let probe = |words: &[&str]| {
        let all = ["tb", "probe", "glinski", "--tb", &folder];
        hexmate(&[&all[..], words].concat())
    };
    let one = probe(&[WON]).success();
    assert_eq!(one, probe(&["--fen", WON]).success());
    let lost = WON.replace(" w ", " b ");
    let queen = WON.replace('R', "Q");
    let file = place.path().join("positions.epd");
    let lines = format!("{WON} ; id \"won\"; c9 \"mine\"\n{lost}\nbad\n{queen}\n");
    std::fs::write(&file, &lines).unwrap();
    let file = file.to_str().unwrap();
    let run = probe(&[file, "--json"]);
    let answers = run.answers();
    assert_eq!(
        (run.code, run.err.as_str(), answers.len()),
        (1, "", 4),
        "{run:?}"
    );
    let won = &answers[0];
    assert_eq!(
        (&won["id"], &won["value"], &won["c9"]),
        (&"won".into(), &"win".into(), &"mine".into())
    );
    let moves = won["moves"].as_array().unwrap();
    let legal = hexmate(&["moves", "glinski", "--fen", WON]).success();
    assert_eq!(moves.len(), legal.split_whitespace().count());
    assert_eq!(moves[0]["move"], won["bestmove"]);
    assert_eq!(
        (&moves[0]["value"], &moves[0]["plies"]),
        (&"win".into(), &won["plies"])
    );
    let rank = |mv: &Value| (mv["value"] != "win", mv["plies"].as_u64());
    assert!(moves.iter().map(rank).is_sorted(), "{won}");
    assert_eq!(answers[1]["value"], "loss");
    assert!(
        answers[2]["error"]
            .as_str()
            .unwrap()
            .starts_with("line 3, field 1")
    );
    let error = answers[3]["error"].as_str().unwrap();
    assert!(
        error.contains("no table covers") && error.contains(&folder),
        "{error}"
    );
    // The same from standard input, as text.
    let run = hexmate_reading(&["tb", "probe", "glinski", "-", "--tb", &folder], &lines);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.out.starts_with(&format!("won: {WON}\nwin in ")),
        "{run:?}"
    );
    assert!(run.err.contains("line 4, no table covers"), "{run:?}");
    let other = probe(&[&format!("{WON}; game mccooey")]).refused();
    assert!(other.contains("is of mccooey; expected glinski"), "{other}");
}

/// Without an option tables are where users' data belong, and others may read them.
#[cfg(unix)]
#[test]
fn the_usual_folder() {
    use std::os::unix::fs::PermissionsExt;

    let place = TempDir::new().unwrap();
    let run = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(&[&["tb"], words].concat());
        for name in ["HEXMATE_TABLES", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let home = place.path().to_str().unwrap();
    let folder = |variables: &[(&str, &str)]| run(&["folder"], variables);
    if cfg!(target_os = "linux") {
        let usual = format!("{home}/.local/share/hexmate/tables");
        assert_eq!(folder(&[("HOME", home)]), usual);
        // Relative paths mean nothing there.
        assert_eq!(folder(&[("HOME", home), ("XDG_DATA_HOME", "here")]), usual);
        assert_eq!(
            folder(&[("XDG_DATA_HOME", "/data")]),
            "/data/hexmate/tables"
        );
    }
    let own = format!("{home}/own");
    let variables = [("HEXMATE_TABLES", own.as_str()), ("XDG_DATA_HOME", "/data")];
    assert_eq!(folder(&variables), own);
    run(&["build", "glinski", "KRK"], &variables);
    let mode = |name: &str| std::fs::metadata(name).unwrap().permissions().mode() & 0o777;
    let plain = format!("{home}/plain");
    std::fs::write(&plain, "").unwrap();
    assert_eq!(mode(&format!("{own}/glinski/KRK.hxtb")), mode(&plain));
    assert!(run(&["probe", "glinski", WON], &variables).starts_with("win in "));
}

/// Rook and king against king in games like minihexchess.
pub const SMALL: &str = "1/3/5/7/2k4/7/K2R3 w - - 0 1";

/// The longest win is told as far as there are tables, and then why no further.
#[test]
fn a_line_that_is_cut_short_says_so() {
    let place = TempDir::new().unwrap();
    let folder = place.path().to_str().unwrap();
    hexmate(&["tb", "build", "minihexchess", "KPK", "--tb", folder]).success();
    let stats = ["tb", "stats", "minihexchess", "KPK", "--tb", folder];
    let whole = hexmate(&stats).success();
    std::fs::remove_file(place.path().join("minihexchess/KRK.hxtb")).unwrap();
    let run = hexmate(&stats);
    let says = "the longest win is cut short, for lack of tables that can be used: KRK; \
                'hexmate tb build minihexchess KPK' with the same folder builds them";
    assert!(run.code == 0 && run.err.contains(says), "{run:?}");
    assert!(run.out.len() < whole.len(), "{run:?}");
}

/// Tables that were not verified because another one is damaged are not called wrong, and nothing is told of a damaged
/// one.
#[test]
fn a_damaged_table_and_those_that_need_it() {
    let place = TempDir::new().unwrap();
    let folder = place.path().to_str().unwrap();
    hexmate(&["tb", "build", "minihexchess", "KPK", "--tb", folder]).success();
    let path = place.path().join("minihexchess/KRK.hxtb");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[5000] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let run = hexmate(&["tb", "verify", "minihexchess", "KPK", "KRK", "--tb", folder]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("KPK      unverified"), "{run:?}");
    assert!(run.out.contains("KRK      WRONG"), "{run:?}");
    assert!(run.err.contains("KPK.hxtb: needs the table KRK"), "{run:?}");
    let stats = ["tb", "stats", "minihexchess", "KRK", "--tb", folder];
    let message = hexmate(&stats).refused();
    assert!(message.contains("KRK.hxtb: bytes "), "{message}");
}

/// What asks nothing, or asks nobody, is no answer.
#[test]
fn nothing_to_probe() {
    let (place, folder) = folder();
    let empty = place.path().join("empty.epd");
    std::fs::write(&empty, "# nothing\n").unwrap();
    let empty = empty.to_str().unwrap();
    let refused = |words: &[&str], says: &str| {
        let message = hexmate(&[&["tb", "probe"], words].concat()).refused();
        assert!(message.contains(says), "{words:?}: {message}");
    };
    refused(&["glinski", "--fen", "", "--tb", &folder], "--fen: ");
    refused(&["glinski", empty, "--tb", &folder], "holds no position");
    let nowhere = format!("{folder}/nowhere");
    refused(&["glinski", WON, "--tb", &nowhere], "no such folder");
    let inside = format!("{folder}/glinski");
    refused(
        &["glinski", WON, "--tb", &inside],
        "no tables of glinski in ",
    );
    // A search goes on without tables, and says so.
    for (folder, says) in [(&inside, 1), (&folder, 0)] {
        let run = hexmate_reading(&["analyse", "--depth", "1", "--tb", folder], WON);
        assert_eq!(run.code, 0, "{run:?}");
        let told = run.err.matches("hexmate: --tb: no tables in ").count();
        assert_eq!(told, says, "{run:?}");
    }
    // So it does where only other games have tables.
    for (game, lines) in [("minihexchess", 1), ("glinski", 0)] {
        let positions = if lines > 0 { SMALL } else { WON };
        let words = ["analyse", "--game", game, "--depth", "1", "--tb", &folder];
        let run = hexmate_reading(&words, format!("{positions}\n{positions}\n"));
        let says = format!(
            "hexmate: --tb: no tables of {game} in {folder}; 'hexmate tb build' makes them\n"
        );
        assert_eq!((run.code, run.err), (0, says.repeat(lines)));
    }
}

/// What is no table stays, and is found before anything is built.
#[test]
fn a_file_that_is_no_table_is_not_replaced() {
    let place = TempDir::new().unwrap();
    let folder = place.path().to_str().unwrap();
    let path = place.path().join("minihexchess/KRK.hxtb");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "my notes").unwrap();
    let words = ["tb", "build", "minihexchess", "KPK", "--tb", folder];
    let message = hexmate(&words).refused();
    let says = "KRK.hxtb: is not a Hexmate table, so it is not replaced";
    assert!(message.contains(says), "{message}");
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(
        (files, std::fs::read_to_string(&path).unwrap()),
        (1, "my notes".to_owned())
    );
}

#[test]
fn a_plot_has_a_file() {
    let (_place, folder) = folder();
    let stats = [
        "tb", "stats", "glinski", "KRK", "--svg", "-", "--tb", &folder,
    ];
    let message = hexmate(&stats).refused();
    assert!(
        message.contains("--svg -: the statistics go to standard output"),
        "{message}"
    );
}
