//! What takes long to compile, compiled once for each game.
//!
//! A generic function is compiled anew in each crate that uses it. So what is large is a function of this trait,
//! which is implemented for each game in this crate; the public generic functions forward to it.

use std::fmt;

use crate::attacks::{Query, Simd};
use crate::moves::Wanted;
use crate::position::{Position, PositionError, Setup};
use crate::rules::{Kind, Move, Side};
use crate::sets::Cell;
use crate::tables::{Tabled, Tables};
use crate::text::FenError;

/// Permission to make a move that is not looked at. Only this crate can give it, so the hidden functions of
/// [`Compiled`], which any generic function can name, leave positions valid.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Trusted(());

impl Trusted {
    /// The move was just generated or checked.
    pub(crate) const LEGAL: Self = Trusted(());
    /// The caller asked to be trusted.
    #[cfg(feature = "unchecked")]
    pub(crate) const BY_FEATURE: Self = Trusted(());
}

/// A game with everything that is compiled once.
#[doc(hidden)]
pub trait Compiled: Tabled {
    fn build_tables(self) -> Tables<Self>;
    fn list(p: &Position<Self>, simd: Simd, wanted: Wanted<Self::Word>, moves: &mut Vec<Move>);
    fn count(p: &Position<Self>, simd: Simd) -> u32;
    fn any(p: &Position<Self>, simd: Simd) -> bool;
    fn perft(p: &Position<Self>, simd: Simd, depth: u32) -> u64;
    fn play(p: &mut Position<Self>, mv: Move, trusted: Trusted);
    fn attackers(
        p: &Position<Self>,
        simd: Simd,
        cell: Cell,
        side: Side,
        occupied: Self::Word,
    ) -> Self::Word;
    fn attacked_by(p: &Position<Self>, simd: Simd, side: Side) -> Self::Word;
    fn in_check(p: &Position<Self>, simd: Simd) -> bool;
    fn slides(self, kind: Kind, cell: Cell, occupied: Self::Word) -> Self::Word;
    fn seen_by_kinds(self, cell: Cell, occupied: Self::Word) -> Self::PerKind;
    fn attacks_in(self, simd: Simd, query: Query<Self::Word>) -> Self::Word;
    fn count_slides_in(self, simd: Simd, kind: Kind, cell: Cell, occupancies: &[Self::Word])
    -> u64;
    fn build(setup: &Setup<Self>) -> Result<Position<Self>, PositionError>;
    fn faults(setup: &Setup<Self>) -> Vec<PositionError>;
    fn parse(self, text: &str) -> Result<Position<Self>, FenError>;
    fn write(p: &Position<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// The bodies of the functions of [`Compiled`], the same for every game.
macro_rules! compiled {
    () => {
        fn build_tables(self) -> crate::tables::Tables<Self> {
            crate::tables::Tables::build(self)
        }

        fn list(
            p: &crate::position::Position<Self>,
            simd: crate::attacks::Simd,
            wanted: crate::moves::Wanted<Self::Word>,
            moves: &mut Vec<crate::rules::Move>,
        ) {
            crate::moves::list(p, simd, wanted, moves);
        }

        fn count(p: &crate::position::Position<Self>, simd: crate::attacks::Simd) -> u32 {
            crate::moves::count(p, simd)
        }

        fn any(p: &crate::position::Position<Self>, simd: crate::attacks::Simd) -> bool {
            crate::moves::any(p, simd)
        }

        fn perft(
            p: &crate::position::Position<Self>,
            simd: crate::attacks::Simd,
            depth: u32,
        ) -> u64 {
            crate::moves::count_sequences(p, simd, depth)
        }

        fn play(
            p: &mut crate::position::Position<Self>,
            mv: crate::rules::Move,
            _: crate::play::Trusted,
        ) {
            p.play_here(mv);
        }

        fn attackers(
            p: &crate::position::Position<Self>,
            simd: crate::attacks::Simd,
            cell: crate::sets::Cell,
            side: crate::rules::Side,
            occupied: Self::Word,
        ) -> Self::Word {
            crate::position::attackers(p, simd, cell, side, occupied)
        }

        fn attacked_by(
            p: &crate::position::Position<Self>,
            simd: crate::attacks::Simd,
            side: crate::rules::Side,
        ) -> Self::Word {
            crate::position::attacked_by(p, simd, side)
        }

        fn in_check(p: &crate::position::Position<Self>, simd: crate::attacks::Simd) -> bool {
            crate::position::in_check(p, simd)
        }

        fn slides(
            self,
            kind: crate::rules::Kind,
            cell: crate::sets::Cell,
            occupied: Self::Word,
        ) -> Self::Word {
            self.lookup().slides(kind, cell, occupied)
        }

        fn seen_by_kinds(self, cell: crate::sets::Cell, occupied: Self::Word) -> Self::PerKind {
            self.lookup().seen_by_kinds(cell, occupied)
        }

        fn attacks_in(
            self,
            simd: crate::attacks::Simd,
            query: crate::attacks::Query<Self::Word>,
        ) -> Self::Word {
            crate::attacks::find(self, simd, query)
        }

        fn count_slides_in(
            self,
            simd: crate::attacks::Simd,
            kind: crate::rules::Kind,
            cell: crate::sets::Cell,
            occupancies: &[Self::Word],
        ) -> u64 {
            crate::attacks::sum(self, simd, kind, cell, occupancies)
        }

        fn build(
            setup: &crate::position::Setup<Self>,
        ) -> Result<crate::position::Position<Self>, crate::position::PositionError> {
            setup.checked(crate::text::start(setup.game()))
        }

        fn faults(setup: &crate::position::Setup<Self>) -> Vec<crate::position::PositionError> {
            setup.judged(crate::text::start(setup.game())).1
        }

        fn parse(
            self,
            text: &str,
        ) -> Result<crate::position::Position<Self>, crate::text::FenError> {
            crate::text::parse(self, text)
        }

        fn write(
            p: &crate::position::Position<Self>,
            f: &mut std::fmt::Formatter<'_>,
        ) -> std::fmt::Result {
            crate::text::write(p, f)
        }
    };
}
