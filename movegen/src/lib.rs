//! Chess on hexagonal boards: boards and games as data, valid positions, exact legal moves, perft.
//!
//! The crate knows no search, no threads, no files and no clock. Everything hot is generic over
//! [`Game`] and compiled for each; [`with_game!`] goes from a run-time [`GameId`] to the type, and
//! [`AnyPosition`] and [`AnyRecord`] hide which game it is.
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
//!
//! # Layers
//!
//! The modules, from the bottom up. Each uses only those above it in this list; `.ci/layers` checks that.
//!
//! 1. `quoted`: input, as messages quote it
//! 2. `sets`: sets of cells in 128 or 256 bits
//! 3. `rules`: the vocabulary in which games are written down, and what follows from it at compile time
//! 4. `board`: cells, their names and colours, rows of the position text
//! 5. `walk`: a plain generator that shares nothing with the fast one, to check it with
//! 6. `game_text`: games read from the text of a file
//! 7. `tables`: everything precomputed for a game: rays, leaps, pawn steps, path space, keys
//! 8. `attacks`: who sees what, by three backends
//! 9. `position`: valid positions, and how a move changes them
//! 10. `moves`: legal moves and perft, written once and compiled for each backend
//! 11. `text`: positions, moves and suites as text
//! 12. `play`: what other crates call, compiled once for each game; ends of games, records, repetition
//! 13. `games`: the games as data, and the list of them
//! 14. `notation`: moves as people write them, of any game
//! 15. `reach`: where a piece goes, path by path, to be shown to people
//! 16. `serial`: positions, moves and records for serde
//!
//! # Features
//!
//! None is on by default. `serde` reads and writes positions, moves, records and games as their texts. `unchecked` adds
//! the trait `Unchecked`, for engines: moves that are made without a look at them. Without it, no function leaves a
//! position that is not valid. `old-processors` compiles everything once more for x86-64 processors without popcnt,
//! lzcnt, bmi1 and bmi2 (before about 2015), which can run no backend otherwise ([`SimdError::TooOld`]).

#![deny(unsafe_code)]

#[macro_use]
mod sets;
mod attacks;
mod board;
mod game_text;
mod moves;
mod position;
mod quoted;
mod rules;
mod tables;
mod text;
pub mod walk;
#[macro_use]
mod play;
mod games;
mod notation;
mod reach;
#[cfg(feature = "serde")]
mod serial;

pub use attacks::{Observer, Sight, Simd, SimdError, observe};
pub use board::Board;
pub use game_text::{GameFault, GameTextError, GameTextErrors, compile_limits, read_game};
pub use games::*;
pub use moves::Wanted;
pub use notation::{
    HYPHENS, INVISIBLE, Letters, LettersError, NotationError, Why, read_move, san, visible,
};
#[cfg(feature = "unchecked")]
pub use play::Unchecked;
#[doc(hidden)]
pub use play::perft_anywhere;
pub use play::{Outcome, Record, attacks_in, count_slides_in, divide, perft, perft_in};
pub use position::{Placement, Position, PositionError, Setup};
pub use reach::{PathEnd, ReachPath, WayOfGoing, reach};
pub use rules::{EnPassant, KING, Kind, Move, PAWN, Piece, Side, spec};
pub use sets::{B256, Bits, Cell, CellSet, Cells};
pub use tables::Tables;
pub use text::{FenError, FenProblem, Field, MoveError, NamedMove, suite};

/// The example of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
