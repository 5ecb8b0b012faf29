//! What is drawn on a terminal, and that nothing of it stays.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::run::{GLINSKI, command, hexmate};

/// A terminal with programs at work on it.
struct Terminal {
    /// What they write, piece by piece.
    pieces: Receiver<Vec<u8>>,
    /// All of it so far.
    text: String,
}

impl Terminal {
    /// A terminal so many characters wide, and its place for programs.
    fn new(columns: u16) -> (Terminal, File) {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let name = name.into_string().unwrap();
        let place = OpenOptions::new()
            .read(true)
            .write(true)
            .open(name)
            .unwrap();
        let size = Winsize {
            ws_row: 30,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&place, size).unwrap();
        let (sender, pieces) = channel();
        let mut master = File::from(master);
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            // An error is the end: no program has the terminal any more.
            while let Ok(length @ 1..) = master.read(&mut piece) {
                if sender.send(piece[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let text = String::new();
        (Terminal { pieces, text }, place)
    }

    fn wait_for(&mut self, text: &str) {
        while !self.text.contains(text) {
            let piece = self.pieces.recv().expect("programs write on");
            self.text += &String::from_utf8_lossy(&piece);
        }
    }

    /// The lines that are left when the last program has ended.
    fn lines(mut self) -> Vec<String> {
        for piece in self.pieces {
            self.text += &String::from_utf8_lossy(&piece);
        }
        let lines = self.text.split('\n').map(|line| {
            let line = line.trim_end_matches('\r');
            let last = line.rsplit_once('\r').map_or(line, |(_, last)| last);
            without_escapes(last).trim_end().to_owned()
        });
        lines.filter(|line| !line.is_empty()).collect()
    }
}

fn without_escapes(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain += before;
        let end = after.find(|c: char| c.is_ascii_alphabetic());
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    plain + rest
}

/// A program of which standard error, or all output, is a terminal of some kind.
fn begun(words: &[&str], kind: &str, all: bool) -> (Child, Terminal) {
    begun_on(120, words, kind, all)
}

/// The same on a terminal so many characters wide.
fn begun_on(columns: u16, words: &[&str], kind: &str, all: bool) -> (Child, Terminal) {
    let (terminal, place) = Terminal::new(columns);
    let mut command: Command = command(words);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.env("TERM", kind).stdin(Stdio::piped());
    command.stdout(match all {
        true => Stdio::from(place.try_clone().unwrap()),
        false => Stdio::piped(),
    });
    let child = command.stderr(place).spawn().unwrap();
    (child, terminal)
}

/// The summary stays, the bar does not.
#[test]
fn progress_comes_and_goes() {
    let (mut child, mut terminal) = begun(&["analyse", "--depth", "1"], "xterm", false);
    terminal.wait_for(" read ");
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{GLINSKI}").unwrap();
    drop(stdin);
    assert!(child.wait_with_output().unwrap().status.success());
    let lines = terminal.lines();
    let (last, others) = lines.split_last().unwrap();
    assert!(
        last.starts_with("hexmate: 1 position done, 0 bad"),
        "{lines:?}"
    );
    assert!(
        others.iter().all(|line| line.contains("worker")),
        "{lines:?}"
    );
}

/// The message of an interruption has a line of its own.
#[test]
fn an_interruption_takes_the_bar_away() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x").display().to_string();
    for (words, things) in [
        (
            "datagen glinski --games 1000000 --nodes 1 --threads 1",
            " games ",
        ),
        (
            "openings glinski --plies 3 --count 1000000 --balance 3000",
            " openings ",
        ),
    ] {
        let words: Vec<&str> = words.split(' ').chain(["--output", &output]).collect();
        let (mut child, mut terminal) = begun(&words, "xterm", false);
        terminal.wait_for(things);
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let lines = terminal.lines().concat();
        let begin = "hexmate: interrupted; ";
        assert!(lines.starts_with(begin), "{words:?}: {lines}");
    }
}

/// Before anything is done nobody knows.
#[test]
fn no_time_is_left_of_what_has_not_begun() {
    let (mut child, mut terminal) = begun(&["bench", "--depth", "30"], "xterm", false);
    terminal.wait_for("0 of ");
    child.kill().unwrap();
    child.wait().unwrap();
    let lines = terminal.lines();
    assert!(
        lines
            .iter()
            .all(|line| !line.contains("left") && !line.contains("/s")),
        "{lines:?}"
    );
}

/// A terminal that can draw nothing gets no progress, however long it takes.
#[test]
fn no_progress_on_dumb_terminals() {
    let (child, terminal) = begun(&["analyse", "--depth", "1"], "dumb", false);
    // Longer than it takes others to appear.
    std::thread::sleep(Duration::from_millis(1500));
    assert!(child.wait_with_output().unwrap().status.success());
    let lines = terminal.lines();
    assert!(
        lines.iter().all(|line| !line.contains(" read ")),
        "{lines:?}"
    );
}

/// For people: a board and words for one position, a line for each of many.
#[test]
fn answers_in_words() {
    let words = ["analyse", "--depth", "2", "--moves", "1. e5 e6"];
    let (mut child, terminal) = begun(&words, "dumb", true);
    assert!(child.wait().unwrap().success());
    let lines = terminal.lines();
    assert!(
        lines.iter().any(|line| line == "White to move"),
        "{lines:?}"
    );
    assert!(
        lines.iter().any(|line| line.starts_with("Best is 2. ")),
        "{lines:?}"
    );

    let (child, terminal) = begun(&["analyse", "--depth", "2"], "dumb", true);
    let lines = format!("{GLINSKI}; id \"first\"\n{{\"moves\":\"e1b4 g10h8 f3h2 h8i6\"}}\n");
    child
        .stdin
        .as_ref()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let lines = terminal.lines();
    let starts = |text: &str| lines.iter().filter(|line| line.starts_with(text)).count();
    assert_eq!((starts("position "), starts("first ")), (1, 1), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.contains("White mates in 1")),
        "{lines:?}"
    );
    assert!(
        lines.iter().all(|line| line.chars().count() <= 120),
        "{lines:?}"
    );
}

/// A list of answers keeps to the terminal's width, too, and nothing of the scores is cut off.
#[test]
fn lists_fit_narrow_terminals() {
    let words = ["analyse", "--depth", "2", "--wdl"];
    let (child, terminal) = begun_on(40, &words, "dumb", true);
    let line = r#"{"id":"a name","moves":"e1b4 g10h8 f3h2 h8i6"}"#;
    let mut stdin = child.stdin.as_ref().unwrap();
    writeln!(stdin, "{line}").unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let lines = terminal.lines();
    assert!(
        lines.iter().any(|line| line == "a name")
            && lines.iter().any(|line| line.contains("White mates in 1")),
        "{lines:?}"
    );
    let list = lines.iter().filter(|line| !line.starts_with("hexmate: "));
    for line in list {
        assert!(line.chars().count() <= 40, "{lines:?}");
    }
}

/// Reviews keep to the terminal's width, with the moves in a column of their own; elsewhere lines are as long as they
/// are.
#[test]
fn reviews_are_wrapped() {
    let moves: Vec<&str> = ["e1c3", "e10c6", "c3e1", "c6e10"].repeat(20);
    let game = format!(
        "[White \"{}\"]\n[Event \"{}\"]\n\n{} e1b4 g10h8 f3h2 h8i6 *\n",
        "Anna ".repeat(12),
        "Open ".repeat(20),
        moves.join(" ")
    );
    let words = [
        "review", "--nodes", "300", "--hash", "1", "--format", "text",
    ];
    for columns in [40, 60] {
        let (child, terminal) = begun_on(columns, &words, "dumb", true);
        child
            .stdin
            .as_ref()
            .unwrap()
            .write_all(game.as_bytes())
            .unwrap();
        assert!(child.wait_with_output().unwrap().status.success());
        let lines = terminal.lines();
        let widest = lines.iter().map(|line| line.chars().count()).max();
        assert!(widest <= Some(columns.into()), "{}", lines.join("\n"));
        let judged = lines.iter().position(|line| line.contains("blunder, "));
        let judged = judged.unwrap_or_else(|| panic!("{}", lines.join("\n")));
        assert!(
            lines[judged + 1].starts_with("    "),
            "{}",
            lines.join("\n")
        );
    }

    let whole = crate::run::hexmate_reading(&words, &game).success();
    assert!(
        whole.lines().any(|line| line.chars().count() > 80),
        "{whole}"
    );
}

#[test]
fn rules_are_wrapped() {
    let (mut child, terminal) = begun_on(60, &["games", "mccooey"], "xterm", true);
    assert!(child.wait().unwrap().success());
    let lines = terminal.lines();
    for line in &lines {
        let is_narrow = line.chars().count() <= 60 || line.starts_with("start: ");
        assert!(is_narrow, "{line}");
    }
    // What is on a pipe stays as it is, and is the same but for blanks.
    let whole = hexmate(&["games", "mccooey"]).success();
    assert!(
        whole.lines().any(|line| line.chars().count() > 80),
        "{whole}"
    );
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(words(&lines.join("\n")), words(&whole));
}

#[test]
fn colours_by_the_terminal() {
    for (kind, coloured) in [("xterm", true), ("dumb", false)] {
        let (mut child, mut terminal) = begun(&["show", "glinski"], kind, true);
        assert!(child.wait().unwrap().success());
        terminal.wait_for("White to move");
        assert_eq!(terminal.text.contains('\u{1b}'), coloured, "{kind}");
    }
}
