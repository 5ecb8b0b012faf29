//! How often the engine wins, without endgame tables, what the tables say is won, against the defence that lasts
//! longest; and what its evaluation says of each category.
//!
//! ```sh
//! hexmate tb build chromatic4 KDEK --tb tables
//! cargo run --release -p hexmate-engine --features measure --example conversion -- \
//!     chromatic4 KDEK --tb tables --nodes 3000
//! ```

use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use hexmate_engine::{Engine, Limits, Table};
use hexmate_movegen::{BuiltIn, GameId, Outcome, Record, with_built_in};
use hexmate_tablebases::{Category, Folder, Material, Random, Rules, Tablebases};

#[derive(Parser)]
struct Arguments {
    game: GameId,
    /// The table whose positions are played, as `hexmate tb` names it
    material: String,
    /// The folder of tables
    #[arg(long)]
    tb: PathBuf,
    /// Nodes for each move
    #[arg(long, default_value_t = 3000)]
    nodes: u64,
    /// How many positions are played
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// The seed that chooses them
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    with_built_in!(arguments.game, G => run::<G>(&arguments))
}

fn run<G: BuiltIn>(arguments: &Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let rules = Arc::new(Rules::of(G::GAME));
    let (tables, faults) = Tablebases::open(&rules, &arguments.tb)?;
    for fault in faults {
        eprintln!("{fault}");
    }
    let material = Material::parse(&rules, &arguments.material)?;
    let table = Folder::new(Arc::clone(&rules), &arguments.tb).table(&material)?;
    let mut engine = Engine::<G>::default();
    let memory = Table::new(4)?;
    let mut random = Random::new(arguments.seed);
    let (mut played, mut won, mut plies, mut best) = (0, 0, 0, 0);
    let mut evaluations = [(0, 0); 2];
    while played < arguments.games {
        let Some((start, value)) = table.random(G::GAME, &rules, &mut random) else {
            continue;
        };
        let place = match value.category {
            Category::Win | Category::Loss => 0,
            _ => 1,
        };
        let (sum, count) = &mut evaluations[place];
        *sum += engine.evaluation().evaluate(&start).abs();
        *count += 1;
        if value.category != Category::Win || value.plies < 10 {
            continue;
        }
        played += 1;
        engine.forget();
        let attacker = start.side_to_move();
        let mut game = Record::new(start);
        while game.outcome().is_none() {
            let mv = if game.position().side_to_move() == attacker {
                let limits = Limits {
                    nodes: Some(arguments.nodes),
                    ..Limits::default()
                };
                let report = engine.analyse(&memory, &game, limits, |_| {});
                report.best_move().ok_or("no move in a game that goes on")?
            } else {
                let moves = tables.moves(game.position());
                moves.ok_or("no table of fewer pieces")?[0].0
            };
            game.play(mv)
                .map_err(|mv| format!("{} is illegal", mv.text(G::GAME)))?;
        }
        if game.outcome() == Some(Outcome::Checkmate { winner: attacker }) {
            won += 1;
            plies += game.moves().len();
            best += usize::from(value.plies);
        }
    }
    let share = f64::from(won) / f64::from(played);
    println!(
        "{} {}: {won} of {played} won ({:.0} %), on average in {:.0} plies where {:.0} are needed",
        G::SPEC.name,
        arguments.material,
        100.0 * share,
        plies as f64 / f64::from(won.max(1)),
        best as f64 / f64::from(won.max(1)),
    );
    for (name, (sum, count)) in ["decided", "drawn"].iter().zip(evaluations) {
        if count > 0 {
            println!(
                "mean evaluation of {name} positions: {} cp, {count} positions",
                sum / count
            );
        }
    }
    Ok(())
}
