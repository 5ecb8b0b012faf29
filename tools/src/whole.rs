//! Files of which all is needed: none but regular ones, since a pipe or device may have no end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// No text that is read in one piece is longer.
const MOST_BYTES: u64 = 1 << 26;

/// Opens a regular file.
///
/// # Errors
/// If it is no regular file, or cannot be read.
pub fn open(path: &Path) -> io::Result<File> {
    // Looked at before it is opened: opening a pipe waits for somebody who writes.
    if !fs::metadata(path)?.is_file() {
        let error = "is not a regular file; expected one, since all of it is needed";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, error));
    }
    File::open(path)
}

/// The text of a regular file.
///
/// # Errors
/// As [`open`], and if it is longer than any text that is read in one piece, or not UTF-8.
pub fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = open(path)?.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if read as u64 > MOST_BYTES {
        let error = format!("has more than {MOST_BYTES} bytes; expected a text");
        return Err(io::Error::new(io::ErrorKind::InvalidData, error));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_or_too_long_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "a\nb").unwrap();
        assert_eq!(text(&path).unwrap(), "a\nb");
        File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_len(MOST_BYTES + 1))
            .unwrap();
        let error = text(&path).unwrap_err().to_string();
        assert!(error.contains("67108864 bytes"), "{error}");
        let error = text(folder.path()).unwrap_err().to_string();
        assert!(error.contains("not a regular file"), "{error}");
    }
}
