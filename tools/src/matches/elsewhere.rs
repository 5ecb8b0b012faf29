//! What stands for the processes of engines, and for their guard, where the system is not Unix: none can be started,
//! and whoever wants one is told. The built-in engine plays everywhere.

pub mod guard {
    //! Nobody needs to be guarded.

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
    //! Processes that there cannot be.

    use std::convert::Infallible;
    use std::marker::PhantomData;
    use std::process::Command;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use super::guard::Guard;
    use crate::matches::player::{Fault, NoLine};

    /// A running process: there is none.
    pub struct Process<'s> {
        none: Infallible,
        lifetime: PhantomData<&'s ()>,
    }

    impl<'s> Process<'s> {
        /// Says that this system cannot do it.
        ///
        /// # Errors
        /// Always.
        pub fn start(
            _command: Command,
            _stop: &'s AtomicBool,
            _guard: &'s Guard,
        ) -> Result<Self, Fault> {
            let system = std::env::consts::OS;
            Err(Fault::CannotStart(format!(
                "on {system} hexmate starts no other programs as engines, only on Unix systems like Linux and macOS; \
                expected cmd=internal"
            )))
        }

        /// Its process id.
        pub fn id(&self) -> u32 {
            match self.none {}
        }

        /// Sends it a line.
        ///
        /// # Errors
        /// None.
        pub fn send(&mut self, _line: &str) -> Result<(), Fault> {
            match self.none {}
        }

        /// The next line.
        ///
        /// # Errors
        /// None.
        pub fn line(&mut self, _deadline: Instant) -> Result<String, NoLine> {
            match self.none {}
        }
    }
}
