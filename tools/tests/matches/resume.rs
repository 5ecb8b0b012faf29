//! Matches that are killed go on with `--resume` as if nothing had happened.

use std::time::Duration;

use hexmate_movegen::Simd;
use serde_json::Value;
use tempfile::tempdir;

#[cfg(unix)]
use crate::run::bad_engines;
use crate::run::{command, final_table, games, good, hexmate, refused, text};

const MATCH: &str = "match -variant mccooey -engine cmd=internal name=a nodes=150 -engine cmd=internal name=b nodes=80 -engine cmd=internal name=c nodes=40 -rounds 4 -concurrency 2 -srand 5 -jsonl file=g.jsonl append=false -epdout file=g.epd append=false";
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
    let words = "match -engine cmd=internal name=a nodes=30 -engine cmd=internal name=b nodes=20 -rounds 3 -maxmoves 12 -jsonl file=g.jsonl append=false -journal file=j --resume";
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
    for word in ["-noswap", "-reverse"] {
        let message = refused(path, &format!("{base} -rounds 2 --resume {word}"));
        let told = format!("{word} was absent, and is true");
        assert!(message.contains(&told), "{message}");
    }
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

/// A bit that is flipped anywhere is seen: the games are the same in the end, or the journal is refused.
#[test]
fn damaged_journals() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = "match -variant mccooey -engine cmd=internal name=a nodes=30 -engine cmd=internal name=b nodes=20 -rounds 2 -maxmoves 12 -jsonl file=g.jsonl -pgnout file=g.pgn -journal file=j --resume";
    let out = good(path, words);
    let (whole, table) = (text(path, "g.jsonl"), final_table(&out).to_owned());
    let journal = std::fs::read(path.join("j")).unwrap();
    let last_line = journal[..journal.len() - 1]
        .iter()
        .rposition(|&b| b == b'\n')
        .unwrap();
    let (mut told, mut played_again) = (0, 0);
    for i in 0..40 {
        let mut damaged = journal.clone();
        let at = i * journal.len() / 40 + i % 3;
        damaged[at] ^= 1 << (i % 7);
        std::fs::write(path.join("j"), &damaged).unwrap();
        let run = hexmate(path, words);
        match run.code {
            Some(0) => {
                assert!(at >= last_line, "byte {at}: {run:?}");
                assert_eq!(text(path, "g.jsonl"), whole, "byte {at}");
                assert_eq!(final_table(&run.out), table, "byte {at}");
                played_again += 1;
            }
            _ => {
                assert_eq!(run.code, Some(2), "byte {at}: {run:?}");
                let unchanged = std::fs::read(path.join("j")).unwrap() == damaged;
                assert!(unchanged, "byte {at}: {run:?}");
                told += 1;
            }
        }
    }
    assert!(told > 0 && played_again > 0);
    // The line is named, and what to do about it.
    let mut damaged = journal.clone();
    damaged[last_line - 9] ^= 1;
    std::fs::write(path.join("j"), &damaged).unwrap();
    let message = refused(path, words);
    assert!(message.contains("j: line 4 is damaged"), "{message}");
    let text_of_it = String::from_utf8_lossy(&damaged).into_owned();
    let mut lines: Vec<&str> = text_of_it.split_inclusive('\n').collect();
    lines.remove(3);
    std::fs::write(path.join("j"), lines.concat()).unwrap();
    good(path, words);
    assert_eq!(text(path, "g.jsonl"), whole);
}

/// Games are not lost without a word because their lines are damaged, and the ends of lines of Windows are no damage.
#[test]
fn journals_with_nothing_but_damaged_lines() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = "match -engine cmd=internal name=a nodes=20 -engine cmd=internal name=b nodes=10 -rounds 2 \
                 -maxmoves 3 -ratinginterval 0 -journal file=j";
    let out = good(path, words);
    let journal = text(path, "j");
    std::fs::write(path.join("j"), journal.replace('\n', "\r\n")).unwrap();
    let again = good(path, &format!("{words} --resume"));
    assert!(again.contains("Resumed with 4 finished games"), "{again}");
    assert_eq!(final_table(&again), final_table(&out));
    let mut lines: Vec<String> = journal.lines().map(|line| format!("{line}\n")).collect();
    for line in &mut lines[1..] {
        line.insert(0, '!');
    }
    let refuse = |lines: &[String], cases: &[(&str, &str)]| {
        for (more, told) in cases {
            std::fs::write(path.join("j"), lines.concat()).unwrap();
            let message = refused(path, &format!("{words} {more}"));
            assert!(message.contains(told), "{message}");
            assert_eq!(text(path, "j"), lines.concat());
        }
    };
    let told = "lines 2, 3, 4, 5 are damaged; delete them";
    refuse(
        &lines,
        &[("", told), ("--resume", told), ("-srand 9", told)],
    );
    let cases = [
        ("", "0 finished games and a damaged line"),
        ("--resume -srand 9", "-srand was 1, and is 9"),
    ];
    refuse(&lines[..2], &cases);
    // A last line alone is played again.
    good(path, &format!("{words} --resume"));
    assert_eq!(text(path, "j").lines().count(), 5);
}

/// A journal is a file, and a file of something else is left alone.
#[cfg(unix)]
#[test]
fn what_is_no_journal() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = "match -engine cmd=internal name=a nodes=20 -engine cmd=internal name=b nodes=10 -maxmoves 10 -rounds 1 -journal file=";
    for device in ["/dev/full", "/dev/zero", "/dev/null"] {
        for resume in ["", " --resume"] {
            let message = refused(path, &format!("{words}{device}{resume}"));
            assert!(message.contains("is not a regular file"), "{message}");
        }
    }
    for other in ["something else", "something else\n", "{}\n", "{\"hexmate"] {
        std::fs::write(path.join("j"), other).unwrap();
        let is_begun = other == "{\"hexmate";
        let run = hexmate(path, &format!("{words}j"));
        assert_eq!(run.code, Some(if is_begun { 0 } else { 2 }), "{run:?}");
        assert!(is_begun || text(path, "j") == other);
    }
    // A match that ended before its first game has nothing to go on with.
    let header = text(path, "j").lines().next().unwrap().to_owned() + "\n";
    std::fs::write(path.join("j"), header).unwrap();
    good(path, &format!("{words}j -srand 7"));
}

/// A book, weights or programs with other contents under the same names are another match.
#[cfg(unix)]
#[test]
fn files_count_by_what_they_hold() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
    let weights = include_str!("../../../engine/weights/tuned.txt");
    let book = good(path, "openings glinski --count 4");
    let script = std::fs::read_to_string(bad_engines().join("illegal.sh")).unwrap();
    let script = script.replace("${0%/*}", &bad_engines().display().to_string());
    let contents = [
        ("b.epd", &*book, format!("# the same lines\n{book}")),
        ("w.txt", weights, format!("{weights}\n# other weights\n")),
        ("e.sh", &script, format!("{script}\n# built anew\n")),
    ];
    for (name, before, _) in &contents {
        write(name, before);
    }
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(path.join("e.sh"), mode).unwrap();
    let engines = "-engine cmd=internal name=a nodes=20 option.Weights=w.txt -engine cmd=./e.sh name=b nodes=10";
    let words = format!(
        "match {engines} -openings file=b.epd -rounds 2 -maxmoves 10 -journal file=j -jsonl file=g.jsonl"
    );
    good(path, &words);
    let words = format!("{words} --resume");
    let (played, journal) = (text(path, "g.jsonl"), text(path, "j"));
    let said = [
        "-openings",
        "option.Weights of -engine 1",
        "program of -engine 2",
    ];
    for ((name, before, after), what) in contents.iter().zip(said) {
        write(name, after);
        let message = refused(path, &words);
        assert!(
            message.contains("another match") && message.contains(what),
            "{message}"
        );
        assert_eq!(
            (text(path, "g.jsonl"), text(path, "j")),
            (played.clone(), journal.clone())
        );
        write(name, before);
        good(path, &words);
    }
    // So does another engine of ours.
    let other = journal.replacen("\"hexmate\":\"\\\"0", "\"hexmate\":\"\\\"1", 1);
    assert_ne!(journal, other);
    write("j", &other);
    let message = refused(path, &words);
    assert!(message.contains("hexmate was"), "{message}");
}

/// A match that is refused leaves the log of the one before as it was, and one that goes on adds to it.
#[cfg(unix)]
#[test]
fn logs_are_not_lost() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let bad = bad_engines();
    let words = format!(
        "match -engine cmd=internal name=a nodes=20 -engine cmd={}/illegal.sh name=b nodes=10 -journal file=j -log file=log",
        bad.display()
    );
    good(path, &format!("{words} -rounds 1"));
    let log = text(path, "log");
    assert!(log.contains("game 1: Black makes an illegal move"), "{log}");
    refused(path, &format!("{words} -rounds 1"));
    refused(path, &format!("{words} -rounds 1 -srand 9 --resume"));
    assert_eq!(text(path, "log"), log);
    good(path, &format!("{words} -rounds 2 --resume"));
    let longer = text(path, "log");
    assert!(longer.starts_with(&log), "{longer}");
    assert!(longer.contains("game 4: "), "{longer}");
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

/// On another machine a match goes on as it began, with the same random openings.
#[test]
fn resumed_with_another_backend() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = "match -engine cmd=internal name=a nodes=20 -engine cmd=internal name=b nodes=10 -maxmoves 4 -srand 5 -jsonl file=g.jsonl append=false -journal file=j --resume";
    let play = |simd: Simd, rounds: usize| {
        let words = format!("{words} -rounds {rounds}");
        let words: Vec<&str> = words.split(' ').collect();
        let mut command = command(path, &words);
        command.env("HEXMATE_SIMD", simd.to_string());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{simd}: {output:?}");
        games(path, "g.jsonl")
    };
    let moves = |games: &[Value]| {
        games
            .iter()
            .map(|g| g["moves"].to_string())
            .collect::<Vec<_>>()
    };
    let portable = play(Simd::Portable, 3);
    for simd in Simd::available() {
        std::fs::remove_file(path.join("j")).unwrap();
        play(Simd::Portable, 1);
        assert_eq!(moves(&play(simd, 3)), moves(&portable), "{simd}");
    }
}
