//! Long work on another thread, while this one lets Ctrl-C through.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use hexmate_engine::STACK_BYTES;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long Ctrl-C may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(20);

/// Takes what the work tells before it is done.
pub(crate) type Tell<M> = Box<dyn Fn(M) + Send>;

/// Whether Python's signal handlers run on this thread.
fn hears_signals(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    threading.call_method0("get_ident")?.eq(main)
}

/// What is left to a daemon thread when the interpreter has ended: nobody waits for it, and there is no Python to
/// return to. To try would end the process in the middle of its exit.
fn never_again(stop: &AtomicBool) -> ! {
    stop.store(true, Ordering::Relaxed);
    loop {
        thread::park();
    }
}

/// The result of `work`. If a signal handler raises meanwhile, as that of Ctrl-C does, `stop` is set, and the exception
/// is raised as soon as the work has ended. Other Python threads can run. `heard` is called with what the work tells;
/// if it raises, that counts like a signal.
///
/// # Errors
/// The exception of a signal handler or of `heard`.
pub(crate) fn wait_for<T: Send + 'static, M: Send + 'static>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce(Tell<M>) -> T + Send,
    mut heard: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    enum News<T, M> {
        Told(M),
        Done(thread::Result<T>),
    }
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, news) = channel();
            let told = sender.clone();
            let run = move || {
                let tell = Box::new(move |message| {
                    let _ = told.send(News::Told(message));
                });
                let done = catch_unwind(AssertUnwindSafe(|| work(tell)));
                let _ = sender.send(News::Done(done));
            };
            thread::Builder::new()
                .name("hexmate".to_owned())
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, run)
                .map_err(|error| PyRuntimeError::new_err(format!("no thread: {error}")))?;
            let mut fault = None;
            loop {
                let checked = match news.recv_timeout(PATIENCE) {
                    Ok(News::Done(Ok(result))) => return fault.map_or(Ok(result), Err),
                    Ok(News::Done(Err(panic))) => resume_unwind(panic),
                    Ok(News::Told(_)) | Err(RecvTimeoutError::Timeout) if fault.is_some() => {
                        // Again: work that had to wait for its turn may have begun only now.
                        stop.store(true, Ordering::Relaxed);
                        Some(Ok(()))
                    }
                    Ok(News::Told(message)) => Python::try_attach(|py| {
                        py.check_signals()?;
                        heard(py, message)
                    }),
                    // Not the method itself: that is of one lifetime only.
                    #[allow(clippy::redundant_closure_for_method_calls)]
                    Err(RecvTimeoutError::Timeout) => Python::try_attach(|py| py.check_signals()),
                    Err(RecvTimeoutError::Disconnected) => {
                        unreachable!("the work says when it is done")
                    }
                };
                match checked {
                    Some(Ok(())) => {}
                    Some(Err(error)) => {
                        stop.store(true, Ordering::Relaxed);
                        fault = Some(error);
                    }
                    None => never_again(stop),
                }
            }
        })
    })
}

/// The same for work that tells nothing. On a thread that hears no signals it is done at once, on that thread.
///
/// # Errors
/// The exception of a signal handler.
pub(crate) fn do_or_stop<T: Send + 'static>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    if !hears_signals(py)? {
        return Ok(py.detach(work));
    }
    wait_for(py, stop, |_: Tell<()>| work(), |_, ()| Ok(()))
}
