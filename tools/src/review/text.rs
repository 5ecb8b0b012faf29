//! Reviews as text for people.

use std::fmt::Write as _;

use super::graph::{move_words, number, points};
use super::judge::{Judged, Review, Sum};
use crate::analyse::text_of;
use crate::terminal::wrapped;

/// The widest graph, the narrowest, what stands beside it on its lines, and how many these are.
const COLUMNS: usize = 64;
const LEAST_COLUMNS: usize = 16;
const BESIDE: usize = 13;
const LINES: usize = 4;
/// The heading of the summaries after the names, and the longest names.
const SUMS: &str = "  accuracy  inaccuracies  mistakes  blunders";
const LONGEST_NAME: usize = 24;
/// How many moves of a better line are told.
pub const MOST_OF_LINE: usize = 8;

/// A review: players, the summaries, a graph, then the moves that lost something; on lines of this width, if there is
/// one.
pub fn text(review: &Review, columns: Option<usize>) -> String {
    let [white, black] = review.about.names();
    let result = review.about.result.as_deref().unwrap_or("");
    let title = match &review.about.players {
        [None, None] => format!("Game {}", text_of(&review.id)),
        _ => format!("{white} – {black}"),
    };
    let title = format!("{title}  {result}");
    let mut text = wrapped(title.trim_end(), columns, "", "");
    let occasion = review.about.occasion();
    let about = [
        occasion,
        review.rules.spec().title.to_owned(),
        plies(review),
    ];
    let about: Vec<String> = about.into_iter().filter(|part| !part.is_empty()).collect();
    text += &wrapped(&about.join(" · "), columns, "", "");
    text.push('\n');
    let width = [white, black].map(|name| name.chars().count());
    let room = columns.map_or(LONGEST_NAME, |columns| columns.saturating_sub(SUMS.len()));
    let width = width.into_iter().max().unwrap_or(0);
    let width = width.clamp(5, room.clamp(5, LONGEST_NAME));
    let _ = writeln!(text, "{:width$}{SUMS}", "");
    for (name, sum) in [(white, &review.white), (black, &review.black)] {
        let name: String = name.chars().take(width).collect();
        let _ = writeln!(
            text,
            "{name:width$}  {:>8}  {:>12}  {:>8}  {:>8}",
            accuracy(sum),
            sum.inaccuracies,
            sum.mistakes,
            sum.blunders
        );
    }
    if review.moves.len() > 1 {
        text.push('\n');
        text += &graph(review, columns);
    }
    let bad: Vec<&Judged> = review
        .moves
        .iter()
        .filter(|m| m.judgement.is_some())
        .collect();
    if !bad.is_empty() {
        text.push('\n');
    }
    let widest = bad.iter().map(|one| move_words(one).chars().count()).max();
    let widest = widest.unwrap_or(0);
    for one in bad {
        let words = format!(
            "{}, {}; better: {}",
            one.judgement.map_or("", |judgement| judgement.name()),
            shares(one),
            better(one),
        );
        let (first, others) = (
            format!("{:widest$}  ", move_words(one)),
            " ".repeat(widest + 2),
        );
        text += &wrapped(&words, columns, &first, &others);
        if let Some(explanation) = &one.explanation {
            text += &wrapped(&explanation.words, columns, &others, &others);
        }
    }
    text.push('\n');
    text
}

/// The length of a game in words.
pub fn plies(review: &Review) -> String {
    match review.moves.len() {
        1 => "1 ply".to_owned(),
        n => format!("{n} plies"),
    }
}

/// The accuracy of a side; a dash without moves.
pub fn accuracy(sum: &Sum) -> String {
    sum.accuracy
        .map_or_else(|| "–".to_owned(), |share| format!("{share:.1} %"))
}

/// How White's expectation changed: `White 0.61 → 0.42`.
pub fn shares(one: &Judged) -> String {
    format!("White {} → {}", one.before, one.after)
}

/// The better line with its numbers: `12. Nd5 Rb3 13. Qc3`.
pub fn better(one: &Judged) -> String {
    let mut words = Vec::new();
    let (mut count, mut white) = (one.number, one.white);
    for (i, san) in one.best_line.iter().take(MOST_OF_LINE).enumerate() {
        words.push(match (white, i) {
            (true, 0) | (false, 0) => format!("{} {san}", number(one)),
            (true, _) => format!("{count}. {san}"),
            (false, _) => san.clone(),
        });
        count += usize::from(!white);
        white = !white;
    }
    words.join(" ")
}

/// What White expects, as columns of blocks.
fn graph(review: &Review, width: Option<usize>) -> String {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let plies = review.moves.len();
    let room = width.map_or(COLUMNS, |width| width.saturating_sub(BESIDE));
    let columns = plies.min(room.clamp(LEAST_COLUMNS, COLUMNS));
    let all = points(review);
    // After the moves of each column.
    let shares: Vec<f64> = (1..=columns)
        .map(|column| {
            let ply = (column * plies / columns) as f64;
            let at = all.iter().rev().find(|point| point.0 <= ply);
            at.map_or(0.5, |point| point.1)
        })
        .collect();
    let mut text = String::new();
    for line in (0..LINES).rev() {
        let label = match line {
            0 => "Black wins",
            _ if line == LINES - 1 => "White wins",
            _ => "",
        };
        let blocks = shares.iter().map(|share| {
            let eighths = (share * (8 * LINES) as f64).round() as usize;
            BLOCKS[eighths.saturating_sub(8 * line).min(8)]
        });
        let blocks: String = blocks.collect();
        let _ = writeln!(text, "{label:>10} │{blocks}│");
    }
    text
}
