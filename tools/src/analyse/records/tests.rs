use super::*;

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
