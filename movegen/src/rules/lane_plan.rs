//! Which 64-bit word of path space holds the paths of which class (see `tables/lanes.rs`), worked out while
//! the program is compiled.

use super::derived::ConstList;
use super::spec::{BoardSpec, GameSpec, MOST_CLASSES, MOST_KINDS, Path, Step, UNLIMITED, skips};

/// Bits of a word of lanes.
pub(crate) const LANE_BITS: usize = 64;

/// The most cells that any word has room for.
const MOST_CELLS: usize = 256;

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

    /// Gives each class the first word that has room for its paths on every cell.
    ///
    /// # Panics
    /// If the paths of one class from one cell have more than 64 cells. Games are constants, so this is an
    /// error when the program is compiled.
    pub(crate) const fn of(spec: &GameSpec, capacity: usize) -> Self {
        let classes = spec.classes();
        let need = needs(spec, capacity, classes);
        let mut plan = LanePlan::NONE;
        let mut used = [[0; MOST_CELLS]; MOST_CLASSES];
        let mut class = 0;
        while class < classes.len {
            assert!(
                most(&need[class]) <= LANE_BITS,
                "the paths of a class fit into one word"
            );
            let mut word = 0;
            while !fits(&used[word], &need[class]) {
                word += 1;
            }
            if word == plan.words {
                plan.words += 1;
            }
            let mut cell = 0;
            while cell < MOST_CELLS {
                used[word][cell] += need[class][cell];
                cell += 1;
            }
            plan.class_words[class] = word;
            let held = &mut plan.word_classes[word];
            if held.count < 2 {
                held.classes[held.count] = class;
                held.class_users[held.count] = classes.get(class);
            }
            held.users |= classes.get(class);
            held.count += 1;
            let mut kind = 0;
            while kind < MOST_KINDS {
                plan.kind_words[kind] |= (classes.get(class) >> kind & 1) << word;
                kind += 1;
            }
            class += 1;
        }
        let mut word = 0;
        while word < plan.words {
            let held = plan.word_classes[word];
            let [first, second] = held.classes;
            plan.split[word] = held.count == 2
                && is_half(spec, first, &need[first])
                && is_half(spec, second, &need[second]);
            word += 1;
        }
        plan
    }
}

/// Whether a class may have half a word to itself: its paths always fit, and every kind that uses them counts
/// all of their cells, as is so for straight lines that touch every cell on their way.
const fn is_half(spec: &GameSpec, class: usize, need: &[u16; MOST_CELLS]) -> bool {
    let (axes, mut lines, mut i) = (spec.axes(), 0, 0);
    while i < axes.len {
        let (step, its_class) = axes.get(i);
        if its_class == class {
            lines += 1;
            if skips(step) {
                return false;
            }
        }
        i += 1;
    }
    lines > 0 && most(need) <= LANE_BITS / 2
}

const fn most(need: &[u16; MOST_CELLS]) -> usize {
    let (mut most, mut cell) = (0, 0);
    while cell < MOST_CELLS {
        if need[cell] > most {
            most = need[cell];
        }
        cell += 1;
    }
    most as usize
}

const fn fits(used: &[u16; MOST_CELLS], need: &[u16; MOST_CELLS]) -> bool {
    let mut cell = 0;
    while cell < MOST_CELLS {
        if (used[cell] + need[cell]) as usize > LANE_BITS {
            return false;
        }
        cell += 1;
    }
    true
}

/// For each class and cell the number of cells on all paths of the class from there.
const fn needs(
    spec: &GameSpec,
    capacity: usize,
    classes: ConstList<u16>,
) -> [[u16; MOST_CELLS]; MOST_CLASSES] {
    let mut need = [[0; MOST_CELLS]; MOST_CLASSES];
    let directions = spec.directions();
    let (width, height) = spec.board.extent();
    let mut place = 0;
    while place < width * height {
        let at = ((place % width) as i8, (place / width) as i8);
        place += 1;
        let Some(cell) = spec.board.index(capacity, at.0, at.1) else {
            continue;
        };
        let colour = 1 << spec.board.colour(at.0, at.1);
        let mut standing = 0;
        let mut kind = 0;
        while kind < spec.pieces.len() {
            if spec.pieces[kind].stands_on & colour != 0 {
                standing |= 1 << kind;
            }
            kind += 1;
        }
        let mut d = 0;
        while d < directions.len {
            let direction = directions.get(d);
            d += 1;
            if direction.from & colour != 0 && direction.users & standing != 0 {
                let class = classes.first(direction.users);
                need[class][cell] += length(&spec.board, at, &[direction.step], UNLIMITED);
            }
        }
        let mut kind = 0;
        while kind < spec.pieces.len() {
            let paths = spec.pieces[kind].paths;
            let users = 1 << kind;
            kind += 1;
            let mut p = 0;
            while p < paths.len() && users & standing != 0 {
                let Path { from, steps, reach } = paths[p];
                let crooked = !paths[p].is_straight() && !paths[p].is_leap();
                p += 1;
                if crooked && from & colour != 0 {
                    // Crooked paths come after the straight ones in the list of classes.
                    let class = classes.last(users);
                    need[class][cell] += length(&spec.board, at, steps, reach);
                }
            }
        }
    }
    need
}

/// The number of cells of a path before it leaves the board.
const fn length(board: &BoardSpec, from: (i8, i8), steps: &[Step], reach: u8) -> u16 {
    let (mut length, (mut a, mut y)) = (0, from);
    while length < reach as u16 {
        let step = steps[length as usize % steps.len()];
        (a, y) = (a + step.0, y + step.1);
        if !board.has(a, y) {
            break;
        }
        length += 1;
    }
    length
}
