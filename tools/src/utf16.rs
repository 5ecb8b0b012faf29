//! Texts in UTF-16, as some editors and spreadsheets save them, as UTF-8.

use std::io::{self, Read};

/// The order of the bytes in a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The lower byte first.
    Little,
    /// The higher byte first.
    Big,
}

impl Order {
    /// How many bytes tell the order.
    pub const BYTES: usize = 4;

    /// The order in a text of these first bytes: a mark, and then a first letter as all our texts begin with. The mark
    /// alone may be anything.
    pub fn of(first: &[u8]) -> Option<Order> {
        match *first {
            [0xff, 0xfe, low, 0, ..] if low != 0 => Some(Order::Little),
            [0xfe, 0xff, 0, low, ..] if low != 0 => Some(Order::Big),
            _ => None,
        }
    }

    /// Whether more bytes than these are needed to know.
    pub fn may_be(first: &[u8]) -> bool {
        first.len() < Order::BYTES
            && ([0xff, 0xfe].starts_with(&first[..first.len().min(2)])
                || [0xfe, 0xff].starts_with(&first[..first.len().min(2)]))
    }

    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Order::Little => u16::from_le_bytes(bytes),
            Order::Big => u16::from_be_bytes(bytes),
        }
    }
}

/// A text in UTF-16 being read as UTF-8, without its mark. What is no character becomes U+FFFD.
pub struct Utf16<R> {
    inner: R,
    order: Order,
    /// Bytes that were read, of half a character.
    half: Vec<u8>,
    /// What is to be given out.
    text: io::Cursor<Vec<u8>>,
}

impl<R: Read> Utf16<R> {
    /// The text of `inner`.
    pub fn new(inner: R, order: Order) -> Self {
        Utf16 {
            inner,
            order,
            half: Vec::new(),
            text: io::Cursor::default(),
        }
    }

    /// Reads on; `false` at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let mut bytes = std::mem::take(&mut self.half);
        let before = bytes.len();
        bytes.resize(before + 4096, 0);
        let read = self
            .inner
            .read(&mut bytes[before..])
            .inspect_err(|_| self.half = bytes[..before].to_vec())?;
        bytes.truncate(before + read);
        let mut whole = bytes.len() / 2;
        let unit = |i: usize| self.order.unit([bytes[2 * i], bytes[2 * i + 1]]);
        let is_first_half = |unit: u16| (0xd800..0xdc00).contains(&unit);
        if read > 0 && whole > 0 && is_first_half(unit(whole - 1)) {
            whole -= 1;
        }
        let units = (0..whole).map(unit);
        let text: String = char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .filter(|&c| c != '\u{feff}')
            .collect();
        if read > 0 {
            self.half = bytes.split_off(2 * whole);
        }
        let rest = if read == 0 && bytes.len() > 2 * whole {
            "\u{fffd}"
        } else {
            ""
        };
        self.text = io::Cursor::new((text + rest).into_bytes());
        Ok(read > 0)
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.text.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if !self.fill()? {
                return self.text.read(buffer);
            }
        }
    }
}

/// A whole text: UTF-16 with its mark, or UTF-8, or, line by line, Latin-1.
#[cfg(any(feature = "board", test))]
pub fn text_of_any(bytes: &[u8]) -> String {
    let mut text = String::new();
    if let Some(order) = Order::of(bytes)
        && Utf16::new(bytes, order).read_to_string(&mut text).is_ok()
    {
        return text;
    }
    let lines = bytes
        .split(|&byte| byte == b'\n')
        .map(|line| crate::lines::lossy(line.to_vec()));
    lines.collect::<Vec<String>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives no more than so many bytes at a time.
    struct InPieces<'a> {
        rest: &'a [u8],
        piece: usize,
    }

    impl Read for InPieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.piece.min(buffer.len());
            self.rest.read(&mut buffer[..most])
        }
    }

    #[test]
    fn both_orders_in_any_pieces() {
        let text = "[White \"Béla 𝟛\"]\n1. e5 ♞f7\n".repeat(300);
        let units = || std::iter::once(0xfeff).chain(text.encode_utf16());
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for (bytes, order) in [(&little, Order::Little), (&big, Order::Big)] {
            assert_eq!(Order::of(bytes), Some(order));
            assert!(Order::may_be(&bytes[..3]) && !Order::may_be(&bytes[..4]));
            assert_eq!(text_of_any(bytes), text);
            for piece in [1, 2, 3, 1001] {
                let pieces = InPieces { rest: bytes, piece };
                let mut found = String::new();
                Utf16::new(pieces, order)
                    .read_to_string(&mut found)
                    .unwrap();
                assert_eq!(found, text);
            }
        }
        // Torn, or no such text at all.
        assert_eq!(text_of_any(b"\xff\xfea\0b"), "a\u{fffd}");
        assert_eq!(text_of_any(b"\xff\xfea\0\x3c\xd8"), "a\u{fffd}");
        assert_eq!(text_of_any(b"\xff\xfe["), "ÿþ[");
        assert_eq!(text_of_any(b"B\xe9la\nB\xc3\xa9la"), "Béla\nBéla");
        assert!(!Order::may_be(b"[W") && Order::may_be(b"") && Order::may_be(b"\xff"));
    }
}
