//! The demonstrations behind docs/batch.md; they take minutes:
//! `cargo test --profile tune -p hexmate --test cli batch::large -- --ignored --nocapture --test-threads 1`.
//! `HEXMATE_GAMES=FILE` takes positions of these games, too; `HEXMATE_POSITIONS=N` changes their number.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Folder, Random, begun, positions, run, stats, timeless};
use crate::run::command;

/// So many lines: all positions of the games, and positions of random play.
fn input(count: usize) -> String {
    let mut lines = Vec::new();
    if let Some(file) = std::env::var_os("HEXMATE_GAMES") {
        let text = std::fs::read_to_string(file).unwrap();
        for game in text.lines() {
            let game: serde_json::Value = serde_json::from_str(game).unwrap();
            let moves: Vec<&str> = game["moves"].as_str().unwrap().split(' ').collect();
            for plies in 0..=moves.len() {
                let moves = moves[..plies].join(" ");
                lines.push(serde_json::json!({ "moves": moves }).to_string());
            }
        }
    }
    lines.truncate(count);
    println!("{} positions of games", lines.len());
    lines.extend(positions(count - lines.len()));
    lines.join("\n") + "\n"
}

fn count() -> usize {
    let count = std::env::var("HEXMATE_POSITIONS");
    count.map_or(100_000, |n| n.parse().unwrap())
}

/// Killed at 30 random moments and resumed each time.
#[test]
#[ignore = "takes minutes"]
fn thirty_kills() {
    const KILLS: usize = 30;
    let folder = Folder::new();
    let input = folder.write("in", input(count()));
    let (whole, output) = (folder.text("whole"), folder.text("out"));
    let words = ["--nodes", "200", "--jobs", "2", &input];
    let begin = Instant::now();
    run(&[&words[..], &["--output", &whole]].concat()).success();
    let seconds = begin.elapsed().as_secs_f64();
    println!("undisturbed: {seconds:.1} s");
    let words = [&words[..], &["--output", &output, "--resume"]].concat();
    let mut random = Random(1);
    let mut kills = 0;
    while kills < KILLS {
        let mut child = begun(&words);
        // On average the kills take half of the time that an undisturbed run takes.
        let most = (seconds * 1000.0 / KILLS as f64) as usize;
        sleep(Duration::from_millis(random.below(most) as u64));
        assert!(
            child.try_wait().unwrap().is_none(),
            "ended after {kills} kills"
        );
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    let text = std::fs::read_to_string(folder.path("out.journal")).unwrap();
    println!(
        "killed {kills} times; {} answers kept",
        text.lines().count() - 1
    );
    run(&[&words[..], &["--stats", &folder.text("stats")]].concat()).success();
    println!("{:#}", stats(&folder.path("stats"))["answers"]);
    assert!(timeless(&folder.read("out")) == timeless(&folder.read("whole")));
    println!("byte-equal, times aside");
}

/// On a small disk that fills up; then the disk grows and the run goes on. Needs the right to mount.
#[test]
#[ignore = "needs the right to mount"]
fn a_full_disk() {
    let folder = Folder::new();
    let input = folder.write("in", input(count().min(20_000)));
    let disk = folder.path("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = |options: &str| {
        let mut command = Command::new("mount");
        command
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(&disk);
        command.status().is_ok_and(|s| s.success())
    };
    if !mount("size=2m") {
        println!("skipped: no right to mount");
        return;
    }
    let whole = folder.text("whole");
    let output = folder.text("disk/out");
    let words = ["--nodes", "100", "--jobs", "2", &input];
    run(&[&words[..], &["--output", &whole]].concat()).success();
    let words = [&words[..], &["--output", &output, "--resume"]].concat();
    let mut stops = 0;
    let mut size = 2;
    let last = loop {
        let result = run(&words);
        if result.code == 0 {
            break result;
        }
        println!(
            "{} MB: exit code {}: {}",
            size,
            result.code,
            result.err.trim()
        );
        assert_eq!(result.code, 2);
        assert!(result.err.contains("disk/out") && result.err.contains("No space left"));
        assert!(!folder.path("disk/out").exists() && !folder.path("disk/out.part").exists());
        stops += 1;
        size += 6;
        assert!(
            mount(&format!("remount,size={size}m")),
            "the disk cannot grow"
        );
    };
    let equal = timeless(&folder.read("disk/out")) == timeless(&folder.read("whole"));
    assert!(
        Command::new("umount")
            .arg(&disk)
            .status()
            .unwrap()
            .success()
    );
    assert!(equal && stops > 0, "{last:?}");
    println!("full {stops} times; byte-equal at the end, times aside");
}

/// The most memory that a run takes, in kilobytes, with a thousand records or with all of them.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes minutes"]
fn memory_does_not_grow() {
    let folder = Folder::new();
    let text = input(count());
    let mut peaks = Vec::new();
    for most in [1_000, 10_000, count()] {
        let lines: String = text.lines().take(most).flat_map(|l| [l, "\n"]).collect();
        let input = folder.write("in", lines);
        let output = folder.text("out");
        let cache = folder.text("cache");
        let words = [
            "analyse", "--nodes", "50", "--jobs", "2", &input, "--output", &output,
        ];
        let mut child = command(&[&words[..], &["--cache", &cache]].concat())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        while child.try_wait().unwrap().is_none() {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
            let now = line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok());
            peak = peak.max(now.unwrap_or(0));
            sleep(Duration::from_millis(20));
        }
        println!("{most} records: {peak} kB at most");
        peaks.push(peak);
    }
    let (least, most) = (peaks[0], peaks.iter().max().unwrap());
    assert!(most - least < 50 * 1024, "{peaks:?}");
}

/// A thousand damaged lines among ten thousand good ones.
#[test]
#[ignore = "takes a minute"]
fn a_thousand_damaged_lines() {
    super::inputs::damaged(10_000, 1000);
}

/// Nodes a second of the bare engine, of one job and of two, in turns; medians.
#[test]
#[ignore = "times are for a quiet machine"]
fn throughput() {
    const ROUNDS: usize = 5;
    let records = count().min(4000);
    let folder = Folder::new();
    let text = input(records);
    let file = folder.write("in", &text);
    let told = folder.text("stats");
    let rates = |jobs: &str| {
        let words = ["--nodes", "1000", "--jobs", jobs, &file, "--stats", &told];
        command(&[&["analyse"], &words[..]].concat())
            .stdout(Stdio::null())
            .status()
            .unwrap();
        let stats = stats(&folder.path("stats"));
        stats["nodes_per_second"].as_f64().unwrap()
    };
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push([
            bare(&text, false),
            bare(&text, true),
            rates("1"),
            rates("2"),
        ]);
    }
    let median = |i: usize| {
        let mut all: Vec<f64> = rounds.iter().map(|r| r[i]).collect();
        all.sort_by(f64::total_cmp);
        all[ROUNDS / 2]
    };
    let [learning, forgetting, one, two] = [0, 1, 2, 3].map(median);
    println!("{records} records, thousand nodes a second:");
    println!(
        "bare engine that keeps what it learnt: {:.0}",
        learning / 1e3
    );
    println!(
        "bare engine that forgets:              {:.0}",
        forgetting / 1e3
    );
    println!(
        "one job:  {:.0}, {:.3} of the latter",
        one / 1e3,
        one / forgetting
    );
    println!("two jobs: {:.0}, {:.3} times one", two / 1e3, two / one);
}

/// Nodes a second of an engine in a loop, each different position once.
fn bare(text: &str, forget: bool) -> f64 {
    use hexmate_engine::{Engine, Limits, Table};
    use hexmate_movegen::{Glinski, Position, Record};

    let records = text.lines().map(|line| {
        let Ok(object) = serde_json::from_str::<serde_json::Value>(line) else {
            return Record::new(line.parse::<Position<Glinski>>().unwrap());
        };
        let mut record = Record::new(Position::start());
        for mv in object["moves"].as_str().unwrap().split_whitespace() {
            let mv = record.position().parse_move(mv).unwrap();
            record.play(mv).unwrap();
        }
        record
    });
    let records: Vec<Record<Glinski>> = records.filter(|r| r.outcome().is_none()).collect();
    let mut table = Table::new(16).unwrap();
    let mut engine = Engine::<Glinski>::new(1);
    let limits = Limits {
        nodes: Some(1000),
        ..Limits::default()
    };
    let begin = Instant::now();
    let mut nodes = 0;
    for record in &records {
        if forget {
            table.forget();
            engine.forget();
        } else {
            table.new_search();
        }
        nodes += engine.analyse(&table, record, limits, |_| {}).nodes;
    }
    nodes as f64 / begin.elapsed().as_secs_f64()
}
