//! The positions of a table without pawns, block by block.
//!
//! A block has the positions of one class of pairs of kings, one for each way to place the other men. These
//! move within the block, by strides. A king's move leads from all positions of a block to those of one other
//! block, transformed by a symmetry that is the same for all of them. So no index is ever computed from
//! scratch.
//!
//! A block is a matrix: a row for each way to place the men of all groups but the last, a column for each way
//! to place those of the last. The module `rows` says what that is good for.
//!
//! Where symmetries keep the pair of kings in place, a block holds equal positions several times. In a file
//! only the first of them has a value; here all have one, so that moves may lead to any of them. For the same
//! reason the two men of a pair of identical men, if there are no others, are told apart here: one makes the
//! rows, the other the columns.

use hexmate_movegen::{KING, Kind, PAWN, Side};

use crate::layout::{Cells, Group};
use crate::material::MOST_MEN;
use crate::moves::{Game, NONE};
use crate::parallel;
use crate::value::Code;

/// A man other than a king.
pub(crate) struct Mover {
    /// Its place in the list of men.
    pub man: usize,
    pub kind: Kind,
    group: usize,
    /// For each way to place the other men of its group, and each cell, in rows of the board's size: what the
    /// group adds to the way of its part if this man is there.
    ways: Vec<u32>,
}

/// The men of some groups, and all ways to place them together.
pub(crate) struct Part {
    /// Their places in the list of men.
    pub men: std::ops::Range<usize>,
    /// Their cells for each way.
    pub ways: Vec<Cells>,
    pub movers: [Vec<Mover>; 2],
    /// For each cell, the ways in which one of them stands there, and which one.
    pub standing: Vec<Vec<(u32, u8)>>,
    /// What each symmetry of the table makes of each way.
    turned: Vec<Vec<u32>>,
}

/// Where a king's move leads from a block.
pub(crate) struct KingMove {
    /// The king's cell after the move.
    pub to: u8,
    /// The block that it leads to.
    pub block: usize,
    /// The symmetry that transforms a position on its way there, and the one that transforms it back.
    pub there: usize,
    pub back: usize,
}

/// The blocks of a table and how they are connected.
pub(crate) struct Blocks<'g> {
    pub game: &'g Game,
    /// The groups of men; not those of the table if they are a pair to be told apart.
    groups: Vec<Group>,
    /// That of the rows, and that of the columns.
    pub parts: [Part; 2],
    /// For each side to move and block.
    kings: [Vec<Vec<KingMove>>; 2],
}

impl<'g> Blocks<'g> {
    /// The blocks of a table; `None` if it has pawns or nothing but kings, or if kings move more than one cell at a
    /// time, which no game has.
    pub fn new(game: &'g Game) -> Option<Self> {
        let one_step = |cell: u8| game.rules.paths(KING, cell).all(|path| path.len() == 1);
        let has_pawns = game.layout.men().iter().any(|man| man.kind == PAWN);
        let has_others = !game.layout.groups().is_empty();
        let is_fit = has_others && !has_pawns && (0..game.rules.size() as u8).all(one_step);
        is_fit.then(|| {
            let groups = match game.layout.groups() {
                [pair] if pair.count == 2 => pair.apart(),
                groups => groups.to_vec(),
            };
            let last = groups.len() - 1;
            Blocks::split(game, groups, last)
        })
    }

    /// The blocks whose rows are the ways of this many groups.
    pub fn split(game: &'g Game, groups: Vec<Group>, rows: usize) -> Self {
        let kings = Side::each(|side| {
            let blocks = 0..game.layout.pairs().len();
            blocks.map(|block| king_moves(game, side, block)).collect()
        });
        let parts = [0..rows, rows..groups.len()];
        Blocks {
            game,
            parts: parts.map(|of| Part::new(game, &groups, of)),
            groups,
            kings,
        }
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.game.layout.pairs().len()
    }

    /// How many rows and columns a block has. The number of a position within its block is its row times the
    /// number of columns plus its column.
    pub fn shape(&self) -> (usize, usize) {
        (self.parts[0].ways.len(), self.parts[1].ways.len())
    }

    /// An upper limit for the moves of a side in a position, captures excluded.
    pub fn most_moves(&self, side: Side) -> usize {
        let rules = &self.game.rules;
        let men = self.game.layout.of_side(side);
        let kinds = men.map(|man| self.game.layout.men()[man].kind);
        let most = kinds.map(|kind| {
            let cells = 0..rules.size() as u8;
            let moves = cells.map(|cell| rules.paths(kind, cell).map(<[u8]>::len).sum::<usize>());
            moves.max().unwrap_or(0)
        });
        most.sum()
    }

    /// Where the king of the side to move may go from a block. If it meets another man, that leads to a
    /// number without a position.
    pub fn king_moves(&self, side: Side, block: usize) -> &[KingMove] {
        &self.kings[side as usize][block]
    }

    /// What a symmetry makes of each row and of each column.
    pub fn turns(&self, symmetry: usize) -> [&[u32]; 2] {
        self.parts.each_ref().map(|part| &part.turned[symmetry][..])
    }

    /// How many positions a block has.
    pub fn ways(&self) -> usize {
        self.parts[0].ways.len() * self.parts[1].ways.len()
    }

    /// The cells of all men of a position, given by its number within its block.
    pub fn cells(&self, block: usize, at: usize) -> Cells {
        let (_, columns) = self.shape();
        let mut cells = self.parts[0].ways[at / columns];
        [cells[0], cells[1]] = self.game.layout.pairs()[block];
        self.parts[1].place(at % columns, &mut cells);
        cells
    }

    /// The index of a position in the table; `None` if two identical men stand on one cell.
    pub fn number(&self, block: usize, at: usize) -> Option<usize> {
        let placed = self.game.layout.placed(&self.cells(block, at));
        placed.map(|placed| block * self.game.layout.ways() + placed)
    }

    /// Whether a pair of men is told apart, so that numbers are not those of the table.
    fn is_apart(&self) -> bool {
        self.ways() != self.game.layout.ways()
    }

    /// From the order of the table to the order used here.
    pub fn unfolded<T: Copy + Send + Sync>(&self, of_table: Vec<T>, none: T) -> Vec<T> {
        if !self.is_apart() {
            return of_table;
        }
        let ways = self.ways();
        parallel::all(self.len() * ways, &|i| {
            let number = self.number(i / ways, i % ways);
            number.map_or(none, |number| of_table[number])
        })
    }

    /// The inverse of [`Blocks::unfolded`].
    pub fn folded<T: Copy + Send + Sync>(&self, here: Vec<T>) -> Vec<T> {
        if !self.is_apart() {
            return here;
        }
        let (layout, (_, columns)) = (&self.game.layout, self.shape());
        parallel::all(layout.positions(), &|number| {
            let cells = layout.cells(number);
            let ways = self
                .groups
                .iter()
                .map(|group| group.way(&cells[group.men()]));
            let at = ways.fold(0, |at, way| at * columns + way.unwrap_or(0));
            here[number / layout.ways() * self.ways() + at]
        })
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self, side: Side, block: usize, at: usize) -> bool {
        self.game.in_check(side, &self.cells(block, at))
    }

    /// For each cell, what a man's group adds to the way of its part if the man is there.
    #[inline(always)]
    pub fn ways_of<'m>(&self, mover: &'m Mover, cells: &Cells) -> &'m [u32] {
        let size = self.game.rules.size();
        let group = &self.groups[mover.group];
        let others = if group.count == 1 {
            0
        } else {
            let others = others(group, mover.man, cells);
            // No position has two men on one cell.
            group.way(&others[..group.count - 1]).unwrap_or(0)
        };
        &mover.ways[others * size..][..size]
    }

    /// Calls `visit` with the man and its victim for each capture, legal or not.
    pub fn captures(&self, side: Side, cells: &Cells, mut visit: impl FnMut(usize, usize)) {
        let (rules, layout) = (&self.game.rules, &self.game.layout);
        let occupied = self.game.occupied(cells);
        for victim in layout.of_side(side.other()).filter(|&man| man >= 2) {
            for man in layout.of_side(side) {
                let (kind, from, to) = (layout.men()[man].kind, cells[man], cells[victim]);
                if rules.sees(kind, from, to) && self.game.reaches(kind, from, to, occupied) {
                    visit(man, victim);
                }
            }
        }
    }

    /// The code, in another table, of the position after a capture.
    pub fn after_capture(&self, side: Side, cells: &Cells, man: usize, victim: usize) -> Code {
        let mut next = *cells;
        next[man] = cells[victim];
        self.game.beyond(NONE, PAWN, victim, side.other(), &next)
    }
}

impl Part {
    fn new(game: &Game, all: &[Group], groups: std::ops::Range<usize>) -> Part {
        let layout = &game.layout;
        let of = &all[groups.clone()];
        let mut ways = vec![[0; MOST_MEN]];
        for group in of {
            let placed = |cells: &Cells, way: &Cells| {
                let mut cells = *cells;
                cells[group.men()].copy_from_slice(&way[..group.count]);
                cells
            };
            let all = ways.iter();
            ways = all
                .flat_map(|cells| group.ways.iter().map(move |way| placed(cells, way)))
                .collect();
        }
        let men = match of {
            [] => 0..0,
            [first, ..] => first.first..of[of.len() - 1].men().end,
        };
        let mut standing = vec![Vec::new(); game.rules.size()];
        for (way, cells) in ways.iter().enumerate() {
            for man in men.clone() {
                standing[usize::from(cells[man])].push((way as u32, man as u8));
            }
        }
        let movers = Side::each(|side| {
            let own = layout.of_side(side).filter(|man| men.contains(man));
            own.map(|man| Mover::new(game, all, groups.clone(), man))
                .collect()
        });
        Part {
            turned: layout.symmetries().iter().map(|s| turned(of, s)).collect(),
            men,
            ways,
            movers,
            standing,
        }
    }

    /// Places its men in one of their ways.
    #[inline(always)]
    pub fn place(&self, way: usize, cells: &mut Cells) {
        for man in self.men.clone() {
            cells[man] = self.ways[way][man];
        }
    }
}

impl Mover {
    /// A man of a part, given the part's groups.
    fn new(game: &Game, of: &[Group], groups: std::ops::Range<usize>, man: usize) -> Mover {
        let mut group = groups.start;
        while !of[group].men().contains(&man) {
            group += 1;
        }
        let behind: usize = of[group + 1..groups.end]
            .iter()
            .map(|g| g.ways.len())
            .product();
        let mut ways = Vec::new();
        for others in of[group].ways_of_others() {
            for cell in 0..game.rules.size() as u8 {
                let mut cells = others;
                cells[of[group].count - 1] = cell;
                let way = of[group].way(&cells[..of[group].count]);
                ways.push((way.unwrap_or(0) * behind) as u32);
            }
        }
        Mover {
            man,
            kind: game.layout.men()[man].kind,
            group,
            ways,
        }
    }
}

/// What a symmetry makes of the ways to place some groups.
fn turned(groups: &[Group], symmetry: &[u8]) -> Vec<u32> {
    groups.iter().fold(vec![0], |before, group| {
        let turned = group.ways.iter().map(|way| {
            let cells = way.map(|cell| symmetry[usize::from(cell)]);
            let way = group.way(&cells[..group.count]);
            way.expect("symmetries keep men where they may stand") as u32
        });
        let turned: Vec<u32> = turned.collect();
        let all = before.iter().map(|way| way * group.ways.len() as u32);
        all.flat_map(|way| turned.iter().map(move |own| way + own))
            .collect()
    })
}

/// The cells of the other men of a group.
#[inline(always)]
fn others(group: &Group, man: usize, cells: &Cells) -> Cells {
    let mut others = [0; MOST_MEN];
    let all = group.men().filter(|&other| other != man);
    for (to, other) in others.iter_mut().zip(all) {
        *to = cells[other];
    }
    others
}

fn king_moves(game: &Game, side: Side, block: usize) -> Vec<KingMove> {
    let layout = &game.layout;
    let pair = layout.pairs()[block];
    let to = game.rules.paths(KING, pair[side as usize]).flatten();
    let moves = to.filter_map(|&to| {
        let mut next = pair;
        next[side as usize] = to;
        let (block, there) = layout.class_of(next[0], next[1])?;
        Some(KingMove {
            to,
            block,
            there,
            back: layout.inverse(there),
        })
    });
    moves.collect()
}
