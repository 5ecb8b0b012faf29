//! Opening inputs: files, file patterns and standard input, compressed or plain.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow, bail};
use hexmate_movegen::GameId;
use indicatif::ProgressBar;

use super::parquet::available;
use crate::roles::{Roles, SharedFile};
use crate::unpack::{NotText, Text, name_unpacked, unpack};

/// An input that has not been opened.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file; `None`: standard input, unless there is a text.
    pub path: Option<PathBuf>,
    /// What is read instead of a file.
    pub text: Option<Arc<str>>,
}

impl Source {
    /// Standard input.
    pub fn stdin() -> Source {
        Source {
            path: None,
            text: None,
        }
    }

    /// A file.
    pub fn file(path: PathBuf) -> Source {
        Source {
            path: Some(path),
            text: None,
        }
    }

    /// A text of the command line.
    pub fn of_text(text: &str) -> Source {
        Source {
            path: None,
            text: Some(text.into()),
        }
    }

    /// The inputs named by the arguments: files, `-`, patterns like `games/*.epd`, and position texts; none: standard
    /// input.
    ///
    /// # Errors
    ///
    /// If a pattern is invalid, or matches no file.
    pub fn of_arguments(arguments: &[PathBuf]) -> Result<Vec<Source>> {
        let mut sources = Vec::new();
        for argument in arguments {
            match argument.to_str() {
                Some("-") => sources.push(Source::stdin()),
                Some(text) if is_position(text) && !argument.exists() => {
                    sources.push(Source::of_text(text));
                }
                // A file whose name looks like a pattern is a file.
                Some(text) if is_pattern(text) && !argument.exists() => {
                    sources.extend(matching(text)?.into_iter().map(Source::file));
                }
                _ => sources.push(Source::file(argument.clone())),
            }
        }
        if arguments.is_empty() {
            sources.push(Source::stdin());
        }
        let is_stdin = |s: &&Source| s.path.is_none() && s.text.is_none();
        if sources.iter().filter(is_stdin).count() > 1 {
            bail!("standard input is named twice; it can be read once");
        }
        Ok(sources)
    }

    /// Notes these inputs, and standard output if something is printed.
    ///
    /// # Errors
    ///
    /// If one of the files has another role.
    pub fn note(sources: &[Source], prints: bool, roles: &mut Roles) -> Result<(), SharedFile> {
        for source in sources {
            match &source.path {
                Some(path) => roles.input("the input", path)?,
                None if source.text.is_some() => {}
                None => roles.input("standard input", Path::new("/dev/stdin"))?,
            }
        }
        if prints {
            roles.output("standard output", Path::new("/dev/stdout"))?;
        }
        Ok(())
    }

    /// Its name in messages.
    pub fn name(&self) -> Arc<str> {
        match (&self.path, &self.text) {
            (Some(path), _) => path.display().to_string().into(),
            (None, Some(_)) => "the position".into(),
            (None, None) => "-".into(),
        }
    }

    /// The name up to its first dot, and its extension, without that of the compression.
    fn stem_and_ending(&self) -> Option<(&str, &str)> {
        let name = self.path.as_deref()?.file_name()?.to_str()?;
        let name = name_unpacked(name);
        Some(name.rsplit_once('.').unwrap_or((name, "")))
    }

    /// The game that the file is named after, if any.
    pub fn game(&self) -> Option<GameId> {
        self.stem_and_ending()?.0.parse().ok()
    }

    /// The extension of the file's name, without that of the compression.
    pub fn ending(&self) -> &str {
        self.stem_and_ending().map_or("", |(_, ending)| ending)
    }

    /// The size of the file, if known.
    pub fn bytes(&self) -> Option<u64> {
        let meta = std::fs::metadata(self.path.as_deref()?).ok()?;
        meta.is_file().then_some(meta.len())
    }

    /// The input as a Parquet file, if it is one: a file that says so by its ending or its first bytes (`looks`), or
    /// whatever is `wanted`. Such files are not read from their beginning, so standard input is copied.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn parquet(&self, wanted: bool, looks: bool) -> Result<Option<File>> {
        let cannot = || format!("{}: cannot be read", self.name());
        let Some(path) = &self.path else {
            if !wanted || self.text.is_some() {
                return Ok(None);
            }
            return copied(io::stdin().lock(), cannot).map(Some);
        };
        // Pipes and devices have no end to begin with.
        let is_file = || std::fs::metadata(path).is_ok_and(|meta| meta.is_file());
        if !(wanted || looks && is_file()) {
            return Ok(None);
        }
        let mut file = File::open(path).with_context(cannot)?;
        let mut first = [0; PARQUET.len()];
        let is_named = ["parquet", "pq"].contains(&&*self.ending().to_ascii_lowercase());
        let is_one = wanted || is_named || file.read_exact(&mut first).is_ok() && first == PARQUET;
        Ok(is_one.then_some(file))
    }

    /// An input without anything in it.
    pub fn nothing() -> Text {
        BufReader::new(Box::new(io::empty()))
    }

    /// Opens the input; `progress` is given the bytes that are read.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is a folder.
    pub fn open(&self, progress: &ProgressBar) -> Result<Text> {
        if let Some(text) = &self.text {
            let bytes = text.as_bytes().to_vec();
            return Ok(BufReader::new(Box::new(Cursor::new(bytes))));
        }
        let plain: Box<dyn Read + Send> = match &self.path {
            Some(path) => {
                let cannot = || format!("{}: cannot be read", path.display());
                let file = File::open(path).with_context(cannot)?;
                if file.metadata().with_context(cannot)?.is_dir() {
                    bail!(
                        "{}: is a folder; expected a file of positions or games",
                        path.display()
                    );
                }
                Box::new(progress.wrap_read(file))
            }
            None => Box::new(progress.wrap_read(io::stdin())),
        };
        unpack(plain).map_err(|error| match NotText::in_error(&error) {
            Some(_) => unreadable(error).context(self.name().to_string()),
            None => Error::new(error).context(format!("{}: cannot be read", self.name())),
        })
    }
}

/// A temporary file with all that is read. `cannot` is what is said where it cannot be read.
fn copied(mut input: impl BufRead, cannot: impl Fn() -> String) -> Result<File> {
    let cannot_copy = || {
        let variable = if cfg!(windows) { "TMP" } else { "TMPDIR" };
        format!(
            "Parquet is read from a temporary file, which cannot be written in {}; expected a folder with room for all \
             of the input, which {variable} names, or a file in place of standard input",
            std::env::temp_dir().display()
        )
    };
    let mut copy = tempfile::tempfile().with_context(cannot_copy)?;
    loop {
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            bytes => bytes.with_context(&cannot)?,
        };
        if bytes.is_empty() {
            return Ok(copy);
        }
        copy.write_all(bytes).with_context(cannot_copy)?;
        let count = bytes.len();
        input.consume(count);
    }
}

/// Why an input has no more lines.
pub(super) fn unreadable(error: io::Error) -> Error {
    match NotText::in_error(&error) {
        Some(NotText::Parquet) => match available() {
            Ok(()) => anyhow!(
                "a Parquet file; expected its name in place of standard input, or analyse --input-format parquet"
            ),
            Err(absent) => absent.context("a Parquet file"),
        },
        Some(kind) => kind.into(),
        None => Error::new(error).context("the input cannot be read further"),
    }
}

/// Whether an argument is a position text: its second word is a side to move.
fn is_position(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|word| word.contains('/')) && matches!(words.next(), Some("w" | "b"))
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// The files that the arguments name, by themselves or by patterns.
///
/// # Errors
/// If a pattern is invalid, or matches no file.
pub fn files(arguments: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for argument in arguments {
        match argument.to_str() {
            Some(text) if is_pattern(text) && !argument.exists() => files.extend(matching(text)?),
            _ => files.push(argument.clone()),
        }
    }
    Ok(files)
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>> {
    let paths = glob::glob(pattern).with_context(|| format!("{pattern}: is not a file pattern"))?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.with_context(|| format!("{pattern}: a folder cannot be read"))?;
        // A pattern means files, not folders that match it.
        if !path.is_dir() {
            found.push(path);
        }
    }
    if found.is_empty() {
        bail!("{pattern}: no file matches this pattern");
    }
    Ok(found)
}

/// The first bytes of a Parquet file.
pub(super) const PARQUET: [u8; 4] = *b"PAR1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let source = |name: &str| Source::file(name.into());
        assert_eq!(source("a/mccooey.epd.gz").game(), Some(GameId::Mccooey));
        assert_eq!(source("a/b.PGN").ending(), "PGN");
        assert_eq!(source("b.csv.zst").ending(), "csv");
        assert_eq!(source("b").ending(), "");
        assert_eq!(Source::stdin().game(), None);
        assert!(is_position(GameId::Glinski.spec().start));
        assert!(!is_position("my games/b w.pgn"));
    }
}
