//! Static evaluation of the suite positions of each game. The figures are for one position.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use hexmate_benches::{Clock, criterion, suite};
use hexmate_engine::Handmade;
use hexmate_movegen::{BuiltIn, for_each_game};

fn of_game<G: BuiltIn>(c: &mut Criterion<Clock>) {
    let positions = suite::<G>();
    let evaluator = Handmade::<G>::default();
    let mut group = c.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function(BenchmarkId::from_parameter(G::ID.name()), |b| {
        b.iter(|| {
            let positions = black_box(&positions).iter();
            positions.map(|p| evaluator.evaluate(p)).sum::<i32>()
        });
    });
    group.finish();
}

fn main() {
    let mut c = criterion();
    for_each_game!(G => of_game::<G>(&mut c));
    c.final_summary();
}
