//! Every address, with good and with bad questions.

use serde_json::{Value, json};

use crate::client::Board;

pub const GAMES: [&str; 9] = [
    "glinski",
    "hexachess",
    "mccooey",
    "chromatic3",
    "chromatic4",
    "brusky",
    "devasa",
    "minihexchess",
    "shafran",
];

#[test]
fn the_page_and_its_headers() {
    let board = Board::start(&[]);
    let get = |path: &str| {
        let host = board.host();
        board.send_whole(
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes(),
        )
    };
    let page = get("/");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("<html") && page.head.contains("content-type: text/html"));
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    assert!(!page.head.contains("access-control"));
    // Whatever the page loads is there, and of the right type.
    let links = page
        .body
        .split(['"', '\''])
        .filter(|text| text.starts_with("/app/") || text.starts_with("app/"));
    let mut found = 0;
    for link in links {
        let answer = get(&format!("/{}", link.trim_start_matches('/')));
        assert_eq!(answer.status, 200, "{link}");
        assert!(!answer.head.contains("text/plain"), "{link}");
        found += 1;
    }
    assert!(found > 0);
    for path in [
        "/x",
        "/app/",
        "/app/../Cargo.toml",
        "/app/%2e%2e/Cargo.toml",
        "/app//etc/passwd",
        "/../../etc/passwd",
    ] {
        assert_eq!(get(path).error()["code"], "path", "{path}");
    }
    assert_eq!(get("/api/hello").error()["code"], "method");
}

#[test]
fn addresses_methods_and_types() {
    let board = Board::start(&[]);
    board.bad("nothing", &json!({}), 404, "path");
    board.bad("hello", &json!({"more": 1}), 400, "field");
    let with = |old: &str, new: &str| {
        let text = String::from_utf8(board.post("hello", "{}")).unwrap();
        assert!(text.contains(old));
        board.send_whole(text.replace(old, new).as_bytes())
    };
    assert_eq!(with("POST", "PUT").error()["code"], "method");
    assert_eq!(
        with("application/json", "text/plain").error()["code"],
        "type"
    );
    assert_eq!(with("/api/hello", "/hello").error()["code"], "path");
    assert_eq!(
        with("application/json", "Application/JSON; charset=utf-8").status,
        200
    );
    let body = |text: &str| board.send_whole(&board.post("hello", text)).error();
    assert_eq!(body("[]")["code"], "json");
    assert_eq!(body("{\"a\": }")["offset"], 6);
    let large = format!("{{\"a\": \"{}\"}}", "x".repeat(1 << 20));
    assert_eq!(board.send(&board.post("hello", &large)).status, 413);
    // The same without a length.
    let token = &board.token;
    let head = format!(
        "POST /api/hello HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nX-Hexmate-Token: {token}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
        board.host()
    );
    let chunk = format!("{:x}\r\n{large}\r\n0\r\n\r\n", large.len());
    assert_eq!(board.send((head + &chunk).as_bytes()).status, 413);
}

#[test]
fn games_as_data() {
    let board = Board::start(&[]);
    let games = board.good("games", &json!({}));
    let names: Vec<&str> = games["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|g| g["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, GAMES);
    for name in GAMES {
        let game = board.good("game", &json!({"game": name}));
        let cells = game["cells"].as_array().unwrap();
        let find = |name: &Value| cells.iter().find(|cell| cell["name"] == *name).unwrap();
        let (width, height) = (
            game["box"][0].as_f64().unwrap(),
            game["box"][1].as_f64().unwrap(),
        );
        for cell in cells {
            let (x, y) = (cell["x"].as_f64().unwrap(), cell["y"].as_f64().unwrap());
            assert!(
                0.8 < x && x < width - 0.8 && 0.8 < y && y < height - 0.8,
                "{name} {cell}"
            );
            let neighbours = cell["neighbours"].as_array().unwrap();
            for (i, next) in neighbours
                .iter()
                .enumerate()
                .filter(|(_, next)| !next.is_null())
            {
                let next = find(next);
                // Neighbours are a cell's width away, in the named direction, and know each other.
                assert_eq!(next["neighbours"][(i + 3) % 6], cell["name"], "{name}");
                let (dx, dy) = (
                    next["x"].as_f64().unwrap() - x,
                    y - next["y"].as_f64().unwrap(),
                );
                assert!((dx.hypot(dy) - 3f64.sqrt()).abs() < 1e-3, "{name}");
                let direction = game["directions"][i].as_str().unwrap();
                assert_eq!(direction.contains('n'), dy > 0.1, "{name} {direction}");
                assert_eq!(direction.contains('e'), dx > 0.1, "{name} {direction}");
            }
        }
        for kind in game["kinds"].as_array().unwrap() {
            assert!(kind["words"].as_str().unwrap().len() > 10);
            let picture = &kind["picture"];
            assert!(
                picture["glyph"]["outline"].is_string() != picture["disc"]["letter"].is_string()
            );
        }
        for label in game["labels"].as_array().unwrap() {
            let (x, y) = (label["x"].as_f64().unwrap(), label["y"].as_f64().unwrap());
            assert!(
                (-1.2..=width + 1.2).contains(&x) && (-1.2..=height + 1.2).contains(&y),
                "{name} {label}"
            );
        }
        // No label lies on a cell.
        for label in game["labels"].as_array().unwrap() {
            let (x, y) = (label["x"].as_f64().unwrap(), label["y"].as_f64().unwrap());
            let near = |cell: &&Value| {
                let (dx, dy) = (
                    cell["x"].as_f64().unwrap() - x,
                    cell["y"].as_f64().unwrap() - y,
                );
                dx.hypot(dy) < 1.1
            };
            assert!(cells.iter().find(near).is_none(), "{name} {label}");
        }
        let start = board.good("position", &json!({"game": name}));
        assert_eq!(start["fen"], game["start"]);
        assert_eq!(start["castling"], game["castling_cells"]);
    }
    board.bad("game", &json!({"game": "chess"}), 400, "game");
    board.bad("game", &json!({}), 400, "field");
    board.bad("game", &json!({"game": 3}), 400, "field");
}

#[test]
fn positions() {
    let board = Board::start(&[]);
    let after = board.good(
        "position",
        &json!({"game": "glinski", "moves": ["e4e5", "e6", "1.Qc3"]}),
    );
    assert_eq!(after["side"], "b");
    let played: Vec<&str> = after["played"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["san"].as_str().unwrap())
        .collect();
    assert_eq!(played, ["e5", "e6", "Qc3"]);
    assert_eq!(
        (
            &after["pieces"]["c3"],
            &after["pieces"]["e7"],
            &after["pieces"]["e6"]
        ),
        (&json!("Q"), &Value::Null, &json!("p"))
    );
    let takes = after["legal"]
        .as_array()
        .unwrap()
        .iter()
        .find(|m| m["capture"] == true);
    assert!(takes.unwrap()["san"].as_str().unwrap().contains('x'));

    let mate = ["e1b4", "g10h8", "f3h2", "h8i6", "b4k4"];
    let end = board.good("position", &json!({"game": "glinski", "moves": mate}));
    assert_eq!(end["outcome"]["reason"], "checkmate");
    assert_eq!(
        (&end["outcome"]["result"], &end["check"]),
        (&json!("1-0"), &json!(true))
    );
    assert_eq!(end["legal"], json!([]));
    assert_eq!(end["played"][4]["mate"], true);

    let again = [
        "d1c3", "d9c6", "c3d1", "c6d9", "d1c3", "d9c6", "c3d1", "c6d9",
    ];
    let drawn = board.good("position", &json!({"game": "glinski", "moves": again}));
    assert_eq!(
        (&drawn["outcome"]["reason"], &drawn["occurrences"]),
        (&json!("repetition"), &json!(3))
    );

    let error = board.bad(
        "position",
        &json!({"game": "glinski", "moves": ["e4e5", "e5e6"]}),
        400,
        "move",
    );
    assert_eq!(
        (&error["field"], &error["offset"]),
        (&json!("moves"), &json!(1))
    );
    let fen = "b/qbk/n1b1n/r5r/pppppXppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - - 0 1";
    let error = board.bad(
        "position",
        &json!({"game": "glinski", "fen": fen}),
        400,
        "fen",
    );
    assert_eq!(error["offset"], fen.find('X').unwrap());
    let moves = vec!["e4e5"; 2001];
    board.bad(
        "position",
        &json!({"game": "glinski", "moves": moves}),
        400,
        "field",
    );
    board.bad(
        "position",
        &json!({"game": "glinski", "moves": "e4e5"}),
        400,
        "field",
    );
    board.bad(
        "position",
        &json!({"game": "glinski", "moves": [7]}),
        400,
        "field",
    );
}

#[test]
fn where_pieces_go() {
    let board = Board::start(&[]);
    let reach = board.good("reach", &json!({"game": "glinski", "cell": "f3"}));
    let moves: Vec<&str> = reach["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["move"].as_str().unwrap())
        .collect();
    assert_eq!(moves, ["f3d2", "f3h2"]);
    let paths = reach["paths"].as_array().unwrap();
    let path = paths.iter().find(|path| path["open"] == 1).unwrap();
    assert_eq!(
        (&path["end"], &path["blocker"]),
        (&json!("own"), &json!("P"))
    );
    let imagined = board.good(
        "reach",
        &json!({"game": "glinski", "cell": "f6", "piece": "N"}),
    );
    assert_eq!(imagined["paths"].as_array().unwrap().len(), 12);
    assert_eq!(imagined["moves"], json!([]));
    // A rook between its king and an enemy rook may go along that line only.
    let pieces = json!({"f1": "K", "f4": "R", "f9": "r", "a6": "k"});
    let fen = board.good("setup", &json!({"game": "glinski", "pieces": pieces}))["fen"].clone();
    let pinned = board.good(
        "reach",
        &json!({"game": "glinski", "fen": fen, "cell": "f4"}),
    );
    assert_eq!(pinned["pinned"], true);
    let along = pinned["moves"].as_array().unwrap().iter();
    assert_eq!(
        along
            .filter(|mv| mv["to"].as_str().unwrap().starts_with('f'))
            .count(),
        7
    );
    assert_eq!(pinned["moves"].as_array().unwrap().len(), 7);
    board.bad(
        "reach",
        &json!({"game": "glinski", "cell": "f6"}),
        400,
        "cell",
    );
    board.bad(
        "reach",
        &json!({"game": "glinski", "cell": "z9"}),
        400,
        "cell",
    );
    board.bad(
        "reach",
        &json!({"game": "glinski", "cell": "f6", "piece": "Z"}),
        400,
        "field",
    );
    board.bad("reach", &json!({"game": "glinski"}), 400, "field");
}

#[test]
fn evaluations() {
    let board = Board::start(&[]);
    let explained = board.good("explain", &json!({"game": "glinski", "moves": ["e4e5"]}));
    let sums: i64 = explained["terms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|term| term["sum"].as_i64().unwrap())
        .sum();
    assert_eq!(explained["score"], sums);
    board.bad(
        "explain",
        &json!({"game": "glinski", "moves": ["xx"]}),
        400,
        "move",
    );
}

#[test]
fn a_match_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("match.journal");
    let path = journal.to_str().unwrap();
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_hexmate"))
        .args([
            "match",
            "-variant",
            "minihexchess",
            "-engine",
            "cmd=internal",
            "name=one",
            "-engine",
            "cmd=internal",
            "name=two",
            "-each",
            "nodes=50",
            "-rounds",
            "2",
            "-games",
            "2",
            "-journal",
        ])
        .arg(path)
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let board = Board::start(&["--match", path]);
    assert_eq!(board.good("hello", &json!({}))["match"], true);
    let found = board.good("match", &json!({"after": 1}));
    assert_eq!(
        (&found["total"], &found["game"]),
        (&json!(4), &json!("minihexchess"))
    );
    assert_eq!(found["games"].as_array().unwrap().len(), 3);
    let standings = found["standings"].as_array().unwrap();
    let points: f64 = standings
        .iter()
        .map(|row| row["points"].as_f64().unwrap())
        .sum();
    assert_eq!((standings.len(), points), (2, 4.0));
    let game = &found["games"][0];
    let played = board.good(
        "position",
        &json!({"game": "minihexchess", "fen": game["fen"], "moves": game["moves"]}),
    );
    assert_eq!(played["fen"], game["final_fen"]);
    // A line that is being written is left out; a new game is seen.
    let mut text = std::fs::read_to_string(&journal).unwrap();
    let last = text.trim_end().rsplit('\n').next().unwrap().to_owned();
    text.truncate(text.len() - last.len() - 1);
    std::fs::write(&journal, text.clone() + &last[..last.len() / 2]).unwrap();
    assert_eq!(board.good("match", &json!({}))["total"], 3);
    let text = text + &last + "\n";
    std::fs::write(&journal, &text).unwrap();
    assert_eq!(board.good("match", &json!({}))["total"], 4);
    // Games come as they ended, whenever they began: none of those that were told before moves.
    let numbers = |after: usize| {
        let found = board.good("match", &json!({"after": after}));
        let games = found["games"].as_array().unwrap().iter();
        games.map(|game| game["number"].clone()).collect::<Vec<_>>()
    };
    let lines: Vec<&str> = text.lines().collect();
    let first = [lines[0], lines[2], lines[4], lines[3], ""].join("\n");
    std::fs::write(&journal, &first).unwrap();
    assert_eq!(numbers(0), [2, 4, 3].map(|n: u32| json!(n)));
    std::fs::write(&journal, first + lines[1] + "\n").unwrap();
    assert_eq!(numbers(3), [json!(1)]);
    Board::start(&[]).bad("match", &json!({}), 404, "match");
    board.bad("match", &json!({"after": -1}), 400, "field");
}

#[test]
fn the_standings_of_a_match_are_those_that_it_prints() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (openings, path) = (place("three.epd"), place("match.journal"));
    let three = "1/3/5/4k2/9/5K5/2P8/11/11/11/11 w - - 0 1\n1/3/5/7/3k5/11/11/3K7/3P7/11/11 w - - 0 1\n\
                 1/3/5/7/9/11/1k9/4K6/11/1P9/11 w - - 0 1\n";
    std::fs::write(&openings, three).unwrap();
    // Each opening three times, of which the first time counts. Without a network: a better one need not win so unevenly
    // that there is something to tell.
    let words = "match -variant glinski -engine cmd=internal name=one nodes=400 \
                 -engine cmd=internal name=two nodes=60 \
                 -each option.EvalFile=handmade -rounds 9 -maxmoves 30 -srand 3";
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_hexmate"))
        .args(words.split_whitespace())
        .args(["-openings", &format!("file={openings}"), "format=epd"])
        .args(["-journal", &path])
        .output()
        .unwrap();
    let printed = String::from_utf8(out.stdout).unwrap();
    let line = |begin: &str| {
        let mut lines = printed.lines().rev();
        lines.find(|line| line.starts_with(begin)).unwrap()
    };
    let board = Board::start(&["--match", &path]);
    let found = board.good("match", &json!({}));
    let row = &found["standings"][0];
    let [elo, error] = ["elo", "error"].map(|name| row[name].as_f64().unwrap());
    assert!(line("Elo: ").starts_with(&format!("Elo: {elo:.2} +/- {error:.2}, ")));
    let counts = ["games", "wins", "losses", "draws", "points"];
    let [games, wins, losses, draws, points] = counts.map(|name| &row[name]);
    let score = format!(
        "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points} "
    );
    assert!(line("Games: ").starts_with(&score), "{score}\n{printed}");
    assert_eq!(found["notes"], json!([line("Left out of all but")]));
    // A game without the other one of its pair waits for that.
    let text = std::fs::read_to_string(&path).unwrap();
    let kept: Vec<&str> = text.lines().take(4).collect();
    std::fs::write(&path, kept.join("\n") + "\n").unwrap();
    let found = board.good("match", &json!({}));
    let games = found["standings"].as_array().unwrap().iter();
    let games: Vec<&Value> = games.map(|row| &row["games"]).collect();
    assert_eq!((&found["total"], games), (&json!(3), vec![&json!(2); 2]));
    let waits = found["notes"][0].as_str().unwrap();
    assert!(waits.contains("1 finished game waits"), "{waits}");
}

#[test]
fn a_match_is_watched_while_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("match.journal");
    let path = journal.to_str().unwrap();
    let words = "match -variant mccooey -engine cmd=internal name=one -engine cmd=internal name=two \
                 -each st=0.1 timemargin=600000 -rounds 500 -concurrency 2 -journal";
    let mut played = std::process::Command::new(env!("CARGO_BIN_EXE_hexmate"))
        .args(words.split_whitespace())
        .arg(path)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let wait = |is_so: &dyn Fn() -> bool| {
        (0..6000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            is_so()
        })
    };
    assert!(wait(&|| journal.exists()));
    let board = Board::start(&["--match", path]);
    let plies = |found: &Value| found["running"][0]["moves"].as_array().map_or(0, Vec::len);
    let ask = || board.good("match", &json!({}));
    assert!(wait(&|| ask()["running"].as_array().unwrap().len() == 2));
    let (number, before) = (ask()["running"][0]["number"].clone(), plies(&ask()));
    assert!(wait(
        &|| plies(&ask()) > before || ask()["running"][0]["number"] != number
    ));
    let found = ask();
    assert_eq!(found["going_on"], true);
    for game in found["running"].as_array().unwrap() {
        let fields = json!({"game": "mccooey", "fen": game["fen"], "moves": game["moves"]});
        let position = board.good("position", &fields);
        assert_eq!(position["fen"], game["position"]["fen"]);
        assert_eq!(position["pieces"], game["position"]["pieces"]);
        // A game may just have begun.
        let last = position["played"].as_array().unwrap().last();
        assert_eq!(last.unwrap_or(&Value::Null), &game["last"]);
        assert_eq!(game["clocks"], json!({"w": null, "b": null}));
    }
    // What a killed match leaves behind is not shown.
    played.kill().unwrap();
    played.wait().unwrap();
    let found = ask();
    assert_eq!(
        (&found["going_on"], &found["running"]),
        (&json!(false), &json!([]))
    );
}

/// The board and the pages of the games say the same, in pawns of the game.
#[test]
fn what_pieces_are_worth() {
    let board = Board::start(&[]);
    for name in GAMES {
        let page = format!("{}/../docs/games/{name}.md", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(page).unwrap();
        let game = board.good("game", &json!({"game": name}));
        let kinds = game["kinds"].as_array().unwrap();
        assert_eq!(kinds[0]["worth"], json!(1.0), "{name}");
        for kind in kinds.iter().filter(|kind| kind["worth"] != json!(0.0)) {
            let (letter, worth) = (kind["letter"].as_str(), kind["worth"].as_f64());
            let mut rows = page.lines().map(|line| line.split('|').map(str::trim));
            let row = rows.find_map(|mut row| {
                row.nth(1)
                    .filter(|first| Some(*first) == letter)
                    .and(row.nth(2))
            });
            assert_eq!(
                row.and_then(|text| text.parse().ok()),
                worth,
                "{name}: {kind}"
            );
        }
    }
}
