//! Engines do not outlive the match, even if the match is killed.
//!
//! A process that is killed cannot end its children, and an engine that hangs does not see that its
//! input has ended. So a second `hexmate`, the guard, is told the number of each engine. When its input
//! ends because the match is gone, it ends the engines that are left.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// The word that makes `hexmate match` a guard.
pub const WORD: &str = "--guard-engines";

/// The guard of a match. Without a guard process, engines are ended all the same unless the match is
/// killed.
pub struct Guard {
    process: Mutex<Option<(Child, ChildStdin)>>,
}

impl Guard {
    /// Starts a guard.
    pub fn start() -> Guard {
        let spawn = || {
            let mut child = Command::new(std::env::current_exe().ok()?)
                .args(["match", WORD])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .process_group(0)
                .spawn()
                .ok()?;
            let stdin = child.stdin.take()?;
            Some((child, stdin))
        };
        Guard {
            process: Mutex::new(spawn()),
        }
    }

    /// A guard that guards nothing, where no processes are started.
    pub fn none() -> Guard {
        Guard {
            process: Mutex::new(None),
        }
    }

    /// Watches over an engine.
    pub fn add(&self, id: u32) {
        self.tell(&format!("+{id}\n"));
    }

    /// Forgets an engine that was ended.
    pub fn remove(&self, id: u32) {
        self.tell(&format!("-{id}\n"));
    }

    fn tell(&self, line: &str) {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, stdin)) = process.as_mut() {
            // A guard that is gone cannot be told, and the match goes on without it.
            let _ = stdin.write_all(line.as_bytes());
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let process = self
            .process
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((mut child, stdin)) = process.take() {
            drop(stdin);
            let _ = child.wait();
        }
    }
}

/// The guard's own life: remembers numbers until its input ends, then ends those processes.
pub fn run(input: impl BufRead) {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let number = line.get(1..).and_then(|n| n.parse::<i32>().ok());
        match (line.as_bytes().first(), number) {
            (Some(b'+'), Some(number)) => groups.insert(number),
            (Some(b'-'), Some(number)) => groups.remove(&number),
            _ => false,
        };
    }
    for group in groups.into_iter().filter_map(Pid::from_raw) {
        // Fails only where nobody is left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}
