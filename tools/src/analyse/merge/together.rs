//! An answer of each share in turn.

use std::io::{BufRead, BufReader, BufWriter, Write};

use anyhow::{Context, Result, anyhow, bail};
use csv::ByteRecord;
use indicatif::ProgressBar;

use super::shares::Share;
use super::turns::{Answers, RANK, in_turn, open, same};
use crate::analyse::forms::Format;
use crate::analyse::parquet;

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
        Format::Parquet => parquet::merged(shares, to, bar),
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
