//! Flame graphs of benches: `pprof` samples the stack, and an SVG is drawn at the end.
//!
//! `pprof` has such a profiler itself, but for an older criterion: its trait is not this one.

use std::ffi::c_int;
use std::fs::{File, create_dir_all};
use std::path::Path;

use criterion::profiler::Profiler;
use pprof::{Frames, ProfilerGuard, ProfilerGuardBuilder};

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
    let report = guard.report().frames_post_processor(as_called).build()?;
    create_dir_all(folder)?;
    report.flamegraph(File::create(folder.join("flamegraph.svg"))?)?;
    Ok(())
}

/// Leaves the functions that are really called. `pprof` takes samples for equal that were in the same
/// functions, wherever in them: of what was inlined there it would show the first sample's part as
/// that of all.
fn as_called(stack: &mut Frames) {
    for inlined in &mut stack.frames {
        // The function itself comes last.
        inlined.drain(..inlined.len().saturating_sub(1));
    }
}
