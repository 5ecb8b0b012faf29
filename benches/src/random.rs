//! Random numbers that are the same in every run.

use hexmate_movegen::{Bits, BuiltIn};

/// The generator `splitmix64`.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn next_word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// One of the items; `None` if there are none.
    pub fn choose<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        let place = (u128::from(self.next_word()) * items.len() as u128) >> 64;
        items.get(place as usize)
    }
}

/// Sets of `pieces` random cells of a game's board (of all its cells, if it has fewer).
pub fn occupancies<G: BuiltIn>(seed: u64, number: usize, pieces: usize) -> Vec<G::Bits> {
    let mut random = Random::new(seed);
    let cells = G::GAME.tables().board.cells();
    let one = |_| {
        let mut set = G::Bits::EMPTY;
        while (set.count() as usize) < pieces.min(cells.len()) {
            set |= random
                .choose(cells)
                .map_or(G::Bits::EMPTY, |&c| G::Bits::of(c));
        }
        set
    };
    (0..number).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{Chromatic4, Glinski};

    #[test]
    fn occupancies_are_of_the_size_asked_for_and_on_the_board() {
        fn check<G: BuiltIn>() {
            let sets = occupancies::<G>(7, 10, 36);
            assert_eq!(sets.len(), 10);
            for set in &sets {
                assert_eq!(set.count(), 36);
                assert!(!(*set & !G::GAME.tables().all).any());
            }
            assert_eq!(sets, occupancies::<G>(7, 10, 36));
            assert_ne!(sets, occupancies::<G>(8, 10, 36));
            assert_eq!(occupancies::<G>(7, 1, 1000), [G::GAME.tables().all]);
        }
        check::<Glinski>();
        check::<Chromatic4>();
    }

    #[test]
    fn nothing_is_chosen_of_nothing() {
        assert_eq!(Random::new(1).choose::<u8>(&[]), None);
    }
}
