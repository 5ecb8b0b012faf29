//! `hexmate tb verify`.

use std::io::{ErrorKind, Write as _};
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};
use hexmate_movegen::{Game, with_game};
use hexmate_tablebases::{Folder, Material, Random, TableError, Tablebases};

use super::{Place, materials};
use crate::analyse::grouped;
use crate::exit::Exit;
use crate::progress::{self, Cleared};
use crate::stdout::{CANNOT_PRINT, unless_closed};
use crate::tables;

/// Verify endgame tables: the file, its checksums, and every stored value against those of its successors.
///
/// Random positions of each table are also compared with the move generator and, optionally, with a
/// plain search to mate.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Material, like KQKR [default: all existing tables]
    #[arg(value_name = "MATERIAL")]
    materials: Vec<String>,
    /// Positions of each table to compare with the move generator
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    samples: usize,
    /// Positions of each table to search for mates in 3 plies (5 where the table has one)
    #[arg(long, value_name = "N", default_value_t = 0)]
    search: usize,
    /// The seed of the random positions
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    with_game!(arguments.place.game, game => verify(game, arguments))
}

fn verify<G: Game>(game: G, arguments: &Arguments) -> Result<Exit> {
    let place = arguments.place.existing()?;
    let mut folder = arguments.place.folder()?;
    let rules = std::sync::Arc::clone(folder.rules());
    let mut wanted = materials(&rules, &arguments.materials)?;
    if wanted.is_empty() {
        wanted = folder.list()?;
        // A check of nothing must not pass for a passed check.
        ensure!(!wanted.is_empty(), tables::no_tables(rules.name(), &place));
    }
    // Files that cannot be used are reported when their turn comes.
    let (tables, _) = Tablebases::open(&rules, &place)?;
    let mut out = std::io::stdout();
    let mut wrong = 0;
    let bar = Cleared(progress::bar(wanted.len() as u64, "tables"));
    for material in &wanted {
        let begin = Instant::now();
        let name = material.name(&rules);
        bar.0.set_message(name.clone());
        let tell = |checked| {
            let checked = grouped(checked);
            bar.0
                .set_message(format!("{name}: {checked} positions of a side checked"));
        };
        let checked = check(game, &mut folder, &tables, material, arguments, &tell);
        bar.0.inc(1);
        let told = bar.0.suspend(|| match checked {
            Ok(()) => writeln!(
                out,
                "{name:<8} right {:>8.1} s",
                begin.elapsed().as_secs_f64()
            ),
            Err(error) => {
                wrong += 1;
                eprintln!("hexmate: {name}: {error}");
                writeln!(out, "{name:<8} {}", verdict(&error))
            }
        });
        unless_closed(told).context(CANNOT_PRINT)?;
    }
    Ok(if wrong == 0 {
        Exit::Success
    } else {
        Exit::Failed
    })
}

/// What an error says of a table. One that is not there, or cannot be verified without another, is not wrong.
fn verdict(error: &Error) -> &'static str {
    match error.downcast_ref() {
        Some(TableError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => "missing",
        Some(TableError::Missing { .. } | TableError::Needed { .. }) => "unverified",
        _ => "WRONG",
    }
}

fn check<G: Game>(
    game: G,
    folder: &mut Folder,
    tables: &Tablebases,
    material: &Material,
    arguments: &Arguments,
    tell: &(dyn Fn(u64) + Sync),
) -> Result<(), Error> {
    let table = folder.verify(material, tell)?;
    let mut random = Random::new(arguments.seed);
    tables.check_moves(game, &table, arguments.samples, &mut random)?;
    tables.check_search(game, &table, arguments.search, &mut random)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use clap::{Args as _, FromArgMatches as _};
    use hexmate_movegen::Glinski;
    use hexmate_tablebases::Rules;
    use tempfile::tempdir;

    use super::*;

    /// Random positions are compared with what the tables say of those after each move: of no tables, nothing.
    #[test]
    fn as_many_random_positions_are_compared_as_were_asked_for() {
        let [place, empty] = [tempdir().unwrap(), tempdir().unwrap()];
        let rules = Arc::new(Rules::of(Glinski));
        let mut folder = Folder::new(Arc::clone(&rules), place.path());
        let rook = Material::parse(&rules, "KRK").unwrap();
        for plan in folder.plan(std::slice::from_ref(&rook)) {
            let stop = AtomicBool::new(false);
            folder.build(&plan, None, &stop, &|_| {}).unwrap();
        }
        let (none, _) = Tablebases::open(&rules, empty.path()).unwrap();
        for (samples, is_right) in [("0", true), ("100", false)] {
            let command = Arguments::augment_args(clap::Command::new("verify"));
            let words = ["verify", "glinski", "--samples", samples];
            let arguments = Arguments::from_arg_matches(&command.get_matches_from(words)).unwrap();
            let checked = check(Glinski, &mut folder, &none, &rook, &arguments, &|_| {});
            assert_eq!(checked.is_ok(), is_right, "{samples}: {checked:?}");
        }
    }
}
