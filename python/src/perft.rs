//! Perft that can be stopped.

use std::sync::atomic::{AtomicBool, Ordering};

use hexmate_movegen::{AnyPosition, Game, Position, perft, with_position};

/// The greatest depth that is counted in one go: hundredths of a second.
const AT_ONCE: u32 = 3;

/// The number of legal move sequences of `depth` plies; any number once `stop` is set.
pub(crate) fn count(position: &AnyPosition, depth: u32, stop: &AtomicBool) -> u64 {
    with_position!(position, p => count_of(p, depth, stop))
}

fn count_of<G: Game>(position: &Position<G>, depth: u32, stop: &AtomicBool) -> u64 {
    if depth <= AT_ONCE {
        return perft(position, depth);
    }
    let mut total = 0;
    for (_, next) in position.children() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        total += count_of(&next, depth - 1, stop);
    }
    total
}
