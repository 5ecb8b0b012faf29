//! Texts that are compressed or in UTF-16, and what is no text at all: their first bytes say so.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::utf16::{Order, Utf16};

/// A stream of text, decompressed if necessary.
pub type Text = BufReader<Box<dyn Read + Send>>;

/// Bytes read at a time: few, since progress counts the bytes read.
const CHUNK: usize = 1 << 12;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// What follows the first byte, 0x50 to 0x5f, of a frame to be skipped.
const ZSTD_SKIPPABLE: &[u8] = &[0x2a, 0x4d, 0x18];

/// The name of a file without the ending of the compression.
pub fn name_unpacked(name: &str) -> &str {
    let mut endings = [".gz", ".zst"].iter();
    let found = endings.find_map(|packed| name.strip_suffix(packed));
    found.unwrap_or(name)
}

/// The text of a stream, unpacked as its first bytes say.
///
/// # Errors
/// If it cannot be read so far, or is no text.
pub fn unpack(mut plain: Box<dyn Read + Send>) -> io::Result<Text> {
    let mut first = Vec::new();
    // No more bytes than needed: somebody may be typing.
    let packing = loop {
        let packing = packing_of(&first);
        if packing != Packing::MoreBytesNeeded && !NotText::may_be(&first) {
            break packing;
        }
        let mut byte = [0];
        match plain.read(&mut byte) {
            Ok(0) => break Packing::None,
            Ok(_) => first.push(byte[0]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    };
    if let Some(kind) = NotText::of(&first) {
        return Err(kind.error());
    }
    let whole = BufReader::with_capacity(CHUNK, Cursor::new(first).chain(plain));
    let text: Box<dyn Read + Send> = match packing {
        Packing::Gzip => Box::new(MultiGzDecoder::new(whole)),
        Packing::Zstd => Box::new(ZstdFrames::new(whole)),
        Packing::Utf16(order) => Box::new(Utf16::new(whole, order)),
        _ => Box::new(whole),
    };
    let text = Box::new(TextOnly::new(text));
    Ok(BufReader::with_capacity(CHUNK, text))
}

/// What is no text, though many programs write it. As text it would be nothing but faults.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum NotText {
    #[error("compressed with {0}; expected text, plain or compressed with gzip or zstd")]
    Compressed(&'static str),
    #[error("a {0} archive; expected text, plain or compressed with gzip or zstd")]
    Archive(&'static str),
    #[error("an SQLite database; expected text")]
    Database,
    #[error("a Parquet file; expected text")]
    Parquet,
    #[error("{0}; expected text: save it as plain text")]
    Document(&'static str),
}

impl NotText {
    /// What begins with these bytes, if it is something else than text.
    fn of(first: &[u8]) -> Option<NotText> {
        let mut kinds = KINDS.into_iter();
        let found = kinds.find_map(|(begin, kind)| first.starts_with(begin).then_some(kind));
        // The name of its first file is at the beginning, and what it is behind that.
        let is_tar = first
            .get(TAR_AT..MOST_FIRST)
            .is_some_and(|mark| mark == TAR);
        found.or(is_tar.then_some(NotText::Archive("tar")))
    }

    /// Whether it takes more bytes to see that.
    fn may_be(first: &[u8]) -> bool {
        let mut kinds = KINDS.iter();
        kinds.any(|(begin, _)| begin.len() > first.len() && begin.starts_with(first))
    }

    fn error(self) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, self)
    }

    /// What an error that occurred in reading says of it.
    pub fn in_error(error: &io::Error) -> Option<NotText> {
        error.get_ref()?.downcast_ref().copied()
    }
}

/// How these begin.
const KINDS: [(&[u8], NotText); 12] = [
    (b"\xfd7zXZ\0", NotText::Compressed("xz")),
    (b"\x04\x22\x4d\x18", NotText::Compressed("lz4")),
    (
        b"PK\x03\x04",
        NotText::Document("a zip archive, as .docx and .xlsx files are"),
    ),
    (b"{\\rtf", NotText::Document("a document in RTF")),
    (b"%PDF-", NotText::Document("a document in PDF")),
    (
        b"\xd0\xcf\x11\xe0",
        NotText::Document("a document of an older Word or Excel"),
    ),
    (b"\xff\xd8\xff", NotText::Document("a picture")),
    (b"\x89PNG", NotText::Document("a picture")),
    (b"7z\xbc\xaf\x27\x1c", NotText::Archive("7z")),
    (b"SQLite format 3\0", NotText::Database),
    (b"PAR1", NotText::Parquet),
    (b"BZh91AY&SY", NotText::Compressed("bzip2")),
];

const TAR: &[u8] = b"ustar";
const TAR_AT: usize = 257;
/// So many bytes tell.
const MOST_FIRST: usize = TAR_AT + TAR.len();

/// Ends with an error in the first line of what is no text.
struct TextOnly<R> {
    inner: R,
    first: Vec<u8>,
    found: Option<NotText>,
}

impl<R> TextOnly<R> {
    fn new(inner: R) -> Self {
        TextOnly {
            inner,
            first: Vec::new(),
            found: None,
        }
    }
}

impl<R: Read> Read for TextOnly<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut read = 0;
        if self.found.is_none() {
            read = self.inner.read(buffer)?;
            let room = MOST_FIRST - self.first.len();
            if room > 0 {
                self.first.extend(&buffer[..read.min(room)]);
                self.found = NotText::of(&self.first);
            }
        }
        self.found.map_or(Ok(read), |kind| Err(kind.error()))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Packing {
    None,
    Gzip,
    Zstd,
    Utf16(Order),
    MoreBytesNeeded,
}

fn packing_of(first: &[u8]) -> Packing {
    let skippable = match first.split_first() {
        Some((0x50..=0x5f, rest)) => ZSTD_SKIPPABLE.starts_with(rest).then_some(rest.len() == 3),
        _ => None,
    };
    if first == GZIP {
        Packing::Gzip
    } else if first == ZSTD || skippable == Some(true) {
        Packing::Zstd
    } else if let Some(order) = Order::of(first) {
        Packing::Utf16(order)
    } else if Order::may_be(first)
        || GZIP.starts_with(first)
        || ZSTD.starts_with(first)
        || skippable.is_some()
    {
        Packing::MoreBytesNeeded
    } else {
        Packing::None
    }
}

/// The frames of a zstd file, one after the other: the library's decoder reads only one.
struct ZstdFrames<R> {
    reader: R,
    decoder: FrameDecoder,
    /// Whether a frame has started and not ended.
    within: bool,
}

impl<R: BufRead> ZstdFrames<R> {
    fn new(reader: R) -> Self {
        ZstdFrames {
            reader,
            decoder: FrameDecoder::new(),
            within: false,
        }
    }

    /// Reads the header of the next frame.
    fn begin_frame(&mut self) -> io::Result<()> {
        match self.decoder.init(&mut self.reader) {
            Ok(()) => self.within = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let mut skipped = self.reader.by_ref().take(length.into());
                if io::copy(&mut skipped, &mut io::sink())? < length.into() {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            Err(error) => return Err(damaged(&error)),
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.within {
                let read = self.decoder.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
                if !self.decoder.is_finished() {
                    let one = BlockDecodingStrategy::UptoBlocks(1);
                    let decoded = self.decoder.decode_blocks(&mut self.reader, one);
                    decoded.map_err(|e| damaged(&e))?;
                    continue;
                }
                self.within = self.decoder.can_collect() > 0;
            } else if self.reader.fill_buf()?.is_empty() {
                return Ok(0);
            } else {
                self.begin_frame()?;
            }
        }
    }
}

fn damaged(error: &FrameDecoderError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read(bytes: Vec<u8>) -> io::Result<String> {
        let mut text = String::new();
        unpack(Box::new(Cursor::new(bytes)))?.read_to_string(&mut text)?;
        Ok(text)
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    fn zstd(text: &str) -> Vec<u8> {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(text.as_bytes(), level)
    }

    #[test]
    fn packed_and_plain() {
        let long = "some text, over and over\n".repeat(20_000);
        for text in ["", "a", "(", "(x", "P", "P*", "\u{1f}", "{\"fen\"}", &long] {
            assert_eq!(read(text.as_bytes().to_vec()).unwrap(), text);
            assert_eq!(read(gzip(text)).unwrap(), text);
            assert_eq!(read(zstd(text)).unwrap(), text);
        }
    }

    #[test]
    fn utf_16() {
        let units = "\u{feff}[White \"Béla\"]".encode_utf16();
        let bytes = units.flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(bytes).unwrap(), "[White \"Béla\"]");
        assert_eq!(
            read(b"\xff\xfe".to_vec()).unwrap_err().kind(),
            io::ErrorKind::InvalidData
        );
    }

    #[test]
    fn several_parts_in_one_file() {
        assert_eq!(read([gzip("a\n"), gzip("b\n")].concat()).unwrap(), "a\nb\n");
        let skippable = [&[0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let whole = [skippable.clone(), zstd("a\n"), skippable, zstd("b\n")].concat();
        assert_eq!(read(whole).unwrap(), "a\nb\n");
    }

    #[test]
    fn what_is_no_text_is_named_however_it_arrives() {
        let mut tar = vec![b'a'; TAR_AT];
        tar.extend(TAR);
        for (bytes, kind) in [
            (&b"\xfd7zXZ\0\n"[..], NotText::Compressed("xz")),
            (b"PAR1\n", NotText::Parquet),
            (&tar, NotText::Archive("tar")),
            (
                &gzip(&String::from_utf8(tar.clone()).unwrap()),
                NotText::Archive("tar"),
            ),
        ] {
            let error = read(bytes.to_vec()).unwrap_err();
            assert_eq!(NotText::in_error(&error), Some(kind));
            // Byte by byte, and there is no more behind the error.
            let mut one = TextOnly::new(bytes);
            if bytes[0] != GZIP[0] {
                let mut byte = [0];
                while one.read(&mut byte).is_ok_and(|read| read > 0) {}
                assert!(one.read(&mut byte).is_err());
            }
        }
        for text in ["PK", "PAR", "SQLite format 3", "BZh9"] {
            assert_eq!(read(text.into()).unwrap(), text);
        }
        tar.pop();
        assert!(read(tar).is_ok());
    }

    #[test]
    fn torn_files_are_errors() {
        let text = "0123456789\n".repeat(10_000);
        for mut packed in [gzip(&text), zstd(&text)] {
            packed.truncate(packed.len() / 2);
            assert!(read(packed).is_err());
        }
    }
}
