//! Whether printed results can arrive, and input can come.
//!
//! Rust treats writing to a closed standard output as success, and opens `/dev/null` in its place before
//! `main` begins, so this has to be checked earlier. A closed standard input would be an empty one.

use std::io;

use anyhow::{Error, Result, bail};

/// What is said where a result could not be printed.
pub(crate) const CANNOT_PRINT: &str = "standard output cannot be written";

/// The state of a standard stream when the program began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtStart {
    /// Open, as far as is known.
    Open,
    /// Closed: anything printed is lost, and nothing can be read.
    Closed,
}

/// Makes sure that standard input can be read.
///
/// # Errors
/// If it was closed.
pub(crate) fn check_input(at_start: AtStart) -> Result<()> {
    if at_start == AtStart::Closed {
        bail!("standard input is closed; expected what is to be read");
    }
    Ok(())
}

/// Makes sure that results can be printed.
///
/// # Errors
/// If standard output was closed, or can only be read.
pub(crate) fn check(at_start: AtStart) -> Result<()> {
    if at_start == AtStart::Closed {
        bail!("standard output is closed; expected a place for the results");
    }
    #[cfg(unix)]
    {
        use rustix::fs::{OFlags, fcntl_getfl};
        let mode = fcntl_getfl(io::stdout())? & OFlags::RWMODE;
        if mode == OFlags::RDONLY {
            bail!("standard output can only be read; expected a place for the results");
        }
    }
    Ok(())
}

/// The same result, but a closed pipe (`| head`) is no fault: what is printed only informs, and the work or the check
/// goes on.
pub(crate) fn unless_closed(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if is_closed(&error) => Ok(()),
        printed => printed,
    }
}

/// Whether an error means that the other end of a pipe was closed.
pub(crate) fn is_closed_pipe(error: &Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>();
        let csv = cause.downcast_ref::<csv::Error>().map(csv::Error::kind);
        let csv = match csv {
            Some(csv::ErrorKind::Io(error)) => Some(error),
            _ => None,
        };
        io.or(csv).is_some_and(is_closed)
    })
}

/// The same of an error itself.
pub(crate) fn is_closed(error: &io::Error) -> bool {
    /// What Windows says of a pipe with a name, which some shells use.
    const ERROR_PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_pipes_are_known_from_other_faults() {
        let closed = match cfg!(windows) {
            true => &[109, 232, 233][..],
            false => &[32],
        };
        for &code in closed {
            let error = io::Error::from_raw_os_error(code);
            assert!(is_closed(&error), "{error}");
            assert!(is_closed_pipe(&Error::from(error).context(CANNOT_PRINT)));
        }
        let other = Error::from(io::Error::from(io::ErrorKind::StorageFull));
        assert!(!is_closed_pipe(&other.context(CANNOT_PRINT)));
    }
}
