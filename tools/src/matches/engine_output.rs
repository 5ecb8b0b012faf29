//! What an engine writes, cut into lines, and the limits that all engines have.

use std::time::Duration;

/// The longest line that an engine may write.
const LONGEST_LINE: usize = 1 << 20;
/// The most that an engine may write before the answer that is waited for.
const MOST_OUTPUT: usize = 16 << 20;
/// How long an engine may take to read what is sent to it.
pub const WRITE_PATIENCE: Duration = Duration::from_secs(5);
/// How long an engine is given to quit by itself.
pub const QUIT_PATIENCE: Duration = Duration::from_millis(500);
/// How often a waiting thread checks whether the match is being ended.
pub const LOOK_UP: Duration = Duration::from_millis(100);

/// What was read and is not yet handed on as lines.
#[derive(Default)]
pub struct EngineOutput {
    /// Lines before `begin` are done.
    bytes: Vec<u8>,
    begin: usize,
    /// There is no newline between `begin` and here.
    looked_at: usize,
    /// Bytes received since the last command that begins something new.
    count: usize,
}

impl EngineOutput {
    /// A line is sent: what comes is counted anew; but `stop` belongs to the question before.
    pub fn answers(&mut self, line: &str) {
        if line != "stop" {
            self.count = 0;
        }
    }

    /// Takes what was read.
    pub fn add(&mut self, bytes: &[u8]) {
        self.count += bytes.len();
        self.bytes.extend_from_slice(bytes);
    }

    /// The next line, without its end; bytes that are not UTF-8 are replaced.
    pub fn line(&mut self) -> Option<String> {
        let end = self.bytes[self.looked_at..]
            .iter()
            .position(|&byte| byte == b'\n');
        let Some(end) = end.map(|end| self.looked_at + end) else {
            // Lines that were returned make room.
            self.bytes.drain(..self.begin);
            self.begin = 0;
            self.looked_at = self.bytes.len();
            return None;
        };
        let line = String::from_utf8_lossy(&self.bytes[self.begin..end]);
        let line = line.trim_end_matches('\r').to_owned();
        self.begin = end + 1;
        self.looked_at = self.begin;
        Some(line)
    }

    /// Whether it is more than an engine may write.
    pub fn is_flood(&self) -> bool {
        self.bytes.len() - self.begin > LONGEST_LINE || self.count > MOST_OUTPUT
    }

    /// Forgets what was read: nobody wants to know it.
    #[cfg(unix)]
    pub fn clear(&mut self) {
        *self = EngineOutput::default();
    }
}
