//! An engine's process: lines out and in, each with a time limit, and a certain end.
//!
//! One thread talks to it: pipes do not block, and the system does the waiting. Nothing that the process does
//! or fails to do can delay the caller beyond the time it allows.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::engine_output::{EngineOutput, LOOK_UP, QUIT_PATIENCE, WRITE_PATIENCE};
use super::guard::Guard;
use super::player::{Fault, NoLine};

/// A running process.
pub struct Process<'s> {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    output: EngineOutput,
    stop: &'s AtomicBool,
    guard: &'s Guard,
}

impl<'s> Process<'s> {
    /// Starts a process, in its own process group.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(
        mut command: std::process::Command,
        stop: &'s AtomicBool,
        guard: &'s Guard,
    ) -> Result<Self, Fault> {
        let fault = |e: &dyn std::fmt::Display| Fault::CannotStart(e.to_string());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0);
        let mut child = guard.spawn(&mut command).map_err(|e| fault(&e))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both are piped");
        };
        let process = Process {
            child,
            stdin,
            stdout,
            output: EngineOutput::default(),
            stop,
            guard,
        };
        let flags = fcntl_getfl(&process.stdin).map_err(|e| fault(&e))?;
        fcntl_setfl(&process.stdin, flags | OFlags::NONBLOCK).map_err(|e| fault(&e))?;
        Ok(process)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a line, and starts counting its output; but `stop` belongs to the question before.
    ///
    /// # Errors
    ///
    /// If it is gone or does not read.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.output.answers(line);
        let text = format!("{line}\n");
        let mut rest = text.as_bytes();
        let deadline = Instant::now() + WRITE_PATIENCE;
        while !rest.is_empty() {
            match self.stdin.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    let now = Instant::now();
                    if now >= deadline {
                        return Err(Fault::Stalls);
                    }
                    wait_for(&self.stdin, PollFlags::OUT, deadline - now);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(self.closed_input()),
            }
        }
        Ok(())
    }

    /// The next line, without its end; bytes that are not UTF-8 are replaced.
    ///
    /// # Errors
    ///
    /// If there is none before `deadline`, or never will be.
    pub fn line(&mut self, deadline: Instant) -> Result<String, NoLine> {
        loop {
            if let Some(line) = self.output.line() {
                return Ok(line);
            }
            if self.output.is_flood() {
                return Err(NoLine::Fault(Fault::Floods));
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(NoLine::Fault(Fault::Interrupted));
            }
            let now = Instant::now();
            if now >= deadline {
                return Err(if self.is_deaf() {
                    NoLine::Fault(self.closed_input())
                } else {
                    NoLine::Timeout
                });
            }
            let time = (deadline - now).min(LOOK_UP);
            if wait_for(&self.stdout, PollFlags::IN, time) {
                self.read()?;
            } else if self.has_ended() {
                return Err(NoLine::Fault(Fault::Disconnects));
            }
        }
    }

    /// Whether nobody is left to read from the pipe. Writing need not show it: a process that is just being
    /// started elsewhere holds a copy of the pipe for a moment, and the text stays in it unread.
    fn is_deaf(&self) -> bool {
        let mut fds = [PollFd::new(&self.stdin, PollFlags::empty())];
        let told = poll(&mut fds, Some(&Timespec::default())).is_ok_and(|ready| ready > 0);
        told && fds[0].revents().contains(PollFlags::ERR)
    }

    /// What is wrong with a process that no longer reads. One that ends closes its input as well, a moment before the
    /// rest.
    fn closed_input(&self) -> Fault {
        if wait_for(&self.stdout, PollFlags::empty(), LOOK_UP) || self.has_ended() {
            Fault::Disconnects
        } else {
            Fault::Deaf
        }
    }

    /// Whether the process has exited, though something it started may still hold its output. It is not
    /// reaped yet, so its process id is not reused.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = |pid| waitid(WaitId::Pid(pid), options).is_ok_and(|status| status.is_some());
        self.pid().is_some_and(ended)
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.id()).ok().and_then(Pid::from_raw)
    }

    fn read(&mut self) -> Result<(), NoLine> {
        let mut chunk = [0; 1 << 14];
        match self.stdout.read(&mut chunk) {
            Ok(0) => Err(NoLine::Fault(Fault::Disconnects)),
            Ok(read) => {
                self.output.add(&chunk[..read]);
                Ok(())
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => Ok(()),
            Err(_) => Err(NoLine::Fault(Fault::Disconnects)),
        }
    }
}

/// Waits until a pipe can be used or has ended; `false` if the time is up first.
fn wait_for(pipe: &impl AsFd, flags: PollFlags, time: Duration) -> bool {
    let mut fds = [PollFd::new(pipe, flags)];
    let timeout = Timespec {
        tv_sec: time.as_secs() as i64,
        tv_nsec: i64::from(time.subsec_nanos()),
    };
    // An interrupted wait is a short one.
    poll(&mut fds, Some(&timeout)).is_ok_and(|ready| ready > 0)
}

/// Asks the process to quit, then kills it with everything it started, and reaps it.
impl Drop for Process<'_> {
    fn drop(&mut self) {
        let told = self.send("quit").is_ok();
        let deadline = Instant::now() + QUIT_PATIENCE;
        // Its output is read meanwhile: with a full pipe it may be unable to quit.
        while told && Instant::now() < deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            let readable = wait_for(&self.stdout, PollFlags::IN, left.min(LOOK_UP));
            if if readable {
                self.read().is_err()
            } else {
                self.has_ended()
            } {
                break;
            }
            self.output.clear();
        }
        // Before its leader is reaped: until then nobody else can have the group's id. This fails only if
        // nobody is left.
        if let Some(group) = self.pid() {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
        self.guard.remove(self.id());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flood is one also where a part of it comes after `stop`.
    #[test]
    fn output_is_counted_for_each_question() {
        let (stop, guard) = (AtomicBool::new(false), Guard::none());
        // It answers every line with 10 MiB.
        let script = "long=$(printf %01000d 0)
            while read -r line; do yes $long | head -c 10485760; echo; echo done; done";
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", script]);
        let mut process = Process::start(shell, &stop, &guard).unwrap();
        let mut told = |line: &str| {
            process.send(line).unwrap();
            let deadline = Instant::now() + Duration::from_secs(60);
            while process.line(deadline)? != "done" {}
            Ok(())
        };
        assert_eq!(told("go"), Ok(()));
        assert_eq!(told("go"), Ok(()));
        assert_eq!(told("stop"), Err(NoLine::Fault(Fault::Floods)));
    }
}
