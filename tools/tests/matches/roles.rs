//! No file of a match has two roles: what would be overwritten is as it was.
#![cfg(unix)]

use std::os::unix::fs::symlink;

use tempfile::tempdir;

use crate::run::{good, refused, text};

const DUEL: &str = "match -engine cmd=internal name=a nodes=20 -engine cmd=internal name=b nodes=10 -rounds 1 -maxmoves 3";
const WRITTEN: [&str; 6] = [
    "-journal", "-pgnout", "-jsonl", "-epdout", "-report", "-log",
];

/// A file that is read is not written, by whichever option, and whatever it is called there.
#[test]
fn what_is_read_is_not_written() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let book = good(path, "openings glinski --count 2");
    let weights = include_str!("../../../engine/weights/tuned.txt");
    let files = [
        ("book.epd", book.as_str(), "-openings file=book.epd"),
        ("c.toml", "event = \"x\"\n", "-config file=c.toml"),
        ("w.txt", weights, "-each option.Weights=w.txt"),
        ("v.txt", weights, "-each option.evalfile=v.txt"),
        ("e.sh", "#!/bin/sh\n", "-engine cmd=./e.sh name=c nodes=1"),
    ];
    std::fs::create_dir(path.join("in")).unwrap();
    for (name, content, words) in files {
        std::fs::write(path.join(name), content).unwrap();
        symlink(path.join(name), path.join("in/soft")).unwrap();
        std::fs::hard_link(path.join(name), path.join("hard")).unwrap();
        let role = words.split(['=', ' ']).next_back().unwrap();
        let role = if name == "e.sh" { "name=c cmd" } else { role };
        for option in WRITTEN {
            for alias in [name, "in/soft", "hard"] {
                let message = refused(path, &format!("{DUEL} {words} {option} file={alias}"));
                for part in [role, option, alias, "same file"] {
                    assert!(message.contains(part), "{option} {alias}: {message}");
                }
                assert_eq!(text(path, name), content, "{option} {alias}");
            }
        }
        std::fs::remove_file(path.join("in/soft")).unwrap();
        std::fs::remove_file(path.join("hard")).unwrap();
    }
}

/// Two files that are written are two, even while neither is there yet.
#[test]
fn nothing_is_written_twice() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    symlink("new", path.join("soft")).unwrap();
    for (i, first) in WRITTEN.iter().enumerate() {
        for second in &WRITTEN[i + 1..] {
            for alias in ["new", "./new", "soft"] {
                let words = format!("{DUEL} {first} file=new {second} file={alias}");
                let message = refused(path, &words);
                assert!(
                    message.contains(first) && message.contains(second),
                    "{message}"
                );
            }
        }
    }
    assert!(!path.join("new").exists());
}

/// Writing to devices twice destroys nothing.
#[test]
fn devices_may_be_named_twice() {
    let folder = tempdir().unwrap();
    let words = "-pgnout file=/dev/null -jsonl file=/dev/null -epdout file=/dev/null -log file=/dev/null -report file=/dev/null";
    good(folder.path(), &format!("{DUEL} {words}"));
}
