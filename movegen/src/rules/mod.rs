//! What a game is: the vocabulary in which it is written down, and what follows from that while the
//! program is compiled.

mod derived;
mod game;
mod lane_plan;
mod mv;
mod piece;
pub mod spec;

pub(crate) use game::sealed;
pub use game::{Rules, piece_letter};
pub(crate) use lane_plan::LANE_BITS;
pub use lane_plan::WordClasses;
pub use mv::Move;
pub use piece::{EnPassant, KING, Kind, PAWN, Piece, Side};
pub(crate) use piece::{decode, encode, kind_of};
