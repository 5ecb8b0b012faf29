//! Parquet: the columns of the table, compressed with Snappy, in groups of rows.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::analyse::answer::Answer;
use crate::analyse::forms::row::{Field, Header, Row, RunHeader};

/// Rows kept in memory and written together.
const GROUP: usize = 8192;

/// A column: its name, and whether it holds texts or numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Texts; else numbers.
    pub is_text: bool,
}

impl Column {
    /// The columns of a table of answers.
    fn all(header: &Header) -> Vec<Column> {
        let fields = Row::default().fields(header);
        let named = fields.iter().zip(header.names());
        named
            .map(|(field, name)| Column {
                name: name.to_owned(),
                is_text: matches!(field, Field::Text(_)),
            })
            .collect()
    }

    fn as_type(&self) -> Result<Type> {
        let column = match self.is_text {
            true => Type::primitive_type_builder(&self.name, Physical::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String)),
            false => Type::primitive_type_builder(&self.name, Physical::INT64),
        };
        Ok(column.with_repetition(Repetition::OPTIONAL).build()?)
    }
}

/// A Parquet file that is being written. Its columns are known with the first answer.
pub struct Writer<W: Write + Send> {
    place: Place<W>,
    header: RunHeader,
    rows: Vec<Vec<Field>>,
}

enum Place<W: Write + Send> {
    /// Nothing is written yet.
    Untouched(W),
    Begun(Box<Begun<W>>),
    /// Writing failed.
    Lost,
}

/// A file with its columns.
struct Begun<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Column>,
    header: Header,
}

impl<W: Write + Send> Begun<W> {
    fn new(to: W, columns: Vec<Column>, header: Header) -> Result<Self> {
        let types = columns.iter().map(|column| column.as_type().map(Arc::new));
        let schema = Type::group_type_builder("hexmate")
            .with_fields(types.collect::<Result<_>>()?)
            .build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("hexmate ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let file = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties))?;
        Ok(Begun {
            file,
            columns,
            header,
        })
    }
}

impl<W: Write + Send> Writer<W> {
    /// A file without answers yet.
    ///
    /// # Errors
    /// None; a program that was built without Parquet has one.
    pub fn new(to: W, header: RunHeader) -> Result<Self> {
        Ok(Writer {
            place: Place::Untouched(to),
            header,
            rows: Vec::new(),
        })
    }

    /// A file with these columns, for rows that other files have.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn with_columns(to: W, columns: Vec<Column>) -> Result<Self> {
        let begun = Begun::new(to, columns, Header::default())?;
        Ok(Writer {
            place: Place::Begun(Box::new(begun)),
            header: RunHeader::default(),
            rows: Vec::new(),
        })
    }

    fn begun(&mut self) -> Result<&mut Begun<W>> {
        if let Place::Untouched(_) = &self.place
            && let Place::Untouched(to) = std::mem::replace(&mut self.place, Place::Lost)
        {
            let header = self.header.get();
            let begun = Begun::new(to, Column::all(&header), header)?;
            self.place = Place::Begun(Box::new(begun));
        }
        match &mut self.place {
            Place::Begun(begun) => Ok(begun),
            _ => Err(anyhow!("the file could not be begun")),
        }
    }

    /// Writes an answer.
    ///
    /// # Errors
    /// If a group of rows is full and cannot be written.
    pub fn put(&mut self, answer: &Answer) -> Result<()> {
        let header = &self.begun()?.header;
        let rows: Vec<_> = Row::of(answer).iter().map(|r| r.fields(header)).collect();
        self.put_rows(rows)
    }

    /// Writes the rows of an answer, each with a field for every column.
    ///
    /// # Errors
    /// As [`Writer::put`].
    pub fn put_rows(&mut self, rows: impl IntoIterator<Item = Vec<Field>>) -> Result<()> {
        self.rows.extend(rows);
        if self.rows.len() >= GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let Begun { file, columns, .. } = self.begun()?;
        let mut group = file.next_row_group()?;
        for (at, column) in columns.iter().enumerate() {
            let Some(mut writer) = group.next_column()? else {
                break;
            };
            let fields = rows.iter().map(|row| &row[at]);
            if column.is_text {
                let text = |field: &Field| match field {
                    Field::Text(text) => text.as_deref().map(ByteArray::from),
                    Field::Number(_) => None,
                };
                write(writer.typed::<ByteArrayType>(), fields.map(text))?;
            } else {
                let number = |field: &Field| match field {
                    Field::Number(number) => *number,
                    Field::Text(_) => None,
                };
                write(writer.typed::<Int64Type>(), fields.map(number))?;
            }
            writer.close()?;
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
        self.begun()?;
        match self.place {
            Place::Begun(begun) => Ok(begun.file.into_inner()?),
            _ => Err(anyhow!("the file could not be begun")),
        }
    }
}

/// Writes a column of a group.
fn write<T: DataType>(
    column: &mut ColumnWriterImpl<'_, T>,
    fields: impl Iterator<Item = Option<T::T>>,
) -> Result<()> {
    let mut values = Vec::new();
    // A field is present or not: level 1 or 0.
    let mut levels = Vec::new();
    for field in fields {
        levels.push(i16::from(field.is_some()));
        values.extend(field);
    }
    column.write_batch(&values, Some(&levels), None)?;
    Ok(())
}
