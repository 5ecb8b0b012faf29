//! Perft on several threads and with a hash table: what `hexmate perft` and `hexmate suite` count with.
//!
//! It is a crate of its own so that it is compiled with full optimisation, which the program is not. One thread
//! without a hash table needs none of it: [`hexmate_movegen::perft`] counts as fast.
//!
//! ```
//! use hexmate_movegen::{Glinski, Position};
//! use hexmate_perft::{Counter, Means};
//!
//! let counter = Counter::new(&Means { threads: 2, megabytes: 1, ..Means::default() }).unwrap();
//! assert_eq!(counter.perft(&Position::<Glinski>::start(), 3), Ok(137_858));
//! ```

#![forbid(unsafe_code)]

mod counter;
mod memo;

pub use counter::{Counter, CounterError, Means, TooMany};
pub use memo::{MemoError, MemoKind};
