//! Composes mate problems with one key for the test set `engine/tests/data/mates.epd`.
//!
//! ```text
//! cargo run --profile tune -p hexmate-engine --features measure --example compose -- \
//!     --game mccooey --moves 3 --source placements --seconds 60 --seed 7
//! ```
//!
//! Each line is a problem in the form of the test set, with its features behind a `#`. All of them are
//! proven by the exhaustive solver of the tests.

mod climb;
mod games;
mod problem;
#[path = "../../tests/search/solver.rs"]
mod solver;

use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use hexmate_movegen::{BuiltIn, GameId, with_built_in};

use problem::{Problem, Random};

/// Composes mate problems with one key.
#[derive(Parser)]
struct Args {
    /// The game.
    #[arg(long)]
    game: GameId,
    /// In how many moves the side to move mates.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=5))]
    moves: u32,
    /// Where the positions come from.
    #[arg(long, value_enum, default_value_t = Source::Placements)]
    source: Source,
    /// What every problem must show.
    #[arg(long, value_enum)]
    theme: Option<problem::Theme>,
    /// The letters that pieces are drawn from, upper case for the side that mates, without kings.
    #[arg(long, default_value = "QRBNPPPpppqrrbbnn")]
    pieces: String,
    /// The most pieces of a placement.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(3..=24))]
    most: u32,
    /// How long to go on.
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// The same seed begins with the same problems.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Source {
    /// Placements by chance, made better step by step.
    Placements,
    /// Ends of games that the engine plays against itself, without the pieces that are not needed.
    Games,
}

fn main() {
    let args = Args::parse();
    with_built_in!(args.game, G => compose::<G>(&args));
}

fn compose<G: BuiltIn>(args: &Args) {
    let end = Instant::now() + Duration::from_secs(args.seconds);
    let mut random = Random(args.seed);
    while Instant::now() < end {
        let found: Option<Problem<G>> = match args.source {
            Source::Placements => climb::compose(args, &mut random, end),
            Source::Games => games::compose(args, &mut random, end),
        };
        if let Some(problem) = found {
            println!("{problem}");
        }
    }
}
