//! Counting on several threads and with a hash table.

use hexmate_movegen::{Game, Move, Position, Simd, perft_in};

use crate::progress::Share;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::memo::{Memo, MemoError, MemoKind};

/// Plies from the root at which work is divided among threads.
const SPLIT_PLIES: u32 = 2;

/// The least depth for a job of its own; below it, a job would cost more than its work.
const LEAST_JOB: u32 = 2;

/// The least depth kept in the hash table. At depth 1, counting the moves is faster than a lookup.
const LEAST_KEPT: u32 = 2;

/// Threads and memory to count with.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Means {
    /// Count on this many threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Megabytes of the hash table for counts; 0 for none
    #[arg(long, value_name = "MB", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    pub hash: u32,
    /// The kind of hash table
    #[arg(long, value_enum, default_value_t = MemoKind::Array)]
    pub memo: MemoKind,
}

/// Why there is no counter.
#[derive(Debug, thiserror::Error)]
pub enum CounterError {
    #[error("--threads: {0}")]
    Threads(ThreadPoolBuildError),
    #[error("--hash: {0}")]
    Memo(MemoError),
}

/// Counts the positions of one game: the keys in its hash table mean nothing to another.
pub struct Counter {
    pool: ThreadPool,
    memo: Option<Memo>,
    simd: Simd,
    /// Is told of what is done.
    share: Option<Share>,
}

impl Counter {
    /// Starts the threads and allocates the hash table.
    ///
    /// # Errors
    /// If the threads or the memory are not available.
    pub fn new(means: &Means) -> Result<Self, CounterError> {
        let threads = usize::from(means.threads);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(CounterError::Threads)?;
        let memo = match means.hash {
            0 => None,
            megabytes => {
                let memo = pool.install(|| Memo::new(means.memo, megabytes));
                Some(memo.map_err(CounterError::Memo)?)
            }
        };
        Ok(Counter {
            pool,
            memo,
            simd: Simd::chosen(),
            share: None,
        })
    }

    /// The same, with somebody who is told of what is done.
    pub fn telling(self, share: Share) -> Self {
        Counter {
            share: Some(share),
            ..self
        }
    }

    /// Runs `work` on the threads of this counter.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// The number of legal move sequences of `depth` plies.
    pub fn perft<G: Game>(&self, position: &Position<G>, depth: u32) -> u64 {
        self.run(|| self.split(position, depth, SPLIT_PLIES, Share::WHOLE))
    }

    /// The same for each first move, in no particular order.
    pub fn divide<G: Game>(&self, position: &Position<G>, depth: u32) -> Vec<(Move, u64)> {
        let Some(rest) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let children: Vec<_> = position.children().collect();
        let share = Share::WHOLE / children.len().max(1) as u64;
        let split = |next: &Position<G>| self.split(next, rest, SPLIT_PLIES - 1, share);
        let count = |(mv, next)| (mv, split(&next));
        self.run(|| children.into_par_iter().map(count).collect())
    }

    /// Counts with a job for each move of the next `plies` plies; this is such a share of the work.
    fn split<G: Game>(&self, position: &Position<G>, depth: u32, plies: u32, share: u64) -> u64 {
        if plies == 0 || depth <= LEAST_JOB {
            let counted = self.count(position, depth);
            if let Some(told) = &self.share {
                told.add(share, counted);
            }
            return counted;
        }
        let children: Vec<_> = position.children().collect();
        let share = share / children.len().max(1) as u64;
        let count = |(_, next)| self.split(&next, depth - 1, plies - 1, share);
        children.into_par_iter().map(count).sum()
    }

    /// Counts on this thread.
    fn count<G: Game>(&self, position: &Position<G>, depth: u32) -> u64 {
        match &self.memo {
            Some(memo) if depth > LEAST_KEPT => self.count_with(memo, position, depth),
            _ => perft_in(self.simd, position, depth),
        }
    }

    /// Counts a depth of more than [`LEAST_KEPT`], and stores the count after each move.
    fn count_with<G: Game>(&self, memo: &Memo, position: &Position<G>, depth: u32) -> u64 {
        let rest = depth - 1;
        let nexts: Vec<_> = position.children().map(|(_, next)| next).collect();
        // All lookups together: each misses the caches, so their latencies overlap.
        let known: Vec<_> = nexts.iter().map(|p| memo.get(p.key(), rest)).collect();
        let mut total = 0;
        for (next, known) in nexts.iter().zip(known) {
            total += known.unwrap_or_else(|| {
                let count = self.count(next, rest);
                memo.put(next.key(), rest, count);
                count
            });
        }
        total
    }
}
