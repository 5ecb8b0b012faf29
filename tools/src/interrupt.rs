//! Ctrl-C and signals to end: the first ends a command in order, the second at once. A file that may grow no further is
//! no reason to end, but an error of whoever writes it.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use crate::exit::Exit;

/// Calls `end` at the first Ctrl-C or signal to end. Whoever presses it twice does not wait for anything. What the
/// parent has ignored stays so: hang-ups under `nohup`, and Ctrl-C where a script runs it with `&`.
///
/// # Errors
/// If they cannot be caught, or there is no thread to wait for them.
pub fn on_interrupt(end: impl Fn() + Send + 'static) -> Result<()> {
    let mut before = false;
    system::at_each(move || {
        if before {
            exit(Exit::Interrupted.code().into());
        }
        before = true;
        end();
    })
}

/// From now on writing fails where a file may grow no further (`ulimit -f`). Otherwise the system would end the process
/// without a word, as it does those that are started by it.
pub fn survive_size_limits() {
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;
        // Caught and not ignored: children would ignore it, too. Without it all is as it was.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    }
}

/// A flag that the first Ctrl-C or signal to end sets.
///
/// # Errors
/// As [`on_interrupt`].
pub fn interrupted() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    on_interrupt(move || set.store(true, Ordering::Relaxed))?;
    Ok(flag)
}

#[cfg(unix)]
mod system {
    use std::fs;
    use std::thread;

    use anyhow::{Context, Result};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use crate::threads::NO_THREAD;

    /// Calls it at each Ctrl-C or signal to end that is not ignored, on a thread of its own.
    pub fn at_each(mut work: impl FnMut() + Send + 'static) -> Result<()> {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = ignored(&status);
        let wanted = [SIGINT, SIGTERM, SIGHUP];
        let wanted = wanted.into_iter().filter(|n| ignored >> (n - 1) & 1 == 0);
        let mut signals = Signals::new(wanted).context("Ctrl-C cannot be caught")?;
        let wait = move || signals.forever().for_each(|_| work());
        let begun = thread::Builder::new()
            .name("signals".to_owned())
            .spawn(wait);
        begun.context(NO_THREAD)?;
        Ok(())
    }

    /// The signals that a process ignores as bits, the first one lowest, by what Linux says of it. Elsewhere that
    /// cannot be known without unsafe code, and none is.
    fn ignored(status: &str) -> u64 {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .unwrap_or(0)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn what_is_ignored_is_a_line_of_the_status() {
            assert_eq!(ignored("SigBlk:\t1\nSigIgn:\t0000000000001003\n"), 0x1003);
            assert_eq!(ignored(""), 0);
            assert_eq!(ignored("SigIgn:\tx\n"), 0);
        }
    }
}

#[cfg(not(unix))]
mod system {
    use anyhow::{Context, Result};

    /// Calls it at each Ctrl-C or other event to end, on a thread of its own.
    pub fn at_each(work: impl FnMut() + Send + 'static) -> Result<()> {
        ctrlc::set_handler(work).context("Ctrl-C cannot be caught")
    }
}
