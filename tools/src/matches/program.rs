//! The file of an engine's program.

use std::env::consts::EXE_SUFFIX;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use super::options::{Command, EngineSpec};

/// The file of an engine's program as the system finds it; `None` for the built-in engine, or if there is
/// none.
pub fn file_of(engine: &EngineSpec) -> Option<PathBuf> {
    let Command::Program { path, dir, .. } = &engine.command else {
        return None;
    };
    if path.contains(std::path::is_separator) {
        let file = dir.as_deref().unwrap_or(Path::new("")).join(path);
        let mut names = names(file).into_iter();
        return names.find(|file| file.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&folders).flat_map(|folder| names(folder.join(path)));
    files.find(|file| is_program(file))
}

/// What the file may be called: on Windows the ending of programs may be left out.
fn names(file: PathBuf) -> Vec<PathBuf> {
    let mut whole = file.clone().into_os_string();
    whole.push(EXE_SUFFIX);
    match EXE_SUFFIX.is_empty() {
        true => vec![file],
        false => vec![whole.into(), file],
    }
}

fn is_program(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && may_be_executed(&meta))
}

#[cfg(unix)]
fn may_be_executed(meta: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;

    meta.permissions().mode() & 0o111 != 0
}

/// Elsewhere files do not say.
#[cfg(not(unix))]
fn may_be_executed(_meta: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::super::dialect;
    use super::*;

    fn file_of(words: &str) -> Option<PathBuf> {
        let words = format!("{words} nodes=1 -engine cmd=internal nodes=1");
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let options = dialect::options(&dialect::groups(&words).unwrap()).unwrap();
        super::file_of(&options.engines[0])
    }

    #[test]
    fn programs_are_found_as_the_system_finds_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine");
        std::fs::write(&path, "").unwrap();
        let at = path.display();
        assert_eq!(file_of(&format!("-engine cmd={at}")), Some(path.clone()));
        let inside = format!("-engine cmd=./engine dir={}", folder.path().display());
        let found = file_of(&inside).unwrap();
        assert_eq!(found.canonicalize().unwrap(), path.canonicalize().unwrap());
        assert_eq!(file_of(&format!("-engine cmd={at}s")), None);
        let (shell, its_file) = match cfg!(windows) {
            true => ("cmd", "cmd.exe"),
            false => ("sh", "sh"),
        };
        let found = file_of(&format!("-engine cmd={shell} name=x"));
        assert!(found.is_some_and(|path| path.ends_with(its_file)));
        assert_eq!(file_of("-engine cmd=internal"), None);
    }
}
