//! The weights of a game as data: read from text and written to it.
//!
//! A text begins with the line `hexmate-weights 1`, the version (those written before there was one lack it).
//! It has a section for each game, `[glinski]`, with a line for each table: the term, the letter of
//! the piece that it is for if it is for one, and a pair `middle,end` in centipawns for each place. A line
//! `checksum` of the values may follow.
//! Lines that begin with `#` are comments.

use std::collections::HashMap;
use std::fmt::Write as _;

use hexmate_movegen::spec::GameSpec;
use hexmate_movegen::{BuiltIn, Game, GameId, with_game};

use super::geometry::Geometry;
use super::layout::{Group, Layout, Term};
use super::untuned::{self, Sights};
use crate::eval::facts::Facts;

/// The weights that were tuned, of all games that were.
const TUNED: &str = include_str!("../../../weights/tuned.txt");

/// The first word of a file of weights.
const MAGIC: &str = "hexmate-weights";
/// The only version so far.
const VERSION: u32 = 1;

/// The first word of a section's last line; a section may lack it.
const CHECKSUM: &str = "checksum";

/// No weight is farther from zero: sums of all pieces of a board stay within range.
const MOST: i32 = 20_000;

/// The weights of one game: for each a value of the middle game and one of the end game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights<G: Game> {
    values: Vec<[i32; 2]>,
    game: G,
}

/// Why a text is not the weights of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum WeightsError {
    #[error("this is no file of weights; expected 'hexmate-weights 1' or a section like [glinski]")]
    NotWeights,
    #[error("weights of version {found}; expected version {VERSION}")]
    OtherVersion { found: String },
    #[error("weights of {found}; expected a section [{game}]")]
    OtherGame { game: &'static str, found: String },
    #[error("line {line}: section [{game}] was there before")]
    RepeatedSection { line: usize, game: String },
    #[error("line {line}: '{table}' is no table of weights of {game}")]
    UnknownTable {
        line: usize,
        table: String,
        game: &'static str,
    },
    #[error("line {line}: '{table}' was given before")]
    Repeated { line: usize, table: String },
    #[error("line {line}: '{text}' is no weight; expected middle game and end game like '12,-5'")]
    BadWeight { line: usize, text: String },
    #[error("line {line}: {value} is out of range; expected {least} to {most}", least = -MOST, most = MOST)]
    OutOfRange { line: usize, value: i32 },
    #[error("line {line}: '{table}' has {found} weights; expected {expected}")]
    WrongNumber {
        line: usize,
        table: String,
        found: usize,
        expected: usize,
    },
    #[error("section [{game}] has no line '{table}'")]
    Missing { game: &'static str, table: String },
    #[error(
        "line {line}: the weights of {game} have the checksum {found}, not {expected}; the file is damaged, or was edited: then remove this line"
    )]
    Checksum {
        line: usize,
        game: &'static str,
        expected: String,
        found: String,
    },
}

/// The name of a table: `mobility Q`, `tempo`.
fn table_name(spec: &GameSpec, group: &Group) -> String {
    match group.part {
        Some(part) => {
            let letter = char::from(spec.pieces[part].letter);
            format!("{} {letter}", group.term.name())
        }
        None => group.term.name().to_owned(),
    }
}

impl<G: Game> Weights<G> {
    /// The tuned ones, or else those worked out from the rules.
    ///
    /// # Panics
    /// If the file of tuned weights has been damaged; a test looks after it.
    pub fn of(game: G) -> Self {
        let tuned = match Self::tuned(game) {
            // A user's game may have the name of one that was tuned, and other pieces.
            Err(_) if !G::FIXED => None,
            tuned => tuned.expect("the tuned weights are whole"),
        };
        tuned.unwrap_or_else(|| Self::untuned(game))
    }

    /// The game.
    pub fn game(&self) -> G {
        self.game
    }

    /// The weights worked out from the game's rules alone.
    pub fn untuned(game: G) -> Self {
        let values = untuned(game.id());
        Weights { values, game }
    }

    /// The weights that come with the program, if this game was tuned.
    ///
    /// # Errors
    /// If the file has been damaged; a test looks after it.
    pub fn tuned(game: G) -> Result<Option<Self>, WeightsError> {
        match Self::parse(game, TUNED) {
            Ok(weights) => Ok(Some(weights)),
            Err(WeightsError::OtherGame { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads the game's section of a text; see [`WeightsFile`].
    ///
    /// # Errors
    /// If the text is no file of weights of this version, has no section of the game, or that is not exactly
    /// what the game needs.
    pub fn parse(game: G, text: &str) -> Result<Self, WeightsError> {
        WeightsFile::parse(text)?.weights(game)
    }

    /// The section of these weights, as [`Weights::parse`] reads it; `comment` goes before the tables.
    pub fn to_text(&self, comment: &str) -> String {
        write_section(self.game.id(), &self.values, comment)
    }

    /// The middle game's and the end game's value of each weight, in a fixed order.
    pub fn values(&self) -> &[[i32; 2]] {
        &self.values
    }

    /// The places of the bare worth of pieces.
    pub fn material(&self) -> Vec<usize> {
        let groups = layout(self.game.id()).groups;
        let material = groups.iter().filter(|g| g.term == Term::Material);
        material.flat_map(|g| g.start..g.start + g.len).collect()
    }

    /// The same weights with other values.
    ///
    /// # Panics
    /// If there are more or fewer of them.
    pub fn with_values(&self, values: impl IntoIterator<Item = [i32; 2]>) -> Self {
        let within = |v: i32| v.clamp(-MOST, MOST);
        let values: Vec<[i32; 2]> = values.into_iter().map(|v| v.map(within)).collect();
        assert_eq!(values.len(), self.values.len(), "as many as before");
        Weights { values, ..*self }
    }
}

// Doors.

fn layout(id: GameId) -> Layout {
    with_game!(id, game => {
        let facts = Facts::of(game);
        Layout::new(&facts, &Geometry::new(&facts))
    })
}

fn untuned(id: GameId) -> Vec<[i32; 2]> {
    with_game!(id, game => untuned::weights(&layout(id), &Sights::new(game)))
}

/// The values that a section has for its game.
fn read_section(id: GameId, section: &Section<'_>) -> Result<Vec<[i32; 2]>, WeightsError> {
    let (spec, layout) = (id.spec(), layout(id));
    let game = spec.name;
    let tables: HashMap<String, &Group> = layout
        .groups
        .iter()
        .map(|g| (table_name(spec, g), g))
        .collect();
    let mut values: Vec<Option<[i32; 2]>> = vec![None; layout.len];
    let mut checksum_given = None;
    for &(line, text) in &section.lines {
        if let Some(sum) = text.strip_prefix(CHECKSUM) {
            checksum_given = Some((line, sum.trim()));
            continue;
        }
        // A number is what begins with a digit or a sign; all before it is the name.
        let is_weight = |c: char| c.is_ascii_digit() || c == '-' || c == '+';
        let split = text
            .split_whitespace()
            .position(|word| word.starts_with(is_weight));
        let mut words = text.split_whitespace();
        let name: Vec<&str> = words.by_ref().take(split.unwrap_or(usize::MAX)).collect();
        let table = name.join(" ");
        let Some(group) = tables.get(&table) else {
            return Err(WeightsError::UnknownTable { line, table, game });
        };
        let words = text.split_whitespace().skip(name.len());
        let found = words
            .map(|word| pair(line, word))
            .collect::<Result<Vec<_>, _>>()?;
        if found.len() != group.len {
            return Err(WeightsError::WrongNumber {
                line,
                table,
                found: found.len(),
                expected: group.len,
            });
        }
        let places = &mut values[group.start..group.start + group.len];
        for (place, value) in places.iter_mut().zip(found) {
            if place.replace(value).is_some() {
                return Err(WeightsError::Repeated { line, table });
            }
        }
    }
    let missing = layout.groups.iter().find(|g| values[g.start].is_none());
    if let Some(group) = missing {
        return Err(WeightsError::Missing {
            game,
            table: table_name(spec, group),
        });
    }
    let values: Vec<[i32; 2]> = values.into_iter().flatten().collect();
    let found = checksum(&values);
    match checksum_given {
        Some((line, expected)) if expected != found => Err(WeightsError::Checksum {
            line,
            game,
            expected: expected.chars().take(20).collect(),
            found,
        }),
        _ => Ok(values),
    }
}

fn write_section(id: GameId, values: &[[i32; 2]], comment: &str) -> String {
    let spec = id.spec();
    let mut text = format!("[{}]\n", spec.name);
    for line in comment.lines() {
        let _ = writeln!(text, "# {line}");
    }
    for group in &layout(id).groups {
        text += &table_name(spec, group);
        for [middle, end] in &values[group.start..group.start + group.len] {
            let _ = write!(text, " {middle},{end}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{CHECKSUM} {}", checksum(values));
    text
}

/// A hash of the values (FNV-1a) as hexadecimal digits: it tells a damaged section.
fn checksum(values: &[[i32; 2]]) -> String {
    let bytes = values
        .iter()
        .flatten()
        .flat_map(|value| value.to_le_bytes());
    let sum = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{sum:016x}")
}

impl<G: BuiltIn> Default for Weights<G> {
    /// Those of [`Weights::of`].
    fn default() -> Self {
        Weights::of(G::GAME)
    }
}

/// A text of weights that has been taken apart, not yet understood.
///
/// ```
/// use hexmate_engine::{Weights, WeightsFile};
/// use hexmate_movegen::{Glinski, Mccooey};
///
/// let text = WeightsFile::HEADER.to_owned() + "\n" + &Weights::<Glinski>::default().to_text("mine");
/// let file = WeightsFile::parse(&text).unwrap();
/// assert!(file.weights(Glinski).is_ok());
/// let refused = file.weights(Mccooey).unwrap_err();
/// assert_eq!(refused.to_string(), "weights of glinski; expected a section [mccooey]");
/// ```
#[derive(Clone, Debug)]
pub struct WeightsFile<'t> {
    sections: Vec<Section<'t>>,
}

/// What belongs to one game: lines that say something, with their numbers from 1.
#[derive(Clone, Debug)]
struct Section<'t> {
    game: &'t str,
    lines: Vec<(usize, &'t str)>,
}

impl<'t> WeightsFile<'t> {
    /// The line that a text of weights begins with.
    pub const HEADER: &'static str = "hexmate-weights 1";

    /// Takes a text apart.
    ///
    /// # Errors
    /// If it is no text of weights, or one of another version, or has two sections of a game.
    pub fn parse(text: &'t str) -> Result<Self, WeightsError> {
        let mut sections: Vec<Section<'t>> = Vec::new();
        let mut version = None;
        for (line, text) in (1..).zip(text.lines().map(str::trim)) {
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if let Some(name) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
                if sections.iter().any(|s| s.game == name) {
                    let game = name.to_owned();
                    return Err(WeightsError::RepeatedSection { line, game });
                }
                let lines = Vec::new();
                sections.push(Section { game: name, lines });
            } else if let Some(section) = sections.last_mut() {
                section.lines.push((line, text));
            } else if let Some(found) = text.strip_prefix(MAGIC)
                && version.is_none()
            {
                let found = found.trim();
                if found.parse() != Ok(VERSION) {
                    let found = found.chars().take(20).collect();
                    return Err(WeightsError::OtherVersion { found });
                }
                version = Some(VERSION);
            } else {
                return Err(WeightsError::NotWeights);
            }
        }
        if sections.is_empty() && version.is_none() {
            return Err(WeightsError::NotWeights);
        }
        Ok(WeightsFile { sections })
    }

    /// The names of the games that it has sections of. They need not be games that the program knows.
    pub fn games(&self) -> impl Iterator<Item = &'t str> {
        self.sections.iter().map(|section| section.game)
    }

    /// The weights of a game.
    ///
    /// # Errors
    /// If there is no section of the game, or it is not exactly what the game needs.
    pub fn weights<G: Game>(&self, of: G) -> Result<Weights<G>, WeightsError> {
        let game = of.spec().name;
        let section = self.sections.iter().find(|s| s.game == game);
        let section = section.ok_or_else(|| {
            let found: Vec<&str> = self.games().collect();
            let found = match found.is_empty() {
                true => "no game".to_owned(),
                false => found.join(", ").chars().take(80).collect(),
            };
            WeightsError::OtherGame { game, found }
        })?;
        let values = read_section(of.id(), section)?;
        Ok(Weights { values, game: of })
    }
}

/// A pair like `12,-5`.
fn pair(line: usize, text: &str) -> Result<[i32; 2], WeightsError> {
    let bad = || WeightsError::BadWeight {
        line,
        text: text.chars().take(40).collect(),
    };
    let (middle, end) = text.split_once(',').ok_or_else(bad)?;
    let mut out = [0; 2];
    for (out, text) in out.iter_mut().zip([middle, end]) {
        let value: i32 = text.parse().map_err(|_| bad())?;
        if value.abs() > MOST {
            return Err(WeightsError::OutOfRange { line, value });
        }
        *out = value;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexmate_movegen::{Chromatic3, Glinski, for_each_game};

    #[test]
    fn the_weights_that_come_along_are_whole() {
        for_each_game!(G => {
            if let Err(error) = Weights::tuned(G::GAME) {
                panic!("{}: {error}", G::ID);
            }
        });
    }

    #[test]
    fn what_is_written_is_read() {
        let glinski = Weights::untuned(Glinski);
        let other = Weights::untuned(Chromatic3);
        let text = other.to_text("one\ntwo") + &glinski.to_text("");
        for text in [&text, &format!("# mine\n{}\n{text}", WeightsFile::HEADER)] {
            assert_eq!(Weights::parse(Glinski, text), Ok(glinski.clone()));
            assert_eq!(Weights::parse(Chromatic3, text), Ok(other.clone()));
            let file = WeightsFile::parse(text).unwrap();
            assert_eq!(file.games().collect::<Vec<_>>(), ["chromatic3", "glinski"]);
            let twice = WeightsFile::parse(&(text.to_owned() + "[glinski]")).map(|_| ());
            let error = twice.unwrap_err().to_string();
            assert!(
                error.ends_with("section [glinski] was there before"),
                "{error}"
            );
        }
        let none = Weights::parse(Glinski, WeightsFile::HEADER).unwrap_err();
        let expected = "weights of no game; expected a section [glinski]";
        assert_eq!(none.to_string(), expected);
    }

    /// A file that was cut off anywhere is refused, unless it lacks nothing but the checksum, which need not
    /// be there.
    #[test]
    fn a_part_of_a_file_is_refused() {
        let header = WeightsFile::HEADER.to_owned() + "\n";
        let whole = header + &Weights::untuned(Glinski).to_text("");
        let tables = whole.rfind("checksum").unwrap();
        for cut in (1..tables - 5)
            .step_by(7)
            .chain(tables + 1..whole.len() - 1)
        {
            let part = Weights::parse(Glinski, &whole[..cut]);
            assert!(part.is_err(), "{cut} of {}", whole.len());
        }
        assert!(Weights::parse(Glinski, &whole[..tables]).is_ok());
        assert!(Weights::parse(Glinski, &whole).is_ok());
    }

    #[test]
    fn faults_are_named() {
        let good = Weights::untuned(Glinski).to_text("");
        let fault = |from: &str, to: &str| {
            let text = good.replacen(from, to, 1);
            assert_ne!(text, good, "{from}");
            Weights::parse(Glinski, &text).unwrap_err().to_string()
        };
        assert_eq!(
            fault("[glinski]", "[chess]"),
            "weights of chess; expected a section [glinski]"
        );
        assert_eq!(
            fault("[glinski]", "hexmate-weights 2\n[glinski]"),
            "weights of version 2; expected version 1"
        );
        for other in ["", "hexmate-tables 1\n", "\u{7f}ELF\n"] {
            assert_eq!(
                fault("[glinski]", other),
                "this is no file of weights; expected 'hexmate-weights 1' or a section like [glinski]"
            );
        }
        let line = good.lines().position(|l| l.starts_with("tempo")).unwrap() + 1;
        assert_eq!(
            fault("tempo 10,10", "tempi 10,10"),
            format!("line {line}: 'tempi' is no table of weights of glinski")
        );
        assert_eq!(
            fault("tempo 10,10", "tempo 10,10 1,1"),
            format!("line {line}: 'tempo' has 2 weights; expected 1")
        );
        assert_eq!(
            fault("tempo 10,10", "tempo 10;10"),
            format!(
                "line {line}: '10;10' is no weight; expected middle game and end game like '12,-5'"
            )
        );
        let checksum = good.lines().position(|l| l.starts_with("checksum"));
        let told = fault("tempo 10,10", "tempo 10,11");
        let front = format!(
            "line {}: the weights of glinski have the checksum ",
            checksum.unwrap() + 1
        );
        assert!(told.starts_with(&front), "{told}");
        let plain: String = (good.lines().filter(|l| !l.starts_with("checksum")))
            .map(|l| l.replace("tempo 10,10", "tempo 10,11") + "\n")
            .collect();
        let edited = Weights::parse(Glinski, &plain).unwrap();
        assert_ne!(edited, Weights::untuned(Glinski));
        assert_eq!(
            fault("tempo 10,10", "tempo 10,99999"),
            format!("line {line}: 99999 is out of range; expected -20000 to 20000")
        );
        assert_eq!(
            fault("tempo 10,10", "tempo 10,10\ntempo 10,10"),
            format!("line {}: 'tempo' was given before", line + 1)
        );
        assert_eq!(
            fault("tempo 10,10", ""),
            "section [glinski] has no line 'tempo'"
        );
    }
}
