//! `hexmate openings`, and books in matches.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use hexmate_movegen::{GameId, Position, with_built_in};
use serde_json::Value;
use tempfile::tempdir;

use crate::run::{final_table, games, good, hexmate, refused, text};

/// Books of every game: as many lines as asked for, distinct, legal, the same for the same seed.
#[test]
fn books_of_every_game() {
    let folder = tempdir().unwrap();
    for &game in GameId::ALL {
        let make = |words: &str| good(folder.path(), &format!("openings {game} {words}"));
        let book = make("--plies 6 --count 20 --seed 4 --balance 120");
        let lines: Vec<&str> = book.lines().collect();
        assert_eq!(lines.len(), 20);
        assert_eq!(lines.iter().collect::<HashSet<_>>().len(), 20);
        for line in &lines {
            with_built_in!(game, G => {
                let position: Position<G> = line.parse().unwrap();
                assert_eq!(position.outcome(), None);
                assert_eq!(position.to_string(), **line);
            });
        }
        assert_eq!(book, make("--plies 6 --count 20 --seed 4 --balance 120"));
        assert_ne!(book, make("--plies 6 --count 20 --seed 5 --balance 120"));
        let moves = make("--plies 6 --count 3 --format txt");
        assert!(moves.lines().all(|l| l.split(' ').count() == 6), "{moves}");
    }
}

/// Deterministic engines play an opening once: what comes again is no sample, and decides no test.
#[test]
fn repeated_games_do_not_decide() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let engines =
        "-engine cmd=internal name=strong nodes=1000 -engine cmd=internal name=weak nodes=20";
    let play = |book: usize, words: &str| {
        let book = good(path, &format!("openings mccooey --count {book} --seed 3"));
        std::fs::write(path.join("b.epd"), book).unwrap();
        let run = hexmate(
            path,
            &format!(
                "match -variant mccooey {engines} -openings file=b.epd {words} -concurrency 2 -jsonl file=g.jsonl -report file=r.html"
            ),
        );
        assert_eq!(run.code, Some(0), "{run:?}");
        run
    };
    let run = play(1, "-rounds 12 -sprt elo0=0 elo1=400 model=logistic");
    let table = final_table(&run.out);
    assert!(!run.out.contains("accepted"), "{run:?}");
    assert!(table.contains("Games: 24, "), "{table}");
    let line = "22 games of pairs with games that were played before";
    assert!(table.contains(line), "{table}");
    assert!(text(path, "r.html").contains(line));
    let pairs = table.split("Pairs(0-2 by 1/4): [").nth(1).unwrap();
    let pairs = pairs.split(']').next().unwrap().split(", ");
    assert_eq!(pairs.map(|n| n.parse::<u32>().unwrap()).sum::<u32>(), 1);
    assert!(
        run.err.contains("of 12 openings to be played only 1 can")
            && run.err.contains("game 3 repeats game 1"),
        "{run:?}"
    );
    let single = play(2, "-rounds 6 -games 1");
    let line = "4 games that were played before";
    assert!(final_table(&single.out).contains(line), "{single:?}");
    // Enough openings: nothing to say.
    let enough = play(3, "-rounds 3");
    assert!(!enough.out.contains("Left out"), "{enough:?}");
    // On one processor two games at once are warned of.
    let mut told = enough.err.lines().filter(|l| !l.contains("-concurrency"));
    assert_eq!(told.next(), None);
}

/// Where every pair is left out, nothing is known of the engines, and it was told before.
#[test]
fn pairs_of_equal_games_say_nothing() {
    let folder = tempdir().unwrap();
    let words = "match -engine cmd=internal name=a nodes=20 -engine cmd=internal name=b nodes=10 -rounds 3 -maxmoves 3 \
                 -ratinginterval 0 -noswap";
    let run = hexmate(folder.path(), words);
    let table = final_table(&run.out);
    for line in [
        "Elo: nan +/- nan, nElo: nan +/- nan\nLOS: nan %, DrawRatio: nan %, PairsRatio: nan\nGames: 6, ",
        "6 games of pairs with games that were played before, move by move; no pair is left\n",
    ] {
        assert!(table.contains(line), "{line}: {run:?}");
    }
    let mut told = run.err.lines().filter(|l| !l.contains("-concurrency"));
    let why = "Warning; -noswap: engines that play by nodes or depth with one thread repeat their games, so that \
               both games of a pair will be the same and no pair a sample for Elo, LOS and -sprt, which cannot end \
               the match";
    assert_eq!(told.next(), Some(why));
    let first = "Warning; game 2 repeats game 1 move by move; pairs with such games are no samples for Elo, LOS and \
                 -sprt";
    assert_eq!((told.next(), told.next()), (Some(first), None));
    let run = hexmate(folder.path(), &format!("{words} -output format=cutechess"));
    let line = "Elo difference: nan +/- nan, LOS: nan %, DrawRatio: 100.0 %\n";
    assert!(run.out.contains(line), "{run:?}");
    // Without pairs the first of the same games is a sample.
    let run = hexmate(folder.path(), &format!("{words} -games 1"));
    assert!(!run.err.contains("-noswap"), "{run:?}");
}

/// Lines without end are refused before they fill the memory, whatever reads them.
#[cfg(unix)]
#[test]
fn endless_files() {
    let folder = tempdir().unwrap();
    let engines = "-engine cmd=internal name=a nodes=20 -engine cmd=internal name=b nodes=10";
    for format in ["epd", "txt", "pgn"] {
        let words = format!("match {engines} -openings file=/dev/zero format={format}");
        let message = refused(folder.path(), &words);
        assert!(message.contains("/dev/zero: line 1: longer"), "{message}");
    }
    for words in [
        "replay /dev/zero".to_owned(),
        "match -config file=/dev/zero".to_owned(),
        format!("match {engines} -each option.Weights=/dev/zero"),
    ] {
        let message = refused(folder.path(), &words);
        assert!(
            message.contains("/dev/zero: ") && message.contains("longer"),
            "{message}"
        );
    }
}

/// A timed match begins with its first game, however many rounds it may have: these openings would take
/// an hour.
#[cfg(unix)]
#[test]
fn openings_are_made_when_their_turn_comes() {
    let folder = tempdir().unwrap();
    let words = format!(
        "match -engine cmd=internal name=a depth=1 tc=60 -engine cmd={}/illegal.sh name=b tc=60 -rounds 300000 -sprt elo0=0 elo1=400 model=logistic",
        crate::run::bad_engines().display()
    );
    let out = good(folder.path(), &words);
    assert!(out.contains("H1 was accepted"), "{out}");
}

#[test]
fn a_book_that_cannot_be_filled() {
    let folder = tempdir().unwrap();
    let run = hexmate(folder.path(), "openings glinski --plies 1 --count 1000");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("of 1000 openings were found"), "{run:?}");
    assert!(run.out.lines().count() > 10);
    // A file is complete or absent.
    let words = "openings glinski --plies 1 --count 1000 --output book.epd";
    let run = hexmate(folder.path(), words);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.err.contains("of 1000 openings were found"), "{run:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The ending of a book says how it is read, and so how it is written.
#[test]
fn books_are_what_their_endings_say() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let make = "openings glinski --count 2 --plies 2";
    let engines = "-engine cmd=internal name=a depth=1 -engine cmd=internal name=b nodes=20";
    for (name, format) in [("b.epd", "epd"), ("b.fen", "epd"), ("b.txt", "txt")] {
        good(path, &format!("{make} --output {name}"));
        let book = good(path, &format!("{make} --format {format}"));
        assert_eq!(text(path, name), book, "{name}");
        let words = format!("match {engines} -rounds 2 -maxmoves 2 -openings file={name}");
        assert_eq!(hexmate(path, &words).err.matches("left out").count(), 0);
    }
    for (name, ending) in [
        ("b.pgn", ".pgn is the ending of no format"),
        ("b.zzz", ".txt or none"),
        ("b.epd.gz", ".gz means a compressed file"),
    ] {
        let message = refused(path, &format!("{make} --output {name}"));
        assert!(message.contains(ending), "{message}");
        assert!(!path.join(name).exists(), "{name}");
    }
    good(path, &format!("{make} --output b.zzz --format txt"));
    // Under a wrong name the fault of a book is told.
    std::fs::copy(path.join("b.epd"), path.join("positions.txt")).unwrap();
    let words = format!("match {engines} -openings file=positions.txt");
    let message = refused(path, &words);
    let why = "line 1: a position; expected moves, or -openings format=epd";
    assert!(message.contains(why), "{message}");
}

/// Matches begin with the openings of a book, in order, from a place, or shuffled, and come round.
#[test]
fn matches_use_books() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    std::fs::write(
        path.join("b.epd"),
        good(path, "openings glinski --count 4 --seed 9"),
    )
    .unwrap();
    std::fs::write(
        path.join("b.txt"),
        good(path, "openings glinski --count 4 --seed 9 --format txt"),
    )
    .unwrap();
    let engines = "-engine cmd=internal name=a depth=1 -engine cmd=internal name=b nodes=20";
    let play = |words: &str| {
        good(
            path,
            &format!(
                "match {engines} -rounds 5 -maxmoves 3 -jsonl file=g.jsonl append=false -pgnout file=g.pgn append=false -openings {words}"
            ),
        );
        games(path, "g.jsonl")
    };
    let epd = text(path, "b.epd");
    let book: Vec<&str> = epd.lines().collect();
    let fens = |words: &str| {
        let played = play(words).into_iter().step_by(2);
        played
            .map(|g| g["fen"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        fens("file=b.epd format=epd"),
        [book[0], book[1], book[2], book[3], book[0]]
    );
    assert_eq!(fens("file=b.epd start=3")[..2], [book[2], book[3]]);
    let mut shuffled = fens("file=b.epd order=random");
    shuffled.truncate(4);
    shuffled.sort();
    let mut sorted = book.clone();
    sorted.sort_unstable();
    assert_eq!(shuffled, sorted);
    let txt = text(path, "b.txt");
    let first = play("file=b.txt plies=5")[0]["moves"]
        .as_str()
        .unwrap()
        .to_owned();
    let line: Vec<&str> = txt.lines().next().unwrap().split(' ').take(5).collect();
    assert!(first.starts_with(&line.join(" ")), "{first}");
    // Games that were played are a book, too.
    std::fs::copy(path.join("g.pgn"), path.join("b.pgn")).unwrap();
    let again = play("file=b.pgn plies=7")[0]["moves"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        again.split(' ').take(7).collect::<Vec<_>>(),
        first.split(' ').take(7).collect::<Vec<_>>()
    );
    assert!(
        refused(
            path,
            &format!("match {engines} -openings file=b.epd start=5")
        )
        .contains("4 openings")
    );
    std::fs::write(path.join("bad.epd"), "\nno position\n").unwrap();
    let message = refused(path, &format!("match {engines} -openings file=bad.epd"));
    assert!(message.contains("bad.epd: line 2"), "{message}");
    std::fs::write(path.join("bad.txt"), "e4e5 e4e5\n").unwrap();
    let message = refused(path, &format!("match {engines} -openings file=bad.txt"));
    assert!(
        message.contains("line 1") && message.contains("move 2"),
        "{message}"
    );
}

/// A book of lines: all that cannot be used are reported, the others are played.
#[test]
fn bad_lines_in_a_book() {
    let folder = tempdir().unwrap();
    let words = "match -engine cmd=internal name=a depth=1 -engine cmd=internal name=b depth=1 -rounds 2 -repeat -maxmoves 2 -jsonl file=g.jsonl";
    let book = "e4e5 e7e6\ne4e5 e4e5\n# a comment\nwords\nf5f6 e7e6\n";
    std::fs::write(folder.path().join("book.txt"), book).unwrap();
    let run = hexmate(folder.path(), &format!("{words} -openings file=book.txt"));
    assert_eq!(run.code, Some(0), "{run:?}");
    for line in ["book.txt: line 2: ", "book.txt: line 4: "] {
        assert_eq!(run.err.matches(line).count(), 1, "{run:?}");
    }
    assert_eq!(run.err.matches("left out").count(), 2, "{run:?}");
    assert_eq!(
        first_moves(folder.path()),
        ["e4e5 e7e6", "e4e5 e7e6", "f5f6 e7e6", "f5f6 e7e6"]
    );
}

/// Openings of another game, or of none, are not played as if they were of this one.
#[test]
fn openings_of_other_games() {
    let folder = tempdir().unwrap();
    let start = "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - - 0 1";
    let words = "match -engine cmd=internal name=a depth=1 -engine cmd=internal name=b depth=1 -rounds 2 -repeat -maxmoves 2 -jsonl file=g.jsonl append=false";
    let epd = format!(
        "{start} ; game hexachess\n{start} ; id \"own; game mccooey\"; game \"Glinski\"\n{start} ; game nogame\n"
    );
    let pgn = "[Variant \"mccooey\"]\n\n1. e5 e6 *\n\n[Variant \"glinski\"]\n\n1. e5 e6 *\n\n[Variant \"chess\"]\n\n1. e5 e6 *\n";
    for (name, book, says) in [
        (
            "book.epd",
            epd.as_str(),
            [
                "line 1: an opening of hexachess; expected glinski",
                "line 3: unknown game 'nogame'",
            ],
        ),
        (
            "book.pgn",
            pgn,
            [
                "line 1: an opening of mccooey; expected glinski",
                "line 9: Variant: unknown game 'chess'",
            ],
        ),
    ] {
        std::fs::write(folder.path().join(name), book).unwrap();
        // A book of positions has no plies.
        let plies = if name == "book.pgn" { "plies=2" } else { "" };
        let words = format!("{words} -openings file={name} {plies}");
        let run = hexmate(folder.path(), &words);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_eq!(run.err.matches("left out").count(), 2, "{run:?}");
        for says in says {
            assert!(run.err.contains(says), "{says}: {run:?}");
        }
        assert_eq!(games(folder.path(), "g.jsonl").len(), 4);
    }
}

#[test]
fn openings_that_cannot_be_found() {
    let folder = tempdir().unwrap();
    let words = "match -engine cmd=internal name=a depth=1 -engine cmd=internal name=b depth=1 -openings plies=1000";
    let message = refused(folder.path(), words);
    assert!(message.contains("allow fewer plies="), "{message}");
}

/// A game without a first move has no openings.
#[test]
fn a_game_that_is_over_at_its_start() {
    let folder = tempdir().unwrap();
    let game = r#"
format = 1
name = "tiny"
title = "Tiny"
[board]
rows = ["a-b", "a-b"]
other_side = "half turn"
[pieces]
K = { name = "king", leaps = ["e3", "-e3"] }
W = { name = "w", leaps = ["e3", "-e3"] }
[pawn]
steps = ["e2"]
captures = []
[start]
white = "Ka1 Wb1"
"#;
    std::fs::write(folder.path().join("tiny.toml"), game).unwrap();
    for words in [
        "openings tiny.toml --count 3 --plies 4 --output book.epd",
        "match -variant tiny.toml -engine cmd=internal name=a nodes=1 -engine cmd=internal name=b nodes=1 -jsonl file=g.jsonl",
    ] {
        let message = refused(folder.path(), words);
        assert!(
            message.contains(
                "tiny: the game is over at its start (White is stalemated), so it has no openings"
            ),
            "{message}"
        );
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A book of games: one that breaks off too early is reported, the others are played.
#[test]
fn a_broken_game_in_a_book() {
    let folder = tempdir().unwrap();
    let book =
        "1. e5 e6 2. Qc3 *\n\n1. e5 Qxb7 *\n\n1. f6 e6 2. e5 xyz *\n\n1. f6 d6 (1... e6 2. d5\n";
    std::fs::write(folder.path().join("book.pgn"), book).unwrap();
    let words = "match -engine cmd=internal name=a depth=1 -engine cmd=internal name=b depth=1 -rounds 3 -repeat \
                 -maxmoves 2 -jsonl file=g.jsonl -openings file=book.pgn plies=2";
    let run = hexmate(folder.path(), words);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.err.contains("book.pgn: line 3") && run.err.contains("Qxb7"),
        "{run:?}"
    );
    // A fault beyond the opening does no harm, nor does a variation that breaks off.
    assert_eq!(run.err.matches("left out").count(), 1, "{run:?}");
    let openings = ["e4e5 e7e6", "f5f6 e7e6", "f5f6 d7d6"];
    let twice = openings.map(|moves| [moves; 2]).concat();
    assert_eq!(first_moves(folder.path()), twice);
}

/// Openings in which the rules end the game are told and left out, of games as of lines.
#[test]
fn openings_that_are_over() {
    let folder = tempdir().unwrap();
    let mate = "e1b4 g10h8 f3h2 h8i6 b4k4";
    let drawn = "d1b2 d9b6 b2d1 b6d9 d1b2 d9b6 b2d1 b6d9 d1b2";
    let level = "e4e5 e7e6";
    let words = "match -engine cmd=internal name=a depth=1 -engine cmd=internal name=b depth=1 -rounds 1 -repeat -maxmoves 2 -jsonl file=g.jsonl append=false";
    for (name, book, lines, plies) in [
        (
            "book.txt",
            format!("{mate}\n{drawn}\n{level}\n"),
            [1, 2],
            "",
        ),
        (
            "book.pgn",
            format!("{mate} 1-0\n\n{drawn} *\n\n{level} *\n"),
            [1, 3],
            "plies=10",
        ),
    ] {
        std::fs::write(folder.path().join(name), book).unwrap();
        let run = hexmate(
            folder.path(),
            &format!("{words} -openings file={name} {plies}"),
        );
        assert_eq!(run.code, Some(0), "{run:?}");
        let left_out: Vec<&str> = run
            .err
            .lines()
            .filter(|line| line.contains("left out"))
            .collect();
        let told = |line, how| {
            format!(
                "hexmate: {name}: line {line}: the game is over after {how}; this opening is left out"
            )
        };
        assert_eq!(
            left_out,
            [
                told(lines[0], "it: Black is checkmated"),
                told(lines[1], "ply 8 of it: the position has occurred 3 times"),
            ]
        );
        assert_eq!(first_moves(folder.path()), [level, level]);
    }
}

/// A book is the same, compressed or in UTF-16.
#[test]
fn books_are_unpacked() {
    let folder = tempdir().unwrap();
    let lines = "e4e5 e7e6\nf5f6 e7e6\n";
    let games = "[White \"Béla\"]\n\n1. e5 e6 *\n\n1. f6 e6 *\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(lines.as_bytes()).unwrap();
    let fastest = ruzstd::encoding::CompressionLevel::Fastest;
    let units = ["\u{feff}", games].concat();
    let books = [
        ("plain.txt", lines.as_bytes().to_vec()),
        ("book.txt.gz", gzip.finish().unwrap()),
        (
            "book.pgn.zst",
            ruzstd::encoding::compress_to_vec(games.as_bytes(), fastest),
        ),
        (
            "book.pgn",
            units.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        ),
    ];
    let engines = "-engine cmd=internal name=a depth=1 -engine cmd=internal name=b depth=1";
    for (name, bytes) in books {
        std::fs::write(folder.path().join(name), &bytes).unwrap();
        let words = format!(
            "match {engines} -rounds 2 -repeat -maxmoves 2 -jsonl file=g.jsonl append=false -openings file={name} plies=2"
        );
        let run = hexmate(folder.path(), &words);
        assert_eq!(run.code, Some(0), "{name}: {run:?}");
        let openings = first_moves(folder.path());
        let expected = ["e4e5 e7e6", "e4e5 e7e6", "f5f6 e7e6", "f5f6 e7e6"];
        assert_eq!(openings, expected, "{name}");
        // One that was torn off is refused, not taken for a shorter book.
        if name.ends_with("gz") || name.ends_with("zst") {
            std::fs::write(folder.path().join(name), &bytes[..bytes.len() - 4]).unwrap();
            assert!(refused(folder.path(), &words).contains(name));
        }
    }
}

/// The first two moves of each game of `g.jsonl`.
fn first_moves(folder: &Path) -> Vec<String> {
    let first = |game: &Value| game["moves"].as_str().unwrap()[..9].to_owned();
    games(folder, "g.jsonl").iter().map(first).collect()
}
