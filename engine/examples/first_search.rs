//! A first search: thinks about a position for a second and prints what it finds, depth by depth.
//!
//! ```sh
//! cargo run --release -p hexmate-engine --example first_search
//! cargo run --release -p hexmate-engine --example first_search -- "e1b4 g10h8 f3h2"
//! ```

use std::time::Duration;

use hexmate_engine::{Budget, Engine, Limits, Report, Shown, Table};
use hexmate_movegen::{Glinski, Position, Record};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Record::new(Position::<Glinski>::start());
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for text in arguments.join(" ").split_whitespace() {
        let mv = game.position().parse_move(text)?;
        game.play(mv).expect("it was read as a legal move");
    }
    println!("{}", game.position());

    // The table may be shared by many engines; the engine keeps what it learns about moves.
    let table = Table::new(16)?;
    let mut engine = Engine::<Glinski>::new(1);
    let time = Budget::fixed(Duration::from_secs(1), Duration::ZERO);
    let limits = Limits {
        time: Some(time),
        ..Limits::default()
    };
    let report = engine.analyse(&table, &game, limits, print);
    match report.best_move() {
        Some(mv) => println!("best move: {}", mv.text(Glinski)),
        None => println!("the game is over"),
    }
    Ok(())
}

/// Called after each finished depth.
fn print(report: &Report) {
    let score = match Shown::from(report.score()) {
        Shown::Centipawns(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Shown::Mate(moves) => format!("mate in {moves}"),
    };
    let line: Vec<String> = report.pv().iter().map(|mv| mv.text(Glinski)).collect();
    println!("depth {:2}  {score:>8}  {}", report.depth, line.join(" "));
}
