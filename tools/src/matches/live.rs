//! The games that are being played now, in a file beside the journal, for those who watch (`hexmate board --match`).
//!
//! The file is one line, a checksum and JSON. It is written anew while moves are made, and removed at the end of the
//! match. As long as the match goes on, nobody else writes the file: what a killed match has left behind is nobody's,
//! and nobody watches it.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::referee::Glance;
use crate::one_writer;

/// The least time between two writes.
const PULSE: Duration = Duration::from_millis(400);
const LAYOUT: u32 = 1;
/// How the JSON begins.
const MARK: &str = "{\"hexmate_live\"";

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunningGame {
    /// Its number among all games of the match, from 1.
    pub game: usize,
    /// Its round, from 1.
    pub round: usize,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The position before the first move.
    pub fen: String,
    /// The moves so far, separated by blanks.
    pub moves: String,
    /// How many of them belong to the opening.
    pub book_plies: usize,
    /// The score of each move after the opening, as PGN comments write it.
    pub scores: Vec<String>,
    /// What is left on the clocks of White and Black since the last move, in milliseconds.
    pub clocks: [Option<u64>; 2],
    /// When the last move was made, in milliseconds since 1970.
    pub moved: u64,
}

impl RunningGame {
    /// Takes over how the game stands.
    pub fn look(&mut self, glance: &Glance<'_>) {
        if self.fen.is_empty() {
            glance.fen.clone_into(&mut self.fen);
            self.book_plies = glance.plies;
        }
        self.moves.push_str(&glance.moves[self.moves.len()..]);
        let known = self.scores.len();
        let new = glance.notes[known..].iter().map(|note| note.score.clone());
        self.scores.extend(new);
        self.clocks = glance.clocks.map(|c| c.map(|c| c.as_millis() as u64));
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        self.moved = now.map_or(0, |now| now.as_millis() as u64);
    }
}

#[derive(Serialize, Deserialize)]
struct Content {
    hexmate_live: u32,
    games: Vec<RunningGame>,
}

/// The games that are being played, and their file.
pub struct Live {
    file: Option<(PathBuf, File)>,
    games: Mutex<Games>,
}

#[derive(Default)]
struct Games {
    running: BTreeMap<usize, RunningGame>,
    is_changed: bool,
    written: Option<Instant>,
}

impl Live {
    /// Of a match without a journal: nobody watches.
    pub fn none() -> Live {
        Live {
            file: None,
            games: Mutex::default(),
        }
    }

    /// Beside the journal of a match.
    ///
    /// # Errors
    /// If the file cannot be written, or is something else.
    pub fn beside(journal: &Path) -> Result<Live> {
        let path = path(journal);
        let open = || -> Result<File> {
            let mut file = alone(&path)?;
            let mut before = String::new();
            // What is no text is not ours either.
            let is_text = file.read_to_string(&mut before).is_ok();
            let is_ours = before.get(17..).is_some_and(|json| json.starts_with(MARK));
            if !is_text || !(before.is_empty() || is_ours) {
                bail!("is no file of running games; it stays as it is");
            }
            Ok(file)
        };
        let file = open().with_context(|| format!("{}", path.display()))?;
        Ok(Live {
            file: Some((path, file)),
            games: Mutex::default(),
        })
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether anybody may watch.
    pub fn is_watched(&self) -> bool {
        self.file.is_some()
    }

    /// A game is as it is now.
    pub fn show(&self, game: &RunningGame) {
        let mut games = self.games();
        games.running.insert(game.game, game.clone());
        games.is_changed = true;
    }

    /// A game is over.
    pub fn end(&self, number: usize) {
        let mut games = self.games();
        games.is_changed |= games.running.remove(&number).is_some();
    }

    /// How long to wait for the next [`Live::write`].
    pub fn pulse(&self) -> Duration {
        PULSE
    }

    /// Writes what has changed, but not too often.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self) -> Result<()> {
        let Some((path, file)) = &self.file else {
            return Ok(());
        };
        let mut games = self.games();
        if !games.is_changed || games.written.is_some_and(|at| at.elapsed() < PULSE) {
            return Ok(());
        }
        games.is_changed = false;
        games.written = Some(Instant::now());
        let content = Content {
            hexmate_live: LAYOUT,
            games: games.running.values().cloned().collect(),
        };
        drop(games);
        let text = text(&content)?;
        let write = |mut file: &File| {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(text.as_bytes())?;
            file.set_len(text.len() as u64)
        };
        write(file).with_context(|| format!("{}: cannot be written", path.display()))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some((path, _)) = &self.file {
            // Whatever stays is nobody's any more.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The file beside a journal.
pub fn path(journal: &Path) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(".live");
    name.into()
}

/// Opens it as the only one; somebody who only looks lets go of it at once.
fn alone(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    for _ in 0..50 {
        if let Some(file) = one_writer::open(path, &mut options)? {
            return Ok(file);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    bail!("is in use")
}

fn checksum(json: &str) -> u64 {
    XxHash3_64::oneshot_with_seed(LAYOUT.into(), json.as_bytes())
}

fn text(content: &Content) -> Result<String> {
    let json = serde_json::to_string(content)?;
    Ok(format!("{:016x} {json}\n", checksum(&json)))
}

/// What somebody who watches sees.
#[cfg(feature = "board")]
#[derive(Debug, PartialEq)]
pub enum Seen {
    /// The match is not going on.
    Nothing,
    /// The file is being written just now: what was seen before still holds.
    Unclear,
    /// These games are being played.
    Games(Vec<RunningGame>),
}

/// The games that the match of a journal is playing.
#[cfg(feature = "board")]
pub fn look(journal: &Path) -> Seen {
    let path = path(journal);
    // Otherwise the match that has written it is gone.
    if !one_writer::is_written(&path) {
        return Seen::Nothing;
    }
    let Ok(mut file) = File::open(path) else {
        return Seen::Nothing;
    };
    let mut text = String::new();
    if file.read_to_string(&mut text).is_err() {
        return Seen::Unclear;
    }
    parse(&text).map_or(Seen::Unclear, Seen::Games)
}

#[cfg(feature = "board")]
fn parse(text: &str) -> Option<Vec<RunningGame>> {
    let (check, json) = text.split_once('\n')?.0.split_once(' ')?;
    let is_whole = u64::from_str_radix(check, 16).ok()? == checksum(json);
    let content: Content = serde_json::from_str(json).ok().filter(|_| is_whole)?;
    (content.hexmate_live == LAYOUT).then_some(content.games)
}

/// A game that begins.
pub fn begun(game: usize, round: usize, [white, black]: [String; 2]) -> RunningGame {
    RunningGame {
        game,
        round,
        white,
        black,
        fen: String::new(),
        moves: String::new(),
        book_plies: 0,
        scores: Vec::new(),
        clocks: [None; 2],
        moved: 0,
    }
}

#[cfg(all(test, feature = "board"))]
mod tests {
    use super::*;

    fn game(number: usize) -> RunningGame {
        let mut game = begun(number, 1, ["a".to_owned(), "b".to_owned()]);
        let mut glance = Glance {
            fen: "start",
            moves: "e4e5",
            plies: 1,
            notes: &[],
            clocks: [Some(Duration::from_secs(3)), None],
        };
        game.look(&glance);
        glance.moves = "e4e5 e7e6";
        glance.plies = 2;
        game.look(&glance);
        game
    }

    #[test]
    fn games_are_seen_while_they_are_played() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("run.journal");
        assert_eq!(look(&journal), Seen::Nothing);
        let live = Live::beside(&journal).unwrap();
        assert_eq!(look(&journal), Seen::Unclear);
        live.show(&game(1));
        live.show(&game(2));
        live.write().unwrap();
        assert_eq!(
            look(&journal),
            Seen::Games(vec![game_as_seen(&live, 1), game_as_seen(&live, 2)])
        );
        live.end(1);
        std::thread::sleep(PULSE);
        live.write().unwrap();
        let Seen::Games(games) = look(&journal) else {
            panic!("nothing is seen");
        };
        assert_eq!((games.len(), games[0].game), (1, 2));
        assert_eq!(
            (games[0].moves.as_str(), games[0].book_plies),
            ("e4e5 e7e6", 1)
        );
        assert_eq!(games[0].clocks, [Some(3000), None]);
        drop(live);
        assert_eq!(look(&journal), Seen::Nothing);
        assert!(!path(&journal).exists());
    }

    fn game_as_seen(live: &Live, number: usize) -> RunningGame {
        live.games().running[&number].clone()
    }

    #[test]
    fn what_a_killed_match_leaves_is_not_watched() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("run.journal");
        let content = Content {
            hexmate_live: LAYOUT,
            games: vec![game(1)],
        };
        std::fs::write(path(&journal), text(&content).unwrap()).unwrap();
        assert_eq!(look(&journal), Seen::Nothing);
        // The next match takes the file over.
        drop(Live::beside(&journal).unwrap());
        assert!(!path(&journal).exists());
    }

    #[test]
    fn files_of_others_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("run.journal");
        for other in ["my notes\n", "0123456789abcdef my notes\n"] {
            std::fs::write(path(&journal), other).unwrap();
            let error = Live::beside(&journal).err().unwrap();
            assert!(format!("{error:#}").contains("is no file of running games"));
            assert_eq!(std::fs::read_to_string(path(&journal)).unwrap(), other);
        }
    }

    #[test]
    fn half_a_line_is_not_believed() {
        let content = Content {
            hexmate_live: LAYOUT,
            games: vec![game(1)],
        };
        let text = text(&content).unwrap();
        assert!(parse(&text).is_some());
        assert!(parse(&format!("{text}rest of a longer line\n")).is_some());
        assert_eq!(parse(&text[..text.len() - 1]), None);
        assert_eq!(parse(&text.replace("e4e5", "e4e6")), None);
        assert_eq!(parse(""), None);
    }
}
