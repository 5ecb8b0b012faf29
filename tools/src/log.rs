//! What the program tells of its work on standard error.

use anyhow::{Context, Result};
use tracing::level_filters::LevelFilter;

/// The variable that says how much is told, if no option does.
const VARIABLE: &str = "HEXMATE_LOG";

/// Tells things of this level from now on, each on a line with time, level and module.
///
/// # Errors
/// If the variable holds no level.
pub fn begin(level: Option<LevelFilter>) -> Result<()> {
    let level = match (level, std::env::var(VARIABLE)) {
        (Some(level), _) => level,
        (None, Ok(text)) => text.parse().with_context(|| {
            format!(
                "{VARIABLE}: '{text}' is not a level; expected off, error, warn, info, debug or trace"
            )
        })?,
        (None, Err(_)) => LevelFilter::WARN,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .init();
    Ok(())
}
