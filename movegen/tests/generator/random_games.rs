//! Games that nobody would invent: boards, pieces, pawns and arrays drawn by chance, written as texts, read, and played
//! against a plain walk over the rules, move by move.

use crate::common::Rng;
use hexmate_movegen::walk::{PlainMove, PlainPosition, Walk};
use hexmate_movegen::{AnyPosition, GameId, compile_limits};

/// So many texts are drawn; some of them are no games.
const TEXTS: usize = 150;
/// Plies of each game.
const PLIES: usize = 40;

/// Several of some words, in quotes.
fn some(rng: &mut Rng, words: &[&str], most: usize) -> Vec<String> {
    let mut chosen: Vec<String> = Vec::new();
    for _ in 0..1 + rng.below(most) {
        let word = rng.pick(words);
        // With its opposite, so that the piece can go back.
        for direction in [word.to_owned(), opposite(word)] {
            if !chosen.contains(&direction) {
                chosen.push(direction);
            }
        }
    }
    chosen
}

fn opposite(direction: &str) -> String {
    if let Some(pair) = direction.strip_prefix('(') {
        let (a, y) = pair.trim_end_matches(')').split_once(", ").unwrap();
        let [a, y] = [a, y].map(|n| -n.parse::<i8>().unwrap());
        return format!("({a}, {y})");
    }
    direction
        .strip_prefix('-')
        .map_or_else(|| format!("-{direction}"), str::to_owned)
}

/// A list of TOML.
fn list(items: &[String]) -> String {
    format!("{items:?}")
}

/// The paths of a piece that repeats some steps, in every way that it must have if it is to go back, and if the other
/// side is to go alike: each rotation, turned and reversed.
fn crooked(rng: &mut Rng) -> String {
    const STEPS: [&str; 8] = ["e1", "e2", "e3", "-e1", "v1", "v2", "-v3", "(1, 3)"];
    let steps: Vec<&str> = (0..2 + rng.below(2)).map(|_| rng.pick(&STEPS)).collect();
    let turned: Vec<String> = steps.iter().map(|s| opposite(s)).collect();
    let mut paths: Vec<String> = Vec::new();
    for all in [steps.iter().map(|s| (*s).to_owned()).collect(), turned] {
        let mut all: Vec<String> = all;
        for _ in 0..2 {
            for _ in 0..all.len() {
                all.rotate_left(1);
                let path = all.join(" ");
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
            all.reverse();
        }
    }
    let reach = match rng.below(3) {
        0 => String::new(),
        _ => format!(", reach = {}", 1 + rng.below(5)),
    };
    format!("[{{ along = {}{reach} }}]", list(&paths))
}

fn piece(rng: &mut Rng) -> String {
    const SHORT: [&str; 7] = ["e1", "e2", "e3", "v1", "v2", "v3", "(3, 1)"];
    const LONG: [&str; 6] = ["(2, 4)", "(3, 3)", "(0, 3)", "(1, 3)", "(2, -1)", "(-3, 1)"];
    let mut ways = Vec::new();
    match rng.below(6) {
        0 => ways.push("slides = [\"all\"]".to_owned()),
        1 => ways.push("leaps = [\"knight\"]".to_owned()),
        2 | 3 => ways.push(format!("paths = {}", crooked(rng))),
        _ => ways.push(format!("slides = {}", list(&some(rng, &SHORT, 3)))),
    }
    if rng.one_in(6) && !ways[0].starts_with("leaps") {
        ways.push(format!("leaps = {}", list(&some(rng, &LONG, 2))));
    }
    if rng.one_in(12) {
        let colours = ["[1]", "[2]", "[1, 3]"];
        ways.push(format!("on = {}", rng.pick(&colours)));
    }
    ways.join(", ")
}

/// The board's table, and names of cells of White's half.
fn board(rng: &mut Rng) -> (String, Vec<String>) {
    // Two fill a word to its last bit.
    let rows = |last: char, count: usize| vec![format!("a-{last}"); count];
    let (outline, columns) = match rng.below(12) {
        0 => (
            "rows = [\"a-f\", \"a-g\", \"a-h\", \"b-h\", \"c-h\"]\nfiles = \"abcdefgh\"".to_owned(),
            6,
        ),
        1 => (
            format!("rows = {}\nfiles = \"abcdefg\"", list(&rows('g', 6))),
            7,
        ),
        2 | 8..=10 => (
            "hexagon = 4\nfiles = \"abcdefg\"\nnumbers = \"rows\"".to_owned(),
            4,
        ),
        3..=5 => ("hexagon = 5\nfiles = \"abcdefghi\"".to_owned(), 9),
        6 => ("hexagon = 9\nfiles = \"abcdefghijklmnopq\"".to_owned(), 17),
        7 => (
            format!(
                "rows = {}\nfiles = \"abcdefghijklmnop\"",
                list(&rows('p', 8))
            ),
            16,
        ),
        _ => (
            format!(
                "rows = {}\nfiles = \"abcdefghijklmnop\"",
                list(&rows('p', 16))
            ),
            16,
        ),
    };
    let colours = [
        "",
        "colours = { count = 4, factor = 2 }\n",
        "colours = { count = 2 }\n",
    ];
    let colours = rng.pick(&colours);
    let cells = (0..columns).flat_map(|a| {
        let letter = char::from(b'a' + a);
        [1, 2].map(|row| format!("{letter}{row}"))
    });
    (
        format!("[board]\n{outline}\n{colours}other_side = \"half turn\"\n"),
        cells.collect(),
    )
}

fn game(rng: &mut Rng) -> String {
    let (board, mut cells) = board(rng);
    let kings = ["all", "edges", "vertices"];
    let mut pieces = format!(
        "[pieces]\nK = {{ name = \"king\", leaps = [\"{}\"] }}\n",
        rng.pick(&kings)
    );
    let letters = &["A", "B", "C", "D"][..1 + rng.below(4)];
    for letter in letters {
        pieces += &format!("{letter} = {{ name = \"{letter}\", {} }}\n", piece(rng));
    }
    let pawns = [
        "steps = [\"e2\"]\ncaptures = [\"e1\", \"e3\"]\n",
        "steps = [\"e2\"]\ncaptures = [\"v1\", \"v2\"]\n",
        "steps = [\"e1\", \"e2\"]\ncaptures = [\"v1\", \"v2\", \"-v3\"]\n",
        "steps = [\"e1\", \"e2\", \"e3\"]\ncaptures = [\"v1\"]\n",
        "steps = [\"v1\"]\ncaptures = [\"e1\", \"e2\", \"(1, 3)\"]\n",
    ];
    let mut pawn = format!("[pawn]\n{}", rng.pick(&pawns));
    let firsts = [
        "first = [{ cells = \"c1 d1 e1\", steps = 2 }]\n",
        "first = [{ cells = \"c1 d2\", steps = 2, captures = [\"(0, 2)\"] }, { cells = \"d1 e1 e2\", steps = 3 }]\n",
        "first = [{ cells = \"b1 b2 c1 c2 d1 d2\", steps = 3 }]\n",
        "first = [{ rows = [1, 2], steps = 2 }]\n",
        "",
    ];
    pawn += rng.pick(&firsts);
    if !pawn.contains("(0, 2)") {
        pawn += &format!("remembers_first_move = {}\n", rng.one_in(2));
    }
    for key in ["en_passant", "blocked_by_enemy"] {
        pawn += &format!("{key} = {}\n", rng.one_in(2));
    }
    let mut men = Vec::new();
    let take = |rng: &mut Rng, cells: &mut Vec<String>| {
        let place = rng.below(cells.len());
        cells.swap_remove(place)
    };
    let castling = rng.one_in(3);
    if castling {
        // With nothing between them.
        men.extend(["Kd1".to_owned(), "Aa1".to_owned()]);
        cells.retain(|c| !["a1", "b1", "c1", "d1"].contains(&c.as_str()));
    } else {
        men.push(format!("K{}", take(rng, &mut cells)));
    }
    for letter in letters {
        for _ in 0..=rng.below(2) {
            if cells.len() > 1 {
                men.push(format!("{letter}{}", take(rng, &mut cells)));
            }
        }
    }
    for _ in 0..rng.below(6) {
        if cells.len() > 1 {
            men.push(take(rng, &mut cells));
        }
    }
    // Pawns far ahead, past which others may step.
    for cell in ["b4", "c5", "d5", "d6", "e5"] {
        if rng.one_in(4) {
            men.push(cell.to_owned());
        }
    }
    let castling = if castling {
        "[castling]\ntowards = [\"e3\", \"-e3\"]\nwith = \"A\"\n"
    } else {
        ""
    };
    format!(
        "format = 1\nname = \"chance\"\ntitle = \"A game of chance\"\n{board}{pieces}{pawn}{castling}[start]\nwhite = \"{}\"\n\
         [ends]\nbare_kings = \"play on\"\n",
        men.join(" ")
    )
}

/// Mostly a move of the rarest sort, or one that lets the other side capture en passant.
fn choose(rng: &mut Rng, walk: &Walk, position: &PlainPosition, moves: &[PlainMove]) -> usize {
    if rng.one_in(4) {
        return rng.below(moves.len());
    }
    let invites = |mv: &PlainMove| {
        let mut seen = [0; 4];
        mv.count(&mut seen);
        let long = seen[0] > 0;
        let next = walk.after(position, mv);
        long && walk.legal(&next).iter().any(PlainMove::is_en_passant)
    };
    let en_passant = walk.spec.pawn.en_passant;
    if en_passant && let Some(inviting) = moves.iter().position(invites) {
        return inviting;
    }
    let rarest = moves.iter().map(PlainMove::rarity).max();
    let rare = (0..moves.len()).filter(|&i| Some(moves[i].rarity()) == rarest);
    rng.pick(&rare.collect::<Vec<_>>())
}

#[test]
fn games_of_chance_are_played_as_they_are_written() {
    let mut rng = Rng(1907);
    let [mut games, mut positions, mut moves, mut uncompiled] = [0; 4];
    let mut seen = [0; 4];
    for _ in 0..TEXTS {
        let text = game(&mut rng);
        let Ok(game) = GameId::from_text(&text) else {
            continue;
        };
        games += 1;
        uncompiled += usize::from(!compile_limits(game.spec()).is_empty());
        let walk = Walk::new(game.spec());
        let mut state = walk.start();
        let mut position = AnyPosition::start(game);
        for ply in 0..PLIES {
            let steps = walk.legal(&state);
            let mut expected = walk.texts(&state);
            let mut found = position.move_texts();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{position} after {ply} plies of\n{text}");
            positions += 1;
            moves += steps.len();
            if ply == 0 {
                for step in &steps {
                    let mut next = position;
                    next.play(&walk.text(step)).unwrap();
                    let mut expected = walk.texts(&walk.after(&state, step));
                    let mut found = next.move_texts();
                    expected.sort();
                    found.sort();
                    assert_eq!(found, expected, "{next} at first in\n{text}");
                }
                assert_eq!(position.perft(2), walk.leaves(&state, 2), "{text}");
            }
            if steps.is_empty() {
                break;
            }
            // What is rare is preferred.
            let chosen = choose(&mut rng, &walk, &state, &steps);
            steps[chosen].count(&mut seen);
            position.play(&walk.text(&steps[chosen])).unwrap();
            state = walk.after(&state, &steps[chosen]);
        }
    }
    println!(
        "{games} games, {uncompiled} of them not to be compiled, {positions} positions, {moves} moves, {seen:?}"
    );
    assert!(games > TEXTS / 4 && uncompiled > 5);
    assert!(
        seen.iter().all(|&n| n > 1),
        "long first steps, en passant, castling, promotions: {seen:?}"
    );
}

/// A piece may come to a cell along several paths, of lines that it shares with other pieces or not: one move.
#[test]
fn a_move_along_several_paths_is_found_once() {
    const SKIPS: &str = r#"slides = ["e2", "-e2", "(0, 2)", "(0, -2)"]"#;
    const CRAB: &str = r#"along = ["e1 v2", "-e1 -v2", "v2 e1", "-v2 -e1"], reach = 2"#;
    let mut rng = Rng(7);
    for (x, s) in [
        (SKIPS, r#"slides = ["(0, 2)", "(0, -2)"]"#),
        (SKIPS, r#"slides = ["e2", "-e2"]"#),
        (
            &format!("slides = [\"edges\"], paths = [{{ {CRAB} }}]"),
            "slides = [\"vertices\"]",
        ),
        (
            concat!(
                r#"slides = ["edges"], paths = ["e1 e2", "-e2 -e1", "e2 e1", "-e1 -e2", "#,
                r#"{ along = ["e1", "-e1"], reach = 3 }]"#
            ),
            r#"slides = ["edges"]"#,
        ),
    ] {
        let text = format!(
            "format = 1\nname = \"ways\"\ntitle = \"Ways\"\n[board]\nhexagon = 5\nother_side = \"half turn\"\n\
             [pieces]\nK = {{ name = \"king\", leaps = [\"all\"] }}\n\
             X = {{ name = \"x\", {x} }}\nS = {{ name = \"s\", {s} }}\n\
             [pawn]\nsteps = [\"e2\"]\ncaptures = []\n[start]\nwhite = \"Kb1 Xe1 Sa1\"\n"
        );
        let game = GameId::from_text(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let walk = Walk::new(game.spec());
        let (mut position, mut state) = (AnyPosition::start(game), walk.start());
        for _ in 0..PLIES {
            let steps = walk.legal(&state);
            let mut expected = walk.texts(&state);
            expected.sort();
            assert_eq!(position.move_texts(), expected, "{position} in\n{text}");
            let leaves = walk.leaves(&state, 2);
            assert_eq!(position.perft(2), leaves, "{position} in\n{text}");
            if steps.is_empty() {
                break;
            }
            let step = &steps[rng.below(steps.len())];
            position.play(&walk.text(step)).unwrap();
            state = walk.after(&state, step);
        }
    }
}
