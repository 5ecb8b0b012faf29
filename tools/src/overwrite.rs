//! No file is overwritten unless the command says so, and none is taken for a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::roles::is_device;

/// Whether files that exist may be overwritten.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Force {
    /// Overwrite output files that exist
    #[arg(long = "force")]
    allowed: bool,
}

/// An output that exists already, or the file that is written before it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum Exists {
    #[error("{option} {}: the file exists; give another name, or --force to overwrite it", .path.display())]
    Whole { option: String, path: PathBuf },
    #[error(
        "{option} {}: is written as {} until it is complete, and that file exists; rename it, delete it if a killed run left it, or give --force to overwrite it",
        .path.display(),
        .part.display()
    )]
    Part {
        option: String,
        path: PathBuf,
        part: PathBuf,
    },
}

impl Force {
    /// As if it were given: for files of the run itself, which it replaces again and again, or has looked at.
    pub const OWN: Force = Force { allowed: true };

    /// Whether the command says so.
    pub fn is_given(self) -> bool {
        self.allowed
    }

    /// Makes sure that nothing is lost if the file is written, first under its temporary name. Empty files, pipes,
    /// devices and `-` have nothing to lose.
    ///
    /// # Errors
    /// If the file, or one with that temporary name, exists and must stay.
    pub fn check(self, option: &str, path: Option<&Path>) -> Result<(), Exists> {
        self.check_whole(option, path)?;
        self.check_part(option, path)
    }

    /// The same, for those who only change what the file holds. Pipes and devices have no temporary name.
    ///
    /// # Errors
    /// If a file with the temporary name exists and must stay.
    pub fn check_part(self, option: &str, path: Option<&Path>) -> Result<(), Exists> {
        let Some(path) = path.filter(|path| self.concerns(path) && !is_device(path)) else {
            return Ok(());
        };
        let part = replaced(path).ok().and_then(|path| part_of(&path));
        match part.filter(|part| holds_something(part)) {
            Some(part) => Err(Exists::Part {
                option: option.to_owned(),
                path: path.to_owned(),
                part,
            }),
            None => Ok(()),
        }
    }

    /// The same, for those who write without a temporary name, or whose own run has left what has it.
    ///
    /// # Errors
    /// If the file exists and must stay.
    pub fn check_whole(self, option: &str, path: Option<&Path>) -> Result<(), Exists> {
        match path.filter(|path| self.concerns(path) && holds_something(path)) {
            Some(path) => Err(Exists::Whole {
                option: option.to_owned(),
                path: path.to_owned(),
            }),
            None => Ok(()),
        }
    }

    fn concerns(self, path: &Path) -> bool {
        !self.allowed && path.as_os_str() != "-"
    }
}

/// Whether there is a file in which something would be lost.
pub fn holds_something(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() > 0)
}

/// The file to replace: a link stays, and the file it points to is replaced.
///
/// # Errors
/// If a link leads nowhere.
pub fn replaced(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => fs::canonicalize(path),
        _ => Ok(path.to_owned()),
    }
}

/// The temporary name of a file, under which it is written until it is complete.
pub fn part_of(path: &Path) -> Option<PathBuf> {
    let mut name = path.file_name()?.to_owned();
    name.push(".part");
    Some(path.with_file_name(name))
}

/// Makes a folder and those above it, where they are missing.
///
/// # Errors
/// If it cannot be made.
pub fn make_folder(path: &Path) -> Result<()> {
    check_folder(path)?;
    fs::create_dir_all(path).with_context(|| format!("{}: cannot be made", path.display()))
}

/// Makes sure that neither a folder nor one above it is a file, or a link that leads nowhere.
///
/// # Errors
/// If one is.
pub fn check_folder(path: &Path) -> Result<()> {
    for path in path.ancestors() {
        let what = match (fs::metadata(path), fs::symlink_metadata(path)) {
            (Ok(meta), _) if !meta.is_dir() => "a file",
            (Err(_), Ok(meta)) if meta.is_symlink() => "a link that leads nowhere",
            _ => continue,
        };
        bail!("{}: it is {what}; expected a folder", path.display());
    }
    Ok(())
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
        fs::remove_file(&path).unwrap();
        let part = folder.path().join("out.part");
        fs::write(&part, "").unwrap();
        assert_eq!(check(keep), Ok(()));
        fs::write(&part, "a").unwrap();
        let text = check(keep).unwrap_err().to_string();
        assert!(
            text.contains("out.part") && text.contains("--force"),
            "{text}"
        );
        assert_eq!(check(force), Ok(()));
        assert_eq!(keep.check_whole("--output", Some(&path)), Ok(()));
        for path in [
            None,
            Some(Path::new("-")),
            Some(Path::new("/dev/null")),
            Some(folder.path()),
        ] {
            assert_eq!(keep.check("--output", path), Ok(()));
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_beside_a_pipe() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        fs::write(folder.path().join("pipe.part"), "a").unwrap();
        assert_eq!(Force::default().check("--output", Some(&path)), Ok(()));
    }
}
