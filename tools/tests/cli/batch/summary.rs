//! What a run says at its end, and when it is interrupted.

use super::{Folder, positions, run};
use crate::run::{GLINSKI, hexmate};

#[test]
fn the_last_line() {
    let folder = Folder::new();
    let input = folder.write("in", format!("{GLINSKI}\nx\n"));
    let words = ["--depth", "1", &input];
    let told = run(&words);
    let says = "hexmate: 2 positions done, 1 bad, ";
    assert!(told.summary.starts_with(says), "{told:?}");
    assert!(told.summary.ends_with(" a second\n"), "{told:?}");
    assert_eq!(run(&[&words[..], &["--quiet"]].concat()).summary, "");
    // One position has an answer that says it all.
    for format in ["text", "jsonl"] {
        let words = [
            "analyse", "--depth", "1", "--format", format, "--fen", GLINSKI,
        ];
        let one = hexmate(&words);
        assert_eq!(one.summary, "", "{one:?}");
    }
    let output = folder.text("out");
    let journal = folder.text("j");
    let words = [&words[..], &["--output", &output, "--journal", &journal]].concat();
    run(&words);
    let again = run(&[&words[..], &["--resume"]].concat());
    let says = "2 positions done (2 of them in an earlier run), 1 bad";
    assert!(again.summary.contains(says), "{again:?}");
}

/// Ctrl-C ends a run with what to do next, and what is printed are whole lines.
#[cfg(unix)]
#[test]
fn interrupted() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    use rustix::process::{Pid, Signal, kill_process};

    let folder = Folder::new();
    let input = folder.write("my positions", positions(400).join("\n"));
    let words = ["analyse", "--nodes", "5000", "--hash", "1", &input];
    let begun = |more: &[&str]| {
        let mut command = crate::run::command(&[&words[..], more].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let interrupt = |child: &std::process::Child| {
        kill_process(Pid::from_child(child), Signal::TERM).unwrap();
    };

    let mut child = begun(&[]);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    out.read_line(&mut text).unwrap();
    interrupt(&child);
    out.read_to_string(&mut text).unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(
        text.ends_with("}\n") && text.lines().count() < 400,
        "{text}"
    );
    assert!(
        err.starts_with("hexmate: interrupted: ") && err.contains("--journal"),
        "{err}"
    );

    let output = folder.text("out.jsonl");
    let child = begun(&["--output", &output, "--force"]);
    let journal = folder.path("out.jsonl.journal");
    let holds = || std::fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 3);
    while !holds() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    interrupt(&child);
    let ended = child.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{err}");
    assert_eq!(folder.names(), ["my positions", "out.jsonl.journal"]);
    // The command that is told does go on.
    let (_, again) = err.trim_end().split_once("to go on: ").unwrap();
    assert!(
        again.ends_with("--resume") && !again.contains("--force"),
        "{err}"
    );
    let mut shell = std::process::Command::new("sh");
    let ended = shell
        .args(["-c", again])
        .current_dir(crate::run::root())
        .output()
        .unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{err}");
    assert!(
        err.contains("400 positions done (") && err.contains("in an earlier run"),
        "{err}"
    );
    assert_eq!(folder.read("out.jsonl").lines().count(), 400);
    assert_eq!(folder.names(), ["my positions", "out.jsonl"]);
}
