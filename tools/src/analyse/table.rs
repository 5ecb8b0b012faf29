//! Rows of a table: comma-separated values with a header.

use serde_json::Value;

use super::fields::{Fields, passed};
use super::request::{KNOWN, Label, Request, RequestError};

/// The columns of a table.
#[derive(Clone, Debug)]
pub struct Table {
    delimiter: u8,
    columns: Columns,
}

/// The names of columns: those that are used in lower case, no name twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns(Vec<String>);

impl Columns {
    /// The columns of these names.
    ///
    /// # Errors
    /// If no column holds positions or games.
    pub fn new<'n>(names: impl Iterator<Item = &'n str>) -> Result<Columns, TableError> {
        let mut columns: Vec<String> = Vec::new();
        for name in names {
            let name = name.trim();
            let lower = name.to_ascii_lowercase();
            let name = match (KNOWN.contains(&lower.as_str()), name) {
                (true, _) => lower,
                (false, "") => "unnamed".to_owned(),
                (false, name) => name.to_owned(),
            };
            let again = (2..).map(|number| format!("{name}_{number}"));
            let mut names = std::iter::once(name.clone()).chain(again);
            columns.extend(names.find(|name| !columns.contains(name)));
        }
        match columns.iter().any(|name| name == "fen" || name == "moves") {
            true => Ok(Columns(columns)),
            false => Err(TableError::Header),
        }
    }

    /// The request of a row with a cell for each column.
    ///
    /// # Errors
    /// See [`Request::of_row`].
    pub fn request(
        &self,
        cells: impl Iterator<Item = Value>,
        unnamed: &Value,
    ) -> Result<Request, (Label, TableError)> {
        let named = self.0.iter().cloned().zip(cells);
        Request::of_row(named, unnamed).map_err(|(label, error)| (label, error.into()))
    }

    /// What the answer to a row says that cannot be read: its fields are known by their names only.
    pub fn label(&self, unnamed: &Value) -> Label {
        let passed_on = self.0.iter().filter(|name| !KNOWN.contains(&name.as_str()));
        let fields = passed_on.map(|name| (passed(name), Value::Null));
        Label {
            id: unnamed.clone(),
            fields: fields.collect::<Fields>(),
        }
    }
}

/// Why a row or header cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum TableError {
    #[error("no column \"fen\" or \"moves\"; expected a header that names at least one of them")]
    Header,
    #[error("{found} fields; expected {expected}, as many as the header has columns")]
    Fields { found: usize, expected: usize },
    #[error("not comma-separated values: {0}")]
    Csv(#[from] csv::Error),
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl Table {
    /// Reads the header; columns are separated by commas, semicolons or tabs.
    ///
    /// # Errors
    ///
    /// If no column holds positions or games.
    pub fn of_header(line: &str) -> Result<Table, TableError> {
        for delimiter in [b',', b';', b'\t'] {
            if let Ok(columns) = Columns::new(fields(line, delimiter)?.iter()) {
                return Ok(Table { delimiter, columns });
            }
        }
        Err(TableError::Header)
    }

    /// The request of a row; a row is one line. `unnamed` is the id of a row without one.
    ///
    /// # Errors
    ///
    /// If it has other fields than the header, or is not a valid request, with its label.
    pub fn request(&self, line: &str, unnamed: &Value) -> Result<Request, (Label, TableError)> {
        let unusable = |error| (self.columns.label(unnamed), error);
        let row = fields(line, self.delimiter).map_err(|e| unusable(e.into()))?;
        if row.len() != self.columns.0.len() {
            return Err(unusable(TableError::Fields {
                found: row.len(),
                expected: self.columns.0.len(),
            }));
        }
        let cells = row.iter().map(|cell| cell.trim().into());
        self.columns.request(cells, unnamed)
    }
}

fn fields(line: &str, delimiter: u8) -> Result<csv::StringRecord, csv::Error> {
    let line = line.trim_end();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .delimiter(delimiter)
        .buffer_capacity(line.len().max(1))
        .from_reader(line.as_bytes());
    let mut record = csv::StringRecord::new();
    reader.read_record(&mut record)?;
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        for (line, names) in [
            ("fen", vec!["fen"]),
            ("id,FEN , game\r", vec!["id", "fen", "game"]),
            ("id;moves", vec!["id", "moves"]),
            ("fen\tid", vec!["fen", "id"]),
            ("\"fen\",\"a,b\"", vec!["fen", "a,b"]),
            (
                "fen,Note,,Note,",
                vec!["fen", "Note", "unnamed", "Note_2", "unnamed_2"],
            ),
        ] {
            assert_eq!(Table::of_header(line).unwrap().columns.0, names, "{line}");
        }
        for line in ["id,game", "b/qbk w - - 0 1", "x,,"] {
            assert!(Table::of_header(line).is_err(), "{line}");
        }
    }

    #[test]
    fn rows() {
        let table = Table::of_header("id,moves,note").unwrap();
        let unnamed = Value::from(7);
        let request = table.request("a,\"e4e5 e7e6\",\"x, y\"", &unnamed).unwrap();
        assert_eq!(
            (request.id, request.moves.as_deref()),
            ("a".into(), Some("e4e5 e7e6"))
        );
        assert_eq!(request.fields.get("note"), Some(&"x, y".into()));
        let request = table.request(",e4e5,", &unnamed).unwrap();
        assert_eq!(request.id, unnamed);
        let start = table.request("a,,x", &unnamed).unwrap();
        assert_eq!(start.moves.as_deref(), Some(""));
        for line in ["a,b", "a,b,c,d", "a,\"b,c"] {
            let (label, _) = table.request(line, &unnamed).unwrap_err();
            assert_eq!(label.fields.get("note"), Some(&Value::Null), "{line}");
        }
    }
}
