//! The files that `hexmate review` writes, and those that it leaves alone.

use super::{Folder, changed_meanwhile};
use crate::run::hexmate;

/// What would be overwritten, or cannot be written, is told before anything is searched.
#[test]
fn what_cannot_be_written_is_told_first() {
    let folder = Folder::new();
    let input = folder.write("g.pgn", "1. e5 e6 *\n");
    let words = ["review", "--nodes", "50", "--hash", "1", "--json", &input];
    let run = |more: &[&str]| hexmate(&[&words[..], more].concat());
    let plots = folder.text("plots");
    std::fs::create_dir(&plots).unwrap();
    for html in [folder.text("none/page.html"), plots.clone()] {
        let message = run(&["--html", &html]).refused();
        let says = format!("--html: {html}: cannot be written");
        assert!(message.contains(&says), "{message}");
    }
    folder.write("plots/game-7.svg", "precious");
    let message = run(&["--svg", &plots]).refused();
    let says = "plots/game-7.svg: the file exists";
    assert!(
        message.contains(says) && message.contains("--force"),
        "{message}"
    );
    assert_eq!(folder.read("plots/game-7.svg"), "precious");
    assert!(!folder.path("plots/game-1.svg").exists());
    // Nothing is lost with one that is empty, nor with other files of the folder.
    folder.write("plots/game-7.svg", "");
    folder.write("plots/game-.svg", "another");
    run(&["--svg", &plots]).success();
    run(&["--svg", &plots]).refused();
    run(&["--svg", &plots, "--force"]).success();
    std::fs::remove_file(folder.path("plots/game-1.svg")).unwrap();
    std::fs::create_dir(folder.path("plots/game-1.svg")).unwrap();
    assert!(run(&["--svg", &plots]).refused().contains("game-1.svg"));
    std::fs::rename(
        folder.path("plots/game-1.svg"),
        folder.path("plots/game-3.svg"),
    )
    .unwrap();
    assert!(run(&["--svg", &plots]).refused().contains("game-3.svg"));
    let html = folder.text("new/");
    let message = run(&["--html", &html]).refused();
    assert!(
        message.contains("it is a folder; expected a file"),
        "{message}"
    );
    assert_eq!(folder.names(), ["g.pgn", "plots"]);
}

/// The folder of the graphs may be new, with the page in it.
#[test]
fn a_new_folder_for_everything() {
    let folder = Folder::new();
    let input = folder.write("g.pgn", "1. e5 e6 *\n");
    let (svg, html) = (folder.text("o/new"), folder.text("o/new/index.html"));
    let words = ["review", "--depth", "1", "--hash", "1", &input];
    hexmate(&[&words[..], &["--svg", &svg, "--html", &html]].concat()).success();
    assert!(folder.path("o/new/game-1.svg").exists() && folder.path("o/new/index.html").exists());
}

#[test]
fn nothing_is_written_without_a_game() {
    let folder = Folder::new();
    let input = folder.write("g.pgn", "");
    let (svg, html) = (folder.text("plots"), folder.text("page.html"));
    let run = hexmate(&["review", &input, "--svg", &svg, "--html", &html]);
    assert_eq!((run.code, &*run.out), (1, ""), "{run:?}");
    assert!(run.err.contains("there are no games"), "{run:?}");
    let message = hexmate(&["review", &folder.text(""), "--svg", &svg]).refused();
    assert!(
        message.contains("is a folder; expected a file of positions or games"),
        "{message}"
    );
    assert_eq!(folder.names(), ["g.pgn"]);
}

/// What is half written under the name of a plot may be somebody else's, too.
#[test]
fn parts_of_plots_are_not_overwritten() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("plots")).unwrap();
    let (file, plots) = (folder.write("g.pgn", "1. e5 *\n"), folder.text("plots"));
    for number in [1, 2] {
        let part = format!("plots/game-{number}.svg.part");
        folder.write(&part, "precious");
        let words = [
            "review", "--depth", "1", "--hash", "1", "--svg", &plots, &file,
        ];
        let message = hexmate(&words).refused();
        assert!(message.contains(&part), "{message}");
        assert_eq!(folder.read(&part), "precious");
        std::fs::remove_file(folder.path(&part)).unwrap();
    }
}

/// A plot that appears costs neither the other games nor the page.
#[test]
fn a_plot_that_appears_stays_and_the_rest_is_written() {
    let folder = Folder::new();
    let (plots, page) = (folder.text("plots"), folder.text("page.html"));
    let words = "review --depth 1 --hash 1 --jobs 1 --quiet";
    let words: Vec<&str> = words.split(' ').collect();
    let ended = changed_meanwhile(
        &[&words[..], &["--svg", &plots, "--html", &page]].concat(),
        // The first game is reviewed once it is seen where the second begins.
        ["1. e5 *\n\n1. d5 *\n\n", "1. f6 *\n\n1. g6 *\n\n1. h5 *\n"],
        &folder.path("plots/game-1.svg"),
        || drop(folder.write("plots/game-3.svg", "precious")),
    );
    assert_eq!((ended.code, ended.out.lines().count()), (2, 5), "{ended:?}");
    assert!(ended.err.contains("game-3.svg.part; rename"), "{ended:?}");
    assert_eq!(folder.read("plots/game-3.svg"), "precious");
    for name in [
        "plots/game-2.svg",
        "plots/game-4.svg",
        "plots/game-5.svg",
        "page.html",
    ] {
        assert!(folder.path(name).exists(), "{name}");
    }
}
