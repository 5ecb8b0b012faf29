//! The report: one file that needs nothing else, with every game on a board.

use tempfile::tempdir;

#[cfg(unix)]
use crate::run::hexmate;
use crate::run::{command, games, good, text};

const DUEL: &str = "match -engine cmd=internal name=a<b nodes=40 option.Hash=2 -engine cmd=internal name=c nodes=20";

#[test]
fn every_game_can_be_stepped_through() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let book = "[Opening \"Queen's walk\"]\n[Variant \"glinski\"]\n\n1. e1c3 e7e6 *\n";
    std::fs::write(path.join("book.pgn"), book).unwrap();
    let words = format!(
        "{DUEL} -rounds 1 -maxmoves 20 -openings file=book.pgn plies=2 -event Cup -site here -report file=r.html -jsonl file=g.jsonl"
    );
    let words: Vec<&str> = words.split(' ').collect();
    assert!(command(path, &words).output().unwrap().status.success());
    let page = text(path, "r.html");
    let played = games(path, "g.jsonl");
    assert_eq!(played.len(), 2);
    for game in &played {
        let id = format!("<details class=\"game\" id=\"game-{}\">", game["game"]);
        let section = page.split(&id).nth(1).expect("a section");
        let section = section.split("</details>").next().unwrap();
        let plies = section.split("data-plies=\"").nth(1).unwrap();
        let plies = plies.split('"').next().unwrap().split(' ').count();
        assert_eq!(game["plies"], plies);
        assert_eq!(section.matches("data-ply=").count(), plies);
        // A picture stands in for the board where scripts do not run.
        assert!(section.contains("<svg class=\"board\""));
        assert!(section.contains(game["reason"].as_str().unwrap()));
    }
    for part in [
        "<h1>Cup</h1>",
        "a&lt;b",
        "<bdi>Queen's walk</bdi>: 1. Qc3 e6",
        "Hash = 2",
        "40 nodes",
        "hexmate",
        "finished",
        "Faults",
        "here",
        "None: no crash",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let ours = page.split("<script").next().unwrap();
    for raw in ["inf", "NaN", "nan "] {
        assert!(!ours.contains(&format!(">{raw}")), "{raw}");
    }
    for outside in ["src=", "@import", "url(", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// What engines, games and events are called, and what engines answer, is text on the page, wherever it stands.
#[cfg(unix)]
#[test]
fn names_and_answers_are_no_html() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let game = "format = 1\nbase = 'minihexchess'\nname = 'vinegar'\ntitle = 'x</script>'\n";
    std::fs::write(path.join("vinegar.toml"), game).unwrap();
    let engine = "#!/bin/sh
while read -r word _; do case $word in
uci) echo 'option name UCI_Variant type combo default vinegar var vinegar'; echo uciok;;
isready) echo readyok;;
go) echo 'bestmove <img/src=x>';;
quit) exit;;
esac; done\n";
    std::fs::write(path.join("engine"), engine).unwrap();
    let words = "match -variant vinegar.toml -engine cmd=internal name=a<b -engine cmd=internal name=c \
                 -engine cmd=sh args=engine name=bad -each nodes=5 -rounds 1 -maxmoves 2 -recover \
                 -event <i>E</i> -report file=r.html";
    let run = hexmate(path, words);
    assert_eq!(run.code, Some(0), "{run:?}");
    let page = text(path, "r.html");
    for shown in [
        "a&lt;b",
        "(&lt;img/src=x&gt;)",
        "&lt;i&gt;E&lt;/i&gt;",
        r"x<\/script>",
    ] {
        assert!(page.contains(shown), "{shown}");
    }
    for raw in ["a<b", "<img", "<i>E", "x</script>"] {
        assert!(!page.contains(raw), "{raw}");
    }
}

/// Letters that run from right to left would draw the result beside them to their side, and turn it round.
#[test]
fn names_do_not_turn_results() {
    let folder = tempdir().unwrap();
    let words = "match -engine cmd=internal name=Bob nodes=20 -engine cmd=internal name=محمد nodes=10 -rounds 1 -maxmoves 2 -report file=r.html";
    good(folder.path(), words);
    let page = text(folder.path(), "r.html");
    for part in [
        "<h1><bdi>Bob</bdi> – <bdi>محمد</bdi></h1>",
        "1. <bdi>Bob</bdi> – <bdi>محمد</bdi> <span class=\"result\">",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let words = words.replace("-rounds 1", "-tournament knockout");
    good(folder.path(), &words);
    let page = text(folder.path(), "r.html");
    assert!(page.contains(" : 9.0 <bdi>محمد</bdi>"), "{page}");
}

/// A name that is too long for a plot is cut off there: labels cannot be wrapped.
#[test]
fn labels_of_plots_fit() {
    let folder = tempdir().unwrap();
    let name = "engine".repeat(12);
    let words = format!(
        "match -engine cmd=internal name={name} nodes=20 -engine cmd=internal name=b nodes=10 -rounds 1 -maxmoves 2 -report file=r.html"
    );
    good(folder.path(), &words);
    let page = text(folder.path(), "r.html");
    assert!(
        page.contains(">points of engineengineengineengin… in a pair<"),
        "{page}"
    );
}

/// Midway all figures are of the same games.
#[test]
fn standings_agree_with_themselves() {
    let folder = tempdir().unwrap();
    let words = "match -engine cmd=internal name=a nodes=30 -engine cmd=internal name=b nodes=10 -engine cmd=internal name=c nodes=5 -rounds 4 -maxmoves 30 -ratinginterval 1 -concurrency 2";
    let out = good(folder.path(), words);
    for table in out.split("Rank Name").skip(1) {
        let rows: Vec<Vec<&str>> = table
            .lines()
            .skip(1)
            .take(3)
            .map(|line| line.split_whitespace().collect())
            .collect();
        let number = |row: &[&str], i: usize| row[i].parse::<f64>().unwrap();
        let games: f64 = rows.iter().map(|row| number(row, 5)).sum();
        let points: f64 = rows.iter().map(|row| number(row, 6)).sum();
        // Each game gives one point to two players, and whole pairs are counted.
        assert_eq!(points * 2.0, games, "{table}");
        assert!(
            rows.iter().all(|row| number(row, 5) % 2.0 == 0.0),
            "{table}"
        );
    }
}

/// One pair says nothing about the spread of pairs: neither an interval nor a chance can be given.
#[test]
fn nothing_is_certain_after_one_pair() {
    let folder = tempdir().unwrap();
    let words = "match -engine cmd=internal name=a nodes=20 -engine cmd=internal name=c nodes=10 -rounds 1 -maxmoves 2 -report file=r.html";
    let out = good(folder.path(), words);
    let page = text(folder.path(), "r.html");
    assert!(page.contains("<td>50.0 %<td>0.0<td>–<td>"), "{page}");
    assert!(page.contains("a over its opponent: –"), "{page}");
    // As fastchess has it.
    assert!(out.contains("Elo: 0.00 +/- 0.00"), "{out}");
    // In one spelling.
    assert!(out.contains("nElo: nan +/- nan"), "{out}");
    assert!(out.contains("PairsRatio: nan\n"), "{out}");
    let words = format!("{words} -engine cmd=internal name=d nodes=5");
    let three = good(folder.path(), &words.replace("r.html", "three.html"));
    assert!(three.contains(" 0.00       nan "), "{three}");
    // What differs by rule is counted by rule.
    let bar = "<span>Draw by adjudication (maxmoves)</span>";
    assert!(page.contains(bar), "{page}");
}
