//! What is said: whole lines, flushed, by any thread.

use std::io::{self, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

/// Standard output, line by line.
#[derive(Debug, Default)]
pub struct Output {
    /// Nobody listens any more.
    closed: AtomicBool,
}

impl Output {
    /// Writes a text and the end of its line, in one piece.
    pub fn say(&self, text: &str) {
        let mut out = stdout().lock();
        let written: io::Result<()> = out
            .write_all(text.as_bytes())
            .and_then(|()| out.write_all(b"\n"))
            .and_then(|()| out.flush());
        if written.is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// Tells the user something, in one line whatever the text has in it.
    pub fn inform(&self, text: &str) {
        let visible: String = text
            .chars()
            .map(|c| if c.is_control() { '\u{fffd}' } else { c })
            .collect();
        self.say(&format!("info string {visible}"));
    }

    /// Whether something could not be written.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
