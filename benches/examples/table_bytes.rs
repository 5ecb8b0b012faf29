//! The sizes that matter to the caches: lookup tables and positions of each game. `cargo run --profile dist -p
//! hexmate-benches --example table_bytes`.

use hexmate_movegen::{BuiltIn, Move, Position, for_each_game};

fn main() {
    println!("| game | cells | words a cell | paths, all cells | one query | position | move |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for_each_game!(G => line::<G>());
}

fn line<G: BuiltIn>() {
    let (all, query) = G::GAME.tables().lane_bytes();
    println!(
        "| {} | {} | {} | {all} | {query} | {} | {} |",
        G::ID,
        G::GAME.tables().board.cells().len(),
        G::PLAN.lane_words,
        size_of::<Position<G>>(),
        size_of::<Move>()
    );
}
