//! Talking to the program.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Whoever says nothing for so long has hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running `hexmate uci`.
pub struct Uci {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: Receiver<String>,
    /// What was said to it and by it of late.
    log: VecDeque<String>,
}

impl Uci {
    pub fn new() -> Uci {
        Uci::with(&[])
    }

    /// One that plays this game.
    pub fn of(game: &str) -> Uci {
        let mut uci = Uci::new();
        uci.send(&format!("setoption name UCI_Variant value {game}"));
        uci.until("info string variant");
        uci
    }

    pub fn with(arguments: &[&str]) -> Uci {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hexmate"))
            .arg("uci")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        Uci {
            input: child.stdin.take(),
            output: lines(child.stdout.take().expect("a pipe")),
            errors: lines(child.stderr.take().expect("a pipe")),
            child,
            log: VecDeque::new(),
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    pub fn send_bytes(&mut self, line: &[u8]) {
        self.note(&format!("> {}", String::from_utf8_lossy(line)));
        let input = self.input.as_mut().expect("still open");
        let sent = input.write_all(line).and_then(|()| input.write_all(b"\n"));
        if let Err(error) = sent {
            self.fail(&format!("cannot be written to: {error}"));
        }
    }

    fn note(&mut self, line: &str) {
        /// A failure is explained by so much of what was said last.
        const MOST: usize = 60;
        if self.log.len() == MOST {
            self.log.pop_front();
        }
        self.log.push_back(line.chars().take(500).collect());
    }

    /// The next line that it says.
    pub fn line(&mut self) -> String {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.note(&line);
                line
            }
            Err(RecvTimeoutError::Timeout) => self.fail("says nothing"),
            Err(RecvTimeoutError::Disconnected) => self.fail("has ended"),
        }
    }

    /// The lines up to one that begins with `front`; that one is the last.
    pub fn until(&mut self, front: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().is_some_and(|l| l.starts_with(front)) {
                return lines;
            }
        }
    }

    /// Sends a command, and gives all that was said until it was heard.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a command that is answered by one line.
    pub fn answer(&mut self, line: &str) -> String {
        let lines = self.ask(line);
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        lines[0].clone()
    }

    /// Searches and gives what was said, the best move last.
    pub fn go(&mut self, limits: &str) -> Vec<String> {
        self.send(&format!("go {limits}"));
        self.until("bestmove")
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.note("> (end of input)");
        self.input = None;
    }

    /// Waits for the end of the program after `quit` or [`Uci::close`]; gives what it said at last.
    pub fn end(mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => {
                    self.note(&line);
                    lines.push(line);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => self.fail("does not end"),
            }
        }
        let status = self.wait();
        if !status.success() {
            self.fail(&format!("ended with {status}"));
        }
        let errors: Vec<String> = self.errors.iter().collect();
        if !errors.is_empty() {
            self.fail(&format!("had errors: {errors:?}"));
        }
        lines
    }

    fn wait(&mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            if begin.elapsed() > PATIENCE {
                self.fail("does not end");
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The memory it holds, in KiB, where the system tells.
    pub fn memory(&self) -> Option<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Fails the test with what was said last.
    pub fn fail(&mut self, what: &str) -> ! {
        drop(self.child.kill());
        let errors: Vec<String> = self.errors.iter().collect();
        let log = self.log.make_contiguous().join("\n");
        panic!("hexmate uci {what}\n{log}\nerrors: {errors:?}");
    }
}

impl Drop for Uci {
    fn drop(&mut self) {
        // A test that fails must not leave a program behind that searches on.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn lines(pipe: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The word after `name` in a line.
pub fn after<'l>(line: &'l str, name: &str) -> &'l str {
    let mut words = line.split(' ').skip_while(|&w| w != name);
    words
        .nth(1)
        .unwrap_or_else(|| panic!("no {name} in {line}"))
}

/// The number after `name` in a line.
pub fn number(line: &str, name: &str) -> i64 {
    let word = after(line, name);
    word.parse()
        .unwrap_or_else(|e| panic!("{e}: {name} in {line}"))
}

/// The moves after `pv`; none if there is no such word.
pub fn pv(line: &str) -> Vec<&str> {
    let mut words = line.split(' ').skip_while(|&w| w != "pv");
    words.next();
    words.collect()
}

/// The last `info` line with a score before the end of a search.
pub fn last_info(lines: &[String]) -> &str {
    let mut infos = lines.iter().filter(|l| l.contains(" score "));
    infos
        .next_back()
        .unwrap_or_else(|| panic!("no score in {lines:?}"))
}

/// How many lines begin so.
pub fn count(lines: &[String], front: &str) -> usize {
    lines.iter().filter(|l| l.starts_with(front)).count()
}
