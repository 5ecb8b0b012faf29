//! Games of the engine against itself, and weights tuned by them.

use std::fs;
use std::path::Path;

use hexmate_movegen::Simd;

use crate::run::{GLINSKI, Run, command, hexmate, hexmate_reading};

/// Games so short that a test can wait for them.
fn datagen(game: &str, games: u32, threads: u32, file: &Path) -> Run {
    let (games, threads) = (games.to_string(), threads.to_string());
    let file = file.to_str().expect("a path in UTF-8");
    hexmate(&[
        "datagen",
        game,
        "--games",
        &games,
        "--nodes",
        "40",
        "--seed",
        "7",
        "--threads",
        &threads,
        "--output",
        file,
    ])
}

fn tune(game: &str, data: &Path, output: &Path) -> Run {
    tune_with(game, data, output, &[])
}

fn tune_with(game: &str, data: &Path, output: &Path, more: &[&str]) -> Run {
    let [data, output] = [data, output].map(|p| p.to_str().expect("a path in UTF-8"));
    let words = [
        "tune", game, "--data", data, "--epochs", "4", "--output", output,
    ];
    hexmate(&[&words[..], more].concat())
}

#[test]
fn threads_do_not_change_the_games() {
    let folder = tempfile::tempdir().unwrap();
    for (game, games) in [("glinski", 6), ("chromatic3", 2)] {
        let files = [1, 3].map(|threads| {
            let file = folder.path().join(format!("{game}{threads}"));
            assert_eq!(datagen(game, games, threads, &file).code, 0);
            fs::read_to_string(file).unwrap()
        });
        assert_eq!(files[0], files[1]);
        let mut lines = files[0].lines();
        let header = format!("# hexmate datagen {game} --games {games} --nodes 40 --seed 7");
        assert_eq!(lines.next(), Some(header.as_str()));
        let mut last = 0;
        for line in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            let [number, fen, score, quarters] = fields[..] else {
                panic!("{line}");
            };
            let number: u32 = number.parse().unwrap();
            assert!((last..games).contains(&number), "{line}");
            last = number;
            assert!(score.parse::<i32>().unwrap().abs() < 31_000, "{line}");
            assert!(quarters.parse::<u8>().unwrap() <= 4, "{line}");
            let moves = hexmate(&["moves", game, "--fen", fen]).success();
            assert!(!moves.trim().is_empty(), "{line}");
            if number > 0 {
                break;
            }
        }
    }
}

#[test]
fn tuning_lowers_the_loss_and_keeps_other_games() {
    let folder = tempfile::tempdir().unwrap();
    let (data, weights) = (folder.path().join("data"), folder.path().join("weights"));
    assert_eq!(datagen("mccooey", 40, 0, &data).code, 0);
    fs::write(&weights, "# about\n[other]\ntempo 1,1\n").unwrap();
    let run = tune("mccooey", &data, &weights);
    assert_eq!(run.code, 0, "{run:?}");
    // So few games teach little that holds for others: only what was learnt from must be known better.
    let train = |epoch: &str| -> f64 {
        let mut lines = run.out.lines();
        let rest = lines.find_map(|l| l.strip_prefix(epoch)?.strip_prefix(": train "));
        let loss = rest.and_then(|r| r.split(',').next()?.parse().ok());
        loss.unwrap_or_else(|| panic!("{epoch}: {run:?}"))
    };
    assert!(train("epoch 4") < train("epoch 0"), "{run:?}");
    let written = fs::read_to_string(&weights).unwrap();
    let front = "hexmate-weights 1\n# about\n[other]\ntempo 1,1\n[mccooey]\n# 40 games, ";
    assert!(written.starts_with(front), "{written}");
    assert!(written.contains("data: hexmate datagen mccooey --games 40 --nodes 40 --seed 7"));
    let first = written.lines().count();
    // What was tuned is not lost by mistake.
    let refused = tune("mccooey", &data, &weights).refused();
    assert!(refused.contains("--force"), "{refused}");
    assert_eq!(tune_with("mccooey", &data, &weights, &["--force"]).code, 0);
    let again = fs::read_to_string(&weights).unwrap();
    assert_eq!(again.lines().count(), first);
    assert_eq!(again, written, "the same data, the same weights");
}

#[test]
fn faulty_data_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (data, weights) = (folder.path().join("data"), folder.path().join("weights"));
    let message = |line: &str| {
        fs::write(&data, format!("# games\n{line}\n")).unwrap();
        let run = tune("glinski", &data, &weights);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(!weights.exists());
        run.err
    };
    for (line, part) in [
        (format!("0\t{GLINSKI}\t12"), "line 2: 3 fields"),
        (
            format!("0\t{GLINSKI}\tmuch\t2"),
            "line 2: 'much' is not a valid score",
        ),
        (format!("0\t{GLINSKI}\t40000\t2"), "line 2: score 40000"),
        (
            format!("0\t{GLINSKI}\t12\t5"),
            "line 2: 5 quarters; expected 0 to 4",
        ),
        (format!("-1\t{GLINSKI}\t12\t2"), "line 2: the game's number"),
        ("0\t8/8 w\t12\t2".to_owned(), "line 2: the position"),
        (format!("0\t{GLINSKI}\t12\t2"), "1 games are too few"),
        (String::new(), "0 games are too few"),
    ] {
        let message = message(&line);
        assert!(message.contains(part), "{line}: {message}");
    }
    fs::remove_file(&data).unwrap();
    let run = tune("glinski", &data, &weights);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("data"), "{run:?}");
}

/// Most positions of one game can be read as those of another; the heading says which they are.
#[test]
fn data_of_another_game_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (data, weights) = (folder.path().join("data"), folder.path().join("weights"));
    assert_eq!(datagen("glinski", 1, 1, &data).code, 0);
    let own = fs::read_to_string(&data).unwrap();
    let headless = own.split_once('\n').unwrap().1;
    let says = "positions of glinski; expected hexachess";
    for (text, line) in [
        (own.clone(), 1),
        (format!("{headless}{own}"), headless.lines().count() + 1),
    ] {
        fs::write(&data, text).unwrap();
        let runs = [
            tune("hexachess", &data, &weights),
            hexmate(&["wdl", "hexachess", "--data", data.to_str().unwrap()]),
        ];
        for run in runs {
            let message = run.refused();
            assert!(
                message.contains(&format!("line {line}: {says}")),
                "{message}"
            );
        }
        assert!(!weights.exists());
    }
    // Without a heading nobody knows.
    fs::write(&data, headless).unwrap();
    let run = tune("hexachess", &data, &weights);
    assert!(!run.err.contains("positions of"), "{run:?}");
}

#[test]
fn faulty_arguments_are_refused() {
    for (arguments, part) in [
        (&["--lambda", "1.5"], "expected 0 to 1"),
        (&["--spread", "0"], "expected a number above 0"),
        (
            &["--spread", "1e-30"],
            "expected a number from 0.001 to 10000",
        ),
        (
            &["--spread", "1e30"],
            "expected a number from 0.001 to 10000",
        ),
        (&["--rate", "fast"], "expected a number"),
        (
            &["--rate", "1e30"],
            "expected a number above 0 and up to 1000",
        ),
    ] {
        let all = ["tune", "glinski", "--data", "x", "--output", "y"];
        let run = hexmate(&[&all[..], &arguments[..]].concat());
        assert_eq!(run.code, 2);
        assert!(run.err.contains(part), "{run:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let run = datagen("glinski", 0, 1, &folder.path().join("data"));
    assert_eq!(run.code, 2);
    let run = datagen("glinski", 1, 1, &folder.path().join("none").join("data"));
    assert_eq!(run.code, 2);
    assert!(run.err.contains("none"), "{run:?}");
}

/// Some games of one position each, with these ends in quarters in turn.
pub fn games(heading: &str, ends: &[u8]) -> String {
    let line = |game: usize| {
        let end = ends[game % ends.len()];
        format!("{game}\t{GLINSKI}\t{}\t{end}\n", 12 * i32::from(end))
    };
    heading.to_owned() + &(0..60).map(line).collect::<String>()
}

/// Weights are a file: `tune | head` ends what is printed, not the work.
#[test]
fn nobody_has_to_read_the_progress() {
    let folder = tempfile::tempdir().unwrap();
    let (data, weights) = (folder.path().join("data"), folder.path().join("weights"));
    fs::write(&data, games("", &[0, 2, 4])).unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let files = [
        "--data",
        data.to_str().unwrap(),
        "--output",
        weights.to_str().unwrap(),
    ];
    let mut command = command(&[&["tune", "glinski", "--epochs", "1"], &files[..]].concat());
    let ended = Run::new(command.stdout(writer).output().unwrap());
    assert_eq!(ended.success(), "");
    assert!(fs::read_to_string(&weights).unwrap().contains("[glinski]"));
}

/// Before anything is read: there are no data.
#[test]
fn weights_that_cannot_be_written_are_not_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = folder.path().join("nothing");
    for name in ["none/weights", "."] {
        let message = tune("glinski", &nothing, &folder.path().join(name)).refused();
        assert!(message.contains("--output: "), "{message}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn games_are_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let (data, weights) = (folder.path().join("data"), folder.path().join("weights"));
    fs::write(&data, games("", &[0, 2, 4])).unwrap();
    let [data, weights] = [&data, &weights].map(|path| path.to_str().unwrap());
    for files in [[data, data], ["-", "-"]] {
        let tune = ["tune", "glinski", "--output", weights, "--data"];
        for words in [&tune[..], &["wdl", "glinski", "--data"]] {
            let message = hexmate(&[words, &files].concat()).refused();
            assert!(message.contains("named twice"), "{message}");
        }
    }
}

#[test]
fn chances_need_wins_draws_and_losses() {
    let run = |text: String| hexmate_reading(&["wdl", "glinski", "--data", "-"], text);
    for (ends, says) in [
        (&[4][..], "no draws and no losses for the side to move"),
        (&[2], "no wins and no losses"),
        (&[0, 4], "no draws for"),
    ] {
        let message = run(games("", ends)).refused();
        assert!(message.contains(says), "{message}");
    }
    // Games that were not played to their end are told of; without a heading nobody knows.
    for (heading, is_told) in [
        ("", false),
        ("# hexmate datagen glinski --games 60 --to-the-end\n", false),
        ("# hexmate datagen glinski --games 60\n", true),
    ] {
        let run = run(games(heading, &[0, 2, 4]));
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.out.contains("\nglinski "), "{run:?}");
        let told = run.err.starts_with("hexmate: not all games");
        assert_eq!(told, is_told, "{run:?}");
    }
}

/// A seed means the same games on every machine: backends list moves in different orders.
#[test]
fn every_backend_plays_the_same_random_openings() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |simd: Simd, words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let mut command = command(&words);
        command.env("HEXMATE_SIMD", simd.to_string());
        let run = Run::new(command.output().unwrap());
        assert_eq!(run.code, 0, "{run:?}");
        run.out.into_bytes()
    };
    let made = |simd: Simd| {
        let (packed, journal) = (
            file(&format!("{simd}.games")),
            file(&format!("{simd}.journal")),
        );
        let small = "--games 2 --nodes 20 --seed 3";
        run(
            simd,
            &format!("datagen hexachess --packed --rescore 20 {small} --out {packed}"),
        );
        let tuned = "spsa mccooey --param delta_margin --pairs 2 --batch 2 --nodes 20 --hash 1";
        [
            run(
                simd,
                "openings glinski --plies 8 --count 4 --seed 1 --format txt",
            ),
            run(simd, &format!("datagen glinski {small} --output -")),
            fs::read(packed).unwrap(),
            run(simd, &format!("{tuned} --journal {journal}")),
            fs::read(journal).unwrap(),
        ]
    };
    let portable = made(Simd::Portable);
    for simd in Simd::available().filter(|simd| *simd != Simd::Portable) {
        let same: Vec<bool> = made(simd)
            .iter()
            .zip(&portable)
            .map(|(a, b)| a == b)
            .collect();
        assert_eq!(same, [true; 5], "{simd}");
    }
}
