//! Numbers of the search, tuned by games.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::{Child, Output};

use crate::run::{Run, hexmate};

/// A run so small that a test can wait for it.
fn spsa(journal: &Path, more: &[&str]) -> Run {
    let journal = journal.to_str().expect("a path in UTF-8");
    let words = [
        "spsa",
        "hexachess",
        "--param",
        "delta_margin",
        "reverse_futility_margin=20,0.5",
        "--pairs",
        "5",
        "--batch",
        "2",
        "--nodes",
        "200",
        "--hash",
        "1",
        "--seed",
        "3",
        "--journal",
        journal,
    ];
    hexmate(&[&words[..], more].concat())
}

#[test]
fn neither_threads_nor_interruptions_change_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|name| folder.path().join(name));
    let out = spsa(&whole, &["--threads", "1"]).success();
    let journal = fs::read_to_string(&whole).unwrap();
    // The terms, then batches of 2, 2 and 1 pairs.
    let lines: Vec<&str> = journal.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[3].contains(r#"{"after":4,"quarters":["#), "{journal}");
    let svg = fs::read_to_string(folder.path().join("whole.svg")).unwrap();
    assert!(
        svg.contains("5 of 5 pairs") && svg.contains(">delta_margin "),
        "{svg}"
    );
    assert!(
        out.contains("option.delta_margin=1") && out.contains("    delta_margin = 1"),
        "{out}"
    );
    // Something was learnt: not all pairs are level.
    assert!(!out.contains("     150    150.00"), "{out}");

    // Killed in the middle of the second batch's line, and continued by more threads.
    let end = journal.find(lines[2]).unwrap() + 20;
    fs::write(&cut, &journal[..end]).unwrap();
    assert!(spsa(&cut, &[]).refused().contains("--resume"));
    let again = spsa(&cut, &["--resume", "--threads", "2"]);
    assert_eq!((again.code, again.out.as_str()), (0, out.as_str()));
    assert!(
        again.err.contains("continued after 2 pairs"),
        "{}",
        again.err
    );
    assert_eq!(fs::read_to_string(&cut).unwrap(), journal);
    // A finished run only tells its result.
    let told = spsa(&cut, &["--resume"]);
    assert_eq!((told.code, told.out), (0, out));

    let other = spsa(&cut, &["--resume", "--rate", "0.1"]).refused();
    assert!(
        other.contains("--param was delta_margin=30,0.002"),
        "{other}"
    );
    let damaged = journal.replace("\"quarters\":[", "\"quarters\":[1,");
    fs::write(&cut, damaged).unwrap();
    assert!(
        spsa(&cut, &["--resume"])
            .refused()
            .contains("line 2 is damaged")
    );
    fs::write(&cut, "something else\n").unwrap();
    assert!(
        spsa(&cut, &["--resume"])
            .refused()
            .contains("not a journal of hexmate spsa")
    );
    assert_eq!(fs::read_to_string(&cut).unwrap(), "something else\n");
}

/// Presses Ctrl-C as soon as a run has come so far, or after a minute.
#[cfg(unix)]
fn interrupted(mut child: Child, is_so_far: impl Fn() -> bool) -> Output {
    use rustix::process::{Pid, Signal, kill_process};

    for _ in 0..6000 {
        if is_so_far() || child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // One that has ended may not be there any more.
    if child.try_wait().unwrap().is_none() {
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    }
    child.wait_with_output().unwrap()
}

/// Ctrl-C ends a run with the numbers so far, and it can be continued.
#[cfg(unix)]
#[test]
fn an_interrupted_run_tells_its_numbers() {
    use std::process::Stdio;

    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("j");
    let words = |pairs: &'static str| {
        let journal = journal.to_str().unwrap();
        let words = [
            "spsa",
            "hexachess",
            "--param",
            "delta_margin",
            "--batch",
            "1",
        ];
        let more = [
            "--nodes",
            "200",
            "--hash",
            "1",
            "--pairs",
            pairs,
            "--journal",
            journal,
        ];
        [&words[..], &more].concat()
    };
    let mut command = crate::run::command(&words("100000"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // The terms and two batches.
    let ended = interrupted(child, || {
        fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 2)
    });
    let [out, err] = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(ended.status.code(), Some(130), "{err}");
    let batches = fs::read_to_string(&journal).unwrap().lines().count() - 1;
    let says =
        format!("interrupted after {batches} of 100000 pairs; the same command with --resume");
    assert!(err.contains(&says), "{err}");
    assert!(out.contains("option.delta_margin="), "{out}");
    assert!(folder.path().join("j.svg").exists());
}

/// A run that was interrupted before its first batch has drawn nothing, and goes on as it says.
#[cfg(unix)]
#[test]
fn a_run_that_was_interrupted_at_once_goes_on() {
    use std::process::Stdio;

    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("j");
    // So long that no batch is done before it is interrupted.
    let long = [
        "spsa",
        "hexachess",
        "--param",
        "delta_margin",
        "--batch",
        "1024",
        "--nodes",
        "100000",
    ];
    let words = [
        &long[..],
        &["--hash", "1", "--journal", journal.to_str().unwrap()],
    ]
    .concat();
    let plot = folder.path().join("j.svg");
    let at_once = |more: &[&str]| {
        let before = fs::metadata(&journal).and_then(|meta| meta.modified()).ok();
        let mut command = crate::run::command(&[&words[..], more].concat());
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        // From the journal's beginning on it can be interrupted.
        let ended = interrupted(child, || {
            fs::metadata(&journal).and_then(|meta| meta.modified()).ok() != before
                && fs::read_to_string(&journal).is_ok_and(|text| text.ends_with('\n'))
        });
        let err = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(130), "{err}");
        assert!(err.contains("interrupted after 0 of"), "{err}");
        assert!(!plot.exists());
    };
    at_once(&[]);
    at_once(&["--resume"]);
    // The plot of a run that is discarded goes with it.
    fs::write(&plot, "of the old run").unwrap();
    at_once(&["--force"]);
    at_once(&["--resume"]);
}

/// What is where the plot goes is somebody else's before the first batch, with `--resume` or without.
#[test]
fn a_picture_of_that_name_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, plot) = (folder.path().join("j"), folder.path().join("j.svg"));
    fs::write(&plot, "mine").unwrap();
    for more in [&[][..], &["--resume"]] {
        let error = spsa(&journal, more).refused();
        assert!(
            error.contains("j.svg") && error.contains("--force"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&plot).unwrap(), "mine");
        // Nor is there a journal of a run that never began.
        assert!(!journal.exists());
    }
}

#[test]
fn a_journal_is_begun_anew_if_it_may_be() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("j");
    let first = spsa(&journal, &[]).success();
    let played = fs::read_to_string(&journal).unwrap();
    let refused = spsa(&journal, &[]).refused();
    assert!(refused.contains("--force to begin anew"), "{refused}");
    assert_eq!(spsa(&journal, &["--force", "--resume"]).code, 2);
    assert_eq!(fs::read_to_string(&journal).unwrap(), played);
    // Other terms, and not even a journal.
    for before in [played.replace("\"3\"", "\"4\""), "mine".to_owned()] {
        fs::write(&journal, before).unwrap();
        assert_eq!(spsa(&journal, &["--force"]).success(), first);
        assert_eq!(fs::read_to_string(&journal).unwrap(), played);
    }
    let error = spsa(Path::new("-"), &[]).refused();
    assert!(error.contains("--journal -: expected a file"), "{error}");
}

#[test]
fn names_and_values_are_checked() {
    let list = hexmate(&["spsa", "--list"]).success();
    assert!(
        list.contains("null_move_depth") && list.contains("step"),
        "{list}"
    );
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("j");
    let refused = |more: &[&str]| {
        let words = ["spsa", "glinski", "--journal", journal.to_str().unwrap()];
        hexmate(&[&words[..], more].concat()).refused()
    };
    let unknown = refused(&["--param", "lmr"]);
    assert!(
        unknown.contains("'lmr'") && unknown.contains("reduction_base"),
        "{unknown}"
    );
    // A command that is not complete yet tells the names, too.
    for words in [&["spsa"][..], &["spsa", "glinski"]] {
        let error = hexmate(words).refused();
        assert!(
            error.contains("--param") && error.contains("reduction_base"),
            "{error}"
        );
    }
    assert!(refused(&[]).contains("reduction_base"));
    let error = hexmate(&["spsa", "glinski", "--param", "all"]).refused();
    assert!(
        error.contains("--journal <FILE>") && error.contains("hexmate spsa <GAME> --journal"),
        "{error}"
    );
    // The one whose range is too small is named.
    let narrow = refused(&["--param", "all=5"]);
    assert!(
        narrow.contains("'5' is no step of ") && narrow.contains("above 0 and up to 1;"),
        "{narrow}"
    );
    let rate = refused(&["--param", "all", "--rate", "1e30"]);
    assert!(
        rate.contains("expected a number above 0 and up to 1000"),
        "{rate}"
    );
    for word in [
        "delta_margin=0",
        "delta_margin=x",
        "delta_margin=1,2,3",
        "delta_margin=inf",
        // Beyond its range, or so far that it would be no number any more.
        "delta_margin=601",
        "delta_margin=1,1e300",
    ] {
        let error = refused(&["--param", word]);
        assert!(
            error.contains(word) && error.contains("NAME=STEP"),
            "{error}"
        );
    }
    let beyond = refused(&["--param", "delta_margin", "--set", "delta_margin=601"]);
    assert!(beyond.contains("expected 0 to 600"), "{beyond}");
    assert!(refused(&["--param", "delta_margin", "--set", "x"]).contains("NAME=VALUE"));
    let values = ["delta_margin=4", "delta_margin=5"];
    let twice = refused(&[&["--param", "delta_margin", "--set"][..], &values].concat());
    assert!(twice.contains("delta_margin is set twice"), "{twice}");
    assert!(!journal.exists());
}

/// What is told as ready to be used is the whole setting that was played.
#[test]
fn numbers_that_were_set_are_told_with_the_tuned_ones() {
    let folder = tempfile::tempdir().unwrap();
    let default = |name: &str| {
        let list = hexmate(&["spsa", "--list"]).success();
        let line = list
            .lines()
            .find(|line| line.starts_with(&format!("{name} ")));
        let words = line.and_then(|line| line.split_whitespace().nth(1));
        words.expect("a default").to_owned()
    };
    // What is tuned and what is as usual anyway is not told twice.
    let usual = format!("delta_margin={}", default("delta_margin"));
    let set = [
        "null_move_base=8",
        "late_move_depth=0",
        "reduction_base=60",
        &usual,
    ];
    let words =
        "spsa minihexchess --param reduction_base=30 --pairs 1 --nodes 10 --hash 1 --journal";
    let journal = folder.path().join("j");
    let words: Vec<&str> = words
        .split(' ')
        .chain([journal.to_str().unwrap(), "--set"])
        .collect();
    let out = hexmate(&[&words[..], &set].concat()).success();
    let (_, used) = out.split_once("For hexmate match:\n").expect("options");
    let (options, source) = used
        .split_once("\n\nFor engine/src/params.rs:\n")
        .expect("lines");
    let names = |text: &str| -> Vec<String> {
        let words = text
            .split(['.', '=', ' ', '\n'])
            .filter(|word| word.contains('_'));
        words.map(str::to_owned).collect()
    };
    let mut told = names(options);
    assert_eq!(told, names(source), "{out}");
    told.sort();
    assert_eq!(
        told,
        ["late_move_depth", "null_move_base", "reduction_base"],
        "{out}"
    );
    for part in [
        "option.null_move_base=8",
        "option.late_move_depth=0",
        "    null_move_base = 8, ",
    ] {
        assert!(used.contains(part), "{part}: {out}");
    }
}
