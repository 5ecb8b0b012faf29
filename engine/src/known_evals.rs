//! Static evaluations of positions that one thread has met. The transposition table keeps those of nodes that were
//! searched; many more are pruned by their evaluation alone, and met again at the next depth.

use crate::score::Score;

/// A small table of evaluations by the keys of their positions. An evaluation depends on nothing else, so that the
/// table changes nothing but time.
#[derive(Clone, Debug)]
pub(crate) struct KnownEvals(Vec<u64>);

impl KnownEvals {
    /// Evaluations kept: few enough to stay in the processor's second cache.
    const SLOTS: usize = 1 << 14;
    /// The lower bits hold the score. They are also those that choose the slot, so that little of the key is lost.
    const SCORE: u64 = 0xffff;

    pub fn new() -> Self {
        KnownEvals(vec![0; Self::SLOTS])
    }

    /// The evaluation of the position with this key, found out unless it is known.
    #[inline]
    pub fn of(&mut self, key: u64, evaluate: impl FnOnce() -> Score) -> Score {
        let slot = &mut self.0[key as usize % Self::SLOTS];
        let upper = key & !Self::SCORE;
        if *slot & !Self::SCORE == upper {
            return Score::from(*slot as u16 as i16);
        }
        let score = evaluate();
        *slot = upper | u64::from(score as i16 as u16);
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_evaluated_again() {
        let mut known = KnownEvals::new();
        let (key, same_slot) = (0x0123_4567_89ab_cdef, 0xf123_4567_89ab_cdef);
        assert_eq!(known.of(key, || -31_000), -31_000);
        assert_eq!(known.of(key, || unreachable!()), -31_000);
        assert_eq!(known.of(same_slot, || 17), 17);
        assert_eq!(known.of(key, || 5), 5);
    }
}
