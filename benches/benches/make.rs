//! Making moves on a copy, and what taking them back instead could save. Two sets of moves:
//!
//! * `moves`: every legal move of the suite positions. `copy and make` is how the moves of a position
//!   are tried; `copy alone` is the copying in it.
//! * `lines`: random lines of 16 moves from the suite positions, as a search goes down. `stack` copies
//!   to the next place of a stack and makes the move there; `in place` makes it in the one position and
//!   has no way back. Taking back by any means costs more than `in place`, so the difference is more
//!   than unmaking could save: a position has no unmake to be measured itself.
//!
//! The figures are for one move.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use hexmate_benches::{Clock, Random, criterion, suite};
use hexmate_movegen::{BuiltIn, Move, Position, Unchecked, for_each_game};

const PLIES: usize = 16;

/// A position and moves to be made.
type Task<G> = (Position<G>, Vec<Move>);

/// A random line from a position; ends early if the game does.
fn line<G: BuiltIn>(begin: &Position<G>, random: &mut Random) -> Vec<Move> {
    let mut position = *begin;
    let mut line = Vec::with_capacity(PLIES);
    while line.len() < PLIES
        && let Some(&mv) = random.choose(&position.legal_moves())
    {
        position.play_unchecked(mv);
        line.push(mv);
    }
    line
}

fn of_game<G: BuiltIn>(c: &mut Criterion<Clock>) {
    let number = |tasks: &[Task<G>]| {
        let moves: usize = tasks.iter().map(|(_, moves)| moves.len()).sum();
        Throughput::Elements(moves as u64)
    };
    let positions = suite::<G>();
    let moves: Vec<Task<G>> = positions.iter().map(|p| (*p, p.legal_moves())).collect();
    let mut group = c.benchmark_group("make-moves");
    group.throughput(number(&moves));
    group.bench_function(BenchmarkId::new(G::ID.name(), "copy and make"), |b| {
        b.iter(|| each_copied(black_box(&moves), Unchecked::play_unchecked));
    });
    group.bench_function(BenchmarkId::new(G::ID.name(), "copy alone"), |b| {
        b.iter(|| each_copied(black_box(&moves), |_, _| ()));
    });
    group.finish();

    let mut random = Random::new(2);
    let lines: Vec<Task<G>> = positions
        .iter()
        .map(|p| (*p, line(p, &mut random)))
        .collect();
    let mut stack = [Position::start(); PLIES + 1];
    let mut group = c.benchmark_group("make-lines");
    group.throughput(number(&lines));
    group.bench_function(BenchmarkId::new(G::ID.name(), "stack"), |b| {
        b.iter(|| {
            for (begin, line) in black_box(&lines) {
                stack[0] = *begin;
                for (ply, &mv) in line.iter().enumerate() {
                    stack[ply + 1] = stack[ply];
                    stack[ply + 1].play_unchecked(mv);
                }
                black_box(&stack);
            }
        });
    });
    group.bench_function(BenchmarkId::new(G::ID.name(), "in place"), |b| {
        b.iter(|| {
            for (begin, line) in black_box(&lines) {
                stack[0] = *begin;
                for &mv in line {
                    stack[0].play_unchecked(mv);
                }
                black_box(&stack);
            }
        });
    });
    group.finish();
}

#[inline(always)]
fn each_copied<G: BuiltIn>(tasks: &[Task<G>], make: impl Fn(&mut Position<G>, Move)) {
    for (position, moves) in tasks {
        for &mv in moves {
            let mut next = *position;
            make(&mut next, mv);
            black_box(&next);
        }
    }
}

fn main() {
    let mut c = criterion();
    for_each_game!(G => of_game::<G>(&mut c));
    c.final_summary();
}
