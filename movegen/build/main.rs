//! Makes constants of the games in `games/*.toml`, by the code that reads such files at run time.
//!
//! `src/games/data.rs` includes what is written here: for each file a `GameSpec` under the file's name in capitals,
//! lists of all and of their words of path space, and the texts themselves, which games of users may inherit from.

#[path = "../src/board.rs"]
#[allow(dead_code, missing_docs)]
mod board;
#[path = "../src/game_text/mod.rs"]
#[allow(dead_code, unused_imports)]
mod game_text;
mod lanes;
#[path = "../src/quoted.rs"]
mod quoted;
mod rules;
mod sets;
mod write;

use std::path::{Path, PathBuf};
use std::{env, fs, process};

fn main() {
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let folder = here.join("games");
    println!("cargo::rerun-if-changed=games");
    println!("cargo::rerun-if-changed=build");
    let texts: Vec<(String, String)> = files(&folder)
        .iter()
        .map(|path| (stem(path), read(path)))
        .collect();
    let bases: Vec<(&str, &str)> = (texts.iter())
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let mut code = String::new();
    let (mut constants, mut plans) = (Vec::new(), Vec::new());
    for &(name, text) in &bases {
        let spec = game_text::read_game(text, &bases);
        let spec = spec.unwrap_or_else(|errors| fail(&format!("games/{name}.toml\n{errors}")));
        if spec.name != name {
            fail(&format!(
                "games/{name}.toml: the game calls itself '{}'",
                spec.name
            ));
        }
        let constant = name.to_uppercase().replace('-', "_");
        write::game(&mut code, &constant, &spec);
        constants.push(constant);
        plans.push(lanes::plan(&spec));
    }
    let names: Vec<&str> = bases.iter().map(|b| b.0).collect();
    write::lists(&mut code, &constants, &plans, &names);
    let target = PathBuf::from(variable("OUT_DIR")).join("games.rs");
    fs::write(&target, code).unwrap_or_else(|e| fail(&format!("{}: {e}", target.display())));
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    process::exit(1)
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| fail(&format!("{name} is not set; cargo sets it")))
}

/// The games, in the order of the alphabet.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder);
    let entries = entries.unwrap_or_else(|e| fail(&format!("{}: {e}", folder.display())));
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut games: Vec<PathBuf> = paths
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    games.sort();
    games
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| fail(&format!("{}: {e}", path.display())))
}
