//! What the evaluations ask of a game while they are set up.

use hexmate_movegen::spec::GameSpec;
use hexmate_movegen::{Bits, Board, Cell, Game, Kind, Side};

/// A game known by the word of its board alone, so that what is worked out once is compiled for each word and not for
/// each game. For setting up only: each question about attacks is a virtual call.
pub(in crate::eval) struct Facts<B: 'static> {
    /// The rules.
    pub spec: &'static GameSpec,
    /// The board.
    pub board: &'static Board,
    /// For each kind, the cells that it may stand on.
    pub stands_on: &'static [B],
    /// For each cell, its counterpart seen from the other side.
    pub mirrored: &'static [Cell],
    /// All cells.
    pub all: B,
    /// The cells from which White's pawns may make a double step.
    pub double_steps: B,
    attacks: Box<dyn Fn(Kind, Cell, B) -> B>,
    pawn_attacks: Box<dyn Fn(Side, Cell) -> B>,
}

impl<B: Bits> Facts<B> {
    /// Of a game.
    pub fn of<G: Game<Bits = B>>(game: G) -> Self {
        let tables = game.tables();
        Facts {
            spec: game.spec(),
            board: &tables.board,
            stands_on: &tables.stands_on,
            mirrored: &tables.mirrored,
            all: tables.all,
            double_steps: tables.double_step_cells(Side::White),
            attacks: Box::new(|kind, cell, occupied| tables.attacks(kind, cell, occupied)),
            pawn_attacks: Box::new(|side, cell| tables.pawn_attacks(side, cell)),
        }
    }

    /// What a kind attacks from a cell; not of pawns.
    pub fn attacks(&self, kind: Kind, cell: Cell, occupied: B) -> B {
        (self.attacks)(kind, cell, occupied)
    }

    /// What a side's pawn attacks from a cell.
    pub fn pawn_attacks(&self, side: Side, cell: Cell) -> B {
        (self.pawn_attacks)(side, cell)
    }
}
