//! The rules of a game as plain numbers: geometry, symmetries, and a fingerprint of it all.
//!
//! Everything else here works on these lists and is compiled once for all games.

use std::fmt::Write as _;

use hexmate_movegen::{Game, KING, Kind, PAWN};

use crate::geometry::{Geometry, Paths};
use crate::symmetry::{self, Symmetry};

/// The rules of a game as plain numbers.
#[derive(Debug)]
pub struct Rules {
    pub(crate) geometry: Geometry,
    /// The symmetries of the board.
    pub(crate) symmetries: Vec<Symmetry>,
    fingerprint: u32,
}

impl Rules {
    /// The rules of a game.
    pub fn of<G: Game>(game: G) -> Self {
        let geometry = Geometry::of(game);
        Rules {
            symmetries: symmetry::find(&geometry, &game.tables().board),
            fingerprint: fingerprint_of(&geometry),
            geometry,
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

    /// Whether kings may not stand on these two cells.
    #[inline(always)]
    pub(crate) fn kings_touch(&self, a: u8, b: u8) -> bool {
        a == b || self.sees(KING, a, b)
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
fn fingerprint_of(geometry: &Geometry) -> u32 {
    let mut text = String::new();
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
    crc32fast::hash(text.as_bytes())
}
