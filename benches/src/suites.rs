//! The positions of the perft suites.

use std::fs::read_to_string;
use std::path::Path;

use hexmate_movegen::suite::SuiteCase;
use hexmate_movegen::{BuiltIn, Position};

/// Every position of a game's suite.
///
/// # Panics
/// If the file cannot be read, or a line of it is no position.
pub fn suite<G: BuiltIn>() -> Vec<Position<G>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../movegen/suites")
        .join(format!("{}.epd", G::ID));
    let text = read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let read = |line| match SuiteCase::parse(line) {
        Ok(case) => case.map(|case| case.fen.parse().unwrap_or_else(|e| panic!("{line}: {e}"))),
        Err(error) => panic!("{line}: {error}"),
    };
    text.lines().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::for_each_game;

    #[test]
    fn every_game_has_positions() {
        for_each_game!(G => assert!(suite::<G>().len() >= 20, "{}", G::ID));
    }
}
