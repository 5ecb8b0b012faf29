//! The clock of the table: generations for ageing, and forgetting in constant time.
//!
//! Every entry carries the label of the generation that stored it: 1 to 63, used in a circle; 0
//! marks a slot never written. The labels in use since the table was last physically empty are a
//! run of the circle that ends at the current one, and the youngest part of this run is *live*:
//!
//! ```text
//!    unused     |  dead: forgotten  |  live: visible  |  unused
//!  . . . . . . .  d  d  d  d  d  d    l  l  l  current  . . . .
//!                 <----------- used ------------->
//!                                     <--- live --->
//! ```
//!
//! A new search takes the next label; when the whole circle is live, this is the label of the
//! oldest generation, whose entries then pass for current (an engine that ages by a few bits lives
//! with that). Forgetting takes the next label, too, and makes it the only live one. A new search
//! that runs into dead labels first has their entries physically removed; forgetting that finds all
//! labels used has the whole table cleared.
//!
//! That a forgotten table behaves as a fresh one follows from two facts. The rest of the crate sees
//! a label only through [`Generations::age`], and the age of an entry depends on the number of new
//! searches since the last forgetting or clearing and at the time of its storing, not on where on
//! the circle this began. And no entry has a live label except those stored since: a dead label
//! does not become live again before its entries are removed.

/// Labels on the circle, 1 to this.
const LABELS: u8 = 63;

/// The state of the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generations {
    /// The label that entries are stored with.
    current: u8,
    /// How many labels, up to the current one, entries in memory may carry.
    used: u8,
    /// How many labels, up to the current one, are visible.
    live: u8,
}

impl Generations {
    /// The clock of a table that is physically empty.
    pub const fn new() -> Self {
        Self {
            current: 1,
            used: 1,
            live: 1,
        }
    }

    /// The label that entries are stored with.
    #[inline]
    pub const fn current(&self) -> u8 {
        self.current
    }

    /// How many generations ago an entry with this label was stored, or `None` if it cannot be
    /// seen. At most 62.
    #[inline]
    pub const fn age(&self, label: u8) -> Option<u8> {
        let turn = if label > self.current { LABELS } else { 0 };
        let age = self.current + turn - label;
        if label != 0 && age < self.live {
            Some(age)
        } else {
            None
        }
    }

    /// Begins the next generation. If this answers `false`, nothing has changed: the invisible
    /// entries must first be removed from memory and [`Generations::swept`] be called.
    #[must_use]
    pub const fn advance(&mut self) -> bool {
        if self.used < LABELS {
            self.used += 1;
            self.live += 1;
        } else if self.live < LABELS {
            return false;
        }
        self.step();
        true
    }

    /// Makes all entries invisible. If this answers `false`, nothing has changed: no label is left,
    /// and the memory must be cleared and the clock made new.
    #[must_use]
    pub const fn forget(&mut self) -> bool {
        if self.used == LABELS {
            return false;
        }
        self.used += 1;
        self.live = 1;
        self.step();
        true
    }

    /// Whether an entry in memory may be invisible: some day it has to be removed.
    pub const fn has_dead(&self) -> bool {
        self.used > self.live
    }

    /// Notes that no invisible entry is left in memory.
    pub const fn swept(&mut self) {
        self.used = self.live;
    }

    const fn step(&mut self) {
        self.current = self.current % LABELS + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_circle_of_a_fresh_clock() {
        let mut clock = Generations::new();
        assert_eq!(clock.age(0), None);
        assert_eq!(clock.age(1), Some(0));
        assert_eq!(clock.age(2), None);
        for age in 1..=62 {
            assert!(clock.advance());
            assert_eq!(clock.age(1), Some(age));
            assert_eq!(clock.age(clock.current()), Some(0));
        }
        // All labels are live; the oldest becomes the newest.
        assert!(clock.advance());
        assert_eq!(clock.current(), 1);
        assert_eq!(clock.age(2), Some(62));
        assert_eq!(clock.age(0), None);
    }

    #[test]
    fn sixty_two_forgettings_between_clearings() {
        let mut clock = Generations::new();
        for _ in 0..62 {
            assert!(clock.forget());
        }
        assert!(!clock.forget());
        assert!(!clock.advance());
    }

    proptest! {
        /// Against a clock that is made new at every forgetting: all labels that entries can carry
        /// have the same age, and labels of forgotten entries have none.
        #[test]
        fn as_if_made_new(ops in prop::collection::vec(0..12u8, 0..600)) {
            let mut clock = Generations::new();
            let mut fresh = Generations::new();
            // For each label of `clock`: the label of `fresh` for the same entries, if visible.
            let mut memory = [None; 64];
            for op in ops {
                match op {
                    0 => {
                        fresh = Generations::new();
                        if !clock.forget() {
                            clock = Generations::new();
                            memory = [None; 64];
                        }
                        for twin in memory.iter_mut().flatten() {
                            *twin = 0;
                        }
                    }
                    1..4 => {
                        if !clock.advance() {
                            for label in 0..64 {
                                if clock.age(label).is_none() {
                                    memory[usize::from(label)] = None;
                                }
                            }
                            clock.swept();
                            prop_assert!(clock.advance());
                        }
                        prop_assert!(fresh.advance());
                    }
                    _ => memory[usize::from(clock.current())] = Some(fresh.current()),
                }
                prop_assert_eq!(clock.age(clock.current()), Some(0));
                for (label, twin) in (0..).zip(memory) {
                    if let Some(twin) = twin {
                        prop_assert_eq!(clock.age(label), fresh.age(twin));
                    }
                }
            }
        }
    }
}
