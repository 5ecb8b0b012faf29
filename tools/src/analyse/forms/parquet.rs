//! Parquet: the columns of the table, compressed with Snappy, in groups of rows.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::row::{Field, Header, Row};
use crate::analyse::answer::Answer;

/// Rows kept in memory and written together.
const GROUP: usize = 8192;

/// A Parquet file that is being written. Its columns are known with the first answer.
pub struct Writer<W: Write + Send> {
    place: Place<W>,
    rows: Vec<Row>,
}

enum Place<W: Write + Send> {
    /// Nothing is written yet.
    Untouched(W),
    Begun(Box<SerializedFileWriter<W>>, Header),
    /// Writing failed.
    Lost,
}

/// Begins a file with these columns.
fn begin<W: Write + Send>(to: W, header: &Header) -> Result<SerializedFileWriter<W>> {
    let fields = Row::default().fields(header);
    let columns = fields.iter().zip(header.names()).map(|(field, name)| {
        let column = match field {
            Field::Text(_) => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String)),
            Field::Number(_) => Type::primitive_type_builder(name, Physical::INT64),
        };
        let column = column.with_repetition(Repetition::OPTIONAL).build()?;
        Ok(Arc::new(column))
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    let schema = Type::group_type_builder("hexmate")
        .with_fields(columns)
        .build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("hexmate ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    let file = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties))?;
    Ok(file)
}

impl<W: Write + Send> Writer<W> {
    /// A file without answers yet.
    pub fn new(to: W) -> Self {
        Writer {
            place: Place::Untouched(to),
            rows: Vec::new(),
        }
    }

    /// The file and its columns; it begins with this answer.
    fn file(&mut self, first: Option<&Answer>) -> Result<(&mut SerializedFileWriter<W>, &Header)> {
        if let Place::Untouched(_) = &self.place
            && let Place::Untouched(to) = std::mem::replace(&mut self.place, Place::Lost)
        {
            let header = first.map(Header::of).unwrap_or_default();
            self.place = Place::Begun(Box::new(begin(to, &header)?), header);
        }
        match &mut self.place {
            Place::Begun(file, header) => Ok((file, header)),
            _ => Err(anyhow!("the file could not be begun")),
        }
    }

    /// Writes an answer.
    ///
    /// # Errors
    /// If a group of rows is full and cannot be written.
    pub fn put(&mut self, answer: &Answer) -> Result<()> {
        self.file(Some(answer))?;
        self.rows.extend(Row::of(answer));
        if self.rows.len() >= GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let (file, header) = self.file(None)?;
        let rows: Vec<Vec<Field>> = rows.iter().map(|row| row.fields(header)).collect();
        let mut group = file.next_row_group()?;
        let mut at = 0;
        while let Some(mut column) = group.next_column()? {
            // A field is present or not: level 1 or 0.
            let mut levels = Vec::with_capacity(rows.len());
            let mut texts = Vec::new();
            let mut numbers = Vec::new();
            let mut is_text = false;
            for row in &rows {
                match &row[at] {
                    Field::Text(text) => {
                        is_text = true;
                        levels.push(i16::from(text.is_some()));
                        texts.extend(text.as_deref().map(ByteArray::from));
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
        self.file(None)?;
        match self.place {
            Place::Begun(file, _) => Ok(file.into_inner()?),
            _ => Err(anyhow!("the file could not be begun")),
        }
    }
}
