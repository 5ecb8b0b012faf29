//! The same answers whatever is done at once, shared out, or known already.

use hexmate_movegen::{Chromatic3, Mccooey};
use serde_json::json;

use super::{Folder, Random, analysed, begun, positions, positions_of, run, stats, timeless};

/// Positions that come again, some of them next to each other.
fn repeated() -> String {
    let texts = positions(60);
    let mut random = Random(11);
    let mut lines = Vec::new();
    for _ in 0..200 {
        let text = &texts[random.below(texts.len())];
        // The number of the move makes no difference.
        let (rest, _) = text.rsplit_once(' ').unwrap();
        let again = format!("{rest} {}", 1 + random.below(90));
        lines.extend(std::iter::repeat_n(again, 1 + random.below(3)));
    }
    for text in positions_of::<Mccooey>(10, 2) {
        lines.push(json!({"fen": text, "game": "mccooey"}).to_string());
    }
    for text in positions_of::<Chromatic3>(5, 3) {
        lines.push(format!("{text} ; game chromatic3"));
    }
    lines.join("\n")
}

#[test]
fn jobs_and_shards_change_nothing() {
    let folder = Folder::new();
    let input = folder.write("in", repeated());
    let base = ["--nodes", "200", "--multipv", "2", &input];
    let one = analysed(&[&base[..], &["--jobs", "1"]].concat());
    assert_eq!(analysed(&[&base[..], &["--jobs", "2"]].concat()), one);
    assert_eq!(analysed(&[&base[..], &["--jobs", "5"]].concat()), one);
    // Shares taken in turn are the whole.
    let shares: Vec<Vec<String>> = (1..=4)
        .map(|i| {
            let share = format!("{i}/4");
            let out = analysed(&[&base[..], &["--jobs", "2", "--shard", &share]].concat());
            out.lines().map(str::to_owned).collect()
        })
        .collect();
    let lines = one.lines().count();
    let together: String = (0..lines)
        .map(|i| shares[i % 4][i / 4].clone() + "\n")
        .collect();
    assert_eq!(together, one);
    let total: usize = shares.iter().map(Vec::len).sum();
    assert_eq!(total, lines);
}

/// What equal positions share is what each would get alone.
#[test]
fn equal_positions_alone_and_together() {
    let folder = Folder::new();
    let text = repeated();
    let together = analysed(&["--nodes", "150", "--jobs", "2", &folder.write("in", &text)]);
    let lines: Vec<&str> = together.lines().collect();
    for i in [0, 7, 100, 250, lines.len() - 1] {
        let alone = folder.write("glinski", text.lines().nth(i).unwrap());
        let out = analysed(&["--nodes", "150", &alone])
            .replace("\"id\":1,", &format!("\"id\":{},", i + 1));
        assert_eq!(out.trim_end(), lines[i]);
    }
}

/// Positions with other pasts are other positions where the past counts.
#[test]
fn pasts_that_count() {
    let folder = Folder::new();
    let dance = "d1f4 d9f8 f4d1 f8d9 ";
    let games = [0, 1, 2].map(|n| json!({"moves": dance.repeat(n)}).to_string());
    let input = folder.write("in", games.join("\n"));
    let told = folder.text("stats");
    let run = run(&["--nodes", "500", "--jobs", "1", &input, "--stats", &told]);
    let statuses: Vec<_> = run.answers().iter().map(|a| a["status"].clone()).collect();
    assert_eq!(statuses, ["ok", "ok", "draw"]);
    assert_eq!(stats(&folder.path("stats"))["answers"]["searched"], 2);
}

/// Positions that count as equal are searched alike each by itself, whatever their pasts.
#[test]
fn pasts_that_do_not_count() {
    let folder = Folder::new();
    let there_and_back = "d1f4 d9f8 f4d1 f8d9";
    for moves in [
        there_and_back.to_owned(),
        format!("{there_and_back} h1i3 h9i6"),
        "d1f4 d9f8 h1i3 h9i6 f4d1 f8d9".to_owned(),
    ] {
        let past = json!({ "moves": moves }).to_string();
        let past = analysed(&["--nodes", "20000", &folder.write("past", past)]);
        let answer: serde_json::Value = serde_json::from_str(&past).unwrap();
        let alone = folder.write("alone", answer["fen"].as_str().unwrap());
        assert_eq!(analysed(&["--nodes", "20000", &alone]), past);
    }
}

#[test]
fn a_cache_file() {
    let folder = Folder::new();
    let input = folder.write("in", repeated());
    let cache = folder.text("cache");
    let base = ["--nodes", "150", "--jobs", "2", &input];
    let expected = analysed(&base);
    let told = folder.text("stats");
    let with = [&base[..], &["--cache", &cache, "--stats", &told]].concat();
    let answers = |name: &str| {
        stats(&folder.path("stats"))["answers"][name]
            .as_u64()
            .unwrap()
    };
    assert_eq!(analysed(&with), expected);
    let searched = answers("searched");
    assert!(searched > 0 && answers("from_cache_file") == 0);
    assert_eq!(analysed(&with), expected);
    assert_eq!(
        (answers("searched"), answers("from_cache_file")),
        (0, searched)
    );
    // Other options are other results.
    let mut other = with.clone();
    other[1] = "151";
    run(&other).success();
    assert_eq!(answers("searched"), searched);
    // A file of something else is refused, not overwritten.
    let wrong = folder.write("wrong", "x".repeat(5000));
    let refused = run(&["--depth", "1", &input, "--cache", &wrong]);
    assert!(
        refused.code == 2 && refused.err.contains("wrong"),
        "{refused:?}"
    );
    assert_eq!(folder.read("wrong"), "x".repeat(5000));
}

/// Several processes with one cache, all at once, one of them killed.
#[test]
fn a_cache_file_for_several_processes() {
    let folder = Folder::new();
    let input = folder.write("in", repeated());
    let cache = folder.text("cache");
    let base = ["--nodes", "100", "--jobs", "2", &input];
    let expected = analysed(&base);
    let outputs = ["a", "b", "c", "d"].map(|name| folder.text(name));
    let mut children: Vec<_> = outputs
        .iter()
        .map(|out| begun(&[&base[..], &["--cache", &cache, "--output", out]].concat()))
        .collect();
    children[3].kill().unwrap();
    for child in &mut children {
        child.wait().unwrap();
    }
    for name in ["a", "b", "c"] {
        assert_eq!(timeless(&folder.read(name)), expected, "{name}");
    }
    assert_eq!(
        analysed(&[&base[..], &["--cache", &cache]].concat()),
        expected
    );
}
