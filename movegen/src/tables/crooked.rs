//! What is seen along crooked and short paths from one cell, by plain arithmetic instead of walking.
//!
//! A path of at most three cells is looked up by whether its first and second cells are occupied. The first blocker
//! of a longer one is found by obstruction difference, as on a straight line, which needs its cells in ascending or
//! descending order. If they are not, some of the cells are shifted up by the same few indices so that they are: a
//! zigzag that goes up a row and then back along it, for example, is ascending when every other cell counts two
//! more. Two paths are solved at once, a descending one below an ascending one.

use crate::sets::{Bits, Cell};

/// The longest path that is looked up.
const SHORT: usize = 3;

/// One crooked or short path from a cell.
pub(crate) struct CrookedPath<B> {
    /// Its cells in walking order.
    pub cells: Vec<Cell>,
    /// The same as a set.
    pub mask: B,
}

impl<B: Bits> CrookedPath<B> {
    pub fn new(cells: Vec<Cell>) -> Self {
        let mask = cells.iter().fold(B::EMPTY, |m, &c| m | B::of(c));
        CrookedPath { cells, mask }
    }

    /// The cells up to and including the first occupied one, by walking.
    #[inline(always)]
    pub fn seen(&self, occupied: B) -> B {
        if !(self.mask & occupied).any() {
            return self.mask;
        }
        let mut seen = B::EMPTY;
        for &cell in &self.cells {
            seen |= B::of(cell);
            if occupied.has(cell) {
                break;
            }
        }
        seen
    }

    /// The cells before `end`, which must be on the path.
    pub fn before(&self, end: Cell) -> B {
        let cells = self.cells.iter().take_while(|&&c| c != end);
        cells.fold(B::EMPTY, |m, &c| m | B::of(c))
    }
}

/// All crooked and short paths of one kind from one cell.
pub(crate) struct CrookedPaths<B> {
    pub paths: Vec<CrookedPath<B>>,
    short: Vec<ShortPath<B>>,
    straight: Vec<Pair<B>>,
    bent: Vec<BentPair<B>>,
    /// Paths that no shift puts in order: no game that the generator is compiled for has any.
    winding: Vec<CrookedPath<B>>,
}

/// A path that is looked up.
struct ShortPath<B> {
    /// Its cells without the last one, which blocks nothing; the first one twice if there is no second.
    stops: [Cell; 2],
    /// What is seen when neither is occupied, the second, the first, both.
    seen: [B; 4],
}

/// A descending path and an ascending one, all of whose cells are above those of the first.
struct Pair<B> {
    lower: B,
    upper: B,
}

/// Two paths that are in order when some of their cells are shifted up.
struct BentPair<B> {
    /// The cells that are shifted, where they stand on the board.
    moved: B,
    /// The cells that stay.
    stay: B,
    shift: u32,
    /// Both paths after that.
    pair: Pair<B>,
}

impl<B: Bits> Pair<B> {
    /// Both paths if the one lies below the other, else each by itself: a path may first go the other way.
    fn apart(self) -> Vec<Self> {
        let Pair { lower, upper } = self;
        if !lower.any() || !upper.any() || lower.cells().max() < upper.cells().min() {
            return vec![self];
        }
        let none = B::EMPTY;
        vec![Pair { lower, upper: none }, Pair { lower: none, upper }]
    }

    #[inline(always)]
    fn seen(&self, occupied: B) -> B {
        let (lower, upper) = (self.lower & occupied, self.upper & occupied);
        upper.obstruction_difference(lower) & (self.lower | self.upper)
    }
}

impl<B: Bits> BentPair<B> {
    #[inline(always)]
    fn seen(&self, occupied: B) -> B {
        let shifted = (occupied & self.moved).shift_up(self.shift);
        let seen = self.pair.seen((occupied & self.stay) | shifted);
        (seen & self.stay) | (seen.shift_down(self.shift) & self.moved)
    }

    /// The first shift that puts one path in descending and the other in ascending order.
    fn find(descending: &[Cell], ascending: &[Cell]) -> Option<Self> {
        (1..64).find_map(|shift| {
            // As small as possible, or for the descending path as large: that leaves most room for the next cell.
            let mut top = B::SIZE as u32;
            let mut lower = Vec::new();
            for &cell in descending {
                let cell = u32::from(cell);
                top = [cell + shift, cell].into_iter().find(|&c| c < top)?;
                lower.push(top);
            }
            let mut next = lower.first().map_or(0, |&highest| highest + 1);
            let mut upper = Vec::new();
            for &cell in ascending {
                let cell = u32::from(cell);
                let place = [cell, cell + shift].into_iter().find(|&c| c >= next)?;
                next = place + 1;
                upper.push(place);
            }
            if next as usize > B::SIZE {
                return None;
            }
            let set = |places: &[u32]| places.iter().fold(B::EMPTY, |s, &c| s | B::of(c as Cell));
            let (mut moved, mut stay) = (B::EMPTY, B::EMPTY);
            let both = descending.iter().chain(ascending);
            for (&cell, &place) in both.zip(lower.iter().chain(&upper)) {
                *(if u32::from(cell) == place {
                    &mut stay
                } else {
                    &mut moved
                }) |= B::of(cell);
            }
            Some(BentPair {
                moved,
                stay,
                shift,
                pair: Pair {
                    lower: set(&lower),
                    upper: set(&upper),
                },
            })
        })
    }
}

impl<B: Bits> ShortPath<B> {
    fn new(path: &CrookedPath<B>) -> Self {
        let first = path.cells[0];
        let stops = match path.cells.len() {
            SHORT => [first, path.cells[1]],
            _ => [first; 2],
        };
        let seen = [
            B::EMPTY,
            B::of(stops[1]),
            B::of(first),
            B::of(first) | B::of(stops[1]),
        ];
        ShortPath {
            stops,
            seen: seen.map(|occupied| path.seen(occupied)),
        }
    }

    #[inline(always)]
    fn seen(&self, occupied: B) -> B {
        let [first, second] = self.stops.map(|cell| usize::from(occupied.has(cell)));
        self.seen[2 * first + second]
    }
}

impl<B: Bits> CrookedPaths<B> {
    pub fn new(paths: Vec<CrookedPath<B>>) -> Self {
        let short = paths.iter().filter(|p| p.cells.len() <= SHORT);
        let short = short.map(ShortPath::new).collect();
        let long = paths.iter().filter(|p| p.cells.len() > SHORT);
        let (up, rest): (Vec<_>, Vec<_>) = long.partition(|p| p.cells.is_sorted());
        let (down, bent): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .partition(|p| p.cells.is_sorted_by(|a, b| a > b));
        let mask = |path: Option<&&CrookedPath<B>>| path.map_or(B::EMPTY, |p| p.mask);
        let pairs = (0..up.len().max(down.len())).map(|i| Pair {
            lower: mask(down.get(i)),
            upper: mask(up.get(i)),
        });
        let (bent, winding) = bent_pairs(bent.iter().map(|p| p.cells.as_slice()).collect());
        CrookedPaths {
            straight: pairs.flat_map(Pair::apart).collect(),
            bent,
            winding,
            short,
            paths,
        }
    }

    /// The cells that all paths show, blockers included.
    #[inline(always)]
    pub fn seen(&self, occupied: B) -> B {
        let mut seen = B::EMPTY;
        for path in &self.short {
            seen |= path.seen(occupied);
        }
        for pair in &self.straight {
            seen |= pair.seen(occupied);
        }
        for pair in &self.bent {
            seen |= pair.seen(occupied);
        }
        for path in &self.winding {
            seen |= path.seen(occupied);
        }
        seen
    }
}

/// Solves paths in pairs, where one shift serves both; those that no shift serves are left as they are.
fn bent_pairs<B: Bits>(mut paths: Vec<&[Cell]>) -> (Vec<BentPair<B>>, Vec<CrookedPath<B>>) {
    let (mut pairs, mut winding) = (Vec::new(), Vec::new());
    while let Some(path) = paths.pop() {
        let both = |other| BentPair::find(path, other).or_else(|| BentPair::find(other, path));
        let found = paths.iter().position(|other| both(other).is_some());
        let other = found.map_or(&[][..], |place| paths.remove(place));
        match both(other) {
            Some(pair) => pairs.push(pair),
            None => winding.push(CrookedPath::new(path.to_vec())),
        }
    }
    (pairs, winding)
}
