//! No file is overwritten because it was given two roles.

use super::{Folder, positions};
use crate::run::{GLINSKI, command, hexmate};

const GAME: &str = "[Result \"*\"]\n\n1. e4e5 e7e6 *\n";

/// A folder with what the commands below read; a second name for the positions, and a third.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("in", positions(2).join("\n"));
    folder.write("g.pgn", GAME);
    folder.write("data", format!("# games\n0\t{GLINSKI}\t12\t2\n"));
    std::fs::create_dir_all(folder.path("plots")).unwrap();
    folder.write("plots/game-1.svg", GAME);
    std::fs::create_dir_all(folder.path("tables/glinski")).unwrap();
    folder.write("tables/glinski/KQK.hxtb", "a table");
    #[cfg(unix)]
    std::os::unix::fs::symlink("in", folder.path("soft")).unwrap();
    std::fs::hard_link(folder.path("in"), folder.path("hard")).unwrap();
    folder
}

/// Runs a command in the folder.
fn refused(folder: &Folder, words: &str) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let output = command(&words)
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {output:?}");
    assert_eq!(output.stdout, b"", "{words:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn one_file_for_two_roles_is_refused() {
    let folder = folder();
    let names = folder.names();
    let content = |name: &str| std::fs::read(folder.path(name)).unwrap();
    let files = [
        "in",
        "g.pgn",
        "data",
        "plots/game-1.svg",
        "tables/glinski/KQK.hxtb",
    ];
    let before = files.map(content);
    for (words, says) in [
        (
            "analyse in --depth 1 --stats in",
            &["the input in", "--stats in"][..],
        ),
        (
            "analyse in --depth 1 --output in",
            &["the input in", "--output in"],
        ),
        (
            "analyse in --depth 1 --stats hard",
            &["the input in", "--stats hard"],
        ),
        (
            "analyse in --depth 1 --journal ./in",
            &["the input in", "--journal ./in"],
        ),
        (
            "analyse in --depth 1 --cache plots/../in",
            &["the input in", "--cache"],
        ),
        (
            "analyse in --depth 1 --output a --stats a",
            &["--output a", "--stats a"],
        ),
        (
            "analyse in --depth 1 --output a --stats ./a",
            &["--output a", "--stats ./a"],
        ),
        (
            "analyse in --depth 1 --output a --cache a",
            &["--output a", "--cache a"],
        ),
        (
            "analyse in --depth 1 --output a --journal a",
            &["--output a", "--journal a"],
        ),
        (
            "analyse in --depth 1 --output a --stats a.journal",
            &["--output", "--stats a.journal"],
        ),
        (
            "analyse in --depth 1 --output a --cache a.part",
            &["--output", "--cache a.part"],
        ),
        (
            "analyse in --depth 1 --journal j --cache j",
            &["--journal j", "--cache j"],
        ),
        (
            "analyse in --depth 1 --stats c-wal --cache c",
            &["--stats c-wal", "--cache"],
        ),
        (
            "analyse in --depth 1 --tb tables --stats tables/glinski/KQK.hxtb",
            &["--tb", "--stats tables"],
        ),
        (
            "review g.pgn --nodes 1 --html g.pgn",
            &["the input g.pgn", "--html g.pgn"],
        ),
        (
            "review plots/game-1.svg --nodes 1 --svg plots",
            &["the input plots", "--svg plots/game-1.svg"],
        ),
        (
            "review g.pgn --nodes 1 --svg plots --html plots/game-1.svg",
            &["--svg", "--html plots/game-1.svg"],
        ),
        (
            "review g.pgn --nodes 1 --svg plots --html plots/game-2.svg",
            &["--svg", "--html plots/game-2.svg"],
        ),
        (
            "tune glinski --data data --output data",
            &["--data data", "--output data"],
        ),
        (
            "tb stats glinski KQK --tb tables --svg tables/glinski/KQK.hxtb",
            &["--tb tables", "--svg tables"],
        ),
    ] {
        let message = refused(&folder, words);
        for part in says {
            assert!(message.contains(part), "{words}: {message}");
        }
    }
    if cfg!(unix) {
        for words in [
            "analyse in --depth 1 --stats soft",
            "analyse soft --depth 1 --output hard",
        ] {
            assert!(refused(&folder, words).contains("the input"), "{words}");
        }
    }
    assert_eq!(files.map(content), before);
    assert_eq!(folder.names(), names);
}

/// What the shell gives as input and output counts, too.
#[cfg(target_os = "linux")]
#[test]
fn standard_input_and_output_are_files_like_others() {
    use std::fs::File;

    let folder = folder();
    let input = folder.text("in");
    let before = folder.read("in");
    let append = || {
        File::options()
            .append(true)
            .open(folder.path("in"))
            .unwrap()
    };
    let depth = ["analyse", "--depth", "1"];
    for words in [
        [&depth[..], &["--output", &input]].concat(),
        [&depth[..], &["--stats", &input]].concat(),
    ] {
        let mut command = command(&words);
        command.stdin(File::open(folder.path("in")).unwrap());
        let output = command.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {err}");
        assert!(err.contains("standard input"), "{words:?}: {err}");
    }
    for words in [
        [&depth[..], &[&input]].concat(),
        [&depth[..], &["--stats", &input, "-"]].concat(),
        vec!["review", "--nodes", "1", &input],
        vec!["convert", &input],
    ] {
        let mut command = command(&words);
        command.stdout(append());
        let output = command.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {err}");
        assert!(err.contains("standard output"), "{words:?}: {err}");
    }
    assert_eq!(folder.read("in"), before);
}

/// Devices keep nothing that could be lost.
#[cfg(unix)]
#[test]
fn devices_may_have_many_roles() {
    let folder = folder();
    let null = "/dev/null";
    let words = ["--depth", "1", "--output", null, "--stats", null];
    let run = hexmate(&[&["analyse", &folder.text("in")], &words[..]].concat());
    assert_eq!(run.success(), "");
}
