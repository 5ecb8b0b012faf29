//! The log of a match: faults always, and all engine communication if requested.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};

use super::options::LogOptions;

/// A log, or none. It is written line by line at once.
pub struct Log {
    file: Option<Mutex<File>>,
    name: String,
    /// Whether it was said that it cannot be written.
    warned: AtomicBool,
    engine: bool,
    begin: Instant,
}

impl Log {
    /// The requested log. It is appended to.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn open(options: Option<&LogOptions>) -> Result<Log> {
        let file = options.map(|options| {
            let cannot = || format!("{}: cannot be written", options.file.display());
            let mut open = OpenOptions::new();
            open.create(true).append(true);
            open.open(&options.file).with_context(cannot)
        });
        Ok(Log {
            file: file.transpose()?.map(Mutex::new),
            name: options.map_or_else(String::new, |o| o.file.display().to_string()),
            warned: AtomicBool::new(false),
            engine: options.is_some_and(|o| o.engine),
            begin: Instant::now(),
        })
    }

    /// Writes a line, preceded by the seconds since the match started.
    pub fn line(&self, text: &str) {
        if let Some(file) = &self.file {
            let line = format!("{:10.3} {text}\n", self.begin.elapsed().as_secs_f64());
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            // A full disk must not end the match; the files that matter are checked.
            if let Err(error) = file.write_all(line.as_bytes())
                && !self.warned.swap(true, Ordering::Relaxed)
            {
                eprintln!(
                    "hexmate: -log file={}: cannot be written: {error}; the match goes on, and the log lacks lines",
                    self.name
                );
            }
        }
    }

    /// Writes what was sent to an engine (`<`) or received from it (`>`), if requested.
    pub fn said(&self, name: &str, id: u32, direction: char, text: &str) {
        if self.engine {
            self.line(&format!("{name}[{id}] {direction} {text}"));
        }
    }

    /// Where engines write their errors: to the log, if their communication is requested.
    pub fn stderr(&self) -> Stdio {
        let file = self.file.as_ref().filter(|_| self.engine);
        let file = file.map(|f| f.lock().unwrap_or_else(PoisonError::into_inner).try_clone());
        file.and_then(Result::ok)
            .map_or_else(Stdio::null, Stdio::from)
    }
}
