//! `hexmate tb`: endgame tables.

mod build;
mod plot;
mod probe;
mod stats;
mod verify;

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Subcommand;
use hexmate_movegen::{GameId, with_game};
use hexmate_tablebases::{Folder, Material, MaterialError, Rules};

use crate::exit::Exit;
use crate::inputs;
use crate::stdout::CANNOT_PRINT;
use crate::tables;
use crate::threads;

/// Build, verify and probe endgame tables.
///
/// Material is named White first: KQKR is king and queen against king and rook.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Arguments),
    Verify(verify::Arguments),
    Probe(probe::Arguments),
    Stats(stats::Arguments),
    /// Print the folder of endgame tables that is used without --tb
    Folder,
}

/// Which game, and where its tables are.
#[derive(clap::Args)]
struct Place {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// The folder of endgame tables; each game has its own subfolder [default: what HEXMATE_TABLES says, else
    /// hexmate/tables where users' data belong, as hexmate tb folder prints it]
    #[arg(long = "tb", visible_alias = "dir", value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Place {
    fn rules(&self) -> Result<Arc<Rules>> {
        let rules = with_game!(self.game, game => Rules::of(game));
        rules.check_size()?;
        Ok(Arc::new(rules))
    }

    fn path(&self) -> Result<PathBuf> {
        tables::folder(self.folder.as_deref())
    }

    /// The same for those who only read what is there.
    fn existing(&self) -> Result<PathBuf> {
        let path = self.path()?;
        tables::check_folder(&path)?;
        Ok(path)
    }

    fn folder(&self) -> Result<Folder> {
        Ok(Folder::new(self.rules()?, &self.path()?))
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    match &arguments.command {
        Command::Build(arguments) => build::run(arguments),
        Command::Verify(arguments) => {
            threads::begin(0)?;
            verify::run(arguments)
        }
        Command::Probe(arguments) => probe::run(arguments),
        Command::Stats(arguments) => {
            threads::begin(0)?;
            stats::run(arguments)
        }
        Command::Folder => {
            let folder = tables::folder(None)?;
            writeln!(stdout(), "{}", folder.display()).context(CANNOT_PRINT)?;
            Ok(Exit::Success)
        }
    }
}

/// Reads names of material.
fn materials(rules: &Rules, names: &[String]) -> Result<Vec<Material>, MaterialError> {
    let read = names.iter().map(|name| Material::parse(rules, name));
    read.collect()
}
