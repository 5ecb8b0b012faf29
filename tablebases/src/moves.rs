//! Moves and unmoves of the men of a table, on their cells alone.
//!
//! A move that captures or promotes leads to another table, through a [`Link`]. All other moves stay within
//! the table, and the table itself says whether they are legal: a position in which the side that has just
//! moved is in check is marked invalid.

use std::sync::Arc;

use hexmate_movegen::{KING, Kind, PAWN, Side};

use crate::geometry::Step;
use crate::layout::{Cells, Layout};
use crate::material::{MOST_MEN, Man, Material};
use crate::rules::Rules;
use crate::table::Table;
use crate::value::{Best, Code, DRAW, ILLEGAL, STALE, better};

/// A set of cells.
#[derive(Clone, Copy)]
pub(crate) struct Occupied([u64; 4]);

impl Occupied {
    #[inline(always)]
    pub fn has(self, cell: u8) -> bool {
        self.0[usize::from(cell >> 6)] >> (cell & 63) & 1 != 0
    }

    #[inline(always)]
    fn add(&mut self, cell: u8) {
        self.0[usize::from(cell >> 6)] |= 1 << (cell & 63);
    }
}

/// The way from a list of men to the table that has them.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// `None`: only the kings are left, which are a draw.
    table: Option<Arc<Table>>,
    /// Where each cell is mapped to.
    cells: Box<[u8]>,
    /// For each man of the table, its place in the list that the link starts from.
    places: [u8; MOST_MEN],
    exchanged: bool,
}

impl Link {
    /// The link from a list of men (kings first, White before Black) to the table for it; `None` if `find`
    /// has no such table.
    pub fn new(
        rules: &Rules,
        men: &[(usize, Man)],
        find: &dyn Fn(&Material) -> Option<Arc<Table>>,
    ) -> Option<Link> {
        let kinds = |side| {
            let own = men.iter().filter(move |m| m.1.side == side);
            own.map(|m| m.1.kind).filter(|&k| k != KING).collect()
        };
        let material = Material::new(Side::each(kinds));
        let canonical = material.canonical(rules);
        let (symmetry, exchanged) = rules
            .symmetries
            .iter()
            .flat_map(|s| [(s, false), (s, true)])
            .find(|&(s, exchanged)| material.image(s, exchanged).as_ref() == Some(&canonical))?;
        let mut left: Vec<(usize, Man)> = men.to_vec();
        let mut places = [0; MOST_MEN];
        for (place, wanted) in places.iter_mut().zip(canonical.list()) {
            let at = left.iter().position(|(_, man)| {
                let side = if exchanged {
                    man.side.other()
                } else {
                    man.side
                };
                symmetry.kinds[usize::from(man.kind)] == Some(wanted.kind) && side == wanted.side
            })?;
            *place = left.swap_remove(at).0 as u8;
        }
        Some(Link {
            table: if canonical.has_table(rules) {
                Some(find(&canonical)?)
            } else {
                None
            },
            cells: symmetry.cells.clone(),
            places,
            exchanged,
        })
    }

    /// The code of a position in the table.
    #[inline]
    pub fn code(&self, rules: &Rules, side: Side, cells: &Cells) -> Code {
        let Some(table) = &self.table else {
            return if rules.kings_stand(cells[0], cells[1]) {
                DRAW
            } else {
                ILLEGAL
            };
        };
        let mut moved = [0; MOST_MEN];
        for (to, &place) in moved.iter_mut().zip(&self.places).take(table.men()) {
            *to = self.cells[usize::from(cells[usize::from(place)])];
        }
        let side = if self.exchanged { side.other() } else { side };
        table.code(side, &moved)
    }

    pub fn table(&self) -> Option<&Arc<Table>> {
        self.table.as_ref()
    }
}

/// The codes of the table itself.
pub(crate) trait Lookup {
    /// The code at an index, for a side to move.
    fn at(&self, side: Side, index: usize) -> Code;
}

/// Where a move leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Child {
    /// To a position of the same table.
    Within(Code),
    /// To a position of another table, whose code is known.
    Beyond(Code),
}

/// The men of a table, how they move, and how their positions are indexed.
pub(crate) struct Game {
    pub rules: Arc<Rules>,
    pub layout: Layout,
    /// By the place of a promoting pawn, the kind it becomes, and the place of the captured man, see
    /// [`Game::link_index`].
    links: Vec<Option<Link>>,
    en_passant: bool,
}

/// No man is captured, or none promotes.
pub(crate) const NONE: usize = MOST_MEN;

impl Game {
    /// The men of some material; `find` must have every table that it depends on.
    pub fn new(
        rules: Arc<Rules>,
        material: &Material,
        find: &dyn Fn(&Material) -> Option<Arc<Table>>,
    ) -> Self {
        let layout = Layout::new(&rules, material);
        let kinds = rules.geometry.spec.pieces.len();
        let mut links = vec![None; (MOST_MEN + 1) * (MOST_MEN + 1) * kinds];
        let men = layout.men();
        let pawns = (0..men.len()).filter(|&i| men[i].kind == PAWN);
        for promoted in pawns.chain([NONE]) {
            let kinds = if promoted == NONE {
                PAWN..PAWN + 1
            } else {
                KING + 1..kinds as Kind
            };
            for kind in kinds {
                for captured in (2..men.len()).chain([NONE]) {
                    let mut left: Vec<(usize, Man)> = men.iter().copied().enumerate().collect();
                    if promoted != NONE {
                        left[promoted].1.kind = kind;
                    }
                    if captured != NONE {
                        left.remove(captured);
                    }
                    if captured != NONE || promoted != NONE {
                        let at = Self::link_index(&rules, promoted, kind, captured);
                        links[at] = Link::new(&rules, &left, find);
                    }
                }
            }
        }
        Game {
            en_passant: material.has_en_passant(&rules),
            rules,
            layout,
            links,
        }
    }

    #[inline(always)]
    fn link_index(rules: &Rules, promoted: usize, kind: Kind, captured: usize) -> usize {
        let row = promoted * (MOST_MEN + 1) + captured;
        row * rules.geometry.spec.pieces.len() + usize::from(kind)
    }

    /// The tables that moves lead to.
    pub fn links(&self) -> impl Iterator<Item = &Link> {
        self.links.iter().flatten()
    }

    #[inline(always)]
    pub fn occupied(&self, cells: &Cells) -> Occupied {
        let mut occupied = Occupied([0; 4]);
        for &cell in &cells[..self.layout.men().len()] {
            occupied.add(cell);
        }
        occupied
    }

    /// The cells of the kings and of some of the men; `None` if two stand on the same cell.
    #[inline(always)]
    pub fn occupied_by(&self, cells: &Cells, men: std::ops::Range<usize>) -> Option<Occupied> {
        let mut occupied = Occupied([0; 4]);
        for &cell in cells[..2].iter().chain(&cells[men]) {
            if occupied.has(cell) {
                return None;
            }
            occupied.add(cell);
        }
        Some(occupied)
    }

    #[inline(always)]
    fn man_on(&self, cells: &Cells, cell: u8) -> usize {
        let cells = &cells[..self.layout.men().len()];
        cells.iter().position(|&c| c == cell).unwrap_or(NONE)
    }

    /// Whether a position is valid: no two men on one cell, and the side that has just moved not in check.
    /// Positions that are invalid for other reasons have no index.
    pub fn is_valid(&self, side: Side, cells: &Cells) -> bool {
        let occupied = self.occupied_by(cells, 2..self.layout.men().len());
        occupied.is_some_and(|occupied| !self.attacks_king(side, cells, occupied))
    }

    /// Whether a man of the side attacks the other side's king.
    fn attacks_king(&self, side: Side, cells: &Cells, occupied: Occupied) -> bool {
        let king = cells[side.other() as usize];
        self.layout.of_side(side).any(|i| {
            let (kind, from) = (self.layout.men()[i].kind, cells[i]);
            if kind == PAWN {
                return self.rules.geometry.pawns[side as usize].captures[usize::from(from)]
                    .contains(&king);
            }
            self.rules.sees(kind, from, king) && self.reaches(kind, from, king, occupied)
        })
    }

    /// Whether a piece other than a pawn can move to an occupied cell.
    #[inline(always)]
    pub fn reaches(&self, kind: Kind, from: u8, to: u8, occupied: Occupied) -> bool {
        let mut paths = self.rules.paths(kind, from);
        paths.any(|path| path.iter().find(|&&c| occupied.has(c)) == Some(&to))
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self, side: Side, cells: &Cells) -> bool {
        self.attacks_king(side.other(), cells, self.occupied(cells))
    }

    #[inline(always)]
    fn within(&self, table: &impl Lookup, side: Side, cells: &Cells) -> Code {
        let index = self.layout.index(cells);
        index.map_or(ILLEGAL, |index| table.at(side, index))
    }

    /// The code of a position in another table; `promoted` and `captured` determine which table.
    #[inline(always)]
    pub fn beyond(
        &self,
        promoted: usize,
        kind: Kind,
        captured: usize,
        side: Side,
        cells: &Cells,
    ) -> Code {
        let link = &self.links[Self::link_index(&self.rules, promoted, kind, captured)];
        // Complete, except for promotions to kinds that no pawn promotes to.
        link.as_ref()
            .map_or(ILLEGAL, |link| link.code(&self.rules, side, cells))
    }

    /// Visits every move, legal or not, until `visit` returns `false`; returns whether it never did. Illegal
    /// moves lead to [`ILLEGAL`].
    #[inline]
    pub fn children(
        &self,
        table: &impl Lookup,
        side: Side,
        cells: &Cells,
        mut visit: impl FnMut(Child) -> bool,
    ) -> bool {
        let occupied = self.occupied(cells);
        let men = self.layout.men();
        for i in self.layout.of_side(side) {
            if men[i].kind == PAWN {
                if !self.pawn_children(table, side, cells, i, occupied, &mut visit) {
                    return false;
                }
                continue;
            }
            let mut next = *cells;
            for path in self.rules.paths(men[i].kind, cells[i]) {
                for &to in path {
                    next[i] = to;
                    if !occupied.has(to) {
                        if !visit(Child::Within(self.within(table, side.other(), &next))) {
                            return false;
                        }
                        continue;
                    }
                    let victim = self.man_on(cells, to);
                    if men[victim].side != side {
                        let code = self.beyond(NONE, PAWN, victim, side.other(), &next);
                        if !visit(Child::Beyond(code)) {
                            return false;
                        }
                    }
                    break;
                }
            }
        }
        true
    }

    fn pawn_children(
        &self,
        table: &impl Lookup,
        side: Side,
        cells: &Cells,
        i: usize,
        occupied: Occupied,
        visit: &mut impl FnMut(Child) -> bool,
    ) -> bool {
        let pawns = &self.rules.geometry.pawns[side as usize];
        let mut next = *cells;
        let barred = self.is_barred(side, cells, cells[i]);
        let steps = pawns.steps[usize::from(cells[i])].iter();
        for step in steps.filter(|_| !barred) {
            if occupied.has(step.cell) || step.crossed().any(|over| occupied.has(over)) {
                continue;
            }
            next[i] = step.cell;
            if pawns.promotion[usize::from(step.cell)] {
                for &kind in &self.rules.geometry.promotions[usize::from(step.cell)] {
                    let code = self.beyond(i, kind, NONE, side.other(), &next);
                    if !visit(Child::Beyond(code)) {
                        return false;
                    }
                }
                continue;
            }
            let mut code = self.within(table, side.other(), &next);
            for crossed in self.capturable(side, cells, step) {
                code = self.with_en_passant(table, code, side.other(), &next, i, crossed);
            }
            if !visit(Child::Within(code)) {
                return false;
            }
        }
        for &to in &pawns.captures[usize::from(cells[i])] {
            if !occupied.has(to) {
                continue;
            }
            let victim = self.man_on(cells, to);
            if self.layout.men()[victim].side == side {
                continue;
            }
            next[i] = to;
            let promoting = pawns.promotion[usize::from(to)];
            let kinds = if promoting {
                &self.rules.geometry.promotions[usize::from(to)]
            } else {
                &[PAWN][..]
            };
            for &kind in kinds {
                let promoted = if promoting { i } else { NONE };
                let code = self.beyond(promoted, kind, victim, side.other(), &next);
                if !visit(Child::Beyond(code)) {
                    return false;
                }
            }
        }
        true
    }

    /// The cells that a pawn crosses with this step and that an enemy pawn attacks.
    #[inline(always)]
    fn capturable<'a>(
        &'a self,
        side: Side,
        cells: &'a Cells,
        step: &Step,
    ) -> impl Iterator<Item = u8> + 'a {
        let crossed = step.crossed().filter(|_| self.en_passant);
        crossed.filter(move |&crossed| {
            let mut attackers = self.en_passant_attackers(side.other(), cells, crossed);
            attackers.next().is_some()
        })
    }

    /// Whether an enemy piece ahead bars all steps of a pawn on a cell.
    #[inline(always)]
    fn is_barred(&self, side: Side, cells: &Cells, cell: u8) -> bool {
        let barring = &self.rules.geometry.pawns[side as usize].barring;
        let Some(ahead) = barring.get(usize::from(cell)) else {
            return false;
        };
        let mut enemies = self.layout.of_side(side.other());
        enemies.any(|i| ahead.contains(&cells[i]))
    }

    fn en_passant_attackers<'a>(
        &'a self,
        side: Side,
        cells: &'a Cells,
        crossed: u8,
    ) -> impl Iterator<Item = usize> + 'a {
        let captures = &self.rules.geometry.pawns[side as usize].captures;
        let men = self.layout.of_side(side);
        men.filter(move |&i| {
            let pawn = self.layout.men()[i].kind == PAWN;
            pawn && captures[usize::from(cells[i])].contains(&crossed)
        })
    }

    /// The code of a position in which the side to move may also capture the pawn at `victim` en passant;
    /// `code` is the code without that capture.
    fn with_en_passant(
        &self,
        table: &impl Lookup,
        code: Code,
        side: Side,
        cells: &Cells,
        victim: usize,
        crossed: u8,
    ) -> Code {
        if code == ILLEGAL {
            return code;
        }
        let mut captures = Best::NONE;
        for i in self.en_passant_attackers(side, cells, crossed) {
            let mut next = *cells;
            next[i] = crossed;
            match self.beyond(NONE, PAWN, victim, side.other(), &next) {
                ILLEGAL => {}
                after => captures.add(after),
            }
        }
        match captures.code() {
            None => code,
            // Without another move the capture is forced.
            Some(best) if matches!(code, DRAW | STALE) && !self.can_move(table, side, cells) => {
                best
            }
            Some(best) => better(code, best),
        }
    }

    /// Whether there is a legal move other than en passant.
    pub fn can_move(&self, table: &impl Lookup, side: Side, cells: &Cells) -> bool {
        !self.children(table, side, cells, |child| match child {
            Child::Within(code) | Child::Beyond(code) => code == ILLEGAL,
        })
    }

    /// Whether a pawn may answer a double step from here en passant: then the code of the position after it
    /// is not in the table.
    pub fn has_capturable_step(&self, side: Side, cells: &Cells) -> bool {
        if !self.en_passant {
            return false;
        }
        let occupied = self.occupied(cells);
        let pawns = &self.rules.geometry.pawns[side as usize];
        self.layout.of_side(side).any(|i| {
            let may = !self.is_barred(side, cells, cells[i]);
            let steps = if may && self.layout.men()[i].kind == PAWN {
                &pawns.steps[usize::from(cells[i])][..]
            } else {
                &[]
            };
            steps.iter().any(|step| {
                let free =
                    !occupied.has(step.cell) && !step.crossed().any(|over| occupied.has(over));
                free && self.capturable(side, cells, step).next().is_some()
            })
        })
    }

    /// The positions from which a move without capture and promotion leads to this one, in which `side` is to
    /// move. Not all of them are valid. Double steps that can be answered en passant are left out, since they
    /// lead to another position.
    #[inline]
    pub fn before(&self, side: Side, cells: &Cells, mut visit: impl FnMut(&Cells)) {
        let occupied = self.occupied(cells);
        let mover = side.other();
        for i in self.layout.of_side(mover) {
            let mut earlier = *cells;
            let kind = self.layout.men()[i].kind;
            if kind != PAWN {
                for path in self.rules.paths(kind, cells[i]) {
                    for &from in path.iter().take_while(|&&c| !occupied.has(c)) {
                        earlier[i] = from;
                        visit(&earlier);
                    }
                }
                continue;
            }
            for step in &self.rules.geometry.pawns[mover as usize].back[usize::from(cells[i])] {
                let blocked = |c| occupied.has(c);
                if blocked(step.cell)
                    || step.crossed().any(blocked)
                    || self.is_barred(mover, cells, step.cell)
                {
                    continue;
                }
                if self.capturable(mover, cells, step).next().is_none() {
                    earlier[i] = step.cell;
                    visit(&earlier);
                }
            }
        }
    }
}
