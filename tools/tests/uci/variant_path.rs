//! Games from files: the option `VariantPath`.

use std::fs;

use crate::driver::Uci;

#[test]
fn a_folder_adds_games() {
    let folder = tempfile::tempdir().unwrap();
    let calm =
        "format = 1\nbase = 'glinski'\nname = 'calm'\ntitle = 'Calm'\n[ends]\nstalemate = '1/2'\n";
    fs::write(folder.path().join("calm.toml"), calm).unwrap();
    fs::write(folder.path().join("bad.toml"), "name = 3").unwrap();
    fs::write(folder.path().join("notes.txt"), "not a game").unwrap();

    let mut uci = Uci::new();
    let before = uci.ask("setoption name UCI_Variant value calm");
    assert!(before[0].contains("unknown game 'calm'"), "{before:?}");
    let told = uci.ask(&format!(
        "setoption name VariantPath value {}",
        folder.path().display()
    ));
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].starts_with("info string VariantPath: ") && told[0].contains("bad.toml"),
        "{told:?}"
    );
    assert!(
        told[1].starts_with("option name UCI_Variant type combo ")
            && told[1].ends_with(" var calm")
    );
    // A second introduction does not take it away.
    uci.send("uci");
    let introduced = uci.until("uciok");
    let games = introduced.iter().find(|l| l.contains("UCI_Variant"));
    assert!(games.unwrap().ends_with(" var calm"), "{introduced:?}");
    let chosen = uci.ask("setoption name UCI_Variant value Calm");
    assert!(
        chosen[0].starts_with("info string variant calm startpos b/qbk/"),
        "{chosen:?}"
    );
    uci.send("position startpos moves e4e6");
    let found = uci.go("depth 3");
    assert!(found.last().unwrap().starts_with("bestmove "), "{found:?}");

    let told = uci.ask("setoption name VariantPath value <empty>");
    assert!(told[0].ends_with(" var shafran"), "{told:?}");
    // Two games of one name: the first is taken, and the other one is reported with its file.
    fs::write(
        folder.path().join("twin.toml"),
        calm.replace("1/2", "3/4-1/4"),
    )
    .unwrap();
    let told = uci.ask(&format!(
        "setoption name VariantPath value {}",
        folder.path().display()
    ));
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(
        told[0].contains("bad.toml: line 1"),
        "the faults of a file on one line: {told:?}"
    );
    assert!(
        told[1].starts_with("info string VariantPath: ")
            && told[1].contains("twin.toml: the name 'calm'"),
        "{told:?}"
    );
    assert_eq!(told[2].matches(" var calm").count(), 1, "{told:?}");
    // A path names a game, too.
    let path = folder.path().join("calm.toml");
    let chosen = uci.ask(&format!(
        "setoption name UCI_Variant value {}",
        path.display()
    ));
    assert!(
        chosen[0].starts_with("info string variant calm "),
        "{chosen:?}"
    );
}

/// Games that ship are choices already: their files add none, and their names mean what they meant.
#[test]
fn a_game_is_one_choice() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../movegen/games");
    let mut uci = Uci::new();
    uci.send("uci");
    let introduced = uci.until("uciok");
    let before = introduced.iter().find(|l| l.contains("UCI_Variant"));
    let told = uci.answer(&format!("setoption name VariantPath value {games}"));
    assert_eq!(Some(&told), before);
}

#[test]
fn a_folder_without_games_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "not a game").unwrap();
    let path = folder.path().display();
    let mut uci = Uci::new();
    let told = uci.ask(&format!("setoption name VariantPath value {path}"));
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(
        told[0],
        format!(
            "info string VariantPath: {path}: no game's file in this folder; expected files with names that end with \
             .toml"
        )
    );
    assert!(told[1].ends_with(" var shafran"), "{told:?}");
}
