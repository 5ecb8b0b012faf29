//! Chess on hexagonal boards: boards and games as data, valid positions, exact legal moves, perft.
//!
//! The crate knows no search, no threads, no files and no clock. Everything hot is generic over
//! [`Game`] and compiled for each; [`with_game!`] goes from a run-time [`GameId`] to the type.
//!
//! ```
//! use hexmate_movegen::{Glinski, Position, perft};
//!
//! let start = Position::<Glinski>::start();
//! assert_eq!(perft(&start, 2), 2586);
//! let mv = start.parse_move("e4e5").unwrap();
//! let mut next = start;
//! next.play(mv).unwrap();
//! assert!(next.to_string().starts_with("b/qbk/n1b1n/r5r/ppppppppp/"));
//! ```

#![deny(unsafe_code)]

#[macro_use]
mod unrolled;

mod attacks;
mod bits;
mod board;
mod crooked;
mod fen;
#[allow(unsafe_code)] // vector instructions
mod form;
mod games;
mod generate;
mod lanes;
mod legal;
mod men;
mod moves;
mod outcome;
mod perft;
mod piece;
mod position;
mod replies;
mod returns;
mod setup;
mod shifts;
mod sight;
pub mod spec;
pub mod suite;
mod tables;
mod zobrist;

pub use attacks::{attacks_in, count_slides_in};
pub use bits::{B256, Bits, Cell, CellSet, Cells};
pub use board::Board;
pub use fen::{FenError, FenProblem, Field, piece_letter};
pub use form::{Simd, SimdError};
pub use games::{Chromatic3, Chromatic4, Game, GameId, Glinski, Hexachess, Mccooey, UnknownGame};
pub use legal::Wanted;
pub use moves::{Move, MoveError};
pub use outcome::{Outcome, Record};
pub use perft::{divide, perft, perft_in};
pub use piece::{EnPassant, KING, Kind, PAWN, Piece, Side};
pub use position::Position;
pub use setup::{PositionError, Setup};
pub use sight::{Observer, Sight, observe};
pub use tables::Tables;

/// The example of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
