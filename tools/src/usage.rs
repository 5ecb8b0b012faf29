//! What this process has taken of the machine, and the machine's name.

/// Seconds of processor time so far, of all threads; `None` where the system does not tell.
pub fn processor_seconds() -> Option<f64> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
    }
    #[cfg(not(unix))]
    None
}

/// The most memory that was held at one time so far, in megabytes (2^20 bytes); `None` where the system does not tell.
pub fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some((kilobytes / 1024.0 * 10.0).round() / 10.0)
}

/// The name of the machine; `None` where the system does not tell.
pub fn host() -> Option<String> {
    #[cfg(unix)]
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    Some(name).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells_all() {
        let before = processor_seconds().unwrap();
        let work: u64 = (0..1_000_000u64).map(std::hint::black_box).sum();
        assert!(work > 0 && processor_seconds().unwrap() > before);
        // Other tests of this process may have held more before.
        let most = peak_megabytes().unwrap();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        let now = peak_megabytes().unwrap();
        assert!(block.len() > 1 && (most.max(64.0)..1e6).contains(&now));
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
        assert_eq!(host().as_deref(), Some(name.trim()));
    }
}
