//! What the benchmarks share: how long they measure, the positions of the suites, seeded random numbers, a
//! clock, and flame graphs for criterion's option `--profile-time`.
//!
//! The benchmarks themselves are the files under `benches/`, one idea each; `README.md` next to them says how
//! to run them, and gives the results.

use std::time::Duration;

use criterion::Criterion;

#[cfg(unix)]
mod clock;
#[cfg(unix)]
mod flame;
mod random;
mod suites;

#[cfg(unix)]
pub use clock::ThreadTime as Clock;
/// What the benchmarks measure: here wall-clock time.
#[cfg(not(unix))]
pub use criterion::measurement::WallTime as Clock;
pub use random::{Random, occupancies};
pub use suites::suite;

/// The configuration of every benchmark: short, so that all of them together take minutes. Command-line
/// arguments override it; `--profile-time SECONDS` writes a flame graph for each benchmark instead of a
/// figure.
pub fn criterion() -> Criterion<Clock> {
    let criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400))
        .nresamples(2_000);
    #[cfg(unix)]
    let criterion = criterion
        .with_measurement(Clock)
        .with_profiler(flame::Flame::default());
    criterion.configure_from_args()
}
