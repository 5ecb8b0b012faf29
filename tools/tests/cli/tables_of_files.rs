//! Endgame tables of games from files.

use tempfile::TempDir;

use crate::run::hexmate;
use crate::tables::SMALL;

/// A folder with a game's file and a table of it; neither the game nor the table is known by name.
fn from_file() -> (TempDir, String, String, String) {
    let place = TempDir::new().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (game, folder, records) = (path("vinegar.toml"), path("tables"), path("v.jsonl"));
    let text = "format = 1\nbase = 'minihexchess'\nname = 'vinegar'\ntitle = 'Vinegar'\n";
    std::fs::write(&game, text).unwrap();
    let record = serde_json::json!({"game": game, "fen": SMALL});
    std::fs::write(&records, format!("{record}\n")).unwrap();
    hexmate(&["tb", "build", &game, "KRK", "--tb", &folder]).success();
    (place, game, folder, records)
}

/// Who names a game by its file has its tables, also where only a record does.
#[test]
fn tables_of_a_game_that_a_record_names_by_its_file() {
    let (_place, game, folder, records) = from_file();
    let analyse = ["analyse", "--tb", &folder, "--nodes", "500", &records];
    for more in [&[][..], &["--game", &game]] {
        let run = hexmate(&[&analyse[..], more].concat());
        let answer = &run.answers()[0];
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
        assert_eq!(answer["score"]["mate"], 10, "{more:?}: {answer}");
        assert!(answer["tbhits"].as_u64() > Some(0), "{more:?}: {answer}");
    }
    let probed = hexmate(&["tb", "probe", &game, &records, "--json", "--tb", &folder]);
    assert_eq!((probed.code, probed.err.as_str()), (0, ""), "{probed:?}");
    assert_eq!(probed.answers()[0]["value"], "win");
    // Damage there is told, too, and a file that cannot be used.
    let path = format!("{folder}/vinegar/KRK.hxtb");
    let whole = std::fs::read(&path).unwrap();
    let mut bytes = whole.clone();
    let end = bytes.len() - 100;
    bytes[4096..end].iter_mut().for_each(|byte| *byte ^= 1);
    for (bytes, says) in [
        (&bytes[..], "are damaged (checksum); nothing is known there"),
        (&whole[..5000], "5000 bytes; expected"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let run = hexmate(&analyse);
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(run.err.matches(says).count(), 1, "{run:?}");
    }
}

/// What is advised for lack of a table can be done.
#[test]
fn how_to_build_is_told_where_it_can_be_done() {
    let (_place, game, folder, records) = from_file();
    let stats = |game: &str, material: &str, folder: &str| {
        hexmate(&["tb", "stats", game, material, "--tb", folder]).refused()
    };
    // Nobody can build for a game from a file by its name.
    let says = "'hexmate tb build FILE KBK' with the file of vinegar and the same folder builds it";
    let message = stats(&game, "KBK", &folder);
    assert!(message.contains(says), "{message}");
    let path = format!("{folder}/vinegar/KRK.hxtb");
    let mut bytes = std::fs::read(&path).unwrap();
    let end = bytes.len() - 100;
    bytes[4096..end].iter_mut().for_each(|byte| *byte ^= 1);
    std::fs::write(&path, bytes).unwrap();
    let says = "'hexmate tb build FILE KRK' with the file of vinegar and the same folder builds it";
    let message = stats(&game, "KRK", &folder);
    assert!(message.contains(says), "{message}");
    let run = hexmate(&["analyse", "--tb", &folder, "--nodes", "500", &records]);
    assert!(run.err.contains(says), "{run:?}");
    // What is no table is not replaced.
    std::fs::write(&path, "my notes").unwrap();
    let message = stats(&game, "KRK", &folder);
    assert!(
        message.contains("so it is not replaced") && !message.contains("tb build"),
        "{message}"
    );
    let message = stats(&game, "KRK", &format!("{folder}/nowhere"));
    assert!(message.contains("nowhere: no such folder"), "{message}");
}

/// No table is overwritten by the run that uses it, whatever its game.
#[test]
fn tables_in_use_are_not_overwritten() {
    let (_place, game, folder, records) = from_file();
    let path = format!("{folder}/vinegar/KRK.hxtb");
    let whole = std::fs::read(&path).unwrap();
    for more in [&[][..], &["--game", &game]] {
        let words = ["analyse", "--tb", &folder, &records, "--output", &path];
        let words = [&words[..], &["--force"], more].concat();
        let message = hexmate(&words).refused();
        assert!(message.contains("name the same file"), "{message}");
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
}
