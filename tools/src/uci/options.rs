//! What can be set, and what it is set to.

use std::path::PathBuf;
use std::time::Duration;

use hexmate_engine::{ParamError, Params};
use hexmate_movegen::GameId;

use super::command::short;
use crate::inputs;

/// An option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Id {
    Variant,
    Threads,
    Hash,
    ClearHash,
    Ponder,
    MultiPv,
    MoveOverhead,
    AnalyseMode,
    ShowWdl,
    TablebasePath,
    EvalFile,
    VariantPath,
}

/// What an option may be set to.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// `true` or `false`; all are false until set.
    Check,
    /// A whole number.
    Spin { default: i64, least: i64, most: i64 },
    /// The name of a game.
    Game,
    /// Nothing: it is pressed.
    Button,
    /// The path of what is named here, at first none.
    Path(&'static str),
}

const OPTIONS: &[(Id, &str, Kind)] = &[
    (Id::Variant, VARIANT, Kind::Game),
    (Id::Threads, "Threads", spin(1, 1, MOST_THREADS as i64)),
    (Id::Hash, "Hash", spin(16, 1, MOST_HASH as i64)),
    (Id::ClearHash, "Clear Hash", Kind::Button),
    (Id::Ponder, "Ponder", Kind::Check),
    (Id::MultiPv, "MultiPV", spin(1, 1, 500)),
    (Id::MoveOverhead, "Move Overhead", spin(10, 0, 10_000)),
    (Id::AnalyseMode, "UCI_AnalyseMode", Kind::Check),
    (Id::ShowWdl, "UCI_ShowWDL", Kind::Check),
    (Id::TablebasePath, "TablebasePath", Kind::Path("a folder")),
    (Id::EvalFile, "EvalFile", Kind::Path("a file of weights")),
    (
        Id::VariantPath,
        "VariantPath",
        Kind::Path("a game's file, or a folder of such files"),
    ),
];

/// The most threads of a search.
pub const MOST_THREADS: usize = 512;
/// The most megabytes of a table.
pub const MOST_HASH: usize = 1 << 20;

/// The option that chooses the game.
pub const VARIANT: &str = "UCI_Variant";

/// How the protocol writes a text without letters.
const EMPTY: &str = "<empty>";

const fn spin(default: i64, least: i64, most: i64) -> Kind {
    Kind::Spin {
        default,
        least,
        most,
    }
}

/// The game until one is chosen.
pub const DEFAULT_GAME: GameId = GameId::Glinski;

/// What is set. What the engine owns (its table's content, the game) is not kept here.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Threads that search.
    pub threads: usize,
    /// The size of the table.
    pub hash_megabytes: usize,
    /// Best moves with a line each.
    pub multipv: usize,
    /// Time lost between the engine and the clock, for each move.
    pub overhead: Duration,
    /// Whether chances are shown beside scores.
    pub show_wdl: bool,
    /// The numbers of the search.
    pub params: Params,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Options {
            threads: 0,
            hash_megabytes: 0,
            multipv: 0,
            overhead: Duration::ZERO,
            show_wdl: false,
            params: Params::default(),
        };
        for &(id, _, kind) in OPTIONS {
            if let Kind::Spin { default, .. } = kind {
                options.set_number(id, default);
            }
        }
        options
    }
}

/// What has to be done after an option was set, beyond keeping it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing.
    Kept,
    /// Threads or numbers of the search are others.
    Engine,
    /// The table is to be of this many megabytes.
    Table(usize),
    /// What the table knows is to go.
    Clear,
    /// Another game.
    Game(GameId),
    /// The endgame tables of this folder, or none.
    Tables(Option<PathBuf>),
    /// The weights of this file, or those of the program.
    EvalFile(Option<PathBuf>),
    /// The games of this file or folder, or none but those of the program.
    Variants(Option<PathBuf>),
}

/// Why an option cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum OptionError {
    #[error("no option '{}'; the options are {list}", short(.0), list = names())]
    Unknown(String),
    #[error("'{name}' needs a value; expected {expected}")]
    NoValue { name: String, expected: String },
    #[error("'{name}' cannot be '{value}'; expected {expected}", value = short(.value))]
    Value {
        name: String,
        value: String,
        expected: String,
    },
    #[error("UCI_Variant: {0}")]
    Game(String),
    #[error("{0}")]
    Param(#[from] ParamError),
}

fn names() -> String {
    let names: Vec<&str> = OPTIONS.iter().map(|o| o.1).collect();
    names.join(", ")
}

impl Kind {
    fn expected(self) -> String {
        match self {
            Kind::Check => "true or false".to_owned(),
            Kind::Spin { least, most, .. } => format!("a whole number from {least} to {most}"),
            Kind::Game => format!("one of {}", GameId::names()),
            Kind::Button => "nothing".to_owned(),
            Kind::Path(what) => format!("{what}, or {EMPTY}"),
        }
    }

    fn described(self, added: &[GameId]) -> String {
        match self {
            Kind::Check => "type check default false".to_owned(),
            Kind::Spin {
                default,
                least,
                most,
            } => format!("type spin default {default} min {least} max {most}"),
            Kind::Game => games_described(added),
            Kind::Button => "type button".to_owned(),
            Kind::Path(_) => format!("type string default {EMPTY}"),
        }
    }
}

/// The choice of a game, with games that a user has added.
fn games_described(added: &[GameId]) -> String {
    let games = GameId::shipped().iter().chain(added);
    let games: String = games.map(|g| format!(" var {}", g.name())).collect();
    format!("type combo default {}{games}", DEFAULT_GAME.name())
}

/// The line that tells which games can be chosen, after some were added.
pub fn variants(added: &[GameId]) -> String {
    format!("option name {VARIANT} {}", games_described(added))
}

/// The lines that tell a user's program what can be set, with games that a user has added; with `tunable` also the
/// numbers of the search.
pub fn described(tunable: bool, added: &[GameId]) -> Vec<String> {
    let mut lines: Vec<String> = OPTIONS
        .iter()
        .map(|(_, name, kind)| format!("option name {name} {}", kind.described(added)))
        .collect();
    if tunable {
        lines.extend(Params::ALL.iter().map(|p| {
            let kind = spin(p.default.into(), p.min.into(), p.max.into());
            format!("option name {} {}", p.name, kind.described(&[]))
        }));
    }
    lines
}

impl Options {
    /// Sets an option by its name, in upper or lower case.
    ///
    /// # Errors
    /// If there is no such option, or it cannot be set to this; nothing has changed then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let option = OPTIONS.iter().find(|o| o.1.eq_ignore_ascii_case(name));
        let Some(&(id, name, kind)) = option else {
            return self.set_param(name, value);
        };
        if let Kind::Button = kind {
            return Ok(Change::Clear);
        }
        // An empty path names nothing.
        let value = value.filter(|v| !(matches!(kind, Kind::Path(_)) && v.is_empty()));
        let value = value.ok_or_else(|| OptionError::NoValue {
            name: name.to_owned(),
            expected: kind.expected(),
        })?;
        let wrong = || OptionError::Value {
            name: name.to_owned(),
            value: value.to_owned(),
            expected: kind.expected(),
        };
        match kind {
            Kind::Check => {
                let on = match value.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(wrong()),
                };
                Ok(self.set_check(id, on))
            }
            Kind::Spin { least, most, .. } => {
                let number = value.parse().ok();
                let number = number.filter(|n| (least..=most).contains(n));
                Ok(self.set_number(id, number.ok_or_else(wrong)?))
            }
            Kind::Game => Ok(Change::Game(
                inputs::game(value).map_err(|error| OptionError::Game(error.to_string()))?,
            )),
            Kind::Button => Ok(Change::Clear),
            Kind::Path(_) => {
                let path = (value != EMPTY).then(|| PathBuf::from(value));
                Ok(match id {
                    Id::EvalFile => Change::EvalFile(path),
                    Id::VariantPath => Change::Variants(path),
                    _ => Change::Tables(path),
                })
            }
        }
    }

    fn set_param(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let Some(info) = Params::ALL.iter().find(|p| p.name == name) else {
            return Err(OptionError::Unknown(name.to_owned()));
        };
        let expected = format!("a whole number from {} to {}", info.min, info.max);
        let name = name.to_owned();
        let Some(value) = value else {
            return Err(OptionError::NoValue { name, expected });
        };
        let Ok(number) = value.parse() else {
            let value = value.to_owned();
            return Err(OptionError::Value {
                name,
                value,
                expected,
            });
        };
        self.params.set(&name, number)?;
        Ok(Change::Engine)
    }

    fn set_check(&mut self, id: Id, on: bool) -> Change {
        // The engine plays the same with and without `Ponder` and `UCI_AnalyseMode`: it has no book and
        // prefers no side, and it ponders when told to.
        if id == Id::ShowWdl {
            self.show_wdl = on;
        }
        Change::Kept
    }

    /// Takes a number that is within the option's range.
    fn set_number(&mut self, id: Id, number: i64) -> Change {
        let count = number.unsigned_abs() as usize;
        match id {
            Id::Threads => {
                self.threads = count;
                return Change::Engine;
            }
            Id::Hash => {
                self.hash_megabytes = count;
                return Change::Table(count);
            }
            Id::MultiPv => self.multipv = count,
            Id::MoveOverhead => self.overhead = Duration::from_millis(number.unsigned_abs()),
            Id::Variant
            | Id::ClearHash
            | Id::Ponder
            | Id::AnalyseMode
            | Id::ShowWdl
            | Id::TablebasePath
            | Id::EvalFile
            | Id::VariantPath => {}
        }
        Change::Kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_as_it_is_described() {
        let mut options = Options::default();
        for line in described(true, &[]) {
            let (name, kind) = line
                .strip_prefix("option name ")
                .and_then(|l| l.split_once(" type "))
                .unwrap();
            let words: Vec<&str> = kind.split(' ').collect();
            let after = |word| {
                let at = words.iter().position(|&w| w == word).unwrap();
                Some(words[at + 1])
            };
            match words[0] {
                "button" => assert_eq!(options.set(name, None), Ok(Change::Clear)),
                "check" => {
                    options.set(name, Some("true")).unwrap();
                    options.set(name, Some("FALSE")).unwrap();
                    options.set(name, Some("1")).unwrap_err();
                }
                "string" => {
                    let change = match name {
                        "EvalFile" => Change::EvalFile,
                        "VariantPath" => Change::Variants,
                        _ => Change::Tables,
                    };
                    let set = options.set(name, after("default"));
                    assert_eq!(set, Ok(change(None)));
                    let set = options.set(name, Some("x"));
                    assert_eq!(set, Ok(change(Some("x".into()))));
                }
                "combo" => {
                    for game in words.iter().skip_while(|&&w| w != "var").step_by(2) {
                        assert_eq!(*game, "var");
                    }
                    let set = options.set(name, after("default"));
                    assert_eq!(set, Ok(Change::Game(DEFAULT_GAME)));
                }
                _ => {
                    for word in ["min", "default", "max"] {
                        options.set(name, after(word)).unwrap();
                    }
                    let most: i64 = after("max").unwrap().parse().unwrap();
                    let more = (most + 1).to_string();
                    options.set(name, Some(&more)).unwrap_err();
                }
            }
            if words[0] != "button" {
                options.set(name, None).unwrap_err();
                if words[0] != "string" {
                    options.set(name, Some("x")).unwrap_err();
                } else {
                    assert_eq!(options.set(name, Some("")), options.set(name, None));
                }
            }
        }
        assert_eq!(options.threads, 512);
        assert_eq!(options.overhead, Duration::from_secs(10));
    }

    #[test]
    fn names_may_be_written_in_any_case() {
        let mut options = Options::default();
        assert_eq!(options.set("hash", Some("3")), Ok(Change::Table(3)));
        assert_eq!(options.set("CLEAR HASH", None), Ok(Change::Clear));
        let game = options.set("uci_variant", Some("McCooey"));
        assert_eq!(game, Ok(Change::Game(GameId::Mccooey)));
        let error = options.set("Contempt", Some("3")).unwrap_err().to_string();
        assert!(error.contains("no option 'Contempt'") && error.contains("Move Overhead"));
    }
}
