//! A first perft: counts move sequences, then says which first move has how many.
//!
//! ```sh
//! cargo run --release -p hexmate-movegen --example first_perft -- mccooey 4
//! ```

use std::time::Instant;

use hexmate_movegen::{Game, GameId, Position, divide, perft, with_game};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let game: GameId = arguments.next().as_deref().unwrap_or("glinski").parse()?;
    let depth: u32 = arguments.next().as_deref().unwrap_or("3").parse()?;
    with_game!(game, g => count(g, depth));
    Ok(())
}

/// Generic code is written once and compiled for each game.
fn count<G: Game>(game: G, depth: u32) {
    let start = Position::start_of(game);
    println!("{start}");
    for depth in 1..=depth {
        let begin = Instant::now();
        let leaves = perft(&start, depth);
        println!("depth {depth}: {leaves} leaves, {:?}", begin.elapsed());
    }
    let (mv, most) = divide(&start, depth)
        .into_iter()
        .max_by_key(|&(_, leaves)| leaves)
        .expect("a start position has moves");
    println!("{} has the most: {most}", mv.text(game));
}
