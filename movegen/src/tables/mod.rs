//! Everything precomputed from a game's rules: ray masks, leaps, crooked paths, pawn steps, keys.

use std::sync::OnceLock;

use crate::board::Board;
use crate::rules::spec::GameSpec;
use crate::rules::{Kind, Plan, Rules, Side};
use crate::sets::{Bits, Cell};

mod build;
mod crooked;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // its backends are for x86-64
mod lanes;
mod pawn_step;
mod returns;
mod set_step;
mod zobrist;

use crooked::CrookedPaths;
pub(crate) use lanes::LaneTables;
#[cfg(target_arch = "x86_64")]
pub(crate) use lanes::{Lanes, ones};
pub(crate) use pawn_step::PawnStep;
pub(crate) use returns::Returns;
pub use set_step::SetStep;
use zobrist::Zobrist;

/// A game whose tables are at hand.
#[doc(hidden)]
pub trait Tabled: Rules {
    /// Its tables: built at first use, read-only afterwards.
    fn lookup(self) -> &'static Tables<Self>;
}

/// How one kind moves.
pub(crate) struct KindTable<B> {
    /// For each cell, the crooked and short paths; empty where the kind has none.
    pub crooked: Vec<CrookedPaths<B>>,
    /// For each cell, what it attacks on an empty board.
    pub reach: Vec<B>,
}

/// How the pawns of one side move.
pub(crate) struct PawnTable<B: Bits> {
    pub steps: Vec<SetStep<B>>,
    pub captures: Vec<SetStep<B>>,
    /// Captures of first moves, from their cells.
    pub first_captures: Vec<SetStep<B>>,
    /// For each cell, what a pawn on it attacks.
    pub attacks: Box<B::PerCell<B>>,
    /// For each cell, the cells from which a pawn attacks it.
    pub attackers: Box<B::PerCell<B>>,
    /// For each cell, the cells from which a pawn attacks it or a cell a king's step away from it.
    pub around: Box<B::PerCell<B>>,
    /// The cells from which a pawn may make more than one step.
    pub double_cells: B,
    /// The cells from which a pawn may make three steps.
    pub triple_cells: B,
    /// Where an enemy piece bars a pawn: for each cell the cells one step ahead; empty where the game has no such rule.
    pub barring: Vec<B>,
    pub promotion_cells: B,
    /// Cells from which some step or capture leads onto a promotion cell.
    pub before_promotion: B,
    /// For each of `steps` the cells that pawns cross which step twice, had they not moved before.
    pub crossed: Vec<B>,
    /// For each of `steps` the second cells that pawns cross which step three times.
    pub crossed_twice: Vec<B>,
    /// For each cell, the cells that more than one step from it leads to, if a pawn may be captured en passant
    /// afterwards.
    pub doubles: Box<B::PerCell<B>>,
    /// For each cell, the cells from which an enemy pawn attacks one that is crossed by more than one step from it.
    pub captors: Box<B::PerCell<B>>,
}

impl<B: Bits> PawnTable<B> {
    /// The first and the last cell that a pawn crosses which goes more than one step at once.
    pub fn crossed_between(&self, from: Cell, to: Cell) -> Option<(Cell, Cell)> {
        self.steps.iter().find_map(|step| {
            let last = step.source(to)?;
            let before = step.source(last)?;
            if before == from {
                return Some((last, last));
            }
            (step.source(before) == Some(from)).then_some((before, last))
        })
    }
}

/// What castling depends on.
pub(crate) struct CastlingTable<B> {
    /// The kinds with which the king castles.
    pub partners: Vec<Kind>,
    /// For each cell of the king, all ways to castle from there.
    pub ways: Vec<Vec<CastlingWay<B>>>,
}

/// A king and a partner far enough away.
pub(crate) struct CastlingWay<B> {
    pub partner: Cell,
    /// The cells between them, which must be empty.
    pub between: B,
    /// The cells that the king crosses.
    pub crossed: B,
    /// The cell that the king comes to.
    pub target: Cell,
    /// The cell that the partner comes to.
    pub partner_target: Cell,
}

/// Everything that depends only on the game.
pub struct Tables<G: Rules> {
    /// The game.
    pub game: G,
    /// The rules.
    pub spec: &'static GameSpec,
    /// The board.
    pub board: Board,
    /// All cells.
    pub all: G::Word,
    /// The cells of each colour.
    pub colours: Vec<G::Word>,
    /// The cells on which each kind may stand.
    pub stands_on: Vec<G::Word>,
    /// The ray of smaller indices and the ray of larger ones.
    pub(crate) rays: Box<PerCell<G, Rays<G>>>,
    /// For each class the cells that its straight lines reach on an empty board, except lines
    /// that skip cells.
    pub(crate) reach: Box<PerCell<G, G::PerClass<G::Word>>>,
    /// For each two cells of one straight line the cells between them.
    pub(crate) between: Box<PerCell<G, Between<G>>>,
    pub(crate) kinds: Vec<KindTable<G::Word>>,
    /// For each leaper of [`GameSpec::leapers`] the cells that it reaches over anything.
    pub(crate) leaps: Box<PerCell<G, G::PerLeaper<G::Word>>>,
    /// For each leaper the cells from which it attacks a cell or one that is a king's step away from it.
    pub(crate) around: Box<PerCell<G, G::PerLeaper<G::Word>>>,
    /// Kinds that have crooked paths, with their class.
    pub(crate) crooked: Vec<(Kind, usize)>,
    /// All paths again, in path space.
    pub(crate) lanes: LaneTables<G>,
    pub(crate) pawns: [PawnTable<G::Word>; 2],
    /// For each cell, the kinds to which a pawn may promote on it.
    pub(crate) promotions: Vec<Vec<Kind>>,
    pub(crate) castling: Option<CastlingTable<G::Word>>,
    /// The first position, read from its text when first needed.
    pub(crate) start: OnceLock<Start<G>>,
    /// For each cell, its counterpart seen from the other side.
    pub mirrored: Vec<Cell>,
    pub(crate) zobrist: Zobrist,
    /// The differences of keys that one move makes; built when first needed, as only a search needs them.
    pub(crate) returns: OnceLock<Returns>,
}

/// One value for each cell of a game's board.
pub(crate) type PerCell<G, T> = <<G as Rules>::Word as Bits>::PerCell<T>;
/// The rays from one cell: for each axis that of smaller indices and that of larger ones.
type Rays<G> = <G as Rules>::PerAxis<[<G as Rules>::Word; 2]>;
/// For one cell, those between it and each other cell of its straight lines.
pub(crate) type Between<G> = Box<PerCell<G, <G as Rules>::Word>>;

/// What castling rights need of the first position of a game: pieces that may castle have not moved from there.
pub(crate) struct Start<G: Rules> {
    /// For each cell 0, or a piece encoded by [`encode`](crate::rules::encode).
    pub cells: <G::Word as Bits>::Bytes,
    pub castling: G::Word,
}

impl<G: Rules> Tables<G> {
    /// The rules and what follows from them.
    #[inline(always)]
    pub(crate) fn plan(&self) -> &'static Plan {
        if G::FIXED { G::PLAN } else { self.game.plan() }
    }

    /// The bytes that sliding queries in path space touch: from all cells of the board, and in one query of one
    /// word.
    pub fn lane_bytes(&self) -> (usize, usize) {
        self.lanes.bytes(self.board.cells().len())
    }

    /// The cells on which a side's pawns are promoted.
    pub fn promotion_cells(&self, side: Side) -> G::Word {
        self.pawns[side as usize].promotion_cells
    }

    /// The cells from which some step or capture of a side's pawns leads onto a promotion cell.
    pub fn before_promotion(&self, side: Side) -> G::Word {
        self.pawns[side as usize].before_promotion
    }

    /// The cells from which a side's pawns may make a double step.
    pub fn double_step_cells(&self, side: Side) -> G::Word {
        self.pawns[side as usize].double_cells
    }

    /// The cells from which a side's pawns may make three steps at once.
    pub fn triple_step_cells(&self, side: Side) -> G::Word {
        self.pawns[side as usize].triple_cells
    }

    /// The kinds to which a pawn may promote on a cell.
    pub fn promotions_on(&self, cell: Cell) -> &[Kind] {
        &self.promotions[usize::from(cell)]
    }

    /// The number of kinds of piece.
    pub fn kinds(&self) -> usize {
        self.spec.pieces.len()
    }
}
