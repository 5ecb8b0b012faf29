//! Perft from the starting position of each game with each backend, one thread, no hash table; and of
//! Gliński's chess by the crate `hexchess` 2.5.1. The figures are for one leaf.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use hexchess::hexchess::hexchess::Hexchess;
use hexmate_benches::{Clock, criterion};
use hexmate_movegen::{BuiltIn, GameId, Glinski, Position, Simd, perft_in, with_built_in};

const DEPTH: u32 = 4;
const SAMPLES: usize = 10;

/// `hexchess`, with bulk counting at the last ply like ours.
fn rival(position: &Hexchess, depth: u32) -> u64 {
    let moves = position.current_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for mv in &moves {
        let mut next = position.clone();
        next.apply_move_unsafe(mv).expect("a legal move");
        nodes += rival(&next, depth - 1);
    }
    nodes
}

fn of_game<G: BuiltIn>(c: &mut Criterion<Clock>, rival: Option<fn() -> u64>) {
    let start = Position::<G>::start();
    let count = |form| perft_in(form, &start, DEPTH);
    let leaves = count(Simd::Portable);
    let mut group = c.benchmark_group("perft");
    group.sample_size(SAMPLES).sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(leaves));
    for form in Simd::available() {
        group.bench_function(BenchmarkId::new(G::ID.name(), form), |b| {
            b.iter(|| assert_eq!(count(black_box(form)), leaves));
        });
    }
    if let Some(rival) = rival {
        group.bench_function(BenchmarkId::new(G::ID.name(), "hexchess"), |b| {
            b.iter(|| assert_eq!(rival(), leaves));
        });
    }
    group.finish();
}

fn main() {
    let mut c = criterion();
    for &game in GameId::ALL {
        let rival = (game == Glinski::ID).then_some((|| rival(&Hexchess::init(), DEPTH)) as _);
        with_built_in!(game, G => of_game::<G>(&mut c, rival));
    }
    c.final_summary();
}
