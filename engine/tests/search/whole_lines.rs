//! Lines are whole: a mate is told with all its moves, and other lines seldom end with the first.

use crate::oracle::{Random, position, suite, to_depth, to_nodes};
use crate::problems::problems;
use crate::solver::is_checkmate;
use hexmate_engine::{Bound, Engine, Limits, Line, MATE, Report, Table, is_mate};
use hexmate_movegen::{
    BuiltIn, Chromatic3, Chromatic4, Glinski, Hexachess, Mccooey, Position, Record, with_built_in,
};

/// Plays the line of a mate to its end. Gives 1 if it is one, else 0; of bounds, which a limit may have cut
/// short, only whole ones count.
fn mate_is_whole<G: BuiltIn>(position: &Position<G>, line: &Line) -> usize {
    if !is_mate(line.score) {
        return 0;
    }
    let mut end = *position;
    for &mv in &line.pv {
        assert_eq!(end.play(mv), Ok(()), "{position}: {line:?}");
    }
    let plies = (MATE - line.score.abs()) as usize;
    if line.bound != Bound::Exact && line.pv.len() < plies {
        return 0;
    }
    assert_eq!(line.pv.len(), plies, "{} {position}: {line:?}", G::ID);
    assert!(is_checkmate(&end), "{} {position}: {line:?}", G::ID);
    1
}

/// Positions of few men, searched in several ways: to a depth, with several lines, and for a mate.
fn mates_are_whole<G: BuiltIn>(pieces: &[&str], seed: u64, positions: usize) {
    let mut random = Random(seed);
    let table = Table::new(1).unwrap();
    let mut engine = Engine::<G>::default();
    let (mut tried, mut mates) = (0, [0; 3]);
    while tried < positions {
        let set = pieces[random.below(pieces.len())];
        let Some(at) = random.position::<G>(set, 0) else {
            continue;
        };
        tried += 1;
        let game = Record::new(at);
        let several = Limits {
            multipv: 3,
            ..to_depth(6)
        };
        let mate = Limits {
            mate: Some(3),
            ..to_nodes(150_000)
        };
        for (i, limits) in [to_depth(8), several, mate].into_iter().enumerate() {
            let whole = |report: &Report| {
                let lines = report.lines.iter();
                lines.map(|line| mate_is_whole(&at, line)).sum::<usize>()
            };
            let report = engine.analyse(&table, &game, limits, |on_the_way| {
                whole(on_the_way);
            });
            mates[i] += whole(&report);
        }
    }
    println!("{}: {mates:?} mates in {tried} positions", G::ID);
    assert!(mates.iter().all(|&n| n > tried / 20), "{mates:?}");
}

const FILES: &[&str] = &[
    "KkQQ", "KkQR", "KkQRr", "KkQQn", "KkRRR", "KkQBN", "KkQPPp", "KkqrP", "KkqqbR", "KkQQqr",
];

#[test]
fn mates_on_boards_of_files_are_told_whole() {
    mates_are_whole::<Glinski>(FILES, 0x1122_3344, 8);
    mates_are_whole::<Hexachess>(FILES, 0x2233_4455, 8);
    mates_are_whole::<Mccooey>(FILES, 0x3344_5566, 8);
}

#[test]
fn mates_in_the_chromatic_games_are_told_whole() {
    mates_are_whole::<Chromatic3>(&["KkQQ", "KkQR", "KkQQr", "KkqqN"], 0x4455_6677, 10);
    mates_are_whole::<Chromatic4>(&["KkQQ", "KkQQc", "KkqqN"], 0x5566_7788, 10);
}

fn solution_is_whole<G: BuiltIn>(fen: &str, moves: u32) {
    let at = position::<G>(fen);
    let limits = Limits {
        mate: Some(moves),
        ..to_nodes(3_000_000)
    };
    let table = Table::new(16).unwrap();
    let report = Engine::default().analyse(&table, &Record::new(at), limits, |_| {});
    assert_eq!(report.score(), MATE + 1 - 2 * moves as i32, "{fen}");
    mate_is_whole(&at, &report.lines[0]);
}

/// The solutions of mate problems, as they are told after a mate search.
#[test]
fn solutions_are_told_whole() {
    for problem in problems().iter().filter(|p| p.moves <= 3) {
        with_built_in!(problem.game, G => solution_is_whole::<G>(problem.fen, problem.moves));
    }
}

/// Without a mate in so few moves, that is proven and told, and nothing else is searched.
#[test]
fn that_there_is_no_mate_is_proven() {
    let start = Record::new(Position::<Glinski>::start());
    let table = Table::new(4).unwrap();
    let limits = Limits {
        mate: Some(1),
        ..Limits::default()
    };
    let report = Engine::default().analyse(&table, &start, limits, |_| {});
    assert_eq!(report.no_mate_in, Some(1));
    assert!(report.depth >= 1 && !report.pv().is_empty(), "{report:?}");
    // Within other limits the search goes on.
    let limits = Limits {
        depth: Some(4),
        ..limits
    };
    let report = Engine::default().analyse(&table, &start, limits, |_| {});
    assert_eq!((report.no_mate_in, report.depth), (Some(1), 4));
    // What was not looked at to the end is not proven.
    let limits = Limits {
        mate: Some(5),
        ..to_nodes(5_000)
    };
    let report = Engine::default().analyse(&table, &start, limits, |_| {});
    assert_eq!((report.no_mate_in, report.nodes), (None, 5_000));
    // Neither is anything of moves that are left out.
    let all = start.position().legal_moves();
    for (searchmoves, proven) in [(&all[..1], None), (&all[..], Some(1))] {
        let limits = Limits {
            mate: Some(1),
            searchmoves,
            ..Limits::default()
        };
        let report = Engine::default().analyse(&table, &start, limits, |_| {});
        assert_eq!(report.no_mate_in, proven);
    }
}

/// Whether the game is over after the line's first move: there is nothing to add.
fn ends_at_once<G: BuiltIn>(at: &Position<G>, line: &Line) -> bool {
    let mut game = Record::new(*at);
    game.play(line.pv[0]).unwrap();
    game.outcome().is_some()
}

/// All lines of at least four plies, and those of a single move among them.
fn short_lines<G: BuiltIn>(every: usize) -> [usize; 2] {
    let mut counts = [0; 2];
    let mut random = Random(0x77aa_55cc);
    let table = Table::new(1).unwrap();
    let mut engine = Engine::<G>::default();
    for at in suite::<G>().iter().step_by(every) {
        let game = Record::new(*at);
        let nodes = 2_000 + random.below(6_000) as u64;
        for multipv in [1, 3] {
            let limits = Limits {
                multipv,
                ..to_nodes(nodes)
            };
            let report = engine.analyse(&table, &game, limits, |_| {});
            for line in &report.lines {
                let mut end = *at;
                for &mv in &line.pv {
                    assert_eq!(end.play(mv), Ok(()), "{at}: {line:?}");
                }
                if line.depth >= 4 && !ends_at_once(at, line) {
                    counts[0] += 1;
                    counts[1] += usize::from(line.pv.len() == 1);
                }
            }
        }
    }
    println!("{}: {} of {} lines are short", G::ID, counts[1], counts[0]);
    counts
}

#[test]
fn lines_seldom_end_with_the_first_move() {
    let counts = [
        short_lines::<Glinski>(2),
        short_lines::<Hexachess>(2),
        short_lines::<Mccooey>(2),
        short_lines::<Chromatic3>(3),
        short_lines::<Chromatic4>(3),
    ];
    let [all, short] = [0, 1].map(|i| counts.iter().map(|c| c[i]).sum::<usize>());
    assert!(all > 300, "{all}");
    assert!(100 * short < all, "{short} of {all}");
}
