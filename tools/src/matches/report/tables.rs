//! The tables of the report.

use std::fmt::Write as _;

use super::View;
use crate::matches::faults::KINDS;
use crate::matches::options::{Command, EngineSpec, Options, Tournament};
use crate::matches::standing::{Quarters, Standing, games, points};
use crate::matches::stats::{Distribution, Estimate};
use crate::matches::text::point_text;
use crate::pages;
use crate::plots::{self, escape};
use crate::terminal;

/// The most columns of a name below a plot, which cannot be wrapped.
const LONGEST: usize = 24;

/// A difference in Elo in words, where there is no number.
fn value(estimate: Estimate, samples: &Distribution) -> String {
    match samples.samples() {
        0 => "–".to_owned(),
        _ if estimate.value == f64::INFINITY => "all points".to_owned(),
        _ if estimate.value == f64::NEG_INFINITY => "no points".to_owned(),
        _ if estimate.value.is_nan() => "–".to_owned(),
        _ => format!("{:.1}", estimate.value + 0.0),
    }
}

/// Half of its interval; a dash where there is none. Samples that are all equal say nothing about their spread, and the
/// formula would give 0.
fn error(estimate: Estimate, samples: &Distribution) -> String {
    match estimate.value.is_finite() && estimate.error.is_finite() && samples.vary() {
        true => format!("{:.1}", estimate.error),
        false => "–".to_owned(),
    }
}

fn share(quarters: Quarters) -> String {
    match games(quarters) {
        0 => "–".to_owned(),
        n => format!("{:.1} %", 100.0 * points(quarters) / n as f64),
    }
}

/// The standing, and what it is made of.
pub fn standing(view: &View<'_>) -> String {
    let View {
        options, standing, ..
    } = *view;
    let quarters_occur = options.variant.spec().stalemate_quarters % 2 == 1;
    let results = match quarters_occur {
        true => "<th>1<th>3/4<th>1/2<th>1/4<th>0",
        false => "<th>Won<th>Drawn<th>Lost",
    };
    let mut table = format!(
        "<h2>Standing</h2>\n<div class=\"scroll\"><table>\n<tr><th>#<th class=\"name\">Engine<th>Points<th>Games<th>Score<th>Elo<th>±{results}</tr>\n"
    );
    for (rank, engine) in standing.ranking().into_iter().enumerate() {
        let samples = standing.engine(engine);
        let elo = samples.elo();
        let quarters = standing.total(engine);
        let _ = write!(
            table,
            "<tr><td>{}<td class=\"name\">{}<td>{}<td>{}<td>{}<td>{}<td>{}",
            rank + 1,
            escape(&options.engines[engine].name),
            point_text(points(quarters)),
            games(quarters),
            share(quarters),
            value(elo, samples),
            error(elo, samples)
        );
        for (i, n) in quarters.iter().enumerate().rev() {
            if quarters_occur || i % 2 == 0 {
                let _ = write!(table, "<td>{n}");
            }
        }
        table += "</tr>\n";
    }
    let what = match standing.paired() {
        true => "All figures are of whole pairs of games.",
        false => "All figures are of all finished games.",
    };
    let _ = writeln!(
        table,
        "</table></div>\n<p class=\"note\">{what} ± is half of the 95 % interval.</p>"
    );
    table
}

/// What two engines' pairs say.
pub fn duel(view: &View<'_>) -> String {
    let samples = view.standing.pairing(0);
    let [a, _] = view.schedule.pairings()[0].map(|e| view.options.engines[e].name.as_str());
    if samples.samples() == 0 {
        return String::new();
    }
    let normalised = samples.normalised_elo();
    let superior = match samples.vary() {
        true => format!("{:.1} %", 100.0 * samples.likelihood_of_superiority()),
        false => "–".to_owned(),
    };
    let sprt = view.options.sprt.as_ref().map(|sprt| {
        let (lower, upper) = sprt.bounds();
        let llr = sprt.log_likelihood_ratio(samples);
        format!("{llr:.2}, decided at {lower:.2} or {upper:.2}")
    });
    let facts = pages::facts(&[
        (
            "Normalised Elo",
            Some(match normalised.value.is_finite() {
                true => format!("{:.1} ± {}", normalised.value, error(normalised, samples)),
                false => "cannot be told from such results".to_owned(),
            }),
        ),
        (
            "Chance that it is stronger",
            Some(format!("{a} over its opponent: {superior}")),
        ),
        ("Log-likelihood ratio", sprt),
    ]);
    let mut page = facts;
    if view.standing.paired() {
        let names = ["0", "1/4", "1/2", "3/4", "1", "5/4", "3/2", "7/4", "2"];
        let columns = names.iter().zip(samples.counts());
        let columns: Vec<_> = columns.map(|(n, &c)| ((*n).to_owned(), c as f64)).collect();
        let label = format!("points of {} in a pair", terminal::cut(a, LONGEST));
        let plot = plots::columns("Pairs", &label, &columns);
        let _ = writeln!(
            page,
            "<h2>Pairs</h2>\n<figure class=\"card\">{plot}</figure>"
        );
    }
    page
}

/// Everyone against everyone.
pub fn crosstable(options: &Options, standing: &Standing) -> String {
    let order = standing.ranking();
    let mut table =
        "<h2>Crosstable</h2>\n<div class=\"scroll\"><table>\n<tr><th>#<th class=\"name\">Engine"
            .to_owned();
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
                _ if a == b => write!(table, "<td>–"),
                0 => write!(table, "<td>"),
                n => write!(table, "<td>{} / {n}", point_text(points(quarters))),
            };
        }
        table += "</tr>\n";
    }
    table + "</table></div>\n"
}

/// What engines did wrong.
pub fn faults(view: &View<'_>) -> String {
    let mut page = "<h2>Faults</h2>\n".to_owned();
    if view.faults.iter().all(|faults| faults.words().is_none()) {
        return page + "<p>None: no crash, no stall, no loss on time, no illegal move.</p>\n";
    }
    page += "<div class=\"scroll\"><table>\n<tr><th class=\"name\">Engine";
    for [_, many] in KINDS {
        let _ = write!(page, "<th>{many}");
    }
    page += "</tr>\n";
    for (engine, faults) in view.options.engines.iter().zip(view.faults) {
        let _ = write!(page, "<tr><td class=\"name\">{}", escape(&engine.name));
        for n in faults.counts() {
            let _ = write!(page, "<td>{n}");
        }
        page += "</tr>\n";
    }
    page + "</table></div>\n<p class=\"note\">Each of them cost the engine that game.</p>\n"
}

/// What kind of tournament it is, in words.
pub fn tournament(options: &Options) -> String {
    let games = match options.games {
        1 => "1 game".to_owned(),
        n => format!("{n} games"),
    };
    let rounds = match options.rounds {
        1 => "1 round".to_owned(),
        n => format!("{n} rounds"),
    };
    match options.tournament {
        Tournament::RoundRobin if options.engines.len() == 2 => {
            format!("match of two, {rounds} of {games}")
        }
        Tournament::RoundRobin => format!("round robin, {rounds} of {games}"),
        Tournament::Gauntlet(n) => format!("gauntlet of {n}, {rounds} of {games}"),
        Tournament::Swiss => format!("Swiss, {rounds} of {games}"),
        Tournament::Knockout => format!("knockout, {games} for each tie"),
    }
}

/// What each engine is, its limits and options.
pub fn engines(options: &Options, own_names: &[String]) -> String {
    let mut table = "<div class=\"scroll\"><table>\n<tr><th class=\"name\">Engine<th class=\"name\">Program<th class=\"name\">Limit<th class=\"name\">Options</tr>\n".to_owned();
    for (i, engine) in options.engines.iter().enumerate() {
        let own = own_names.get(i).map_or("", String::as_str);
        let _ = writeln!(
            table,
            "<tr><td class=\"name\">{}<td class=\"wide\">{}<td class=\"name\">{}<td class=\"wide\">{}</tr>",
            escape(&engine.name),
            escape(&program(engine, own)),
            escape(&engine.limits.to_string()),
            escape(&options_of(engine))
        );
    }
    table + "</table></div>\n"
}

fn program(engine: &EngineSpec, own: &str) -> String {
    match &engine.command {
        Command::Internal => own.to_owned(),
        Command::Program { path, args, .. } => {
            let command = std::iter::once(path.as_str()).chain(args.iter().map(String::as_str));
            let command: Vec<&str> = command.collect();
            let command = command.join(" ");
            match own == path {
                true => command,
                false => format!("{own} ({command})"),
            }
        }
    }
}

fn options_of(engine: &EngineSpec) -> String {
    let options = engine.options.iter();
    let options: Vec<String> = options
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    match options.is_empty() {
        true => "as they are".to_owned(),
        false => options.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::schedule::tests::options;

    #[test]
    fn one_round_is_no_rounds() {
        for (words, told) in [
            ("-rounds 1", "round robin, 1 round of 2 games"),
            ("-rounds 2 -games 1", "round robin, 2 rounds of 1 game"),
            ("-tournament swiss -rounds 1", "Swiss, 1 round of 2 games"),
        ] {
            assert_eq!(tournament(&options(3, words)), told);
        }
    }
}
