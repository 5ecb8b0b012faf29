//! Sets of cells: one bit for each cell index, in 128 or 256 bits.
//!
//! A board chooses its word by its number of cells; all other code is generic over [`Bits`] and
//! compiled for each. Every operation is branch-free, or as good as that.

#[macro_use]
mod unrolled;
mod bits;
#[allow(unsafe_code)] // vector instructions
mod vectors;
mod words;

pub(crate) use bits::Row;
pub use bits::{Bits, Cell, CellSet, Cells};
#[cfg(target_arch = "x86_64")]
pub(crate) use vectors::Vectors;
pub use vectors::Words;
pub use words::B256;
