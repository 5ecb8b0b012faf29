//! A record of the input, before anybody has looked at its position.

use std::sync::Arc;

use hexmate_movegen::GameId;
use serde_json::Value;
use twox_hash::XxHash3_64;

use super::fields::Fields;
use super::request::{Label, Request};

/// The origin of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file, if there are several.
    pub file: Option<Arc<str>>,
    /// The line, from 1; 0: none, but the whole file.
    pub line: u64,
}

impl Origin {
    /// The name of a record without an id.
    pub fn unnamed(&self) -> Value {
        numbered(self.file.as_deref(), self.line)
    }
}

pub(super) fn numbered(file: Option<&str>, number: u64) -> Value {
    match file {
        Some(file) => format!("{file}:{number}").into(),
        None => number.into(),
    }
}

/// A record.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its origin.
    pub origin: Origin,
    /// The game if the record does not name one.
    pub game: GameId,
    /// Its content.
    pub body: Body,
    /// The tags of a whole game from a file of games.
    pub tags: Vec<(String, String)>,
}

/// The content of a record.
#[derive(Clone, Debug)]
pub enum Body {
    /// A line that is not parsed yet.
    Text(String),
    /// A request.
    Request(Box<Request>),
    /// Something that cannot be used.
    Fault {
        /// The record's own id and fields, if they could be read.
        label: Option<Label>,
        /// What is wrong.
        error: String,
    },
}

impl Item {
    /// The fields that its answer will repeat.
    pub fn fields(&self) -> Fields {
        match &self.body {
            Body::Request(request) => request.fields.clone(),
            Body::Text(text) => match Request::parse(text, &Value::Null) {
                Ok(request) => request.fields,
                Err((label, _)) => label.fields,
            },
            Body::Fault { label, .. } => {
                let label = label.as_ref();
                label.map_or_else(Fields::default, |label| label.fields.clone())
            }
        }
    }

    /// The hash by which a journal knows the record.
    pub fn hash(&self) -> u64 {
        let (kind, text) = match &self.body {
            Body::Text(text) => ('t', text.clone()),
            Body::Request(request) => ('r', request.text()),
            Body::Fault { label, error } => ('f', format!("{label:?} {error}")),
        };
        let file = self.origin.file.as_deref().unwrap_or_default();
        let whole = format!(
            "{kind}\0{}\0{file}\0{}\0{text}",
            self.game, self.origin.line
        );
        XxHash3_64::oneshot(whole.as_bytes())
    }
}
