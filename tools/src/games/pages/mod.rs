//! `hexmate games pages`: the rules of games as pages for people, in Markdown, with pictures.
//!
//! All of it follows from the data of a game, so the pages of `docs/games` cannot say anything else than the program
//! does. A test compares them.

mod page;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use hexmate_movegen::{GameId, with_game};

use crate::exit::Exit;
use crate::inputs;
use crate::overwrite::{Force, make_folder};

/// Write a page for each game, how it is played and how doubtful rules are read, with pictures of the board and of what
/// each piece does; and a page README.md that lists the games.
#[derive(clap::Args)]
pub struct Arguments {
    /// The games; all that ship if none is named
    #[arg(value_parser = inputs::game)]
    games: Vec<GameId>,
    /// The folder of the pages; their pictures go to its folder pictures
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// The games that were named, or all that ship.
fn named(games: &[GameId]) -> Vec<GameId> {
    match games {
        [] => GameId::shipped().to_vec(),
        games => games.to_vec(),
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let mut games: Vec<GameId> = Vec::new();
    for game in named(&arguments.games) {
        if let Some(other) = games.iter().find(|other| other.name() == game.name()) {
            if other.fingerprint() == game.fingerprint() {
                continue;
            }
            bail!(
                "two games are called {}, and so would be their pages; rename one of them, or write them to other folders",
                game.name()
            );
        }
        games.push(game);
    }
    let mut files = vec![("README.md".to_owned(), page::list(&games))];
    for game in games {
        files.extend(with_game!(game, game => page::files(game)));
    }
    let folder = &arguments.output;
    for (name, _) in &files {
        arguments
            .force
            .check_whole("--output", Some(&folder.join(name)))?;
    }
    let pictures = folder.join(page::PICTURES);
    make_folder(&pictures).context("--output")?;
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(Exit::Success)
}
