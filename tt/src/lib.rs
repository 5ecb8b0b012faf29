//! A transposition table for game-tree search, shared by many threads without locks.
//!
//! The table knows nothing of the game. It keeps an [`Entry`] (a move as an opaque 24-bit word, a
//! score, a static evaluation, a depth and a kind of bound) under a 64-bit key, which must be well
//! mixed in all its bits, as Zobrist keys are: the high bits choose the place, the low 56 bits are
//! kept to recognise the position.
//!
//! [`Table::probe`] and [`Table::store`] take `&self` and may be called from any number of threads
//! at once. What changes the table as a whole ([`Table::new_search`], [`Table::forget`],
//! [`Table::clear`]) takes `&mut self`, so it cannot overlap a search.
//!
//! ```
//! use hexmate_tt::{Bound, Entry, Table};
//!
//! let mut table = Table::new(1)?;
//! let key = 0x9e37_79b9_7f4a_7c15;
//! let entry = Entry { mv: 0x0012_3456, score: 31, eval: -7, depth: 12, bound: Bound::Exact };
//!
//! table.store(key, entry);
//! assert_eq!(table.probe(key), Some(entry));
//!
//! table.forget();
//! assert_eq!(table.probe(key), None);
//! # Ok::<(), hexmate_tt::TtError>(())
//! ```
//!
//! How it is made, one module for each idea:
//!
//! * `entry`: the 128 bits of an entry, and why two halves of different entries do not pass;
//! * `slot`: those bits as two atomic words, four slots to a cache line, and memory ordering;
//! * `generation`: the six-bit clock behind ageing and behind forgetting in constant time;
//! * `replacement`: which slot of a bucket a new entry takes;
//! * `table`: the [`Table`] itself;
//! * `alloc` and `prefetch`: the only unsafe code.

#![deny(unsafe_code)]

#[allow(unsafe_code)]
mod alloc;
mod entry;
mod error;
mod generation;
#[allow(unsafe_code)]
mod prefetch;
mod replacement;
mod slot;
mod sync;
mod table;

pub use entry::{Bound, Entry};
pub use error::TtError;
pub use table::Table;

/// The parts that the loom model drives directly; they exist only under `--cfg loom`.
#[cfg(loom)]
pub mod model {
    pub use crate::entry::Words;
    pub use crate::slot::Slot;
}

/// The example of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
