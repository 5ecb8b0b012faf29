//! Legal moves and perft.

mod context;
mod count;
mod generate;
mod legal;
mod perft;
mod replies;

pub use legal::Wanted;
pub(crate) use legal::{any, count, list};
pub(crate) use perft::count as count_sequences;
pub(crate) use perft::count_anywhere;
