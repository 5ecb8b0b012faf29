//! Random numbers that are the same everywhere and in every version, so that a seed always means the same
//! openings.

use hexmate_movegen::{Game, Move, Position};

/// SplitMix64, by Guy Steele, Doug Lea and Christine Flood ("Fast splittable pseudorandom number
/// generators", 2014).
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not 0, by Lemire's multiplication (a bias below 2^-32 for the
    /// sizes here).
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// One of the legal moves of a position; `None` if there are none.
    pub fn legal_move<G: Game>(&mut self, position: &Position<G>) -> Option<Move> {
        let mut moves = position.legal_moves();
        // Which one is listed first depends on the processor's instructions.
        moves.sort_unstable();
        (!moves.is_empty()).then(|| moves[self.below(moves.len())])
    }

    /// Shuffles a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use hexmate_movegen::{Glinski, Record};

    use super::*;

    /// The reference stream of seed 1234567 (as in the Java and C versions).
    #[test]
    fn reference_stream() {
        let mut random = SplitMix64::new(1_234_567);
        let first = [random.next(), random.next(), random.next()];
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn a_seed_means_the_same_moves_everywhere() {
        let mut random = SplitMix64::new(1);
        let mut record = Record::new(Position::start_of(Glinski));
        for _ in 0..6 {
            let mv = random.legal_move(record.position()).unwrap();
            record.play(mv).unwrap();
        }
        let moves: Vec<String> = record.moves().iter().map(|mv| mv.text(Glinski)).collect();
        assert_eq!(moves.join(" "), "g1h2 f11e9 k1k2 e9f11 f2g3 f11e9");
    }

    #[test]
    fn shuffled_lists_keep_their_items() {
        let mut list: Vec<usize> = (0..100).collect();
        SplitMix64::new(5).shuffle(&mut list);
        assert_ne!(list, (0..100).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }
}
