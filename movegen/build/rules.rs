//! As much of the crate's module of this name as reading a game takes.

#[path = "../src/rules/derived.rs"]
#[allow(dead_code)]
mod derived;
#[path = "../src/rules/lane_plan.rs"]
mod lane_plan;
#[path = "../src/rules/piece.rs"]
#[allow(dead_code)]
mod piece;
#[path = "../src/rules/spec.rs"]
#[allow(dead_code, unused_imports)]
pub mod spec;

pub(crate) use lane_plan::LANE_BITS;
pub use lane_plan::LanePlan;
pub use piece::{KING, Kind, PAWN, Piece, Side};
