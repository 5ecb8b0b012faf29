//! Reading lines that may contain anything: far too long, or not text.

use std::io::{self, BufRead, Read};

/// No position or game is longer; the rest of a longer line is skipped, not kept.
pub const MOST_BYTES: usize = 1 << 20;

/// A longer line means a device without end, or something that is not text.
const MOST_PASSED: u64 = 1 << 28;

/// The byte order mark that some editors write.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A line that is neither blank nor a comment.
#[derive(Debug)]
pub struct Line {
    /// Its number in the input, from 1.
    pub number: u64,
    /// Its text, or why there is none.
    pub text: Result<String, LineError>,
}

/// Why a line has no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum LineError {
    #[error("offset {MOST_BYTES}: longer than that many bytes; expected one position or one game")]
    TooLong,
    #[error("offset {0}: not UTF-8")]
    NotUtf8(usize),
}

/// The lines of an input other than blank ones and comments.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `reader`.
    pub fn new(reader: R) -> Self {
        Lines { reader, number: 0 }
    }

    /// The number of the last line that was read.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line that is neither blank nor a comment; `None` at the end. Comments may contain any bytes.
    ///
    /// # Errors
    /// If the input cannot be read any further, or has a line that is far too long.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        self.next_line_after(|_, _| {})
    }

    /// The same, and tells of the comments before it: the numbers of their lines, and what begins with their `#`.
    ///
    /// # Errors
    /// As [`Lines::next_line`].
    pub fn next_line_after(
        &mut self,
        mut heed: impl FnMut(u64, &[u8]),
    ) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            let too_long = match self.raw(&mut bytes)? {
                Some(too_long) => too_long,
                None => return Ok(None),
            };
            self.number += 1;
            if self.number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
                bytes.drain(..BYTE_ORDER_MARK.len());
            }
            if bytes.trim_ascii_start().starts_with(b"#") {
                heed(self.number, bytes.trim_ascii());
                continue;
            }
            let text = if too_long {
                Err(LineError::TooLong)
            } else {
                String::from_utf8(bytes)
                    .map_err(|e| LineError::NotUtf8(e.utf8_error().valid_up_to()))
            };
            // Blank lines and comments may start with blanks that are not ASCII.
            if let Ok(text) = &text {
                let text = text.trim();
                if text.is_empty() || text.starts_with('#') {
                    continue;
                }
            }
            return Ok(Some(Line {
                number: self.number,
                text,
            }));
        }
    }

    /// The next line, whatever it is; bytes that are not UTF-8 are read as Latin-1. `None` at the end.
    ///
    /// # Errors
    /// As [`Lines::next_line`].
    pub fn next_of_any(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let Some(too_long) = self.raw(&mut bytes)? else {
            return Ok(None);
        };
        self.number += 1;
        if self.number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some(Line {
            number: self.number,
            text: if too_long {
                Err(LineError::TooLong)
            } else {
                Ok(lossy(bytes))
            },
        }))
    }

    /// Reads to the end of the line, keeping at most [`MOST_BYTES`]; returns whether there was more, or
    /// `None` at the end of the input.
    fn raw(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<bool>> {
        // One byte more shows that there is more.
        let kept = MOST_BYTES as u64 + 1;
        let read = self.reader.by_ref().take(kept).read_until(b'\n', bytes)? as u64;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        if bytes.len() <= MOST_BYTES {
            return Ok((read > 0).then_some(false));
        }
        bytes.truncate(MOST_BYTES);
        let left = MOST_PASSED + 1 - read;
        let passed = self.reader.by_ref().take(left).skip_until(b'\n')? as u64;
        if passed == left {
            let line = self.number + 1;
            let error =
                format!("line {line} has more than {MOST_PASSED} bytes; expected lines of text");
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
        Ok(Some(true))
    }
}

/// Text as it is, or as Latin-1 if it is not UTF-8.
pub(crate) fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|e| e.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_line_and_latin_1() {
        let mut lines = Lines::new(&b"\xef\xbb\xbf# one\n\nGli\xf1ski\n"[..]);
        let mut seen = Vec::new();
        while let Some(line) = lines.next_of_any().unwrap() {
            seen.push(line.text.unwrap());
        }
        assert_eq!(seen, ["# one", "", "Gliñski"]);
    }

    #[test]
    fn comments_may_hold_any_bytes() {
        let mut input = b"# gr\xfc\xdfe\n \t#\xff\n\xc2\xa0# blank\nfirst\n#".to_vec();
        input.extend(std::iter::repeat_n(b'\xff', MOST_BYTES + 1));
        input.extend(b"\n\xff # no comment\n");
        let mut lines = Lines::new(&input[..]);
        let mut seen = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            seen.push((line.number, line.text));
        }
        let expected = [(4, Ok("first".to_owned())), (6, Err(LineError::NotUtf8(0)))];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_line_without_an_end_is_not_read_for_ever() {
        let endless = io::BufReader::new(b"first\n".chain(io::repeat(0)));
        let mut lines = Lines::new(endless);
        assert_eq!(lines.next_line().unwrap().unwrap().number, 1);
        let error = lines.next_line().unwrap_err();
        assert!(
            error.to_string().starts_with("line 2 has more than"),
            "{error}"
        );
    }

    #[test]
    fn numbers_count_every_line_and_bad_ones_do_not_stop_the_rest() {
        let mut input = b"# comment\n\n  \nfirst\r\n\xff\xfe\n".to_vec();
        input.extend(std::iter::repeat_n(b'x', MOST_BYTES + 1));
        input.push(b'\n');
        input.extend(std::iter::repeat_n(b'y', MOST_BYTES));
        input.extend(b"\nlast");
        let mut lines = Lines::new(&input[..]);
        let mut seen = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            seen.push((line.number, line.text));
        }
        let expected = [
            (4, Ok("first\r".to_owned())),
            (5, Err(LineError::NotUtf8(0))),
            (6, Err(LineError::TooLong)),
            (7, Ok("y".repeat(MOST_BYTES))),
            (8, Ok("last".to_owned())),
        ];
        assert_eq!(seen, expected);
    }
}
