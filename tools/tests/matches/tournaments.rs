//! Swiss tournaments and knockouts as they are played: pairings, byes, tie-breaks, and the same games however many are
//! played at once or whenever the match is broken off.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tempfile::tempdir;

#[cfg(unix)]
use crate::run::{bad_engines, hexmate};
use crate::run::{final_table, games, good, text};

/// Engines that grow weaker.
fn engines(count: usize) -> String {
    let engine = |i: usize| format!("-engine cmd=internal name=e{i} nodes={}", 200 >> i);
    (0..count).map(|i| engine(i) + " ").collect()
}

fn players(game: &Value) -> BTreeSet<String> {
    let name = |side: &str| game[side].as_str().unwrap().to_owned();
    [name("white"), name("black")].into()
}

#[test]
fn a_swiss_tournament() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = format!(
        "match {} -tournament swiss -rounds 3 -maxmoves 30 -report file=r.html",
        engines(5)
    );
    let out = good(path, &format!("{words} -jsonl file=one"));
    let played = games(path, "one");
    // Two encounters of two games in each round.
    assert_eq!(played.len(), 3 * 2 * 2);
    let mut met = BTreeMap::new();
    for game in &played {
        *met.entry(players(game)).or_insert(0) += 1;
    }
    assert_eq!(met.len(), 6, "nobody meets twice: {met:?}");
    for pair in played.chunks(2) {
        assert_eq!(players(&pair[0]), players(&pair[1]));
        assert_eq!(pair[0]["white"], pair[1]["black"]);
    }
    for round in 1..=3 {
        let round = played.iter().filter(|game| game["round"] == round);
        let names: BTreeSet<String> = round.flat_map(players).collect();
        assert_eq!(names.len(), 4, "one has a bye");
    }
    let table = out.split("Swiss Name").nth(1).expect("a table");
    let byes: Vec<&str> = table
        .lines()
        .skip(1)
        .take(5)
        .filter_map(|line| line.split_whitespace().nth(3))
        .collect();
    assert_eq!(byes.iter().filter(|n| **n == "1").count(), 3, "{out}");
    assert!(text(path, "r.html").contains("Swiss table"));
    // The same games, whatever else is going on.
    good(path, &format!("{words} -concurrency 3 -jsonl file=three"));
    assert_eq!(text(path, "three"), text(path, "one"));
    let journal = format!("{words} -jsonl file=again -journal file=j --resume");
    good(path, &journal);
    let whole = text(path, "j");
    let kept: Vec<&str> = whole.lines().take(8).collect();
    std::fs::write(path.join("j"), kept.join("\n") + "\n").unwrap();
    good(path, &journal);
    assert_eq!(text(path, "again"), text(path, "one"));
}

#[test]
fn a_knockout_with_tie_breaks() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    // All games are drawn: every tie goes on until the seed decides.
    let drawn = format!(
        "match {} -tournament knockout -maxmoves 1 -jsonl file=g.jsonl append=false -report file=r.html",
        engines(3)
    );
    let out = good(path, &drawn);
    let all = games(path, "g.jsonl");
    assert_eq!(all.len(), 2 * (2 + 2 * 8), "{out}");
    assert!(out.contains("e0 has a bye"), "{out}");
    assert!(
        out.contains("after 8 tie-breaks, e1 wins as the better seed"),
        "{out}"
    );
    assert!(
        out.contains("Final:") && out.contains("Winner: e0"),
        "{out}"
    );
    assert!(text(path, "r.html").contains("Winner: e0"));
    // Each pair of a tie has an opening of its own.
    let opening = |game: &Value| {
        let moves = game["moves"].as_str().unwrap();
        moves.split(' ').take(8).collect::<Vec<_>>().join(" ")
    };
    let openings: BTreeSet<String> = all.iter().map(opening).collect();
    assert_eq!(openings.len(), 2 * 9);
    // Played to the end, the strong engine wins.
    let strong =
        "-engine cmd=internal name=weak nodes=2 -engine cmd=internal name=strong nodes=1500";
    let out = good(
        path,
        &format!("match -variant mccooey {strong} -tournament knockout"),
    );
    assert!(out.contains("Winner: strong"), "{out}");
}

/// Points of games that an engine did not play are in the Swiss table, not in the standing: that is said.
#[cfg(unix)]
#[test]
fn points_of_games_that_were_not_played_are_told() {
    let folder = tempdir().unwrap();
    let words = format!(
        "match -engine cmd={}/crashes.sh name=bad nodes=1 {} -tournament swiss -maxmoves 3 -report file=r.html",
        bad_engines().display(),
        engines(2)
    );
    let run = hexmate(folder.path(), &words);
    assert!(run.err.contains("not played: bad"), "{run:?}");
    let told =
        "Points include those of byes, and of games that were not played because an engine was out";
    assert!(run.out.contains(told), "{run:?}");
    assert!(text(folder.path(), "r.html").contains(told));
    // Where all play, nothing is said of it.
    let out = good(
        folder.path(),
        &format!("match {} -tournament swiss -maxmoves 3", engines(2)),
    );
    assert!(!out.contains("Points include"), "{out}");
}

/// An engine that is out loses its ties without playing them.
#[cfg(unix)]
#[test]
fn whoever_is_out_is_passed_by() {
    let folder = tempdir().unwrap();
    let words = format!(
        "match -engine cmd={}/crashes.sh name=bad nodes=1 {} -tournament knockout -maxmoves 3 -games 4",
        bad_engines().display(),
        engines(2)
    );
    let run = hexmate(folder.path(), &words);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("3 games were not played"), "{run:?}");
    // The first seed has a bye and crashes in the final.
    assert!(run.out.contains("bad 0.0 : 4.0 e"), "{run:?}");
    let first = final_table(&run.out).lines().nth(1).unwrap();
    assert!(first.starts_with("   1 e"), "{run:?}");
}
