//! When two positions are equal: with the same options, searches of them must give the same result.
//!
//! The move number plays no part in a search, but the half-move clock does. Of the earlier positions of the
//! game, only those count that occurred so often that one more occurrence is a draw: a search treats the
//! first recurrence of its own positions as a draw, and applies the rule to earlier ones.

use hexmate_movegen::{Game, Move, Record};
use twox_hash::XxHash3_128;

/// The key of a position. `fen` is its canonical text, `played` the move that the best one is compared with, if it is
/// to be explained, `terms` everything else that determines results.
///
/// Collisions: 128 bits of a good hash; among a billion positions, one in 10^20.
pub fn key<G: Game>(
    fen: &str,
    record: &Record<G>,
    searchmoves: &[Move],
    played: Option<Move>,
    terms: &str,
) -> u128 {
    let without_number = fen.rsplit_once(' ').map_or(fen, |(rest, _)| rest);
    let game = record.position().game();
    let mut text = format!("{terms}\0{}\0{without_number}\0", game.id());
    if game.id().is_from_file() {
        // Files may give one name to different games.
        text += &format!("{:x}\0", game.id().fingerprint());
    }
    for key in near_draw(record) {
        text += &format!("{key:x},");
    }
    for mv in searchmoves {
        text.push('\0');
        text += &mv.text(game);
    }
    if let Some(mv) = played {
        text += &format!("\0played {}", mv.text(game));
    }
    XxHash3_128::oneshot(text.as_bytes())
}

/// The keys of earlier positions that would be drawn by one more occurrence, sorted.
fn near_draw<G: Game>(record: &Record<G>) -> Vec<u64> {
    let needed = usize::from(record.position().spec().repetitions)
        .saturating_sub(1)
        .max(1);
    let mut keys = record.earlier_keys().to_vec();
    keys.sort_unstable();
    let often = keys
        .chunk_by(|a, b| a == b)
        .filter(|same| same.len() >= needed);
    often.map(|same| same[0]).collect()
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::{Glinski, Letters, Position};

    use super::*;
    use crate::inputs::play;

    fn key_after(moves: &str) -> u128 {
        let record = play(Position::<Glinski>::start(), moves, &Letters::Own).unwrap();
        key(&record.position().to_string(), &record, &[], None, "")
    }

    #[test]
    fn transpositions_are_equal_and_what_counts_is_not_left_out() {
        // Knights out and back, by two ways to the same position with the same clock.
        let one = key_after("d1f4 d9f8 h1i3 h9i6");
        assert_eq!(one, key_after("h1i3 d9f8 d1f4 h9i6"));
        // The clock counts.
        assert_ne!(key_after(""), key_after("d1f4 d9f8 f4d1 f8d9"));
        // The move number does not.
        let record = Record::new(Position::<Glinski>::start());
        let fen = record.position().to_string();
        let later = fen.strip_suffix('1').unwrap().to_owned() + "40";
        assert_eq!(
            key(&fen, &record, &[], None, ""),
            key(&later, &record, &[], None, "")
        );
        assert_ne!(
            key(&fen, &record, &[], None, ""),
            key(&fen, &record, &[], None, "--depth")
        );
        let first = record.position().legal_moves()[0];
        assert_ne!(
            key(&fen, &record, &[], None, ""),
            key(&fen, &record, &[first], None, "")
        );
        // So does the move that the best one is compared with.
        assert_ne!(
            key(&fen, &record, &[], None, ""),
            key(&fen, &record, &[], Some(first), "")
        );
    }

    #[test]
    fn positions_that_occurred_twice_count() {
        // The same last position and clock: through the start twice, or by ways that never meet again.
        let out_and_in = "d1f4 d9f8 f4d1 f8d9 ";
        let elsewhere = "h1i3 h9i6 i3h1 i6h9 ";
        let twice = key_after(&(out_and_in.to_owned() + elsewhere + "d1f4 d9f8"));
        let other = key_after(&("d1f4 d9f8 ".to_owned() + elsewhere + elsewhere));
        assert_ne!(twice, other);
    }
}
