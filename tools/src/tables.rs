//! Endgame tables for searches.

use std::collections::{BTreeMap, HashMap};
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};
use hexmate_movegen::{Game, GameId, with_game};
use hexmate_tablebases::{EXTENSION, Rules, TableError, Tablebases};

use crate::exit::told;

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
    check_folder(folder)?;
    let rules = Arc::new(Rules::of(game));
    let (tables, faults) = Tablebases::open(&rules, folder)?;
    Ok((Arc::new(tables), faults))
}

/// Makes sure that a folder of tables exists.
///
/// # Errors
/// If it does not.
pub fn check_folder(folder: &Path) -> Result<()> {
    let what = if folder.exists() {
        "not a folder"
    } else {
        "no such folder"
    };
    ensure!(
        folder.is_dir(),
        "{}: {what}; expected one of endgame tables, as 'hexmate tb build' makes it",
        folder.display()
    );
    Ok(())
}

/// Warns of a folder in which no game has a table.
///
/// # Errors
/// If it cannot be read.
pub fn warn_if_none(folder: &Path) -> Result<()> {
    if files(folder)?.is_empty() {
        eprintln!(
            "hexmate: --tb: no tables in {}; expected a folder in which each game has its own, \
             as 'hexmate tb build' makes it",
            folder.display()
        );
    }
    Ok(())
}

/// That a folder has no tables of a game.
pub fn no_tables(game: &str, folder: &Path) -> String {
    format!(
        "no tables of {game} in {}; 'hexmate tb build' makes them",
        folder.display()
    )
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
        let command = build_command(game, &material);
        format!("{fault}; nothing is known there; {command} builds it anew")
    };
    tables.new_damage().into_iter().map(told).collect()
}

/// The command that builds a table. A game from a file is not known by its name, and where its file is, nobody knows
/// here.
pub fn build_command(game: &str, material: &str) -> String {
    match GameId::shipped().iter().any(|known| known.name() == game) {
        true => format!("'hexmate tb build {game} {material}' with the same folder"),
        false => format!(
            "'hexmate tb build FILE {material}' with the file of {game} and the same folder"
        ),
    }
}

/// The files with the names of tables in a folder, of all games: also of those that are from files.
///
/// # Errors
/// If the folder exists and cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if !folder.is_dir() {
        return Ok(files);
    }
    let cannot = || folder.display().to_string();
    for entry in folder.read_dir().with_context(cannot)? {
        // What cannot be listed is no folder of a game, or one whose tables cannot be used.
        let within = entry.with_context(cannot)?.path().read_dir();
        let within = within.into_iter().flatten().flatten().map(|f| f.path());
        files.extend(within.filter(|path| path.extension().is_some_and(|e| e == EXTENSION)));
    }
    files.sort();
    Ok(files)
}

/// The tables of games that nobody knows at the beginning: those from files that only records name. They are opened
/// when they are first asked for.
#[derive(Debug, Default)]
pub struct LaterTables {
    folder: PathBuf,
    /// The names of the files, by the games' names.
    names: BTreeMap<String, Vec<String>>,
    state: Mutex<Opened>,
}

/// What was opened.
#[derive(Debug, Default)]
struct Opened {
    /// `None`: no table of the game can be used.
    tables: HashMap<GameId, Option<Arc<Tablebases>>>,
    /// What is to be told.
    news: Vec<String>,
}

impl LaterTables {
    /// The tables below a folder of games that do not ship and are not `named`, either. That there are tables, but
    /// none of the game that is named, is news.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn new(folder: &Path, named: Option<GameId>) -> Result<LaterTables> {
        let known: Vec<&str> = GameId::shipped()
            .iter()
            .chain(&named)
            .map(|game| game.name())
            .collect();
        let text = |name: Option<&OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
        let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let files = files(folder)?;
        let lacking = named.map(GameId::name).filter(|&game| {
            let own = |path: &PathBuf| path.parent().is_some_and(|place| place.ends_with(game));
            !files.is_empty() && !files.iter().any(own)
        });
        let news = lacking.map(|game| no_tables(game, folder));
        for path in files {
            let game = text(path.parent().and_then(Path::file_name));
            if !known.contains(&&*game) {
                names.entry(game).or_default().push(text(path.file_stem()));
            }
        }
        Ok(LaterTables {
            folder: folder.to_owned(),
            names,
            state: Mutex::new(Opened {
                news: news.into_iter().collect(),
                ..Opened::default()
            }),
        })
    }

    /// The names of the files of each game, sorted.
    pub fn names(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.names.iter().map(|(game, names)| (&**game, &**names))
    }

    /// The tables of a game, if it has any.
    pub fn of(&self, game: GameId) -> Option<Arc<Tablebases>> {
        if !self.names.contains_key(game.name()) {
            return None;
        }
        let mut state = self.state();
        if let Some(known) = state.tables.get(&game) {
            return known.clone();
        }
        let mut tables = None;
        match with_game!(game, game => open(game, &self.folder)) {
            Ok((found, faults)) => {
                let ignored = faults.iter().map(|fault| format!("{fault}; it is ignored"));
                state.news.extend(ignored);
                tables = Some(found).filter(|found| !found.is_empty());
            }
            Err(error) => state.news.push(told(&error)),
        }
        state.tables.insert(game, tables.clone());
        tables
    }

    /// What is to be told of these tables since it was last asked: why files cannot be used, and damage.
    pub fn news(&self) -> Vec<String> {
        let mut state = self.state();
        let mut news = std::mem::take(&mut state.news);
        news.extend(state.tables.values().flatten().flat_map(|t| new_damage(t)));
        news
    }

    fn state(&self) -> MutexGuard<'_, Opened> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
