//! Shares of Parquet, merged.

use std::io::{BufWriter, Write};

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use parquet::basic::Type as Physical;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field as ParquetField, Row as ParquetRow};

use super::writer::{Column, Writer};
use crate::analyse::forms::row::Field;
use crate::analyse::merge::shares::Share;
use crate::analyse::merge::turns::{Answers, RANK, in_turn, open, same};

/// Writes the rows of all shares in the order of their records; gives back the output.
///
/// # Errors
/// If a share cannot be read or has other answers than it should, or if the output cannot be written.
pub fn merged<W: Write + Send>(
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
