//! Position texts with random changes, 100,000 for each game: no bytes make the parser panic, an error names a place
//! in the text, and what is accepted is a position.

use std::cell::Cell as Counter;

use crate::common::{move_texts, suite_texts};
use crate::reference::{Mailbox, Rules};
use hexmate_movegen::{BuiltIn, Position, test_each_game};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

#[derive(Clone, Debug)]
enum Edit {
    Flip(Index, u8),
    Delete(Index, usize),
    Insert(Index, u8),
    Duplicate(Index, usize),
    SwapBytes(Index, Index),
    SwapFields(Index, Index),
    SwapRows(Index, Index),
    /// A letter of the placement becomes another: most results are still positions.
    Letter(Index, Index),
    Case(Index),
    Side,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let at = any::<Index>;
    // Mostly bytes with a meaning.
    let byte = prop_oneof![
        4 => prop::sample::select(b"/0123456789 -~,wbKkPpabcdefghiklmo".to_vec()),
        1 => any::<u8>(),
    ];
    let edit = prop_oneof![
        (at(), 0..8u8).prop_map(|(i, bit)| Edit::Flip(i, bit)),
        (at(), 1..4usize).prop_map(|(i, n)| Edit::Delete(i, n)),
        (at(), byte).prop_map(|(i, b)| Edit::Insert(i, b)),
        (at(), 1..6usize).prop_map(|(i, n)| Edit::Duplicate(i, n)),
        (at(), at()).prop_map(|(i, j)| Edit::SwapBytes(i, j)),
        (at(), at()).prop_map(|(i, j)| Edit::SwapFields(i, j)),
        (at(), at()).prop_map(|(i, j)| Edit::SwapRows(i, j)),
        (at(), at()).prop_map(|(i, j)| Edit::Letter(i, j)),
        (at(), at()).prop_map(|(i, j)| Edit::Letter(i, j)),
        at().prop_map(Edit::Case),
        Just(Edit::Side),
    ];
    prop::collection::vec(edit, 1..4)
}

fn swap_parts(text: &[u8], separator: u8, i: &Index, j: &Index) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = text.split(|&b| b == separator).collect();
    let (i, j) = (i.index(parts.len()), j.index(parts.len()));
    parts.swap(i, j);
    parts.join(&separator)
}

fn edited<G: BuiltIn>(text: &mut Vec<u8>, edit: &Edit) {
    let letters = |text: &[u8]| {
        let field = text.split(|&b| b == b' ').next().unwrap_or_default();
        let places = 0..field.len();
        places
            .filter(|&i| field[i].is_ascii_alphabetic())
            .collect::<Vec<_>>()
    };
    if text.is_empty() {
        return;
    }
    let len = text.len();
    match edit {
        Edit::Flip(i, bit) => text[i.index(len)] ^= 1 << bit,
        Edit::Delete(i, n) => {
            let i = i.index(len);
            text.drain(i..len.min(i + n));
        }
        Edit::Insert(i, byte) => text.insert(i.index(len + 1), *byte),
        Edit::Duplicate(i, n) => {
            let i = i.index(len);
            let part = text[i..len.min(i + n)].to_vec();
            text.splice(i..i, part);
        }
        Edit::SwapBytes(i, j) => text.swap(i.index(len), j.index(len)),
        Edit::SwapFields(i, j) => *text = swap_parts(text, b' ', i, j),
        Edit::SwapRows(i, j) => {
            let placement = text.iter().position(|&b| b == b' ').unwrap_or(len);
            let rows = swap_parts(&text[..placement], b'/', i, j);
            text.splice(..placement, rows);
        }
        Edit::Letter(i, kind) => {
            let places = letters(text);
            if !places.is_empty() {
                let letter = &mut text[places[i.index(places.len())]];
                let kinds = G::SPEC.pieces;
                let new = kinds[kind.index(kinds.len())].letter;
                *letter = if letter.is_ascii_lowercase() {
                    new.to_ascii_lowercase()
                } else {
                    new
                };
            }
        }
        Edit::Case(i) => {
            let places = letters(text);
            if !places.is_empty() {
                text[places[i.index(places.len())]] ^= 0x20;
            }
        }
        Edit::Side => {
            let side = text
                .iter()
                .position(|&b| b == b' ')
                .and_then(|i| text.get_mut(i + 1));
            if let Some(side @ (b'w' | b'b')) = side {
                *side = if *side == b'w' { b'b' } else { b'w' };
            }
        }
    }
}

fn judge<G: BuiltIn>(text: &str, rules: &Rules) -> Result<bool, TestCaseError> {
    match text.parse::<Position<G>>() {
        Err(error) => {
            prop_assert!(error.offset <= text.len(), "{error:?} in {text:?}");
            prop_assert!(text.is_char_boundary(error.offset), "{error:?} in {text:?}");
            let message = error.to_string();
            prop_assert!(!error.problem.to_string().is_empty());
            prop_assert!(message.len() < 400, "{message}");
            Ok(false)
        }
        Ok(position) => {
            let printed = position.to_string();
            prop_assert_eq!(printed.parse::<Position<G>>(), Ok(position));
            prop_assert_eq!(position.key(), position.fresh_key());
            // Kings, pawns, colours, check, rights and en passant obey the rules.
            let mailbox = Mailbox::read(rules, &printed);
            prop_assert_eq!(mailbox.fault(), None);
            prop_assert_eq!(move_texts(&position), mailbox.legal_texts());
            Ok(true)
        }
    }
}

/// `HEXMATE_TEXTS=100000` tries more of each game.
fn changed_texts<G: BuiltIn>() {
    let texts_wanted = std::env::var("HEXMATE_TEXTS").ok();
    let cases = texts_wanted.map_or(10_000, |n| n.parse().expect("HEXMATE_TEXTS is a number"));
    let rules = Rules::named(G::ID.name());
    let mut texts = suite_texts(G::ID);
    texts.push(G::SPEC.start.to_owned());
    let good = Counter::new(0);
    let bad = Counter::new(0);
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    // The same texts in every run.
    let rng = TestRng::deterministic_rng(RngAlgorithm::XorShift);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let strategy = (any::<Index>(), edits());
    let test = |(text, edits): (Index, Vec<Edit>)| -> TestCaseResult {
        let mut bytes = text.get(&texts).clone().into_bytes();
        for edit in &edits {
            edited::<G>(&mut bytes, edit);
        }
        let count = if judge::<G>(&String::from_utf8_lossy(&bytes), &rules)? {
            &good
        } else {
            &bad
        };
        count.set(count.get() + 1);
        Ok(())
    };
    runner
        .run(&strategy, test)
        .unwrap_or_else(|e| panic!("{}: {e}", G::ID));
    println!("{}: {} good, {} bad", G::ID, good.get(), bad.get());
    assert!(
        good.get() > cases / 10 && bad.get() > cases / 10,
        "the changes are too mild or too wild"
    );
}

test_each_game!(changed_texts);
