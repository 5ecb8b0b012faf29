//! The report: one self-contained HTML file with tables and plots.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

use super::game_record::{GameRecord, GameResult};
use super::options::Options;
use super::schedule::{Planned, Schedule};
use super::standing::{Standing, games, points};
use super::svg::{self, STYLE, Series, escape};
use super::text;

/// The part of a game that the report needs.
struct Summary {
    planned: Planned,
    result: GameResult,
    plies: usize,
    reason: String,
    repeated: bool,
}

/// Games in the order in which they were counted.
#[derive(Default)]
pub struct Report {
    games: Vec<Summary>,
}

/// The approximate maximum number of points of a plot.
const POINTS: usize = 400;

impl Report {
    /// Adds a game, and whether it repeats another.
    pub fn add(&mut self, planned: &Planned, game: &GameRecord, repeated: bool) {
        // What is in brackets differs from game to game.
        let reason = game.reason.split(" (").next().unwrap_or_default();
        self.games.push(Summary {
            planned: *planned,
            result: game.result,
            plies: game.plies(),
            reason: reason.to_owned(),
            repeated,
        });
    }

    /// Writes the report.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &self,
        path: &Path,
        options: &Options,
        schedule: &Schedule,
        verdict: Option<&str>,
    ) -> Result<()> {
        let page = self.page(options, schedule, verdict);
        std::fs::write(path, page).with_context(|| format!("{}: cannot be written", path.display()))
    }

    /// The report as text.
    fn page(&self, options: &Options, schedule: &Schedule, verdict: Option<&str>) -> String {
        let mut history = History::new(options, schedule, self.games.len());
        for game in &self.games {
            history.add(game);
        }
        let names: Vec<&str> = options.engines.iter().map(|e| e.name.as_str()).collect();
        let title = format!("{} · {}", options.variant.name(), names.join(", "));
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<style>{STYLE}</style>\n<h1>{0}</h1>\n",
            escape(&title)
        );
        let standing = &history.standing;
        let _ = writeln!(
            page,
            "<p>{} of {} games, seed {}.</p>",
            standing.games(),
            schedule.len(),
            options.seed
        );
        if let Some(line) = text::left_out_line(standing) {
            let _ = writeln!(page, "<p>{}</p>", escape(&line));
        }
        if let Some(verdict) = verdict {
            let _ = writeln!(page, "<p><strong>{}</strong></p>", escape(verdict));
        }
        page += &engines(options, standing);
        page += &crosstable(options, standing);
        if schedule.pairings().len() == 1 {
            let text = text::interim(options, schedule, standing);
            let _ = writeln!(
                page,
                "<pre>{}</pre>",
                escape(text.trim_matches(['-', '\n']))
            );
        }
        let mut figure = |title: &str, plot: String| {
            let _ = writeln!(page, "<h2>{title}</h2>\n<figure>{plot}</figure>");
        };
        figure(
            "Elo against games",
            svg::lines("Elo against games", "games", &history.elo, &[]),
        );
        if let Some(sprt) = &options.sprt {
            let (lower, upper) = sprt.bounds();
            let marks = [
                (lower, format!("H0 {:.2}", lower)),
                (upper, format!("H1 {:.2}", upper)),
            ];
            let line = std::slice::from_ref(&history.llr);
            figure(
                "Log-likelihood ratio",
                svg::lines("Log-likelihood ratio", "games", line, &marks),
            );
        }
        if schedule.paired() && schedule.pairings().len() == 1 {
            let names = ["0", "1/4", "1/2", "3/4", "1", "5/4", "3/2", "7/4", "2"];
            let counts = standing.pairing(0).counts();
            let columns = names.iter().zip(counts);
            let columns: Vec<_> = columns.map(|(n, &c)| ((*n).to_owned(), c as f64)).collect();
            let label = format!("points of {} in a pair", names_of(options, schedule)[0]);
            figure("Pairs", svg::columns("Pairs", &label, &columns));
        }
        figure("Lengths", self.lengths());
        figure("Terminations", self.terminations());
        figure("Openings", self.openings());
        page + "</html>\n"
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
        svg::columns("Lengths of games", "plies, from", &columns)
    }

    fn terminations(&self) -> String {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for game in &self.games {
            *counts.entry(&game.reason).or_default() += 1;
        }
        let mut rows: Vec<_> = counts.into_iter().map(|(r, n)| (r.to_owned(), n)).collect();
        rows.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        svg::rows("Terminations", &rows)
    }

    /// White's share of the points by opening.
    fn openings(&self) -> String {
        let mut shares: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for game in &self.games {
            let (points, games) = shares.entry(game.planned.opening).or_default();
            *points += game.result.white() as f64 / 4.0;
            *games += 1.0;
        }
        let columns: Vec<_> = shares
            .into_iter()
            .map(|(opening, (points, games))| ((opening + 1).to_string(), points / games))
            .collect();
        svg::columns(
            "White's share of the points",
            "opening; height: White's share of the points",
            &columns,
        )
    }
}

fn names_of<'o>(options: &'o Options, schedule: &Schedule) -> [&'o str; 2] {
    schedule.pairings()[0].map(|e| options.engines[e].name.as_str())
}

/// The standings game by game.
struct History<'s> {
    options: &'s Options,
    schedule: &'s Schedule,
    standing: Standing,
    elo: Vec<Series>,
    llr: Series,
    every: u64,
}

impl<'s> History<'s> {
    /// Before the first of this many games.
    fn new(options: &'s Options, schedule: &'s Schedule, games: usize) -> Self {
        let new = |name: &str| Series {
            name: name.to_owned(),
            points: Vec::new(),
            band: Vec::new(),
        };
        // With two engines, the first one's line is enough.
        let shown = match schedule.pairings() {
            [[first, _]] => vec![new(&options.engines[*first].name)],
            _ => options.engines.iter().map(|e| new(&e.name)).collect(),
        };
        Self {
            options,
            schedule,
            standing: Standing::new(options.engines.len(), schedule),
            elo: shown,
            llr: new("LLR"),
            every: (games / POINTS).max(1) as u64,
        }
    }

    fn add(&mut self, game: &Summary) {
        let complete = self
            .standing
            .add(self.schedule, &game.planned, game.result, game.repeated);
        if !complete || !self.standing.samples().is_multiple_of(self.every) {
            return;
        }
        let games = self.standing.games() as f64;
        let single = self.elo.len() == 1;
        for (engine, series) in self.elo.iter_mut().enumerate() {
            let elo = match single {
                true => self.standing.pairing(0).elo(),
                false => self.standing.engine(engine).elo(),
            };
            if elo.value.is_finite() {
                series.points.push((games, elo.value));
                if single {
                    let error = if elo.error.is_finite() {
                        elo.error
                    } else {
                        0.0
                    };
                    series.band.push((elo.value - error, elo.value + error));
                }
            }
        }
        if let Some(sprt) = &self.options.sprt {
            let llr = sprt.log_likelihood_ratio(self.standing.pairing(0));
            self.llr.points.push((games, llr));
        }
    }
}

fn engines(options: &Options, standing: &Standing) -> String {
    let mut table = "<h2>Standing</h2>\n<table><tr><th>#<th>Engine<th>Limit<th>Elo<th>±<th>nElo\
<th>Games<th>Points<th>Score<th>1<th>3/4<th>1/2<th>1/4<th>0</tr>\n"
        .to_owned();
    for (rank, engine) in standing.ranking().into_iter().enumerate() {
        let spec = &options.engines[engine];
        let samples = standing.engine(engine);
        let (elo, normalised) = (samples.elo(), samples.normalised_elo());
        let quarters = standing.total(engine);
        let share = points(quarters) / games(quarters).max(1) as f64;
        let _ = write!(
            table,
            "<tr><td>{}<td class=\"name\">{}<td class=\"name\">{}<td>{:.1}<td>{:.1}<td>{:.1}<td>{}<td>{}<td>{:.1} %",
            rank + 1,
            escape(&spec.name),
            escape(&spec.limits.to_string()),
            elo.value,
            elo.error,
            normalised.value,
            games(quarters),
            points(quarters),
            100.0 * share
        );
        for n in quarters.iter().rev() {
            let _ = write!(table, "<td>{n}");
        }
        table += "</tr>\n";
    }
    table + "</table>\n"
}

fn crosstable(options: &Options, standing: &Standing) -> String {
    let order = standing.ranking();
    let mut table = "<h2>Crosstable</h2>\n<table><tr><th>#<th>Engine".to_owned();
    for place in 1..=order.len() {
        let _ = write!(table, "<th>{place}");
    }
    table += "</tr>\n";
    for (place, &a) in order.iter().enumerate() {
        let name = escape(&options.engines[a].name);
        let _ = write!(table, "<tr><td>{}<td class=\"name\">{name}", place + 1);
        for &b in &order {
            let quarters = standing.against(a, b);
            let _ = match games(quarters) {
                0 => write!(table, "<td>"),
                n => write!(table, "<td>{} / {n}", points(quarters)),
            };
        }
        table += "</tr>\n";
    }
    table + "</table>\n"
}
