//! Rows of a table: comma-separated values with a header.

use serde_json::Value;

use super::request::{Request, RequestError};

/// The columns of a table.
#[derive(Clone, Debug)]
pub struct Table {
    delimiter: u8,
    /// Their names in lower case.
    columns: Vec<String>,
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
            let columns: Vec<String> = fields(line, delimiter)?
                .iter()
                .map(|name| name.trim().to_ascii_lowercase())
                .collect();
            if columns.iter().any(|name| name == "fen" || name == "moves") {
                return Ok(Table { delimiter, columns });
            }
        }
        Err(TableError::Header)
    }

    /// The request of a row; a row is one line. `unnamed` is the id of a row without one.
    ///
    /// # Errors
    ///
    /// If it has other fields than the header, or is not a valid request, with its id.
    pub fn request(&self, line: &str, unnamed: &Value) -> Result<Request, (Value, TableError)> {
        let row = fields(line, self.delimiter).map_err(|e| (unnamed.clone(), e.into()))?;
        if row.len() != self.columns.len() {
            let error = TableError::Fields {
                found: row.len(),
                expected: self.columns.len(),
            };
            return Err((unnamed.clone(), error));
        }
        let names = self.columns.iter().map(String::as_str);
        let named = names.zip(row.iter().map(str::trim));
        Request::of_fields(named, unnamed).map_err(|(id, error)| (id, error.into()))
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
        ] {
            assert_eq!(Table::of_header(line).unwrap().columns, names, "{line}");
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
        let request = table.request(",e4e5,", &unnamed).unwrap();
        assert_eq!(request.id, unnamed);
        let start = table.request("a,,x", &unnamed).unwrap();
        assert_eq!(start.moves.as_deref(), Some(""));
        for line in ["a,b", "a,b,c,d", "a,\"b,c"] {
            assert!(table.request(line, &unnamed).is_err(), "{line}");
        }
    }
}
