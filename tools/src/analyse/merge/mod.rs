//! `hexmate merge`: one output of the shares of a run.
//!
//! `shares` makes sure that they are the shares of one run, each of them once and as it was written; `together` takes
//! an answer from each in turn, by `turns`; `totals` adds up what the runs did.

pub(super) mod shares;
mod together;
mod totals;
pub(super) mod turns;

use std::io::{BufWriter, IntoInnerError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::forms::{Format, grouped};
use super::output::{Destination, check_stats, is_stdout, note, refuse_compressed, write_whole};
use super::share::ShareFile;
use super::source;
use crate::exit::{Exit, told};
use crate::overwrite::Force;
use crate::progress::{self, Cleared};
use crate::roles::Roles;
use shares::Share;
use totals::Totals;

/// Merge the shares of a run of hexmate analyse into the output of the whole run.
///
/// A share is a file that analyse wrote with --shard and --output; the file NAME.share beside it tells which share of
/// which run it is. Each share of the run must be given once, in any order. The result is the output of a run without
/// --shard, byte for byte except for times. A share that is missing, given twice, changed, unfinished or of another run
/// is named, nothing is written, and the exit code is 2.
#[derive(clap::Args)]
pub struct Arguments {
    /// The shares: outputs of analyse --shard, as JSON lines, CSV, EPD or Parquet; files, or patterns like 'out.*'
    #[arg(required = true, value_name = "SHARE")]
    shares: Vec<PathBuf>,
    /// Write to this file instead of standard output; it is complete or absent
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the statistics of all shares and their sums to this file, as JSON
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Show no progress, and no summary at the end
    #[arg(long)]
    quiet: bool,
}

impl Arguments {
    /// Whether the answers go to standard output.
    pub(crate) fn prints(&self) -> bool {
        self.output().is_none()
    }

    fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_stdout(path))
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit> {
    let stats = arguments.stats.as_deref();
    if let Some(path) = arguments.output() {
        refuse_compressed(path)?;
    }
    let paths = shares::outputs(&source::files(&arguments.shares)?);
    no_file_twice(arguments, &paths)?;
    arguments.force.check("--output", arguments.output())?;
    arguments.force.check("--stats", stats)?;
    check_stats(stats, arguments.prints())?;
    let shares = match shares::of_one_run(&paths) {
        Ok(shares) => shares,
        Err(faults) => {
            for fault in &faults {
                eprintln!("hexmate: {}", told(fault));
            }
            bail!("nothing is merged");
        }
    };
    check_ending(arguments.output(), shares[0].file.run.format)?;
    merge(arguments, &shares)?;
    let totals = Totals::new(&shares);
    if let Some(path) = stats {
        let text = serde_json::to_string_pretty(&totals)? + "\n";
        write_whole(path, &text, arguments.force)?;
    }
    if !arguments.quiet {
        eprintln!(
            "hexmate: {} shares, {} positions, {} bad",
            grouped(shares.len() as u64),
            grouped(totals.records),
            grouped(totals.errors)
        );
    }
    Ok(Exit::Success)
}

/// Refuses a name whose ending says another format than that of the shares, which stays.
fn check_ending(output: Option<&Path>, format: Format) -> Result<()> {
    match output.and_then(|path| Some((path, Format::of_ending(path)?))) {
        Some((path, other)) if other != format => bail!(
            "--output {}: its ending means {}, and the shares are {}; expected another ending, or none",
            path.display(),
            other.name(),
            format.name()
        ),
        _ => Ok(()),
    }
}

fn merge(arguments: &Arguments, shares: &[Share]) -> Result<()> {
    let records = shares[0].file.run.records;
    let prints = arguments.prints() || arguments.quiet;
    let bar = Cleared(progress::bar_beside(prints, records, "positions"));
    let name = arguments.output().map_or_else(
        || "the output".to_owned(),
        |path| path.display().to_string(),
    );
    let cannot = || format!("{name}: cannot be written");
    let output = Destination::create(arguments.output(), arguments.force)?;
    let output = BufWriter::new(output);
    let output = together::write(shares, output, &bar.0)?;
    let output = output.into_inner().map_err(IntoInnerError::into_error);
    output.with_context(cannot)?.complete().with_context(cannot)
}

/// Refuses files that would be overwritten by something else.
fn no_file_twice(arguments: &Arguments, shares: &[PathBuf]) -> Result<()> {
    let mut roles = Roles::new();
    for path in shares {
        roles.input("the share", path)?;
        roles.input("the file of the share", &ShareFile::path_of(path))?;
    }
    if let Some(path) = arguments.output() {
        note(&mut roles, "--output", path)?;
    } else {
        roles.output("standard output", Path::new("/dev/stdout"))?;
    }
    if let Some(path) = &arguments.stats {
        note(&mut roles, "--stats", path)?;
    }
    Ok(())
}
