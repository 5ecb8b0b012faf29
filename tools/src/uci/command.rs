//! The commands of the protocol, understood as far as they do not depend on the game.

use hexmate_engine::MAX_PLY;

use super::order::{Order, OrderError};
use crate::bench::DEFAULT_DEPTH;

/// What is asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `uci`: who are you, and what can be set?
    Uci,
    /// `isready`: are you there?
    IsReady,
    /// `ucinewgame`: what was learnt is of no use for what comes.
    NewGame,
    /// `position`: what to think about.
    Position {
        /// The first position; `None` for the start.
        fen: Option<String>,
        /// The moves from there, with blanks between them.
        moves: String,
    },
    /// `go`: think.
    Go(Order),
    /// `stop`: answer now.
    Stop,
    /// `ponderhit`: the opponent played what you thought about.
    PonderHit,
    /// `setoption`.
    SetOption {
        /// Which.
        name: String,
        /// To what; `None` for those that are only pressed.
        value: Option<String>,
    },
    /// `d`: show the position.
    Draw,
    /// `eval`: show its static worth.
    Eval,
    /// `bench`: search the fixed list of positions to this depth.
    Bench(u32),
    /// `help`.
    Help,
    /// `debug` and `register`, which need no answer.
    Nothing,
    /// `quit`.
    Quit,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum CommandError {
    #[error("unknown command '{}'; expected one of {}", short(.0), NAMES.join(", "))]
    Unknown(String),
    #[error("position: {}; expected 'position startpos [moves ...]' or 'position fen FEN [moves ...]'", .0)]
    Position(String),
    #[error("setoption: {0}; expected 'setoption name NAME [value VALUE]'")]
    SetOption(&'static str),
    #[error("go: {0}")]
    Go(#[from] OrderError),
    #[error("bench: '{}' is not a depth; expected 'bench [DEPTH]', DEPTH from 1 to {MAX_PLY}", short(.0))]
    Bench(String),
}

/// Every command, for those who ask.
pub const NAMES: &[&str] = &[
    "uci",
    "isready",
    "setoption",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "bench",
    "debug",
    "register",
    "help",
    "quit",
];

impl Command {
    /// Understands a line; `None` if there is nothing on it.
    ///
    /// # Errors
    /// If it is no command, or lacks something.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else {
            return Ok(None);
        };
        let words: Vec<&str> = words.collect();
        // Nobody means anything else by `Go`.
        Ok(Some(match name.to_ascii_lowercase().as_str() {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "position" => position(&words)?,
            "go" => Command::Go(Order::parse(&words)?),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "setoption" => set_option(&words)?,
            "d" => Command::Draw,
            "eval" => Command::Eval,
            "bench" => bench(&words)?,
            "help" => Command::Help,
            "debug" | "register" => Command::Nothing,
            "quit" => Command::Quit,
            _ => return Err(CommandError::Unknown(name.to_owned())),
        }))
    }
}

fn position(words: &[&str]) -> Result<Command, CommandError> {
    let wrong = |what: &str| Err(CommandError::Position(what.to_owned()));
    let end = words.iter().position(|w| w.eq_ignore_ascii_case("moves"));
    let (front, moves) = words.split_at(end.unwrap_or(words.len()));
    let Some((&kind, front)) = front.split_first() else {
        return wrong("no position");
    };
    let fen = if kind.eq_ignore_ascii_case("startpos") {
        if let Some(more) = front.first() {
            return wrong(&format!("'{}' after startpos", short(more)));
        }
        None
    } else if kind.eq_ignore_ascii_case("fen") {
        if front.is_empty() {
            return wrong("no FEN after fen");
        }
        Some(front.join(" "))
    } else {
        return wrong(&format!("'{}' is neither startpos nor fen", short(kind)));
    };
    let moves = moves.get(1..).unwrap_or_default().join(" ");
    Ok(Command::Position { fen, moves })
}

/// Names and values may have blanks in them.
fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    let rest = match words {
        [name, rest @ ..] if name.eq_ignore_ascii_case("name") => rest,
        _ => return Err(CommandError::SetOption("the word 'name' is missing")),
    };
    let end = rest.iter().position(|w| w.eq_ignore_ascii_case("value"));
    let (name, value) = rest.split_at(end.unwrap_or(rest.len()));
    if name.is_empty() {
        return Err(CommandError::SetOption("no name after 'name'"));
    }
    Ok(Command::SetOption {
        name: name.join(" "),
        value: value.get(1..).map(|words| words.join(" ")),
    })
}

fn bench(words: &[&str]) -> Result<Command, CommandError> {
    let depth = match words {
        [] => DEFAULT_DEPTH,
        [depth, ..] => {
            let number = depth.parse().ok();
            let number = number.filter(|n| (1..=MAX_PLY as u32).contains(n));
            number.ok_or_else(|| CommandError::Bench((*depth).to_owned()))?
        }
    };
    Ok(Command::Bench(depth))
}

/// The front of a text, for messages: a line may be a megabyte long.
pub fn short(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    fn refused(line: &str) -> String {
        Command::parse(line).unwrap_err().to_string()
    }

    #[test]
    fn every_name_is_a_command() {
        for name in NAMES {
            let unknown = matches!(Command::parse(name), Err(CommandError::Unknown(_)));
            assert!(!unknown, "{name}");
        }
        assert_eq!(Command::parse("  \t "), Ok(None));
    }

    #[test]
    fn positions() {
        let expected = Command::Position {
            fen: None,
            moves: "e4e5 e7e6".to_owned(),
        };
        assert_eq!(parsed(" position  startpos moves e4e5\te7e6 "), expected);
        let expected = Command::Position {
            fen: Some("1/3 w - - 0 1".to_owned()),
            moves: String::new(),
        };
        assert_eq!(parsed("position fen 1/3 w - - 0 1"), expected);
        assert_eq!(parsed("position fen 1/3 w - - 0 1 moves"), expected);
        assert!(refused("position").starts_with("position: no position; expected"));
        assert!(refused("position fen moves e4e5").contains("no FEN after fen"));
        assert!(refused("position here").contains("'here' is neither"));
        assert!(refused("position startpos e4e5").contains("'e4e5' after startpos"));
    }

    #[test]
    fn capitals_are_the_same_words() {
        for (line, plain) in [
            ("UCI", "uci"),
            ("IsReady", "isready"),
            (
                "Position StartPos Moves e4e5",
                "position startpos moves e4e5",
            ),
            ("POSITION FEN 1/3 w - - 0 1", "position fen 1/3 w - - 0 1"),
            (
                "Go Depth 3 SearchMoves e4e5 Nodes 7",
                "go depth 3 searchmoves e4e5 nodes 7",
            ),
            ("SetOption Name Hash Value 3", "setoption name Hash value 3"),
        ] {
            assert_eq!(parsed(line), parsed(plain), "{line}");
        }
    }

    #[test]
    fn options() {
        let expected = Command::SetOption {
            name: "Clear Hash".to_owned(),
            value: None,
        };
        assert_eq!(parsed("setoption name Clear Hash"), expected);
        let expected = Command::SetOption {
            name: "Move Overhead".to_owned(),
            value: Some("3 0".to_owned()),
        };
        assert_eq!(parsed("setoption name Move Overhead value 3 0"), expected);
        assert!(refused("setoption Hash value 3").contains("'name' is missing"));
        assert!(refused("setoption name value 3").contains("no name after"));
    }

    #[test]
    fn messages_are_short_whatever_the_line_is() {
        let long = "é".repeat(100_000);
        assert!(refused(&long).chars().count() < 300);
        assert!(refused(&format!("position {long}")).chars().count() < 300);
        assert!(refused(&format!("go depth {long}")).chars().count() < 300);
    }
}
