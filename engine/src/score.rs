//! Scores: centipawns, mates, and what a stalemate is worth.

/// A score in centipawns from the side to move, or a mate beyond [`MATE_IN_MAX`].
pub type Score = i32;

/// No static evaluation: the side to move is in check. Stored as it is, so that what the table has as
/// evaluation depends on the position alone.
pub(crate) const NO_EVAL: Score = i16::MIN as Score;

/// A level position, and a draw.
pub const DRAW: Score = 0;
/// The side to move mates at once; each ply to the mate costs one.
pub const MATE: Score = 32_000;
/// The longest line that is searched.
pub const MAX_PLY: usize = 240;
/// Every score from here on is a mate.
pub const MATE_IN_MAX: Score = MATE - 1_000;
/// Beyond every score.
pub const INFINITE: Score = 32_500;

/// Mated, `ply` plies from the root.
pub const fn mated_in(ply: usize) -> Score {
    -MATE + ply as Score
}

/// Whether the score is a forced mate, for either side.
pub const fn is_mate(score: Score) -> bool {
    score.unsigned_abs() >= MATE_IN_MAX as u32
}

/// The score of a game result for the side that got `quarters` of a point, on the scale where the
/// expected score is 1 / (1 + 10^(-cp/400)): 1/4 is -191, 1/2 is 0, 3/4 is +191. A whole point
/// is a mate and has no such score.
///
/// # Panics
/// For 0 quarters or more than 3.
pub const fn score_of_quarters(quarters: u8) -> Score {
    match quarters {
        1 => -191,
        2 => DRAW,
        3 => 191,
        _ => panic!("0 and 4 quarters are mates"),
    }
}

/// A score as it is shown to users.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// Centipawns.
    Centipawns(i32),
    /// Full moves to mate; negative when the side to move is mated. 0: it is mated now.
    Mate(i32),
}

impl From<Score> for Shown {
    fn from(score: Score) -> Self {
        let score = score.clamp(-MATE, MATE);
        let plies = MATE - score.abs();
        if !is_mate(score) {
            Shown::Centipawns(score)
        } else if score > 0 {
            Shown::Mate((plies + 1) / 2)
        } else {
            Shown::Mate(-(plies / 2))
        }
    }
}

/// In the table a mate counts from its own position, in the search from the root.
pub(crate) const fn to_table(score: Score, ply: usize) -> i16 {
    let ply = ply as Score;
    let score = if score >= MATE_IN_MAX {
        score + ply
    } else if score <= -MATE_IN_MAX {
        score - ply
    } else {
        score
    };
    score as i16
}

/// The inverse of [`to_table`] at this ply.
pub(crate) const fn from_table(score: i16, ply: usize) -> Score {
    let (score, ply) = (score as Score, ply as Score);
    if score >= MATE_IN_MAX {
        score - ply
    } else if score <= -MATE_IN_MAX {
        score + ply
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_follow_the_logistic_scale() {
        for quarters in 1..=3 {
            let share = f64::from(quarters) / 4.0;
            let exact = 400.0 * (share / (1.0 - share)).log10();
            assert_eq!(score_of_quarters(quarters), exact.round() as Score);
        }
    }

    #[test]
    fn mates_count_full_moves() {
        assert_eq!(Shown::from(MATE - 1), Shown::Mate(1));
        assert_eq!(Shown::from(MATE - 3), Shown::Mate(2));
        assert_eq!(Shown::from(mated_in(0)), Shown::Mate(0));
        assert_eq!(Shown::from(mated_in(2)), Shown::Mate(-1));
        assert_eq!(Shown::from(-191), Shown::Centipawns(-191));
        // Beyond all mates: as near as can be.
        assert_eq!(Shown::from(Score::MIN), Shown::Mate(0));
        assert_eq!(Shown::from(Score::MAX), Shown::Mate(0));
    }

    #[test]
    fn table_scores_come_back() {
        for score in [MATE - 7, -MATE + 8, 191, -191, 0, 3_000] {
            assert_eq!(from_table(to_table(score, 5), 5), score);
        }
        // Stored three plies from the root, read one ply from it: the mate is two plies further on.
        assert_eq!(from_table(to_table(MATE - 9, 3), 1), MATE - 7);
    }
}
