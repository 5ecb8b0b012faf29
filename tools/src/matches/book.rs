//! `hexmate openings`: books of distinct, roughly level lines.

use std::io::{BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use hexmate_movegen::{Game, GameId, Record, with_game};
use indicatif::ProgressBar;

use super::openings::{Generator, Opening};
use super::options::{BALANCE, RANDOM_PLIES};
use crate::analyse::{Destination, ending, is_stdout, refuse_compressed};
use crate::exit::Exit;
use crate::inputs;
use crate::overwrite::Force;
use crate::progress::{self, Cleared};

/// The format of a book.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Position texts
    Epd,
    /// Lines of moves from the starting position
    Txt,
}

/// Make a book of distinct, roughly level openings for hexmate match.
///
/// The lines are random. A short search puts the position after each within --balance centipawns of
/// level, and none occurs twice. The same seed gives the same book.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(value_parser = inputs::game)]
    game: GameId,
    /// Plies of each line
    #[arg(long, value_name = "N", default_value_t = RANDOM_PLIES as u16, value_parser = clap::value_parser!(u16).range(1..=200))]
    plies: u16,
    /// Lines in the book
    #[arg(long, value_name = "M", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// The random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The largest imbalance of a line, in centipawns
    #[arg(long, value_name = "CP", default_value_t = BALANCE, value_parser = clap::value_parser!(i32).range(1..))]
    balance: i32,
    /// The format of the book [default: by the ending of --output, else epd]
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// Write to this file instead of standard output; it is complete or absent: fewer lines than --count are not written
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

impl Arguments {
    /// Whether the book goes to standard output.
    pub(crate) fn prints(&self) -> bool {
        self.output.as_deref().is_none_or(is_stdout)
    }

    /// The format of the book. One that its name does not say is to be given.
    ///
    /// # Errors
    /// If the ending of the output says that something else is in it.
    fn form(&self) -> Result<Form> {
        let output = self.output.as_deref().filter(|path| !is_stdout(path));
        output.map_or(Ok(()), refuse_compressed)?;
        let ending = output.and_then(ending);
        Ok(match (self.format, ending.as_deref()) {
            (Some(form), _) => form,
            (None, None | Some("epd" | "fen")) => Form::Epd,
            (None, Some("txt")) => Form::Txt,
            (None, Some(other)) => bail!(
                "--output {}: .{other} is the ending of no format of books; expected .epd, .fen, .txt or none, \
                 or --format",
                output.unwrap_or(Path::new("-")).display()
            ),
        })
    }

    fn cannot(&self) -> String {
        let path = self.output.as_deref().filter(|_| !self.prints());
        let name = path.map_or_else(|| "standard output".into(), Path::to_string_lossy);
        format!("{name}: the book cannot be written")
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let path = arguments.output.as_deref();
    let form = arguments.form()?;
    arguments.force.check("--output", path)?;
    let destination = Destination::create(path, arguments.force)?;
    let bar = progress::bar_beside(arguments.prints(), arguments.count.into(), "openings");
    let bar = Cleared(bar);
    destination.leaves_nothing(&bar.0)?;
    let mut output = BufWriter::new(destination);
    let made =
        with_game!(arguments.game, game => write_book(game, arguments, form, &bar.0, &mut output))?;
    drop(bar);
    let written = output.into_inner().map_err(IntoInnerError::into_error);
    let written = written.with_context(|| arguments.cannot())?;
    let short = made < arguments.count;
    if short {
        eprintln!(
            "hexmate: only {made} of {} openings were found; allow other --plies or more --balance",
            arguments.count
        );
    }
    // A book that is short is not complete, and no file is written.
    if !short || arguments.prints() {
        written.complete()?;
    }
    if short {
        return Ok(Exit::Failed);
    }
    Ok(Exit::Success)
}

fn write_book<G: Game>(
    game: G,
    arguments: &Arguments,
    form: Form,
    bar: &ProgressBar,
    output: &mut impl Write,
) -> Result<u32> {
    let plies = arguments.plies.into();
    let mut lines = Generator::new(game, arguments.seed, plies, arguments.balance)?;
    for made in 0..arguments.count {
        let Some(opening) = lines.line() else {
            return Ok(made);
        };
        let line = line_of(&opening, form);
        writeln!(output, "{line}").with_context(|| arguments.cannot())?;
        bar.inc(1);
    }
    Ok(arguments.count)
}

fn line_of<G: Game>(opening: &Opening<G>, form: Form) -> String {
    match form {
        Form::Txt => {
            let moves = opening.moves.iter().map(|m| m.text(opening.start.game()));
            moves.collect::<Vec<_>>().join(" ")
        }
        Form::Epd => {
            let mut record = Record::new(opening.start);
            for &mv in &opening.moves {
                record.play(mv).expect("openings are legal");
            }
            record.position().to_string()
        }
    }
}
