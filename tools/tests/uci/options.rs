//! What `uci` shows and `setoption` sets.

use crate::driver::{Uci, after, count, last_info, number, pv};

#[test]
fn introduction() {
    let mut uci = Uci::new();
    uci.send("uci");
    let lines = uci.until("uciok");
    assert!(lines[0].starts_with("id name Hexmate "));
    assert!(lines[1].starts_with("id author "));
    let variant = "option name UCI_Variant type combo default glinski \
                   var glinski var hexachess var mccooey var chromatic3 var chromatic4";
    for option in [
        variant,
        "option name Threads type spin default 1 min 1 max ",
        "option name Hash type spin default 16 min 1 max ",
        "option name Clear Hash type button",
        "option name MultiPV type spin default 1 min 1 max ",
        "option name Move Overhead type spin default ",
        "option name Ponder type check default false",
        "option name UCI_AnalyseMode type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name TablebasePath type string default <empty>",
        "option name EvalFile type string default <empty>",
        "option name VariantPath type string default <empty>",
    ] {
        assert_eq!(count(&lines, option), 1, "{option}: {lines:?}");
    }
    assert_eq!(count(&lines, "option "), 12);
}

/// The session of docs/uci.md: what it says is said, in this order. `…` is any word.
#[test]
fn the_session_of_the_page() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/uci.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, session) = page.split_once("```text\n").unwrap();
    let (session, _) = session.split_once("```").unwrap();
    let is = |wanted: &str, line: &str| {
        let words = line.split(' ').map(Some).chain([None]);
        let wanted = wanted.split(' ').map(Some).chain([None]);
        wanted
            .zip(words)
            .all(|(wanted, word)| wanted == word || (wanted == Some("…") && word.is_some()))
    };
    let mut uci = Uci::new();
    for wanted in session.lines().filter(|line| *line != "...") {
        match wanted.strip_prefix("> ") {
            Some(command) => uci.send(command),
            None => {
                let first = wanted.split_inclusive(' ').next().unwrap();
                let mut heard = Vec::new();
                while !heard.last().is_some_and(|line: &String| is(wanted, line)) {
                    heard.extend(uci.until(first));
                    assert!(heard.len() < 30, "'{wanted}' is not among {heard:#?}");
                }
            }
        }
    }
}

/// The numbers of the search are shown when asked for, and heard in any case.
#[test]
fn numbers_of_the_search() {
    let mut uci = Uci::with(&["--tunable"]);
    uci.send("uci");
    let lines = uci.until("uciok");
    let shown = lines.iter().find(|l| l.contains(" aspiration_window "));
    let line = shown.unwrap_or_else(|| panic!("{lines:?}"));
    let (least, most) = (number(line, "min"), number(line, "max"));
    let mut plain = Uci::new();
    for value in [least, most] {
        let set = format!("setoption name aspiration_window value {value}");
        assert_eq!(plain.ask(&set), [""; 0]);
        plain.go("depth 2");
    }
    let too_much = format!("setoption name aspiration_window value {}", most + 1);
    let told = plain.answer(&too_much);
    assert!(
        told.contains(&format!("expected {least} to {most}")),
        "{told}"
    );
}

#[test]
fn every_option_is_kept() {
    let mut uci = Uci::new();
    for option in [
        "Threads value 2",
        "Hash value 3",
        "hash value 2",
        "Clear Hash",
        "Ponder value true",
        "MultiPV value 2",
        "Move Overhead value 30",
        "UCI_AnalyseMode value true",
        "UCI_ShowWDL value true",
        "UCI_ShowWDL value false",
        "Threads value 1",
    ] {
        assert_eq!(uci.ask(&format!("setoption name {option}")), [""; 0]);
        uci.go("depth 2");
    }
}

/// A path that is empty is a value that is missing.
#[test]
fn a_path_needs_letters() {
    let mut uci = Uci::new();
    let without = uci.ask("setoption name TablebasePath");
    assert!(
        without[0].contains("'TablebasePath' needs a value"),
        "{without:?}"
    );
    for text in [
        "setoption name TablebasePath value",
        "setoption name TablebasePath value ",
    ] {
        assert_eq!(uci.ask(text), without);
    }
}

/// Where another folder cannot be used, the tables of the one before are asked on.
#[test]
fn tables_are_kept_where_others_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let built = std::process::Command::new(env!("CARGO_BIN_EXE_hexmate"))
        .args(["tb", "build", "glinski", "KQK", "--tb"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{built:?}");
    let mut uci = Uci::new();
    let path = folder.path().display();
    let opened = "info string TablebasePath: 1 tables of glinski";
    let told = uci.answer(&format!("setoption name TablebasePath value {path}"));
    assert_eq!(told, opened);
    assert_eq!(
        uci.answer("setoption name TablebasePath value /no/such"),
        "info string setoption: TablebasePath: /no/such: no such folder; expected one of endgame tables, as \
         'hexmate tb build' makes it; it is kept as it was"
    );
    uci.send("position fen 1/3/2k2/7/9/11/11/4K6/11/11/Q10 w - - 0 1");
    let lines = uci.go("depth 1");
    assert!(number(last_info(&lines), "tbhits") > 0, "{lines:?}");
    // Also in another game, and back in this one.
    uci.send("setoption name UCI_Variant value mccooey");
    let told = uci.ask("setoption name UCI_Variant value glinski");
    assert!(told.iter().any(|line| line == opened), "{told:?}");
}

#[test]
fn more_lines_for_more_moves() {
    let mut uci = Uci::new();
    uci.ask("setoption name MultiPV value 4");
    let lines = uci.go("depth 3");
    let finals: Vec<&String> = lines.iter().filter(|l| l.contains(" score ")).collect();
    let finals = &finals[finals.len() - 4..];
    let mut firsts = Vec::new();
    let mut score = i64::MAX;
    for (i, line) in finals.iter().enumerate() {
        assert_eq!(number(line, "multipv"), i as i64 + 1);
        firsts.push(pv(line)[0]);
        assert!(number(line, "cp") <= score, "{finals:?}");
        score = number(line, "cp");
    }
    assert_eq!(after(lines.last().unwrap(), "bestmove"), firsts[0]);
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
    // No more lines than moves.
    let lines = uci.go("depth 2 searchmoves e4e5 d3d5");
    assert!(lines.iter().all(|l| !l.contains(" multipv 3 ")));
    assert!(lines.iter().any(|l| l.contains(" multipv 2 ")));
}

#[test]
fn chances() {
    let mut uci = Uci::new();
    assert!(!last_info(&uci.go("depth 2")).contains(" wdl "));
    uci.ask("setoption name UCI_ShowWDL value true");
    let lines = uci.go("depth 2");
    let line = last_info(&lines);
    let words: Vec<&str> = line.split(' ').skip_while(|&w| w != "wdl").collect();
    let chances: Vec<i64> = words[1..4].iter().map(|w| w.parse().unwrap()).collect();
    assert_eq!(chances.iter().sum::<i64>(), 1000);
    assert_eq!(number(line, "cp") > 0, chances[0] > chances[2]);
}

/// The system has given the table's memory before the first search, which would have to wait for it.
#[test]
fn the_table_is_ready_before_the_search() {
    const MEGABYTES: u64 = 64;
    let mut uci = Uci::new();
    uci.ask("setoption name Threads value 2");
    let Some(before) = uci.memory() else {
        return;
    };
    uci.ask(&format!("setoption name Hash value {MEGABYTES}"));
    let after = uci.memory().expect("it was told before");
    // The table that was there before has gone.
    let least = (MEGABYTES - 16) * 1024;
    assert!(after >= before + least, "{before} KiB, then {after}");
}

/// After `ucinewgame` nothing is remembered: a search visits what it visited in a new program.
#[test]
fn a_new_game_is_like_a_new_program() {
    let nodes = |uci: &mut Uci| number(last_info(&uci.go("depth 5")), "nodes");
    let mut uci = Uci::new();
    let first = nodes(&mut uci);
    // What it remembers is of use, until the table is cleared.
    let again = nodes(&mut uci);
    assert!(again < first, "{again} {first}");
    uci.send("setoption name Clear Hash");
    let cleared = nodes(&mut uci);
    assert!(cleared > again, "{cleared} {again}");
    uci.send("ucinewgame");
    assert_eq!(nodes(&mut uci), first);
    uci.send("position startpos moves e4e5");
    nodes(&mut uci);
    uci.send("setoption name UCI_Variant value hexachess");
    uci.go("depth 3");
    uci.send("setoption name UCI_Variant value glinski");
    assert_eq!(nodes(&mut uci), first);
}

/// A program that talked to a file or another program by mistake does not run on for ever.
#[test]
fn an_output_that_is_closed_ends_the_program() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_hexmate"))
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The program may end at the first of them.
    for line in ["uci", "go infinite", "isready", "isready", "isready"] {
        drop(writeln!(input, "{line}"));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("standard output cannot be written: "),
        "{errors}"
    );
}
