//! Perft with each backend against the crate `hexchess` 2.5.1 in one run: rounds are interleaved, medians are
//! compared. `cargo run --profile dist -p hexmate-benches --example ratio [ROUNDS]`.

use std::time::Instant;

use hexchess::hexchess::hexchess::Hexchess;
use hexmate_movegen::{GameId, Glinski, Position, Simd, perft_in, with_game};

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

/// Million leaves per second.
fn speed(count: impl FnOnce() -> u64) -> f64 {
    let begin = Instant::now();
    let nodes = count();
    nodes as f64 / begin.elapsed().as_secs_f64() / 1e6
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .and_then(|a| a.parse().ok())
        .unwrap_or(7);
    let start = Position::<Glinski>::start();
    let forms: Vec<Simd> = Simd::available().collect();
    let mut theirs = Vec::new();
    let mut ours = vec![Vec::new(); forms.len()];
    for _ in 0..rounds {
        theirs.push(speed(|| rival(&Hexchess::init(), 4)));
        for (form, speeds) in forms.iter().zip(&mut ours) {
            speeds.push(speed(|| perft_in(*form, &start, 5)));
        }
    }
    let theirs = median(theirs);
    println!("glinski depth 5, one thread, medians of {rounds} rounds");
    println!("hexchess 2.5.1 (depth 4)  {theirs:8.1} million leaves per second");
    let glinski: Vec<f64> = ours.into_iter().map(median).collect();
    for (form, speed) in forms.iter().zip(&glinski) {
        println!(
            "{:<24}  {speed:8.1}  {:5.1} times",
            form.to_string(),
            speed / theirs
        );
    }
    // A game from a file runs on the portable backend, whatever the processor has.
    println!("\nthe same games read from their files, relative to the compiled ones, portable");
    for &game in GameId::ALL {
        let file = GameId::from(game.spec());
        let (mut compiled, mut read) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            compiled.push(speed(|| one(game, Simd::Portable)));
            read.push(speed(|| one(file, Simd::Portable)));
        }
        let (compiled, read) = (median(compiled), median(read));
        println!("{game:<12} {read:18.1}  {:5.2}", read / compiled);
    }
    println!("\nother games, relative to glinski in the same form");
    for &game in GameId::ALL {
        for (form, glinski) in forms.iter().zip(&glinski) {
            let speed = median((0..rounds).map(|_| speed(|| one(game, *form))).collect());
            println!("{game:<12} {form:<9} {speed:8.1}  {:5.2}", speed / glinski);
        }
    }
}

fn one(game: GameId, form: Simd) -> u64 {
    with_game!(game, game => perft_in(form, &Position::start_of(game), 4))
}
