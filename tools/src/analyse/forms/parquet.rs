//! Parquet: the columns of the table, compressed with Snappy, in groups of rows.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::row::{COLUMNS, Field, Row};
use crate::analyse::answer::Answer;

/// Rows kept in memory and written together.
const GROUP: usize = 8192;

/// A Parquet file that is being written.
pub struct Writer<W: Write + Send> {
    file: SerializedFileWriter<W>,
    rows: Vec<Row>,
}

impl<W: Write + Send> Writer<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(to: W) -> Result<Self> {
        let columns = Row::default()
            .fields()
            .iter()
            .zip(COLUMNS)
            .map(|(field, name)| {
                let column = match field {
                    Field::Text(_) => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                        .with_logical_type(Some(LogicalType::String)),
                    Field::Number(_) => Type::primitive_type_builder(name, Physical::INT64),
                };
                let column = column.with_repetition(Repetition::OPTIONAL).build()?;
                Ok(Arc::new(column))
            })
            .collect::<Result<Vec<_>>>()?;
        let schema = Type::group_type_builder("hexmate")
            .with_fields(columns)
            .build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("hexmate ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let file = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties))?;
        Ok(Writer {
            file,
            rows: Vec::new(),
        })
    }

    /// Writes an answer.
    ///
    /// # Errors
    /// If a group of rows is full and cannot be written.
    pub fn put(&mut self, answer: &Answer) -> Result<()> {
        self.rows.extend(Row::of(answer));
        if self.rows.len() >= GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.file.next_row_group()?;
        let mut at = 0;
        while let Some(mut column) = group.next_column()? {
            // A field is present or not: level 1 or 0.
            let mut levels = Vec::with_capacity(rows.len());
            let mut texts = Vec::new();
            let mut numbers = Vec::new();
            let mut is_text = false;
            for row in &rows {
                match &row.fields()[at] {
                    Field::Text(text) => {
                        is_text = true;
                        levels.push(i16::from(text.is_some()));
                        texts.extend(text.map(ByteArray::from));
                    }
                    Field::Number(number) => {
                        levels.push(i16::from(number.is_some()));
                        numbers.extend(*number);
                    }
                }
            }
            if is_text {
                let writer = column.typed::<ByteArrayType>();
                writer.write_batch(&texts, Some(&levels), None)?;
            } else {
                let writer = column.typed::<Int64Type>();
                writer.write_batch(&numbers, Some(&levels), None)?;
            }
            column.close()?;
            at += 1;
        }
        group.close()?;
        Ok(())
    }

    /// Ends the file, and gives back what it was written to.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(mut self) -> Result<W> {
        if !self.rows.is_empty() {
            self.write_group()?;
        }
        Ok(self.file.into_inner()?)
    }
}
