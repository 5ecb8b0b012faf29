//! The answers of shares, one of each in turn.

use std::fs::File;
use std::iter::Peekable;

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;

use super::shares::Share;

/// The answers of a share, each of one or more pieces.
pub struct Answers<'s, I: Iterator> {
    share: &'s Share,
    pieces: Peekable<I>,
}

impl<'s, P, I: Iterator<Item = Result<P>>> Answers<'s, I> {
    /// Those of this share.
    pub fn new(share: &'s Share, pieces: I) -> Self {
        let pieces = pieces.peekable();
        Answers { share, pieces }
    }

    /// The pieces of the next answer: the next one, and those after it that go on with it.
    fn next(&mut self, goes_on: impl Fn(&P) -> bool) -> Result<Vec<P>> {
        let share = self.share;
        let name = || share.path.display().to_string();
        let first = self.pieces.next().context("ends too early");
        let first = first.with_context(name)?.with_context(name)?;
        let mut answer = vec![first];
        let more = |piece: &Result<P>| piece.as_ref().is_ok_and(&goes_on);
        while let Some(piece) = self.pieces.next_if(more) {
            answer.push(piece?);
        }
        Ok(answer)
    }
}

/// Takes an answer from each share in turn.
///
/// # Errors
/// If a share ends too early or too late, or the answer cannot be put.
pub fn in_turn<P, I: Iterator<Item = Result<P>>>(
    mut all: Vec<Answers<'_, I>>,
    goes_on: impl Fn(&P) -> bool,
    bar: &ProgressBar,
    mut put: impl FnMut(Vec<P>) -> Result<()>,
) -> Result<()> {
    let records = all[0].share.file.run.records;
    let shares = all.len() as u64;
    for record in 0..records {
        let from = &mut all[(record % shares) as usize];
        put(from.next(&goes_on)?).context("the output cannot be written")?;
        bar.inc(1);
    }
    for Answers { share, pieces } in &mut all {
        if pieces.peek().is_some() {
            bail!("{}: has too many answers", share.path.display());
        }
    }
    Ok(())
}

/// Opens a share.
///
/// # Errors
/// If it cannot be read.
pub fn open(share: &Share) -> Result<File> {
    let file = File::open(&share.path);
    file.with_context(|| format!("{}: cannot be read", share.path.display()))
}

/// The column that tells the rows of an answer apart: none or 1 in its first.
pub const RANK: &str = "rank";

/// Makes sure that two shares have the same columns, as those of one run do.
///
/// # Errors
/// If they have not.
pub fn same<T: PartialEq>(columns: &T, own: &T) -> Result<()> {
    match columns == own {
        true => Ok(()),
        false => bail!("has other columns than the first share"),
    }
}
