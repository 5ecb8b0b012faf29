//! How positions of a table are indexed: the pair of kings up to symmetry, then the other men, identical men
//! in order.

use hexmate_movegen::{PAWN, Side};

use crate::geometry::NOWHERE;
use crate::material::{MOST_MEN, Man, Material};
use crate::rules::Rules;
use crate::symmetry::Symmetry;

/// The cells of the men of a table, in the order of [`Material::list`]; unused entries are 0.
pub(crate) type Cells = [u8; MOST_MEN];

/// No pair of kings.
const NO_PAIR: u32 = u32::MAX;

/// Men of one kind and side, which are interchangeable.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Their places in the list of men.
    pub first: usize,
    pub count: usize,
    /// The number of each cell among those they may stand on.
    places: Vec<u8>,
    /// Every way to place them.
    pub ways: Vec<Cells>,
    /// The product of the ways of all later groups.
    pub stride: usize,
}

impl Group {
    /// The places of its men in the list of men.
    pub fn men(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    /// Every way to place all men but one, in the order of [`Group::way`].
    pub fn ways_of_others(&self) -> Vec<Cells> {
        ways(&self.domain(), self.count - 1)
    }

    /// A group for each of its men.
    pub fn apart(&self) -> Vec<Group> {
        let alone = |first| Group {
            first,
            count: 1,
            places: self.places.clone(),
            ways: ways(&self.domain(), 1),
            stride: 1,
        };
        self.men().map(alone).collect()
    }

    /// The cells on which they may stand.
    fn domain(&self) -> Vec<u8> {
        let all = (0..).zip(&self.places);
        all.filter(|&(_, &place)| place != NOWHERE)
            .map(|(cell, _)| cell)
            .collect()
    }

    /// The number of the way to place some of these men, in any order; `None` if one stands where it may not,
    /// or on another.
    #[inline(always)]
    pub fn way(&self, cells: &[u8]) -> Option<usize> {
        let mut places = [NOWHERE; MOST_MEN];
        for (place, &cell) in places.iter_mut().zip(cells) {
            *place = self.places[usize::from(cell)];
        }
        if let [cell] = cells {
            let place = self.places[usize::from(*cell)];
            return (place != NOWHERE).then_some(usize::from(place));
        }
        let places = &mut places[..cells.len()];
        places.sort_unstable();
        way(places).filter(|_| places.last() != Some(&NOWHERE))
    }
}

/// How the positions of a table are indexed.
#[derive(Debug)]
pub(crate) struct Layout {
    men: Vec<Man>,
    size: usize,
    /// Where each symmetry of the material maps each cell.
    symmetries: Vec<Box<[u8]>>,
    /// Pairs of kings, White's first: one of each class.
    pairs: Vec<[u8; 2]>,
    /// The class of each pair, and the symmetry that maps it to the representative.
    pair_of: Vec<(u32, u8)>,
    /// For each class, the symmetries other than the identity that keep its pair in place.
    keepers: Vec<Vec<u8>>,
    groups: Vec<Group>,
    /// The product of the ways of all groups.
    ways: usize,
}

impl Layout {
    pub fn new(rules: &Rules, material: &Material) -> Self {
        let men = material.list();
        let keeps = |man: &Man| {
            let kind = man.kind;
            move |s: &Symmetry| s.kinds[usize::from(kind)] == Some(kind)
        };
        let symmetries: Vec<Box<[u8]>> = (rules.symmetries.iter())
            .filter(|s| !material.has_pawns() || s.keeps_pawns)
            .filter(|s| men.iter().all(|man| keeps(man)(s)))
            .map(|s| s.cells.clone())
            .collect();
        let mut layout = Layout {
            size: rules.size(),
            symmetries,
            pairs: Vec::new(),
            pair_of: vec![(NO_PAIR, 0); rules.size() * rules.size()],
            keepers: Vec::new(),
            groups: Vec::new(),
            ways: 1,
            men,
        };
        layout.number_pairs(rules);
        layout.group(rules);
        layout
    }

    fn number_pairs(&mut self, rules: &Rules) {
        let cells = || 0..rules.size() as u8;
        let inverses: Vec<u8> = (0..self.symmetries.len())
            .map(|s| self.inverse(s) as u8)
            .collect();
        for white in cells() {
            for black in cells().filter(|&black| rules.kings_stand(white, black)) {
                if self.pair_of[self.pair_index(white, black)].0 != NO_PAIR {
                    continue;
                }
                let class = self.pairs.len() as u32;
                self.pairs.push([white, black]);
                self.keepers.push(Vec::new());
                // The way from the image back to the pair is the inverse, another symmetry of the group.
                for (s, &back) in inverses.iter().enumerate() {
                    let image = |cell: u8| self.symmetries[s][usize::from(cell)];
                    let (w, b) = (image(white), image(black));
                    let at = self.pair_index(w, b);
                    if self.pair_of[at].0 == NO_PAIR {
                        self.pair_of[at] = (class, back);
                    } else if (w, b) == (white, black) {
                        self.keepers[class as usize].push(s as u8);
                    }
                }
            }
        }
    }

    /// The inverse of a symmetry.
    pub fn inverse(&self, s: usize) -> usize {
        let undone = |t: &[u8]| {
            let mut cells = 0..self.size;
            cells.all(|c| usize::from(t[usize::from(self.symmetries[s][c])]) == c)
        };
        let found = self.symmetries.iter().position(|t| undone(t));
        found.expect("symmetries are a group")
    }

    #[inline(always)]
    fn pair_index(&self, white: u8, black: u8) -> usize {
        usize::from(white) * self.size + usize::from(black)
    }

    fn group(&mut self, rules: &Rules) {
        let mut first = 2;
        while first < self.men.len() {
            let man = self.men[first];
            let count = self.men[first..].iter().take_while(|&&m| m == man).count();
            let stands = |cell: &u8| {
                let cell = usize::from(*cell);
                if man.kind == PAWN {
                    !rules.geometry.pawns[man.side as usize].promotion[cell]
                } else {
                    rules.geometry.stands[usize::from(man.kind)][cell]
                }
            };
            let domain: Vec<u8> = (0..rules.size() as u8).filter(stands).collect();
            let mut places = vec![NOWHERE; rules.size()];
            for (place, &cell) in domain.iter().enumerate() {
                places[usize::from(cell)] = place as u8;
            }
            self.groups.push(Group {
                first,
                count,
                places,
                ways: ways(&domain, count),
                stride: 1,
            });
            first += count;
        }
        for group in self.groups.iter_mut().rev() {
            group.stride = self.ways;
            self.ways *= group.ways.len();
        }
    }

    /// How many positions there are for each side to move, valid or not.
    pub fn positions(&self) -> usize {
        self.pairs.len() * self.ways
    }

    /// Where each symmetry of the material maps each cell.
    pub fn symmetries(&self) -> &[Box<[u8]>] {
        &self.symmetries
    }

    /// The pairs of kings, White's first: one of each class, in index order.
    pub fn pairs(&self) -> &[[u8; 2]] {
        &self.pairs
    }

    /// The class of a pair of kings, and the symmetry that maps it to the representative.
    pub fn class_of(&self, white: u8, black: u8) -> Option<(usize, usize)> {
        let (class, symmetry) = self.pair_of[self.pair_index(white, black)];
        (class != NO_PAIR).then_some((class as usize, usize::from(symmetry)))
    }

    /// The symmetries other than the identity that keep the pair of kings of a class in place.
    pub fn keepers(&self, class: usize) -> &[u8] {
        &self.keepers[class]
    }

    /// The men other than the kings, in groups of identical ones.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// How many positions a class has.
    pub fn ways(&self) -> usize {
        self.ways
    }

    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// The men of a side, as their places in the list: the king first.
    pub fn of_side(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        (0..self.men.len()).filter(move |&i| self.men[i].side == side)
    }

    /// The index of a position; `None` if the kings touch, or a man stands where it may not, or on an
    /// identical one.
    #[inline]
    pub fn index(&self, cells: &Cells) -> Option<usize> {
        let (class, s) = self.pair_of[self.pair_index(cells[0], cells[1])];
        if class == NO_PAIR {
            return None;
        }
        let moved = self.moved(cells, &self.symmetries[usize::from(s)]);
        let mut index = self.placed(&moved)?;
        for &keeper in &self.keepers[class as usize] {
            let again = self.moved(&moved, &self.symmetries[usize::from(keeper)]);
            index = index.min(self.placed(&again)?);
        }
        Some(class as usize * self.ways + index)
    }

    #[inline(always)]
    fn moved(&self, cells: &Cells, symmetry: &[u8]) -> Cells {
        let mut moved = [0; MOST_MEN];
        for (to, &from) in moved.iter_mut().zip(cells).take(self.men.len()) {
            *to = symmetry[usize::from(from)];
        }
        moved
    }

    /// The number of the placement of all men other than the kings.
    #[inline(always)]
    pub fn placed(&self, cells: &Cells) -> Option<usize> {
        let mut index = 0;
        for group in &self.groups {
            let way = group.way(&cells[group.men()])?;
            index += way * group.stride;
        }
        Some(index)
    }

    /// The men's cells in the position with this index, which may be invalid.
    #[inline]
    pub fn cells(&self, index: usize) -> Cells {
        let [white, black] = self.pairs[index / self.ways];
        let mut rest = index % self.ways;
        let mut cells = [0; MOST_MEN];
        (cells[0], cells[1]) = (white, black);
        for group in &self.groups {
            let way = &group.ways[rest / group.stride];
            rest %= group.stride;
            cells[group.first..group.first + group.count].copy_from_slice(&way[..group.count]);
        }
        cells
    }

    /// How many positions on the board this one represents; 0 if another one represents it.
    pub fn weight(&self, index: usize, cells: &Cells) -> usize {
        let class = index / self.ways;
        let keepers = &self.keepers[class];
        if keepers.is_empty() {
            return self.symmetries.len();
        }
        let own = index % self.ways;
        let mut same = 1;
        for &keeper in keepers {
            match self.placed(&self.moved(cells, &self.symmetries[usize::from(keeper)])) {
                Some(other) if other < own => return 0,
                Some(other) => same += usize::from(other == own),
                None => return 0,
            }
        }
        self.symmetries.len() / same
    }
}

/// Every set of `count` of the cells, in the order of [`way`].
fn ways(domain: &[u8], count: usize) -> Vec<Cells> {
    let Some(count) = count.checked_sub(1) else {
        return vec![[0; MOST_MEN]];
    };
    let mut all = Vec::new();
    for last in 0..domain.len() {
        for mut way in ways(&domain[..last], count) {
            way[count] = domain[last];
            all.push(way);
        }
    }
    all
}

/// The number of a set of places in ascending order (combinatorial number system); `None` if two are equal.
#[inline]
fn way(places: &[u8]) -> Option<usize> {
    if places.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let mut number = 0;
    for (i, &place) in places.iter().enumerate() {
        let mut choose = 1;
        for j in 0..=i {
            choose = choose * usize::from(place).saturating_sub(j) / (j + 1);
        }
        number += choose;
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{Chromatic4, Glinski};

    #[test]
    fn ways_come_back() {
        let domain: Vec<u8> = (0..20).collect();
        for count in 1..=4 {
            let all = ways(&domain, count);
            for (number, cells) in all.iter().enumerate() {
                assert_eq!(way(&cells[..count]), Some(number), "{cells:?}");
            }
        }
        assert_eq!(way(&[3, 3]), None);
    }

    fn layout(rules: &Rules, text: &str) -> Layout {
        Layout::new(rules, &Material::parse(rules, text).unwrap())
    }

    #[test]
    fn numbers_come_back_and_weights_add_up() {
        let rules = Rules::of(Glinski);
        for text in ["KQK", "KBBK", "KPK", "KRKN"] {
            let layout = layout(&rules, text);
            let mut sum = 0;
            for index in 0..layout.positions() {
                let cells = layout.cells(index);
                let weight = layout.weight(index, &cells);
                assert_eq!(
                    layout.index(&cells) == Some(index),
                    weight > 0,
                    "{text} {index}"
                );
                sum += weight;
            }
            let pairs = (0..91u8).flat_map(|w| (0..91u8).map(move |b| (w, b)));
            let pairs = pairs.filter(|&(w, b)| rules.kings_stand(w, b)).count();
            let ways = match text {
                "KQK" => 91,
                "KPK" => 80,
                "KBBK" => 91 * 90 / 2,
                _ => 91 * 91,
            };
            assert_eq!(sum, pairs * ways, "{text}");
        }
    }

    #[test]
    fn groups_are_as_large_as_the_pieces_allow() {
        let rules = Rules::of(Glinski);
        assert_eq!(layout(&rules, "KQK").symmetries().len(), 12);
        assert_eq!(layout(&rules, "KPK").symmetries().len(), 2);
        let rules = Rules::of(Chromatic4);
        assert_eq!(layout(&rules, "KQKN").symmetries().len(), 12);
        assert_eq!(layout(&rules, "KBK").symmetries().len(), 4);
        // Two colours of four: about half of the cells.
        let ways = layout(&rules, "KSK").groups[0].ways.len();
        assert!((80..90).contains(&ways), "{ways}");
    }
}
