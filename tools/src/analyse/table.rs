//! Rows of a table: comma-separated values with a header.

use std::io::Read;
use std::slice;

use csv::StringRecord;
use serde_json::Value;

use super::request::{KNOWN, Label, Request, RequestError};
use crate::terminal::{cut, plain};

/// So much of a header that cannot be used is told.
const MOST_TOLD: usize = 80;

/// The beginning of a header for people. Signs without a width take no column, but are no end of it either.
fn told(header: &str) -> String {
    let begin: String = header.chars().take(2 * MOST_TOLD).collect();
    let told = cut(&plain(&begin), MOST_TOLD);
    match begin.len() < header.len() && !told.ends_with('…') {
        true => told + "…",
        false => told,
    }
}

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
            false => Err(TableError::Header(told(&columns.join(", ")))),
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
    ) -> Result<Request, (Box<Label>, TableError)> {
        let named = self.0.iter().cloned().zip(cells);
        Request::of_row(named, unnamed).map_err(|(label, error)| (label, error.into()))
    }

    /// What the answer to a row says that cannot be used: the cells that are there, counted from the first column; of
    /// the others the names only.
    fn label(&self, cells: impl Iterator<Item = Value>, unnamed: &Value) -> Label {
        let mut label = Label::from(unnamed.clone());
        let cells = cells.chain(std::iter::repeat(Value::Null));
        for (name, cell) in self.0.iter().zip(cells) {
            match name.as_str() {
                "id" if !cell.is_null() && cell != "" => label.id = cell,
                known if KNOWN.contains(&known) => {}
                name => label.fields.pass(name, cell),
            }
        }
        label
    }
}

/// Why a row or header cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum TableError {
    #[error(
        "no column \"fen\" or \"moves\" in '{0}'; expected a header that names at least one of them"
    )]
    Header(String),
    #[error(
        "no column \"fen\" or \"moves\" in '{0}'; expected a header that names at least one of them, its names separated \
         by commas, semicolons or tabs"
    )]
    TextHeader(String),
    #[error(
        "no column \"fen\" or \"moves\" in '{0}'; expected a header that names at least one of them, its names separated \
         by {1:?}, as the line above says"
    )]
    SaidHeader(String, char),
    #[error("{found} fields; expected {expected}, as many as the header has columns")]
    Fields { found: usize, expected: usize },
    #[error(
        "field {0} begins with a quotation mark and is not closed on this line; expected a closing one: a quoted field cannot contain line breaks"
    )]
    Open(usize),
    #[error("not comma-separated values: {0}")]
    Csv(#[from] csv::Error),
    #[error(transparent)]
    Request(#[from] RequestError),
}

/// The only input is a table whose header cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {error}")]
#[allow(missing_docs)] // the message says it
pub struct NoColumns {
    pub line: u64,
    pub error: String,
}

impl Table {
    /// Reads the header; columns are separated as the line before it said, else by commas, semicolons or tabs.
    ///
    /// # Errors
    ///
    /// If no column holds positions or games.
    pub fn of_header(line: &str, said: Option<u8>) -> Result<Table, TableError> {
        let usual = [b',', b';', b'\t'];
        for &delimiter in said.as_ref().map_or(&usual[..], slice::from_ref) {
            let (names, open) = fields(line, delimiter)?;
            if let Ok(columns) = Columns::new(names.iter()) {
                return match open {
                    Some(open) => Err(open),
                    None => Ok(Table { delimiter, columns }),
                };
            }
        }
        let header = told(line.trim());
        Err(match said {
            Some(by) => TableError::SaidHeader(header, by.into()),
            None => TableError::TextHeader(header),
        })
    }

    /// The request of a row; a row is one line. `unnamed` is the id of a row without one.
    ///
    /// # Errors
    ///
    /// If it has other fields than the header, or one that is not closed, or is not a valid request, with its label.
    pub fn request(
        &self,
        line: &str,
        unnamed: &Value,
    ) -> Result<Request, (Box<Label>, TableError)> {
        let unusable = |row: &StringRecord, error| {
            let label = self.columns.label(values(row), unnamed);
            (Box::new(label), error)
        };
        let nothing = StringRecord::new();
        let (row, open) = fields(line, self.delimiter).map_err(|e| unusable(&nothing, e.into()))?;
        if let Some(open) = open {
            return Err(unusable(&row, open));
        }
        let (found, expected) = (row.len(), self.columns.0.len());
        if found != expected {
            return Err(unusable(&row, TableError::Fields { found, expected }));
        }
        self.columns.request(values(&row), unnamed)
    }
}

/// What separates the columns, if this is the line `sep=;` that spreadsheets have above the header.
pub fn separator(line: &str) -> Option<u8> {
    // A tab stays: it may be the separator.
    let line = line.trim_end_matches(['\r', '\n']);
    let quoted = line
        .strip_prefix('"')
        .and_then(|line| line.strip_suffix('"'));
    let (name, separator) = quoted.unwrap_or(line).split_once('=')?;
    match separator.as_bytes() {
        &[byte] if name.eq_ignore_ascii_case("sep") && byte != b'"' => Some(byte),
        _ => None,
    }
}

/// The cells of a row.
fn values(row: &StringRecord) -> impl Iterator<Item = Value> {
    row.iter().map(|cell| cell.trim().into())
}

/// The fields of a line; without the last one, but with an error, if a quotation mark begins that and nothing ends it.
fn fields(line: &str, delimiter: u8) -> Result<(StringRecord, Option<TableError>), csv::Error> {
    // Tabs stay: they may stand before empty fields.
    let line = line.trim_end_matches(['\r', '\n']);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .delimiter(delimiter)
        // Else a carriage return within the line would end it without a word.
        .terminator(csv::Terminator::Any(b'\n'))
        .buffer_capacity(line.len().max(1))
        .from_reader(line.as_bytes().chain(&b"\n"[..]));
    let mut record = StringRecord::new();
    reader.read_record(&mut record)?;
    // The line end that was added becomes part of an open field only.
    let is_open = record
        .iter()
        .next_back()
        .is_some_and(|last| last.ends_with('\n'));
    let open = is_open.then(|| TableError::Open(record.len()));
    if is_open {
        record.truncate(record.len() - 1);
    }
    Ok((record, open))
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
            assert_eq!(
                Table::of_header(line, None).unwrap().columns.0,
                names,
                "{line}"
            );
        }
        for line in ["id,game", "b/qbk w - - 0 1", "x,,"] {
            assert!(Table::of_header(line, None).is_err(), "{line}");
        }
    }

    #[test]
    fn headers_are_told_for_people() {
        let said = |line: &str| Table::of_header(line, None).unwrap_err().to_string();
        let text = said("\u{1b}]0;owned\u{7}id,\u{1b}[2Jname");
        assert!(
            !text.contains(char::is_control) && text.contains("name"),
            "{text:?}"
        );
        for sign in ["\u{1}", "\u{301}", "a", "字"] {
            let text = said(&("id,e".to_owned() + &sign.repeat(5000)));
            assert!(text.contains('…') && text.chars().count() < 400, "{text:?}");
        }
    }

    #[test]
    fn the_line_above_the_header_may_say_what_separates_columns() {
        for (line, expected) in [
            ("sep=;", Some(b';')),
            ("SEP=|\r", Some(b'|')),
            ("\"sep=,\"", Some(b',')),
            ("sep=\t", Some(b'\t')),
            ("sep=", None),
            ("sep=;;", None),
            ("sep=\"", None),
            ("id;moves", None),
        ] {
            assert_eq!(separator(line), expected, "{line:?}");
        }
        let table = Table::of_header("id|moves|a;b", Some(b'|')).unwrap();
        assert_eq!(table.columns.0, ["id", "moves", "a;b"]);
        assert!(Table::of_header("id;moves", Some(b'|')).is_err());
    }

    #[test]
    fn rows() {
        let table = Table::of_header("id,moves,note", None).unwrap();
        let unnamed = Value::from(7);
        let request = table.request("a,\"e4e5 e7e6\",\"x, y\"", &unnamed).unwrap();
        assert_eq!(
            (request.id, request.moves.as_deref()),
            ("a".into(), Some("e4e5 e7e6"))
        );
        let request = table.request(" a , e4e5 ,", &unnamed).unwrap();
        assert_eq!(
            (request.id, request.moves.as_deref()),
            ("a".into(), Some("e4e5"))
        );
        let request = table.request("a,,\"x, y\"", &unnamed).unwrap();
        assert_eq!(request.fields.get("note"), Some(&"x, y".into()));
        let request = table.request(",e4e5,", &unnamed).unwrap();
        assert_eq!(request.id, unnamed);
        let start = table.request("a,,x", &unnamed).unwrap();
        assert_eq!(start.moves.as_deref(), Some(""));
    }

    #[test]
    fn rows_that_cannot_be_used_keep_the_cells_that_are_there() {
        let unnamed = Value::from(7);
        let null = Value::Null;
        for (header, line, id, note, error) in [
            (
                "id,moves,note",
                "a,b",
                "a".into(),
                null.clone(),
                "2 fields; expected 3",
            ),
            (
                "id,moves,note",
                "a,b,c,d",
                "a".into(),
                "c".into(),
                "4 fields; expected 3",
            ),
            (
                "id,moves,note",
                ",e4e5",
                unnamed.clone(),
                null.clone(),
                "2 fields",
            ),
            (
                "note,moves,id",
                "n,e4e5",
                unnamed.clone(),
                "n".into(),
                "2 fields",
            ),
            (
                "id,moves,note",
                "a,\"b,c",
                "a".into(),
                null.clone(),
                "field 2 begins with",
            ),
            (
                "id,moves,note",
                "a,,\"c",
                "a".into(),
                null.clone(),
                "field 3 begins with",
            ),
            (
                "moves,note,id",
                "e4e5,n,\"a",
                unnamed.clone(),
                "n".into(),
                "line breaks",
            ),
            (
                "id,moves,note",
                "a,e4e5,n\rb,e4e5,n",
                "a".into(),
                "n\rb".into(),
                "5 fields",
            ),
        ] {
            let table = Table::of_header(header, None).unwrap();
            let (label, told) = table.request(line, &unnamed).unwrap_err();
            assert_eq!(
                (label.id, label.fields.get("note")),
                (id, Some(&note)),
                "{line}"
            );
            assert!(told.to_string().contains(error), "{line}: {told}");
        }
    }

    #[test]
    fn quotation_marks_that_are_closed_or_within_a_field_are_no_fault() {
        let table = Table::of_header("id,moves,note", None).unwrap();
        for (line, note) in [
            ("a,,\"x, \"\"y\"\"\"", "x, \"y\""),
            ("a,,5\" tall", "5\" tall"),
            ("a,,\"x\"\r", "x"),
            ("a,,\"\"", ""),
        ] {
            let request = table.request(line, &Value::Null).unwrap();
            assert_eq!(request.fields.get("note"), Some(&note.into()), "{line}");
        }
        assert!(Table::of_header("fen,\"note", None).is_err());
        let tabs = Table::of_header("moves\tid\tnote", None).unwrap();
        let request = tabs.request("e4e5\ta\t", &Value::Null).unwrap();
        assert_eq!(request.id, "a");
    }
}
