//! How the program ends.

use std::process::ExitCode;

use anyhow::Error;

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

/// An error and its causes in one line. Some errors repeat their cause in their own words: that is reported once.
pub fn told(error: &Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = text + ": " + &cause;
        }
    }
    text
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn causes_are_told_once() {
        let error = anyhow!("no memory");
        let error = error.context("--hash: no memory").context("perft");
        assert_eq!(told(&error), "perft: --hash: no memory");
        let error = anyhow!("no memory").context("--hash").context("perft");
        assert_eq!(told(&error), "perft: --hash: no memory");
    }
}
