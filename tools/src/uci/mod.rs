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

use std::io::{BufRead, BufReader, stdin};
use std::sync::Arc;

use anyhow::Result;
use hexmate_movegen::{Position, with_game};

use crate::exit::Exit;
use crate::lines::Lines;
use options::{DEFAULT_GAME, Options};
pub use options::{MOST_HASH, MOST_THREADS};
use output::Output;
use session::{Next, Session, Shared};

/// Run as a UCI engine.
///
/// Commands are read from standard input until "quit" or end of input. To choose the game, use
/// "setoption name UCI_Variant value NAME"; "help" lists the commands.
#[derive(clap::Args)]
pub struct Arguments {
    /// List the search parameters among the options (they can be set even if not listed)
    #[arg(long)]
    tunable: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    converse(
        BufReader::new(stdin()),
        Output::default().into(),
        arguments.tunable,
    )?;
    Ok(Exit::Success)
}

/// What the engine answers to these commands.
pub(crate) fn answers(commands: &str) -> String {
    let output = Arc::new(Output::in_memory());
    match converse(commands.as_bytes(), Arc::clone(&output), false) {
        Ok(()) => output.text(),
        Err(error) => panic!("memory does not break: {error:#}"),
    }
}

fn converse(commands: impl BufRead, output: Arc<Output>, tunable: bool) -> Result<()> {
    let mut shared = Shared {
        options: Options::default(),
        output,
        table: None,
        tables: None,
        eval_file: None,
        variants: Vec::new(),
        tunable,
    };
    let mut lines = Lines::new(commands);
    let mut id = DEFAULT_GAME;
    loop {
        let next = with_game!(id, game => Session::new(game, &mut shared).run(&mut lines))?;
        match next {
            Next::Game(next) => id = next,
            Next::Quit => return Ok(()),
        }
        let start = with_game!(id, game => Position::start_of(game).to_string());
        let name = id.name();
        shared
            .output
            .inform(&format!("variant {name} startpos {start}"));
    }
}
