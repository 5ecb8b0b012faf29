//! Ctrl-C and signals to end: the first ends a command in order, the second at once.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use crate::exit::Exit;

/// Calls `end` at the first Ctrl-C or signal to end. Whoever presses it twice does not wait for anything.
///
/// # Errors
/// If they cannot be caught, or something in this process catches them already.
pub fn on_interrupt(end: impl Fn() + Send + 'static) -> Result<()> {
    let before = AtomicBool::new(false);
    let caught = ctrlc::set_handler(move || match before.swap(true, Ordering::Relaxed) {
        false => end(),
        true => exit(Exit::Interrupted.code().into()),
    });
    caught.context("Ctrl-C cannot be caught")
}

/// A flag that the first Ctrl-C or signal to end sets.
///
/// # Errors
/// As [`on_interrupt`].
pub fn interrupted() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    on_interrupt(move || set.store(true, Ordering::Relaxed))?;
    Ok(flag)
}
