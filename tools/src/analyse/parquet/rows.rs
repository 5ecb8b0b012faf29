//! Rows of a Parquet file.

use std::collections::HashSet;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, Result, anyhow, bail};
use parquet::basic::{Compression, ConvertedType};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use parquet::schema::types::TypePtr;
use serde_json::Value;

use super::Row;
use super::cells::value;
use crate::analyse::table::Columns;

/// The rows of a file that have not been read yet.
pub struct Rows {
    columns: Columns,
    rows: RowIter<'static>,
    /// The types of the columns.
    kinds: Vec<TypePtr>,
    /// How many were read, and how many there are.
    read: u64,
    count: u64,
}

impl Rows {
    /// Opens a file.
    ///
    /// # Errors
    /// If it is not Parquet, is compressed in a way that cannot be read, has columns that cannot be read or told apart,
    /// or none with positions or games.
    pub fn open(file: File) -> Result<Rows> {
        let begin = || -> Result<Rows> {
            let reader = SerializedFileReader::new(file).context("not a Parquet file")?;
            let metadata = reader.metadata();
            let groups = metadata.row_groups().iter();
            for column in groups.flat_map(RowGroupMetaData::columns) {
                match column.compression() {
                    Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) => {}
                    other => bail!(
                        "column '{}' is compressed with {other}; expected SNAPPY, GZIP or none; in polars: \
                         write_parquet(…, compression=\"snappy\")",
                        column.column_path().string()
                    ),
                }
            }
            let mut paths = HashSet::new();
            for column in metadata.file_metadata().schema_descr().columns() {
                let name = column.path().string();
                if column.converted_type() == ConvertedType::INTERVAL {
                    bail!(
                        "column '{name}' is of type INTERVAL, which cannot be read; leave it out"
                    );
                }
                // The library finds columns by their names.
                if !paths.insert(column.path()) {
                    bail!("two columns are named '{name}'; expected another name for each");
                }
            }
            let count = metadata.file_metadata().num_rows();
            let schema = metadata.file_metadata().schema();
            let names: Vec<String> = schema
                .get_fields()
                .iter()
                .map(|field| field.name().to_owned())
                .collect();
            Ok(Rows {
                kinds: schema.get_fields().to_vec(),
                columns: Columns::new(names.iter().map(String::as_str))?,
                rows: reader.into_iter(),
                read: 0,
                count: u64::try_from(count).unwrap_or(0),
            })
        };
        unbroken(begin)
    }

    /// How many rows were read.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// The share of the rows that were read.
    pub fn share(&self) -> f64 {
        self.read as f64 / self.count.max(1) as f64
    }

    /// The next row, `None` at the end; `unnamed` gives the id of the row with a number, from 1.
    ///
    /// # Errors
    /// If the file cannot be read further.
    pub fn next_row(&mut self, unnamed: impl Fn(u64) -> Value) -> Result<Option<Row>> {
        let rows = &mut self.rows;
        let Some(row) = unbroken(|| Ok(rows.next().transpose()?))? else {
            return Ok(None);
        };
        self.read += 1;
        let cells = row.get_column_iter().zip(&self.kinds);
        let cells = cells.map(|((_, field), kind)| value(field, Some(&**kind)));
        let request = self.columns.request(cells, &unnamed(self.read));
        Ok(Some((self.read, request)))
    }
}

/// The library may panic on a damaged file.
fn unbroken<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(anyhow!("the file is damaged")))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use serde_json::json;

    use super::*;

    /// A file without rows.
    fn empty(columns: &str) -> File {
        let schema = parse_message_type(&format!("message m {{ {columns} }}")).unwrap();
        let file = tempfile::tempfile().unwrap();
        let to = file.try_clone().unwrap();
        let writer = SerializedFileWriter::new(to, Arc::new(schema), Arc::default()).unwrap();
        writer.close().unwrap();
        file
    }

    #[test]
    fn columns_that_cannot_be_read_or_told_apart_are_named() {
        for (columns, says) in [
            (
                "required binary moves (UTF8); required fixed_len_byte_array(12) think (INTERVAL);",
                "column 'think' is of type INTERVAL",
            ),
            (
                "required binary moves (UTF8); required binary moves (UTF8);",
                "two columns are named 'moves'",
            ),
            (
                "required binary moves (UTF8); required group s { required int32 a; required int32 a; }",
                "two columns are named 's.a'",
            ),
            (
                "required binary id (UTF8);",
                "no column \"fen\" or \"moves\" in 'id'",
            ),
        ] {
            let error = Rows::open(empty(columns)).err().expect(says).to_string();
            assert!(error.starts_with(says), "{error}");
        }
        let known = "required binary moves (UTF8); required group s { required int32 moves; }";
        assert!(Rows::open(empty(known)).is_ok());
    }

    #[test]
    fn moments_have_a_time_zone_only_where_the_column_has_one() {
        let schema = parse_message_type(
            "message m { required binary fen (UTF8); required int64 here (TIMESTAMP(MICROS,false));
             required int64 utc (TIMESTAMP(MICROS,true));
             required group s { required int64 here (TIMESTAMP(MICROS,false)); } }",
        );
        let file = tempfile::tempfile().unwrap();
        let to = file.try_clone().unwrap();
        let mut writer =
            SerializedFileWriter::new(to, Arc::new(schema.unwrap()), Arc::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let texts = [ByteArray::from("8/8")];
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<ByteArrayType>()
            .write_batch(&texts, None, None)
            .unwrap();
        column.close().unwrap();
        while let Some(mut column) = group.next_column().unwrap() {
            column
                .typed::<Int64Type>()
                .write_batch(&[0], None, None)
                .unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        let mut rows = Rows::open(file).unwrap();
        let (_, request) = rows.next_row(Into::into).unwrap().unwrap();
        let fields = request.unwrap().fields;
        assert_eq!(
            fields.get("here"),
            Some(&json!("1970-01-01 00:00:00.000000"))
        );
        assert_eq!(
            fields.get("utc"),
            Some(&json!("1970-01-01 00:00:00.000000 +00:00"))
        );
        let within = json!({"here": "1970-01-01 00:00:00.000000"});
        assert_eq!(fields.get("s"), Some(&within));
    }
}
