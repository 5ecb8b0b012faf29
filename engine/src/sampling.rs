//! Positions that searches evaluate, sampled for training: what an evaluation has to know is what it is asked.

use hexmate_movegen::{Game, Position};

use crate::score::Score;

/// How positions are sampled while an engine searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// One evaluated position in this many is kept, on average; at least 1.
    pub one_in: u32,
    /// Which ones: the same seed and the same searches give the same positions.
    pub seed: u64,
}

/// A position that a search evaluated. Its side to move is not in check.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated<G: Game> {
    /// The position.
    pub position: Position<G>,
    /// Its static evaluation from the side to move, without what the search corrects in it.
    pub score: Score,
}

/// Collects positions for one thread.
pub(crate) struct Sampler<G: Game> {
    one_in: u64,
    random: u64,
    /// Evaluations to let pass before the next position is kept.
    left: u64,
    pub found: Vec<Evaluated<G>>,
}

impl<G: Game> Sampler<G> {
    pub fn new(sampling: Sampling) -> Self {
        let mut sampler = Sampler {
            one_in: u64::from(sampling.one_in.max(1)),
            random: sampling.seed,
            left: 0,
            found: Vec::new(),
        };
        sampler.wait();
        sampler
    }

    /// Takes notice of an evaluation.
    #[inline]
    pub fn note(&mut self, position: &Position<G>, score: Score) {
        if self.left > 0 {
            self.left -= 1;
        } else {
            self.keep(position, score);
        }
    }

    #[cold]
    fn keep(&mut self, position: &Position<G>, score: Score) {
        self.wait();
        if !position.in_check() {
            self.found.push(Evaluated {
                position: *position,
                score,
            });
        }
    }

    /// Chooses how many evaluations pass: 0 to `2 * (one_in - 1)`.
    fn wait(&mut self) {
        // SplitMix64 (Steele, Lea, Flood 2014).
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.left = (z ^ (z >> 31)) % (2 * self.one_in - 1);
    }
}
