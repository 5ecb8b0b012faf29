//! What can go wrong when a table is made.

/// Why a table could not be made. Once it exists, no operation on it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TtError {
    /// The size asked for was zero.
    #[error("a transposition table cannot have size zero")]
    ZeroSize,
    /// The size in bytes does not fit the address space.
    #[error("a transposition table of {size} {unit} does not fit the address space")]
    TooLarge {
        /// The size asked for, in `unit`.
        size: usize,
        /// What `size` counts: `"MB"` or `"bytes"`.
        unit: &'static str,
    },
    /// The system had no memory of this size to give.
    #[error("no memory for a transposition table of {bytes} bytes")]
    OutOfMemory {
        /// The size of the table, in bytes.
        bytes: usize,
    },
}
