//! The program `hexmate`; everything is in the library.

use std::process::ExitCode;

use hexmate::stdout::AtStart;

fn main() -> ExitCode {
    let [stdin, stdout] = streams_at_start();
    hexmate::main(stdin, stdout)
}

/// Standard input and output.
#[cfg(target_os = "linux")]
fn streams_at_start() -> [AtStart; 2] {
    let closed = [
        &before_main::STDIN_IS_CLOSED,
        &before_main::STDOUT_IS_CLOSED,
    ];
    closed.map(
        |closed| match closed.load(std::sync::atomic::Ordering::Relaxed) {
            true => AtStart::Closed,
            false => AtStart::Open,
        },
    )
}

/// Elsewhere it cannot be known.
#[cfg(not(target_os = "linux"))]
fn streams_at_start() -> [AtStart; 2] {
    [AtStart::Open; 2]
}

/// By the time `main` begins, a closed standard input or output is `/dev/null` and cannot be distinguished from one
/// that was wanted.
#[cfg(target_os = "linux")]
mod before_main {
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Both are written once, before there is a second thread.
    pub static STDIN_IS_CLOSED: AtomicBool = AtomicBool::new(false);
    pub static STDOUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn look() {
        let closed = rustix::io::fcntl_getfd(rustix::stdio::stdin()).is_err();
        STDIN_IS_CLOSED.store(closed, Ordering::Relaxed);
        let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
        STDOUT_IS_CLOSED.store(closed, Ordering::Relaxed);
    }

    // SAFETY: this section is a list of functions of this type, which the C library calls before `main`. Ours
    // makes two system calls and needs nothing that Rust prepares for `main`.
    #[unsafe(link_section = ".init_array")]
    #[used]
    static LOOK: extern "C" fn() = look;
}
