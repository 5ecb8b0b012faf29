//! Probing all tables of a game.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use hexmate_movegen::{Bits, Game, KING, Kind, Move, PAWN, Position, Side};

use crate::folder::Folder;
use crate::format::TableError;
use crate::layout::Cells;
use crate::material::{MOST_MEN, Material};
use crate::moves::Link;
use crate::rules::Rules;
use crate::table::Table;
use crate::value::{Category, Value, decode};

/// Why no table will ever cover a position, however many are built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum NeverCovered {
    #[error(
        "the position has castling rights, which no table covers; if they do not matter, ask without them ('-' in field 3)"
    )]
    Castling,
    #[error(
        "pawns of this game remember whether they have moved, which tables do not store; expected a position without pawns"
    )]
    Pawns,
}

impl NeverCovered {
    /// Of a position; `None` if it may have a table.
    pub fn of<G: Game>(position: &Position<G>) -> Option<Self> {
        let remembers = position.spec().pawn.remembers_first_move;
        match () {
            () if position.castling_rights().any() => Some(NeverCovered::Castling),
            () if remembers && position.kind(PAWN).any() => Some(NeverCovered::Pawns),
            () => None,
        }
    }
}

/// All existing tables of a game. Any number of threads may probe them.
#[derive(Debug)]
pub struct Tablebases {
    rules: Arc<Rules>,
    links: HashMap<u128, Link>,
    names: Vec<String>,
    /// To ask them for damage; probes go through the links.
    tables: Vec<Arc<Table>>,
    most_men: usize,
}

/// Four bits for each kind of each side: how many there are.
fn key_of(side: Side, kind: Kind) -> u128 {
    1 << (4 * (u32::from(kind) + 16 * side as u32))
}

impl Tablebases {
    /// Opens all tables of a game below a folder; also returns why files cannot be used.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn open(rules: &Arc<Rules>, path: &Path) -> Result<(Self, Vec<TableError>), TableError> {
        let mut folder = Folder::new(Arc::clone(rules), path);
        let mut faults = Vec::new();
        let mut all = Tablebases {
            rules: Arc::clone(rules),
            links: HashMap::new(),
            names: Vec::new(),
            tables: Vec::new(),
            most_men: 0,
        };
        for material in folder.list()? {
            match folder.table(&material) {
                Ok(table) => {
                    all.names.push(material.name(rules));
                    all.most_men = all.most_men.max(material.men());
                    all.add(&material, &table);
                    all.tables.push(table);
                }
                Err(error) => faults.push(error),
            }
        }
        all.names.sort_unstable();
        Ok((all, faults))
    }

    /// Registers a table under all material that is equal by symmetry.
    fn add(&mut self, material: &Material, table: &Arc<Table>) {
        let rules = Arc::clone(&self.rules);
        for symmetry in &rules.symmetries {
            for exchanged in [false, true] {
                let Some(image) = material.image(symmetry, exchanged) else {
                    continue;
                };
                let list = image.list();
                let key = list.iter().map(|m| key_of(m.side, m.kind)).sum();
                let find = |wanted: &Material| (wanted == material).then(|| Arc::clone(table));
                let men: Vec<_> = list.into_iter().enumerate().collect();
                if !self.links.contains_key(&key)
                    && let Some(link) = Link::new(&rules, &men, &find)
                {
                    self.links.insert(key, link);
                }
            }
        }
    }

    /// The game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The names of the tables' material, sorted.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many tables there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no tables.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The most men that a position may have, kings and pawns included; 0 without tables.
    #[inline]
    pub fn most_men(&self) -> usize {
        self.most_men
    }

    /// The damage that probes have met and that was not asked for before; of each table the first is told, once. A
    /// damaged part of a table is checked when it is first read, and a probe that needs it finds nothing.
    pub fn new_damage(&self) -> Vec<TableError> {
        self.tables.iter().filter_map(|t| t.new_damage()).collect()
    }

    /// The value of a position, with its clock ignored; `None` if no table covers it (perhaps [`NeverCovered`]).
    ///
    /// The position must belong to the game of these tables; of another one the answer means nothing.
    ///
    /// # Panics
    /// With debug assertions, if the position is of another game.
    pub fn probe<G: Game>(&self, position: &Position<G>) -> Option<Value> {
        debug_assert_eq!(position.spec().name, self.rules.name());
        let men = position.occupied().count() as usize;
        if men > self.most_men || position.castling_rights().any() {
            return None;
        }
        // Whether the game ends there or not.
        if men == 2 && !self.rules.bare_kings_count() {
            return Some(Value::DRAW);
        }
        if position.en_passant().is_some() {
            return self.by_moves(position);
        }
        let numbers = &self.rules.geometry.numbers;
        let mut key = 0;
        let mut list = [(0, 0); MOST_MEN];
        let mut cells: Cells = [0; MOST_MEN];
        let mut next = 2;
        for side in Side::BOTH {
            let mut count = 0;
            for cell in position.side(side).cells() {
                let kind = position.piece_on(cell)?.kind;
                key += key_of(side, kind);
                let number = numbers[usize::from(cell)];
                if kind == KING {
                    cells[side as usize] = number;
                } else {
                    // In the order of `Material::list`.
                    *list.get_mut(count)? = (Material::rank(kind), number);
                    count += 1;
                }
            }
            list[..count].sort_unstable();
            for &(_, number) in &list[..count] {
                *cells.get_mut(next)? = number;
                next += 1;
            }
        }
        let link = self.links.get(&key)?;
        decode(link.code(&self.rules, position.side_to_move(), &cells))
    }

    /// The value of each legal move for the side that makes it, best first; `None` if a move leads to a
    /// position that no table covers.
    pub fn moves<G: Game>(&self, position: &Position<G>) -> Option<Vec<(Move, Value)>> {
        let mut valued = Vec::new();
        for (mv, next) in position.children() {
            valued.push((mv, self.probe(&next)?.before()));
        }
        // Among equals the order is always the same.
        best_first(&mut valued);
        Some(valued)
    }

    /// Best play to the end, at most `most` moves; it stops where a position is drawn.
    pub fn line<G: Game>(&self, position: &Position<G>, most: usize) -> Vec<Move> {
        let mut position = *position;
        let mut line = Vec::new();
        while line.len() < most {
            let open = self
                .probe(&position)
                .is_some_and(|v| v.category != Category::Draw);
            let moves = if open { self.moves(&position) } else { None };
            let Some(&(mv, _)) = moves.as_deref().and_then(<[_]>::first) else {
                break;
            };
            line.push(mv);
            position.play(mv).expect("a move of the list is legal");
        }
        line
    }

    /// The value of a position from the tables of its successors.
    fn by_moves<G: Game>(&self, position: &Position<G>) -> Option<Value> {
        // With an en passant cell there is always a legal move, if not always that capture.
        self.moves(position)?.first().map(|(_, value)| *value)
    }
}
/// A function of its own, so that it is not compiled for each game.
fn best_first(valued: &mut [(Move, Value)]) {
    valued.sort_unstable_by_key(|&(mv, value)| (Reverse(value.rank()), mv));
}
