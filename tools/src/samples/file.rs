//! Files of packed positions: a header, and a block for each game.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use hexmate_movegen::Game;
use twox_hash::XxHash3_64;

use crate::roles::Roles;
use crate::whole;

const MAGIC: &[u8; 8] = b"HEXMDATA";
const VERSION: u16 = 1;
/// Bytes of a block before its records: their size, their number, the game; and a checksum of these.
const FRONT: usize = 20;
/// Of the checksum after header and block.
const CHECK: usize = 8;
/// No block is larger.
const MOST_BLOCK: usize = 64 << 20;

/// What a file says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The game's name.
    pub game: String,
    /// What the game's positions are: cells, kinds and how they move.
    pub fingerprint: u64,
    /// How the positions were made: the arguments of `datagen`, and the fingerprint of the game's rules.
    pub terms: String,
}

/// What is before the fingerprint of the rules, at the end of the terms.
const RULES: &str = "; rules ";

/// The positions of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The number of the game.
    pub game: u64,
    /// How many records there are.
    pub count: u32,
    /// The records.
    pub records: Vec<u8>,
}

/// Why a file of positions cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum SamplesError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: this is no file of packed positions; expected one by `hexmate datagen --packed`", .0.display())]
    Foreign(PathBuf),
    #[error("{}: packed positions of version {found}; expected version {VERSION}", path.display())]
    Version { path: PathBuf, found: u16 },
    #[error("{}: the header is damaged", .0.display())]
    Header(PathBuf),
    #[error("{}: positions of {found}; expected {expected}", path.display())]
    OtherGame {
        path: PathBuf,
        found: String,
        expected: String,
    },
    #[error("{}: {found} has other rules in this file than in this program", path.display())]
    OtherRules { path: PathBuf, found: String },
    #[error("{}: made by `{found}`; expected `{expected}`", path.display())]
    OtherTerms {
        path: PathBuf,
        found: String,
        expected: String,
    },
    #[error("{}: game was {game} {was}, and is {game} {is}; give another --output", path.display())]
    RulesChanged {
        path: PathBuf,
        game: String,
        was: String,
        is: String,
    },
    #[error(
        "{}: begun by a version that did not note the rules of its game, so it cannot be continued; give another \
         --output (`train` reads both)", .0.display()
    )]
    NoRules(PathBuf),
    #[error("{}: made by `{found}`; expected a file by `hexmate datagen --packed --distil`", path.display())]
    NotDistilled { path: PathBuf, found: String },
    #[error("{}: damaged at byte {at}; {after} bytes follow", path.display())]
    Damaged { path: PathBuf, at: u64, after: u64 },
    #[error("{}: exists already; --resume continues it, --force begins anew", .0.display())]
    Exists(PathBuf),
    #[error("{}: another run is writing it; wait for its end, or give another --output", .0.display())]
    InUse(PathBuf),
    #[error("{}: is not a regular file; expected one, which can be continued", .0.display())]
    NoFile(PathBuf),
    #[error("{}: named twice; its games would count twice", .0.display())]
    Twice(PathBuf),
}

impl Header {
    /// Of a game and the arguments of `datagen`.
    pub fn of<G: Game>(game: G, arguments: &str) -> Self {
        Header {
            game: game.spec().name.to_owned(),
            fingerprint: hexmate_engine::shape_of(game),
            terms: format!("{arguments}{RULES}{:x}", game.id().fingerprint()),
        }
    }

    /// The arguments of `datagen`, and the fingerprint of the rules, which files of earlier versions lack.
    fn parts(&self) -> (&str, Option<&str>) {
        match self.terms.rsplit_once(RULES) {
            Some((arguments, rules)) => (arguments, Some(rules)),
            None => (&self.terms, None),
        }
    }

    /// The arguments of `datagen`.
    pub fn arguments(&self) -> &str {
        self.parts().0
    }

    /// Whether a run of the header `expected` may continue a file of this one.
    pub(super) fn check_terms(&self, path: &Path, expected: &Header) -> Result<(), SamplesError> {
        let path = path.to_owned();
        let ((found, was), (wanted, is)) = (self.parts(), expected.parts());
        if found != wanted {
            return Err(SamplesError::OtherTerms {
                path,
                found: found.to_owned(),
                expected: wanted.to_owned(),
            });
        }
        match (was, is) {
            _ if was == is => Ok(()),
            (Some(was), Some(is)) => Err(SamplesError::RulesChanged {
                path,
                game: self.game.clone(),
                was: was.to_owned(),
                is: is.to_owned(),
            }),
            _ => Err(SamplesError::NoRules(path)),
        }
    }

    /// Whether its scores are static evaluations of positions that searches met.
    fn is_distilled(&self) -> bool {
        self.terms.split_whitespace().any(|word| word == "--distil")
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend(self.fingerprint.to_le_bytes());
        for text in [&self.game, &self.terms] {
            out.extend((text.len() as u16).to_le_bytes());
            out.extend(text.as_bytes());
        }
        let check = XxHash3_64::oneshot(&out);
        out.extend(check.to_le_bytes());
        out
    }

    fn read(path: &Path, from: &mut impl Read) -> Result<Self, SamplesError> {
        let io = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => SamplesError::Header(path.to_owned()),
            _ => SamplesError::Io {
                path: path.to_owned(),
                error,
            },
        };
        let mut bytes = vec![0; 18];
        match from.read_exact(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(SamplesError::Foreign(path.to_owned()));
            }
            read => read.map_err(io)?,
        }
        if &bytes[..8] != MAGIC {
            return Err(SamplesError::Foreign(path.to_owned()));
        }
        let found = u16::from_le_bytes([bytes[8], bytes[9]]);
        if found != VERSION {
            return Err(SamplesError::Version {
                path: path.to_owned(),
                found,
            });
        }
        let fingerprint = u64::from_le_bytes(bytes[10..18].try_into().expect("eight bytes"));
        let mut texts = Vec::new();
        for _ in 0..2 {
            let mut length = [0; 2];
            from.read_exact(&mut length).map_err(io)?;
            let mut text = vec![0; usize::from(u16::from_le_bytes(length))];
            from.read_exact(&mut text).map_err(io)?;
            bytes.extend(length);
            bytes.extend(&text);
            texts.push(String::from_utf8(text).map_err(|_| SamplesError::Header(path.to_owned()))?);
        }
        let mut check = [0; CHECK];
        from.read_exact(&mut check).map_err(io)?;
        if XxHash3_64::oneshot(&bytes) != u64::from_le_bytes(check) {
            return Err(SamplesError::Header(path.to_owned()));
        }
        let terms = texts.pop().unwrap_or_default();
        let game = texts.pop().unwrap_or_default();
        Ok(Header {
            game,
            fingerprint,
            terms,
        })
    }

    /// Whether a file of this header has positions of the game of `expected`.
    fn check_game(&self, path: &Path, expected: &Header) -> Result<(), SamplesError> {
        let path = path.to_owned();
        if self.fingerprint == expected.fingerprint {
            Ok(())
        } else if self.game == expected.game {
            Err(SamplesError::OtherRules {
                path,
                found: self.game.clone(),
            })
        } else {
            Err(SamplesError::OtherGame {
                path,
                found: self.game.clone(),
                expected: expected.game.clone(),
            })
        }
    }
}

impl Block {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(FRONT + self.records.len() + CHECK);
        out.extend((self.records.len() as u32).to_le_bytes());
        out.extend(self.count.to_le_bytes());
        out.extend(self.game.to_le_bytes());
        let check = XxHash3_64::oneshot(&out) as u32;
        out.extend(check.to_le_bytes());
        out.extend(&self.records);
        let check = XxHash3_64::oneshot(&out);
        out.extend(check.to_le_bytes());
        out
    }
}

/// Whether a file is one of packed positions, by what it begins with.
///
/// # Errors
/// If it cannot be read.
pub fn is_packed(path: &Path) -> io::Result<bool> {
    let mut begin = Vec::new();
    whole::open(path)?
        .take(MAGIC.len() as u64)
        .read_to_end(&mut begin)?;
    Ok(begin == MAGIC)
}

/// Reads a file block by block.
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    /// What the file says of itself.
    pub header: Header,
    at: u64,
    length: u64,
}

impl Reader {
    /// Opens a file of positions of a game.
    ///
    /// # Errors
    /// If it cannot be read, or is no such file.
    pub fn open<G: Game>(game: G, path: &Path) -> Result<Self, SamplesError> {
        let io = |error| SamplesError::Io {
            path: path.to_owned(),
            error,
        };
        let file = whole::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let mut file = BufReader::with_capacity(1 << 20, file);
        let header = Header::read(path, &mut file)?;
        header.check_game(path, &Header::of(game, ""))?;
        Ok(Reader {
            path: path.to_owned(),
            at: header.to_bytes().len() as u64,
            file,
            header,
            length,
        })
    }

    /// The next game; `None` at the end. A block that the end of the file cuts short is left out: its writer was
    /// killed, or still writes.
    ///
    /// # Errors
    /// If the file cannot be read, or is damaged before its end.
    pub fn next_block(&mut self) -> Result<Option<Block>, SamplesError> {
        let left = self.length - self.at;
        if left < (FRONT + CHECK) as u64 {
            return Ok(None);
        }
        let mut front = [0; FRONT];
        self.read(&mut front)?;
        let number = |at: usize| u32::from_le_bytes(front[at..at + 4].try_into().expect("four"));
        let size = number(0) as usize;
        let whole = (FRONT + size + CHECK) as u64;
        // Sound, or else a block that is damaged could seem to be cut short.
        if XxHash3_64::oneshot(&front[..16]) as u32 != number(16) || size > MOST_BLOCK {
            return Err(self.damaged(left));
        }
        if whole > left {
            return Ok(None);
        }
        let mut bytes = vec![0; size + CHECK];
        self.read(&mut bytes)?;
        let check = bytes.split_off(size);
        let mut hasher = XxHash3_64::with_seed(0);
        std::hash::Hasher::write(&mut hasher, &front);
        std::hash::Hasher::write(&mut hasher, &bytes);
        if std::hash::Hasher::finish(&hasher).to_le_bytes()[..] != check[..] {
            if whole == left {
                return Ok(None);
            }
            return Err(self.damaged(left - whole));
        }
        self.at += whole;
        Ok(Some(Block {
            game: u64::from_le_bytes(front[8..16].try_into().expect("eight")),
            count: number(4),
            records: bytes,
        }))
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), SamplesError> {
        self.file
            .read_exact(bytes)
            .map_err(|error| SamplesError::Io {
                path: self.path.clone(),
                error,
            })
    }

    fn damaged(&self, after: u64) -> SamplesError {
        SamplesError::Damaged {
            path: self.path.clone(),
            at: self.at,
            after,
        }
    }

    /// Where the blocks read so far end.
    pub fn position(&self) -> u64 {
        self.at
    }
}

/// Makes sure that no file of positions is named twice, by whatever name.
///
/// # Errors
/// If one is, or standard input.
pub fn each_once(files: &[PathBuf]) -> Result<(), SamplesError> {
    let mut roles = Roles::new();
    let mut reads_stdin = false;
    for file in files {
        let is_stdin = file.as_os_str() == "-";
        // As if they were written, since of such files no two may be the same.
        if roles.output("", file).is_err() || is_stdin && reads_stdin {
            return Err(SamplesError::Twice(file.clone()));
        }
        reads_stdin |= is_stdin;
    }
    Ok(())
}

/// Makes sure that files are of static evaluations.
///
/// # Errors
/// If one is not, or is no such file of the game.
pub fn each_distilled<G: Game>(game: G, files: &[PathBuf]) -> Result<(), SamplesError> {
    for file in files {
        let header = Reader::open(game, file)?.header;
        if !header.is_distilled() {
            return Err(SamplesError::NotDistilled {
                path: file.clone(),
                found: header.arguments().to_owned(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::samples::Writer;
    use hexmate_movegen::{Glinski, Hexachess};

    fn block(game: u64) -> Block {
        let records = (0..50 + game as u8).collect();
        Block {
            game,
            count: 3,
            records,
        }
    }

    fn games(path: &Path) -> Result<Vec<u64>, SamplesError> {
        let mut reader = Reader::open(Glinski, path)?;
        let mut games = Vec::new();
        while let Some(found) = reader.next_block()? {
            assert_eq!(found, block(found.game));
            games.push(found.game);
        }
        Ok(games)
    }

    #[test]
    fn whatever_ends_a_run_what_was_written_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let header = Header::of(Glinski, "seed 1");
        let mut writer = Writer::create(&path, &header).unwrap();
        (0..4).for_each(|game| writer.write(&block(game)).unwrap());
        drop(writer);
        assert_eq!(games(&path).unwrap(), [0, 1, 2, 3]);
        let whole = fs::read(&path).unwrap();
        let size = block(3).to_bytes().len();
        for cut in [1, 30, size - 1] {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            assert_eq!(games(&path).unwrap(), [0, 1, 2], "{cut}");
            let mut seen = 0;
            let resumed = Writer::resume(Glinski, &path, &header, |_| seen += 1);
            resumed.unwrap().write(&block(3)).unwrap();
            assert_eq!((seen, fs::read(&path).unwrap()), (3, whole.clone()));
        }
        assert!(matches!(
            Writer::create(&path, &header),
            Err(SamplesError::Exists(_))
        ));
        let other = Header::of(Glinski, "seed 2");
        let refused = Writer::resume(Glinski, &path, &other, |_| {})
            .err()
            .unwrap();
        assert!(
            refused
                .to_string()
                .ends_with("made by `seed 1`; expected `seed 2`")
        );
        let refused = Reader::open(Hexachess, &path).err().unwrap().to_string();
        assert!(
            refused.ends_with("positions of glinski; expected hexachess"),
            "{refused}"
        );
    }

    /// Whatever rules a file was begun under, it can be read; it is continued under the same ones alone.
    #[test]
    fn a_file_is_continued_under_its_own_rules() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let header = Header::of(Glinski, "seed 1");
        let older = Header {
            terms: "seed 1".to_owned(),
            ..header.clone()
        };
        let other = Header {
            terms: "seed 1; rules 17".to_owned(),
            ..header.clone()
        };
        for (begun, says) in [
            (older, "did not note the rules"),
            (other, "game was glinski 17, and is glinski "),
        ] {
            fs::write(&path, "").unwrap();
            let mut writer = Writer::create(&path, &begun).unwrap();
            writer.write(&block(0)).unwrap();
            drop(writer);
            let refused = Writer::resume(Glinski, &path, &header, |_| {}).err();
            let refused = refused.unwrap().to_string();
            assert!(refused.contains(says), "{refused}");
            assert_eq!(games(&path).unwrap(), [0]);
        }
    }

    #[test]
    fn nobody_writes_beside_a_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let header = Header::of(Glinski, "");
        let mut writer = Writer::create(&path, &header).unwrap();
        writer.write(&block(0)).unwrap();
        for refused in [
            Writer::resume(Glinski, &path, &header, |_| {}).err(),
            Writer::discard(&path).err(),
        ] {
            let refused = refused.unwrap().to_string();
            assert!(
                refused.contains("data: another run is writing it"),
                "{refused}"
            );
        }
        // Reading does no harm.
        assert_eq!(games(&path).unwrap(), [0]);
        writer.write(&block(1)).unwrap();
        drop(writer);
        let mut writer = Writer::resume(Glinski, &path, &header, |_| {}).unwrap();
        writer.write(&block(2)).unwrap();
        drop(writer);
        assert_eq!(games(&path).unwrap(), [0, 1, 2]);
        Writer::discard(&path).unwrap();
        assert!(!path.exists());
    }

    /// Nothing, or a part of the header: there is nothing to lose.
    #[test]
    fn a_run_that_was_killed_at_once_is_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let header = Header::of(Glinski, "seed 1");
        let bytes = header.to_bytes();
        for length in [0, 5, 12, bytes.len() - 1] {
            for resumed in [false, true] {
                fs::write(&path, &bytes[..length]).unwrap();
                let writer = match resumed {
                    true => Writer::resume(Glinski, &path, &header, |_| panic!("no games")),
                    false => Writer::create(&path, &header),
                };
                writer.unwrap().write(&block(0)).unwrap();
                assert_eq!(games(&path).unwrap(), [0], "{length}");
            }
        }
        // The beginning of something else is not touched.
        for other in [&b"HEXMDATB"[..], b"mine", &bytes] {
            fs::write(&path, other).unwrap();
            let refused = Writer::create(&path, &header).err().unwrap();
            assert!(matches!(refused, SamplesError::Exists(_)), "{refused}");
            assert_eq!(fs::read(&path).unwrap(), other);
        }
        let device = Path::new("/dev/null");
        for path in [device, folder.path()] {
            if cfg!(windows) && path == device {
                continue;
            }
            for refused in [
                Writer::create(path, &header).err(),
                Writer::resume(Glinski, path, &header, |_| {}).err(),
            ] {
                let refused = refused.unwrap();
                assert!(matches!(refused, SamplesError::NoFile(_)), "{refused}");
            }
        }
    }

    #[test]
    fn files_are_named_once() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        fs::write(&a, "").unwrap();
        let stdin = PathBuf::from("-");
        each_once(&[a.clone(), stdin.clone(), b.clone()]).unwrap();
        let again = folder.path().join(".").join("a");
        for files in [[&a, &b, &again], [&stdin, &a, &stdin], [&a, &b, &b]] {
            let error = each_once(&files.map(Clone::clone)).unwrap_err().to_string();
            assert!(error.contains("named twice"), "{error}");
        }
    }

    /// Every byte of a file counts.
    #[test]
    fn damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let header = Header::of(Glinski, "");
        let mut writer = Writer::create(&path, &header).unwrap();
        (0..2).for_each(|game| writer.write(&block(game)).unwrap());
        drop(writer);
        let whole = fs::read(&path).unwrap();
        let last = whole.len() - block(1).to_bytes().len();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            fs::write(&path, &bytes).unwrap();
            match games(&path) {
                Err(error) => assert!(error.to_string().contains("data: "), "{error}"),
                // The last block may have been cut short.
                Ok(games) => assert!(games == [0] && at >= last, "{at}: {games:?}"),
            }
        }
    }
}
