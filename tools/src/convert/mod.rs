//! `hexmate convert`: positions by rows into positions by files, and back; games from one form into another.

mod games;

use std::io::{BufRead, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use hexmate_movegen::{Game, GameId, Position, with_game};
use indicatif::ProgressBar;
use serde_json::Value;

use crate::analyse::{
    Destination, Source, SpreadJson, TextKind, ending, is_stdout, note, parts_of_text,
    refuse_compressed,
};
use crate::by_files::{self, FileOrder};
use crate::exit::Exit;
use crate::game_names::GameNames;
use crate::inputs;
use crate::lines::Lines;
use crate::overwrite::Force;
use crate::pgn::Notation;
use crate::pgn::object::{game_name, is_played, object_of};
use crate::roles::Roles;
use crate::stdout::CANNOT_PRINT;
use games::{Form, Games};

/// Whether lines are games is seen behind at most so many comments.
const MOST_COMMENTS: usize = 40;

/// Convert games from one form and notation into another, or positions that list the board by files.
///
/// Games are PGN, JSON lines or lines of moves. Position texts that list the board by files (6/P5p/RP4pr/..., as other
/// programs write Gliński's chess) become texts by rows, or the other way round. Where files and rows have the same
/// lengths, as in De Vasa's chess, --from files says that a text is by files.
///
/// Games are recognised by the file's ending (PGN) or the first lines: PGN, moves, or a JSON object with "moves" that
/// has no "fen", or names "white", "black" or the "result". --to pgn, jsonl or moves says that other lines are games,
/// too: JSON objects with both. Moves are read in any notation. Comments and variations are kept in PGN, and a result
/// that is not known (*) becomes that of the rules where these have ended the game. Positions are lines with a position
/// text and anything after a ";", or JSON objects with "fen". A game or position that cannot be used is reported on
/// standard error, the others are still written, and the exit code is 1.
#[derive(clap::Args)]
pub struct Arguments {
    /// The input, plain or compressed with gzip or zstd; - or nothing for standard input
    file: Option<PathBuf>,
    /// What to write [default: pgn for games or by the ending of --output, rows for positions]
    #[arg(long, value_enum)]
    to: Option<To>,
    /// How to write the moves of games
    #[arg(long, value_enum, default_value_t)]
    notation: Notation,
    #[command(flatten)]
    letters: inputs::LettersArgument,
    /// How the positions of the input list the board [default: by files where their lengths say so, else by rows]
    #[arg(long, value_enum)]
    from: Option<Listing>,
    /// From which end each file is listed, in input and output
    #[arg(long, value_enum, default_value_t = FileOrder::Up)]
    file_order: FileOrder,
    /// The game of lines that do not name one [default: the file's name if it is a game, else glinski]
    #[arg(long, value_parser = inputs::game)]
    game: Option<GameId>,
    /// Write to this file instead of standard output; it is complete or absent
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

/// How a position text lists the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Listing {
    /// Row by row from the top, as hexmate writes it
    Rows,
    /// File by file
    Files,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum To {
    /// Positions row by row from the top, as hexmate writes them
    Rows,
    /// Positions file by file
    Files,
    /// Games with tags, comments and variations
    Pgn,
    /// A JSON object for each game
    Jsonl,
    /// The moves of each game on a line
    Moves,
}

impl Arguments {
    /// Whether standard input is read.
    pub(crate) fn reads(&self) -> bool {
        self.file.as_deref().is_none_or(is_stdout)
    }

    /// Whether the result goes to standard output.
    pub(crate) fn prints(&self) -> bool {
        self.output.as_deref().is_none_or(is_stdout)
    }

    fn cannot(&self) -> String {
        match self.output.as_deref().filter(|path| !is_stdout(path)) {
            Some(path) => format!("{}: cannot be written", path.display()),
            None => CANNOT_PRINT.to_owned(),
        }
    }

    /// Whether a text that may be anything is to become games.
    fn may_write_games(&self) -> bool {
        match self.to {
            Some(To::Rows | To::Files) => false,
            Some(To::Pgn | To::Jsonl | To::Moves) => true,
            None => self.from.is_none() && self.output.is_none(),
        }
    }

    /// How to write games, if the input has games.
    ///
    /// # Errors
    /// If the ending of the output says that it is none of the forms of games.
    fn form(&self, are_games: bool) -> Result<Option<Form>> {
        let output = self.output.as_deref();
        let ending = output.and_then(ending);
        Ok(match (self.to, ending.as_deref()) {
            (Some(To::Pgn), _) => Some(Form::Pgn),
            (Some(To::Jsonl), _) => Some(Form::Jsonl),
            (Some(To::Moves), _) => Some(Form::Moves),
            (Some(To::Rows | To::Files), _) => None,
            (None, Some("pgn")) => Some(Form::Pgn),
            (None, Some("jsonl" | "ndjson" | "json")) if are_games => Some(Form::Jsonl),
            (None, Some("txt")) if are_games => Some(Form::Moves),
            (None, Some(other)) if are_games => bail!(
                "--output {}: games are not written as .{other}; expected .pgn, .jsonl, .ndjson, .json, .txt or none, or --to",
                output.unwrap_or(Path::new("-")).display()
            ),
            (None, _) => are_games.then_some(Form::Pgn),
        })
    }

    /// Refuses options that mean nothing for what the input is read as.
    ///
    /// # Errors
    /// If there is one.
    fn check_kind(&self, are_games: bool, name: &str) -> Result<()> {
        let (given, what) = match are_games {
            true if self.from.is_some() => ("--from", "games"),
            true if self.file_order != FileOrder::Up => ("--file-order", "games"),
            false if self.notation != Notation::default() => ("--notation", "positions"),
            _ => return Ok(()),
        };
        let other = if are_games { "positions" } else { "games" };
        bail!(
            "{given} is for {other}, and {name} is read as {what}; expected no {given}, or --to to say what it becomes"
        )
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let source = match &arguments.file {
        Some(path) if path.as_os_str() != "-" => Source::file(path.clone()),
        _ => Source::stdin(),
    };
    let mut roles = Roles::new();
    Source::note(
        std::slice::from_ref(&source),
        arguments.prints(),
        &mut roles,
    )?;
    if let Some(path) = arguments.output.as_deref().filter(|path| !is_stdout(path)) {
        refuse_compressed(path)?;
        note(&mut roles, "--output", path)?;
    }
    let output = arguments.output.as_deref();
    arguments.force.check("--output", output)?;
    let game = arguments.game.or_else(|| source.game());
    let game = game.unwrap_or(GameId::Glinski);
    let mut lines = Lines::new(source.open(&ProgressBar::hidden())?);
    let mut output = BufWriter::new(Destination::create(output, arguments.force)?);
    let letters = arguments.letters.get();
    let kind = TextKind::of_ending(source.ending()).filter(|&kind| kind == TextKind::Games);
    let kind = kind.or_else(|| TextKind::of_lines(|n| lines.ahead(n), game, &letters));
    if kind.is_none_or(|kind| kind == TextKind::Lines)
        && let Some(spread) = SpreadJson::of_lines(|n| lines.ahead(n))
    {
        bail!("{}: {spread}", source.name());
    }
    let is_unknown = kind.is_none()
        && arguments.may_write_games()
        && TextKind::says_something(|n| lines.ahead(n));
    let kind = kind.or(is_unknown.then_some(TextKind::Games));
    let are_games = match kind {
        Some(TextKind::Games | TextKind::GameLines) => true,
        _ => has_moves_object(&mut lines),
    };
    let names = GameNames::default();
    let (mut read, mut bad) = (0, 0);
    let form = arguments.form(are_games)?;
    arguments.check_kind(form.is_some(), &source.name())?;
    if let Some(form) = form {
        let mut games = Games {
            form,
            notation: arguments.notation,
            letters,
            default: game,
            names,
            name: source.name().to_string(),
            output: &mut output,
            cannot: arguments.cannot(),
            read: 0,
            bad: 0,
        };
        games.all(kind.unwrap_or(TextKind::Lines), &mut lines)?;
        (read, bad) = (games.read, games.bad);
        if bad > 0 {
            eprintln!(
                "hexmate: {}: {bad} of {} games could not be used as a whole",
                games.name, games.read
            );
        }
    } else {
        let cannot_read = || format!("{}: cannot be read further", source.name());
        while let Some(line) = lines.next_line().with_context(cannot_read)? {
            read += 1;
            let text = line.text.map_err(anyhow::Error::new);
            match text.and_then(|text| converted(text.trim(), game, &names, arguments)) {
                Ok(text) => writeln!(output, "{text}").with_context(|| arguments.cannot())?,
                Err(error) => {
                    eprintln!(
                        "hexmate: {}: line {}: {error:#}",
                        source.name(),
                        line.number
                    );
                    bad += 1;
                }
            }
        }
        if kind.is_none() && bad > 0 {
            let name = source.name();
            eprintln!(
                "hexmate: {name}: read as positions; games are in a file named .pgn, or --to says what they become"
            );
        }
    }
    if read == 0 {
        eprintln!(
            "hexmate: {}: there are no games or positions in it",
            source.name()
        );
        return Ok(Exit::Failed);
    }
    let written = output.into_inner().map_err(IntoInnerError::into_error);
    written.with_context(|| arguments.cannot())?.complete()?;
    Ok(if bad > 0 { Exit::Failed } else { Exit::Success })
}

/// Whether the first line that says something is a JSON object of a game that was played.
fn has_moves_object(lines: &mut Lines<impl BufRead>) -> bool {
    let says_something = |line: &String| !line.trim().is_empty() && !line.trim().starts_with('#');
    let first = (0..MOST_COMMENTS)
        .map_while(|n| lines.ahead(n))
        .find(says_something);
    object_of(first.as_deref().unwrap_or_default()).is_ok_and(|object| is_played(&object))
}

fn converted(
    line: &str,
    default: GameId,
    names: &GameNames,
    arguments: &Arguments,
) -> Result<String> {
    if line.starts_with('{') {
        let mut object = object_of(line)?;
        let fen = object.get("fen").and_then(Value::as_str);
        let fen = fen.ok_or_else(|| anyhow!("no \"fen\"; expected a position text"))?;
        let game = game_name(&object).map_or(Ok(default), |(field, name)| {
            let found = names.find(name, default);
            found.map_err(|error| anyhow!("\"{field}\": {}", error.in_record()))
        })?;
        let fen = with_game!(game, game => position(game, fen, arguments))?;
        object.insert("fen".to_owned(), fen.into());
        return Ok(Value::Object(object).to_string());
    }
    let (fen, operations) = line.split_at(line.find(';').unwrap_or(line.len()));
    // As analyse reads it.
    let game = parts_of_text(line)
        .skip(1)
        .filter_map(|op| op.strip_prefix("game "))
        .last();
    let game = game.map_or(Ok(default), |name| {
        let found = names.find(name.trim().trim_matches('"'), default);
        found.map_err(|error| anyhow!("\"game\": {}", error.in_record()))
    })?;
    let fen = with_game!(game, game => position(game, fen, arguments))?;
    let blank = if operations.is_empty() { "" } else { " " };
    Ok(format!("{fen}{blank}{operations}"))
}

fn position<G: Game>(game: G, fen: &str, arguments: &Arguments) -> Result<String> {
    let order = arguments.file_order;
    let is_by_files = match arguments.from {
        Some(from) => from == Listing::Files,
        None => by_files::is_by_files(game, fen),
    };
    let mut fen = match is_by_files {
        true => by_files::to_rows(game, fen, order).ok_or_else(|| not_by_files(game))?,
        false => fen.trim().to_owned(),
    };
    // Some programs leave out what they do not need.
    if fen.split_whitespace().count() == 2 {
        fen += " - -";
    }
    let position = Position::from_fen(game, &fen).map_err(|error| {
        match arguments.from.is_none() && by_files::look_like_rows(game) {
            true => anyhow!(
                "{error}; rows and files of this board look alike; if these are files, add --from files"
            ),
            false => error.into(),
        }
    })?;
    let rows = position.to_string();
    Ok(match arguments.to {
        Some(To::Files) => {
            by_files::to_files(game, &rows, order).expect("what was written can be read")
        }
        _ => rows,
    })
}

fn not_by_files<G: Game>(game: G) -> anyhow::Error {
    let lengths: Vec<String> = by_files::lengths_of_files(game)
        .iter()
        .map(usize::to_string)
        .collect();
    anyhow!(
        "the placement does not list the board by files; expected {} lists of {} cells",
        lengths.len(),
        lengths.join(", ")
    )
}
