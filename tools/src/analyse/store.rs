//! Results kept on disk for later runs, in an SQLite database that several processes may use at once.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, ErrorCode, OptionalExtension, TransactionBehavior};
use tracing::{debug, warn};

use super::answer::Findings;

/// `HXMT`, in the header of the file: what the database is for.
const APPLICATION: i32 = 0x4858_4d54;
/// The layout of its tables. Engine and options are part of each key.
const LAYOUT: i32 = 1;
/// How long another process may hold the file.
const PATIENCE: Duration = Duration::from_secs(60);
/// Results written together, and how long they may wait for each other.
const BATCH: usize = 64;
const BATCH_TIME: Duration = Duration::from_secs(2);

/// A connection to the database.
pub struct Store {
    database: Connection,
    /// Results that are not yet written.
    pending: Vec<(u128, String)>,
    written: Instant,
    /// After a fault the run goes on without.
    failed: bool,
}

impl Store {
    /// Opens the database, or makes it.
    ///
    /// # Errors
    /// If the file cannot be used, or is something else.
    pub fn open(path: &Path) -> Result<Store> {
        Self::try_open(path).with_context(|| format!("{}: no cache can be kept", path.display()))
    }

    fn try_open(path: &Path) -> Result<Store> {
        let mut database = Connection::open(path)?;
        database.busy_timeout(PATIENCE)?;
        let begun = Instant::now();
        // SQLite does not wait by itself where two processes begin at the same moment.
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
        })
    }

    /// What is stored of a position.
    pub fn get(&mut self, key: u128) -> Option<Findings> {
        if self.failed {
            return None;
        }
        let query = "SELECT found FROM results WHERE key = ?1";
        let json = self.database.prepare_cached(query).and_then(|mut query| {
            let found = query.query_row([key.to_be_bytes()], |row| row.get::<_, String>(0));
            found.optional()
        });
        match json {
            // What cannot be read is as good as absent.
            Ok(json) => serde_json::from_str(&json?).ok(),
            Err(error) => {
                self.give_up(&error);
                None
            }
        }
    }

    /// Stores what was found of a position, soon.
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
        warn!("the cache fails, and is not used any more: {error}");
        self.failed = true;
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.flush();
    }
}

fn prepare(database: &mut Connection) -> Result<()> {
    database.pragma_update(None, "journal_mode", "WAL")?;
    // A lost power supply may cost the last results, never the file.
    database.pragma_update(None, "synchronous", "NORMAL")?;
    let work = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let pragma = |name| work.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let tables: i64 = work.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get(0))?;
    if tables == 0 {
        work.pragma_update(None, "application_id", APPLICATION)?;
        work.pragma_update(None, "user_version", LAYOUT)?;
        work.execute(
            "CREATE TABLE results (key BLOB PRIMARY KEY, found TEXT NOT NULL) WITHOUT ROWID",
            [],
        )?;
    } else if pragma("application_id")? != APPLICATION {
        bail!("this is a database of another program");
    } else if pragma("user_version")? != LAYOUT {
        bail!(
            "this is a cache of another version of hexmate; expected an absent file or layout {LAYOUT}"
        );
    }
    work.commit()?;
    Ok(())
}

fn write(database: &mut Connection, pending: &[(u128, String)]) -> rusqlite::Result<()> {
    let work = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let insert = "INSERT OR IGNORE INTO results (key, found) VALUES (?1, ?2)";
        let mut insert = work.prepare_cached(insert)?;
        for (key, json) in pending {
            insert.execute((key.to_be_bytes(), json))?;
        }
    }
    work.commit()
}
