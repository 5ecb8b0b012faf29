//! Counting over several threads and with a memo.

use hexmate_movegen::{Game, Move, Position, Simd, perft_in};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::memo::{Memo, MemoError, MemoKind};

/// Plies from the root at which work is divided among the threads.
const SPLIT_PLIES: u32 = 2;

/// The least depth that is worth a job of its own; below it, a job would cost more than its work.
const LEAST_JOB: u32 = 2;

/// The least depth kept in the memo. At depth 1 counting the moves is faster than looking them up.
const LEAST_KEPT: u32 = 2;

/// The means to count with.
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
    Threads(#[from] ThreadPoolBuildError),
    #[error("--hash: {0}")]
    Memo(#[from] MemoError),
}

/// Counts the positions of one game: the keys in its memo mean nothing to another.
pub struct Counter {
    pool: ThreadPool,
    memo: Option<Memo>,
    simd: Simd,
}

impl Counter {
    /// Starts the threads and makes the memo.
    ///
    /// # Errors
    /// If the machine lends no such threads or memory.
    pub fn new(means: &Means) -> Result<Self, CounterError> {
        let threads = usize::from(means.threads);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let memo = match means.hash {
            0 => None,
            megabytes => Some(pool.install(|| Memo::new(means.memo, megabytes))?),
        };
        Ok(Counter {
            pool,
            memo,
            simd: Simd::chosen(),
        })
    }

    /// Runs `work` on the threads of this counter.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// The number of legal move sequences of `depth` plies.
    pub fn perft<G: Game>(&self, position: &Position<G>, depth: u32) -> u64 {
        self.run(|| self.split(position, depth, SPLIT_PLIES))
    }

    /// The same for each first move, in no particular order.
    pub fn divide<G: Game>(&self, position: &Position<G>, depth: u32) -> Vec<(Move, u64)> {
        let Some(rest) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let count = |mv| (mv, self.split(&after(position, mv), rest, SPLIT_PLIES - 1));
        self.run(|| position.legal_moves().into_par_iter().map(count).collect())
    }

    /// Counts, with each move of the next `plies` plies a job of its own.
    fn split<G: Game>(&self, position: &Position<G>, depth: u32, plies: u32) -> u64 {
        if plies == 0 || depth <= LEAST_JOB {
            return self.count(position, depth);
        }
        let count = |mv| self.split(&after(position, mv), depth - 1, plies - 1);
        position.legal_moves().into_par_iter().map(count).sum()
    }

    /// Counts on this thread.
    fn count<G: Game>(&self, position: &Position<G>, depth: u32) -> u64 {
        match &self.memo {
            Some(memo) if depth > LEAST_KEPT => self.count_with(memo, position, depth),
            _ => perft_in(self.simd, position, depth),
        }
    }

    /// Counts a depth of more than [`LEAST_KEPT`], and keeps the counts behind each move.
    fn count_with<G: Game>(&self, memo: &Memo, position: &Position<G>, depth: u32) -> u64 {
        let rest = depth - 1;
        let moves = position.legal_moves().into_iter();
        let nexts: Vec<_> = moves.map(|mv| after(position, mv)).collect();
        // All look-ups together: each misses the caches, and so their waits overlap.
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

/// The position after a legal move, its key kept up.
fn after<G: Game>(position: &Position<G>, mv: Move) -> Position<G> {
    let mut next = *position;
    next.play_unchecked(mv);
    next
}
