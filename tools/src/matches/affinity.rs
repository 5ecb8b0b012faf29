//! Binding games to processors.

use super::options::{Affinity, Options};

/// The processors of each of the games at once: as many as the most threaded engine has threads, dealt
/// out in turn. Empty lists where nothing is bound.
pub fn deal(options: &Options, threads: usize) -> Vec<Vec<usize>> {
    let cpus = match &options.affinity {
        None => return vec![Vec::new(); options.concurrency],
        Some(Affinity::All) => {
            (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
        }
        Some(Affinity::These(cpus)) => cpus.clone(),
    };
    let mut next = cpus.into_iter().cycle();
    let mut share = || next.by_ref().take(threads).collect();
    (0..options.concurrency).map(|_| share()).collect()
}

/// Binds a process, or the calling thread and those it will start, to processors; none: to nothing.
#[cfg(target_os = "linux")]
pub fn bind(process: Option<u32>, cpus: &[usize]) {
    use rustix::process::Pid;
    use rustix::thread::{CpuSet, sched_setaffinity};

    if cpus.is_empty() {
        return;
    }
    let mut set = CpuSet::new();
    for &cpu in cpus {
        set.set(cpu);
    }
    let process = process.and_then(|id| Pid::from_raw(id as i32));
    if let Err(error) = sched_setaffinity(process, &set) {
        eprintln!("hexmate: -use-affinity: processors {cpus:?} cannot be used: {error}");
    }
}

/// Binding is for Linux only.
#[cfg(not(target_os = "linux"))]
pub fn bind(_process: Option<u32>, _cpus: &[usize]) {}
