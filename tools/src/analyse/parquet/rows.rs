//! Rows of a Parquet file.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, Result, anyhow, bail};
use parquet::basic::{Compression, LogicalType};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row as ParquetRow};
use parquet::schema::types::Type;
use serde_json::{Value, json};

use super::Row;
use crate::analyse::table::Columns;

/// The rows of a file that have not been read yet.
pub struct Rows {
    columns: Columns,
    rows: RowIter<'static>,
    /// Which columns hold moments without a time zone.
    local: Vec<bool>,
    /// How many were read, and how many there are.
    read: u64,
    count: u64,
}

impl Rows {
    /// Opens a file.
    ///
    /// # Errors
    /// If it is not Parquet, is compressed in a way that cannot be read, or has no column with positions or games.
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
            let count = metadata.file_metadata().num_rows();
            let schema = metadata.file_metadata().schema();
            let names: Vec<String> = schema
                .get_fields()
                .iter()
                .map(|field| field.name().to_owned())
                .collect();
            let columns = schema.get_fields().iter();
            Ok(Rows {
                local: columns.map(|column| is_local(column)).collect(),
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
        let cells = row.get_column_iter().zip(&self.local);
        let cells = cells.map(|((_, field), &local)| match value(field) {
            Value::String(moment) if local => moment.trim_end_matches(UTC).into(),
            value => value,
        });
        let request = self.columns.request(cells, &unnamed(self.read));
        Ok(Some((self.read, request)))
    }
}

/// The library may panic on a damaged file.
fn unbroken<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(anyhow!("the file is damaged")))
}

/// How the library ends every moment.
const UTC: &str = " +00:00";

fn is_local(column: &Type) -> bool {
    let kind = column.get_basic_info().logical_type_ref();
    matches!(kind, Some(LogicalType::Timestamp(time)) if !time.is_adjusted_to_u_t_c)
}

/// A cell as JSON. Moments, decimals and maps become texts.
fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(value) => json!(value),
        Field::Byte(value) => json!(value),
        Field::Short(value) => json!(value),
        Field::Int(value) => json!(value),
        Field::Long(value) => json!(value),
        Field::UByte(value) => json!(value),
        Field::UShort(value) => json!(value),
        Field::UInt(value) => json!(value),
        Field::ULong(value) => json!(value),
        Field::Float(value) => json!(value),
        Field::Double(value) => json!(value),
        Field::Str(text) => json!(text),
        Field::Bytes(bytes) => json!(String::from_utf8_lossy(bytes.data())),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        Field::Group(row) => object(row),
        other => json!(other.to_string()),
    }
}

fn object(row: &ParquetRow) -> Value {
    let fields = row.get_column_iter();
    let fields = fields.map(|(name, field)| (name.clone(), value(field)));
    Value::Object(fields.collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    #[test]
    fn moments_have_a_time_zone_only_where_the_column_has_one() {
        let schema = parse_message_type(
            "message m { required binary fen (UTF8); required int64 here (TIMESTAMP(MICROS,false));
             required int64 utc (TIMESTAMP(MICROS,true)); }",
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
    }
}
