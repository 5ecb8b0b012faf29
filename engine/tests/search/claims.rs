//! Whatever a search says of mates is so: each claim, also those on the way, against the exhaustive
//! solver. A claim may be longer than the shortest mate, never shorter, and never of a mate that is none.

use crate::oracle::{Random, to_nodes};
use crate::solver::{Solver, is_checkmate};
use hexmate_engine::{Bound, Engine, Report, Shown, Table};
use hexmate_movegen::{
    BuiltIn, Chromatic3, Chromatic4, Glinski, Hexachess, Mccooey, Position, Record,
};

/// The longest claims that are checked, in moves.
const LONGEST: u32 = 3;
/// The solver has to look at everything: this many legal moves are few enough for it.
const FEW: u64 = 100;

/// How many claims of a mate there were, 0 or 1. A depth that was cut short has not looked at all moves, so it
/// cannot claim to be mated, not even the first.
fn check<G: BuiltIn>(position: &Position<G>, report: &Report, solver: &mut Solver) -> usize {
    let Shown::Mate(claimed) = Shown::from(report.score()) else {
        return 0;
    };
    let moves = claimed.unsigned_abs();
    let proven = match report.lines[0].bound {
        Bound::Exact => true,
        Bound::Lower => claimed > 0,
        Bound::Upper => claimed < 0,
        Bound::None => false,
    };
    if moves > LONGEST || !proven {
        return 0;
    }
    let holds = if claimed > 0 {
        solver.mates(position, moves)
    } else {
        solver.is_mated(position, moves)
    };
    assert!(
        holds,
        "{} no mate in {claimed}: {position}, {report:?}",
        G::ID
    );
    let mut end = *position;
    for &mv in report.pv() {
        let text = mv.text(G::GAME);
        assert!(end.play(mv).is_ok(), "{text} in {end}: {report:?}");
    }
    let plies = if claimed > 0 {
        2 * moves - 1
    } else {
        2 * moves
    };
    if report.pv().len() == plies as usize {
        assert!(
            is_checkmate(&end),
            "{position}: the line does not mate, {report:?}"
        );
    }
    1
}

fn claims<G: BuiltIn>(pieces: &[&str], seed: u64, threads: usize, positions: usize) {
    let mut random = Random(seed);
    let mut claimed = 0;
    let mut engine = Engine::<G>::new(threads);
    // One small table for all: what it remembers of other positions must do no harm.
    let table = Table::new(1).unwrap();
    let mut tried = 0;
    while tried < positions {
        let set = pieces[random.below(pieces.len())];
        let position = random.position::<G>(set, 0);
        let Some(position) = position.filter(|p| p.count_legal() <= FEW) else {
            continue;
        };
        tried += 1;
        let (mut solver, game) = (Solver::default(), Record::new(position));
        let nodes = [10, 1_000, 5_000, 20_000][random.below(4)];
        let report = engine.analyse(&table, &game, to_nodes(nodes), |report| {
            claimed += check(&position, report, &mut solver);
        });
        claimed += check(&position, &report, &mut solver);
    }
    println!(
        "{}, {threads} threads: {claimed} claims in {tried} positions",
        G::ID
    );
    assert!(claimed >= tried / 10, "{}: only {claimed} claims", G::ID);
}

const FILES: &[&str] = &[
    "KkQQ", "KkQR", "KkQQp", "KkQRr", "KkQQn", "KkRRR", "KkQBN", "KkQNNp", "KkQPPp", "KkqrP",
    "KkqqbR", "KkrrrN", "KkQQqr", "KkQRbn",
];
const CHROMATIC3: &[&str] = &[
    "KkQQ", "KkQR", "KkQQr", "KkQRt", "KkqqN", "KkqrPP", "KkQRBp",
];
const CHROMATIC4: &[&str] = &["KkQQ", "KkQQc", "KkQQQn", "KkqqN", "KkqqcP", "KkQQDp"];

#[test]
fn no_false_mates_in_glinski() {
    claims::<Glinski>(FILES, 0x1357_9bdf, 1, 300);
}

#[test]
fn no_false_mates_in_hexachess() {
    claims::<Hexachess>(FILES, 0x2468_ace1, 1, 300);
}

#[test]
fn no_false_mates_in_mccooey() {
    claims::<Mccooey>(FILES, 0x3579_bdf1, 1, 300);
}

#[test]
fn no_false_mates_in_the_chromatic_games() {
    // The solver takes long on these boards.
    claims::<Chromatic3>(CHROMATIC3, 0x468a_ce13, 1, 200);
    claims::<Chromatic4>(CHROMATIC4, 0x579b_df13, 1, 100);
}

#[test]
fn no_false_mates_by_two_threads() {
    claims::<Glinski>(FILES, 0x68ac_e135, 2, 150);
    claims::<Mccooey>(FILES, 0x79bd_f135, 2, 150);
}
