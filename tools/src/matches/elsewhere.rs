//! The processes of engines, and their guard, where the system is not Unix: with what the standard library has. There
//! pipes cannot be waited for, so that two threads stand between an engine and the match. What an engine has started
//! itself is not found, and if the match is killed, its engines see only that their input has ended.

pub mod guard {
    //! Nobody watches over the match.

    use std::io::BufRead;

    /// The word that makes `hexmate match` a guard, on other systems.
    pub const WORD: &str = "--guard-engines";

    /// The guard of a match.
    pub struct Guard;

    impl Guard {
        /// There is nothing to start.
        pub fn start() -> Guard {
            Guard
        }

        /// A guard for a match without external engines.
        pub fn none() -> Guard {
            Guard
        }
    }

    /// Nothing is left to be killed.
    pub fn run(_input: impl BufRead) {}
}

pub mod process {
    //! An engine's process: lines out and in, each with a time limit, and a certain end.

    use std::io::{Read, Write};
    use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
    use std::thread;
    use std::time::Instant;

    use super::guard::Guard;
    use crate::matches::engine_output::{EngineOutput, LOOK_UP, QUIT_PATIENCE, WRITE_PATIENCE};
    use crate::matches::player::{Fault, NoLine};
    use crate::threads::NO_THREAD;

    /// Bytes that are read at once, and how many times as many may wait to be looked at.
    const CHUNK: usize = 1 << 14;
    const MOST_CHUNKS: usize = 64;

    /// A running process.
    pub struct Process<'s> {
        child: Child,
        lines: Sender<String>,
        /// Something comes for each line that was written.
        written: Receiver<()>,
        chunks: Receiver<Vec<u8>>,
        output: EngineOutput,
        stop: &'s AtomicBool,
    }

    impl<'s> Process<'s> {
        /// Starts a process.
        ///
        /// # Errors
        /// If it cannot be started.
        pub fn start(
            mut command: Command,
            stop: &'s AtomicBool,
            _guard: &'s Guard,
        ) -> Result<Self, Fault> {
            let fault = |error: &dyn std::fmt::Display| Fault::CannotStart(error.to_string());
            apart(&mut command);
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().map_err(|error| fault(&error))?;
            let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
                unreachable!("both are piped");
            };
            let (lines, to_write) = channel();
            let (told, written) = channel();
            let (read, chunks) = sync_channel(MOST_CHUNKS);
            let process = Process {
                child,
                lines,
                written,
                chunks,
                output: EngineOutput::default(),
                stop,
            };
            let begin = |work: Box<dyn FnOnce() + Send>| thread::Builder::new().spawn(work);
            begin(Box::new(move || write_all(stdin, &to_write, &told)))
                .and_then(|_| begin(Box::new(move || read_all(stdout, &read))))
                .map_err(|error| fault(&format!("{NO_THREAD}: {error}")))?;
            Ok(process)
        }

        /// Its process id.
        pub fn id(&self) -> u32 {
            self.child.id()
        }

        /// Sends it a line, and starts counting its output; but `stop` belongs to the question before.
        ///
        /// # Errors
        /// If it is gone or does not read.
        pub fn send(&mut self, line: &str) -> Result<(), Fault> {
            self.output.answers(line);
            if self.lines.send(format!("{line}\n")).is_err() {
                return Err(self.closed_input());
            }
            match self.written.recv_timeout(WRITE_PATIENCE) {
                Ok(()) => Ok(()),
                Err(RecvTimeoutError::Timeout) => Err(Fault::Stalls),
                Err(RecvTimeoutError::Disconnected) => Err(self.closed_input()),
            }
        }

        /// The next line, without its end; bytes that are not UTF-8 are replaced.
        ///
        /// # Errors
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
                let left = deadline.saturating_duration_since(Instant::now());
                // Asked before: what it wrote last may still be on its way.
                let has_ended = self.has_ended();
                // Bytes that keep coming without the end of a line are no reason to wait on.
                if left.is_zero() {
                    return Err(match has_ended {
                        true => NoLine::Fault(Fault::Disconnects),
                        false => NoLine::Timeout,
                    });
                }
                let time = if has_ended {
                    LOOK_UP
                } else {
                    left.min(LOOK_UP)
                };
                match self.chunks.recv_timeout(time) {
                    Ok(chunk) => self.output.add(&chunk),
                    // Something that it started may still hold its output.
                    Err(RecvTimeoutError::Timeout) if !has_ended => {}
                    Err(_) => return Err(NoLine::Fault(Fault::Disconnects)),
                }
            }
        }

        /// What is wrong with a process that no longer reads. One that ends closes its input as well, a moment before
        /// the rest.
        fn closed_input(&mut self) -> Fault {
            let deadline = Instant::now() + LOOK_UP;
            loop {
                let left = deadline.saturating_duration_since(Instant::now());
                match self.chunks.recv_timeout(left) {
                    Ok(_) => {}
                    Err(RecvTimeoutError::Timeout) if !self.has_ended() => return Fault::Deaf,
                    Err(_) => return Fault::Disconnects,
                }
            }
        }

        fn has_ended(&mut self) -> bool {
            matches!(self.child.try_wait(), Ok(Some(_)))
        }
    }

    /// Ctrl-C is for the match, which ends its engines itself.
    fn apart(command: &mut Command) {
        #[cfg(windows)]
        {
            use std::os::windows::process::CommandExt;
            const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
            command.creation_flags(CREATE_NEW_PROCESS_GROUP);
        }
        #[cfg(not(windows))]
        let _ = command;
    }

    /// Writes lines until there are no more, or nobody reads them.
    fn write_all(mut stdin: ChildStdin, lines: &Receiver<String>, written: &Sender<()>) {
        for line in lines {
            if stdin.write_all(line.as_bytes()).is_err() || written.send(()).is_err() {
                return;
            }
        }
    }

    /// Reads until the pipe ends, or nobody wants to know.
    fn read_all(mut stdout: ChildStdout, chunks: &SyncSender<Vec<u8>>) {
        let mut chunk = [0; CHUNK];
        while let Ok(read @ 1..) = stdout.read(&mut chunk) {
            if chunks.send(chunk[..read].to_vec()).is_err() {
                return;
            }
        }
    }

    /// Asks the process to quit, then kills it, and waits for its end.
    impl Drop for Process<'_> {
        fn drop(&mut self) {
            let told = self.lines.send("quit\n".to_owned()).is_ok();
            let deadline = Instant::now() + QUIT_PATIENCE;
            // Its output is read meanwhile: with a full pipe it may be unable to quit.
            while told && !self.has_ended() && Instant::now() < deadline {
                if let Err(RecvTimeoutError::Disconnected) = self.chunks.recv_timeout(LOOK_UP / 10)
                {
                    thread::sleep(LOOK_UP / 10);
                }
            }
            // This fails only if it has ended.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    #[cfg(test)]
    mod tests {
        use std::path::Path;
        use std::time::Duration;

        use super::*;

        #[cfg(unix)]
        fn shell<'s>(script: &str, stop: &'s AtomicBool, guard: &'s Guard) -> Process<'s> {
            let mut shell = Command::new("sh");
            shell.args(["-c", script]);
            Process::start(shell, stop, guard).unwrap()
        }

        fn soon() -> Instant {
            Instant::now() + Duration::from_secs(60)
        }

        #[test]
        fn what_is_no_program_cannot_be_started() {
            let (stop, guard) = (AtomicBool::new(false), Guard::none());
            let command = Command::new(Path::new("no such folder").join("engine"));
            let fault = Process::start(command, &stop, &guard)
                .map(|_| ())
                .unwrap_err();
            assert!(matches!(fault, Fault::CannotStart(_)), "{fault}");
        }

        #[cfg(unix)]
        #[test]
        fn lines_go_out_and_in() {
            let (stop, guard) = (AtomicBool::new(false), Guard::none());
            let script = r"while read -r line; do printf '%s\r\nyes\n' $line; done";
            let mut process = shell(script, &stop, &guard);
            for word in ["one", "two"] {
                process.send(word).unwrap();
                assert_eq!(process.line(soon()).as_deref(), Ok(word));
                assert_eq!(process.line(soon()).as_deref(), Ok("yes"));
            }
            assert_eq!(process.line(Instant::now()), Err(NoLine::Timeout));
            stop.store(true, Ordering::Relaxed);
            let interrupted = NoLine::Fault(Fault::Interrupted);
            assert_eq!(process.line(soon()), Err(interrupted));
        }

        #[cfg(unix)]
        #[test]
        fn a_line_without_an_end_does_not_put_off_the_deadline() {
            let (stop, guard) = (AtomicBool::new(false), Guard::none());
            let script = "for i in $(seq 300); do printf x; sleep 0.01; done";
            let mut process = shell(script, &stop, &guard);
            let deadline = Instant::now() + Duration::from_millis(200);
            assert_eq!(process.line(deadline), Err(NoLine::Timeout));
        }

        #[cfg(unix)]
        #[test]
        fn the_last_words_of_an_engine_are_heard() {
            let (stop, guard) = (AtomicBool::new(false), Guard::none());
            // What it leaves behind holds its output.
            let mut process = shell("sleep 2 & echo last", &stop, &guard);
            assert_eq!(process.line(soon()).as_deref(), Ok("last"));
            let end = NoLine::Fault(Fault::Disconnects);
            assert_eq!(process.line(soon()), Err(end));
            while process.send("more").is_ok() {}
            assert_eq!(process.send("more"), Err(Fault::Disconnects));
        }

        #[cfg(unix)]
        #[test]
        fn one_that_closes_its_input_or_floods_is_at_fault() {
            let (stop, guard) = (AtomicBool::new(false), Guard::none());
            let mut process = shell("exec <&-; echo closed; exec sleep 60", &stop, &guard);
            assert_eq!(process.line(soon()).as_deref(), Ok("closed"));
            // A process that is just being started elsewhere may hold the pipe for a moment.
            while process.send("more").is_ok() {}
            assert_eq!(process.send("more"), Err(Fault::Deaf));
            let script = "long=$(printf %01000d 0); while :; do echo $long; done";
            let mut process = shell(script, &stop, &guard);
            process.send("go").unwrap();
            let fault = loop {
                if let Err(fault) = process.line(soon()) {
                    break fault;
                }
            };
            assert_eq!(fault, NoLine::Fault(Fault::Floods));
        }
    }
}
