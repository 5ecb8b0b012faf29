//! An answer of each share in turn.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::iter::Peekable;

use anyhow::{Context, Result, anyhow, bail};
use csv::ByteRecord;
use indicatif::ProgressBar;
use parquet::basic::Type as Physical;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field as ParquetField, Row as ParquetRow};

use super::shares::Share;
use crate::analyse::forms::Format;
use crate::analyse::forms::parquet::{Column, Writer};
use crate::analyse::forms::row::Field;

/// The column that tells the rows of an answer apart: none or 1 in its first.
const RANK: &str = "rank";

/// Writes the answers of all shares in the order of their records; gives back the output.
///
/// # Errors
/// If a share cannot be read or has other answers than it should, or if the output cannot be written.
pub fn write<W: Write + Send>(
    shares: &[Share],
    to: BufWriter<W>,
    bar: &ProgressBar,
) -> Result<BufWriter<W>> {
    more_files(shares.len());
    match shares[0].file.run.format {
        Format::Jsonl | Format::Epd => lines(shares, to, bar),
        Format::Csv => rows_of_csv(shares, to, bar),
        Format::Parquet => rows_of_parquet(shares, to, bar),
        Format::Text => bail!("text for people is not merged"),
    }
}

/// All shares are open at once, and more of them than most shells allow may be.
fn more_files(shares: usize) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        if current.is_some_and(|current| current < shares as u64 + 64) {
            // If it cannot be had, opening the files tells.
            let _ = setrlimit(
                Resource::Nofile,
                Rlimit {
                    current: maximum,
                    maximum,
                },
            );
        }
    }
    #[cfg(not(unix))]
    let _ = shares;
}

/// The answers of a share, each of one or more pieces.
struct Answers<'s, I: Iterator> {
    share: &'s Share,
    pieces: Peekable<I>,
}

impl<'s, P, I: Iterator<Item = Result<P>>> Answers<'s, I> {
    fn new(share: &'s Share, pieces: I) -> Self {
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
fn in_turn<P, I: Iterator<Item = Result<P>>>(
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

fn open(share: &Share) -> Result<File> {
    let file = File::open(&share.path);
    file.with_context(|| format!("{}: cannot be read", share.path.display()))
}

fn lines<W: Write>(
    shares: &[Share],
    mut to: BufWriter<W>,
    bar: &ProgressBar,
) -> Result<BufWriter<W>> {
    let lines = |share| -> Result<_> {
        let lines = BufReader::new(open(share)?).split(b'\n');
        Ok(Answers::new(share, lines.map(|line| Ok(line?))))
    };
    let all = shares.iter().map(lines).collect::<Result<_>>()?;
    in_turn(
        all,
        |_: &Vec<u8>| false,
        bar,
        |answer| {
            for line in answer {
                to.write_all(&line)?;
                to.write_all(b"\n")?;
            }
            Ok(())
        },
    )?;
    Ok(to)
}

fn rows_of_csv<W: Write>(
    shares: &[Share],
    to: BufWriter<W>,
    bar: &ProgressBar,
) -> Result<BufWriter<W>> {
    let mut header: Option<ByteRecord> = None;
    let mut all = Vec::new();
    for share in shares {
        let mut reader = csv::Reader::from_reader(open(share)?);
        let name = || share.path.display().to_string();
        let own = reader.byte_headers().with_context(name)?;
        same(header.get_or_insert_with(|| own.clone()), own).with_context(name)?;
        let rows = reader.into_byte_records().map(|row| Ok(row?));
        all.push(Answers::new(share, rows));
    }
    let header = header.context("no shares")?;
    let rank = header.iter().position(|name| name == RANK.as_bytes());
    let rank = rank.context("the shares have no column 'rank'")?;
    let goes_on = |row: &ByteRecord| !matches!(row.get(rank), None | Some(b"" | b"1"));
    let mut to = csv::Writer::from_writer(to);
    to.write_byte_record(&header)?;
    in_turn(all, goes_on, bar, |answer| {
        for row in answer {
            to.write_byte_record(&row)?;
        }
        Ok(())
    })?;
    to.into_inner()
        .map_err(|error| anyhow!("{}", error.error()))
}

fn rows_of_parquet<W: Write + Send>(
    shares: &[Share],
    to: BufWriter<W>,
    bar: &ProgressBar,
) -> Result<BufWriter<W>> {
    let mut columns: Option<Vec<Column>> = None;
    let mut all = Vec::new();
    for share in shares {
        let name = || share.path.display().to_string();
        let reader = SerializedFileReader::new(open(share)?).with_context(name)?;
        let schema = reader.metadata().file_metadata().schema();
        let own: Vec<Column> = schema
            .get_fields()
            .iter()
            .map(|field| Column {
                name: field.name().to_owned(),
                is_text: field.get_physical_type() == Physical::BYTE_ARRAY,
            })
            .collect();
        same(columns.get_or_insert_with(|| own.clone()), &own).with_context(name)?;
        let rows = reader.into_iter().map(move |row| fields(&row?, &own));
        all.push(Answers::new(share, rows));
    }
    let columns = columns.context("no shares")?;
    let rank = columns.iter().position(|column| column.name == RANK);
    let rank = rank.context("the shares have no column 'rank'")?;
    let goes_on = |row: &Vec<Field>| matches!(row[rank], Field::Number(Some(2..)));
    let mut to = Writer::with_columns(to, columns)?;
    in_turn(all, goes_on, bar, |answer| to.put_rows(answer))?;
    to.end()
}

/// Makes sure that two shares have the same columns, as those of one run do.
fn same<T: PartialEq>(columns: &T, own: &T) -> Result<()> {
    match columns == own {
        true => Ok(()),
        false => bail!("has other columns than the first share"),
    }
}

fn fields(row: &ParquetRow, columns: &[Column]) -> Result<Vec<Field>> {
    let all = row.get_column_iter().zip(columns);
    let field = |((name, value), column): ((&String, &ParquetField), &Column)| match value {
        ParquetField::Null if column.is_text => Ok(Field::Text(None)),
        ParquetField::Null => Ok(Field::Number(None)),
        ParquetField::Str(text) => Ok(Field::Text(Some(text.clone()))),
        ParquetField::Long(number) => Ok(Field::Number(Some(*number))),
        other => bail!("column '{name}' has {other}; expected texts or numbers"),
    };
    all.map(field).collect()
}
