//! The machine that a match is played on, in words.

/// Processors, memory and system, as far as the system says.
pub fn words() -> String {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let model = value(&read("/proc/cpuinfo"), "model name");
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = value(&read("/proc/meminfo"), "MemTotal")
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok())
        .map(|kilobytes| format!("{} GiB of memory", (kilobytes + (1 << 19)) >> 20));
    let count = match processors {
        1 => "1 processor".to_owned(),
        n => format!("{n} processors"),
    };
    let system = format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH);
    let parts = [model, Some(count), memory, Some(system)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
