//! Networks from nothing: packed positions, training, and searching with what came out.

use std::fs;
use std::path::Path;

use crate::run::{GLINSKI, Run, analyse_with, command, hexmate, unread};

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// Games so short that a test can wait for them.
fn datagen(game: &str, file: &Path, more: &[&str]) -> Run {
    let base = [
        "datagen",
        game,
        "--packed",
        "--nodes",
        "30",
        "--seed",
        "7",
        "--out",
        text(file),
    ];
    hexmate(&[&base[..], more].concat())
}

fn train(game: &str, data: &Path, out: &Path, more: &[&str]) -> Run {
    let base = [
        "train", game, "--hidden", "32", "--batch", "256", "--rate", "0.005",
    ];
    let files = ["--data", text(data), "--out", text(out)];
    hexmate(&[&base[..], &files, more].concat())
}

/// The words for training with the defaults.
fn plain<'a>(data: &'a Path, out: &'a Path) -> [&'a str; 6] {
    let [data, out] = [data, out].map(text);
    ["train", "glinski", "--data", data, "--out", out]
}

/// A file of positions with static evaluations: few, since the tests' own build learns slowly.
fn distilled(game: &str, games: &str, file: &Path) {
    let run = datagen(game, file, &["--games", games, "--distil", "8"]);
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn neither_threads_nor_interruptions_change_packed_positions() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for game in ["glinski", "chromatic4"] {
        let more = ["--rescore", "20", "--leaves", "2"];
        let run = |name: &str, games: &str, threads: &str, resume: &[&str]| {
            let threads = ["--games", games, "--jobs", threads];
            datagen(game, &file(name), &[&more[..], &threads, resume].concat())
        };
        let whole = format!("{game}1");
        let first = run(&whole, "3", "1", &[]);
        assert_eq!(first.code, 0, "{first:?}");
        assert!(first.err.contains("3 games, "), "{first:?}");
        let whole = fs::read(file(&whole)).unwrap();
        assert!(whole.len() > 2000, "{}", whole.len());
        let threads = format!("{game}3");
        assert_eq!(run(&threads, "3", "3", &[]).code, 0);
        assert_eq!(fs::read(file(&threads)).unwrap(), whole);
        // Some games, and a part of another one.
        let cut = format!("{game}cut");
        fs::write(file(&cut), &whole[..whole.len() * 2 / 3]).unwrap();
        let resumed = run(&cut, "3", "2", &["--resume"]);
        assert_eq!(resumed.code, 0, "{resumed:?}");
        assert_eq!(fs::read(file(&cut)).unwrap(), whole);
        // Nothing is left to do, and nothing is done by mistake.
        assert_eq!(run(&cut, "3", "1", &["--resume"]).code, 0);
        assert_eq!(fs::read(file(&cut)).unwrap(), whole);
        let refused = run(&cut, "3", "1", &[]);
        assert_eq!(refused.code, 2);
        assert!(
            refused
                .err
                .contains("exists already; --resume continues it, --force begins anew"),
            "{refused:?}"
        );
        let other = datagen(game, &file(&cut), &["--games", "6", "--resume"]);
        assert_eq!(other.code, 2);
        assert!(other.err.contains("expected `hexmate datagen"), "{other:?}");
    }
}

#[test]
fn packed_positions_serve_tune_and_wdl_too() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let run = datagen(
        "mccooey",
        &data,
        &["--games", "30", "--leaves", "0", "--to-the-end"],
    );
    assert_eq!(run.code, 0, "{run:?}");
    let weights = folder.path().join("weights");
    let [data, weights] = [&data, &weights].map(|p| text(p));
    let tune = [
        "tune", "mccooey", "--data", data, "--epochs", "2", "--output", weights,
    ];
    let run = hexmate(&tune);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("30 games, "), "{run:?}");
    // What only the handmade evaluation is asked about is not in the file.
    assert!(!run.out.contains("left out"), "{run:?}");
    let run = hexmate(&["wdl", "mccooey", "--data", data]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("30 games, "), "{run:?}");
    let run = hexmate(&["tune", "glinski", "--data", data, "--output", weights]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("positions of mccooey; expected glinski"),
        "{run:?}"
    );
}

/// The held-out losses of the lines `epoch N: ...`.
fn losses(run: &Run) -> Vec<f64> {
    let held_out = |line: &str| {
        let loss = line.strip_prefix("epoch ")?.split("held out ").nth(1)?;
        loss.split([',', ';']).next()?.parse().ok()
    };
    run.out.lines().filter_map(held_out).collect()
}

#[test]
fn training_is_reproduced_to_the_bit_and_lowers_the_loss() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let data = file("data");
    distilled("glinski", "40", &data);
    let epochs = ["--epochs", "4", "--buckets", "2"];
    let run = train(
        "glinski",
        &data,
        &file("one"),
        &[&epochs[..], &["--threads", "1"]].concat(),
    );
    assert_eq!(run.code, 0, "{run:?}");
    let found = losses(&run);
    assert_eq!(found.len(), 5, "{run:?}");
    assert!(found[4] < found[0] * 0.8, "{found:?}");
    let one = fs::read(file("one")).unwrap();
    // The network that was written is the one that was trained.
    let report = run.last_line();
    let rounding = report
        .split("scores by ")
        .nth(1)
        .and_then(|r| r.split(' ').next());
    let rounding: f64 = rounding.and_then(|r| r.parse().ok()).expect("a number");
    assert!(rounding < 1.0, "{report}");
    let plot = fs::read_to_string(file("one.svg")).unwrap();
    assert!(plot.starts_with("<svg") && plot.contains("held-out games"));

    let again = train(
        "glinski",
        &data,
        &file("two"),
        &[&epochs[..], &["--threads", "3"]].concat(),
    );
    assert_eq!(again.code, 0);
    assert!(
        fs::read(file("two")).unwrap() == one,
        "more threads, another network"
    );
    // Interrupted after two epochs, continued, and continued when there is nothing left to do.
    let resumed = [&epochs[..], &["--resume"]].concat();
    let stopped = [&resumed[..], &["--stop-after", "2"]].concat();
    for name in ["two", "two.checkpoint", "two.svg"] {
        fs::remove_file(file(name)).unwrap();
    }
    let run = train("glinski", &data, &file("two"), &stopped);
    assert_eq!(losses(&run), found[..3], "{run:?}");
    assert!(fs::read(file("two")).unwrap() != one);
    let run = train("glinski", &data, &file("two"), &resumed);
    assert_eq!(losses(&run), found[3..], "{run:?}");
    assert!(
        fs::read(file("two")).unwrap() == one,
        "interrupted, another network"
    );
    let run = train("glinski", &data, &file("two"), &resumed);
    assert_eq!(losses(&run), [0.0; 0], "{run:?}");
    assert!(fs::read(file("two")).unwrap() == one);
    let run = train(
        "glinski",
        &data,
        &file("two"),
        &["--epochs", "5", "--resume"],
    );
    assert_eq!(run.code, 2);
    assert!(run.err.contains("a checkpoint of"), "{run:?}");
    fs::write(file("two.checkpoint"), b"HEXMTRN1 and more").unwrap();
    let run = train("glinski", &data, &file("two"), &resumed);
    assert!(run.code == 2 && run.err.contains("damaged"), "{run:?}");
}

#[test]
fn a_network_is_trained_further_with_an_anchor_and_searches() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for game in ["hexachess", "chromatic3"] {
        let names = ["anchor", "data", "net", "more"].map(|name| file(&format!("{name}-{game}")));
        let [anchor, data, net, more] = &names;
        distilled(game, "30", anchor);
        let games = datagen(game, data, &["--games", "30", "--rescore", "20"]);
        assert_eq!(games.code, 0, "{games:?}");
        assert_eq!(train(game, anchor, net, &["--epochs", "2"]).code, 0);
        let further = [
            "--start",
            text(net),
            "--anchor",
            text(anchor),
            "--epochs",
            "1",
            "--batch",
            "128",
        ];
        let files = ["train", game, "--data", text(data), "--out", text(more)];
        let run = hexmate(&[&files[..], &further].concat());
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.out.contains("held-out anchor"), "{run:?}");
        // With a larger hidden layer it begins where it was.
        let begun = losses(&run)[0];
        let wider =
            |size| hexmate(&[&files[..], &further, &["--force", "--hidden", size]].concat());
        let run = wider("64");
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(losses(&run)[0], begun, "{run:?}");
        let run = wider("16");
        let least = "--hidden 16: expected a multiple of 32, and at least the 32 that --start has";
        assert!(run.code == 2 && run.err.contains(least), "{run:?}");
        let searched = |file: &Path| {
            let run = analyse_with(
                &["--game", game, "--eval-file", text(file)],
                "{\"moves\": \"\"}\n",
            );
            run.answers().remove(0)
        };
        // The next positions are searched with the network, whatever its file is called.
        let by = |out: &str, eval_file: &[&str]| {
            let small = ["--games", "2", "--rescore", "20"];
            datagen(game, &file(out), &[&small[..], eval_file].concat())
        };
        let copy = file("copy");
        fs::copy(net, &copy).unwrap();
        let [next, handmade] = ["next", "handmade"].map(|name| format!("{name}-{game}"));
        assert_eq!(by(&next, &["--eval-file", text(net)]).code, 0);
        assert_eq!(by(&handmade, &["--eval-file", "handmade"]).code, 0);
        assert_ne!(
            fs::read(file(&next)).unwrap(),
            fs::read(file(&handmade)).unwrap()
        );
        let resumed = by(&next, &["--resume", "--eval-file", text(&copy)]);
        assert_eq!(resumed.code, 0, "{resumed:?}");
        let refused = by(&next, &["--resume"]);
        assert!(
            refused.code == 2 && refused.err.contains(" --eval-file "),
            "{refused:?}"
        );
        let refused = by(&next, &["--force", "--eval-file", text(&file(&next))]);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(searched(net)["score"]["cp"].is_i64(), "{}", searched(net));
        assert!(searched(more)["bestmove"].is_string(), "{}", searched(more));
    }
    // The network of another game is none.
    let run = analyse_with(&["--eval-file", text(&file("net-hexachess"))], GLINSKI);
    assert!(run.code == 2 || run.out.contains("hexachess"), "{run:?}");
}

#[test]
fn faulty_arguments_and_data_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    distilled("glinski", "30", &file("data"));
    let net = file("net");
    let refused = |more: &[&str], data: &str, part: &str| {
        let files = [
            "train",
            "glinski",
            "--data",
            data,
            "--out",
            text(&net),
            "--epochs",
            "1",
        ];
        let run = hexmate(&[&files[..], more].concat());
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains(part), "{part}: {run:?}");
        assert!(!net.exists());
    };
    let data = file("data");
    let good = text(&data);
    refused(&["--hidden", "33"], good, "multiple of 32");
    refused(
        &["--hidden", "2048"],
        good,
        "2048; expected a multiple of 32 from 32 to 1024",
    );
    refused(
        &["--buckets", "17"],
        good,
        "17 output buckets; expected 1 to 16",
    );
    refused(&["--rate", "0"], good, "expected a number above 0");
    refused(&["--lambda", "2"], good, "expected 0 to 1");
    refused(&["--start", good], good, "this is no network");
    refused(&[], "/no/such", "no/such");
    let bytes = fs::read(&data).unwrap();
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    fs::write(file("damaged"), damaged).unwrap();
    refused(&[], text(&file("damaged")), "damaged at byte");
    fs::write(file("short"), &bytes[..60]).unwrap();
    refused(&[], text(&file("short")), "header is damaged");
    fs::write(file("text"), "# hexmate datagen glinski\n0\tx\n").unwrap();
    refused(&[], text(&file("text")), "no file of packed positions");
}

/// Few games are not refused for their number, but since none of them is held out.
#[test]
fn games_of_which_none_is_held_out() {
    let folder = tempfile::tempdir().unwrap();
    let (data, net) = (folder.path().join("data"), folder.path().join("net"));
    distilled("glinski", "2", &data);
    let message = train("glinski", &data, &net, &[]).refused();
    let says = "none of the 2 games fell among those that are held out, about one in 20";
    assert!(message.contains(says), "{message}");
}

/// Few positions, to learn nothing from.
fn few(file: &Path) {
    let small = ["--games", "60", "--leaves", "0", "--per-game", "4"];
    let run = datagen("glinski", file, &small);
    assert_eq!(run.code, 0, "{run:?}");
}

/// A network is a file: `train | head` ends what is printed, not the work.
#[test]
fn nobody_has_to_read_the_progress() {
    let folder = tempfile::tempdir().unwrap();
    let (data, net) = (folder.path().join("data"), folder.path().join("net"));
    few(&data);
    let words = ["train", "glinski", "--hidden", "32", "--epochs", "1"];
    let files = ["--data", text(&data), "--out", text(&net)];
    assert_eq!(unread(&[&words[..], &files].concat()).success(), "");
    assert!(fs::read(&net).unwrap().len() > 1000);
}

/// Neither a network nor what comes beside it takes the place of another file, unless the run is one that is continued.
#[test]
fn training_overwrites_nothing_by_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (data, net) = (file("data"), file("net"));
    few(&data);
    let run = |more: &[&str]| train("glinski", &data, &net, &[&["--epochs", "1"], more].concat());
    for name in ["net", "net.checkpoint", "net.svg"] {
        fs::write(file(name), "mine").unwrap();
        for more in [&[][..], &["--resume"]] {
            let run = run(more);
            // With a checkpoint, `--resume` looks at it.
            let says = match (more, name) {
                ([], _) => "--force to overwrite it",
                (_, "net.checkpoint") => "no checkpoint of",
                _ => "--force in place of --resume",
            };
            assert_eq!(run.code, 2, "{run:?}");
            assert!(run.err.contains(name) && run.err.contains(says), "{run:?}");
            assert_eq!(fs::read(file(name)).unwrap(), b"mine");
        }
        fs::remove_file(file(name)).unwrap();
    }
    assert!(
        run(&["--stop-after", "0"])
            .refused()
            .contains("--stop-after")
    );
    assert_eq!(run(&["--resume", "--force"]).code, 2);
    let names = || fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names(), 1, "the data alone");

    assert_eq!(run(&["--resume"]).code, 0);
    let first = fs::read(&net).unwrap();
    assert!(run(&[]).refused().contains("--force"));
    // What a finished run has learnt is in the checkpoint.
    fs::remove_file(&net).unwrap();
    let again = run(&["--resume"]);
    assert_eq!((again.code, losses(&again)), (0, vec![]), "{again:?}");
    assert!(fs::read(&net).unwrap() == first);
    assert_eq!(run(&["--force"]).code, 0);
    // The data, the network and what is beside it; nothing that is unfinished.
    assert_eq!(names(), 4);
}

/// A run has its files to itself, from the beginning to the end, and leaves nothing else behind.
#[test]
fn two_runs_do_not_write_one_network() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = tempfile::tempdir().unwrap();
    let (data, net) = (folder.path().join("data"), folder.path().join("net"));
    few(&data);
    let files = plain(&data, &net);
    let long = ["--hidden", "32", "--epochs", "1000000"];
    let mut command = command(&[&files[..], &long].concat());
    let mut first = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(first.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("epoch 2")));
    let errors = [&["--force"][..], &["--resume"], &[]]
        .map(|more| train("glinski", &data, &net, &[&["--epochs", "1"], more].concat()));
    let is_running = first.try_wait().unwrap().is_none();
    first.kill().unwrap();
    first.wait().unwrap();
    for run in errors {
        let error = run.refused();
        assert!(error.contains("is being written by another run"), "{error}");
    }
    assert!(is_running);
    // One that was killed is in nobody's way.
    let again = train("glinski", &data, &net, &["--epochs", "1", "--force"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

/// Where a network cannot go is told before anything is learnt, or even read.
#[cfg(unix)]
#[test]
fn a_network_goes_into_a_file() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let nothing = file("nothing");
    fs::create_dir(file("folder")).unwrap();
    fs::create_dir(file("plot.svg")).unwrap();
    for (out, says) in [
        (Path::new("-").to_owned(), "--out -: expected a file"),
        (
            Path::new("/dev/null").to_owned(),
            "/dev/null: is not a regular file",
        ),
        (file("folder"), "folder: is not a regular file"),
        (file("plot"), "plot.svg: is not a regular file"),
        (file("none/net"), "none/net: cannot be written"),
    ] {
        let error = train("glinski", &nothing, &out, &[]).refused();
        assert!(error.contains(says), "{error}");
    }
    let error = train("glinski", &nothing, &nothing, &[]).refused();
    assert!(error.contains("name the same file"), "{error}");
    // A link stays one.
    let (data, net, link) = (file("data"), file("net"), file("link"));
    few(&data);
    fs::write(&net, "").unwrap();
    symlink("net", &link).unwrap();
    assert_eq!(train("glinski", &data, &link, &["--epochs", "1"]).code, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read(&net).unwrap().starts_with(b"HEXMNETW"));
}

#[test]
fn numbers_that_destroy_a_network_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (data, net) = (folder.path().join("data"), folder.path().join("net"));
    let huge = (usize::MAX - 31).to_string();
    for (more, says) in [
        (
            ["--hidden", &huge],
            "expected a multiple of 32 from 32 to 1024",
        ),
        (["--buckets", &huge], "output buckets; expected 1 to 16"),
        (["--rate", "1e30"], "expected a number above 0 and up to 1"),
    ] {
        let words = plain(&data, &net);
        let error = hexmate(&[&words[..], &more].concat()).refused();
        assert!(error.contains(says), "{error}");
    }
    assert!(!net.exists());
    let twice = ["--data", text(&data), text(&data)];
    let words = ["train", "glinski", "--out", text(&net)];
    let error = hexmate(&[&words[..], &twice].concat()).refused();
    assert!(error.contains("named twice"), "{error}");
}

/// What a run leaves behind that was killed at once, and what would store nothing.
#[test]
fn packed_files_are_begun() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let games = ["--games", "1", "--leaves", "0"];
    assert_eq!(datagen("glinski", &file("whole"), &games).code, 0);
    let whole = fs::read(file("whole")).unwrap();
    for resume in [&[][..], &["--resume"]] {
        for length in [0, 30] {
            fs::write(file("cut"), &whole[..length]).unwrap();
            let run = datagen("glinski", &file("cut"), &[&games[..], resume].concat());
            assert_eq!(run.code, 0, "{run:?}");
            assert!(fs::read(file("cut")).unwrap() == whole);
        }
        let error = datagen("glinski", folder.path(), &[&games[..], resume].concat()).refused();
        assert!(error.contains("is not a regular file"), "{error}");
    }
    let none = [&games[..], &["--per-game", "0"]].concat();
    let error = datagen("glinski", &file("none"), &none).refused();
    assert!(
        error.contains("--per-game 0 --leaves 0 stores no position"),
        "{error}"
    );
    assert!(!file("none").exists());
    let both = [&games[..], &["--resume", "--force"]].concat();
    assert_eq!(datagen("glinski", &file("whole"), &both).code, 2);
    assert!(fs::read(file("whole")).unwrap() == whole);
}

/// Nothing of a file is what it was if the rules of its game are others.
#[test]
fn packed_positions_are_continued_under_the_same_rules() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (rules, data) = (file("tiny.toml"), file("data"));
    let head =
        "format = 1\nbase = \"minihexchess\"\nname = \"tiny\"\ntitle = \"Tiny\"\nsource = \"me\"\n";
    let run = |more: &str, games: &str, resume: &[&str]| {
        fs::write(&rules, format!("{head}{more}")).unwrap();
        let small = ["--games", games, "--leaves", "0"];
        datagen(text(&rules), &data, &[&small[..], resume].concat())
    };
    let first = run("", "2", &[]);
    assert_eq!(first.code, 0, "{first:?}");
    assert!(first.err.contains("repeated ones left out)"), "{first:?}");
    let written = fs::read(&data).unwrap();
    let refused = run("[ends]\nno_progress = 5\n", "4", &["--resume"]).refused();
    assert!(
        refused.contains("data: game was tiny ") && refused.contains(", and is tiny "),
        "{refused}"
    );
    assert!(fs::read(&data).unwrap() == written);
    let resumed = run("", "4", &["--resume"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert!(
        resumed.err.contains("repeated ones left out in this run)"),
        "{resumed:?}"
    );
}

#[test]
fn an_anchor_is_a_distilled_file_that_is_not_among_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (data, anchor, net) = (file("data"), file("anchor"), file("net"));
    few(&data);
    distilled("glinski", "2", &anchor);
    let refused = |data: &Path, anchor: &Path, says: &str| {
        let error = train("glinski", data, &net, &["--anchor", text(anchor)]).refused();
        assert!(error.contains(says), "{error}");
        assert!(!net.exists());
    };
    let twice = "--data, --anchor: ";
    refused(&anchor, &file("./anchor"), twice);
    let games = file("games");
    fs::copy(&data, &games).unwrap();
    refused(
        &data,
        &games,
        "expected a file by `hexmate datagen --packed --distil`",
    );
}

/// A batch of nothing but the anchor would teach nothing of the data.
#[test]
fn an_anchor_leaves_a_place_for_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (data, anchor, net) = (file("data"), file("anchor"), file("net"));
    let run = |share: &str, batch: &str| {
        let more = [
            "--anchor",
            text(&anchor),
            "--anchor-share",
            share,
            "--epochs",
            "1",
        ];
        let words = ["train", "minihexchess", "--hidden", "32", "--batch", batch];
        let files = ["--data", text(&data), "--out", text(&net), "--force"];
        hexmate(&[&words[..], &files, &more].concat())
    };
    for (share, batch, most) in [("1", "32", "0.96875"), ("0.999", "64", "0.984375")] {
        let error = run(share, batch).refused();
        let says = format!("--anchor-share {share}: leaves --data no place");
        assert!(error.contains(&says), "{error}");
        assert!(
            error.contains(&format!("expected at most {most}")),
            "{error}"
        );
        assert!(!net.exists());
    }
}
