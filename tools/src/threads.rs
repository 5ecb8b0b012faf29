//! Threads, and memory for their searches, of which the system may not give enough.

use std::hint::black_box;

use anyhow::{Context, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// What is said where the system gives no thread.
pub const NO_THREAD: &str =
    "the system gives no more threads; expected fewer, or a higher limit of processes";

/// What the search of one thread keeps beside the table for each game that occurs, on the largest boards:
/// 3 MB on 91 cells, 5.3 on 169, as measured.
pub const THREAD_MEGABYTES: usize = 6;

/// There is no memory for so many threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no memory for {megabytes} MB, which {threads} threads take; expected fewer")]
#[allow(missing_docs)] // the message says it
pub struct NoMemory {
    pub threads: usize,
    pub megabytes: usize,
}

/// Makes sure that so many threads can search, each with so many megabytes beside what a search keeps. What they take
/// later is taken without a look: a lack of it would end the process.
///
/// # Errors
/// If there is no memory for them.
pub fn check_memory(threads: usize, beside: usize) -> Result<(), NoMemory> {
    let megabytes = threads.saturating_mul(THREAD_MEGABYTES.saturating_add(beside));
    let mut memory = Vec::<u8>::new();
    let reserved = memory.try_reserve_exact(megabytes.saturating_mul(1 << 20));
    // What nobody uses need not be reserved at all.
    black_box(&memory);
    reserved.map_err(|_| NoMemory { threads, megabytes })
}

/// That a search had fewer threads than it was to have.
pub fn missing(missing: usize, threads: usize) -> String {
    let given = threads - missing.min(threads);
    format!("a search had {given} of {threads} threads; the system gives no more")
}

/// Starts threads, one for each processor if 0 are asked for, and with this stack if any is said.
///
/// # Errors
/// If the system does not give them.
pub fn pool(threads: usize, stack_bytes: Option<usize>) -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    let pool = match stack_bytes {
        Some(bytes) => pool.stack_size(bytes),
        None => pool,
    };
    pool.build().context(NO_THREAD)
}

/// Starts the threads of all work that is shared among processors; 0: one for each. Done by itself, that would panic
/// where the system does not give them.
///
/// # Errors
/// If it does not.
pub fn begin(threads: usize) -> Result<()> {
    let begun = ThreadPoolBuilder::new().num_threads(threads).build_global();
    begun.context(NO_THREAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_there_is_not_is_missed() {
        assert_eq!(check_memory(2, 1), Ok(()));
        let error = check_memory(1 << 30, 1 << 20).unwrap_err().to_string();
        assert!(error.contains("1073741824 threads"), "{error}");
    }
}
