use super::*;
use crate::terms::compare;

/// Each has a copy of the moves before it.
#[test]
fn the_positions_of_a_long_game_are_not_held_all_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    // Two games on a line, and one that ends with the file.
    let text = "1. e4e5 e7e6 2. d3d5 1-0 1. e4e5 0-1\n1. e4e5 e7e6";
    std::fs::write(&path, text).unwrap();
    let sources = vec![Source::file(path)];
    let bar = ProgressBar::hidden();
    let mut records = Records::new(sources, Selection::default(), bar).unwrap();
    let mut count = 0;
    while records.next_item().unwrap().is_some() {
        count += 1;
        assert_eq!(records.waiting.len(), 0, "at record {count}");
    }
    assert_eq!(count, 4 + 2 + 3);
}

/// By them it is known which journals are of a run. The game's file is another test's.
#[test]
fn whatever_selects_other_records_changes_the_terms() {
    type Change = fn(&mut Selection);
    let changes: [(&str, Change); 5] = [
        ("--from-move", |s| s.from_move = Some(2)),
        ("--to-move", |s| s.to_move = Some(2)),
        ("--skip-book", |s| s.skip_book = Some(2)),
        ("--shard", |s| s.shard = Some((0, 2))),
        ("--letters", |s| {
            s.letters = Letters::Listed(vec!['K', 'V', 'B', 'F', 'H']);
        }),
    ];
    let terms = |selection: Selection| {
        let mut terms = Terms::new();
        selection.add_terms(&mut terms);
        terms
    };
    for (name, change) in changes {
        let mut selection = Selection::default();
        change(&mut selection);
        let differ = compare(&terms(Selection::default()), &terms(selection)).expect_err(name);
        assert_eq!(differ.name, name);
    }
}
