//! The program `hexmate`; everything is in the library.

use std::process::ExitCode;

use hexmate::stdout::AtStart;

fn main() -> ExitCode {
    hexmate::main(stdout_at_start())
}

#[cfg(target_os = "linux")]
fn stdout_at_start() -> AtStart {
    match before_main::STDOUT_IS_CLOSED.load(std::sync::atomic::Ordering::Relaxed) {
        true => AtStart::Closed,
        false => AtStart::Open,
    }
}

/// Elsewhere it cannot be known.
#[cfg(not(target_os = "linux"))]
fn stdout_at_start() -> AtStart {
    AtStart::Open
}

/// By the time `main` begins, a closed standard output is `/dev/null` and cannot be distinguished from one
/// that was wanted.
#[cfg(target_os = "linux")]
mod before_main {
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Written once, before there is a second thread.
    pub static STDOUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn look() {
        let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
        STDOUT_IS_CLOSED.store(closed, Ordering::Relaxed);
    }

    // SAFETY: this section is a list of functions of this type, which the C library calls before `main`. Ours
    // makes one system call and needs nothing that Rust prepares for `main`.
    #[unsafe(link_section = ".init_array")]
    #[used]
    static LOOK: extern "C" fn() = look;
}
