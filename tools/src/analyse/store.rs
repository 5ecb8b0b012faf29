//! Results kept on disk for later runs, in an SQLite database that several processes may use at once.
//!
//! SQLite detects damage to its own structure when it encounters it, but not to what it stores: each result
//! has a checksum, and a result that does not match it is searched again.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Error, Result, bail};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, TransactionBehavior};
use tracing::{debug, warn};
use twox_hash::XxHash3_64;

use super::answer::Findings;

/// `HXMT`, in the header of the file: identifies the database.
const APPLICATION: i32 = 0x4858_4d54;
/// Its offset in the header.
const APPLICATION_AT: usize = 68;
/// The layout of its tables; layout 1 had no checksums. Engine and options are part of each key.
const LAYOUT: i32 = 2;
/// How long to wait for another process that holds the file.
const PATIENCE: Duration = Duration::from_secs(60);
/// Results written together, and how long they may wait for each other.
const BATCH: usize = 64;
const BATCH_TIME: Duration = Duration::from_secs(2);

/// Whether this program can keep a cache.
///
/// # Errors
/// None; a program that was built without a cache has one.
pub fn available() -> Result<()> {
    Ok(())
}

/// A connection to the database.
pub struct Store {
    database: Connection,
    /// Results that are not written yet.
    pending: Vec<(u128, String)>,
    written: Instant,
    /// After a fault the run continues without the cache.
    failed: bool,
    /// Results that did not match their checksums.
    damaged: u64,
}

impl Store {
    /// Opens the database, or creates it. `None` if it is damaged, or the disk fails: then there is a
    /// warning, and the run continues without it.
    ///
    /// # Errors
    ///
    /// If the file cannot be used, or is something else.
    pub fn open(path: &Path) -> Result<Option<Store>> {
        let error = match Self::try_open(path) {
            Ok(store) => return Ok(Some(store)),
            Err(error) => error.context(format!("{}: no cache can be kept", path.display())),
        };
        if !is_failure(&error, path) {
            return Err(error);
        }
        warn!("{error:#}; the run continues without it{}", remedy(&error));
        Ok(None)
    }

    fn try_open(path: &Path) -> Result<Store> {
        if std::fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
            bail!("is not a regular file; expected the name of a cache, or of a file to create");
        }
        let mut database = Connection::open(path)?;
        database.busy_timeout(PATIENCE)?;
        let begun = Instant::now();
        // SQLite does not wait by itself if two processes start at the same moment.
        while let Err(error) = prepare(&mut database) {
            let busy = error
                .downcast_ref::<rusqlite::Error>()
                .and_then(rusqlite::Error::sqlite_error_code)
                .is_some_and(|c| matches!(c, ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked));
            if !busy || begun.elapsed() > PATIENCE {
                return Err(error);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(Store {
            database,
            pending: Vec::new(),
            written: Instant::now(),
            failed: false,
            damaged: 0,
        })
    }

    /// The stored findings for a position.
    pub fn get(&mut self, key: u128) -> Option<Findings> {
        if self.failed {
            return None;
        }
        let query = "SELECT found, checksum FROM results WHERE key = ?1";
        let row = self.database.prepare_cached(query).and_then(|mut query| {
            let row = query.query_row([key.to_be_bytes()], |row| Ok(sound(key, row)));
            row.optional()
        });
        match row {
            Ok(None) => None,
            Ok(Some(Some(found))) => Some(found),
            Ok(Some(None)) => {
                self.damaged += 1;
                if self.damaged == 1 {
                    warn!("the cache holds damaged results; they are searched again");
                }
                None
            }
            Err(error) => {
                self.give_up(&error);
                None
            }
        }
    }

    /// Stores the findings for a position, soon.
    pub fn put(&mut self, key: u128, found: &Findings) {
        let found = Findings {
            time_ms: 0,
            ..found.clone()
        };
        let json = serde_json::to_string(&found).expect("texts and numbers are JSON");
        self.pending.push((key, json));
        if self.pending.len() >= BATCH || self.written.elapsed() >= BATCH_TIME {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.written = Instant::now();
        if self.failed || pending.is_empty() {
            return;
        }
        match write(&mut self.database, &pending) {
            Ok(()) => debug!(results = pending.len(), "stored"),
            Err(error) => self.give_up(&error),
        }
    }

    /// A cache that fails costs time, not results.
    fn give_up(&mut self, error: &rusqlite::Error) {
        warn!("the cache failed and is no longer used: {error}");
        self.failed = true;
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.flush();
    }
}

/// The files that SQLite keeps next to a database.
pub fn logs_of(path: &Path) -> impl Iterator<Item = PathBuf> {
    ["-wal", "-shm", "-journal"]
        .into_iter()
        .filter_map(|ending| {
            let mut name = path.file_name()?.to_owned();
            name.push(ending);
            Some(path.with_file_name(name))
        })
}

/// The findings of a row, if it is intact.
fn sound(key: u128, row: &Row<'_>) -> Option<Findings> {
    let json = row.get_ref(0).ok()?.as_str().ok()?;
    let was = row.get_ref(1).ok()?.as_i64().ok()?;
    let found = (was == checksum(key, json)).then_some(json)?;
    serde_json::from_str(found).ok()
}

/// The same for the same result of the same position; SQLite's integers are signed.
fn checksum(key: u128, json: &str) -> i64 {
    let seed = key as u64 ^ ((key >> 64) as u64).rotate_left(32);
    XxHash3_64::oneshot_with_seed(seed, json.as_bytes()).cast_signed()
}

/// What may be done about a cache that is lost. One that cannot be written may be sound.
fn remedy(error: &Error) -> &'static str {
    let error = error.downcast_ref::<rusqlite::Error>();
    match error.and_then(rusqlite::Error::sqlite_error_code) {
        Some(ErrorCode::ReadOnly | ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => "",
        _ => " (you may delete a damaged cache)",
    }
}

/// Whether the cache is lost, rather than misnamed or locked for too long.
fn is_failure(error: &Error, path: &Path) -> bool {
    let Some(error) = error.downcast_ref::<rusqlite::Error>() else {
        return false;
    };
    match error.sqlite_error_code() {
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::PermissionDenied
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked,
        ) => false,
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => true,
        // A file of another kind must not be called a damaged cache.
        _ => is_marked(path),
    }
}

/// Whether the header identifies the file as our cache, whatever else is wrong with it.
fn is_marked(path: &Path) -> bool {
    let mut header = [0; APPLICATION_AT + 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header[APPLICATION_AT..] == APPLICATION.to_be_bytes()
}

/// Makes sure that a database is our cache, or empty; tells which.
fn is_empty(database: &Connection) -> Result<bool> {
    let pragma = |name| database.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let tables: i64 = database.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get(0))?;
    if tables == 0 {
        return Ok(true);
    }
    if pragma("application_id")? != APPLICATION {
        bail!("this is a database of another program");
    }
    if pragma("user_version")? != LAYOUT {
        bail!(
            "this is a cache of another version of hexmate, whose results are no longer used; expected one of layout {LAYOUT}, or no file: delete it, or name another"
        );
    }
    Ok(false)
}

fn prepare(database: &mut Connection) -> Result<()> {
    // Before anything is changed: the mode stays with the file.
    is_empty(database)?;
    database.pragma_update(None, "journal_mode", "WAL")?;
    // A power failure may cost the last results, never the file.
    database.pragma_update(None, "synchronous", "NORMAL")?;
    let work = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    if is_empty(&work)? {
        work.pragma_update(None, "application_id", APPLICATION)?;
        work.pragma_update(None, "user_version", LAYOUT)?;
        work.execute(
            "CREATE TABLE results (key BLOB PRIMARY KEY, found TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID",
            [],
        )?;
    }
    work.commit()?;
    Ok(())
}

fn write(database: &mut Connection, pending: &[(u128, String)]) -> rusqlite::Result<()> {
    let work = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        // An existing row is damaged, or just as good.
        let insert = "INSERT OR REPLACE INTO results (key, found, checksum) VALUES (?1, ?2, ?3)";
        let mut insert = work.prepare_cached(insert)?;
        for (key, json) in pending {
            insert.execute((key.to_be_bytes(), json, checksum(*key, json)))?;
        }
    }
    work.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_told_to_delete_a_cache_that_cannot_be_written() {
        let of = |code| {
            let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            remedy(&Error::new(error).context("no cache can be kept"))
        };
        assert_eq!(of(rusqlite::ffi::SQLITE_READONLY), "");
        assert!(of(rusqlite::ffi::SQLITE_CORRUPT).contains("delete"));
    }

    /// A database of another program is refused as it was.
    #[test]
    fn databases_of_others_are_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("theirs.db");
        let theirs = Connection::open(&path).unwrap();
        theirs
            .execute("CREATE TABLE notes (text TEXT)", [])
            .unwrap();
        drop(theirs);
        let before = std::fs::read(&path).unwrap();
        let error = Store::open(&path).err().expect("not a cache");
        assert!(
            format!("{error:#}").contains("of another program"),
            "{error:#}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);
        // What is empty or ours is opened.
        let path = folder.path().join("ours.db");
        for _ in 0..2 {
            assert!(Store::open(&path).unwrap().is_some());
        }
    }
}
