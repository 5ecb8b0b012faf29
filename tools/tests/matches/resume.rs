//! Matches that are killed go on with `--resume` as if nothing had happened.

use std::time::Duration;

use tempfile::tempdir;

use crate::run::{command, final_table, games, good, refused, text};

const MATCH: &str = "match -variant mccooey -engine cmd=internal name=a nodes=150 -engine cmd=internal name=b nodes=80 -engine cmd=internal name=c nodes=40 -rounds 4 -concurrency 2 -srand 5 -jsonl file=g.jsonl -epdout file=g.epd";
const JOURNAL: &str = "-journal file=run.journal --resume";

/// Killed at several moments, a match ends with the files and the table of an undisturbed one. The
/// script `tools/tests/kill_and_resume.sh` does the same fifty times.
#[test]
fn killed_and_resumed() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let out = good(path, MATCH);
    let undisturbed = (
        text(path, "g.jsonl"),
        text(path, "g.epd"),
        final_table(&out).to_owned(),
    );
    let words = format!("{MATCH} {JOURNAL}");
    let words: Vec<&str> = words.split_whitespace().collect();
    for wait in [1, 40, 90, 20, 150, 60] {
        let mut running = command(path, &words).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        // It may have ended by itself: that is a moment like any other.
        let _ = running.kill();
        running.wait().unwrap();
    }
    let out = good(path, &format!("{MATCH} {JOURNAL}"));
    assert_eq!(final_table(&out), undisturbed.2);
    assert_eq!(text(path, "g.jsonl"), undisturbed.0);
    assert_eq!(text(path, "g.epd"), undisturbed.1);
    let journal = text(path, "run.journal");
    assert_eq!(journal.lines().count(), 1 + 24, "each game is kept once");
}

/// Whatever part of the last line was written, the games before it count and no other does.
#[test]
fn torn_lines() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = "match -engine cmd=internal name=a nodes=30 -engine cmd=internal name=b nodes=20 -rounds 3 -maxmoves 12 -jsonl file=g.jsonl -journal file=j --resume";
    let out = good(path, words);
    let (whole, table) = (text(path, "g.jsonl"), final_table(&out).to_owned());
    let journal = std::fs::read(path.join("j")).unwrap();
    let ends: Vec<usize> = (0..journal.len())
        .filter(|&i| journal[i] == b'\n')
        .collect();
    let cuts = [
        0,
        1,
        ends[0],
        ends[0] + 1,
        ends[1] - 1,
        ends[2] + 7,
        ends[5],
        ends[6],
    ];
    for cut in cuts {
        std::fs::write(path.join("j"), &journal[..cut]).unwrap();
        let out = good(path, words);
        assert_eq!(text(path, "g.jsonl"), whole, "cut at {cut}");
        assert_eq!(final_table(&out), table, "cut at {cut}");
        assert_eq!(text(path, "j").lines().count(), 7, "cut at {cut}");
    }
}

#[test]
fn journals_are_not_mixed_up() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let engines = "-engine cmd=internal name=a nodes=20 -engine cmd=internal name=b nodes=10";
    let base = format!("match {engines} -maxmoves 10 -journal file=j -jsonl file=g.jsonl");
    good(path, &format!("{base} -rounds 2"));
    let message = refused(path, &format!("{base} -rounds 2"));
    assert!(
        message.contains("4 finished games") && message.contains("--resume"),
        "{message}"
    );
    let message = refused(path, &format!("{base} -rounds 2 --resume -srand 99"));
    assert!(message.contains("-srand was 1, and is 99"), "{message}");
    let other = base.replace("nodes=10", "nodes=11");
    let message = refused(path, &format!("{other} --resume"));
    assert!(message.contains("-engine 2 was"), "{message}");
    // More rounds go on from what there is.
    good(path, &format!("{base} -rounds 3 --resume"));
    assert_eq!(games(path, "g.jsonl").len(), 6);
    let mut broken = text(path, "j").replace("\"game\":2,", "\"game\":two,");
    broken.push('\n');
    std::fs::write(path.join("j"), broken).unwrap();
    let message = refused(path, &format!("{base} --resume"));
    assert!(message.contains("line 3"), "{message}");
}

/// A sequential test that was decided stays decided.
#[test]
fn decided_is_decided() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = "match -variant mccooey -engine cmd=internal name=a nodes=2000 -engine cmd=internal name=b nodes=30 -rounds 300 -concurrency 3 -sprt elo0=0 elo1=300 -jsonl file=g.jsonl -journal file=j --resume";
    let first = good(path, words);
    let (table, played) = (final_table(&first).to_owned(), text(path, "g.jsonl"));
    assert!(table.contains("was accepted"), "{table}");
    let again = good(path, words);
    assert_eq!(final_table(&again), table);
    assert_eq!(text(path, "g.jsonl"), played);
    assert!(!again.contains("Started game"), "{again}");
}
