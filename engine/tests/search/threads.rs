//! Several threads, and what they agree on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::oracle::{Random, to_nodes};
use crate::solver::Solver;
use hexmate_engine::{Engine, Limits, Shown, Table};
use hexmate_movegen::{BuiltIn, Glinski, Mccooey, Position, Record};

/// Moves to the mate of a position, negative for the side that is mated; `None` if it takes longer than two.
fn mate<G: BuiltIn>(position: &Position<G>) -> Option<i32> {
    let mut solver = Solver::default();
    let moves = 1..=2;
    let mates = moves.clone().find(|&n| solver.mates(position, n));
    let mated = moves.clone().find(|&n| solver.is_mated(position, n));
    mates
        .map(|n| n as i32)
        .or_else(|| mated.map(|n| -(n as i32)))
}

fn agree<G: BuiltIn>(pieces: &[&str], seed: u64, positions: usize) {
    let mut random = Random(seed);
    let (mut one, mut eight) = (Engine::<G>::default(), Engine::<G>::new(8));
    let (mut won, mut lost) = (0, 0);
    while won + lost < positions {
        let set = pieces[random.below(pieces.len())];
        let Some(at) = random.position::<G>(set, 0) else {
            continue;
        };
        // As many of either kind; those that are mated are rare.
        let expected = mate(&at).filter(|&n| n < 0 || won < positions / 2);
        let Some(expected) = expected else {
            continue;
        };
        let game = Record::new(at);
        let [alone, together] = [(&mut one, 100_000), (&mut eight, 300_000)].map(|(e, nodes)| {
            e.forget();
            let table = Table::new(1).unwrap();
            // Where a depth is asked for, a mate that is a move too long does not end the search.
            let limits = Limits {
                depth: Some(14),
                ..to_nodes(nodes)
            };
            e.analyse(&table, &game, limits, |_| {})
        });
        // A quiet key may be pruned for longer than this.
        if Shown::from(alone.score()) == Shown::Mate(expected) {
            *if expected > 0 { &mut won } else { &mut lost } += 1;
            let shown = Shown::from(together.score());
            assert_eq!(shown, Shown::Mate(expected), "{at}: {together:?}");
        }
    }
    println!("{}: {won} won, {lost} lost", G::ID);
}

const FEW_MEN: &[&str] = &[
    "KkQQ", "KkQR", "KkQRr", "KkQQn", "KkRRR", "KkQBN", "KkqrP", "KkqqbR", "KkrrrN", "Kkqqn",
];

/// What one thread can prove, no number of others outvotes.
#[test]
fn one_and_eight_threads_agree_on_mates() {
    agree::<Glinski>(FEW_MEN, 0x0bad_cafe, 120);
    agree::<Mccooey>(FEW_MEN, 0x1bad_cafe, 80);
}

/// A fault in the first thread ends the others: it comes out instead of hanging.
#[test]
fn a_panic_comes_out_however_many_threads_search() {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let game = Record::new(Position::<Glinski>::start());
        let table = Table::new(1).unwrap();
        let mut engine = Engine::new(3);
        let search = AssertUnwindSafe(|| {
            engine.analyse(&table, &game, Limits::default(), |report| {
                assert!(report.depth < 3, "as if something had broken");
            })
        });
        sender.send(catch_unwind(search).is_err()).unwrap();
    });
    // Not a measure of time: whoever takes so long has hung.
    let came_out = receiver.recv_timeout(Duration::from_secs(60));
    assert_eq!(came_out, Ok(true));
}

/// All threads together, as one alone does.
#[test]
fn several_threads_visit_no_more_nodes_than_allowed() {
    let game = Record::new(Position::<Glinski>::start());
    for threads in [2, 3, 8] {
        let mut engine = Engine::new(threads);
        for most in [1, 7, 100, 500, 512, 1_000, 5_000, 20_000] {
            for _ in 0..3 {
                engine.forget();
                let table = Table::new(1).unwrap();
                let report = engine.analyse(&table, &game, to_nodes(most), |_| {});
                assert!(
                    report.nodes <= most,
                    "{} of {most} by {threads} threads",
                    report.nodes
                );
                assert!(report.best_move().is_some());
                // The first thread gets through the first depth if any number of threads could.
                assert!(report.depth > 0 || most < 500, "{most}, {threads} threads");
            }
        }
    }
}
