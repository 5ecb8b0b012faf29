//! Flame graphs of benchmarks: `pprof` samples the stack, and an SVG is drawn at the end.
//!
//! `pprof` has such a profiler itself, but for an older criterion with a different trait.

use std::ffi::c_int;
use std::fs::{File, create_dir_all};
use std::path::Path;

use criterion::profiler::Profiler;
use pprof::{Frames, ProfilerGuard, ProfilerGuardBuilder};

/// Samples per second of processor time: not a divisor of anything periodic.
const FREQUENCY: c_int = 997;

/// Libraries in which the stack is not unwound: doing so within a signal may deadlock.
const BLOCKED: [&str; 4] = ["libc", "libgcc", "pthread", "vdso"];

/// Writes `flamegraph.svg` into the `profile` folder of each benchmark.
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
    let report = guard.report().frames_post_processor(as_called).build()?;
    create_dir_all(folder)?;
    report.flamegraph(File::create(folder.join("flamegraph.svg"))?)?;
    Ok(())
}

/// Keeps only the functions that are really called. `pprof` merges samples that were in the same functions,
/// wherever in them: for inlined functions it would show the place of the first sample for all.
fn as_called(stack: &mut Frames) {
    for inlined in &mut stack.frames {
        // The function itself comes last.
        inlined.drain(..inlined.len().saturating_sub(1));
    }
}
