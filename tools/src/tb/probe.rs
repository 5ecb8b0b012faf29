//! `hexmate tb probe`.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use hexmate_movegen::{AnyPosition, Game, Letters, Move, Position, Side, san, with_game};
use hexmate_tablebases::{Category, NeverCovered, Tablebases, Value};
use indicatif::ProgressBar;
use serde_json::{Value as Json, json};

use super::Place;
use crate::analyse::{Answer, Body, Fields, Item, Label, Records, Request, Selection, Source};
use crate::drawing::{self, Marks};
use crate::exit::{Exit, told};
use crate::game_names::GameNames;
use crate::inputs;
use crate::outcome::side_name;
use crate::stdout::CANNOT_PRINT;
use crate::tables::{new_damage, no_tables};
use crate::terminal;

/// Show what the endgame tables say about positions and each of their moves, best first.
///
/// Distances are in plies; the fifty-move rule is ignored. A position that no table covers is reported; if there are
/// others, these are still answered, and the exit code is 1.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Position texts, files of positions in any form that analyse reads, - for standard input
    #[arg(value_name = "POSITION|FILE", required_unless_present = "fen")]
    inputs: Vec<PathBuf>,
    /// A position
    #[arg(long, conflicts_with = "inputs")]
    fen: Option<String>,
    /// Print one JSON object for each position
    #[arg(long)]
    json: bool,
}

/// What the tables say about a position.
struct Found {
    value: Value,
    /// All legal moves with their values, best first.
    moves: Vec<(Move, Value)>,
}

/// How answers are printed.
#[derive(Clone, Copy)]
struct Style {
    json: bool,
    /// For people, who look at a terminal.
    people: bool,
    /// Whether there may be several positions, which need names.
    several: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let sources = match &arguments.fen {
        Some(fen) => {
            let text = with_game!(arguments.place.game, game => {
                inputs::position(game, Some(fen))?.to_string()
            });
            vec![Source::of_text(&text)]
        }
        None => Source::of_arguments(&arguments.inputs)?,
    };
    let style = Style {
        json: arguments.json,
        people: stdout().is_terminal(),
        several: !matches!(sources.as_slice(), [source] if source.text.is_some()),
    };
    with_game!(arguments.place.game, game => probe(game, arguments, sources, style))
}

fn probe<G: Game>(
    game: G,
    arguments: &Arguments,
    sources: Vec<Source>,
    style: Style,
) -> Result<Exit> {
    let folder = arguments.place.existing()?;
    let (tables, faults) = Tablebases::open(&arguments.place.rules()?, &folder)?;
    for fault in faults {
        eprintln!("hexmate: {fault}");
    }
    ensure!(
        !tables.is_empty(),
        no_tables(tables.rules().name(), &folder)
    );
    let names = GameNames::default();
    let selection = Selection {
        game: Some(arguments.place.game),
        names: names.clone(),
        ..Selection::default()
    };
    let mut records = Records::new(sources, selection, ProgressBar::hidden())?;
    let mut exit = Exit::Success;
    let (mut damaged, mut any) = (false, false);
    let mut out = stdout().lock();
    while let Some(item) = records.next_item()? {
        any = true;
        let (label, position) = position_of(game, &names, &item);
        let found = position.and_then(|position| {
            let (value, moves) = tables
                .probe(&position)
                .zip(tables.moves(&position))
                .ok_or_else(|| {
                    for told in new_damage(&tables) {
                        eprintln!("hexmate: {told}");
                        damaged = true;
                    }
                    match NeverCovered::of(&position) {
                        Some(reason) => reason.into(),
                        None => not_covered(&tables, damaged, &folder),
                    }
                })?;
            Ok((position, Found { value, moves }))
        });
        match found {
            Ok((position, found)) if style.json => {
                writeln!(out, "{}", object(&label, &position, &found)).context(CANNOT_PRINT)?;
            }
            Ok((position, found)) => {
                let text = text(&label, &position, &found, style);
                write!(out, "{text}").context(CANNOT_PRINT)?;
            }
            Err(error) if !style.several => bail!(error),
            Err(error) => {
                exit = Exit::Failed;
                let game = Some(arguments.place.game);
                let refusal = Answer::refusal(label, &item.origin, game, &told(&error));
                match (&refusal, style.json) {
                    (_, true) => {
                        writeln!(out, "{}", refusal.json()).context(CANNOT_PRINT)?;
                    }
                    (Answer::Error(fault), _) => eprintln!("hexmate: {}", fault.error),
                    (Answer::Analysis(_), _) => {}
                }
            }
        }
    }
    ensure!(any, "the input holds no position");
    Ok(exit)
}

fn not_covered(tables: &Tablebases, damaged: bool, folder: &Path) -> Error {
    let or = if damaged {
        ", or it is damaged there"
    } else {
        ""
    };
    let are = if tables.len() == 1 { "is" } else { "are" };
    anyhow!(
        "no table covers this position{or}; there {are} {} of {}, of up to {} pieces, in {}",
        tables.len(),
        tables.rules().name(),
        tables.most_men(),
        folder.display()
    )
}

/// The position of a record, and what names it.
fn position_of<G: Game>(game: G, names: &GameNames, item: &Item) -> (Label, Result<Position<G>>) {
    let unnamed = item.origin.unnamed();
    let request = match &item.body {
        Body::Request(request) => Ok((**request).clone()),
        Body::Text(text) => Request::parse(text, &unnamed).map_err(|(l, e)| (*l, Error::new(e))),
        Body::Fault { label, error } => {
            let label = label.clone().unwrap_or_else(|| unnamed.into());
            Err((label, anyhow!("{error}")))
        }
    };
    let request = match request {
        Ok(request) => request,
        Err((label, error)) => return (label, Err(error)),
    };
    let read = || {
        let named = request.game(names, game.id())?;
        ensure!(
            named == game.id(),
            "the position is of {named}; expected {}",
            game.id()
        );
        Ok(*request.record(game, &Letters::Own)?.position())
    };
    (request.label(), read())
}

fn object<G: Game>(label: &Label, position: &Position<G>, found: &Found) -> String {
    let game = position.game();
    let moves = found.moves.iter().map(|(mv, value)| {
        let Value { category, plies } = value;
        json!({"move": mv.text(game), "value": category.name(), "plies": plies})
    });
    let best = found.moves.first().map(|(mv, _)| mv.text(game));
    let own = label.fields.iter().map(|(n, v)| (n.to_owned(), v.clone()));
    let fields: Fields = [
        ("id", label.id.clone()),
        ("game", game.id().name().into()),
        ("fen", position.to_string().into()),
        ("status", "ok".into()),
        ("value", found.value.category.name().into()),
        ("plies", found.value.plies.into()),
        ("bestmove", best.into()),
        ("moves", moves.collect::<Json>()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into_iter()
    .chain(own)
    .collect();
    serde_json::to_string(&fields).expect("texts and numbers are JSON")
}

fn text<G: Game>(label: &Label, position: &Position<G>, found: &Found, style: Style) -> String {
    let game = position.game();
    let mut text = String::new();
    if style.people {
        let board = drawing::terminal(position, &Marks::default(), terminal::wants_colours());
        let name = match style.several {
            true => crate::analyse::text_of(&label.id) + ": ",
            false => String::new(),
        };
        let words = words(found.value, position.side_to_move());
        let _ = writeln!(text, "{}\n\n{name}{words}", board.trim_end_matches('\n'));
        let any = AnyPosition::from(*position);
        for (mv, value) in &found.moves {
            let _ = writeln!(
                text,
                "  {:<8} {:<8} {}",
                san(&any, *mv),
                mv.text(game),
                plain(*value)
            );
        }
    } else {
        if style.several {
            let _ = writeln!(text, "{}: {position}", crate::analyse::text_of(&label.id));
        }
        let _ = writeln!(text, "{}", plain(found.value));
        for (mv, value) in &found.moves {
            let _ = writeln!(text, "{:<8} {}", mv.text(game), plain(*value));
        }
    }
    if style.several {
        text.push('\n');
    }
    text
}

/// A value for the side to move, in a few words.
fn plain(value: Value) -> String {
    match value {
        Value::DRAW => "draw".to_owned(),
        Value { category, plies } => format!("{} in {plies} plies", category.name()),
    }
}

/// A value for the side to move, in a sentence.
fn words(value: Value, side: Side) -> String {
    let (us, them) = (side_name(side), side_name(side.other()));
    let moves = value.plies.div_ceil(2);
    let plural = if moves == 1 { "" } else { "s" };
    let plies = value.plies;
    let ply = if plies == 1 { "ply" } else { "plies" };
    match value.category {
        Category::Draw => "The position is a draw.".to_owned(),
        Category::Win => format!("{us} mates in {moves} move{plural} ({plies} {ply})."),
        Category::Loss if plies == 0 => format!("{us} is checkmated."),
        Category::Loss => format!("{them} mates in {moves} move{plural} ({plies} {ply})."),
        Category::GivesStalemate => {
            format!("{us} gives stalemate in {moves} move{plural} ({plies} {ply}).")
        }
        Category::Stalemated if plies == 0 => format!("{us} is stalemated."),
        Category::Stalemated => {
            format!("{them} gives stalemate in {moves} move{plural} ({plies} {ply}).")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_sentences() {
        let say = |category, plies| words(Value { category, plies }, Side::Black);
        assert_eq!(say(Category::Win, 1), "Black mates in 1 move (1 ply).");
        assert_eq!(
            say(Category::Loss, 20),
            "White mates in 10 moves (20 plies)."
        );
        assert_eq!(say(Category::Loss, 0), "Black is checkmated.");
        assert_eq!(words(Value::DRAW, Side::White), "The position is a draw.");
    }
}
