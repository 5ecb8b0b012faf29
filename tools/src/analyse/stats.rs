//! Counts of a run.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::forms::grouped;
use super::worker::Found;
use crate::{usage, whole};

/// The origin of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// A worker of this run.
    Worker(Found),
    /// The journal of an earlier run.
    Journal,
}

/// How often progress is shown.
const SHOW: Duration = Duration::from_millis(200);

/// Counts of a run.
#[derive(Debug)]
pub struct Stats {
    begin: Instant,
    progress: ProgressBar,
    /// The bytes that were read.
    read: ProgressBar,
    /// Those of answers that the journal had, which take no time.
    of_journal: Arc<AtomicU64>,
    shown: Instant,
    /// Answers written.
    pub records: u64,
    /// Records that could not be used.
    pub errors: u64,
    /// Whether there were more than `--max-fails` allows.
    pub gave_up: bool,
    statuses: BTreeMap<String, u64>,
    searched: u64,
    from_memory: u64,
    from_file: u64,
    at_once: u64,
    from_journal: u64,
    timeouts: u64,
    nodes: u64,
    depths: BTreeMap<u32, u64>,
}

/// The resources of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // see docs/batch.md
pub struct Means {
    pub jobs: usize,
    pub threads: usize,
    pub megabytes_of_each_worker: u64,
}

impl Stats {
    /// Starts counting and the clock; `progress` is given what is done of the bytes that are `read`, and `of_journal`
    /// what the journal had of that.
    pub fn new(progress: ProgressBar, read: ProgressBar, of_journal: Arc<AtomicU64>) -> Stats {
        let begin = Instant::now();
        Stats {
            begin,
            progress,
            read,
            of_journal,
            shown: begin,
            records: 0,
            errors: 0,
            gave_up: false,
            statuses: BTreeMap::new(),
            searched: 0,
            from_memory: 0,
            from_file: 0,
            at_once: 0,
            from_journal: 0,
            timeouts: 0,
            nodes: 0,
            depths: BTreeMap::new(),
        }
    }

    /// Counts an answer; so many records were taken so far.
    pub fn add(&mut self, answer: &Answer, from: From, taken: u64) {
        self.records += 1;
        let status = match answer {
            Answer::Analysis(analysis) => &analysis.found.status,
            Answer::Error(fault) => {
                self.errors += 1;
                &fault.status
            }
        };
        match self.statuses.get_mut(&**status) {
            Some(count) => *count += 1,
            None => drop(self.statuses.insert(status.to_string(), 1)),
        }
        match from {
            From::Journal => self.from_journal += 1,
            From::Worker(Found::InMemory) => self.from_memory += 1,
            From::Worker(Found::InFile) => self.from_file += 1,
            From::Worker(Found::AtOnce) => self.at_once += 1,
            From::Worker(Found::Searched) => self.searched += 1,
        }
        if let Answer::Analysis(analysis) = answer {
            let found = &analysis.found;
            if found.status == "ok" {
                *self.depths.entry(found.depth).or_default() += 1;
            }
            if from == From::Worker(Found::Searched) {
                self.nodes += found.nodes;
            }
            self.timeouts += u64::from(found.timeout.is_some());
        }
        if self.shown.elapsed() >= SHOW {
            self.shown = Instant::now();
            self.show(taken);
        }
    }

    fn show(&self, taken: u64) {
        let rate = self.rate(self.records - self.from_journal);
        let done = self.records as f64 / taken.max(1) as f64;
        let bytes = self.read.position() as f64 * done.min(1.0);
        let part = self.from_journal as f64 / self.records.max(1) as f64;
        self.of_journal
            .store((bytes * part) as u64, Ordering::Relaxed);
        self.progress.set_position(bytes as u64);
        self.progress.set_message(format!(
            "{} done, {} a second",
            grouped(self.records),
            brief(rate)
        ));
    }

    /// What the run has done so far, in a line.
    pub fn summary(&self) -> String {
        let seconds = self.begin.elapsed().as_secs_f64();
        let now = self.records - self.from_journal;
        let before = match self.from_journal {
            0 => String::new(),
            number => format!(" ({} of them in an earlier run)", grouped(number)),
        };
        let plural = if self.records == 1 { "" } else { "s" };
        format!(
            "{} position{plural} done{before}, {} bad, {seconds:.1} s, {} a second",
            grouped(self.records),
            grouped(self.errors),
            brief(self.rate(now))
        )
    }

    fn rate(&self, count: u64) -> f64 {
        count as f64 / self.begin.elapsed().as_secs_f64().max(1e-9)
    }

    /// All of it, for `--stats` and for the file of a share.
    pub fn figures(&self, means: Means) -> Figures {
        Figures {
            engine: env!("HEXMATE_ENGINE").to_owned(),
            host: usage::host(),
            means,
            seconds: self.begin.elapsed().as_secs_f64(),
            processor_seconds: usage::processor_seconds(),
            peak_megabytes: usage::peak_megabytes(),
            records: self.records,
            errors: self.errors,
            statuses: self.statuses.clone(),
            timeouts: self.timeouts,
            answers: Answers {
                searched: self.searched,
                from_memory: self.from_memory,
                from_cache_file: self.from_file,
                at_once: self.at_once,
                from_journal: self.from_journal,
            },
            nodes: self.nodes,
            records_per_second: self.rate(self.records - self.from_journal),
            nodes_per_second: self.rate(self.nodes),
            depths: self.depths.clone(),
        }
    }
}

/// What a run did, and what it took.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // see docs/batch.md
pub struct Figures {
    pub engine: String,
    pub host: Option<String>,
    pub means: Means,
    pub seconds: f64,
    pub processor_seconds: Option<f64>,
    pub peak_megabytes: Option<f64>,
    pub records: u64,
    pub errors: u64,
    pub statuses: BTreeMap<String, u64>,
    pub timeouts: u64,
    pub answers: Answers,
    pub nodes: u64,
    pub records_per_second: f64,
    pub nodes_per_second: f64,
    pub depths: BTreeMap<u32, u64>,
}

impl Figures {
    /// Whether a file holds what an earlier run did.
    pub fn are_in(path: &Path) -> bool {
        whole::text(path).is_ok_and(|text| serde_json::from_str::<Figures>(&text).is_ok())
    }
}

/// Where answers came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // see docs/batch.md
pub struct Answers {
    pub searched: u64,
    pub from_memory: u64,
    pub from_cache_file: u64,
    pub at_once: u64,
    pub from_journal: u64,
}

/// A rate, with as many digits as matter.
fn brief(rate: f64) -> String {
    match rate {
        100.0.. => grouped(rate as u64),
        _ => format!("{rate:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_the_journal_are_told_from_those_of_this_run() {
        let (progress, read) = (ProgressBar::hidden(), ProgressBar::hidden());
        let of_journal = Arc::default();
        let mut stats = Stats::new(progress.clone(), read.clone(), Arc::clone(&of_journal));
        read.set_position(4000);
        (stats.records, stats.from_journal) = (30, 20);
        stats.show(40);
        assert_eq!(progress.position(), 3000);
        assert_eq!(of_journal.load(Ordering::Relaxed), 2000);
    }
}
