//! `hexmate match`: tournaments of engines.

mod adjudication;
mod affinity;
pub mod book;
mod config;
mod cutechess;
mod declared;
mod dialect;
mod display;
mod drawn_page;
mod drawn_text;
#[cfg(not(unix))]
mod elsewhere;
mod engine_words;
mod faults;
mod files;
mod fixtures;
pub mod game_record;
#[cfg(unix)]
mod guard;
mod identity;
mod internal;
pub mod journal;
mod knockout;
mod latency;
mod likelihood;
pub mod live;
mod log;
mod machine;
mod openings;
mod options;
pub mod pgn;
mod player;
#[cfg(unix)]
mod process;
mod program;
mod referee;
pub mod repetitions;
pub mod replay;
mod report;
mod roles;
pub mod schedule;
#[cfg(test)]
mod simulated;
mod sprt;
pub mod standing;
pub mod stats;
#[cfg(unix)]
mod strays;
mod surroundings;
mod swiss;
pub mod text;
mod tournament;
mod trial;
mod uci_player;
mod worker;

use std::io::Write;

use anyhow::Result;
use hexmate_movegen::with_game;

use crate::exit::Exit;
use config::Words;
#[cfg(not(unix))]
use elsewhere::{guard, process};

/// Play engines against each other, with the command line of fastchess.
///
/// hexmate match -help lists the options.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Arguments {
    /// Options of the match, see hexmate match -help
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    if arguments.words == [guard::WORD] {
        guard::run(std::io::stdin().lock());
        return Ok(Exit::Success);
    }
    let Words { groups, files } = config::with_files(&arguments.words)?;
    if arguments.words.is_empty() || groups.iter().any(|g| g.name == "help" || g.name == "h") {
        write!(std::io::stdout(), "{HELP}")?;
        return Ok(Exit::Success);
    }
    let options = dialect::options(&groups)?;
    roles::check(&options, &files)?;
    with_game!(options.variant, game => tournament::run(game, &options))
}

const HELP: &str = include_str!("help.txt");
