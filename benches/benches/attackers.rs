//! Attackers of a cell, found by looking out from it, in the suite positions of each game. The figures for
//! `attackers` are for one cell, those for `checkers` for one position.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use hexmate_benches::{Clock, criterion, suite};
use hexmate_movegen::{Bits, BuiltIn, for_each_game};

fn of_game<G: BuiltIn>(c: &mut Criterion<Clock>) {
    let positions = suite::<G>();
    let cells = G::GAME.tables().board.cells();
    let mut group = c.benchmark_group("attackers");
    group.throughput(Throughput::Elements((positions.len() * cells.len()) as u64));
    group.bench_function(BenchmarkId::new(G::ID.name(), "attackers"), |b| {
        b.iter(|| {
            let mut found = G::Bits::EMPTY;
            for position in black_box(&positions) {
                let them = position.side_to_move().other();
                for &cell in cells {
                    found ^= position.attackers(cell, them);
                }
            }
            found
        });
    });
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function(BenchmarkId::new(G::ID.name(), "checkers"), |b| {
        b.iter(|| {
            let positions = black_box(&positions).iter();
            positions.fold(G::Bits::EMPTY, |found, p| found ^ p.checkers())
        });
    });
    group.finish();
}

fn main() {
    let mut c = criterion();
    for_each_game!(G => of_game::<G>(&mut c));
    c.final_summary();
}
