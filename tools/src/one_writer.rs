//! Files that one process writes at a time, and that anybody may read meanwhile.
//!
//! Such a file is locked; but on Windows a lock would keep out readers as well, so there the file is opened in a way that
//! lets nobody else open it to write.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file to write it; `None` if somebody else does. Where files cannot be locked, that is left to the user.
///
/// # Errors
/// If it cannot be opened.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
    system::open(path, options)
}

/// Whether somebody writes a file now, who has opened it by [`open`].
#[cfg(feature = "board")]
pub fn is_written(path: &Path) -> bool {
    system::is_written(path)
}

#[cfg(not(windows))]
mod system {
    use std::fs::TryLockError;

    use super::*;

    pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
        let file = options.open(path)?;
        let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        Ok((!is_taken).then_some(file))
    }

    #[cfg(feature = "board")]
    pub fn is_written(path: &Path) -> bool {
        File::open(path).is_ok_and(|file| file.try_lock_shared().is_err())
    }
}

#[cfg(windows)]
mod system {
    use std::os::windows::fs::OpenOptionsExt;

    use super::*;

    const FILE_SHARE_READ: u32 = 1;
    const FILE_SHARE_DELETE: u32 = 4;
    const ERROR_SHARING_VIOLATION: i32 = 32;

    pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<Option<File>> {
        options.share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE);
        match options.open(path) {
            Err(error) if is_taken(&error) => Ok(None),
            file => file.map(Some),
        }
    }

    #[cfg(feature = "board")]
    pub fn is_written(path: &Path) -> bool {
        let file = OpenOptions::new().write(true).open(path);
        file.is_err_and(|error| is_taken(&error))
    }

    fn is_taken(error: &io::Error) -> bool {
        error.raw_os_error() == Some(ERROR_SHARING_VIOLATION)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    #[test]
    fn one_writes_and_others_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = open(&path, &mut options).unwrap().unwrap();
        file.write_all(b"text").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "text");
        assert!(open(&path, &mut options).unwrap().is_none());
        #[cfg(feature = "board")]
        assert!(is_written(&path));
        drop(file);
        #[cfg(feature = "board")]
        assert!(!is_written(&path));
        assert!(open(&path, &mut options).unwrap().is_some());
        assert!(open(&folder.path().join("none"), OpenOptions::new().write(true)).is_err());
    }
}
