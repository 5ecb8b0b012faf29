//! Texts of games that are spoilt at random: each is refused with a line and a reason, or read and played. None takes
//! long.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::Rng;
use hexmate_movegen::spec::GameSpec;
use hexmate_movegen::walk::Walk;
use hexmate_movegen::{
    AnyPosition, GAME_TEXTS, GameFault, GameId, GameTextErrors, compile_limits, read_game,
};

const NIGHTRIDERS: &str = include_str!("../../../examples/games/nightriders.toml");
const SPOILT: usize = 2_000;
/// So many different games that were read are played, so many plies.
const PLAYED: usize = 40;
const PLIES: usize = 20;

fn errors(text: &str) -> GameTextErrors {
    match read_game(text, GAME_TEXTS) {
        Ok(spec) => panic!("{} was read from\n{text}", spec.name),
        Err(errors) => errors,
    }
}

/// Words that mean something somewhere.
const WORDS: &[&str] = &[
    "true",
    "false",
    "0",
    "1",
    "-1",
    "9",
    "255",
    "256",
    "99999999999999999999",
    "1.5",
    "\"\"",
    "\"e2\"",
    "\"-v3\"",
    "\"(9, 9)\"",
    "\"all\"",
    "\"a1\"",
    "[]",
    "[[]]",
    "{}",
    "[1, 2, 3]",
    "\"half turn\"",
    "\"reflection\"",
    "\"K\"",
    "\"rows\"",
    "\"files\"",
    "hexagon = 9",
    "rows = [\"a-z\"]",
    "base = \"chromatic4\"",
    "[pawn]",
    "[pieces]",
    "[[reading]]",
    "on = [1]",
    "reach = 32",
    "royal = true",
    "uneven = true",
    "castling = false",
    "Z = false",
];

fn spoilt(rng: &mut Rng, texts: &[&str]) -> String {
    let mut text = rng.pick(texts).to_owned();
    for _ in 0..1 + rng.below(4) {
        let mut lines: Vec<&str> = text.lines().collect();
        let line = rng
            .below(lines.len().max(1))
            .min(lines.len().saturating_sub(1));
        text = match rng.below(9) {
            // A byte.
            0 => {
                let mut bytes = text.clone().into_bytes();
                let place = rng.below(bytes.len());
                bytes[place] = rng.next() as u8;
                String::from_utf8_lossy(&bytes).into_owned()
            }
            // A line away, twice, or elsewhere.
            1 => {
                lines.remove(line);
                lines.join("\n")
            }
            2 => {
                let again = rng.pick(&lines);
                lines.insert(line, again);
                lines.join("\n")
            }
            // A line of another game.
            3 => {
                let other: Vec<&str> = rng.pick(texts).lines().collect();
                lines[line] = rng.pick(&other);
                lines.join("\n")
            }
            // A number.
            4 => spoil_number(rng, &text),
            // A value.
            5 => match lines[line].split_once(" = ") {
                Some((key, _)) => {
                    let new = format!("{key} = {}", rng.pick(WORDS));
                    lines[line] = &new;
                    lines.join("\n")
                }
                None => text,
            },
            // A key.
            6 => match lines[line].split_once(" = ") {
                Some((key, value)) => {
                    let keys = [
                        "steps", "captures", "leaps", "slides", "paths", "on", "first", "Q", "X",
                        "cells",
                    ];
                    let new = if rng.one_in(2) {
                        format!("{key}s = {value}")
                    } else {
                        format!("{} = {value}", rng.pick(&keys))
                    };
                    lines[line] = &new;
                    lines.join("\n")
                }
                None => text,
            },
            // A direction, a name of a cell, a letter.
            7 => {
                let pairs = [
                    ("e2", "e1"),
                    ("v1", "v2"),
                    ("edges", "vertices"),
                    ("all", "edges"),
                    ("knight", "all"),
                    ("a1", "b1"),
                    ("e1", "d1"),
                    ("P", "p"),
                    ("R", "B"),
                    ("slides", "leaps"),
                    ("leaps", "slides"),
                    ("true", "false"),
                ];
                let (from, to) = rng.pick(&pairs);
                let places: Vec<usize> = text.match_indices(from).map(|m| m.0).collect();
                match places.is_empty() {
                    true => text,
                    false => {
                        let place = rng.pick(&places);
                        format!("{}{to}{}", &text[..place], &text[place + from.len()..])
                    }
                }
            }
            // A word between two lines.
            _ => {
                lines.insert(line, rng.pick(WORDS));
                lines.join("\n")
            }
        };
        if text.is_empty() {
            text.push('\n');
        }
    }
    text
}

fn spoil_number(rng: &mut Rng, text: &str) -> String {
    let digits: Vec<usize> = text
        .bytes()
        .enumerate()
        .filter(|(_, b)| b.is_ascii_digit())
        .map(|(i, _)| i)
        .collect();
    if digits.is_empty() {
        return text.to_owned();
    }
    let place = rng.pick(&digits);
    let new = ["0", "1", "2", "3", "7", "-1", "12", "9000000000"];
    format!("{}{}{}", &text[..place], rng.pick(&new), &text[place + 1..])
}

/// Plays some random moves and compares each list of moves with the plain walk's.
fn play(spec: &'static GameSpec, rng: &mut Rng, text: &str) {
    let (game, walk) = (GameId::from(spec), Walk::new(spec));
    let (mut position, mut state) = (AnyPosition::start(game), walk.start());
    for _ in 0..PLIES {
        let steps = walk.legal(&state);
        let mut expected: Vec<String> = steps.iter().map(|s| walk.text(s)).collect();
        let mut found = position.move_texts();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{position} in\n{text}");
        if steps.is_empty() {
            break;
        }
        let step = &steps[rng.below(steps.len())];
        position.play(&walk.text(step)).unwrap();
        state = walk.after(&state, step);
    }
}

#[test]
fn spoilt_texts_are_read_or_refused_with_a_reason() {
    let mut texts: Vec<&str> = GAME_TEXTS.iter().map(|t| t.1).collect();
    texts.push(NIGHTRIDERS);
    let mut rng = Rng(16);
    let [mut read, mut refused] = [0, 0];
    let mut played: BTreeSet<String> = BTreeSet::new();
    let mut faults: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..SPOILT {
        let text = spoilt(&mut rng, &texts);
        match read_game(&text, GAME_TEXTS) {
            Ok(spec) => {
                read += 1;
                // What was accepted can be looked at.
                assert!(
                    spec.pieces.len() >= 2 && spec.start.ends_with(" - 0 1"),
                    "{text}"
                );
                compile_limits(&spec);
                let rules =
                    format!("{:?}{:?}{:?}", spec.board, spec.pieces, spec.pawn) + spec.start;
                if played.len() < PLAYED && played.insert(rules) {
                    play(Box::leak(Box::new(spec)), &mut rng, &text);
                }
            }
            Err(errors) => {
                refused += 1;
                assert!(!errors.faults().is_empty(), "{text}");
                for fault in errors.faults() {
                    let source = match &fault.base {
                        Some(base) => GAME_TEXTS.iter().find(|t| t.0 == base).unwrap().1,
                        None => &text,
                    };
                    let lines = 1 + source.lines().count();
                    assert!((1..=lines).contains(&fault.line), "{fault}\n{text}");
                    assert!(fault.message.len() > 10, "{fault}\n{text}");
                    *faults.entry(format!("{:?}", fault.fault)).or_default() += 1;
                }
            }
        }
    }
    println!(
        "{read} read, {refused} refused, {} played: {faults:?}",
        played.len()
    );
    assert_eq!(played.len(), PLAYED);
    assert!(read > SPOILT / 20 && refused > SPOILT / 2);
    assert_eq!(faults.len(), 7, "every sort of fault occurs: {faults:?}");
}

/// What would take long, if it were walked without a limit.
#[test]
fn huge_texts_and_games_are_refused_or_quick() {
    let deep = format!("x = {}", "[".repeat(100_000));
    assert_eq!(errors(&deep).faults()[0].fault, GameFault::Syntax);
    let long = format!("# {}", "x".repeat(1 << 20));
    assert_eq!(errors(&long).faults()[0].fault, GameFault::Limit);
    let keys: String = (0..5_000).map(|i| format!("k{i} = {i}\n")).collect();
    assert_eq!(errors(&keys).faults().len(), 20);
    // Every kind with every path on the largest hexagon.
    let mut huge = String::from(
        "format = 1\nname = \"huge\"\ntitle = \"Huge\"\n[board]\nhexagon = 9\nfiles = \"abcdefghijklmnopq\"\n\
         [pawn]\nsteps = [\"e2\"]\ncaptures = []\n[start]\nwhite = \"Ka1\"\n[pieces]\n\
         K = { name = \"king\", leaps = [\"all\"] }\n",
    );
    for letter in "ABCDEFGHIJLMN".chars() {
        huge += &format!(
            "{letter} = {{ name = \"{letter}\", slides = [\"all\"], leaps = [\"knight\"] }}\n"
        );
    }
    let huge = read_game(&huge, GAME_TEXTS).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(huge.pieces.len(), 15);
}
