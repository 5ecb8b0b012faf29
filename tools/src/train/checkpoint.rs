//! What a training run needs to go on after an interruption as if there had been none.
//!
//! A file is the magic word, the terms (what must be equal for the run to be continued), the epochs done, the losses
//! of each, the steps, and the parameters with both moments, all little-endian; a checksum ends it.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use hexmate_training::model::{Model, Shape};
use twox_hash::XxHash3_64;

use crate::analyse::Destination;
use crate::overwrite::Force;

const MAGIC: &[u8; 8] = b"HEXMTRN1";

/// The losses of an epoch: of training, and of held-out positions of the data and of the anchor.
pub type Losses = [f64; 3];

/// A run after some epochs.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// The arguments and a hash of the data.
    pub terms: String,
    /// The losses of each epoch that was finished; the first is before any.
    pub losses: Vec<Losses>,
    pub model: Model,
}

impl Checkpoint {
    /// Writes a file in place of the old one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut out = MAGIC.to_vec();
        out.extend((self.terms.len() as u32).to_le_bytes());
        out.extend(self.terms.as_bytes());
        out.extend((self.losses.len() as u32).to_le_bytes());
        out.extend(self.losses.iter().flatten().flat_map(|l| l.to_le_bytes()));
        out.extend(self.model.steps.to_le_bytes());
        let [first, second] = &self.model.moments;
        let values = self.model.values.iter().chain(first).chain(second);
        out.extend(values.flat_map(|v| v.to_le_bytes()));
        out.extend(XxHash3_64::oneshot(&out).to_le_bytes());
        write_bytes(path, &out)
    }

    /// Reads the file of a run with the same terms; `None` if there is no file.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is of a run with other terms.
    pub fn read(path: &Path, terms: &str, shape: Shape) -> Result<Option<Self>> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes.with_context(|| path.display().to_string())?,
        };
        let path = path.display();
        let Some((found, checkpoint)) = parse(&bytes, shape) else {
            bail!("{path}: this is no checkpoint of `hexmate train`, or it is damaged");
        };
        if found != terms {
            bail!("{path}: a checkpoint of\n  {found}\nand not of\n  {terms}");
        }
        match checkpoint {
            Some(checkpoint) => Ok(Some(checkpoint)),
            None => bail!("{path}: the checkpoint is of a network of another size"),
        }
    }
}

/// The terms, and all the rest if it is of a network of this shape.
fn parse(bytes: &[u8], shape: Shape) -> Option<(String, Option<Checkpoint>)> {
    let (content, check) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
    if XxHash3_64::oneshot(content).to_le_bytes() != check {
        return None;
    }
    let mut rest = content.strip_prefix(MAGIC)?;
    let mut take = |count: usize| {
        let (taken, after) = rest.split_at_checked(count)?;
        rest = after;
        Some(taken)
    };
    let number = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize);
    let wide = |bytes: &[u8]| Some(u64::from_le_bytes(bytes.try_into().ok()?));
    let length = number(take(4)?)?;
    let terms = String::from_utf8(take(length)?.to_vec()).ok()?;
    let epochs = number(take(4)?)?;
    let mut losses = Vec::new();
    for _ in 0..epochs {
        let mut of_epoch = Losses::default();
        for loss in &mut of_epoch {
            *loss = f64::from_bits(wide(take(8)?)?);
        }
        losses.push(of_epoch);
    }
    let steps = wide(take(8)?)?;
    let length = shape.len();
    if rest.len() != 12 * length {
        return Some((terms, None));
    }
    let values: Vec<f32> = (rest.chunks_exact(4))
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    let part = |i: usize| values[i * length..(i + 1) * length].to_vec();
    let model = Model::with_moments(shape, part(0), [part(1), part(2)], steps);
    Some((
        terms.clone(),
        Some(Checkpoint {
            terms,
            losses,
            model,
        }),
    ))
}

/// Writes a whole file beside the old one and then in its place, so that there is always one that is whole.
///
/// # Errors
/// If it cannot be written.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = Destination::create(Some(path), Force::OWN)?;
    file.write_all(bytes)
        .with_context(|| format!("{}: cannot be written", path.display()))?;
    file.complete()
}
