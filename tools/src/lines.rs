//! Reading lines that may contain anything: far too long, or not text.

use std::collections::VecDeque;
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
    /// Whether what was read shows that the input is UTF-8: its mark, or a sequence of several bytes.
    is_utf8: bool,
    /// Lines that were looked at, but not read yet; the input's end is a line, too.
    ahead: VecDeque<io::Result<Option<Raw>>>,
}

/// A line as it came, without its end.
#[derive(Debug)]
struct Raw {
    bytes: Vec<u8>,
    too_long: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `reader`.
    pub fn new(reader: R) -> Self {
        Lines {
            reader,
            number: 0,
            is_utf8: false,
            ahead: VecDeque::new(),
        }
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
    pub fn next_line_after(&mut self, heed: impl FnMut(u64, &[u8])) -> io::Result<Option<Line>> {
        self.next_as(heed, |bytes, _| {
            String::from_utf8(bytes).map_err(|e| LineError::NotUtf8(e.utf8_error().valid_up_to()))
        })
    }

    /// The next line that is neither blank nor a comment. Bytes that are not UTF-8 are read as Windows-1252 if nothing up
    /// to here is UTF-8 beyond ASCII; otherwise they are damage. `None` at the end.
    ///
    /// # Errors
    /// As [`Lines::next_line`].
    pub fn next_row(&mut self) -> io::Result<Option<Line>> {
        self.next_as(|_, _| {}, row)
    }

    fn next_as(
        &mut self,
        mut heed: impl FnMut(u64, &[u8]),
        read: impl Fn(Vec<u8>, bool) -> Result<String, LineError>,
    ) -> io::Result<Option<Line>> {
        loop {
            let Some(Raw { bytes, too_long }) = self.raw()? else {
                return Ok(None);
            };
            if bytes.trim_ascii_start().starts_with(b"#") {
                heed(self.number, bytes.trim_ascii());
                continue;
            }
            let text = if too_long {
                Err(LineError::TooLong)
            } else {
                read(bytes, self.is_utf8)
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
        let Some(Raw { bytes, too_long }) = self.raw()? else {
            return Ok(None);
        };
        Ok(Some(Line {
            number: self.number,
            text: if too_long {
                Err(LineError::TooLong)
            } else {
                Ok(lossy(bytes))
            },
        }))
    }

    /// The beginning of a line that is still to be read, the next one being 0; `None` if there are not so many, or they
    /// cannot be read. Who reads on is told of that.
    pub fn ahead(&mut self, place: usize) -> Option<String> {
        while self.ahead.len() <= place {
            if matches!(self.ahead.back(), Some(Ok(None) | Err(_))) {
                return None;
            }
            let number = self.number + self.ahead.len() as u64 + 1;
            let raw = self.read_raw(number);
            self.ahead.push_back(raw);
        }
        let raw = self.ahead[place].as_ref().ok()?.as_ref()?;
        Some(lossy(raw.bytes.clone()))
    }

    /// The next line, and its number; `None` at the end of the input.
    fn raw(&mut self) -> io::Result<Option<Raw>> {
        let raw = match self.ahead.pop_front() {
            Some(raw) => raw?,
            None => self.read_raw(self.number + 1)?,
        };
        self.number += u64::from(raw.is_some());
        self.is_utf8 = self.is_utf8 || raw.as_ref().is_some_and(|raw| has_utf8(&raw.bytes));
        Ok(raw)
    }

    /// Reads to the end of the line of this number, keeping at most [`MOST_BYTES`].
    fn read_raw(&mut self, number: u64) -> io::Result<Option<Raw>> {
        let mut bytes = Vec::new();
        // One byte more shows that there is more.
        let kept = MOST_BYTES as u64 + 1;
        let reader = self.reader.by_ref();
        let read = reader.take(kept).read_until(b'\n', &mut bytes)? as u64;
        if read == 0 {
            return Ok(None);
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        let too_long = bytes.len() > MOST_BYTES;
        if too_long {
            bytes.truncate(MOST_BYTES);
            let left = MOST_PASSED + 1 - read;
            let passed = self.reader.by_ref().take(left).skip_until(b'\n')? as u64;
            if passed == left {
                let error = format!(
                    "line {number} has more than {MOST_PASSED} bytes; expected lines of text"
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, error));
            }
        }
        if number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
            self.is_utf8 = true;
        }
        Ok(Some(Raw { bytes, too_long }))
    }
}

/// Whether there is a sequence of several bytes in UTF-8, whatever else there is.
fn has_utf8(bytes: &[u8]) -> bool {
    let mut chunks = bytes.utf8_chunks();
    !bytes.is_ascii() && chunks.any(|chunk| !chunk.valid().is_ascii())
}

/// The text of a row; see [`Lines::next_row`].
fn row(bytes: Vec<u8>, is_utf8: bool) -> Result<String, LineError> {
    String::from_utf8(bytes).or_else(|e| {
        let damage = LineError::NotUtf8(e.utf8_error().valid_up_to());
        let bytes = e.as_bytes().iter();
        match is_utf8 {
            true => Err(damage),
            false => bytes
                .map(|&byte| windows_1252(byte).ok_or(damage))
                .collect(),
        }
    })
}

/// The character of a byte; `None` for the five that are none.
fn windows_1252(byte: u8) -> Option<char> {
    /// From 0x80 on; elsewhere it is Latin-1. A `?` is none.
    const OWN: &str = "€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ";
    match byte {
        0x80..=0x9f => OWN
            .chars()
            .nth(usize::from(byte - 0x80))
            .filter(|&own| own != '?'),
        _ => Some(byte.into()),
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
    fn rows_are_windows_1252_where_nothing_is_utf_8() {
        let mut lines = Lines::new(&b"# gr\xfc\xdfe\n\nGr\xf6\xdfe\nGr\xc3\xb6\xc3\x9fe"[..]);
        let mut seen = Vec::new();
        while let Some(line) = lines.next_row().unwrap() {
            seen.push((line.number, line.text.unwrap()));
        }
        assert_eq!(seen, [(3, "Größe".to_owned()), (4, "Größe".to_owned())]);
    }

    #[test]
    fn rows_that_are_damaged_utf_8_are_not_taken_for_windows_1252() {
        let rows = |bytes: &[u8]| {
            let mut lines = Lines::new(bytes);
            let mut seen = Vec::new();
            while let Some(line) = lines.next_row().unwrap() {
                seen.push(line.text);
            }
            seen
        };
        let (text, damage) = (|text: &str| Ok(text.to_owned()), LineError::NotUtf8);
        for (bytes, expected) in [
            (
                &b"\xef\xbb\xbfid\nM\xfcller"[..],
                vec![text("id"), Err(damage(1))],
            ),
            (b"Gr\xc3\xb6\nM\xfcller", vec![text("Grö"), Err(damage(1))]),
            (b"# \xc3\xb6\nM\xfcller", vec![Err(damage(1))]),
            (
                b"\xc3\xb6 \xe2\x82\nM\xfc",
                vec![Err(damage(3)), Err(damage(1))],
            ),
            (
                b"M\xfc\n\xc3\xb6\nM\xfc",
                vec![text("Mü"), text("ö"), Err(damage(1))],
            ),
            (b"5 \x80 \x84a\x93 \x9f\xff", vec![text("5 € „a“ Ÿÿ")]),
            (b"M\xfc \x81", vec![Err(damage(1))]),
        ] {
            assert_eq!(rows(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn lines_are_looked_at_before_they_are_read() {
        let mut lines = Lines::new(&b"\xef\xbb\xbf# one\n\xff\n\nlast"[..]);
        assert_eq!(lines.ahead(3).as_deref(), Some("last"));
        assert_eq!(
            (lines.ahead(1).as_deref(), lines.ahead(4)),
            (Some("ÿ"), None)
        );
        let first = lines.next_line().unwrap().unwrap();
        assert_eq!((first.number, first.text), (2, Err(LineError::NotUtf8(0))));
        assert_eq!(lines.ahead(1).as_deref(), Some("last"));
        assert_eq!(lines.next_line().unwrap().unwrap().number, 4);
        assert!(lines.next_line().unwrap().is_none() && lines.ahead(0).is_none());
        // What cannot be read is told in its turn.
        let mut endless = Lines::new(io::BufReader::new(b"first\n".chain(io::repeat(0))));
        assert_eq!(endless.ahead(7), None);
        assert_eq!(endless.next_line().unwrap().unwrap().number, 1);
        assert!(
            endless
                .next_line()
                .unwrap_err()
                .to_string()
                .starts_with("line 2 has more")
        );
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
