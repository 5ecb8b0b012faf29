//! The file of a table, as docs/tablebases.md describes it.
//!
//! A page with the header, then categories, the directory of blocks, distances, and a checksum for each
//! [`CHUNK`] of what lies between header and checksums.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bitvec::field::BitField;
use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use bitvec::view::BitView;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::counts::Counts;
use crate::parallel;
use crate::value::{Category, Code, decode};

/// The first bytes of every table.
pub(crate) const MAGIC: &[u8; 8] = b"hexmtb\r\n";
/// The format that is written here.
pub(crate) const FORMAT: u32 = 1;
/// The bytes before the categories.
pub(crate) const PAGE: usize = 4096;
/// The bytes that share a checksum.
pub(crate) const CHUNK: usize = 1 << 16;
/// The positions that share an entry of the directory.
pub(crate) const BLOCK: usize = 256;
/// The largest half distance that cannot be confused with a stalemate's.
pub(crate) const MOST_HALF: u16 = 0x1fff;
/// Bytes after the distances, so that eight bytes can be read anywhere.
const PADDING: usize = 8;

/// The header of a table's file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// A number that changes when a rule of the game changes.
    pub rules: u32,
    /// The material, White first.
    pub material: String,
    /// Positions for each side to move, valid or not.
    pub positions: u64,
    /// Bits for each category.
    #[serde(rename = "outcome_bits")]
    pub category_bits: u8,
    /// Bytes of all distances.
    pub distance_bytes: u64,
    /// Counts of the table, with White to move and with Black to move.
    pub counts: [Counts; 2],
}

/// Why a file cannot be used as a table, or cannot be written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum TableError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path}: not a regular file; expected a table")]
    NoFile { path: PathBuf },
    #[error("{path}: not a Hexmate table: expected the first bytes 'hexmtb'")]
    Foreign { path: PathBuf },
    #[error("{path}: format {found}; expected {FORMAT}: rebuild it")]
    Format { path: PathBuf, found: u32 },
    #[error("{path}: the header is damaged ({why})")]
    Header { path: PathBuf, why: String },
    #[error("{path}: a table of {found}; expected {expected}")]
    OtherGame {
        path: PathBuf,
        found: String,
        expected: &'static str,
    },
    #[error("{path}: built for other rules of {game}: rebuild it")]
    OtherRules { path: PathBuf, game: &'static str },
    #[error("{path}: holds {found}; expected {expected}, as the file is named")]
    OtherMaterial {
        path: PathBuf,
        found: String,
        expected: String,
    },
    #[error("{path}: {found} bytes; expected {expected}")]
    Length {
        path: PathBuf,
        found: u64,
        expected: u64,
    },
    #[error("{path}: bytes {} to {} are damaged (checksum)", .bytes.start, .bytes.end)]
    Damaged { path: PathBuf, bytes: Range<u64> },
    #[error("{path}: the list of checksums is damaged")]
    Checksums { path: PathBuf },
    #[error("{path}: position {index} with {side} to move holds {found}; its moves say {expected}")]
    Wrong {
        path: PathBuf,
        side: &'static str,
        index: usize,
        found: String,
        expected: String,
    },
    #[error("{path}: the header's counts differ from those of the table")]
    Counts { path: PathBuf },
    #[error("{path}: needs the table {material}, which does not exist: build it first")]
    Missing { path: PathBuf, material: String },
    #[error("{path}: needs the table {material}, which cannot be used: {fault}")]
    Needed {
        path: PathBuf,
        material: String,
        fault: Box<TableError>,
    },
    #[error("{path}: is not a Hexmate table, so it is not replaced: move it away, or delete it")]
    Occupied { path: PathBuf },
    #[error(
        "{path}: built for other rules of {game}, so it is not replaced: move it away, or delete it"
    )]
    NotOwn { path: PathBuf, game: &'static str },
}

impl TableError {
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> TableError + '_ {
        |source| TableError::Io {
            path: path.to_owned(),
            source,
        }
    }
}

/// Where the parts of a file are.
#[derive(Clone, Debug)]
pub(crate) struct Sections {
    pub categories: Range<usize>,
    pub directory: Range<usize>,
    pub distances: Range<usize>,
    pub checksums: Range<usize>,
}

impl Header {
    pub(crate) fn sections(&self) -> Option<Sections> {
        let positions = usize::try_from(self.positions).ok()?.checked_mul(2)?;
        let align = |at: usize| at.checked_next_multiple_of(64);
        let bits = positions.checked_mul(self.category_bits.into())?;
        let categories = PAGE..PAGE.checked_add(bits.div_ceil(8))?;
        let start = align(categories.end)?;
        let directory = start..start.checked_add(positions.div_ceil(BLOCK).checked_mul(8)?)?;
        let bytes = usize::try_from(self.distance_bytes).ok()?;
        let distances = directory.end..directory.end.checked_add(bytes)?.checked_add(PADDING)?;
        let start = align(distances.end)?;
        let chunks = (start - PAGE).div_ceil(CHUNK);
        Some(Sections {
            categories,
            directory,
            distances,
            checksums: start..start.checked_add(4 * (chunks + 1))?,
        })
    }
}

/// A category as it is stored: games in which stalemates do not count need two bits.
pub(crate) fn category_number(category: Option<Category>) -> u8 {
    match category {
        None => 0,
        Some(Category::Loss) => 1,
        Some(Category::Draw) => 2,
        Some(Category::Win) => 3,
        Some(Category::Stalemated) => 4,
        Some(Category::GivesStalemate) => 5,
    }
}

/// A block of distances: where its numbers start, how many bits each has, and the minimum.
///
/// Stored is half of the distance in plies, rounded down: the category implies whether it is odd.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub offset: u64,
    pub width: u32,
    pub least: u16,
}

impl Block {
    fn to_bits(self) -> u64 {
        self.offset | u64::from(self.width) << 40 | u64::from(self.least) << 48
    }

    pub fn from_bits(bits: u64) -> Block {
        Block {
            offset: bits & ((1 << 40) - 1),
            width: (bits >> 40) as u32 & 0xff,
            least: (bits >> 48) as u16,
        }
    }
}

/// How the names of files begin that are being written, and how many random letters and digits follow.
const TEMPORARY: &str = ".building";
const RANDOM_LETTERS: usize = 6;

/// A file to write a table into. It is locked until it is closed, so that others can tell it from one that a killed
/// build has left.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY).rand_bytes(RANDOM_LETTERS);
    // As other files: for everybody, less what the user's mask takes away.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let file = builder.tempfile_in(folder)?;
        // Where files cannot be locked, nobody else can lock this one either.
        let _ = file.as_file().lock();
        // Before it was locked, another build may have found and removed it.
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// Whether a file has a name that [`temporary`] gives.
fn is_temporary(name: &OsStr) -> bool {
    let rest = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY));
    rest.is_some_and(|r| r.len() == RANDOM_LETTERS && r.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Removes the files that killed builds have left, and not those that are being written.
fn remove_left(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_temporary(&entry.file_name()) && entry.file_type()?.is_file() {
            // One that is gone, or somebody else's, does not matter here.
            if let Ok(file) = File::open(entry.path())
                && file.try_lock().is_ok()
            {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
    Ok(())
}

/// Makes sure that a table written to this path would replace nothing but a table or an empty file. A file
/// that is damaged after its first eight bytes is still a table; without them it could be anything.
pub(crate) fn check_place(path: &Path) -> Result<(), TableError> {
    let io = TableError::io(path);
    let meta = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        meta => meta.map_err(&io)?,
    };
    let owned = path.to_owned();
    if !meta.is_file() {
        return Err(TableError::NoFile { path: owned });
    }
    let mut first = Vec::new();
    let file = File::open(path).map_err(&io)?;
    let read = file.take(MAGIC.len() as u64).read_to_end(&mut first);
    read.map_err(&io)?;
    match first.is_empty() || first == MAGIC {
        true => Ok(()),
        false => Err(TableError::Occupied { path: owned }),
    }
}

/// Writes a table under a temporary name, syncs it to disk, and only then renames it. `codes` are by side to
/// move.
pub(crate) fn write(
    path: &Path,
    mut header: Header,
    codes: &[Vec<Code>; 2],
) -> Result<(), TableError> {
    let io = TableError::io(path);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(&io)?;
    remove_left(folder).map_err(&io)?;
    let mut file = temporary(folder).map_err(&io)?;
    let positions = 2 * header.positions as usize;
    let [white, black] = codes;
    let packed = |piece: usize| {
        let all = piece * PIECE..((piece + 1) * PIECE).min(positions);
        let part = |codes: &[Code], first: usize| {
            let within = |at: usize| at.saturating_sub(first).min(codes.len());
            codes[within(all.start)..within(all.end)].to_vec()
        };
        let codes = [part(white, 0), part(black, white.len())].concat();
        Packed::new(&codes, header.category_bits.into())
    };
    let pieces: Vec<Packed> = parallel::all(positions.div_ceil(PIECE), &packed);
    let bytes = pieces.iter().map(|piece| piece.distances.len());
    header.distance_bytes = bytes.sum::<usize>() as u64;
    let sections = header.sections().expect("it was in memory");
    let mut out = Checked::new(BufWriter::new(file.as_file_mut()));
    out.writer.write_all(&[0; PAGE]).map_err(&io)?;
    for piece in &pieces {
        out.write(piece.categories.as_raw_slice()).map_err(&io)?;
    }
    out.fill(sections.directory.start).map_err(&io)?;
    let mut offset = 0;
    for piece in &pieces {
        for &block in &piece.directory {
            let block = Block {
                offset: offset + block.offset,
                ..block
            };
            out.write(&block.to_bits().to_le_bytes()).map_err(&io)?;
        }
        offset += piece.distances.len() as u64;
    }
    for piece in &pieces {
        out.write(&piece.distances).map_err(&io)?;
    }
    out.fill(sections.checksums.start).map_err(&io)?;
    let checksums = out.finish();
    out.writer.write_all(&checksums).map_err(&io)?;
    out.writer.flush().map_err(&io)?;
    drop(out);
    let file_mut = file.as_file_mut();
    file_mut.seek(SeekFrom::Start(0)).map_err(&io)?;
    file_mut.write_all(&page(&header)).map_err(&io)?;
    file_mut.sync_all().map_err(&io)?;
    let file = file.persist(path).map_err(|e| io(e.error))?;
    drop(file);
    // The name is on disk only when its folder is.
    #[cfg(unix)]
    File::open(folder).and_then(|f| f.sync_all()).map_err(&io)?;
    Ok(())
}

/// Positions that are compressed at a time: many blocks, and whole bytes of categories.
const PIECE: usize = 256 * BLOCK;

/// Some positions as they are stored.
struct Packed {
    categories: BitVec<u8, Lsb0>,
    /// Offsets are relative to the piece's own distances.
    directory: Vec<Block>,
    distances: Vec<u8>,
}

impl Packed {
    fn new(codes: &[Code], category_bits: usize) -> Packed {
        let mut packed = Packed {
            categories: BitVec::repeat(false, codes.len() * category_bits),
            directory: Vec::with_capacity(codes.len().div_ceil(BLOCK)),
            distances: Vec::new(),
        };
        let mut places = packed.categories.chunks_exact_mut(category_bits);
        for codes in codes.chunks(BLOCK) {
            let mut halves = [None; BLOCK];
            for (half, (&code, place)) in halves.iter_mut().zip(codes.iter().zip(&mut places)) {
                let value = decode(code);
                place.store_le(category_number(value.map(|v| v.category)));
                *half = value
                    .filter(|v| v.category != Category::Draw)
                    .map(|v| v.plies / 2);
            }
            packed.directory.push(pack(&halves, &mut packed.distances));
        }
        // Many pieces are compressed at once.
        packed.distances.shrink_to_fit();
        packed
    }
}

/// Appends the numbers of a block; `None` where there is no distance.
fn pack(halves: &[Option<u16>; BLOCK], out: &mut Vec<u8>) -> Block {
    let least = halves.iter().flatten().copied().min().unwrap_or(0);
    let most = halves.iter().flatten().copied().max().unwrap_or(0);
    let width = u16::BITS - (most - least).leading_zeros();
    let offset = out.len() as u64;
    let mut packed = [0u8; BLOCK * 2];
    if width > 0 {
        let places = packed
            .view_bits_mut::<Lsb0>()
            .chunks_exact_mut(width as usize);
        for (half, place) in halves.iter().zip(places) {
            place.store_le(half.map_or(0, |h| h - least));
        }
    }
    out.extend_from_slice(&packed[..BLOCK * width as usize / 8]);
    Block {
        offset,
        width,
        least,
    }
}

/// The first page: magic, format, length of the header, its checksum, and the header as JSON.
fn page(header: &Header) -> [u8; PAGE] {
    let json = serde_json::to_vec(header).expect("plain fields can be written");
    let mut page = [b' '; PAGE];
    page[..8].copy_from_slice(MAGIC);
    page[8..12].copy_from_slice(&FORMAT.to_le_bytes());
    page[12..16].copy_from_slice(&(json.len() as u32).to_le_bytes());
    page[16..20].copy_from_slice(&crc32fast::hash(&json).to_le_bytes());
    page[20..20 + json.len()].copy_from_slice(&json);
    page
}

/// Reads the first page.
pub(crate) fn read_header(path: &Path, page: &[u8]) -> Result<Header, TableError> {
    let damaged = |why: &str| TableError::Header {
        path: path.to_owned(),
        why: why.to_owned(),
    };
    let number = |at: usize| -> u32 {
        let bytes = page[at..at + 4].try_into();
        u32::from_le_bytes(bytes.expect("four bytes"))
    };
    if page.len() < 8 || &page[..8] != MAGIC {
        return Err(TableError::Foreign {
            path: path.to_owned(),
        });
    }
    if page.len() < PAGE {
        return Err(damaged("it is cut off"));
    }
    if number(8) != FORMAT {
        return Err(TableError::Format {
            path: path.to_owned(),
            found: number(8),
        });
    }
    let json = page[20..].get(..number(12) as usize);
    let json = json.ok_or_else(|| damaged("its length is impossible"))?;
    if crc32fast::hash(json) != number(16) {
        return Err(damaged("checksum"));
    }
    serde_json::from_slice(json).map_err(|e| damaged(&e.to_string()))
}

/// Writes what follows the header, and computes its checksums.
struct Checked<W> {
    writer: W,
    written: usize,
    hasher: crc32fast::Hasher,
    checksums: Vec<u8>,
}

impl<W: Write> Checked<W> {
    fn new(writer: W) -> Self {
        Checked {
            writer,
            written: 0,
            hasher: crc32fast::Hasher::new(),
            checksums: Vec::new(),
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let left = CHUNK - self.written % CHUNK;
            let (now, later) = bytes.split_at(left.min(bytes.len()));
            self.writer.write_all(now)?;
            self.hasher.update(now);
            self.written += now.len();
            if self.written.is_multiple_of(CHUNK) {
                self.close();
            }
            bytes = later;
        }
        Ok(())
    }

    /// Writes zeros up to an offset of the file.
    fn fill(&mut self, offset: usize) -> io::Result<()> {
        let zeros = vec![0; offset - PAGE - self.written];
        self.write(&zeros)
    }

    fn close(&mut self) {
        let hasher = std::mem::take(&mut self.hasher);
        self.checksums.extend(hasher.finalize().to_le_bytes());
    }

    /// The checksums, and the checksum of the checksums.
    fn finish(&mut self) -> Vec<u8> {
        if !self.written.is_multiple_of(CHUNK) {
            self.close();
        }
        let mut all = std::mem::take(&mut self.checksums);
        all.extend(crc32fast::hash(&all).to_le_bytes());
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back() {
        let block = Block {
            offset: (1 << 40) - 3,
            width: 11,
            least: 65_000,
        };
        assert_eq!(Block::from_bits(block.to_bits()), block);
    }
}
