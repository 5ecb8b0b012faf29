//! The report: one self-contained HTML file with tables, plots and every game on a board. It is written anew from time
//! to time while the match goes on, always as a whole.

mod games;
mod history;
mod tables;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::drawn_page;
use super::faults::Faults;
use super::fixtures::Fixtures;
use super::game_record::{GameRecord, GameResult};
use super::machine;
use super::options::Options;
use super::schedule::{Planned, Schedule};
use super::standing::Standing;
use super::text;
use crate::analyse::{is_replaceable, is_stdout, write_whole};
use crate::overwrite::Force;
use crate::pages::{self, MOST_GAMES};
use crate::plots::{self, Series, escape, isolated};
use history::History;

/// The part of a game that the report needs.
struct Summary {
    planned: Planned,
    result: GameResult,
    plies: usize,
    reason: String,
    repeated: bool,
    began: u64,
    /// The game as a part of the page; `None` after too many.
    section: Option<String>,
}

/// Games in the order in which they were counted.
#[derive(Default)]
pub struct Report {
    /// What each engine calls itself.
    own_names: Vec<String>,
    /// What the book calls its openings.
    book_names: Vec<Option<String>>,
    machine: String,
    games: Vec<Summary>,
    /// What openings are called, by number, as HTML.
    openings: BTreeMap<usize, String>,
    written: Option<Instant>,
    /// How long writing it took.
    cost: Duration,
}

/// What the report is about.
pub struct View<'v> {
    /// The match.
    pub options: &'v Options,
    /// Its pairings.
    pub schedule: &'v Schedule,
    /// Its games.
    pub fixtures: &'v Fixtures<'v>,
    /// Its standing.
    pub standing: &'v Standing,
    /// Faults by engine.
    pub faults: &'v [Faults],
    /// How many games were not played because an engine was out.
    pub unplayed: usize,
    /// Engines that are out, and what they did.
    pub out: &'v BTreeMap<String, String>,
    /// How a sequential test ended.
    pub verdict: Option<&'v str>,
    /// Whether it goes on.
    pub state: State,
}

/// The state of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is being played.
    Running,
    /// It was broken off.
    Interrupted,
    /// It is over.
    Finished,
}

/// With more games than this, there is no picture for readers without scripts.
const MOST_PICTURES: usize = 150;
/// How long the report is left alone.
const REST: Duration = Duration::from_secs(5);

/// Makes sure that a report may be written here.
///
/// # Errors
/// If something else is there that would be lost, or a pipe.
pub fn check_replaceable(path: &Path) -> Result<()> {
    let what = match (is_pipe(path), is_stream(path)) {
        (true, _) => Some("a pipe"),
        (_, true) => Some("a name for an open file"),
        _ => None,
    };
    if let Some(what) = what {
        bail!(
            "-report: {} is {what}; expected a file, since the page is written anew while the match goes on, or - for \
             standard output, which gets it at the end",
            path.display()
        );
    }
    if is_stdout(path) || !is_replaceable(path) {
        return Ok(());
    }
    let Ok(there) = std::fs::read(path) else {
        return Ok(());
    };
    let mark = pages::REPORT_MARK.as_bytes();
    let is_ours = there
        .windows(mark.len())
        .take(4096)
        .any(|part| part == mark);
    if !there.is_empty() && !is_ours {
        bail!(
            "-report: {} exists and is no report of hexmate match; expected another name",
            path.display()
        );
    }
    Ok(())
}

/// Whether it is a name for what the program was started with, which no page can take the place of.
fn is_stream(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"]
        .iter()
        .any(|stream| path.starts_with(stream))
}

/// Whether somebody reads on the other end.
#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;

    std::fs::metadata(path).is_ok_and(|meta| {
        let kind = meta.file_type();
        kind.is_fifo() || kind.is_socket()
    })
}

#[cfg(not(unix))]
fn is_pipe(_path: &Path) -> bool {
    false
}

/// A reason without what differs from game to game: the move that was illegal.
fn kind_of_end(reason: &str) -> &str {
    const ILLEGAL: &str = " makes an illegal move";
    match reason.find(ILLEGAL) {
        Some(at) => &reason[..at + ILLEGAL.len()],
        None => reason,
    }
}

impl Report {
    /// A report of no games.
    pub fn new(own_names: Vec<String>, book_names: Vec<Option<String>>) -> Self {
        Report {
            own_names,
            book_names,
            machine: machine::words(),
            games: Vec::new(),
            openings: BTreeMap::new(),
            written: None,
            cost: Duration::ZERO,
        }
    }

    /// Adds a game, and whether it repeats another.
    pub fn add(&mut self, options: &Options, planned: &Planned, game: &GameRecord, repeated: bool) {
        if options.report.is_none() {
            return;
        }
        let name = self.openings.entry(planned.opening).or_insert_with(|| {
            let count = self.book_names.len().max(1);
            let named = self.book_names.get(planned.opening % count).cloned();
            let line = games::opening_line(options, game);
            match named.flatten() {
                Some(name) => format!("{}: {}", isolated(&name), escape(&line)),
                None => escape(&line),
            }
        });
        let place = self.games.len();
        let section = (place < MOST_GAMES)
            .then(|| games::section(options, game, name, place < MOST_PICTURES));
        self.games.push(Summary {
            planned: *planned,
            result: game.result,
            plies: game.plies(),
            reason: kind_of_end(&game.reason).to_owned(),
            repeated,
            began: game.began,
            section,
        });
    }

    /// Whether it is time to write it again: seldom enough that this costs little.
    pub fn is_due(&self) -> bool {
        let rest = REST.max(self.cost * 20);
        self.written.is_none_or(|at| at.elapsed() >= rest)
    }

    /// Writes the report.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, path: &Path, view: &View<'_>) -> Result<()> {
        let begin = Instant::now();
        let page = self.page(view);
        write_whole(path, &page, Force::OWN).context("-report")?;
        self.cost = begin.elapsed();
        self.written = Some(Instant::now());
        Ok(())
    }

    /// The report as text.
    fn page(&self, view: &View<'_>) -> String {
        let View {
            options,
            schedule,
            standing,
            ..
        } = *view;
        let mut history = History::new(options, schedule, self.games.len());
        for game in &self.games {
            history.add(game);
        }
        history.finish();
        let names: Vec<&str> = options.engines.iter().map(|e| e.name.as_str()).collect();
        let between = if names.len() == 2 { " – " } else { ", " };
        let players: Vec<String> = names.iter().map(|name| isolated(name)).collect();
        let players = players.join(between);
        let (title, heading) = match &options.event {
            Some(event) => (event.clone(), escape(event)),
            None => (names.join(between), players.clone()),
        };
        let mut page = pages::begin_report(&title);
        let _ = writeln!(page, "<h1>{heading}</h1>");
        if options.event.is_some() {
            let _ = writeln!(page, "<p>{players}</p>");
        }
        page += &self.progress(view);
        page += &tables::standing(view);
        if let Some(table) = view.fixtures.table() {
            page += &drawn_page::section(options, &table, view.unplayed > 0);
        }
        if schedule.pairings().len() == 1 {
            page += &tables::duel(view);
        } else {
            page += &tables::crosstable(options, standing);
        }
        page += &tables::faults(view);
        page += &self.conditions(view);
        if !self.games.is_empty() {
            page += &self.figures(view, &history);
            page += &self.openings();
            page += &self.all_games();
        }
        page + &pages::end(&[options.variant])
    }

    /// How far it is, and when it was.
    fn progress(&self, view: &View<'_>) -> String {
        let (finished, all) = (self.games.len(), view.fixtures.least());
        let state = match view.state {
            State::Running => "being played; this page is written anew while it goes on",
            State::Interrupted => "interrupted",
            State::Finished => "finished",
        };
        let mut page = format!(
            "<p class=\"quiet\">{} · {finished} of {all} games · {state}</p>\n",
            escape(view.options.variant.spec().title)
        );
        let lines = [
            text::waiting_line(view.standing, view.state == State::Finished),
            text::left_out_line(view.standing),
            text::out_line(view.unplayed, view.out),
        ];
        for line in lines.into_iter().flatten() {
            let _ = writeln!(page, "<p class=\"note\">{}.</p>", escape(&line));
        }
        if let Some(verdict) = view.verdict {
            let _ = writeln!(page, "<p><strong>{}</strong></p>", escape(verdict));
        }
        page
    }

    /// Where, when and on what it was played.
    fn conditions(&self, view: &View<'_>) -> String {
        let options = view.options;
        let first = self.games.iter().map(|game| game.began).min();
        let last = self.games.iter().map(|game| game.began).max();
        let dates = first.zip(last).map(|(first, last)| {
            let [first, last] = [first, last].map(games::date);
            match first == last {
                true => first,
                false => format!("{first} to {last}"),
            }
        });
        let book = options.openings.file.as_ref();
        let book = book.map_or_else(
            || "random lines".to_owned(),
            |(path, _)| path.display().to_string(),
        );
        let facts = pages::facts(&[
            ("Event", options.event.clone()),
            ("Site", options.site.clone()),
            ("Date", dates),
            ("Tournament", Some(tables::tournament(options))),
            ("Openings", Some(format!("{book}, seed {}", options.seed))),
            ("Machine", Some(self.machine.clone())),
            ("Games at once", Some(options.concurrency.to_string())),
            (
                "Referee",
                Some(format!("hexmate {}", env!("CARGO_PKG_VERSION"))),
            ),
        ]);
        let mut page = format!("<h2>Conditions</h2>\n{facts}");
        page += &tables::engines(options, &self.own_names);
        page
    }

    fn figures(&self, view: &View<'_>, history: &History<'_>) -> String {
        let mut page = String::new();
        let mut figure = |title: &str, plot: String| {
            let _ = writeln!(
                page,
                "<h2>{}</h2>\n<figure class=\"card\">{plot}</figure>",
                escape(title)
            );
        };
        let elo = match &history.elo[..] {
            [one] => format!("Elo of {} against games", one.name),
            _ => "Elo against games".to_owned(),
        };
        let finite = |series: &Series| series.points.iter().filter(|p| p.1.is_finite()).count();
        if history.elo.iter().any(|series| finite(series) > 1) {
            let plot = plots::lines(&elo, "games", &history.elo, &[]);
            figure(&elo, plot);
        } else {
            let why = "No curve: so far nobody has both won and lost points in several pairs.";
            figure(&elo, format!("<p class=\"note\">{why}</p>"));
        }
        if let Some(sprt) = &view.options.sprt {
            let (lower, upper) = sprt.bounds();
            let marks = [
                (lower, format!("H0 {lower:.2}")),
                (upper, format!("H1 {upper:.2}")),
            ];
            let line = std::slice::from_ref(&history.llr);
            figure(
                "Log-likelihood ratio",
                plots::lines("Log-likelihood ratio", "games", line, &marks),
            );
        }
        figure("Lengths of games", self.lengths());
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for game in &self.games {
            *counts.entry(&game.reason).or_default() += 1;
        }
        let mut rows: Vec<_> = counts.into_iter().map(|(r, n)| (r.to_owned(), n)).collect();
        rows.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        page + "<h2>Terminations</h2>\n" + &pages::bars(&rows)
    }

    fn lengths(&self) -> String {
        let longest = self.games.iter().map(|g| g.plies).max().unwrap_or(0);
        let width = (longest / 20 + 1).next_multiple_of(5);
        let mut counts = vec![0.0; longest / width + 1];
        for game in &self.games {
            counts[game.plies / width] += 1.0;
        }
        let columns = counts.into_iter().enumerate();
        let columns: Vec<_> = columns.map(|(i, n)| ((i * width).to_string(), n)).collect();
        plots::columns("Lengths of games", "plies, from", &columns)
    }

    /// White's share of the points by opening, with links to the games.
    fn openings(&self) -> String {
        let mut played: BTreeMap<usize, Vec<&Summary>> = BTreeMap::new();
        for game in &self.games {
            played.entry(game.planned.opening).or_default().push(game);
        }
        let mut page = "<h2>Openings</h2>\n<div class=\"scroll\"><table>\n<tr><th>#<th class=\"name\">Opening<th>Games<th>White’s share</tr>\n".to_owned();
        for (opening, games) in played {
            let points: usize = games.iter().map(|game| game.result.white()).sum();
            let share = 25.0 * points as f64 / games.len() as f64;
            let name = self.openings.get(&opening).map_or("", String::as_str);
            let links: Vec<String> = games
                .iter()
                .take(12)
                .map(|game| {
                    let number = game.planned.number + 1;
                    match game.section {
                        Some(_) => format!("<a href=\"#game-{number}\">{number}</a>"),
                        None => number.to_string(),
                    }
                })
                .collect();
            let more = if games.len() > 12 { " …" } else { "" };
            let _ = writeln!(
                page,
                "<tr><td>{}<td class=\"wide\">{name}<td>{}{more}<td>{share:.0} %</tr>",
                opening + 1,
                links.join(" ")
            );
        }
        page + "</table></div>\n"
    }

    fn all_games(&self) -> String {
        let mut page = "<h2>Games</h2>\n<p class=\"note\">Open a game; the arrow keys, Home and End step through it.</p>\n".to_owned();
        for section in self.games.iter().filter_map(|game| game.section.as_deref()) {
            page += section;
        }
        if self.games.len() > MOST_GAMES {
            let _ = writeln!(
                page,
                "<p class=\"note\">These are the first {MOST_GAMES} games; -pgnout writes all of them.</p>"
            );
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::schedule::tests::schedule;

    impl Summary {
        /// A game of which only this is known.
        pub(super) fn of(planned: Planned, result: GameResult) -> Self {
            Summary {
                planned,
                result,
                plies: 0,
                reason: String::new(),
                repeated: false,
                began: 0,
                section: None,
            }
        }
    }

    /// A game that is not on the page has a number, and no link that leads nowhere.
    #[test]
    fn links_to_games_on_the_page() {
        let schedule = schedule(2, "-rounds 1");
        let [shown, not_shown] = [0, 1].map(|number| {
            let drawn = GameResult::of_white(2);
            Summary::of(schedule.game(number), drawn)
        });
        let mut report = Report::default();
        report.games.push(Summary {
            section: Some(String::new()),
            ..shown
        });
        report.games.push(not_shown);
        let openings = report.openings();
        let links = "<td><a href=\"#game-1\">1</a> 2<td>";
        assert!(openings.contains(links), "{openings}");
    }

    /// Only the move that was illegal is no part of a reason.
    #[test]
    fn kinds_of_ends() {
        for (reason, kind) in [
            (
                "White makes an illegal move (a1a2)",
                "White makes an illegal move",
            ),
            (
                "Black makes an illegal move (x (y)",
                "Black makes an illegal move",
            ),
            (
                "Draw by adjudication (maxmoves)",
                "Draw by adjudication (maxmoves)",
            ),
            ("Draw by adjudication", "Draw by adjudication"),
            (
                "White disconnects (floods its output)",
                "White disconnects (floods its output)",
            ),
        ] {
            assert_eq!(kind_of_end(reason), kind);
        }
    }
}
