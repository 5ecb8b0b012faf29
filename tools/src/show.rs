//! `hexmate show`: a position as a picture.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use hexmate_movegen::{Game, GameId, Move, PAWN, with_game};

use crate::analyse::{is_stdout, write_whole};
use crate::drawing::{self, Marks};
use crate::exit::Exit;
use crate::inputs;
use crate::overwrite::Force;
use crate::stdout::CANNOT_PRINT;
use crate::terminal;

/// Draw a position in the terminal, or as an SVG file.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// The position [default: the starting position]
    #[arg(long)]
    fen: Option<String>,
    /// Moves to make first, in any notation, with numbers or without; the last one is marked
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    #[command(flatten)]
    letters: inputs::LettersArgument,
    /// Moves to draw as arrows, legal or not
    #[arg(long, value_name = "MOVES")]
    arrows: Option<String>,
    /// Write an SVG file instead; - prints it
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Whether to use colours in the terminal
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    color: Colour,
}

/// Whether to use colours.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Colour {
    /// In a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb says otherwise; CLICOLOR_FORCE says always
    Auto,
    Always,
    Never,
}

impl Arguments {
    /// Whether the picture goes to standard output.
    pub(crate) fn prints(&self) -> bool {
        self.svg.as_deref().is_none_or(is_stdout)
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    with_game!(arguments.game, game => show(game, arguments))
}

fn show<G: Game>(game: G, arguments: &Arguments) -> Result<Exit> {
    let start = inputs::position(game, arguments.fen.as_deref())?;
    let moves = arguments.moves.as_deref().unwrap_or_default();
    let moves = inputs::plain_moves(moves).context("--moves")?;
    let record = inputs::play(start, &moves, &arguments.letters.get())
        .map_err(|error| anyhow!(inputs::naming_letters(&error.to_string())))
        .context("--moves")?;
    let marks = Marks {
        last_move: record.moves().last().copied(),
        arrows: arrows(game, arguments.arrows.as_deref().unwrap_or_default())?,
    };
    match &arguments.svg {
        Some(path) => {
            arguments.force.check("--svg", Some(path))?;
            write_whole(path, &drawing::svg(&record, &marks), arguments.force)?;
        }
        None => {
            let colour = match arguments.color {
                Colour::Auto => terminal::wants_colours(),
                Colour::Always => true,
                Colour::Never => false,
            };
            write!(stdout(), "{}", drawing::terminal(&record, &marks, colour))
                .context(CANNOT_PRINT)?;
        }
    }
    Ok(Exit::Success)
}

fn arrows<G: Game>(game: G, text: &str) -> Result<Vec<Move>> {
    let board = &game.tables().board;
    let arrow = |word: &str| {
        let (from, rest) = board.parse_cell_prefix(word)?;
        let (to, promotion) = board.parse_cell_prefix(rest)?;
        match promotion.as_bytes() {
            [] => Some(Move::new(from, to)),
            &[letter] => {
                let kind = game.spec().kind_of_letter(letter).filter(|&k| k != PAWN)?;
                Some(Move::promoting(from, to, kind))
            }
            _ => None,
        }
    };
    text.split_whitespace()
        .map(|word| match arrow(word) {
            None => Err(anyhow!(
                "--arrows: '{word}' is not two cells of this board, like 'f5f6', with or without the letter of a \
                 promotion"
            )),
            Some(mv) if mv.from == mv.to => Err(anyhow!(
                "--arrows: '{word}' leads nowhere; expected two different cells"
            )),
            Some(mv) => Ok(mv),
        })
        .collect()
}
