//! Games in files, wherever a game is named.

use std::fs;

use serde_json::Value;

use crate::run::{GLINSKI, TempFile, hexmate, hexmate_reading, root};

fn nightriders() -> String {
    let path = root().join("examples/games/nightriders.toml");
    path.to_str().unwrap().to_owned()
}

#[test]
fn every_game_that_ships_is_proven() {
    let folder = root().join("movegen/games");
    let mut files: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .collect();
    files.push(nightriders());
    assert_eq!(files.len(), 10);
    let mut arguments = vec!["games", "check", "--quiet", "--max-nodes", "100000"];
    arguments.extend(["--random", "2", "--plies", "40"]);
    arguments.extend(files.iter().map(String::as_str));
    assert_eq!(hexmate(&arguments).success(), "");
}

#[test]
fn a_check_shows_the_board_and_the_pieces() {
    let path = nightriders();
    let text = hexmate(&["games", "check", &path, "--random", "1"]).success();
    for part in [
        "Nightriders on 61 cells (nightriders), 61 cells, 5 kinds of piece",
        "colours:",
        "start:",
        "H nightrider on e5 reaches 12 cells:",
        "P pawn on e5 steps to + and captures on *:",
        "1 random games agree with a plain walk over the rules.",
    ] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
}

/// Of a game that is in the program it is not said that it could be.
#[test]
fn whether_a_game_is_compiled() {
    let check = |game: &str| {
        let words = [
            "games",
            "check",
            "--random",
            "1",
            "--max-nodes",
            "100",
            game,
        ];
        hexmate(&words).success()
    };
    assert!(check("glinski").contains("\nIt is compiled into the program.\n"));
    // A copy is the same game, also without the leaf counts.
    let text = fs::read_to_string(root().join("movegen/games/glinski.toml")).unwrap();
    let (game, _) = text.split_once("[proof]").unwrap();
    for text in [&text, game] {
        let copy = TempFile::new("copy.toml", text);
        assert!(check(&copy.text()).contains("\nIt is compiled into the program.\n"));
    }
    let file = check(&nightriders());
    let said = file.lines().last().unwrap();
    assert!(
        said.starts_with("It could be") || said.starts_with("It cannot be"),
        "{said}"
    );
}

#[test]
fn a_wrong_count_fails_and_a_wrong_file_is_refused() {
    let text = fs::read_to_string(nightriders()).unwrap();
    let wrong = TempFile::new("wrong.toml", format!("{text}\n[proof]\nperft = [1]\n"));
    let path = wrong.path();
    let run = hexmate(&["games", "check", "--quiet", path.to_str().unwrap()]);
    assert_eq!(run.code, 1);
    assert!(
        run.err
            .contains("[proof] says 1 leaves at depth 1, but there are "),
        "{run:?}"
    );

    let broken = TempFile::new("broken.toml", text.replace("hexagon = 5", "hexagon = 50"));
    let path = broken.path();
    let path = path.to_str().unwrap();
    for arguments in [
        &["games", "check", path][..],
        &["games", path],
        &["perft", path, "2"],
        &[
            "match",
            "-variant",
            path,
            "-engine",
            "cmd=internal",
            "-engine",
            "cmd=internal",
        ],
    ] {
        let error = hexmate(arguments).refused();
        assert!(
            error.contains("broken.toml") && error.contains("hexagon"),
            "{error}"
        );
        assert!(error.contains("line "), "{error}");
    }
    let error = hexmate(&["perft", "nowhere.toml", "2"]).refused();
    assert!(error.contains("nowhere.toml"), "{error}");
}

#[test]
fn a_file_stands_for_a_game() {
    let path = nightriders();
    let perft = hexmate(&["perft", &path, "2"]).success();
    assert!(perft.contains("nightriders depth 2 nodes 743"), "{perft}");
    let moves = hexmate(&["moves", &path]).success();
    assert_eq!(moves.split_whitespace().count(), 30, "{moves}");
    let svg = hexmate(&["show", &path, "--svg", "-"]).success();
    assert!(svg.contains("nightrider"), "{svg}");
    let shown = hexmate(&["show", &path]).success();
    let fen = shown.lines().last().unwrap();
    let found = hexmate(&[
        "analyse", "--game", &path, "--fen", fen, "--nodes", "300", "--format", "jsonl",
    ]);
    let answer = &found.answers()[0];
    assert_eq!(answer["game"], "nightriders");
    assert_eq!(answer["status"], "ok");
    let words = hexmate(&[
        "analyse", "--game", &path, "--fen", fen, "--nodes", "300", "--format", "text",
    ]);
    assert!(words.out.contains("Best is 1. "), "{words:?}");
}

/// Records name files, names of shipped games, and the game of the command line by its own name.
#[test]
fn records_name_files() {
    let path = nightriders();
    let lines = format!(
        "{{\"game\":\"{path}\",\"moves\":\"\"}}\n{{\"game\":\"shafran\",\"moves\":\"e2e5\"}}\n\
         {{\"game\":\"nowhere.toml\",\"moves\":\"\"}}\n{{\"fen\":\"{GLINSKI}\"}}\n"
    );
    let run = hexmate_reading(&["analyse", "-", "--nodes", "50", "--quiet"], lines);
    assert_eq!(run.code, 1, "{run:?}");
    let found = run.answers();
    let of = |key: &str| found.iter().map(|a| a[key].clone()).collect::<Vec<Value>>();
    assert_eq!(of("status"), ["ok", "ok", "error", "ok"]);
    assert_eq!(of("game")[0], "nightriders");
    assert_eq!(of("game")[1], "shafran");
    assert_eq!(of("game")[3], "glinski");
    let arguments = ["analyse", "-", "--game", &path, "--nodes", "200", "--quiet"];
    let run = hexmate_reading(&arguments, "{\"game\":\"nightriders\",\"moves\":\"\"}\n");
    assert_eq!(run.answers()[0]["status"], "ok");
}

/// What helps where a record names a game that is not known.
const GIVE_IT: &str = "; if the game is from a file, give the file as well (--game FILE.toml)";

/// The games of a match have a number in "game" and their rules in "variant".
#[test]
fn records_of_unknown_games_are_refused_by_the_key_that_names_it() {
    for (record, key) in [
        (
            "{\"game\":7,\"variant\":\"nowhere\",\"moves\":\"\"}\n",
            "variant",
        ),
        ("{\"game\":\"nowhere\",\"moves\":\"\"}\n", "game"),
    ] {
        let run = hexmate_reading(&["analyse", "-", "--nodes", "50", "--quiet"], record);
        let error = run.answers()[0]["error"].to_string();
        let told = format!("\\\"{key}\\\": unknown game 'nowhere'; ");
        assert!(error.contains(&told) && error.contains(GIVE_IT), "{error}");
        let run = hexmate_reading(&["review", "-", "--nodes", "50"], record);
        let told = format!("\"{key}\": unknown game 'nowhere'; ");
        assert!(
            run.err.contains(&told) && run.err.contains(GIVE_IT),
            "{}",
            run.err
        );
    }
}

/// A title of any length keeps to the picture; what the picture is called has all of it.
#[test]
fn a_long_title_is_shortened_in_the_picture() {
    let title = "A long title ".repeat(10);
    let text = format!("format = 1\nbase = \"glinski\"\nname = \"long\"\ntitle = \"{title}\"\n");
    let file = TempFile::new("long.toml", text);
    let picture = hexmate(&["show", &file.text(), "--svg", "-"]).success();
    let shown = picture.split("font-weight=\"bold\">").nth(1).unwrap();
    let shown = shown.split('<').next().unwrap();
    assert!(
        shown.ends_with('…') && shown.chars().count() <= 52,
        "{shown}"
    );
    assert!(picture.contains(&format!("<title>{title}:")), "{picture}");
}

/// As analyse reads them; PGN names no file.
#[test]
fn objects_that_are_converted_name_files() {
    let path = nightriders();
    let line = format!("{{\"game\":\"{path}\",\"moves\":\"\",\"white\":\"a\"}}\n");
    let pgn = hexmate_reading(&["convert"], &line).success();
    assert!(pgn.contains("[Variant \"nightriders\"]"), "{pgn}");
    let lines = format!("{{\"variant\":\"nowhere\",\"game\":7,\"moves\":\"\"}}\n{line}");
    let run = hexmate_reading(&["convert", "--to", "jsonl"], &lines);
    assert_eq!((run.code, run.answers().len()), (1, 1), "{run:?}");
    assert_eq!(run.answers()[0]["game"], "nightriders");
    let told = "line 1: \"variant\": unknown game 'nowhere'; ";
    assert!(
        run.err.contains(told) && run.err.contains(GIVE_IT),
        "{}",
        run.err
    );
    let run = hexmate_reading(&["convert"], "{\"fen\":\"x\",\"game\":\"nowhere\"}\n");
    assert!(run.err.contains(GIVE_IT), "{}", run.err);
    // A name that only the option knows, of games and of positions.
    let own = "{\"game\":\"nightriders\",\"moves\":\"\"}\n";
    let again = hexmate_reading(&["convert", "--game", &path], own).success();
    assert!(again.contains("[Variant \"nightriders\"]"), "{again}");
    let shown = hexmate(&["show", &path]).success();
    let own = format!(
        "{{\"fen\":\"{}\",\"game\":\"nightriders\"}}\n",
        shown.lines().last().unwrap()
    );
    let again = hexmate_reading(&["convert", "--game", &path], &own).success();
    assert_eq!(again, own);
    let tagged = format!("[Variant \"{path}\"]\n\n*\n");
    let run = hexmate_reading(&["convert"], tagged);
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{run:?}");
    assert!(run.err.contains("--game FILE.toml"), "{}", run.err);
}

#[test]
fn a_match_of_a_file_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (pgn, jsonl) = (file("games.pgn"), file("games.jsonl"));
    let path = nightriders();
    let pgnout = format!("file={pgn}");
    let lines = format!("file={jsonl}");
    let mut arguments = vec![
        "match", "-variant", &path, "-each", "nodes=60", "-rounds", "2", "-repeat",
    ];
    // The program itself, as an engine that reads game files, too.
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_hexmate"));
    arguments.extend(["-engine", "cmd=internal", "name=a"]);
    arguments.extend(["-engine", &program, "args=uci", "name=b"]);
    arguments.extend(["-pgnout", &pgnout, "-jsonl", &lines]);
    let run = hexmate(&arguments);
    assert_eq!(run.code, 0, "{run:?}");
    let replayed = hexmate(&["replay", &pgn, "--game", &path]).success();
    assert_eq!(replayed, fs::read_to_string(jsonl).unwrap());
    assert_eq!(replayed.lines().count(), 4);
}

/// A game of kings, rooks and pawns on 19 cells.
fn small(more: &str) -> String {
    format!(
        "format = 1\nname = \"small\"\ntitle = \"Small & *neat*\"\n[board]\nhexagon = 3\n\
         [pieces]\nK = {{ name = \"king\", leaps = [\"edges\"] }}\n\
         R = {{ name = \"rook *of* <b>\", slides = [\"edges\"] }}\n\
         [pawn]\nsteps = [\"e2\"]\ncaptures = [\"e1\", \"e3\"]\n{more}"
    )
}

const EVEN: &str = "[start]\nwhite = \"Kc1 Ra1\"\n";

#[test]
fn leaf_counts_that_are_not_counted_are_not_right() {
    let check = |proof: &str, most: &str| {
        let file = TempFile::new(
            "small.toml",
            small(&format!("{EVEN}[proof]\nperft = {proof}\n")),
        );
        let path = file.path();
        hexmate(&[
            "games",
            "check",
            "--random",
            "1",
            "--max-nodes",
            most,
            path.to_str().unwrap(),
        ])
    };
    let right = TempFile::new("small.toml", small(EVEN));
    let perft = |depth: &str| {
        let run = hexmate(&["perft", right.path().to_str().unwrap(), depth]).success();
        let mut words = run.split_whitespace().skip_while(|&word| word != "nodes");
        words.nth(1).unwrap().to_owned()
    };
    let [one, two, three] = ["1", "2", "3"].map(perft);
    // Depth 1 is checked whatever the file says.
    let run = check("[200000000, 7]", "1000");
    assert_eq!(run.code, 1, "{run:?}");
    let says = format!("says 200000000 leaves at depth 1, but there are {one}\n");
    assert!(run.err.contains(&says), "{run:?}");
    // Counting ends at the limit, and at the first wrong count: depth 12 would take for ever.
    let ones = format!("[{one}, {two}, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]");
    let run = check(&ones, &two);
    assert_eq!(run.code, 1, "{run:?}");
    let says = format!("says 1 leaves at depth 3, but there are more than {two}\n");
    assert!(run.err.contains(&says), "{run:?}");
    assert_eq!(run.err.matches("[proof]").count(), 1, "{run:?}");

    let all = format!("[{one}, {two}, {three}]");
    let text = check(&all, &three).success();
    assert!(
        text.contains("3 leaf counts of the file are right, and 1 random"),
        "{text}"
    );
    let text = check(&all, &two).success();
    assert!(
        text.contains(
            "2 of 3 leaf counts of the file are right (the next one exceeds --max-nodes), and 1 "
        ),
        "{text}"
    );
}

#[test]
fn a_check_of_nothing_is_refused() {
    let file = TempFile::new("small.toml", small(EVEN));
    let path = file.text();
    let run = hexmate(&["games", "check", &path, "--random", "0"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.err.contains("small.toml: nothing to check: "),
        "{run:?}"
    );
    let error = hexmate(&["games", "check", &path, "--plies", "0"]).refused();
    assert!(error.contains("--plies"), "{error}");
    let proven = TempFile::new(
        "small.toml",
        small(&format!("{EVEN}[proof]\nperft = [5]\n")),
    );
    let run = hexmate(&["games", "check", &proven.text(), "--random", "0"]);
    assert_eq!(run.code, 1, "{run:?}");
}

/// Endgame tables number cells in bytes.
#[test]
fn a_board_of_256_cells_has_no_tables() {
    let rows = vec!["\"a-p\""; 16].join(", ");
    let board = format!("rows = [{rows}]\nother_side = \"half turn\"");
    let text = small("[start]\nwhite = \"Ka1 Rb1\"\n").replace("hexagon = 3", &board);
    let file = TempFile::new("large.toml", text);
    let path = file.text();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    for words in [
        &["build", &path, "KRK"][..],
        &["build", &path, "--men", "3"],
        &["verify", &path],
        &["stats", &path, "KRK"],
        &["probe", &path, "-"],
    ] {
        let error = hexmate(&[&["tb"], words, &["--tb", place]].concat()).refused();
        assert!(
            error.contains("small has 256 cells; endgame tables are for boards of at most 255"),
            "{error}"
        );
    }
    // Where tables are only asked, there are none of it.
    let analyse = [
        "analyse", "--game", &path, "--tb", place, "--nodes", "50", "-",
    ];
    let run = hexmate_reading(&analyse, "{\"moves\": \"\"}\n");
    assert_eq!((run.code, run.answers().len()), (0, 1), "{run:?}");
}

#[test]
fn a_game_is_shown_in_words() {
    let text = hexmate(&["games", "glinski"]).success();
    for part in [
        "Slides any distance through the sides of cells (six directions).",
        "may be captured on a cell that it crossed (en passant).",
        "promotion: to QRBN, White's on a6 b7",
        "castling: no\n",
    ] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
    let text = hexmate(&["games", "shafran"]).success();
    assert!(
        text.contains("castling: The king goes") || text.contains("castling: White's ways"),
        "{text}"
    );
    let object: Value =
        serde_json::from_str(&hexmate(&["games", "glinski", "--json"]).success()).unwrap();
    assert_eq!(object["en_passant"], true);
    assert_eq!(object["castling_words"], Value::Null);
    assert_eq!(object["promotion_cells"].as_array().unwrap().len(), 11);
    let words = object["pieces"][0]["words"].as_str().unwrap();
    assert!(words.starts_with("Steps one cell forward"), "{words}");
}

/// The page of a game in a file.
fn page_of(text: &str) -> String {
    let file = TempFile::new("small.toml", text);
    let output = file.path().parent().unwrap().join("pages");
    let path = file.path();
    let words = [
        "games",
        "pages",
        path.to_str().unwrap(),
        "--output",
        output.to_str().unwrap(),
    ];
    hexmate(&words).success();
    fs::read_to_string(output.join("small.md")).unwrap()
}

#[test]
fn the_page_of_a_file_has_commands_for_the_file() {
    let page = page_of(&small(EVEN));
    for command in [
        "hexmate board --game small.toml\n",
        "hexmate analyse --game small.toml --moves \"",
        "hexmate perft small.toml 3\n",
    ] {
        assert!(page.contains(command), "no '{command}' in {page}");
    }
    // Without a move at the start.
    let rooks = "white = \"Ka1\"\nblack = \"Kc5 Rb3 Rc2\"\nuneven = true\n";
    let page = page_of(&small(&format!("[start]\n{rooks}")));
    assert!(
        !page.contains("--moves") && page.contains("--fen \""),
        "{page}"
    );
}

#[test]
fn a_page_says_what_is_so() {
    let ends = "[ends]\nno_progress = 1\n";
    let page = page_of(&small(&format!("{EVEN}{ends}")));
    for part in [
        "| each side has |",
        "alt=\"Small &amp; *neat*: the start\"",
        "# Small &amp; \\*neat\\*\n",
        "it is promoted to rook \\*of\\* &lt;b&gt;.",
        "so is one move of each side",
    ] {
        assert!(page.contains(part), "no '{part}' in {page}");
    }
    assert!(!page.contains("Sources and doubts"), "{page}");
    let doubt = "[[reading]]\nabout = \"pawns\"\ntext = \"They wait.\"\n";
    let page = page_of(&small(&format!("{EVEN}{doubt}")));
    assert!(
        page.contains("\n## Doubts\n\nWhere the rules leave something open"),
        "{page}"
    );
    let more = "[start]\nwhite = \"Kc1 Ra1\"\nblack = \"Kc5 Ra3 Re3\"\nuneven = true\n";
    let page = page_of(&small(more).replace("hexagon = 3", "hexagon = 3\ncolours = { count = 1 }"));
    for part in [
        "| White has | Black has |",
        "| R | rook \\*of\\* &lt;b&gt; | 1 | 2 |",
        " All cells have the same colour.",
    ] {
        assert!(page.contains(part), "no '{part}' in {page}");
    }
}

#[test]
fn eight_colours_have_eight_names_and_tones() {
    let bound = small(EVEN)
        .replace(
            "hexagon = 3",
            "hexagon = 5\nother_side = \"half turn\"\ncolours = { count = 8, factor = 0 }",
        )
        .replace("Kc1 Ra1", "Ke1 Ra1")
        .replace(
            "[pawn]",
            "B = { name = \"bound\", slides = [\"e2\", \"-e2\"], on = [1, 2, 5, 8] }\n[pawn]",
        );
    let page = page_of(&bound);
    assert!(
        page.contains("Stands only on yellow, green, blue and brown cells."),
        "{page}"
    );
    let file = TempFile::new("small.toml", bound);
    let path = file.path();
    let svg = hexmate(&["show", path.to_str().unwrap(), "--svg", "-"]).success();
    let cells = svg.split("class=\"cells\" fill=\"").skip(1);
    let mut tones: Vec<&str> = cells.map(|part| &part[..7]).collect();
    tones.sort_unstable();
    tones.dedup();
    assert_eq!(tones.len(), 8, "{tones:?}");
}

/// Two games may have one name, and so one folder of tables.
#[test]
fn tables_of_another_game_of_the_same_name_are_kept() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (game, folder) = (path("vinegar.toml"), path("tables"));
    let text = "format = 1\nbase = 'minihexchess'\nname = 'vinegar'\ntitle = 'Vinegar'\n";
    let build = ["tb", "build", &game, "KRK", "--tb", &folder];
    fs::write(&game, text).unwrap();
    hexmate(&build).success();
    let table = path("tables/vinegar/KRK.hxtb");
    let before = fs::read(&table).unwrap();
    fs::write(&game, format!("{text}[ends]\nstalemate = \"3/4-1/4\"\n")).unwrap();
    let error = hexmate(&build).refused();
    let says = "KRK.hxtb: built for other rules of vinegar, so it is not replaced: move it away";
    assert!(error.contains(says), "{error}");
    assert!(fs::read(&table).unwrap() == before);
    fs::remove_file(table).unwrap();
    hexmate(&build).success();
}

#[test]
fn a_file_of_another_ending_is_no_game() {
    let file = TempFile::new("small.txt", small(EVEN));
    let path = file.path();
    let error = hexmate(&["perft", path.to_str().unwrap(), "1"]).refused();
    assert!(
        error.contains("the names of files of games end with .toml"),
        "{error}"
    );
}
