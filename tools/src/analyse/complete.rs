//! Whether an output that is there already is that of this run. `--resume` leaves it alone then: that makes a share
//! that is started twice harmless.
//!
//! Nobody wants to wait for that, so no input is read to its end. What the share file says is compared, and the first
//! answer with the first record. Of an output without a share file it is not known by which options it was made.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use anyhow::{Context, Error, Result, bail};
use hexmate_movegen::with_game;
use indicatif::ProgressBar;
use serde_json::Value;

use super::answer::Answer;
use super::forms::{Format, text_of};
use super::item::{Body, Item};
use super::options::Arguments;
use super::records::{Records, Selection};
use super::request::Request;
use super::share::{RunIdentity, ShareFile};
use super::source::{PARQUET, Source};
use crate::terms;

/// No answer is longer.
const MOST_BYTES: u64 = 1 << 24;

/// Why a file is not the output of this run. It stays as it is.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum OtherOutput {
    #[error("its first line is no answer in the format {0}")]
    NoAnswers(&'static str),
    #[error("it is share {found}; expected {expected}")]
    Share { found: String, expected: String },
    #[error("it has no share file {0}, which is written before it")]
    NoShareFile(String),
    #[error("it has {found} bytes; expected {expected}, as its share file says")]
    Length { found: u64, expected: u64 },
    #[error("it is in the format {found}; expected {expected}")]
    Format {
        found: &'static str,
        expected: &'static str,
    },
    #[error("it is of another run: {0}")]
    Terms(terms::TermsError),
    #[error("its first answer is that to {found}; expected {expected}")]
    Record { found: String, expected: String },
}

/// Whether the output, which exists, is complete. An empty file is not: nothing is lost if it is written. To overwrite
/// another file, `--force` is needed `beside` or `in place of` `--resume`.
///
/// # Errors
/// If an input is missing, or the file is something else, which must not be taken for the answers of this run.
pub fn is_complete(
    arguments: &Arguments,
    sources: &[Source],
    output: &Path,
    force_is: &str,
) -> Result<bool> {
    for path in sources.iter().filter_map(|source| source.path.as_deref()) {
        fs::metadata(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    }
    let checked = check(arguments, sources, output);
    checked.map_err(|error| match error.is::<OtherOutput>() {
        true => Error::msg(format!(
            "{}: {error}; it is left as it is; give another --output, or --force {force_is} --resume to overwrite it",
            output.display()
        )),
        false => error,
    })
}

fn check(arguments: &Arguments, sources: &[Source], output: &Path) -> Result<bool> {
    let bytes = fs::metadata(output)?.len();
    let beside = ShareFile::path_of(output);
    match arguments.shard() {
        Some(share) if beside.exists() => check_share(arguments, share, &beside, bytes)?,
        _ if bytes == 0 => return Ok(false),
        Some(_) => bail!(OtherOutput::NoShareFile(beside.display().to_string())),
        None => {
            if let Ok(ShareFile { share, of, .. }) = ShareFile::read(&beside) {
                bail!(OtherOutput::Share {
                    found: format!("{share}/{of}"),
                    expected: "all of a run".to_owned(),
                });
            }
        }
    }
    if bytes > 0 {
        let cannot = || format!("{}: cannot be read", output.display());
        let file = File::open(output).with_context(cannot)?;
        if let Some(answer) = first_answer(file, arguments.format())? {
            check_first(arguments.selection(), sources, &answer)?;
        }
    }
    Ok(true)
}

/// Compares what the share file says.
fn check_share(
    arguments: &Arguments,
    (share, of): (u64, u64),
    path: &Path,
    bytes: u64,
) -> Result<()> {
    let file = ShareFile::read(path)?;
    if (file.share, file.of) != (share, of) {
        bail!(OtherOutput::Share {
            found: format!("{}/{}", file.share, file.of),
            expected: format!("{share}/{of}"),
        });
    }
    if file.run.format != arguments.format() {
        bail!(OtherOutput::Format {
            found: file.run.format.name(),
            expected: arguments.format().name(),
        });
    }
    if file.output.bytes != bytes {
        bail!(OtherOutput::Length {
            found: bytes,
            expected: file.output.bytes,
        });
    }
    let own = RunIdentity::terms_of(super::terms(arguments, &arguments.settings()?));
    terms::compare(&file.run.terms, &own).map_err(OtherOutput::Terms)?;
    Ok(())
}

/// The first answer, if the format has it whole.
fn first_answer(mut file: File, format: Format) -> Result<Option<Answer>> {
    let no_answers = || OtherOutput::NoAnswers(format.name());
    if format == Format::Parquet {
        let (mut first, mut last) = ([0; PARQUET.len()], [0; PARQUET.len()]);
        let read = file
            .read_exact(&mut first)
            .and_then(|()| file.seek(SeekFrom::End(-(PARQUET.len() as i64))))
            .and_then(|_| file.read_exact(&mut last));
        if read.is_err() || [first, last] != [PARQUET; 2] {
            bail!(no_answers());
        }
        return Ok(None);
    }
    let mut line = Vec::new();
    let mut file = BufReader::new(file.take(MOST_BYTES));
    file.read_until(b'\n', &mut line)?;
    let line = str::from_utf8(&line).map_err(|_| no_answers())?;
    let is_one = match format {
        Format::Jsonl => return Ok(Some(Answer::of_json(line).map_err(|_| no_answers())?)),
        Format::Csv => line.starts_with("id,game,fen,status,"),
        Format::Epd => line.starts_with("# error: ") || line.contains("; id \""),
        Format::Text | Format::Parquet => true,
    };
    match is_one {
        true => Ok(None),
        false => bail!(no_answers()),
    }
}

/// Compares the first answer with the first record. Standard input cannot be read twice.
fn check_first(selection: Selection, sources: &[Source], answer: &Answer) -> Result<()> {
    let is_file = |source: &Source| source.path.as_deref().is_some_and(Path::is_file);
    if !sources.iter().all(|s| s.text.is_some() || is_file(s)) {
        return Ok(());
    }
    let letters = selection.letters.clone();
    let names = selection.names.clone();
    let mut records = Records::new(sources.to_vec(), selection, ProgressBar::hidden())?;
    let (found, of_answer) = match answer {
        Answer::Analysis(analysis) => (&analysis.id, Some(&analysis.fen)),
        Answer::Error(fault) => (&fault.id, None),
    };
    let name = |id: &Value| format!("record {}", text_of(id));
    let Some(item) = records.next_item()? else {
        bail!(OtherOutput::Record {
            found: name(found),
            expected: "none, as the input has no records".to_owned(),
        });
    };
    let request = request_of(&item);
    let expected = request.as_ref().map_or_else(|id| id, |request| &request.id);
    if found != expected {
        bail!(OtherOutput::Record {
            found: name(found),
            expected: name(expected),
        });
    }
    let position = request.as_ref().ok().and_then(|request| {
        let game = request.game(&names, item.game).ok()?;
        with_game!(game, game => request.record(game, &letters).ok().map(|r| r.position().to_string()))
    });
    match (of_answer, position) {
        (Some(found), Some(expected)) if *found != expected => bail!(OtherOutput::Record {
            found: found.clone(),
            expected,
        }),
        _ => Ok(()),
    }
}

/// The request of a record, or else the id that names it.
fn request_of(item: &Item) -> Result<Request, Value> {
    let unnamed = item.origin.unnamed();
    match &item.body {
        Body::Request(request) => Ok((**request).clone()),
        Body::Text(text) => Request::parse(text, &unnamed).map_err(|(label, _)| label.id),
        Body::Fault { label, .. } => Err(label.as_ref().map_or(unnamed, |label| label.id.clone())),
    }
}
