//! Boards listed by files.

use super::{Folder, positions};
use crate::run::{GLINSKI, analyse, hexmate, hexmate_reading};

const BY_FILES: &str = "6/P5p/RP4pr/N1P3p1n/Q2P2p2q/BBB1P1p1bbb/K2P2p2k/N1P3p1n/RP4pr/P5p/6";

#[test]
fn both_ways() {
    let input = format!(
        "{BY_FILES} w - 0 1\n{BY_FILES} w ; id \"x\"\n{{\"fen\":\"{BY_FILES} w - - 0 1\",\"id\":3}}\n{GLINSKI}\n"
    );
    let out = hexmate_reading(&["convert"], input).success();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], GLINSKI);
    assert_eq!(lines[1], format!("{GLINSKI} ; id \"x\""));
    assert_eq!(lines[2], format!("{{\"fen\":\"{GLINSKI}\",\"id\":3}}"));
    assert_eq!(lines[3], GLINSKI);
    let back = hexmate_reading(&["convert", "--to", "files"], &out).success();
    assert!(
        back.starts_with(&format!("{BY_FILES} w - - 0 1\n")),
        "{back}"
    );

    let folder = Folder::new();
    let texts = positions(200).join("\n") + "\n";
    let rows = folder.write("rows", &texts);
    for order in ["up", "down"] {
        let files = hexmate(&["convert", "--to", "files", "--file-order", order, &rows]).success();
        assert_ne!(files, texts);
        let files = folder.write("files", files);
        assert_eq!(
            hexmate(&["convert", "--file-order", order, &files]).success(),
            texts
        );
    }
}

#[test]
fn bad_lines_are_told() {
    let run = hexmate_reading(&["convert"], format!("x\n{GLINSKI}\n{{}}\n"));
    assert_eq!((run.code, run.out.lines().count()), (1, 1), "{run:?}");
    assert!(
        run.err.contains("line 1: field 1") && run.err.contains("line 3: no \"fen\""),
        "{}",
        run.err
    );
}

#[test]
fn analyse_names_the_way_out() {
    let run = analyse(format!("{BY_FILES} w - 0 1"));
    let error = run.answers()[0]["error"].as_str().unwrap().to_owned();
    assert!(
        error.contains("by files") && error.contains("hexmate convert"),
        "{error}"
    );
}
