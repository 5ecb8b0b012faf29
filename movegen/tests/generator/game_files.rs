//! Games from the text of a file: those that ship, what is inherited, what is refused and why.

use GameFault::{BadValue, Contradiction, Limit, MissingKey, Syntax, UnknownKey, WrongType};
use hexmate_movegen::spec::{GameSpec, Path};
use hexmate_movegen::{
    GAME_TEXTS, GameFault, GameId, GameTextErrors, SHIPPED_GAMES, compile_limits, read_game,
};

const NIGHTRIDERS: &str = include_str!("../../../examples/games/nightriders.toml");

/// The text of a game that ships.
fn text(name: &str) -> &'static str {
    let found = GAME_TEXTS.iter().find(|t| t.0 == name);
    found.unwrap_or_else(|| panic!("no game {name}")).1
}

/// A text with one change. What is replaced must occur.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "'{from}' is not in the text");
    text.replacen(from, to, 1)
}

fn errors(text: &str) -> GameTextErrors {
    match read_game(text, GAME_TEXTS) {
        Ok(spec) => panic!("{} was read from\n{text}", spec.name),
        Err(errors) => errors,
    }
}

#[test]
fn the_constants_are_what_the_files_say() {
    assert_eq!(SHIPPED_GAMES.len(), GAME_TEXTS.len());
    for (shipped, (name, text)) in SHIPPED_GAMES.iter().zip(GAME_TEXTS) {
        let read = read_game(text, GAME_TEXTS).unwrap_or_else(|e| panic!("{name}:\n{e}"));
        assert_eq!(shipped.name, *name);
        // Every field derives `Debug`.
        assert_eq!(format!("{read:#?}"), format!("{shipped:#?}"));
    }
    for game in GameId::ALL {
        assert!(
            SHIPPED_GAMES.iter().any(|s| s.name == game.name()),
            "{game}"
        );
        assert_eq!(compile_limits(game.spec()), [""; 0], "{game}");
    }
}

#[test]
fn the_four_games_are_what_their_pages_say() {
    let game = |name: &str| SHIPPED_GAMES.iter().find(|s| s.name == name).unwrap();
    let starts = [
        (
            "shafran",
            "kqbnr/bppppp/np5/bp6/rp6P/p6PR/6PB/5PN/PPPPPB/RNBQK w a1,a6,i10,i5 - 0 1",
        ),
        (
            "devasa",
            "rnbkbqbnr/9/ppppppppp/9/9/9/PPPPPPPPP/9/RNBQBKBNR w a1,a9,i1,i9 - 0 1",
        ),
        (
            "brusky",
            "rnbkbqbnr/pppppppppp/11/12/12/11/PPPPPPPPPP/RNBQBKBNR w a1,d8,i1,l8 - 0 1",
        ),
        ("minihexchess", "b/rkn/ppppp/7/3P3/2PKP2/1PNBRP1 w - - 0 1"),
    ];
    for (name, start) in starts {
        assert_eq!(game(name).start, start);
        assert_eq!(game(name).stalemate_quarters, 2, "{name}");
        assert_eq!(compile_limits(game(name)), [""; 0], "{name}");
    }
    // What Brusky's game has from De Vasa's, and what it has not.
    let brusky = game("brusky");
    assert_eq!(brusky.pawn.steps, game("devasa").pawn.steps);
    assert!(brusky.pawn.blocked_by_enemy && !game("devasa").pawn.blocked_by_enemy);
    assert_eq!(brusky.pieces.len(), 6);
    assert_eq!(game("minihexchess").pieces.len(), 5);
}

#[test]
fn a_game_of_ones_own() {
    let game = read_game(NIGHTRIDERS, GAME_TEXTS).unwrap();
    let start = "k/rcr/h3h/3p3/1ppp1ppp1/4P4/3P1P3/2P1C1P2/1PHRKRHP1 w - - 0 1";
    assert_eq!(game.start, start);
    assert_eq!(game.stalemate_quarters, 1);
    assert!(
        game.readings[0]
            .text
            .starts_with("Black's pawns have the double step")
    );
    // The crab has two ways to a cell.
    let limits = compile_limits(&game);
    assert!(limits[0].contains("'C'"), "{limits:?}");
}

/// The examples of the documentation: blocks of TOML, of which one that begins with the format begins a file.
#[test]
fn the_documented_examples_are_games() {
    let page = include_str!("../../../docs/game-files.md");
    let blocks = page.split("```toml\n").skip(1);
    let blocks = blocks.map(|b| b.split("```").next().unwrap());
    let mut files: Vec<String> = Vec::new();
    let mut pieces = String::new();
    for block in blocks {
        match files.last_mut() {
            _ if block.starts_with("format") => files.push(block.to_owned()),
            // Pieces by themselves.
            _ if block.starts_with('#') => pieces += block,
            Some(file) => *file += block,
            None => panic!("{block}"),
        }
    }
    files.push(format!(
        "format = 1\nbase = \"mccooey\"\nname = \"more\"\ntitle = \"More\"\n[board]\nother_side = \"half turn\"\n[pieces]\n{pieces}\
         [start]\nwhite = \"Kf1 Ce1 Sg1\""
    ));
    let games = files.iter().map(|file| {
        let game = read_game(file, GAME_TEXTS);
        game.unwrap_or_else(|e| panic!("{e}\n{file}"))
    });
    let games: Vec<_> = games.collect();
    let names: Vec<&str> = games.iter().map(|g| g.name).collect();
    assert_eq!(names, ["riders", "tamer", "more"]);
    let letters = |place: usize| -> String {
        let pieces = games[place].pieces.iter();
        pieces.map(|p| char::from(p.letter)).collect()
    };
    assert_eq!(
        ["PKQRBDH", "PKRBN", "PKQRBNCS"],
        [0, 1, 2].map(letters).each_ref().map(String::as_str)
    );
    assert_eq!(games[0].stalemate_quarters, 1);
}

#[test]
fn what_is_not_said_is_inherited() {
    let head = "format = 1\nbase = \"glinski\"\nname = \"mine\"\ntitle = \"Mine\"\n";
    let read = |rest: &str| {
        read_game(&format!("{head}{rest}"), GAME_TEXTS).unwrap_or_else(|e| panic!("{rest}\n{e}"))
    };
    let letters =
        |spec: &GameSpec| -> String { spec.pieces.iter().map(|p| char::from(p.letter)).collect() };
    let glinski = GameId::Glinski.spec();
    let mine = read("");
    assert_eq!(mine.start, glinski.start);
    // What belongs to one game alone is not.
    assert_eq!(
        (mine.source, mine.readings.len(), mine.proof.len()),
        ("", 0, 0)
    );
    // A piece is replaced as a whole, and keeps its place; a new one comes last.
    let mine = read(
        "[pieces]\nN = { name = \"rider\", slides = [\"knight\"] }\nC = { name = \"crab\", leaps = [\"e2\", \"-e2\"] }",
    );
    assert_eq!(letters(&mine), "PKQRBNC");
    assert!(mine.pieces[5].paths.iter().all(Path::is_straight));
    // One is left out.
    let mine = read(
        "[pieces]\nQ = false\n[start]\nplacement = \"b/1bk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRN1BKNRP1\"",
    );
    assert_eq!(letters(&mine), "PKRBN");
    // Other values are replaced as a whole, other keys stay.
    let mine = read("[pawn]\ncaptures = [\"v1\", \"v2\"]\nfirst = []\n[ends]\nno_progress = 100");
    assert_eq!(mine.pawn.captures, [(1, 2), (-1, 1)]);
    assert_eq!(mine.pawn.steps, glinski.pawn.steps);
    assert!(mine.pawn.first.is_empty() && mine.pawn.en_passant);
    assert_eq!((mine.no_progress_plies, mine.stalemate_quarters), (200, 1));
    // From a base of a base, and a table left out.
    let text = changed(text("chromatic4"), "[castling]", "[castling_]");
    let text = &text[..text.find("[castling_]").unwrap()];
    let mine = read_game(&format!("castling = false\n{text}"), GAME_TEXTS);
    let faults = mine.unwrap_err();
    assert_eq!(faults.faults()[0].key, "start.placement");
    assert_eq!(faults.faults()[0].base.as_deref(), Some("chromatic3"));
}

#[test]
fn what_cannot_be_compiled_has_a_reason() {
    let head = "format = 1\nbase = \"glinski\"\nname = \"mine\"\ntitle = \"Mine\"\n";
    let large = "[pawn]\nfirst = []\n[start]\nwhite = \"Kb1\"\n";
    let cases = [
        (
            "[pieces]\nN = { name = \"skipper\", slides = [\"e2\", \"-e2\", \"(0, 2)\", \"(0, -2)\"] }".to_owned(),
            "two paths of 'N' from a1 share the cell a3",
        ),
        (
            format!("{large}[pieces]\nR = false\nB = false\n[board]\nhexagon = 9\nfiles = \"abcdefghijklmnopq\""),
            "have 72 cells from some cell; 64 fit",
        ),
        (
            format!(
                "{large}[board]\nrows = [{}]\nfiles = \"abcdefghijklmnop\"\nnumbers = \"rows\"\nother_side = \"half turn\"",
                "\"a-p\", ".repeat(16)
            ),
            "more than 255 cells",
        ),
        // A triangle, whose rows all differ in length.
        (
            format!(
                "{large}[board]\nrows = [{}]\nfiles = \"abcdefghijklmnopqrstu\"\nnumbers = \"files\"",
                ('a'..='u').map(|last| format!("\"a-{last}\"")).collect::<Vec<_>>().join(", ")
            ),
            "the pawn's step e2 needs 20 shifts; 16 are possible",
        ),
    ];
    for (text, reason) in cases {
        let game = read_game(&format!("{head}{text}"), GAME_TEXTS);
        let limits = compile_limits(&game.unwrap_or_else(|e| panic!("{text}\n{e}")));
        assert!(limits.iter().any(|l| l.contains(reason)), "{limits:?}");
    }
}

/// The line on which a word first stands.
fn line_of(text: &str, word: &str) -> usize {
    1 + text.lines().position(|l| l.contains(word)).unwrap()
}

/// The game, what is changed in it, a word on the line where the fault is found, its sort and key, and what is said of it.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    GameFault,
    &'static str,
    &'static str,
);

#[rustfmt::skip] // a line each
const CASES: &[Case] = &[
    ("glinski", "[board]", "[board", "[board", Syntax, "", "not TOML"),
    ("glinski", "format = 1", "format = 2", "format", BadValue, "format", "'format = 1' only"),
    ("glinski", "steps =", "step =", "step =", UnknownKey, "pawn.step", "did you mean 'steps'?"),
    ("glinski", "steps =", "stops =", "[pawn]", MissingKey, "pawn.steps", "is missing"),
    ("glinski", "\"glinski\"", "7", "name", WrongType, "name", "expected a text in quotes, found a whole number"),
    ("glinski", "\"glinski\"", "\"My game\"", "name", BadValue, "name", "expected a letter of a to z"),
    ("glinski", "title = \"", "title = \"\\u202E", "title", BadValue, "title", "direction of writing"),
    ("glinski", "source = \"", "source = \"\\u2028", "source", BadValue, "source", "on one line"),
    ("glinski", "name = \"knight\"", "name = \"\\u2066knight\"", "N =", BadValue, "pieces.N.name", "direction of writing"),
    ("hexachess", "base = \"glinski\"", "base = \"glinsky\"", "base", BadValue, "base", "did you mean 'glinski'?"),
    ("glinski", "hexagon = 6", "hexagon = 6\ntitle2 = 'x'", "title2", UnknownKey, "board.title2", "the keys here are hexagon, rows"),
    ("glinski", "[ends]", "[ends]\ntitle = 'X'", "title = 'X'", UnknownKey, "ends.title", "`title` belongs before the first table; move it to the top"),
    ("brusky", "[pawn]", "[pieces]\ncastling = false\n[pawn]", "castling", UnknownKey, "pieces.castling", "`castling` belongs before the first table"),
    ("glinski", "[[reading]]", "[[reading]]\nbase = 'glinski'", "base", UnknownKey, "reading[0].base", "`base` belongs before the first table"),
    ("glinski", "hexagon = 6", "hexagon = 12", "hexagon", Limit, "board.hexagon", "from 2 to 9"),
    ("glinski", "hexagon = 6", "hexagon = 6\nrows = [\"a-b\"]", "rows", BadValue, "board.rows", "one of the two keys"),
    ("glinski", "abcdefghikl", "abcdefghik", "files =", BadValue, "board.files", "10 letters, but the board has 11 files"),
    ("shafran", "\"a1-e1\"", "\"a2-e2\"", "a2-e2", BadValue, "board.rows[0]", "write its first and last cell, like 'a1-i1'"),
    ("shafran", "\"a1-e1\"", "\"b1-e1\"", "other_side", Contradiction, "board.other_side", "leads off the board"),
    ("devasa", "half turn", "reflection", "other_side", Contradiction, "board.other_side", "does not lead back"),
    ("shafran", "half turn", "reflection", "[start]", Contradiction, "start", "see b1 and its counterpart b7"),
    ("chromatic4", "count = 4", "count = 9", "count", Limit, "board.colours.count", "from 1 to 8"),
    ("chromatic4", ", exchanges = [\"SV\", \"UX\", \"DF\"]", "", "pieces.S", Contradiction, "pieces.S", "a1 is o15 for Black's side"),
    ("chromatic4", "\"DF\"", "\"DS\"", "other_side", BadValue, "board.other_side.exchanges[2]", "no pair of letters"),
    ("glinski", "Q = {", "k = {", "k = {", UnknownKey, "pieces.k", "one of A to Z"),
    ("glinski", "\"knight\"]", "\"night\"]", "night", BadValue, "pieces.N.leaps[0]", "'night' is no direction"),
    ("glinski", "[\"knight\"]", "[\"knight\", \"(3, 1)\"]", "knight", BadValue, "pieces.N.leaps[1]", "given twice"),
    ("glinski", "[\"knight\"]", "[\"e1\", \"e2\"]", "N =", Contradiction, "pieces.N", "but not back the same way"),
    ("glinski", "slides = [\"edges\"]", "slides = [\"e1\"]", "R =", Contradiction, "pieces.R", "but not back along -e1"),
    ("glinski", "slides = [\"edges\"]", "paths = [\"e2 v1\"]", "R =", Contradiction, "pieces.R", "not back the same way"),
    ("glinski", "slides = [\"edges\"]", "paths = [\"e1 e3 -e2\"]", "R =", Contradiction, "pieces.R", "comes to a cell twice"),
    ("glinski", "leaps = [\"knight\"]", "slides = [\"edges\"], leaps = [\"(0, 2)\", \"(0, -2)\"]", "N =", Limit, "pieces.N", "found twice"),
    ("glinski", "leaps = [\"all\"]", "slides = [\"all\"]", "K =", Contradiction, "pieces.K", "the king only leaps"),
    ("glinski", "K = {", "M = {", "[pieces]", Contradiction, "pieces", "there is no king"),
    ("glinski", ", slides = [\"edges\"]", "", "R =", BadValue, "pieces.R", "cannot move"),
    ("glinski", "slides = [\"vertices\"]", "slides = [\"vertices\"], on = [4]", "B =", Limit, "pieces.B.on[0]", "from 1 to 3"),
    ("glinski", "slides = [\"edges\"]", "slides = [\"edges\"], on = [1]", "R =", Contradiction, "pieces.R", "where the piece may not stand"),
    ("glinski", "steps = [\"e2\"]", "steps = [\"e2\"]\nletter = \"Q\"", "letter", Contradiction, "pawn.letter", "another letter"),
    ("hexachess", "[pawn]", "[pieces]\nP = { name = \"prince\", leaps = [\"edges\"] }\n[pawn]", "P =", Contradiction, "pieces.P", "'P' is the pawn's letter as well"),
    ("hexachess", "[pawn]\ncaptures = [\"v1\", \"v2\"]", "[pieces]\nP = { name = \"prince\", leaps = [\"edges\"] }", "P =", Contradiction, "pieces.P", "'P' is the pawn's letter as well"),
    ("glinski", "steps = [\"e2\"]", "steps = [\"e1\"]", "steps =", Contradiction, "pawn.steps", "sides differ: Black's pawns go the exact opposite ways, -e1, but the map to Black's side turns these directions into -e3; add e3, or choose another"),
    ("glinski", "steps = [\"e2\"]", "steps = [\"v3\"]", "steps =", Contradiction, "pawn.steps", "into v3; choose another 'other_side'"),
    ("glinski", "captures = [\"e1\", \"e3\"]", "captures = [\"e1\", \"v1\"]", "captures =", Contradiction, "pawn.captures", "add e3, v2, or choose"),
    ("glinski", "steps = 2", "captures = [\"v1\"]", "captures = [\"v1\"]", Contradiction, "pawn.first[0].captures", "add v2, or choose"),
    ("glinski", ", steps = 2", "", "first =", BadValue, "pawn.first[0]", "adds nothing to the pawn's moves"),
    ("glinski", "steps = [\"e2\"]", "steps = [\"e2\", \"-e2\"]", "steps =", Contradiction, "pawn.steps", "walk for ever"),
    ("glinski", "\"e1\", \"e3\"]", "\"e1\", \"e3\", \"e2\"]", "en_passant", Contradiction, "pawn.en_passant", "nobody could tell which"),
    ("glinski", "b1 c2 d3", "b1 c2 c2", "b1 c2 c2", BadValue, "pawn.first[0].cells", "given twice"),
    ("glinski", "b1 c2 d3", "b1 c2 j3", "j3", BadValue, "pawn.first[0].cells", "'j3' is no cell"),
    ("glinski", "b1 c2 d3", "b6 c2 d3", "first =", Limit, "pawn.first[0]", "near promotion"),
    ("devasa", "en_passant = true", "en_passant = true\npromotes_on = { rows = [6] }", "first =", Limit, "pawn.first[0]", "captures it en passant would be promoted"),
    ("brusky", "captures = [\"v1\"] }]", "captures = [\"v1\"] }]\nremembers_first_move = true", "remembers", Limit, "pawn.remembers_first_move", "cannot remember"),
    ("glinski", "steps = 2", "steps = 4", "steps = 4", Limit, "pawn.first[0].steps", "from 1 to 3"),
    ("glinski", "en_passant = true", "promotes_to = \"QX\"", "promotes_to", BadValue, "pawn.promotes_to", "'X' is no piece"),
    ("glinski", "en_passant = true", "promotes_to = \"\"", "promotes_to", Contradiction, "pawn.promotes_to", "become nothing"),
    ("glinski", "en_passant = true", "promotes_on = { cells = \"f11\" }", "promotes_on", BadValue, "pawn.promotes_on", "cells are given as a text"),
    ("shafran", "a1-d1\"", "a1-d2\"", "d2", Contradiction, "castling.ways[0]", "d2 is not between"),
    ("shafran", "e1-c1 a1-d1", "e1-c1 a2-d1", "ways", Contradiction, "castling.ways[0]", "starts on a2"),
    ("shafran", "e1-b1 a1-c1", "e1-c1 a1-b1", "ways", Contradiction, "castling.ways[1]", "in two ways"),
    ("shafran", "e1-b1 a1-c1", "e1-d1 a1-c1", "ways", Contradiction, "castling.ways[1]", "ordinary move"),
    ("shafran", "e1-b1 a1-c1", "e1-b1", "ways", BadValue, "castling.ways[1]", "write where the king goes"),
    ("chromatic3", "gap = 2", "gap = 1", "gap", Limit, "castling.gap", "from 2 to"),
    ("chromatic3", "[\"e3\", \"-e3\"]", "[\"e3\", \"e1\"]", "towards", Contradiction, "castling.towards", "add -e2, or choose another 'other_side'"),
    ("chromatic3", "with = \"STU\"", "with = \"KS\"", "with", BadValue, "castling.with", "'K' is no piece"),
    ("glinski", "b/qbk/", "b/qbq/", "[start]", Contradiction, "start", "Black has 0 kings"),
    ("glinski", "b/qbk/", "b/qkb/", "[start]", Contradiction, "start", "sides differ"),
    ("glinski", "b/qbk/", "b/qbk1/", "placement", BadValue, "start.placement", "has 4 cells, but the board has 3"),
    ("glinski", "b/qbk/", "b/qbk/11/", "placement", BadValue, "start.placement", "12 rows, but the board has 11"),
    ("glinski", "b/qbk/", "b/qxk/", "placement", BadValue, "start.placement", "'x' in row 10 is no piece"),
    ("minihexchess", "Kd2 Re1", "Kd2 Rd2", "white", BadValue, "start.white", "two pieces stand on d2"),
    ("minihexchess", "Kd2 Re1", "kd2 Re1", "white", BadValue, "start.white", "'kd2': a piece has a capital letter, for Black, too; write 'Kd2'"),
    ("minihexchess", "Kd2 Re1 Bd1", "Kd2 Re1 Bd1 Bc4", "[start]", Contradiction, "start", "is in check"),
    ("glinski", "slides = [\"vertices\"]", "slides = [\"vertices\"], on = [1, 3]", "[start]", Contradiction, "start", "a cell of colour 2; it may stand only on colours 1 and 3"),
    ("minihexchess", "b1 c2", "b1 a4", "[start]", Contradiction, "start", "would be promoted"),
    ("glinski", "3/4-1/4", "1-0", "stalemate =", BadValue, "ends.stalemate", "write '1/2' or '3/4-1/4'"),
    ("glinski", "about = \"double step\"", "", "[[reading]]", MissingKey, "reading[0].about", "is missing"),
    ("glinski", "[51, ", "[51.5, ", "perft", WrongType, "proof.perft[0]", "found a number with a fraction"),
];

#[test]
fn faults_have_line_key_and_reason() {
    for &(name, from, to, at, fault, key, says) in CASES {
        let text = changed(text(name), from, to);
        let Err(errors) = read_game(&text, GAME_TEXTS) else {
            panic!("{name}, {from} -> {to}: was read");
        };
        let found = errors
            .faults()
            .iter()
            .find(|f| f.key == key && f.fault == fault);
        let Some(found) = found else {
            panic!("{name}, {from} -> {to}: no {fault:?} at '{key}' among\n{errors}");
        };
        assert!(
            found.message.contains(says),
            "{name}, {from} -> {to}: {found}"
        );
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, l)| l.contains(at)).map(|(i, _)| i + 1);
        assert!(
            lines.into_iter().any(|l| l == found.line),
            "{name}, {from} -> {to}: {found}"
        );
    }
}

/// First moves may cross promotion cells of the other side where no pawn can come to them en passant.
#[test]
fn first_moves_over_promotion_cells_that_no_pawn_captures_on() {
    for (from, to) in [
        ("en_passant = true", "promotes_on = { rows = [6] }"),
        (
            "captures = [\"v2\", \"-v3\"]",
            "captures = []\npromotes_on = { rows = [6] }",
        ),
        // All cells from which they could capture are promotion cells as well.
        (
            "captures = [\"v2\", \"-v3\"]",
            "captures = [\"e3\", \"-e3\"]\npromotes_on = { rows = [6] }",
        ),
    ] {
        let text = changed(text("devasa"), from, to);
        let read = read_game(&text, GAME_TEXTS);
        assert!(read.is_ok(), "{text}\n{}", read.unwrap_err());
    }
}

/// The king leaps along vertices, which keeps its colour; along an edge no cell but the third is of that colour.
#[test]
fn the_king_castles_to_cells_where_it_may_stand() {
    let game = |castling: &str, white: &str| {
        format!(
            "format = 1\nname = \"bound\"\ntitle = \"A king of one colour\"\n\
             [board]\nhexagon = 6\nother_side = \"half turn\"\n\
             [pieces]\nK = {{ name = \"king\", leaps = [\"vertices\"], on = [2] }}\n\
             R = {{ name = \"rook\", slides = [\"edges\"] }}\n\
             [pawn]\nsteps = [\"e2\"]\ncaptures = [\"e1\", \"e3\"]\n\
             [castling]\n{castling}\n[start]\nwhite = \"{white} b2\"\n"
        )
    };
    let towards = "towards = [\"e3\", \"-e3\"]\nwith = \"R\"";
    for (castling, key) in [
        (towards, "castling.towards"),
        ("ways = [\"f3-d3 c3-e3\"]", "castling.ways[0]"),
    ] {
        let errors = errors(&game(castling, "Kf3 Rc3"));
        let [fault] = errors.faults() else {
            panic!("{errors}");
        };
        assert_eq!((fault.fault, fault.key.as_str()), (Contradiction, key));
        let says = "'K' may not stand on d3, a cell of colour 3";
        assert!(fault.message.contains(says), "{errors}");
    }
    // Three cells away the colour is the king's.
    let game = game("ways = [\"f3-c3 b3-e3\"]", "Kf3 Rb3");
    read_game(&game, GAME_TEXTS).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn its_partner_castles_to_cells_where_it_may_stand() {
    let game = |castling: &str| {
        format!(
            "format = 1\nname = \"bound\"\ntitle = \"A partner of one colour\"\n\
             [board]\nhexagon = 6\nother_side = \"half turn\"\n\
             [pieces]\nK = {{ name = \"king\", leaps = [\"edges\"] }}\n\
             B = {{ name = \"bishop\", leaps = [\"vertices\"], on = [2] }}\n\
             R = {{ name = \"rook\", slides = [\"edges\"] }}\n\
             [pawn]\nsteps = [\"e2\"]\ncaptures = [\"e1\", \"e3\"]\n\
             [castling]\n{castling}\n[start]\nwhite = \"Kf3 Bc3 b2\"\n"
        )
    };
    for (castling, key) in [
        (
            "towards = [\"e3\", \"-e3\"]\nwith = \"B\"",
            "castling.towards",
        ),
        ("ways = [\"f3-d3 c3-e3\"]", "castling.ways[0]"),
    ] {
        let errors = errors(&game(castling));
        let [fault] = errors.faults() else {
            panic!("{errors}");
        };
        assert_eq!((fault.fault, fault.key.as_str()), (Contradiction, key));
        let says = "'B' may not stand on e3, a cell of colour 1";
        assert!(fault.message.contains(says), "{errors}");
    }
}

#[test]
fn several_faults_are_reported_at_once() {
    let spoilt = changed(text("glinski"), "hexagon = 6", "hexagon = \"six\"");
    let spoilt = changed(&spoilt, "3/4-1/4", "half");
    let spoilt = changed(&spoilt, "title =", "titel =");
    let errors = errors(&spoilt);
    let keys: Vec<&str> = errors.faults().iter().map(|f| f.key.as_str()).collect();
    assert_eq!(keys, ["title", "titel", "board.hexagon", "ends.stalemate"]);
    let first = errors.to_string().lines().nth(1).unwrap().to_owned();
    let line = line_of(&spoilt, "titel");
    assert_eq!(
        first,
        format!("line {line}, titel: unknown key; did you mean 'title'?")
    );
}

#[test]
fn bases_that_go_round_are_refused() {
    let texts = [
        ("one", "format = 1\nbase = \"two\""),
        ("two", "format = 1\nbase = \"one\""),
    ];
    let errors = read_game(texts[0].1, &texts).unwrap_err();
    assert_eq!(errors.faults()[0].fault, Limit);
    assert_eq!(errors.faults()[0].key, "base");
}

fn first_fault(text: &str) -> String {
    let errors = read_game(text, &[]).unwrap_err();
    errors.faults()[0].to_string()
}

#[test]
fn faults_of_form_say_what_would_be_right() {
    assert_eq!(
        first_fault("format = 1\nformat = 1\n"),
        "line 2: not TOML: duplicate key 'format'"
    );
    assert_eq!(
        first_fault("format = 1\n[board]\nhexagon = 5\n[board]\n"),
        "line 4: not TOML: duplicate key 'board'"
    );
    // A terminal obeys some characters; they are not repeated to it.
    let obeyed = changed(text("glinski"), "\"knight\"]", "\"\\u001b[2J\"]");
    let fault = first_fault(&obeyed);
    assert!(fault.contains("'\u{fffd}[2J' is no direction"), "{fault:?}");
    let text = "format = 1\nname = 'x'\ntitle = 'X'\n";
    let reading = format!("{text}board = {{}}\n[reading]\nabout = 'castling'\n");
    let errors = read_game(&reading, &[]).unwrap_err().to_string();
    assert!(
        errors.contains("reading: expected a list of tables, found one table; write '[[reading]]'"),
        "{errors}"
    );
}

#[test]
fn castling_that_is_not_there_cannot_be_left_out() {
    let text = include_str!("../../games/minihexchess.toml");
    let error = first_fault(&format!("castling = false\n{text}"));
    assert!(
        error.ends_with(
            "castling: no castling is inherited that could be left out; leave the key out instead"
        ),
        "{error}"
    );
}
