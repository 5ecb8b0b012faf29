//! Options and their words, and the values that they stand for.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::suggest::did_you_mean;
use super::{KNOWN, is_repeatable, names};

/// An option and its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name, without the dash.
    pub name: String,
    /// Its words.
    pub words: Vec<String>,
}

/// What is wrong with the words of a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DialectError(pub String);

/// Refuses something, with the reason.
pub fn refuse<T>(reason: impl Into<String>) -> Result<T, DialectError> {
    Err(DialectError(reason.into()))
}

/// Splits words into groups: an option begins with a dash and a letter (or two dashes).
///
/// # Errors
/// If the first word is not an option.
pub fn groups(words: &[String]) -> Result<Vec<Group>, DialectError> {
    let mut groups: Vec<Group> = Vec::new();
    for word in words {
        let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        match name.filter(|n| n.starts_with(|c: char| c.is_ascii_alphabetic())) {
            Some(name) => groups.push(Group {
                name: name.to_owned(),
                words: Vec::new(),
            }),
            None => match groups.last_mut() {
                Some(group) => group.words.push(word.clone()),
                None => {
                    return refuse(format!(
                        "'{word}' is not an option; expected one of {KNOWN}"
                    ));
                }
            },
        }
    }
    Ok(groups)
}

/// Checks that of the options of one command line or file each is given once, but for engines and the like.
///
/// # Errors
/// If one is given twice.
pub fn check_once<'g>(groups: impl IntoIterator<Item = &'g Group>) -> Result<(), DialectError> {
    let mut seen = Vec::new();
    for Group { name, .. } in groups {
        let known = !is_repeatable(name) && names().any(|known| known == name);
        if known && seen.contains(&name) {
            return refuse(format!("-{name}: is given twice; expected it once"));
        }
        seen.push(name);
    }
    Ok(())
}

impl Group {
    /// The words as keys and values, each key once.
    ///
    /// # Errors
    /// If a word has no `=`, or a key is given twice.
    pub fn pairs(&self) -> Result<Vec<(&str, &str)>, DialectError> {
        self.once(self.all_pairs()?)
    }

    /// The same, where a lone name is the file, as in `cutechess`.
    ///
    /// # Errors
    /// If a key is given twice.
    pub fn pairs_or_file(&self) -> Result<Vec<(&str, &str)>, DialectError> {
        let pairs = self.words.iter().map(|word| word.split_once('='));
        let pairs = pairs.zip(&self.words);
        self.once(pairs.map(|(p, word)| p.unwrap_or(("file", word))).collect())
    }

    fn once<'w>(
        &self,
        pairs: Vec<(&'w str, &'w str)>,
    ) -> Result<Vec<(&'w str, &'w str)>, DialectError> {
        for (i, (key, _)) in pairs.iter().enumerate() {
            if pairs[..i].iter().any(|(before, _)| is_same(before, key)) {
                return refuse(format!(
                    "-{}: '{key}' is given twice; expected it once",
                    self.name
                ));
            }
        }
        Ok(pairs)
    }

    /// The words as keys and values, where a key may be given several times.
    ///
    /// # Errors
    /// If a word has no `=`.
    pub fn all_pairs(&self) -> Result<Vec<(&str, &str)>, DialectError> {
        let pair = |word| match str::split_once(word, '=') {
            Some(pair) => Ok(pair),
            None => refuse(format!("-{}: '{word}': expected key=value", self.name)),
        };
        self.words.iter().map(|w| pair(w.as_str())).collect()
    }

    /// That no words follow. A file of options has a truth value for such an option.
    ///
    /// # Errors
    /// If some do.
    pub fn no_words(&self) -> Result<(), DialectError> {
        match self.words.first() {
            Some(word) => refuse(format!(
                "-{}: '{word}': expected nothing here, or true or false in a file of options",
                self.name
            )),
            None => Ok(()),
        }
    }

    /// The only word.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn word(&self, what: &str) -> Result<&str, DialectError> {
        match self.words.as_slice() {
            [word] => Ok(word),
            _ => refuse(format!(
                "-{}: expected {what}, found {} words",
                self.name,
                self.words.len()
            )),
        }
    }

    /// All words as one text.
    ///
    /// # Errors
    /// If that is empty.
    pub fn text(&self) -> Result<String, DialectError> {
        let text = self.words.join(" ");
        match text.trim().is_empty() {
            true => refuse(format!("-{}: expected a text", self.name)),
            false => Ok(text),
        }
    }

    /// The only word, a number within these bounds.
    ///
    /// # Errors
    /// As [`Group::word`] and [`number`].
    pub fn count<T>(&self, bounds: RangeInclusive<T>) -> Result<T, DialectError>
    where
        T: FromStr + PartialOrd + Copy + std::fmt::Display,
    {
        let word = self.word("a number")?;
        number(&format!("-{}", self.name), word, bounds)
    }

    /// Refuses a key; `known` are those that there are.
    ///
    /// # Errors
    /// Always.
    pub fn unknown<T>(&self, key: &str, known: &str) -> Result<T, DialectError> {
        let near = did_you_mean(key, "", known.split_whitespace());
        refuse(format!(
            "-{}: '{key}' is not one of its keys{near}; expected {known}",
            self.name
        ))
    }

    /// The file of `file=NAME` or `NAME`.
    ///
    /// # Errors
    /// If there is none.
    pub fn path(&self) -> Result<PathBuf, DialectError> {
        let word = self.word("file=NAME")?;
        Ok(word.strip_prefix("file=").unwrap_or(word).into())
    }
}

/// Whether two keys are the same one: case does not matter in the names of an engine's options.
fn is_same(a: &str, b: &str) -> bool {
    let option = |key: &str| key.strip_prefix("option.").map(str::to_ascii_lowercase);
    a == b || option(a).is_some() && option(a) == option(b)
}

/// Reads a number within these bounds.
///
/// # Errors
/// If it is not a number, or beyond them.
pub fn number<T>(whose: &str, text: &str, bounds: RangeInclusive<T>) -> Result<T, DialectError>
where
    T: FromStr + PartialOrd + Copy + std::fmt::Display,
{
    match text.parse::<T>() {
        Ok(n) if bounds.contains(&n) => Ok(n),
        _ => refuse(format!(
            "{whose}: '{text}': expected a number from {} to {}",
            bounds.start(),
            bounds.end()
        )),
    }
}

/// Reads a time in seconds.
///
/// # Errors
/// If it is not a number, negative, or more than 1,000,000.
pub fn seconds(whose: &str, text: &str) -> Result<Duration, DialectError> {
    const MOST: f64 = 1e6;
    match text.parse::<f64>() {
        Ok(s) if (0.0..=MOST).contains(&s) => Ok(Duration::from_secs_f64(s)),
        _ => refuse(format!(
            "{whose}: '{text}': expected seconds from 0 to {MOST}"
        )),
    }
}

/// Reads a boolean.
///
/// # Errors
///
/// If it is not one.
pub fn truth(whose: &str, text: &str) -> Result<bool, DialectError> {
    match text {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        _ => refuse(format!("{whose}: '{text}': expected true or false")),
    }
}
