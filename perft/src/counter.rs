//! Counting on several threads and with a hash table.

use std::any::Any;

use hexmate_movegen::{Game, GameId, Move, Position, Simd, perft_in, with_game};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::memo::{Memo, MemoError, MemoKind};

/// Plies from the root at which work is divided among threads.
const SPLIT_PLIES: u32 = 2;

/// The least depth for a job of its own; below it, a job would cost more than its work.
const LEAST_JOB: u32 = 2;

/// The least depth kept in the hash table. At depth 1, counting the moves is faster than a lookup.
const LEAST_KEPT: u32 = 2;

/// Threads and memory to count with.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Count on this many threads; 0: one for each processor.
    pub threads: usize,
    /// Megabytes (of 2^20 bytes) of the hash table for counts; 0: none.
    pub megabytes: u32,
    /// The kind of hash table.
    pub memo: MemoKind,
}

impl Default for Means {
    /// One thread, no hash table.
    fn default() -> Self {
        Means {
            threads: 1,
            megabytes: 0,
            memo: MemoKind::Array,
        }
    }
}

/// Is told that a part of the work is done, and how many leaves it had.
type Told = Box<dyn Fn(u64, u64) + Send + Sync>;

/// Why there is no counter.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum CounterError {
    #[error("{0}")]
    Threads(ThreadPoolBuildError),
    #[error("{0}")]
    Memo(MemoError),
}

/// There are more sequences than can be counted. With a hash table that is soon found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("depth {depth}: more than {max} sequences of moves; expected a smaller depth", max = u64::MAX)]
#[allow(missing_docs)] // the message says it
pub struct TooMany {
    pub depth: u32,
}

/// Counts the positions of one game: the keys in its hash table mean nothing to another.
pub struct Counter {
    pool: ThreadPool,
    memo: Option<Memo>,
    simd: Simd,
    /// What the whole work counts, and who is told of its parts.
    told: Option<(u64, Told)>,
}

impl Counter {
    /// Starts the threads and allocates the hash table.
    ///
    /// # Errors
    /// If the threads or the memory are not available.
    pub fn new(means: &Means) -> Result<Self, CounterError> {
        let pool = ThreadPoolBuilder::new().num_threads(means.threads).build();
        let pool = pool.map_err(CounterError::Threads)?;
        let memo = match means.megabytes {
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
            told: None,
        })
    }

    /// The same, with somebody who is told of what is done: how much of the `whole`, and how many leaves that had.
    pub fn telling(self, whole: u64, told: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        Counter {
            told: Some((whole, Box::new(told))),
            ..self
        }
    }

    fn whole(&self) -> u64 {
        self.told.as_ref().map_or(0, |(whole, _)| *whole)
    }

    /// Runs `work` on the threads of this counter.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// The number of legal move sequences of `depth` plies.
    ///
    /// # Errors
    /// If it does not fit into 64 bits.
    pub fn perft<G: Game>(&self, position: &Position<G>, depth: u32) -> Result<u64, TooMany> {
        let count = perft(position.game().id(), self, position, depth);
        count.ok_or(TooMany { depth })
    }

    /// The same for each first move, in no particular order.
    ///
    /// # Errors
    /// If the sum does not fit into 64 bits.
    pub fn divide<G: Game>(
        &self,
        position: &Position<G>,
        depth: u32,
    ) -> Result<Vec<(Move, u64)>, TooMany> {
        let counts = divide(position.game().id(), self, position, depth);
        counts.ok_or(TooMany { depth })
    }

    fn count_all<G: Game>(&self, position: &Position<G>, depth: u32) -> Option<u64> {
        self.split(position, depth, SPLIT_PLIES, self.whole())
    }

    fn count_each<G: Game>(&self, position: &Position<G>, depth: u32) -> Option<Vec<(Move, u64)>> {
        let Some(rest) = depth.checked_sub(1) else {
            return Some(Vec::new());
        };
        let children: Vec<_> = position.children().collect();
        let share = self.whole() / children.len().max(1) as u64;
        let counts = in_parallel(children.len(), &|i| {
            self.split(&children[i].1, rest, SPLIT_PLIES - 1, share)
        })?;
        sum(&counts)?;
        Some(children.iter().map(|(mv, _)| *mv).zip(counts).collect())
    }

    /// Counts with a job for each move of the next `plies` plies; this is such a share of the work. `None`, here and
    /// below: more than 64 bits hold.
    fn split<G: Game>(
        &self,
        position: &Position<G>,
        depth: u32,
        plies: u32,
        share: u64,
    ) -> Option<u64> {
        if plies == 0 || depth <= LEAST_JOB {
            let counted = self.count(position, depth)?;
            if let Some((_, told)) = &self.told {
                told(share, counted);
            }
            return Some(counted);
        }
        let children: Vec<_> = position.children().collect();
        let share = share / children.len().max(1) as u64;
        let counts = in_parallel(children.len(), &|i| {
            self.split(&children[i].1, depth - 1, plies - 1, share)
        })?;
        sum(&counts)
    }

    /// Counts on this thread.
    fn count<G: Game>(&self, position: &Position<G>, depth: u32) -> Option<u64> {
        match &self.memo {
            Some(memo) if depth > LEAST_KEPT => self.count_with(memo, position, depth),
            // Leaf by leaf, nobody comes to the end of 64 bits.
            _ => Some(perft_in(self.simd, position, depth)),
        }
    }

    /// Counts a depth of more than [`LEAST_KEPT`], and stores the count after each move.
    fn count_with<G: Game>(&self, memo: &Memo, position: &Position<G>, depth: u32) -> Option<u64> {
        let rest = depth - 1;
        let nexts: Vec<_> = position.children().collect();
        // All lookups together: each misses the caches, so their latencies overlap.
        let known: Vec<_> = nexts
            .iter()
            .map(|(_, next)| memo.get(next.key(), rest))
            .collect();
        let mut total: u64 = 0;
        for ((_, next), known) in nexts.iter().zip(known) {
            let count = match known {
                Some(count) => count,
                None => {
                    let count = self.count(next, rest)?;
                    memo.put(next.key(), rest, count);
                    count
                }
            };
            total = total.checked_add(count)?;
        }
        Some(total)
    }
}

/// What `work` counts for each number below `jobs`, on all threads. Not generic: what shares work out among threads is
/// compiled once, not for each game.
fn in_parallel(jobs: usize, work: &(dyn Fn(usize) -> Option<u64> + Sync)) -> Option<Vec<u64>> {
    (0..jobs).into_par_iter().map(work).collect()
}

fn sum(counts: &[u64]) -> Option<u64> {
    (counts.iter()).try_fold(0, |sum: u64, &count| sum.checked_add(count))
}

/// A position of a game that is known otherwise.
type Erased<'a> = &'a (dyn Any + Send + Sync);

// A generic function is compiled in the crate that uses it. These are not generic, so that all of it is compiled here.

fn perft(id: GameId, counter: &Counter, position: Erased<'_>, depth: u32) -> Option<u64> {
    counter.run(|| with_game!(id, game => counter.count_all(of(game, position), depth)))
}

fn divide(
    id: GameId,
    counter: &Counter,
    position: Erased<'_>,
    depth: u32,
) -> Option<Vec<(Move, u64)>> {
    counter.run(|| with_game!(id, game => counter.count_each(of(game, position), depth)))
}

fn of<G: Game>(_: G, position: Erased<'_>) -> &Position<G> {
    let position = position.downcast_ref();
    position.expect("it is of the game that the number stands for")
}
