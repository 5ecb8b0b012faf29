//! What stands for the cache in a program that was built without it.

use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::answer::Findings;

/// Whether this program can keep a cache.
///
/// # Errors
/// It was built without.
pub fn available() -> Result<()> {
    bail!(
        "this program was built without a cache; expected one built with --features cache, as the packages are"
    )
}

/// There is none.
pub enum Store {}

impl Store {
    /// Refuses the file.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: &Path) -> Result<Option<Store>> {
        available()?;
        Ok(None)
    }

    /// Nothing.
    pub fn get(&mut self, _: u128) -> Option<Findings> {
        match *self {}
    }

    /// Nothing.
    pub fn put(&mut self, _: u128, _: &Findings) {
        match *self {}
    }
}

/// None.
pub fn logs_of(_: &Path) -> impl Iterator<Item = PathBuf> {
    iter::empty()
}
