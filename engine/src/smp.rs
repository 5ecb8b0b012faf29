//! Lazy SMP: several threads search the same position on their own and share what they find through the
//! transposition table alone. The best move is voted on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use hexmate_movegen::{Game, Move, Record};
use hexmate_tablebases::Tablebases;
use hexmate_tt::{Bound, Table};

use crate::eval::Evaluation;
use crate::limits::{Limits, Report};
use crate::params::Params;
use crate::score::{Score, is_mate};
use crate::search::{NodeCounter, Search, SharedState, ThreadResult};
use crate::thread_data::{Reductions, ThreadData};

/// The stack that a thread that searches should have, in bytes. Each ply of the deepest line takes some
/// kilobytes, a position of the largest board most of all; no more is taken than is needed.
pub const STACK_BYTES: usize = 16 << 20;

/// What the search goes by.
pub(crate) struct SearchConfig<'e, E> {
    pub evaluation: &'e E,
    pub params: &'e Params,
    pub reductions: &'e Reductions,
    pub tables: Option<&'e Tablebases>,
}

/// Searches with a thread for each of `threads`; beside the report it tells how many of them the system did not give.
pub(crate) fn search<G: Game, E: Evaluation<G>>(
    threads: &mut [ThreadData<G, E>],
    table: &Table,
    config: &SearchConfig<'_, E>,
    limits: Limits<'_>,
    game: &Record<G>,
    progress: &mut dyn FnMut(&Report),
) -> (Report, usize) {
    let begin = limits.begin.unwrap_or_else(Instant::now);
    let shared = SharedState {
        table,
        evaluation: config.evaluation,
        params: config.params,
        reductions: config.reductions,
        tables: config.tables,
        table_hits: AtomicU64::new(0),
        limits: Limits {
            begin: Some(begin),
            ..limits
        },
        stop: AtomicBool::new(false),
        counters: threads.iter().map(|_| NodeCounter::default()).collect(),
        nodes_left: AtomicU64::new(limits.nodes.unwrap_or(u64::MAX)),
    };
    let Some((first, helpers)) = threads.split_first_mut() else {
        unreachable!("an engine has at least one thread");
    };
    let position = game.position();
    let wanted = 1 + helpers.len();
    let results: Vec<ThreadResult> = std::thread::scope(|scope| {
        // Before the others begin: it takes its nodes first.
        let main = Search::new(&shared, first, 0, game);
        let handles: Vec<_> = helpers
            .iter_mut()
            .enumerate()
            .filter_map(|(i, data)| {
                let shared = &shared;
                let run = move || Search::new(shared, data, i + 1, game).run(position, &mut |_| {});
                // If the system has no thread left, the others do the work.
                std::thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, run)
                    .ok()
            })
            .collect();
        let end = StopAtEnd(&shared.stop);
        let own = main.run(position, progress);
        drop(end);
        let others = handles.into_iter().map(|helper| {
            let joined = helper.join();
            joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        std::iter::once(own).chain(others).collect()
    });
    let missing = wanted - results.len();
    let mut nodes = results.iter().map(|r| r.nodes).sum();
    let no_mate_in = results.iter().find_map(|r| r.no_mate_in);
    let elected = if limits.multipv > 1 {
        0
    } else if let Some(proven) = with_proven_mate(&results) {
        proven
    } else if limits.depth.is_some() {
        0
    } else {
        elect(&results)
    };
    let own = results[0].nodes;
    let ThreadResult {
        depth,
        seldepth,
        mut lines,
        ..
    } = results.into_iter().nth(elected).unwrap_or_default();
    if elected > 0 {
        nodes += Search::new(&shared, first, 0, game).finish(position, own, &mut lines) - own;
    }
    let report = Report {
        depth,
        seldepth,
        nodes,
        tbhits: shared.table_hits(),
        no_mate_in,
        lines,
    };
    (report, missing)
}

/// Ends the search of the other threads when the first one's has ended, also by a panic: they would search on
/// and be waited for.
struct StopAtEnd<'s>(&'s AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The thread with the shortest mate, for or against, if any thread has proven one. A proof counts more than
/// any number of opinions. Whoever mates prefers the shortest mate. So does the choice among defences: that
/// the position is lost in `n` moves is proven for every defence, so that a thread which sees a longer one
/// has overlooked something.
fn with_proven_mate(results: &[ThreadResult]) -> Option<usize> {
    let mates = results.iter().enumerate().filter_map(|(i, result)| {
        let line = result.lines.first()?;
        let proven = match line.bound {
            // That nothing helps is known when all moves were looked at.
            Bound::Exact => line.score > 0 || result.depth > 0,
            Bound::Lower => line.score > 0,
            Bound::Upper | Bound::None => false,
        };
        let mate = proven && is_mate(line.score) && !line.pv.is_empty();
        mate.then_some((i, line.score, result.depth))
    });
    let rank = |&(i, score, depth): &(usize, Score, u32)| {
        (score > 0, score.abs(), depth, std::cmp::Reverse(i))
    };
    mates.max_by_key(rank).map(|(i, ..)| i)
}

/// The thread whose best move has the most votes; a thread votes the stronger, the deeper it searched
/// and the better its score is among the threads. Of equal votes the stronger one wins, then the first.
fn elect(results: &[ThreadResult]) -> usize {
    let best = |result: &ThreadResult| -> Option<(Move, Score)> {
        let line = result.lines.first()?;
        Some((*line.pv.first()?, line.score))
    };
    let scores = results.iter().filter_map(best).map(|(_, score)| score);
    let Some(worst) = scores.min() else { return 0 };
    let mut votes: HashMap<Move, i64> = HashMap::new();
    let weight = |result: &ThreadResult, score: Score| {
        i64::from(score - worst + 10) * i64::from(result.depth)
    };
    for result in results {
        if let Some((mv, score)) = best(result) {
            *votes.entry(mv).or_default() += weight(result, score);
        }
    }
    let mut elected = 0;
    let mut most = None;
    for (i, result) in results.iter().enumerate() {
        if let Some((mv, score)) = best(result) {
            let rank = (votes[&mv], weight(result, score));
            if most.is_none_or(|most| rank > most) {
                most = Some(rank);
                elected = i;
            }
        }
    }
    elected
}

#[cfg(test)]
mod incremental;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Line;
    use crate::score::MATE;
    use hexmate_movegen::{Glinski, Position};

    fn result(score: Score, bound: Bound, depth: u32, mv: usize) -> ThreadResult {
        let moves = Position::<Glinski>::start().legal_moves();
        ThreadResult {
            depth,
            lines: vec![Line {
                score,
                bound,
                depth,
                seldepth: depth,
                pv: vec![moves[mv]],
            }],
            ..ThreadResult::default()
        }
    }

    fn exact(score: Score, depth: u32, mv: usize) -> ThreadResult {
        result(score, Bound::Exact, depth, mv)
    }

    #[test]
    fn the_vote_goes_by_depth_and_score() {
        let results = [exact(30, 9, 0), exact(20, 10, 1), exact(25, 10, 1)];
        assert_eq!(with_proven_mate(&results), None);
        assert_eq!(elect(&results), 2);
    }

    #[test]
    fn proven_mates_are_not_outvoted() {
        // Lost, as the second thread knows; the others have not got so far.
        let lost = [
            exact(-2800, 1, 0),
            exact(4 - MATE, 5, 1),
            exact(-2500, 3, 0),
        ];
        assert_eq!(with_proven_mate(&lost), Some(1));
        let won = [exact(900, 12, 0), exact(MATE - 5, 4, 1), exact(900, 12, 0)];
        assert_eq!(with_proven_mate(&won), Some(1));
        // The shortest, for and against; then the deepest; then the first.
        let both = [exact(MATE - 9, 9, 0), exact(MATE - 7, 8, 1)];
        assert_eq!(with_proven_mate(&both), Some(1));
        let both = [exact(12 - MATE, 9, 0), exact(10 - MATE, 8, 1)];
        assert_eq!(with_proven_mate(&both), Some(1));
        let both = [
            exact(4 - MATE, 8, 0),
            exact(4 - MATE, 9, 1),
            exact(4 - MATE, 9, 2),
        ];
        assert_eq!(with_proven_mate(&both), Some(1));
    }

    #[test]
    fn what_is_not_proven_is_voted_on() {
        let unfinished = [exact(-100, 3, 0), exact(2 - MATE, 0, 1)];
        assert_eq!(with_proven_mate(&unfinished), None);
        let at_most = [
            exact(-100, 3, 0),
            result(6 - MATE, Bound::Upper, 3, 1),
            result(6 - MATE, Bound::Lower, 3, 1),
        ];
        assert_eq!(with_proven_mate(&at_most), None);
        let at_least = [exact(100, 3, 0), result(MATE - 5, Bound::Lower, 3, 1)];
        assert_eq!(with_proven_mate(&at_least), Some(1));
    }
}
