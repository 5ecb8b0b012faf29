//! Binding games to processors.

use super::dialect::{DialectError, refuse};
use super::options::{Affinity, EngineSpec, Options};

/// Checks that games can be bound to the named processors.
///
/// # Errors
/// If this process may not use one of them.
pub fn check(options: &Options) -> Result<(), DialectError> {
    let Some(Affinity::These(cpus)) = &options.affinity else {
        return Ok(());
    };
    let usable = usable();
    match cpus.iter().find(|cpu| !usable.contains(cpu)) {
        // Where nothing is known, binding itself tells.
        Some(cpu) if !usable.is_empty() => {
            let usable: Vec<String> = usable.iter().map(usize::to_string).collect();
            let usable = usable.join(",");
            refuse(format!(
                "-use-affinity: processor {cpu} cannot be used; expected some of {usable}"
            ))
        }
        _ => Ok(()),
    }
}

/// The processors that this process may use; empty if the system does not say.
#[cfg(target_os = "linux")]
fn usable() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let Ok(set) = sched_getaffinity(None) else {
        return Vec::new();
    };
    (0..CpuSet::MAX_CPU)
        .filter(|&cpu| set.is_set(cpu))
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn usable() -> Vec<usize> {
    Vec::new()
}

/// The processors of each concurrent game: as many as the engine with the most threads has threads, assigned
/// in turn. Empty lists if nothing is bound.
pub fn deal(options: &Options) -> Vec<Vec<usize>> {
    let cpus = match &options.affinity {
        None => return vec![Vec::new(); options.concurrency],
        Some(Affinity::All) => match usable() {
            unknown if unknown.is_empty() => {
                (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
            }
            usable => usable,
        },
        Some(Affinity::These(cpus)) => cpus.clone(),
    };
    let most = options.engines.iter().map(EngineSpec::threads).max();
    // Nobody can have more processors than there are.
    let threads = most.unwrap_or(1).min(cpus.len());
    let mut next = cpus.into_iter().cycle();
    let mut share = || next.by_ref().take(threads).collect();
    (0..options.concurrency).map(|_| share()).collect()
}

/// Binds a process, or the calling thread and those it will start, to processors; an empty list binds
/// nothing.
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

/// Binding is for Linux only: elsewhere the option is refused.
#[cfg(not(target_os = "linux"))]
pub fn bind(_process: Option<u32>, _cpus: &[usize]) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::super::dialect;
    use super::*;

    fn dealt(words: &str) -> Vec<Vec<usize>> {
        let words = format!("-engine cmd=x name=a -engine cmd=internal name=b {words}");
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        deal(&dialect::options(&dialect::groups(&words).unwrap()).unwrap())
    }

    /// As many processors as the engine with the most threads has, built-in or external.
    #[test]
    fn threads_of_all_kinds_of_engines_count() {
        let words = "-each nodes=1 -concurrency 2 -use-affinity 1,3,5,7,9";
        assert_eq!(dealt(words), [[1], [3]]);
        // Options of -each apply to external engines, too.
        let each = |threads: &str| dealt(&format!("{words} -each nodes=1 option.{threads}"));
        assert_eq!(each("Threads=2"), [[1, 3], [5, 7]]);
        assert_eq!(each("threads=3"), [[1, 3, 5], [7, 9, 1]]);
        let all = each("Threads=99999999999");
        assert_eq!(all, [[1, 3, 5, 7, 9], [1, 3, 5, 7, 9]]);
        let program = format!("-engine cmd=y name=c nodes=1 option.Threads=2 {words}");
        assert_eq!(dealt(&program), [[1, 3], [5, 7]]);
        assert_eq!(dealt("-each nodes=1"), [[0usize; 0]]);
    }
}
