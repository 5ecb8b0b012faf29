//! The options that a UCI engine declares, and whether a value is one of theirs.

use super::dialect::suggest::did_you_mean;

/// An `option` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOption {
    /// Its name.
    pub name: String,
    /// What it may be.
    pub kind: Kind,
}

/// What an option may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// True or false.
    Check,
    /// A number within these bounds.
    Spin(Option<i64>, Option<i64>),
    /// One of these; none: not said.
    Combo(Vec<String>),
    /// Something to be done.
    Button,
    /// Any text.
    Text,
}

impl DeclaredOption {
    /// Reads a line; `None` if it declares no option.
    pub fn parse(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let word_after = |key: &str| {
            let mut words = rest.split_whitespace();
            words.find(|&word| word == key)?;
            words.next()
        };
        let bound = |key| word_after(key).and_then(|n| n.parse().ok());
        let kind = match rest.split_whitespace().next() {
            Some("check") => Kind::Check,
            Some("spin") => Kind::Spin(bound("min"), bound("max")),
            Some("button") => Kind::Button,
            Some("combo") => {
                let choices = format!("{rest} ");
                let choices = choices.split(" var ").skip(1);
                Kind::Combo(choices.map(|c| c.trim().to_owned()).collect())
            }
            _ => Kind::Text,
        };
        Some(DeclaredOption {
            name: name.trim().to_owned(),
            kind,
        })
    }

    /// The choices; empty if there are none, or they are not said.
    pub fn choices(&self) -> &[String] {
        match &self.kind {
            Kind::Combo(choices) => choices,
            _ => &[],
        }
    }

    /// What is wrong with a value, if anything.
    fn refuses(&self, value: &str) -> Option<String> {
        let expected = match &self.kind {
            Kind::Text => return None,
            Kind::Check | Kind::Button if matches!(value, "true" | "false") => return None,
            Kind::Check | Kind::Button => "true or false".to_owned(),
            Kind::Spin(least, most) => {
                let fits = |n: i64| least.is_none_or(|l| n >= l) && most.is_none_or(|m| n <= m);
                if value.parse().is_ok_and(fits) {
                    return None;
                }
                match (least, most) {
                    (Some(least), Some(most)) => format!("a number from {least} to {most}"),
                    (Some(least), None) => format!("a number from {least} on"),
                    (None, Some(most)) => format!("a number up to {most}"),
                    (None, None) => "a number".to_owned(),
                }
            }
            Kind::Combo(choices) => {
                let known =
                    choices.is_empty() || choices.iter().any(|c| c.eq_ignore_ascii_case(value));
                if known {
                    return None;
                }
                format!("one of {}", choices.join(", "))
            }
        };
        Some(format!("'{value}': expected {expected}"))
    }
}

/// What is wrong with an option that an engine is to be given, if anything.
pub fn wrong_option(declared: &[DeclaredOption], name: &str, value: &str) -> Option<String> {
    let option = declared.iter().find(|o| o.name.eq_ignore_ascii_case(name));
    let Some(option) = option else {
        let names = || declared.iter().map(|o| o.name.as_str());
        let known: Vec<&str> = names().collect();
        let known = match known.is_empty() {
            true => "it declares none".to_owned(),
            false => format!("it has {}", known.join(", ")),
        };
        return Some(format!(
            "option.{name}: it has no such option{}; {known}",
            did_you_mean(name, "", names())
        ));
    };
    let wrong = option.refuses(value)?;
    Some(format!("option.{name}: {wrong}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_options() {
        let parse = |line| DeclaredOption::parse(line).map(|o| (o.name, o.kind));
        let combo = |choices: &[&str]| Kind::Combo(choices.iter().map(|&c| c.to_owned()).collect());
        for (line, name, kind) in [
            (
                "option name UCI_Variant type combo default glinski var glinski var mccooey",
                "UCI_Variant",
                combo(&["glinski", "mccooey"]),
            ),
            (
                "option name Style type combo default Very Solid var Very Solid var Wild",
                "Style",
                combo(&["Very Solid", "Wild"]),
            ),
            (
                "option name Clear Hash type button",
                "Clear Hash",
                Kind::Button,
            ),
            (
                "option name Hash type spin default 16 min 1 max 1024",
                "Hash",
                Kind::Spin(Some(1), Some(1024)),
            ),
            (
                "option name File type string default <empty>",
                "File",
                Kind::Text,
            ),
        ] {
            assert_eq!(parse(line), Some((name.to_owned(), kind)), "{line}");
        }
        assert_eq!(parse("id name x"), None);
    }

    #[test]
    fn values_are_checked() {
        let declared: Vec<DeclaredOption> = [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Ponder type check default false",
            "option name Style type combo default Solid var Solid var Wild",
            "option name File type string",
        ]
        .iter()
        .filter_map(|line| DeclaredOption::parse(line))
        .collect();
        for (name, value) in [
            ("hash", "8"),
            ("Ponder", "true"),
            ("Style", "wild"),
            ("File", ""),
        ] {
            assert_eq!(wrong_option(&declared, name, value), None, "{name}");
        }
        for (name, value, part) in [
            ("Hash", "0", "from 1 to 1024"),
            ("Hash", "many", "'many'"),
            ("Ponder", "2", "true or false"),
            ("Style", "Odd", "Solid, Wild"),
            ("Hahs", "8", "did you mean Hash?"),
            ("Depth", "8", "it has Hash, Ponder, Style, File"),
        ] {
            let wrong = wrong_option(&declared, name, value).unwrap();
            assert!(wrong.contains(part), "{wrong}");
        }
        assert!(
            wrong_option(&[], "Hash", "8")
                .unwrap()
                .contains("declares none")
        );
    }
}
