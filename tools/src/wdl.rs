//! Chances of winning, drawing and losing behind a score.

use hexmate_engine::{Score, Shown};

/// The share of the point that a score in centipawns promises: 1 / (1 + 10^(-cp/400)).
pub fn expected(cp: i32) -> f64 {
    1.0 / (1.0 + 10f64.powf(-f64::from(cp) / 400.0))
}

/// Win, draw and loss in thousandths, from the side that the score is for; together 1000.
///
/// A score means the [`expected`] share e of the point. How much of it comes from
/// draws is taken from the simplest model with that mean: the share of two independent halves of a point,
/// each got with chance e. So wins are e², draws 2e(1 - e), losses (1 - e)². A mate is certain.
pub fn wdl(score: Score) -> [u32; 3] {
    let expected = match Shown::from(score) {
        Shown::Centipawns(cp) => expected(cp),
        Shown::Mate(_) => f64::from(u8::from(score > 0)),
    };
    let thousandths = |share: f64| (share * share * 1000.0).round() as u32;
    let (win, loss) = (thousandths(expected), thousandths(1.0 - expected));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_engine::{MATE, MATE_IN_MAX};

    #[test]
    fn parts_of_a_thousand_with_the_right_mean() {
        for score in -MATE_IN_MAX + 1..MATE_IN_MAX {
            let [win, draw, loss] = wdl(score);
            assert_eq!(win + draw + loss, 1000, "{score}");
            let mean = (f64::from(win) + f64::from(draw) / 2.0) / 1000.0;
            let expected = 1.0 / (1.0 + 10f64.powf(-f64::from(score) / 400.0));
            assert!((mean - expected).abs() < 0.001, "{score}: {mean}");
            assert_eq!(wdl(-score), [loss, draw, win]);
        }
        assert_eq!(wdl(0), [250, 500, 250]);
    }

    #[test]
    fn mates_are_certain() {
        assert_eq!(wdl(MATE - 5), [1000, 0, 0]);
        assert_eq!(wdl(4 - MATE), [0, 0, 1000]);
        assert_eq!(wdl(-MATE), [0, 0, 1000]);
    }
}
