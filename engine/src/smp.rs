//! Lazy SMP: several threads search the same position on their own and share what they find through the
//! transposition table alone. The best move is voted on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hexmate_movegen::{Game, Move, Record};
use hexmate_tablebases::Tablebases;
use hexmate_tt::Table;

use crate::eval::Evaluator;
use crate::limits::{Limits, Report};
use crate::params::Params;
use crate::score::Score;
use crate::search::{Counter, Outcome, Search, Shared};
use crate::worker::{Reductions, Worker};

/// Each ply of the deepest line takes some kilobytes of stack, a position of the largest board most of all.
const STACK: usize = 8 << 20;

/// What the search goes by.
#[derive(Clone, Copy)]
pub(crate) struct Guide<'e, G: Game> {
    pub evaluator: &'e Evaluator<G>,
    pub params: &'e Params,
    pub reductions: &'e Reductions,
    pub tables: Option<&'e Tablebases>,
}

/// Searches with one thread for each worker.
pub(crate) fn search<G: Game>(
    workers: &mut [Worker<G>],
    table: &Table,
    guide: Guide<'_, G>,
    limits: Limits<'_>,
    game: &Record<G>,
    progress: &mut dyn FnMut(&Report),
) -> Report {
    let shared = Shared {
        table,
        evaluator: guide.evaluator,
        params: guide.params,
        reductions: guide.reductions,
        tables: guide.tables,
        table_hits: AtomicU64::new(0),
        limits,
        stop: AtomicBool::new(false),
        counters: workers.iter().map(|_| Counter::default()).collect(),
    };
    let Some((first, helpers)) = workers.split_first_mut() else {
        unreachable!("an engine has at least one thread");
    };
    let position = game.position();
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let handles: Vec<_> = helpers
            .iter_mut()
            .enumerate()
            .filter_map(|(i, worker)| {
                let shared = &shared;
                let run =
                    move || Search::new(shared, worker, i + 1, game).run(position, &mut |_| {});
                // If the system has no thread left, the others do the work.
                std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, run)
                    .ok()
            })
            .collect();
        let own = Search::new(&shared, first, 0, game).run(position, progress);
        shared.stop.store(true, Ordering::Relaxed);
        let others = handles.into_iter().map(|helper| {
            let joined = helper.join();
            joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        std::iter::once(own).chain(others).collect()
    });
    let nodes = outcomes.iter().map(|o| o.nodes).sum();
    let elected = if limits.multipv <= 1 && limits.depth.is_none() {
        elect(&outcomes)
    } else {
        0
    };
    let Outcome {
        depth,
        seldepth,
        lines,
        ..
    } = outcomes.into_iter().nth(elected).unwrap_or_default();
    Report {
        depth,
        seldepth,
        nodes,
        tbhits: shared.table_hits(),
        lines,
    }
}

/// The thread whose best move has the most votes; a thread votes the stronger, the deeper it searched
/// and the better its score is among the threads. Of equal votes the first thread wins.
fn elect(outcomes: &[Outcome]) -> usize {
    let best = |outcome: &Outcome| -> Option<(Move, Score)> {
        let line = outcome.lines.first()?;
        Some((*line.pv.first()?, line.score))
    };
    let scores = outcomes.iter().filter_map(best).map(|(_, score)| score);
    let Some(worst) = scores.min() else { return 0 };
    let mut votes: HashMap<Move, i64> = HashMap::new();
    let weight =
        |outcome: &Outcome, score: Score| i64::from(score - worst + 10) * i64::from(outcome.depth);
    for outcome in outcomes {
        if let Some((mv, score)) = best(outcome) {
            *votes.entry(mv).or_default() += weight(outcome, score);
        }
    }
    let mut elected = 0;
    let mut most = None;
    for (i, outcome) in outcomes.iter().enumerate() {
        if let Some((mv, score)) = best(outcome) {
            let rank = (votes[&mv], weight(outcome, score));
            if most.is_none_or(|most| rank > most) {
                most = Some(rank);
                elected = i;
            }
        }
    }
    elected
}
