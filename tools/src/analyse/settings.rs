//! How positions are to be analysed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hexmate_movegen::{GameId, Letters};

use crate::eval_file::EvalFile;
use crate::game_names::GameNames;
use crate::tables::{AllTables, LaterTables};
use crate::terms::Terms;
use crate::threads::THREAD_MEGABYTES;

/// The size of a table if nobody says another.
pub const DEFAULT_HASH_MEGABYTES: usize = 16;

/// What is searched for each position if no limit is given: enough for a sound answer, and the same on
/// every machine.
const DEFAULT_NODES: u64 = 100_000;

/// The same when a mate is looked for: it ends as soon as one is found, or it is proven that there is none.
const DEFAULT_MATE_NODES: u64 = 5_000_000;

/// The most lines of a position, moves of a mate that is looked for, and threads of a search that users may ask for.
pub const MOST_LINES: u16 = 500;
/// See [`MOST_LINES`].
pub const MOST_MATE: u32 = 120;
/// See [`MOST_LINES`].
pub const MOST_THREADS: u16 = 512;

/// How positions are to be analysed.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The game of lines that do not name one.
    pub game: GameId,
    /// See [`hexmate_engine::Limits`].
    pub depth: Option<u32>,
    /// See [`hexmate_engine::Limits`].
    pub nodes: Option<u64>,
    /// Time for each position.
    pub movetime: Option<Duration>,
    /// Time after which a position is given up with what was found; its answer says so.
    pub timeout: Option<Duration>,
    /// See [`hexmate_engine::Limits`].
    pub mate: Option<u32>,
    /// Whether a position ends when a mate is found, for either side.
    pub stop_at_mate: bool,
    /// Ends a position when the score was this far from 0 at two depths in a row, in centipawns.
    pub stop_cp: Option<u32>,
    /// How many of the best moves get a line; `None`: the best, and it is not told apart.
    pub multipv: Option<usize>,
    /// Whether the chances are reported.
    pub wdl: bool,
    /// Whether answers say what separates the best move from the played one, or from the second best.
    pub explain: bool,
    /// Threads for each position.
    pub threads: usize,
    /// The size of each worker's table.
    pub hash_megabytes: usize,
    /// Endgame tables to ask.
    pub tables: Arc<AllTables>,
    /// Those of games that only records name.
    pub later_tables: Arc<LaterTables>,
    /// Weights of the evaluation; `None`: those of the program.
    pub eval_file: Option<Arc<EvalFile>>,
    /// The letters of pieces in moves that are read.
    pub letters: Letters,
    /// Where games are found by name.
    pub names: GameNames,
    /// Whether the search for a mate is all that is wanted; see [`Settings::bounded`].
    pub only_mate: bool,
}

/// One thread, the default table and no limit: one of them must be set, or [`Settings::bounded`] asked.
impl Default for Settings {
    fn default() -> Self {
        Settings {
            game: GameId::Glinski,
            depth: None,
            nodes: None,
            movetime: None,
            timeout: None,
            mate: None,
            stop_at_mate: false,
            stop_cp: None,
            multipv: None,
            wdl: false,
            explain: false,
            threads: 1,
            hash_megabytes: DEFAULT_HASH_MEGABYTES,
            tables: Arc::default(),
            later_tables: Arc::default(),
            eval_file: None,
            letters: Letters::Own,
            names: GameNames::default(),
            only_mate: false,
        }
    }
}

impl Settings {
    /// The same, with the usual number of nodes if nothing bounds the search of a position. Then a mate that is looked
    /// for is all that is wanted: the search ends, too, once it is proven that there is none.
    pub fn bounded(self) -> Self {
        let bounded = self.depth.is_some() || self.movetime.is_some() || self.nodes.is_some();
        let usual = match self.mate {
            Some(_) => DEFAULT_MATE_NODES,
            None => DEFAULT_NODES,
        };
        Settings {
            only_mate: self.only_mate || self.mate.is_some() && !bounded,
            nodes: self.nodes.or((!bounded).then_some(usual)),
            ..self
        }
    }

    /// How many nodes are searched for what an explanation needs. Those of a search for a mate alone are not for that.
    pub fn nodes_to_explain(&self) -> Option<u64> {
        match self.only_mate {
            true => Some(DEFAULT_NODES),
            false => self.nodes,
        }
    }

    /// All that decides answers beside the records, by the names of the options; the engine, too.
    pub fn terms(&self) -> Terms {
        let mut terms = Terms::new();
        let mut say = |name: &str, what: String| {
            terms.insert(name.to_owned(), what);
        };
        let milliseconds = |time: Option<Duration>| said(time.map(|time| time.as_millis()));
        say("engine", env!("HEXMATE_ENGINE").to_owned());
        say("--depth", said(self.depth));
        // With as many nodes, but given, the search would go on.
        say("--nodes", said(self.nodes.filter(|_| !self.only_mate)));
        say("--movetime", milliseconds(self.movetime));
        say("--timeout", milliseconds(self.timeout));
        say("--mate", said(self.mate));
        say("--stop-at-mate", given(self.stop_at_mate));
        say("--stop-cp", said(self.stop_cp));
        say("--multipv", said(self.multipv));
        say("--wdl", given(self.wdl));
        if self.explain {
            // Journals from before there was the option say nothing of it.
            say("--explain", "given".to_owned());
        }
        say("--threads", self.threads.to_string());
        say("--hash", self.hash_megabytes.to_string());
        let tables = self.tables.iter();
        let tables = tables.map(|(game, t)| (game.name(), t.names()));
        let tables: BTreeMap<&str, &[String]> = tables.chain(self.later_tables.names()).collect();
        if !tables.is_empty() {
            say("--tb", format!("{tables:?}"));
        }
        if let Some(file) = &self.eval_file {
            say("--eval-file", file.identity().to_string());
        }
        terms
    }

    /// Megabytes that a worker takes for one game, about: its table, and what the search of each thread
    /// learns.
    pub fn megabytes(&self) -> u64 {
        (self.hash_megabytes + self.threads * THREAD_MEGABYTES) as u64
    }
}

/// An option's value, or that it was not given.
fn said(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "not given".to_owned(), |value| value.to_string())
}

fn given(flag: bool) -> String {
    if flag { "given" } else { "not given" }.to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use hexmate_movegen::Glinski;

    use super::*;
    use crate::tables;
    use crate::terms::compare;

    /// By them it is known which journals and caches are of a run.
    #[test]
    fn whatever_changes_answers_changes_the_terms() {
        type Change = fn(&mut Settings);
        let changes: [(&str, Change); 13] = [
            ("--depth", |s| s.depth = Some(1)),
            ("--nodes", |s| s.nodes = Some(1)),
            ("--movetime", |s| s.movetime = Some(Duration::from_secs(1))),
            ("--timeout", |s| s.timeout = Some(Duration::from_secs(1))),
            ("--mate", |s| s.mate = Some(1)),
            ("--stop-at-mate", |s| s.stop_at_mate = true),
            ("--stop-cp", |s| s.stop_cp = Some(1)),
            ("--multipv", |s| s.multipv = Some(1)),
            ("--wdl", |s| s.wdl = true),
            ("--explain", |s| s.explain = true),
            ("--threads", |s| s.threads += 1),
            ("--hash", |s| s.hash_megabytes += 1),
            ("--tb", |s| {
                let (tables, _) = tables::open(Glinski, Path::new(".")).unwrap();
                s.tables = Arc::new([(GameId::Glinski, tables)].into());
            }),
        ];
        let usual = Settings::default().terms();
        for (name, change) in changes {
            let mut settings = Settings::default();
            change(&mut settings);
            let differ = compare(&usual, &settings.terms()).expect_err(name);
            assert_eq!(differ.name, name);
        }
    }

    /// They are the same number of nodes, but with one that was given the search goes on where there is no mate.
    #[test]
    fn answers_of_a_search_for_a_mate_alone_are_told_apart() {
        let bounded = |nodes| {
            let settings = Settings {
                mate: Some(2),
                nodes,
                ..Settings::default()
            };
            settings.bounded()
        };
        let alone = bounded(None);
        let given = bounded(alone.nodes);
        assert_eq!(alone.nodes, given.nodes);
        assert!(alone.only_mate && !given.only_mate);
        assert_ne!(alone.terms(), given.terms());
        assert!(alone.bounded().only_mate);
        assert!(!Settings::default().bounded().only_mate);
    }
}
