//! Parquet files: the rows of inputs, and tables of answers. Without the feature `parquet` they are refused.

#[cfg(not(feature = "parquet"))]
mod absent;
#[cfg(feature = "parquet")]
mod cells;
#[cfg(feature = "parquet")]
mod merging;
#[cfg(feature = "parquet")]
mod rows;
#[cfg(feature = "parquet")]
mod writer;

use anyhow::{Result, ensure};

use super::request::{Label, Request};
use super::table::TableError;

#[cfg(not(feature = "parquet"))]
pub use absent::{Rows, Writer, merged};
#[cfg(feature = "parquet")]
pub use {merging::merged, rows::Rows, writer::Writer};

/// A row: its number, and its request.
pub type Row = (u64, Result<Request, (Box<Label>, TableError)>);

/// Whether this program can read and write Parquet.
///
/// # Errors
/// If it was built without.
pub fn available() -> Result<()> {
    ensure!(
        cfg!(feature = "parquet"),
        "this program was built without Parquet; expected one built with --features parquet, as the packages are"
    );
    Ok(())
}
