//! The sizes that matter to the caches: lookup tables and positions of each game. `cargo run --profile dist -p
//! hexmate-benches --example table_bytes`.

use hexmate_movegen::{Game, GameId, Move, Position, with_game};

fn main() {
    println!("| game | cells | words a cell | paths, all cells | one query | position | move |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for &game in GameId::ALL {
        with_game!(game, G => line::<G>());
    }
}

fn line<G: Game>() {
    let (all, query) = G::tables().lane_bytes();
    println!(
        "| {} | {} | {} | {all} | {query} | {} | {} |",
        G::ID,
        G::tables().board.cells().len(),
        G::LANE_WORDS,
        size_of::<Position<G>>(),
        size_of::<Move>()
    );
}
