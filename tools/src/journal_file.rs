//! The file under a journal: locked while a run uses it, and written line by line, never changed.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::one_writer;

const CANNOT: &str = "the journal cannot be written";

/// A file that nobody else writes for as long as it is open.
pub struct JournalFile {
    path: PathBuf,
    file: File,
    end: u64,
}

impl JournalFile {
    /// Opens or creates the file of a journal. `user` is what uses it, as in "another run".
    ///
    /// # Errors
    /// If it cannot be read and written, is no regular file, or is in use.
    pub fn open(path: &Path, user: &str) -> Result<JournalFile> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let Some(file) = one_writer::open(path, &mut options).context(CANNOT)? else {
            bail!("the journal is in use by another {user}");
        };
        let metadata = file.metadata().context(CANNOT)?;
        if !metadata.is_file() {
            bail!("is not a regular file; a journal cannot be kept in a pipe or device");
        }
        Ok(JournalFile {
            path: path.to_owned(),
            file,
            end: metadata.len(),
        })
    }

    /// What it holds is read from here.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the next line begins.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Cuts off all from `end` on: what a killed run left unfinished. Lines are appended there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&mut self, end: u64) -> Result<()> {
        self.file.set_len(end).context(CANNOT)?;
        self.file.seek(SeekFrom::Start(end)).context(CANNOT)?;
        self.end = end;
        Ok(())
    }

    /// Appends the first line with its end. As when it is opened, errors do not name the journal.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&mut self, line: &str) -> Result<()> {
        self.write(line).context(CANNOT)
    }

    /// Appends a line with its end.
    ///
    /// # Errors
    /// If it cannot be written; what was written before stays.
    pub fn append(&mut self, line: &str) -> Result<()> {
        self.write(line).with_context(|| self.cannot())
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        // Not buffered: what is written survives the process.
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // An incomplete line would also be cut off later.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += line.len() as u64;
        Ok(())
    }

    /// Syncs it to disk.
    ///
    /// # Errors
    /// If that fails.
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().with_context(|| self.cannot())
    }

    fn cannot(&self) -> String {
        format!("{}: {CANNOT}", self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn no_room() {
        let path = Path::new("/dev/full");
        let mut journal = JournalFile {
            path: path.to_owned(),
            file: OpenOptions::new().write(true).open(path).unwrap(),
            end: 0,
        };
        let text = format!("{:#}", journal.append("answer\n").unwrap_err());
        assert!(
            text.contains("/dev/full: ") && text.contains("No space"),
            "{text}"
        );
        assert_eq!(journal.end(), 0);
    }

    #[test]
    fn one_run_has_it_and_what_is_cut_off_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = JournalFile::open(&path, "run").unwrap();
        journal.append("one\n").unwrap();
        journal.append("tw").unwrap();
        // Somebody may look meanwhile.
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntw");
        let refused = JournalFile::open(&path, "match").map(|_| ()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the journal is in use by another match"
        );
        drop(journal);
        let mut journal = JournalFile::open(&path, "run").unwrap();
        assert_eq!(journal.end(), 6);
        journal.keep(4).unwrap();
        journal.append("two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    }
}
