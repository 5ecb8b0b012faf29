//! What is said, on the command line and in TOML files, and what is refused.

use hexmate_movegen::GameId;
use tempfile::tempdir;

use crate::run::{good, hexmate, refused, text};

const DUEL: &str = "-engine cmd=internal name=a nodes=20 -engine cmd=internal name=b nodes=10";

/// Each has its own message, exit code 2, and plays nothing.
#[test]
fn refusals() {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("empty.epd"), "# nothing\n").unwrap();
    std::fs::write(folder.path().join("other.txt"), "[chess]\n").unwrap();
    std::fs::write(folder.path().join("newer.txt"), "hexmate-weights 2\n").unwrap();
    std::fs::write(folder.path().join("bad.toml"), "rounds = \n").unwrap();
    std::fs::write(folder.path().join("untitled.toml"), "event = ''\n").unwrap();
    std::fs::write(folder.path().join("odd.toml"), "rounds = 1979-05-27\n").unwrap();
    std::fs::write(folder.path().join("twice.toml"), "rounds = [1, 2]\n").unwrap();
    let quick = "quick = [\"cmd=a\", \"cmd=b\"]\n";
    std::fs::write(folder.path().join("quick.toml"), quick).unwrap();
    std::fs::write(folder.path().join("nested.toml"), "config = 'x'\n").unwrap();
    std::fs::write(folder.path().join("flag.toml"), "recover = 1\n").unwrap();
    std::fs::write(folder.path().join("taken.journal"), "something else\n").unwrap();
    let cases: &[(&str, &[&str])] = &[
        ("nonsense", &["nonsense", "-engine"]),
        ("-rounds", &["-rounds", "a number"]),
        ("-rounds 0", &["-rounds", "'0'", "from 1"]),
        ("-rounds many", &["-rounds", "'many'"]),
        ("-rounds 99999999999999999999", &["from 1 to 4294967295"]),
        ("-games 99999999999", &["-games", "from 1 to 1000000"]),
        ("-concurrency 99999999999", &["-concurrency", "to 10000"]),
        ("-wait 99999999999", &["-wait", "from 0 to 4294967295"]),
        ("-nosuch 3", &["-nosuch", "-pgnout"]),
        ("-variant chess", &["-variant", "'chess'", "mccooey"]),
        ("-engine cmd=internal nodes=1", &["1 engines", "two"]),
        (
            "-engine name=a nodes=1 -engine cmd=internal nodes=1",
            &["-engine 1", "cmd="],
        ),
        (
            "-engine cmd=internal -engine cmd=internal nodes=1",
            &["internal1", "nodes="],
        ),
        (
            "-engine cmd=internal name=x nodes=1 -engine cmd=internal name=x nodes=1",
            &["'x'", "name="],
        ),
        (
            "-engine cmd=internal speed=9",
            &["-engine", "'speed'", "timemargin"],
        ),
        ("-engine cmd", &["'cmd'", "key=value"]),
        ("-engine st=2000000", &["st", "from 0 to 1000000"]),
        ("-engine tc=1e9", &["tc", "from 0 to 1000000"]),
        (
            "-engine nodes=5 depth=3 nodes=7",
            &["-engine: 'nodes' is given twice"],
        ),
        (
            "-engine option.Hash=5 option.Hash=7",
            &["'option.Hash' is given twice"],
        ),
        (
            "-each option.Hash=5 option.hash=7",
            &["-each: 'option.hash' is given twice"],
        ),
        ("-engine tc=0", &["tc", "'0'"]),
        ("-engine tc=1:2:3", &["tc", "seconds"]),
        ("-engine tc=x/1", &["tc", "'x'"]),
        ("-engine st=-1", &["st", "'-1'", "seconds"]),
        ("-engine nodes=0", &["nodes", "'0'"]),
        ("-engine proto=xboard", &["proto", "uci"]),
        ("-engine restart=maybe", &["restart", "true or false"]),
        ("-engine args=\"x", &["args", "quote"]),
        ("-engine name=a(b", &["name", "brackets"]),
        ("-openings file=empty.bin", &["format=epd"]),
        ("-openings order=up", &["order", "sequential"]),
        (
            "-openings start=3",
            &["-openings start=", "file=", "-srand"],
        ),
        (
            "-openings plies=4 order=random",
            &["-openings order=", "file="],
        ),
        ("-openings format=epd", &["-openings format=", "file="]),
        (
            "-openings file=b.pgn balance=50",
            &["-openings balance=", "random lines"],
        ),
        (
            "-openings plies=4 file=b.epd",
            &["-openings plies=", "positions", "txt, pgn"],
        ),
        ("-sprt elo0=5 elo1=0", &["elo0 below elo1"]),
        (
            "-sprt elo0=0",
            &["-sprt: elo1= is missing; expected elo0=A elo1=B"],
        ),
        (
            "-sprt elo1=5",
            &["-sprt: elo0= is missing; expected elo0=A elo1=B"],
        ),
        ("-sprt elo0=0 elo1=5 alpha=0.6 beta=0.6", &["sum below 1"]),
        ("-sprt elo0=0 elo1=5 model=bayesian", &["model", "logistic"]),
        ("-sprt elo0=nan elo1=5", &["elo0", "'nan'"]),
        (
            "-sprt elo0=0 elo1=6000",
            &["-sprt elo1", "'6000'", "from -5000 to 5000"],
        ),
        ("-resign movecount=3", &["-resign", "score="]),
        ("-resign chance=40", &["-resign", "51 to 99"]),
        ("-resign chance=99 score=400", &["-resign", "not both"]),
        (
            "-tournament swis",
            &["'swis'", "did you mean swiss?", "gauntlet"],
        ),
        (
            "-enigne cmd=internal",
            &["'-enigne'", "did you mean -engine?"],
        ),
        ("-engine cdm=internal", &["'cdm'", "did you mean cmd?"]),
        ("-openings fiel=x", &["'fiel'", "did you mean file?"]),
        ("-output format=xml", &["-output", "'xml'", "cutechess"]),
        ("-wait soon", &["-wait", "'soon'"]),
        ("-noswap yes", &["-noswap", "nothing"]),
        ("-quick cmd=internal", &["-quick", "cmd=B"]),
        ("-jsonl append=false", &["-jsonl", "file="]),
        ("-use-affinity 3-1", &["-use-affinity", "'1'"]),
        ("-use-affinity 5000", &["-use-affinity", "from 0 to 1023"]),
        ("-recover yes", &["-recover", "nothing"]),
        ("-event", &["-event: expected a text"]),
        ("-site", &["-site: expected a text"]),
        ("-event -rounds 2", &["-event: expected a text"]),
        ("-config file=absent.toml", &["absent.toml"]),
        ("-config file=untitled.toml", &["-event: expected a text"]),
        (
            "-config file=nested.toml",
            &["nested.toml: config: is for the command line"],
        ),
        (
            "-config file=flag.toml",
            &["-recover", "'1'", "true or false in a file"],
        ),
        ("-config file=bad.toml", &["bad.toml", "line 1"]),
        ("-config file=odd.toml", &["odd.toml", "rounds"]),
        (
            "-config file=twice.toml",
            &["twice.toml: -rounds: is given twice"],
        ),
        (
            "-config file=quick.toml",
            &["-quick: 1 engines are given; expected cmd=A cmd=B"],
        ),
        (
            "-quick cmd=a cmd=b book=c.epd book=d.epd",
            &["-quick: 'book' is given twice"],
        ),
    ];
    for (words, parts) in cases {
        let message = refused(folder.path(), &format!("match {words}"));
        for part in *parts {
            assert!(
                message.contains(part),
                "{words}: '{part}' is not in: {message}"
            );
        }
    }
    let with_duel: &[(&str, &[&str])] = &[
        ("--resume", &["--resume", "-journal"]),
        (
            "-rounds 1 -maxmoves 3 -rounds 3",
            &["-rounds: is given twice; expected it once"],
        ),
        (
            "-variant glinski -variant mccooey",
            &["-variant: is given twice"],
        ),
        ("-srand 1 --srand 2", &["-srand: is given twice"]),
        ("-recover -recover", &["-recover: is given twice"]),
        ("-pgnout file=a file=b", &["-pgnout: 'file' is given twice"]),
        ("-pgnout a b", &["-pgnout: 'file' is given twice"]),
        (
            "-jsonl file=a append=true append=false",
            &["-jsonl: 'append' is given twice"],
        ),
        ("-epdout a -epdout b", &["-epdout: is given twice"]),
        (
            "--log-level debug",
            &["--log-level", "hexmate --log-level LEVEL match"],
        ),
        (
            "--log-level=debug",
            &["--log-level", "hexmate --log-level LEVEL match"],
        ),
        (
            "-rounds 4294967295 -games 1000000",
            &["-rounds 4294967295 -games 1000000", "most 4294967295"],
        ),
        ("-tournament knockout -rounds 3", &["-rounds", "-games"]),
        (
            "-tournament swiss -sprt elo0=0 elo1=1",
            &["-sprt", "-tournament"],
        ),
        (
            "-pgnout file=- -report file=-",
            &["standard output", "twice"],
        ),
        ("-report file=other.txt", &["other.txt", "no report"]),
        ("-openings file=absent.epd", &["absent.epd"]),
        ("-openings file=empty.epd", &["empty.epd", "no openings"]),
        ("-journal file=taken.journal", &["taken.journal", "journal"]),
        ("-jsonl file=no/such/folder", &["no/such/folder"]),
        ("-log file=no/such/folder", &["no/such/folder"]),
        ("-resign score=150", &["-resign", "191"]),
        ("-draw score=191", &["-draw", "191"]),
        ("-tournament gauntlet -seeds 2", &["-seeds", "2 engines"]),
        ("-seeds 1", &["-seeds: is for -tournament gauntlet"]),
        ("-each option.Thread=2", &["option.Thread", "Threads"]),
        (
            "-each option.Threads=99999",
            &["option.Threads", "expected a number from 1 to 512"],
        ),
        ("-each option.Hash=no", &["option.Hash", "'no'"]),
        (
            "-each option.hash=0",
            &["option.hash", "expected a number from 1 to"],
        ),
        (
            "-each option.tablebasepath=absent",
            &["option.tablebasepath", "absent"],
        ),
        (
            "-each option.TablebasePaht=absent",
            &["'TablebasePaht' is no parameter", "TablebasePath"],
        ),
        (
            "-each option.ASPIRATION_WINDOW=wide",
            &["option.ASPIRATION_WINDOW: 'wide': expected a whole number"],
        ),
        (
            "-each option.Hash=1048577",
            &["option.Hash", "from 1 to 1048576"],
        ),
        (
            "-each option.aspiration_window=100000",
            &["aspiration_window"],
        ),
        (
            "-each option.Weights=absent.txt",
            &["option.Weights", "absent.txt"],
        ),
        (
            "-each option.Weights=empty.epd",
            &["empty.epd", "[glinski]"],
        ),
        (
            "-each option.EvalFile=absent.txt",
            &["option.EvalFile", "absent.txt"],
        ),
        (
            "-each option.EvalFile=other.txt",
            &["weights of chess", "[glinski]"],
        ),
        (
            "-each option.EvalFile=newer.txt",
            &["version 2", "expected version 1"],
        ),
        ("-each dir=x", &["dir=", "internal"]),
        (
            "-engine cmd=internal name=c nodes=1 -sprt elo0=0 elo1=1",
            &["-sprt", "two"],
        ),
    ];
    for (words, parts) in with_duel {
        let message = refused(folder.path(), &format!("match {DUEL} {words}"));
        for part in *parts {
            assert!(
                message.contains(part),
                "{words}: '{part}' is not in: {message}"
            );
        }
    }
    good(
        folder.path(),
        &format!("match {DUEL} -each option.Weights=untuned -rounds 1 -maxmoves 3"),
    );
    good(
        folder.path(),
        &format!("match {DUEL} -each option.EvalFile=untuned -rounds 1 -maxmoves 3"),
    );
    // The case of names does not matter.
    good(
        folder.path(),
        &format!(
            "match {DUEL} -each option.evalFILE=untuned option.hash=1 option.moveoverhead=2 \
             option.Aspiration_Window=20 option.tablebasepath=. -tb absent -rounds 1 -maxmoves 3"
        ),
    );
    // In a game whose stalemates are draws these scores mean nothing special.
    good(
        folder.path(),
        &format!("match -variant mccooey {DUEL} -rounds 1 -resign score=150 -draw score=191"),
    );
}

/// The same match from a file, with something changed on the command line.
#[test]
fn files_of_keys() {
    let folder = tempdir().unwrap();
    let toml = r#"
variant = "hexachess"
rounds = 2
repeat = true
recover = false
srand = 11
maxmoves = 20
jsonl = "from_file.jsonl"

[openings]
plies = 4
balance = 150

[each]
option.Hash = 1

[[engine]]
cmd = "internal"
name = "a"
nodes = 40

[[engine]]
cmd = "internal"
name = "b"
nodes = 20
option = { Threads = 1, "Move Overhead" = 5 }
"#;
    std::fs::write(folder.path().join("match.toml"), toml).unwrap();
    let path = folder.path();
    good(path, "match -config file=match.toml");
    good(
        path,
        "match -variant hexachess -rounds 2 -repeat -srand 11 -maxmoves 20 -openings plies=4 balance=150 -engine cmd=internal name=a nodes=40 -engine cmd=internal name=b nodes=20 -each option.Hash=1 -jsonl file=words.jsonl",
    );
    assert_eq!(text(path, "from_file.jsonl"), text(path, "words.jsonl"));
    good(
        path,
        "match -config file=match.toml -rounds 1 -jsonl file=one.jsonl",
    );
    let two_games = text(path, "words.jsonl");
    let two_games: Vec<&str> = two_games.lines().take(2).collect();
    assert_eq!(
        text(path, "one.jsonl").lines().collect::<Vec<_>>(),
        two_games
    );
}

/// As every other command that lacks its words.
#[test]
fn a_match_of_nothing_is_told_what_there_is() {
    let folder = tempdir().unwrap();
    let run = hexmate(folder.path(), "match");
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{run:?}");
    assert_eq!(run.err, good(folder.path(), "match -help"));
}

#[test]
fn help_names_every_option() {
    let folder = tempdir().unwrap();
    let help = good(folder.path(), "match -help");
    let unknown = refused(folder.path(), "match -nosuch");
    for word in unknown.split_whitespace().filter(|w| w.starts_with('-')) {
        let word = word.trim_matches(|c: char| c == '\'' || c == ';');
        if word != "-nosuch" && word != "-help" {
            assert!(help.contains(word), "{word}");
        }
    }
    for word in [
        "EvalFile=FILE|untuned|handmade (or Weights=)",
        "nodes= seldepth= timeleft= nps= latency=",
        "where isready is to be",
        "level=",
        "realtime=",
        "hexmate --log-level LEVEL match",
    ] {
        assert!(help.contains(word), "{word}");
    }
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let games = help.split("-variant GAME").nth(1).unwrap();
    let games = games.split("-rounds").next().unwrap();
    for game in GameId::shipped() {
        assert!(games.contains(game.name()), "{game}: {games}");
    }
}

/// What `fastchess` accepts of a clock works for the engine inside, which keeps within it.
#[test]
fn clocks() {
    let folder = tempdir().unwrap();
    for tc in [
        "tc=0.4+0.01",
        "tc=5/0:0.1",
        "st=0.01",
        "tc=1000 st=0.01",
        "tc=0.4+0.01 st=1000",
    ] {
        let out = good(
            folder.path(),
            &format!(
                "match -engine cmd=internal name=a -engine cmd=internal name=b -each {tc} timemargin=10000 -rounds 1 -maxmoves 8 -jsonl file=g.jsonl"
            ),
        );
        assert!(out.contains("Latency of a in 16 moves: median"), "{out}");
        for game in crate::run::games(folder.path(), "g.jsonl") {
            assert_eq!(game["result"], "1/2-1/2", "{tc}: {game}");
        }
    }
}
