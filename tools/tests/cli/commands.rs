//! `games`, `perft`, `moves`, `suite` and `show`, asked as they should be.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::run::{GAMES, GLINSKI, TempFile, hexmate, suite};

/// The number behind a word of the last line of `perft`.
fn number<'t>(line: &'t str, word: &str) -> &'t str {
    let mut words = line.split(' ').skip_while(|&w| w != word);
    words
        .nth(1)
        .unwrap_or_else(|| panic!("no {word} in {line}"))
}

#[test]
fn games_are_listed() {
    let list = hexmate(&["games"]).success();
    let names: Vec<&str> = list.lines().filter_map(|l| l.split(' ').next()).collect();
    assert_eq!(names[..5], GAMES);
    let mut others = names[5..].to_vec();
    others.sort_unstable();
    assert_eq!(others, ["brusky", "devasa", "minihexchess", "shafran"]);
    for (game, cells) in [
        ("glinski", " 91 "),
        ("chromatic3", "127 "),
        ("chromatic4", "169 "),
    ] {
        let line = list.lines().find(|l| l.starts_with(game)).unwrap();
        assert!(line.contains(cells), "{line}");
    }
}

#[test]
fn a_game_is_told_in_full() {
    for game in GAMES {
        let text = hexmate(&["games", game]).success();
        for part in [
            "start: ",
            "pieces:",
            "pawns: ",
            "promotion: ",
            "stalemate: ",
            "draws: ",
        ] {
            assert!(text.contains(part), "{game}: no {part} in {text}");
        }
        let reconstructed = text.contains("RECONSTRUCTION");
        assert_eq!(
            reconstructed,
            game.starts_with("chromatic"),
            "{game}: {text}"
        );
    }
    // Names may be written in capitals.
    assert_eq!(
        hexmate(&["games", "Glinski"]).success(),
        hexmate(&["games", "glinski"]).success()
    );
}

#[test]
fn games_as_json() {
    let all: Value = serde_json::from_str(&hexmate(&["games", "--json"]).success()).unwrap();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), GAMES.len() + 4);
    for (game, object) in GAMES.into_iter().zip(all) {
        assert_eq!(object["name"], game);
        let one = hexmate(&["games", game, "--json"]).success();
        assert_eq!(serde_json::from_str::<Value>(&one).unwrap(), *object);
        let readings = object["readings"].as_array().unwrap();
        assert!(!readings.is_empty());
        for reading in readings {
            assert!(
                reading["about"].is_string() && reading["text"].is_string(),
                "{reading}"
            );
        }
        let reconstructed = readings.iter().any(|r| r["reconstruction"] == true);
        assert_eq!(reconstructed, game.starts_with("chromatic"), "{game}");
        let quarter = matches!(game, "glinski" | "hexachess");
        let share = if quarter { 0.25 } else { 0.5 };
        assert_eq!(object["stalemated_side_gets"], share, "{game}");
    }
}

#[test]
fn perft_ends_with_its_result() {
    for (game, depth, nodes) in [
        ("glinski", "4", "7282418"),
        ("hexachess", "4", "7405413"),
        ("mccooey", "4", "1157852"),
        ("chromatic3", "3", "87524"),
        ("chromatic4", "3", "99400"),
        ("glinski", "0", "1"),
    ] {
        let run = hexmate(&["perft", game, depth]);
        let line = run.last_line();
        let words: Vec<&str> = line.split(' ').collect();
        let labels: Vec<&str> = words.iter().copied().skip(1).step_by(2).collect();
        assert_eq!(words[0], game);
        assert_eq!(labels, ["depth", "nodes", "seconds", "nps"], "{line}");
        assert_eq!(words.len(), 9, "{line}");
        assert_eq!(
            (number(line, "depth"), number(line, "nodes")),
            (depth, nodes)
        );
        number(line, "seconds").parse::<f64>().unwrap();
        number(line, "nps").parse::<u64>().unwrap();
        run.success();
    }
}

#[test]
fn perft_of_a_position() {
    let fen = "1/3/5/7/9/1k9/11/11/K10/11/11 w - - 17 79";
    let run = hexmate(&["perft", "hexachess", "5", "--fen", fen]);
    assert_eq!(number(run.last_line(), "nodes"), "24034");
    // Five fields, without the rights that the game has not, and four, without counters.
    for fen in [
        "1/3/5/7/9/1k9/11/11/K10/11/11 w - 17 79",
        "1/3/5/7/9/1k9/11/11/K10/11/11 w -",
    ] {
        let run = hexmate(&["perft", "hexachess", "3", "--fen", fen]);
        assert_eq!(number(run.last_line(), "nodes"), "359", "{run:?}");
    }
}

#[test]
fn divide_sums_up() {
    let run = hexmate(&["perft", "mccooey", "3", "--divide"]);
    let mut lines: Vec<&str> = run.out.lines().collect();
    let last = lines.pop().unwrap();
    assert_eq!(number(last, "nodes"), "33307");
    let parts: BTreeMap<&str, u64> = lines
        .iter()
        .map(|line| line.split_once(": ").unwrap())
        .map(|(mv, count)| (mv, count.parse().unwrap()))
        .collect();
    assert_eq!(parts.len(), 31);
    assert_eq!(parts.values().sum::<u64>(), 33_307);
    let moves = hexmate(&["moves", "mccooey"]).success();
    let moves: Vec<&str> = moves.split_whitespace().collect();
    assert_eq!(parts.keys().copied().collect::<Vec<_>>(), moves);
    run.success();
}

/// Two kings that never meet: so many sequences that they can be counted only with a hash table.
const KINGS: &str = "1/3/2k2/7/9/11/11/4K6/11/11/11 w - - 0 1";

#[test]
fn a_count_of_more_than_64_bits_is_an_error() {
    for (depth, more) in [
        ("19", &["--memo", "dashmap"][..]),
        ("19", &["--divide", "--json"]),
        ("40", &["--memo", "array"]),
    ] {
        let words = ["perft", "glinski", depth, "--fen", KINGS, "--hash", "64"];
        let error = hexmate(&[&words[..], more].concat()).refused();
        let says = format!("depth {depth}: more than 18446744073709551615 sequences");
        assert!(error.contains(&says), "{error}");
    }
    // In a suite, the other lines are still checked.
    let counts = [
        "D18 2513854513745274785",
        "D19 7252136561513910225",
        "D19 25698880635223461841",
    ];
    let lines = counts.map(|count| format!("{KINGS} ;{count}\n")).concat();
    let file = TempFile::new("glinski.epd", format!("{lines}{GLINSKI} ;D1 51\n"));
    let run = hexmate(&["suite", &file.text(), "--hash", "64"]);
    let told = "2 passed, 0 failed, 2 unreadable";
    assert_eq!((run.code, run.last_line()), (2, told), "{run:?}");
    for part in [
        "line 2: depth 19: more than 18446744073709551615 sequences",
        "line 3: 'D19 25698880635223461841': too large a count; expected at most 18446744073709551615",
    ] {
        assert!(run.err.contains(part), "no {part:?} in {}", run.err);
    }
}

#[test]
fn perft_as_json() {
    let run = hexmate(&["perft", "chromatic4", "2", "--json", "--divide"]);
    let object: Value = serde_json::from_str(&run.success()).unwrap();
    assert_eq!(object["game"], "chromatic4");
    assert_eq!(
        (&object["depth"], &object["nodes"]),
        (&2.into(), &2_116.into())
    );
    assert!(
        object["seconds"].is_f64() && object["nps"].is_u64(),
        "{object}"
    );
    let divide = object["divide"].as_object().unwrap();
    assert_eq!(divide.len(), 46);
    assert_eq!(
        divide.values().map(|n| n.as_u64().unwrap()).sum::<u64>(),
        2_116
    );
    let plain = hexmate(&["perft", "chromatic4", "1", "--json"]).success();
    let plain: Value = serde_json::from_str(&plain).unwrap();
    assert_eq!((&plain["nodes"], plain.get("divide")), (&46.into(), None));
}

#[test]
fn moves_are_sorted_in_one_line() {
    for (game, count) in [
        ("glinski", 51),
        ("hexachess", 51),
        ("mccooey", 31),
        ("chromatic3", 44),
        ("chromatic4", 46),
    ] {
        let text = hexmate(&["moves", game]).success();
        assert_eq!(text.lines().count(), 1);
        let moves: Vec<&str> = text.trim_end().split(' ').collect();
        assert_eq!(moves.len(), count, "{game}");
        assert!(
            moves.is_sorted() && moves.iter().all(|m| m.len() >= 4),
            "{game}: {text}"
        );
    }
    // Promotions carry a letter.
    let fen = "1/3/3P1/7/9/11/11/11/11/k10/8K2 w - - 0 1";
    let text = hexmate(&["moves", "glinski", "--fen", fen]).success();
    let pawn: Vec<&str> = text
        .split_whitespace()
        .filter(|m| m.starts_with("g9"))
        .collect();
    assert_eq!(pawn, ["g9g10b", "g9g10n", "g9g10q", "g9g10r"]);
    let mated = "1/3/5/7/9/11/11/1N9/2K8/11/k10 b - - 0 1";
    assert_eq!(
        hexmate(&["moves", "glinski", "--fen", mated]).success(),
        "\n"
    );
}

#[test]
fn suites_pass() {
    let paths: Vec<String> = GAMES
        .iter()
        .map(|game| format!("movegen/suites/{game}.epd"))
        .collect();
    let mut arguments = vec!["suite", "--max-nodes", "20000"];
    arguments.extend(paths.iter().map(String::as_str));
    let run = hexmate(&arguments);
    let (passed, rest) = run.last_line().split_once(' ').unwrap();
    let skipped = rest.strip_prefix("passed, 0 failed, ");
    let skipped: usize = skipped
        .unwrap()
        .strip_suffix(" skipped")
        .unwrap()
        .parse()
        .unwrap();
    let counts = GAMES.iter().flat_map(|game| suite(game));
    let counts: usize = counts
        .map(|line| {
            let counts = line
                .split(';')
                .skip(1)
                .map(|part| part.trim().split_once(' ').unwrap());
            counts
                .filter(|(_, n)| n.parse::<u64>().unwrap() <= 20_000)
                .count()
        })
        .sum();
    assert_eq!(passed.parse(), Ok(counts));
    let all = GAMES.iter().flat_map(|game| suite(game));
    let all: usize = all.map(|line| line.split(';').count() - 1).sum();
    assert_eq!(skipped, all - counts);
    run.success();
}

#[test]
fn a_suite_knows_its_game_by_its_name() {
    let start = "b/qbk/rnbnr/ppppppp/9/11/11/5P5/4PBP4/3PNBNP3/2PRQBKRP2 w - - 0 1";
    let lines = format!("# one position\n\n{start} ;D1 31 ;D2 947 ;D3 33307\r\n");
    let named = TempFile::new("mccooey.epd", &lines);
    let run = hexmate(&["suite", &named.text()]);
    assert_eq!(
        (run.code, run.last_line()),
        (0, "3 passed, 0 failed"),
        "{run:?}"
    );

    let other = TempFile::new("other.epd", &lines);
    let run = hexmate(&["suite", &other.text(), "--game", "mccooey"]);
    assert_eq!(
        (run.code, run.last_line()),
        (0, "3 passed, 0 failed"),
        "{run:?}"
    );

    // What is said outweighs the name: in this game the same position has another count.
    let run = hexmate(&[
        "suite",
        &named.text(),
        "--game",
        "glinski",
        "--max-nodes",
        "40",
    ]);
    assert_eq!(
        (run.code, run.last_line()),
        (1, "0 passed, 1 failed, 2 skipped"),
        "{run:?}"
    );

    let run = hexmate(&["suite", &named.text(), "--max-nodes", "947"]);
    assert_eq!(run.last_line(), "2 passed, 0 failed, 1 skipped");
    let run = hexmate(&["suite", &named.text(), "--max-nodes", "10"]);
    let message = run.refused();
    assert!(
        message.contains("all 3 are greater than --max-nodes"),
        "{message}"
    );
}

/// A suite in which nothing was compared has not passed.
#[test]
fn suites_that_check_nothing() {
    for lines in ["", "# nothing\n\n", "\n"] {
        let file = TempFile::new("glinski.epd", lines);
        let message = hexmate(&["suite", &file.text()]).refused();
        assert!(message.contains("no count was compared"), "{message}");
        let run = hexmate(&["suite", &file.text(), "--json"]);
        assert_eq!(run.code, 2, "{run:?}");
    }
    let file = TempFile::new(
        "glinski.epd",
        format!("{GLINSKI} ;D1 51\n{GLINSKI} ;D2 2586\n"),
    );
    let run = hexmate(&["suite", &file.text(), "--json", "--max-nodes", "100"]);
    let objects = run.answers();
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
    assert_eq!(
        (&objects[0]["status"], &objects[1]["status"]),
        (&"passed".into(), &"skipped".into())
    );
}

#[test]
fn a_wrong_count_fails() {
    let lines = format!("{GLINSKI} ;D1 51 ;D2 2587\n{GLINSKI} ;D1 51\n");
    let file = TempFile::new("glinski.epd", lines);
    let run = hexmate(&["suite", &file.text()]);
    assert_eq!(
        (run.code, run.last_line()),
        (1, "2 passed, 1 failed"),
        "{run:?}"
    );
    let told = run.out.lines().next().unwrap();
    for part in ["glinski", "depth 2", "2587", "2586", GLINSKI] {
        assert!(told.contains(part), "no {part} in {told}");
    }
}

#[test]
fn positions_are_drawn() {
    for game in GAMES {
        let text = hexmate(&["show", game]).success();
        assert!(text.lines().count() > 10, "{text}");
        assert!(
            !text.contains('\x1b'),
            "no colours where there is no terminal"
        );
    }
    let svg = TempFile::new("picture.svg", "");
    let run = hexmate(&[
        "show",
        "glinski",
        "--moves",
        "e4e5 e7e6",
        "--svg",
        &svg.text(),
    ]);
    assert_eq!(run.success(), "");
    let picture = std::fs::read_to_string(svg.path()).unwrap();
    assert!(picture.contains("<svg") && picture.trim_end().ends_with("</svg>"));
    let again = "d1b2 d9b6 b2d1 b6d9 d1b2 d9b6 b2d1 b6d9";
    for words in [&["--moves", again][..], &["--moves", again, "--svg", "-"]] {
        let drawn = hexmate(&[&["show", "glinski"], words].concat()).success();
        let told = "White to move; draw: the position has occurred 3 times";
        assert!(drawn.contains(told), "{drawn}");
    }
    let arrows = |moves| hexmate(&["show", "glinski", "--arrows", moves]);
    let drawn = arrows("e1b4 d6d7r f10f11Q").success();
    assert!(drawn.contains("Arrows: e1b4 d6d7r f10f11q\n"), "{drawn}");
    for (moves, told) in [
        (
            "e4e5 a1a1",
            "'a1a1' leads nowhere; expected two different cells",
        ),
        ("d6d7p", "'d6d7p' is not two cells"),
        ("d6d7rr", "'d6d7rr' is not two cells"),
        ("d6z7", "'d6z7' is not two cells"),
    ] {
        let refused = arrows(moves).refused();
        assert!(refused.contains(told), "{refused}");
    }
    let refused = hexmate(&["show", "glinski", "--moves", "e4e5 e4e5"]).refused();
    assert!(
        refused.contains("move 2") && refused.contains("e4e5"),
        "{refused}"
    );
}

#[test]
fn help_and_version() {
    let help = hexmate(&["--help"]).success();
    for command in ["games", "perft", "suite", "moves", "show", "analyse"] {
        assert!(help.contains(command), "{help}");
        let text = hexmate(&[command, "--help"]).success();
        assert!(text.contains("Usage:"), "{text}");
    }
    assert!(hexmate(&["--version"]).success().starts_with("hexmate "));
}

/// Moves are read as people write them, and faults are told once.
#[test]
fn moves_in_any_notation() {
    let moves = |more: &[&str]| hexmate(&[&["moves", "glinski"], more].concat());
    let cells = moves(&["--moves", "e4e5 e7e6"]).success();
    for text in ["1. e5 e6", "e4-e5, 1...e7-e6!?", "1.e5 e6"] {
        assert_eq!(moves(&["--moves", text]).success(), cells);
    }
    assert!(moves(&["--notation", "san"]).success().contains(" Ndf4 "));
    let error = moves(&["--moves", "1. e5 Nf5"]).refused();
    assert_eq!(error.matches("Nf5").count(), 1, "{error}");
    assert!(
        error.starts_with("hexmate: --moves: move 2: 'Nf5' is not legal in "),
        "{error}"
    );
    let hungarian = ["--moves", "Hhi3", "--letters", "hungarian"];
    assert!(moves(&hungarian).success().contains("e7e6"));
    let perft = |more: &[&str]| hexmate(&[&["perft", "glinski", "2"], more].concat()).success();
    assert!(perft(&["--moves", "e5 e6"]).starts_with("glinski depth 2 nodes "));
    let error = hexmate(&["moves", "chromatic3", "--letters", "polish"]).refused();
    assert!(error.contains("do not fit chromatic3"), "{error}");
    let gliński = hexmate(&["moves", "Gliński"]).success();
    assert_eq!(gliński, moves(&[]).success());
}
