//! `hexmate uci`: the protocol by which chess programs talk to engines.
//!
//! One thread reads commands, another searches, so that every command is heard at any time. A session
//! speaks of one game and is compiled for each; when another is chosen with `UCI_Variant`, the next
//! session takes over. docs/uci.md tells what is understood.

mod command;
mod info;
mod options;
mod order;
mod output;
mod running;
mod session;

use std::io::{BufReader, stdin};
use std::sync::Arc;

use anyhow::Result;
use hexmate_movegen::{Position, with_game};

use crate::exit::Exit;
use crate::lines::Lines;
use options::{DEFAULT_GAME, Options};
use output::Output;
use session::{Next, Session, Shared};

/// Talk to a chess program in the UCI protocol.
///
/// Commands are read from standard input until "quit" or its end. The games are chosen with
/// "setoption name UCI_Variant value NAME"; "help" lists the commands.
#[derive(clap::Args)]
pub struct Arguments {
    /// Show the numbers of the search among the options (they can be set in any case)
    #[arg(long)]
    tunable: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let mut shared = Shared {
        options: Options::default(),
        output: Arc::new(Output::default()),
        table: None,
        tables: None,
        eval_file: None,
        tunable: arguments.tunable,
    };
    let mut lines = Lines::new(BufReader::new(stdin()));
    let mut game = DEFAULT_GAME;
    loop {
        let next = with_game!(game, G => Session::<G>::new(&mut shared).run(&mut lines))?;
        match next {
            Next::Game(next) => game = next,
            Next::Quit => return Ok(Exit::Success),
        }
        let start = with_game!(game, G => Position::<G>::start().to_string());
        let name = game.name();
        shared
            .output
            .inform(&format!("variant {name} startpos {start}"));
    }
}
