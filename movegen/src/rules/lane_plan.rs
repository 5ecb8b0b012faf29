//! Which 64-bit word of path space holds the paths of which class (see `tables/lanes.rs`). The build script works it out.

use super::spec::{MOST_CLASSES, MOST_KINDS};

/// Bits of a word of lanes.
pub(crate) const LANE_BITS: usize = 64;

/// The classes of paths that share a word of lanes.
#[derive(Clone, Copy, Debug)]
pub struct WordClasses {
    /// The number of classes.
    pub(crate) count: usize,
    /// The kinds that use any of them, bit k for kind k.
    pub(crate) users: u16,
    /// The first and the second class, and the kinds that use each (0 where there is none).
    pub(crate) classes: [usize; 2],
    pub(crate) class_users: [u16; 2],
}

/// For each class of paths its word, and for each word its classes.
#[derive(Clone, Copy, Debug)]
pub struct LanePlan {
    /// The number of words.
    pub(crate) words: usize,
    /// For each class its word.
    pub(crate) class_words: [usize; MOST_CLASSES],
    /// For each word whether it has exactly two classes, the paths of one in its lower and of the other in
    /// its upper half.
    pub(crate) split: [bool; MOST_CLASSES],
    /// For each word what it holds.
    pub(crate) word_classes: [WordClasses; MOST_CLASSES],
    /// For each kind the words in which it has paths, bit w for word w.
    pub(crate) kind_words: [u16; MOST_KINDS],
}

impl LanePlan {
    /// No path space at all.
    pub(crate) const NONE: LanePlan = LanePlan {
        words: 0,
        class_words: [0; MOST_CLASSES],
        split: [false; MOST_CLASSES],
        word_classes: [WordClasses {
            count: 0,
            users: 0,
            classes: [0; 2],
            class_users: [0; 2],
        }; MOST_CLASSES],
        kind_words: [0; MOST_KINDS],
    };
}
