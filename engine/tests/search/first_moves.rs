//! What is answered when there is hardly any time.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::oracle::{position, search, suite, to_depth, to_nodes};
use hexmate_engine::{Budget, Limits};
use hexmate_movegen::{BuiltIn, Chromatic3, Chromatic4, Glinski, Hexachess, Mccooey, Position};

/// A clock that has run out already.
fn no_time() -> Limits<'static> {
    Limits {
        time: Some(Budget {
            soft: None,
            hard: Duration::ZERO,
        }),
        ..Limits::default()
    }
}

fn one_ply_is_searched<G: BuiltIn>(every: usize) {
    for at in suite::<G>().iter().step_by(every) {
        if !at.has_legal_move() {
            continue;
        }
        let timed = search(at, no_time());
        assert_eq!(timed, search(at, to_depth(1)), "{} {at}", G::ID);
        // The same where several lines are asked for; they may show that another move is better.
        let several = |limits| {
            let lines = search(
                at,
                Limits {
                    multipv: 5,
                    ..limits
                },
            )
            .lines;
            lines.into_iter().next().expect("a line").pv[0]
        };
        assert_eq!(several(no_time()), several(to_depth(1)), "{at}");
    }
}

/// However little time there is, the first depth is searched to its end.
#[test]
fn the_first_depth_waits_for_no_clock() {
    one_ply_is_searched::<Glinski>(5);
    one_ply_is_searched::<Hexachess>(5);
    one_ply_is_searched::<Mccooey>(5);
    one_ply_is_searched::<Chromatic3>(9);
    one_ply_is_searched::<Chromatic4>(9);
}

/// A mate search that runs out of time leaves the move of the first depth.
#[test]
fn a_mate_search_without_time_has_a_move() {
    let start = Position::<Glinski>::start();
    let limits = Limits {
        mate: Some(9),
        ..no_time()
    };
    let report = search(&start, limits);
    assert_eq!(report.depth, 1, "{report:?}");
    assert_eq!(report.best_move(), search(&start, to_depth(1)).best_move());
}

/// Even what was not searched at all is sensible: a queen is taken, a mate given, a pawn promoted, and
/// nothing is left to be taken for nothing.
#[test]
fn moves_are_sensible_at_sight() {
    let stop = AtomicBool::new(true);
    let stopped = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    for (fen, expected) in [
        ("1/3/5/7/4k4/11/3q7/11/3R7/11/5K5 w - - 0 1", "d3d5"),
        ("1/3/5/5N1/7k1/11/11/9Q1/4R6/11/2K8 w - - 0 1", ""),
        ("1/1k1/5/7/3R3P1/1p9/11/3K7/11/11/11 w - - 0 1", "i7i8q"),
    ] {
        let at: Position<Glinski> = position(fen);
        for limits in [stopped, to_nodes(1)] {
            let report = search(&at, limits);
            assert_eq!(report.depth, 0);
            let best = report.best_move().unwrap().text(Glinski);
            assert!(expected.is_empty() || best == expected, "{best}: {fen}");
        }
    }
}
