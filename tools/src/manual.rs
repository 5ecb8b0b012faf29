//! `hexmate completions` and `hexmate man`: what shells and `man` want to know of the command line.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man as Page;

use crate::exit::Exit;
use crate::overwrite::Force;
use crate::stdout::CANNOT_PRINT;
use crate::version;

/// Print a script that completes commands and options in a shell.
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
pub fn complete(arguments: &Completions, mut command: Command) -> Result<Exit> {
    // The library gives up where a pipe is closed, so the script is made in memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "hexmate", &mut script);
    std::io::stdout().write_all(&script).context(CANNOT_PRINT)?;
    Ok(Exit::Success)
}

/// Runs `hexmate man`.
pub fn write(arguments: &Man, mut command: Command) -> Result<Exit> {
    // What `help` prints has no pages of its own.
    command = without_help(command);
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
        fs::write(&path, text).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(Exit::Success)
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
