use hexmate_movegen::{AnyPosition, GameId, Letters};

use super::*;

pub(super) fn read(text: &str) -> Vec<ReadGame> {
    let mut games = Games::new(TextLines::new(text.as_bytes()));
    std::iter::from_fn(|| games.next_game().unwrap()).collect()
}

pub(super) fn texts(line: &ReadLine) -> Vec<&str> {
    line.moves.iter().map(|mv| mv.text.as_str()).collect()
}

/// The moves of a game as cells, and what is wrong with it.
pub(super) fn played(game: &ReadGame) -> (String, Option<PgnError>) {
    let first = game.first(game.game(GameId::Glinski).unwrap()).unwrap();
    let (record, fault) = game.play(first, &Letters::Own);
    (record.move_texts().join(" "), fault)
}

const GAME: &str = "[White \"a \\\"b\\\"\"]\n[Result \"1-0\"]\n\n1. e4e5 {book} e7e6 {+0.10/3\n0.1s, n=5}\n2. d3d5 {White mates} 1-0\n";

#[test]
fn games_are_read() {
    let text = format!("{GAME}\n{}", GAME.replace("1-0\n", "*\n"));
    let games = read(&text);
    assert_eq!(games.len(), 2);
    let game = &games[0];
    assert_eq!(game.tag("White"), Some("a \"b\""));
    assert_eq!(game.tag("Black"), None);
    assert_eq!(texts(&game.main), ["e4e5", "e7e6", "d3d5"]);
    assert_eq!(game.last_comment(), "White mates");
    assert_eq!(game.main.moves[1].comments, ["+0.10/3 0.1s, n=5"]);
    assert_eq!((game.result, game.line), ("1-0", 1));
    assert_eq!((games[1].result, games[1].line), ("*", 8));
    let record = game.record(hexmate_movegen::Glinski, Some(2)).unwrap();
    assert_eq!(record.moves().len(), 2);
    assert!(read("").is_empty() && read("\n% nothing\n; either\n{or this} 1-0\n").is_empty());
}

#[test]
fn what_people_write() {
    // No tags, no blanks, no dots, no results, words as results.
    for text in [
        "1.e5 e6 2.d5 1-0",
        "1. e4-e5 e7-e6 2. d3-d5 1-0",
        "1 e5 e6 2 d5 1–0",
        "1. e5 1... e6 2.d5! $3 (2. Qc3 (2. b2) 2... b6) 1-0",
        "{An intro} 1. e5 {a (comment)} e6 ; 2. nothing of this 0-1\n2. d5 1-0",
        "[Result \"1-0\"]\n1.e5 e6\n2. d5\n",
        "[Event \"of all games\"] ; a comment\n\n[White A]\n[Result \"1-0\"]\n1. e5 e6 2. d5\n",
        "[result 1-0]\n\n1. e5 e6 2. d5 +-\n",
        "%escaped 1. Qc3\n1. e5 e6 <2. Qc3> 2. d5+ 1-0 {afterwards}",
        "1. Pe5 Pe7e6 2. d3d5!? 1-0\n\n",
    ] {
        let games = read(text);
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!(
            played(&games[0]),
            ("e4e5 e7e6 d3d5".to_owned(), None),
            "{text}"
        );
        assert_eq!(games[0].result, "1-0", "{text}");
    }
    for (text, result) in [
        ("1. e5 remi", "1/2-1/2"),
        ("1. e5 ½-½", "1/2-1/2"),
        ("1. e5 1:0", "1-0"),
        ("1. e5*", "*"),
        ("1. e5 3/4-1/4", "3/4-1/4"),
        ("1. e5", "*"),
    ] {
        let games = read(text);
        assert_eq!((games.len(), games[0].result), (1, result), "{text}");
        assert_eq!(played(&games[0]), ("e4e5".to_owned(), None), "{text}");
    }
}

/// Words for check and mate are signs; others behind the last move are a remark, and so are those behind the result.
#[test]
fn words_behind_the_moves() {
    for (text, remark) in [
        ("1. e5 e6 2. d5 mate", ""),
        ("1. e5 check e6 2. d5 matt!", ""),
        ("1. e5 éch. e6 jq. 2. d5 šach", ""),
        ("1. e5 sch. e6 chk 2. d5 scacco", ""),
        ("1. e5 schaak e6 schack 2. d5 xeque шах", ""),
        ("1. e5 e6 2. d5mate", ""),
        ("1. e5 e6 2. d5 White wins\n", "White wins"),
        ("1. e5 e6 2. d5\nresigns 1-0", "resigns"),
        ("1. e5 e6 2. d5 2... resigns *", "resigns"),
        ("1. e5 e6 2. d5 draw agreed", "agreed"),
        ("1. e5 e6 2. d5 0-1 Black wins {so}", "Black wins"),
        (
            "1. e5 e6 (1... b6 with equality) 2. d5 White wins (on time).",
            "White wins (on time) .",
        ),
        (
            "1. e5 e6 2. d5\n\nThanks to both, on move 3!\n",
            "Thanks to both, on move 3!",
        ),
    ] {
        let games = read(text);
        let (moves, fault) = played(&games[0]);
        assert_eq!((moves.as_str(), fault), ("e4e5 e7e6 d3d5", None), "{text}");
        assert_eq!(games[0].last_comment(), remark, "{text}");
        assert_eq!(games.len(), 1, "{text}");
    }
    let variation = &read("1. e5 e6 (1... b6 with equality) 2. d5")[0].main.moves[1].variations[0];
    assert_eq!(variation.moves[0].comments, ["with equality"]);
    // Between moves they are faults, and so is what may be a mistyped move.
    for (text, ply, part) in [
        ("1. e5 nonsense e6 2. d5 *", 2, "'nonsense' is not a move"),
        ("1. e5 White wins e6", 2, "'White' is not a move"),
        ("1. e5 nonsense (1... e6) *", 2, "'nonsense' is not a move"),
        ("1. e5 e6 2. Ndf", 3, "'Ndf' is not a move"),
        ("1. e5 e6 2. xx *", 3, "'xx' is not a move"),
        ("1. e5 mate. xx", 2, "'xx' is not a move"),
        ("mate 1. e5", 1, "'mate' is not a move"),
    ] {
        let fault = played(&read(text)[0]).1.unwrap();
        assert_eq!(fault.ply, Some(ply), "{text}: {fault}");
        assert!(fault.problem.contains(part), "{text}: {fault}");
    }
}

/// Lines above the first move are a remark or tags, not a game.
#[test]
fn headings() {
    for (text, intro) in [
        (
            "Anna - Bela, Sunday\n\n1. e5 e6\n2. d5",
            &["Anna - Bela, Sunday"][..],
        ),
        (
            "[Event \"x\"]\n\nA fine game, on 3 May 2026:\n1. e5 e6 2. d5",
            &["A fine game, on 3 May 2026:"],
        ),
        (
            "Club\nAnna - Bela {at home}; on\n3.5.2026\ne5 e6 d5",
            &["Club", "Anna - Bela", "at home", "on", "3.5.2026"],
        ),
        ("{Sunday}\n; and\n1. e5 e6 2. d5", &["Sunday", "and"]),
        (
            "White: Anna\nblack: \"Bela\"\nBoard: 3\n\n1. e5 e6 2. d5",
            &["Board: 3"],
        ),
    ] {
        let games = read(text);
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!(
            played(&games[0]),
            ("e4e5 e7e6 d3d5".to_owned(), None),
            "{text}"
        );
        assert_eq!(games[0].main.intro, intro, "{text}");
    }
    let spelt = &read("White: Anna\nblack: \"Bela\"\n\n1. e5")[0];
    assert_eq!(
        (spelt.tag("White"), spelt.tag("Black")),
        (Some("Anna"), Some("Bela"))
    );
    // Each of several games has its own, with a result between them or not.
    let several = "Anna - Bela\n1. e5 e6\n\nCili - Dora\n1. Qc3 b6 1-0\n\nEva - Fanni\n1. b2\n\nWhite: Gabi\n\n1. b2 b5\n";
    let games = read(several);
    let found: Vec<_> = games
        .iter()
        .map(|g| (g.main.intro.join("/"), played(g)))
        .collect();
    let expected = [
        ("Anna - Bela", "e4e5 e7e6"),
        ("Cili - Dora", "e1c3 b7b6"),
        ("Eva - Fanni", "b1b2"),
        ("", "b1b2 b7b5"),
    ];
    let expected = expected.map(|(intro, moves)| (intro.to_owned(), (moves.to_owned(), None)));
    assert_eq!(found, expected);
    assert_eq!(games[3].tag("White"), Some("Gabi"));
    // What is meant as a move stays one.
    for (text, column) in [
        ("1. Qz4 Kh8", 4),
        ("Qz4 Kh8", 1),
        ("1. Queen b4", 4),
        ("1.foo bar", 3),
        ("Queen-b4 Kh8", 1),
        ("Qz4 as White, and Black resigned", 1),
        ("xx", 1),
        ("(1. e5) *", 1),
    ] {
        let games = read(text);
        let fault = played(&games[0]).1.unwrap();
        assert_eq!(
            (fault.line, fault.column),
            (1, Some(column)),
            "{text}: {fault}"
        );
    }
    // Nothing but prose is told.
    let games = read("\nDear all,\nno game today.\n");
    assert_eq!(games.len(), 1);
    let fault = games[0].fault.as_ref().unwrap();
    assert_eq!((fault.line, fault.column), (2, None));
    assert!(fault.problem.contains("no moves follow"), "{fault}");
}

#[test]
fn where_games_end() {
    let text = "[White A]\n[Black B]\n1. e5 e6\n\n[White C]\n1. Qc3 *\n\n[White D]\n[Black E]\n\n[White F]\n\n1. b2\n\n1. e5 e6 1-0 2. d5 1-0\n";
    let games = read(text);
    let found: Vec<_> = games
        .iter()
        .map(|g| (g.tag("White"), g.line, played(g).0))
        .collect();
    let found: Vec<_> = found.iter().map(|(w, l, m)| (*w, *l, m.as_str())).collect();
    assert_eq!(
        found,
        [
            (Some("A"), 1, "e4e5 e7e6"),
            (Some("C"), 5, "e1c3"),
            (Some("D"), 8, ""),
            (Some("F"), 11, "b1b2"),
            (None, 15, "e4e5 e7e6"),
            (None, 15, "d3d5"),
        ]
    );
    let unending = "1. e5 e6 2. d5\n\n1. e5 e6\n\n1. Qc3 *";
    assert_eq!(read(unending).len(), 3);
    // Black's first move behind variations goes on, White's begins again.
    for (text, moves) in [
        (
            "1. e5 (1. d5 d6) (1. c3)\n\n1... e6 2. d5 1-0",
            &["e4e5 e7e6 d3d5"][..],
        ),
        ("1. e5 (1. d5 d6)\n\n1. ... e6 2. d5", &["e4e5 e7e6 d3d5"]),
        ("1. e5\n\n1 … e6\n\n2. d5", &["e4e5 e7e6 d3d5"]),
        ("1. e5\n\n1. e5 e6", &["e4e5", "e4e5 e7e6"]),
        ("1. e5 (1. d5 d6)\n\n1 e5 e6", &["e4e5", "e4e5 e7e6"]),
    ] {
        let games = read(text);
        let found: Vec<_> = games.iter().map(|game| played(game).0).collect();
        assert_eq!(found, moves, "{text}");
    }
}

#[test]
fn variations_and_comments_are_kept() {
    let text = "[Variant \"Gliński\"]\n\n{Intro} 1. e5 $1 {one} ({better} 1. Qc3! Qc6 (1... b6 2. e5) 2. e5) (1. b2)\n1... e6?! 2. d5 {} 1/2-1/2\n";
    let mut game = read(text).remove(0);
    let rewritten = game.rewrite(GameId::Mccooey, &Letters::Own, Notation::Cells);
    let rewritten = rewritten.unwrap();
    assert_eq!((rewritten.broken, rewritten.variations), (None, Vec::new()));
    let written = write::text(&game, "x w - - 0 1");
    assert_eq!(
        written,
        "[Variant \"Gliński\"]\n\n{Intro} 1. e4e5 $1 {one} ({better} 1. e1c3 $1 e10c6 (1... b7b6 2. e4e5) 2. e4e5)\n(1. b1b2) 1... e7e6 $6 2. d3d5 1/2-1/2\n\n"
    );
    let mut again = read(&written).remove(0);
    let rewritten = again.rewrite(GameId::Mccooey, &Letters::Own, Notation::San);
    assert_eq!(rewritten.unwrap().record.moves().len(), 3);
    assert!(write::text(&again, "x w - - 0 1").contains("1. Qc3 $1 Qc6 (1... b6 2. e5) 2. e5)"));
}

/// A broken game is reported with its place, and the others are read.
#[test]
fn broken_games_between_good_ones() {
    for (bad, at, ply, part) in [
        (
            "1. e4e5 e4e5 *\n",
            (8, Some(9)),
            Some(2),
            "nothing stands on e4",
        ),
        (
            "[White\n[Black \"b]\n\n1. e5 Nd5 *",
            (11, Some(7)),
            Some(2),
            "no knight of Black goes to d5",
        ),
        (
            "[White \"c\"]\n1. e5 {never ends\n2. Qc3 *\n",
            (9, Some(7)),
            None,
            "expected }",
        ),
        (
            "[White \"c\"]\n1. e5 e6 (1... b6\n2. Qc3 *\n",
            (9, Some(10)),
            None,
            "expected )",
        ),
        ("1. e5 (1. Qc3 1-0\n\n", (8, Some(7)), None, "expected )"),
        ("(1. e5) *\n", (8, Some(1)), None, "before the first move"),
        ("1. e5 -- *\n", (8, Some(7)), Some(2), "'--' is not a move"),
        ("1. e5 Nf4f5\n", (8, Some(7)), Some(2), "f4"),
    ] {
        let text = format!("{GAME}\n{bad}\n{GAME}");
        let games = read(&text);
        assert_eq!(games.len(), 3, "{bad}");
        let fault = played(&games[1]).1.unwrap();
        assert_eq!(
            ((fault.line, fault.column), fault.ply),
            (at, ply),
            "{bad}: {fault}"
        );
        assert!(fault.problem.contains(part), "{bad}: {fault}");
        for good in [&games[0], &games[2]] {
            assert_eq!(played(good), ("e4e5 e7e6 d3d5".to_owned(), None), "{bad}");
            assert_eq!(good.tags, games[0].tags);
        }
    }
    let game = &read("[Variant \"chess\"]\n[FEN \"x\"]\n*")[0];
    let error = game.game(GameId::Glinski).unwrap_err().to_string();
    assert!(
        error.starts_with("line 1: Variant: unknown game 'chess'")
            && error.contains("expected one of these in the tag, or no tag and --game")
            && error.contains("--game FILE.toml"),
        "{error}"
    );
    // What any of them may be called is the usual one.
    for name in ["Hexagonal Chess", "hexagonal", "hexchess"] {
        let game = &read(&format!("[Variant \"{name}\"]\n*"))[0];
        assert_eq!(game.game(GameId::Mccooey), Ok(GameId::Mccooey), "{name}");
    }
    assert!(game.first(GameId::Glinski).is_err());
}

#[test]
fn texts_without_an_end_are_no_games() {
    for (text, part) in [
        (format!("{{{}", "x ".repeat(300_000)), "no end"),
        (format!("{{{}", "x\n".repeat(300_000)), "no end within"),
        (format!("1. e5 {{}} {}", "e6 ".repeat(30_000)), "more than"),
        (format!("1. e5{}", "(e5".repeat(100)), "within each other"),
        (
            format!(
                "1. e5{}",
                "{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}\n".repeat(1 << 18)
            ),
            "bytes of comments",
        ),
        ("[A \"b\"]\n".repeat(2000), "tags"),
    ] {
        let games = read(&text);
        let fault = games[0].fault.as_ref().unwrap();
        assert!(fault.problem.contains(part), "{fault}");
    }
}

#[test]
fn a_long_comment_is_kept_and_a_longer_one_names_the_limit() {
    let next = "\n\n[White \"b\"]\n\n1. d5 *\n";
    let long = "words e5 ".repeat(20_000);
    let games = read(&format!("1. e5 {{{long}}} e6 2. d5 *{next}"));
    assert_eq!(games[0].fault, None);
    assert_eq!(texts(&games[0].main), ["e5", "e6", "d5"]);
    assert_eq!(games[0].main.moves[0].comments, [long.trim()]);
    let longer = "x".repeat(MOST_COMMENT + 1);
    let games = read(&format!("1. e5 {{{longer}}} e6 2. d5 *{next}"));
    assert_eq!(games.len(), 2);
    let fault = games[0].fault.as_ref().unwrap().to_string();
    assert!(
        fault.contains("line 1, column 7: ") && fault.contains("no end within 524288 bytes"),
        "{fault}"
    );
    assert_eq!(texts(&games[0].main), ["e5"]);
    assert_eq!(texts(&games[1].main), ["d5"]);
}

const RECORDS: &str = include_str!("../../tests/data/hungarian.pgn");

/// Each word of a line is looked at a few times, not once for each of the others.
#[test]
fn very_long_lines_are_no_more_work_than_many() {
    for line in [
        format!("Ab {}", "1 ".repeat(60_000)),
        format!("Ab {}", "1.e5 ".repeat(25_000)),
        format!("x{}", "[/b]".repeat(30_000)),
    ] {
        let text = format!("{line}\n\n[White \"A\"]\n\n1. e5 e6 *\n");
        assert_eq!(read(&text).last().unwrap().main.moves.len(), 2);
    }
}

/// Damaged lines in one game of a file leave the others as they were. `HEXMATE_PGN_LINES` mutated lines; 1000 without
/// it.
#[test]
fn no_good_game_is_lost_to_a_bad_one() {
    let wanted: usize = std::env::var("HEXMATE_PGN_LINES").map_or(1000, |n| n.parse().unwrap());
    let good = read(RECORDS);
    let lines: Vec<&str> = RECORDS.lines().collect();
    // The first line of each game, and of what would follow the last.
    let starts: Vec<usize> = good
        .iter()
        .map(|g| g.line - 1)
        .chain([lines.len()])
        .collect();
    let mut random = crate::random::SplitMix64::new(5);
    let mut mutated = 0;
    while mutated < wanted {
        // Some games, never all, get some bad lines each.
        let mut text: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        let mut bad = vec![false; good.len()];
        for (number, bad) in bad.iter_mut().enumerate() {
            if random.below(4) > 0 {
                continue;
            }
            *bad = true;
            for _ in 0..=random.below(3) {
                let at = starts[number] + random.below(starts[number + 1] - starts[number]);
                mutate(&mut text[at], &mut random);
                mutated += 1;
            }
        }
        let text = text.join("\n");
        let found = read(&text);
        let mut found = found.iter();
        // The end of a game without a result is where the next one begins, if that can be seen.
        let is_open = |i: usize| {
            let lines = &lines[starts[i]..starts[i + 1]];
            let last = lines.iter().rfind(|line| !line.is_empty());
            last.is_some_and(|line| line.split(' ').next_back().and_then(result_of).is_none())
        };
        let kept =
            (0..good.len()).filter(|&i| !(bad[i] || is_open(i) && bad.get(i + 1) == Some(&true)));
        for game in kept.map(|i| &good[i]) {
            let same = |other: &&ReadGame| {
                other.result == game.result
                    && texts(&other.main) == texts(&game.main)
                    && game.tags.iter().all(|tag| other.tags.contains(tag))
                    && other.fault.is_none()
            };
            // In order, so that none stands for two.
            assert!(found.any(|other| same(&other)), "{game:?}\n{text}");
        }
    }
}

/// Changes a line as accidents do.
fn mutate(line: &mut String, random: &mut crate::random::SplitMix64) {
    const ODD: &[&str] = &[
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        ";",
        "%",
        "<",
        ">",
        "*",
        "1-0",
        "$",
        "1.",
        "...",
        "\\",
        " ",
        "\t",
        "x",
        "=",
        "e9",
        "Q",
        "ń",
        "\u{0}",
        "[Event \"",
        "0-1 ",
        "--",
    ];
    let chars: Vec<char> = line.chars().collect();
    let at = random.below(chars.len() + 1);
    let (before, after) = (&chars[..at], &chars[at..]);
    let odd = ODD[random.below(ODD.len())];
    let collect = |parts: [&[char]; 2]| parts.concat().into_iter().collect::<String>();
    *line = match random.below(6) {
        0 => String::new(),
        1 => before.iter().collect(),
        2 => collect([before, &after[1.min(after.len())..]]),
        3 => odd.to_owned() + &collect([before, after]),
        4 => collect([before, after]) + odd,
        _ => before.iter().collect::<String>() + odd + &after.iter().collect::<String>(),
    };
}

/// Forty games in the letters of Hungarian records, each a little different in form.
#[test]
fn hungarian_records_are_read() {
    let hungarian: Letters = "hungarian".parse().unwrap();
    let games = read(RECORDS);
    assert_eq!(games.len(), 40);
    for game in &games {
        let which = game.game(GameId::Glinski).unwrap();
        assert_eq!(which, GameId::Glinski);
        let first = AnyPosition::start(which);
        let (record, fault) = game.play(first, &hungarian);
        assert_eq!(fault, None);
        assert!(record.moves().len() > 20, "{}", game.line);
        // Without the language the letters mean nothing, or something else.
        let (_, fault) = game.play(first, &Letters::Own);
        assert!(fault.is_some());
    }
}

/// As mails quote a game and lists have it.
#[test]
fn signs_before_a_line_are_skipped() {
    for text in [
        "> 1. e5 e6\n> 2. d5 d6",
        ">1. e5 e6\n>\n> > 2. d5 d6",
        "> [White \"a\"]\n>\n> 1. e5 e6\n> 2. d5 d6 1-0\n",
        "* 1. e5 e6\n* 2. d5 d6",
        "- 1 e5 e6\n- 2 d5 d6",
        " \u{2022} 1) e5 e6\n \u{2022} 2) d5 d6",
        "> * 1 . e5 e6\n> * 2 . d5 d6",
    ] {
        let games = read(text);
        assert_eq!(games.len(), 1, "{text}: {games:?}");
        assert_eq!(
            played(&games[0]),
            ("e4e5 e7e6 d3d5 d7d6".to_owned(), None),
            "{text}"
        );
        let list = object::list_of_moves(text);
        assert_eq!(list.main.moves.len(), 4, "{text}");
    }
    let error = played(&read("> 1. e5 e6\n> 2. d5 Z9")[0]).1.unwrap();
    assert_eq!((error.line, error.column), (2, Some(9)));
    // A result stays one, and so does what is within a comment.
    let games = read("1. e5 e6\n* 1. d5 d6\n- 1\n");
    assert_eq!(games.len(), 2, "{games:?}");
    assert_eq!(
        read("1. e5 {a\n> b} e6")[0].main.moves[0].comments,
        ["a > b"]
    );
}

#[test]
fn the_piece_that_a_pawn_becomes_may_stand_apart() {
    let tags = "[FEN \"1/1P1/5/7/9/11/11/11/11/k10/10K w - - 0 1\"]\n";
    for text in [
        "f11 = N",
        "f11 =N",
        "f11 (N)",
        "f11 N",
        "f11= N",
        "f10-f11 N",
        "1. f11 = N Ka3",
        "1. f11 N Ka3 2. Kl2",
        "1. f11 (N) {so} Ka3",
        "f11 N 1-0",
    ] {
        let games = read(&format!("{tags}{text}"));
        let (moves, fault) = played(&games[0]);
        assert!(
            games.len() == 1 && fault.is_none() && moves.starts_with("f10f11n"),
            "{text}: {moves} {fault:?}"
        );
        let plain = crate::inputs::plain_moves(text).unwrap();
        assert_eq!(
            crate::inputs::move_words(&plain).count(),
            moves.split(' ').count(),
            "{text}"
        );
    }
    // A judgement, a move that is new, a remark.
    for text in ["1. e5 N 1... e6 = 2. d5", "1. e5 e6 2. d5 A nice game"] {
        assert_eq!(
            played(&read(text)[0]),
            ("e4e5 e7e6 d3d5".to_owned(), None),
            "{text}"
        );
    }
}

#[test]
fn moves_that_stand_as_names_are_told() {
    for text in [
        "White: e5, Nc3, d5\nBlack: e6, Nc6, d6\n",
        "[White \"1. e5 2. Nc3\"]\n",
        "White: e5\nBlack: e6\n",
    ] {
        let games = read(text);
        let fault = games[0].fault.clone().unwrap_or_else(|| panic!("{text}"));
        assert!(
            games.len() == 1 && fault.problem.contains("1. e5 e6"),
            "{text}: {fault}"
        );
    }
    for text in [
        "White: A1\nBlack: Bela\n",
        "[White \"A1\"]\n",
        "White: e5, d5\nBlack: e6\n\n1. e5 e6\n",
    ] {
        assert_eq!(read(text)[0].fault, None, "{text}");
    }
}
