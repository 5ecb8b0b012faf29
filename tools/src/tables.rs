//! Endgame tables for searches.

use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use hexmate_movegen::{Game, GameId, with_game};
use hexmate_tablebases::{Rules, TableError, Tablebases};

/// The tables of each game that has any.
pub type AllTables = HashMap<GameId, Arc<Tablebases>>;

/// The variable that names the folder of tables if no option does.
pub const VARIABLE: &str = "HEXMATE_TABLES";

/// The folder that an option names, or the variable, or the place for users' data.
///
/// # Errors
/// If there is no such place.
pub fn folder(named: Option<&Path>) -> Result<PathBuf> {
    if let Some(folder) = named {
        return Ok(folder.to_owned());
    }
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(folder) = variable(VARIABLE) {
        return Ok(folder.into());
    }
    let home = |below: &str| variable("HOME").map(|home| PathBuf::from(home).join(below));
    let data = if cfg!(windows) {
        variable("LOCALAPPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home("Library/Application Support")
    } else {
        // A relative path there means nothing, as the specification says.
        let named = variable("XDG_DATA_HOME").map(PathBuf::from);
        named
            .filter(|path| path.is_absolute())
            .or_else(|| home(".local/share"))
    };
    let data = data.with_context(|| {
        format!("no home folder for endgame tables; expected --tb DIR or {VARIABLE}=DIR")
    })?;
    Ok(data.join("hexmate").join("tables"))
}

/// Opens the tables of a game below a folder; also returns why files cannot be used.
///
/// # Errors
/// If there is no such folder, or it cannot be read.
pub fn open<G: Game>(game: G, folder: &Path) -> Result<(Arc<Tablebases>, Vec<TableError>)> {
    ensure!(
        folder.is_dir(),
        "{}: no such folder; expected one of endgame tables, as 'hexmate tb build' makes it",
        folder.display()
    );
    let rules = Arc::new(Rules::of(game));
    let (tables, faults) = Tablebases::open(&rules, folder)?;
    Ok((Arc::new(tables), faults))
}

/// Opens the tables of all games that have any: those that ship, and others, from files.
///
/// # Errors
/// As [`open`].
pub fn open_all(
    folder: &Path,
    others: impl IntoIterator<Item = GameId>,
) -> Result<(AllTables, Vec<TableError>)> {
    let (mut all, mut faults) = (HashMap::new(), Vec::new());
    let others = (others.into_iter()).filter(|game| !GameId::shipped().contains(game));
    for game in GameId::shipped().iter().copied().chain(others) {
        let (tables, wrong) = with_game!(game, game => open(game, folder))?;
        faults.extend(wrong);
        if !tables.is_empty() {
            all.insert(game, tables);
        }
    }
    Ok((all, faults))
}

/// What is to be told of damage that these tables have met since it was last asked: a line for each table.
pub fn new_damage(tables: &Tablebases) -> Vec<String> {
    let game = tables.rules().name();
    let told = |fault: TableError| {
        let material = match &fault {
            TableError::Damaged { path, .. } => path.file_stem().unwrap_or_default(),
            _ => Default::default(),
        };
        let material = material.to_string_lossy();
        format!(
            "{fault}; nothing is known there; 'hexmate tb build {game} {material}' with the same folder builds it anew"
        )
    };
    tables.new_damage().into_iter().map(told).collect()
}

/// The files in a folder of tables, of all games, tables or not.
///
/// # Errors
/// If an existing folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for game in GameId::shipped() {
        let folder = folder.join(game.name());
        if !folder.is_dir() {
            continue;
        }
        let cannot = || folder.display().to_string();
        for entry in folder.read_dir().with_context(cannot)? {
            files.push(entry.with_context(cannot)?.path());
        }
    }
    Ok(files)
}
