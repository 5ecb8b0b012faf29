//! `hexmate tb build`.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use hexmate_tablebases::{BuildError, Material, Plan, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget};

use super::{Place, materials};
use crate::exit::Exit;
use crate::interrupt::interrupted;
use crate::overwrite::check_folder;
use crate::progress::{self, Cleared};
use crate::stdout::{CANNOT_PRINT, unless_closed};
use crate::threads;

/// Build endgame tables, and those they depend on.
///
/// Existing tables are kept; one that was built for other rules of the same name is in the way. Memory and disk space are reported first. After an interruption the same
/// command continues with the first unfinished table.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Material, like KQKR
    #[arg(value_name = "MATERIAL", required_unless_present = "men")]
    materials: Vec<String>,
    /// All material with up to N pieces, including kings and pawns
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=6))]
    men: Option<u8>,
    /// With --men, only material without pawns
    #[arg(long, requires = "men")]
    pawnless: bool,
    /// Use at most this many megabytes of memory
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    memory: Option<u32>,
    /// Threads [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Only report what would be built and what it would take
    #[arg(long)]
    dry_run: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let begun = threads::begin(arguments.threads.unwrap_or(0).into());
    begun.context("--threads")?;
    let mut folder = arguments.place.folder()?;
    let rules = Arc::clone(folder.rules());
    check_folder(&arguments.place.path()?.join(rules.name())).context("--tb")?;
    let mut wanted = materials(&rules, &arguments.materials)?;
    for men in 3..=arguments.men.unwrap_or(0).into() {
        let mut all = Material::all(&rules, men);
        all.retain(|m| !arguments.pawnless || !m.has_pawns());
        wanted.extend(all);
    }
    let plans = folder.plan(&wanted);
    let bound = arguments.memory.map(|mb| u64::from(mb) << 20);
    let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let sum = |of: fn(&Plan) -> u64| plans.iter().map(of).sum::<u64>();
    // Better now than after hours.
    let large = plans.iter().find(|p| bound.is_some_and(|b| p.memory > b));
    if let Some(plan) = large.filter(|_| !arguments.dry_run) {
        bail!(BuildError::Memory {
            material: plan.material.name(&rules),
            needed: megabytes(plan.memory),
            bound: arguments.memory.unwrap_or(0).into(),
        });
    }
    for plan in &plans {
        folder.check_place(&plan.material)?;
    }
    let mut out = std::io::stdout();
    let told = writeln!(
        out,
        "{} of {}: {} positions; memory {} MB; disk {} MB at most",
        count(plans.len()),
        rules.name(),
        sum(|p| p.positions),
        megabytes(plans.iter().map(|p| p.memory).max().unwrap_or(0)),
        megabytes(sum(|p| p.disk)),
    );
    unless_closed(told).context(CANNOT_PRINT)?;
    if arguments.dry_run {
        for plan in &plans {
            writeln!(
                out,
                "{:<8} {:>13} positions, memory {:>6} MB, disk {:>6} MB at most",
                plan.material.name(&rules),
                plan.positions,
                megabytes(plan.memory),
                megabytes(plan.disk)
            )
            .context(CANNOT_PRINT)?;
        }
        return Ok(Exit::Success);
    }
    let stop = interrupted()?;
    let positions = sum(|p| p.positions);
    let bar = ProgressBar::with_draw_target(Some(positions), ProgressDrawTarget::hidden());
    let template = "{bar:30} {percent}% of the positions  {msg}  {elapsed} elapsed";
    let cleared = Cleared(progress::later(bar, template));
    let bar = &cleared.0;
    for (i, plan) in plans.iter().enumerate() {
        let name = plan.material.name(&rules);
        let begin = Instant::now();
        let place = format!("{name} ({} of {})", i + 1, plans.len());
        let tell = |progress: Progress| {
            bar.set_message(match progress {
                Progress::Start => format!("{place}: valid positions"),
                Progress::Mates(plies) => format!("{place}: mates in {plies} plies"),
                Progress::Stalemates(plies) => format!("{place}: stalemates in {plies} plies"),
            });
        };
        let table = match folder.build(plan, bound, &stop, &tell) {
            Err(BuildError::Stopped) => {
                bar.finish_and_clear();
                eprintln!("hexmate: interrupted; the same command goes on with {name}");
                return Ok(Exit::Interrupted);
            }
            built => built?,
        };
        bar.inc(plan.positions);
        let told = bar.suspend(|| {
            writeln!(
                out,
                "{name:<8} {:>13} positions {:>8.1} s {:>12} bytes",
                plan.positions,
                begin.elapsed().as_secs_f64(),
                table.bytes()
            )
        });
        unless_closed(told).context(CANNOT_PRINT)?;
    }
    Ok(Exit::Success)
}

fn count(tables: usize) -> String {
    match tables {
        0 => "nothing to build".to_owned(),
        1 => "1 table".to_owned(),
        n => format!("{n} tables"),
    }
}
