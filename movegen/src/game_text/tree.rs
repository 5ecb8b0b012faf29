//! A TOML text as a tree whose values know where they stand, and a game laid over its base.

use toml::de::{DeTable, DeValue};

use super::error::{GameFault, Log, nearest};
use crate::quoted::abridged;

/// A place in one of the texts that make a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct At {
    /// The number of the text.
    pub source: usize,
    /// The byte of the text.
    pub offset: usize,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub at: At,
    pub value: Value,
}

/// A value of TOML, as far as games have use for it.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Number(i64),
    Truth(bool),
    List(Vec<Node>),
    /// In the order of the text.
    Table(Vec<Entry>),
    /// Anything else, by name.
    Other(&'static str),
}

/// A key with its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub key: String,
    /// Where the key stands.
    pub at: At,
    pub node: Node,
}

impl Value {
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a text in quotes",
            Value::Number(_) => "a whole number",
            Value::Truth(_) => "true or false",
            Value::List(_) => "a list in brackets",
            Value::Table(_) => "a table",
            Value::Other(what) => what,
        }
    }
}

/// Reads one text of TOML; `None`, with a fault in the log, if it is none.
pub(super) fn parse(log: &Log, source: usize, text: &str) -> Option<Vec<Entry>> {
    match DeTable::parse(text) {
        Ok(table) => Some(entries(source, table.get_ref())),
        Err(error) => {
            let span = error.span().unwrap_or(0..0);
            let offset = span.start;
            let mut message = format!("not TOML: {}", error.message());
            if error.message() == "duplicate key"
                && let Some(key) = text.get(span)
            {
                message += &format!(" '{}'", abridged(key));
            }
            log.add(At { source, offset }, "", GameFault::Syntax, message);
            None
        }
    }
}

fn entries(source: usize, table: &DeTable<'_>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = (table.iter())
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            at: At {
                source,
                offset: key.span().start,
            },
            node: Node {
                at: At {
                    source,
                    offset: value.span().start,
                },
                value: value_of(source, value.get_ref()),
            },
        })
        .collect();
    entries.sort_by_key(|e| e.at);
    entries
}

fn value_of(source: usize, value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).map_or(
            Value::Other("a number too large to mean anything"),
            Value::Number,
        ),
        DeValue::Float(_) => Value::Other("a number with a fraction"),
        DeValue::Boolean(truth) => Value::Truth(*truth),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => {
            let nodes = items.iter().map(|item| Node {
                at: At {
                    source,
                    offset: item.span().start,
                },
                value: value_of(source, item.get_ref()),
            });
            Value::List(nodes.collect())
        }
        DeValue::Table(table) => Value::Table(entries(source, table)),
    }
}

/// What belongs to one game and is never inherited.
const OWN: [&str; 7] = [
    "format", "base", "name", "title", "source", "reading", "proof",
];
/// Tables whose keys are inherited one by one; other values are replaced as a whole.
const BY_KEY: [&str; 4] = ["board", "pieces", "pawn", "ends"];
/// Keys of `board` of which one drives out the other.
const OUTLINES: [&str; 2] = ["hexagon", "rows"];

/// Lays a game over its base, as `docs/game-files.md` says under "Inheriting".
pub(super) fn inherit(base: Vec<Entry>, game: Vec<Entry>) -> Vec<Entry> {
    let mut merged = base;
    merged.retain(|e| !OWN.contains(&e.key.as_str()));
    for entry in game {
        let old = merged.iter_mut().find(|e| e.key == entry.key);
        match (old, entry.node.value) {
            // `castling = false`.
            (Some(_), Value::Truth(false)) if entry.key == "castling" => {
                merged.retain(|e| e.key != entry.key);
            }
            (Some(old), Value::Table(keys)) if BY_KEY.contains(&entry.key.as_str()) => {
                old.at = entry.at;
                old.node.at = entry.node.at;
                if let Value::Table(inherited) = &mut old.node.value {
                    lay_over(&entry.key, inherited, keys);
                }
            }
            (Some(old), value) => {
                old.at = entry.at;
                old.node = Node {
                    at: entry.node.at,
                    value,
                };
            }
            (None, value) => merged.push(Entry {
                node: Node {
                    at: entry.node.at,
                    value,
                },
                ..entry
            }),
        }
    }
    merged
}

/// The same for the keys of one table.
fn lay_over(table: &str, inherited: &mut Vec<Entry>, keys: Vec<Entry>) {
    let outline = |key: &str| table == "board" && OUTLINES.contains(&key);
    if keys.iter().any(|e| outline(&e.key)) {
        inherited.retain(|e| !outline(&e.key));
    }
    for entry in keys {
        let place = inherited.iter().position(|e| e.key == entry.key);
        match (place, &entry.node.value) {
            // `Q = false`.
            (Some(place), Value::Truth(false)) if table == "pieces" => {
                inherited.remove(place);
            }
            (Some(place), _) => inherited[place] = entry,
            (None, _) => inherited.push(entry),
        }
    }
}

/// Keys of single values that stand before the first table. Written behind the header of a table they are keys of that
/// table.
const BEFORE_TABLES: [&str; 6] = ["format", "base", "name", "title", "source", "castling"];

/// A value in hand, with its full key, for reading.
#[derive(Clone)]
pub(super) struct Item<'n> {
    pub log: &'n Log,
    pub key: String,
    pub node: &'n Node,
}

impl<'n> Item<'n> {
    /// Notes that the value is wrong.
    pub fn fault(&self, fault: GameFault, message: impl Into<String>) {
        self.log.add(self.node.at, &self.key, fault, message);
    }

    /// Notes a value that means nothing here.
    pub fn bad(&self, message: impl Into<String>) {
        self.fault(GameFault::BadValue, message);
    }

    fn wrong_type(&self, expected: &str) {
        let found = self.node.value.kind();
        let message = format!("expected {expected}, found {found}");
        self.fault(GameFault::WrongType, message);
    }

    /// A text.
    pub fn text(&self) -> Option<&'n str> {
        match &self.node.value {
            Value::Text(text) => Some(text),
            _ => {
                self.wrong_type("a text in quotes");
                None
            }
        }
    }

    /// The text, if it is one.
    pub fn text_if_any(&self) -> Option<&'n str> {
        match &self.node.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A whole number between two.
    pub fn number(&self, least: i64, most: i64) -> Option<i64> {
        match self.node.value {
            Value::Number(n) if (least..=most).contains(&n) => Some(n),
            Value::Number(n) => {
                let message = format!("{n} is out of range: from {least} to {most}");
                self.fault(GameFault::Limit, message);
                None
            }
            _ => {
                self.wrong_type(&format!("a whole number from {least} to {most}"));
                None
            }
        }
    }

    /// `true` or `false`.
    pub fn truth(&self) -> Option<bool> {
        match self.node.value {
            Value::Truth(truth) => Some(truth),
            _ => {
                self.wrong_type("true or false");
                None
            }
        }
    }

    /// The items of a list.
    pub fn list(&self, of: &str) -> Option<Vec<Item<'n>>> {
        match &self.node.value {
            Value::List(items) => Some(
                (items.iter().enumerate())
                    .map(|(i, node)| Item {
                        log: self.log,
                        key: format!("{}[{i}]", self.key),
                        node,
                    })
                    .collect(),
            ),
            _ => {
                self.wrong_type(&format!("a list of {of} in brackets"));
                None
            }
        }
    }

    /// A table.
    pub fn section(&self) -> Option<Section<'n>> {
        match &self.node.value {
            Value::Table(entries) => Some(Section::new(self.log, &self.key, self.node.at, entries)),
            _ => {
                self.wrong_type("a table");
                None
            }
        }
    }
}

/// A table in hand: every key must be asked for.
pub(super) struct Section<'n> {
    pub log: &'n Log,
    key: String,
    pub at: At,
    pub entries: &'n [Entry],
    known: Vec<&'static str>,
}

impl<'n> Section<'n> {
    pub fn new(log: &'n Log, key: &str, at: At, entries: &'n [Entry]) -> Self {
        Section {
            log,
            key: key.to_owned(),
            at,
            entries,
            known: Vec::new(),
        }
    }

    /// The full name of one of its keys.
    pub fn full(&self, key: &str) -> String {
        if self.key.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.key)
        }
    }

    /// The value of a key, if it is there.
    pub fn get(&mut self, key: &'static str) -> Option<Item<'n>> {
        self.known.push(key);
        let entry = self.entries.iter().find(|e| e.key == key)?;
        Some(self.item(entry))
    }

    /// The value of an entry.
    pub fn item(&self, entry: &'n Entry) -> Item<'n> {
        Item {
            log: self.log,
            key: self.full(&entry.key),
            node: &entry.node,
        }
    }

    /// The value of a key that must be there.
    pub fn need(&mut self, key: &'static str, what: &str) -> Option<Item<'n>> {
        let found = self.get(key);
        if found.is_none() {
            let message = format!("is missing: {what}");
            self.log
                .add(self.at, &self.full(key), GameFault::MissingKey, message);
        }
        found
    }

    /// What to do with a key that belongs before the first table.
    pub fn misplaced(&self, key: &str) -> Option<String> {
        let is_table_of_text = !self.key.is_empty() && !self.key.contains('.');
        (is_table_of_text && BEFORE_TABLES.contains(&key)).then(|| {
            format!("`{key}` belongs before the first table; move it to the top of the file")
        })
    }

    /// Notes every key that nobody asked for.
    pub fn finish(self) {
        for entry in self.entries {
            if self.known.contains(&entry.key.as_str()) {
                continue;
            }
            let misplaced = self.misplaced(&entry.key);
            let message = misplaced.unwrap_or_else(|| {
                match nearest(&entry.key, self.known.iter().copied()) {
                    Some(key) => format!("unknown key; did you mean '{key}'?"),
                    None => format!("unknown key; the keys here are {}", self.known.join(", ")),
                }
            });
            self.log.add(
                entry.at,
                &self.full(&entry.key),
                GameFault::UnknownKey,
                message,
            );
        }
    }
}

/// Where a key stands, or as much of it as there is; `path` has the keys from the outside in.
pub(super) fn place_of(entries: &[Entry], path: &[&str]) -> Option<At> {
    let (first, rest) = path.split_first()?;
    let entry = entries.iter().find(|e| e.key == *first)?;
    let inner = match &entry.node.value {
        Value::Table(entries) => place_of(entries, rest),
        Value::List(items) => rest
            .first()
            .and_then(|n| items.get(n.parse::<usize>().ok()?))
            .map(|node| node.at),
        _ => None,
    };
    Some(inner.unwrap_or(entry.at))
}
