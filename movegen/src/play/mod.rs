//! What other crates call: questions to a position, moves, records of games, text. All of it forwards to code
//! that is compiled once for each game.

mod attacks;
#[macro_use]
mod compiled;
mod outcome;
mod perft;
mod position;
mod record;
mod returns;
mod text;
#[cfg(feature = "unchecked")]
mod unchecked;

pub use attacks::{attacks_in, count_slides_in};
pub use compiled::{Compiled, Trusted};
pub use outcome::Outcome;
pub use perft::{divide, perft, perft_anywhere, perft_in};
pub use record::Record;
#[cfg(feature = "unchecked")]
pub use unchecked::Unchecked;
