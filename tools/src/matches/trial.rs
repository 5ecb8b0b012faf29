//! Every engine is started and tried before the first game: a mistyped path must not look like a result.

use anyhow::{Result, anyhow};
use hexmate_movegen::Game;

use super::options::{Command, EngineSpec, Options};
use super::player::Fault;
use super::program;
use super::surroundings::Surroundings;
use super::uci_player::UciPlayer;

/// What an engine calls itself, for each engine; `None` if the match is being ended.
///
/// # Errors
/// What is wrong with the first engine that cannot be used, with its name and path.
pub fn all<G: Game>(
    game: G,
    options: &Options,
    around: Surroundings<'_>,
) -> Result<Option<Vec<String>>> {
    let mut names = Vec::new();
    for engine in &options.engines {
        let Command::Program { path, .. } = &engine.command else {
            names.push(format!("hexmate {}, built in", env!("CARGO_PKG_VERSION")));
            continue;
        };
        let file = options.variant_file.as_deref();
        match UciPlayer::tried(engine, game, file, around) {
            Ok(name) => names.push(name.unwrap_or_else(|| path.clone())),
            Err(Fault::Interrupted) => return Ok(None),
            Err(fault) => return Err(told(engine, path, &fault)),
        }
    }
    Ok(Some(names))
}

fn told(engine: &EngineSpec, path: &str, fault: &Fault) -> anyhow::Error {
    let what = match fault {
        Fault::CannotStart(why) => why.clone(),
        other => other.to_string(),
    };
    let place = match &engine.command {
        Command::Program { dir: Some(dir), .. } => format!("{path} (in {})", dir.display()),
        _ => path.to_owned(),
    };
    let absent = program::file_of(engine).is_none();
    let hint = match absent {
        true if path.contains(std::path::is_separator) => "; expected the path of a program",
        true => "; expected a path, or the name of a program that the system finds",
        false => "",
    };
    anyhow!("-engine name={}: {place}: {what}{hint}", engine.name)
}
