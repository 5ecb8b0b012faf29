//! What a match writes is nothing that it reads, and no file of it is written twice.

use std::path::{Path, PathBuf};

use super::internal::UNTUNED;
use super::live;
use super::options::{Command, Options};
use super::program;
use crate::analyse::{is_stdout, note};
use crate::eval_file::HANDMADE;
use crate::roles::{Roles, SharedFile};

/// Checks the files of a match, read from so many files of options, before any of them is touched.
///
/// # Errors
/// If two options name the same file, and one of them writes it.
pub fn check(options: &Options, configs: &[PathBuf]) -> Result<(), SharedFile> {
    let mut roles = Roles::new();
    for config in configs {
        roles.input("-config", &named(config))?;
    }
    if let Some((book, _)) = &options.openings.file {
        roles.input("-openings", &named(book))?;
    }
    for engine in &options.engines {
        if let Some(program) = program::file_of(engine) {
            roles.input(&format!("-engine name={} cmd", engine.name), &program)?;
        }
        let weights = engine.options.iter().filter(|(name, value)| {
            let file = ["Weights", "EvalFile"]
                .iter()
                .any(|n| name.eq_ignore_ascii_case(n));
            engine.command == Command::Internal && file && value != UNTUNED && value != HANDMADE
        });
        for (option, path) in weights {
            roles.input(
                &format!("-engine name={} option.{option}", engine.name),
                &named(Path::new(path)),
            )?;
        }
    }
    let live = options.journal.as_deref().map(live::path);
    let written = [
        ("-journal", options.journal.as_ref()),
        ("the running games of -journal", live.as_ref()),
        ("-pgnout", options.pgnout.as_ref().map(|p| &p.file)),
        ("-jsonl", options.jsonl.as_ref().map(|g| &g.file)),
        ("-epdout", options.epdout.as_ref().map(|g| &g.file)),
        ("-report", options.report.as_ref()),
        ("-log", options.log.as_ref().map(|l| &l.file)),
    ];
    for (role, path) in written {
        match path {
            Some(path) if is_stdout(path) => {
                roles.output(role, Path::new("/dev/stdout"))?;
            }
            // It is replaced as a whole.
            Some(path) if role == "-report" => note(&mut roles, role, path)?,
            Some(path) => roles.output(role, path)?,
            None => {}
        }
    }
    Ok(())
}

/// Of what is read, `-` is the name of a file.
fn named(path: &Path) -> PathBuf {
    match path == Path::new("-") {
        true => Path::new(".").join(path),
        false => path.to_owned(),
    }
}
