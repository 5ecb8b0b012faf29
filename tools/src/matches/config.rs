//! The keys of the command line in a TOML file: `-config file=match.toml`.
//!
//! ```toml
//! variant = "glinski"
//! rounds = 10
//! repeat = true
//! sprt = { elo0 = 0, elo1 = 10 }
//!
//! [[engine]]
//! cmd = "internal"
//! name = "a"
//! nodes = 1000
//! option.Hash = 8
//! ```

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::dialect::{DialectError, Group, check_once, groups, refuse};
use crate::bounded;

/// The words of a match.
pub struct Words {
    /// Its options.
    pub groups: Vec<Group>,
    /// The files they were read from.
    pub files: Vec<PathBuf>,
}

/// The groups of a command line, preceded by those of the files named by `-config`, so that the command line
/// takes precedence. Engines of both take part.
///
/// # Errors
///
/// If a file cannot be read, is not TOML, or holds something that is not an option; or if an option is given twice in
/// one place.
pub fn with_files(words: &[String]) -> Result<Words, DialectError> {
    let mut all = Vec::new();
    let mut own = Vec::new();
    let mut files = Vec::new();
    for group in groups(words)? {
        if group.name != "config" {
            own.push(group);
            continue;
        }
        for (key, value) in group.all_pairs()? {
            match key {
                "file" => {
                    all.extend(read(Path::new(value))?);
                    files.push(value.into());
                }
                _ => {
                    return refuse(format!(
                        "-config: '{key}' is not one of its keys; expected file"
                    ));
                }
            }
        }
    }
    check_once(&own)?;
    all.append(&mut own);
    Ok(Words { groups: all, files })
}

fn read(path: &Path) -> Result<Vec<Group>, DialectError> {
    let in_file = |problem: String| DialectError(format!("{}: {problem}", path.display()));
    let text = bounded::small_text(path).map_err(|e| in_file(e.to_string()))?;
    let table: Table = text
        .parse()
        .map_err(|e: toml::de::Error| in_file(e.to_string()))?;
    groups_of(&table).map_err(|e| in_file(e.0))
}

fn groups_of(table: &Table) -> Result<Vec<Group>, DialectError> {
    let mut groups = Vec::new();
    for (name, value) in table {
        if name == "config" {
            return refuse("config: is for the command line; a file of options names no other");
        }
        let mut add = |words| {
            groups.push(Group {
                name: name.clone(),
                words,
            });
        };
        match value {
            Value::Boolean(true) => add(Vec::new()),
            Value::Boolean(false) => {}
            Value::Table(keys) => add(pairs("", keys)?),
            Value::Array(tables) => {
                for entry in tables {
                    match entry {
                        Value::Table(keys) => add(pairs("", keys)?),
                        other => add(vec![scalar(name, other)?]),
                    }
                }
            }
            other => add(vec![scalar(name, other)?]),
        }
    }
    // What is wrong with each of these is told later: in a file none can have two engines.
    check_once(groups.iter().filter(|group| group.name != "quick"))?;
    Ok(groups)
}

/// `key=value` words; a nested table gives `key.inner=value`.
fn pairs(prefix: &str, keys: &Table) -> Result<Vec<String>, DialectError> {
    let mut words = Vec::new();
    for (key, value) in keys {
        match value {
            Value::Table(inner) => words.extend(pairs(&format!("{prefix}{key}."), inner)?),
            other => words.push(format!("{prefix}{key}={}", scalar(key, other)?)),
        }
    }
    Ok(words)
}

fn scalar(key: &str, value: &Value) -> Result<String, DialectError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(n) => Ok(n.to_string()),
        Value::Float(x) => Ok(x.to_string()),
        Value::Boolean(b) => Ok(b.to_string()),
        other => refuse(format!(
            "{key}: found {}; expected a text, a number or a truth value",
            other.type_str()
        )),
    }
}
