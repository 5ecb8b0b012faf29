//! Records in, answers out, in the same order, with many workers between.
//!
//! Workers take the next record under a lock and send their answer with its place. The writer puts the
//! answers in order. A worker waits before it takes a record too far ahead of the last one written, so
//! memory stays the same however long the input is and however slow one position. What a journal holds
//! already takes the same way, without a worker.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Error, Result};
use hexmate_engine::STACK_BYTES;
use indicatif::ProgressBar;

use super::answer::Answer;
use super::item::Item;
use super::journal::{Journal, Kept};
use super::output::Output;
use super::records::{Records, Whole};
use super::stats::{From, Stats};
use super::worker::{Ticket, Worker};
use crate::threads::pool;

/// How many records each worker may be ahead of the writer.
const RECORDS_AHEAD: u64 = 64;

/// Where answers go, and when to stop.
pub struct Ends<'e> {
    /// Each answer in its turn.
    pub output: &'e mut Output,
    /// Each answer as soon as it is there.
    pub journal: Option<&'e mut Journal>,
    /// So many faults end the run.
    pub max_fails: Option<u64>,
    /// What is drawn where the output is printed, and goes away while it is.
    pub over: ProgressBar,
    /// Told of each answer.
    pub stats: &'e mut Stats,
    /// Tells what workers have met that concerns no record, if there is anything.
    pub warn: &'e dyn Fn(),
    /// Set when the run is to end at once.
    pub interrupted: &'e AtomicBool,
    /// Ends the process then, and does not return: a worker may be waiting for input for ever.
    pub leave: &'e dyn Fn(&Stats),
}

/// How often the writer looks whether the run was interrupted.
const LOOK: Duration = Duration::from_millis(50);

/// What workers and writer share. Whoever reads may wait for input as long as it likes: the writer
/// never takes the reader's lock.
struct Queue {
    reader: Mutex<Reader>,
    progress: Mutex<Progress>,
    advanced: Condvar,
    most_ahead: u64,
    /// Records that were taken, for the display: the writer does not wait for the reader.
    taken: AtomicU64,
}

struct Reader {
    records: Records,
    kept: Option<Kept>,
    taken: u64,
    /// Why the input or the journal failed.
    failure: Option<Error>,
}

#[derive(Default)]
struct Progress {
    written: u64,
    /// Nothing more is to be taken: the input ended or failed, or the output did.
    closed: bool,
}

/// A record, or its answer if that is known.
enum Task {
    Open(Box<Item>),
    Finished(String),
}

/// An answer on its way to the writer.
struct Message {
    ticket: Ticket,
    answer: Answer,
    json: String,
    from: From,
}

/// A worker that panicked is caught before it can hold a lock, so what a lock guards is whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    /// The next record and where its answer goes; `None` when there is no more.
    fn take(&self) -> Option<(Ticket, Task)> {
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
        match reader.next(place) {
            Ok(Some(task)) => {
                reader.taken += 1;
                self.taken.store(reader.taken, Ordering::Relaxed);
                return Some(task);
            }
            Ok(None) => {}
            Err(error) => reader.failure = Some(error),
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

impl Reader {
    fn next(&mut self, place: u64) -> Result<Option<(Ticket, Task)>> {
        let Some(item) = self.records.next_item()? else {
            self.kept.as_ref().map_or(Ok(()), |kept| kept.end(place))?;
            return Ok(None);
        };
        let hash = item.hash();
        let ticket = Ticket { place, hash };
        let kept = self
            .kept
            .as_mut()
            .map(|kept| kept.take(ticket))
            .transpose()?;
        let task = match kept.flatten() {
            Some(json) => Task::Finished(json),
            None => Task::Open(Box::new(item)),
        };
        Ok(Some((ticket, task)))
    }
}

/// Analyses all records with these workers and writes the answers in order; `kept` answers are not asked
/// for again. Tells what was read.
///
/// # Errors
/// If the input cannot be read at all, or an output or journal cannot be read or written. What was
/// answered before is written.
pub fn run(
    records: Records,
    kept: Option<Kept>,
    workers: Vec<Worker>,
    mut ends: Ends<'_>,
) -> Result<Whole> {
    let jobs = workers.len();
    let pool = pool(jobs, Some(STACK_BYTES)).context("--jobs")?;
    let queue = Queue {
        reader: Mutex::new(Reader {
            records,
            kept,
            taken: 0,
            failure: None,
        }),
        progress: Mutex::default(),
        advanced: Condvar::new(),
        most_ahead: RECORDS_AHEAD * jobs as u64,
        taken: AtomicU64::new(0),
    };
    // Room for all that can be under way: nobody ever waits for it.
    let (sender, receiver) = sync_channel(queue.most_ahead as usize + jobs);
    // Here the workers wait to be dropped one after another: of connections to a cache that are closed at once, none may
    // see that it is the last, and then what was stored stays in the log beside the file.
    let ended = Mutex::new(Vec::new());
    pool.in_place_scope(|scope| {
        for mut worker in workers {
            let (sender, queue, ended) = (sender.clone(), &queue, &ended);
            scope.spawn(move |_| {
                work(&mut worker, queue, &sender);
                lock(ended).push(worker);
            });
        }
        // The writer ends when the last worker has dropped its sender.
        drop(sender);
        let result = write(&receiver, &mut ends, &queue);
        queue.close();
        result
    })?;
    let mut reader = lock(&queue.reader);
    let whole = reader.records.whole();
    reader.failure.take().map_or(Ok(whole), Err)
}

fn work(worker: &mut Worker, queue: &Queue, sender: &SyncSender<Message>) {
    while let Some((ticket, task)) = queue.take() {
        let mut open = true;
        let mut send = |ticket, answer: Answer, json, from| {
            open &= sender
                .send(Message {
                    ticket,
                    answer,
                    json,
                    from,
                })
                .is_ok();
        };
        match task {
            Task::Open(item) => worker.work(ticket, &item, &mut |ticket, answer, found| {
                let json = answer.json();
                send(ticket, answer, json, From::Worker(found));
            }),
            Task::Finished(json) => match Answer::of_json(&json) {
                Ok(answer) => send(ticket, answer, json, From::Journal),
                Err(error) => {
                    // Its checksum is right, so another program wrote it.
                    let error = Error::new(error)
                        .context("the journal holds something that is not an answer");
                    lock(&queue.reader).failure = Some(error);
                    queue.close();
                }
            },
        }
        if !open {
            return;
        }
    }
}

fn write(receiver: &Receiver<Message>, ends: &mut Ends<'_>, queue: &Queue) -> Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    loop {
        let message = receiver.recv_timeout(LOOK);
        if ends.interrupted.load(Ordering::Relaxed) {
            if let Some(journal) = &mut ends.journal {
                journal.sync()?;
            }
            ends.output.abandon()?;
            (ends.leave)(ends.stats);
            return Ok(());
        }
        let message = match message {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        (ends.warn)();
        if let Some(journal) = &mut ends.journal
            && message.from != From::Journal
        {
            journal.add(message.ticket, &message.json)?;
        }
        waiting.insert(message.ticket.place, message);
        while let Some(message) = waiting.remove(&next) {
            let put = || ends.output.put(&message.answer, &message.json);
            ends.over.suspend(put)?;
            next += 1;
            let taken = queue.taken.load(Ordering::Relaxed);
            ends.stats.add(&message.answer, message.from, taken);
            if ends.max_fails.is_some_and(|most| ends.stats.errors >= most) {
                ends.stats.gave_up = true;
                return Ok(());
            }
            queue.advance();
        }
        // Whoever reads the other end of a pipe sees each answer when it is there.
        if waiting.is_empty() {
            ends.over.suspend(|| ends.output.flush())?;
        }
    }
}
