//! The generator by its public side: rules, positions, texts, games from files.
//!
//! One program: what is generic is compiled for each of them anew. `against_reference` is another, since a game that is
//! new is tried with it alone.

#[path = "../common/mod.rs"]
mod common;
#[path = "../reference/mod.rs"]
mod reference;

mod any;
mod backends;
mod endings;
mod exhaustive;
mod fen;
mod fen_changed;
mod from_files;
mod game_files;
mod game_files_spoilt;
mod more_games;
mod notation;
mod placement;
mod random_games;
mod reach;
mod replies;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod sight;
mod suites;
mod words;
