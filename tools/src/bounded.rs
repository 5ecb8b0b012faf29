//! Reading text files that may contain anything: memory stays bounded, however long a line or a file is, even
//! for a device without end.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use twox_hash::XxHash3_64;

use crate::lines::{MOST_BYTES, lossy};
use crate::unpack::{Text, unpack};

/// Files of options and of weights are not longer than this.
const MOST_SMALL: usize = 16 << 20;

/// The byte order mark that some editors write.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Why a text cannot be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum TextError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("line {0}: longer than {MOST_BYTES} bytes")]
    LongLine(usize),
    #[error("line {0}: not UTF-8")]
    NotUtf8(usize),
    #[error("longer than {MOST_SMALL} bytes")]
    LongFile,
}

/// A whole file of options or weights.
///
/// # Errors
/// If it cannot be read, is not text, or is too long.
pub fn small_text(path: &Path) -> Result<String, TextError> {
    text_of(small_bytes(path)?)
}

/// The same, whatever bytes it has.
///
/// # Errors
/// If it cannot be read, or is too long.
pub fn small_bytes(path: &Path) -> Result<Vec<u8>, TextError> {
    let mut bytes = Vec::new();
    let most = MOST_SMALL as u64 + 1;
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    if bytes.len() > MOST_SMALL {
        return Err(TextError::LongFile);
    }
    Ok(bytes)
}

/// Bytes as text.
///
/// # Errors
/// If they are not UTF-8.
pub fn text_of(bytes: Vec<u8>) -> Result<String, TextError> {
    String::from_utf8(bytes).map_err(|e| {
        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        TextError::NotUtf8(1 + before.iter().filter(|&&b| b == b'\n').count())
    })
}

/// The lines of a text, one at a time.
pub struct TextLines<R> {
    reader: BufReader<Hashing<R>>,
    number: usize,
}

impl TextLines<Text> {
    /// Opens a file, compressed or plain.
    ///
    /// # Errors
    /// If it cannot be opened, or its beginning cannot be read.
    pub fn open(path: &Path) -> Result<Self, TextError> {
        TextLines::unpacked(File::open(path)?)
    }

    /// The lines of a stream, compressed or plain.
    ///
    /// # Errors
    /// If its beginning cannot be read.
    pub fn unpacked(packed: impl Read + Send + 'static) -> Result<Self, TextError> {
        Ok(TextLines::new(unpack(Box::new(packed))?))
    }
}

impl<R: Read> TextLines<R> {
    /// The lines of `inner`.
    pub fn new(inner: R) -> Self {
        let hasher = XxHash3_64::with_seed(0);
        TextLines {
            reader: BufReader::new(Hashing { inner, hasher }),
            number: 0,
        }
    }

    /// The next line without its end, and its number from 1; `None` at the end of the file.
    ///
    /// # Errors
    /// If it cannot be read, is too long, or is not text.
    pub fn next_line(&mut self) -> Result<Option<(usize, String)>, TextError> {
        let Some(bytes) = self.next_bytes()? else {
            return Ok(None);
        };
        let text = String::from_utf8(bytes).map_err(|_| TextError::NotUtf8(self.number))?;
        Ok(Some((self.number, text)))
    }

    /// The same; what is not UTF-8 is read as Latin-1.
    ///
    /// # Errors
    /// If it cannot be read, or is too long.
    pub fn next_lossy(&mut self) -> Result<Option<(usize, String)>, TextError> {
        let bytes = self.next_bytes()?;
        Ok(bytes.map(|bytes| (self.number, lossy(bytes))))
    }

    fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, TextError> {
        let mut bytes = Vec::new();
        let mut line = self.reader.by_ref().take(MOST_BYTES as u64 + 1);
        if line.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        if bytes.len() > MOST_BYTES {
            return Err(TextError::LongLine(self.number));
        }
        if self.number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some(bytes))
    }

    /// A hash of the whole text, once its end was reached.
    pub fn digest(&self) -> u64 {
        std::hash::Hasher::finish(&self.reader.get_ref().hasher)
    }
}

/// A hash of a file's content.
///
/// # Errors
/// If it cannot be read.
pub fn digest_of(path: &Path) -> io::Result<u64> {
    let mut hashing = Hashing {
        inner: File::open(path)?,
        hasher: XxHash3_64::with_seed(0),
    };
    io::copy(&mut hashing, &mut io::sink())?;
    Ok(std::hash::Hasher::finish(&hashing.hasher))
}

/// Hashes what it reads.
struct Hashing<R> {
    inner: R,
    hasher: XxHash3_64,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        std::hash::Hasher::write(&mut self.hasher, &bytes[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_limit() {
        let mut lines = TextLines::new(&b"\xef\xbb\xbffirst\r\n\nlast"[..]);
        let mut next = || lines.next_line().unwrap();
        assert_eq!(next(), Some((1, "first\r".to_owned())));
        assert_eq!(next(), Some((2, String::new())));
        assert_eq!(next(), Some((3, "last".to_owned())));
        assert_eq!(next(), None);
        let longest = vec![b'x'; MOST_BYTES];
        let mut lines = TextLines::new(&longest[..]);
        assert!(lines.next_line().is_ok_and(|l| l.is_some()));
        let mut endless = TextLines::new(io::repeat(b'x'));
        assert!(matches!(endless.next_line(), Err(TextError::LongLine(1))));
        let mut odd = TextLines::new(&b"a\n\xff\n"[..]);
        odd.next_line().unwrap();
        assert!(matches!(odd.next_line(), Err(TextError::NotUtf8(2))));
    }

    #[test]
    fn files_have_a_limit_and_a_digest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, "one\ntwo").unwrap();
        assert_eq!(small_text(&path).unwrap(), "one\ntwo");
        let mut lines = TextLines::open(&path).unwrap();
        while lines.next_line().unwrap().is_some() {}
        assert_eq!(lines.digest(), digest_of(&path).unwrap());
        assert_eq!(lines.digest(), XxHash3_64::oneshot(b"one\ntwo"));
        std::fs::write(&path, b"one\n\xff").unwrap();
        assert!(matches!(small_text(&path), Err(TextError::NotUtf8(2))));
        std::fs::write(&path, vec![b'x'; MOST_SMALL + 1]).unwrap();
        assert!(matches!(small_text(&path), Err(TextError::LongFile)));
    }
}
