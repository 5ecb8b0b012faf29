//! The fields of a request, each read once and checked.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::error::ApiError;
use crate::pgn::MOST_NESTED;

/// A JSON object whose fields are taken out one by one; what is left in the end is unknown.
#[derive(Debug)]
pub struct Fields(Map<String, Value>);

impl Fields {
    /// The fields of a request's body.
    ///
    /// # Errors
    /// If it is not a JSON object.
    pub fn of_body(body: &[u8]) -> Result<Fields, ApiError> {
        let value: Value = serde_json::from_slice(body).map_err(|error| {
            let message = match error.to_string() {
                text if text.contains("recursion limit") => format!(
                    "arrays and objects lie too deeply within each other; expected at most {MOST_NESTED} variations \
                     within each other: {text}"
                ),
                text => format!("the body is not JSON: {text}"),
            };
            let before = body
                .split(|&b| b == b'\n')
                .take(error.line().saturating_sub(1));
            let before: usize = before.map(|line| line.len() + 1).sum();
            ApiError::bad("json", message).at(before + error.column().saturating_sub(1))
        })?;
        match value {
            Value::Object(fields) => Ok(Fields(fields)),
            other => Err(ApiError::bad(
                "json",
                format!("the body is {}; expected a JSON object", kind(&other)),
            )),
        }
    }

    /// A field that may be left out, or `null`.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    /// A text, if there is one.
    ///
    /// # Errors
    /// If the field is something else; so for those below.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(name, &other, "a text")),
        }
    }

    /// A text that must be there.
    ///
    /// # Errors
    /// Also if it is not.
    pub fn required_text(&mut self, name: &str) -> Result<String, ApiError> {
        self.text(name)?
            .ok_or_else(|| ApiError::field(name, format!("\"{name}\" is missing; expected a text")))
    }

    /// A whole number within bounds, if there is one.
    ///
    /// # Errors
    /// Also if it is out of bounds.
    pub fn number(
        &mut self,
        name: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, ApiError> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        let number = value.as_u64().filter(|number| range.contains(number));
        number.map(Some).ok_or_else(|| {
            let (least, most) = range.into_inner();
            let expected = format!("a whole number from {least} to {most}");
            match value {
                Value::Number(number) => {
                    ApiError::field(name, format!("\"{name}\" is {number}; expected {expected}"))
                }
                other => wrong(name, &other, &expected),
            }
        })
    }

    /// `true` or `false`, if it is there.
    ///
    /// # Errors
    /// If it is something else.
    pub fn flag(&mut self, name: &str) -> Result<Option<bool>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(wrong(name, &other, "true or false")),
        }
    }

    /// An array of texts, if there is one.
    ///
    /// # Errors
    /// If it is something else, or has more than `most` items.
    pub fn texts(&mut self, name: &str, most: usize) -> Result<Option<Vec<String>>, ApiError> {
        let Some(list) = self.list(name, most)? else {
            return Ok(None);
        };
        let texts = list.into_iter().enumerate().map(|(i, item)| match item {
            Value::String(text) => Ok(text),
            other => Err(wrong(name, &other, "an array of texts").at(i)),
        });
        texts.collect::<Result<_, _>>().map(Some)
    }

    /// An array, if there is one.
    ///
    /// # Errors
    /// As [`Fields::texts`].
    pub fn list(&mut self, name: &str, most: usize) -> Result<Option<Vec<Value>>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Array(list)) if list.len() <= most => Ok(Some(list)),
            Some(Value::Array(list)) => Err(ApiError::field(
                name,
                format!(
                    "\"{name}\" has {} items; expected at most {most}",
                    list.len()
                ),
            )),
            Some(other) => Err(wrong(name, &other, "an array")),
        }
    }

    /// An object, if there is one.
    ///
    /// # Errors
    /// If it is something else.
    pub fn object(&mut self, name: &str) -> Result<Option<Fields>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(Fields(fields))),
            Some(other) => Err(wrong(name, &other, "an object")),
        }
    }

    /// What is left, by name.
    pub fn rest(self) -> impl Iterator<Item = (String, Value)> {
        self.0.into_iter()
    }

    /// The fields of a value that should be an object.
    ///
    /// # Errors
    /// If it is not one.
    pub fn of(name: &str, value: Value) -> Result<Fields, ApiError> {
        match value {
            Value::Object(fields) => Ok(Fields(fields)),
            other => Err(wrong(name, &other, "an object")),
        }
    }

    /// Nothing may be left.
    ///
    /// # Errors
    /// If there is a field that nobody asked for.
    pub fn end(self) -> Result<(), ApiError> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => {
                let name: String = name.chars().take(60).collect();
                let message =
                    format!("there is no field \"{name}\" here; docs/board.md lists them");
                Err(ApiError::field(name, message))
            }
        }
    }
}

/// A field of the wrong kind.
pub fn wrong(name: &str, found: &Value, expected: &str) -> ApiError {
    let found = kind(found);
    ApiError::field(name, format!("\"{name}\" is {found}; expected {expected}"))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(result: Result<impl std::fmt::Debug, ApiError>) -> Value {
        result.unwrap_err().object()
    }

    #[test]
    fn fields_are_checked() {
        let fields =
            || Fields::of_body(br#"{"a": "x", "n": 7, "list": ["y", 3], "none": null}"#).unwrap();
        assert_eq!(fields().text("a"), Ok(Some("x".to_owned())));
        assert_eq!(fields().text("none"), Ok(None));
        assert_eq!(fields().number("n", 1..=7), Ok(Some(7)));
        assert_eq!(error(fields().number("n", 1..=6))["field"], "n");
        assert_eq!(
            error(fields().number("a", 1..=6))["message"],
            "\"a\" is a text; expected a whole number from 1 to 6"
        );
        assert_eq!(error(fields().texts("list", 9))["offset"], 1);
        assert_eq!(error(fields().texts("list", 1))["code"], "field");
        assert_eq!(error(fields().required_text("b"))["field"], "b");
        assert_eq!(error(fields().flag("n"))["field"], "n");
        assert_eq!(error(fields().end())["code"], "field");
        assert_eq!(error(Fields::of_body(b"[]"))["code"], "json");
        assert_eq!(error(Fields::of_body(b"{\n\"a\": x}"))["offset"], 7);
    }
}
