//! A second evaluation, for tests: it is updated move by move and refuses to be asked about any position but
//! the one that it was told of. So the search tells all that an evaluation with accumulators has to know.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use hexmate_movegen::{
    Bits, Game, Glinski, KING, Kind, Move, PAWN, Position, Record, Side, Unchecked,
};
use hexmate_tt::Table;

use super::SearchConfig;
use crate::eval::Evaluation;
use crate::limits::{Limits, Report};
use crate::params::Params;
use crate::see::captured;
use crate::thread_data::{Reductions, ThreadData};

/// Material, White's less Black's, kept up to date.
#[derive(Default)]
struct Material {
    asked: AtomicU64,
    null_moves: AtomicU64,
}

/// A position on the way from the root, and what is on its board.
struct Accumulator {
    key: u64,
    sum: i32,
}

fn worth(kind: Kind) -> i32 {
    match kind {
        PAWN => 100,
        KING => 0,
        kind => 300 + 50 * i32::from(kind),
    }
}

fn fresh<G: Game>(position: &Position<G>) -> Accumulator {
    let kinds = 0..position.spec().pieces.len() as Kind;
    let of = |kind, side| position.pieces(kind, side).count() as i32 * worth(kind);
    Accumulator {
        key: position.key(),
        sum: kinds.map(|k| of(k, Side::White) - of(k, Side::Black)).sum(),
    }
}

fn sign(side: Side) -> i32 {
    match side {
        Side::White => 1,
        Side::Black => -1,
    }
}

impl<G: Game> Evaluation<G> for Material {
    type State = Vec<Accumulator>;

    fn new_state(&self) -> Self::State {
        Vec::new()
    }

    fn reset(&self, state: &mut Self::State, root: &Position<G>) {
        state.clear();
        state.push(fresh(root));
    }

    fn push(&self, state: &mut Self::State, before: &Position<G>, mv: Option<Move>) {
        let top = state.last().expect("the root");
        assert_eq!(top.key, before.key(), "{before}");
        let mut next = *before;
        let gained = match mv {
            None => {
                self.null_moves.fetch_add(1, Relaxed);
                next.play_null_unchecked();
                0
            }
            Some(mv) => {
                next.play_unchecked(mv);
                let promoted = mv.promotion().map_or(0, |kind| worth(kind) - worth(PAWN));
                captured(before, mv).map_or(0, worth) + promoted
            }
        };
        let next = Accumulator {
            key: next.key(),
            sum: top.sum + sign(before.side_to_move()) * gained,
        };
        state.push(next);
    }

    fn pop(&self, state: &mut Self::State) {
        state.pop();
        assert!(!state.is_empty(), "nothing was pushed before");
    }

    fn static_eval(&self, state: &mut Self::State, position: &Position<G>) -> i32 {
        self.asked.fetch_add(1, Relaxed);
        let top = state.last().expect("the root");
        assert_eq!(top.key, position.key(), "{position}");
        assert_eq!(top.sum, fresh(position).sum, "{position}");
        sign(position.side_to_move()) * top.sum
    }

    fn value(&self, kind: Kind) -> i32 {
        worth(kind)
    }
}

fn search(
    material: &Material,
    threads: usize,
    position: Position<Glinski>,
    limits: Limits<'_>,
) -> Report {
    let params = Params::default();
    let config = SearchConfig {
        evaluation: material,
        params: &params,
        reductions: &Reductions::of_params(&params),
        tables: None,
    };
    let table = Table::new(1).unwrap();
    let new = || ThreadData::new(position.game(), material);
    let mut threads: Vec<ThreadData<Glinski, Material>> =
        std::iter::repeat_with(new).take(threads).collect();
    let game = Record::new(position);
    super::search(&mut threads, &table, &config, limits, &game, &mut |_| {}).0
}

/// In one game: with this evaluation the whole search is compiled once more for each, and what it tells does not depend
/// on the rules.
#[test]
fn an_evaluation_is_told_of_every_move() {
    let mut position = Position::<Glinski>::start();
    for ply in 0..60 {
        let material = Material::default();
        if ply % 12 == 0 {
            let limits = Limits {
                nodes: Some(3000),
                multipv: 1 + ply / 24,
                ..Limits::default()
            };
            let report = search(&material, 1 + ply / 12 % 2, position, limits);
            assert!(report.best_move().is_some());
            assert!(material.asked.load(Relaxed) > 500, "{position}");
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[ply * 7 % moves.len()]);
    }
}

/// Null moves, promotions, and the searches that lead a mate to its end.
#[test]
fn it_is_told_of_null_moves_and_mates() {
    let depth = |depth| Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let material = Material::default();
    search(&material, 1, Position::start(), depth(7));
    assert!(material.null_moves.load(Relaxed) > 10);
    let mating = "1/1k1/2P2/7/9/11/11/4K6/3Q7/11/11 w - - 0 1".parse();
    let report = search(&Material::default(), 1, mating.unwrap(), depth(12));
    assert!(report.score() > 500, "{report:?}");
}
