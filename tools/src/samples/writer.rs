//! Writing a file of packed positions, and going on with one.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use hexmate_movegen::Game;

use super::file::{Block, Header, Reader, SamplesError};
use crate::one_writer;

/// Writes a file game by game. The file is locked for as long as there is a writer, so that a second one is refused.
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Removes a file to begin anew.
    ///
    /// # Errors
    /// If somebody writes it, or it cannot be removed.
    pub fn discard(path: &Path) -> Result<(), SamplesError> {
        let _locked = locked(path, OpenOptions::new().write(true))?;
        fs::remove_file(path).map_err(|error| SamplesError::Io {
            path: path.to_owned(),
            error,
        })
    }

    /// Begins a new file.
    ///
    /// # Errors
    /// If there is a file of that name that holds anything, or it cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Self, SamplesError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut writer = Writer::open(path, &mut options)?;
        match writer.begin(header)? {
            true => Ok(writer),
            false => Err(SamplesError::Exists(path.to_owned())),
        }
    }

    fn open(path: &Path, options: &mut OpenOptions) -> Result<Self, SamplesError> {
        let file = locked(path, options)?;
        Ok(Writer {
            path: path.to_owned(),
            file,
        })
    }

    /// Writes the header if the file holds nothing, or only the beginning of this header: its writer was killed before
    /// there was more. Says whether it did.
    fn begin(&mut self, header: &Header) -> Result<bool, SamplesError> {
        let header = header.to_bytes();
        let io = |error| SamplesError::Io {
            path: self.path.clone(),
            error,
        };
        let mut found = Vec::new();
        let most = header.len() as u64;
        (&self.file)
            .take(most)
            .read_to_end(&mut found)
            .map_err(io)?;
        if found.len() == header.len() || !header.starts_with(&found) {
            return Ok(false);
        }
        self.file.rewind().map_err(io)?;
        self.append(&header)?;
        Ok(true)
    }

    /// Continues a file that a run with the same terms began; `each` is called for every game in it.
    ///
    /// # Errors
    /// If it cannot be read or written, is damaged, was made on other terms, or somebody writes it.
    pub fn resume<G: Game>(
        game: G,
        path: &Path,
        header: &Header,
        mut each: impl FnMut(Block),
    ) -> Result<Self, SamplesError> {
        // Before anything is read: what another writer has not finished would be cut off.
        let mut writer = Writer::open(path, OpenOptions::new().read(true).write(true))?;
        if writer.begin(header)? {
            return Ok(writer);
        }
        let mut reader = Reader::open(game, path)?;
        reader.header.check_terms(path, header)?;
        while let Some(block) = reader.next_block()? {
            each(block);
        }
        let end = reader.position();
        let io = |error| SamplesError::Io {
            path: path.to_owned(),
            error,
        };
        writer.file.set_len(end).map_err(io)?;
        writer.file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(writer)
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, block: &Block) -> Result<(), SamplesError> {
        self.append(&block.to_bytes())
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), SamplesError> {
        self.file
            .write_all(bytes)
            .map_err(|error| SamplesError::Io {
                path: self.path.clone(),
                error,
            })
    }
}

/// Opens a file to write it, and locks it until it is closed.
fn locked(path: &Path, options: &mut OpenOptions) -> Result<File, SamplesError> {
    // Checked before it is opened: opening a pipe waits for a reader.
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Err(SamplesError::NoFile(path.to_owned()));
    }
    let file = one_writer::open(path, options).map_err(|error| SamplesError::Io {
        path: path.to_owned(),
        error,
    })?;
    file.ok_or_else(|| SamplesError::InUse(path.to_owned()))
}
