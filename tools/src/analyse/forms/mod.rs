//! The formats of answers.

mod epd;
pub mod row;
mod text;

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::parquet;
pub use row::RunHeader;
pub use row::text_of;
use row::{Header, Row};
pub use text::{Style, grouped, so_far};

/// A format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A JSON object for each record
    #[default]
    Jsonl,
    /// Comma-separated values: a row for each record, or for each line of --multipv
    Csv,
    /// Position texts with operations: bm, ce or dm, acd, acn, pv
    Epd,
    /// A Parquet file with the columns of csv
    Parquet,
    /// For people: best move, score in words, line
    Text,
}

impl Format {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            Format::Epd => "epd",
            Format::Parquet => "parquet",
            Format::Text => "text",
        }
    }

    /// The format that the name of a file ends with.
    pub fn of_ending(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" | "json" => Some(Format::Jsonl),
            "csv" => Some(Format::Csv),
            "epd" => Some(Format::Epd),
            "parquet" => Some(Format::Parquet),
            "txt" => Some(Format::Text),
            _ => None,
        }
    }
}

/// An output in some format.
pub enum Form<W: Write + Send> {
    /// See [`Format::Jsonl`].
    Jsonl(BufWriter<W>),
    /// See [`Format::Csv`]. The header is written with the first answer.
    Csv(Box<csv::Writer<W>>, RunHeader, Option<Header>),
    /// See [`Format::Epd`].
    Epd(BufWriter<W>),
    /// See [`Format::Parquet`].
    Parquet(Box<parquet::Writer<W>>),
    /// See [`Format::Text`]. The heading is written with the first answer.
    Text(BufWriter<W>, Style, bool),
}

impl<W: Write + Send> Form<W> {
    /// Starts an output; `header` is known by the first answer.
    ///
    /// # Errors
    /// If this program cannot write the format.
    pub fn begin(format: Format, style: Style, header: RunHeader, to: W) -> Result<Self> {
        Ok(match format {
            Format::Jsonl => Form::Jsonl(BufWriter::new(to)),
            Format::Epd => Form::Epd(BufWriter::new(to)),
            Format::Csv => Form::Csv(Box::new(csv::Writer::from_writer(to)), header, None),
            Format::Parquet => Form::Parquet(Box::new(parquet::Writer::new(to, header)?)),
            Format::Text => Form::Text(BufWriter::new(to), style, false),
        })
    }

    /// Writes an answer; `json` is the same as a line.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn put(&mut self, answer: &Answer, json: &str) -> Result<()> {
        match self {
            Form::Jsonl(to) => writeln!(to, "{json}")?,
            Form::Epd(to) => writeln!(to, "{}", epd::line(answer))?,
            Form::Csv(to, run, header) => {
                let header = match header {
                    Some(header) => header,
                    None => {
                        let header = header.insert(run.get());
                        to.write_record(header.names())?;
                        header
                    }
                };
                for row in Row::of(answer) {
                    to.write_record(row.texts(header))?;
                }
            }
            Form::Parquet(to) => to.put(answer)?,
            Form::Text(to, style, begun) => {
                if !std::mem::replace(begun, true) {
                    write!(to, "{}", text::heading(*style))?;
                }
                write!(to, "{}", text::text(answer, *style))?;
            }
        }
        Ok(())
    }

    /// Flushes what can be flushed.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        match self {
            Form::Jsonl(to) | Form::Epd(to) | Form::Text(to, ..) => to.flush()?,
            Form::Csv(to, ..) => to.flush()?,
            // Groups of rows are written when they are full.
            Form::Parquet(_) => {}
        }
        Ok(())
    }

    /// Ends the output, and returns what it was written to.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn end(self) -> Result<W> {
        match self {
            Form::Jsonl(to) | Form::Epd(to) | Form::Text(to, ..) => {
                to.into_inner().map_err(|e| e.into_error().into())
            }
            Form::Csv(mut to, run, header) => {
                if header.is_none() {
                    to.write_record(run.get().names())?;
                }
                to.into_inner().map_err(|e| anyhow!("{}", e.error()))
            }
            Form::Parquet(to) => to.end(),
        }
    }
}
