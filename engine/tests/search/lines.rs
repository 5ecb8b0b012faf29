//! Several best lines, chosen moves, several threads, and the clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::oracle::{position, suite, to_depth, to_nodes};
use crate::solver::Solver;
use hexmate_engine::{
    Bound, Budget, Clock, Engine, Limits, Params, Report, Score, Shown, Table, is_mate,
};
use hexmate_movegen::{
    BuiltIn, Chromatic3, Chromatic4, Glinski, Hexachess, Mccooey, Move, Position, Record, Unchecked,
};

fn analyse<G: BuiltIn>(engine: &mut Engine<G>, at: &Position<G>, limits: Limits<'_>) -> Report {
    let table = Table::new(4).unwrap();
    engine.analyse(&table, &Record::new(*at), limits, |_| {})
}

fn several_lines<G: BuiltIn>() {
    let mut engine = Engine::<G>::default();
    for position in suite::<G>().iter().step_by(9) {
        let legal = position.count_legal() as usize;
        if legal == 0 {
            continue;
        }
        let limits = Limits {
            multipv: 4,
            ..to_depth(5)
        };
        let report = analyse(&mut engine, position, limits);
        assert_eq!(report.lines.len(), legal.min(4), "{position}");
        let mut moves: Vec<_> = report.lines.iter().map(|line| line.pv[0]).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), report.lines.len(), "{position}: {report:?}");
        for pair in report.lines.windows(2) {
            assert!(pair[0].score >= pair[1].score, "{position}: {report:?}");
        }
        for line in &report.lines {
            let mut at = *position;
            for &mv in &line.pv {
                assert_eq!(at.play(mv), Ok(()), "{position}: {line:?}");
            }
        }
    }
}

#[test]
fn each_of_the_best_moves_has_a_line() {
    several_lines::<Glinski>();
    several_lines::<Mccooey>();
    several_lines::<Chromatic4>();
}

/// Mate in one by one move; the others are no better than what they are.
#[test]
fn only_the_chosen_moves_are_looked_at() {
    let at: Position<Glinski> = position("1/3/5/7/9/11/2N6Q1/11/8K2/11/10k w - - 0 1");
    let mut engine = Engine::default();
    let free = analyse(&mut engine, &at, to_depth(6));
    assert_eq!(Shown::from(free.score()), Shown::Mate(1));
    let others: Vec<_> = (at.legal_moves().into_iter())
        .filter(|&mv| {
            let mut next = at;
            next.play_unchecked(mv);
            next.has_legal_move()
        })
        .take(3)
        .collect();
    let limits = Limits {
        searchmoves: &others,
        multipv: 9,
        ..to_depth(6)
    };
    let chosen = analyse(&mut engine, &at, limits);
    assert_eq!(chosen.lines.len(), 3);
    assert!(chosen.lines.iter().all(|line| others.contains(&line.pv[0])));
    assert_ne!(Shown::from(chosen.score()), Shown::Mate(1));
}

/// A mate search ends with the first mate that is short enough, long before its nodes are used.
#[test]
fn a_mate_search_ends_with_the_mate() {
    let at: Position<Glinski> = position("1/3/5/7/9/11/6k4/11/8b2/2P6p1/8K2 b - - 1 54");
    let limits = Limits {
        mate: Some(2),
        ..to_nodes(3_000_000)
    };
    let report = analyse(&mut Engine::default(), &at, limits);
    assert_eq!(Shown::from(report.score()), Shown::Mate(2));
    assert!(report.nodes < 3_000_000);
}

/// Every line of a mate search mates for as long as there is another move that does; the others are those of the
/// first depth.
fn lines_of_a_mate_search<G: BuiltIn>(fen: &str, moves: u32) {
    let at: Position<G> = position(fen);
    let mut keys = Solver::default().keys(&at, moves);
    let legal = at.legal_moves().len();
    assert!((1..legal).contains(&keys.len()), "{fen}");
    let limits = |mate, multipv| Limits {
        mate,
        multipv,
        depth: Some(1),
        ..Limits::default()
    };
    let search = |mate, multipv| analyse(&mut Engine::default(), &at, limits(mate, multipv));
    let scores = |report: &Report| -> Vec<(Move, Score)> {
        let lines = report.lines.iter();
        lines.map(|line| (line.pv[0], line.score)).collect()
    };
    for multipv in 1..keys.len() {
        let report = search(Some(moves), multipv);
        assert_eq!(report.lines.len(), multipv, "{fen}");
        let mates = |&(mv, score)| keys.contains(&mv) && is_mate(score);
        assert!(scores(&report).iter().all(mates), "{fen}: {report:?}");
    }
    let report = search(Some(moves), keys.len() + 3);
    let (mating, others) = report.lines.split_at(keys.len());
    let mut found: Vec<Move> = mating.iter().map(|line| line.pv[0]).collect();
    found.sort_unstable();
    keys.sort_unstable();
    assert_eq!(found, keys, "{fen}: {report:?}");
    assert!(mating.is_sorted_by(|a, b| a.score >= b.score), "{report:?}");
    for line in mating {
        let Shown::Mate(in_moves) = Shown::from(line.score) else {
            panic!("{line:?}");
        };
        assert_eq!((line.pv.len() as i32 + 1) / 2, in_moves, "{line:?}");
        assert_eq!(line.bound, Bound::Exact);
    }
    let mut first = scores(&search(None, legal));
    first.retain(|(mv, _)| !keys.contains(mv));
    first.truncate(others.len());
    assert_eq!(scores(&report)[keys.len()..], first, "{fen}");
}

#[test]
fn every_mate_that_is_asked_for_has_a_line() {
    lines_of_a_mate_search::<Hexachess>("1/3/5/7/7B1/r4B5/k1K2R5/p10/11/11/11 w - - 0 1", 2);
    // One mates in two, others in three.
    lines_of_a_mate_search::<Glinski>("1/3/2k2/7/2P6/N5Q4/6BP3/11/1P9/8N2/2n2K5 w - - 3 75", 3);
    lines_of_a_mate_search::<Glinski>("1/3/5/7/9/11/2N6Q1/11/8K2/11/10k w - - 0 1", 2);
}

/// A line tells the score of the depth that it says, not of an earlier one.
#[test]
fn scores_are_those_of_their_depths() {
    let at: Position<Glinski> =
        position("1/2k/5/1r5/4ppp1p/4b3p2/2p1P6/11/7PP2/R3QKN4/1q7P1 b - - 1 30");
    let mut engine = Engine::default();
    let all = Limits {
        multipv: at.legal_moves().len(),
        ..to_depth(1)
    };
    let first = analyse(&mut engine, &at, all);
    let mut stale = Vec::new();
    for nodes in (9_000..=11_000).step_by(250) {
        let limits = Limits {
            multipv: 3,
            ..to_nodes(nodes)
        };
        let report = analyse(&mut Engine::default(), &at, limits);
        let mut deep = report.lines.into_iter().filter(|line| line.depth > 4);
        stale.extend(deep.find(|line| {
            let early = first.lines.iter().find(|early| early.pv[0] == line.pv[0]);
            early.is_some_and(|early| early.score == line.score)
        }));
    }
    assert_eq!(stale, []);
}

/// A search ends where it may: the first line is the best that was found, the others follow by their scores, and
/// none is but a bound where more was known.
#[test]
fn lines_of_a_search_cut_short_are_in_order() {
    let start = Position::<Glinski>::start();
    let mut engine = Engine::default();
    for nodes in (50..6_000).step_by(50) {
        let limits = Limits {
            multipv: 3,
            ..to_nodes(nodes)
        };
        let report = analyse(&mut engine, &start, limits);
        let others = &report.lines[1..];
        assert_eq!(others.len(), 2, "{report:?}");
        assert!(others[0].score >= others[1].score, "{report:?}");
        let bounds = others.iter().filter(|line| line.bound == Bound::Upper);
        assert!(report.depth == 0 || bounds.count() == 0, "{report:?}");
    }
}

fn threads<G: BuiltIn>() {
    for threads in [2, 3] {
        let mut engine = Engine::<G>::new(threads);
        for at in suite::<G>().iter().step_by(23) {
            let report = analyse(&mut engine, at, to_nodes(20_000));
            // Each thread looks at the others' counts every 512 nodes.
            assert!(report.nodes <= 20_000 + 512 * threads as u64, "{report:?}");
            let mut next = *at;
            for &mv in report.pv() {
                assert_eq!(next.play(mv), Ok(()), "{at}: {report:?}");
            }
            assert_eq!(report.pv().is_empty(), !at.has_legal_move());
        }
        engine.set_threads(1);
        assert_eq!(engine.threads(), 1);
    }
}

#[test]
fn several_threads_search_together() {
    threads::<Glinski>();
    threads::<Chromatic3>();
}

/// While the opponent thinks the clock does not end the search; when he has moved it does.
#[test]
fn pondering_goes_on_until_the_move_is_played() {
    let ponder = AtomicBool::new(true);
    let stop = AtomicBool::new(false);
    let limits = Limits {
        ponder: Some(&ponder),
        stop: Some(&stop),
        time: Some(Budget::fixed(Duration::ZERO, Duration::ZERO)),
        ..Limits::default()
    };
    let start = Position::<Glinski>::start();
    let table = Table::new(4).unwrap();
    let mut deep = 0;
    Engine::default().analyse(&table, &Record::new(start), limits, |report| {
        deep = report.depth;
        if report.depth == 8 {
            ponder.store(false, Ordering::Relaxed);
        }
    });
    assert!(deep >= 8, "the time was over before the first depth");
    assert!(deep < 100);
}

#[test]
fn a_clock_is_shared_out() {
    let second = Duration::from_secs(1);
    let clock = |remaining, increment, moves_to_go| Clock {
        remaining,
        increment,
        moves_to_go,
    };
    for remaining in [
        second / 1000,
        second / 20,
        second,
        60 * second,
        3600 * second,
    ] {
        for increment in [Duration::ZERO, second / 10, 10 * second] {
            let without = [0, 2, 36, 76, u32::MAX].map(|men| (men, None));
            let with = [0, 1, 2, 30, u32::MAX].map(|moves| (36, Some(moves)));
            for (men, moves) in without.into_iter().chain(with) {
                let clock = clock(remaining, increment, moves);
                let budget = Budget::of_clock(&clock, men, second / 100);
                assert!(budget.hard >= Duration::from_millis(1));
                let usable = remaining.saturating_sub(second / 100);
                assert!(
                    budget.hard <= usable.max(Duration::from_millis(1)),
                    "{clock:?}"
                );
                assert!(
                    budget.soft.is_some_and(|soft| soft <= budget.hard),
                    "{clock:?}"
                );
            }
        }
    }
}

/// Many men, a long game: less for each move, unless a control says how many moves are to be made.
#[test]
fn a_clock_lasts_as_long_as_the_game() {
    let minute = Duration::from_secs(60);
    let soft = |men, moves_to_go| {
        let clock = Clock {
            remaining: minute,
            increment: Duration::ZERO,
            moves_to_go,
        };
        Budget::of_clock(&clock, men, Duration::ZERO).soft.unwrap()
    };
    let men = [2, 10, 36, 76];
    assert!(men.is_sorted_by(|&few, &many| soft(few, None) > soft(many, None)));
    assert!(
        men.iter()
            .all(|&men| soft(men, Some(20)) == soft(2, Some(20)))
    );
}

#[test]
fn every_number_has_a_range_that_holds_its_default() {
    let mut params = Params::default();
    for info in Params::ALL {
        assert!((info.min..=info.max).contains(&info.default), "{info:?}");
        params.set(info.name, info.max).unwrap();
        assert!(params.set(info.name, info.max + 1).is_err());
        assert!(params.set(info.name, info.min - 1).is_err());
    }
    assert!(params.set("no_such_number", 1).is_err());
    assert_ne!(params, Params::default());
    let mut engine = Engine::<Glinski>::default();
    engine.set_params(params);
    assert_eq!(*engine.params(), params);
}
