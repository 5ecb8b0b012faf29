//! The file beside the output of a share: which share of which run it is. `hexmate merge` goes by it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::forms::Format;
use super::output::{Sum, write_whole};
use super::records::Whole;
use super::stats::Figures;
use crate::overwrite::Force;
use crate::terms::Terms;
use crate::whole;

const LAYOUT: u32 = 1;

/// The ending that the output's name gets.
const ENDING: &str = ".share";

/// The content of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ShareFile {
    /// Its layout, which also tells what the file is.
    hexmate_share: u32,
    /// Which share, from 1.
    pub share: u64,
    /// Of how many.
    pub of: u64,
    /// The run.
    pub run: RunIdentity,
    /// The output.
    pub output: OutputIdentity,
    /// What the process did that completed it.
    pub stats: Figures,
}

/// What all shares of a run have in common.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunIdentity {
    /// The format of the output.
    pub format: Format,
    /// How many records the whole input has.
    pub records: u64,
    /// The hash of all of them.
    pub input: String,
    /// All that decides answers beside the records.
    pub terms: Terms,
}

/// By what an output is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OutputIdentity {
    /// Its length.
    pub bytes: u64,
    /// Its hash.
    pub hash: String,
}

impl From<&Sum> for OutputIdentity {
    fn from(sum: &Sum) -> Self {
        OutputIdentity {
            bytes: sum.bytes(),
            hash: format!("{:016x}", sum.hash()),
        }
    }
}

impl RunIdentity {
    /// The run of these terms over these records.
    pub fn new(format: Format, whole: Whole, terms: Terms) -> RunIdentity {
        RunIdentity {
            format,
            records: whole.records,
            input: format!("{:016x}", whole.hash),
            terms: Self::terms_of(terms),
        }
    }

    /// The terms of the whole run: without what shares differ in.
    pub fn terms_of(mut terms: Terms) -> Terms {
        terms.remove("--shard");
        terms
    }
}

impl ShareFile {
    /// What is to be told of a share.
    pub fn new((share, of): (u64, u64), run: RunIdentity, sum: &Sum, stats: Figures) -> ShareFile {
        ShareFile {
            hexmate_share: LAYOUT,
            share,
            of,
            run,
            output: sum.into(),
            stats,
        }
    }

    /// The name of the file beside this output.
    pub fn path_of(output: &Path) -> PathBuf {
        let mut name = output.as_os_str().to_owned();
        name.push(ENDING);
        name.into()
    }

    /// The output, if this is the name of a file beside one.
    pub fn output_of(path: &Path) -> Option<PathBuf> {
        path.to_str()?.strip_suffix(ENDING).map(PathBuf::from)
    }

    /// Whether the file of this name is such a file, of any share.
    pub fn is_one(path: &Path) -> bool {
        Self::read(path).is_ok()
    }

    /// Reads the file of this name.
    ///
    /// # Errors
    /// If it cannot be read, or is something else.
    pub fn read(path: &Path) -> Result<ShareFile> {
        let name = || path.display().to_string();
        let text = whole::text(path).with_context(name)?;
        let share: ShareFile = serde_json::from_str(&text)
            .context("is not a share file of hexmate analyse")
            .with_context(name)?;
        if share.hexmate_share != LAYOUT {
            bail!(
                "{}: is a share file of another version of hexmate",
                path.display()
            );
        }
        if !(1..=share.of).contains(&share.share) {
            bail!(
                "{}: is share {}/{}; expected a share from 1 to their number",
                path.display(),
                share.share,
                share.of
            );
        }
        Ok(share)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written, or has appeared and must stay.
    pub fn write(&self, path: &Path, force: Force) -> Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        write_whole(path, &(text + "\n"), force)
    }
}
