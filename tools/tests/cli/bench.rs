//! `hexmate bench`: what it prints, and the same nodes every time.

use hexmate_movegen::Simd;

use crate::run::{GAMES, Run, command, hexmate};

fn nodes(text: &str) -> u64 {
    let last = text.lines().last().unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    let [nodes, "nodes", nps, "nps"] = words[..] else {
        panic!("{last}");
    };
    assert!(nps.parse::<u64>().unwrap() > 0);
    nodes.parse().unwrap()
}

#[test]
fn every_game_and_the_sum_of_all() {
    let text = hexmate(&["bench", "--depth", "4"]).success();
    let lines: Vec<&str> = text.lines().collect();
    let (_, positions) = lines.split_last().unwrap();
    let mut sum = 0;
    for line in positions {
        let (front, _) = line.split_once(" nodes ").unwrap();
        sum += front
            .split(' ')
            .next_back()
            .unwrap()
            .parse::<u64>()
            .unwrap();
    }
    assert_eq!(nodes(&text), sum);
    for game in GAMES {
        let name = format!(" {game} ");
        assert_eq!(positions.iter().filter(|l| l.contains(&name)).count(), 8);
    }
}

/// The other games that ship are not in it, and the help does not say so.
#[test]
fn the_help_names_the_positions() {
    let help = hexmate(&["bench", "--help"]).success();
    assert!(
        help.contains("eight positions of each of the five compiled games"),
        "{help}"
    );
}

#[test]
fn the_same_nodes_every_time() {
    let run = || nodes(&hexmate(&["bench", "--depth", "5"]).success());
    let first = run();
    assert!(first > 10_000);
    assert_eq!(run(), first);
}

#[test]
fn the_same_nodes_with_every_backend() {
    let run = |simd: Simd| {
        let mut command = command(&["bench", "--depth", "6"]);
        command.env("HEXMATE_SIMD", simd.to_string());
        Run::new(command.output().unwrap()).success()
    };
    let positions = |text: &str| -> Vec<String> {
        let (lines, _) = text.trim_end().rsplit_once('\n').unwrap();
        let nodes = |line: &str| line.split(" nodes ").next().map(str::to_owned);
        lines.lines().filter_map(nodes).collect()
    };
    let portable = positions(&run(Simd::Portable));
    for simd in Simd::available() {
        assert_eq!(positions(&run(simd)), portable, "{simd}");
    }
}

#[test]
fn other_threads_and_tables() {
    for arguments in [["--threads", "2"], ["--hash", "1"]] {
        let arguments = [&["bench", "--depth", "3"], &arguments[..]].concat();
        assert!(nodes(&hexmate(&arguments).success()) > 0);
    }
    for arguments in [["--depth", "0"], ["--threads", "0"], ["--hash", "0"]] {
        let message = hexmate(&[&["bench"], &arguments[..]].concat()).refused();
        assert!(message.contains(arguments[0]), "{message}");
    }
}
