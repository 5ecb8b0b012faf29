//! How long a probe takes from a warm map: `cargo run --release -p hexmate-tablebases --example probe_speed
//! -- DIR GAME MATERIAL...`

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use hexmate_movegen::{Game, GameId, Position, with_game};
use hexmate_tablebases::{Folder, Material, Random, Rules, Tablebases};

const POSITIONS: usize = 100_000;
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [place, game, names @ ..] = &arguments[..] else {
        return Err("expected DIR GAME MATERIAL...".into());
    };
    let game: GameId = game.parse()?;
    with_game!(game, g => measure(g, Path::new(place), names))
}

fn measure<G: Game>(game: G, place: &Path, names: &[String]) -> Result<(), Box<dyn Error>> {
    let rules = Arc::new(Rules::of(game));
    let mut folder = Folder::new(Arc::clone(&rules), place);
    let (tables, _) = Tablebases::open(&rules, place)?;
    let mut random = Random::new(1);
    for name in names {
        let table = folder.table(&Material::parse(&rules, name)?)?;
        let mut positions: Vec<Position<G>> = Vec::new();
        while positions.len() < POSITIONS {
            positions.extend(table.random(game, &rules, &mut random).map(|(p, _)| p));
        }
        let mut times = Vec::new();
        // The first round warms the map.
        for _ in 0..=ROUNDS {
            let begin = Instant::now();
            for position in &positions {
                black_box(tables.probe(black_box(position)));
            }
            times.push(begin.elapsed().as_nanos() as usize / POSITIONS);
        }
        let first = times.remove(0);
        times.sort_unstable();
        println!(
            "{name}: {} ns a probe, median of {ROUNDS} rounds of {POSITIONS} random positions (first round {first})",
            times[ROUNDS / 2]
        );
    }
    Ok(())
}
