//! `hexmate review`.

use hexmate_engine::{Weights, WeightsFile};
use hexmate_movegen::{
    AnyPosition, AnyRecord, GAME_TEXTS, GameId, Mccooey, Position, Record, with_game,
};
use serde_json::{Value, json};

use super::{Folder, Random};
use crate::run::{GLINSKI, hexmate, hexmate_reading};

/// Black overlooks the mate on the fourth ply.
const GAMES: &str = "[Result \"1-0\"]\n\n1. e1b4 g10h8 2. f3h2 h8i6 3. b4f11 1-0\n\n1. e4e5 *\n";

fn games() -> String {
    // The mate is what the search says it is.
    let line = r#"{"moves": "e1b4 g10h8 f3h2 h8i6"}"#;
    let out = hexmate_reading(&["analyse", "--depth", "3"], line).success();
    let answer: Value = serde_json::from_str(&out).unwrap();
    GAMES.replace("b4f11", answer["bestmove"].as_str().unwrap())
}

#[test]
fn a_blunder_is_found() {
    let folder = Folder::new();
    let input = folder.write("g.pgn", games());
    let words = ["review", "--nodes", "2000", "--hash", "1", &input];
    let out = hexmate(&[&words[..], &["--json"]].concat()).success();
    let reviews: Vec<Value> = out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(reviews.len(), 2);
    let moves = reviews[0]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 5);
    assert_eq!(
        (&moves[3]["move"], &moves[3]["judgement"]),
        (&"h8i6".into(), &"blunder".into())
    );
    assert_eq!(
        (&moves[4]["loss"], &moves[4]["after"]),
        (&0.0.into(), &1.0.into())
    );
    assert_eq!(
        (&moves[3]["number"], &moves[3]["white"]),
        (&2.into(), &false.into())
    );
    let accuracy = |side: &str| reviews[0][side]["accuracy"].as_f64().unwrap();
    assert!(accuracy("black") < accuracy("white"), "{out}");
    assert_eq!(reviews[1]["black"]["accuracy"], Value::Null);
    // It is told what was wrong with it, and nothing of moves that were not judged.
    let why = moves[3]["explanation"]["words"].as_str().unwrap();
    assert!(why.starts_with("After Ki6 White mates with 3. "), "{why}");
    assert_eq!(
        moves[3]["explanation"]["other"]["score"],
        json!({"mate": -1})
    );
    for one in moves.iter().filter(|one| one["judgement"].is_null()) {
        assert_eq!(one["explanation"], Value::Null);
    }
    // Nothing depends on how many positions are searched at once.
    for jobs in ["1", "3"] {
        let again = hexmate(&[&words[..], &["--json", "--jobs", jobs]].concat()).success();
        assert_eq!(again, out);
    }

    let (svg, html) = (folder.text("plots"), folder.text("page.html"));
    let more = ["--format", "text", "--svg", &svg, "--html", &html];
    let text = hexmate(&[&words[..], &more].concat()).success();
    assert!(text.contains("\n2... Ki6??  blunder, White "), "{text}");
    assert!(text.contains(&format!("\n            {why}\n")), "{text}");
    assert!(
        text.starts_with("Game 1  1-0\n") && text.contains("White wins │"),
        "{text}"
    );
    for name in ["plots/game-1.svg", "plots/game-2.svg"] {
        let plot = folder.read(name);
        assert!(
            plot.starts_with("<svg xmlns=") && plot.trim_end().ends_with("</svg>"),
            "{plot}"
        );
        assert!(!plot.contains("NaN"));
    }
    let page = folder.read("page.html");
    assert_eq!(page.matches("<svg class=\"plot").count(), 2);
    assert!(page.contains("Review of 2 games") && page.contains("href=\"#g2\""));
    assert!(page.contains("<span class=\"blunder\">blunder</span>"));
    assert!(page.contains(&format!("<p>{why}</p>")), "{page}");
    for outside in ["src=", "@import", "url(", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    // It is not overwritten unless that is asked for.
    let again = hexmate(&[&words[..], &["--html", &html]].concat());
    assert!(again.refused().contains("--force"));
    hexmate(&[&words[..], &["--html", &html, "--force"]].concat()).success();
    // The page alone goes to standard output, and nothing else does.
    let printed = hexmate(&[&words[..], &["--html", "-"]].concat()).success();
    assert_eq!(printed, page);
}

/// Names are on one line, and command nothing.
#[test]
fn names_with_control_characters() {
    let words = ["review", "--depth", "1", "--hash", "1", "--format", "text"];
    let game = json!({"white": "A\nB\u{1b}[31m", "event": "C\r\u{9b}D", "moves": "e5 e6"});
    let text = hexmate_reading(&words, game.to_string()).success();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "A B [31m – Black");
    assert!(lines[1].starts_with("C  D · "), "{text}");
    assert!(lines[4].starts_with("A B [31m  "), "{text}");
}

/// As a game, a review can be read like any other.
#[test]
fn a_review_is_a_game_with_comments() {
    let folder = Folder::new();
    let input = folder.write(
        "g.pgn",
        format!(
            "[White \"Ann\"]\n[WhiteElo \"1700\"]\n[Site \"Zalaegerszeg\"]\n{}",
            games()
        ),
    );
    let words = [
        "review", "--nodes", "2000", "--hash", "1", "--format", "pgn", &input,
    ];
    let pgn = hexmate(&words).success();
    let one_line = pgn.replace('\n', " ");
    for told in [
        "[Event \"?\"] [Site \"Zalaegerszeg\"] [Date \"????.??.??\"] [Round \"?\"]",
        "[White \"Ann\"] [Black \"?\"] [Result \"1-0\"] [WhiteElo \"1700\"] [Variant \"glinski\"]",
        "Ki6 $4 {After Ki6 White mates with 3. ",
        "(2... ",
    ] {
        assert!(one_line.contains(told), "{told}: {pgn}");
    }
    let again = hexmate_reading(&["convert", "--to", "jsonl"], &pgn).success();
    let games: Vec<Value> = again
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((games.len(), &games[0]["white"]), (2, &"Ann".into()));
    assert!(
        games[0]["moves"]
            .as_str()
            .unwrap()
            .starts_with("e1b4 g10h8 f3h2 h8i6 ")
    );
}

/// People often write the result behind the moves alone.
#[test]
fn a_result_without_a_tag() {
    let moves = "[White \"Ann\"]\n\n1. Qb4 Kh8 2. Bh2 Ki6 3. Qk4# 1-0\n";
    for (format, told) in [
        ("pgn", "[Result \"1-0\"]"),
        ("text", "Ann – Black  1-0\n"),
        ("jsonl", "\"result\":\"1-0\""),
    ] {
        let words = ["review", "--depth", "1", "--hash", "1", "--format", format];
        let review = hexmate_reading(&words, moves).success();
        assert!(review.contains(told), "{review}");
    }
}

/// The result behind the moves counts, whatever a tag or a field says.
#[test]
fn a_result_behind_the_moves() {
    let words = ["review", "--depth", "1", "--hash", "1", "--format", "pgn"];
    for input in [
        "[Result \"1-0\"]\n\n1. e5 e6 0-1\n",
        "{\"moves\":\"1. e5 e6 0-1\",\"result\":\"1-0\"}\n",
        "result,moves\n1-0,e5 e6 0-1\n",
        "Moves,Result\ne5 e6,0-1\n",
    ] {
        let review = hexmate_reading(&words, input).success();
        assert!(review.contains("[Result \"0-1\"]"), "{input}: {review}");
    }
}

/// So are those that the columns of a table name.
#[test]
fn who_played_in_a_table() {
    let words = ["review", "--depth", "1", "--hash", "1", "--format", "text"];
    let table = "white,Black,result,Event,date,moves\nAnn,Bob,1-0,Cup,1984.05.06,e5 e6\n";
    let text = hexmate_reading(&words, table).success();
    let head = "Ann – Bob  1-0\nCup, 1984.05.06 · ";
    assert!(text.starts_with(head), "{text}");
}

/// Players, event and result are told, in each form; one game has no index.
#[test]
fn who_played_is_told() {
    let folder = Folder::new();
    let pgn = "[White \"Ann <A>\"]\n[Black \"Bob\"]\n[Event \"Cup\"]\n[Date \"1984.05.06\"]\n[Result \"1-0\"]\n\n1. e5 e6 2. Qc3 1-0\n";
    let input = folder.write("g.pgn", pgn);
    let html = folder.text("page.html");
    let words = ["review", "--nodes", "200", "--hash", "1", &input];
    let out = hexmate(&[&words[..], &["--html", &html]].concat()).success();
    let review: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(review["players"], json!(["Ann <A>", "Bob"]));
    assert_eq!(
        (&review["event"], &review["date"], &review["result"]),
        (&"Cup".into(), &"1984.05.06".into(), &"1-0".into())
    );
    assert_eq!(review["moves"][2]["san"], "Qc3");
    let text = hexmate(&[&words[..], &["--format", "text"]].concat()).success();
    let head = "Ann <A> – Bob  1-0\nCup, 1984.05.06 · Gliński's hexagonal chess · 3 plies\n";
    assert!(text.starts_with(head), "{text}");
    let page = folder.read("page.html");
    assert!(page.contains("<title>Ann &lt;A&gt; – Bob</title>"));
    assert!(page.contains("data-plies=\"e4e5=") && !page.contains("href=\"#g1\""));
}

/// A name whose letters run from right to left does not turn the result beside it, and graphs say whose they are.
#[test]
fn names_do_not_turn_results() {
    let folder = Folder::new();
    let html = folder.text("page.html");
    let read = |pgn: &str| {
        let words = [
            "review", "--nodes", "50", "--hash", "1", "--force", "--html", &html,
        ];
        hexmate_reading(&words, pgn).success();
        folder.read("page.html")
    };
    let page = read("[White \"Bob\"]\n[Black \"محمد\"]\n[Result \"1-0\"]\n\n1. e5 e6 1-0\n");
    let heading = "<h1><bdi>Bob</bdi> – <bdi>محمد</bdi> <span class=\"result\">1-0</span></h1>";
    assert!(page.contains(heading), "{page}");
    assert!(page.contains("aria-label=\"What Bob with White may expect against محمد\""));
    let page = read("1. e5 e6 *\n");
    assert!(page.contains("aria-label=\"What White may expect against Black\""));
}

/// A file of the weights that follow from the rules of a game, each `times` as great.
fn weights(game: &str, times: i32) -> String {
    let game: GameId = game.parse().unwrap();
    with_game!(game, game => {
        let weights = Weights::untuned(game);
        let values = weights.values().iter().map(|v| v.map(|v| v * times));
        weights.with_values(values.collect::<Vec<_>>()).to_text("for a test")
    })
}

/// Other weights give other reviews, also of a game from a file; weights of another game are refused.
#[test]
fn weights_from_a_file() {
    let folder = Folder::new();
    let header = WeightsFile::HEADER;
    let file =
        |name: &str, game, times| folder.write(name, format!("{header}\n{}", weights(game, times)));
    let (_, text) = *GAME_TEXTS
        .iter()
        .find(|(name, _)| *name == "shafran")
        .unwrap();
    let rules = folder.write("mine.toml", text);
    for (game, name, moves) in [
        ("glinski", "glinski", "e4e5 e7e6 e1c3 b7b5"),
        (rules.as_str(), "shafran", ""),
    ] {
        let id: GameId = name.parse().unwrap();
        let mut record = AnyRecord::new(AnyPosition::start(id));
        for text in moves.split_whitespace() {
            record.play(text).unwrap();
        }
        while record.moves().len() < 4 {
            let text = record.position().move_texts()[7].clone();
            record.play(&text).unwrap();
        }
        let line = json!({"moves": record.move_texts()}).to_string();
        let input = folder.write("g.jsonl", line);
        let [same, other] = [1, 3].map(|times| file(&format!("{name}{times}"), name, times));
        let review = |more: &[&str]| {
            let words = [
                "review", "--nodes", "300", "--hash", "1", "--json", "--game", game,
            ];
            hexmate(&[&words[..], more, &[&input]].concat())
        };
        let [own, changed] = [&same, &other].map(|path| review(&["--eval-file", path]).success());
        assert_ne!(own, changed, "{name}");
        let mccooey = file("mccooey", "mccooey", 1);
        let message = review(&["--eval-file", &mccooey]).refused();
        assert!(message.contains("--eval-file"), "{message}");
        assert!(message.contains(&format!("[{name}]")), "{message}");
        // Without --game it is the record that cannot be used, and its line is told once.
        let words = ["review", "--nodes", "300", "--eval-file", &mccooey, &input];
        let run = hexmate(&words);
        assert_eq!(
            (run.code, run.err.matches("line 1").count()),
            (1, 1),
            "{run:?}"
        );
        assert!(
            review(&["--eval-file", &input])
                .refused()
                .contains("--eval-file")
        );
    }
}

#[test]
fn what_is_no_game_is_told() {
    let folder = Folder::new();
    let input = folder.write(
        "g.jsonl",
        "{\"fen\":\"x\"}\n{\"moves\":\"e4e5 a1a9\",\"id\":\"b\"}\n{\"moves\":[]}\n",
    );
    let run = hexmate(&["review", "--nodes", "50", "--hash", "1", "--json", &input]);
    assert_eq!((run.code, run.out.lines().count()), (1, 2), "{run:?}");
    assert!(run.err.contains("line 1, no \"moves\""), "{}", run.err);
    assert!(run.err.contains("line 2, \"moves\", move 2"), "{}", run.err);
    // Positions are no games.
    let input = folder.write("p.epd", GLINSKI);
    let run = hexmate(&["review", "--nodes", "50", "--hash", "1", &input]);
    assert_eq!((run.code, &*run.out), (1, ""), "{run:?}");
    assert!(
        run.err.contains("expected a game: moves alone"),
        "{}",
        run.err
    );
}

/// What could not be reviewed is told by the review itself, not only beside it.
#[test]
fn a_game_that_breaks_off_is_told_in_each_form() {
    let folder = Folder::new();
    let broken = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. Qb4 Kh8 2. Qk9# 1-0\n\n";
    let unread = "[White \"Eve\"]\n[Black \"Fay\"]\n\n1. Qz4 Kh8 *\n";
    let review = |games: &str, format: &str| {
        let (input, html) = (folder.write("g.pgn", games), folder.text("page.html"));
        let words = [
            "review", "--nodes", "50", "--hash", "1", "--force", "--html", &html, "--format",
            format, &input,
        ];
        let run = hexmate(&words);
        assert_eq!(run.code, 1, "{run:?}");
        (run.out, folder.read("page.html"))
    };
    let where_to = "line 4, column 15, ply 3: 'Qk9#' is not a move: ";
    let (json, page) = review(&(broken.to_owned() + unread), "jsonl");
    let told: Value = serde_json::from_str(&json).unwrap();
    let error = told["error"].as_str().unwrap();
    assert!(error.starts_with(where_to), "{error}");
    for part in [
        "<h1>Review of 1 game</h1>",
        " <span class=\"mistake\">breaks off</span>",
        "<p class=\"mistake\">The game breaks off after 1... Kh8: line 4, ",
        "<p>1 game could not be reviewed:</p>",
        "<li><bdi>Eve</bdi> – <bdi>Fay</bdi>: line 9, column 4, ply 1: ",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let (text, page) = review(broken, "text");
    let told = format!(" · 2 plies\nThe game breaks off after 1... Kh8: {where_to}");
    assert!(text.contains(&told), "{text}");
    assert!(page.contains("<title>Ann – Bob</title>") && !page.contains("href=\"#g1\""));
    let (text, page) = review(unread, "text");
    assert!(
        text.starts_with("Eve – Fay\nNot reviewed: line 4, "),
        "{text}"
    );
    assert!(page.contains("<h1>Review of 0 games</h1>\n<p>1 game could"));
    let (pgn, _) = review(broken, "pgn");
    let pgn = pgn.replace('\n', " ");
    assert!(
        pgn.contains("The game breaks off after 1... Kh8: line 4"),
        "{pgn}"
    );
    // A brace cannot be in a comment.
    let (pgn, _) = review("1. e5 e6 {open\n", "pgn");
    let end = "has no end; expected a closing brace} *";
    assert!(pgn.replace('\n', " ").trim_end().ends_with(end), "{pgn}");
}

/// What is said of a move fits together, in each form: losses of both sides, found moves, White's share.
#[test]
fn a_move_has_one_story() {
    let folder = Folder::new();
    let mut random = Random(3);
    let mut record = Record::new(Position::<Mccooey>::start());
    let mut words = Vec::new();
    while words.len() < 30 && record.outcome().is_none() {
        let moves = record.position().legal_moves();
        let mv = moves[random.below(moves.len())];
        words.push(mv.text(Mccooey));
        record.play(mv).unwrap();
    }
    let line = json!({"game": "mccooey", "moves": words}).to_string();
    let input = folder.write("g.jsonl", line);
    let html = folder.text("page.html");
    let words = ["review", "--nodes", "400", "--hash", "1", &input];
    let out = hexmate(&[&words[..], &["--json"]].concat()).success();
    let review: Value = serde_json::from_str(&out).unwrap();
    let more = ["--format", "text", "--html", &html];
    let text = hexmate(&[&words[..], &more].concat()).success();
    let page = folder.read("page.html");
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(review["expected"], moves[0]["before"]);
    let mut told = 0;
    for one in moves {
        let number = |name: &str| one[name].as_f64().unwrap();
        let (before, after, loss) = (number("before"), number("after"), number("loss"));
        let sign = if one["white"] == true { 1.0 } else { -1.0 };
        assert!((sign * (before - after) - loss).abs() < 1e-9, "{one}");
        assert!(loss >= 0.0, "{one}");
        let accuracy = (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0);
        assert!((number("accuracy") - accuracy).abs() < 1e-9, "{one}");
        if one["best"] == one["move"] {
            assert_eq!(loss, 0.0, "{one}");
        }
        let Some(judgement) = one["judgement"].as_str() else {
            assert!(loss < 0.05, "{one}");
            continue;
        };
        told += 1;
        let dots = if sign > 0.0 { "." } else { "..." };
        let word = |name: &str| one[name].as_str().unwrap().to_owned();
        let begin = format!("{}{dots} {}", one["number"], word("san"));
        let line = text.lines().find(|l| l.starts_with(&begin)).unwrap();
        let shares = format!(" {judgement}, White {before:.3} → {after:.3}; better: ");
        assert!(line.contains(&shares), "{line}: {one}");
        let best = one["best_line"][0].as_str().unwrap();
        let better = format!("better: {}{dots} {best}", one["number"]);
        assert!(line.contains(&better), "{line}: {one}");
        // On the page it is told from the mover's side.
        let own = |white: f64| 100.0 * if sign > 0.0 { white } else { 1.0 - white };
        let card = page
            .split("<article")
            .skip(1)
            .find(|card| card.contains(&format!(">{begin}")));
        let expects = format!(
            "could expect {:.0} % of the point before it, and {:.0} % after it",
            own(before),
            own(after)
        );
        let card = card.unwrap_or_else(|| panic!("{begin}"));
        assert!(card.contains(&expects), "{card}");
        assert!(card.contains(&format!("{}:played", word("move"))), "{card}");
    }
    assert!(told > 5, "{text}");
}

/// The move that wins a pawn comes after the end of the search's own line, among the captures that follow.
#[test]
fn what_the_words_quote_is_in_the_better_line() {
    let moves = "g4g5 e7e5 h1i3 i7i6 f1g2 e5f5 e4f5 e10e1 f3e1 f9d5 e1f3 d5f3 g1f3 g10f9 i1e4 c8e8";
    let line = json!({"moves": moves}).to_string();
    let review = |format| {
        // Without a network: with each the lines are others.
        let words = "review --nodes 1500 --hash 1 --eval-file handmade --format";
        let words: Vec<&str> = words.split(' ').chain([format]).collect();
        hexmate_reading(&words, &line).success()
    };
    let found: Value = serde_json::from_str(&review("jsonl")).unwrap();
    let judged = found["moves"].as_array().unwrap();
    let quoting = judged.iter().filter_map(|one| {
        let won_at = one["explanation"]["best"]["won_at"].as_u64()?;
        Some((one, won_at as usize))
    });
    let mut quoted = 0;
    for (one, won_at) in quoting {
        let line = one["best_line"].as_array().unwrap();
        assert!(won_at <= line.len(), "{one}");
        quoted += usize::from(won_at > 5);
    }
    assert!(quoted > 0, "{found}");
    let text = review("text");
    assert!(
        text.contains("better: 8. Ne4 ") && text.contains(" 11. Nxf7\n"),
        "{text}"
    );
    let pgn = review("pgn").replace('\n', " ");
    assert!(
        pgn.contains("(8. Ne4 ") && pgn.contains(" 11. Nxf7)"),
        "{pgn}"
    );
}

/// What hexmate match writes, and what people write.
#[test]
fn games_of_matches_and_of_people() {
    let folder = Folder::new();
    let start = Position::<Mccooey>::start();
    let line = json!({
        "variant": "mccooey", "round": 2, "game": 3, "white": "a", "black": "b", "result": "1/2-1/2",
        "reason": "Draw", "fen": start.to_string(), "moves": "d2d4 d8d7", "plies": 2,
    });
    let people = "[Variant \"Gliński\"]\n1.Vc3 Vc6! 2. b2 (2. Hi3) b6 remi\n";
    for (name, content, letters, id, game, last) in [
        ("g.jsonl", line.to_string(), "english", 3, "mccooey", "d8d7"),
        (
            "g.pgn",
            people.to_owned(),
            "hungarian",
            1,
            "glinski",
            "b7b6",
        ),
    ] {
        let file = folder.write(name, content);
        let words = ["review", "--nodes", "100", "--hash", "1", "--json"];
        let words = [&words[..], &["--letters", letters, &file]].concat();
        let review: Value = serde_json::from_str(&hexmate(&words).success()).unwrap();
        assert_eq!((&review["id"], &review["game"]), (&id.into(), &game.into()));
        let moves = review["moves"].as_array().unwrap();
        assert_eq!(moves.last().unwrap()["move"], last);
    }
}

/// White throws away a win for a stalemate, which is still worth 3/4.
#[test]
fn a_stalemate_is_three_quarters() {
    let game = "[Variant \"glinski\"]\n[FEN \"1/3/5/7/9/11/11/2Q8/11/11/k1K8 w - - 0 1\"]\n\n1. Qb4 3/4-1/4\n";
    let words = ["review", "--nodes", "2000", "--hash", "1", "--json"];
    let out = hexmate_reading(&words, game).success();
    let review: Value = serde_json::from_str(&out).unwrap();
    let one = &review["moves"][0];
    assert_eq!((&one["before"], &one["after"]), (&1.0.into(), &0.75.into()));
    assert_eq!(one["judgement"], "blunder");
}
