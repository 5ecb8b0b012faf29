//! The rules of a game as plain numbers: geometry, symmetries, and a fingerprint of it all.
//!
//! Everything else here works on these lists and is compiled once for all games.

use std::fmt::Write as _;

use hexmate_movegen::{Game, KING, Kind, PAWN};

use crate::geometry::{Geometry, NOWHERE, Paths};
use crate::symmetry::{self, Symmetry};

/// The most cells of a board that has tables: cells are numbered in bytes, and one number stands for none.
const MOST_CELLS: usize = NOWHERE as usize;

/// The board of a game is too large for tables.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{game} has {cells} cells; endgame tables are for boards of at most {MOST_CELLS} cells")]
pub struct TooLarge {
    game: &'static str,
    cells: usize,
}

/// The rules of a game as plain numbers.
#[derive(Debug)]
pub struct Rules {
    pub(crate) geometry: Geometry,
    /// The symmetries of the board.
    pub(crate) symmetries: Vec<Symmetry>,
    bare_kings_count: bool,
    fingerprint: u32,
}

impl Rules {
    /// The rules of a game.
    pub fn of<G: Game>(game: G) -> Self {
        let geometry = Geometry::of(game);
        let mut rules = Rules {
            symmetries: symmetry::find(&geometry, &game.tables().board),
            bare_kings_count: false,
            fingerprint: 0,
            geometry,
        };
        rules.bare_kings_count = !rules.geometry.spec.bare_kings_draw
            && rules.stalemate_counts()
            && rules.kings_stalemate();
        rules.fingerprint = fingerprint_of(&rules);
        rules
    }

    /// Makes sure that the game can have tables.
    ///
    /// # Errors
    ///
    /// If its board is too large.
    pub fn check_size(&self) -> Result<(), TooLarge> {
        match self.size() {
            ..=MOST_CELLS => Ok(()),
            cells => Err(TooLarge {
                game: self.name(),
                cells,
            }),
        }
    }

    /// The name of the game.
    pub fn name(&self) -> &'static str {
        self.geometry.spec.name
    }

    /// The kind that a letter of either case stands for.
    pub fn kind(&self, letter: u8) -> Option<Kind> {
        self.geometry.spec.kind_of_letter(letter)
    }

    /// The number of cells.
    #[inline(always)]
    pub(crate) fn size(&self) -> usize {
        self.geometry.size()
    }

    /// The paths of a piece; pawns have none.
    #[inline(always)]
    pub(crate) fn paths(&self, kind: Kind, from: u8) -> Paths<'_> {
        self.geometry.paths(kind, from)
    }

    /// Whether a piece other than a pawn would attack a cell on an empty board.
    #[inline(always)]
    pub(crate) fn sees(&self, kind: Kind, from: u8, to: u8) -> bool {
        self.geometry.sees(kind, from, to)
    }

    /// Whether the kings may stand on these two cells.
    #[inline(always)]
    pub(crate) fn kings_stand(&self, a: u8, b: u8) -> bool {
        let stands = &self.geometry.stands[usize::from(KING)];
        a != b && stands[usize::from(a)] && stands[usize::from(b)] && !self.sees(KING, a, b)
    }

    /// Whether bare kings are more than a draw: they play on, a stalemate costs something, and somewhere one king alone
    /// stalemates the other.
    pub(crate) fn bare_kings_count(&self) -> bool {
        self.bare_kings_count
    }

    /// Whether somewhere one king alone leaves the other no move.
    fn kings_stalemate(&self) -> bool {
        let stuck = |own: u8, other: u8| {
            let mut targets = self.paths(KING, own).flatten();
            self.kings_stand(own, other) && !targets.any(|&to| self.kings_stand(to, other))
        };
        let cells = 0..self.size() as u8;
        cells
            .clone()
            .any(|own| cells.clone().any(|other| stuck(own, other)))
    }

    /// Whether a stalemate is worse than a draw for the stalemated side.
    pub(crate) fn stalemate_counts(&self) -> bool {
        self.geometry.spec.stalemate_quarters < 2
    }

    /// A number that changes when a rule changes: tables with other rules are refused.
    pub fn fingerprint(&self) -> u32 {
        self.fingerprint
    }

    /// The letter of a kind, in upper case.
    pub(crate) fn letter(&self, kind: Kind) -> char {
        char::from(self.geometry.spec.pieces[usize::from(kind)].letter)
    }

    /// The kinds other than pawn and king.
    pub(crate) fn officers(&self) -> impl Iterator<Item = Kind> + use<> {
        (0..self.geometry.spec.pieces.len() as Kind).filter(|&k| k != PAWN && k != KING)
    }
}

/// A number that changes when a rule changes.
fn fingerprint_of(rules: &Rules) -> u32 {
    let mut text = String::new();
    let geometry = &rules.geometry;
    let spec = geometry.spec;
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "{} {:?} {:?} {:?} {:?} {:?} {:?} {} {}",
        spec.name,
        geometry.cells,
        geometry.flat_paths,
        geometry.stands,
        geometry.pawns,
        geometry.promotions,
        spec.pieces.iter().map(|p| p.letter).collect::<Vec<_>>(),
        spec.stalemate_quarters,
        spec.pawn.remembers_first_move,
    );
    // What most games lack is left out: their tables keep the number that they have.
    if rules.bare_kings_count {
        text.push_str(" bare kings count");
    }
    let mut steps = geometry.pawns.iter().flat_map(|p| p.steps.iter().flatten());
    if !spec.pawn.en_passant && steps.any(|step| step.over.is_some()) {
        text.push_str(" no en passant");
    }
    crc32fast::hash(text.as_bytes())
}
