//! Files that are read whole: regular ones only, since a pipe or device may have no end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// No text that is read whole is longer than this.
const MOST_BYTES: u64 = 1 << 26;

/// Opens a regular file.
///
/// # Errors
/// If it is not a regular file, or cannot be read.
pub fn open(path: &Path) -> io::Result<File> {
    // Checked before it is opened: opening a pipe waits for a writer.
    if !fs::metadata(path)?.is_file() {
        let error = "is not a regular file; expected one, since all of it is needed";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, error));
    }
    File::open(path)
}

/// Opens a regular file, or standard input if the path is `-`.
///
/// # Errors
/// As [`open`].
pub fn open_or_stdin(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(match path.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(open(path)?),
    })
}

/// The text of a regular file.
///
/// # Errors
/// As [`open`], and if it is too long, or not UTF-8.
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
