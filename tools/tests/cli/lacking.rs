//! Threads and memory that the system does not give.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::run::{GLINSKI, Run};

/// Runs the program behind these words of a command with this standard input.
fn run_behind(words: &[&str], arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(words[0])
        .args(&words[1..])
        .arg(env!("CARGO_BIN_EXE_hexmate"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Run::new(child.wait_with_output().unwrap())
}

/// Runs the program as a user who may have so many threads. The limit is not one of root.
fn with_threads(most: u32, arguments: &[&str], input: &str) -> Run {
    let limit = format!("--nproc={most}");
    let user = [
        "setpriv",
        "--reuid=61235",
        "--regid=61235",
        "--clear-groups",
    ];
    let user = match rustix::process::getuid().is_root() {
        true => &user[..],
        false => &[],
    };
    run_behind(&[user, &["prlimit", &limit]].concat(), arguments, input)
}

/// Runs the program in so many kilobytes of memory.
fn in_kilobytes(most: u32, arguments: &[&str], input: &str) -> Run {
    let script = format!(r#"ulimit -v {most}; exec "$0" "$@""#);
    run_behind(&["sh", "-c", &script], arguments, input)
}

/// Runs the program in a gigabyte of memory.
fn in_a_gigabyte(arguments: &[&str], input: &str) -> Run {
    in_kilobytes(1_000_000, arguments, input)
}

/// Most of what a thread reserves for the largest board it never uses.
#[test]
fn bench_is_refused_where_its_threads_have_no_memory() {
    for most in [400_000, 500_000] {
        let words = ["bench", "--depth", "1", "--threads", "4"];
        let err = in_kilobytes(most, &words, "").refused();
        assert!(err.contains("--threads: no memory for "), "{err}");
    }
}

#[test]
fn commands_without_threads_say_so() {
    let position = format!("{GLINSKI} ;D1 51\n");
    let game = r#"{"moves": "e4e5 e7e6"}"#;
    let tables = tempfile::tempdir().unwrap();
    let tables = tables.path().to_str().unwrap();
    for (words, input) in [
        ("review --nodes 5 --jobs 4", game),
        ("suite --game glinski --threads 4 -", &position),
        ("analyse --nodes 5 --jobs 4", &position),
        (
            "datagen glinski --games 9 --nodes 4 --threads 4 --output -",
            "",
        ),
        (&format!("tb verify minihexchess --tb {tables}"), ""),
        (&format!("tb build minihexchess KRK --tb {tables}"), ""),
    ] {
        // More are enough for the tables where there are few processors.
        let most = if words.starts_with("tb verify") { 1 } else { 3 };
        for most in 1..=most {
            let words: Vec<&str> = words.split(' ').collect();
            let run = with_threads(most, &words, input);
            assert_eq!(run.code, 2, "{words:?}, {most}: {run:?}");
            assert!(run.err.contains("hread"), "{words:?}, {most}: {run:?}");
        }
    }
}

#[test]
fn counts_without_threads_say_what_would_do() {
    let position = format!("{GLINSKI} ;D1 51\n");
    for words in [
        "perft glinski 2 --threads 4",
        "suite --game glinski --threads 4 -",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let run = with_threads(2, &words, &position);
        assert_eq!(run.code, 2, "{words:?}: {run:?}");
        assert!(
            run.err.contains("expected fewer, or a higher limit"),
            "{words:?}: {run:?}"
        );
    }
}

#[test]
fn a_search_without_threads_says_so() {
    let run = with_threads(1, &["bench", "--depth", "1", "--threads", "4"], "");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("a search had 1 of 4 threads"), "{run:?}");
    let words = ["analyse", "--nodes", "500", "--threads", "4", "--jobs", "1"];
    let run = with_threads(3, &words, GLINSKI);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("a search had 1 of 4 threads"), "{run:?}");
}

/// Whatever is missing, each search has its move.
#[test]
fn a_game_goes_on_without_threads() {
    let commands =
        "setoption name Threads value 4\nposition startpos\ngo nodes 3000\nisready\nquit\n";
    for most in [1, 2, 3, 4] {
        let run = with_threads(most, &["uci"], commands);
        assert_eq!((run.code, &*run.err), (0, ""), "{most}: {run:?}");
        let moves: Vec<&str> = run
            .out
            .lines()
            .filter(|l| l.starts_with("bestmove "))
            .collect();
        assert_eq!(moves.len(), 1, "{most}: {run:?}");
        assert_ne!(moves[0], "bestmove 0000", "{most}: {run:?}");
        assert!(
            run.out.contains("the system gives no more"),
            "{most}: {run:?}"
        );
    }
}

#[test]
fn threads_without_memory_are_refused() {
    for (words, whose) in [
        ("analyse --nodes 50 --threads 512 --jobs 1", "--threads: "),
        ("review --nodes 50 --jobs 512", "--jobs: "),
        ("bench --depth 1 --threads 512", "--threads: "),
        (
            "datagen glinski --games 9 --nodes 4 --threads 512 --output -",
            "--threads: ",
        ),
        (
            "match -engine cmd=internal name=a option.Threads=512 -engine cmd=internal name=b -each nodes=5",
            "option.Threads",
        ),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let err = in_a_gigabyte(&words, r#"{"moves": "e4e5 e7e6"}"#).refused();
        assert!(
            err.contains(whose) && err.contains("no memory for "),
            "{words:?}: {err}"
        );
    }
    let commands =
        "setoption name Threads value 512\nsetoption name Threads value 2\ngo depth 1\nquit\n";
    let run = in_a_gigabyte(&["uci"], commands);
    assert_eq!((run.code, &*run.err), (0, ""), "{run:?}");
    let told = "info string setoption: Threads: no memory for 3072 MB, which 512 threads take; expected fewer; \
                it is kept as it was\n";
    assert!(
        run.out.contains(told) && run.out.contains("bestmove"),
        "{run:?}"
    );
}
