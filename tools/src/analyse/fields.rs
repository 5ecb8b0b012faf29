//! Fields of records that mean nothing to hexmate: they are passed through to the answers.
//!
//! A field keeps its name, unless answers have a field of that name in some format: then it gets `input_` in front,
//! however many it has already, so that different names stay different.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The names that answers use in any format, and those that records may use to ask.
const TAKEN: [&str; 41] = [
    "id",
    "game",
    "variant",
    "fen",
    "moves",
    "searchmoves",
    "status",
    "rank",
    "bestmove",
    "move",
    "score",
    "cp",
    "mate",
    "bound",
    "depth",
    "seldepth",
    "nodes",
    "tbhits",
    "time_ms",
    "pv",
    "lines",
    "no_mate_in",
    "wdl",
    "explanation",
    "win",
    "draw",
    "loss",
    "timeout",
    "line",
    "error",
    "bm",
    "ce",
    "dm",
    "acd",
    "acn",
    "c0",
    "c1",
    "c2",
    "c3",
    "c4",
    "c5",
];

/// What is in front of a name that is taken.
const PREFIX: &str = "input_";

/// The column of what has no column of its own.
pub const REST: &str = "input";

/// Fields by name, in the order in which they were read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fields(Vec<(String, Value)>);

impl Fields {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The field of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter()
            .find(|(n, _)| *n == name)
            .map(|(_, value)| value)
    }

    /// Adds a field of a record, under the name that answers have for it.
    pub fn pass(&mut self, name: &str, value: Value) {
        self.add(passed(name), value);
    }

    /// Sets a field; the last one of a name counts.
    pub fn add(&mut self, name: String, value: Value) {
        match self.0.iter_mut().find(|(n, _)| *n == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }
}

/// The name of a field in answers.
pub fn passed(name: &str) -> String {
    let mut base = name;
    while let Some(rest) = base.strip_prefix(PREFIX) {
        base = rest;
    }
    let is_taken = TAKEN
        .iter()
        .chain([&REST])
        .any(|taken| base.eq_ignore_ascii_case(taken));
    match is_taken {
        true => format!("{PREFIX}{name}"),
        false => name.to_owned(),
    }
}

/// A value as the text of a cell.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl FromIterator<(String, Value)> for Fields {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(fields: I) -> Self {
        let mut all = Fields::default();
        for (name, value) in fields {
            all.add(name, value);
        }
        all
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Fields::default();
                while let Some((name, value)) = map.next_entry()? {
                    fields.add(name, value);
                }
                Ok(fields)
            }
        }

        deserializer.deserialize_map(Names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_collide() {
        for (name, expected) in [
            ("note", "note"),
            ("depth", "input_depth"),
            ("Depth", "input_Depth"),
            ("input", "input_input"),
            ("input_depth", "input_input_depth"),
            ("input_note", "input_note"),
            ("bm", "input_bm"),
        ] {
            assert_eq!(passed(name), expected);
        }
    }

    #[test]
    fn the_order_stays_and_the_last_of_a_name_counts() {
        let text = r#"{"z":1,"a":[2],"z":"three"}"#;
        let fields: Fields = serde_json::from_str(text).unwrap();
        assert_eq!(
            serde_json::to_string(&fields).unwrap(),
            r#"{"z":"three","a":[2]}"#
        );
        assert_eq!(fields.get("a").map(text_of), Some("[2]".to_owned()));
        assert_eq!(text_of(&Value::Null), "");
    }
}
