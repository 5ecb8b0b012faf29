//! No file is overwritten unless the command says so.

use std::fs;
use std::path::{Path, PathBuf};

/// Whether files that exist may be overwritten.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Force {
    /// Overwrite output files that exist
    #[arg(long = "force")]
    allowed: bool,
}

/// An output that exists already.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{option} {}: the file exists; give another name, or --force to overwrite it", .path.display())]
pub struct Exists {
    /// The option that names the file.
    pub option: String,
    /// The file.
    pub path: PathBuf,
}

impl Force {
    /// Whether the command says so.
    pub fn is_given(self) -> bool {
        self.allowed
    }

    /// Makes sure that nothing is lost if the file is written. Empty files, pipes, devices and `-` have nothing to
    /// lose.
    ///
    /// # Errors
    /// If the file exists and must stay.
    pub fn check(self, option: &str, path: Option<&Path>) -> Result<(), Exists> {
        let Some(path) = path.filter(|path| !self.allowed && path.as_os_str() != "-") else {
            return Ok(());
        };
        match fs::metadata(path) {
            Ok(meta) if meta.is_file() && meta.len() > 0 => Err(Exists {
                option: option.to_owned(),
                path: path.to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_holds_something_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let check = |force: Force| force.check("--output", Some(&path));
        let (keep, force) = (Force::default(), Force { allowed: true });
        assert_eq!(check(keep), Ok(()));
        fs::write(&path, "").unwrap();
        assert_eq!(check(keep), Ok(()));
        fs::write(&path, "a").unwrap();
        let text = check(keep).unwrap_err().to_string();
        let expected = format!("--output {}: the file exists", path.display());
        assert!(
            text.starts_with(&expected) && text.contains("--force"),
            "{text}"
        );
        assert_eq!(check(force), Ok(()));
        for path in [
            None,
            Some(Path::new("-")),
            Some(Path::new("/dev/null")),
            Some(folder.path()),
        ] {
            assert_eq!(keep.check("--output", path), Ok(()));
        }
    }
}
