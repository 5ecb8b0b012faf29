//! How a search ends, and what holds of every report.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::oracle::{Random, position, search, suite, to_depth, to_nodes};
use hexmate_engine::{Bound, Budget, Clock, DRAW, Engine, Limits, Report, Shown, Table};
use hexmate_movegen::{
    BuiltIn, Chromatic3, Chromatic4, Glinski, Hexachess, Mccooey, Move, Position, Record,
    for_each_game,
};

/// The best line is legal from end to end.
fn assert_line_is_legal<G: BuiltIn>(position: &Position<G>, report: &Report) {
    assert_eq!(
        report.pv().is_empty(),
        !position.has_legal_move(),
        "{position}"
    );
    let mut at = *position;
    for &mv in report.pv() {
        let text = mv.text(G::GAME);
        assert!(
            at.play(mv).is_ok(),
            "{text} is not legal in {at}; from {position}, {report:?}"
        );
    }
}

fn lines_of<G: BuiltIn>(every: usize) {
    let table = Table::new(1).unwrap();
    let mut engine = Engine::<G>::default();
    // One engine and one table for all, never told to forget.
    for position in suite::<G>().iter().step_by(every) {
        let game = Record::new(*position);
        for depth in [2, 6] {
            let limits = Limits {
                depth: Some(depth),
                ..to_nodes(10_000)
            };
            let mut last = None;
            let report = engine.analyse(&table, &game, limits, |on_the_way| {
                assert_line_is_legal(position, on_the_way);
                last = Some(on_the_way.clone());
            });
            assert_line_is_legal(position, &report);
            if report.depth == depth {
                assert_eq!(last, Some(report));
            }
        }
    }
}

#[test]
fn best_lines_are_legal() {
    lines_of::<Glinski>(2);
    lines_of::<Hexachess>(2);
    lines_of::<Mccooey>(2);
    lines_of::<Chromatic3>(4);
    lines_of::<Chromatic4>(4);
}

#[test]
fn depths_are_reported_one_by_one() {
    let game = Record::new(Position::<Hexachess>::start());
    let table = Table::new(1).unwrap();
    let mut depths = Vec::new();
    let mut nodes = 0;
    let mut engine = Engine::default();
    let report = engine.analyse(&table, &game, to_depth(4), |report| {
        depths.push(report.depth);
        assert!(
            report.nodes > nodes && report.seldepth + 1 >= report.depth,
            "{report:?}"
        );
        nodes = report.nodes;
    });
    assert_eq!(depths, [1, 2, 3, 4]);
    assert_eq!((report.depth, report.nodes), (4, nodes));
}

/// Positions with many draws near the root, where nodes are easily miscounted, and others.
fn many_positions() -> Vec<Position<Glinski>> {
    let mut random = Random(0xfeed_beef);
    let mut positions: Vec<Position<Glinski>> = suite().into_iter().step_by(6).collect();
    while positions.len() < 40 {
        let pieces = ["KkQ", "KkRp", "KkQr", "KkPp", "KkB"][random.below(5)];
        let clock = [0, 97, 98, 99][random.below(4)];
        positions.extend(random.position::<Glinski>(pieces, clock));
    }
    positions
}

#[test]
fn no_more_nodes_than_allowed() {
    let mut exceeded = Vec::new();
    for position in many_positions() {
        for most in [
            1, 2, 3, 5, 8, 10, 20, 33, 50, 77, 100, 150, 200, 500, 1_000, 3_000,
        ] {
            let report = search(&position, to_nodes(most));
            assert_line_is_legal(&position, &report);
            assert!(!report.pv().is_empty());
            if report.nodes > most {
                exceeded.push(format!("{} of {most} in {position}", report.nodes));
            }
        }
    }
    assert!(
        exceeded.is_empty(),
        "{} times, first: {}",
        exceeded.len(),
        exceeded[0]
    );
}

/// Where there is enough to look at, the nodes allowed are used.
#[test]
fn all_nodes_are_used() {
    for position in suite::<Mccooey>().iter().step_by(10) {
        let report = search(position, to_nodes(5_000));
        if !matches!(Shown::from(report.score()), Shown::Mate(_)) {
            assert_eq!(report.nodes, 5_000, "{position}");
        }
    }
}

/// Enough nodes end the search with the depth that reaches them: none is cut short, none more is begun.
#[test]
fn enough_nodes_end_the_search_with_a_whole_depth() {
    let start = Position::<Hexachess>::start();
    let mut depths = Vec::new();
    let table = Table::new(4).unwrap();
    Engine::default().analyse(&table, &Record::new(start), to_depth(6), |report| {
        depths.push(report.nodes);
    });
    assert!(depths.len() == 6 && depths[5] > 2 * depths[3], "{depths:?}");
    let to_soft_nodes = |nodes| Limits {
        soft_nodes: Some(nodes),
        ..Limits::default()
    };
    let around = depths[..5]
        .iter()
        .flat_map(|&nodes| [nodes - 1, nodes, nodes + 1]);
    for enough in around.chain([0, 1]) {
        let depth = 1 + depths.partition_point(|&nodes| nodes < enough) as u32;
        let report = search(&start, to_soft_nodes(enough));
        assert_eq!(
            report,
            search(&start, to_depth(depth)),
            "{enough} of {depths:?}"
        );
    }
    // They bound a mate search, too, which goes on where there is no mate.
    let mate = Limits {
        mate: Some(1),
        ..to_soft_nodes(2 * depths[3])
    };
    let report = search(&start, mate);
    assert_eq!(report.no_mate_in, Some(1));
    assert!(
        report.depth > 1 && report.nodes >= 2 * depths[3],
        "{report:?}"
    );
}

/// Of a depth that is cut short, what was found of the best move counts, but not an upper bound on its score.
#[test]
fn a_depth_cut_short_counts_for_what_it_found() {
    let mut deeper = 0;
    for position in suite::<Glinski>().iter().step_by(20) {
        for nodes in (500..4_000).step_by(250) {
            let report = search(position, to_nodes(nodes));
            let best = &report.lines[0];
            if report.depth > 0 {
                assert_ne!(best.bound, Bound::Upper, "{position}, {nodes}: {report:?}");
                deeper += u32::from(best.depth > report.depth);
            }
        }
    }
    assert!(deeper > 0);
}

/// Where the first depth is cut short, a move that was not looked at goes before one that is mated.
#[test]
fn a_move_that_is_mated_is_the_last_resort() {
    let fen = "1/r2/3K1/5P1/9/11/11/4q6/7P3/5k5/11 w - - 0 1";
    let position: Position<Glinski> = position(fen);
    let mut cut_short = 0;
    for nodes in 2..40 {
        let report = search(&position, to_nodes(nodes));
        let is_lost = matches!(Shown::from(report.score()), Shown::Mate(moves) if moves < 0);
        assert!(report.depth > 0 || !is_lost, "{nodes}: {report:?}");
        cut_short += u32::from(report.depth == 0);
    }
    assert!(cut_short > 0);
}

/// Looking one ply ahead, with the captures and checks that follow, is no work: so few nodes are what
/// `hexmate analyse` gives a position if nothing else is said, and a depth must come out of them.
fn one_ply_is_cheap<G: BuiltIn>() {
    let limits = Limits {
        depth: Some(1),
        ..to_nodes(100_000)
    };
    let positions = suite::<G>();
    let dear: Vec<String> = positions
        .iter()
        .filter(|p| p.has_legal_move() && search(p, limits).depth == 0)
        .map(ToString::to_string)
        .collect();
    let (some, all) = (dear.len(), positions.len());
    assert!(
        dear.is_empty(),
        "{some} of {all} in {}, first: {}",
        G::ID,
        dear[0]
    );
}

#[test]
fn one_ply_is_searched_within_the_default_nodes() {
    for_each_game!(G => one_ply_is_cheap::<G>());
}

fn stopped_at_once<G: BuiltIn>() {
    let stop = AtomicBool::new(true);
    let start = Position::<G>::start();
    let by_flag = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let by_clock = Limits {
        time: Some(Budget {
            soft: None,
            hard: Duration::ZERO,
        }),
        ..Limits::default()
    };
    for limits in [by_flag, to_nodes(1)] {
        let report = search(&start, limits);
        assert_eq!((report.pv().len(), report.depth), (1, 0), "{}", G::ID);
        assert!(report.nodes <= 1, "{}", G::ID);
        assert_line_is_legal(&start, &report);
    }
    // The clock waits for the first depth.
    let report = search(&start, by_clock);
    assert_eq!(report.depth, 1, "{}", G::ID);
    assert_line_is_legal(&start, &report);
}

#[test]
fn a_search_that_is_stopped_at_once_has_a_legal_move() {
    for_each_game!(G => stopped_at_once::<G>());
}

/// Somebody else's flag, and the clock, end a search that has no other limit.
#[test]
fn a_running_search_can_be_stopped() {
    let stop = &AtomicBool::new(false);
    let start = Position::<Glinski>::start();
    let begin = Instant::now();
    // Not before the first depth has been told, however busy the machine is.
    let (tell, told) = mpsc::channel();
    let report = std::thread::scope(|scope| {
        scope.spawn(move || {
            told.recv().unwrap();
            stop.store(true, Ordering::Relaxed);
        });
        let limits = Limits {
            stop: Some(stop),
            ..Limits::default()
        };
        let (table, game) = (Table::new(16).unwrap(), Record::new(start));
        let mut engine = Engine::default();
        engine.analyse(&table, &game, limits, |_| _ = tell.send(()))
    });
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert!(report.depth >= 1);
    assert_line_is_legal(&start, &report);

    let begin = Instant::now();
    let limits = Limits {
        time: Some(Budget::fixed(Duration::from_millis(50), Duration::ZERO)),
        ..Limits::default()
    };
    let report = search(&start, limits);
    let elapsed = begin.elapsed();
    assert!(elapsed >= Duration::from_millis(50) && elapsed < Duration::from_secs(5));
    assert_line_is_legal(&start, &report);
}

/// A search depends on its position alone: new engines agree, and so does one that was told to forget.
fn repeatable<G: BuiltIn>(every: usize) {
    let mut table = Table::new(1).unwrap();
    let mut engine = Engine::<G>::default();
    let mut once = |position: &Position<G>, limits| {
        let fresh = Table::new(1).unwrap();
        let game = Record::new(*position);
        let first = Engine::<G>::default().analyse(&fresh, &game, limits, |_| {});
        let fresh = Table::new(1).unwrap();
        let second = Engine::<G>::default().analyse(&fresh, &game, limits, |_| {});
        assert_eq!(first, second, "{position}");
        table.forget();
        engine.forget();
        let third = engine.analyse(&table, &game, limits, |_| {});
        assert_eq!(first, third, "{position}");
    };
    for position in suite::<G>().iter().step_by(every) {
        for depth in [2, 10] {
            let limits = Limits {
                depth: Some(depth),
                ..to_nodes(5_000)
            };
            once(position, limits);
        }
    }
}

#[test]
fn searches_are_repeatable() {
    repeatable::<Glinski>(5);
    repeatable::<Hexachess>(5);
    repeatable::<Mccooey>(5);
    repeatable::<Chromatic3>(8);
    repeatable::<Chromatic4>(8);
}

/// A depth that is cut short must not lose what the depth before it has found, however small the table.
#[test]
fn a_mate_once_found_is_kept() {
    let position: Position<Glinski> =
        position("1/1B1/Q2k1/6b/4p1p2/1p2p4p1/5P1Nr2/4P1P3K/2P2B2bP1/11/1P3RR4 b - - 4 49");
    let game = Record::new(position);
    let small = || Table::with_bytes(64).unwrap();
    let to_one = Engine::default().analyse(&small(), &game, to_depth(1), |_| {});
    assert_eq!(Shown::from(to_one.score()), Shown::Mate(1));
    for more in 1..400 {
        let limits = to_nodes(to_one.nodes + more);
        let report = Engine::default().analyse(&small(), &game, limits, |_| {});
        assert_eq!(
            Shown::from(report.score()),
            Shown::Mate(1),
            "{more} nodes later: {report:?}"
        );
    }
}

/// The smallest table there is serves as well, only slower.
#[test]
fn the_smallest_table_is_enough() {
    for position in suite::<Glinski>().iter().step_by(15) {
        let game = Record::new(*position);
        let table = Table::with_bytes(64).unwrap();
        let report = Engine::default().analyse(&table, &game, to_depth(2), |_| {});
        assert_line_is_legal(position, &report);
        assert_eq!(report.depth, 2);
    }
}

/// Without a choice, and far beyond the last depth.
#[test]
fn the_deepest_search_ends() {
    // A pawn that cannot move for ever: few positions, searched to the last depth there is.
    let position: Position<Glinski> = position("1/3/5/7/9/11/11/3K7/11/11/k5N4 b - - 98 1");
    let report = search(&position, Limits::default());
    assert_line_is_legal(&position, &report);
    assert_eq!(report.depth, 240);
    let report = search(&position, to_depth(100_000));
    assert_eq!(report.depth, 240);
}

/// What comes of some moves alone is not kept as what the position is worth.
#[test]
fn a_search_of_some_moves_says_nothing_of_the_position() {
    fn check<G: BuiltIn>() {
        let start = Position::<G>::start();
        let moves = start.legal_moves();
        let knows = |searchmoves: &[_]| {
            let table = Table::new(1).unwrap();
            let limits = Limits {
                searchmoves,
                ..to_depth(3)
            };
            let report =
                Engine::<G>::default().analyse(&table, &Record::new(start), limits, |_| {});
            assert!(report.best_move().is_some());
            table.probe(start.key()).is_some()
        };
        assert!(knows(&[]), "{}", G::ID);
        assert!(!knows(&moves[..1]), "{}", G::ID);
    }
    for_each_game!(G => check::<G>());
}

/// Such moves come from a mistake: no score is told, least of all that of a mate or stalemate.
#[test]
fn where_none_of_the_moves_asked_for_is_legal_the_report_has_no_line() {
    let start = Position::<Glinski>::start();
    let illegal = [Move::new(0, 0), Move::new(255, 255)];
    let (one, some) = (start.legal_moves()[0], Some(2));
    for (depth, mate, threads) in [(some, None, 1), (None, Some(1), 1), (some, None, 2)] {
        let table = Table::new(1).unwrap();
        let mut engine = Engine::new(threads);
        let mut search = |searchmoves: &[Move]| {
            let limits = Limits {
                depth,
                mate,
                searchmoves,
                ..Limits::default()
            };
            engine.analyse(&table, &Record::new(start), limits, |_| {})
        };
        let report = search(&illegal);
        assert!(report.lines.is_empty(), "{report:?}");
        assert_eq!((report.depth, report.no_mate_in), (0, None));
        assert_eq!((report.best_move(), report.score()), (None, DRAW));
        // The others are passed over.
        let report = search(&[illegal[0], one, illegal[1]]);
        assert_eq!(report.best_move(), Some(one));
    }
}

/// The greatest times are as good as none.
#[test]
fn endless_time_is_no_limit() {
    let ages = Clock {
        remaining: Duration::from_secs(u64::MAX),
        increment: Duration::MAX,
        moves_to_go: Some(1),
    };
    let budgets = [
        Budget::of_clock(&ages, 36, Duration::ZERO),
        Budget {
            soft: Some(Duration::MAX),
            hard: Duration::MAX,
        },
    ];
    let start = Position::<Glinski>::start();
    for budget in budgets {
        let limits = Limits {
            time: Some(budget),
            ..to_nodes(5_000)
        };
        assert_eq!(search(&start, limits), search(&start, to_nodes(5_000)));
    }
}

/// Any count of plies without progress that a text can have.
#[test]
fn the_greatest_count_without_progress_is_searched() {
    for count in [u16::MAX - 9, u16::MAX] {
        let won = format!("1/3/2k2/7/9/11/11/4K6/11/11/Q10 w - - {count} 1");
        let report = search(&position::<Glinski>(&won), to_depth(3));
        assert!(report.best_move().is_some());
    }
}
