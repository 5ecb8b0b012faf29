//! What stands for Parquet in a program that was built without it.

use std::convert::Infallible;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::marker::PhantomData;

use anyhow::Result;
use indicatif::ProgressBar;
use serde_json::Value;

use super::{Row, available};
use crate::analyse::answer::Answer;
use crate::analyse::forms::row::RunHeader;
use crate::analyse::merge::shares::Share;

/// There are none.
pub enum Rows {}

impl Rows {
    /// Refuses the file.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: File) -> Result<Rows> {
        available()?;
        unreachable!("built without")
    }

    /// None.
    pub fn read(&self) -> u64 {
        match *self {}
    }

    /// None.
    pub fn share(&self) -> f64 {
        match *self {}
    }

    /// None.
    ///
    /// # Errors
    /// Never.
    pub fn next_row(&mut self, _: impl Fn(u64) -> Value) -> Result<Option<Row>> {
        match *self {}
    }
}

/// There are none.
pub struct Writer<W>(Infallible, PhantomData<W>);

impl<W: Write + Send> Writer<W> {
    /// Refuses to write.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: W, _: RunHeader) -> Result<Self> {
        available()?;
        unreachable!("built without")
    }

    /// None.
    ///
    /// # Errors
    /// Never.
    pub fn put(&mut self, _: &Answer) -> Result<()> {
        match self.0 {}
    }

    /// None.
    ///
    /// # Errors
    /// Never.
    pub fn end(self) -> Result<W> {
        match self.0 {}
    }
}

/// Refuses to merge.
///
/// # Errors
/// Always.
pub fn merged<W: Write + Send>(
    _: &[Share],
    _: BufWriter<W>,
    _: &ProgressBar,
) -> Result<BufWriter<W>> {
    available()?;
    unreachable!("built without")
}
