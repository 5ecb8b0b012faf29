//! What is written where: files are appended to, a match that continues keeps what others wrote, and `-` is standard
//! output.

use tempfile::tempdir;

use crate::run::{command, games, good, hexmate, refused, text};

const DUEL: &str = "match -engine cmd=internal name=a nodes=20 -engine cmd=internal name=b nodes=10 -rounds 1 -maxmoves 3";

#[test]
fn games_are_appended() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = format!("{DUEL} -pgnout file=g.pgn -jsonl file=g.jsonl -epdout file=g.epd");
    for times in 1..=2 {
        good(path, &words);
        assert_eq!(text(path, "g.pgn").matches("[Result ").count(), 2 * times);
        assert_eq!(games(path, "g.jsonl").len(), 2 * times);
        assert_eq!(text(path, "g.epd").lines().count(), 2 * times);
    }
    good(path, &format!("{DUEL} -pgnout file=g.pgn append=false"));
    assert_eq!(text(path, "g.pgn").matches("[Result ").count(), 2);
}

/// Moves are numbered on from the position, and what each side may take is told where that differs.
#[test]
fn a_game_in_which_black_begins() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let fen = "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 b - - 0 1";
    std::fs::write(path.join("b.epd"), fen).unwrap();
    let words = "-openings file=b.epd format=epd -pgnout file=g.pgn";
    good(path, &format!("{DUEL} {words}"));
    let pgn = text(path, "g.pgn");
    for parts in [
        &[
            "[White \"a\"]",
            "[WhiteTimeControl \"20 nodes\"]\n[BlackTimeControl \"10 nodes\"]",
        ][..],
        &["\n1... ", " 2. "],
    ] {
        let game = pgn.split("[Event ").nth(1).unwrap();
        assert!(
            parts.iter().all(|part| game.contains(part)),
            "{parts:?}: {game}"
        );
    }
}

/// What stood in a file before the match stays when the match is resumed, and its own games are there once.
#[test]
fn a_resumed_match_keeps_what_others_wrote() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("g.pgn"), "[Event \"older\"]\n\n1. e4e5 *\n\n").unwrap();
    let words = format!("{DUEL} -pgnout file=g.pgn -journal file=j --resume");
    good(path, &words);
    let once = text(path, "g.pgn");
    assert!(once.starts_with("[Event \"older\"]"));
    assert_eq!(once.matches("[Result ").count(), 2);
    good(path, &words);
    assert_eq!(text(path, "g.pgn"), once);
    // More rounds go on behind them.
    good(path, &words.replace("-rounds 1", "-rounds 2"));
    let more = text(path, "g.pgn");
    assert!(more.starts_with(&once));
    assert_eq!(more.matches("[Result ").count(), 4);
}

/// It is also found where the folder was moved, or the journal alone.
#[test]
fn a_moved_match_keeps_what_others_wrote() {
    let folder = tempdir().unwrap();
    let [before, after] = ["before", "after"].map(|name| folder.path().join(name));
    std::fs::create_dir(&before).unwrap();
    std::fs::write(before.join("g.pgn"), "[Event \"older\"]\n\n1. e4e5 *\n\n").unwrap();
    let words = format!("{DUEL} -pgnout file=g.pgn -jsonl file=g.jsonl --resume -journal");
    good(&before, &format!("{words} file=j"));
    let once = ["g.pgn", "g.jsonl"].map(|name| text(&before, name));
    std::fs::rename(&before, &after).unwrap();
    good(&after, &format!("{words} file=j"));
    assert_eq!(["g.pgn", "g.jsonl"].map(|name| text(&after, name)), once);
    std::fs::rename(&after, &before).unwrap();
    std::fs::create_dir(before.join("kept")).unwrap();
    std::fs::rename(before.join("j"), before.join("kept/j")).unwrap();
    good(&before, &format!("{words} file=kept/j"));
    assert_eq!(["g.pgn", "g.jsonl"].map(|name| text(&before, name)), once);
}

/// A file that is first named when a match is resumed has its games once, however often it is resumed.
#[test]
fn files_that_are_named_later() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let words = format!("{DUEL} -journal file=j");
    good(path, &words);
    let words = words.replace("-rounds 1", "-rounds 2") + " -jsonl file=g.jsonl --resume";
    std::fs::write(path.join("g.jsonl"), "{}\n").unwrap();
    for _ in 0..3 {
        let out = good(path, &words);
        assert!(out.contains("finished games"), "{out}");
        assert_eq!(games(path, "g.jsonl").len(), 1 + 4);
    }
    assert!(text(path, "g.jsonl").starts_with("{}\n"));
}

/// Whether a match appends to its files or writes them anew may change when it is resumed: its games are there once.
#[test]
fn resumed_matches_that_append_only_now_or_no_longer() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let begun_anew = [("append=false", 0), ("", 0)];
    let begun_behind = [("", 1), ("append=false", 0), ("", 0)];
    for runs in [&begun_anew[..], &begun_behind] {
        for name in ["g.jsonl", "g.epd"] {
            std::fs::write(path.join(name), "{}\n").unwrap();
        }
        for &(append, older) in runs {
            let files = [
                "-pgnout file=g.pgn",
                "-jsonl file=g.jsonl",
                "-epdout file=g.epd",
            ];
            let files = files.map(|file| format!("{file} {append} ")).concat();
            good(path, &format!("{DUEL} {files} -journal file=j --resume"));
            assert_eq!(text(path, "g.pgn").matches("[Result ").count(), 2);
            assert_eq!(games(path, "g.jsonl").len(), older + 2);
            assert_eq!(text(path, "g.epd").lines().count(), older + 2);
        }
        for name in ["j", "g.pgn"] {
            std::fs::remove_file(path.join(name)).unwrap();
        }
    }
}

/// What a killed program left of its last line does not spoil the first game.
#[test]
fn files_that_end_within_a_line() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let names = ["g.jsonl", "g.epd"];
    for name in names {
        std::fs::write(path.join(name), "{\"torn").unwrap();
    }
    let words = format!("{DUEL} -jsonl file=g.jsonl -epdout file=g.epd -journal file=j --resume");
    for _ in 0..2 {
        good(path, &words);
        for name in names {
            let text = text(path, name);
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!((lines.len(), lines[0]), (3, "{\"torn"), "{text}");
        }
    }
}

/// A match whose games nobody reads any more does not end as if it were over.
#[cfg(unix)]
#[test]
fn games_that_nobody_reads() {
    let folder = tempdir().unwrap();
    let words = format!("{DUEL} -jsonl file=-");
    let words: Vec<&str> = words.split(' ').collect();
    let mut running = command(folder.path(), &words).spawn().unwrap();
    drop(running.stdout.take());
    let output = running.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    let why = "hexmate: standard output: nobody reads the games any more; the match ends";
    assert!(told.contains(why), "{told}");
}

/// What could not be written is named.
#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_printed() {
    let folder = tempdir().unwrap();
    good(folder.path(), &format!("{DUEL} -pgnout file=g.pgn"));
    for words in [DUEL, "replay g.pgn"] {
        let words: Vec<&str> = words.split(' ').collect();
        let full = std::fs::File::create("/dev/full").unwrap();
        let mut command = command(folder.path(), &words);
        let output = command.stdout(full).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        let why = "hexmate: standard output cannot be written: ";
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn standard_output_is_for_one() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let run = hexmate(path, &format!("{DUEL} -jsonl file=-"));
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 2), "{run:?}");
    assert!(run.out.lines().all(|line| line.starts_with('{')), "{run:?}");
    assert!(run.err.contains("Tournament finished"), "{run:?}");
    let run = hexmate(path, &format!("{DUEL} -report file=-"));
    let page = run.out.trim_end();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    assert!(!path.join("-").exists());
}

/// What the match says is on standard output, and a journal is read again.
#[test]
fn logs_and_journals_are_files() {
    let folder = tempdir().unwrap();
    for words in ["-log file=-", "-journal file=-", "-journal -"] {
        let message = refused(folder.path(), &format!("{DUEL} {words}"));
        let option = words.split(' ').next().unwrap();
        let why = format!("{option} file=-: is not written to standard output; expected the name");
        assert!(message.contains(&why), "{words}: {message}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn the_form_of_cutechess() {
    let folder = tempdir().unwrap();
    let out = good(folder.path(), &format!("{DUEL} -output format=cutechess"));
    for line in [
        "Score of a vs b: 0 - 0 - 2  [0.500] 2",
        "...      a playing White: 0 - 0 - 1  [0.500] 1",
        "...      a playing Black: 0 - 0 - 1  [0.500] 1",
        "...      White vs Black: 0 - 0 - 2  [0.500] 2",
        "Elo difference: 0.0",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
}

/// Games that are no samples are told in every form.
#[test]
fn the_form_of_cutechess_tells_what_is_left_out() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let book = good(path, "openings glinski --count 1");
    std::fs::write(path.join("b.epd"), book).unwrap();
    let words = DUEL.replace("-rounds 1", "-rounds 2");
    let out = good(
        path,
        &format!("{words} -openings file=b.epd -output format=cutechess"),
    );
    let told = "Left out of all but the points: 2 games of pairs";
    assert!(out.contains(told), "{out}");
}

/// Colours that are not swapped, or all the other way round; and a rest between games.
#[test]
fn colours_and_rests() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let whites = |words: &str| -> Vec<String> {
        let words = format!("{DUEL} -jsonl file=g.jsonl append=false {words}");
        good(path, &words);
        let games = games(path, "g.jsonl");
        games
            .iter()
            .map(|game| game["white"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(whites("-noswap"), ["a", "a"]);
    assert_eq!(whites("-reverse"), ["b", "a"]);
    assert_eq!(whites("-wait 1"), ["a", "b"]);
}

#[test]
fn too_many_games_at_once_are_told() {
    let folder = tempdir().unwrap();
    let many = format!("{DUEL} -concurrency 5000");
    let run = hexmate(folder.path(), &many);
    let told = "Warning; -concurrency 5000: 5000 games at once need more than ";
    let (_, told) = run.err.split_once(told).expect("a warning");
    assert!(told.contains("; the match ends no sooner\n"), "{run:?}");
    // Clocks are spoken of where there are any.
    let run = hexmate(folder.path(), &many.replace("nodes=20", "nodes=20 st=1000"));
    let told = "; the match ends no sooner, and clock times are unreliable\n";
    assert!(run.err.contains(told), "{run:?}");
    let run = hexmate(folder.path(), DUEL);
    assert!(!run.err.contains("-concurrency"), "{run:?}");
}

/// A report is written over an earlier one, and over no other page, be it one of ours.
#[test]
fn only_reports_are_overwritten() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("g.pgn"), "1. e5 e6 *\n").unwrap();
    good(path, "review g.pgn --nodes 10 --html review.html");
    let page = text(path, "review.html");
    let message = refused(path, &format!("{DUEL} -report file=review.html"));
    assert!(
        message.contains("review.html exists and is no report"),
        "{message}"
    );
    assert_eq!(text(path, "review.html"), page);
    for event in ["first", "second"] {
        good(path, &format!("{DUEL} -event {event} -report file=r.html"));
        assert!(text(path, "r.html").contains(&format!("<h1>{event}</h1>")));
    }
}

/// The page is written again and again: whoever reads a pipe would get pieces of several.
#[cfg(unix)]
#[test]
fn a_report_is_no_pipe() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    make_pipe(path);
    let message = refused(path, &format!("{DUEL} -report file=pipe"));
    assert!(
        message.starts_with("hexmate: -report: pipe is a pipe; expected a file"),
        "{message}"
    );
    let message = refused(path, &format!("{DUEL} -report file=/dev/stdout"));
    assert!(message.contains("; expected a file"), "{message}");
}

/// Nobody reads the pipe: who waits for that can be interrupted.
#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_reads_can_be_left() {
    use std::thread::sleep;
    use std::time::Duration;

    use rustix::process::{Pid, Signal, kill_process};

    let folder = tempdir().unwrap();
    let path = folder.path();
    make_pipe(path);
    let words = format!("{DUEL} -pgnout file=pipe -journal file=j");
    let words: Vec<&str> = words.split(' ').collect();
    let mut child = command(path, &words).spawn().unwrap();
    // By then it waits for a reader.
    sleep(Duration::from_secs(2));
    assert_eq!(child.try_wait().unwrap(), None);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    for _ in 0..600 {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(130));
            assert!(!path.join("j.live").exists());
            return;
        }
        sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    panic!("the signal has no effect");
}

/// The signal comes when the trial of the engines is over, and before the pipe is opened.
#[cfg(unix)]
#[test]
fn an_interruption_before_a_pipe_is_opened_is_not_forgotten() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    make_pipe(path);
    let engine = "#!/bin/sh
while read -r word _; do case $word in
uci) echo 'option name UCI_Variant type combo default glinski var glinski'; echo uciok;;
isready) echo readyok;;
quit) kill -TERM $PPID; sleep 0.2; exit;;
esac; done\n";
    std::fs::write(path.join("engine"), engine).unwrap();
    let words = "match -engine cmd=internal -engine cmd=sh args=engine name=b -each nodes=10 -pgnout file=pipe";
    let words: Vec<&str> = words.split(' ').collect();
    let mut child = command(path, &words).spawn().unwrap();
    for _ in 0..600 {
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(130));
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    panic!("the signal has no effect");
}

#[cfg(unix)]
fn make_pipe(folder: &std::path::Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let mode = Mode::RUSR | Mode::WUSR;
    mknodat(CWD, folder.join("pipe"), FileType::Fifo, mode, 0).unwrap();
}

/// A tag Result that is missing says nothing, and one in other words may agree.
#[test]
fn replay_compares_results_by_their_meaning() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    for head in ["", "[Result \"½-½\"]\n\n", "[Result \"1/2-1/2\"]\n\n"] {
        std::fs::write(path.join("g.pgn"), format!("{head}1. e5 e6 ½-½\n")).unwrap();
        assert!(good(path, "replay g.pgn").contains("\"1/2-1/2\""), "{head}");
    }
    std::fs::write(path.join("g.pgn"), "[Result \"1-0\"]\n\n1. e5 e6 ½-½\n").unwrap();
    let run = hexmate(path, "replay g.pgn");
    assert_eq!(run.code, Some(1), "{run:?}");
    let told = "the tag Result says 1-0, the game ends with 1/2-1/2";
    assert!(run.err.contains(told), "{run:?}");
}

/// The number of a game and the reason of its result survive the way from one form into another.
#[test]
fn converted_games_are_replayed_as_they_were_played() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    good(
        path,
        &format!("{DUEL} -pgnout file=g.pgn -jsonl file=g.jsonl"),
    );
    good(path, "convert g.jsonl --output c.pgn");
    let lines = text(path, "g.jsonl");
    let reason = "\"reason\":\"Draw by adjudication (maxmoves)\"";
    assert_eq!(lines.matches(reason).count(), 2, "{lines}");
    assert_eq!(good(path, "replay c.pgn"), lines);
    let second = text(path, "g.pgn");
    let second = &second[second.rfind("[Event ").unwrap()..];
    std::fs::write(path.join("g.pgn"), second).unwrap();
    let converted = good(path, "convert g.pgn --to jsonl");
    assert!(converted.contains("\"id\":2,"), "{converted}");
}
