//! How the program ends.

use std::process::ExitCode;

/// The meaning of the exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// 0: everything was done, and every check passed.
    Success,
    /// 1: a check failed, or some of many inputs could not be used.
    Failed,
    /// 2: the arguments or the input as a whole cannot be used.
    BadInput,
    /// 130: Ctrl-C or a signal to end, as shells count them.
    Interrupted,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failed => 1,
            Exit::BadInput => 2,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
