//! Hexmate, an analysis engine for chess on hexagonal boards.
//!
//! This is the only crate that reads arguments, files and pipes. Each command is a module. The program is
//! [`main`]; other programs may use the public modules, as the Python package does. A [`Worker`](analyse::Worker)
//! turns one line of input into one line of output, [`pgn`] reads and writes games, [`review`] judges their moves,
//! [`drawing`] draws positions.
//!
//! ```
//! use hexmate::analyse::{Settings, Worker};
//! use hexmate::lines::Line;
//!
//! let settings = Settings { depth: Some(3), hash_megabytes: 1, ..Settings::default() };
//! let mut worker = Worker::new(settings).unwrap();
//! let line = Line { number: 1, text: Ok(r#"{"moves": "e1b4 g10h8 f3h2 h8i6"}"#.to_owned()) };
//! assert!(worker.answer(&line).json().contains(r#""score":{"mate":1}"#));
//! ```
//!
//! # Layers
//!
//! From the bottom up; each module uses only those before it. `.ci/layers` checks that.
//!
//! 1. `exit`, `version`, `log`, `usage`, `random`, `stdout`, `terminal`, `threads`: what every program has.
//! 2. `roles`, `overwrite`, `again`, `whole`, `one_writer`, `journal_file`, `terms`, `interrupt`, `progress`, `manual`:
//!    files and long runs.
//! 3. `lines`, `utf16`, `unpack`, `bounded`: texts that may hold anything.
//! 4. `score`, `outcome`, `chances`, `tables`, `eval_file`, `samples`, `by_files`: what the libraries have, as files and
//!    people see it.
//! 5. `drawing`, `plots`, `words`, `pages`: what is looked at.
//! 6. `pgn`, `game_names`, `inputs`, `explain`: games, positions and moves as they are given, and what lines differ in.
//! 7. `analyse`: one answer for each record.
//! 8. `bench`, `moves`, `show`, `perft`, `suite`, `games`, `convert`, `tb`, `uci`, `review`, `matches`, `board`: the
//!    other commands.
//! 9. `datagen`, `train`, `tune`, `wdl`, `spsa`: data, and what is learnt from them.
//! 10. `program`: the command line.
//! 11. `fuzzing`: doors for the fuzz targets.
//!
//! The feature `program` brings [`main`] and what only commands need. Other programs leave it out.

#![forbid(unsafe_code)]
// Without it, some helpers that commands share are unused.
#![cfg_attr(not(feature = "program"), allow(dead_code, unused_imports))]

/// As that of the standard library, but whoever closes standard error (`2>&1 | head`) causes no panic.
macro_rules! eprintln {
    ($($told:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($told)*);
    }};
}

mod again;
pub mod analyse;
#[cfg(feature = "program")]
mod bench;
#[cfg(feature = "board")]
mod board;
mod bounded;
mod by_files;
pub mod chances;
#[cfg(feature = "program")]
mod convert;
#[cfg(feature = "program")]
mod datagen;
pub mod drawing;
pub mod eval_file;
mod exit;
pub mod explain;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod fuzzing;
pub mod game_names;
#[cfg(feature = "program")]
mod games;
pub mod inputs;
mod interrupt;
mod journal_file;
pub mod lines;
#[cfg(feature = "program")]
mod log;
#[cfg(feature = "program")]
mod manual;
#[cfg(feature = "program")]
mod matches;
#[cfg(feature = "program")]
mod moves;
mod one_writer;
mod outcome;
mod overwrite;
mod pages;
#[cfg(feature = "program")]
mod perft;
pub mod pgn;
mod plots;
#[cfg(feature = "program")]
mod program;
mod progress;
mod random;
pub mod review;
mod roles;
#[cfg(feature = "program")]
mod samples;
mod score;
#[cfg(feature = "program")]
mod show;
#[cfg(feature = "program")]
mod spsa;
pub mod stdout;
#[cfg(feature = "program")]
mod suite;
pub mod tables;
#[cfg(feature = "program")]
mod tb;
mod terminal;
mod terms;
mod threads;
#[cfg(feature = "program")]
mod train;
#[cfg(feature = "program")]
mod tune;
#[cfg(feature = "program")]
mod uci;
mod unpack;
mod usage;
mod utf16;
#[cfg(feature = "program")]
mod version;
#[cfg(feature = "program")]
mod wdl;
mod whole;
#[cfg(feature = "program")]
mod words;

#[cfg(feature = "program")]
pub use program::main;

/// The examples of the repository's README, compiled and run with the tests. They are here and not in
/// `engine`, since a package for a registry contains only its own folder.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
