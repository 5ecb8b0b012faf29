//! Engines do not outlive the match, even if the match is killed.
//!
//! A process that is killed cannot kill its children, and an engine that hangs does not notice that its input
//! has ended. So a second `hexmate`, the guard, is told the process id of each engine. When its input ends
//! because the match is gone, it kills the remaining engines. Daemons that engines leave behind are killed
//! when the match ends ([`Strays`]); they survive a match that is killed.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

use super::strays::Strays;

/// The word that makes `hexmate match` a guard.
pub const WORD: &str = "--guard-engines";

/// The guard of a match. Even without a guard process, engines are killed unless the match itself is killed.
pub struct Guard {
    watch: Mutex<Watch>,
}

/// The state of a guard.
struct Watch {
    process: Option<(Child, ChildStdin)>,
    /// Running engines.
    engines: BTreeSet<u32>,
    /// `None`: there are no external engines.
    strays: Option<Strays>,
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
        let strays = Strays::adopt();
        Guard::new(spawn(), Some(strays))
    }

    /// A guard for a match without external engines.
    pub fn none() -> Guard {
        Guard::new(None, None)
    }

    fn new(process: Option<(Child, ChildStdin)>, strays: Option<Strays>) -> Guard {
        Guard {
            watch: Mutex::new(Watch {
                process,
                engines: BTreeSet::new(),
                strays,
            }),
        }
    }

    /// Starts an engine and guards it.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        // Nobody may take it for a stray before it is registered.
        let mut watch = self.watch();
        let child = command.spawn()?;
        watch.engines.insert(child.id());
        watch.tell(&format!("+{}\n", child.id()));
        Ok(child)
    }

    /// Forgets an engine that was ended.
    pub fn remove(&self, id: u32) {
        let mut watch = self.watch();
        watch.engines.remove(&id);
        watch.tell(&format!("-{id}\n"));
        if let Some(strays) = &watch.strays {
            let own = watch.process.as_ref().map(|(child, _)| child.id());
            strays.reap(|id| watch.engines.contains(&id) || own == Some(id));
        }
    }

    fn watch(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    fn tell(&mut self, line: &str) {
        if let Some((_, stdin)) = self.process.as_mut() {
            // A guard that is gone cannot be told; the match continues without it.
            let _ = stdin.write_all(line.as_bytes());
        }
    }
}

/// All engines have ended by now.
impl Drop for Guard {
    fn drop(&mut self) {
        let watch = self.watch.get_mut();
        let watch = watch.unwrap_or_else(PoisonError::into_inner);
        if let Some((mut child, stdin)) = watch.process.take() {
            drop(stdin);
            let _ = child.wait();
        }
        if let Some(strays) = &watch.strays {
            strays.end();
        }
    }
}

/// The guard process: remembers process ids until its input ends, then kills those processes.
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
        // Fails only if nobody is left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}
