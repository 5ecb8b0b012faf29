//! Streams that never end, are closed, or full: input without an end, readers that go away.

use std::fs::{self, File};

use crate::run::{GLINSKI, Run, TempFile, command, hexmate, hexmate_reading, unread};

/// What has no end is not read into memory, and not for ever.
#[cfg(target_os = "linux")]
#[test]
fn endless_devices() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("weights").display().to_string();
    let zero = "/dev/zero";
    for (words, reason) in [
        (
            &["analyse", zero][..],
            "line 1 has more than 268435456 bytes",
        ),
        (&["review", zero], "line 1 has more than 268435456 bytes"),
        (&["convert", zero], "line 1 has more than 268435456 bytes"),
        (
            &["suite", "--game", "glinski", zero],
            "line 1 has more than 268435456 bytes",
        ),
        (
            &["tune", "glinski", "--data", zero, "--output", &weights],
            "not a regular file",
        ),
        (
            &["analyse", "--cache", zero, "/dev/null"],
            "is not a regular file",
        ),
    ] {
        let run = hexmate(words);
        assert_eq!(run.code, 2, "{words:?}: {run:?}");
        assert!(run.err.contains(reason), "{words:?}: {run:?}");
    }
}

/// A suite needs not be a file: its lines are taken as they come.
#[cfg(unix)]
#[test]
fn a_suite_from_a_pipe() {
    let lines = format!("{GLINSKI} ;D1 51\n").repeat(5000);
    let run = hexmate_reading(&["suite", "--game", "glinski", "/dev/stdin"], lines);
    assert_eq!(run.success(), "5000 passed, 0 failed\n");
}

/// Nobody waits for the next line, nor loses what is known by an interruption.
#[cfg(unix)]
#[test]
fn a_suite_tells_each_line_at_once() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    use rustix::process::{Pid, Signal, kill_process};

    for json in [&[][..], &["--json"]] {
        let words = [&["suite", "-", "--game", "glinski"], json].concat();
        let mut command = command(&words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        for (count, says) in [(50, "50"), (49, "49")] {
            writeln!(input, "{GLINSKI} ;D1 {count}").unwrap();
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            assert!(line.contains(says) && line.contains("51"), "{line}");
        }
        // A count that never comes to an end.
        writeln!(input, "{GLINSKI} ;D1 51 ;D20 1").unwrap();
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let run = Run::new(child.wait_with_output().unwrap());
        let says = "hexmate: interrupted; 0 passed, 2 failed before that\n";
        assert_eq!((run.code, &*run.err), (130, says), "{run:?}");
    }
}

/// Hang-ups under `nohup`, and Ctrl-C at a script that runs the program with `&`.
#[cfg(target_os = "linux")]
#[test]
fn what_the_parent_ignores_stays_ignored() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    use rustix::process::{Pid, Signal, kill_process};

    let script = r#"trap "" INT HUP; exec "$0" suite - --game glinski"#;
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_hexmate")]);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = shell.stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    for signal in [Signal::INT, Signal::HUP, Signal::TERM] {
        writeln!(input, "{GLINSKI} ;D1 50").unwrap();
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert!(line.contains("found 51"), "before {signal:?}: {line}");
        kill_process(Pid::from_child(&child), signal).unwrap();
    }
    let run = Run::new(child.wait_with_output().unwrap());
    let says = "hexmate: interrupted; 0 passed, 3 failed before that\n";
    assert_eq!((run.code, &*run.err), (130, says), "{run:?}");
}

/// What cannot be continued leaves nothing behind, and says so.
#[cfg(unix)]
#[test]
fn an_interrupted_file_goes_away() {
    use std::process::Stdio;

    use rustix::process::{Pid, Signal, kill_process};

    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("games").display().to_string();
    let part = folder.path().join("games.part");
    let datagen = "datagen glinski --games 1000000 --nodes 1 --threads 1 --output";
    let openings = "openings glinski --plies 3 --count 1000000 --balance 3000 --output";
    for words in [datagen, openings] {
        let words: Vec<&str> = words.split(' ').chain([&*output]).collect();
        let mut command = command(&words);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        while !fs::metadata(&part).is_ok_and(|part| part.len() > 0) {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        let run = Run::new(child.wait_with_output().unwrap());
        let says = format!("hexmate: interrupted; {output} is not written\n");
        assert_eq!((run.code, &*run.err), (130, &*says), "{run:?}");
        assert!(!part.exists());
    }
}

/// What nobody can send is not taken for an empty input.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_input() {
    for words in ["uci", "analyse", "analyse -", "analyse x.epd -", "convert"] {
        let script = format!("exec \"$0\" {words} <&-");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_hexmate")]);
        let run = Run::new(shell.output().unwrap());
        let says = "hexmate: standard input is closed; expected what is to be read\n";
        assert_eq!((run.code, &*run.err), (2, says), "{words}: {run:?}");
    }
}

/// Results that nobody can receive are no success.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output() {
    let file = TempFile::new("glinski.epd", format!("{GLINSKI} ;D1 51\n"));
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out").display().to_string();
    let through = |redirection: &str, words: &[&str]| {
        let script = format!("exec \"$0\" \"$@\" {redirection}");
        let program = env!("CARGO_BIN_EXE_hexmate");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script, program]).args(words);
        let output = shell.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), err)
    };
    let input = file.text();
    let analyse = ["analyse", "--depth", "1", "--quiet", &input];
    for words in [
        &analyse[..],
        &["suite", &input],
        &["review", "--nodes", "1", &input],
        &["convert", &input],
        &["moves", "glinski"],
        &["games"],
        &["perft", "glinski", "1"],
        &["bench", "--depth", "1"],
        &["uci"],
        &["--version"],
    ] {
        let (code, err) = through(">&-", words);
        assert_eq!(code, Some(2), "{words:?}: {err}");
        assert!(
            err.contains("standard output is closed"),
            "{words:?}: {err}"
        );
    }
    let (code, err) = through("1</dev/null", &analyse);
    assert_eq!(code, Some(2));
    assert!(err.contains("standard output can only be read"), "{err}");
    // Whoever wants no results, or has another place for them, gets what he wants.
    for redirection in [">/dev/null", "1<>/dev/null"] {
        assert_eq!(through(redirection, &analyse), (Some(0), String::new()));
    }
    let words = [&analyse[..], &["--output", &output]].concat();
    assert_eq!(through(">&-", &words), (Some(0), String::new()));
    assert!(fs::read_to_string(&output).unwrap().contains("bestmove"));
}

/// A disk that is full, behind `--output` and behind standard output.
#[cfg(target_os = "linux")]
#[test]
fn full_disks() {
    let arguments = ["analyse", "--depth", "1", "--output", "/dev/full"];
    let message = hexmate_reading(&arguments, GLINSKI).refused();
    assert!(message.contains("cannot be written"), "{message}");

    let position = TempFile::new("glinski.epd", format!("{GLINSKI} ;D1 51\n"));
    let path = position.text();
    for arguments in [
        &["analyse", "--depth", "1", &path][..],
        &["games"],
        &["games", "chromatic3", "--json"],
        &["perft", "glinski", "1"],
        &["perft", "glinski", "1", "--divide"],
        &["moves", "glinski"],
        &["suite", &path],
        &["show", "glinski"],
        &["spsa", "--list"],
        &["--help"],
        &["--version"],
        &["help", "analyse"],
    ] {
        let mut command = command(arguments);
        command.stdout(File::options().write(true).open("/dev/full").unwrap());
        let output = command.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.starts_with("hexmate: "), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    }
}

/// What is full is named: the output, not an input.
#[cfg(target_os = "linux")]
#[test]
fn full_disks_are_named() {
    let datagen = "datagen glinski --games 1 --nodes 10 --output /dev/full";
    let openings = "openings glinski --count 2000 --plies 2 --balance 3000 --output /dev/full";
    let wrong = TempFile::new("glinski.epd", format!("{GLINSKI} ;D1 52\n"));
    let convert = format!("convert {} --output /dev/full", wrong.text());
    for words in [datagen, openings, &convert] {
        let words: Vec<&str> = words.split(' ').collect();
        let message = hexmate(&words).refused();
        assert!(message.starts_with("hexmate: /dev/full: "), "{message}");
    }
    let tables = tempfile::tempdir().unwrap();
    let tables = tables.path().to_str().unwrap();
    hexmate(&["tb", "build", "minihexchess", "KRK", "--tb", tables]).success();
    let games = TempFile::new("g.pgn", "1. e5 e6 *\n\n1. e5 d6 *\n");
    let games = games.text();
    let ended = TempFile::new("d.txt", crate::tuning::games("", &[0, 2, 4]));
    let ended = ended.text();
    for words in [
        &["suite", &wrong.text()][..],
        &["suite", &wrong.text(), "--json"],
        &["games"],
        &["games", "--json"],
        &["games", "glinski"],
        &["games", "check", "glinski"],
        &["bench", "--depth", "1"],
        &["moves", "glinski"],
        &["show", "glinski"],
        &["perft", "glinski", "1"],
        &["perft", "glinski", "1", "--json"],
        &["completions", "bash"],
        &["match", "-help"],
        &["man"],
        &["tb", "folder"],
        &["tb", "build", "minihexchess", "KRK", "--tb", tables],
        &[
            "tb",
            "build",
            "minihexchess",
            "KBK",
            "--tb",
            tables,
            "--dry-run",
        ],
        &["tb", "verify", "minihexchess", "--tb", tables],
        &["tb", "stats", "minihexchess", "KRK", "--tb", tables],
        &["tb", "probe", "minihexchess", "--fen", ROOK, "--tb", tables],
        &["convert", &wrong.text()],
        &["convert", &games],
        &["convert", &games, "--to", "moves", "--output", "-"],
        &["review", &games, "--nodes", "5", "--format", "jsonl"],
        &["review", &games, "--nodes", "5", "--format", "text"],
        &["review", &games, "--nodes", "5", "--format", "pgn"],
        &["wdl", "glinski", "--data", &ended],
        &["board", "--no-open"],
    ] {
        let mut command = command(words);
        command.stdout(File::options().write(true).open("/dev/full").unwrap());
        let message = command.output().unwrap().stderr;
        let message = String::from_utf8_lossy(&message);
        let expected = "hexmate: standard output cannot be written: No space";
        assert!(message.starts_with(expected), "{words:?}: {message}");
    }
}

/// What may grow no further (`ulimit -f`) is full, too, and leaves nothing half written.
#[cfg(target_os = "linux")]
#[test]
fn files_that_may_grow_no_further() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("book.epd").display().to_string();
    let script =
        r#"ulimit -c 0; ulimit -f 2; exec "$0" openings glinski --count 300 --output "$1""#;
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_hexmate"), &output]);
    let run = Run::new(shell.output().unwrap());
    assert_eq!(run.code, 2, "{run:?}");
    let says = format!("hexmate: {output}: the book cannot be written: File too large");
    assert!(run.err.starts_with(&says), "{run:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A journal that cannot be begun is named once.
#[cfg(target_os = "linux")]
#[test]
fn a_journal_without_room_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    let position = TempFile::new("glinski.epd", GLINSKI);
    let analyse = format!("analyse {} --nodes 5 --output out", position.text());
    let duel =
        "match -engine cmd=internal name=a nodes=5 -engine cmd=internal name=b nodes=5 -rounds 1";
    let duel = format!("{duel} -maxmoves 2 -journal file=match.journal");
    let spsa = "spsa glinski --param all --pairs 2 --batch 2 --nodes 5 --journal spsa.journal";
    for (words, name) in [
        (&*analyse, "out.journal"),
        (&duel, "match.journal"),
        (spsa, "spsa.journal"),
    ] {
        let script = format!("trap '' XFSZ; ulimit -f 0; exec \"$0\" {words}");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_hexmate")]);
        let run = Run::new(shell.current_dir(folder.path()).output().unwrap());
        assert_eq!(run.code, 2, "{run:?}");
        let says = format!("{name}: the journal cannot be written: File too large");
        assert!(run.err.contains(&says), "{run:?}");
        assert_eq!(run.err.matches(name).count(), 1, "{run:?}");
    }
}

/// Rook and king against king, in minihexchess.
#[cfg(target_os = "linux")]
const ROOK: &str = "1/3/5/7/2k4/7/K2R3 w - - 0 1";

/// Files that are asked for are written whoever reads what is printed, or it is said that they are not.
#[test]
fn a_closed_pipe_beside_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("g.pgn"), "1. e5 e6 *\n\n1. e5 d6 *\n").unwrap();
    fs::write(path("p.epd"), GLINSKI).unwrap();
    let (game, html, svg) = (path("g.pgn"), path("page.html"), path("plots"));
    let words = [
        "review", "--depth", "1", &game, "--html", &html, "--svg", &svg,
    ];
    let run = unread(&words);
    assert_eq!((run.code, &*run.err), (0, ""));
    assert!(
        fs::read_to_string(&html)
            .unwrap()
            .contains("Review of 2 games")
    );
    assert!(folder.path().join("plots/game-2.svg").exists());
    let (position, stats) = (path("p.epd"), path("stats"));
    let err = unread(&["analyse", "--depth", "1", &position, "--stats", &stats]).refused();
    assert!(
        err.contains(&format!("--stats {stats}: not written")),
        "{err}"
    );
    assert!(!folder.path().join("stats").exists());
}

/// Whoever reads the output may go away: it has seen enough.
#[test]
fn a_closed_pipe() {
    let lines = format!("{GLINSKI} ;D1 51\nx\n").repeat(500);
    let file = TempFile::new("glinski.epd", lines);
    let path = file.text();
    let right = TempFile::new("glinski.epd", format!("{GLINSKI} ;D1 51\n").repeat(500));
    let right = right.text();
    for arguments in [
        &["analyse", "--depth", "1", &path][..],
        &["analyse", "--depth", "1", "--format", "csv", &path],
        &["perft", "glinski", "2", "--divide"],
        &["games", "--json"],
        &["suite", "--json", &right],
        &["completions", "bash"],
        &["match", "-help"],
        &["man"],
        &["spsa", "--list"],
        &["--help"],
    ] {
        let run = unread(arguments);
        assert_eq!((run.code, &*run.err), (0, ""), "{arguments:?}");
    }
    // Bad records are told on a closed standard error, too: `2>&1 | head`.
    for arguments in [
        &["analyse", "--depth", "1", &path][..],
        &["suite", &path],
        &["convert", &path],
        &["analyse", "--depth", "x"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let again = writer.try_clone().unwrap();
        let ended = command(arguments).stdout(writer).stderr(again).status();
        let code = ended.unwrap().code();
        let is_wrong = arguments.contains(&"x") || arguments[0] == "suite";
        let expected = if is_wrong { 2 } else { 0 };
        assert_eq!(code, Some(expected), "{arguments:?}");
    }
}

/// Whoever reads no further still learns what a check came to.
#[test]
fn a_check_on_a_closed_pipe() {
    let wrong = TempFile::new("glinski.epd", format!("{GLINSKI} ;D1 52\n").repeat(500));
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    // Nor does building depend on who reads how it goes; a plan that nobody reads is no work.
    let build = ["tb", "build", "minihexchess", "KRK", "KBK", "--tb", tables];
    let names = ["KRK", "KBK"].map(|name| format!("{tables}/minihexchess/{name}.hxtb"));
    for (more, is_built) in [(&["--dry-run"][..], false), (&[], true)] {
        let run = unread(&[&build[..], more].concat());
        assert_eq!((run.code, &*run.err), (0, ""));
        for name in &names {
            assert_eq!(fs::exists(name).unwrap(), is_built, "{name}");
        }
    }
    let mut bytes = fs::read(&names[0]).unwrap();
    bytes[5000] ^= 1;
    fs::write(&names[0], bytes).unwrap();
    for arguments in [
        &["suite", &wrong.text()][..],
        &["suite", "--json", &wrong.text()],
        &["tb", "verify", "minihexchess", "--tb", tables],
    ] {
        assert_eq!(unread(arguments).code, 1, "{arguments:?}");
    }
}
