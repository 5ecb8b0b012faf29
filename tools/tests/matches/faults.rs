//! Bad engines, one for each fault: each loses its own games with the reason named, nobody else's game
//! is touched, and no process is left behind.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::tempdir;

use crate::run::{bad_engines, command, games, hexmate, refused, text};

/// The engines that play as they should beside the bad one.
const GOOD: &str = "-engine cmd=internal name=a nodes=30 -engine cmd=internal name=b nodes=20";

/// Whether a process runs; one that has ended but is not yet reaped by the system does not.
fn is_running(id: &str) -> bool {
    if let Ok(stat) = std::fs::read_to_string(format!("/proc/{id}/stat")) {
        let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
        return !state.starts_with('Z');
    }
    let mut signal = Command::new("kill");
    let signal = signal.args(["-0", id]).stderr(Stdio::null());
    signal.status().expect("kill can be run").success()
}

/// Waits until something is so, as long as it takes within reason.
fn wait_until(what: impl Fn() -> bool) -> bool {
    for _ in 0..600 {
        if what() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    false
}

fn numbers(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("pids")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Plays a bad engine against two good ones, with `-recover`; every game of it must be lost for this
/// reason, and it must have been started so often at least.
fn check(engine: &str, limits: &str, reasons: [&str; 2], starts: usize) {
    let folder = tempdir().unwrap();
    let path = bad_engines().join(format!("{engine}.sh"));
    let run = hexmate(
        folder.path(),
        &format!(
            "match {GOOD} -engine cmd={} args=pids name=bad {limits} -rounds 1 -recover -concurrency 2 -jsonl file=g.jsonl -pgnout file=g.pgn -log file=log engine=true",
            path.display()
        ),
    );
    assert_eq!(run.code, Some(0), "{engine}: {run:?}");
    let played = games(folder.path(), "g.jsonl");
    assert_eq!(played.len(), 6, "{engine}: {played:?}");
    for game in &played {
        let reason = game["reason"].as_str().unwrap();
        if game["white"] == "bad" {
            assert_eq!(
                (&game["result"], reason),
                (&"0-1".into(), reasons[0]),
                "{engine}"
            );
        } else if game["black"] == "bad" {
            assert_eq!(
                (&game["result"], reason),
                (&"1-0".into(), reasons[1]),
                "{engine}"
            );
        } else {
            let by_rules = ["mates", "stalemate", "Draw by"];
            assert!(by_rules.iter().any(|r| reason.contains(r)), "{game}");
        }
    }
    let started = numbers(folder.path());
    assert!(started.len() >= starts, "{engine}: {started:?}");
    for id in started {
        assert!(
            wait_until(|| !is_running(&id)),
            "{engine}: process {id} is left"
        );
    }
    // The log has the position for each fault, and what the engine wrote breaks no file.
    assert!(text(folder.path(), "log").contains("; fen "), "{engine}");
    let replayed = hexmate(folder.path(), "replay g.pgn");
    assert_eq!(replayed.code, Some(0), "{engine}: {replayed:?}");
    assert_eq!(replayed.out.lines().count(), 6, "{engine}");
}

/// Patience that even a laden machine does not exhaust: none of these engines is to stall.
const NODES: &str = "nodes=10 patience=10";

#[test]
fn crash() {
    let reasons = ["White disconnects", "Black disconnects"];
    check("crashes", NODES, reasons, 4);
}

#[test]
fn crash_that_leaves_children() {
    let reasons = ["White disconnects", "Black disconnects"];
    check("leaves_children", NODES, reasons, 8);
}

/// A daemon has left the engine's process group and has no parent; the match ends it all the same.
#[cfg(target_os = "linux")]
#[test]
fn engine_that_leaves_a_daemon() {
    let reasons = [
        "White makes an illegal move (a1a2)",
        "Black makes an illegal move (a1a2)",
    ];
    check("leaves_a_daemon", NODES, reasons, 2);
    check(
        "leaves_a_daemon",
        &format!("{NODES} restart=on"),
        reasons,
        8,
    );
}

/// A child that the match has had from the beginning is none of an engine's.
#[cfg(target_os = "linux")]
#[test]
fn what_no_engine_started_lives_on() {
    let folder = tempdir().unwrap();
    let words = format!(
        "match -engine cmd={}/illegal.sh name=x nodes=1 -engine cmd=internal name=a nodes=1 -rounds 1",
        bad_engines().display()
    );
    let mut shell = Command::new("sh");
    let script = "sleep 60 </dev/null >/dev/null 2>&1 & echo $! > other; exec \"$@\"";
    shell.args(["-c", script, "sh", env!("CARGO_BIN_EXE_hexmate")]);
    shell.args(words.split(' ')).current_dir(folder.path());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let other = text(folder.path(), "other");
    assert!(is_running(other.trim()));
    let killed = Command::new("kill").arg(other.trim()).status().unwrap();
    assert!(killed.success());
}

/// Whether it closes its input or its output is told apart.
#[test]
fn closed_input() {
    let reasons = [
        "White disconnects (closes its input)",
        "Black disconnects (closes its input)",
    ];
    check("deaf_in_a_game", "nodes=10 patience=2", reasons, 4);
    check("deaf_in_a_game", "tc=0.5", reasons, 4);
}

#[test]
fn hang() {
    let reasons = ["White's connection stalls", "Black's connection stalls"];
    check("hangs", "nodes=10 patience=0.3", reasons, 4);
    check("hangs", "tc=0.2", reasons, 4);
}

/// The wait for `readyok` is on nobody's clock, but it has an end.
#[test]
fn silence_before_a_move() {
    let reasons = ["White's connection stalls", "Black's connection stalls"];
    check("falls_silent", "tc=600 patience=1", reasons, 4);
}

#[test]
fn flood() {
    let reasons = [
        "White disconnects (floods its output)",
        "Black disconnects (floods its output)",
    ];
    check("floods", "nodes=10", reasons, 4);
    check("floods_one_line", "nodes=10", reasons, 4);
}

#[test]
fn late_answer() {
    let reasons = ["White loses on time", "Black loses on time"];
    // It is not broken, and not started again.
    check("late", "st=0.2 timemargin=50", reasons, 1);
    check("late", "tc=0.2+0.01", reasons, 1);
}

#[test]
fn garbage() {
    let reasons = [
        "White makes an illegal move (2J x \u{fffd})",
        "Black makes an illegal move (2J x \u{fffd})",
    ];
    check("garbage", NODES, reasons, 1);
}

#[test]
fn illegal_move() {
    let reasons = [
        "White makes an illegal move (a1a2)",
        "Black makes an illegal move (a1a2)",
    ];
    check("illegal", NODES, reasons, 1);
}

/// What was said before the question is not the answer.
#[test]
fn answer_before_it_is_asked() {
    let reasons = [
        "White makes an illegal move (b1b2)",
        "Black makes an illegal move (b1b2)",
    ];
    check("answers_early", NODES, reasons, 1);
}

#[test]
fn nothing() {
    let reasons = [
        "White makes an illegal move (none)",
        "Black makes an illegal move (none)",
    ];
    check("says_nothing", NODES, reasons, 1);
}

/// What cannot play at all is told before the first game, with its path, and nothing is written.
#[test]
fn engines_are_tried_before_the_first_game() {
    let folder = tempdir().unwrap();
    let refuse = |engine: &str, words: &str, why: &[&str]| {
        let path = bad_engines().join(format!("{engine}.sh"));
        let path = path.display().to_string();
        let words = format!(
            "match {GOOD} -engine cmd={path} args=pids name=bad {words} -recover -jsonl file=g.jsonl -report file=r.html -journal file=j"
        );
        let message = refused(folder.path(), &words);
        for part in why.iter().chain([&path.as_str(), &"name=bad"]) {
            assert!(message.contains(part), "{engine}: {part}: {message}");
        }
        for name in ["g.jsonl", "r.html", "j"] {
            assert!(!folder.path().join(name).exists(), "{engine}: {name}");
        }
        for id in numbers(folder.path()) {
            assert!(wait_until(|| !is_running(&id)), "{engine}: {id} is left");
        }
    };
    refuse("absent", NODES, &["No such file", "expected the path"]);
    refuse("ends_at_once", NODES, &["disconnects before uciok"]);
    refuse("never_ready", "nodes=10 patience=0.3", &["no uciok"]);
    refuse("other_game", NODES, &["does not play glinski"]);
    refuse("deaf", NODES, &["closes its input before readyok"]);
    refuse(
        "deaf_later",
        "nodes=10 patience=2",
        &["closes its input before readyok"],
    );
    refuse(
        "only_chess",
        NODES,
        &["does not play glinski", "e2e4", "UCI_Variant"],
    );
    // Options that it does not have, and values that they do not take.
    let wrong = |option: &str, why: &[&str]| refuse("illegal", &format!("{NODES} {option}"), why);
    wrong(
        "option.Thraeds=2",
        &["no such option", "did you mean Threads"],
    );
    wrong("option.Threads=many", &["'many'", "from 1 to 512"]);
    wrong(
        "option.Hash=8",
        &["no such option", "it has UCI_Variant, Threads"],
    );
}

/// Whether a program accepts a value it may know only when it is set; it must not play on without it.
#[test]
fn engines_that_refuse_the_value_of_an_option_play_no_game() {
    let folder = tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_hexmate");
    let refuse = |variant: &str, option: &str, why: &[&str]| {
        let words = format!(
            "match -variant {variant} -engine cmd={program} args=uci name=net nodes=20 option.{option} \
             -engine cmd=internal name=h nodes=20 -rounds 1 -maxmoves 4 -jsonl file=g.jsonl"
        );
        let message = refused(folder.path(), &words);
        for part in why.iter().chain(&["name=net", "it refuses an option: "]) {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert!(!folder.path().join("g.jsonl").exists());
    };
    let kept = "it is kept as it was";
    refuse(
        "glinski",
        "EvalFile=nosuch",
        &["EvalFile: nosuch: No such file", kept],
    );
    refuse(
        "glinski",
        "TablebasePath=/nosuch",
        &["TablebasePath: /nosuch", kept],
    );
    std::fs::write(folder.path().join("weights"), "hexmate-weights 9\n").unwrap();
    refuse(
        "glinski",
        "EvalFile=weights",
        &["EvalFile: weights: ", "version 9", kept],
    );
    let network = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/networks/glinski.net");
    let network = format!("EvalFile={}", network.display());
    refuse(
        "hexachess",
        &network,
        &["a network of glinski; expected one of hexachess"],
    );
    let rules =
        "format = 1\nbase = \"minihexchess\"\nname = \"tiny\"\ntitle = \"Tiny\"\nsource = \"me\"\n";
    std::fs::write(folder.path().join("tiny.toml"), rules).unwrap();
    refuse(
        "tiny.toml",
        "EvalFile=nosuch",
        &["EvalFile: nosuch: No such file", kept],
    );
}

/// What other programs say behind `setoption` may as well mean that they took the value.
#[test]
fn an_engine_that_acknowledges_its_options_plays() {
    let folder = tempdir().unwrap();
    let path = bad_engines().join("acknowledges.sh");
    let words = format!(
        "match -engine cmd={} name=x nodes=1 option.Threads=2 -engine cmd=internal name=a nodes=1 -rounds 1 -jsonl file=g.jsonl",
        path.display()
    );
    let run = hexmate(folder.path(), &words);
    assert_eq!(run.code, Some(0), "{run:?}");
    let games = games(folder.path(), "g.jsonl");
    assert_eq!(games.len(), 2);
    for game in games {
        // It was asked for a move, and loses by the one that it knows.
        assert!(
            game["reason"].as_str().unwrap().contains("illegal"),
            "{game}"
        );
    }
}

/// An engine that can be found but not started any more when its turn comes.
#[test]
fn an_engine_that_starts_only_once() {
    let folder = tempdir().unwrap();
    let engine = folder.path().join("once.sh");
    let script = format!(
        "#!/bin/sh\n[ -e {0}/used ] && exit 1\n: > {0}/used\nexec {1}/illegal.sh\n",
        folder.path().display(),
        bad_engines().display()
    );
    std::fs::write(&engine, script).unwrap();
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&engine, permissions).unwrap();
    let words = "match -engine cmd=./once.sh name=x nodes=1 -engine cmd=internal name=a nodes=1 -rounds 1 -recover -jsonl file=g.jsonl";
    let run = hexmate(folder.path(), words);
    assert_eq!(run.code, Some(0), "{run:?}");
    let reason = &games(folder.path(), "g.jsonl")[0]["reason"];
    let cannot = "White disconnects (cannot start, disconnects before uciok)";
    assert_eq!(reason, cannot, "{run:?}");
    assert!(run.out.contains("Faults of x: 2 crashes\n"), "{run:?}");
}

/// Faults of all kinds are totalled by engine, in the text and in the report.
#[test]
fn faults_are_totalled() {
    let folder = tempdir().unwrap();
    let bad = |name: &str, words: &str| {
        let path = bad_engines().join(format!("{name}.sh"));
        format!("-engine cmd={} name={name} {words}", path.display())
    };
    let words = format!(
        "match -engine cmd=internal name=good nodes=20 {} {} {} {} -tournament gauntlet -rounds 1 -recover -report file=r.html",
        bad("crashes", NODES),
        bad("hangs", "nodes=10 patience=0.3"),
        bad("late", "st=0.2 timemargin=50"),
        bad("illegal", NODES)
    );
    let run = hexmate(folder.path(), &words);
    assert_eq!(run.code, Some(0), "{run:?}");
    let report = text(folder.path(), "r.html");
    for (name, words, cells) in [
        ("crashes", "2 crashes", "<td>2<td>0<td>0<td>0"),
        ("hangs", "2 stalls", "<td>0<td>2<td>0<td>0"),
        ("late", "2 losses on time", "<td>0<td>0<td>2<td>0"),
        ("illegal", "2 illegal moves", "<td>0<td>0<td>0<td>2"),
    ] {
        let line = format!("Faults of {name}: {words}\n");
        assert!(run.out.contains(&line), "{line}{}", run.out);
        assert!(report.contains(&format!("{name}{cells}")), "{name}");
    }
    assert!(!run.out.contains("Faults of good"), "{}", run.out);
    // Answers by which games were lost are told with those that were late within the margin.
    let late = "Latency of late in 2 moves: it reports no times; later than its time: 100.00 %, by median ";
    assert!(run.out.contains(late), "{}", run.out);
    // Whoever lost or won everything is told in words.
    assert!(report.contains("all points") && report.contains("no points"));
    for raw in [">inf", ">-inf", ">NaN", ">nan"] {
        assert!(!report.contains(raw), "{raw}");
    }
}

/// Without `-recover` an engine that broke down plays no more, and the others go on.
#[test]
fn without_recover() {
    let folder = tempdir().unwrap();
    let run = hexmate(
        folder.path(),
        &format!(
            "match {GOOD} -engine cmd={}/crashes.sh name=bad nodes=10 -rounds 3 -jsonl file=g.jsonl",
            bad_engines().display()
        ),
    );
    assert_eq!(run.code, Some(1), "{run:?}");
    let says = "11 games were not played: bad ended, or closed its output; give -recover";
    assert!(run.err.contains(says), "{run:?}");
    let played = games(folder.path(), "g.jsonl");
    let bad = played
        .iter()
        .filter(|g| g["white"] == "bad" || g["black"] == "bad");
    assert_eq!(bad.count(), 1);
    assert_eq!(played.len(), 7);
}

/// Whoever is out is named on the page and by the exit code, whether or not there were games left for it.
#[test]
fn engines_that_are_out_are_told() {
    let folder = tempdir().unwrap();
    let bad = format!(
        "-engine cmd={}/crashes.sh name=bad nodes=10",
        bad_engines().display()
    );
    let left = "1 engine left the match: bad ended, or closed its output";
    for (words, told) in [
        (
            format!("{GOOD} {bad} -rounds 2 -maxmoves 5"),
            "7 games were not played: bad ended, or closed its output",
        ),
        // It has no game left, and then none but a bye.
        (
            format!("{bad} -engine cmd=internal name=a nodes=30 -rounds 1 -games 1"),
            left,
        ),
        (
            format!("{bad} {GOOD} -rounds 2 -games 1 -maxmoves 5 -tournament swiss"),
            left,
        ),
    ] {
        let run = hexmate(folder.path(), &format!("match {words} -report file=r.html"));
        assert_eq!(run.code, Some(1), "{words}: {run:?}");
        let line = format!("hexmate: {told}; give -recover");
        assert!(run.err.contains(&line), "{words}: {run:?}");
        let page = text(folder.path(), "r.html");
        let note = format!("<p class=\"note\">{told}.</p>");
        assert!(page.contains(&note), "{words}: {page}");
    }
}

/// Whoever is out stays out when the match is resumed, and half a pair of it waits for nothing.
#[test]
fn who_is_out_stays_out() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = format!(
        "match -engine cmd={}/crashes.sh name=bad nodes=10 -engine cmd=internal name=a nodes=10 -rounds 2 \
         -journal file=j -report file=r.html",
        bad_engines().display()
    );
    let told = "3 games were not played: bad ended, or closed its output";
    let half = "Only whole pairs count: 1 finished game does not, since the other game of its pair was not played";
    for more in ["", " --resume", " --resume"] {
        let run = hexmate(path, &format!("{words}{more}"));
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.err.contains(told), "{run:?}");
        assert!(run.out.contains(half), "{run:?}");
        assert_eq!(text(path, "j").lines().count(), 2, "{run:?}");
        let page = text(path, "r.html");
        assert!(page.contains(told) && page.contains(half), "{page}");
    }
    // Unless it is to be started again.
    let run = hexmate(path, &format!("{words} --resume -recover"));
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(text(path, "j").lines().count(), 5, "{run:?}");
}

/// An engine that hangs did not crash.
#[test]
fn without_recover_a_hanging_engine() {
    let folder = tempdir().unwrap();
    let run = hexmate(
        folder.path(),
        &format!(
            "match -engine cmd=internal name=good nodes=10 -engine cmd={}/hangs.sh name=bad nodes=10 patience=0.3 -rounds 2",
            bad_engines().display()
        ),
    );
    assert_eq!(run.code, Some(1), "{run:?}");
    let says = "3 games were not played: bad does not answer; give -recover";
    assert!(run.err.contains(says), "{run:?}");
}

/// A log that cannot be written costs no game, and is told once.
#[cfg(target_os = "linux")]
#[test]
fn a_full_log() {
    let folder = tempdir().unwrap();
    let words = "match -engine cmd=internal name=a nodes=10 -engine cmd=illegal.sh name=b nodes=10 -rounds 2 -log file=/dev/full engine=true";
    let illegal = format!("cmd={}/illegal.sh", bad_engines().display());
    let run = hexmate(folder.path(), &words.replace("cmd=illegal.sh", &illegal));
    assert_eq!(run.code, Some(0), "{run:?}");
    let says = "-log file=/dev/full: cannot be written: ";
    assert_eq!(run.err.matches(says).count(), 1, "{run:?}");
}

/// A match that is killed leaves no engines behind, not even those that hang.
#[test]
fn no_engine_outlives_a_killed_match() {
    let folder = tempdir().unwrap();
    let cmd = format!("cmd={}/hangs.sh", bad_engines().display());
    let words = [
        "match",
        "-engine",
        &cmd,
        "args=pids",
        "name=x",
        "nodes=1",
        "-engine",
        &cmd,
        "args=pids",
        "name=y",
        "nodes=1",
        "-concurrency",
        "2",
        "-rounds",
        "5",
    ];
    let mut running = command(folder.path(), &words).spawn().unwrap();
    assert!(wait_until(|| numbers(folder.path()).len() >= 4));
    running.kill().unwrap();
    running.wait().unwrap();
    let gone = || numbers(folder.path()).iter().all(|id| !is_running(id));
    assert!(wait_until(gone), "{:?}", numbers(folder.path()));
}

/// Interrupted while it is not known yet whether the engines can play, a match ends as any interrupted command does.
#[test]
fn interrupted_before_the_first_game() {
    let folder = tempdir().unwrap();
    let cmd = format!("cmd={}/never_ready.sh", bad_engines().display());
    let words = ["match", "-engine", &cmd, "args=pids", "name=x", "nodes=1"];
    let other = ["-engine", "cmd=internal", "name=y", "nodes=1"];
    let words = [&words[..], &other].concat();
    let running = command(folder.path(), &words).spawn().unwrap();
    assert!(wait_until(|| !numbers(folder.path()).is_empty()));
    interrupt(&running);
    let output = running.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(out.contains("Tournament interrupted"), "{out}");
}

fn interrupt(running: &std::process::Child) {
    let id = running.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status();
    assert!(sent.unwrap().success());
}

/// Games behind one that hangs are not counted when the match is interrupted: the test stays open.
#[test]
fn interrupted_tests_do_not_count_beyond_gaps() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = format!(
        "match -engine cmd=internal name=a nodes=1 -engine cmd={}/hangs_once.sh args=hung name=b nodes=1 -rounds 12 -concurrency 2 -sprt elo0=0 elo1=400 model=logistic -jsonl file=g.jsonl -journal file=j",
        bad_engines().display()
    );
    let words: Vec<&str> = words.split_whitespace().collect();
    let running = command(path, &words).spawn().unwrap();
    // All but the one that hangs.
    let journal = || std::fs::read_to_string(path.join("j")).unwrap_or_default();
    assert!(wait_until(|| journal().lines().count() == 1 + 23));
    interrupt(&running);
    let output = running.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(out.contains("Tournament interrupted"), "{out}");
    assert!(!out.contains("accepted"), "{out}");
    // Whichever of the first two was begun first hangs.
    let written = games(path, "g.jsonl");
    let missing = (1..=24).find(|n| written.iter().all(|g| g["game"] != *n));
    let before = missing.unwrap() - 1;
    assert!(before < 2 && written.len() == 23, "{written:?}");
    let table = crate::run::final_table(&out);
    // One finished game is half a pair.
    assert!(table.contains("Games: 0, "), "{out}");
    let half = "Only whole pairs count: 1 finished game waits";
    assert_eq!(table.contains(half), before == 1, "{out}");
    let beyond = format!("Not counted: {} finished games", 23 - before);
    assert!(table.contains(&beyond), "{out}");
    // That game is played now, and all of them count.
    let words = format!("{} --resume", words.join(" "));
    let run = hexmate(path, &words);
    assert!(run.out.contains("H1 was accepted"), "{run:?}");
}
