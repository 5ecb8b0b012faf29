//! `hexmate tb stats`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use hexmate_movegen::{Game, Side, with_game};
use hexmate_tablebases::{Category, Counts, Folder, Material, Survey, Table, Tablebases};
use serde_json::{Value, json};

use super::{Place, plot};
use crate::analyse::{is_stdout, write_whole};
use crate::exit::Exit;
use crate::overwrite::Force;
use crate::roles::Roles;
use crate::stdout::CANNOT_PRINT;
use crate::tables;

/// Show statistics of a table: positions by category, the longest win, mutual zugzwangs.
///
/// Symmetric positions count separately; categories are those of the side to move.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Material, like KQKR
    #[arg(value_name = "MATERIAL")]
    material: String,
    /// Print the counts as one JSON object
    #[arg(long)]
    json: bool,
    /// Write a plot of the distribution of distances as SVG to this file, beside what is printed
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Also count the draws that a side cannot convert into fewer pieces, and those among them that it
    /// holds by perpetual check
    #[arg(long, conflicts_with = "json")]
    perpetual: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    with_game!(arguments.place.game, game => stats(game, arguments))
}

fn stats<G: Game>(game: G, arguments: &Arguments) -> Result<Exit> {
    if arguments.svg.as_deref().is_some_and(is_stdout) {
        bail!("--svg -: the statistics go to standard output; expected a file for the plot");
    }
    let mut roles = Roles::new();
    let path = arguments.place.existing()?;
    for path in tables::files(&path)? {
        roles.input("--tb", &path)?;
    }
    if let Some(path) = &arguments.svg {
        roles.output("--svg", path)?;
    }
    arguments.force.check("--svg", arguments.svg.as_deref())?;
    let mut folder = arguments.place.folder()?;
    let material = Material::parse(folder.rules(), &arguments.material)?;
    let name = material.name(folder.rules());
    let table = folder.table(&material);
    // Of damaged values anything could be told.
    let table = match table.and_then(|table| table.check_sums().map(|()| table)) {
        Ok(table) => table,
        Err(fault) => {
            // What is no table is not replaced by one.
            folder.check_place(&material)?;
            let command = tables::build_command(game.spec().name, &name);
            bail!("{fault}; {command} builds it");
        }
    };
    let counts = folder.counts(&material, &table);
    let text = if arguments.json {
        let [white, black] = counts.each_ref().map(side);
        let game = game.spec().name;
        let object = json!({"game": game, "material": name, "white": white, "black": black});
        format!("{object}\n")
    } else {
        let mut text = tell(game, &mut folder, &path, &material, &counts, &table)?;
        if arguments.perpetual {
            text += &perpetual(&mut folder, &material, &table)?;
        }
        text
    };
    if let Some(path) = &arguments.svg {
        let picture = plot::svg(
            &table.header().material,
            game.spec().title,
            &Survey::of(&table),
        );
        write_whole(path, &picture, arguments.force)?;
    }
    write!(std::io::stdout(), "{text}").context(CANNOT_PRINT)?;
    Ok(Exit::Success)
}

fn side(counts: &Counts) -> Value {
    json!({
        "legal": counts.legal,
        "win": counts.win,
        "draw": counts.draw,
        "loss": counts.loss,
        "gives_stalemate": counts.gives_stalemate,
        "stalemated": counts.stalemated,
        "longest_win_plies": counts.longest_win_plies,
    })
}

fn tell<G: Game>(
    game: G,
    folder: &mut Folder,
    path: &Path,
    material: &Material,
    counts: &[Counts; 2],
    table: &Table,
) -> Result<String> {
    let rules = &Arc::clone(folder.rules());
    let name = material.name(rules);
    let mut text = format!("{name}, {}\n\n", game.spec().title);
    let _ = writeln!(
        text,
        "{:<16} {:>22} {:>22}",
        "", "White to move", "Black to move"
    );
    type Count = fn(&Counts) -> u64;
    let columns: [(&str, Count); 6] = [
        ("legal", |c| c.legal),
        ("win", |c| c.win),
        ("gives stalemate", |c| c.gives_stalemate),
        ("draw", |c| c.draw),
        ("stalemated", |c| c.stalemated),
        ("loss", |c| c.loss),
    ];
    for (word, count) in columns {
        let cell = |c: &Counts| {
            let share = 100.0 * count(c) as f64 / c.legal.max(1) as f64;
            format!("{} {share:>8.4}%", count(c))
        };
        let _ = writeln!(
            text,
            "{word:<16} {:>22} {:>22}",
            cell(&counts[0]),
            cell(&counts[1])
        );
    }
    let longest = |c: &Counts| in_plies(c.longest_win_plies);
    let _ = writeln!(
        text,
        "{:<16} {:>22} {:>22}",
        "longest win",
        longest(&counts[0]),
        longest(&counts[1])
    );
    // Examples are of the table itself, which may be another material's by symmetry.
    let own = &table.header().material;
    let survey = Survey::of(table);
    let (opened, _) = Tablebases::open(rules, path)?;
    let mut is_cut = false;
    for side in Side::BOTH {
        let Some((plies, place)) = survey.longest[side as usize] else {
            continue;
        };
        let position = table.position(game, rules, place)?;
        let line = opened.line(&position, usize::from(plies));
        is_cut |= line.len() < usize::from(plies);
        let line: Vec<String> = line.into_iter().map(|mv| mv.text(game)).collect();
        let _ = writeln!(
            text,
            "\n{own}, {side:?} wins in {}: {position}",
            in_plies(plies)
        );
        let _ = writeln!(text, "{}", line.join(" "));
    }
    for damage in tables::new_damage(&opened) {
        eprintln!("hexmate: {damage}");
    }
    if is_cut {
        let mut needs = material.with_needs(rules);
        needs.retain(|need| folder.table(need).is_err());
        let needs: Vec<String> = needs.iter().map(|need| need.name(rules)).collect();
        if !needs.is_empty() {
            eprintln!(
                "hexmate: the longest win is cut short, for lack of tables that can be used: {}; {} builds them",
                needs.join(", "),
                tables::build_command(game.spec().name, &name)
            );
        }
    }
    let all: u64 = survey.zugzwangs.values().map(|z| z.count).sum();
    let _ = writeln!(text, "\nmutual zugzwangs: {all}");
    for (&(moving, waiting), found) in &survey.zugzwangs {
        let position = table.position(game, rules, found.example)?;
        let _ = writeln!(
            text,
            "{:>12}  White to move: {}, Black to move: {} for White, as {position}",
            found.count,
            word(moving),
            word(waiting),
        );
    }
    Ok(text)
}

fn perpetual(folder: &mut Folder, material: &Material, table: &Table) -> Result<String> {
    let mut text = String::new();
    let legal: u64 = table.header().counts.iter().map(|c| c.legal).sum();
    for defender in Side::BOTH {
        let Some(held) = folder.held(material, defender)? else {
            return Ok(
                "\nperpetual checks are not counted where pawns may be captured en passant\n"
                    .to_owned(),
            );
        };
        let share = |[white, black]: [u64; 2]| {
            let share = 100.0 * (white + black) as f64 / legal as f64;
            format!("{white} with White to move, {black} with Black to move, {share:.4}% of all")
        };
        let _ = writeln!(
            text,
            "\n{}, draws that {defender:?} cannot convert into fewer pieces: {}\n  held by perpetual check: {}",
            table.header().material,
            share(held.lasting),
            share(held.perpetual),
        );
    }
    Ok(text)
}

fn in_plies(plies: u16) -> String {
    match plies {
        1 => "1 ply".to_owned(),
        n => format!("{n} plies"),
    }
}

fn word(category: Category) -> &'static str {
    category.name()
}

#[cfg(test)]
mod tests {
    use super::in_plies;

    #[test]
    fn one_ply_is_no_plies() {
        assert_eq!([0, 1, 2].map(in_plies), ["0 plies", "1 ply", "2 plies"]);
    }
}
