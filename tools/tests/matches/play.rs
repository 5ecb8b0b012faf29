//! Whole matches: the files agree with each other and with the rules, and a seed means the same games.

use std::collections::HashMap;
use std::path::Path;

use hexmate_movegen::{BuiltIn, GameId, Outcome, Position, Record, with_built_in};
use serde_json::Value;
use tempfile::tempdir;

use crate::run::{final_table, games, good, refused, text};

const GAMES: [&str; 5] = [
    "glinski",
    "hexachess",
    "mccooey",
    "chromatic3",
    "chromatic4",
];

const DUEL: &str = "-engine cmd=internal name=a nodes=60 -engine cmd=internal name=b nodes=30";

fn quarters(result: &str) -> usize {
    let all = ["0-1", "1/4-3/4", "1/2-1/2", "3/4-1/4", "1-0"];
    all.iter().position(|&r| r == result).expect("a result")
}

/// Replays a line of the games file by the rules.
fn replay<G: BuiltIn>(game: &Value) -> (Option<Outcome>, u64) {
    let start: Position<G> = game["fen"].as_str().unwrap().parse().unwrap();
    let mut record = Record::new(start);
    for mv in game["moves"].as_str().unwrap().split_whitespace() {
        assert_eq!(record.outcome(), None, "play went on after the end: {game}");
        let mv = record.position().parse_move(mv).unwrap();
        record.play(mv).unwrap();
    }
    (record.outcome(), record.moves().len() as u64)
}

/// Every game of all five games is legal to its end, has the result of the rules, and the sums of the
/// standing are those of the file.
#[test]
fn files_agree_with_the_rules() {
    for game in GAMES {
        let folder = tempdir().unwrap();
        let out = good(
            folder.path(),
            &format!(
                "match -variant {game} {DUEL} -rounds 6 -concurrency 2 -srand 3 -jsonl file=g.jsonl -pgnout file=g.pgn notation=san -epdout file=g.epd"
            ),
        );
        let played = games(folder.path(), "g.jsonl");
        assert_eq!(played.len(), 12);
        let mut points = HashMap::<String, usize>::new();
        let mut openings = Vec::new();
        for (i, one) in played.iter().enumerate() {
            let id: GameId = game.parse().unwrap();
            let (outcome, plies) = with_built_in!(id, G => replay::<G>(one));
            let outcome = outcome.expect("nothing but the rules ends these games");
            let white = usize::from(with_built_in!(id, G => outcome.quarters(G::SPEC))[0]);
            assert_eq!(quarters(one["result"].as_str().unwrap()), white, "{one}");
            assert_eq!(one["plies"], plies);
            assert_eq!(one["game"], i + 1);
            assert_eq!(one["round"], i / 2 + 1);
            let names = [["a", "b"], ["b", "a"]][i % 2];
            assert_eq!([&one["white"], &one["black"]], names);
            *points.entry(names[0].to_owned()).or_default() += white;
            *points.entry(names[1].to_owned()).or_default() += 4 - white;
            let moves = one["moves"].as_str().unwrap();
            openings.push(moves.split(' ').take(8).collect::<Vec<_>>().join(" "));
            let reason = one["reason"].as_str().unwrap();
            let finished = format!("Finished game {} ({} vs {}): ", i + 1, names[0], names[1]);
            let line = format!(
                "{finished}{} {{{reason}}}\n",
                one["result"].as_str().unwrap()
            );
            assert!(out.contains(&line), "{line}{out}");
        }
        for pair in openings.chunks(2) {
            assert_eq!(pair[0], pair[1], "a pair shares its opening");
        }
        openings.dedup();
        assert_eq!(openings.len(), 6);
        assert_eq!(points["a"] + points["b"], 48);
        let shown = points["a"] as f64 / 4.0;
        let share = 100.0 * shown / 12.0;
        assert!(
            final_table(&out).contains(&format!("({share:.2} %)")),
            "{out}"
        );
        assert_eq!(text(folder.path(), "g.epd").lines().count(), 12);
        // The file of games says the same, read back by the program itself.
        let replayed = good(folder.path(), "replay g.pgn");
        assert_eq!(replayed, text(folder.path(), "g.jsonl"));
    }
}

#[test]
fn a_seed_means_the_same_games_however_many_at_once() {
    let folder = tempdir().unwrap();
    let mut tables = Vec::new();
    for (name, words) in [
        ("one", "-concurrency 1 -srand 7"),
        ("three", "-concurrency 3 -srand 7"),
        ("other", "-concurrency 1 -srand 8"),
    ] {
        let out = good(
            folder.path(),
            &format!("match -variant mccooey {DUEL} -rounds 5 {words} -jsonl file={name}"),
        );
        tables.push(final_table(&out).to_owned());
    }
    assert_eq!(text(folder.path(), "one"), text(folder.path(), "three"));
    assert_ne!(text(folder.path(), "one"), text(folder.path(), "other"));
    assert_eq!(tables[0], tables[1]);
}

/// A stalemate of Gliński's chess is 3/4 to 1/4 where games are read back.
#[test]
fn stalemates_are_three_quarters() {
    let folder = tempdir().unwrap();
    let pgn = format!(
        "[White \"x\"]\n[Black \"y\"]\n[Result \"3/4-1/4\"]\n[Variant \"glinski\"]\n[FEN \"{}\"]\n[Termination \"normal\"]\n\n{{White stalemates}} 3/4-1/4\n",
        "1/3/5/7/9/11/11/1Q9/11/11/k1K8 b - - 0 1"
    );
    std::fs::write(folder.path().join("g.pgn"), &pgn).unwrap();
    let line = good(folder.path(), "replay g.pgn");
    let game: Value = serde_json::from_str(line.trim()).unwrap();
    assert_eq!(game["result"], "3/4-1/4");
    assert_eq!(game["reason"], "White stalemates");
    // All of what is said of a game without moves is the reason.
    let told = "Black disconnects (cannot start, no file, sd=3, or so)";
    let lost = pgn.replace("White stalemates", told);
    std::fs::write(
        folder.path().join("g.pgn"),
        lost.replace("normal", "abandoned"),
    )
    .unwrap();
    let line = good(folder.path(), "replay g.pgn");
    let game: Value = serde_json::from_str(line.trim()).unwrap();
    assert_eq!(game["reason"], told);
    // A draw it is not.
    std::fs::write(
        folder.path().join("g.pgn"),
        pgn.replace("3/4-1/4", "1/2-1/2"),
    )
    .unwrap();
    let run = crate::run::hexmate(folder.path(), "replay g.pgn");
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.contains("ended by the rules with 3/4-1/4"),
        "{run:?}"
    );
    // Nothing at all looks like no success.
    std::fs::write(folder.path().join("g.jsonl"), &line).unwrap();
    let run = crate::run::hexmate(folder.path(), "replay g.jsonl");
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{run:?}");
    assert!(run.err.contains("g.jsonl: no game in it"), "{run:?}");
}

#[test]
fn round_robins_and_gauntlets() {
    let folder = tempdir().unwrap();
    let engines = "-engine cmd=internal name=a nodes=40 -engine cmd=internal name=b nodes=20 -engine cmd=internal name=c -each depth=1";
    let out = good(
        folder.path(),
        &format!(
            "match {engines} -rounds 2 -concurrency 2 -jsonl file=g.jsonl -report file=r.html"
        ),
    );
    let all = games(folder.path(), "g.jsonl");
    assert_eq!(all.len(), 12);
    for name in ["a", "b", "c"] {
        let plays = |g: &&Value| g["white"] == name || g["black"] == name;
        assert_eq!(all.iter().filter(plays).count(), 8);
    }
    assert!(final_table(&out).contains("   # Name"), "{out}");
    good(
        folder.path(),
        &format!("match {engines} -tournament gauntlet -rounds 2 -jsonl file=g.jsonl append=false"),
    );
    let gauntlet = games(folder.path(), "g.jsonl");
    assert_eq!(gauntlet.len(), 8);
    assert!(
        gauntlet
            .iter()
            .all(|g| g["white"] == "a" || g["black"] == "a")
    );
}

#[test]
fn a_sequential_test_ends_the_match() {
    let folder = tempdir().unwrap();
    let engines =
        "-engine cmd=internal name=strong nodes=2000 -engine cmd=internal name=weak nodes=30";
    let words = format!(
        "match -variant mccooey {engines} -rounds 500 -concurrency 2 -sprt elo0=0 elo1=400 model=logistic -jsonl file=g.jsonl -report file=r.html"
    );
    let out = good(folder.path(), &words);
    assert!(out.contains("H1 was accepted"), "{out}");
    assert!(out.contains("LLR: "), "{out}");
    let played = games(folder.path(), "g.jsonl").len();
    assert!(played < 1000 && played.is_multiple_of(2), "{played}");
    let report = text(folder.path(), "r.html");
    for part in [
        "<h2>Elo of strong against games</h2>",
        "Log-likelihood ratio",
        "Lengths",
        "Terminations",
        "Openings",
        "Conditions",
        "processor",
        "2000 nodes",
        "H1 was accepted",
    ] {
        assert!(report.contains(part), "{part}");
    }
    // The ratio is drawn pair by pair.
    let plot = report.split("aria-label=\"Log-likelihood ratio\"").nth(1);
    let line = plot.unwrap().split("class=\"line c0\" points=\"").nth(1);
    let points = line.unwrap().split('"').next().unwrap();
    assert_eq!(points.split(' ').count(), played / 2, "{points}");
    // The name of SVG is no address that anybody asks for.
    let report = report.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!report.contains(outside), "{outside}");
    }
    // The other way round the first hypothesis holds.
    let out = good(
        folder.path(),
        &words
            .replace("name=strong nodes=2000", "name=weak nodes=30")
            .replacen("name=weak nodes=30", "name=strong nodes=2000", 2)
            .replacen("name=strong nodes=2000", "name=weak nodes=30", 1),
    );
    assert!(out.contains("H0 was accepted"), "{out}");
}

#[test]
fn games_are_adjudicated() {
    let folder = tempdir().unwrap();
    let game = |words: &str| {
        good(
            folder.path(),
            &format!(
                "match {DUEL} -rounds 3 {words} -jsonl file=g.jsonl append=false -pgnout file=g.pgn append=false"
            ),
        );
        good(folder.path(), "replay g.pgn");
        games(folder.path(), "g.jsonl")
    };
    for one in game("-maxmoves 5") {
        assert_eq!(one["result"], "1/2-1/2");
        assert_eq!(one["reason"], "Draw by adjudication (maxmoves)");
        assert_eq!(one["plies"], 18);
    }
    let resigned = game("-resign movecount=2 score=400");
    let wins = resigned.iter().filter(|g| {
        let reason = g["reason"].as_str().unwrap();
        let result = g["result"].as_str().unwrap();
        (reason == "White wins by adjudication" && result == "1-0")
            || (reason == "Black wins by adjudication" && result == "0-1")
    });
    assert!(wins.count() > 0, "{resigned:?}");
    let drawn = game("-draw movenumber=10 movecount=1 score=190");
    let draws = drawn
        .iter()
        .filter(|g| g["reason"] == "Draw by adjudication" && g["result"] == "1/2-1/2");
    assert!(draws.count() > 0, "{drawn:?}");
}

/// On every system: by a path, and by a name in another folder, where Windows adds the ending.
#[test]
fn programs_play() {
    let folder = tempdir().unwrap();
    let program = std::path::absolute(env!("CARGO_BIN_EXE_hexmate")).unwrap();
    let there = program.parent().unwrap().display();
    let name = Path::new(".").join(program.file_stem().unwrap());
    let words = format!(
        "match -each args=uci nodes=20 -engine cmd={} name=a -engine cmd={} dir={there} name=b \
         -rounds 1 -maxmoves 10 -jsonl file=g.jsonl",
        program.display(),
        name.display()
    );
    let run = crate::run::hexmate(folder.path(), &words);
    assert_eq!((run.code, &*run.err), (Some(0), ""), "{run:?}");
    assert_eq!(games(folder.path(), "g.jsonl").len(), 2);
}

/// Games are not played unbound where they were to be bound.
#[cfg(target_os = "linux")]
#[test]
fn processors_that_cannot_be_used() {
    let folder = tempdir().unwrap();
    let words = format!("match {DUEL} -use-affinity 1023 -jsonl file=g.jsonl");
    let message = refused(folder.path(), &words);
    let told = "-use-affinity: processor 1023 cannot be used; expected some of ";
    assert!(message.contains(told), "{message}");
    assert!(!folder.path().join("g.jsonl").exists());
}

/// A program with two threads is bound to two processors, as ours would be.
#[cfg(target_os = "linux")]
#[test]
fn programs_have_as_many_processors_as_threads() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status
        .lines()
        .find_map(|l| l.strip_prefix("Cpus_allowed_list:"))
        .unwrap();
    let number = |n: &str| n.trim().parse::<usize>().unwrap();
    let cpus = allowed
        .split(',')
        .flat_map(|part| match part.split_once('-') {
            Some((first, last)) => number(first)..=number(last),
            None => number(part)..=number(part),
        });
    let [first, second] = cpus.take(2).collect::<Vec<_>>()[..] else {
        return;
    };
    let folder = tempdir().unwrap();
    let engine = crate::run::bad_engines().join("tells_processors.sh");
    let words = format!(
        "match -engine cmd={} name=x option.Threads=2 nodes=1 -engine cmd=internal name=b nodes=1 -use-affinity {first},{second} -rounds 1 -games 1 -jsonl file=g.jsonl",
        engine.display()
    );
    good(folder.path(), &words);
    let between = if second == first + 1 { '-' } else { ',' };
    assert_eq!(
        games(folder.path(), "g.jsonl")[0]["reason"],
        format!("White makes an illegal move ({first}{between}{second})")
    );
}

/// No game goes on after the rules have ended it, whatever it is said to have ended by.
#[test]
fn games_that_go_on_after_their_end() {
    let folder = tempdir().unwrap();
    let replay = |moves: &str| {
        let pgn = format!(
            "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[Variant \"glinski\"]\n[Termination \"adjudication\"]\n\n{moves} 1-0\n"
        );
        std::fs::write(folder.path().join("g.pgn"), pgn).unwrap();
        crate::run::hexmate(folder.path(), "replay g.pgn")
    };
    let again = "1. d1b2 d9b6 2. b2d1 b6d9 3. d1b2 d9b6 4. b2d1";
    let run = replay(&format!("{again} b6d9\n5. d1b2"));
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{run:?}");
    let told = "line 8, column 4, ply 9: the game was over before this move: the position has occurred 3 times";
    assert!(run.err.contains(told), "{run:?}");
    // Without the third time there is nothing wrong with it.
    let run = replay(&format!("{again} e7e6 5. d1b2"));
    assert_eq!(run.code, Some(0), "{run:?}");
}
