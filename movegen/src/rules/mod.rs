//! What a game is: the vocabulary in which it is written down, and what follows from that while the
//! program is compiled.

mod derived;
mod game;
mod lane_plan;
mod mv;
mod piece;
mod plan;
pub mod spec;

pub use derived::MOST_AXES;
pub use game::Rules;
pub(crate) use game::sealed;
pub use lane_plan::WordClasses;
pub(crate) use lane_plan::{LANE_BITS, LanePlan};
pub use mv::Move;
pub use piece::{EnPassant, KING, Kind, PAWN, Piece, Side};
pub(crate) use piece::{decode, encode, kind_of};
pub use plan::Plan;
