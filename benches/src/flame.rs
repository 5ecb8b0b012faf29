//! Flame graphs of benches: `pprof` samples the stack, and an SVG is drawn at the end.
//!
//! `pprof` has such a profiler itself, but for an older criterion: its trait is not this one.

use std::ffi::c_int;
use std::fs::{File, create_dir_all};
use std::path::Path;

use criterion::profiler::Profiler;
use pprof::{ProfilerGuard, ProfilerGuardBuilder};

/// Samples a second of processor time: no divisor of anything periodic.
const FREQUENCY: c_int = 997;

/// Libraries in which the stack is not unwound: to do so within a signal may lock.
const BLOCKED: [&str; 4] = ["libc", "libgcc", "pthread", "vdso"];

/// Writes `flamegraph.svg` into the `profile` folder of each bench.
#[derive(Default)]
pub(crate) struct Flame {
    running: Option<ProfilerGuard<'static>>,
}

impl Profiler for Flame {
    fn start_profiling(&mut self, id: &str, _: &Path) {
        let builder = ProfilerGuardBuilder::default()
            .frequency(FREQUENCY)
            .blocklist(&BLOCKED);
        match builder.build() {
            Ok(guard) => self.running = Some(guard),
            Err(error) => eprintln!("no flame graph of {id}: {error}"),
        }
    }

    fn stop_profiling(&mut self, id: &str, folder: &Path) {
        let Some(guard) = self.running.take() else {
            return;
        };
        match draw(&guard, folder) {
            Ok(()) => println!("Flame graph in {}", folder.display()),
            Err(error) => eprintln!("no flame graph of {id}: {error}"),
        }
    }
}

fn draw(guard: &ProfilerGuard<'_>, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let report = guard.report().build()?;
    create_dir_all(folder)?;
    report.flamegraph(File::create(folder.join("flamegraph.svg"))?)?;
    Ok(())
}
