//! The standings as text and tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::cutechess;
use super::faults::Faults;
use super::options::{Command, EngineSpec, Options, Output};
use super::schedule::Schedule;
use super::sprt::{Sprt, Verdict};
use super::standing::{Quarters, Standing, games, points};
use super::stats::{Distribution, decimal};
use crate::terminal::{columns, padded};

const RULE: &str = "--------------------------------------------------\n";

/// The standings as they are printed now and then, and at the end: in the format of `fastchess` for two
/// engines, as a table for more.
pub fn interim(
    options: &Options,
    schedule: &Schedule,
    standing: &Standing,
    is_over: bool,
) -> String {
    let waiting = waiting_line(standing, is_over).map_or_else(String::new, |line| line + "\n");
    let left_out = left_out_line(standing).map_or_else(String::new, |line| line + "\n");
    if let (Output::Cutechess, [[a, b]]) = (options.output, schedule.pairings()) {
        return cutechess::duel(options, standing, *a, *b) + &waiting + &left_out;
    }
    let body = match schedule.pairings() {
        [[a, b]] => duel(options, standing, *a, *b),
        _ => ranking(options, standing),
    };
    format!("{RULE}{body}{waiting}{left_out}{RULE}")
}

/// Which finished games are in no figure: yet, or for good if the match is over.
pub fn waiting_line(standing: &Standing, is_over: bool) -> Option<String> {
    let what = match (standing.waiting(), is_over) {
        (0, _) => return None,
        (1, false) => "1 finished game waits for the other game of its pair".to_owned(),
        (n, false) => format!("{n} finished games wait for the other games of their pairs"),
        (1, true) => {
            "1 finished game does not, since the other game of its pair was not played".to_owned()
        }
        (n, true) => format!(
            "{n} finished games do not, since the other games of their pairs were not played"
        ),
    };
    Some(format!("Only whole pairs count: {what}"))
}

/// How many games were not played, and which engines are out, with what they did.
pub fn out_line(unplayed: usize, out: &BTreeMap<String, String>) -> Option<String> {
    let who: Vec<String> = out.iter().map(|(e, did)| format!("{e} {did}")).collect();
    let what = match (unplayed, who.len()) {
        (0, 0) => return None,
        (0, 1) => "1 engine left the match".to_owned(),
        (0, n) => format!("{n} engines left the match"),
        (1, _) => "1 game was not played".to_owned(),
        (n, _) => format!("{n} games were not played"),
    };
    Some(format!("{what}: {}", who.join("; ")))
}

/// What engines did wrong, a line for each that did.
pub fn faults(options: &Options, faults: &[Faults]) -> String {
    let lines = options.engines.iter().zip(faults);
    let lines = lines.filter_map(|(engine, faults)| {
        let words = faults.words()?;
        Some(format!("Faults of {}: {words}\n", engine.name))
    });
    let text: String = lines.collect();
    match text.is_empty() {
        true => "Faults: none\n".to_owned(),
        false => text,
    }
}

/// How many games are left out as repetitions.
pub fn left_out_line(standing: &Standing) -> Option<String> {
    let left_out = match (standing.left_out(), standing.paired()) {
        (0, _) => return None,
        (n, true) => format!("{n} games of pairs with games"),
        (n, false) => format!("{n} games"),
    };
    // Of single games the first is always left.
    let none = match standing.samples() {
        0 => "; no pair is left",
        _ => "",
    };
    Some(format!(
        "Left out of all but the points: {left_out} that were played before, move by move{none}"
    ))
}

fn duel(options: &Options, standing: &Standing, a: usize, b: usize) -> String {
    let samples = standing.pairing(0);
    let quarters = standing.against(a, b);
    let [first, second] = [&options.engines[a], &options.engines[b]];
    let mut text = format!(
        "Results of {} vs {} ({}{}):\n",
        first.name,
        second.name,
        conditions(first, second),
        match &options.openings.file {
            Some((path, _)) => format!(", {}", path.file_name().unwrap_or_default().display()),
            None => String::new(),
        }
    );
    let _ = writeln!(
        text,
        "Elo: {}, nElo: {}",
        samples.elo(),
        samples.normalised_elo()
    );
    let superior = decimal(100.0 * samples.likelihood_of_superiority());
    let _ = write!(text, "LOS: {superior} %");
    if standing.paired() {
        let pairs = samples.counts();
        let (lost, won): (u64, u64) = (pairs[..4].iter().sum(), pairs[5..].iter().sum());
        let share = decimal(100.0 * pairs[4] as f64 / samples.samples() as f64);
        let ratio = decimal(won as f64 / lost as f64);
        let _ = write!(text, ", DrawRatio: {share} %, PairsRatio: {ratio}");
    }
    let _ = writeln!(text, "\n{}", score_line(quarters));
    text += &samples_line(samples);
    if let Some(sprt) = &options.sprt {
        text += &sprt_line(sprt, samples);
    }
    text
}

/// Time control, threads and hash, once if they are the same.
fn conditions(a: &EngineSpec, b: &EngineSpec) -> String {
    let option = |engine: &EngineSpec, name: &str, default: &str, unit: &str| match (
        engine.option(name),
        &engine.command,
    ) {
        (Some(value), _) => format!("{value}{unit}"),
        (None, Command::Internal) => format!("{default}{unit}"),
        (None, Command::Program { .. }) => "NULL".to_owned(),
    };
    let both = |a: String, b: String| if a == b { a } else { format!("{a} - {b}") };
    let threads = |e| option(e, "Threads", "1", "t");
    let hash = |e| option(e, "Hash", &super::internal::HASH.to_string(), "MB");
    [
        both(a.limits.to_string(), b.limits.to_string()),
        both(threads(a), threads(b)),
        both(hash(a), hash(b)),
    ]
    .join(", ")
}

fn score_line(quarters: Quarters) -> String {
    let [lost, quarter, drawn, three_quarters, won] = quarters;
    let played = games(quarters);
    let points = points(quarters);
    let share = 100.0 * points / played.max(1) as f64;
    let stalemates = match quarter + three_quarters {
        0 => String::new(),
        _ => format!(", 3/4: {three_quarters}, 1/4: {quarter}"),
    };
    format!(
        "Games: {played}, Wins: {won}, Losses: {lost}, Draws: {drawn}{stalemates}, Points: {} ({share:.2} %)",
        point_text(points)
    )
}

/// Points with as many decimals as quarters need, at least one.
pub fn point_text(points: f64) -> String {
    match (points * 4.0).round() as u64 % 2 {
        0 => format!("{points:.1}"),
        _ => format!("{points:.2}"),
    }
}

fn samples_line(samples: &Distribution) -> String {
    let plain = samples.without_quarters();
    let mut text = String::new();
    if plain.games_per_sample() == 2 {
        if plain.counts().len() == 5 {
            let _ = writeln!(text, "Ptnml(0-2): {:?}", plain.counts());
        }
        let _ = writeln!(text, "Pairs(0-2 by 1/4): {:?}", samples.counts());
    }
    text
}

fn sprt_line(sprt: &Sprt, samples: &Distribution) -> String {
    let (lower, upper) = sprt.bounds();
    format!(
        "LLR: {:.2} ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]\n",
        sprt.log_likelihood_ratio(samples),
        sprt.elo0,
        sprt.elo1
    )
}

/// The line with the decision of a test.
pub fn verdict_line(sprt: &Sprt, verdict: Verdict) -> Option<String> {
    let elo = format!("[{:.2}, {:.2}]", sprt.elo0, sprt.elo1);
    match verdict {
        Verdict::Open => None,
        Verdict::H0 => Some(format!("SPRT {elo} completed - H0 was accepted")),
        Verdict::H1 => Some(format!("SPRT {elo} completed - H1 was accepted")),
    }
}

/// All engines, best first.
fn ranking(options: &Options, standing: &Standing) -> String {
    let width = name_width(options);
    let mut text = format!(
        "Rank {:width$} {:>9} {:>8} {:>9} {:>7} {:>9} {:>8}\n",
        "Name", "Elo", "+/-", "nElo", "Games", "Points", "Score"
    );
    for (rank, engine) in standing.ranking().into_iter().enumerate() {
        let samples = standing.engine(engine);
        let (elo, normalised) = (samples.elo(), samples.normalised_elo());
        let quarters = standing.total(engine);
        let points = points(quarters);
        let _ = writeln!(
            text,
            "{:4} {} {:>9} {:>8} {:>9} {:7} {:>9} {:6.2} %",
            rank + 1,
            padded(&options.engines[engine].name, width),
            decimal(elo.value),
            decimal(elo.error),
            decimal(normalised.value),
            games(quarters),
            point_text(points),
            100.0 * points / games(quarters).max(1) as f64,
        );
    }
    text
}

/// How many columns the names take in a table.
pub fn name_width(options: &Options) -> usize {
    let names = options.engines.iter().map(|e| columns(&e.name));
    names.max().unwrap_or(0).max(4)
}

/// Points of everyone against everyone, best first.
pub fn crosstable(options: &Options, standing: &Standing) -> String {
    let order = standing.ranking();
    let width = name_width(options);
    let cell = |a: usize, b: usize| match standing.against(a, b) {
        _ if a == b => "-".to_owned(),
        [0, 0, 0, 0, 0] => ".".to_owned(),
        quarters => format!("{}/{}", point_text(points(quarters)), games(quarters)),
    };
    let widest = order
        .iter()
        .flat_map(|&a| order.iter().map(move |&b| (a, b)))
        .map(|(a, b)| cell(a, b).len());
    let column = widest.max().unwrap_or(0).max(3);
    let mut text = format!("   # {:width$} {:>9} {:>7}", "Name", "Points", "Games");
    for place in 1..=order.len() {
        let _ = write!(text, " {place:>column$}");
    }
    text.push('\n');
    for (place, &a) in order.iter().enumerate() {
        let total = standing.total(a);
        let _ = write!(
            text,
            "{:4} {} {:>9} {:7}",
            place + 1,
            padded(&options.engines[a].name, width),
            point_text(points(total)),
            games(total),
        );
        for &b in &order {
            let _ = write!(text, " {:>column$}", cell(a, b));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::player::Fault;
    use super::super::schedule::tests::options;
    use super::*;

    /// What engines did has commas of its own.
    #[test]
    fn who_is_out() {
        let faults = [("a", Fault::Disconnects), ("b", Fault::Stalls)];
        let out = faults.map(|(name, fault)| (name.to_owned(), fault.words()));
        assert_eq!(
            out_line(3, &out.into()).unwrap(),
            "3 games were not played: a ended, or closed its output; b does not answer"
        );
    }

    /// Letters that take two columns of a terminal leave the numbers below each other.
    #[test]
    fn tables_with_wide_letters_are_aligned() {
        let engine = |name: &str| format!("-engine cmd=internal nodes=1 name={name} ");
        let words: String = ["日本のエンジン", "a", "b"].map(engine).concat();
        let options = options(0, &words);
        let standing = Standing::new(3, &Schedule::new(&options));
        for table in [
            ranking(&options, &standing),
            crosstable(&options, &standing),
        ] {
            let widths: Vec<usize> = table.lines().map(columns).collect();
            assert!(widths.iter().all(|&width| width == widths[0]), "{table}");
        }
    }

    /// The threads that are printed are those that are counted.
    #[test]
    fn threads_by_any_spelling() {
        let words = "-each option.Threads=2 -engine cmd=x name=p nodes=1 option.threads=3";
        let engine = &options(0, &format!("{words} -engine cmd=y nodes=1")).engines[0];
        assert_eq!(engine.threads(), 3);
        assert_eq!(conditions(engine, engine), "1 nodes, 3t, NULL");
    }
}
