//! What a record says of its game beside the moves: players, event, day, result.

use serde_json::Value;

use super::judge::About;
use crate::analyse::Fields;

/// From the tags of a file of games. Tags of unknown things (`?`) say nothing.
pub fn of_tags(tags: &[(String, String)]) -> About {
    about(|name| {
        let tag = tags.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.clone())
    })
}

/// From a line that is a JSON object, as `hexmate match` writes them.
pub fn of_line(line: &str) -> About {
    let object: Value = serde_json::from_str(line).unwrap_or_default();
    about(|name| text_of(&object[name.to_ascii_lowercase()]))
}

/// From the columns of a table, in any case.
pub fn of_fields(fields: &Fields) -> About {
    about(|name| {
        let field = fields.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        field.and_then(|(_, value)| text_of(value))
    })
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn about(field: impl Fn(&str) -> Option<String>) -> About {
    let known = |name: &str| {
        let value = field(name)?.trim().to_owned();
        let says_nothing = value.is_empty() || value.chars().all(|c| "?.*-".contains(c));
        (!says_nothing).then_some(value)
    };
    About {
        players: [known("White"), known("Black")],
        ratings: [known("WhiteElo"), known("BlackElo")],
        event: known("Event"),
        site: known("Site"),
        date: known("Date"),
        round: known("Round"),
        result: known("Result"),
    }
}

impl About {
    /// The players, or `White` and `Black`.
    pub fn names(&self) -> [&str; 2] {
        let [white, black] = &self.players;
        [
            white.as_deref().unwrap_or("White"),
            black.as_deref().unwrap_or("Black"),
        ]
    }

    /// Event, round and day, as far as they are known.
    pub fn occasion(&self) -> String {
        self.occasion_parts().join(", ")
    }

    /// The same one by one.
    pub fn occasion_parts(&self) -> Vec<String> {
        let round = self.round.as_ref().map(|round| format!("round {round}"));
        let parts = [self.event.clone(), round, self.date.clone()];
        parts.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_is_not_told() {
        let tags = [
            ("white", "Ann"),
            ("Black", "?"),
            ("Date", "????.??.??"),
            ("Event", "Cup"),
        ];
        let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let about = of_tags(&tags);
        assert_eq!(about.names(), ["Ann", "Black"]);
        assert_eq!((about.occasion().as_str(), about.result), ("Cup", None));
        let line = of_line(r#"{"white":"a","black":"b","round":2,"result":"1-0","moves":""}"#);
        assert_eq!(
            (line.names(), line.occasion().as_str()),
            (["a", "b"], "round 2")
        );
        assert_eq!(line.result.as_deref(), Some("1-0"));
        assert_eq!(of_line("no object"), About::default());
        let columns = [
            ("White", "a".into()),
            ("DATE", Value::Null),
            ("round", 2.into()),
        ];
        let columns = columns.map(|(name, value)| (name.to_owned(), value));
        let row = of_fields(&Fields::from_iter(columns));
        assert_eq!(
            (row.names(), row.occasion().as_str()),
            (["a", "Black"], "round 2")
        );
    }
}
