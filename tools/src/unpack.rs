//! Texts that are compressed or in UTF-16: their first bytes say so.

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
/// If it cannot be read so far.
pub fn unpack(mut plain: Box<dyn Read + Send>) -> io::Result<Text> {
    let mut first = Vec::new();
    // No more bytes than needed: somebody may be typing.
    let packing = loop {
        let packing = packing_of(&first);
        if packing != Packing::MoreBytesNeeded {
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
    let whole = BufReader::with_capacity(CHUNK, Cursor::new(first).chain(plain));
    let text: Box<dyn Read + Send> = match packing {
        Packing::Gzip => Box::new(MultiGzDecoder::new(whole)),
        Packing::Zstd => Box::new(ZstdFrames::new(whole)),
        Packing::Utf16(order) => Box::new(Utf16::new(whole, order)),
        _ => Box::new(whole),
    };
    Ok(BufReader::with_capacity(CHUNK, text))
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
    fn torn_files_are_errors() {
        let text = "0123456789\n".repeat(10_000);
        for mut packed in [gzip(&text), zstd(&text)] {
            packed.truncate(packed.len() / 2);
            assert!(read(packed).is_err());
        }
    }
}
