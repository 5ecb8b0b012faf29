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
#[cfg(any(not(unix), test))]
#[cfg_attr(unix, allow(dead_code))] // only its tests
mod elsewhere;
mod engine_output;
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

use anyhow::{Context, Result};
use clap::{Arg, ArgAction, Command};
use hexmate_movegen::with_game;

use crate::exit::Exit;
use crate::inputs;
use crate::stdout::CANNOT_PRINT;
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
    if arguments.words.is_empty() {
        // As clap does where a command lacks its words.
        let _ = write!(std::io::stderr(), "{HELP}");
        return Ok(Exit::BadInput);
    }
    let Words { groups, files } = config::with_files(&arguments.words)?;
    if groups.iter().any(|g| g.name == "help" || g.name == "h") {
        write!(std::io::stdout(), "{HELP}").context(CANNOT_PRINT)?;
        return Ok(Exit::Success);
    }
    let options = dialect::options(&groups)?;
    roles::check(&options, &files)?;
    with_game!(options.variant, game => tournament::run(game, &options))
}

/// The command line with the options of a match, which clap hands on as mere words, for shells to complete.
pub fn with_options(commands: Command) -> Command {
    let options = dialect::names().map(|name| {
        let times = match dialect::is_repeatable(name) {
            true => ArgAction::Count,
            false => ArgAction::SetTrue,
        };
        let option = Arg::new(name).long(name);
        match name {
            "variant" => option.value_name("GAME").value_parser(inputs::game),
            _ => option.action(times),
        }
    });
    commands.mut_subcommand("match", |command| command.args(options))
}

/// The command line with the help of a match, for the manual page.
pub fn with_help(commands: Command) -> Command {
    let (_, help) = HELP.split_once('\n').unwrap_or_default();
    commands.mut_subcommand("match", |command| command.after_help(help.trim_start()))
}

const HELP: &str = include_str!("help.txt");
