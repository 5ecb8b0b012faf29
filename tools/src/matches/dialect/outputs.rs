//! What a match writes: `-pgnout`, `-log` and other files, and the processors of `-use-affinity`.

use std::path::{Path, PathBuf};

use super::{DialectError, Group, number, refuse, truth};
use crate::analyse::is_stdout;
use crate::matches::options::{Affinity, GamesFile, LogOptions, Output, PgnOptions};
use crate::pgn::Notation;

pub(super) fn pgn(group: &Group) -> Result<PgnOptions, DialectError> {
    let mut pgn = PgnOptions {
        file: PathBuf::new(),
        append: true,
        min: false,
        notation: Notation::Cells,
    };
    for (key, value) in group.pairs_or_file()? {
        let whose = format!("-pgnout {key}");
        match key {
            "file" => pgn.file = value.into(),
            "append" => pgn.append = truth(&whose, value)?,
            "min" => pgn.min = truth(&whose, value)?,
            "notation" => {
                pgn.notation = match value {
                    "uci" | "cells" => Notation::Cells,
                    "san" => Notation::San,
                    _ => return refuse(format!("{whose}: '{value}'; expected san or uci")),
                }
            }
            // Always written; the switches of other tournament managers are accepted.
            "nodes" | "seldepth" | "timeleft" | "nps" | "latency" => {
                truth(&whose, value)?;
            }
            _ => return group.unknown(key, "file append min notation nodes"),
        }
    }
    if pgn.file.as_os_str().is_empty() {
        return refuse("-pgnout: expected file=NAME");
    }
    Ok(pgn)
}

pub(super) fn log(group: &Group) -> Result<LogOptions, DialectError> {
    let mut log = LogOptions {
        file: PathBuf::new(),
        engine: false,
    };
    for (key, value) in group.pairs()? {
        let whose = format!("-log {key}");
        match key {
            "file" => log.file = value.into(),
            "engine" => log.engine = truth(&whose, value)?,
            "level" if value == "trace" => log.engine = true,
            "level" if ["info", "warn", "err", "fatal"].contains(&value) => {}
            "level" => {
                return refuse(format!(
                    "{whose}: '{value}': expected trace info warn err fatal"
                ));
            }
            // Lines are always written at once.
            "realtime" => {
                truth(&whose, value)?;
            }
            _ => return group.unknown(key, "file engine level realtime"),
        }
    }
    if log.file.as_os_str().is_empty() {
        return refuse("-log: expected file=NAME");
    }
    refuse_stdout(group, &log.file)?;
    Ok(log)
}

/// `file=NAME`, or the name alone.
pub(super) fn journal(group: &Group) -> Result<PathBuf, DialectError> {
    let file = group.path()?;
    refuse_stdout(group, &file)?;
    Ok(file)
}

/// What the match says is there, and a journal is read, too.
fn refuse_stdout(group: &Group, file: &Path) -> Result<(), DialectError> {
    match is_stdout(file) {
        true => refuse(format!(
            "-{} file=-: is not written to standard output; expected the name of a file",
            group.name
        )),
        false => Ok(()),
    }
}

/// `file=NAME append=BOOL`, or the name alone.
pub(super) fn games_file(group: &Group) -> Result<GamesFile, DialectError> {
    let mut file = PathBuf::new();
    let mut append = true;
    for (key, value) in group.pairs_or_file()? {
        match key {
            "file" => file = value.into(),
            "append" => append = truth(&format!("-{} append", group.name), value)?,
            _ => return group.unknown(key, "file append"),
        }
    }
    if file.as_os_str().is_empty() {
        return refuse(format!("-{}: expected file=NAME", group.name));
    }
    Ok(GamesFile { file, append })
}

/// `format=fastchess|cutechess`, or the word alone.
pub(super) fn format(group: &Group) -> Result<Output, DialectError> {
    let word = group.word("format=fastchess or format=cutechess")?;
    match word.strip_prefix("format=").unwrap_or(word) {
        "fastchess" => Ok(Output::Fastchess),
        "cutechess" => Ok(Output::Cutechess),
        other => refuse(format!(
            "-output format: '{other}': expected fastchess or cutechess"
        )),
    }
}

/// Processors as `3,5,7-11`; all of them if nothing is said.
pub(super) fn affinity(group: &Group) -> Result<Affinity, DialectError> {
    const MOST: usize = 1023;
    if !cfg!(target_os = "linux") {
        return refuse("-use-affinity: only on Linux can hexmate bind games to processors");
    }
    if group.words.is_empty() {
        return Ok(Affinity::All);
    }
    let mut cpus = Vec::new();
    for part in group.word("processors like 3,5,7-11")?.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first = number("-use-affinity", first, 0..=MOST)?;
        let last = number("-use-affinity", last, first..=MOST)?;
        cpus.extend(first..=last);
    }
    Ok(Affinity::These(cpus))
}
