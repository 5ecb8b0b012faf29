//! `hexmate completions` and `hexmate man`: what shells and `man` want to know of the command line.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man as Page;
use hexmate_movegen::GameId;

use crate::exit::Exit;
use crate::overwrite::Force;
use crate::stdout::CANNOT_PRINT;
use crate::version;

/// Print a script that completes commands, options and names of games in a shell (fish: games only after --game).
///
/// bash: hexmate completions bash > ~/.local/share/bash-completion/completions/hexmate
///
/// zsh: hexmate completions zsh > DIR/_hexmate, where DIR is in $fpath
///
/// fish: hexmate completions fish > ~/.config/fish/completions/hexmate.fish
#[derive(clap::Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands into a folder.
#[derive(clap::Args)]
pub struct Man {
    /// The folder: hexmate.1, hexmate-analyse.1, ... [default: print hexmate.1]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

impl Man {
    /// Whether a page goes to standard output.
    pub fn prints(&self) -> bool {
        self.folder
            .as_deref()
            .is_none_or(|path| path.as_os_str() == "-")
    }
}

/// Runs `hexmate completions`.
pub fn complete(arguments: &Completions, command: Command) -> Result<Exit> {
    let mut command = with_games(without_global_of_match(command));
    // The library gives up where a pipe is closed, so the script is made in memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "hexmate", &mut script);
    std::io::stdout().write_all(&script).context(CANNOT_PRINT)?;
    Ok(Exit::Success)
}

/// Runs `hexmate man`.
pub fn write(arguments: &Man, mut command: Command) -> Result<Exit> {
    // What `help` prints has no pages of its own.
    command = without_help(without_global_of_match(command));
    // Pages are packed for other machines.
    command = command.long_version(version::of_build());
    command.build();
    let folder = match &arguments.folder {
        Some(folder) if !arguments.prints() => folder,
        _ => {
            let mut page = Vec::new();
            Page::new(command).render(&mut page)?;
            std::io::stdout().write_all(&page).context(CANNOT_PRINT)?;
            return Ok(Exit::Success);
        }
    };
    let mut pages = Vec::new();
    add_pages(&command, "hexmate", &mut pages);
    for (name, _) in &pages {
        arguments.force.check("man", Some(&folder.join(name)))?;
    }
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (name, page) in pages {
        let path = folder.join(name);
        let mut text = Vec::new();
        page.render(&mut text)?;
        // What follows the options is written in lines and columns.
        let text = String::from_utf8(text)?.replace(".SH EXTRA\n", ".SH EXTRA\n.nf\n.in 0\n");
        fs::write(&path, text).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(Exit::Success)
}

/// The same commands, with the names of games as values: only hints, since files are games, too.
fn with_games(command: Command) -> Command {
    let names = GameId::shipped().iter().map(|game| game.name());
    let command = command.mut_args(|arg| match arg.get_id().as_str() {
        "game" | "games" => arg.value_parser(PossibleValuesParser::new(names.clone())),
        _ => arg,
    });
    command.mut_subcommands(with_games)
}

/// The same commands, where options for all of them are options of each but of `match`: there they stand before it.
fn without_global_of_match(command: Command) -> Command {
    let all = |arg: &Arg| arg.is_global_set();
    let global: Vec<Arg> = command
        .get_arguments()
        .filter(|arg| all(arg))
        .cloned()
        .collect();
    let command = command.mut_args(|arg| arg.global(false));
    command.mut_subcommands(|below| with_arguments(below, &global))
}

fn with_arguments(command: Command, arguments: &[Arg]) -> Command {
    if command.get_name() == "match" {
        return command;
    }
    let command = command.args(arguments.iter().map(|arg| arg.clone().global(false)));
    command.mut_subcommands(|below| with_arguments(below, arguments))
}

/// The same commands, without those that print help.
fn without_help(command: Command) -> Command {
    command
        .disable_help_subcommand(true)
        .mut_subcommands(without_help)
}

/// The pages of a command and of those below it, by the names of their files.
fn add_pages(command: &Command, name: &str, pages: &mut Vec<(String, Page)>) {
    pages.push((format!("{name}.1"), Page::new(command.clone())));
    for below in command.get_subcommands() {
        add_pages(below, &format!("{name}-{}", below.get_name()), pages);
    }
}
