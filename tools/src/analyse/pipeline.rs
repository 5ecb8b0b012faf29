//! Lines in, answers out, in the same order, with many workers between.
//!
//! Workers take the next line under a lock and send their answer with its place. The writer puts the
//! answers in order. A worker waits before it takes a line too far ahead of the last one written, so
//! memory stays the same however long the input is and however slow one position.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Error, Result};

use super::answer::Answer;
use super::worker::{Settings, Worker};
use crate::lines::{Line, Lines};

/// How many lines each worker may be ahead of the writer.
const LINES_AHEAD: u64 = 64;

/// What was done.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Lines answered.
    pub records: u64,
    /// Lines that could not be used.
    pub errors: u64,
}

/// What workers and writer share. Whoever reads may wait for input as long as it likes: the writer
/// never takes the reader's lock.
struct Queue<R> {
    reader: Mutex<Reader<R>>,
    progress: Mutex<Progress>,
    advanced: Condvar,
    most_ahead: u64,
}

struct Reader<R> {
    lines: Lines<R>,
    taken: u64,
    /// Why the input failed.
    failure: Option<Error>,
}

#[derive(Default)]
struct Progress {
    written: u64,
    /// Nothing more is to be taken: the input ended or failed, or the output did.
    closed: bool,
}

/// A worker that panicked is caught before it can hold a lock, so what a lock guards is whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<R: BufRead> Queue<R> {
    /// The next line and its place; `None` when there is no more.
    fn take(&self) -> Option<(u64, Line)> {
        let mut reader = lock(&self.reader);
        let place = reader.taken;
        let mut progress = lock(&self.progress);
        while !progress.closed && place >= progress.written + self.most_ahead {
            progress = self
                .advanced
                .wait(progress)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if progress.closed {
            return None;
        }
        drop(progress);
        match reader.lines.next_line() {
            Ok(Some(line)) => {
                reader.taken += 1;
                return Some((place, line));
            }
            Ok(None) => {}
            Err(error) => {
                let error = Error::new(error).context("the input cannot be read further");
                reader.failure = Some(error);
            }
        }
        self.close();
        None
    }

    fn advance(&self) {
        lock(&self.progress).written += 1;
        self.advanced.notify_all();
    }

    fn close(&self) {
        lock(&self.progress).closed = true;
        self.advanced.notify_all();
    }
}

/// Analyses all lines with `jobs` workers and writes the answers in order.
///
/// # Errors
/// If the input cannot be read to its end, the output cannot be written, or there is not enough memory
/// for the workers. What was answered before is written.
pub fn run<R: BufRead + Send>(
    lines: Lines<R>,
    output: &mut impl Write,
    settings: Settings,
    jobs: usize,
) -> Result<Tally> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .context("the threads cannot be started")?;
    let workers = (0..jobs)
        .map(|_| Worker::new(settings))
        .collect::<Result<Vec<_>, _>>()
        .context("--hash")?;
    let queue = Queue {
        reader: Mutex::new(Reader {
            lines,
            taken: 0,
            failure: None,
        }),
        progress: Mutex::default(),
        advanced: Condvar::new(),
        most_ahead: LINES_AHEAD * jobs as u64,
    };
    let (sender, receiver) = channel();
    let tally = pool.in_place_scope(|scope| {
        for worker in workers {
            let (sender, queue) = (sender.clone(), &queue);
            scope.spawn(move |_| work(worker, queue, &sender));
        }
        // The writer ends when the last worker has dropped its sender.
        drop(sender);
        let result = write(&receiver, output, &queue);
        queue.close();
        result
    })?;
    let failure = lock(&queue.reader).failure.take();
    failure.map_or(Ok(tally), Err)
}

fn work<R: BufRead>(mut worker: Worker, queue: &Queue<R>, sender: &Sender<(u64, Answer)>) {
    while let Some((place, line)) = queue.take() {
        if sender.send((place, worker.answer(&line))).is_err() {
            return;
        }
    }
}

fn write<R: BufRead>(
    receiver: &Receiver<(u64, Answer)>,
    output: &mut impl Write,
    queue: &Queue<R>,
) -> Result<Tally> {
    let cannot = "the output cannot be written";
    let mut tally = Tally::default();
    let mut waiting = BTreeMap::new();
    while let Ok((place, answer)) = receiver.recv() {
        waiting.insert(place, answer);
        while let Some(answer) = waiting.remove(&tally.records) {
            writeln!(output, "{}", answer.json()).context(cannot)?;
            tally.records += 1;
            tally.errors += u64::from(answer.is_error());
            queue.advance();
        }
        // Whoever reads the other end of a pipe sees each answer when it is there.
        if waiting.is_empty() {
            output.flush().context(cannot)?;
        }
    }
    Ok(tally)
}
