//! The same answers whatever is done at once, shared out, or known already.

use hexmate_movegen::{Chromatic3, Mccooey};
use serde_json::json;

use super::{
    Folder, Random, analysed, begun, other_rules, positions, positions_of, run, stats, timeless,
};
use crate::run::Run;

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
        format!("h1i3 h9i6 {there_and_back}"),
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
    let with = [&base[..], &["--cache", &cache, "--stats", &told, "--force"]].concat();
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

/// Equal positions cost nothing, and are told to.
#[test]
fn a_position_that_comes_again_takes_neither_nodes_nor_time() {
    let folder = Folder::new();
    let input = folder.write("in", [positions(1), positions(1)].concat().join("\n"));
    let told = folder.text("stats");
    let limits = ["--movetime", "20", "--nodes", "1000000000", "--jobs", "1"];
    let answers = run(&[&limits[..], &[&input, "--stats", &told]].concat()).answers();
    let stats = stats(&folder.path("stats"));
    assert_eq!(
        (&answers[1]["nodes"], &answers[1]["time_ms"]),
        (&stats["nodes"], &0.into())
    );
}

#[test]
fn a_cache_file_knows_other_rules_of_a_game() {
    let folder = Folder::new();
    let input = folder.write("in", positions(1).join("\n"));
    let (cache, told) = (folder.text("cache"), folder.text("stats"));
    let words = [
        "--depth", "1", &input, "--cache", &cache, "--stats", &told, "--force",
    ];
    for (stalemate, found) in [("1/2", 0), ("1/2", 1), ("3/4-1/4", 0)] {
        let game = other_rules(&folder, stalemate);
        run(&[&words[..], &["--game", &game]].concat()).success();
        let answers = &stats(&folder.path("stats"))["answers"];
        assert_eq!(answers["from_cache_file"], found, "{stalemate}");
    }
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

/// A cache of some positions, its file, and the answers.
fn cached(folder: &Folder) -> (Vec<String>, Vec<u8>, String) {
    let input = folder.write("in", positions(12).join("\n"));
    let told = folder.text("stats");
    let cache = folder.text("cache");
    let words = ["--nodes", "150", "--jobs", "2", &input];
    let expected = analysed(&words);
    let with = ["--cache", &cache, "--stats", &told, "--force"];
    let words: Vec<String> = [&words[..], &with]
        .concat()
        .iter()
        .map(ToString::to_string)
        .collect();
    let sound = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(timeless(&sound.out), expected);
    (
        words,
        std::fs::read(folder.path("cache")).unwrap(),
        expected,
    )
}

/// Runs with another content of the cache, from which nothing may be answered that was not found.
fn with_cache(folder: &Folder, words: &[String], content: &[u8]) -> (Run, u64, u64) {
    folder.write("cache", content);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = run(&words);
    let answers = &stats(&folder.path("stats"))["answers"];
    let count = |name: &str| answers[name].as_u64().unwrap();
    (done, count("searched"), count("from_cache_file"))
}

/// The content of every result is changed a little, as a bad disk does it.
#[test]
fn damaged_results_are_searched_again() {
    let folder = Folder::new();
    let (words, sound, expected) = cached(&folder);
    for mark in ["\"nodes\":", "\"score\":{\"cp\":", "\"pv\":[\""] {
        let mut damaged = sound.clone();
        for at in 0..sound.len() - mark.len() {
            if sound[at..].starts_with(mark.as_bytes()) {
                // Another digit, or another letter.
                damaged[at + mark.len()] ^= 2;
            }
        }
        assert_ne!(damaged, sound);
        let (done, searched, from_cache) = with_cache(&folder, &words, &damaged);
        assert_eq!((done.code, timeless(&done.out)), (0, expected.clone()));
        assert!(searched > 0, "{mark}");
        assert!(done.err.contains("damaged results"), "{}", done.err);
        // They are mended by that.
        let mended = std::fs::read(folder.path("cache")).unwrap();
        let (done, searched, again) = with_cache(&folder, &words, &mended);
        assert_eq!((searched, again), (0, 12), "{mark}: {from_cache} before");
        assert_eq!(timeless(&done.success()), expected);
    }
}

/// Wherever a bit is wrong, answers are right, and only what is no cache any more is refused.
#[test]
fn a_damaged_cache_file() {
    let folder = Folder::new();
    let (words, sound, expected) = cached(&folder);
    let mut random = Random(5);
    // The header: page size, versions, format of the schema, the first page.
    let header = [0, 16, 18, 19, 20, 44, 47, 56, 100, 103];
    let others: Vec<usize> = (0..15)
        .map(|_| 108 + random.below(sound.len() - 108))
        .collect();
    for at in header.into_iter().chain(others) {
        let mut damaged = sound.clone();
        damaged[at] ^= 1 << random.below(8);
        let (done, ..) = with_cache(&folder, &words, &damaged);
        assert_eq!(done.code, 0, "byte {at}: {}", done.err);
        assert_eq!(timeless(&done.out), expected, "byte {at}: {}", done.err);
        for log in ["cache-wal", "cache-shm"] {
            let _ = std::fs::remove_file(folder.path(log));
        }
    }
    // Malformed so that nothing can be read: it is told, and the run goes on.
    let mut damaged = sound.clone();
    damaged[100..].fill(0xff);
    let (done, searched, from_cache) = with_cache(&folder, &words, &damaged);
    assert_eq!((done.code, timeless(&done.out)), (0, expected));
    assert_eq!((searched, from_cache), (12, 0));
    assert!(
        done.err.contains("cache: no cache can be kept"),
        "{}",
        done.err
    );
    assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    // A cache of the layout before.
    let mut old = sound;
    old[63] = 1;
    let (done, ..) = with_cache(&folder, &words, &old);
    assert!(done.refused().contains("another version"));
}
