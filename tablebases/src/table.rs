//! A table, read through a memory map.

use std::fs::File;
use std::io::Read;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use hexmate_movegen::{Game, Piece, Position, PositionError, Setup, Side};

use crate::format::{BLOCK, Block, CHUNK, Header, PAGE, Sections, TableError, read_header};
use crate::layout::{Cells, Layout};
use crate::material::Material;
use crate::parallel;
use crate::rules::Rules;
use crate::value::{Code, DRAW, ILLEGAL, STALE};

/// The bytes of a file.
enum Bytes {
    Mapped(memmap2::Mmap),
    /// Read into memory: the simple way, to test the other against.
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// What is known about a chunk of the file.
const UNSEEN: u8 = 0;
const SOUND: u8 = 1;
const DAMAGED: u8 = 2;

/// No chunk: no damage was found, or it was told already.
const NONE: usize = usize::MAX;
const TOLD: usize = usize::MAX - 1;

/// A table of one material. Any number of threads may probe it.
pub struct Table {
    path: PathBuf,
    header: Header,
    sections: Sections,
    material: Material,
    layout: Layout,
    bytes: Bytes,
    /// The checksum of a chunk is verified when the chunk is first read.
    chunks: Vec<AtomicU8>,
    /// The first damaged chunk that was found, until it is told. Probes cannot tell: they only have values.
    damage: AtomicUsize,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({})", self.path.display())
    }
}

/// Opens a regular file. Opening a pipe would wait for a writer, so the kind of file is checked first.
fn open(path: &Path) -> Result<File, TableError> {
    let meta = std::fs::metadata(path).map_err(TableError::io(path))?;
    if !meta.is_file() {
        let path = path.to_owned();
        return Err(TableError::NoFile { path });
    }
    File::open(path).map_err(TableError::io(path))
}

impl Table {
    /// Opens a table. Its content is verified when it is read, or by [`Table::check_sums`].
    ///
    /// # Errors
    ///
    /// If the file is not a complete table of these rules.
    pub fn open(rules: &Rules, path: &Path) -> Result<Table, TableError> {
        let file = open(path)?;
        // SAFETY: a map is sound as long as nobody writes to the file. Tables are written under another name
        // and never changed. If somebody does change one, checksums detect most of it, and the rest are wrong
        // bytes, which any file may contain.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file) };
        let map = map.map_err(TableError::io(path))?;
        Table::new(rules, path, Bytes::Mapped(map))
    }

    /// Opens a table by reading the whole file into memory.
    ///
    /// # Errors
    ///
    /// As [`Table::open`].
    pub fn read(rules: &Rules, path: &Path) -> Result<Table, TableError> {
        let mut bytes = Vec::new();
        let read = open(path)?.read_to_end(&mut bytes);
        read.map_err(TableError::io(path))?;
        Table::new(rules, path, Bytes::Owned(bytes))
    }

    /// The position with this table's men on the given cells, in the order of its layout.
    pub(crate) fn position_of<G: Game>(
        &self,
        game: G,
        rules: &Rules,
        side: Side,
        cells: &Cells,
    ) -> Result<Position<G>, PositionError> {
        let mut setup = Setup::new(game);
        for (man, &cell) in self.layout.men().iter().zip(cells) {
            let piece = Piece {
                kind: man.kind,
                side: man.side,
            };
            setup.set(rules.geometry.cells[usize::from(cell)], Some(piece));
        }
        setup.side = side;
        setup.build()
    }

    fn new(rules: &Rules, path: &Path, bytes: Bytes) -> Result<Table, TableError> {
        let path = path.to_owned();
        let page = &bytes[..PAGE.min(bytes.len())];
        let header = read_header(&path, page)?;
        if header.game != rules.name() {
            return Err(TableError::OtherGame {
                path,
                found: header.game,
                expected: rules.name(),
            });
        }
        if header.rules != rules.fingerprint() {
            let game = rules.name();
            return Err(TableError::OtherRules { path, game });
        }
        let impossible = |why: String| TableError::Header {
            path: path.clone(),
            why,
        };
        let material = Material::parse(rules, &header.material);
        let material = material.map_err(|e| impossible(e.to_string()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if stem != header.material {
            return Err(TableError::OtherMaterial {
                expected: stem.into_owned(),
                found: header.material,
                path,
            });
        }
        let layout = Layout::new(rules, &material);
        if layout.positions() as u64 != header.positions || !matches!(header.category_bits, 2 | 3) {
            return Err(impossible("its numbers are impossible".to_owned()));
        }
        let sections = header.sections();
        let sections =
            sections.ok_or_else(|| impossible("its lengths are impossible".to_owned()))?;
        let (found, expected) = (bytes.len() as u64, sections.checksums.end as u64);
        if found != expected {
            return Err(TableError::Length {
                path,
                found,
                expected,
            });
        }
        let sums = &bytes[sections.checksums.clone()];
        let (sums, own) = sums.split_at(sums.len() - 4);
        if crc32fast::hash(sums).to_le_bytes() != own {
            return Err(TableError::Checksums { path });
        }
        Ok(Table {
            chunks: (0..sums.len() / 4).map(|_| AtomicU8::new(UNSEEN)).collect(),
            damage: AtomicUsize::new(NONE),
            path,
            header,
            sections,
            material,
            layout,
            bytes,
        })
    }

    /// The path of its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Its material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The size of its file in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn men(&self) -> usize {
        self.layout.men().len()
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The code of a position given by the cells of the table's men; also [`ILLEGAL`] where the file is
    /// damaged.
    #[inline]
    pub(crate) fn code(&self, side: Side, cells: &Cells) -> Code {
        let index = self.layout.index(cells);
        index.map_or(ILLEGAL, |index| self.code_at(side, index))
    }

    /// The code at an index.
    #[inline]
    pub(crate) fn code_at(&self, side: Side, index: usize) -> Code {
        let position = side as usize * self.layout.positions() + index;
        self.find(position).unwrap_or(ILLEGAL)
    }

    /// All codes, by side to move.
    pub(crate) fn codes(&self) -> [Vec<Code>; 2] {
        let positions = self.layout.positions();
        Side::each(|side| parallel::all(positions, &|index| self.code_at(side, index)))
    }

    /// `None` where the file is damaged.
    #[inline]
    fn find(&self, position: usize) -> Option<Code> {
        let bits = usize::from(self.header.category_bits);
        let first = self.sections.categories.start + position * bits / 8;
        let last = (position * bits + bits - 1) / 8 + self.sections.categories.start;
        // Both ends may be the same byte.
        let bytes = self.sound(first..last + 1)?;
        let bytes = u16::from_le_bytes([bytes[0], bytes[last - first]]);
        let category = bytes >> (position * bits % 8) & ((1 << bits) - 1);
        let (base, odd) = match category {
            1 => (0, 0),
            2 => return Some(DRAW),
            3 => (0, 1),
            4 => (STALE, 0),
            5 => (STALE, 1),
            _ => return Some(ILLEGAL),
        };
        let entry = self.sections.directory.start + position / BLOCK * 8;
        let entry = self.sound(entry..entry + 8)?.try_into().ok()?;
        let block = Block::from_bits(u64::from_le_bytes(entry));
        // No half distance has more bits; so four bytes hold it wherever it begins.
        if block.width > u16::BITS {
            return None;
        }
        let at = position % BLOCK * block.width as usize;
        let mut half = 0;
        if block.width > 0 {
            let byte = self.sections.distances.start + block.offset as usize + at / 8;
            let bytes = self.sound(byte..byte + 4)?.try_into().ok()?;
            let bits = u32::from_le_bytes(bytes) >> (at % 8);
            half = bits & ((1 << block.width) - 1);
        }
        let plies = (u32::from(block.least) + half) * 2 + odd;
        u16::try_from(plies)
            .ok()
            .filter(|&p| p < STALE)
            .map(|p| base + p)
    }

    /// A few bytes, once their checksums are known to be right.
    #[inline(always)]
    fn sound(&self, range: Range<usize>) -> Option<&[u8]> {
        let first = (range.start - PAGE) / CHUNK;
        let last = (range.end - 1 - PAGE) / CHUNK;
        if !self.is_sound(first) || (last != first && !self.is_sound(last)) {
            return None;
        }
        self.bytes.get(range)
    }

    #[inline(always)]
    fn is_sound(&self, chunk: usize) -> bool {
        let known = self.chunks.get(chunk);
        known.is_some_and(|known| match known.load(Ordering::Relaxed) {
            UNSEEN => self.examine(chunk, known),
            state => state == SOUND,
        })
    }

    #[cold]
    fn examine(&self, chunk: usize, known: &AtomicU8) -> bool {
        let sums = &self.bytes[self.sections.checksums.clone()];
        let right = crc32fast::hash(&self.bytes[self.chunk(chunk)]).to_le_bytes();
        let sound = sums[4 * chunk..4 * chunk + 4] == right;
        known.store(if sound { SOUND } else { DAMAGED }, Ordering::Relaxed);
        if !sound {
            // Another chunk may be noted, or told: one is enough.
            let (relaxed, noted) = (Ordering::Relaxed, &self.damage);
            let _ = noted.compare_exchange(NONE, chunk, relaxed, relaxed);
        }
        sound
    }

    /// The damage that reading has met so far: `Some` once for each table, however often it is asked and by
    /// however many threads.
    pub(crate) fn new_damage(&self) -> Option<TableError> {
        let chunk = self.damage.load(Ordering::Relaxed);
        if chunk >= TOLD {
            return None;
        }
        let taken = self
            .damage
            .compare_exchange(chunk, TOLD, Ordering::Relaxed, Ordering::Relaxed);
        taken.ok().map(|chunk| self.damaged(chunk))
    }

    fn damaged(&self, chunk: usize) -> TableError {
        let bytes = self.chunk(chunk);
        TableError::Damaged {
            path: self.path.clone(),
            bytes: bytes.start as u64..bytes.end as u64,
        }
    }

    fn chunk(&self, chunk: usize) -> Range<usize> {
        let start = PAGE + chunk * CHUNK;
        start..(start + CHUNK).min(self.sections.checksums.start)
    }

    /// Reads the whole file and verifies all checksums.
    ///
    /// # Errors
    ///
    /// The first part that is damaged.
    pub fn check_sums(&self) -> Result<(), TableError> {
        for chunk in 0..self.chunks.len() {
            if !self.examine(chunk, &self.chunks[chunk]) {
                return Err(self.damaged(chunk));
            }
        }
        Ok(())
    }
}
