//! Weights of the evaluation by file, for `analyse`.

use std::fs;
use std::path::Path;

use hexmate_engine::{Weights, WeightsFile};
use hexmate_movegen::{BuiltIn, Glinski, Hexachess};
use serde_json::Value;

use crate::run::{GLINSKI, Run, hexmate_reading};

/// A file of the game's own weights, each `times` as great.
fn weights<G: BuiltIn>(times: i32) -> String {
    let weights = Weights::<G>::default();
    let values = weights.values().iter().map(|v| v.map(|v| v * times));
    let more = weights.with_values(values.collect::<Vec<_>>());
    format!("{}\n{}", WeightsFile::HEADER, more.to_text("for a test"))
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// Up a knight in an end game, so that weights tell.
const KNIGHT_UP: &str = "1/1k1/5/2p4/9/4p6/4P6/2P8/4N6/5K5/11 w - - 0 1";

fn analyse(arguments: &[&str], input: &str) -> Run {
    let base = ["analyse", "--nodes", "500", "--jobs", "1", "--hash", "1"];
    hexmate_reading(&[&base[..], arguments].concat(), input)
}

fn score(run: &Run) -> i64 {
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
    let answer = run.answers().remove(0);
    answer["score"]["cp"].as_i64().expect("centipawns")
}

#[test]
fn positions_are_evaluated_by_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let same = write(folder.path(), "same", &weights::<Glinski>(1));
    let double = write(folder.path(), "double", &weights::<Glinski>(2));
    // Without a network: the weights of the file are those of the handmade evaluation.
    let plain = score(&analyse(&["--eval-file", "handmade"], KNIGHT_UP));
    assert_eq!(score(&analyse(&["--eval-file", &same], KNIGHT_UP)), plain);
    let twice = score(&analyse(&["--eval-file", &double], KNIGHT_UP));
    assert!(twice > plain * 3 / 2, "{plain} {twice}");
}

#[test]
fn unusable_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let good = weights::<Glinski>(1);
    let newer = good.replacen("weights 1", "weights 2", 1);
    let damaged = good.replacen("tempo ", "tempo x", 1);
    let half = &good[..good.len() / 2];
    for (name, text, parts) in [
        ("newer", newer.as_str(), ["version 2", "expected version 1"]),
        ("damaged", &damaged, ["line ", "tempo"]),
        ("half", half, ["half: ", " expected "]),
        (
            "table",
            "hexmate-tables 1\n",
            ["no file of weights", "expected 'hexmate-weights 1'"],
        ),
        (
            "empty",
            "",
            ["no file of weights", "expected 'hexmate-weights 1'"],
        ),
    ] {
        let path = write(folder.path(), name, text);
        let run = analyse(&["--eval-file", &path], GLINSKI);
        let message = run.refused();
        for part in parts {
            // A file cut off in a table may lack only what comes behind it.
            let missing = part == " expected " && message.contains("has no line");
            assert!(message.contains(part) || missing, "{name}: {message}");
        }
        assert!(message.contains("--eval-file"), "{message}");
    }
    let absent = folder.path().join("absent");
    let message = analyse(&["--eval-file", absent.to_str().unwrap()], GLINSKI).refused();
    assert!(message.contains("absent"), "{message}");
}

/// Of another game than the run's, the file is refused at once; of another game than a record's, the record.
#[test]
fn files_of_other_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let other = write(folder.path(), "other", &weights::<Hexachess>(1));
    let expected = "weights of hexachess; expected a section [glinski]";
    let message = analyse(&["--game", "glinski", "--eval-file", &other], GLINSKI).refused();
    assert!(message.contains(expected), "{message}");
    let start = format!("{} ; game hexachess", Hexachess::SPEC.start);
    let run = analyse(&["--eval-file", &other], &format!("{GLINSKI}\n{start}\n"));
    assert_eq!(run.code, 1);
    let answers = run.answers();
    assert_eq!(answers[0]["status"], "error");
    let error = answers[0]["error"].as_str().unwrap();
    assert!(error.contains(expected), "{error}");
    assert_eq!(answers[0]["game"], "glinski");
    assert_eq!(answers[1]["status"], "ok", "{answers:?}");
    assert!(answers[1]["bestmove"].is_string());
}

/// What other weights said is not given for an answer, neither by a cache nor by a journal.
#[test]
fn answers_of_other_weights_are_not_reused() {
    let folder = tempfile::tempdir().unwrap();
    let one = write(folder.path(), "one", &weights::<Glinski>(1));
    let double = write(folder.path(), "double", &weights::<Glinski>(2));
    let renamed = write(folder.path(), "renamed", &weights::<Glinski>(2));
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (cache, journal) = (path("cache"), path("journal"));
    let cached = |eval_file: &[&str]| {
        score(&analyse(
            &[&["--cache", &cache], eval_file].concat(),
            KNIGHT_UP,
        ))
    };
    let network = cached(&[]);
    let plain = cached(&["--eval-file", "handmade"]);
    assert_ne!(network, plain);
    let twice = cached(&["--eval-file", &double]);
    assert_ne!(plain, twice);
    assert_eq!(cached(&["--eval-file", &one]), plain);
    assert_eq!(cached(&["--eval-file", &renamed]), twice);
    assert_eq!(cached(&["--eval-file", "handmade"]), plain);
    assert_eq!(cached(&[]), network);
    // Only what was not known was searched: a file by another name is the same file.
    let stats = path("stats");
    let arguments = [
        "--cache",
        &cache,
        "--eval-file",
        &renamed,
        "--stats",
        &stats,
    ];
    assert_eq!(score(&analyse(&arguments, KNIGHT_UP)), twice);
    let stats: Value = serde_json::from_str(&fs::read_to_string(stats).unwrap()).unwrap();
    let answers = &stats["answers"];
    assert_eq!(answers["from_cache_file"], 1, "{stats}");
    assert_eq!(answers["searched"], 0, "{stats}");

    let kept = ["--journal", &journal, "--eval-file", &one];
    assert_eq!(analyse(&kept, KNIGHT_UP).code, 0);
    let resumed = |eval_file: &str| {
        let arguments = ["--journal", &journal, "--resume", "--eval-file", eval_file];
        analyse(&arguments, KNIGHT_UP)
    };
    assert_eq!(score(&resumed(&one)), plain);
    let message = resumed(&double).refused();
    assert!(message.contains("--eval-file"), "{message}");
}
