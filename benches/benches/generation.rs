//! Legal moves of the suite positions of each game with each backend, counted and listed. The figures are for
//! one position.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use hexmate_benches::{Clock, criterion, suite};
use hexmate_movegen::{BuiltIn, Simd, Wanted, for_each_game};

fn of_game<G: BuiltIn>(c: &mut Criterion<Clock>) {
    let positions = suite::<G>();
    let number = Throughput::Elements(positions.len() as u64);
    let all = Wanted::all(G::GAME.tables());

    let mut group = c.benchmark_group("generation-count");
    group.throughput(number.clone());
    for form in Simd::available() {
        group.bench_function(BenchmarkId::new(G::ID.name(), form), |b| {
            b.iter(|| {
                let positions = black_box(&positions).iter();
                positions.map(|p| p.count_in(form)).sum::<u64>()
            });
        });
    }
    group.finish();

    let mut group = c.benchmark_group("generation-list");
    group.throughput(number);
    for form in Simd::available() {
        let mut moves = Vec::with_capacity(1024);
        group.bench_function(BenchmarkId::new(G::ID.name(), form), |b| {
            b.iter(|| {
                for position in black_box(&positions) {
                    moves.clear();
                    position.add_wanted(form, all, &mut moves);
                    black_box(&moves);
                }
            });
        });
    }
    group.finish();
}

fn main() {
    let mut c = criterion();
    for_each_game!(G => of_game::<G>(&mut c));
    c.final_summary();
}
