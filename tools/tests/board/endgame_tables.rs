//! Endgame tables on the board.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use crate::client::Board;

/// A folder with the table KRK of minihexchess.
fn folder_of_tables() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    build_table("minihexchess", folder.path());
    folder
}

/// Builds the table KRK of a game.
fn build_table(game: &str, folder: &Path) {
    let built = Command::new(env!("CARGO_BIN_EXE_hexmate"))
        .args(["tb", "build", game, "KRK", "--tb"])
        .arg(folder)
        .output()
        .unwrap();
    assert!(built.status.success(), "{built:?}");
}

/// Neither the search nor the verdicts use a damaged part of a table, and the terminal hears of it, once.
#[test]
fn damaged_tables_are_told_once() {
    let folder = folder_of_tables();
    let path = folder.path().to_str().unwrap();
    let table = folder.path().join("minihexchess/KRK.hxtb");
    let mut bytes = fs::read(&table).unwrap();
    let end = bytes.len() - 1000;
    bytes[4096..end].iter_mut().for_each(|byte| *byte ^= 1);
    fs::write(&table, bytes).unwrap();

    let (board, log) = Board::logged(&["--tb", path]);
    let pieces = json!({"a1": "K", "d7": "k", "g1": "R"});
    let setup = board.good("setup", &json!({"game": "minihexchess", "pieces": pieces}));
    let order = json!({"game": "minihexchess", "fen": setup["fen"]});
    for _ in 0..2 {
        let mut search = order.clone();
        search["depth"] = json!(4);
        let lines = board.stream("analyse", &search);
        assert_eq!(lines[lines.len() - 2]["tbhits"], 0);
        // The search itself tells it.
        let log = fs::read_to_string(&log).unwrap();
        assert!(log.contains("damaged"), "{log}");
        assert_eq!(board.good("tables", &order)["covered"], false);
    }
    let log = fs::read_to_string(&log).unwrap();
    let told: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("damaged"))
        .collect();
    assert_eq!(told.len(), 1, "{log}");
    assert!(told[0].starts_with("hexmate: "), "{log}");
    assert!(
        told[0].contains("'hexmate tb build minihexchess KRK' with the same folder builds it anew"),
        "{log}"
    );
}

#[test]
fn a_folder_without_tables_is_told() {
    let told = |folder: &TempDir, game: &str| {
        let path = folder.path().to_str().unwrap();
        let (_board, log) = Board::logged(&["--tb", path, "--game", game]);
        fs::read_to_string(log.path()).unwrap()
    };
    let log = told(&tempfile::tempdir().unwrap(), "glinski");
    assert!(log.starts_with("hexmate: --tb: no tables in "), "{log}");
    assert_eq!(log.matches("no tables").count(), 1, "{log}");
    // Another game's alone.
    let folder = folder_of_tables();
    let log = told(&folder, "glinski");
    assert!(
        log.contains("hexmate: --tb: no tables of glinski in "),
        "{log}"
    );
    let log = told(&folder, "minihexchess");
    assert!(!log.contains("no tables"), "{log}");
}

#[test]
fn tables_are_asked() {
    let folder = folder_of_tables();
    let path = folder.path().to_str().unwrap();
    let board = Board::start(&["--tb", path]);
    assert_eq!(
        board.good("hello", &json!({}))["tables"],
        json!(["minihexchess"])
    );
    let pieces = json!({"a1": "K", "d7": "k", "g1": "R"});
    let fen =
        board.good("setup", &json!({"game": "minihexchess", "pieces": pieces}))["fen"].clone();
    let found = board.good("tables", &json!({"game": "minihexchess", "fen": fen}));
    assert_eq!(
        (&found["covered"], &found["verdict"]["category"]),
        (&json!(true), &json!("win"))
    );
    let legal =
        board.good("position", &json!({"game": "minihexchess", "fen": fen}))["legal"].clone();
    assert_eq!(
        found["moves"].as_array().unwrap().len(),
        legal.as_array().unwrap().len()
    );
    let plies: Vec<u64> = found["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|m| m["category"] == "win")
        .map(|m| m["plies"].as_u64().unwrap())
        .collect();
    assert!(plies.is_sorted() && found["verdict"]["plies"] == plies[0]);
    assert_eq!(
        board.good("tables", &json!({"game": "minihexchess"}))["covered"],
        false
    );
    board.bad("tables", &json!({"game": "glinski"}), 404, "tables");
    // The search asks them, unless it is told not to.
    let hits = |tables: bool| {
        let lines = board.stream("analyse", &json!({"game": "minihexchess", "fen": fen, "depth": 6, "tables": tables, "fresh": true}));
        lines[lines.len() - 2]["tbhits"].as_u64().unwrap()
    };
    assert!(hits(true) > 0);
    assert_eq!(hits(false), 0);
}

/// Also those of games from files, named either way.
#[test]
fn tables_of_games_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let games = ["one", "two"].map(|name| {
        let path = folder.path().join(format!("{name}.toml"));
        let text =
            format!("format = 1\nbase = 'minihexchess'\nname = '{name}'\ntitle = '{name}'\n");
        fs::write(&path, text).unwrap();
        build_table(path.to_str().unwrap(), folder.path());
        path.to_str().unwrap().to_owned()
    });
    let tables = folder.path().to_str().unwrap();
    let board = Board::start(&[&games[0], "--game", &games[1], "--tb", tables]);
    let hello = board.good("hello", &json!({}));
    assert_eq!(hello["tables"], json!(["one", "two"]));
    let pieces = json!({"a1": "K", "d7": "k", "g1": "R"});
    for game in ["one", "two"] {
        let fen = board.good("setup", &json!({"game": game, "pieces": pieces}))["fen"].clone();
        let found = board.good("tables", &json!({"game": game, "fen": fen}));
        assert_eq!(found["verdict"]["category"], "win", "{game}: {found}");
    }
}
