//! The inputs of a network: which piece stands where, as one side sees it.
//!
//! A side sees the board as White does: Black's view is turned, and kinds that only turned pieces play are exchanged
//! (`mirrored_kind`). Where the rules do not tell left from right, a view whose own king stands on the right is
//! reflected, too. So positions that the game's symmetries take into each other have the same inputs, except that a
//! king in the middle file is in neither half.

use std::any::Any;

use hexmate_movegen::spec::{GameSpec, MOST_KINDS};
use hexmate_movegen::{Bits, Cell, Game, GameId, KING, Kind, PAWN, Position, Side, with_game};

use crate::door::made;
use crate::eval::facts::Facts;
use crate::eval::handmade::symmetry::Reflection;

/// How a side looks at a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Whose pieces are its own.
    pub side: Side,
    /// Whether left and right are exchanged.
    pub reflected: bool,
}

impl View {
    /// Which of the four it is.
    #[inline(always)]
    pub(super) fn number(self) -> usize {
        2 * self.side as usize + usize::from(self.reflected)
    }
}

/// The inputs of networks of one game.
#[derive(Clone, Debug)]
pub struct Features<G: Game> {
    game: G,
    /// How many there are.
    count: usize,
    /// For each view, side and kind the input of each cell index.
    inputs: [Vec<u16>; 4],
    /// The cells of a king on which its view is reflected, as White sees them.
    right: G::Bits,
}

impl<G: Game> Features<G> {
    /// Of a game.
    pub fn new(game: G) -> Self {
        made(features(game.id()))
    }

    fn found(game: G) -> Self {
        let tables = game.tables();
        let reflection = Reflection::find(&Facts::of(game));
        let mut right = G::Bits::EMPTY;
        if let Some(reflection) = &reflection {
            for &cell in tables.board.cells() {
                if reflection.cells[usize::from(cell)] < cell {
                    right |= G::Bits::of(cell);
                }
            }
        }
        Features {
            game,
            count: 2 * game.spec().pieces.len() * tables.board.cells().len(),
            inputs: inputs(
                game.spec(),
                tables.board.cells(),
                &tables.mirrored,
                reflection.as_ref(),
            ),
            right,
        }
    }

    /// The game.
    pub fn game(&self) -> G {
        self.game
    }

    /// How many inputs there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many cells the board has: no more inputs than that are on at once.
    pub fn cells(&self) -> usize {
        self.game.tables().board.cells().len()
    }

    /// How a side whose king is on this cell looks at the board.
    #[inline(always)]
    pub fn view(&self, side: Side, king: Cell) -> View {
        let cell = match side {
            Side::White => king,
            Side::Black => self.game.tables().mirrored[usize::from(king)],
        };
        View {
            side,
            reflected: self.right.has(cell),
        }
    }

    /// The input that stands for a piece on a cell.
    #[inline(always)]
    pub fn input(&self, view: View, side: Side, kind: Kind, cell: Cell) -> usize {
        let kinds = self.game.spec().pieces.len();
        let row = (side as usize * kinds + usize::from(kind)) * G::Bits::SIZE;
        usize::from(self.inputs[view.number()][row + usize::from(cell)])
    }

    /// The inputs that are on in a position: as the side to move sees it, and as the other one does.
    pub fn of(&self, position: &Position<G>) -> [Vec<usize>; 2] {
        let seen_by = |viewer| {
            let view = self.view(viewer, position.king(viewer));
            let cells = position.occupied().cells();
            let inputs = cells.filter_map(|cell| {
                let piece = position.piece_on(cell)?;
                Some(self.input(view, piece.side, piece.kind, cell))
            });
            inputs.collect()
        };
        let own = position.side_to_move();
        [seen_by(own), seen_by(own.other())]
    }
}

/// For each view, side and kind the input of each cell index; `mirrored` has the counterpart of each.
fn inputs(
    spec: &GameSpec,
    cells: &[Cell],
    mirrored: &[Cell],
    reflection: Option<&Reflection>,
) -> [Vec<u16>; 4] {
    let (kinds, size) = (spec.pieces.len(), mirrored.len());
    let mut places = vec![0; size];
    for (place, &cell) in cells.iter().enumerate() {
        places[usize::from(cell)] = place;
    }
    let input = |view: View, side: Side, kind: Kind, cell: Cell| {
        let (mut kind, mut cell) = match view.side {
            Side::White => (kind, cell),
            Side::Black => (spec.mirrored_kind(kind), mirrored[usize::from(cell)]),
        };
        if let Some(reflection) = reflection
            && view.reflected
        {
            kind = reflection.kinds[usize::from(kind)];
            cell = reflection.cells[usize::from(cell)];
        }
        let owner = usize::from(view.side != side);
        ((owner * kinds + usize::from(kind)) * cells.len() + places[usize::from(cell)]) as u16
    };
    std::array::from_fn(|number| {
        let view = View {
            side: Side::BOTH[number / 2],
            reflected: number % 2 != 0,
        };
        let mut table = vec![0; 2 * kinds * size];
        for side in Side::BOTH {
            for kind in 0..kinds {
                for &cell in cells {
                    let row = (side as usize * kinds + kind) * size;
                    table[row + usize::from(cell)] = input(view, side, kind as Kind, cell);
                }
            }
        }
        table
    })
}

/// A hash of what the pieces of a game are and where they can stand and go: what a network, or a file of training
/// positions, has to agree with its game about. Unlike [`GameId::fingerprint`](hexmate_movegen::GameId::fingerprint)
/// it stays the same when the program describes the same rules in other words.
pub fn shape_of<G: Game>(game: G) -> u64 {
    shape(game.id())
}

// Doors.

fn features(id: GameId) -> Box<dyn Any> {
    with_game!(id, game => Box::new(Features::found(game)))
}

fn shape(id: GameId) -> u64 {
    with_game!(id, game => shape_found(game))
}

fn shape_found<G: Game>(game: G) -> u64 {
    let (tables, spec) = (game.tables(), game.spec());
    let mut hash = Fnv::default();
    let set =
        |hash: &mut Fnv, set: G::Bits| (0..4).for_each(|i| hash.add(&set.word(i).to_le_bytes()));
    let cells = tables.board.cells();
    hash.add(&[
        cells.len() as u8,
        spec.pieces.len() as u8,
        spec.stalemate_quarters,
    ]);
    for &cell in cells {
        let (a, y) = tables.board.at(cell);
        hash.add(&[cell, a as u8, y as u8, tables.mirrored[usize::from(cell)]]);
    }
    assert!(spec.pieces.len() <= MOST_KINDS);
    for kind in 0..spec.pieces.len() as Kind {
        hash.add(&[
            spec.pieces[usize::from(kind)].letter,
            spec.mirrored_kind(kind),
        ]);
        set(&mut hash, tables.stands_on[usize::from(kind)]);
        for &cell in cells {
            match kind {
                PAWN => {
                    let attacks = Side::each(|side| tables.pawn_attacks(side, cell));
                    attacks.into_iter().for_each(|a| set(&mut hash, a));
                }
                _ => set(&mut hash, tables.attacks(kind, cell, G::Bits::EMPTY)),
            }
        }
    }
    for side in Side::BOTH {
        set(&mut hash, tables.double_step_cells(side));
    }
    let start = Position::start_of(game);
    hash.add(&[start.king(Side::White), KING]);
    hash.add(start.to_string().as_bytes());
    hash.0
}

/// FNV-1a of 64 bits: two texts that differ in one byte have different hashes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fnv(pub u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Goes on with these bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
