//! Processes that engines leave behind outside their process groups: daemons.
//!
//! On Linux a match adopts them: whatever an engine has started becomes a child of the match once its parent
//! has exited. So all that is left can be found at the end.

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use rustix::process::{
        Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
    };

    /// How often, and how long, to wait for killed processes: each may have had children, which are found
    /// when it is gone.
    const ROUNDS: u32 = 500;
    const PAUSE: Duration = Duration::from_millis(10);

    /// The processes that a match has adopted.
    pub struct Strays {
        /// Children that were there before and belong to no engine.
        others: BTreeSet<u32>,
    }

    impl Strays {
        /// Starts to adopt orphans. If the system does not allow it, there are none.
        pub fn adopt() -> Strays {
            let others = children().into_iter().collect();
            let _ = set_child_subreaper(Some(getpid()));
            Strays { others }
        }

        /// Reaps those that have exited. `known` are children that somebody else takes care of.
        pub fn reap(&self, known: impl Fn(u32) -> bool) {
            for id in self.left(known) {
                reap(id);
            }
        }

        /// Kills them all.
        pub fn end(&self) {
            for _ in 0..ROUNDS {
                let left = self.left(|_| false);
                if left.is_empty() {
                    return;
                }
                for &id in &left {
                    // A child's process id is not reused until it is reaped, which only happens here.
                    let _ = pid(id).map(|pid| kill_process(pid, Signal::KILL));
                    reap(id);
                }
                std::thread::sleep(PAUSE);
            }
        }

        fn left(&self, known: impl Fn(u32) -> bool) -> Vec<u32> {
            let mut left = children();
            left.retain(|id| !self.others.contains(id) && !known(*id));
            left
        }
    }

    fn reap(id: u32) {
        let _ = pid(id).map(|pid| waitpid(Some(pid), WaitOptions::NOHANG));
    }

    fn pid(id: u32) -> Option<Pid> {
        i32::try_from(id).ok().and_then(Pid::from_raw)
    }

    /// The children of this process.
    fn children() -> Vec<u32> {
        let own = std::process::id();
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        ids.filter(|&id| parent(id) == Some(own)).collect()
    }

    fn parent(id: u32) -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name is in brackets and may contain anything; state and parent follow it.
        stat.rsplit(')')
            .next()?
            .split_whitespace()
            .nth(1)?
            .parse()
            .ok()
    }
}

#[cfg(target_os = "linux")]
pub use linux::Strays;

/// Adopting is for Linux only.
#[cfg(not(target_os = "linux"))]
pub struct Strays;

#[cfg(not(target_os = "linux"))]
#[allow(missing_docs)] // as above
impl Strays {
    pub fn adopt() -> Strays {
        Strays
    }

    pub fn reap(&self, _known: impl Fn(u32) -> bool) {}

    pub fn end(&self) {}
}
