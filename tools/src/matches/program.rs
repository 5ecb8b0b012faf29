//! The file of an engine's program.

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
        return file.is_file().then_some(file);
    }
    let folders = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(path));
    files.find(|file| is_program(file))
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
        assert!(file_of("-engine cmd=sh name=x").is_some_and(|p| p.ends_with("sh")));
        assert_eq!(file_of("-engine cmd=internal"), None);
    }
}
