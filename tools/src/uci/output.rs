//! What is said: whole lines, flushed, by any thread.

use std::io::{self, Write, stdout};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Standard output, line by line, or a text in memory.
#[derive(Debug, Default)]
pub struct Output {
    /// Why something could not be written: nobody listens any more.
    fault: OnceLock<io::Error>,
    memory: Option<Mutex<String>>,
}

impl Output {
    /// An output that keeps what is said.
    pub fn in_memory() -> Self {
        Output {
            memory: Some(Mutex::default()),
            ..Output::default()
        }
    }

    /// What an output in memory has kept.
    pub fn text(&self) -> String {
        let memory = self.memory.iter();
        let texts = memory.map(|m| m.lock().unwrap_or_else(PoisonError::into_inner).clone());
        texts.collect()
    }

    /// Writes a text and the end of its line, in one piece.
    pub fn say(&self, text: &str) {
        if let Some(memory) = &self.memory {
            let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            memory.push_str(text);
            memory.push('\n');
            return;
        }
        let mut out = stdout().lock();
        let written: io::Result<()> = out
            .write_all(text.as_bytes())
            .and_then(|()| out.write_all(b"\n"))
            .and_then(|()| out.flush());
        if let Err(error) = written {
            let _ = self.fault.set(error);
        }
    }

    /// Tells the user something, in one line whatever the text has in it.
    pub fn inform(&self, text: &str) {
        let visible: String = one_line(text)
            .chars()
            .map(|c| if c.is_control() { '\u{fffd}' } else { c })
            .collect();
        self.say(&format!("info string {visible}"));
    }

    /// Why something could not be written, if so.
    pub fn fault(&self) -> Option<&io::Error> {
        self.fault.get()
    }
}

/// Lines as one: those of a list follow its heading, parted by semicolons.
fn one_line(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if !out.is_empty() {
            out += if out.ends_with(':') { " " } else { "; " };
        }
        out += line;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_one_line() {
        let output = Output::in_memory();
        output.inform("a.toml:\nline 1: bad\nline 2:\tworse\n");
        assert_eq!(
            output.text(),
            "info string a.toml: line 1: bad; line 2:\u{fffd}worse\n"
        );
    }
}
