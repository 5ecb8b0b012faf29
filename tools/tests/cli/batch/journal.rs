//! Runs that are killed and go on.

use std::thread::sleep;
use std::time::Duration;

use super::{
    Folder, Random, begun, changed_meanwhile, other_rules, positions, run, stats, timeless,
};

/// Kills a run at random moments and goes on each time; the end is what an undisturbed run writes.
#[test]
fn killed_and_resumed() {
    let folder = Folder::new();
    let input = folder.write("in", positions(1500).join("\n"));
    let output = folder.text("out");
    let words = ["--nodes", "300", "--jobs", "2", &input];
    let whole = timeless(&run(&words).success());
    let words = [&words[..], &["--resume", "--output", &output]].concat();
    let mut random = Random(3);
    let mut journal = 0;
    for _ in 0..6 {
        let mut child = begun(&words);
        sleep(Duration::from_millis(30 + random.below(150) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        if folder.path("out").exists() {
            break;
        }
        // What is in the journal stays there, but for a torn tail.
        if let Ok(meta) = std::fs::metadata(folder.path("out.journal")) {
            assert!(meta.len() + 4096 > journal, "the journal lost entries");
            journal = meta.len();
        }
    }
    let (file, told) = (folder.path("stats"), folder.text("stats"));
    let ended = folder.path("out").exists();
    run(&[&words[..], &["--stats", &told]].concat());
    assert_eq!(timeless(&folder.read("out")), whole);
    assert!(ended || stats(&file)["answers"]["from_journal"].as_u64() > Some(0));
    assert!(
        !folder
            .names()
            .iter()
            .any(|n| n.ends_with(".journal") || n.ends_with(".part"))
    );
}

/// A journal cut at any byte is gone on with, and its whole entries are not searched again.
#[test]
fn torn_journals() {
    let folder = Folder::new();
    let input = folder.write("in", positions(40).join("\n"));
    let (journal, output, told) = (folder.text("j"), folder.text("out"), folder.text("stats"));
    let words = [
        "--nodes",
        "20",
        "--jobs",
        "2",
        "--journal",
        &journal,
        "--output",
        &output,
        &input,
    ];
    run(&words).success();
    let (whole, complete) = (std::fs::read(folder.path("j")).unwrap(), folder.read("out"));
    let mut random = Random(9);
    for _ in 0..20 {
        let length = random.below(whole.len() + 1);
        std::fs::write(folder.path("j"), &whole[..length]).unwrap();
        run(&[&words[..], &["--resume", "--stats", &told]].concat()).success();
        assert_eq!(
            timeless(&folder.read("out")),
            timeless(&complete),
            "{length}"
        );
        let entries = whole[..length]
            .iter()
            .filter(|&&b| b == b'\n')
            .count()
            .saturating_sub(1);
        let stats = stats(&folder.path("stats"));
        assert_eq!(stats["answers"]["from_journal"], entries, "{length}");
    }
    // What was in the journal comes out as it was, times and all, in any form.
    let epd = folder.text("epd");
    let mut words = words;
    words[7] = &epd;
    run(&[&words[..], &["--resume", "--format", "epd"]].concat()).success();
    assert_eq!(folder.read("epd").lines().count(), 40);
}

/// An input that was cut short, emptied or changed does not end the run of a journal: what is finished is kept.
#[test]
fn a_shorter_input_loses_no_answers() {
    let folder = Folder::new();
    let lines = positions(12);
    let input = folder.write("in", lines.join("\n"));
    let (journal, output) = (folder.text("out.journal"), folder.text("out"));
    let words = ["--nodes", "20", "--jobs", "1", &input];
    run(&[&words[..], &["--journal", &journal]].concat()).success();
    let kept = folder.read("out.journal");
    let resumed = || run(&[&words[..], &["--output", &output, "--resume"]].concat());
    let exchanged = [&lines[1..2], &lines[..1], &lines[2..]].concat();
    for (input, says) in [
        (
            String::new(),
            "holds 12 answers beyond the end of the input",
        ),
        (lines[..5].join("\n"), "holds 7 answers beyond the end"),
        (lines[..11].join("\n"), "holds 1 answer beyond the end"),
        (exchanged.join("\n"), "record 1 is not the one"),
    ] {
        folder.write("in", input);
        let result = resumed();
        assert_eq!(result.code, 2, "{result:?}");
        assert!(result.err.contains(says), "{result:?}");
        assert!(!result.err.contains("goes on"), "{result:?}");
        assert_eq!(folder.read("out.journal"), kept);
        assert!(!folder.path("out").exists());
    }
    folder.write("in", lines.join("\n"));
    resumed().success();
    assert_eq!(folder.read("out").lines().count(), 12);
    assert!(!folder.path("out.journal").exists());
}

#[test]
fn journals_of_other_runs_are_refused() {
    let folder = Folder::new();
    let input = folder.write("in", positions(5).join("\n"));
    let journal = folder.text("j");
    let words = ["--nodes", "20", "--journal", &journal];
    run(&[&words[..], &[&input]].concat()).success();
    let refused = |words: &[&str], says: &str| {
        let result = run(words);
        assert_eq!(result.code, 2, "{result:?}");
        assert!(
            result.err.contains(says) && result.err.contains("j: "),
            "{}",
            result.err
        );
    };
    refused(&[&words[..], &[&input]].concat(), "holds 5 answers");
    let other = ["--nodes", "21", "--journal", &journal, "--resume", &input];
    refused(&other, "--nodes was 20, and is 21");
    refused(
        &[&words[..], &["--resume", "--shard", "1/2", &input]].concat(),
        "--shard was",
    );
    let changed = folder.write("changed", positions(6)[1..].join("\n"));
    refused(
        &[&words[..], &["--resume", &changed]].concat(),
        "record 1 is not the one",
    );
    let text = folder.read("j");
    folder.write("j", text.replacen("_journal\":", "_journal\":9", 1));
    refused(
        &[&words[..], &["--resume", &input]].concat(),
        "another version of hexmate",
    );
    let engine = text.find("\"engine\":").unwrap();
    folder.write("j", text.replacen("0.1.0", "0.0.9", 1));
    assert!(engine > 0);
    refused(&[&words[..], &["--resume", &input]].concat(), "engine was");
    // More lines behind the old ones are gone on with.
    folder.write("j", text);
    let longer = folder.write("longer", positions(8).join("\n"));
    assert_eq!(
        run(&[&words[..], &["--resume", &longer]].concat())
            .answers()
            .len(),
        8
    );
    run(&[&words[..], &["--restart", &changed]].concat()).success();
    run(&["--resume", &input]).refused();
    run(&["--journal", &journal, "--output", &journal, &input]).refused();
}

/// The game's name says nothing of its rules.
#[test]
fn a_journal_of_other_rules_of_a_game_is_refused() {
    let folder = Folder::new();
    let input = folder.write("in", positions(1).join("\n"));
    let (game, journal) = (other_rules(&folder, "1/2"), folder.text("j"));
    let words = [
        "--depth",
        "1",
        "--game",
        &game,
        "--journal",
        &journal,
        &input,
    ];
    run(&words).success();
    other_rules(&folder, "3/4-1/4");
    let message = run(&[&words[..], &["--resume"]].concat()).refused();
    assert!(message.contains("the game's file was"), "{message}");
}

/// Without --resume what an interrupted run left is not thrown away.
#[test]
fn unfinished_work_is_not_overwritten() {
    let folder = Folder::new();
    let input = folder.write("in", positions(400).join("\n"));
    let output = folder.text("out");
    let words = [
        "--nodes", "2000", "--jobs", "1", &input, "--output", &output,
    ];
    let mut child = begun(&words);
    while std::fs::metadata(folder.path("out.journal")).map_or(0, |m| m.len()) < 4096 {
        sleep(Duration::from_millis(5));
    }
    // Nobody else may use it meanwhile.
    let second = run(&[&words[..], &["--resume"]].concat());
    let first_ended = child.try_wait().unwrap().is_some();
    assert!(
        first_ended || second.code == 2 && second.err.contains("another run"),
        "{second:?}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    if !folder.path("out").exists() {
        let refused = run(&words);
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains("--resume"), "{}", refused.err);
    }
    let last = run(&[&words[..], &["--resume"]].concat());
    assert_eq!(last.code, 0, "{last:?}");
    let again = run(&[&words[..], &["--resume"]].concat());
    assert!(again.err.contains("already complete"), "{again:?}");
    assert_eq!(folder.read("out").lines().count(), 400);
}

#[test]
fn what_has_no_journal_is_not_restarted() {
    let message = run(&["--nodes", "1", "--restart"]).refused();
    assert!(message.contains("--restart needs a journal"), "{message}");
}

/// Only a journal is discarded, however damaged it is.
#[test]
fn what_is_no_journal_is_not_emptied() {
    let folder = Folder::new();
    let input = folder.write("in", positions(3).join("\n"));
    let (journal, output) = (folder.text("j"), folder.text("out"));
    let words = ["--depth", "1", "--journal", &journal, "--output", &output];
    let words = [&words[..], &["--restart", "--force", &input]].concat();
    for precious in ["1\n2\n", "{\"hexmate_journal\":1}\n", "notes", "\n", "\0\0"] {
        folder.write("j", precious);
        let message = run(&words).refused();
        let says = "j: this is not a journal of hexmate analyse";
        assert!(message.contains(says), "{message}");
        assert!(
            message.contains("delete it if a power failure"),
            "{message}"
        );
        assert_eq!(folder.read("j"), precious);
    }
    folder.write("j", "");
    run(&words).success();
    let whole = folder.read("j");
    let first = whole.lines().next().unwrap();
    for damaged in [
        &whole[..9],
        &whole[..first.len()],
        &whole[..whole.len() - 3],
        &whole.replacen("depth", "drpth", 1),
        &whole.replacen("_journal\":", "_journal\":9", 1),
    ] {
        folder.write("j", damaged);
        run(&words).success();
        assert_eq!(folder.read("j").lines().next(), Some(first));
        assert_eq!(folder.read("j").lines().count(), 4);
    }
}

/// What a killed run was writing does not keep it from going on or beginning again; to others it is somebody's file.
#[test]
fn half_written_output_belongs_to_the_journal() {
    let folder = Folder::new();
    let input = folder.write("in", positions(3).join("\n"));
    let output = folder.text("out");
    let words = ["--depth", "1", &input, "--output", &output];
    run(&[&words[..], &["--journal", &folder.text("kept")]].concat()).success();
    for option in ["--resume", "--restart"] {
        std::fs::copy(folder.path("kept"), folder.path("out.journal")).unwrap();
        std::fs::remove_file(folder.path("out")).unwrap();
        folder.write("out.part", "half");
        run(&[&words[..], &[option]].concat()).success();
        assert!(!folder.path("out.part").exists() && !folder.path("out.journal").exists());
    }
    std::fs::remove_file(folder.path("out")).unwrap();
    for option in ["--quiet", "--resume", "--restart"] {
        folder.write("out.part", "precious");
        let message = run(&[&words[..], &[option]].concat()).refused();
        assert!(message.contains("out.part"), "{message}");
        assert_eq!(folder.read("out.part"), "precious");
    }
}

/// By a journal it is known whose the half written output is, not by any other file under its name.
#[test]
fn a_file_that_is_no_journal_gives_no_output_away() {
    let folder = Folder::new();
    let input = folder.write("in", positions(1).join("\n"));
    let notes = folder.write("notes", "my notes\n");
    folder.write("out.part", "precious");
    let output = folder.text("out");
    let words = [
        "--depth",
        "1",
        &input,
        "--output",
        &output,
        "--journal",
        &notes,
    ];
    for option in ["--quiet", "--resume", "--restart"] {
        let message = run(&[&words[..], &[option]].concat()).refused();
        assert!(message.contains("out.part"), "{message}");
        assert_eq!(folder.read("out.part"), "precious");
        assert_eq!(folder.read("notes"), "my notes\n");
    }
}

/// A run that is refused touches nothing.
#[test]
fn a_journal_of_another_run_gives_no_output_away() {
    let folder = Folder::new();
    let input = folder.write("in", positions(1).join("\n"));
    let (journal, output) = (folder.text("j"), folder.text("out"));
    let words = [&input, "--journal", &journal, "--output"];
    let other = folder.text("other");
    run(&[&words[..], &[&other, "--depth", "1"]].concat()).success();
    folder.write("out.part", "precious");
    for option in ["--quiet", "--resume"] {
        let more = [&output, "--depth", "2", option];
        let message = run(&[&words[..], &more].concat()).refused();
        assert!(message.contains("journal"), "{message}");
        assert_eq!(folder.read("out.part"), "precious");
    }
}

/// Another file that has come to the place of the output is not taken for what the run had written.
#[test]
fn a_run_that_goes_on_replaces_only_its_own_output() {
    let folder = Folder::new();
    let input = folder.write("in", positions(3).join("\n"));
    let (journal, output) = (folder.text("j"), folder.text("out"));
    let words = [
        "--depth",
        "1",
        &input,
        "--journal",
        &journal,
        "--output",
        &output,
    ];
    run(&words).success();
    let words = [&words[..], &["--resume"]].concat();
    run(&words).success();
    folder.write("out", "precious\n");
    let message = run(&words).refused();
    assert!(message.contains("--force beside --resume"), "{message}");
    assert_eq!(folder.read("out"), "precious\n");
    run(&[&words[..], &["--force"]].concat()).success();
    assert_eq!(folder.read("out").lines().count(), 3);
}

/// It is whole as `FILE.part`: there is nothing to go on with, by which the other file would be lost.
#[test]
fn a_file_that_appears_during_a_run_stays_also_when_it_is_started_again() {
    let folder = Folder::new();
    let lines = positions(2);
    let (output, told) = (folder.text("out"), folder.text("stats"));
    let words = ["--depth", "1", "--output", &output, "--stats", &told];
    let meanwhile = |names: &[&str], words: &[&str]| {
        // The input is looked at before there is a journal.
        let [first, rest] = [0, 1].map(|i| format!("{}\n", lines[i]));
        changed_meanwhile(
            &[&["analyse", "--hash", "1"], words].concat(),
            [&first, &rest],
            &folder.path("out.journal"),
            || {
                for name in names {
                    folder.write(name, "precious\n");
                }
            },
        )
    };
    let message = meanwhile(&["out"], &words).refused();
    assert!(
        message.contains("has appeared") && !message.contains("--resume"),
        "{message}"
    );
    assert_eq!(folder.names(), ["out", "out.part", "stats"]);
    assert_eq!(folder.read("out.part").lines().count(), 2);
    let input = folder.write("in", lines.join("\n"));
    run(&[&words[..4], &["--resume", &input]].concat()).refused();
    assert_eq!(folder.read("out"), "precious\n");
    // With --force it is overwritten.
    std::fs::remove_file(folder.path("out")).unwrap();
    meanwhile(&["out"], &[&words[..], &["--force"]].concat()).success();
    assert_eq!(folder.read("out").lines().count(), 2);
    assert_eq!(folder.names(), ["in", "out", "stats"]);
    // So it is with the statistics.
    for name in ["out", "stats"] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    let message = meanwhile(&["stats"], &words).refused();
    assert!(
        message.contains("has appeared") && !message.contains("--resume"),
        "{message}"
    );
    assert_eq!(folder.names(), ["in", "out", "stats", "stats.part"]);
    assert_eq!(folder.read("stats"), "precious\n");
    assert_eq!(folder.read("out").lines().count(), 2);
    // All of them are told.
    for name in ["out", "stats", "stats.part"] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    let message = meanwhile(&["out", "stats"], &words).refused();
    assert!(
        message.contains("out.part; rename") && message.contains("stats.part; rename"),
        "{message}"
    );
    for name in ["out", "out.part", "stats", "stats.part"] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    // The file of a share goes where its output goes.
    let words = [&words[..4], &["--shard", "1/1"]].concat();
    let message = meanwhile(&["out", "out.share"], &words).refused();
    assert!(message.contains("out.part; rename"), "{message}");
    let names = ["in", "out", "out.part", "out.part.share", "out.share"];
    assert_eq!(folder.names(), names);
    assert_eq!(folder.read("out.share"), "precious\n");
    for name in &names[1..] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    let message = meanwhile(&["out.share"], &words).refused();
    assert!(message.contains("out.share.part; rename"), "{message}");
    assert_eq!(folder.read("out.share"), "precious\n");
    assert_eq!(folder.names(), ["in", "out", "out.share", "out.share.part"]);
}
