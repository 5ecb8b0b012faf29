//! Path space: all paths of a cell side by side in a few 64-bit words.
//!
//! A word holds the cells of many paths, one bit a cell, each path a run of neighbouring bits in
//! walking order (a "lane"). With `first` the first bits of all lanes, `last` their last bits and `o`
//! the occupied cells, `x = o | last` has a bit in every lane, so `x - first` borrows in each lane up to
//! its first bit of `x` and no further, and `x ^ (x - first)` is every cell seen, blockers included: all
//! paths at once, straight or crooked, in two operations. Which lanes a piece owns is a mask.

use super::PerCell;
use crate::board::Board;
use crate::rules::spec::{GameSpec, MOST_KINDS, Path, Step};
use crate::rules::{self, Kind, LANE_BITS, Rules};
use crate::sets::{Bits, Cell, Row};

/// One word of lanes of one cell, and how to fill it from a set of occupied cells.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Lanes {
    /// For each bit the byte of the board's word in which its cell is.
    pub byte: [u8; LANE_BITS],
    /// For each bit the cell within that byte, as a one-bit mask. Bits of no path have the last cell of
    /// the word, which no board has.
    pub bit: [u8; LANE_BITS],
    /// The first bit of each lane.
    pub first: u64,
    /// The last bit of each lane.
    pub last: u64,
    /// For each kind the bits whose cells it reaches by this path and by no other one that comes
    /// before it, so that each cell is counted once.
    pub own: [u64; MOST_KINDS],
    /// For each bit its cell.
    pub cells: [Cell; LANE_BITS],
}

impl Lanes {
    fn empty<B: Bits>() -> Self {
        Lanes {
            byte: [((B::SIZE - 1) >> 3) as u8; LANE_BITS],
            bit: [1 << ((B::SIZE - 1) & 7); LANE_BITS],
            first: 0,
            last: 0,
            own: [0; MOST_KINDS],
            cells: [0; LANE_BITS],
        }
    }

    /// Appends a path and gives its bits.
    fn add(&mut self, used: &mut usize, cells: &[Cell]) -> u64 {
        let begin = *used;
        let mut bits = 0;
        for (i, &cell) in cells.iter().enumerate() {
            let place = begin + i;
            self.byte[place] = cell >> 3;
            self.bit[place] = 1 << (cell & 7);
            self.cells[place] = cell;
            bits |= 1u64 << place;
        }
        self.first |= 1 << begin;
        self.last |= 1 << (begin + cells.len() - 1);
        *used += cells.len();
        bits
    }

    /// The bits seen when the cells of `occupied` block.
    #[inline(always)]
    pub fn seen(&self, occupied: u64) -> u64 {
        let stops = occupied | self.last;
        stops ^ stops.wrapping_sub(self.first)
    }

    /// The same in one half of a split word, 0 or 1.
    #[inline(always)]
    pub fn seen_in_half(&self, half: usize, occupied: u32) -> u32 {
        let first = (self.first >> (32 * half)) as u32;
        let stops = occupied | (self.last >> (32 * half)) as u32;
        stops ^ stops.wrapping_sub(first)
    }

    /// The half of the word that has all bits of a piece, if one half has.
    #[inline(always)]
    pub fn half_of(own: u64) -> Option<usize> {
        if own >> 32 == 0 {
            Some(0)
        } else if own as u32 == 0 {
            Some(1)
        } else {
            None
        }
    }

    /// The bits of one lane from its first to `bit`, both included.
    #[inline(always)]
    pub fn up_to(&self, bit: u64) -> u64 {
        let firsts = self.first & (bit | (bit - 1));
        // The nearest first bit at or below: the highest one.
        let first = 1u64 << (63 - firsts.leading_zeros());
        (bit - first) | bit
    }

    /// The cells of these bits.
    pub fn set<B: Bits>(&self, bits: u64) -> B {
        ones(bits).fold(B::EMPTY, |set, i| set | B::of(self.cells[i]))
    }
}

/// The indices of the bits of a word.
#[inline(always)]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let index = word.trailing_zeros() as usize;
        word &= word - 1;
        Some(index)
    })
}

/// The lanes of a game.
pub(crate) struct LaneTables<G: Rules> {
    /// The number of words of each cell; none for a game from a file.
    words: usize,
    lanes: Box<PerCell<G, G::PerLaneWord<Lanes>>>,
    /// For each cell and class, the class's bits in its word.
    class_bits: Box<PerCell<G, G::PerClass<u64>>>,
}

/// A class while the tables are built: its kinds and its paths.
struct Plan {
    users: u16,
    paths: Vec<Path>,
}

impl Plan {
    fn kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        (0..MOST_KINDS as Kind).filter(|k| self.users >> k & 1 != 0)
    }
}

impl<G: Rules> LaneTables<G> {
    /// Copies the lanes that [`lay`] laid.
    pub fn of(words: usize, laid: &[CellLanes]) -> Self {
        let at = |cell: Cell| laid.get(usize::from(cell));
        LaneTables {
            words,
            lanes: G::Word::per_cell(|cell| {
                let lane = |word| at(cell)?.lanes.get(word).copied();
                Row::from_fn(|word| lane(word).unwrap_or_else(Lanes::empty::<G::Word>))
            }),
            class_bits: G::Word::per_cell(|cell| {
                let bits = |class| at(cell)?.class_bits.get(class).copied();
                Row::from_fn(|class| bits(class).unwrap_or(0))
            }),
        }
    }

    /// A word of lanes.
    #[inline(always)]
    pub fn lanes(&self, cell: Cell, word: usize) -> &Lanes {
        &G::Word::at(&self.lanes, cell).as_ref()[word]
    }

    /// The bits of a class around a cell, in the class's word.
    #[inline(always)]
    pub fn class_bits(&self, cell: Cell, class: usize) -> u64 {
        G::Word::at(&self.class_bits, cell).as_ref()[class]
    }

    /// The bytes that queries from all cells of the board may touch, and those of one query: the
    /// permutation, the masks of its lanes, and one word of what the kind owns.
    pub fn bytes(&self, cells: usize) -> (usize, usize) {
        let query = 2 * LANE_BITS + 3 * size_of::<u64>();
        (cells * self.words * query, query)
    }
}

/// The lanes around one cell: its words, and for each class its bits in its word.
pub(crate) struct CellLanes {
    lanes: Vec<Lanes>,
    class_bits: Vec<u64>,
}

/// Lays the lanes of a game, for each index of a cell; `leaps(kind, cell)` is what the kind reaches by leaps. None for a
/// game without path space.
///
/// # Panics
/// If the paths of a kind share cells in a way that queries would count twice: a mistake in a game's
/// data, found when its tests build the tables.
#[inline(never)] // once for each game in a process
pub(crate) fn lay<B: Bits>(
    plan: &rules::Plan,
    board: &Board,
    leaps: &dyn Fn(Kind, Cell) -> B,
    walk: &dyn Fn(Cell, &Path) -> Vec<Cell>,
) -> Vec<CellLanes> {
    let (pieces, layout) = (plan.rules.pieces, &plan.lanes);
    let stands =
        |kind: Kind, cell| pieces[usize::from(kind)].stands_on >> board.colour(cell) & 1 != 0;
    let walks = |plan: &Plan, cell: Cell| -> Vec<Vec<Cell>> {
        if !board.cells().contains(&cell) || !plan.kinds().any(|k| stands(k, cell)) {
            return Vec::new();
        }
        let here = |p: &&Path| p.from >> board.colour(cell) & 1 != 0;
        let walks = plan.paths.iter().filter(here).map(|p| walk(cell, p));
        walks.filter(|w| !w.is_empty()).collect()
    };
    let plans = plans(plan.rules);
    let words = layout.words;
    if words == 0 {
        return Vec::new();
    }
    let empty = |_| CellLanes {
        lanes: vec![Lanes::empty::<B>(); words],
        class_bits: vec![0; plans.len()],
    };
    let mut laid: Vec<CellLanes> = (0..B::SIZE).map(empty).collect();
    assert!(
        !board.cells().contains(&((B::SIZE - 1) as Cell)),
        "no board has the last cell of its word"
    );
    for &cell in board.cells() {
        let mut used = vec![0; words];
        let CellLanes { lanes, class_bits } = &mut laid[usize::from(cell)];
        let mut reached: Vec<B> = (0..pieces.len()).map(|k| leaps(k as Kind, cell)).collect();
        let walked: Vec<_> = plans.iter().map(|plan| walks(plan, cell)).collect();
        let bits = |class: usize| walked[class].iter().map(Vec::len).sum::<usize>();
        for (class, plan) in plans.iter().enumerate() {
            let word = layout.class_words[class];
            let before = reached.clone();
            let split = layout.split[word];
            if split && layout.class_words[..class].contains(&word) {
                assert!(
                    used[word] <= LANE_BITS / 2,
                    "the first class fits into its half"
                );
                used[word] = LANE_BITS / 2;
            }
            // Not across the middle, where there is room in the upper half.
            let rest = (class..plans.len()).filter(|&c| layout.class_words[c] == word);
            let rest: usize = rest.map(bits).sum();
            let place = used[word]..used[word] + bits(class);
            if place.contains(&(LANE_BITS / 2)) && rest <= LANE_BITS / 2 {
                used[word] = LANE_BITS / 2;
            }
            for cells in &walked[class] {
                let lanes = &mut lanes[word];
                let bits = lanes.add(&mut used[word], cells);
                class_bits[class] |= bits;
                for kind in plan.kinds().filter(|&k| stands(k, cell)) {
                    let kind = usize::from(kind);
                    assert!(
                        cells.iter().all(|&c| !before[kind].has(c)),
                        "two classes of paths of a kind, or a path and a leap, share a cell"
                    );
                    let own = count_once(bits, cells, &mut reached[kind]);
                    assert!(!split || own == bits, "a split word counts every cell");
                    lanes.own[kind] |= own;
                }
            }
        }
    }
    laid
}

/// The bits of a path whose cells were not reached before; marks those cells as reached.
fn count_once<B: Bits>(bits: u64, cells: &[Cell], reached: &mut B) -> u64 {
    let mut own = 0;
    for (i, (bit, &cell)) in ones(bits).zip(cells).enumerate() {
        if reached.has(cell) {
            // A first cell is always seen, so it does not matter which path counts it. A later one may be
            // seen along one path and not along the other.
            assert!(
                i == 0,
                "two paths of a kind share a cell that is not their first"
            );
        } else {
            own |= 1u64 << bit;
            *reached |= B::of(cell);
        }
    }
    own
}

/// The paths of each class, in the order of [`GameSpec::classes`].
fn plans(spec: &GameSpec) -> Vec<Plan> {
    let classes = spec.classes();
    let mut plans: Vec<Plan> = (0..classes.len)
        .map(|class| Plan {
            users: classes.get(class),
            paths: Vec::new(),
        })
        .collect();
    let mut directions: Vec<(Step, Path, u16)> = Vec::new();
    for (kind, piece) in spec.pieces.iter().enumerate() {
        for path in piece.paths.iter().filter(|p| p.is_straight()) {
            match directions.iter_mut().find(|(s, ..)| *s == path.steps[0]) {
                Some((_, _, users)) => *users |= 1 << kind,
                None => directions.push((path.steps[0], *path, 1 << kind)),
            }
        }
    }
    // Crooked paths come after the straight ones in the list of classes: search from either end.
    for (_, path, users) in directions {
        let plan = plans.iter_mut().find(|p| p.users == users);
        plan.expect("every line has a class").paths.push(path);
    }
    for (kind, piece) in spec.pieces.iter().enumerate() {
        let crooked = |p: &&Path| !p.is_straight() && !p.is_leap();
        let paths: Vec<Path> = piece.paths.iter().filter(crooked).copied().collect();
        if !paths.is_empty() {
            let plan = plans.iter_mut().rfind(|p| p.users == 1 << kind);
            plan.expect("every crooked kind has a class").paths = paths;
        }
    }
    plans
}
