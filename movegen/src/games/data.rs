//! The games of `games/*.toml`, as the build script writes them down.

use crate::rules::spec::*;
use crate::rules::{LanePlan, WordClasses};

include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// The words of path space of one of these games.
///
/// # Panics
/// If it is none of them, or path space has no room for it: an error when the program is compiled.
pub(super) const fn lanes(game: &GameSpec) -> LanePlan {
    let mut place = 0;
    while !is_same(SHIPPED_GAMES[place].name.as_bytes(), game.name.as_bytes()) {
        place += 1;
    }
    LANE_PLANS[place].expect("a game that is compiled fits into path space")
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}
